//! Planetary gear: Willis' equation between sun, ring and carrier, z_s q_s + z_r q_r = (z_s + z_r) q_c.
//!
//! The sun is driven and the ring held. The planets follow from the sun as seen from the carrier.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, BodyId, JointDef, JointId, JointKind, Motor, Settings, Shape};
use kempe2d::{Vec2, World};

fn wheel(world: &mut World, on: BodyId, at: Vec2, r: f64) -> Fallible<(BodyId, JointId)> {
    let shapes = vec![(Shape::circle(r), 10.0)];
    let wheel = world.add_body(&BodyDef { position: at, shapes, ..BodyDef::dynamic() })?;
    let pin = world.revolute_at(on, wheel, at)?;
    Ok((wheel, world.add_joint(&pin)?))
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() })?;
    let ground = world.ground()?;
    // 24 teeth on 0.4 m, 18 on 0.3 m, 60 on 1 m.
    let (_, on_ring) = wheel(&mut world, ground, Vec2::ZERO, 1.0)?;
    let (carrier, on_carrier) = wheel(&mut world, ground, Vec2::ZERO, 0.15)?;
    let (sun, on_sun) = wheel(&mut world, ground, Vec2::ZERO, 0.4)?;
    world.edit_joint(on_ring, |def| *def.axis_mut(0) = Axis::held(0.0))?;
    world.edit_joint(on_sun, |def| *def.axis_mut(0) = Axis::driven(Motor::at(7.0)))?;
    let willis = JointDef::planetary([on_sun, on_ring, on_carrier], 24.0, 60.0);
    world.add_joint(&willis)?;
    // An angle with nothing on it: only to be counted.
    let seen = JointKind::Angle { ratio: 1.0, angle: 0.0 };
    let sun_seen = world.add_joint(&JointDef::new(seen, carrier, sun))?;
    let mut planets = Vec::new();
    for k in 0..3 {
        let at = Vec2::from_angle(f64::from(k) * std::f64::consts::TAU / 3.0) * 0.7;
        let (planet, on_planet) = wheel(&mut world, carrier, at, 0.3)?;
        world.add_joint(&JointDef::gears(sun_seen, on_planet, 24.0, 18.0))?;
        planets.push(planet);
    }
    for _ in 0..100 {
        world.step(1.0 / 60.0)?;
    }
    let (slow, planet) = (world[carrier].angular_velocity(), world[planets[0]].angular_velocity());
    Ok(Scene::new(world, "planetary: sun 7 rad/s, ring held")
        .figure("the carrier", slow, 7.0 * 24.0 / 84.0, 5e-3, "rad/s")
        // As seen from the carrier it is −(7 − 2) 24/18.
        .figure("a planet", planet, 2.0 - 5.0 * 24.0 / 18.0, 1e-2, "rad/s"))
}
