//! Screw: a nut moves by the pitch in each turn of a spindle.
//!
//! A jack: a motor turns the spindle, and the nut lifts 500 kg.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Motor, Shape, Vec2, World};
use std::f64::consts::TAU;

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let spindle = world.add_body(&BodyDef {
        shapes: vec![(Shape::circle(0.2), 1.0)],
        mass: Mass::Total(5.0),
        ..BodyDef::dynamic()
    })?;
    let load = world.add_body(&BodyDef {
        position: Vec2::new(0.0, 0.6),
        shapes: vec![(Shape::rectangle(0.5, 0.2), 1.0)],
        mass: Mass::Total(500.0),
        ..BodyDef::dynamic()
    })?;
    let pin = world.revolute_at(ground, spindle, Vec2::ZERO)?;
    let on_spindle = world.add_joint(&pin.with_axis(Axis::driven(Motor::at(TAU))))?;
    let rail = world.prismatic_at(ground, load, Vec2::new(0.0, 0.6), Vec2::Y)?;
    let on_nut = world.add_joint(&rail)?;
    world.add_joint(&JointDef::screw(on_nut, on_spindle, 0.05))?;
    for _ in 0..240 {
        world.step(1.0 / 60.0)?;
    }
    let lift = world.joint_coordinate(on_nut, 0).ok_or("no nut")?;
    let motor = world.joint_axis_force(on_spindle, 0).ok_or("no spindle")?.motor;
    // Work: m g · pitch = τ · 2π
    Ok(Scene::new(world, "screw: a jack that lifts 500 kg by 5 cm a turn")
        .figure("lift after 4 turns", lift, 0.2, 1e-3, "m")
        .figure("torque of the motor", motor, 500.0 * 9.81 * 0.05 / TAU, 0.1, "N·m"))
}
