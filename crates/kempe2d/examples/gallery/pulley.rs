//! Pulley: a rope over two wheels, |p₂ − p₁| + ratio · |p₄ − p₃| at most a length.
//!
//! Atwood's machine with 3 kg and 2 kg; and one whose right side counts twice, with 1 kg and 1.5 kg.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, JointDef, Mass, Shape, Vec2, World};

fn weight(world: &mut World, x: f64, kg: f64) -> Fallible<BodyId> {
    Ok(world.add_body(&BodyDef {
        position: Vec2::new(x, -1.5),
        shapes: vec![(Shape::rectangle(0.12 * kg.sqrt(), 0.12 * kg.sqrt()), 1.0)],
        mass: Mass::Total(kg),
        ..BodyDef::dynamic()
    })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        position: Vec2::new(1.5, 0.1),
        shapes: vec![(Shape::rectangle(2.2, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    let under = |x: f64| Vec2::new(x - 1.5, -0.1);
    let [heavy, light] = [weight(&mut world, 0.0, 3.0)?, weight(&mut world, 1.0, 2.0)?];
    // From the beam to a weight, and from the beam to the other one.
    let bodies = [beam, heavy, beam, light];
    let anchors = [under(0.0), Vec2::ZERO, under(1.0), Vec2::ZERO];
    let rope = world.add_joint(&JointDef::pulley(bodies, anchors, 1.0, 3.0))?;
    let [left, right] = [weight(&mut world, 2.0, 1.0)?, weight(&mut world, 3.0, 1.5)?];
    // One that can also push, as Box2D's does.
    let bodies = [beam, left, beam, right];
    let anchors = [under(2.0), Vec2::ZERO, under(3.0), Vec2::ZERO];
    world.add_joint(&JointDef::stiff_pulley(bodies, anchors, 2.0, 4.5))?;
    for _ in 0..30 {
        world.step(1.0 / 60.0)?;
    }
    let (first, second) = (-world[heavy].velocity().y, -world[left].velocity().y);
    let pull = -world.joint_axis_force(rope, 0).ok_or("no rope")?.limit;
    // a = g (m₁ − m₂/ρ) / (m₁ + m₂/ρ²)
    let atwood = |a: f64, b: f64, ratio: f64| 9.81 * (a - b / ratio) / (a + b / ratio / ratio);
    let a = atwood(3.0, 2.0, 1.0);
    Ok(Scene::new(world, "pulley: Atwood's machine, and one with a ratio of 2")
        .figure("3 kg after 0.5 s", first, 0.5 * a, 2e-3, "m/s")
        .figure("the rope", pull, 3.0 * (9.81 - a), 0.02, "N")
        .figure("1 kg against 1.5 kg, 1 : 2", second, 0.5 * atwood(1.0, 1.5, 2.0), 2e-3, "m/s"))
}
