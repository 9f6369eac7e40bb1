//! Gears by themselves, without gravity: what follows what, and what a torque does.

use crate::error::Error;
use crate::scene::{Scene, disc};
use kempe2d::{Axis, BodyDef, BodyId, JointDef, JointId, Mass, MassProperties, Motor, Vec2};

/// A wheel of this inertia about a point.
fn wheel(center: Vec2, inertia: f64) -> BodyDef {
    let mass = Mass::Given(MassProperties { mass: 1.0, center: Vec2::ZERO, inertia });
    BodyDef { mass, ..disc(center, 0.1, 1.0) }
}

fn on_shaft(
    scene: &mut Scene,
    name: &str,
    carrier: BodyId,
    def: &BodyDef,
) -> Result<(BodyId, JointId), Error> {
    let body = scene.add_body(name, def)?;
    let shaft = scene.pin(&format!("{name} shaft"), carrier, body, def.position)?;
    Ok((body, shaft))
}

/// A constant torque on a shaft, N·m.
fn turned_by(torque: f64) -> Axis {
    Axis::driven(Motor::Force { force: torque.into() })
}

/// Two gears at rest and a torque on the first: α₁ = τ / (I₁ + I₂ (z₁/z₂)²).
///
/// Bodies: `first`, `second`. Joints: `mesh` and the shafts.
///
/// # Errors
/// If a number is not positive.
pub fn gear_pair(teeth: [f64; 2], inertias: [f64; 2], torque: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("gear_pair")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let (_, first) = on_shaft(&mut scene, "first", ground, &wheel(Vec2::ZERO, inertias[0]))?;
    let (_, second) = on_shaft(&mut scene, "second", ground, &wheel(Vec2::X, inertias[1]))?;
    scene.world.edit_joint(first, |def| *def = def.clone().with_axis(turned_by(torque)))?;
    scene.add_joint("mesh", &JointDef::gears(first, second, teeth[0], teeth[1]))?;
    Ok(scene)
}

/// Shafts in a row with gears between them: pairs of the teeth of what drives and of what is driven. The
/// first turns at this speed, rad/s.
///
/// Bodies: `0`, `1`, … Joints: `0 shaft`, …, of which the first has the motor, and `0 mesh`, …
///
/// # Errors
/// If a number is not positive.
pub fn compound_gears(pairs: &[[f64; 2]], speed: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("compound_gears")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let (_, mut last) = on_shaft(&mut scene, "0", ground, &wheel(Vec2::ZERO, 0.1))?;
    let motor = Axis::driven(Motor::at(speed));
    scene.world.edit_joint(last, |def| *def = def.clone().with_axis(motor))?;
    for (k, [driver, driven]) in pairs.iter().enumerate() {
        let center = Vec2::new((k + 1) as f64, 0.0);
        let name = (k + 1).to_string();
        let (_, shaft) = on_shaft(&mut scene, &name, ground, &wheel(center, 0.1))?;
        let mesh = JointDef::gears(last, shaft, *driver, *driven);
        scene.add_joint(&format!("{k} mesh"), &mesh)?;
        last = shaft;
    }
    Ok(scene)
}

/// What turns a planetary gear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Planetary {
    /// Motors turn the sun and the ring, rad/s.
    Speeds([f64; 2]),
    /// Torques on the sun, the ring and the carrier, N·m.
    Torques([f64; 3]),
}

/// A planetary gear with one planet: a sun of `teeth[0]`, a planet of `teeth[1]`, and the ring about them.
///
/// z_s ω_s + z_r ω_r = (z_s + z_r) ω_c and ω_p = ω_c − (z_s / z_p) (ω_s − ω_c), z_r = z_s + 2 z_p.
///
/// Bodies: `carrier`, and on it `sun`, `planet`, `ring`. Joints: their shafts, `inner mesh`, `outer mesh`,
/// and `sun drive`, `ring drive`, `carrier drive` against the ground.
///
/// # Errors
/// If a number is not positive.
pub fn planetary(teeth: [f64; 2], drive: Planetary) -> Result<Scene, Error> {
    let mut scene = Scene::awake("planetary")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let (carrier, _) = on_shaft(&mut scene, "carrier", ground, &wheel(Vec2::ZERO, 0.2))?;
    let (sun, on_sun) = on_shaft(&mut scene, "sun", carrier, &wheel(Vec2::ZERO, 0.1))?;
    let (ring, on_ring) = on_shaft(&mut scene, "ring", carrier, &wheel(Vec2::ZERO, 0.4))?;
    let (_, on_planet) = on_shaft(&mut scene, "planet", carrier, &wheel(Vec2::X, 0.05))?;
    let ring_teeth = teeth[0] + 2.0 * teeth[1];
    scene.add_joint("inner mesh", &JointDef::gears(on_sun, on_planet, teeth[0], teeth[1]))?;
    // The teeth of a ring are inside it.
    scene.add_joint("outer mesh", &JointDef::gears(on_ring, on_planet, -ring_teeth, teeth[1]))?;
    let axes: Vec<(&str, BodyId, Axis)> = match drive {
        Planetary::Speeds([of_sun, of_ring]) => vec![
            ("sun drive", sun, Axis::driven(Motor::at(of_sun))),
            ("ring drive", ring, Axis::driven(Motor::at(of_ring))),
        ],
        Planetary::Torques([of_sun, of_ring, of_carrier]) => vec![
            ("sun drive", sun, turned_by(of_sun)),
            ("ring drive", ring, turned_by(of_ring)),
            ("carrier drive", carrier, turned_by(of_carrier)),
        ],
    };
    for (name, body, axis) in axes {
        scene.add_joint(name, &JointDef::gear(ground, body, 1.0, 0.0).with_axis(axis))?;
    }
    Ok(scene)
}

/// A rack that a force pushes, and the pinion that it turns: a = F / (m + I/r²).
///
/// Bodies: `rack`, `pinion`. Joints: `rail`, `shaft`, `mesh`.
///
/// # Errors
/// If a number is not positive.
pub fn rack(mass: f64, inertia: f64, radius: f64, force: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("rack")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let rack = scene.add_body("rack", &disc(Vec2::ZERO, 0.1, mass))?;
    let rail = JointDef::prismatic(ground, rack, [Vec2::ZERO; 2], Vec2::X);
    let rail = scene.add_joint("rail", &rail.with_axis(turned_by(force)))?;
    let (_, shaft) = on_shaft(&mut scene, "pinion", ground, &wheel(Vec2::Y, inertia))?;
    scene.add_joint("mesh", &JointDef::rack_and_pinion(rail, shaft, radius))?;
    Ok(scene)
}
