//! Weld: two bodies become one.
//!
//! A beam sticks out of a wall, and a brace is welded to it at an angle. The weld in the wall carries
//! their weight and its torque.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Vec2, World};
use std::f64::consts::FRAC_PI_4;

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let wall = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(0.15, 0.8), 0.0)],
        ..BodyDef::fixed()
    })?;
    let beam = world.add_body(&BodyDef {
        position: Vec2::new(1.15, 0.0),
        shapes: vec![(Shape::rectangle(1.0, 0.08), 1.0)],
        mass: Mass::Total(4.0),
        ..BodyDef::dynamic()
    })?;
    let brace = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(0.4, 0.05), 1.0)],
        mass: Mass::Total(1.0),
        // Where the weld will hold it: its left end at the end of the beam.
        position: Vec2::new(2.15, 0.0) + Vec2::from_angle(FRAC_PI_4) * 0.4,
        rotation: FRAC_PI_4,
        ..BodyDef::dynamic()
    })?;
    // As they stand, at a point of the world; or by anchors on each of them, and an angle.
    let in_wall = world.add_joint(&world.weld_at(wall, beam, Vec2::new(0.15, 0.0))?)?;
    let ends = [Vec2::new(1.0, 0.0), Vec2::new(-0.4, 0.0)];
    world.add_joint(&JointDef::weld(beam, brace, ends, FRAC_PI_4))?;
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let (force, torque) = world.joint_reaction(in_wall).ok_or("the weld is gone")?;
    let turn = world[brace].rotation();
    let lever = 4.0 * 1.0 + 1.0 * (2.0 + 0.4 * FRAC_PI_4.cos());
    Ok(Scene::new(world, "weld: a beam in a wall, and a brace at its end")
        .figure("force in the wall", force.y, 5.0 * 9.81, 0.05, "N")
        .figure("torque in the wall", torque, 9.81 * lever, 0.1, "N·m")
        .figure("angle of the brace", turn, FRAC_PI_4, 1e-3, "rad"))
}
