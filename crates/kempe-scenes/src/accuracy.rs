//! How far scenes run from what is known of them, in real time: 60 steps a second and default
//! settings but for sleep, unless a figure says otherwise.
//!
//! A figure has a bound that it must keep, which is what the best engine of its kind reaches, and a
//! goal. Energies are of the end of a run, gaps and deviations the largest after any step.

use crate::error::Error;
use crate::listing::number;
use crate::reference::Problem;
use crate::scene::{Scene, steps};
use crate::{
    Atwood, GearTrain, atwood, double_pendulum, four_bar, gear_train, heavy_chain, peaucellier,
    pendulum,
};
use kempe2d::{JointId, Settings, Vec2, World};
use serde::Serialize;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

const STEP: f64 = 1.0 / 60.0;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Of what.
    pub name: &'static str,
    /// How much, without a sign.
    pub value: f64,
    /// In what.
    pub unit: &'static str,
    /// What it must not exceed.
    pub must: f64,
    /// What it should not exceed.
    pub goal: Option<f64>,
    /// Whether it is at most `must`.
    pub met: bool,
    /// Whether it is at most `goal`.
    pub goal_met: Option<bool>,
    /// Whether missing `must` is a failure; otherwise it is told only.
    pub decides: bool,
}

impl Figure {
    fn new(name: &'static str, value: f64, unit: &'static str, must: f64, goal: f64) -> Self {
        let value = value.abs();
        let (met, goal_met) = (value <= must, Some(value <= goal));
        Self { name, value, unit, must, goal: Some(goal), met, goal_met, decides: true }
    }

    fn without_goal(name: &'static str, value: f64, unit: &'static str, must: f64) -> Self {
        Self { goal: None, goal_met: None, ..Self::new(name, value, unit, must, must) }
    }

    fn told(self) -> Self {
        Self { decides: false, ..self }
    }
}

/// Measures everything.
///
/// # Errors
/// If a scene cannot be built, or reference data are not whole.
pub fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    figures.extend(measure_pendulum()?);
    figures.extend(measure_double_pendulum()?);
    figures.extend(measure_peaucellier()?);
    figures.extend(measure_four_bar()?);
    figures.extend(measure_gears()?);
    figures.extend(measure_atwood()?);
    figures.extend(measure_heavy_chain()?);
    Ok(figures)
}

/// Whether every figure that decides keeps its bound.
pub fn passes(figures: &[Figure]) -> bool {
    figures.iter().all(|figure| figure.met || !figure.decides)
}

/// The figures as an array of objects.
///
/// # Errors
/// None that is known: every figure can be written.
pub fn json(figures: &[Figure]) -> Result<String, serde_json::Error> {
    crate::listing::json(figures)
}

/// The figures as a table.
pub fn table(figures: &[Figure]) -> String {
    let wide = figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0);
    let mut out =
        format!("{:wide$}  {:>10}  {:>10}  {:>10}  {:<4}\n", "", "value", "must", "goal", "unit");
    for figure in figures {
        let verdict = match (figure.met, figure.goal_met) {
            (true, Some(true)) => "goal",
            (true, _) => "met",
            (false, _) if figure.decides => "MISSED",
            (false, _) => "missed, does not decide",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:wide$}  {:>10}  {:>10}  {:>10}  {:<4}  {verdict}",
            figure.name,
            number(figure.value),
            number(figure.must),
            figure.goal.map_or_else(|| "–".to_owned(), number),
            figure.unit,
        );
    }
    out
}

/// Runs a scene, and looks at the world after every step.
fn run(
    scene: &mut Scene,
    seconds: f64,
    dt: f64,
    mut look: impl FnMut(&World),
) -> Result<(), Error> {
    for _ in 0..steps(seconds, dt)? {
        scene.world.step(dt)?;
        look(&scene.world);
    }
    Ok(())
}

/// The gap of a joint, m; infinite if there is no such joint.
fn gap(world: &World, joint: JointId) -> f64 {
    world.joint_separation(joint).map_or(f64::INFINITY, |(length, _)| length)
}

/// The larger; infinite if one is no number.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// A rod of 1 m for 10 s: its angle at the end, its energy at the end in parts of m g d = 4.905 J,
/// and the largest gap.
fn measure_pendulum() -> Result<Vec<Figure>, Error> {
    let mut scene = pendulum()?;
    let (rod, pin) = (scene.bodies["rod"], scene.joints["pin"]);
    let start = scene.energy();
    let mut open = 0.0;
    run(&mut scene, 10.0, STEP, |world| open = larger(open, gap(world, pin)))?;
    let theta = scene.world[rod].rotation() + FRAC_PI_2;
    let phase = theta - Problem::Pendulum.at("theta", 10.0)?;
    let lost = (scene.energy() - start) / 4.905;
    Ok(vec![
        Figure::new("pendulum, phase after 10 s", phase.to_degrees(), "°", 0.33, 0.06),
        Figure::new("pendulum, energy after 10 s", 100.0 * lost, "%", 1.1, 0.2),
        Figure::new("pendulum, gap", 1e3 * open, "mm", 0.6, 0.04),
    ])
}

/// Two rods for 60 s: the energy at the end in parts of 19.62 J, which is what they can give.
fn measure_double_pendulum() -> Result<Vec<Figure>, Error> {
    let mut scene = double_pendulum()?;
    let start = scene.energy();
    scene.run(60.0, STEP)?;
    let lost = (scene.energy() - start) / 19.62;
    Ok(vec![Figure::new("double pendulum, energy after 60 s", 100.0 * lost, "%", 25.0, 1.0)])
}

/// Seven bars for 4 s: how far P, as the end of either bar, leaves x = 1.05 m.
fn measure_peaucellier() -> Result<Vec<Figure>, Error> {
    let mut scene = peaucellier()?;
    let bars = [scene.bodies["ap"], scene.bodies["dp"]];
    let line = Problem::Peaucellier.at("p_x", 0.0)?;
    let mut away = 0.0;
    run(&mut scene, 4.0, STEP, |world| {
        for bar in bars {
            let p = world[bar].world_point(Vec2::new(0.2, 0.0));
            away = larger(away, (p.x - line).abs());
        }
    })?;
    Ok(vec![Figure::new("Peaucellier, deviation from the line", 1e3 * away, "mm", 7.7, 0.5)])
}

/// The crank's angle after 1 s.
fn measure_four_bar() -> Result<Vec<Figure>, Error> {
    let exact = Problem::FourBar.at("crank", 1.0)?;
    let after = |substeps: u32| -> Result<f64, Error> {
        let mut scene = four_bar()?;
        let crank = scene.bodies["crank"];
        let settings = scene.world.settings();
        scene.world.set_settings(Settings { substeps, ..settings })?;
        scene.run(1.0, STEP)?;
        Ok(scene.world[crank].rotation() - exact)
    };
    let name =
        ["four-bar, angle after 1 s, 4 sub-steps", "four-bar, angle after 1 s, 16 sub-steps"];
    Ok(vec![
        Figure::new(name[0], after(4)?, "rad", 1.7e-3, 1e-4),
        Figure::new(name[1], after(16)?, "rad", 4e-4, 1e-4),
    ])
}

/// 17 teeth drive 40 for 100 s at 10 turns a second, 5 N·m: what the pinion is off at the end, be it
/// by drift or because the mesh gives. Light wheels give more.
fn measure_gears() -> Result<Vec<Figure>, Error> {
    let after = |train: GearTrain| -> Result<f64, Error> {
        let mut scene = gear_train(train)?;
        scene.run(100.0, STEP)?;
        let off = scene.world.joint_coordinate(scene.joints["mesh"], 0);
        Ok(off.unwrap_or(f64::INFINITY))
    };
    let train = GearTrain::default();
    let off = after(train)?;
    let light = after(GearTrain { inertias: None, ..train })?;
    Ok(vec![
        Figure::new("gears, drift after 1000 turns", off, "rad", 1e-3, 1e-5),
        Figure::new("gears of steel, drift after 1000 turns", light, "rad", 1e-3, 1e-5),
    ])
}

/// Two weights at 240 steps a second: how far the first is after 1 s, and what the rope gives.
fn measure_atwood() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for (machine, position, length) in [
        (
            Atwood { masses: [2.0, 1.0], ratio: 1.0 },
            "Atwood 2:1, position after 1 s, 240 Hz",
            "Atwood 2:1, length of the rope, 240 Hz",
        ),
        (
            Atwood { masses: [1.0, 1.5], ratio: 2.0 },
            "Atwood, ratio 2, position after 1 s, 240 Hz",
            "Atwood, ratio 2, length of the rope, 240 Hz",
        ),
    ] {
        let mut scene = atwood(machine)?;
        let (first, rope) = (scene.bodies["first"], scene.joints["rope"]);
        let start = scene.world[first].position().y;
        let mut off = 0.0;
        run(&mut scene, 1.0, 1.0 / 240.0, |world| off = larger(off, gap(world, rope)))?;
        let exact = 0.5 * machine.acceleration();
        let error = (start - scene.world[first].position().y - exact) / exact;
        // Constant acceleration can be exact but for rounding.
        figures.push(Figure::new(position, 100.0 * error, "%", 0.5, 1e-3));
        figures.push(Figure::without_goal(length, 1e3 * off, "mm", 0.1));
    }
    Ok(figures)
}

/// 20 links of 1 kg and a ball of 1000 kg for 10 s: the largest gap.
fn measure_heavy_chain() -> Result<Vec<Figure>, Error> {
    let mut scene = heavy_chain(20, 1000.0)?;
    let mut open = 0.0;
    let joints: Vec<JointId> = scene.world.joints().map(|(id, _)| id).collect();
    run(&mut scene, 10.0, STEP, |world| {
        for joint in &joints {
            open = larger(open, gap(world, *joint));
        }
    })?;
    Ok(vec![Figure::new("chain with 1000:1, hanging, gap", 1e3 * open, "mm", 44.0, 5.0).told()])
}
