//! `kempe check`.

use crate::arguments::Check;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Check) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
