//! `kempe schema`.

use crate::failure::Failure;
use crate::speak;
use kempe_scenes::file;

pub(crate) fn run() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&file::schema())
        .map_err(|error| Failure::Bad(format!("the schema cannot be written: {error}")))?;
    speak::print(&(text + "\n"))
}
