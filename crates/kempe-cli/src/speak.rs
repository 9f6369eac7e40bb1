//! What is said, to people and to pipes.

use crate::failure::Failure;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

/// Writes to standard output. A reader that closes the pipe early has what it wanted.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Bad(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error, where nobody may be listening.
pub(crate) fn note(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Whether errors are for a terminal, in colours.
pub(crate) fn in_colors() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Tells why arguments make no sense; or what was asked about them.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        note(&text);
        return ExitCode::from(2);
    }
    match print(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

pub(crate) fn failure(failure: &Failure) -> ExitCode {
    note(&format!("{failure}\n"));
    ExitCode::from(failure.status())
}
