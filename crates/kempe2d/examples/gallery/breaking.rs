//! Breaking: any joint can break at a force, a torque or an error.
//!
//! A rod that bears 50 N holds 1 kg, and is pulled harder by 20 N each second.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, Break, Cause, Event, JointDef, Mass, OnBreak, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(0.6, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    let ball = world.add_body(&BodyDef {
        position: Vec2::new(0.0, -1.1),
        shapes: vec![(Shape::circle(0.15), 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    // Removed by default; disabled, it is drawn pale.
    let breaking = Break { then: OnBreak::Disable, ..Break::at_force(50.0) };
    let anchors = [Vec2::new(0.0, -0.1), Vec2::ZERO];
    let rod = JointDef::rod(beam, ball, anchors, 1.0).with_break(breaking);
    let rod = world.add_joint(&rod)?;
    let (mut when, mut force) = (0.0, 0.0);
    for _ in 0..150 {
        let pull = 20.0 * world.time();
        world.apply_central_force(ball, Vec2::new(0.0, -pull))?;
        let report = world.step(1.0 / 60.0)?;
        let broke = report.events.iter().find_map(|event| match event {
            Event::Broke { joint, cause: Cause::Force(force) } if *joint == rod => Some(*force),
            _ => None,
        });
        if let Some(found) = broke {
            (when, force) = (world.time(), found);
            // Let it fall for a moment.
            for _ in 0..4 {
                world.step(1.0 / 60.0)?;
            }
            break;
        }
    }
    Ok(Scene::new(world, "breaking: a rod that bore 50 N")
        .figure("it breaks at", when, (50.0 - 9.81) / 20.0, 2.0 / 60.0, "s")
        .figure("with", force, 50.0, 0.5, "N"))
}
