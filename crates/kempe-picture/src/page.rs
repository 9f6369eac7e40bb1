//! A replay as one HTML file that needs nothing else.

use crate::bounds::{Bounds, bounds, evenly};
use crate::color::{Role, Theme, hex};
use crate::error::Error;
use crate::glyphs::Sign;
use crate::pack::Packer;
use crate::plot::{Scale, Series};
use crate::replay::{Replay, ReplayJoint, local};
use crate::scene::roles;
use crate::simplify::columns;
use crate::svg::escaped;
use kempe2d::{Shape, Vec2};
use serde_json::{Value, json};
use std::collections::HashMap;

const PAGE: &str = include_str!("replay/page.html");
const STYLE: &str = include_str!("replay/style.css");
/// One after the other, in one function, so that they share what they name.
const SCRIPT: [&str; 5] = [
    include_str!("replay/numbers.js"),
    include_str!("replay/joints.js"),
    include_str!("replay/view.js"),
    include_str!("replay/charts.js"),
    include_str!("replay/hands.js"),
];

/// How many bodies, joints and events a page shows.
const BODIES: usize = 12_000;
const JOINTS: usize = 12_000;
const EVENTS: usize = 500;
/// How many poses of bodies and joints there are in a page, all frames together.
const POSES: usize = 400_000;
/// How many frames there are at least, if there were as many.
const FRAMES: usize = 60;
/// How many points a series has, about.
const POINTS: usize = 2000;
/// Lengths are rounded to the extent of the world halved so often; if there are more bytes of
/// numbers then than the second says, less fine.
const FINENESS: [(i32, usize); 4] =
    [(21, 160_000), (18, 160_000), (15, 1_000_000), (13, usize::MAX)];

/// What is left of a replay that is too large.
struct Kept {
    frames: Vec<usize>,
    bodies: usize,
    joints: usize,
    events: usize,
    notes: Vec<String>,
}

impl Kept {
    fn new(replay: &Replay) -> Self {
        let mut notes = Vec::new();
        let mut limit = |what: &str, count: usize, most: usize| {
            if count > most {
                notes.push(format!("{most} of {count} {what} are shown"));
            }
            count.min(most)
        };
        let bodies = limit("bodies", replay.bodies.len(), BODIES);
        let shown = if replay.joint_frames.is_empty() { 0 } else { replay.joints.len() };
        let joints = limit("joints", shown, JOINTS);
        let events = limit("events", replay.events.len(), EVENTS);
        let runs = if replay.compare.is_some() { 2 } else { 1 };
        let each = (runs * bodies + joints).max(1);
        let frames = limit("frames", replay.times.len(), (POSES / each).max(FRAMES));
        Self { frames: evenly(replay.times.len(), frames), bodies, joints, events, notes }
    }
}

/// A series for a page: as many points as can be seen.
fn points(series: &Series, scale: Scale) -> Vec<[f64; 2]> {
    let place = |point: &[f64; 2]| [point[0], scale.place(point[1]).unwrap_or(f64::NAN)];
    let known = series.points.iter().filter(|point| point[0].is_finite());
    let points: Vec<[f64; 2]> = known.map(place).collect();
    let rising = points.is_sorted_by(|a, b| a[0] <= b[0]);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return points };
    let lasts = last[0] - first[0];
    if points.len() <= POINTS || !rising || lasts <= 0.0 {
        let few = evenly(points.len(), 4 * POINTS);
        return few.into_iter().map(|index| points[index]).collect();
    }
    let wide = POINTS as f64 / 4.0 / lasts;
    let mut thin = Vec::new();
    for run in points.chunk_by(|a, b| a[1].is_nan() == b[1].is_nan()) {
        let scaled: Vec<[f64; 2]> = run.iter().map(|[x, y]| [x * wide, *y]).collect();
        thin.extend(columns(&scaled).into_iter().map(|[x, y]| [x / wide, y]));
    }
    thin
}

/// The units that numbers are rounded to.
#[derive(Clone, Copy)]
struct Units {
    time: f64,
    length: f64,
    angle: f64,
    force: f64,
    torque: f64,
}

impl Units {
    fn new(replay: &Replay, bounds: &Bounds, fineness: i32) -> Self {
        let part = 0.5f64.powi(fineness);
        let span = |times: &[f64]| times.last().zip(times.first()).map_or(0.0, |(b, a)| b - a);
        let lasts = span(&replay.times);
        let or_one = |value: f64| if value > 0.0 { value } else { 1.0 };
        Self {
            time: or_one(lasts) * 0.5f64.powi(22),
            length: or_one(bounds.extent()) * part,
            angle: 2.0 * part,
            force: or_one(bounds.force) * 0.5f64.powi(10),
            torque: or_one(bounds.torque) * 0.5f64.powi(10),
        }
    }
}

fn pack(replay: &Replay, kept: &Kept, units: Units, series: &[(Vec<[f64; 2]>, f64)]) -> Packer {
    let mut packer = Packer::default();
    let frames = &kept.frames;
    packer.track(frames.iter().map(|frame| replay.times[*frame]), units.time);
    let ghost = replay.compare.as_ref().map(|compare| &compare.poses);
    for poses in [Some(&replay.poses), ghost].into_iter().flatten() {
        let value = |frame: usize, body: usize, axis: usize| poses[frame][body][axis];
        for body in 0..kept.bodies {
            for (axis, unit) in [units.length, units.length, units.angle].into_iter().enumerate() {
                packer.track(frames.iter().map(|frame| value(*frame, body, axis)), unit);
            }
        }
    }
    for (index, joint) in replay.joints.iter().enumerate().take(kept.joints) {
        let states = || frames.iter().map(|frame| replay.joint_frames[*frame][index]);
        for end in 0..2 {
            let point = |frame: usize| {
                let state = replay.joint_frames[frame][index];
                if end == 0 { state.a } else { state.b }
            };
            let on = joint.bodies[end].filter(|body| *body < kept.bodies);
            match on.and_then(|body| steady(replay, frames, body, &point, units.length)) {
                Some(place) => {
                    packer.count(1);
                    // Turning makes more of what is lost here.
                    packer.number(place.x, units.length / 16.0);
                    packer.number(place.y, units.length / 16.0);
                }
                None => {
                    packer.count(0);
                    packer.track(frames.iter().map(|frame| point(*frame).x), units.length);
                    packer.track(frames.iter().map(|frame| point(*frame).y), units.length);
                }
            }
        }
        packer.track(states().map(|state| state.force.x), units.force);
        packer.track(states().map(|state| state.force.y), units.force);
        packer.track(states().map(|state| state.torque), units.torque);
        packer.switches(states().map(|state| state.broken));
    }
    for (points, unit) in series {
        packer.count(points.len() as u64);
        packer.track(points.iter().map(|point| point[0]), units.time);
        packer.track(points.iter().map(|point| point[1]), *unit);
    }
    packer
}

/// A point that keeps its place in a body: where that is.
fn steady(
    replay: &Replay,
    frames: &[usize],
    body: usize,
    point: &dyn Fn(usize) -> Vec2,
    unit: f64,
) -> Option<Vec2> {
    let place = |frame: usize| local(replay.poses[frame][body], point(frame));
    let first = place(*frames.first()?);
    let steady = frames.iter().all(|frame| (place(*frame) - first).length() <= 64.0 * unit);
    steady.then_some(first)
}

/// A number of a description, with no more digits than can be seen; JSON has no infinity.
fn short(value: f64) -> f64 {
    if value.is_finite() { format!("{value:.6e}").parse().unwrap_or(value) } else { 0.0 }
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Circle { center, radius } => {
            json!([0, short(center.x), short(center.y), short(*radius)])
        }
        Shape::Capsule { start, end, radius } => {
            let [a, b, c, d] = [start.x, start.y, end.x, end.y].map(short);
            json!([1, a, b, c, d, short(*radius)])
        }
        Shape::Polygon { corners } => {
            let numbers = corners.iter().flat_map(|corner| [corner.x, corner.y].map(short));
            let mut all = vec![json!(2)];
            all.extend(numbers.map(|number| json!(number)));
            Value::Array(all)
        }
    }
}

fn joint(joint: &ReplayJoint, bodies: usize) -> Value {
    let on = joint.bodies.map(|body| body.filter(|body| *body < bodies));
    let rail = joint.rail.map(|rail| [short(rail.x), short(rail.y)]);
    let line = joint.line.iter().filter(|(body, _)| *body < bodies);
    let line: Vec<Value> =
        line.map(|(body, point)| json!([body, short(point.x), short(point.y)])).collect();
    json!({ "name": joint.name, "sign": Sign::of(&joint.kind).number(), "on": on, "rail": rail,
        "line": line })
}

/// All that is not a track.
fn description(replay: &Replay, kept: &Kept, bounds: &Bounds) -> Value {
    let (mut kinds, mut known): (Vec<Value>, HashMap<String, usize>) = Default::default();
    let roles = roles(replay);
    let bodies: Vec<Value> = replay.bodies[..kept.bodies]
        .iter()
        .zip(roles)
        .map(|(body, role)| {
            let shapes = Value::Array(body.shapes.iter().map(shape).collect());
            let kind = *known.entry(shapes.to_string()).or_insert_with(|| {
                kinds.push(shapes);
                kinds.len() - 1
            });
            json!([body.name, u8::from(body.fixed), kind, role.name()])
        })
        .collect();
    let joints: Vec<Value> =
        replay.joints.iter().take(kept.joints).map(|each| joint(each, kept.bodies)).collect();
    let traces = replay.traces.iter().filter(|trace| trace.body < kept.bodies);
    let traces: Vec<Value> = traces
        .map(|trace| json!([trace.name, trace.body, short(trace.point.x), short(trace.point.y)]))
        .collect();
    let events = replay.events.iter().filter(|event| event.time.is_finite());
    let events: Vec<Value> =
        events.take(kept.events).map(|event| json!([event.time, event.text])).collect();
    let panels: Vec<Value> = replay
        .panels
        .iter()
        .map(|panel| {
            let series = panel.series.iter().map(|series| json!([series.name, series.dashed]));
            let log = panel.scale == Scale::Log;
            json!({ "label": panel.y_label, "log": log, "series": series.collect::<Vec<_>>() })
        })
        .collect();
    json!({
        "title": replay.title,
        "about": replay.about,
        "note": kept.notes.join("; "),
        "frames": kept.frames.len(),
        "kinds": kinds,
        "bodies": bodies,
        "joints": joints,
        "traces": traces,
        "events": events,
        "panels": panels,
        "ghost": replay.compare.as_ref().map(|compare| compare.name.clone()),
        "box": [bounds.low.x, bounds.low.y, bounds.high.x, bounds.high.y],
        "force": bounds.force,
        "torque": bounds.torque,
    })
}

/// Colours as variables of a style sheet.
fn variables(theme: Theme) -> String {
    let one = |role: Role| format!("--{}:{};", role.name(), hex(role.color(theme)));
    Role::all().map(one).collect()
}

fn style() -> String {
    let (light, dark) = (variables(Theme::Light), variables(Theme::Dark));
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{STYLE}"
    )
}

/// JSON that can stand in a page: nothing in it ends a script or begins a comment.
fn harmless(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => result.push_str("\\u003c"),
            '>' => result.push_str("\\u003e"),
            '&' => result.push_str("\\u0026"),
            '\u{2028}' => result.push_str("\\u2028"),
            '\u{2029}' => result.push_str("\\u2029"),
            letter => result.push(letter),
        }
    }
    result
}

impl Replay {
    /// As a page in one file that needs nothing else: it plays, scrubs, zooms, and shows what was
    /// measured. A replay that is very large is thinned, and the page says so.
    ///
    /// # Errors
    /// If the lists do not fit together.
    pub fn html(&self) -> Result<String, Error> {
        self.check()?;
        let bounds = bounds(self);
        let kept = Kept::new(self);
        let each = self
            .panels
            .iter()
            .flat_map(|panel| panel.series.iter().map(move |series| points(series, panel.scale)));
        let series: Vec<(Vec<[f64; 2]>, f64)> = each
            .map(|points| {
                let largest = points.iter().map(|point| point[1].abs()).filter(|y| y.is_finite());
                let largest = largest.fold(0.0, f64::max);
                (points, if largest > 0.0 { largest * 0.5f64.powi(20) } else { 1.0 })
            })
            .collect();
        let (mut data, mut units) = (Packer::default(), Units::new(self, &bounds, 0));
        for (fineness, large) in FINENESS {
            units = Units::new(self, &bounds, fineness);
            data = pack(self, &kept, units, &series);
            if data.len() <= large {
                break;
            }
        }
        let mut description = description(self, &kept, &bounds);
        let scales: Vec<f64> = series.iter().map(|(_, unit)| *unit).collect();
        let Units { time, length, angle, force, torque } = units;
        description["units"] = json!([time, length, angle, force, torque]);
        description["scales"] = json!(scales);
        // Each mark is on a line of its own; what takes its place is not looked at again.
        let page = PAGE.split_inclusive('\n').map(|line| match line.trim() {
            "<!--title-->" => format!("<title>{}</title>\n", escaped(&self.title)),
            "<!--style-->" => format!("<style>\n{}</style>\n", style()),
            "<!--scene-->" => {
                let text = harmless(&description.to_string());
                format!("<script type=\"application/json\" id=\"scene\">{text}</script>\n")
            }
            "<!--data-->" => {
                let text = data.text();
                format!("<script type=\"text/plain\" id=\"data\">{text}</script>\n")
            }
            "<!--script-->" => {
                let script = SCRIPT.join("\n");
                format!("<script>\n\"use strict\";\n(() => {{\n{script}}})();\n</script>\n")
            }
            _ => line.to_owned(),
        });
        Ok(page.collect())
    }
}
