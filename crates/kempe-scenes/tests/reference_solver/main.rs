//! The reference solver against solutions that are known in closed form or to many digits.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod curves;
mod linkages;
mod machines;
mod pendulums;
mod sliders;

use kempe_scenes::Scene;
use kempe_scenes::reference::Problem;
use kempe2d::{Method, Reference, ReferenceReport, World};

const THETA: Method = Method::Theta { k: 0.5 };
const ALPHA: Method = Method::GeneralizedAlpha { radius: 0.9 };
const FOURTH: Method = Method::Rattle { order: 4 };
const SIXTH: Method = Method::Rattle { order: 6 };

#[track_caller]
fn run(scene: &mut Scene, method: Method, seconds: f64, step: f64) -> ReferenceReport {
    match Reference::new(method).run(&mut scene.world, seconds, step) {
        Ok(report) => report,
        Err(error) => panic!("{} by {method:?}: {error}", scene.name),
    }
}

#[track_caller]
fn close(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance, "{found}, not {exact}: {:e}", found - exact);
}

/// Runs a scene along the table of its problem, and compares columns wherever a step ends at a row.
#[track_caller]
fn along<const N: usize>(
    problem: Problem,
    scene: &mut Scene,
    (method, seconds, step): (Method, f64, f64),
    (columns, tolerance): ([&str; N], f64),
    found: impl Fn(&World) -> [f64; N],
) {
    let table = problem.trajectory().unwrap();
    let (mut rows, mut worst) = (0, 0.0_f64);
    let look = |world: &World| {
        let exact = columns.map(|column| table.at(column, world.time()));
        for (exact, found) in exact.into_iter().zip(found(world)) {
            if let Some(exact) = exact {
                rows += 1;
                worst = if found.is_nan() { f64::NAN } else { worst.max((found - exact).abs()) };
            }
        }
    };
    Reference::new(method).watch(&mut scene.world, seconds, step, look).unwrap();
    let inside = table.rows.iter().filter(|row| row[0] > 0.0 && row[0] < seconds + 1e-9).count();
    assert_eq!(rows, N * inside);
    assert!(worst <= tolerance, "{problem:?} by {method:?}: {worst:e}");
}
