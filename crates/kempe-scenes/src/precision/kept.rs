//! What the equations of joints are off, in positions and velocities.

use super::{FOURTH, Figure, THETA, fastest, larger, run, widest};
use crate::error::Error;
use crate::scene::Scene;
use crate::{
    Atwood, GearTrain, andrews, atwood, double_pendulum, four_bar, gear_train, n_four_bar,
    peaucellier, pendulum, slider_crank,
};

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    type Build = fn() -> Result<Scene, Error>;
    const STEP: f64 = 1.0 / 240.0;
    let problems: [(&str, Build, f64, f64); 9] = [
        ("pendulum", pendulum, 10.0, STEP),
        ("double pendulum", double_pendulum, 10.0, STEP),
        ("four-bar", four_bar, 5.0, STEP),
        ("Peaucellier", peaucellier, 4.0, STEP),
        ("slider-crank", || slider_crank(150.0), 0.1, 1e-4),
        ("Andrews", andrews, 0.03, 1e-5),
        ("A02, 2 windows", || n_four_bar(2), 20.0, STEP),
        ("gears", || gear_train(GearTrain::default()), 10.0, STEP),
        ("Atwood", || atwood(Atwood { masses: [2.0, 1.0], ratio: 1.0 }), 1.0, STEP),
    ];
    let mut figures = Vec::new();
    for (name, build, seconds, step) in problems {
        for method in [THETA, FOURTH] {
            let mut scene = build()?;
            let (mut open, mut opening) = (0.0, 0.0);
            let ran = run(&mut scene, method, seconds, step, |world| {
                open = larger(open, widest(world));
                opening = larger(opening, fastest(world));
            })?;
            let [position, velocity] =
                ["positions", "velocities"].map(|of| format!("{name}, {of}"));
            figures.push(ran.figure(&position, open, "m", 1e-10, 1e-13));
            figures.push(ran.figure(&velocity, opening, "m/s", 1e-9, 1e-12));
        }
    }
    Ok(figures)
}
