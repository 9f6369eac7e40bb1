//! Backlash: a coupling with play, in which one side stands while the other turns back.
//!
//! Equal gears with 0.2 rad of play. Friction stops the second one while it is not driven.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, BodyId, JointDef, JointId, Motor, Settings, Shape, Vec2, World};

fn wheel(world: &mut World, x: f64) -> Fallible<(BodyId, JointId)> {
    let ground = world.ground()?;
    let at = Vec2::new(x, 0.0);
    let shapes = vec![(Shape::circle(0.5), 1.0)];
    let wheel = world.add_body(&BodyDef { position: at, shapes, ..BodyDef::dynamic() })?;
    let pin = world.revolute_at(ground, wheel, at)?;
    Ok((wheel, world.add_joint(&pin)?))
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let (_, on_a) = wheel(&mut world, 0.0)?;
    let (b, on_b) = wheel(&mut world, 1.0)?;
    world.edit_joint(on_b, |def| def.axis_mut(0).friction = Some(20.0))?;
    world.add_joint(&JointDef::gears(on_a, on_b, 20.0, 20.0).with_backlash(0.2))?;
    let turn = |world: &mut World, speed: f64, steps: usize| -> Fallible<f64> {
        world.edit_joint(on_a, |def| *def.axis_mut(0) = Axis::driven(Motor::at(speed)))?;
        for _ in 0..steps {
            world.step(1.0 / 60.0)?;
        }
        Ok(world[b].rotation())
    };
    let forward = turn(&mut world, 1.0, 60)?;
    let reversed = turn(&mut world, -1.0, 9)?;
    let back = turn(&mut world, -1.0, 51)?;
    Ok(Scene::new(world, "backlash: gears with 0.2 rad of play")
        // Half of the play was used up.
        .figure("B after 1 rad of A", forward, -0.9, 5e-3, "rad")
        .figure("0.15 rad back: B stands", reversed, -0.9, 5e-3, "rad")
        .figure("1 rad back", back, -0.9 + 0.8, 2e-2, "rad"))
}
