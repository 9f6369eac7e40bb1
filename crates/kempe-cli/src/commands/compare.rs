//! `kempe compare`.

use crate::arguments::Compare;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Compare) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
