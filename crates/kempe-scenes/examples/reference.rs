//! How accurate the reference solver is on problems that are known to many digits, and what it costs.
//!
//! ```text
//! cargo run --release -p kempe-scenes --example reference -- --json
//! ```
//!
//! A table without `--json`. The exit status is 1 if a bound that decides is missed, 2 if something
//! else went wrong; times decide nothing.

use kempe_scenes::precision;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--json"] => true,
        _ => {
            eprintln!("usage: reference [--json]");
            return ExitCode::from(2);
        }
    };
    match report(json) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the figures, and tells whether all that decide are met.
fn report(json: bool) -> Result<bool, Box<dyn Error>> {
    let figures = precision::measure()?;
    let text = if json { precision::json(&figures)? } else { precision::table(&figures) };
    print!("{text}");
    Ok(precision::passes(&figures))
}
