//! Figures as text: JSON, aligned columns, Markdown.

use crate::failure::Failure;
use crate::growth::Growth;
use crate::memory::Memory;
use crate::run::Figure;
use crate::targets::Target;
use serde::Serialize;
use std::fmt::Write;

/// An array of objects.
///
/// # Errors
/// If a number cannot be written.
pub fn json<T: Serialize>(rows: &[T]) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(rows);
    Ok(text.map_err(|error| Failure::Other(error.to_string()))? + "\n")
}

/// Rows of text under a heading.
#[derive(Clone, Debug)]
pub struct Table {
    heading: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// In columns, the first to the left and the others to the right.
    pub fn aligned(&self) -> String {
        let width = |column: usize| {
            let each = self.rows.iter().map(|row| row[column].chars().count());
            each.chain([self.heading[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        let mut text = String::new();
        let heading: Vec<String> = self.heading.iter().map(|&word| word.to_owned()).collect();
        for row in std::iter::once(&heading).chain(&self.rows) {
            let mut line = String::new();
            for (column, (word, width)) in row.iter().zip(&widths).enumerate() {
                let _ = match column {
                    0 => write!(line, "{word:<width$}"),
                    _ => write!(line, "  {word:>width$}"),
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// As Markdown has it.
    pub fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|---|", self.heading.join(" | "));
        text += &"---:|".repeat(self.heading.len() - 1);
        text.push('\n');
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

/// A number of three or four digits.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "–".to_owned(),
        0.0 => "0".to_owned(),
        size if !(1e-4..1e5).contains(&size) => format!("{value:.1e}"),
        size if size < 0.1 => format!("{value:.4}"),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The scenes of some figures, in their order.
pub fn scenes(figures: &[Figure]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for figure in figures {
        if !names.contains(&&figure.scene[..]) {
            names.push(&figure.scene);
        }
    }
    names
}

/// What the engines did on a scene, with their times by Kempe's.
pub fn of_scene(figures: &[Figure], scene: &str) -> Table {
    let heading = vec![
        "engine",
        "threads",
        "ms median",
        "ms min",
        "spread",
        "× kempe",
        "gap max",
        "gap mean",
        "energy drift",
    ];
    let mut rows = Vec::new();
    for figure in figures.iter().filter(|figure| figure.scene == scene) {
        let kempe = figures.iter().find(|kempe| {
            kempe.scene == scene && kempe.threads == figure.threads && kempe.engine == "kempe"
        });
        let rope = scene_has_rods(scene) && figure.engine.starts_with("rapier");
        rows.push(vec![
            format!("{}{}", figure.engine, if rope { " (rope)" } else { "" }),
            figure.threads.to_string(),
            number(figure.ms_median),
            number(figure.ms_min),
            format!("{:.0} %", 100.0 * figure.spread),
            kempe.map_or("–".to_owned(), |kempe| {
                format!("{:.2}", figure.ms_median / kempe.ms_median)
            }),
            number(figure.gap_max),
            number(figure.gap_mean),
            number(figure.energy_drift),
        ]);
    }
    Table { heading, rows }
}

/// Whether Rapier's rope stands for rods.
fn scene_has_rods(scene: &str) -> bool {
    matches!(scene, "cloth" | "mixed")
}

/// Growth.
pub fn of_growth(rows: &[Growth]) -> Table {
    let heading = vec!["scene", "threads", "joints", "ms", "ns per joint", "bytes per joint"];
    let row = |row: &Growth| {
        vec![
            row.scene.to_owned(),
            row.threads.to_string(),
            row.joints.to_string(),
            number(row.ms),
            number(row.ns_per_joint),
            format!("{:.0}", row.bytes_per_joint),
        ]
    };
    Table { heading, rows: rows.iter().map(row).collect() }
}

/// Memory.
pub fn of_memory(rows: &[Memory]) -> Table {
    let heading = vec![
        "scene",
        "bodies",
        "joints",
        "Kempe, bytes per body",
        "Box2D, bytes per body",
        "allocations per step, 1T 2T",
        "with text",
        "with user joints",
    ];
    let calls = |[one, two]: [f64; 2]| format!("{} {}", number(one), number(two));
    let row = |row: &Memory| {
        vec![
            row.scene.to_owned(),
            row.bodies.to_string(),
            row.joints.to_string(),
            format!("{:.0}", row.kempe_bytes_per_body),
            row.box2d_bytes_per_body.map_or("–".to_owned(), |bytes| format!("{bytes:.0}")),
            calls(row.kempe_allocations_per_step),
            calls(row.text_allocations_per_step),
            calls(row.user_allocations_per_step),
        ]
    };
    Table { heading, rows: rows.iter().map(row).collect() }
}

/// What is reached.
pub fn of_targets(targets: &[Target]) -> Table {
    let heading = vec!["what", "is", "wanted", "reached"];
    let row = |target: &Target| {
        let bound = if target.at_least { "≥" } else { "≤" };
        vec![
            target.what.clone(),
            number(target.got),
            format!("{bound} {}", target.wanted),
            if target.is_met() { "yes" } else { "no" }.to_owned(),
        ]
    };
    Table { heading, rows: targets.iter().map(row).collect() }
}
