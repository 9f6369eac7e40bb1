//! Top-down friction: dry friction on a table seen from above, the same in all directions.
//!
//! Pucks of 2 kg leave at 3 m/s in five directions, each with a spin.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, MassProperties, Settings, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let table = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(3.0, 3.0), 0.0)],
        ..BodyDef::fixed()
    })?;
    let mass = Mass::Given(MassProperties { mass: 2.0, inertia: 0.02, center: Vec2::ZERO });
    let mut pucks = Vec::new();
    for k in 0..5 {
        let along = Vec2::from_angle(f64::from(k) * 1.3);
        let puck = world.add_body(&BodyDef {
            velocity: along * 3.0,
            angular_velocity: 4.0,
            shapes: vec![(Shape::circle(0.15), 1.0)],
            mass,
            ..BodyDef::dynamic()
        })?;
        // 4 N, and 0.04 N·m against the spin.
        world.add_joint(&JointDef::top_down_friction(table, puck, 4.0, 0.04))?;
        pucks.push(puck);
    }
    for _ in 0..150 {
        world.step(1.0 / 60.0)?;
    }
    let ways: Vec<f64> = pucks.iter().map(|puck| world[*puck].position().length()).collect();
    let (nearest, farthest) =
        ways.iter().fold((f64::MAX, 0.0_f64), |(low, high), way| (low.min(*way), high.max(*way)));
    let turn = world[pucks[0]].rotation();
    // m v² / 2F = 2.25 m; I ω² / 2τ = 4 rad
    Ok(Scene::new(world, "top-down friction: pucks that came to rest on a table, from above")
        .figure("the shortest way", nearest, 2.25, 0.02, "m")
        .figure("the longest way", farthest, 2.25, 0.02, "m")
        .figure("the spin", turn, 4.0, 0.03, "rad"))
}
