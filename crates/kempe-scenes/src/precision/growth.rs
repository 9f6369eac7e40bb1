//! What a step costs for each body as there are more of them.

use super::{Figure, THETA, run};
use crate::error::Error;
use crate::scene::Scene;
use crate::{chain, n_four_bar};
use kempe2d::World;
use std::time::Instant;

const STEP: f64 = 1e-3;

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for (name, sizes, build) in [
        ("N-four-bar", [10, 100, 1000], n_four_bar as fn(usize) -> Result<Scene, Error>),
        ("chain", [50, 500, 5000], |links| chain(links, 1.0)),
    ] {
        let mut first = f64::NAN;
        for size in sizes {
            let bodies = (build(size)?.world.body_count() - 1) as f64;
            // About as much work for each, and the quickest of three; the first step also has to
            // find the order of elimination, and is not counted.
            let steps = (40_000.0 / bodies).clamp(10.0, 500.0).round();
            let (mut each, mut last) = (f64::INFINITY, None);
            for _ in 0..3 {
                let mut begun: Option<Instant> = None;
                let look = |_: &World| {
                    begun.get_or_insert_with(Instant::now);
                };
                let ran = run(&mut build(size)?, THETA, steps * STEP, STEP, look)?;
                let seconds = begun.map_or(f64::NAN, |begun| begun.elapsed().as_secs_f64());
                each = f64::min(each, 1e6 * seconds / ((steps - 1.0) * bodies));
                last = Some(ran);
            }
            let Some(ran) = last else { continue };
            let name = format!("growth, {name} of {size}, a step and body");
            if first.is_nan() {
                first = each;
                figures.push(ran.any(&name, each, "µs", None, None));
            } else {
                figures.push(ran.told(&name, each, "µs", 1.5 * first));
            }
        }
    }
    Ok(figures)
}
