//! Whether random passive mechanisms gain energy.
//!
//! Nothing drives these worlds: they fall, or turn freely without gravity. Whatever they gain is the
//! solver's. Each world follows from the name of its [`Class`] and a seed, and is run by each [`Solver`]:
//! in real time for 10 s, without sleep, and by the reference solver for 3 s.
//!
//! A gain is the largest mechanical energy after any step less that of the start, in parts of what could be
//! set free at the start: the larger of its kinetic and elastic energy, and of all weights falling as far
//! as the mechanism is large. That is 1 m, but for what has a length of its own: the length of a chain, of a
//! crank, of all levers together. A gap is how far a rigid joint is open after the first second.
//!
//! | file | has |
//! |---|---|
//! | `class` | the classes |
//! | `trees`, `rows`, `soft`, `stops`, `mixed` | how their mechanisms are made |
//! | `maker`, `random` | what they are made with |
//! | `solver` | the ways of solving |
//! | `energy`, `run` | the energy of a mechanism; one world by one way |
//! | `options`, `write`, `shrink` | the command, worlds as scene files, and smaller ones that still fail |

mod class;
mod energy;
mod maker;
mod mixed;
mod options;
mod random;
mod rows;
mod run;
mod shrink;
mod soft;
mod solver;
mod stops;
mod trees;
mod write;

pub use class::{Asked, CLASSES, Class};
pub use maker::{Mechanism, Sample};
pub use options::{HELP, Options};
pub use run::{Outcome, Watch, run};
pub use shrink::shrink;
pub use solver::{SOLVERS, Solver, Way};
pub use write::write;

use crate::error::Error;
use crate::listing::number;
use serde::Serialize;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What must not be exceeded; `None` is not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Must {
    /// Mechanisms that gain more than a hundredth.
    pub over_1_percent: Option<usize>,
    /// Mechanisms that gain more than all.
    pub over_100_percent: usize,
    /// Mechanisms with a number that is not finite.
    pub not_finite: usize,
    /// Mechanisms without a solution.
    pub failed: usize,
    /// m.
    pub worst_gap: Option<f64>,
}

/// What was measured of a class by one way of solving.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The class.
    pub name: &'static str,
    /// The way of solving.
    pub solver: &'static str,
    /// How many mechanisms.
    pub worlds: usize,
    /// The largest gain; 0.01 is a hundredth of what could be set free.
    pub worst_gain: f64,
    /// The seed of its world.
    pub worst_seed: u64,
    /// How many gained more than a hundredth.
    pub over_1_percent: usize,
    /// How many gained more than all.
    pub over_100_percent: usize,
    /// How many were not finite.
    pub not_finite: usize,
    /// How often an energy guard acted.
    pub guard: u64,
    /// How many the solver is not for.
    pub refused: usize,
    /// How many had no solution.
    pub failed: usize,
    /// The largest gap, m.
    pub worst_gap: f64,
    /// The seed of its world.
    pub gap_seed: u64,
    /// How many gaped more than they must.
    pub over_gap: usize,
    /// How long each ran, s.
    pub seconds: f64,
    /// What must not be exceeded.
    pub must: Must,
    /// Whether nothing is.
    pub met: bool,
}

impl Figure {
    /// What became of mechanisms by some solver, each with the seed of its world.
    pub fn new(
        class: &Class,
        solver: &'static str,
        seconds: f64,
        found: &[(u64, Outcome)],
    ) -> Self {
        let over_1_percent = match class.asked {
            Asked::Passive => Some(0),
            Asked::Compromise => None,
        };
        let (name, worst_gap) = (class.name, class.gap);
        let must =
            Must { over_1_percent, over_100_percent: 0, not_finite: 0, failed: 0, worst_gap };
        let count = |is: &dyn Fn(&Outcome) -> bool| found.iter().filter(|each| is(&each.1)).count();
        let worst = |of: &dyn Fn(&Outcome) -> f64| {
            let mut worst = (f64::NEG_INFINITY, 0);
            for (seed, outcome) in found {
                if of(outcome) > worst.0 {
                    worst = (of(outcome), *seed);
                }
            }
            worst
        };
        let ((worst_gain, worst_seed), (open, gap_seed)) =
            (worst(&|each| each.gain), worst(&|each| each.gap));
        let mut figure = Self {
            name,
            solver,
            worlds: found.len(),
            worst_gain,
            worst_seed,
            over_1_percent: count(&|each| each.gain > 0.01),
            over_100_percent: count(&|each| each.gain > 1.0),
            not_finite: count(&|each| each.not_finite),
            guard: found.iter().map(|each| each.1.guard).sum(),
            refused: count(&|each| each.refused.is_some()),
            failed: count(&|each| each.failed.is_some()),
            worst_gap: open,
            gap_seed,
            over_gap: count(&|each| each.gap > worst_gap.unwrap_or(f64::INFINITY)),
            seconds,
            must,
            met: false,
        };
        figure.met = must.over_1_percent.is_none_or(|most| figure.over_1_percent <= most)
            && figure.over_100_percent <= must.over_100_percent
            && figure.not_finite <= must.not_finite
            && figure.failed <= must.failed
            && figure.over_gap == 0;
        figure
    }
}

/// Measures classes by ways of solving, as the options say; `tell` hears of each as it is done.
///
/// # Errors
/// If a world cannot be built or stepped.
pub fn measure(options: &Options, mut tell: impl FnMut(&Figure)) -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for class in &options.classes {
        // A crowd is there for what a large world does in real time.
        let fits = |solver: &&Solver| class.mechanisms == 1 || solver.is_real_time();
        for solver in options.solvers.iter().filter(fits) {
            let outcomes = outcomes(options, class, solver)?;
            let figure = Figure::new(class, solver.name, options.seconds, &outcomes);
            tell(&figure);
            figures.push(figure);
        }
    }
    Ok(figures)
}

/// What becomes of each mechanism of a class, with the seed of its world.
///
/// # Errors
/// If a world cannot be built or stepped.
pub fn outcomes(
    options: &Options,
    class: &Class,
    solver: &Solver,
) -> Result<Vec<(u64, Outcome)>, Error> {
    // Half of a crowd for each world that was asked for, if it has many mechanisms.
    let worlds = options.worlds.div_ceil(class.mechanisms.div_ceil(2));
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<Outcome>)>, Error> {
        let mut done = Vec::new();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= worlds {
                return Ok(done);
            }
            let sample = class.world(options.seed + k as u64)?;
            done.push((k, run(class, &sample, solver, options.seconds)?));
        }
    };
    let mut all = Vec::with_capacity(worlds);
    thread::scope(|scope| -> Result<(), Error> {
        let others: Vec<_> = (1..options.threads).map(|_| scope.spawn(work)).collect();
        all.extend(work()?);
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    all.sort_by_key(|each| each.0);
    let seeded = |(k, outcomes): (usize, Vec<Outcome>)| {
        let seed = options.seed + k as u64;
        outcomes.into_iter().map(move |outcome| (seed, outcome))
    };
    Ok(all.into_iter().flat_map(seeded).collect())
}

/// Whether all of them keep what they must.
pub fn passes(figures: &[Figure]) -> bool {
    figures.iter().all(|figure| figure.met)
}

/// The figures as an array of objects.
///
/// # Errors
/// None that is known: every figure can be written.
pub fn json(figures: &[Figure]) -> Result<String, serde_json::Error> {
    crate::listing::json(figures)
}

/// The head of the table.
pub fn head() -> String {
    let columns = "worlds  worst gain   seed   >1%  >100%  n.f.  guard  refused  failed    gap, m   seed  >gap";
    format!("{:18} {:12} {columns}\n", "class", "solver")
}

/// A line of the table.
pub fn line(figure: &Figure) -> String {
    let mut out = String::new();
    let gain = if figure.worst_gain > 0.0 { number(figure.worst_gain) } else { "0".to_owned() };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:18} {:12} {:6}  {gain:>10} {:6} {:5}  {:5} {:5}  {:5}  {:7}  {:6}  {:>8} {:6} {:5}  {}",
        figure.name,
        figure.solver,
        figure.worlds,
        figure.worst_seed,
        figure.over_1_percent,
        figure.over_100_percent,
        figure.not_finite,
        figure.guard,
        figure.refused,
        figure.failed,
        number(figure.worst_gap),
        figure.gap_seed,
        figure.over_gap,
        if figure.met { "met" } else { "MISSED" },
    );
    out
}

/// The figures as a table.
pub fn table(figures: &[Figure]) -> String {
    head() + &figures.iter().map(line).collect::<String>()
}
