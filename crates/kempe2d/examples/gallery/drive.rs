//! Drive: a point drawn at a velocity, or to a place, with a force of limited length.
//!
//! Seen from above, a parcel comes sideways onto a conveyor belt. Friction of 3 N is all that takes
//! it along: it slips first, and then goes with the belt.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, JointDef, Mass, Motor, Pull, Settings, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let belt = world.add_body(&BodyDef {
        position: Vec2::new(1.0, 0.0),
        shapes: vec![(Shape::rectangle(1.8, 0.6), 0.0)],
        ..BodyDef::fixed()
    })?;
    let parcel = world.add_body(&BodyDef {
        position: Vec2::new(0.0, -0.3),
        velocity: Vec2::new(0.0, 0.9),
        shapes: vec![(Shape::rectangle(0.2, 0.15), 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?;
    let along = Vec2::new(1.2, 0.0);
    let mut drive = JointDef::drive(belt, parcel, [Vec2::ZERO; 2], Pull::at(along, 3.0));
    // The third axis is the angle: this turns it slowly.
    *drive.axis_mut(2) = Axis::driven(Motor::at(0.3));
    let drive = world.add_joint(&drive)?;
    let steps = 30;
    for _ in 0..steps {
        world.step(1.0 / 60.0)?;
    }
    // It slips at (1.2, −0.9), 1.5 m/s; friction takes 1.5 m/s² of that and keeps its direction.
    let slip = (along - world[parcel].velocity()).length();
    let force = world.joint_force(drive).ok_or("no drive")?.0.length();
    for _ in 0..60 {
        world.step(1.0 / 60.0)?;
    }
    let end = world[parcel].velocity();
    // One second of slipping is half of 1.5 m behind the belt.
    let ideal = along * 1.5 - Vec2::new(1.2, -0.9) * 0.5;
    let place = world[parcel].position() - Vec2::new(0.0, -0.3) - ideal;
    Ok(Scene::new(world, "drive: a parcel that a conveyor belt takes along, from above")
        .figure("slip after 0.5 s", slip, 0.75, 0.01, "m/s")
        .figure("friction", force, 3.0, 0.01, "N")
        .figure("speed after 1.5 s", end.length(), 1.2, 1e-3, "m/s")
        .figure("off its place", place.length(), 0.0, 0.02, "m"))
}
