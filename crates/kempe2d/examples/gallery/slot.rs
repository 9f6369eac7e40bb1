//! Slot: a pin of one body on a line of another. Between two points it is a groove.
//!
//! The trammel of Archimedes: a rod with two pins in two slots that cross; its end draws an ellipse.
//! Beside it, a ball falls to the end of a groove.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Motor, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    // The pins are 1 m apart, at ∓0.5; the end is 0.5 m beyond the second.
    let (start, end) = (Vec2::new(-0.5, 0.0), Vec2::new(1.0, 0.0));
    let rod = world.add_body(&BodyDef {
        position: Vec2::new(0.5, 0.0),
        shapes: vec![(Shape::Capsule { start, end, radius: 0.04 }, 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    let upright = JointDef::slot(ground, rod, [Vec2::ZERO, start], Vec2::Y);
    // The second axis of a slot is the angle: a motor turns the rod.
    let turned = upright.with_second_axis(Axis::driven(Motor::at(1.0)));
    world.add_joint(&turned)?;
    world.add_joint(&world.slot_at(ground, rod, Vec2::new(1.0, 0.0), Vec2::X)?)?;
    let ball = world.add_body(&BodyDef {
        position: Vec2::new(2.4, 0.5),
        shapes: vec![(Shape::circle(0.12), 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    let ends = [Vec2::new(2.0, 0.8), Vec2::new(3.2, -0.1)];
    let groove = world.add_joint(&JointDef::groove(ground, ball, ends, Vec2::ZERO))?;
    let mut worst: f64 = 1.0;
    for _ in 0..150 {
        world.step(1.0 / 60.0)?;
        // x²/1.5² + y²/0.5² = 1
        let Vec2 { x, y } = world[rod].world_point(end);
        let at = (x / 1.5).powi(2) + (y / 0.5).powi(2);
        worst = if (at - 1.0).abs() > (worst - 1.0).abs() { at } else { worst };
    }
    let turn = world[rod].rotation();
    let travel = world.joint_coordinate(groove, 0).ok_or("no groove")?;
    Ok(Scene::new(world, "slot: a trammel, whose end draws an ellipse, and a ball in a groove")
        .figure("the ellipse, at worst", worst, 1.0, 5e-3, "")
        .figure("angle after 2.5 s", turn, 2.5, 0.01, "rad")
        .figure("the ball at the end", travel, 1.5, 2e-3, "m"))
}
