//! Joints in lanes as B is seen from A: the start of a step; of programs their parameters, bodies into the
//! cells of a tape, and the directions that are remembered.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::bucket::{Bucket, CHUNK, LANES};
use super::finish::Fields;
use super::program::{Lent, Program, parameter};
use super::program_lanes::{JOINTS, SHORT};
use super::program_rows::Source;
use super::threads::{Shared, divide_batches};
use crate::joint::{Joint, JointKind};
use crate::user::Recording;
use kempe_equation::{Block, Borrowed, Cells, Input, Output, Sight};
use kempe_scalar::{Kernel, Lanes};

/// A direction that is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// x and y of the vector, and of its direction.
    outputs: [Output; 4],
    /// Where it is kept, x and y, among what joints keep.
    kept: [usize; 2],
    /// Of how many numbers.
    count: usize,
}

impl Site {
    /// What is remembered for a lane.
    pub(super) fn direction(&self, blocks: &[Block], lane: usize) -> [f64; 2] {
        self.kept.map(|kept| blocks[lane / JOINTS * self.count + kept].0[lane % JOINTS].into())
    }
}

/// Where directions are remembered.
fn sites(program: &Program, sight: &Sight) -> Vec<Site> {
    let inputs = &program.inputs[program.kept.clone()];
    let outputs = sight.step().outputs();
    let site = |site: usize| {
        let place = |component: usize| {
            inputs.iter().position(|input| *input == Input::Memory { site, component })
        };
        let outputs = sight.memory(site).map(|output| outputs[output]);
        Some(Site { outputs, kept: [place(0)?, place(1)?], count: inputs.len() })
    };
    (0..program.compiled.memories()).filter_map(site).collect()
}

impl Bucket {
    /// Writes the parameters of a joint into its lane.
    pub(super) fn fill_near(
        &mut self,
        program: &Program,
        (sight, fixed): (&Sight, &Lent<Cells<f64>>),
        lane: usize,
        (joint, recording): (&Joint, Option<&Recording>),
        target: f64,
    ) {
        let memories = match &joint.def.kind {
            JointKind::Text(text) => text.instance.memories(),
            _ => &[],
        };
        let number = |input: Input| match input {
            Input::Parameter { index, component } => parameter(joint, recording, index, component),
            Input::Memory { site, component } => {
                memories.get(site).map_or(0.0, |kept| kept[component])
            }
            _ => 0.0,
        };
        let own = &mut self.own;
        if own.sites.is_empty() {
            own.sites = sites(program, sight);
        }
        let count = program.kept.len();
        own.blocks.resize(self.joints.len().div_ceil(JOINTS) * count, Block([0.0; JOINTS]));
        let blocks = &mut own.blocks[lane / JOINTS * count..][..count];
        for (block, input) in blocks.iter_mut().zip(&program.inputs[program.kept.clone()]) {
            block.0[lane % JOINTS] = number(*input) as f32;
        }
        let rows = self.part.rows();
        let from: Vec<[f64; 3]> = fixed.with(|fixed| {
            fixed.fill(number);
            fixed.run();
            let of = |row: &usize| sight.fixed_outputs(*row).map(|output| fixed.output(output));
            rows.iter().map(of).collect()
        });
        for (k, [turn_a, turn_b, more]) in from.into_iter().enumerate() {
            self.count_from(lane, k, [turn_a, turn_b], target - more);
        }
    }

    /// Starts a step: how B lies from A, where coordinates count from, and no impulse yet.
    pub(super) fn start_near(&mut self, poses: &[[f64; 3]], threads: bool) {
        let layout = self.layout;
        let (count, rows) = (self.joints.len(), layout.rows);
        let most = if threads { 2 * CHUNK } else { usize::MAX };
        let (a, b, turns) = (&self.a, &self.b, &self.own.turns);
        let totals = LANES * layout.total(0)..LANES * layout.soft();
        let (off, offset) = (LANES * layout.off(), LANES * layout.offset());
        divide_batches(&mut self.data, LANES * layout.fields(), most, |first, data| {
            let from = first * LANES;
            for (batch, data) in data.chunks_exact_mut(LANES * layout.fields()).enumerate() {
                let first = from + LANES * batch;
                let used = LANES.min(count - first);
                let (a, b) = (&a[first..first + used], &b[first..first + used]);
                // Where there is no joint B is somewhere: equations may have no value where A is.
                let mut between = [[1.0_f32; LANES], [0.0; LANES]];
                let mut angles = [[0.0_f64; LANES]; 2];
                for (lane, (a, b)) in a.iter().zip(b).enumerate().take(LANES) {
                    let [a, b] = [a, b].map(|row| poses[*row as usize - 1]);
                    between[0][lane] = (b[0] - a[0]) as f32;
                    between[1][lane] = (b[1] - a[1]) as f32;
                    angles[0][lane] = a[2];
                    angles[1][lane] = b[2];
                }
                // Many turns are taken off in f64, before f32 would lose them.
                let turns = turns.get(rows * first..rows * (first + used)).unwrap_or_default();
                for k in 0..if turns.is_empty() { 0 } else { layout.targets } {
                    let mut targets = [0.0_f32; LANES];
                    let turns = turns.iter().skip(k).step_by(rows);
                    for (lane, [by_a, by_b, target]) in turns.enumerate().take(LANES) {
                        let turned = by_a * angles[0][lane] + by_b * angles[1][lane];
                        targets[lane] = (target - turned) as f32;
                    }
                    let field = LANES * layout.target(k);
                    data[field..field + LANES].copy_from_slice(&targets);
                }
                data[offset..offset + 2 * LANES].copy_from_slice(between.as_flattened());
                data[off..off + LANES].fill(0.0);
                data[totals.clone()].fill(0.0);
            }
        });
        self.own.any_off = false;
    }

    /// Says where a coordinate counts from that has k_A θ_A + k_B θ_B in it. Where one has angles all rows
    /// have targets.
    pub(super) fn count_from(&mut self, lane: usize, k: usize, turns: [f64; 2], target: f64) {
        let (layout, all) = (self.layout, self.layout.rows * self.joints.len());
        if turns != [0.0; 2] || !self.own.turns.is_empty() {
            // Those before it have no angles, and count from where they did.
            for at in self.own.turns.len()..all {
                let field = layout.target(at % layout.rows);
                self.own.turns.push([0.0, 0.0, self.get(at / layout.rows, field).into()]);
            }
            self.own.turns[layout.rows * lane + k] = [turns[0], turns[1], target];
        }
        if k < layout.targets {
            self.set(lane, layout.target(k), target as f32);
        }
    }
}

/// Which input cells the offset goes to, and by body the turns since the start of the step, the cosines
/// and the sines.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    offset: [Option<usize>; 2],
    turns: [Option<usize>; 2],
    cosines: [Option<usize>; 2],
    sines: [Option<usize>; 2],
}

impl Seen {
    pub(super) fn new(sight: &Sight) -> Self {
        let inputs = sight.step().inputs();
        let cell = |input: Input| inputs.iter().position(|each| *each == input);
        Self {
            offset: [Input::OffsetX, Input::OffsetY].map(cell),
            turns: [0, 1].map(|slot| cell(Input::DeltaRotation(slot))),
            cosines: [0, 1].map(|slot| cell(Input::Cosine(slot))),
            sines: [0, 1].map(|slot| cell(Input::Sine(slot))),
        }
    }
}

/// Brings the poses of bodies into the cells of a tape, as B is seen from A.
pub(super) struct See<'a> {
    pub cells: &'a Seen,
    pub step: &'a mut Cells<Block>,
    pub lists: [&'a [u32]; 2],
    pub data: &'a [f32],
    pub fields: &'a Fields,
    pub hot: Shared<'a>,
}

impl Kernel for See<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { cells, step, lists: [a, b], data, fields, hot } = self;
        let lanes = a.len();
        assert!(lanes <= JOINTS && lanes.is_multiple_of(LANES), "whole batches");
        assert!(b.len() == lanes && data.len() == lanes / LANES * fields.batch, "one each");
        // Where no input is, numbers go to a cell that nothing reads.
        let mut nowhere = Block([0.0; JOINTS]);
        let mut both = |[a, b]: [Option<usize>; 2]| {
            let mut cell = |index: Option<usize>| match index {
                Some(index) => step.input_mut(index).as_mut_ptr(),
                None => nowhere.0.as_mut_ptr(),
            };
            [cell(a), cell(b)]
        };
        let Seen { offset, turns, cosines, sines } = cells;
        let any = |[a, b]: &[Option<usize>; 2]| a.is_some() || b.is_some();
        let poses = any(offset) || any(cosines) || any(sines);
        let turned = any(turns);
        let [offset, turns] = [both(*offset), both(*turns)];
        let [cosines, sines] = [both(*cosines), both(*sines)];
        if poses {
            for at in (0..lanes).step_by(L::WIDTH) {
                // SAFETY: `Bucket::check` asserts that every row is inside the hot state; lists are whole
                // batches, which the width divides, as many as there are in `data`, and no longer than a
                // cell. The second half of a row is four floats on.
                unsafe {
                    let second = hot.first().add(HOT / 2);
                    let pose_a = L::gather_rows(second, a[at..].as_ptr());
                    let pose_b = L::gather_rows(second, b[at..].as_ptr());
                    let base = data.as_ptr().add(at / LANES * fields.batch + at % LANES);
                    let x = L::load(base.add(fields.offset)) + (pose_b[0] - pose_a[0]);
                    let y = L::load(base.add(fields.offset + LANES)) + (pose_b[1] - pose_a[1]);
                    x.store(offset[0].add(at));
                    y.store(offset[1].add(at));
                    pose_a[2].store(cosines[0].add(at));
                    pose_b[2].store(cosines[1].add(at));
                    pose_a[3].store(sines[0].add(at));
                    pose_b[3].store(sines[1].add(at));
                }
            }
        }
        if turned {
            for at in (0..lanes).step_by(L::WIDTH) {
                // SAFETY: as above.
                unsafe {
                    let first = hot.first();
                    L::gather_rows(first, a[at..].as_ptr())[3].store(turns[0].add(at));
                    L::gather_rows(first, b[at..].as_ptr())[3].store(turns[1].add(at));
                }
            }
        }
    }
}

/// Keeps the directions of vectors that have one. Says whether a vector is short.
pub(super) struct Keep<'a> {
    pub sites: &'a [Site],
    pub step: &'a Cells<Block>,
    /// What joints keep, and its first cell.
    pub own: &'a mut [Block],
    pub first: usize,
    /// How many of the lanes are joints.
    pub joints: usize,
}

impl Kernel for Keep<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { sites, step, own, first, joints } = self;
        let joints = joints.min(JOINTS);
        let lanes = joints.next_multiple_of(LANES);
        let mut short = false;
        for Site { outputs: [x, y, along_x, along_y], kept, .. } in sites {
            let mut sizes = Block([0.0; JOINTS]);
            let vector = [x, y].map(|u| Source::of((step, Borrowed { first, blocks: own }), *u));
            for at in (0..lanes).step_by(L::WIDTH) {
                // SAFETY: there are no more lanes than a cell has, and the width divides eight.
                unsafe {
                    let [x, y] = vector.map(|u| u.read::<L>(at).abs());
                    x.max(y).store(sizes.0.as_mut_ptr().add(at));
                }
            }
            // One that is no number is short too.
            short |= !sizes.0[..joints].iter().all(|size| *size > SHORT as f32);
            let along = [along_x, along_y].map(|u| Source::of((step, Borrowed::NONE), *u));
            for at in (0..lanes).step_by(L::WIDTH) {
                // SAFETY: as above.
                unsafe {
                    let [x, y] = along.map(|u| u.read::<L>(at));
                    let found = (x * x + y * y).gt(L::splat(0.5));
                    for (kept, along) in kept.iter().zip([x, y]) {
                        let to = own[*kept].0.as_mut_ptr().add(at);
                        L::select(found, along, L::load(to)).store(to);
                    }
                }
            }
        }
        short
    }
}
