//! Programs in lanes: their parameters, the start of a step by changes, and their rows at a pose, which
//! [`super::program_rows`] takes from the tapes.

use super::bucket::{Bucket, LANES, Layout, Part};
use super::finish::Fields;
use super::program::{Program, Programs, Way, parameter};
use super::program_rows::{Feed, Finish};
use super::sight_lanes::{Keep, See, Site};
use super::threads::{Shared, divide_list};
use crate::joint::{Joint, JointKind, KindTag};
use crate::user::Erased;
use kempe_equation::{Block, Borrowed, Cells, Compiled, Input, Output, PreciseBlock};
use kempe_scalar::Isa;
use kempe_solve::Pool;
use smallvec::SmallVec;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Joints that a tape serves at a time.
pub(super) const JOINTS: usize = kempe_equation::LANES;

/// What a bucket of joints from text, or of a type of the user, has beside its lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    /// By input of the `start` tape that is a parameter: a number for each lane.
    parameters: Vec<Vec<f64>>,
    /// By lane: what the coordinate of a law counts from.
    targets: Vec<f64>,
    /// For each 64 lanes: what joints keep from sub-step to sub-step.
    pub blocks: Vec<Block>,
    /// Whether a lane may be left out of the step.
    pub any_off: bool,
    /// By lane and row, as B is seen from A: k_A, k_B and the target of k_A θ_A + k_B θ_B + …, if there is
    /// one with angles.
    pub turns: Vec<[f64; 3]>,
    /// By direction that is remembered, x and y: a number for each lane.
    memories: Vec<[Vec<f64>; 2]>,
    /// Or where they are, as B is seen from A.
    pub(super) sites: Vec<Site>,
    /// Lanes whose joints are to be told what is remembered, for their vectors are short.
    short: Vec<u32>,
    /// Whether all of them are.
    pub untold: bool,
    /// Whether parameters have changed since the last start of a step.
    fresh: bool,
}

/// Shorter than this, m, a vector may have no direction before long.
pub(super) const SHORT: f64 = 1e-3;

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
        let program = &programs.programs[usize::from(program)];
        self.own.untold = true;
        if let Way::Near { sight, fixed, .. } = &program.way {
            self.fill_near(program, (sight, fixed), lane, (joint, recording.as_ref()), target);
            return;
        }
        let tape = program.compiled.start();
        let own = &mut self.own;
        own.fresh = true;
        own.parameters.resize(tape.inputs().len(), Vec::new());
        own.targets.resize(self.joints.len(), 0.0);
        own.targets[lane] = target;
        for (numbers, input) in own.parameters.iter_mut().zip(tape.inputs()) {
            let Input::Parameter { index, component } = *input else { continue };
            numbers.resize(self.joints.len(), 0.0);
            numbers[lane] = parameter(joint, recording.as_ref(), index, component);
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
        let Own { memories, sites, .. } = &self.own;
        self.kind == KindTag::Distance || !memories.is_empty() || !sites.is_empty()
    }

    /// Tells a joint the directions that its program remembers.
    pub(super) fn tell_memories(&self, lane: usize, joint: &mut Joint) {
        let JointKind::Text(text) = &mut joint.def.kind else { return };
        let of_lane = |kept: &[Vec<f64>; 2]| [kept[0][lane], kept[1][lane]];
        let far = self.own.memories.iter().map(of_lane);
        let near = self.own.sites.iter().map(|site| site.direction(&self.own.blocks, lane));
        let memories: SmallVec<[[f64; 2]; 4]> = far.chain(near).collect();
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
    pub(super) fn start_program(&mut self, programs: &Programs, poses: &[[f64; 3]], threads: bool) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Programs { programs, turns, .. } = programs;
        let program = &programs[usize::from(program)];
        match &program.way {
            Way::Near { .. } => self.start_near(poses, threads),
            Way::Far(starts) => starts.with(|start| self.start_with(program, start, poses, turns)),
        }
    }

    fn start_with(
        &mut self,
        program: &Program,
        start: &mut Cells<PreciseBlock>,
        poses: &[[f64; 3]],
        turns: &[[f64; 2]],
    ) {
        let (rows, bases) = (program.rows, program.kept.len());
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
        let program = &programs.programs[usize::from(program)];
        self.check(hot);
        // The held rows; behind them that of a law.
        let (law, held) = (self.law_row(), program.hold);
        let mut picked = [[Output::Zero; 5]; 3];
        picked[..held].copy_from_slice(&program.outputs[..held]);
        if let Some(row) = law {
            picked[held] = program.outputs[row];
        }
        let task = Task {
            program,
            picked,
            rows: (held, law.is_some()),
            sites: &self.own.sites,
            fields: Fields::new(self),
            soft: self.uniform,
            isa,
            hot,
        };
        let blocks = self.a.len().div_ceil(JOINTS);
        let parts = if threads && self.is_divided() { PARTS } else { 1 };
        let lanes = blocks.div_ceil(parts) * JOINTS;
        let mut blocks = self.own.blocks.chunks_mut((program.kept.len() * lanes / JOINTS).max(1));
        let joints = self.joints.len();
        let mut each = self
            .data
            .chunks_mut(lanes * self.layout.fields())
            .zip(self.a.chunks(lanes).zip(self.b.chunks(lanes)))
            .enumerate()
            .map(|(part, (data, (a, b)))| {
                let blocks = blocks.next().unwrap_or_default();
                let joints = joints.saturating_sub(part * lanes).min(lanes);
                Portion { data, lists: [a, b], blocks, joints }
            });
        let found = [self.own.any_off, false].map(AtomicBool::new);
        let run = |portion: Portion<'_>| {
            let own = program.steps.with(|step| task.run(step, portion));
            for (found, own) in found.iter().zip(own) {
                if own {
                    found.store(true, Ordering::Relaxed);
                }
            }
        };
        if parts == 1 {
            each.for_each(run);
        } else {
            let list: [Mutex<Option<Portion<'_>>>; PARTS] =
                std::array::from_fn(|_| Mutex::new(each.next()));
            divide_list(&list, run);
        }
        let [any_off, short] = found.map(AtomicBool::into_inner);
        self.own.any_off = any_off;
        self.own.untold |= short;
    }
}

/// Into how many parts a bucket is divided for threads.
const PARTS: usize = 8;

/// What is to be evaluated, the same for all lanes of a bucket.
struct Task<'a> {
    program: &'a Program,
    picked: [[Output; 5]; 3],
    /// How many are held, and whether a law is behind them.
    rows: (usize, bool),
    sites: &'a [Site],
    fields: Fields,
    soft: Option<[f32; Layout::SOFT]>,
    isa: Isa,
    hot: Shared<'a>,
}

/// Some of the lanes.
#[derive(Debug)]
struct Portion<'a> {
    data: &'a mut [f32],
    lists: [&'a [u32]; 2],
    blocks: &'a mut [Block],
    /// How many of them are joints.
    joints: usize,
}

impl Task<'_> {
    /// Evaluates some lanes. Says whether one is left out, and whether one has a vector that is short.
    fn run(&self, step: &mut Cells<Block>, portion: Portion<'_>) -> [bool; 2] {
        let Self { program, ref picked, rows: (held, law), sites, ref fields, soft, isa, hot } =
            *self;
        let Portion { data, lists: [a, b], mut blocks, mut joints } = portion;
        let (inputs, first, count) = (&program.inputs, program.kept.start, program.kept.len());
        let (mut left_out, mut short) = (false, false);
        let each = data.chunks_mut(JOINTS / LANES * fields.batch);
        for (data, (a, b)) in each.zip(a.chunks(JOINTS).zip(b.chunks(JOINTS))) {
            let (own, rest) = std::mem::take(&mut blocks).split_at_mut(count);
            blocks = rest;
            let lists = [a, b];
            match &program.way {
                Way::Near { seen: cells, .. } => {
                    isa.run(See { cells, step, lists, data, fields, hot });
                }
                Way::Far(..) => isa.run(Feed { inputs, step, lists, hot }),
            }
            let borrowed = Borrowed { first, blocks: own };
            step.run_with(isa, a.len(), borrowed);
            let cells = (&*step, borrowed);
            left_out |= match (law, held) {
                (true, hold) => isa.run(Finish::<1> { picked, hold, cells, data, fields, soft }),
                (_, 1) => isa.run(Finish::<1> { picked, hold: 0, cells, data, fields, soft }),
                (_, 2) => isa.run(Finish::<2> { picked, hold: 0, cells, data, fields, soft }),
                _ => isa.run(Finish::<3> { picked, hold: 0, cells, data, fields, soft }),
            };
            if !sites.is_empty() {
                short |= isa.run(Keep { sites, step, own, first, joints });
            }
            joints = joints.saturating_sub(JOINTS);
        }
        [left_out, short]
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
