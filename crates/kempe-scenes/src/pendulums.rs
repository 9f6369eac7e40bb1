//! Pendulums: rods, weights on rods, and a weight on a spring.
//!
//! A rod's rotation is from the x axis: the angle from hanging is θ = rotation + π/2.

use crate::error::Error;
use crate::scene::{Scene, disc, link, rod};
use kempe2d::{JointDef, MassProperties, Softness, Vec2};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

/// A thin uniform rod of 1 m and 1 kg, pinned at one end and released horizontal.
///
/// Bodies: `rod`. Joints: `pin`.
///
/// # Errors
/// None but what the world refuses.
pub fn pendulum() -> Result<Scene, Error> {
    let mut scene = Scene::awake("pendulum")?;
    let ground = scene.world.ground()?;
    let rod = scene.add_body("rod", &rod(Vec2::ZERO, Vec2::X, 1.0))?;
    scene.pin("pin", ground, rod, Vec2::ZERO)?;
    Ok(scene)
}

/// A bar of 1 m, 1 kg and some width, pinned in the middle of an end and released at `amplitude` rad from
/// hanging.
///
/// Bodies: `bar`. Joints: `pin`.
///
/// # Errors
/// If a number is not finite.
pub fn compound_pendulum(width: f64, amplitude: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("compound_pendulum")?;
    let ground = scene.world.ground()?;
    let inertia = (1.0 + width * width) / 12.0;
    let mass = MassProperties { mass: 1.0, center: Vec2::ZERO, inertia };
    let bar = scene.add_body("bar", &link(Vec2::ZERO, hanging(amplitude), mass))?;
    scene.pin("pin", ground, bar, Vec2::ZERO)?;
    Ok(scene)
}

/// A weight of 1 kg on a massless rod of 1 m, released at (−1, 0): problem A01 of the IFToMM library.
///
/// Bodies: `weight`. Joints: `rod`.
///
/// # Errors
/// None but what the world refuses.
pub fn simple_pendulum() -> Result<Scene, Error> {
    let mut scene = Scene::awake("simple_pendulum")?;
    let ground = scene.world.ground()?;
    let weight = scene.add_body("weight", &disc(-Vec2::X, 0.1, 1.0))?;
    scene.add_joint("rod", &JointDef::rod(ground, weight, [Vec2::ZERO; 2], 1.0))?;
    Ok(scene)
}

/// Two such rods in a row, released horizontal: chaos after a few seconds.
///
/// Bodies: `first`, `second`. Joints: `pin`, `elbow`.
///
/// # Errors
/// None but what the world refuses.
pub fn double_pendulum() -> Result<Scene, Error> {
    double_pendulum_from([FRAC_PI_2; 2])
}

/// The same, released at these angles from hanging, rad.
///
/// # Errors
/// If an angle is not finite.
pub fn double_pendulum_from(angles: [f64; 2]) -> Result<Scene, Error> {
    let mut scene = Scene::awake("double_pendulum")?;
    let ground = scene.world.ground()?;
    let elbow = hanging(angles[0]);
    let end = elbow + hanging(angles[1]);
    let first = scene.add_body("first", &rod(Vec2::ZERO, elbow, 1.0))?;
    let second = scene.add_body("second", &rod(elbow, end, 1.0))?;
    scene.pin("pin", ground, first, Vec2::ZERO)?;
    scene.pin("elbow", first, second, elbow)?;
    Ok(scene)
}

/// Two weights of 1 kg on massless rods of 1 m in a row, released at these angles from hanging, rad.
///
/// Bodies: `first`, `second`. Joints: `upper rod`, `lower rod`.
///
/// # Errors
/// If an angle is not finite.
pub fn double_weights(angles: [f64; 2]) -> Result<Scene, Error> {
    let mut scene = Scene::awake("double_weights")?;
    let ground = scene.world.ground()?;
    let at = hanging(angles[0]);
    let first = scene.add_body("first", &disc(at, 0.1, 1.0))?;
    let second = scene.add_body("second", &disc(at + hanging(angles[1]), 0.1, 1.0))?;
    scene.add_joint("upper rod", &JointDef::rod(ground, first, [Vec2::ZERO; 2], 1.0))?;
    scene.add_joint("lower rod", &JointDef::rod(first, second, [Vec2::ZERO; 2], 1.0))?;
    Ok(scene)
}

/// A weight of 1 kg on a spring of 1 m and 40 N/m without damping, drawn out by 0.2 m at 60° from
/// hanging.
///
/// Bodies: `weight`. Joints: `spring`.
///
/// # Errors
/// None but what the world refuses.
pub fn spring_pendulum() -> Result<Scene, Error> {
    sprung("spring_pendulum", 40.0, hanging(FRAC_PI_3) * 1.2)
}

/// The same with 10 000 N/m, released horizontal and not drawn out.
///
/// # Errors
/// None but what the world refuses.
pub fn spring_pendulum_stiff() -> Result<Scene, Error> {
    sprung("spring_pendulum_stiff", 1e4, hanging(FRAC_PI_2))
}

fn sprung(name: &'static str, stiffness: f64, at: Vec2) -> Result<Scene, Error> {
    let mut scene = Scene::awake(name)?;
    let ground = scene.world.ground()?;
    let weight = scene.add_body("weight", &disc(at, 0.1, 1.0))?;
    let softness = Softness::Stiffness { stiffness, damping: 0.0 };
    let spring = JointDef::spring(ground, weight, [Vec2::ZERO; 2], 1.0, softness);
    scene.add_joint("spring", &spring)?;
    Ok(scene)
}

/// 1 m at this angle from hanging; horizontal without rounding.
fn hanging(angle: f64) -> Vec2 {
    if angle == FRAC_PI_2 { Vec2::X } else { Vec2::from_angle(angle - FRAC_PI_2) }
}
