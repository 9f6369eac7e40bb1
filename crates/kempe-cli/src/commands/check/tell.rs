//! What was found, in words.

use super::find::{Assembly, Axis, Found, Mobility};
use std::fmt::Write as _;

/// So many of a kind are told; there may be thousands.
const TOLD: usize = 20;
/// Below this nothing was open or moved that anyone could see, m and rad.
const SLIGHT: f64 = 1e-9;

pub(super) fn tell(found: &Found) -> String {
    let mut text = String::new();
    let verdict = if found.sound { "sound" } else { "not sound" };
    // Writing to a text does not fail.
    let _ = writeln!(text, "{}: {verdict}\n", found.scene);
    let verb = if found.moving_bodies == 1 { "moves" } else { "move" };
    let _ = writeln!(text, "  bodies      {} that {verb}", found.moving_bodies);
    let _ = writeln!(text, "  joints      {}", found.joints);
    assembly(&mut text, &found.assembly);
    if let Some(mobility) = &found.mobility {
        tell_mobility(&mut text, mobility, &found.assembly);
    }
    if !found.notes.is_empty() {
        text.push_str("\nnotes\n");
        some(&mut text, found.notes.iter().cloned());
    }
    text
}

fn assembly(text: &mut String, found: &Assembly) {
    let open = found.open_m.max(found.open_rad);
    if !found.closed {
        text.push_str("  assembled   it cannot be\n");
    } else if open <= SLIGHT && found.moved_m.max(found.turned_rad) <= SLIGHT {
        text.push_str("  assembled   closed as it is drawn\n");
    } else {
        let worst = found.worst.as_deref().unwrap_or("");
        let open = both(found.open_m, found.open_rad);
        let _ = writeln!(text, "  assembled   as drawn it was open by {open} (most at `{worst}`)");
        let moved = both(found.moved_m, found.turned_rad);
        let furthest = match &found.furthest {
            Some(name) => format!(" (furthest `{name}`)"),
            None => String::new(),
        };
        let _ = writeln!(text, "              bodies were moved by up to {moved}{furthest}");
        if found.attempts > 1 {
            let attempts = found.attempts;
            let _ =
                writeln!(text, "              it took {attempts} attempts from positions nearby");
        }
    }
    if found.open_m.max(found.open_rad) > SLIGHT && !found.closed {
        let open = both(found.open_m, found.open_rad);
        let _ = writeln!(text, "              as drawn it is open by {open}");
    }
}

/// Of a length and an angle, those that there are.
fn both(length: f64, angle: f64) -> String {
    match (length > SLIGHT, angle > SLIGHT) {
        (true, true) => format!("{} m and {} rad", short(length), short(angle)),
        (false, true) => format!("{} rad", short(angle)),
        (_, false) => format!("{} m", short(length)),
    }
}

pub(super) fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        _ if (1e-3..1e4).contains(&value.abs()) => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

fn tell_mobility(text: &mut String, found: &Mobility, assembly: &Assembly) {
    let Mobility { mobility, grubler, freedoms, rows, rank, .. } = found;
    let drawn = if assembly.closed { "" } else { ", as it is drawn" };
    let _ = writeln!(
        text,
        "  mobility    {mobility}: {freedoms} freedoms less {rank} independent rows{drawn}"
    );
    let _ = writeln!(text, "              Grübler's count: {freedoms} − {rows} = {grubler}");
    for (heading, axes) in [("driven", &found.driven), ("at a stop", &found.at_stops)] {
        if !axes.is_empty() {
            let axes: Vec<String> = axes.iter().take(TOLD).map(axis).collect();
            let _ = writeln!(text, "  {heading:<10}  {}", axes.join(", "));
        }
    }
    if found.mechanisms.len() > 1 || found.mechanisms.iter().any(|each| each.nearness.is_some()) {
        text.push_str("\nmechanisms\n");
        some(
            text,
            found.mechanisms.iter().map(|each| {
                let near = match each.nearness {
                    Some(nearness) if nearness < 1e-6 => "; at a singular position".to_owned(),
                    Some(nearness) => format!("; {nearness:.3} from a singular position (0 to 1)"),
                    None => String::new(),
                };
                let (mobility, grubler) = (each.mobility, each.grubler);
                let bodies = list(&each.bodies);
                format!("{bodies}\n    mobility {mobility}, Grübler's count {grubler}{near}")
            }),
        );
    }
    if !found.redundant.is_empty() {
        text.push_str("\nredundant\n");
        some(
            text,
            found.redundant.iter().map(|each| {
                let (joint, what) = (&each.joint, &each.what);
                let says = match (&each.repeats[..], each.everywhere) {
                    ([], _) => "holds nothing that moves".to_owned(),
                    (rows, _) if assembly.contradicting.contains(joint) => {
                        format!("contradicts {}", list(rows))
                    }
                    (rows, true) => format!("repeats {}", list(rows)),
                    (rows, false) => format!("repeats {}, at this position only", list(rows)),
                };
                let row = if what.starts_with("row") { String::new() } else { row(each.row) };
                format!("{what} of `{joint}`{row} {says}")
            }),
        );
    }
}

fn row(row: usize) -> String {
    format!(" (row {row})")
}

fn axis(axis: &Axis) -> String {
    match axis.axis {
        0 => format!("`{}`", axis.joint),
        other => format!("`{}` (axis {other})", axis.joint),
    }
}

fn list(names: &[String]) -> String {
    let told = names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(8).filter(|more| *more > 0) {
        Some(more) => format!("{told} and {more} more"),
        None => told,
    }
}

fn some(text: &mut String, lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(TOLD);
    for line in lines.take(TOLD) {
        wrapped(text, &line);
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more");
    }
}

/// A line that is broken between words; what goes on is further in.
fn wrapped(text: &mut String, line: &str) {
    for (part, line) in line.lines().enumerate() {
        // What follows a first line of its own has its blanks.
        let line = if part == 0 { format!("  {line}") } else { line.to_owned() };
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if column + length > 100 {
                text.truncate(text.trim_end().len());
                text.push_str("\n    ");
                column = 4;
            }
            text.push_str(word);
            column += word.chars().count();
        }
        text.push('\n');
    }
}
