//! The `kempe` command.
//!
//! Without arguments it takes an embedded joint program, shows its constraint, velocity
//! constraint, Jacobian and inverse effective mass, and evaluates them. `kempe explain FILE` does
//! the same for a program of yours.

use kempe_equation::{Program, gallery, render};
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: kempe                 explain the embedded joint
       kempe explain FILE    explain the joint program in FILE
";

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(|each| each.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => explain(&format!("{DEFAULT}.kempe"), default_source()),
        ["-h" | "--help"] | ["explain", "-h" | "--help"] => print(USAGE),
        ["-V" | "--version"] => print(concat!("kempe ", env!("CARGO_PKG_VERSION"), "\n")),
        ["explain", file] => match std::fs::read_to_string(&arguments[1]) {
            Ok(source) => explain(file, &source),
            Err(error) => fail(&format!("{file}: {error}\n")),
        },
        _ => fail(USAGE),
    }
}

/// A point of one body on a segment of another: two rows, one of them with limits.
const DEFAULT: &str = "line";

fn default_source() -> &'static str {
    gallery::find(DEFAULT).map_or("", |example| example.source)
}

fn explain(file: &str, source: &str) -> ExitCode {
    match Program::parse(source) {
        Ok(program) => print(&format!(
            "{file}\n\n{}\n\n{}\n{}\nin the language\n\n{}",
            program.source().trim_end(),
            program.explain_text(),
            program.sample_text(),
            program.explain_source()
        )),
        Err(errors) => {
            let terminal = std::io::stderr().is_terminal();
            let colors = if terminal { render::Colors::On } else { render::Colors::Off };
            fail(&render::errors(&errors, file, colors))
        }
    }
}

fn print(text: &str) -> ExitCode {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that closes the pipe early has what it wanted.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(&format!("{error}\n")),
        _ => ExitCode::SUCCESS,
    }
}

fn fail(text: &str) -> ExitCode {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(2)
}
