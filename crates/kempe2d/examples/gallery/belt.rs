//! Belt: two wheels whose rims run at the same speed; crossed, in opposite ways.
//!
//! The first wheel drives a larger one by a belt, and a smaller one by a crossed belt.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, BodyId, JointDef, JointId, Motor, Settings, Shape, Vec2, World};

fn wheel(world: &mut World, x: f64, r: f64) -> Fallible<(BodyId, JointId)> {
    let ground = world.ground()?;
    let at = Vec2::new(x, 0.0);
    let shapes = vec![(Shape::circle(r), 10.0)];
    let wheel = world.add_body(&BodyDef { position: at, shapes, ..BodyDef::dynamic() })?;
    let pin = world.revolute_at(ground, wheel, at)?;
    Ok((wheel, world.add_joint(&pin)?))
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let (_, driver) = wheel(&mut world, 0.0, 0.3)?;
    let (large, on_large) = wheel(&mut world, 1.6, 0.6)?;
    let (small, on_small) = wheel(&mut world, -1.2, 0.2)?;
    world.edit_joint(driver, |def| *def.axis_mut(0) = Axis::driven(Motor::at(2.0)))?;
    world.add_joint(&JointDef::belt(driver, on_large, 0.3, 0.6))?;
    world.add_joint(&JointDef::belt(driver, on_small, 0.3, -0.2))?;
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let [slow, fast] = [large, small].map(|id| world[id].angular_velocity());
    // The speed of all rims, m/s.
    let rim = 2.0 * 0.3;
    Ok(Scene::new(world, "belt: a large wheel by a belt, a small one by a crossed belt")
        .figure("the large wheel", slow, rim / 0.6, 1e-3, "rad/s")
        .figure("the small wheel", fast, -rim / 0.2, 3e-3, "rad/s"))
}
