//! How accurate the reference solver is on problems that are known to many digits, and what it costs.
//!
//! ```text
//! cargo run --release -p kempe-scenes --example reference -- --json
//! ```
//!
//! A table without `--json`. The exit status is 1 if a bound that decides is missed, 2 if something
//! else went wrong; times decide nothing.

use kempe_scenes::{listing, precision};
use std::process::ExitCode;

fn main() -> ExitCode {
    listing::command("reference", |json| {
        let found = precision::measure()?;
        let text = if json { precision::json(&found)? } else { precision::table(&found) };
        Ok((text, precision::passes(&found)))
    })
}
