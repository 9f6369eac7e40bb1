//! Atwood's machines beside the plain one: with a wheel that has a mass, with a wheel that hangs, and a
//! tackle.

use crate::error::Error;
use crate::scene::{Scene, disc};
use kempe2d::{BodyDef, BodyId, JointDef, JointId, Mass, MassProperties, Term, Vec2};

/// A weight on a vertical rail through a point; its coordinate rises upwards.
fn hung(scene: &mut Scene, name: &str, x: f64, mass: f64) -> Result<(BodyId, JointId), Error> {
    let ground = scene.world.ground()?;
    let at = Vec2::new(x, -8.0);
    let weight = scene.add_body(name, &disc(at, 0.2, mass))?;
    let rail = JointDef::prismatic(ground, weight, [at, Vec2::ZERO], Vec2::Y);
    let rail = scene.add_joint(&format!("{name} rail"), &rail)?;
    Ok((weight, rail))
}

/// Two weights on a rope over a wheel of 0.5 m and this inertia, kg·m², which turns with the rope.
///
/// The first falls with a = g (m₁ − m₂) / (m₁ + m₂ + I/R²).
///
/// Bodies: `first`, `second`, `wheel`. Joints: `axle`, `first rope`, `second rope`, and a rail for each
/// weight.
///
/// # Errors
/// If a number is not positive.
pub fn heavy_pulley(masses: [f64; 2], inertia: f64) -> Result<Scene, Error> {
    const RADIUS: f64 = 0.5;
    let mut scene = Scene::awake("heavy_pulley")?;
    let ground = scene.world.ground()?;
    let (_, first) = hung(&mut scene, "first", -RADIUS, masses[0])?;
    let (_, second) = hung(&mut scene, "second", RADIUS, masses[1])?;
    let mass = Mass::Given(MassProperties { mass: 1.0, center: Vec2::ZERO, inertia });
    let wheel = BodyDef { mass, ..disc(Vec2::ZERO, RADIUS, 1.0) };
    let wheel = scene.add_body("wheel", &wheel)?;
    let axle = scene.pin("axle", ground, wheel, Vec2::ZERO)?;
    // As the wheel turns to the left, the first weight goes down and the second up.
    scene.add_joint("first rope", &JointDef::rack_and_pinion(first, axle, -RADIUS))?;
    scene.add_joint("second rope", &JointDef::rack_and_pinion(second, axle, RADIUS))?;
    Ok(scene)
}

/// A weight on one side of a fixed wheel; on the other hangs a wheel without mass, over which two
/// more weights hang.
///
/// The first rises with a = g (μ − m₁) / (μ + m₁), μ = 4 m₂ m₃ / (m₂ + m₃).
///
/// Bodies: `first`, `second`, `third`. Joints: `ropes`, and a rail for each weight.
///
/// # Errors
/// If a mass is not positive.
pub fn double_atwood([m1, m2, m3]: [f64; 3]) -> Result<Scene, Error> {
    let mut scene = Scene::awake("double_atwood")?;
    let (_, first) = hung(&mut scene, "first", -1.0, m1)?;
    let (_, second) = hung(&mut scene, "second", 0.5, m2)?;
    let (_, third) = hung(&mut scene, "third", 1.5, m3)?;
    // The wheel that hangs is as high as the two are on average, and as low as the first is high.
    let terms = vec![Term::new(first, 0, 2.0), Term::new(second, 0, 1.0), Term::new(third, 0, 1.0)];
    scene.add_joint("ropes", &JointDef::coupling(terms, 0.0))?;
    Ok(scene)
}

/// A load that hangs in an even number of strands of one rope, whose other end goes over a wheel to a
/// counterweight.
///
/// The load rises with a = g (n m − M) / (M + n² m).
///
/// Bodies: `load`, `counterweight`. Joints: `rope`.
///
/// # Errors
/// If a mass is not positive.
pub fn tackle(strands: usize, load: f64, counterweight: f64) -> Result<Scene, Error> {
    const DOWN: f64 = 8.0;
    let mut scene = Scene::awake("tackle")?;
    let ground = scene.world.ground()?;
    let load = scene.add_body("load", &disc(Vec2::new(0.0, -DOWN), 0.2, load))?;
    let over = Vec2::new(1.0, 0.0);
    let weight = disc(over - Vec2::new(0.0, DOWN), 0.2, counterweight);
    let weight = scene.add_body("counterweight", &weight)?;
    // Up and down between the ceiling and the load, over to the other wheel, and down.
    let mut points = vec![(ground, Vec2::ZERO)];
    for _ in 0..strands / 2 {
        points.extend([(load, Vec2::ZERO), (ground, Vec2::ZERO)]);
    }
    points.extend([(ground, over), (weight, Vec2::ZERO)]);
    let mut ratios = vec![1.0; points.len() - 1];
    let last = ratios.len();
    ratios[last - 2] = 0.0;
    let length = DOWN * (2 * (strands / 2) + 1) as f64;
    scene.add_joint("rope", &JointDef::tendon(&points, length).with_ratios(&ratios))?;
    Ok(scene)
}
