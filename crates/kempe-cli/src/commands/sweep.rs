//! `kempe sweep`.

use crate::arguments::Sweep;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Sweep) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
