//! Programs in lanes: their parameters, the start of a step, and their rows at a pose.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::bucket::{Bucket, LANES, Layout, Part};
use super::evaluate::{answered, factors};
use super::program::{Program, Programs};
use crate::joint::{Joint, JointKind, KindTag};
use crate::joints::Row;
use crate::user::Erased;
use kempe_equation::{Block, Cells, Input, Output};
use kempe_scalar::{Isa, Kernel, Lanes, Vec2};

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
    /// By lane: whether it is left out of the step.
    pub off: Vec<bool>,
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
        let layout = self.layout;
        // The row that a law is on counts from its target.
        let counts = self.law_row();
        let count = self.joints.len();
        for first in (0..count).step_by(JOINTS) {
            let used = JOINTS.min(count - first);
            let lists = [&self.a[first..first + used], &self.b[first..first + used]];
            for (index, input) in program.compiled.start().inputs().iter().enumerate() {
                let to = &mut program.start.input_mut(index)[..used];
                match *input {
                    Input::PositionX(slot) => pick(to, lists[slot], poses, 0),
                    Input::PositionY(slot) => pick(to, lists[slot], poses, 1),
                    Input::Rotation(slot) => pick(to, lists[slot], poses, 2),
                    Input::Cosine(slot) => pick(to, lists[slot], turns, 0),
                    Input::Sine(slot) => pick(to, lists[slot], turns, 1),
                    _ => to.copy_from_slice(&self.own.parameters[index][first..first + used]),
                }
            }
            program.start.run();
            let mut whole = [true; JOINTS];
            for number in 0..rows + bases {
                // Values of rows come first, behind the bases here.
                let (output, field) = match number.checked_sub(rows) {
                    None => (number, bases + number),
                    Some(base) => (rows + base, base),
                };
                let mut values = program.start.output(output);
                if counts == Some(number) {
                    let targets = &self.own.targets[first..first + used];
                    values.iter_mut().zip(targets).for_each(|(value, from)| *value -= from);
                }
                if number < rows {
                    whole.iter_mut().zip(&values).for_each(|(whole, x)| *whole &= x.is_finite());
                }
                let field = LANES * (layout.parameters() + field);
                let batches = self.data.chunks_exact_mut(LANES * layout.fields());
                for (batch, values) in batches.skip(first / LANES).zip(values.chunks_exact(LANES)) {
                    for (to, value) in batch[field..field + LANES].iter_mut().zip(values) {
                        *to = *value as f32;
                    }
                }
            }
            for (off, whole) in self.own.off[first..first + used].iter_mut().zip(whole) {
                *off = !whole;
            }
        }
        let totals = layout.total(0)..layout.soft();
        for batch in self.data.chunks_exact_mut(LANES * layout.fields()) {
            batch[LANES * totals.start..LANES * totals.end].fill(0.0);
        }
    }

    /// The rows of every entry at the present pose.
    pub(super) fn evaluate_program(&mut self, isa: Isa, hot: &[f32], programs: &mut Programs) {
        let KindTag::Text { program, .. } = self.kind else { return };
        let Program { compiled, step, hold, bases, .. } =
            &mut programs.programs[usize::from(program)];
        self.check(hot);
        let layout = self.layout;
        let fields = layout.fields();
        let uniform = self.uniform;
        let batches = self.a.len() / LANES;
        for first in (0..batches).step_by(BATCHES) {
            let used = BATCHES.min(batches - first);
            let lanes = first * LANES..(first + used) * LANES;
            let lists = [&self.a[lanes.clone()], &self.b[lanes.clone()]];
            let data = &mut self.data[first * LANES * fields..][..used * LANES * fields];
            let tape = compiled.step();
            isa.run(Feed { inputs: tape.inputs(), step: &mut *step, lists, data, layout, hot });
            step.run_on(isa, used * LANES);
            let outputs = tape.outputs();
            // The held rows; behind them that of a law.
            let (law, held) = (self.law_row(), *hold);
            let picked: [[Output; 5]; 3] = std::array::from_fn(|k| {
                let row = match law {
                    Some(row) if k == held => row,
                    _ if k < held => k,
                    _ => return [Output::Zero; 5],
                };
                let j = |slot, freedom| outputs[compiled.jacobian(row, slot, freedom)];
                [j(1, 0), j(1, 1), j(0, 2), j(1, 2), outputs[compiled.value(row)]]
            });
            let data = &mut self.data[first * LANES * fields..][..used * LANES * fields];
            let off = &mut self.own.off[lanes.start.min(self.joints.len())..];
            let rows = (held, law);
            let bases = *bases;
            isa.run(Finish { picked, rows, step: &*step, data, layout, bases, uniform, off });
        }
    }
}

/// A number of the body of each lane.
fn pick<const N: usize>(to: &mut [f64], rows: &[u32], from: &[[f64; N]], k: usize) {
    for (to, row) in to.iter_mut().zip(rows) {
        *to = from[*row as usize - 1][k];
    }
}

/// Brings the poses of bodies, and what the start of the step gave, into the cells of a tape.
struct Feed<'a> {
    inputs: &'a [Input],
    step: &'a mut Cells<Block>,
    lists: [&'a [u32]; 2],
    data: &'a [f32],
    layout: Layout,
    hot: &'a [f32],
}

impl Kernel for Feed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { inputs, step, lists, data, layout, hot } = self;
        let fields = layout.fields();
        // By body and number of its state: the input cell that it goes to, and the first of bases.
        let mut to = [[usize::MAX; HOT]; 2];
        for (index, input) in inputs.iter().enumerate() {
            match *input {
                Input::DeltaRotation(slot) => to[slot][3] = index,
                Input::DeltaX(slot) => to[slot][4] = index,
                Input::DeltaY(slot) => to[slot][5] = index,
                Input::Cosine(slot) => to[slot][6] = index,
                Input::Sine(slot) => to[slot][7] = index,
                Input::Base(base) => {
                    let block = step.input_mut(index);
                    let field = LANES * (layout.parameters() + base);
                    for (batch, own) in data.chunks_exact(LANES * fields).enumerate() {
                        block[batch * LANES..][..LANES].copy_from_slice(&own[field..][..LANES]);
                    }
                }
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

/// Takes the rows from the outputs of a tape, and factors K.
struct Finish<'a> {
    /// By row: n_x, n_y, −a, b and the change of the value.
    picked: [[Output; 5]; 3],
    /// How many are held, and which of the program's rows a law is on.
    rows: (usize, Option<usize>),
    step: &'a Cells<Block>,
    data: &'a mut [f32],
    layout: Layout,
    bases: usize,
    uniform: Option<[f32; Layout::SOFT]>,
    off: &'a mut [bool],
}

impl Kernel for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { picked, rows: (held, law), step, data, layout, bases, uniform, off } = self;
        let (fields, count) = (layout.fields(), layout.rows);
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
                let start = layout.parameters() + bases;
                let nothing = Row { value: zero, n: Vec2::new(zero, zero), a: zero, b: zero };
                let mut rows = [nothing; 3];
                if let Some(law) = law {
                    rows[0] = row(step, first, &picked[held], read(start + law));
                } else {
                    rows[0] = row(step, first, &picked[0], read(start));
                    if count > 1 {
                        rows[1] = row(step, first, &picked[1], read(start + 1));
                    }
                    if count > 2 {
                        rows[2] = row(step, first, &picked[2], read(start + 2));
                    }
                }
                let amiss = amiss(&rows[0]) + amiss(&rows[1]) + amiss(&rows[2]);
                let mut broken = [0.0_f32; LANES];
                // SAFETY: the array has eight numbers, and the width is at most that.
                unsafe { amiss.store(broken.as_mut_ptr()) };
                let mut any = false;
                for (lane, broken) in broken.iter_mut().enumerate().take(L::WIDTH) {
                    let before = off.get_mut(first + lane);
                    if *broken == 0.0 && !before.as_ref().is_some_and(|off| **off) {
                        continue;
                    }
                    any = true;
                    *broken = 1.0;
                    before.into_iter().for_each(|off| *off = true);
                }
                if any {
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
                    all[0] = row(step, first, &picked[0], zero);
                    if held > 1 {
                        all[1] = row(step, first, &picked[1], zero);
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

/// The lanes of an output from `first` on.
#[inline(always)]
fn number<L: Lanes>(step: &Cells<Block>, first: usize, output: Output) -> L {
    let (cell, sign) = match output {
        Output::Zero => return L::splat(0.0),
        Output::One => return L::splat(1.0),
        Output::MinusOne => return L::splat(-1.0),
        Output::Constant(value) => return L::splat(value as f32),
        Output::Cell(cell) => (cell, false),
        Output::Negated(cell) => (cell, true),
    };
    let lanes = &step.block(cell)[first..];
    assert!(lanes.len() >= L::WIDTH, "whole registers");
    // SAFETY: as just asserted.
    let value = unsafe { L::load(lanes.as_ptr()) };
    if sign { -value } else { value }
}

#[inline(always)]
fn row<L: Lanes>(step: &Cells<Block>, first: usize, from: &[Output; 5], start: L) -> Row<L> {
    let n = Vec2::new(number(step, first, from[0]), number(step, first, from[1]));
    let a: L = number(step, first, from[2]);
    let change: L = number(step, first, from[4]);
    Row { value: start + change, n, a: -a, b: number(step, first, from[3]) }
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
