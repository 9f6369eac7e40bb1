//! Gears: two that mesh, each on a joint of its own, whatever carries these.
//!
//! A small gear rolls round a fixed large one: in a turn of the arm it turns 1 + 2 times.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Motor, Settings, Shape, Vec2, World};
use std::f64::consts::TAU;

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let sun =
        world.add_body(&BodyDef { shapes: vec![(Shape::circle(0.8), 0.0)], ..BodyDef::fixed() })?;
    let arm = world.add_body(&BodyDef {
        position: Vec2::new(0.6, 0.0),
        shapes: vec![(Shape::rectangle(0.7, 0.05), 10.0)],
        ..BodyDef::dynamic()
    })?;
    let planet = world.add_body(&BodyDef {
        position: Vec2::new(1.2, 0.0),
        shapes: vec![(Shape::circle(0.4), 10.0)],
        ..BodyDef::dynamic()
    })?;
    // Both gears as seen from the arm. A motor turns the arm at 1 rad/s: the sun at −1 against it.
    let on_sun = world.revolute_at(arm, sun, Vec2::ZERO)?;
    let on_sun = world.add_joint(&on_sun.with_axis(Axis::driven(Motor::at(-1.0))))?;
    let on_planet = world.add_joint(&world.revolute_at(arm, planet, Vec2::new(1.2, 0.0))?)?;
    let mesh = world.add_joint(&JointDef::gears(on_sun, on_planet, 40.0, 20.0))?;
    for _ in 0..60 {
        world.step(TAU / 60.0 / 8.0)?;
    }
    let (turn, planet) = (world[arm].rotation(), world[planet].rotation());
    let off = world.joint_coordinate(mesh, 0).ok_or("no mesh")?;
    Ok(Scene::new(world, "gears: a gear that an arm rolls round a fixed one")
        .figure("the arm, in turns", turn / TAU, 0.125, 1e-3, "")
        .figure("the gear, in turns", planet / TAU, 0.375, 3e-3, "")
        .figure("the mesh is off by", off, 0.0, 1e-4, "rad"))
}
