//! Pogo: a spring leg along a direction, with a largest pull and a largest push.
//!
//! A leg of 1 m that is pressed to 0.6 m throws its rider up. As it pulls with 0 N, it lets go at 1 m.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Softness, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let floor = world.add_body(&BodyDef {
        position: Vec2::new(0.0, -0.1),
        shapes: vec![(Shape::rectangle(0.8, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    let (start, end) = (Vec2::new(0.0, -0.2), Vec2::new(0.0, 0.2));
    let rider = world.add_body(&BodyDef {
        position: Vec2::new(0.0, 0.6),
        shapes: vec![(Shape::Capsule { start, end, radius: 0.15 }, 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?;
    let soft = Softness::Stiffness { stiffness: 500.0, damping: 0.0 };
    let anchors = [Vec2::new(0.0, 0.1), Vec2::ZERO];
    let (tension, compression) = (0.0, 400.0);
    let leg = JointDef::pogo(floor, rider, anchors, Vec2::Y, 1.0, soft, tension, compression);
    let leg = world.add_joint(&leg)?;
    let (mut highest, mut push) = (0.0_f64, 0.0_f64);
    for _ in 0..400 {
        world.step(1.0 / 480.0)?;
        highest = highest.max(world[rider].position().y);
        push = push.max(world.joint_axis_force(leg, 0).ok_or("no leg")?.spring);
    }
    // ½ k 0.4² = m g (h − 0.6)
    let ideal = 0.6 + 0.5 * 500.0 * 0.16 / (2.0 * 9.81);
    Ok(Scene::new(world, "pogo: a rider in the air, whose leg has let go")
        .figure("the largest push", push, 200.0, 1.0, "N")
        .figure("the highest point", highest, ideal, 0.05, "m"))
}
