//! Programs in lanes: their parameters, the start of a step, and their rows at a pose.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::bucket::{Bucket, LANES, Layout, Part};
use super::evaluate::{answered, factors};
use super::program::{Program, Programs};
use crate::joint::{Joint, JointKind, KindTag};
use crate::joints::Row;
use crate::user::Erased;
use kempe_equation::{Block, Cells, Compiled, Input, Output, PreciseBlock};
use kempe_scalar::{Isa, Kernel, Lanes, Vec2};
use kempe_solve::Pool;
use smallvec::SmallVec;
use std::sync::Arc;

/// Joints that a tape serves at a time.
const JOINTS: usize = kempe_equation::LANES;
/// Batches of them.
const BATCHES: usize = JOINTS / LANES;

/// What a bucket of joints from text has beside its lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    /// By input of the `start` tape that is a parameter: a number for each lane.
    parameters: Vec<Vec<f64>>,
    /// By lane: what the coordinate of a law counts from.
    targets: Vec<f64>,
    /// For each 64 lanes: the values of the rows, then what sub-steps count from.
    blocks: Vec<Block>,
    /// By lane: whether it is left out of the step; and whether one is.
    pub off: Vec<bool>,
    any_off: bool,
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
        for (site, [kept_x, kept_y]) in self.memories.iter_mut().enumerate() {
            let [x, y] = [0, 1].map(|k| start.output(first_output + 2 * site + k));
            let (kept_x, kept_y) = (kept_x[first..].iter_mut(), kept_y[first..].iter_mut());
            for (lane, (kept_x, kept_y)) in kept_x.zip(kept_y).enumerate().take(JOINTS) {
                let [x, y] = Compiled::direction([x[lane], y[lane]]).unwrap_or([*kept_x, *kept_y]);
                (*kept_x, *kept_y) = (x, y);
            }
            let used = JOINTS.min(self.targets.len() - first);
            for (lane, (x, y)) in x.iter().zip(&y).enumerate().take(used) {
                // One that is no number is short too.
                if !(x.abs().max(y.abs()) > SHORT) {
                    self.short.push((first + lane) as u32);
                }
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
        let KindTag::Text { program, .. } = self.kind else { return };
        let recording = match &joint.def.kind {
            JointKind::User(user) => user.made().and_then(Erased::recording),
            _ => None,
        };
        let tape = programs.programs[usize::from(program)].compiled.start();
        let own = &mut self.own;
        own.fresh = true;
        own.untold = true;
        own.parameters.resize(tape.inputs().len(), Vec::new());
        own.off.resize(self.joints.len(), false);
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
    fn law_row(&self) -> Option<usize> {
        match self.part {
            Part::Law(_, row) => Some(row.into()),
            Part::Hold(..) => None,
        }
    }

    /// Starts a step: coordinates in f64, and what sub-steps count from.
    pub(super) fn start_program(&mut self, programs: &mut Programs, poses: &[[f64; 3]]) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Programs { programs, turns, .. } = programs;
        let program = &mut programs[usize::from(program)];
        let (rows, bases) = (program.rows, program.bases);
        let numbers = rows + bases;
        self.own.blocks.resize(self.joints.len().div_ceil(JOINTS) * numbers, Block([0.0; JOINTS]));
        self.own.any_off = false;
        // The row that a law is on counts from its target.
        let counts = self.law_row();
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
                let to = program.start.input_mut(index);
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
            program.start.run();
            self.own.remember(&program.start, rows + bases, first);
            let mut whole = [true; JOINTS];
            let blocks = &mut self.own.blocks[first / JOINTS * numbers..][..numbers];
            for (number, block) in blocks.iter_mut().enumerate() {
                let output = program.compiled.start().outputs()[number];
                let input = match output {
                    Output::Cell(cell) if number >= rows => inputs.get(cell),
                    _ => None,
                };
                // A parameter is there since it was given.
                if !self.own.fresh && matches!(input, Some(Input::Parameter { .. })) {
                    continue;
                }
                if number >= rows
                    && let Output::Cell(cell) = output
                {
                    round(block, program.start.block(cell));
                    continue;
                }
                let mut values = program.start.output(number);
                if counts == Some(number) {
                    let targets = &self.own.targets[first..first + used];
                    values.iter_mut().zip(targets).for_each(|(value, from)| *value -= from);
                }
                if number < rows {
                    whole.iter_mut().zip(&values).for_each(|(whole, x)| *whole &= x.is_finite());
                }
                round(block, &values);
            }
            for (off, whole) in self.own.off[first..first + used].iter_mut().zip(whole) {
                *off = !whole;
                self.own.any_off |= !whole;
            }
        }
        let layout = self.layout;
        self.own.fresh = false;
        let totals = layout.total(0)..layout.soft();
        for batch in self.data.chunks_exact_mut(LANES * layout.fields()) {
            batch[LANES * totals.start..LANES * totals.end].fill(0.0);
        }
    }

    /// The rows of every entry at the present pose.
    pub(super) fn evaluate_program(&mut self, isa: Isa, hot: &[f32], programs: &mut Programs) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Program { compiled, step, hold, rows, bases, .. } =
            &mut programs.programs[usize::from(program)];
        self.check(hot);
        let layout = self.layout;
        let fields = layout.fields();
        let uniform = self.uniform;
        let batches = self.a.len() / LANES;
        let tape = Arc::clone(compiled.step());
        let outputs = tape.outputs();
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
        let from = law.unwrap_or(0);
        for first in (0..batches).step_by(BATCHES) {
            let used = BATCHES.min(batches - first);
            let lanes = first * LANES..(first + used) * LANES;
            let lists = [&self.a[lanes.clone()], &self.b[lanes.clone()]];
            let numbers = *rows + *bases;
            let (values, bases) =
                self.own.blocks[first / BATCHES * numbers..][..numbers].split_at(*rows);
            isa.run(Feed { inputs: tape.inputs(), step: &mut *step, lists, bases, hot });
            step.run_on(isa, used * LANES);
            let data = &mut self.data[first * LANES * fields..][..used * LANES * fields];
            let off = &mut self.own.off[lanes.start.min(self.joints.len())..];
            let (rows, any_off) = ((held, law), &mut self.own.any_off);
            let (step, values) = (&*step, &values[from..]);
            isa.run(Finish { picked, rows, step, values, data, layout, uniform, off, any_off });
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

/// Brings the poses of bodies, and what the start of the step gave, into the cells of a tape.
struct Feed<'a> {
    inputs: &'a [Input],
    step: &'a mut Cells<Block>,
    lists: [&'a [u32]; 2],
    bases: &'a [Block],
    hot: &'a [f32],
}

impl Kernel for Feed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { inputs, step, lists, bases, hot } = self;
        // By body and number of its state: the input cell that it goes to, and the first of bases.
        let mut to = [[usize::MAX; HOT]; 2];
        for (index, input) in inputs.iter().enumerate() {
            match *input {
                Input::DeltaRotation(slot) => to[slot][3] = index,
                Input::DeltaX(slot) => to[slot][4] = index,
                Input::DeltaY(slot) => to[slot][5] = index,
                Input::Cosine(slot) => to[slot][6] = index,
                Input::Sine(slot) => to[slot][7] = index,
                Input::Base(base) => *step.input_mut(index) = bases[base].0,
                _ => {}
            }
        }
        // Where no input is, numbers go to a cell that nothing reads.
        let mut nowhere = Block([0.0; JOINTS]);
        for (list, to) in lists.into_iter().zip(to) {
            assert!(list.len() <= JOINTS && list.len().is_multiple_of(LANES), "whole batches");
            for half in 0..2 {
                let to = &to[4 * half..4 * half + 4];
                if to.iter().all(|index| *index == usize::MAX) {
                    continue;
                }
                let cells: [*mut f32; 4] = std::array::from_fn(|k| match to[k] {
                    usize::MAX => nowhere.0.as_mut_ptr(),
                    index => step.input_mut(index).as_mut_ptr(),
                });
                for at in (0..list.len()).step_by(L::WIDTH) {
                    // SAFETY: `Bucket::check` asserts that every row is inside the hot state; lists are
                    // whole batches, which the width divides, and no longer than a cell.
                    unsafe {
                        let found = L::gather_rows(hot.as_ptr().add(4 * half), list[at..].as_ptr());
                        found[0].store(cells[0].add(at));
                        found[1].store(cells[1].add(at));
                        found[2].store(cells[2].add(at));
                        found[3].store(cells[3].add(at));
                    }
                }
            }
        }
    }
}

/// Where the lanes of an output are: in a cell of a tape, or eight times the same.
#[derive(Clone, Copy)]
struct Source<'a> {
    block: &'a [f32; JOINTS],
    /// 1 for a cell, 0 for a constant.
    stride: usize,
    sign: f32,
}

const ONES: [f32; JOINTS] = [1.0; JOINTS];

impl<'a> Source<'a> {
    #[inline(always)]
    fn of(step: &'a Cells<Block>, output: Output) -> Self {
        let (block, stride, sign) = match output {
            Output::Zero => (&ONES, 0, 0.0),
            Output::One => (&ONES, 0, 1.0),
            Output::MinusOne => (&ONES, 0, -1.0),
            Output::Constant(value) => (&ONES, 0, value as f32),
            Output::Cell(cell) => (step.block(cell), 1, 1.0),
            Output::Negated(cell) => (step.block(cell), 1, -1.0),
        };
        Self { block, stride, sign }
    }

    /// The lanes from `first` on.
    #[inline(always)]
    fn read<L: Lanes>(&self, first: usize) -> L {
        let lanes = &self.block[self.stride * first..];
        assert!(lanes.len() >= L::WIDTH, "whole registers");
        // SAFETY: as just asserted.
        unsafe { L::load(lanes.as_ptr()) * L::splat(self.sign) }
    }
}

/// Takes the rows from the outputs of a tape, and factors K.
struct Finish<'a> {
    /// By row: n_x, n_y, −a, b and the change of the value.
    picked: [[Output; 5]; 3],
    /// How many are held, and which of the program's rows a law is on.
    rows: (usize, Option<usize>),
    step: &'a Cells<Block>,
    /// The values of the rows of this part at the start.
    values: &'a [Block],
    data: &'a mut [f32],
    layout: Layout,
    uniform: Option<[f32; Layout::SOFT]>,
    off: &'a mut [bool],
    any_off: &'a mut bool,
}

impl Kernel for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { picked, rows: (held, law), step, values, data, layout, uniform, off, any_off } =
            self;
        let (fields, count) = (layout.fields(), layout.rows);
        let own = if law.is_some() { held } else { 0 };
        let sources = picked.map(|row| row.map(|output| Source::of(step, output)));
        for (batch, data) in data.chunks_exact_mut(LANES * fields).enumerate() {
            for at in (0..LANES).step_by(L::WIDTH) {
                let base = data[at..].as_mut_ptr();
                // SAFETY: `field` is below `fields`, so the lanes lie in this batch; `at` is a multiple of
                // the width, which divides eight.
                let read = |field: usize| unsafe { L::load(base.add(field * LANES)) };
                // SAFETY: as above.
                let write =
                    |field: usize, value: L| unsafe { value.store(base.add(field * LANES)) };
                let first = batch * LANES + at;
                let zero = L::splat(0.0);
                let nothing = Row { value: zero, n: Vec2::new(zero, zero), a: zero, b: zero };
                let mut rows = [nothing; 3];
                rows[0] = row(&sources[own], &values[0], first);
                if count > 1 {
                    rows[1] = row(&sources[1], &values[1], first);
                }
                if count > 2 {
                    rows[2] = row(&sources[2], &values[2], first);
                }
                let amiss = amiss(&rows[0]) + amiss(&rows[1]) + amiss(&rows[2]);
                let mut broken = [0.0_f32; LANES];
                // SAFETY: the array has eight numbers, and the width is at most that.
                unsafe { amiss.store(broken.as_mut_ptr()) };
                if *any_off || broken != [0.0; LANES] {
                    for (lane, broken) in broken.iter_mut().enumerate().take(L::WIDTH) {
                        let off = off.get_mut(first + lane);
                        let out = *broken != 0.0 || off.as_ref().is_some_and(|off| **off);
                        *broken = f32::from(u8::from(out));
                        if let Some(off) = off {
                            *off = out;
                            *any_off |= out;
                        }
                    }
                    // SAFETY: as above.
                    let out = unsafe { L::load(broken.as_ptr()) };
                    for row in &mut rows {
                        let Row { value, n, a, b } = *row;
                        let n = Vec2::new(kept(out, n.x), kept(out, n.y));
                        let (a, b) = (kept(out, a), kept(out, b));
                        *row = Row { value: kept(out, value), n, a, b };
                    }
                    for k in layout.impulse(0)..layout.soft() {
                        write(k, kept(out, read(k)));
                    }
                }
                write_row(&write, layout.row(0), layout.value(0), &rows[0]);
                if count > 1 {
                    write_row(&write, layout.row(1), layout.value(1), &rows[1]);
                }
                if count > 2 {
                    write_row(&write, layout.row(2), layout.value(2), &rows[2]);
                }
                let m: [L; 6] = std::array::from_fn(|k| read(Layout::MASSES + k));
                let gamma = match uniform {
                    Some(uniform) => L::splat(uniform[4]),
                    None => read(layout.soft() + 4),
                };
                let mut less = zero;
                if law.is_some() && held > 0 {
                    // A law moves what the hold of its joint lets it move.
                    let mut all = [nothing; 3];
                    all[0] = row(&sources[0], &values[0], first);
                    if held > 1 {
                        all[1] = row(&sources[1], &values[0], first);
                    }
                    let taken = answered::<L>(held, &all, &rows[0], |r, s| {
                        (m[0] + m[3]) * r.n.x * s.n.x
                            + (m[1] + m[4]) * r.n.y * s.n.y
                            + m[2] * r.a * s.a
                            + m[5] * r.b * s.b
                    });
                    less = read(layout.soft() + Layout::THROUGH) * taken;
                }
                factors(&rows, count, &m, gamma, less, |k, value| {
                    write(layout.factors() + k, value);
                });
            }
        }
    }
}

#[inline(always)]
fn row<L: Lanes>(from: &[Source<'_>; 5], start: &Block, first: usize) -> Row<L> {
    let [x, y, a, b, change] = from;
    let n = Vec2::new(x.read(first), y.read(first));
    let start: L = Source { block: &start.0, stride: 1, sign: 1.0 }.read(first);
    Row { value: start + change.read(first), n, a: -a.read::<L>(first), b: b.read(first) }
}

/// What is not finite, times 0, is not 0.
#[inline(always)]
fn amiss<L: Lanes>(row: &Row<L>) -> L {
    (row.value + row.n.x + row.n.y) * L::splat(0.0) + (row.a + row.b) * L::splat(0.0)
}

/// The value, but 0 where `out` is above 0.
#[inline(always)]
fn kept<L: Lanes>(out: L, value: L) -> L {
    L::select(out.gt(L::splat(0.0)), L::splat(0.0), value)
}

#[inline(always)]
fn write_row<L: Lanes>(write: &impl Fn(usize, L), field: usize, value: usize, row: &Row<L>) {
    write(field, row.n.x);
    write(field + 1, row.n.y);
    write(field + 2, row.a);
    write(field + 3, row.b);
    write(value, row.value);
}
