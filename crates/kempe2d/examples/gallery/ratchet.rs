//! Ratchet: an angle that rises past a tooth every so often and does not come back.
//!
//! A crank is pushed, let go, and falls back to the last tooth that it passed.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Vec2, World};
use std::f64::consts::TAU;

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let (start, end) = (Vec2::ZERO, Vec2::new(1.0, 0.0));
    // Twenty teeth. It starts at the fourth below the horizontal.
    let tooth = TAU / 20.0;
    let crank = world.add_body(&BodyDef {
        rotation: -4.0 * tooth,
        shapes: vec![(Shape::circle(0.3), 1.0), (Shape::Capsule { start, end, radius: 0.06 }, 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?;
    world.add_joint(&world.revolute_at(ground, crank, Vec2::ZERO)?)?;
    let ratchet = world.add_joint(&JointDef::ratchet(ground, crank, 0.0, tooth))?;
    let mut highest = world[crank].rotation();
    for step in 0..120 {
        // A push of 0.3 s in each second.
        if step % 60 < 18 {
            world.apply_torque(crank, 4.0)?;
        }
        world.step(1.0 / 60.0)?;
        highest = highest.max(world[crank].rotation());
    }
    let angle = world[crank].rotation();
    let weight = world.joint_axis_force(ratchet, 0).ok_or("no ratchet")?.limit;
    let center = world[crank].center().x;
    Ok(Scene::new(world, "ratchet: a crank on the last of its teeth")
        .figure("the crank, in teeth", angle / tooth, (highest / tooth).floor(), 0.02, "")
        .figure("what the tooth carries", weight, 2.0 * 9.81 * center, 0.05, "N·m"))
}
