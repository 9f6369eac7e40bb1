//! `kempe schema`.

use crate::failure::Failure;

pub(crate) fn run() -> Result<(), Failure> {
    Err(Failure::Bad("schema".to_owned()))
}
