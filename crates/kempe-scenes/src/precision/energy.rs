//! Energy over time, and chains that are hard to hold.

use super::{ALPHA, FOURTH, Figure, SIXTH, THETA, energy_of, larger, run, widest};
use crate::error::Error;
use crate::scene::Scene;
use crate::{double_pendulum, heavy_chain, heavy_chain_dropped, pendulum};
use kempe2d::Method;

const STEP: f64 = 1.0 / 240.0;

/// The largest change of energy, J, and the largest gap, m.
fn changes(
    scene: &mut Scene,
    method: Method,
    seconds: f64,
) -> Result<(f64, f64, super::Ran), Error> {
    let start = scene.energy();
    let (mut most, mut open) = (0.0, 0.0);
    let ran = run(scene, method, seconds, STEP, |world| {
        most = larger(most, (energy_of(world) - start).abs());
        open = larger(open, widest(world));
    })?;
    Ok((most, open, ran))
}

pub(super) fn measure() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    // In parts of m g d = 4.905 J, and of 19.62 J, which is what two rods can give.
    for (method, goal) in [(THETA, 2e-4), (ALPHA, 2e-4), (FOURTH, 2e-9), (SIXTH, 1e-12)] {
        let (most, _, ran) = changes(&mut pendulum()?, method, 10.0)?;
        figures.push(ran.figure("pendulum, energy in 10 s", most / 4.905, "", 2e-4, goal));
    }
    for (method, goal) in [(THETA, 6e-3), (ALPHA, 6e-3), (FOURTH, 1e-6), (SIXTH, 1e-6)] {
        let (most, _, ran) = changes(&mut double_pendulum()?, method, 60.0)?;
        figures.push(ran.figure("double pendulum, energy in 60 s", most / 19.62, "", 6e-3, goal));
    }
    for method in [THETA, ALPHA] {
        for (ball, ratio) in [(1e3, "1000:1"), (1e6, "10⁶:1")] {
            let (most, open, ran) = changes(&mut heavy_chain(20, ball)?, method, 10.0)?;
            let must = (ball < 1e4).then_some(1e-3);
            let name = format!("chain of {ratio}, hanging");
            figures.push(ran.any(&format!("{name}, energy"), most, "J", must, Some(1e-3)));
            figures.push(ran.figure(&format!("{name}, gap"), open, "m", 1e-10, 1e-10));
            // Generalised α does not hold the whip of a chain that drops.
            if method == ALPHA {
                continue;
            }
            let (most, open, ran) = changes(&mut heavy_chain_dropped(20, ball)?, method, 10.0)?;
            let name = format!("chain of {ratio}, dropped");
            // m g h of what falls by its length.
            let part = most / (ball * 9.81 * 4.0);
            figures.push(ran.told(&format!("{name}, energy, of what falls"), part, "", 1e-2));
            figures.push(ran.figure(&format!("{name}, gap"), open, "m", 1e-10, 1e-10));
        }
    }
    Ok(figures)
}
