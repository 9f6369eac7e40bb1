//! Machines: gears, pulleys, a winch and a ratchet.

use crate::error::Error;
use crate::scene::{Scene, disc, plank};
use kempe2d::{
    Axis, BodyDef, BodyId, ForceRange, JointDef, Mass, MassProperties, Motor, Shape, Softness,
    Target, Vec2,
};
use std::f64::consts::TAU;

/// The pitch radius of a gear of module 10 mm.
fn pitch_radius(teeth: u32) -> f64 {
    0.005 * f64::from(teeth)
}

/// A steel wheel of 20 mm, 157 kg/m².
fn gear(center: Vec2, teeth: u32) -> BodyDef {
    let shapes = vec![(Shape::circle(pitch_radius(teeth)), 157.0)];
    BodyDef { position: center, shapes, ..BodyDef::dynamic() }
}

/// θ_A teeth_A + θ_B teeth_B = 0, in radians of A.
fn mesh(a: BodyId, b: BodyId, [teeth_a, teeth_b]: [u32; 2]) -> JointDef {
    JointDef::gear(a, b, -f64::from(teeth_b) / f64::from(teeth_a), 0.0)
}

/// Two gears on one frame, of a module of 10 mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearTrain {
    /// Of the pinion and of the wheel.
    pub teeth: [u32; 2],
    /// Of the pinion and of the wheel, with what is on their shafts, kg·m²; those of steel discs of
    /// 20 mm if there are none.
    pub inertias: Option<[f64; 2]>,
    /// At which a motor turns the pinion, rad/s.
    pub speed: f64,
    /// The torque that the motor works against, at the pinion's shaft, N·m.
    pub torque: f64,
}

impl Default for GearTrain {
    /// 17 teeth drive 40 at ten turns a second, against 5 N·m.
    fn default() -> Self {
        Self { teeth: [17, 40], inertias: Some([0.5, 2.0]), speed: 10.0 * TAU, torque: 5.0 }
    }
}

/// Two gears that run from the start, one of them driven and the other with a load.
///
/// Bodies: `pinion`, `wheel`. Joints: `pinion shaft`, with the motor; `wheel shaft`, with the load;
/// `mesh`, whose coordinate is how far the pinion is from where the wheel says, rad.
///
/// # Errors
/// If there are no teeth, or a number is not finite.
pub fn gear_train(train: GearTrain) -> Result<Scene, Error> {
    let GearTrain { teeth, inertias, speed, torque } = train;
    let mut scene = Scene::awake("gear_train")?;
    let ground = scene.world.ground()?;
    let ratio = f64::from(teeth[1]) / f64::from(teeth[0]);
    let apart = Vec2::new(pitch_radius(teeth[0]) + pitch_radius(teeth[1]), 0.0);
    let mut pinion = BodyDef { angular_velocity: speed, ..gear(Vec2::ZERO, teeth[0]) };
    let mut wheel = BodyDef { angular_velocity: -speed / ratio, ..gear(apart, teeth[1]) };
    if let Some(inertias) = inertias {
        for (gear, inertia) in [&mut pinion, &mut wheel].into_iter().zip(inertias) {
            let properties = MassProperties::of_shapes(&gear.shapes)?;
            gear.mass = Mass::Given(MassProperties { inertia, ..properties });
        }
    }
    let pinion = scene.add_body("pinion", &pinion)?;
    let wheel = scene.add_body("wheel", &wheel)?;
    let shaft = scene.world.revolute_at(ground, pinion, Vec2::ZERO)?;
    scene.add_joint("pinion shaft", &shaft.with_axis(Axis::driven(Motor::at(speed))))?;
    // Against the motion, which for the wheel is the other way round.
    let load = Motor::Force { force: (torque * ratio * speed.signum()).into() };
    let shaft = scene.world.revolute_at(ground, wheel, apart)?;
    scene.add_joint("wheel shaft", &shaft.with_axis(Axis::driven(load)))?;
    scene.add_joint("mesh", &mesh(pinion, wheel, teeth))?;
    Ok(scene)
}

/// A wheel of 40 teeth whose mass is off its axis falls and turns a pinion of 17: a pendulum with
/// gears.
///
/// Bodies: `pinion`, `wheel`. Joints: `pinion shaft`, `wheel shaft`, `mesh`.
///
/// # Errors
/// None but what the world refuses.
pub fn geared_pendulum() -> Result<Scene, Error> {
    const TEETH: [u32; 2] = [17, 40];
    let mut scene = Scene::awake("geared_pendulum")?;
    let ground = scene.world.ground()?;
    let apart = Vec2::new(-pitch_radius(TEETH[0]) - pitch_radius(TEETH[1]), 0.0);
    let pinion = scene.add_body("pinion", &gear(apart, TEETH[0]))?;
    let uneven = MassProperties { mass: 20.0, center: Vec2::new(0.1, 0.0), inertia: 0.3 };
    let wheel = BodyDef { mass: Mass::Given(uneven), ..gear(Vec2::ZERO, TEETH[1]) };
    let wheel = scene.add_body("wheel", &wheel)?;
    scene.pin("pinion shaft", ground, pinion, apart)?;
    scene.pin("wheel shaft", ground, wheel, Vec2::ZERO)?;
    scene.add_joint("mesh", &mesh(pinion, wheel, TEETH))?;
    Ok(scene)
}

/// Two weights on a rope over two wheels, that is held: l₁ + ratio · l₂ stays what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atwood {
    /// kg.
    pub masses: [f64; 2],
    /// ρ.
    pub ratio: f64,
}

impl Atwood {
    /// How fast the first weight falls ever faster, m/s²:
    /// a = g (m₁ − m₂/ρ) / (m₁ + m₂/ρ²).
    pub fn acceleration(self) -> f64 {
        let Self { masses: [m1, m2], ratio } = self;
        9.81 * (m1 - m2 / ratio) / (m1 + m2 / (ratio * ratio))
    }
}

/// Atwood's machine, at rest at first, with ropes of 8 m.
///
/// Bodies: `first`, `second`. Joints: `rope`, whose coordinate is its length, 8 m · (1 + ratio).
///
/// # Errors
/// If a mass or the ratio is not positive.
pub fn atwood(machine: Atwood) -> Result<Scene, Error> {
    const DOWN: f64 = 8.0;
    let Atwood { masses: [m1, m2], ratio } = machine;
    let mut scene = Scene::awake("atwood")?;
    let ground = scene.world.ground()?;
    let wheels = [Vec2::new(-0.5, 0.0), Vec2::new(0.5, 0.0)];
    let [left, right] = wheels.map(|wheel| wheel - Vec2::new(0.0, DOWN));
    let first = scene.add_body("first", &disc(left, 0.2, m1))?;
    let second = scene.add_body("second", &disc(right, 0.2, m2))?;
    let bodies = [ground, first, ground, second];
    let anchors = [wheels[0], Vec2::ZERO, wheels[1], Vec2::ZERO];
    let rope = JointDef::stiff_pulley(bodies, anchors, ratio, DOWN * (1.0 + ratio));
    scene.add_joint("rope", &rope)?;
    Ok(scene)
}

/// A winch hauls a crate of 100 kg up by 0.5 m/s until 1 m of its rope is left; a ball of 20 kg hangs
/// from the crate on a slack rope and swings.
///
/// Bodies: `crate`, `ball`. Joints: `winch`, `rope`.
///
/// # Errors
/// None but what the world refuses.
pub fn rope_and_winch() -> Result<Scene, Error> {
    let mut scene = Scene::new("rope_and_winch");
    let ground = scene.world.ground()?;
    let half = Vec2::new(0.4, 0.3);
    let load = BodyDef { mass: Mass::Total(100.0), ..plank(Vec2::new(0.0, -4.0), half) };
    let load = scene.add_body("crate", &load)?;
    let ball = scene.add_body("ball", &disc(Vec2::new(0.6, -4.6), 0.12, 20.0))?;
    let top = Vec2::new(0.0, half.y);
    let winch = JointDef::winch(ground, load, [Vec2::ZERO, top], -0.5, 3000.0);
    scene.add_joint("winch", &winch.with_limit(1.0, f64::INFINITY))?;
    let rope = JointDef::rope(load, ball, [-top, Vec2::ZERO], 1.0);
    scene.add_joint("rope", &rope)?;
    Ok(scene)
}

/// A driver that swings by `amplitude` rad either way, once a second, and takes a wheel of so many
/// teeth with it by a pawl; a second pawl, on the frame, keeps the wheel from turning back. Each
/// swing takes the wheel on by as many whole teeth as go into it.
///
/// Bodies: `driver`, `wheel`. Joints: `drive`, `axle`, `pawl`, `stop`.
///
/// # Errors
/// If there are no teeth, or the amplitude is not finite.
pub fn ratchet(teeth: u32, amplitude: f64) -> Result<Scene, Error> {
    let mut scene = Scene::new("ratchet");
    let ground = scene.world.ground()?;
    let tooth = TAU / f64::from(teeth);
    let wheel = BodyDef { can_sleep: false, ..disc(Vec2::ZERO, 0.2, 2.0) };
    let wheel = scene.add_body("wheel", &wheel)?;
    // It starts at its hindmost, with the pawl on a tooth.
    let driver = BodyDef { rotation: -amplitude, ..disc(Vec2::ZERO, 0.1, 0.5) };
    let driver = scene.add_body("driver", &driver)?;
    let motor = Motor::Position {
        target: Target::expression(&format!("{:?} * cos(2 * pi * time)", -amplitude))?,
        softness: Softness::Hertz { hertz: 30.0, damping_ratio: 1.0 },
        force: ForceRange::default(),
    };
    let drive = JointDef::revolute(ground, driver, [Vec2::ZERO; 2]);
    scene.add_joint("drive", &drive.with_axis(Axis::driven(motor)))?;
    // What the pawls drag with holds the wheel between them.
    let mut axle = JointDef::revolute(ground, wheel, [Vec2::ZERO; 2]);
    axle.axis_mut(0).friction = Some(1.0);
    scene.add_joint("axle", &axle)?;
    scene.add_joint("pawl", &JointDef::ratchet(driver, wheel, amplitude, tooth))?;
    scene.add_joint("stop", &JointDef::ratchet(ground, wheel, 0.0, tooth))?;
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::{Atwood, ratchet, rope_and_winch};
    use kempe2d::Vec2;
    use std::f64::consts::FRAC_PI_6;

    #[test]
    fn the_closed_form_of_atwoods_machine() {
        let machine = |masses, ratio| Atwood { masses, ratio }.acceleration();
        assert!((machine([2.0, 1.0], 1.0) - 3.27).abs() < 1e-12);
        assert!((machine([1.0, 1.5], 2.0) - 1.783_636_363_636_363_7).abs() < 1e-12);
        assert!((machine([1.0, 5.0], 3.0) + 4.204_285_714_285_715).abs() < 1e-12);
    }

    #[test]
    fn a_ratchet_takes_whole_teeth() {
        for (teeth, degrees, a_cycle) in [(24, 20.0_f64, FRAC_PI_6), (12, 14.0, 0.0)] {
            let mut scene = ratchet(teeth, degrees.to_radians()).unwrap();
            let wheel = scene.bodies["wheel"];
            let mut before = 0.0;
            for cycle in 0..4 {
                scene.run(1.0, 1.0 / 60.0).unwrap();
                let now = scene.world[wheel].rotation();
                if cycle > 0 {
                    assert!((now - before - a_cycle).abs() < 0.01, "{teeth}: {before} {now}");
                }
                before = now;
            }
        }
    }

    #[test]
    fn the_winch_hauls_the_crate_to_its_stop() {
        let mut scene = rope_and_winch().unwrap();
        let [winch, rope] = ["winch", "rope"].map(|name| scene.joints[name]);
        let load = scene.bodies["crate"];
        let length = |world: &kempe2d::World, joint| world.joint_coordinate(joint, 0).unwrap();
        let start = length(&scene.world, winch);
        scene.run(2.0, 1.0 / 60.0).unwrap();
        assert!((start - 1.0 - length(&scene.world, winch)).abs() < 0.02);
        scene.run(8.0, 1.0 / 60.0).unwrap();
        assert!((length(&scene.world, winch) - 1.0).abs() < 0.02);
        assert!(length(&scene.world, rope) < 1.01);
        assert!(scene.world[load].world_point(Vec2::new(0.0, 0.3)).y > -1.01);
    }
}
