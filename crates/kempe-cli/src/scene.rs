//! Scenes by their file or their name.

use crate::arguments;
use crate::failure::Failure;
use crate::speak;
use kempe_scenes::file::{self, LoadError, Loaded, Notation};
use std::path::Path;

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Bad(error.render(speak::in_colors()))
    }
}

/// Opens a scene: a file if it is called like one, else one of the gallery.
pub(crate) fn open(asked: &arguments::Scene) -> Result<Loaded, Failure> {
    open_with(&asked.scene, &asked.set)
}

/// The same with numbers set from outside.
pub(crate) fn open_with(name: &str, set: &[(String, f64)]) -> Result<Loaded, Failure> {
    let path = Path::new(name);
    if Notation::of(path).is_some() || path.exists() {
        return Ok(file::load_with(path, set)?);
    }
    let scene = kempe_scenes::scene(name).map_err(|error| Failure::Bad(error.to_string()))?;
    let model = file::export(&scene).map_err(|error| Failure::Bad(error.to_string()))?;
    let text =
        file::write(&model, Notation::Ron).map_err(|error| Failure::Bad(error.to_string()))?;
    Ok(file::parse(name, &text, Notation::Ron, set)?)
}
