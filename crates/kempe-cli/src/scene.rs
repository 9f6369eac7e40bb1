//! Scenes by their file or their name.

use crate::arguments;
use crate::failure::Failure;
use crate::speak;
use kempe_scenes::file::{self, LoadError, Loaded, Notation};
use std::fmt;
use std::path::Path;

/// Why a scene could not be had.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// What is wrong with its text.
    Load(LoadError),
    /// There is none, or it cannot be written as a file.
    Other(String),
}

impl fmt::Display for Trouble {
    /// A line for each mistake.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl From<LoadError> for Trouble {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Bad(error.render(speak::in_colors()))
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Load(error) => error.into(),
            Trouble::Other(text) => Self::Bad(text),
        }
    }
}

/// Opens a scene: a file if it is called like one, else one of the gallery.
pub(crate) fn open(asked: &arguments::Scene) -> Result<Loaded, Failure> {
    Ok(load(&asked.scene, &asked.set)?)
}

/// The same with numbers set from outside.
pub(crate) fn load(name: &str, set: &[(String, f64)]) -> Result<Loaded, Trouble> {
    let path = Path::new(name);
    if Notation::of(path).is_some() || path.exists() {
        return Ok(file::load_with(path, set)?);
    }
    Ok(file::parse(name, &text(name)?, Notation::Ron, set)?)
}

/// A scene by its name, as a file has it.
pub(crate) fn text(name: &str) -> Result<String, Trouble> {
    let other = |error: &dyn fmt::Display| Trouble::Other(error.to_string());
    let scene = kempe_scenes::scene(name).map_err(|error| match &error {
        kempe_scenes::Error::Unknown(unknown) if unknown.near.is_empty() => Trouble::Other(
            format!("{error}; `kempe scenes` lists them, and files end in .ron or .json"),
        ),
        _ => other(&error),
    })?;
    let mut model = file::export(&scene).map_err(|error| other(&error))?;
    let about = kempe_scenes::names().find(|(each, _)| *each == name);
    model.about = about.map(|(_, about)| about.to_owned());
    file::write(&model, Notation::Ron).map_err(|error| other(&error))
}

/// Names of scenes, and what each is in a line.
pub(crate) type Listed = Vec<(&'static str, &'static str)>;

/// Every scene that has a name, in groups with a title.
pub(crate) fn groups() -> Vec<(&'static str, Listed)> {
    let built = |passive: bool| -> Listed {
        let entries = kempe_scenes::catalogue().iter().filter(|entry| entry.passive == passive);
        entries.map(|entry| (entry.name, entry.about)).collect()
    };
    vec![
        ("Moved by weight and momentum alone", built(true)),
        ("With motors, springs, friction or stops", built(false)),
    ]
}
