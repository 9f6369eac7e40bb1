//! Revolute: a pin through two bodies. What it leaves, the angle, can have a motor and stops.
//!
//! A motor lifts a gate to its upper stop. Beside it, a bar swings freely.

use super::scene::{Fallible, Scene};
use kempe2d::{
    Axis, BodyDef, BodyId, ForceRange, JointDef, Limit, Mass, Motor, Shape, Vec2, World,
};

fn bar(world: &mut World, position: Vec2) -> Fallible<BodyId> {
    Ok(world.add_body(&BodyDef {
        position,
        shapes: vec![(Shape::rectangle(1.0, 0.06), 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let gate = bar(&mut world, Vec2::new(1.0, 0.0))?;
    let pin = world.revolute_at(ground, gate, Vec2::ZERO)?;
    // 0.5 rad/s with at most 400 N·m, between the ground and 60°.
    let force = ForceRange::symmetric(400.0);
    let hinge = world.add_joint(&pin.with_axis(Axis {
        motor: Some(Motor::Velocity { speed: 0.5.into(), force }),
        limit: Some(Limit::new(0.0, 60_f64.to_radians())),
        ..Axis::default()
    }))?;
    // By anchors instead of a point of the world.
    let swing = bar(&mut world, Vec2::new(4.0, 0.0))?;
    let anchors = [Vec2::new(3.0, 0.0), Vec2::new(-1.0, 0.0)];
    world.add_joint(&JointDef::revolute(ground, swing, anchors))?;
    for _ in 0..60 {
        world.step(1.0 / 60.0)?;
    }
    let on_its_way = world.joint_coordinate(hinge, 0).ok_or("no hinge")?;
    let (fallen, speed) = (world[swing].rotation(), world[swing].angular_velocity());
    for _ in 0..90 {
        world.step(1.0 / 60.0)?;
    }
    let at_the_stop = world.joint_coordinate(hinge, 0).ok_or("no hinge")?;
    // A bar of length L that fell by an angle: ω² = 3 g sin(angle) / L.
    let ideal = (3.0 * 9.81 * (-fallen).sin() / 2.0).sqrt();
    Ok(Scene::new(world, "revolute: a gate with a motor and a stop, and a bar that swings")
        .figure("gate after 1 s", on_its_way, 0.5, 5e-3, "rad")
        .figure("gate after 2.5 s", at_the_stop, 60_f64.to_radians(), 1e-3, "rad")
        .figure("the bar's speed after 1 s", speed.abs(), ideal, 0.05, "rad/s"))
}
