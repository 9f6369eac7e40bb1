//! A recording as a replay.

use crate::output::plots;
use kempe_picture::{Compare, Event, JointFrame, Replay, ReplayBody, ReplayJoint, Trace};
use kempe_scenes::file::Loaded;
use kempe_scenes::run::{JointState, Recording};
use kempe2d::{Shape, Vec2};

/// Panels below a replay; more are in the plots.
const PANELS: usize = 6;

pub(crate) fn replay(loaded: &Loaded, run: &Recording, title: &str) -> Replay {
    // A filter holds nothing.
    let shown: Vec<usize> =
        (0..run.joints.len()).filter(|joint| run.joints[*joint].kind != "filter").collect();
    let joints = shown.iter().map(|joint| {
        let part = &run.joints[*joint];
        let [(a, _), (b, _)] = part.ends;
        ReplayJoint {
            name: part.name.clone(),
            kind: part.kind.clone(),
            bodies: [Some(a), Some(b)],
            rail: part.rail,
            line: if part.kind == "path" { Vec::new() } else { part.line.clone() },
        }
    });
    let bodies = run.bodies.iter().map(|body| ReplayBody {
        name: if body.name == "ground" { String::new() } else { body.name.clone() },
        fixed: body.is_fixed(),
        shapes: body.shapes.clone(),
    });
    let frames = run
        .joint_states
        .iter()
        .map(|states| shown.iter().map(|joint| frame(&states[*joint])).collect());
    let traces = loaded.traces.iter().filter_map(|(id, point)| {
        let body = run.bodies.iter().position(|body| body.id == *id)?;
        // Its body is named.
        Some(Trace { name: String::new(), body, point: *point })
    });
    let mut panels = plots::probes(run);
    panels.truncate(PANELS - 1);
    panels.extend(plots::energy(run).into_iter().take(1));
    if panels.len() < 2 {
        panels.extend(plots::joints(run).into_iter().take(1));
    }
    let events = run.events.iter();
    Replay {
        title: title.to_owned(),
        about: loaded.model.about.clone().unwrap_or_default(),
        bodies: bodies.chain(paths(run).map(|(_, wire)| wire)).collect(),
        joints: joints.collect(),
        times: run.times.clone(),
        poses: poses(run),
        joint_frames: frames.collect(),
        traces: traces.collect(),
        panels,
        events: events.map(|each| Event { time: each.time, text: each.text.clone() }).collect(),
        compare: None,
    }
}

/// The curves that points slide on, as bodies of thin wire; with the body that each is fixed to.
fn paths(run: &Recording) -> impl Iterator<Item = (usize, ReplayBody)> {
    run.joints.iter().filter(|joint| joint.kind == "path").filter_map(|joint| {
        let (on, _) = *joint.line.first()?;
        let parts = joint.line.windows(2).map(|pair| [pair[0].1, pair[1].1]);
        let length: f64 = parts.clone().map(|[a, b]| (b - a).length()).sum();
        let radius = 5e-4 * length;
        let shapes = parts.map(|[start, end]| Shape::Capsule { start, end, radius }).collect();
        Some((on, ReplayBody { name: String::new(), fixed: true, shapes }))
    })
}

/// Of all bodies in each frame, those of wire too.
fn poses(run: &Recording) -> Vec<Vec<[f64; 3]>> {
    let on: Vec<usize> = paths(run).map(|(on, _)| on).collect();
    let frame = |poses: &Vec<[f64; 3]>| {
        poses.iter().copied().chain(on.iter().map(|body| poses[*body])).collect()
    };
    run.poses.iter().map(frame).collect()
}

fn frame(state: &JointState) -> JointFrame {
    // What is not known is not drawn.
    let known = state.force.is_finite() && state.torque.is_finite();
    let (force, torque) = if known { (state.force, state.torque) } else { (Vec2::ZERO, 0.0) };
    JointFrame { a: state.a, b: state.b, force, torque, broken: state.broken }
}

/// Another run of the same scene with as many frames, as a ghost.
pub(crate) fn ghost(replay: &mut Replay, name: &str, other: &Recording) {
    if other.poses.len() == replay.poses.len() {
        replay.compare = Some(Compare { name: name.to_owned(), poses: poses(other) });
    }
}
