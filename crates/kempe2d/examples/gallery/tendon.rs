//! Tendon: a cable through points of any bodies, which slides through them without friction.
//!
//! A block and tackle: four strands carry a load of 5 kg, and 1.5 kg hang from the free end.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        position: Vec2::new(0.3, 0.1),
        shapes: vec![(Shape::rectangle(1.0, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    let load = world.add_body(&BodyDef {
        position: Vec2::new(0.0, -2.0),
        shapes: vec![(Shape::rectangle(0.45, 0.25), 1.0)],
        mass: Mass::Total(5.0),
        ..BodyDef::dynamic()
    })?;
    let hand = world.add_body(&BodyDef {
        position: Vec2::new(1.0, -1.0),
        shapes: vec![(Shape::rectangle(0.15, 0.2), 1.0)],
        mass: Mass::Total(1.5),
        ..BodyDef::dynamic()
    })?;
    // Down and up again, twice; then over to the free end. The strands are upright.
    let up = |x: f64| (beam, Vec2::new(x - 0.3, -0.1));
    let block = |x: f64| (load, Vec2::new(x, 0.25));
    let points = [
        [up(-0.3), block(-0.3), block(-0.1), up(-0.1)],
        [up(0.1), block(0.1), block(0.3), up(0.3)],
    ];
    let mut points: Vec<_> = points.concat();
    points.extend([up(1.0), (hand, Vec2::new(0.0, 0.2))]);
    // Strands of 1.75 m, three times 0.2 m and once 0.7 m between them, and 0.8 m to the hand.
    let length = 4.0 * 1.75 + 0.2 * 3.0 + 0.7 + 0.8;
    let cable = world.add_joint(&JointDef::tendon(&points, length))?;
    for _ in 0..30 {
        world.step(1.0 / 60.0)?;
    }
    let (rise, fall) = (world[load].velocity().y, world[hand].velocity().y);
    let pull = -world.joint_axis_force(cable, 0).ok_or("no cable")?.limit;
    // a = g (n m − M) / (M + n² m)
    let ideal = 9.81 * (4.0 * 1.5 - 5.0) / (5.0 + 16.0 * 1.5);
    Ok(Scene::new(world, "tendon: a block and tackle of four strands")
        .figure("the load after 0.5 s", rise, 0.5 * ideal, 2e-3, "m/s")
        .figure("the free end", fall, -2.0 * ideal, 5e-3, "m/s")
        .figure("the cable", pull, 1.5 * (9.81 - 4.0 * ideal), 0.02, "N"))
}
