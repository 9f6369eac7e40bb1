//! How accurate the real-time solver is on problems that are known to many digits.
//!
//! ```text
//! cargo run --release -p kempe-scenes --example accuracy -- --json
//! ```
//!
//! A table without `--json`. The exit status is 1 if a bound that decides is missed, 2 if something
//! else went wrong.

use kempe_scenes::{accuracy, listing};
use std::process::ExitCode;

fn main() -> ExitCode {
    listing::command("accuracy", |json| {
        let found = accuracy::measure()?;
        let text = if json { accuracy::json(&found)? } else { accuracy::table(&found) };
        Ok((text, accuracy::passes(&found)))
    })
}
