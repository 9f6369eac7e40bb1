//! Mouse: a pointer drags a body by a point of it, with a spring and at most a force.
//!
//! A crate of 4 kg is picked up by its corner, hangs from the pointer, and is dragged on.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Softness, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(1.5, 0.05), 0.0)],
        ..BodyDef::fixed()
    })?;
    let crate_ = world.add_body(&BodyDef {
        position: Vec2::new(-0.8, 0.35),
        shapes: vec![(Shape::rectangle(0.3, 0.3), 1.0)],
        mass: Mass::Total(4.0),
        linear_damping: 1.0,
        angular_damping: 2.0,
        ..BodyDef::dynamic()
    })?;
    let corner = Vec2::new(0.3, 0.3);
    let soft = Softness::Stiffness { stiffness: 1000.0, damping: 60.0 };
    // The target is a point of the first body.
    let target = world[crate_].world_point(corner);
    let mouse = JointDef::mouse(ground, crate_, target, corner, soft, 500.0);
    let mouse = world.add_joint(&mouse)?;
    let (from, to) = (target, Vec2::new(0.9, 1.4));
    for step in 0..600 {
        let part = (f64::from(step) / 120.0).min(1.0);
        world.edit_joint(mouse, |def| {
            if let Some(pull) = def.pull_mut() {
                pull.target = from + (to - from) * part;
            }
        })?;
        world.step(1.0 / 60.0)?;
    }
    let hand = world[crate_].world_point(corner);
    let force = world.joint_force(mouse).ok_or("no mouse")?.0.length();
    Ok(Scene::new(world, "mouse: a crate that hangs from the pointer")
        .figure("the pointer pulls", force, 4.0 * 9.81, 0.2, "N")
        .figure("the corner is below it by", to.y - hand.y, 4.0 * 9.81 / 1000.0, 1e-3, "m"))
}
