//! What is made for other programs, and files that are written.

use crate::common::{Scratch, kempe, output, text};
use std::collections::HashSet;

#[test]
fn the_schema_is_one_of_scenes() {
    let schema: serde_json::Value = serde_json::from_slice(&output(&["schema"]).stdout).unwrap();
    for section in ["bodies", "joints", "probes", "expect"] {
        assert!(schema["properties"][section].is_object(), "{section}");
    }
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let told = output(&["completions", shell]);
        let said = text(&told.stdout);
        assert!(told.status.success() && said.contains("sweep") && said.contains("param"));
    }
}

#[test]
fn scenes_of_the_gallery_are_printed_as_they_are() {
    for example in kempe_scenes::gallery::gallery() {
        let told = output(&["scenes", example.name]);
        assert!(told.status.success() && text(&told.stdout) == example.whole(), "{}", example.name);
    }
}

#[test]
fn each_listed_scene_is_there_once_and_can_be_written() {
    let listed: serde_json::Value =
        serde_json::from_slice(&output(&["scenes", "--json"]).stdout).unwrap();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect();
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    assert!(names.len() >= 50);
    let plain = text(&output(&["scenes"]).stdout);
    assert!(names.iter().all(|name| plain.contains(&format!("\n  {name} "))));
    for name in ["hung_rod", "geneva_drive", "orbit", "wheel", "watt", "tackle"] {
        let scratch = Scratch::new(&format!("scene-{name}"));
        for (ending, flag) in [("ron", &[][..]), ("json", &["--json"][..])] {
            let told = output(&[&["scenes", name], flag].concat());
            assert!(told.status.success(), "{name}");
            let path = scratch.path(&format!("it.{ending}"));
            std::fs::write(&path, &told.stdout).unwrap();
            let checked = output(&["check", &path, "--json"]);
            assert!(checked.status.success(), "{name} {}", text(&checked.stderr));
        }
    }
}

#[test]
fn a_new_scene_loads_and_is_never_overwritten() {
    let scratch = Scratch::new("new");
    let new = |name: &str| kempe(&["new", name]).current_dir(&scratch.0).output().unwrap();
    for (name, file) in [("crank", "crank.ron"), ("crank.json", "crank.json")] {
        let told = new(name);
        assert!(told.status.success() && text(&told.stdout).contains(&format!("kempe run {file}")));
        let path = scratch.path(file);
        let checked = output(&["check", &path]);
        assert!(checked.status.success());
        let said = text(&checked.stdout);
        assert!(said.contains("sound") && !said.contains("notes"), "{said}");
        std::fs::write(&path, "mine").unwrap();
        let again = new(name);
        assert_eq!(again.status.code(), Some(2));
        assert!(text(&again.stderr).contains("there already"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
    assert_eq!(new("no/such").status.code(), Some(2));
}

#[test]
fn a_check_for_machines_says_the_same() {
    let of = |scene: &str| -> (i32, serde_json::Value) {
        let told = output(&["check", scene, "--json"]);
        (told.status.code().unwrap(), serde_json::from_slice(&told.stdout).unwrap())
    };
    let (status, sound) = of("sound.ron");
    assert_eq!((status, sound["sound"].as_bool()), (0, Some(true)));
    assert_eq!(sound["mobility"]["mobility"], 1);
    let (status, redundant) = of("redundant.ron");
    assert_eq!(status, 0);
    let mobility = &redundant["mobility"];
    assert_eq!((&mobility["mobility"], &mobility["grubler"]), (&1.into(), &0.into()));
    assert_eq!(mobility["redundant"][0]["everywhere"], true);
    let (status, singular) = of("singular.ron");
    assert_eq!((status, singular["mobility"]["singular"].as_bool()), (1, Some(true)));
    let (status, torn) = of("contradiction.ron");
    assert_eq!((status, torn["assembly"]["closed"].as_bool()), (1, Some(false)));
    let named = torn["assembly"]["contradicting"].as_array().unwrap();
    assert_eq!(named.len(), 2);
    let (status, sketch) = of("sketch.ron");
    assert_eq!(status, 0);
    assert!(sketch["assembly"]["open_m"].as_f64().unwrap() > 0.01);
    assert!(sketch["assembly"]["moved_m"].as_f64().unwrap() > 0.001);
    assert!(sketch["assembly"]["left"].as_f64().unwrap() < 1e-9);
}
