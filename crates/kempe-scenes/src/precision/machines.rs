//! Machines whose motion is known in closed form.

use super::{ALPHA, Figure, THETA, larger, run};
use crate::error::Error;
use crate::{
    Atwood, GearTrain, atwood, double_atwood, friction_stop, gear_train, heavy_pulley, tackle,
};
use kempe2d::Method;

const STEP: f64 = 1.0 / 240.0;

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for method in [THETA, ALPHA] {
        figures.push(measure_gears(method)?);
        figures.extend(measure_friction(method)?);
    }
    figures.extend(measure_atwood(THETA)?);
    Ok(figures)
}

/// 17 teeth drive 40 for 100 s at 10 turns a second, 5 N·m.
fn measure_gears(method: Method) -> Result<Figure, Error> {
    let mut scene = gear_train(GearTrain::default())?;
    let mesh = scene.joints["mesh"];
    let mut off = 0.0;
    let ran = run(&mut scene, method, 100.0, 1.0 / 60.0, |world| {
        off = larger(off, world.joint_coordinate(mesh, 0).map_or(f64::NAN, f64::abs));
    })?;
    Ok(ran.figure("gears 17:40, drift in 1000 turns", off, "rad", 1e-10, 1e-11))
}

/// Speeds after 1 s from rest, as parts of what they should be.
fn measure_atwood(method: Method) -> Result<Vec<Figure>, Error> {
    let ratio = Atwood { masses: [1.0, 1.5], ratio: 2.0 };
    let plain = Atwood { masses: [2.0, 1.0], ratio: 1.0 };
    let problems = [
        ("Atwood 2:1", atwood(plain)?, "first", -plain.acceleration()),
        ("Atwood, ratio 2", atwood(ratio)?, "first", -ratio.acceleration()),
        ("Atwood, wheel with a mass", heavy_pulley([2.0, 1.0], 0.125)?, "first", -9.81 / 3.5),
        ("Atwood, double", double_atwood([4.0, 1.0, 2.0])?, "first", -9.81 * 0.2),
        ("tackle of 4", tackle(4, 3.0, 1.0)?, "load", 9.81 / 19.0),
    ];
    let mut figures = Vec::new();
    for (name, mut scene, body, exact) in problems {
        let ran = run(&mut scene, method, 1.0, STEP, |_| ())?;
        let speed = scene.world[scene.bodies[body]].velocity().y;
        let name = format!("{name}, acceleration");
        figures.push(ran.figure(&name, speed / exact - 1.0, "", 1e-12, 1e-13));
    }
    Ok(figures)
}

/// How far something slides, as a part of v² / (2 g (μ cos α ± sin α)).
fn measure_friction(method: Method) -> Result<Vec<Figure>, Error> {
    let problems =
        [("flat", 5.0, 0.5, 0.0_f64), ("down 20°", -3.0, 0.5, 20.0), ("up 20°", 3.0, 0.5, 20.0)];
    let mut figures = Vec::new();
    for (name, speed, friction, degrees) in problems {
        let slope = degrees.to_radians();
        let mut scene = friction_stop(speed, friction, slope)?;
        let ran = run(&mut scene, method, 4.0, 1.0 / 60.0, |_| ())?;
        let slows = friction * slope.cos() + slope.sin() * f64::signum(speed);
        let exact = speed * speed / (2.0 * 9.81 * slows);
        let far = scene.world[scene.bodies["slider"]].position().length();
        let name = format!("friction, {name}, stop");
        figures.push(ran.figure(&name, far / exact - 1.0, "", 1e-6, 1e-9));
    }
    Ok(figures)
}
