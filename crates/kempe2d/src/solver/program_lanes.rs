//! Programs in lanes: their parameters, the start of a step, and their rows at a pose, which
//! [`super::program_rows`] takes from the tapes.

use super::bucket::{Bucket, LANES, Layout, Part};
use super::finish::Fields;
use super::program::{Program, Programs};
use super::program_rows::{Feed, Finish};
use super::threads::{Shared, divide_list};
use crate::joint::{Joint, JointKind, KindTag};
use crate::user::Erased;
use kempe_equation::{Block, Cells, Compiled, Input, Output, PreciseBlock};
use kempe_scalar::Isa;
use kempe_solve::Pool;
use smallvec::SmallVec;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Joints that a tape serves at a time.
pub(super) const JOINTS: usize = kempe_equation::LANES;

/// What a bucket of joints from text has beside its lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    /// By input of the `start` tape that is a parameter: a number for each lane.
    parameters: Vec<Vec<f64>>,
    /// By lane: what the coordinate of a law counts from.
    targets: Vec<f64>,
    /// For each 64 lanes: what sub-steps count from.
    blocks: Vec<Block>,
    /// Whether a lane may be left out of the step.
    pub any_off: bool,
    /// By lane and row, of a type of the user: k_A, k_B and the target of k_A θ_A + k_B θ_B + …, if there
    /// is one with angles.
    pub turns: Vec<[f64; 3]>,
    /// By direction that is remembered, x and y: a number for each lane.
    memories: Vec<[Vec<f64>; 2]>,
    /// Lanes whose joints are to be told what is remembered, for their vectors are short.
    short: Vec<u32>,
    /// Whether all of them are.
    untold: bool,
    /// Whether parameters have changed since the last start of a step.
    fresh: bool,
}

/// Shorter than this, m, a vector may have no direction before long.
const SHORT: f64 = 1e-3;

impl Own {
    /// Keeps the directions of vectors that have one, for the next step.
    fn remember(&mut self, start: &Cells<PreciseBlock>, first_output: usize, first: usize) {
        let used = JOINTS.min(self.targets.len() - first);
        for (site, [kept_x, kept_y]) in self.memories.iter_mut().enumerate() {
            let [x, y] = [0, 1].map(|k| start.output(first_output + 2 * site + k));
            let kept = [&mut kept_x[first..first + used], &mut kept_y[first..first + used]];
            Compiled::keep_directions([&x[..used], &y[..used]], kept);
            // One that is no number is short too.
            let long = |x: f64, y: f64| (x.abs() > SHORT) | (y.abs() > SHORT);
            let each = || x.iter().zip(&y).take(used);
            if !each().fold(true, |all, (x, y)| all & long(*x, *y)) {
                let lanes = each().enumerate().filter(|(_, (x, y))| !long(**x, **y));
                self.short.extend(lanes.map(|(lane, _)| (first + lane) as u32));
            }
        }
    }
}

impl Bucket {
    /// Writes the parameters of a joint into its lane.
    pub(super) fn fill_program(
        &mut self,
        programs: &Programs,
        lane: usize,
        joint: &Joint,
        target: f64,
    ) {
        let KindTag::Text { program, .. } = self.kind else {
            self.fill_user(programs, lane, joint, target);
            return;
        };
        let recording = match &joint.def.kind {
            JointKind::User(user) => user.made().and_then(Erased::recording),
            _ => None,
        };
        let tape = programs.programs[usize::from(program)].compiled.start();
        let own = &mut self.own;
        own.fresh = true;
        own.untold = true;
        own.parameters.resize(tape.inputs().len(), Vec::new());
        own.targets.resize(self.joints.len(), 0.0);
        own.targets[lane] = target;
        for (numbers, input) in own.parameters.iter_mut().zip(tape.inputs()) {
            let Input::Parameter { index, component } = *input else { continue };
            let value = match (&joint.def.kind, &recording) {
                (JointKind::Text(text), _) => {
                    let name = &text.program().parameters()[index].name;
                    let value = text.instance.get(name).ok().flatten();
                    value.map(|value| value.components()[component])
                }
                (_, Some(recording)) => recording.constants.get(index).copied(),
                _ => None,
            };
            numbers.resize(self.joints.len(), 0.0);
            numbers[lane] = value.unwrap_or(0.0);
        }
        if let JointKind::Text(text) = &joint.def.kind {
            let memories = text.instance.memories();
            own.memories.resize_with(memories.len(), Default::default);
            for (kept, memory) in own.memories.iter_mut().zip(memories) {
                for (kept, value) in kept.iter_mut().zip(memory) {
                    kept.resize(self.joints.len(), 0.0);
                    kept[lane] = *value;
                }
            }
        }
    }

    /// Whether it keeps directions for the joints in it.
    pub(super) fn remembers(&self) -> bool {
        self.kind == KindTag::Distance || !self.own.memories.is_empty()
    }

    /// Tells a joint the directions that its program remembers.
    pub(super) fn tell_memories(&self, lane: usize, joint: &mut Joint) {
        let JointKind::Text(text) = &mut joint.def.kind else { return };
        let of_lane = |kept: &[Vec<f64>; 2]| [kept[0][lane], kept[1][lane]];
        let memories: SmallVec<[[f64; 2]; 4]> = self.own.memories.iter().map(of_lane).collect();
        text.instance.set_memories(&memories);
    }

    /// Tells those joints that may need to know; or all of them.
    pub(super) fn tell_short(&mut self, joints: &mut Pool<Joint>, all: bool) {
        let mut tell = |lane: usize| {
            if let Some(joint) = joints.at_mut(self.joints[lane] as usize) {
                self.tell_memories(lane, joint);
            }
        };
        if all || self.own.untold {
            (0..self.joints.len()).for_each(&mut tell);
        } else {
            self.own.short.iter().for_each(|lane| tell(*lane as usize));
        }
        self.own.untold = false;
    }

    /// The row of the program that a law is on.
    pub(super) fn law_row(&self) -> Option<usize> {
        match self.part {
            Part::Law(_, row) => Some(row.into()),
            Part::Hold(..) => None,
        }
    }

    /// Starts a step: coordinates in f64, and what sub-steps count from.
    pub(super) fn start_program(&mut self, programs: &Programs, poses: &[[f64; 3]]) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Programs { programs, turns, .. } = programs;
        let program = &programs[usize::from(program)];
        program.starts.with(|start| self.start_with(program, start, poses, turns));
    }

    fn start_with(
        &mut self,
        program: &Program,
        start: &mut Cells<PreciseBlock>,
        poses: &[[f64; 3]],
        turns: &[[f64; 2]],
    ) {
        let (rows, bases) = (program.rows, program.bases);
        self.own.blocks.resize(self.joints.len().div_ceil(JOINTS) * bases, Block([0.0; JOINTS]));
        self.own.any_off = false;
        let (layout, part) = (self.layout, self.part.rows());
        let count = self.joints.len();
        self.own.short.clear();
        let mut states = [[[0.0; JOINTS]; 5]; 2];
        for first in (0..count).step_by(JOINTS) {
            let used = JOINTS.min(count - first);
            let lists = [&self.a[first..first + used], &self.b[first..first + used]];
            let inputs = program.compiled.start().inputs();
            for (states, list) in states.iter_mut().zip(lists) {
                look(states, list, poses, turns);
            }
            for (index, input) in inputs.iter().enumerate() {
                let to = start.input_mut(index);
                match *input {
                    Input::PositionX(slot) => *to = states[slot][0],
                    Input::PositionY(slot) => *to = states[slot][1],
                    Input::Rotation(slot) => *to = states[slot][2],
                    Input::Cosine(slot) => *to = states[slot][3],
                    Input::Sine(slot) => *to = states[slot][4],
                    Input::Memory { site, component } => {
                        let kept = &self.own.memories[site][component];
                        to[..used].copy_from_slice(&kept[first..first + used]);
                    }
                    _ => {
                        let own = &self.own.parameters[index];
                        to[..used].copy_from_slice(&own[first..first + used]);
                    }
                }
            }
            start.run();
            self.own.remember(start, rows + bases, first);
            let blocks = &mut self.own.blocks[first / JOINTS * bases..][..bases];
            for (number, block) in blocks.iter_mut().enumerate() {
                let Output::Cell(cell) = program.compiled.start().outputs()[rows + number] else {
                    round(block, &start.output(rows + number));
                    continue;
                };
                // A parameter is there since it was given.
                if self.own.fresh || !matches!(inputs.get(cell), Some(Input::Parameter { .. })) {
                    round(block, start.block(cell));
                }
            }
            let mut off = [0.0_f32; JOINTS];
            let begin = LANES * layout.fields() * (first / LANES);
            let data = &mut self.data[begin..];
            for row in 0..rows {
                let mut values = start.output(row);
                let lost = values[..used].iter().zip(&mut off).fold(false, |lost, (value, off)| {
                    *off = if value.is_finite() { *off } else { 1.0 };
                    lost | !value.is_finite()
                });
                self.own.any_off |= lost;
                let Some(k) = part.iter().position(|each| *each == row) else { continue };
                // The row that a law is on counts from its target.
                if let Part::Law(..) = self.part {
                    let targets = &self.own.targets[first..first + used];
                    values.iter_mut().zip(targets).for_each(|(value, from)| *value -= from);
                }
                // What changes in the sub-steps is counted from there.
                write_lanes(data, layout, layout.target(k), |lane| -values[lane] as f32);
            }
            write_lanes(data, layout, layout.off(), |lane| off[lane]);
            let totals = LANES * layout.total(0)..LANES * layout.soft();
            for data in data.chunks_exact_mut(LANES * layout.fields()).take(JOINTS / LANES) {
                data[totals.clone()].fill(0.0);
            }
        }
        self.own.fresh = false;
    }

    /// The rows of every entry at the present pose, on several threads if there are enough of them.
    pub(super) fn evaluate_program(
        &mut self,
        isa: Isa,
        hot: Shared<'_>,
        programs: &Programs,
        threads: bool,
    ) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Program { compiled, steps, hold, bases, .. } = &programs.programs[usize::from(program)];
        self.check(hot);
        let outputs = compiled.step().outputs();
        // The held rows; behind them that of a law.
        let (law, held) = (self.law_row(), *hold);
        let picked = std::array::from_fn(|k| {
            let row = match law {
                Some(row) if k == held => row,
                _ if k < held => k,
                _ => return [Output::Zero; 5],
            };
            let j = |slot, freedom| outputs[compiled.jacobian(row, slot, freedom)];
            [j(1, 0), j(1, 1), j(0, 2), j(1, 2), outputs[compiled.value(row)]]
        });
        let task = Task {
            inputs: compiled.step().inputs(),
            picked,
            rows: (held, law.is_some()),
            bases: *bases,
            fields: Fields::new(self),
            soft: self.uniform,
            hot,
        };
        let blocks = self.a.len().div_ceil(JOINTS);
        let parts = if threads && blocks >= PARTS { PARTS } else { 1 };
        let lanes = blocks.div_ceil(parts) * JOINTS;
        let mut blocks = self.own.blocks.chunks((*bases * lanes / JOINTS).max(1));
        let mut each = self
            .data
            .chunks_mut(lanes * self.layout.fields())
            .zip(self.a.chunks(lanes).zip(self.b.chunks(lanes)))
            .map(|(data, (a, b))| {
                let blocks = blocks.next().unwrap_or_default();
                Portion { data, lists: [a, b], blocks }
            });
        let list: [Mutex<Option<Portion<'_>>>; PARTS] =
            std::array::from_fn(|_| Mutex::new(each.next()));
        let any_off = AtomicBool::new(self.own.any_off);
        divide_list(&list[..parts], |portion| {
            if steps.with(|step| task.run(isa, step, portion)) {
                any_off.store(true, Ordering::Relaxed);
            }
        });
        self.own.any_off = any_off.into_inner();
    }
}

/// Into how many parts a bucket is divided for threads.
const PARTS: usize = 8;

/// What is to be evaluated, the same for all lanes of a bucket.
struct Task<'a> {
    inputs: &'a [Input],
    picked: [[Output; 5]; 3],
    /// How many are held, and whether a law is behind them.
    rows: (usize, bool),
    /// How many numbers the start of the step has given.
    bases: usize,
    fields: Fields,
    soft: Option<[f32; Layout::SOFT]>,
    hot: Shared<'a>,
}

/// Some of the lanes.
#[derive(Debug)]
struct Portion<'a> {
    data: &'a mut [f32],
    lists: [&'a [u32]; 2],
    blocks: &'a [Block],
}

impl Task<'_> {
    /// Evaluates some lanes. Says whether one is left out.
    fn run(&self, isa: Isa, step: &mut Cells<Block>, portion: Portion<'_>) -> bool {
        let Self { inputs, picked, rows: (held, law), bases, ref fields, soft, hot } = *self;
        let Portion { data, lists: [a, b], mut blocks } = portion;
        let mut left_out = false;
        let each = data.chunks_mut(JOINTS / LANES * fields.batch);
        for (data, (a, b)) in each.zip(a.chunks(JOINTS).zip(b.chunks(JOINTS))) {
            let (own, rest) = blocks.split_at(bases);
            blocks = rest;
            isa.run(Feed { inputs, step: &mut *step, lists: [a, b], bases: own, hot });
            step.run_on(isa, a.len());
            let step = &*step;
            let picked = &picked;
            left_out |= match (law, held) {
                (true, hold) => isa.run(Finish::<1> { picked, hold, step, data, fields, soft }),
                (_, 1) => isa.run(Finish::<1> { picked, hold: 0, step, data, fields, soft }),
                (_, 2) => isa.run(Finish::<2> { picked, hold: 0, step, data, fields, soft }),
                _ => isa.run(Finish::<3> { picked, hold: 0, step, data, fields, soft }),
            };
        }
        left_out
    }
}

/// Writes a field of up to 64 lanes, as many as there are.
fn write_lanes(data: &mut [f32], layout: Layout, field: usize, number: impl Fn(usize) -> f32) {
    let batches = data.chunks_exact_mut(LANES * layout.fields()).take(JOINTS / LANES);
    for (batch, data) in batches.enumerate() {
        for (lane, to) in data[LANES * field..LANES * (field + 1)].iter_mut().enumerate() {
            *to = number(LANES * batch + lane);
        }
    }
}

/// The numbers as f32.
fn round(to: &mut Block, from: &[f64; JOINTS]) {
    for (to, from) in to.0.iter_mut().zip(from) {
        *to = *from as f32;
    }
}

/// x, y, θ, cos θ and sin θ of the body of each lane.
fn look(states: &mut [[f64; JOINTS]; 5], rows: &[u32], poses: &[[f64; 3]], turns: &[[f64; 2]]) {
    for (lane, row) in rows.iter().enumerate().take(JOINTS) {
        let slot = *row as usize - 1;
        let ([x, y, angle], [cos, sin]) = (poses[slot], turns[slot]);
        for (to, value) in states.iter_mut().zip([x, y, angle, cos, sin]) {
            to[lane] = value;
        }
    }
}
