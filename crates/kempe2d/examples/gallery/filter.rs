//! Filter: nothing but that two bodies do not collide with each other.
//!
//! Three crates side by side. Joints that hold something do the same, unless `collide_connected` says
//! otherwise.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, JointDef, Shape, Vec2, World};

fn plate(world: &mut World, x: f64) -> Fallible<BodyId> {
    Ok(world.add_body(&BodyDef {
        position: Vec2::new(x, 0.0),
        shapes: vec![(Shape::rectangle(0.5, 0.5), 1.0)],
        ..BodyDef::dynamic()
    })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let [a, b, c] = [plate(&mut world, 0.0)?, plate(&mut world, 1.2)?, plate(&mut world, 2.4)?];
    let filter = world.add_joint(&JointDef::filter(a, b))?;
    let mut hinge = world.revolute_at(b, c, Vec2::new(1.8, 0.0))?;
    hinge.collide_connected = true;
    world.add_joint(&hinge)?;
    for _ in 0..6 {
        world.step(1.0 / 60.0)?;
    }
    let may = |world: &World, x, y| world.may_collide(x, y).map(|may| f64::from(u8::from(may)));
    let (filtered, hinged) = (may(&world, a, b)?, may(&world, b, c)?);
    let mut without = world.clone();
    without.remove_joint(filter)?;
    let again = may(&without, a, b)?;
    Ok(Scene::new(world, "filter: the first two may not collide; the last two may")
        .figure("first two", filtered, 0.0, 0.0, "")
        .figure("last two, hinged", hinged, 1.0, 0.0, "")
        .figure("first two, without the filter", again, 1.0, 0.0, ""))
}
