//! What went wrong.

use std::fmt;
use std::path::Path;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input, or something that could not be done: exit status 2.
    Bad(String),
    /// It was done, and what a scene expects does not hold, or it is not sound: exit status 1.
    Unmet(String),
}

impl Failure {
    /// Something about a file or a folder.
    pub(crate) fn of_file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::Bad(format!("{}: {error}", path.display()))
    }

    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Bad(_) => 2,
            Self::Unmet(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Bad(text) | Self::Unmet(text)) = self;
        f.write_str(text.trim_end())
    }
}
