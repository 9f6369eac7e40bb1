//! `kempe explain`.

use crate::arguments::Explain;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Explain) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
