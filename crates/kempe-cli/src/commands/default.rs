//! `kempe default`.

use crate::failure::Failure;

pub(crate) fn run() -> Result<(), Failure> {
    Err(Failure::Bad("default".to_owned()))
}
