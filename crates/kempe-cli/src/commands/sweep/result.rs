//! What is kept of a run: a line of the table.

use super::plan::Plan;
use kempe_scenes::run::{self, Outcome, Recording};

/// Behind those of the probes.
const COLUMNS: [&str; 8] = [
    "joint error (m)",
    "joint error (rad)",
    "energy drift (J)",
    "expectations met",
    "expectations unmet",
    "expectations skipped",
    "events",
    "error",
];

/// The names of the columns.
pub(super) fn header(plan: &Plan) -> String {
    let mut cells = vec![quoted(&plan.parameter)];
    for (name, _) in &plan.probes {
        for what in ["final", "min", "max"] {
            cells.push(quoted(&format!("{name} {what}")));
        }
    }
    cells.extend(COLUMNS.map(str::to_owned));
    cells.join(",")
}

/// Runs the scene with one of the values.
pub(super) fn line(plan: &Plan, index: usize) -> String {
    let result = plan.load(index).map_err(|trouble| trouble.to_string()).and_then(|loaded| {
        let options = plan.options(&loaded);
        let recording = run::run(&loaded, &options, &mut run::unwatched);
        recording.map_err(|error| error.to_string())
    });
    let value = plan.values[index];
    match result {
        Ok(recording) => of_run(value, &recording),
        Err(error) => {
            let blank = ",".repeat(3 * plan.probes.len() + COLUMNS.len());
            format!("{value}{blank}{}", quoted(&error))
        }
    }
}

fn of_run(value: f64, recording: &Recording) -> String {
    let mut cells = vec![value.to_string()];
    for values in &recording.probes {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        cells.push(cell(values.last().copied().unwrap_or(f64::NAN)));
        cells.push(cell(finite().fold(f64::NAN, f64::min)));
        cells.push(cell(finite().fold(f64::NAN, f64::max)));
    }
    let energies = (recording.energies.first(), recording.energies.last());
    let drift = match energies {
        (Some(first), Some(last)) => last.total() - first.total(),
        _ => f64::NAN,
    };
    cells.extend(recording.largest_error().map(cell));
    cells.push(cell(drift));
    for outcome in [Outcome::Met, Outcome::Unmet, Outcome::Skipped] {
        let of = recording.verdicts.iter().filter(|verdict| verdict.outcome == outcome);
        cells.push(of.count().to_string());
    }
    cells.push((recording.events.len() as u64 + recording.events_left_out).to_string());
    cells.push(String::new());
    cells.join(",")
}

/// A number; nothing where there is none.
fn cell(value: f64) -> String {
    match value {
        value if !value.is_finite() => String::new(),
        value if value == 0.0 || (1e-5..1e15).contains(&value.abs()) => value.to_string(),
        value => format!("{value:e}"),
    }
}

/// A text as a cell, on one line.
fn quoted(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join("; ");
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// A line that was read again.
pub(super) struct Read {
    pub value: f64,
    /// By probe: final, min, max.
    pub probes: Vec<[f64; 3]>,
    /// Of joints in m and rad, and of the energy.
    pub errors: [f64; 3],
    pub met: u64,
    pub unmet: u64,
    pub failed: bool,
}

/// Reads a line; what is not there is NaN.
pub(super) fn read(plan: &Plan, line: &str) -> Read {
    // Only the last cell can have commas of its own.
    let cells: Vec<&str> = line.splitn(1 + 3 * plan.probes.len() + COLUMNS.len(), ',').collect();
    let number = |at: usize| cells.get(at).and_then(|c| c.parse().ok()).unwrap_or(f64::NAN);
    let count = |at: usize| cells.get(at).and_then(|c| c.parse().ok()).unwrap_or(0);
    let behind = 1 + 3 * plan.probes.len();
    let probe = |k: usize| [0, 1, 2].map(|what| number(1 + 3 * k + what));
    Read {
        value: number(0),
        probes: (0..plan.probes.len()).map(probe).collect(),
        errors: [0, 1, 2].map(|at| number(behind + at)),
        met: count(behind + 3),
        unmet: count(behind + 4),
        failed: cells.last().is_some_and(|error| !error.is_empty()),
    }
}

/// Whether a line has as many cells as there are columns.
pub(super) fn is_whole(plan: &Plan, line: &str) -> bool {
    let columns = 1 + 3 * plan.probes.len() + COLUMNS.len();
    line.splitn(columns, ',').count() == columns
}

#[cfg(test)]
mod tests {
    use super::{cell, quoted};

    #[test]
    fn cells_are_read_again_to_the_bit() {
        for value in [0.0, -0.0, 1.0 / 3.0, 1e-300, -2.5e17, 1e-5, f64::MAX] {
            assert_eq!(cell(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(cell(f64::NAN), "");
        assert_eq!(quoted("a, \"b\"\n  c"), "\"a, \"\"b\"\"; c\"");
    }
}
