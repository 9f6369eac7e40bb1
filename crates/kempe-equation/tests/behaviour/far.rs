//! C in f64 and its change in f32: as exact 10⁷ m from the origin and after 10⁵ turns as at home.

use super::{Random, program};
use kempe_equation::{Cells, Compiled, Input, Program, RowKind, gallery};
use std::f64::consts::TAU;

/// A pose in f64, its change, and the same in what a solver holds in f32.
#[derive(Clone, Copy)]
struct Pose {
    start: [f64; 3],
    change: [f32; 3],
}

impl Pose {
    fn now(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.start[k] + f64::from(self.change[k]))
    }
}

fn pose_input(pose: [f64; 3], input: Input) -> Option<f64> {
    let (sin, cos) = kempe_scalar::precise::sin_cos(pose[2]);
    Some(match input {
        Input::PositionX(_) => pose[0],
        Input::PositionY(_) => pose[1],
        Input::Rotation(_) => pose[2],
        Input::Cosine(_) => cos,
        Input::Sine(_) => sin,
        _ => return None,
    })
}

fn slot(input: Input) -> Option<usize> {
    match input {
        Input::PositionX(slot)
        | Input::PositionY(slot)
        | Input::Rotation(slot)
        | Input::Cosine(slot)
        | Input::Sine(slot)
        | Input::DeltaX(slot)
        | Input::DeltaY(slot)
        | Input::DeltaRotation(slot) => Some(slot),
        _ => None,
    }
}

struct Scene<'a> {
    program: &'a Program,
    poses: Vec<Pose>,
    time: f64,
    time_change: f32,
    /// Far away the memories stay unused: no length is zero here.
    parameter: fn(usize, usize) -> f64,
}

impl Scene<'_> {
    fn parameter(&self, index: usize, component: usize) -> f64 {
        let parameter = &self.program.parameters()[index];
        match parameter.default {
            Some(default) => default.components()[component],
            None => (self.parameter)(index, component),
        }
    }

    fn exact(&self, input: Input, now: bool) -> f64 {
        if let Some(slot) = slot(input) {
            let pose = &self.poses[slot];
            let pose = if now { pose.now() } else { pose.start };
            return pose_input(pose, input).unwrap_or(0.0);
        }
        match input {
            Input::Parameter { index, component } => self.parameter(index, component),
            Input::Time if now => self.time + f64::from(self.time_change),
            Input::Time => self.time,
            _ => 0.0,
        }
    }

    /// (value, Jacobian and bias of every row) in f64 at the present pose.
    fn truth(&self, compiled: &Compiled) -> Vec<f64> {
        let mut cells = Cells::precise(compiled.equations());
        cells.fill(|input| self.exact(input, true));
        cells.run();
        (0..compiled.equations().outputs().len()).map(|index| cells.output(index)).collect()
    }

    /// The same through the start of the step in f64 and the change in f32.
    fn stepped(&self, compiled: &Compiled) -> Vec<f64> {
        let mut start = Cells::precise(compiled.start());
        start.fill(|input| self.exact(input, false));
        start.run();
        let rows = compiled.rows().len();
        let mut step = Cells::single(compiled.step());
        step.fill(|input| match (input, slot(input)) {
            (Input::Base(index), _) => start.output(rows + index) as f32,
            (Input::DeltaX(_), Some(slot)) => self.poses[slot].change[0],
            (Input::DeltaY(_), Some(slot)) => self.poses[slot].change[1],
            (Input::DeltaRotation(_), Some(slot)) => self.poses[slot].change[2],
            (Input::Cosine(_) | Input::Sine(_), Some(_)) => self.exact(input, true) as f32,
            (Input::DeltaTime, _) => self.time_change,
            (Input::DeltaParameter { .. }, _) => 0.0,
            (other, _) => panic!("the step reads {other:?}"),
        });
        step.run();
        let mut outputs: Vec<f64> = (0..compiled.step().outputs().len())
            .map(|index| f64::from(step.output(index)))
            .collect();
        for row in 0..rows {
            outputs[compiled.value(row)] += start.output(row);
        }
        outputs
    }

    /// By row: the value, and J for v_x, v_y of B, ω of A and ω of B, as B is seen from A in f32.
    fn seen(&self, compiled: &Compiled) -> Option<Vec<[f64; 5]>> {
        let (sight, [a, b]) = (compiled.sight()?, [self.poses[0], self.poses[1]]);
        let offset = |k: usize| (b.start[k] - a.start[k]) as f32 + (b.change[k] - a.change[k]);
        let mut step = Cells::single(sight.step());
        step.fill(|input| match input {
            Input::OffsetX => offset(0),
            Input::OffsetY => offset(1),
            Input::DeltaRotation(slot) => self.poses[slot].change[2],
            _ => self.exact(input, true) as f32,
        });
        step.run();
        let mut fixed = Cells::precise(sight.fixed());
        fixed.fill(|input| self.exact(input, false));
        fixed.run();
        let row = |row: usize| {
            let [x, y, turn_a, turn_b, value] = sight.row(row).map(|k| f64::from(step.output(k)));
            let [k_a, k_b, more] = sight.fixed_outputs(row).map(|k| fixed.output(k));
            [value + k_a * a.start[2] + k_b * b.start[2] + more, x, y, turn_a, turn_b]
        };
        Some((0..compiled.rows().len()).map(row).collect())
    }

    /// The same with everything rounded to f32 and no thought.
    fn naive(&self, compiled: &Compiled) -> Vec<f64> {
        let mut cells = Cells::single(compiled.equations());
        cells.fill(|input| self.exact(input, true) as f32);
        cells.run();
        let all = 0..compiled.equations().outputs().len();
        all.map(|index| f64::from(cells.output(index))).collect()
    }
}

fn parameter(index: usize, component: usize) -> f64 {
    0.4 + 0.3 * index as f64 - 0.5 * component as f64
}

fn scene(program: &Program, origin: [f64; 2], turns: f64, seed: u64) -> Scene<'_> {
    let mut random = Random(seed);
    let poses = (0..program.bodies().len()).map(|_| Pose {
        start: [
            origin[0] + 2.0 * random.number(),
            origin[1] + 2.0 * random.number(),
            turns * TAU + random.number(),
        ],
        // What bodies do in a step of 1/60 s: 0.1 m, 0.2 rad.
        change: std::array::from_fn(|k| (if k == 2 { 0.2 } else { 0.1 } * random.number()) as f32),
    });
    let poses = poses.collect();
    Scene { program, poses, time: turns / 10.0, time_change: 1.0 / 60.0, parameter }
}

fn largest_error(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max)
}

#[test]
fn the_gallery_is_as_exact_far_away_as_at_home() {
    let mut worst_naive: f64 = 0.0;
    for example in gallery::GALLERY {
        let program = program(example.source);
        let compiled = program.compiled();
        for seed in 0..50 {
            for (origin, turns) in
                [([0.0, 0.0], 0.0), ([1e7, -1e7], 0.0), ([0.0, 0.0], 1e5), ([1e7, 3e6], 1e5)]
            {
                let scene = scene(&program, origin, turns, seed);
                let truth = scene.truth(compiled);
                let error = largest_error(&scene.stepped(compiled), &truth);
                assert!(error < 4e-6, "{} at {origin:?}, {turns} turns: {error:e}", example.name);
                worst_naive = worst_naive.max(largest_error(&scene.naive(compiled), &truth));
            }
        }
    }
    assert!(worst_naive > 0.1, "plain f32 loses everything there ({worst_naive:e})");
}

#[test]
fn as_b_is_seen_from_a_they_are_too() {
    let mut compared = 0;
    for example in gallery::GALLERY {
        let program = program(example.source);
        let compiled = program.compiled();
        for (seed, (origin, turns)) in (0..50)
            .zip([([0.0, 0.0], 0.0), ([1e7, -1e7], 0.0), ([1e7, 3e6], 1e5)].into_iter().cycle())
        {
            let scene = scene(&program, origin, turns, seed);
            let (Some(seen), truth) = (scene.seen(compiled), scene.truth(compiled)) else {
                continue;
            };
            for (row, found) in seen.iter().enumerate() {
                let j = |slot, freedom| truth[compiled.jacobian(row, slot, freedom)];
                let truth = [truth[compiled.value(row)], j(1, 0), j(1, 1), j(0, 2), j(1, 2)];
                let error = largest_error(found, &truth);
                assert!(error < 4e-6, "{} at {origin:?}, {turns} turns: {error:e}", example.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "only {compared} rows");
}

#[test]
fn what_depends_on_the_world_is_not_seen_from_a() {
    let seen = |source: &str| program(source).compiled().sight().is_some();
    assert!(seen("body a, b  scalar k  axis q = k * b.rotation - a.rotation / 2 + k"));
    assert!(seen("body a, b  scalar k  axis q = k * b.position.x - k * a.position.x"));
    assert!(seen("body a, b  constraint |b.position - a.position| + cos(a.rotation)"));
    for source in [
        "body a, b  axis q = b.position.x",
        "body a, b  axis q = |b.position - a.position| + sign(a.position.x)",
        "body a, b  axis q = b.position.x * a.position.x",
        "body a, b  axis q = sin(b.rotation - a.rotation)",
        "body a, b  axis q = b.rotation * b.rotation",
        "body a, b  axis q = b.rotation - a.rotation + time",
        "body a, b  velocity constraint b.velocity.x - a.velocity.x",
        "body a, b, c  axis q = b.rotation - a.rotation + c.rotation",
    ] {
        assert!(!seen(source), "{source}");
    }
}

#[test]
fn nothing_moves_when_nothing_changes() {
    for example in gallery::GALLERY {
        let program = program(example.source);
        let compiled = program.compiled();
        let mut scene = scene(&program, [1e7, 1e7], 1e5, 3);
        scene.time_change = 0.0;
        for pose in &mut scene.poses {
            pose.change = [0.0; 3];
        }
        let (stepped, truth) = (scene.stepped(compiled), scene.truth(compiled));
        for row in 0..compiled.rows().len() {
            if compiled.rows()[row] != RowKind::Velocity {
                let index = compiled.value(row);
                // ΔC is exactly zero, or the rounding of a value that is computed afresh.
                let error = (stepped[index] - truth[index]).abs();
                assert!(error < 2e-7 * (1.0 + truth[index].abs()), "{}: {error:e}", example.name);
            }
        }
    }
}

#[test]
fn a_rod_of_a_hundred_metres_keeps_its_micrometres() {
    // |d| in f32 at 100 m is rounded to 7.6e-6 m; its change is not.
    let program = program("body a, b constraint |b.position - a.position|");
    let compiled = program.compiled();
    let mut scene = scene(&program, [1e7, 0.0], 0.0, 5);
    scene.poses[1].start = [1e7 + 60.0, 80.0, 0.0];
    scene.poses[1].change = [1e-4, -2e-4, 0.0];
    scene.poses[0].change = [0.0; 3];
    let error = (scene.stepped(compiled)[0] - scene.truth(compiled)[0]).abs();
    assert!(error < 1e-9, "{error:e}");
}

#[test]
fn choices_between_far_values() {
    let program = program(
        "body a, b
         axis low = min(a.position.x, b.position.x) - a.position.x
         axis high = max(a.position.x, b.position.x) - a.position.x
         axis size = abs(a.position.x) - b.position.x
         axis chosen = choose(b.position.y - a.position.y, a.position.x, b.position.x) - a.position.x
         axis wave = sin(3 * a.rotation) + cos(time)",
    );
    let compiled = program.compiled();
    for seed in 0..200 {
        let scene = scene(&program, [1e7, 1e7], 1e5, seed);
        let (stepped, truth) = (scene.stepped(compiled), scene.truth(compiled));
        let error = largest_error(&stepped, &truth);
        assert!(error < 2e-6, "{seed}: {error:e}\n{stepped:?}\n{truth:?}");
    }
}

/// A program over bodies a and b at given poses and changes: (stepped, exact).
fn stepped_and_exact(source: &str, poses: &[([f64; 3], [f32; 3])]) -> (Vec<f64>, Vec<f64>) {
    let program = program(source);
    let poses = poses.iter().map(|(start, change)| Pose { start: *start, change: *change });
    let scene =
        Scene { program: &program, poses: poses.collect(), time: 0.0, time_change: 0.0, parameter };
    let compiled = program.compiled();
    (scene.stepped(compiled), scene.truth(compiled))
}

#[track_caller]
fn agrees(source: &str, poses: &[([f64; 3], [f32; 3])], tolerance: f64) {
    let (stepped, exact) = stepped_and_exact(source, poses);
    let all = format!("{source}\n{stepped:?}\n{exact:?}");
    for (stepped, exact) in stepped.iter().zip(&exact) {
        assert!(
            (stepped - exact).abs() <= tolerance * (1.0 + exact.abs()),
            "{stepped} is not {exact}: {all}"
        );
    }
}

#[test]
fn a_length_that_shrinks_to_nearly_nothing() {
    let shrinking = [([0.0617, 0.0, 0.0], [-0.061_693_83, 0.0, 0.0])];
    agrees("body b constraint |b.position|", &shrinking, 1e-6);
    agrees("body b constraint |b.position - [time, 0]|", &shrinking, 1e-6);
    let two = [([1e6, 0.0, 0.0], [0.0; 3]), ([1e6 + 0.0617, 0.0, 0.0], [-0.0616, 0.0, 0.0])];
    agrees("body a, b constraint |b.position - a.position|", &two, 1e-6);
    agrees("body a, b constraint |(b.position - a.position) / 2|", &two, 1e-6);
}

#[test]
fn the_smaller_and_the_larger_stay_within_their_bounds() {
    let pose = [([0.7104, 0.0, 0.0], [0.5896, 0.0, 0.0])];
    agrees("body a constraint sqrt(max(1 - a.position.x^2, 0))", &pose, 1e-6);
    let crossing = [([0.05, 0.0, 0.0], [1e-6, 0.0, 0.0])];
    agrees("body a constraint choose(min(0, 0.317 * a.position.x), 1, 0)", &crossing, 1e-6);
    let inside = [([0.5, 0.0, 0.0], [0.001, 0.0, 0.0])];
    agrees("body a constraint clamp(a.position.x, -1000000, 1000000)", &inside, 1e-6);
    agrees("body a constraint min(a.position.x, inf)", &inside, 1e-6);
    for x in [-1.2, -0.9, 0.0, 0.9, 1.05] {
        let through = [([x, 0.0, 0.0], [0.15, 0.0, 0.0])];
        agrees("body a constraint clamp(a.position.x, -1, 1)", &through, 1e-6);
        agrees("body a constraint max(a.position.x, -a.position.x)", &through, 1e-6);
    }
}

#[test]
fn a_start_that_was_lost_to_underflow() {
    agrees(
        "body a constraint exp(-50 * a.position.x)",
        &[([3.0, 0.0, 0.0], [-3.0, 0.0, 0.0])],
        1e-5,
    );
}

#[test]
fn an_angle_that_appears() {
    let from_origin = [([0.0; 3], [0.3, 0.3, 0.0])];
    agrees("body a constraint atan2(a.position.y, a.position.x)", &from_origin, 1e-6);
}

#[test]
fn a_choice_of_halves() {
    let far = [([1e7, 0.0, 0.0], [0.25, 0.0, 0.0])];
    let source = "body a constraint choose(1 - a.rotation, a.position.x / 2, 0) - 5000000";
    agrees(source, &far, 1e-6);
}
