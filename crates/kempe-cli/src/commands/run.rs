//! `kempe run`.

use crate::arguments::Run;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Run) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
