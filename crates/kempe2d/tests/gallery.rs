//! The stories of the gallery: each runs, is right, can be drawn, and is short enough to copy from.

#[allow(dead_code, reason = "its `main` is for the example")]
#[path = "../examples/gallery/main.rs"]
mod gallery;

use std::collections::BTreeSet;

#[test]
fn every_story_is_right() {
    for family in gallery::families() {
        let name = family.name;
        let scene = (family.run)().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!scene.figures.is_empty(), "{name}");
        for figure in &scene.figures {
            assert!(figure.is_right(), "{name}: {figure:?}");
        }
        let again = (family.run)().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(scene.world.state_hash(), again.world.state_hash(), "{name}");
    }
}

#[test]
fn every_story_can_be_drawn() {
    for family in gallery::families() {
        let name = family.name;
        let scene = (family.run)().unwrap_or_else(|error| panic!("{name}: {error}"));
        let svg = gallery::drawing::svg(&scene);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{name}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
}

#[test]
fn every_story_is_short_and_has_its_own_name() {
    let families = gallery::families();
    let names: BTreeSet<&str> = families.iter().map(|family| family.name).collect();
    assert_eq!(names.len(), families.len());
    for family in &families {
        let lines = family.source.lines().count();
        assert!(lines < 100, "{} has {lines} lines", family.name);
        assert!(family.source.starts_with("//! "), "{} says nothing of itself", family.name);
        assert!(!family.source.contains("unwrap()"), "{}", family.name);
    }
}
