//! `kempe scenes`.

use crate::arguments::Scenes;
use crate::failure::Failure;

pub(crate) fn run(arguments: &Scenes) -> Result<(), Failure> {
    Err(Failure::Bad(format!("{arguments:?}")))
}
