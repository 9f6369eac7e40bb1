//! Scenes in files.
#![expect(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

mod docs;
mod errors;
mod export;
mod joints;
mod large;
mod measures;
mod parameters;
mod safety;

use kempe_scenes::file::{self, LoadError, Loaded, Notation};

/// Loads a scene in RON.
fn ron(text: &str) -> Result<Loaded, LoadError> {
    file::parse("scene.ron", text, Notation::Ron, &[])
}

/// Loads a scene in RON with numbers set from outside.
fn ron_with(text: &str, overrides: &[(&str, f64)]) -> Result<Loaded, LoadError> {
    let overrides: Vec<(String, f64)> =
        overrides.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    file::parse("scene.ron", text, Notation::Ron, &overrides)
}
