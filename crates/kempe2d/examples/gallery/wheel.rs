//! Wheel: a slot with a spring along it, in which the wheel turns freely.
//!
//! A car on a jack: its wheels hang in their springs, and a motor turns the rear one.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Motor, Shape, Softness, Vec2, World};
use std::f64::consts::TAU;

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let corners = [(-1.6, 0.0), (1.6, 0.0), (1.5, 0.4), (0.7, 0.45), (0.3, 0.8), (-1.1, 0.8)];
    let corners = corners.map(Vec2::from).to_vec();
    let car = world.add_body(&BodyDef {
        shapes: vec![(Shape::Polygon { corners }, 0.0)],
        ..BodyDef::fixed()
    })?;
    let suspension = Softness::Hertz { hertz: 2.0, damping_ratio: 0.4 };
    let mut on_wheels = Vec::new();
    for x in [-1.0, 1.0] {
        let wheel = world.add_body(&BodyDef {
            position: Vec2::new(x, -0.2),
            shapes: vec![(Shape::circle(0.35), 1.0)],
            mass: Mass::Total(20.0),
            ..BodyDef::dynamic()
        })?;
        let anchors = [Vec2::new(x, -0.2), Vec2::ZERO];
        let joint = JointDef::wheel(car, wheel, anchors, Vec2::Y, suspension);
        on_wheels.push((wheel, world.add_joint(&joint)?));
    }
    let (rear, on_rear) = on_wheels[0];
    world.edit_joint(on_rear, |def| *def.axis_mut(1) = Axis::driven(Motor::at(-8.0)))?;
    for _ in 0..180 {
        world.step(1.0 / 60.0)?;
    }
    let sag = world.joint_coordinate(on_rear, 0).ok_or("no wheel")?;
    let spin = world[rear].angular_velocity();
    // ω² sag = g
    let ideal = -9.81 / (TAU * 2.0).powi(2);
    Ok(Scene::new(world, "wheel: a car on a jack, its wheels in their springs")
        .figure("how far a wheel hangs down", sag, ideal, 1e-4, "m")
        .figure("speed of the rear wheel", spin, -8.0, 1e-3, "rad/s"))
}
