//! Generic: x, y and the angle of one body as seen from another, each free, limited, held, driven…
//!
//! A tray: a spring draws it along x, y falls to a stop, and the angle is held.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Shape, Softness, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let frame = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(0.2, 0.8), 0.0)],
        ..BodyDef::fixed()
    })?;
    let tray = world.add_body(&BodyDef {
        position: Vec2::new(0.6, 0.3),
        shapes: vec![(Shape::rectangle(0.4, 0.1), 1.0)],
        mass: Mass::Total(3.0),
        ..BodyDef::dynamic()
    })?;
    let axes = [
        Axis::sprung(1.2, Softness::Hertz { hertz: 1.0, damping_ratio: 1.0 }),
        Axis::limited(-0.5, 0.5),
        Axis::held(0.0),
    ];
    // Of the tray's left end as seen from the frame.
    let anchors = [Vec2::ZERO, Vec2::new(-0.4, 0.0)];
    let joint = world.add_joint(&JointDef::generic(frame, tray, anchors, axes))?;
    for _ in 0..180 {
        world.step(1.0 / 60.0)?;
    }
    let q = |axis| world.joint_coordinate(joint, axis).ok_or("no joint");
    let (x, y) = (q(0)?, q(1)?);
    let force = |axis| world.joint_axis_force(joint, axis).ok_or("no joint");
    let (stop, hold) = (force(1)?.limit, force(2)?.limit);
    Ok(Scene::new(world, "generic: x by a spring, y between stops, the angle held")
        .figure("x", x, 1.2, 1e-3, "m")
        .figure("y", y, -0.5, 1e-3, "m")
        .figure("the stop carries", stop, 3.0 * 9.81, 0.05, "N")
        .figure("the held angle carries", hold, 3.0 * 9.81 * 0.4, 0.05, "N·m"))
}
