//! Lengths between two points: a rod, a range, a rope, a winch and a strut.
//!
//! Four weights under a beam, and one on top of it.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, JointDef, Mass, Shape, Vec2, World};

fn weight(world: &mut World, x: f64, y: f64) -> Fallible<BodyId> {
    Ok(world.add_body(&BodyDef {
        position: Vec2::new(x, y),
        shapes: vec![(Shape::rectangle(0.15, 0.15), 1.0)],
        mass: Mass::Total(2.0),
        ..BodyDef::dynamic()
    })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(2.4, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    // From a point under the beam to the top of the weight.
    let hook = |x: f64| [Vec2::new(x, -0.1), Vec2::new(0.0, 0.15)];
    let [a, b, c, d] = [
        weight(&mut world, -2.0, -1.25)?,
        weight(&mut world, -1.0, -1.0)?,
        weight(&mut world, 0.0, -0.5)?,
        weight(&mut world, 1.0, -1.75)?,
    ];
    let rod = world.add_joint(&JointDef::rod(beam, a, hook(-2.0), 1.0))?;
    world.add_joint(&JointDef::range(beam, b, hook(-1.0), 0.5, 1.2))?;
    let rope = world.add_joint(&JointDef::rope(beam, c, hook(0.0), 1.4))?;
    // Hauls in at 0.4 m/s with at most 100 N.
    let winch = world.add_joint(&JointDef::winch(beam, d, hook(1.0), -0.4, 100.0))?;
    let top = weight(&mut world, 2.0, 1.2)?;
    let feet = [Vec2::new(2.0, 0.1), Vec2::new(0.0, -0.15)];
    let strut = world.add_joint(&JointDef::strut(beam, top, feet, 0.8))?;
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let length = |joint| world.joint_coordinate(joint, 0).ok_or("no joint");
    let (rod, rope_is, strut) = (length(rod)?, length(rope)?, length(strut)?);
    let winch = length(winch)?;
    let pull = -world.joint_axis_force(rope, 0).ok_or("no rope")?.limit;
    Ok(Scene::new(world, "rods and ropes: rod, range, rope, winch, strut")
        .figure("the rod", rod, 1.0, 1e-3, "m")
        .figure("the rope, taut", rope_is, 1.4, 1e-3, "m")
        .figure("its pull", pull, 2.0 * 9.81, 0.05, "N")
        .figure("the winch after 2 s", winch, 1.5 - 0.8, 2e-3, "m")
        .figure("the strut", strut, 0.8, 1e-3, "m"))
}
