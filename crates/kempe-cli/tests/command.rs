//! The command as a user runs it.
//!
//! What it says is compared with the files in `golden`; `KEMPE_UPDATE_GOLDEN=1 cargo test -p kempe-cli`
//! writes them anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

#[path = "command/common.rs"]
mod common;
#[path = "command/golden.rs"]
mod golden;
#[path = "command/pipe.rs"]
mod pipe;
#[path = "command/sweep.rs"]
mod sweep;
#[path = "command/tools.rs"]
mod tools;
