//! Whether random passive mechanisms gain energy, in real time and by the reference solver.
//!
//! ```text
//! cargo run --release -p kempe-scenes --example stability -- --json
//! cargo run --release -p kempe-scenes --example stability -- --class two_pins --solver default --worlds 50
//! ```
//!
//! A table without `--json`; `--help` lists what else there is. The exit status is 1 if something is not
//! as it must be, 2 if something else went wrong.

use kempe_scenes::stability::{self, Figure, Options};
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::from(2);
        }
    };
    if let Some(text) = &options.text {
        print!("{text}");
        return ExitCode::SUCCESS;
    }
    match perform(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Lines of the table come as they are found.
fn perform(options: &Options) -> Result<bool, Box<dyn Error>> {
    if !options.json {
        print!("{}", stability::head());
    }
    let mut since = Instant::now();
    let figures = stability::measure(options, |figure| {
        if !options.json {
            print!("{}", stability::line(figure));
            let _ = std::io::stdout().flush();
        }
        let took = since.elapsed().as_secs_f64();
        eprintln!("{}, {}: {took:.1} s", figure.name, figure.solver);
        since = Instant::now();
    })?;
    if options.json {
        print!("{}", stability::json(&figures)?);
    }
    for figure in &figures {
        write_worst(options, figure)?;
    }
    Ok(stability::passes(&figures))
}

fn write_worst(options: &Options, figure: &Figure) -> Result<(), Box<dyn Error>> {
    let class = options.classes.iter().find(|class| class.name == figure.name);
    let solver = options.solvers.iter().find(|solver| solver.name == figure.solver);
    if let (Some(folder), Some(class), Some(solver)) = (&options.folder, class, solver) {
        // What gapes alone has its own worst world.
        let gains = figure.worst_gain > class.most_gain() || figure.over_gap == 0;
        let seed = if gains { figure.worst_seed } else { figure.gap_seed };
        let name = format!("{}_{}_{seed}", class.name, solver.name);
        let mut sample = class.world(seed)?;
        if options.shrink {
            sample = stability::shrink(class, &sample, solver, options.seconds)?;
        }
        let path = stability::write(folder, &name, &sample, solver, options.seconds)?;
        eprintln!("{}", path.display());
    }
    Ok(())
}
