//! `kempe new`.

use crate::arguments::New;
use crate::failure::Failure;

pub(crate) fn run(arguments: &New) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
