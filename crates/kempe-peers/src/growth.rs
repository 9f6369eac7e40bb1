//! What a joint costs Kempe in scenes of a thousand to a million.

use crate::allocator::counted;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::kempe::Kempe;
use crate::run::median;
use kempe_scenes::{Scene, chains, joint_grid};
use serde::Serialize;
use std::time::Duration;

/// About how many joints, and how many steps are timed at once.
const SIZES: [(usize, usize); 4] = [(1_000, 400), (10_000, 100), (100_000, 20), (1_000_000, 5)];

/// How often, in turns with the other sizes.
const ROUNDS: usize = 4;

/// A scene of one size.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The scene.
    pub scene: &'static str,
    /// On how many threads.
    pub threads: u32,
    /// How many joints there are.
    pub joints: usize,
    /// The median step, ms.
    pub ms: f64,
    /// The median step by the joints, ns.
    pub ns_per_joint: f64,
    /// All that the world holds after its first steps by the joints.
    pub bytes_per_joint: f64,
}

/// Chains of 50 links.
fn long(joints: usize) -> Result<Scene, Failure> {
    Ok(chains(joints / 50, 50)?)
}

/// A square grid: 2 n (n − 1) joints.
fn square(joints: usize) -> Result<Scene, Failure> {
    let side = (0.5 + (0.25 + 0.5 * joints as f64).sqrt()).round() as usize;
    Ok(joint_grid(side, side)?)
}

/// Lets both scenes grow, up to this size.
///
/// # Errors
/// None but what a world refuses.
pub fn growth(threads: &[u32], most: usize) -> Result<Vec<Growth>, Failure> {
    type Build = fn(usize) -> Result<Scene, Failure>;
    let mut rows = Vec::new();
    for (scene, build) in [("chains", long as Build), ("joint_grid", square)] {
        for threads in threads {
            rows.extend(sizes(scene, build, *threads, most)?);
        }
    }
    Ok(rows)
}

fn sizes(
    scene: &'static str,
    build: fn(usize) -> Result<Scene, Failure>,
    threads: u32,
    most: usize,
) -> Result<Vec<Growth>, Failure> {
    let mut all = Vec::new();
    for (joints, steps) in SIZES.into_iter().filter(|(joints, _)| *joints <= most) {
        let (world, counted) = counted(|| -> Result<_, Failure> {
            let mut world = Kempe::new(build(joints)?.world, threads)?;
            for _ in 0..3 {
                world.step()?;
            }
            Ok(world)
        });
        all.push((world?, steps, counted.bytes, Vec::new()));
    }
    for _ in 0..ROUNDS {
        for (world, steps, _, times) in &mut all {
            world.timed(*steps, times)?;
        }
    }
    let row = |(kempe, _, bytes, times): (Kempe, usize, i64, Vec<Duration>)| {
        let joints = kempe.world().joint_count();
        let mut times: Vec<f64> = times.iter().map(|time| 1e3 * time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let ms = median(&times);
        let (ns_per_joint, bytes_per_joint) =
            (1e6 * ms / joints as f64, bytes as f64 / joints as f64);
        Growth { scene, threads, joints, ms, ns_per_joint, bytes_per_joint }
    };
    Ok(all.into_iter().map(row).collect())
}
