//! Prismatic: a slider on a rail. What it leaves, the travel, can have a motor, stops and friction.
//!
//! A block slides down a rail of 30°, and a motor lifts a cage.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Motor, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let down = Vec2::from_angle(-30_f64.to_radians());
    let block = world.add_body(&BodyDef {
        rotation: -30_f64.to_radians(),
        shapes: vec![(Shape::rectangle(0.3, 0.2), 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?;
    // At a point of the world and along a direction of it; with 4 N of dry friction, and a stop
    // after 3 m.
    let mut rail = world.prismatic_at(ground, block, Vec2::ZERO, down)?.with_limit(0.0, 3.0);
    rail.axis_mut(0).friction = Some(4.0);
    let rail = world.add_joint(&rail)?;
    let cage = world.add_body(&BodyDef {
        position: Vec2::new(4.0, -1.5),
        shapes: vec![(Shape::rectangle(0.4, 0.5), 1.0)],
        mass: Mass::Total(100.0),
        ..BodyDef::dynamic()
    })?;
    // By anchors, and a direction of the first body.
    let anchors = [Vec2::new(4.0, -1.5), Vec2::ZERO];
    let shaft = JointDef::prismatic(ground, cage, anchors, Vec2::Y);
    let shaft = world.add_joint(&shaft.with_axis(Axis::driven(Motor::at(0.5))))?;
    for _ in 0..48 {
        world.step(1.0 / 60.0)?;
    }
    let speed = world.joint_speed(rail, 0).ok_or("no rail")?;
    for _ in 0..72 {
        world.step(1.0 / 60.0)?;
    }
    let travel = world.joint_coordinate(rail, 0).ok_or("no rail")?;
    let height = world.joint_coordinate(shaft, 0).ok_or("no shaft")?;
    let motor = world.joint_axis_force(shaft, 0).ok_or("no shaft")?.motor;
    // a = g sin 30° − F/m = 4.905 − 2
    Ok(Scene::new(world, "prismatic: a block on a rail, and a cage that a motor lifts")
        .figure("block after 0.8 s", speed, 0.8 * 2.905, 5e-3, "m/s")
        .figure("block at its stop", travel, 3.0, 2e-3, "m")
        .figure("cage after 2 s", height, 1.0, 2e-3, "m")
        .figure("motor of the cage", motor, 981.0, 1.0, "N"))
}
