//! A summary for people: columns with units, and no more than fits on a screen.

use kempe_scenes::file::Solver;
use kempe_scenes::run::{Outcome, Recording, Summary, Verdict};

/// Rows of a table at most.
const ROWS: usize = 6;

/// A number with about six digits.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_nan() => "–".to_owned(),
        // Rounding is not worth a minus.
        _ if size < 1e-12 => "0".to_owned(),
        _ if !(1e-4..1e6).contains(&size) => format!("{value:.3e}"),
        _ => {
            let digits = (5.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
            format!("{value:.digits$}")
        }
    }
}

/// The same without zeros at the end.
pub(crate) fn plain(value: f64) -> String {
    let text = number(value);
    match text.contains('.') && !text.contains('e') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Columns under each other: the first to the left, the others to the right.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let wide = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let cells = cells.map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::from(" ");
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            match column {
                0 => text += &format!(" {cell:<width$}"),
                _ => text += &format!("  {cell:>width$}"),
            }
        }
        text.trim_end().to_owned() + "\n"
    };
    let mut text = line(&mut head.iter().copied());
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

pub(crate) fn solver(solver: Solver) -> &'static str {
    match solver {
        Solver::RealTime => "real time",
        Solver::Reference => "reference",
    }
}

/// A number of things, in words.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// What a run did.
pub(crate) fn summary(title: &str, summary: &Summary, run: &Recording) -> String {
    let moving = summary.bodies.len();
    let mut text = format!(
        "{title}: {}, {}, {} s in {} of {} ms ({})\n",
        count(moving, "body", "bodies"),
        count(summary.joints.len(), "joint", "joints"),
        plain(summary.seconds),
        count(summary.steps as usize, "step", "steps"),
        plain(1e3 * summary.step),
        solver(summary.solver),
    );
    let times = summary.seconds / run.took.as_secs_f64().max(1e-9);
    text += &format!(
        "  {:.0} steps a second, {times:.0} times as fast as real; state {}\n",
        summary.steps_per_second, summary.state_hash
    );
    text += &bodies(summary);
    text += &joints(summary, run);
    text += &probes(run);
    text += &energy(summary);
    text += &events(summary);
    text += &expectations(&summary.expectations);
    text
}

fn more(all: usize, told: usize, what: &str) -> String {
    if all > told { format!("  and {} more{what}\n", all - told) } else { String::new() }
}

fn bodies(summary: &Summary) -> String {
    if summary.bodies.is_empty() {
        return String::new();
    }
    let head = [
        "body, at the end",
        "x (m)",
        "y (m)",
        "angle (rad)",
        "vx (m/s)",
        "vy (m/s)",
        "turning (rad/s)",
    ];
    let rows: Vec<Vec<String>> = summary
        .bodies
        .iter()
        .take(ROWS)
        .map(|body| {
            let ([x, y], [vx, vy]) = (body.position, body.velocity);
            let numbers = [x, y, body.angle, vx, vy, body.angular_velocity];
            std::iter::once(body.name.clone()).chain(numbers.map(number)).collect()
        })
        .collect();
    format!("\n{}{}", table(&head, &rows), more(summary.bodies.len(), rows.len(), ""))
}

fn joints(summary: &Summary, run: &Recording) -> String {
    if summary.joints.is_empty() {
        return String::new();
    }
    let head = [
        "joint",
        "kind",
        "coordinate",
        "largest force (N)",
        "torque (N·m)",
        "impulse (N·s)",
        "gap (mm)",
        "(rad)",
    ];
    let mut order: Vec<usize> = (0..summary.joints.len()).collect();
    let load = |joint: &usize| {
        let largest = &summary.joints[*joint].largest;
        largest.force + largest.torque
    };
    if order.len() > ROWS {
        order.sort_by(|a, b| load(b).total_cmp(&load(a)));
        order.truncate(ROWS);
    }
    let rows: Vec<Vec<String>> = order
        .iter()
        .map(|joint| {
            let (told, part) = (&summary.joints[*joint], &run.joints[*joint]);
            let coordinates = told.coordinates.iter().zip(&part.units);
            let coordinates = coordinates.map(|(value, unit)| format!("{} {unit}", number(*value)));
            let coordinate = match told.broken {
                true => "broken".to_owned(),
                false => coordinates.collect::<Vec<String>>().join(", ").trim_end().to_owned(),
            };
            let largest = told.largest;
            let numbers = [
                largest.force,
                largest.torque,
                largest.impulse,
                1e3 * largest.error_m,
                largest.error_rad,
            ];
            let texts = [told.name.clone(), told.kind.clone(), coordinate];
            texts.into_iter().chain(numbers.map(number)).collect()
        })
        .collect();
    let more = more(summary.joints.len(), rows.len(), " with smaller loads");
    format!("\n{}{more}", table(&head, &rows))
}

fn probes(run: &Recording) -> String {
    if run.probes.is_empty() {
        return String::new();
    }
    let head = ["probe", "unit", "start", "end", "least", "most"];
    let rows: Vec<Vec<String>> = run
        .probes
        .iter()
        .take(ROWS)
        .enumerate()
        .map(|(index, values)| {
            let known = || values.iter().copied().filter(|value| value.is_finite());
            let end = |value: Option<&f64>| value.copied().unwrap_or(f64::NAN);
            let numbers = [
                end(values.first()),
                end(values.last()),
                known().reduce(f64::min).unwrap_or(f64::NAN),
                known().reduce(f64::max).unwrap_or(f64::NAN),
            ];
            let texts = [run.probe_names[index].clone(), run.probe_units[index].to_owned()];
            texts.into_iter().chain(numbers.map(number)).collect()
        })
        .collect();
    format!("\n{}{}", table(&head, &rows), more(run.probes.len(), rows.len(), ""))
}

fn energy(summary: &Summary) -> String {
    let energy = &summary.energy;
    let row = |name: &str, kinetic: f64, potential: f64, stored: Option<f64>, total: f64| {
        let stored = stored.map_or_else(|| "unknown".to_owned(), number);
        vec![name.to_owned(), number(kinetic), number(potential), stored, number(total)]
    };
    let (start, end) = (&energy.start, &energy.end);
    let stored = end.stored.zip(start.stored).map(|(end, start)| end - start);
    let rows = [
        row("start", start.kinetic, start.potential, start.stored, start.total()),
        row("end", end.kinetic, end.potential, end.stored, end.total()),
        row(
            "change",
            end.kinetic - start.kinetic,
            end.potential - start.potential,
            stored,
            energy.drift,
        ),
    ];
    format!("\n{}", table(&["energy (J)", "kinetic", "potential", "stored", "total"], &rows))
}

fn events(summary: &Summary) -> String {
    if summary.events.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n");
    let told = summary.events.iter().take(4);
    for event in told.clone() {
        text += &format!("  at {:.4} s {}\n", event.time, event.text);
    }
    let all = summary.events.len() + summary.events_left_out as usize;
    text + &more(all, told.count(), " events")
}

/// What does not hold first; of the others not all.
fn expectations(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let of = |outcome: Outcome| verdicts.iter().filter(move |each| each.outcome == outcome);
    let met = of(Outcome::Met).count();
    let judged = met + of(Outcome::Unmet).count();
    let mut text = format!("\n  {met} of {} met\n", count(judged, "expectation", "expectations"));
    for verdict in of(Outcome::Unmet).take(ROWS) {
        text += &format!("  NOT MET  {}\n", unmet(verdict));
    }
    for verdict in of(Outcome::Met).take(ROWS) {
        let found = verdict.found.map_or(String::new(), |found| format!(": {}", number(found)));
        text += &format!("  met      {}{found}\n", verdict.text);
    }
    text += &more(met, ROWS, " that are met");
    for verdict in of(Outcome::Skipped).take(2) {
        let reason = verdict.reason.as_deref().unwrap_or("");
        text += &format!("  skipped  {}: {reason}\n", verdict.text);
    }
    text
}

/// What does not hold, with what was found.
pub(crate) fn unmet(verdict: &Verdict) -> String {
    let mut text = verdict.text.clone();
    if let Some(found) = verdict.found {
        text += &format!("; found {}", number(found));
        if let Some(time) = verdict.time {
            text += &format!(" at {} s", number(time));
        }
        if let (Some(wanted), Some(within)) = (verdict.wanted, verdict.tolerance) {
            text +=
                &format!(", {} off, {} allowed", number((found - wanted).abs()), number(within));
        }
    }
    if let Some(reason) = &verdict.reason {
        text += &format!("; {reason}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{number, plain, table};

    #[test]
    fn numbers_have_six_digits() {
        let all = [0.0, -0.0, 1e-13, 1.5e-5, 0.25, -3.0, 1234.5678, 987654.4, 1e6, f64::NAN];
        let texts = all.map(number);
        let expected = [
            "0", "0", "0", "1.500e-5", "0.250000", "-3.00000", "1234.57", "987654", "1.000e6", "–",
        ];
        assert_eq!(texts, expected);
        assert_eq!([10.0, 0.25, 1200.0, 100_000.0].map(plain), ["10", "0.25", "1200", "100000"]);
    }

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["µm".to_owned(), "-22".to_owned()]];
        assert_eq!(table(&["name", "x"], &rows), "  name    x\n  a       1\n  µm    -22\n");
    }
}
