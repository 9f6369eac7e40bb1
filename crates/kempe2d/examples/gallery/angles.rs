//! Angles between two bodies: a range of several turns, a spring, and a motor.
//!
//! Three discs on pins of their own.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, JointDef, Mass, Shape, Softness, Vec2, World};
use std::f64::consts::TAU;

/// A disc of 4 kg and 0.5 m on a pin: 0.5 kg·m².
fn disc(world: &mut World, ground: BodyId, x: f64) -> Fallible<BodyId> {
    let disc = world.add_body(&BodyDef {
        position: Vec2::new(x, 0.0),
        shapes: vec![(Shape::circle(0.5), 1.0)],
        mass: Mass::Total(4.0),
        ..BodyDef::dynamic()
    })?;
    world.add_joint(&world.revolute_at(ground, disc, Vec2::new(x, 0.0))?)?;
    Ok(disc)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    // Three turns either way, and no more.
    let first = disc(&mut world, ground, 0.0)?;
    world.set_angular_velocity(first, 20.0)?;
    let range = JointDef::angle_range(ground, first, 1.0, -3.0 * TAU, 3.0 * TAU);
    world.add_joint(&range)?;
    // 8 N·m/rad. A torque of 4 N·m turns it by 0.5 rad.
    let second = disc(&mut world, ground, 1.4)?;
    let soft = Softness::Stiffness { stiffness: 8.0, damping: 2.0 };
    world.add_joint(&JointDef::angular_spring(ground, second, 0.0, soft))?;
    // 6 rad/s with at most 2 N·m: 4 rad/s² at first.
    let third = disc(&mut world, ground, 2.8)?;
    world.add_joint(&JointDef::angular_motor(ground, third, 6.0, 2.0))?;
    let mut after_a_second = 0.0;
    for step in 1..=300 {
        world.apply_torque(second, 4.0)?;
        world.step(1.0 / 60.0)?;
        if step == 60 {
            after_a_second = world[third].angular_velocity();
        }
    }
    let [range, spring] = [first, second].map(|id| world[id].rotation());
    let motor = world[third].angular_velocity();
    Ok(Scene::new(world, "angles: a range of six turns, a spring, a motor")
        .figure("the range, at its end", range, 3.0 * TAU, 1e-2, "rad")
        .figure("the spring", spring, 0.5, 1e-3, "rad")
        .figure("the motor after 1 s", after_a_second, 4.0, 1e-2, "rad/s")
        .figure("the motor after 5 s", motor, 6.0, 1e-3, "rad/s"))
}
