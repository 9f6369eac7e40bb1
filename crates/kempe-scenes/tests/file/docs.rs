//! The examples of the documentation load and run, and its tables name every field.

use kempe_scenes::file::{self, Notation};
use kempe_scenes::run;
use std::collections::BTreeSet;

const DOCS: &str = include_str!("../../../../docs/scenes.md");

/// The blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let parts = DOCS.split(open.as_str()).skip(1);
    parts.map(|part| part.split("\n```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_scene_of_the_readme_does_what_it_expects() {
    let text = include_str!("../../../../README.md").split("```ron\n").nth(1).unwrap();
    let text = text.split("\n```").next().unwrap();
    let scene = file::parse("README.md", text, Notation::Ron, &[]).unwrap();
    for solver in [file::Solver::RealTime, file::Solver::Reference] {
        let options = run::Options { solver, ..run::Options::of(&scene) };
        let recording = run::run(&scene, &options, &mut run::unwatched).unwrap();
        assert!(recording.is_as_expected() && recording.verdicts.len() == 2);
    }
}

#[test]
fn the_examples_load_and_run() {
    let mut loaded = 0;
    for (language, notation) in [("ron", Notation::Ron), ("json", Notation::Json)] {
        for text in blocks(language) {
            let scene = file::parse(language, &text, notation, &[]);
            let mut scene = scene.unwrap_or_else(|error| panic!("{}", error.render(false)));
            for _ in 0..10 {
                scene.world.step(scene.plan.step).unwrap();
            }
            let values = scene.read(&scene.world);
            assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
            loaded += 1;
        }
    }
    assert_eq!(loaded, 6);
    let [ron, json] = [&blocks("ron")[0], &blocks("json")[0]];
    let ron = file::parse("ron", ron, Notation::Ron, &[]).unwrap();
    let json = file::parse("json", json, Notation::Json, &[]).unwrap();
    assert_eq!(ron.model, json.model);
    assert_eq!(ron.world.state_hash(), json.world.state_hash());
}

/// The names of all fields and of all words of a schema.
fn names(schema: &serde_json::Value, found: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(map) => {
            if let Some(serde_json::Value::Object(fields)) = map.get("properties") {
                found.extend(fields.keys().cloned());
            }
            if let Some(serde_json::Value::String(word)) = map.get("const") {
                found.insert(word.clone());
            }
            map.values().for_each(|value| names(value, found));
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let mut found = BTreeSet::new();
    names(&file::schema(), &mut found);
    assert!(found.len() > 120, "{}", found.len());
    let part = |c: char| !(c.is_alphanumeric() || c == '_');
    let reference = DOCS.split("## All fields").nth(1).unwrap();
    let told: BTreeSet<&str> = reference.split(part).collect();
    let missing: Vec<&String> = found.iter().filter(|name| !told.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
