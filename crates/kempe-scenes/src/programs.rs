//! Scenes with joints from text: programs of the gallery.

use crate::error::Error;
use crate::scene::{Scene, disc, plank, rod};
use kempe2d::equation::{Program, gallery as collection};
use kempe2d::{Axis, BodyDef, JointDef, Mass, MassProperties, Motor, TextJoint, Vec2};
use std::f64::consts::PI;

/// A program of the gallery by its name.
pub(crate) fn gallery(name: &str) -> Result<Program, Error> {
    let refuse = |reason: Vec<String>| kempe2d::Error::Program { reason };
    let missing = || refuse(vec![format!("there is no program `{name}` in the gallery")]);
    let example = collection::find(name).ok_or_else(missing)?;
    let program = Program::parse(example.source).map_err(|errors| {
        refuse(errors.diagnostics().iter().map(|error| error.message.clone()).collect())
    })?;
    Ok(program)
}

/// A bead of 1 kg on the wire y = x²/2, released 0.5 m above its lowest point.
///
/// Bodies: `bead`. Joints: `wire`.
///
/// # Errors
/// None but what the world refuses.
pub fn bead_on_parabola() -> Result<Scene, Error> {
    let mut scene = Scene::awake("bead_on_parabola")?;
    let ground = scene.world.ground()?;
    let bead = scene.add_body("bead", &disc(Vec2::new(1.0, 0.5), 0.05, 1.0))?;
    let wire = TextJoint::new(&gallery("bead_on_parabola")?).with("curvature", 0.5)?;
    scene.add_joint("wire", &wire.joint(&[("wire", ground), ("bead", bead)])?)?;
    Ok(scene)
}

/// The coupler of Watt's linkage, whose middle falls and rises on a line that is nearly straight.
/// The rockers are in the equations, without a mass of their own.
///
/// Bodies: `coupler`. Joints: `rockers`.
///
/// # Errors
/// None but what the world refuses.
pub fn watt() -> Result<Scene, Error> {
    let mut scene = Scene::awake("watt")?;
    let ground = scene.world.ground()?;
    // Both rockers are level; the coupler stands on its head, as the program has its ends.
    let coupler = BodyDef {
        position: Vec2::new(0.0, 0.2),
        rotation: PI,
        velocity: Vec2::ZERO,
        ..rod(Vec2::ZERO, Vec2::new(0.4, 0.0), 1.0)
    };
    let coupler = scene.add_body("coupler", &coupler)?;
    let rockers = TextJoint::new(&gallery("watt_coupler")?);
    let rockers = rockers.joint(&[("frame", ground), ("coupler", coupler)])?;
    scene.add_joint("rockers", &rockers)?;
    Ok(scene)
}

/// A cam with two lobes turns once in two seconds; a follower of 2 kg in a guide rests on it.
///
/// Bodies: `cam`, `follower`. Joints: `shaft`, `guide`, `contact`.
///
/// # Errors
/// None but what the world refuses.
pub fn cam() -> Result<Scene, Error> {
    let mut scene = Scene::new("cam");
    let ground = scene.world.ground()?;
    let cam = scene.add_body("cam", &disc(Vec2::ZERO, 0.3, 10.0))?;
    // Straight above the cam, where the radius is what it is on average.
    let block = plank(Vec2::new(0.0, 0.3), Vec2::new(0.05, 0.05));
    let follower = BodyDef { mass: Mass::Total(2.0), ..block };
    let follower = scene.add_body("follower", &follower)?;
    let shaft = JointDef::revolute(ground, cam, [Vec2::ZERO; 2]);
    let shaft = shaft.with_axis(Axis::driven(Motor::at(PI)));
    scene.add_joint("shaft", &shaft)?;
    let guide = JointDef::prismatic(ground, follower, [Vec2::ZERO; 2], Vec2::Y);
    scene.add_joint("guide", &guide)?;
    let contact = TextJoint::new(&gallery("cam")?);
    let bodies = [("frame", ground), ("cam", cam), ("follower", follower)];
    scene.add_joint("contact", &contact.joint(&bodies)?)?;
    Ok(scene)
}

/// A disc of 1 kg and 0.5 m rolls without slipping down a track, which slopes by `slope` rad.
///
/// Bodies: `track`, `disc`. Joints: `roll`.
///
/// # Errors
/// If the slope is not finite.
pub fn rolling_disc(slope: f64) -> Result<Scene, Error> {
    rolling(slope, 0.5)
}

/// The same with an inertia of k m r²: ½ for a disc, 1 for a ring, 0.4 for a ball. It gains
/// g sin α / (1 + k).
///
/// # Errors
/// If a number is not positive.
pub fn rolling(slope: f64, k: f64) -> Result<Scene, Error> {
    const RADIUS: f64 = 0.5;
    let mut scene = Scene::awake("rolling_disc")?;
    let track = BodyDef { rotation: -slope, ..BodyDef::fixed() };
    let track = scene.add_body("track", &track)?;
    let center = Vec2::from_angle(-slope).perp() * RADIUS;
    let mass = MassProperties { mass: 1.0, center: Vec2::ZERO, inertia: k * RADIUS * RADIUS };
    let disc = BodyDef { mass: Mass::Given(mass), ..disc(center, RADIUS, 1.0) };
    let disc = scene.add_body("disc", &disc)?;
    let roll = TextJoint::new(&gallery("rolling_disc")?).with("radius", RADIUS)?;
    scene.add_joint("roll", &roll.joint(&[("track", track), ("disc", disc)])?)?;
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::{bead_on_parabola, cam};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn the_follower_stays_on_the_cam() {
        let mut scene = cam().unwrap();
        let [cam, follower] = ["cam", "follower"].map(|name| scene.bodies[name]);
        for _ in 0..240 {
            scene.world.step(1.0 / 60.0).unwrap();
            // Straight above the shaft, the cam's own angle goes backwards.
            let angle = FRAC_PI_2 - scene.world[cam].rotation();
            let radius = 0.3 + 0.1 * (2.0 * angle).sin();
            let height = scene.world[follower].position().y;
            assert!((height - radius).abs() < 1e-3, "{height}, not {radius}");
        }
        assert!((scene.world[cam].rotation() - 4.0 * std::f64::consts::PI).abs() < 0.01);
    }

    #[test]
    fn the_bead_comes_back() {
        let mut scene = bead_on_parabola().unwrap();
        let bead = scene.bodies["bead"];
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..600 {
            scene.world.step(1.0 / 60.0).unwrap();
            let at = scene.world[bead].position();
            assert!((at.y - 0.5 * at.x * at.x).abs() < 1e-3);
            (least, most) = (least.min(at.x), most.max(at.x));
        }
        assert!(least < -0.98 && most > 0.98 && most < 1.01, "{least} {most}");
    }
}
