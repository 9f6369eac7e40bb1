//! What slides on a rail: friction that stops it or drags it, a stop that throws it back, a blow.

use crate::error::Error;
use crate::scene::{Scene, disc};
use kempe2d::{Axis, BodyDef, JointDef, Limit, Softness, Spring, Vec2};

/// 2 kg that slide at this speed along a rail that rises by `slope` rad, against dry friction of
/// μ m g cos α.
///
/// Bodies: `slider`. Joints: `rail`.
///
/// # Errors
/// If a number is not finite.
pub fn friction_stop(speed: f64, friction: f64, slope: f64) -> Result<Scene, Error> {
    const MASS: f64 = 2.0;
    let mut scene = Scene::awake("friction_stop")?;
    let ground = scene.world.ground()?;
    let along = Vec2::from_angle(slope);
    let slider = BodyDef { velocity: along * speed, ..disc(Vec2::ZERO, 0.1, MASS) };
    let slider = scene.add_body("slider", &slider)?;
    let mut rail = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], along);
    rail.axis_mut(0).friction = Some(friction * MASS * 9.81 * along.x);
    scene.add_joint("rail", &rail)?;
    Ok(scene)
}

/// 1 kg on a spring of 10 N/m that a belt drags along at 0.1 m/s by a friction of 0.4. It sticks until
/// x = μ m g / k and slips from there, until it has the speed of the belt again.
///
/// Bodies: `block`, `belt`. Joints: `rail`, `belt`.
///
/// # Errors
/// None but what the world refuses.
pub fn stick_slip() -> Result<Scene, Error> {
    let mut scene = Scene::awake("stick_slip")?;
    let ground = scene.world.ground()?;
    let velocity = Vec2::new(0.1, 0.0);
    let belt = scene.add_body("belt", &BodyDef { velocity, ..BodyDef::kinematic() })?;
    let block = BodyDef { velocity, ..disc(Vec2::ZERO, 0.1, 1.0) };
    let block = scene.add_body("block", &block)?;
    let mut rail = JointDef::prismatic(ground, block, [Vec2::ZERO; 2], Vec2::X);
    let softness = Softness::Stiffness { stiffness: 10.0, damping: 0.0 };
    rail.axis_mut(0).spring = Some(Spring::new(0.0, softness));
    scene.add_joint("rail", &rail)?;
    // Of the travel alone: the rail has the rest.
    let friction = Axis { friction: Some(0.4 * 9.81), ..Axis::default() };
    let axes = [friction, Axis::default(), Axis::default()];
    let drag = JointDef::generic(belt, block, [Vec2::ZERO; 2], axes);
    scene.add_joint("belt", &drag)?;
    Ok(scene)
}

/// 1 kg that falls from this height on a stop that gives this part of its speed back.
///
/// Bodies: `ball`. Joints: `rail`.
///
/// # Errors
/// If a number is not finite.
pub fn bounce(height: f64, restitution: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("bounce")?;
    let ground = scene.world.ground()?;
    let ball = scene.add_body("ball", &disc(Vec2::new(0.0, height), 0.1, 1.0))?;
    let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::Y);
    rail.axis_mut(0).limit = Some(Limit { restitution, ..Limit::new(0.0, f64::INFINITY) });
    scene.add_joint("rail", &rail)?;
    Ok(scene)
}

/// Two sliders on one rail, 1 m apart: the first goes at this speed towards the second, which stands.
///
/// Bodies: `first`, `second`. Joints: `rail`, on which the first is, and `buffer`, between both.
///
/// # Errors
/// If a mass is not positive.
pub fn blow(masses: [f64; 2], speed: f64, restitution: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("blow")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let first = BodyDef { velocity: Vec2::new(speed, 0.0), ..disc(Vec2::ZERO, 0.1, masses[0]) };
    let first = scene.add_body("first", &first)?;
    let second = scene.add_body("second", &disc(Vec2::X, 0.1, masses[1]))?;
    let rail = JointDef::prismatic(ground, first, [Vec2::ZERO; 2], Vec2::X);
    scene.add_joint("rail", &rail)?;
    let mut buffer = JointDef::prismatic(first, second, [Vec2::ZERO; 2], Vec2::X);
    buffer.axis_mut(0).limit = Some(Limit { restitution, ..Limit::new(0.0, f64::INFINITY) });
    scene.add_joint("buffer", &buffer)?;
    Ok(scene)
}
