//! Plots of probes, energy, joints and traces.

use crate::failure::Failure;
use crate::output::tables::with_unit;
use crate::output::{Folder, no_picture};
use kempe_picture::{Panel, Plot, Scale, Series, Theme};
use kempe_scenes::file::Loaded;
use kempe_scenes::run::{Energy, JointState, Recording};

/// What is smaller is rounding, and as good as this on a logarithmic axis.
pub(crate) const FLOOR: f64 = 1e-16;

/// So many lines can be told apart in a panel.
const LINES: usize = 8;

/// A plot and the name of its file, without an ending.
pub(crate) type Named = (&'static str, Plot);

pub(crate) fn all(loaded: &Loaded, run: &Recording, title: &str) -> Vec<Named> {
    let over_time = |what: &str, panels: Vec<Panel>| Plot {
        title: format!("{title}: {what}"),
        x_label: "time (s)".to_owned(),
        panels,
        ..Plot::default()
    };
    let mut plots = Vec::new();
    if !run.probes.is_empty() {
        plots.push(("probes", over_time("probes", probes(run))));
    }
    plots.push(("energy", over_time("energy", energy(run))));
    let of_joints = joints(run);
    if !of_joints.is_empty() {
        plots.push(("joints", over_time("joints", of_joints)));
    }
    let traces = traces(loaded, run);
    if !traces.is_empty() {
        plots.push((
            "traces",
            Plot {
                title: format!("{title}: traces"),
                x_label: "x (m)".to_owned(),
                panels: vec![Panel::new("y (m)", traces)],
                equal_aspect: true,
                ..Plot::default()
            },
        ));
    }
    plots
}

/// In SVG, PNG or both.
pub(crate) fn write(
    folder: &mut Folder,
    plots: &[Named],
    svg: bool,
    png: bool,
) -> Result<(), Failure> {
    for (name, plot) in plots {
        if svg {
            folder.add(&format!("{name}.svg"), plot.svg(Theme::Auto).as_bytes())?;
        }
        if png {
            let file = format!("{name}.png");
            let bytes = plot.png(Theme::Light, 2.0).map_err(|error| no_picture(&file, &error))?;
            folder.add(&file, &bytes)?;
        }
    }
    Ok(())
}

fn over(times: &[f64], values: impl Iterator<Item = f64>) -> Vec<[f64; 2]> {
    times.iter().copied().zip(values).map(|(time, value)| [time, value]).collect()
}

/// A panel for each unit.
pub(crate) fn probes(run: &Recording) -> Vec<Panel> {
    let mut units: Vec<&str> = Vec::new();
    for unit in &run.probe_units {
        if !units.contains(unit) {
            units.push(unit);
        }
    }
    let mut panels = Vec::new();
    for unit in units {
        let of_unit = (0..run.probes.len()).filter(|probe| run.probe_units[*probe] == unit);
        let of_unit: Vec<usize> = of_unit.collect();
        for some in of_unit.chunks(LINES) {
            let series = some.iter().map(|probe| {
                let points = over(&run.probe_times, run.probes[*probe].iter().copied());
                Series::new(&run.probe_names[*probe], points)
            });
            let label = match some {
                [one] => with_unit(&run.probe_names[*one], unit),
                _ => with_unit(quantity(unit), unit),
            };
            panels.push(Panel::new(&label, series.collect()));
        }
    }
    panels
}

/// What is measured in a unit.
fn quantity(unit: &str) -> &str {
    match unit {
        "m" => "length",
        "rad" => "angle",
        "m/s" => "speed",
        "rad/s" => "turning",
        "J" => "energy",
        "N" => "force",
        "N·m" => "torque",
        "W" => "power",
        _ => "value",
    }
}

/// All kinds of it, and how the sum changes.
pub(crate) fn energy(run: &Recording) -> Vec<Panel> {
    let line = |name: &str, of: &dyn Fn(usize) -> f64| {
        Series::new(name, over(&run.times, (0..run.energies.len()).map(of)))
    };
    let all = &run.energies;
    let mut kinds =
        vec![line("kinetic", &|k| all[k].kinetic), line("potential", &|k| all[k].potential)];
    if all.iter().any(|energy| energy.stored.is_some_and(|stored| stored != 0.0)) {
        kinds.push(line("stored", &|k| all[k].stored.unwrap_or(f64::NAN)));
    }
    kinds.push(line("total", &|k| all[k].total()));
    let first = all.first().map_or(0.0, Energy::total);
    let change = line("total", &|k| all[k].total() - first);
    vec![Panel::new("energy (J)", kinds), Panel::new("change of the total (J)", vec![change])]
}

/// The forces of those with the largest, and how far any is open.
pub(crate) fn joints(run: &Recording) -> Vec<Panel> {
    if run.joint_states.is_empty() {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..run.joints.len()).collect();
    order.sort_by(|a, b| run.peaks[*b].force.total_cmp(&run.peaks[*a].force));
    order.truncate(LINES);
    // In the order of the scene.
    order.sort_unstable();
    let forces = order.iter().map(|joint| {
        let values = run.joint_states.iter().map(|states| states[*joint].force.length());
        Series::new(&run.joints[*joint].name, over(&run.times, values))
    });
    let mut panels = Vec::new();
    let forces: Vec<Series> = forces.collect();
    // Of many joints under the reference solver it is not known.
    if forces.iter().flat_map(|series| &series.points).any(|point| point[1].is_finite()) {
        panels.push(Panel::new("force (N)", forces));
    }
    let most = |of: &dyn Fn(&JointState) -> f64| {
        let each = run.joint_states.iter();
        let most = each.map(|states| states.iter().map(of).fold(0.0, f64::max));
        over(&run.times, most)
    };
    for (part, label) in ["widest gap (m)", "widest gap (rad)"].into_iter().enumerate() {
        let points = most(&|state| state.error[part].max(FLOOR));
        // What is rounding needs no panel.
        if points.iter().any(|point| point[1] > 1e3 * FLOOR) {
            let series = vec![Series::new("any joint", points)];
            panels.push(Panel { scale: Scale::Log, ..Panel::new(label, series) });
        }
    }
    panels
}

fn traces(loaded: &Loaded, run: &Recording) -> Vec<Series> {
    let each = loaded.traces.iter().filter_map(|(id, point)| {
        let body = run.bodies.iter().position(|body| body.id == *id)?;
        Some(Series::new(&trace_name(loaded, run, body, *point), run.path(body, *point)))
    });
    each.collect()
}

/// What the trace of a point is called: as its body, and by the point where others of it are traced.
fn trace_name(loaded: &Loaded, run: &Recording, body: usize, point: kempe2d::Vec2) -> String {
    let part = &run.bodies[body];
    match loaded.traces.iter().filter(|(id, _)| *id == part.id).count() {
        0 | 1 => part.name.clone(),
        _ => format!("{} ({:.3}, {:.3})", part.name, point.x, point.y),
    }
}
