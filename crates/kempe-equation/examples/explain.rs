//! Prints C, V, J and K of a joint program.
//!
//! ```text
//! cargo run --release -p kempe-equation --example explain -- FILE
//! ```
//! Exit status 2, and the errors with line and column on standard error, if FILE is not a program.

use kempe_equation::{Program, render};
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    let [path] = &arguments[..] else {
        return fail("usage: explain FILE\n");
    };
    let file = path.to_string_lossy();
    let source = match std::fs::read_to_string(path) {
        Ok(source) => source,
        Err(error) => return fail(&format!("{file}: {error}\n")),
    };
    let program = match Program::parse(&source) {
        Ok(program) => program,
        Err(errors) => {
            let terminal = std::io::stderr().is_terminal();
            let colors = if terminal { render::Colors::On } else { render::Colors::Off };
            return fail(&render::errors(&errors, &file, colors));
        }
    };
    let text = format!(
        "{}\n{}\nin the language\n\n{}",
        program.explain_text(),
        program.sample_text(),
        program.explain_source()
    );
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
