//! Prints C, V, J and K of a joint program.
//!
//! ```text
//! cargo run --release -p kempe-equation --example explain -- FILE
//! ```
//! Exit status 2, and the errors with line and column on standard error, if FILE is not a program.

use kempe_equation::{Program, render};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: explain FILE");
        return ExitCode::from(2);
    };
    let source = match std::fs::read_to_string(&file) {
        Ok(source) => source,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    let program = match Program::parse(&source) {
        Ok(program) => program,
        Err(errors) => {
            let terminal = std::io::stderr().is_terminal();
            let colors = if terminal { render::Colors::On } else { render::Colors::Off };
            eprint!("{}", render::errors(&errors, &file, colors));
            return ExitCode::from(2);
        }
    };
    let text = format!(
        "{}\n{}\nin the language\n\n{}",
        program.explain_text(),
        program.sample_text(),
        program.explain_source()
    );
    // A reader that closes the pipe early is no failure.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
