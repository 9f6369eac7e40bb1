//! A hundred by a hundred discs, pinned to their neighbours: how long a step takes, and
//! how far the pins open.
//!
//! ```text
//! cargo run --release -p kempe2d --example joint_grid [THREADS]
//! ```

use kempe2d::{BodyDef, Error, JointDef, JointId, JointKind, Settings, Shape, Times, Vec2, World};
use std::time::{Duration, Instant};

const SIDE: usize = 100;
const STEPS: usize = 250;

fn main() -> Result<(), Error> {
    let (mut world, joints) = grid()?;
    let threads = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    world.set_settings(Settings { timing: true, threads, ..world.settings() })?;
    let mut stages = [Duration::ZERO; 5];
    let mut times = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        let start = Instant::now();
        let report = world.step(1.0 / 60.0)?;
        let Times { prepare, evaluate, solve, integrate, finish } = report.times;
        for (sum, stage) in stages.iter_mut().zip([prepare, evaluate, solve, integrate, finish]) {
            *sum += stage;
        }
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    // The first step puts the joints into lanes.
    times.remove(0);
    times.sort_by(f64::total_cmp);
    let gaps = joints.iter().filter_map(|joint| world.joint_error(*joint));
    let gaps: Vec<f64> = gaps.map(|error| error[0].hypot(error[1])).collect();
    println!(
        "{} bodies, {} joints: median {:.2} ms, least {:.2} ms a step; gap {:.4} m at most, {:.5} m on \
         average",
        world.body_count(),
        world.joint_count(),
        times[times.len() / 2],
        times[0],
        gaps.iter().copied().fold(0.0, f64::max),
        gaps.iter().sum::<f64>() / gaps.len() as f64
    );
    let names = ["prepare", "evaluate", "solve", "integrate", "finish"];
    for (name, stage) in names.iter().zip(stages) {
        println!("{name:>10} {:.3} ms", 1e3 * stage.as_secs_f64() / STEPS as f64);
    }
    println!("state {:016x}", world.state_hash());
    Ok(())
}

/// Discs of radius 0.4 m, 1 m apart; seven in the middle of the top row hold all the others.
fn grid() -> Result<(World, Vec<JointId>), Error> {
    let mut world = World::default();
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let holds = row == 0 && (47..=53).contains(&column);
            let kind = if holds { BodyDef::fixed() } else { BodyDef::dynamic() };
            bodies.push(world.add_body(&BodyDef {
                position: Vec2::new(column as f64, -(row as f64)),
                shapes: vec![(Shape::circle(0.4), 1.0)],
                ..kind
            })?);
            let this = bodies.len() - 1;
            let mut pin = |other: usize, anchor_a: Vec2| -> Result<(), Error> {
                let kind = JointKind::Revolute { anchor_a, anchor_b: -anchor_a, angle: 0.0 };
                joints.push(world.add_joint(&JointDef::new(kind, bodies[other], bodies[this]))?);
                Ok(())
            };
            if row > 0 {
                pin(this - SIDE, Vec2::new(0.0, -0.5))?;
            }
            if column > 0 {
                pin(this - 1, Vec2::new(0.5, 0.0))?;
            }
        }
    }
    Ok((world, joints))
}
