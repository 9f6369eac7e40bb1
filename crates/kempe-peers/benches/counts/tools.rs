//! Whether everything is there that counting needs.

use std::fmt;
use std::process::Command;

/// The version of the runner must be that of the library; see the workspace's dependencies.
const VERSION: &str = "0.20.0";

/// Why nothing can be counted here.
#[derive(Debug)]
pub enum Missing {
    /// This program has instructions that valgrind does not know.
    Instructions,
    /// There is no valgrind.
    Valgrind,
    /// There is no runner.
    Runner,
    /// There is one of another version.
    Version(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let install = format!("cargo install gungraun-runner --version {VERSION}");
        match self {
            Self::Instructions => write!(
                f,
                "this program was built with AVX-512, which valgrind does not know. Build it for \
                 any processor:\n    RUSTFLAGS=\"\" cargo bench -p kempe-peers --bench counts"
            ),
            Self::Valgrind => write!(f, "valgrind cannot be run. Install it, and try again."),
            Self::Runner => write!(
                f,
                "gungraun-runner cannot be run. Install it, and try again; where it is not on the \
                 PATH, build with GUNGRAUN_RUNNER set to where it is:\n    {install}"
            ),
            Self::Version(found) => {
                write!(
                    f,
                    "this needs version {VERSION} of gungraun-runner, not {found}:\n    {install}"
                )
            }
        }
    }
}

/// Looks for what is needed.
pub fn look() -> Result<(), Missing> {
    if cfg!(target_feature = "avx512f") {
        return Err(Missing::Instructions);
    }
    answer("valgrind").ok_or(Missing::Valgrind)?;
    // The library looks for it in the same places.
    let runner = option_env!("GUNGRAUN_RUNNER").unwrap_or("gungraun-runner");
    let told = answer(runner).ok_or(Missing::Runner)?;
    match told.split_whitespace().last() {
        Some(VERSION) => Ok(()),
        found => Err(Missing::Version(found.unwrap_or("one that does not tell").to_owned())),
    }
}

/// What a program says of its version, if it can be run.
fn answer(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
