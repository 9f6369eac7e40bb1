//! Pendulums: rods that are released horizontal, and a weight on a spring.
//!
//! A rod's rotation is from the x axis: the angle from hanging is θ = rotation + π/2.

use crate::error::Error;
use crate::scene::{Scene, disc, rod};
use kempe2d::{JointDef, Softness, Vec2};

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

/// Two such rods in a row, released horizontal: chaos after a few seconds.
///
/// Bodies: `first`, `second`. Joints: `pin`, `elbow`.
///
/// # Errors
/// None but what the world refuses.
pub fn double_pendulum() -> Result<Scene, Error> {
    let mut scene = Scene::awake("double_pendulum")?;
    let ground = scene.world.ground()?;
    let first = scene.add_body("first", &rod(Vec2::ZERO, Vec2::X, 1.0))?;
    let second = scene.add_body("second", &rod(Vec2::X, Vec2::new(2.0, 0.0), 1.0))?;
    scene.pin("pin", ground, first, Vec2::ZERO)?;
    scene.pin("elbow", first, second, Vec2::X)?;
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
    let mut scene = Scene::awake("spring_pendulum")?;
    let ground = scene.world.ground()?;
    let at = Vec2::from_angle(-std::f64::consts::FRAC_PI_6) * 1.2;
    let weight = scene.add_body("weight", &disc(at, 0.1, 1.0))?;
    let softness = Softness::Stiffness { stiffness: 40.0, damping: 0.0 };
    let spring = JointDef::spring(ground, weight, [Vec2::ZERO; 2], 1.0, softness);
    scene.add_joint("spring", &spring)?;
    Ok(scene)
}
