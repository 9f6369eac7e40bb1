//! Gear: the angles of two bodies in a fixed ratio, ratio · θ_B − θ_A = phase.
//!
//! Wheels of 0.6 m and 0.3 m mesh: B turns twice as fast, the other way. For gears on parts that
//! move, see `gears`.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, JointDef, Shape, Vec2, World};

fn wheel(world: &mut World, ground: BodyId, x: f64, radius: f64) -> Fallible<BodyId> {
    let wheel = world.add_body(&BodyDef {
        position: Vec2::new(x, 0.0),
        shapes: vec![(Shape::circle(radius), 10.0)],
        ..BodyDef::dynamic()
    })?;
    world.add_joint(&world.revolute_at(ground, wheel, Vec2::new(x, 0.0))?)?;
    Ok(wheel)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let large = wheel(&mut world, ground, 0.0, 0.6)?;
    let small = wheel(&mut world, ground, 0.9, 0.3)?;
    let ratio = -0.3 / 0.6;
    world.add_joint(&JointDef::gear(large, small, ratio, 0.0))?;
    // 1 N·m on the large one. It feels the small one as I (0.6/0.3)².
    for _ in 0..120 {
        world.apply_torque(large, 1.0)?;
        world.step(1.0 / 60.0)?;
    }
    let [one, other] = [large, small].map(|id| world[id].mass_properties().inertia);
    let ideal = 2.0 / (one + 4.0 * other);
    let (slow, fast) = (world[large].angular_velocity(), world[small].angular_velocity());
    let mesh = ratio * world[small].rotation() - world[large].rotation();
    Ok(Scene::new(world, "gear: two wheels, 1 : −2")
        .figure("the large wheel after 2 s", slow, ideal, 1e-3, "rad/s")
        .figure("the small wheel", fast, -2.0 * ideal, 2e-3, "rad/s")
        .figure("ratio · θ_B − θ_A", mesh, 0.0, 1e-4, "rad"))
}
