//! Scenes by their file or their name.

use crate::arguments;
use crate::failure::Failure;
use crate::speak;
use kempe_scenes::file::{self, LoadError, Loaded, Notation};
use kempe_scenes::gallery;
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

/// A scene by its name, as a file has it: one of the gallery, or else one that is built.
pub(crate) fn text(name: &str) -> Result<String, Trouble> {
    if let Some(example) = gallery::find(name) {
        return Ok(example.whole().into_owned());
    }
    let other = |error: &dyn fmt::Display| Trouble::Other(error.to_string());
    let Some(entry) = gallery::others().find(|entry| entry.name == name) else {
        let unknown = gallery::unknown(name);
        let files = ["ron", "json"].map(|ending| format!("{name}.{ending}"));
        if let Some(file) = files.iter().find(|file| Path::new(file).exists()) {
            return Err(Trouble::Other(format!("{unknown}; did you mean the file `{file}`?")));
        }
        let hint = match unknown.near.is_empty() {
            true => "; `kempe scenes` lists them, and files end in .ron or .json",
            false => "",
        };
        return Err(Trouble::Other(format!("{unknown}{hint}")));
    };
    let scene = entry.build().map_err(|error| other(&error))?;
    let mut model = file::export(&scene).map_err(|error| other(&error))?;
    model.about = Some(entry.about.to_owned());
    file::write(&model, Notation::Ron).map_err(|error| other(&error))
}

/// Names of scenes, and what each is in a line.
pub(crate) type Listed = Vec<(&'static str, &'static str)>;

/// Every scene that has a name, in groups with a title: those of the gallery, then those that are built.
pub(crate) fn groups() -> Vec<(&'static str, Listed)> {
    let mut groups: Vec<(&'static str, Listed)> = Vec::new();
    for example in gallery::gallery() {
        let listed = (example.name, example.about());
        match groups.last_mut() {
            Some((title, list)) if *title == example.group => list.push(listed),
            _ => groups.push((example.group, vec![listed])),
        }
    }
    let built = |passive: bool| -> Listed {
        let entries = gallery::others().filter(|entry| entry.passive == passive);
        entries.map(|entry| (entry.name, entry.about)).collect()
    };
    groups.push(("More, moved by weight and momentum alone", built(true)));
    groups.push(("More, with motors, springs, friction or stops", built(false)));
    groups
}
