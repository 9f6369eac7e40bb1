//! Runs every scene of the gallery, or those that are named, under both solvers, and judges what they expect.
//!
//! ```text
//! cargo run --release -p kempe-scenes --example gallery_check -- [-v] [NAME …]
//! ```
//!
//! Exit status 1 if something does not hold.

use kempe_scenes::file::Solver;
use kempe_scenes::gallery::{self, Example, gallery};
use kempe_scenes::run::{self, Options, Outcome, Verdict};
use std::process::ExitCode;
use std::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    let mut chosen: Vec<&Example> = Vec::new();
    for name in arguments.iter().filter(|argument| *argument != "-v") {
        chosen.push(gallery::find(name).ok_or_else(|| gallery::unknown(name))?);
    }
    if chosen.is_empty() {
        chosen = gallery().iter().collect();
    }
    let mut unmet = 0;
    for example in chosen {
        for solver in [Solver::RealTime, Solver::Reference] {
            unmet += check(example, solver, verbose)?;
        }
    }
    println!("{unmet} expectations do not hold");
    Ok(if unmet == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a scene; how much of what it expects does not hold.
fn check(example: &Example, solver: Solver, verbose: bool) -> Fallible<usize> {
    let scene = example.open(&[])?;
    let options = Options { solver, ..Options::of(&scene) };
    let start = Instant::now();
    let recording = run::run(&scene, &options, &mut run::unwatched)?;
    let [open, turned] = recording.largest_error();
    let by = match solver {
        Solver::RealTime => "real time",
        Solver::Reference => "reference",
    };
    println!(
        "{:24} {by:9}  {:5.2} s  open by {open:.1e} m, {turned:.1e} rad",
        example.name,
        start.elapsed().as_secs_f64()
    );
    for verdict in &recording.verdicts {
        if verdict.outcome == Outcome::Unmet || (verbose && verdict.outcome == Outcome::Met) {
            println!("    {}", told(verdict));
        }
    }
    let unmet = recording.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Unmet);
    Ok(unmet.count())
}

fn told(verdict: &Verdict) -> String {
    let mark = if verdict.is_met() { "holds" } else { "FAILS" };
    let found = verdict.found.map_or(String::new(), |found| format!(": {found}"));
    let reason = verdict.reason.as_deref().map_or(String::new(), |why| format!(" ({why})"));
    format!("{mark}: {}{found}{reason}", verdict.text)
}
