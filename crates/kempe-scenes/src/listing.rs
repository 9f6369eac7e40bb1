//! What the lists of measured figures have in common: how they are written, and the commands that print
//! them.

use serde::Serialize;
use std::error::Error;
use std::process::ExitCode;

/// The figures as an array of objects.
pub(crate) fn json<T: Serialize>(figures: &[T]) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(figures)? + "\n")
}

/// A number as tables have it.
pub(crate) fn number(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        _ if (1e-3..1e4).contains(&value) => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// A command that prints figures, as JSON if its only argument is `--json`: `measure` gives the text
/// and whether all that decide are met. The exit status is 1 if not, 2 if something else went wrong.
pub fn command(
    name: &str,
    measure: impl FnOnce(bool) -> Result<(String, bool), Box<dyn Error>>,
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--json"] => true,
        _ => {
            eprintln!("usage: {name} [--json]");
            return ExitCode::from(2);
        }
    };
    match measure(json) {
        Ok((text, met)) => {
            print!("{text}");
            if met { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
