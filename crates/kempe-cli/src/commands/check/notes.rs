//! What of a scene looks like a mistake, though it loads.

use super::names::Names;
use kempe_scenes::file::{BodyKind as Kind, Loaded};
use kempe2d::{BodyId, BodyKind, JointDef, JointId, JointKind};
use std::collections::HashSet;

/// Each in a sentence.
pub(super) fn notes(loaded: &Loaded, names: &Names) -> Vec<String> {
    let mut notes = Vec::new();
    bodies(loaded, names, &mut notes);
    joints(loaded, names, &mut notes);
    parameters(loaded, &mut notes);
    notes
}

fn bodies(loaded: &Loaded, names: &Names, notes: &mut Vec<String>) {
    let world = &loaded.world;
    let joined: HashSet<BodyId> =
        world.joints().flat_map(|(_, joint)| joint.bodies().iter().copied()).collect();
    for (id, body) in world.bodies() {
        let name = names.the_body(id);
        if !body.is_enabled() {
            notes.push(format!("{name} is disabled"));
        } else if !joined.contains(&id) && world.ground_body() != Some(id) {
            // Scenery.
            if body.kind() == BodyKind::Static && !body.shapes().is_empty() {
                continue;
            }
            let how = match body.kind() {
                BodyKind::Dynamic => "it moves by itself",
                BodyKind::Static => "it does nothing",
                BodyKind::Kinematic => "it moves nothing",
            };
            notes.push(format!("no joint refers to {name}: {how}"));
        }
    }
    // A ground that the scene does not list stands before all others.
    let first = world.bodies().next().map(|(id, _)| id);
    let listed = loaded.model.bodies.iter().any(|body| body.kind == Some(Kind::Ground));
    let before = usize::from(first.is_some() && first == world.ground_body() && !listed);
    let ids = world.bodies().skip(before).map(|(id, _)| id);
    for (id, body) in ids.zip(&loaded.model.bodies) {
        let dynamic = body.kind.is_none_or(|kind| kind == Kind::Dynamic);
        if dynamic && body.mass.is_none() && body.shapes.is_empty() {
            let name = names.the_body(id);
            notes.push(format!(
                "{name} has neither mass nor shapes: it is taken to have 1 kg and 1 kg·m²"
            ));
        }
    }
}

fn joints(loaded: &Loaded, names: &Names, notes: &mut Vec<String>) {
    let world = &loaded.world;
    let coupled: HashSet<JointId> = world
        .joints()
        .filter_map(|(_, joint)| match joint.kind() {
            JointKind::Coupling { terms, .. } => Some(terms.iter().map(|term| term.joint)),
            _ => None,
        })
        .flatten()
        .collect();
    let probed: HashSet<&str> =
        loaded.model.probes.iter().filter_map(|probe| probe.joint.as_deref()).collect();
    for (id, joint) in world.joints() {
        let def = joint.def();
        let name = names.joint(id);
        let moves = |id: &BodyId| world.body(*id).is_some_and(|b| b.kind() == BodyKind::Dynamic);
        if !def.enabled {
            notes.push(format!("joint `{name}` is disabled"));
        } else if !def.bodies.iter().any(moves) {
            notes.push(format!("joint `{name}` is between bodies that no force moves"));
        } else if idle(&def) && !coupled.contains(&id) && !probed.contains(name.as_str()) {
            let kind = def.kind.name();
            notes.push(format!(
                "joint `{name}` does nothing: a {kind} joint holds nothing by itself, and nothing \
                 acts on its axes"
            ));
        }
    }
}

/// Whether nothing comes of a joint.
fn idle(def: &JointDef) -> bool {
    let silent = !matches!(
        def.kind,
        JointKind::Drive { .. } | JointKind::Filter | JointKind::Text(_) | JointKind::User(_)
    );
    let free = kempe2d::Axis::default();
    silent && def.kind.hold_count() == 0 && def.axes.iter().all(|axis| *axis == free)
}

/// Parameters that no expression names.
fn parameters(loaded: &Loaded, notes: &mut Vec<String>) {
    if loaded.model.parameters.0.is_empty() {
        return;
    }
    let mut used = HashSet::new();
    if let Ok(tree) = serde_json::to_value(&loaded.model) {
        words("", &tree, &mut used);
    }
    for (name, _) in loaded.model.parameters.0.iter().filter(|(name, _)| !used.contains(name)) {
        notes.push(format!("parameter `{name}` is never used"));
    }
}

/// Names in the texts of a tree that can be expressions.
fn words(field: &str, tree: &serde_json::Value, found: &mut HashSet<String>) {
    match tree {
        serde_json::Value::String(text) => {
            let plain = [
                "name", "about", "program", "file", "body", "joint", "bodies", "kind", "what",
                "probe", "solver", "then", "direct",
            ];
            if !plain.contains(&field) {
                let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                found.extend(parts.map(str::to_owned));
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|each| words(field, each, found)),
        // Bodies of a program are by name.
        serde_json::Value::Object(_) if field == "bodies" && tree.get("name").is_none() => {
            let bodies = tree.as_object().into_iter().flatten();
            bodies
                .filter(|(_, each)| !each.is_string())
                .for_each(|(key, each)| words(key, each, found));
        }
        serde_json::Value::Object(map) => {
            map.iter().for_each(|(key, each)| words(key, each, found));
        }
        _ => {}
    }
}
