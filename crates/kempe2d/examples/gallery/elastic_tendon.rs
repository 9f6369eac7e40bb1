//! Elastic tendon: a cable that is slack up to a length and a spring beyond it.
//!
//! A ball falls into an elastic of 2 m between two posts, and comes to rest in it.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Softness, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let (left, right) = (Vec2::new(-0.8, 0.0), Vec2::new(0.8, 0.0));
    let post = |x: f64| Shape::Circle { center: Vec2::new(x, 0.0), radius: 0.08 };
    let posts = world.add_body(&BodyDef {
        shapes: vec![(post(-0.8), 0.0), (post(0.8), 0.0)],
        ..BodyDef::fixed()
    })?;
    let ball = world.add_body(&BodyDef {
        position: Vec2::new(0.0, 0.4),
        shapes: vec![(Shape::circle(0.15), 1.0)],
        mass: Mass::Total(2.0),
        // To come to rest to the last digit.
        can_sleep: false,
        ..BodyDef::dynamic()
    })?;
    // With a lower length of −∞ it never pushes.
    let soft = Softness::Stiffness { stiffness: 60.0, damping: 10.0 };
    let points = [(posts, left), (ball, Vec2::ZERO), (posts, right)];
    let elastic = JointDef::elastic_tendon(&points, f64::NEG_INFINITY, 2.0, soft);
    let elastic = world.add_joint(&elastic)?;
    world.step(1.0 / 60.0)?;
    let slack = world.joint_axis_force(elastic, 0).ok_or("no elastic")?.limit;
    for _ in 0..600 {
        world.step(1.0 / 60.0)?;
    }
    let length = world.joint_coordinate(elastic, 0).ok_or("no elastic")?;
    let pull = -world.joint_axis_force(elastic, 0).ok_or("no elastic")?.limit;
    // Both halves pull with T, and of each the upright part counts.
    let upright = -world[ball].position().y / (0.5 * length);
    Ok(Scene::new(world, "elastic tendon: a ball in an elastic between two posts")
        .figure("at first, slack", slack, 0.0, 1e-9, "N")
        .figure("its pull, k (L − 2)", pull, 60.0 * (length - 2.0), 0.05, "N")
        .figure("what carries the ball", 2.0 * pull * upright, 2.0 * 9.81, 0.05, "N"))
}
