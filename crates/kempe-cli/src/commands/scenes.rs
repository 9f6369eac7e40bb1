//! `kempe scenes`.

use crate::arguments::Scenes;
use crate::failure::Failure;
use crate::{scene, speak};
use kempe_scenes::file::{self, Notation};

pub(crate) fn run(arguments: &Scenes) -> Result<(), Failure> {
    match &arguments.name {
        Some(name) => speak::print(&one(name, arguments.json)?),
        None if arguments.json => speak::print(&json()?),
        None => speak::print(&all()),
    }
}

/// A scene as a file.
fn one(name: &str, json: bool) -> Result<String, Failure> {
    let text = scene::text(name)?;
    if !json {
        return Ok(text);
    }
    let loaded = file::parse(name, &text, Notation::Ron, &[])?;
    file::write(&loaded.model, Notation::Json).map_err(|error| Failure::Bad(error.to_string()))
}

/// Every scene, by group.
fn all() -> String {
    let groups = scene::groups();
    let each = groups.iter().flat_map(|(_, scenes)| scenes);
    let widest = each.map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, scenes) in &groups {
        text += &format!("{title}\n");
        for (name, about) in scenes {
            text += &format!("  {name:<widest$}  {about}\n");
        }
        text.push('\n');
    }
    text + "`kempe run NAME` simulates one, `kempe scenes NAME > FILE.ron` writes it out.\n"
}

/// The same for machines.
fn json() -> Result<String, Failure> {
    let groups = scene::groups();
    let list: Vec<serde_json::Value> = groups
        .iter()
        .flat_map(|(group, scenes)| scenes.iter().map(move |scene| (group, scene)))
        .map(|(group, (name, about))| {
            serde_json::json!({"name": name, "group": group, "about": about})
        })
        .collect();
    let text = serde_json::to_string_pretty(&list);
    Ok(text.map_err(|error| Failure::Bad(error.to_string()))? + "\n")
}
