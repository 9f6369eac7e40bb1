//! `kempe completions`.

use crate::arguments::Completions;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Completions) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
