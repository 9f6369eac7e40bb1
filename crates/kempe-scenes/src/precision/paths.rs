//! Where things are at the end, against solutions that are known to many digits.

use super::{ALPHA, FOURTH, Figure, SIXTH, THETA, larger, run};
use crate::error::Error;
use crate::reference::{Problem, Trajectory};
use crate::{andrews, four_bar, n_four_bar, peaucellier, simple_pendulum, slider_crank};
use kempe2d::{Method, Vec2, World};

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = measure_andrews()?;
    for method in [THETA, FOURTH] {
        figures.push(measure_line(method)?);
    }
    figures.extend(measure_ends()?);
    figures.extend(measure_windows()?);
    Ok(figures)
}

/// The crank after 0.03 s, 15.8 rad: six digits, and nine in as few steps as that takes.
fn measure_andrews() -> Result<Vec<Figure>, Error> {
    let exact = Problem::Andrews.at("beta", 0.03)?;
    let mut figures = Vec::new();
    for (method, steps, digits, must) in [
        (THETA, 3000.0, "six digits", 1.6e-5),
        (ALPHA, 7500.0, "six digits", 1.6e-5),
        (FOURTH, 150.0, "six digits", 1.6e-5),
        (FOURTH, 800.0, "nine digits", 1.6e-8),
        (SIXTH, 240.0, "nine digits", 1.6e-8),
    ] {
        let mut scene = andrews()?;
        let mut ran = run(&mut scene, method, 0.03, 0.03 / steps, |_| ())?;
        let off = scene.world[scene.bodies["k1"]].rotation() - exact;
        // The quickest of three: others may use the machine too.
        for _ in 0..2 {
            let again = run(&mut andrews()?, method, 0.03, 0.03 / steps, |_| ())?;
            ran.seconds = ran.seconds.min(again.seconds);
        }
        let name = format!("Andrews, {digits}");
        figures.push(ran.figure(&name, off, "rad", must, must));
        figures.push(ran.told(&format!("{name}, time"), ran.seconds, "s", 0.1));
    }
    Ok(figures)
}

/// How far P, as the end of either bar, leaves x = 1.05 m.
fn measure_line(method: Method) -> Result<Figure, Error> {
    let mut scene = peaucellier()?;
    let bars = [scene.bodies["ap"], scene.bodies["dp"]];
    let mut away = 0.0;
    let ran = run(&mut scene, method, 4.0, 1.0 / 240.0, |world| {
        for bar in bars {
            let p = world[bar].world_point(Vec2::new(0.2, 0.0));
            away = larger(away, (p.x - 1.05).abs());
        }
    })?;
    Ok(ran.figure("Peaucellier, deviation from the line", away, "m", 1e-12, 1e-14))
}

/// Ends of other runs.
fn measure_ends() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for (method, must, goal) in [(THETA, 3e-3, 3e-3), (FOURTH, 1e-6, 1e-7), (SIXTH, 1e-9, 1e-10)] {
        let mut scene = simple_pendulum()?;
        let ran = run(&mut scene, method, 10.0, 1.0 / 240.0, |_| ())?;
        let at = |column| Problem::SimplePendulum.at(column, 10.0);
        let off = scene.world[scene.bodies["weight"]].position() - Vec2::new(at("x")?, at("y")?);
        figures.push(ran.figure("A01, place after 10 s", off.length(), "m", must, goal));

        let mut scene = four_bar()?;
        let ran = run(&mut scene, method, 5.0, 1.0 / 240.0, |_| ())?;
        let crank = scene.world[scene.bodies["crank"]].rotation();
        let off = crank - Problem::FourBar.at("crank", 5.0)?;
        figures.push(ran.figure("four-bar, crank after 5 s", off, "rad", must, goal));

        let mut scene = slider_crank(150.0)?;
        let ran = run(&mut scene, method, 0.1, 1e-4, |_| ())?;
        let crank = scene.world[scene.bodies["crank"]].rotation();
        let off = crank - Problem::SliderCrank.at("crank", 0.1)?;
        figures.push(ran.figure("slider-crank, crank after 0.1 s", off, "rad", must, goal));
    }
    Ok(figures)
}

/// The measure of the library: by output and component, what is off as a part of what should be, and
/// of all these the root of the mean square.
fn library_error(trajectory: &Trajectory, found: &[[f64; 3]]) -> f64 {
    let mut squares = 0.0;
    let mut count = 0.0;
    for [time, x, y] in found {
        for (column, value) in [("x", x), ("y", y)] {
            if let Some(exact) = trajectory.at(column, *time) {
                let part = (value - exact) / exact.abs().max(1e-3);
                squares += part * part;
                count += 1.0;
            }
        }
    }
    if count > 0.0 { f64::sqrt(squares / count) } else { f64::INFINITY }
}

fn measure_windows() -> Result<Vec<Figure>, Error> {
    let trajectory = Problem::NFourBar.trajectory()?;
    let mut figures = Vec::new();
    for (method, rate) in [(THETA, 240.0), (FOURTH, 240.0), (THETA, 1000.0), (ALPHA, 1000.0)] {
        for windows in [2, 40] {
            let mut scene = n_four_bar(windows)?;
            let crank = scene.bodies["first crank"];
            let mut found = Vec::new();
            let look = |world: &World| {
                let head = world[crank].world_point(Vec2::new(0.5, 0.0));
                found.push([world.time(), head.x, head.y]);
            };
            let start = scene.energy();
            let ran = run(&mut scene, method, 20.0, 1.0 / rate, look)?;
            let name = format!("A02, {windows} windows");
            if windows == 2 {
                let off = library_error(&trajectory, &found);
                figures.push(ran.figure(&format!("{name}, error in 20 s"), off, "", 1e-1, 1e-3));
            }
            let energy = (scene.energy() - start) / start;
            figures.push(ran.figure(&format!("{name}, energy after 20 s"), energy, "", 1e-3, 1e-6));
        }
    }
    Ok(figures)
}
