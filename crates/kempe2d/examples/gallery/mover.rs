//! Mover: a character that is moved at a velocity, with a largest force for x and one for y.
//!
//! It runs at 3 m/s as fast as 20 N can make it, and falls as if nothing held it: 0 N for y.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Locked, Mass, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let cliff = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(0.6, 0.2), 0.0)],
        ..BodyDef::fixed()
    })?;
    let (start, end) = (Vec2::new(0.0, -0.2), Vec2::new(0.0, 0.2));
    let hero = world.add_body(&BodyDef {
        position: Vec2::new(0.6, 0.6),
        shapes: vec![(Shape::Capsule { start, end, radius: 0.2 }, 1.0)],
        mass: Mass::Total(2.0),
        // It never turns.
        locked: Locked { rotation: true, ..Locked::default() },
        ..BodyDef::dynamic()
    })?;
    let run = JointDef::mover(cliff, hero, Vec2::new(3.0, 0.0), [20.0, 0.0]);
    let run = world.add_joint(&run)?;
    for _ in 0..12 {
        world.step(1.0 / 60.0)?;
    }
    let start = world[hero].velocity().x;
    for _ in 0..30 {
        world.step(1.0 / 60.0)?;
    }
    let speed = world[hero].velocity();
    // Stop, and hover: new speeds and forces at any time.
    world.edit_joint(run, |def| {
        *def = JointDef::mover(cliff, hero, Vec2::ZERO, [20.0, 200.0]);
    })?;
    for _ in 0..60 {
        world.step(1.0 / 60.0)?;
    }
    let still = world[hero].velocity().length();
    Ok(Scene::new(world, "mover: a character that ran over a cliff, and hovers")
        .figure("run after 0.2 s", start, 2.0, 1e-2, "m/s")
        .figure("run after 0.7 s", speed.x, 3.0, 1e-3, "m/s")
        .figure("fall after 0.7 s", speed.y, -9.81 * 0.7, 1e-2, "m/s")
        .figure("at last", still, 0.0, 1e-3, "m/s"))
}
