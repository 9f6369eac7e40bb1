//! The tables for those who come from other engines: every name exists, and every joint is built.

mod builders;
mod sources;

use builders::{BUILDERS, Bench};
use sources::Sources;
use std::collections::BTreeSet;

const TABLES: [(&str, &str); 5] = [
    ("box2d", include_str!("../../docs/coming-from/box2d.md")),
    ("chipmunk", include_str!("../../docs/coming-from/chipmunk.md")),
    ("jolt", include_str!("../../docs/coming-from/jolt.md")),
    ("nape", include_str!("../../docs/coming-from/nape.md")),
    ("rapier", include_str!("../../docs/coming-from/rapier.md")),
];

struct Row {
    /// `file: line`.
    text: String,
    theirs: &'static str,
    here: &'static str,
    notes: &'static str,
}

fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

impl Row {
    /// What the row names here. In the notes their names are beside ours, so that only paths count.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        quoted(self.here).chain(quoted(self.notes).filter(|name| name.contains("::")))
    }
}

/// Every row of every table.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (file, text) in TABLES {
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let text = format!("{file}: {line}");
            let inner = line.strip_prefix('|').and_then(|line| line.strip_suffix('|'));
            let cells: Vec<&str> = inner.unwrap_or(line).split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 3, "{text}");
            let [theirs, here, notes] = [cells[0], cells[1], cells[2]];
            if theirs.starts_with("---") {
                continue;
            }
            if theirs == "Theirs" {
                assert_eq!([here, notes], ["Here", "Notes"], "{text}");
                continue;
            }
            rows.push(Row { text, theirs, here, notes });
        }
    }
    rows
}

#[test]
fn every_row_has_a_name_or_a_reason() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(!row.theirs.is_empty(), "of what: {}", row.text);
        let file = row.text.split(':').next().unwrap();
        assert!(seen.insert((file.to_owned(), row.theirs)), "twice: {}", row.text);
        if row.here == "none" {
            assert!(row.notes.len() > 4, "no name and no reason: {}", row.text);
        } else {
            assert!(quoted(row.here).next().is_some(), "neither a name nor `none`: {}", row.text);
        }
    }
}

#[test]
fn every_name_exists() {
    let sources = Sources::read();
    for row in rows() {
        for name in row.names() {
            assert!(sources.has(name), "there is no `{name}`: {}", row.text);
        }
    }
}

#[test]
fn names_that_do_not_exist_are_found() {
    let sources = Sources::read();
    for name in [
        "World::joint_angle",
        "JointDef::lower",
        "JointDef::ball",
        "Event::Snapped",
        "Softness::Springy",
        "Contact",
        "Kernel",
        "compat::box2d::RopeJointDef",
        "compat::chipmunk::weld_joint",
        "compat::nape::Options::error_bias",
        "equation::Program::draw",
        "anchor_c",
    ] {
        assert!(!sources.has(name), "`{name}`");
    }
    assert!(sources.makes_a_joint("JointDef::gears") && !sources.makes_a_joint("JointDef::bodies"));
    assert!(
        sources.makes_a_joint("World::slot_at") && !sources.makes_a_joint("World::remove_joint")
    );
}

#[test]
fn every_constructor_makes_a_joint_that_steps() {
    let sources = Sources::read();
    let mut used = BTreeSet::new();
    for row in rows() {
        for name in row.names().filter(|name| sources.makes_a_joint(name)) {
            let builder = BUILDERS.iter().find(|(path, _)| *path == name);
            let (path, build) =
                builder.unwrap_or_else(|| panic!("not tried `{name}`: {}", row.text));
            if used.insert(*path) {
                Bench::new().try_out(path, *build);
            }
        }
    }
    for (path, _) in BUILDERS {
        assert!(used.contains(path), "no row has `{path}`");
    }
}

#[test]
fn every_constructor_is_in_a_table() {
    let rows = rows();
    let constructors = Sources::read().constructors();
    assert!(constructors.len() > 40, "{constructors:?}");
    for path in constructors {
        let named = rows.iter().any(|row| quoted(row.here).any(|name| name == path));
        assert!(named, "no row has `{path}`");
    }
}
