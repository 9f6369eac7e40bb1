//! Orders of convergence: the error falls by 2ᵖ as the step is halved.

use super::{FOURTH, Figure, SIXTH, THETA, run};
use crate::error::Error;
use crate::reference::Problem;
use crate::scene::Scene;
use crate::{andrews, double_pendulum, peaucellier, pendulum};
use kempe2d::{Method, Vec2, World};
use std::f64::consts::FRAC_PI_2;

/// A problem of which one number is known at the end.
struct Known {
    name: &'static str,
    build: fn() -> Result<Scene, Error>,
    seconds: f64,
    found: fn(&Scene, &World) -> f64,
    exact: f64,
    /// The longer of two steps, for the orders 2, 4 and 6.
    steps: [f64; 3],
}

fn known() -> Result<[Known; 4], Error> {
    Ok([
        Known {
            name: "pendulum",
            build: pendulum,
            seconds: 10.0,
            found: |scene, world| world[scene.bodies["rod"]].rotation() + FRAC_PI_2,
            exact: Problem::Pendulum.at("theta", 10.0)?,
            steps: [1.0 / 480.0, 1.0 / 120.0, 1.0 / 80.0],
        },
        Known {
            name: "double pendulum",
            build: double_pendulum,
            seconds: 2.0,
            found: |scene, world| world[scene.bodies["second"]].rotation() + FRAC_PI_2,
            exact: Problem::DoublePendulum.at("theta_2", 2.0)?,
            steps: [1.0 / 960.0, 1.0 / 480.0, 1.0 / 240.0],
        },
        Known {
            name: "Peaucellier",
            build: peaucellier,
            seconds: 2.0,
            found: |scene, world| world[scene.bodies["ap"]].world_point(Vec2::new(0.2, 0.0)).y,
            exact: Problem::Peaucellier.at("p_y", 2.0)?,
            steps: [1.0 / 480.0, 1.0 / 160.0, 1.0 / 80.0],
        },
        Known {
            name: "Andrews",
            build: andrews,
            seconds: 0.03,
            found: |scene, world| world[scene.bodies["k1"]].rotation(),
            exact: Problem::Andrews.at("beta", 0.03)?,
            steps: [0.03 / 3000.0, 0.03 / 300.0, 0.03 / 300.0],
        },
    ])
}

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for problem in known()? {
        for (place, (method, order)) in
            [(THETA, 2.0), (FOURTH, 4.0), (SIXTH, 6.0)].into_iter().enumerate()
        {
            let step = problem.steps[place];
            let error = |step: f64| off(&problem, method, step);
            let ((coarse, _), (fine, ran)) = (error(step)?, error(0.5 * step)?);
            let name = format!("{}, order {order}, away from it", problem.name);
            let away = (coarse / fine).log2() - order;
            let (must, goal) = if order < 3.0 { (0.1, 0.05) } else { (0.4, 0.2) };
            figures.push(ran.figure(&name, away, "", must, goal));
        }
    }
    Ok(figures)
}

fn off(problem: &Known, method: Method, step: f64) -> Result<(f64, super::Ran), Error> {
    let mut scene = (problem.build)()?;
    let ran = run(&mut scene, method, problem.seconds, step, |_| ())?;
    Ok((((problem.found)(&scene, &scene.world) - problem.exact).abs(), ran))
}
