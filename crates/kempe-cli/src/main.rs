//! The `kempe` command.
//!
//! | file | has |
//! |---|---|
//! | `arguments` | what it understands |
//! | `commands` | what it does, a file for each command |
//! | `scene` | scenes by their file or their name |
//! | `failure` | what went wrong, and the exit status |
//! | `output` | files that runs write, and summaries for people |
//! | `progress` | how far a run is |
//! | `speak` | what is said, to people and to pipes |

mod arguments;
mod commands;
mod failure;
mod output;
mod progress;
mod scene;
mod speak;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return speak::usage(&error),
    };
    let result = match arguments.command {
        None => commands::default::run(),
        Some(Command::Run(arguments)) => commands::run::run(&arguments),
        Some(Command::Check(arguments)) => commands::check::run(&arguments),
        Some(Command::Explain(arguments)) => commands::explain::run(&arguments),
        Some(Command::Compare(arguments)) => commands::compare::run(&arguments),
        Some(Command::Sweep(arguments)) => commands::sweep::run(&arguments),
        Some(Command::Scenes(arguments)) => commands::scenes::run(&arguments),
        Some(Command::New(arguments)) => commands::new::run(&arguments),
        Some(Command::Schema) => commands::schema::run(),
        Some(Command::Completions(arguments)) => commands::completions::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => speak::failure(&failure),
    }
}
