//! Rack and pinion: the travel of one joint is the radius times the angle of another.
//!
//! A rack falls, and has to turn a pinion: a = m g / (m + I/r²).

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let pinion = world.add_body(&BodyDef {
        shapes: vec![(Shape::circle(0.4), 1.0)],
        mass: Mass::Total(4.0),
        ..BodyDef::dynamic()
    })?;
    let rack = world.add_body(&BodyDef {
        position: Vec2::new(0.46, 0.6),
        shapes: vec![(Shape::rectangle(0.06, 1.0), 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    let on_pinion = world.add_joint(&world.revolute_at(ground, pinion, Vec2::ZERO)?)?;
    let rail = world.prismatic_at(ground, rack, Vec2::new(0.46, 0.6), Vec2::Y)?;
    let on_rack = world.add_joint(&rail)?;
    // On the right of the pinion, up is counter-clockwise. On its left, the radius is negative.
    world.add_joint(&JointDef::rack_and_pinion(on_rack, on_pinion, 0.4))?;
    for _ in 0..30 {
        world.step(1.0 / 60.0)?;
    }
    let (speed, spin) = (world[rack].velocity().y, world[pinion].angular_velocity());
    // I/r² is half of the pinion's 4 kg.
    let ideal = -9.81 * 1.0 / (1.0 + 2.0) * 0.5;
    Ok(Scene::new(world, "rack and pinion: a rack that falls turns a pinion")
        .figure("the rack after 0.5 s", speed, ideal, 2e-3, "m/s")
        .figure("the pinion", spin, ideal / 0.4, 5e-3, "rad/s"))
}
