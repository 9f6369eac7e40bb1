//! Joints over any number of bodies: from their equations to rows in lanes.
//!
//! A joint from text runs its `start` tape in f64 at the start of a step and its `step` tape in f32,
//! 64 joints at a time, in the sub-steps. All others are evaluated one by one in f64.

use super::Hot;
use super::text_rows::{bound, fill};
use super::wide::Wide;
use crate::body::Body;
use crate::joint::{Joint, JointKind};
use crate::text::body_state;
use crate::user::{Pose, Rows, pose_of};
use kempe_equation::{Bound, Cells, LANES, Output, RowKind, SlotState, Start};
use kempe_scalar::{Isa, Vec2, precise};
use kempe_solve::{Block, Pool};
use smallvec::SmallVec;
use std::sync::Arc;

/// Laws act through holds of up to so many rows.
const MOST: usize = 6;
/// As a part of what it was made from, a sum that is no more than this is rounding.
const CANCELLED: f64 = 1e-7;
/// The bounds of a row that no program has given any yet.
const FREE: Bound = Bound { lower: 0.0, upper: 0.0, lower_rate: 0.0, upper_rate: 0.0 };

/// One joint of a group.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its slot in the pool.
    pub joint: usize,
    /// Its different bodies, by slot in the pool.
    pub bodies: Vec<u32>,
    /// For each body of the joint, which of them it is.
    pub role: Vec<usize>,
    /// (wide bucket, lane)
    pub places: Vec<(usize, usize)>,
    /// By row: bounds that the program gives.
    pub bounds: Vec<Bound>,
    /// By row: whether it is of velocities alone.
    pub(super) velocity: Vec<bool>,
    /// By row: whether it cannot be negative.
    pub(super) lengths: Vec<bool>,
    /// By row: the coordinate at the start of the step.
    pub(super) value: Vec<f64>,
    pub(super) bases: Vec<f32>,
    /// By component of the parameters: how fast it moves.
    pub(super) rates: Vec<f64>,
    /// By different body: the origin's pose at the start of the step, and the centre of mass in it.
    pub(super) poses: Vec<Pose>,
    pub(super) centers: Vec<Vec2>,
    /// Where its point is on the path.
    pub place: f64,
    /// Whether bounds and rates were found before.
    known: bool,
    /// Whether all its bodies have their centre of mass in their origin.
    pub(super) centered: bool,
    /// Whether it takes part in this step.
    pub on: bool,
}

/// Joints that are evaluated together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub members: Vec<Member>,
    text: Option<Text>,
    rows: Rows,
}

#[derive(Clone, Debug)]
struct Text {
    start: Start,
    step: Cells<kempe_equation::Block>,
    /// Where parameter components count from.
    first: Vec<usize>,
    slots: Vec<SlotState>,
}

impl Member {
    pub(crate) fn new(slot: usize, joint: &Joint, bodies: &Pool<Body>) -> Self {
        let mut different: Vec<u32> = Vec::new();
        let mut role = Vec::new();
        for body in &joint.def.bodies {
            let slot = body.index() as u32;
            let at = different.iter().position(|each| *each == slot);
            role.push(at.unwrap_or(different.len()));
            if at.is_none() {
                different.push(slot);
            }
        }
        let rows = joint.def.kind.hold_count() + joint.def.kind.axis_count();
        let mut member = Self {
            joint: slot,
            bodies: different,
            role,
            places: Vec::new(),
            bounds: vec![FREE; rows],
            velocity: match &joint.def.kind {
                JointKind::Text(text) => {
                    let kinds = text.instance.compiled().rows().iter();
                    kinds.map(|kind| *kind == RowKind::Velocity).collect()
                }
                _ => vec![false; rows],
            },
            lengths: (0..rows).map(|row| joint.def.kind.is_length(row)).collect(),
            value: vec![0.0; rows],
            bases: Vec::new(),
            rates: Vec::new(),
            poses: Vec::new(),
            centers: Vec::new(),
            place: 0.0,
            known: false,
            centered: true,
            on: true,
        };
        member.look(bodies);
        member
    }

    /// Writes down where its bodies are.
    fn look(&mut self, bodies: &Pool<Body>) {
        let each = || self.bodies.iter().filter_map(|slot| bodies.at(*slot as usize));
        self.poses.clear();
        self.poses.extend(each().map(pose_of));
        self.centers.clear();
        self.centers.extend(each().map(|body| body.properties.center));
        self.centered = self.centers.iter().all(|center| *center == Vec2::ZERO);
    }

    /// Where its bodies are now, one for each body of the joint.
    fn poses_now(&self, hot: &Hot) -> SmallVec<[Pose; 4]> {
        let now = |k: usize| {
            let (start, center) = (&self.poses[k], self.centers[k]);
            let &[_, _, _, turned, x, y, ..] = hot.body(self.bodies[k] as usize) else {
                return *start;
            };
            let rotation = start.rotation + f64::from(turned);
            let (sin, cos) = precise::sin_cos(rotation);
            // Of the origin: the centre of mass has moved, and the arm to the origin has turned.
            let arm = center.turned(start.cos, start.sin) - center.turned(cos, sin);
            let position = start.position + Vec2::new(x.into(), y.into()) + arm;
            Pose { position, rotation, cos, sin }
        };
        self.role.iter().map(|role| now(*role)).collect()
    }
}

impl Group {
    pub(crate) fn new(joint: &Joint) -> Self {
        let text = match &joint.def.kind {
            JointKind::Text(text) => {
                let compiled = text.instance.compiled();
                let mut first = Vec::new();
                let mut count = 0;
                for parameter in text.program().parameters() {
                    first.push(count);
                    count += parameter.kind.components();
                }
                let step = Cells::lanes(compiled.step());
                Some(Text { start: Start::new(compiled), step, first, slots: Vec::new() })
            }
            _ => None,
        };
        Self { members: Vec::new(), text, rows: Rows::default() }
    }

    /// Whether a joint is evaluated by the tapes of this group.
    pub(crate) fn takes(&self, joint: &Joint) -> bool {
        match (&self.text, &joint.def.kind) {
            (Some(text), JointKind::Text(other)) => {
                Arc::ptr_eq(text.start.compiled(), other.instance.compiled())
            }
            (None, JointKind::Text(_)) | (Some(_), _) => false,
            (None, _) => true,
        }
    }

    /// Starts a step: the coordinates in f64, the bounds, and which joints take part. Says whether
    /// rows have become equations, or ceased to be, so that the lanes must be made anew.
    pub(crate) fn start(&mut self, bodies: &Pool<Body>, joints: &Pool<Joint>, time: f64) -> bool {
        let mut changed = false;
        for member in &mut self.members {
            let Some(joint) = joints.at(member.joint) else { continue };
            member.look(bodies);
            member.on = true;
            member.place = joint.state.place.unwrap_or(0.0);
            let (Some(text), JointKind::Text(own)) = (&mut self.text, &joint.def.kind) else {
                continue;
            };
            text.slots.clear();
            for (slot, pose) in member.bodies.iter().zip(&member.poses) {
                let Some(body) = bodies.at(*slot as usize) else { continue };
                let body = body_state(body, pose);
                text.slots.push(SlotState { body, sin: pose.sin, cos: pose.cos });
            }
            if own.instance.start(&mut text.start, &text.slots, time).is_err() {
                member.on = false;
                // As a group that is made anew has it, so that a snapshot goes on alike.
                for bound in &mut member.bounds {
                    changed |= !bound.is_equation();
                    *bound = FREE;
                }
                member.known = false;
                continue;
            }
            let rows = member.value.len();
            if !member.known || !text.start.is_constant() {
                for (row, before) in member.bounds.iter_mut().enumerate() {
                    let now = text.start.bound(row);
                    changed |= before.is_equation() != now.is_equation();
                    *before = now;
                }
                member.rates.clear();
                member.rates.extend(text.start.rates());
                member.known = true;
            }
            member.value.clear();
            member.value.extend((0..rows).map(|row| text.start.value(row)));
            member.bases.clear();
            member.bases.extend(text.start.bases().map(|base| base as f32));
        }
        changed
    }

    /// The rows of every member at the present pose, `elapsed` seconds after the start of the step
    /// at `time`.
    pub(crate) fn evaluate(
        &mut self,
        isa: Isa,
        hot: &Hot,
        joints: &Pool<Joint>,
        wides: &mut [Wide],
        [time, elapsed]: [f64; 2],
    ) {
        if self.text.is_some() {
            self.evaluate_text(isa, hot, wides, elapsed);
            return;
        }
        let Self { members, rows, .. } = self;
        for member in members.iter_mut().filter(|member| member.on) {
            let Some(joint) = joints.at(member.joint) else { continue };
            let poses = member.poses_now(hot);
            let found = joint.rows_at(joints, &poses, time + elapsed, &mut member.place, rows);
            member.on = found.is_some() && rows.is_finite();
            if !member.on {
                member.silence(wides);
                continue;
            }
            for (index, lane) in &member.places {
                let wide = &mut wides[*index];
                write(
                    wide,
                    *lane,
                    member,
                    |row, role| rows.jacobian[row][role],
                    |row| (rows.value[row], 0.0, rows.bias[row]),
                    &poses,
                );
            }
            member.answer(wides);
        }
    }

    fn evaluate_text(&mut self, isa: Isa, hot: &Hot, wides: &mut [Wide], elapsed: f64) {
        let Some(Text { start, step, first, .. }) = &mut self.text else { return };
        let compiled = Arc::clone(start.compiled());
        let tape = Arc::clone(compiled.step());
        for chunk in self.members.chunks_mut(LANES) {
            for (index, input) in tape.inputs().iter().enumerate() {
                fill(step.input_mut(index), *input, chunk, hot, elapsed, first);
            }
            step.run_on(isa, chunk.len());
            // What is not finite, times 0, is not 0.
            let mut amiss = [0.0_f32; LANES];
            for output in tape.outputs() {
                if let Output::Cell(cell) | Output::Negated(cell) = output {
                    for (amiss, number) in amiss.iter_mut().zip(step.block(*cell)) {
                        *amiss += number * 0.0;
                    }
                }
            }
            let output = |index: usize, lane: usize| match tape.outputs()[index] {
                Output::Zero => 0.0,
                Output::One => 1.0,
                Output::MinusOne => -1.0,
                Output::Constant(value) => value as f32,
                Output::Cell(cell) => step.block(cell)[lane],
                Output::Negated(cell) => -step.block(cell)[lane],
            };
            for (lane, member) in chunk.iter_mut().enumerate() {
                if !member.on || amiss[lane] != 0.0 {
                    member.on = false;
                    member.silence(wides);
                    continue;
                }
                for (index, place) in &member.places {
                    let wide = &mut wides[*index];
                    member.write_text(wide, *place, &compiled, hot, |k| output(k, lane));
                    bound(wide, *place, member, elapsed);
                }
                member.answer(wides);
            }
        }
    }

    /// Joints that were left out have no rows and no impulses.
    pub(crate) fn silence(&self, wides: &mut [Wide]) {
        for member in self.members.iter().filter(|member| !member.on) {
            member.silence(wides);
        }
    }
}

impl Member {
    fn silence(&self, wides: &mut [Wide]) {
        for (index, lane) in &self.places {
            let wide = &mut wides[*index];
            let layout = wide.layout;
            let rows = layout.row(0, 0)..layout.row(layout.rows, 0);
            for field in rows.chain(layout.impulse(0)..layout.soft()) {
                wide.set(*lane, field, 0.0);
            }
            for row in 0..layout.rows {
                wide.set(*lane, layout.value(row), 0.0);
                wide.set(*lane, layout.bias(row), 0.0);
            }
        }
    }

    /// Writes down what the hold takes back of the impulses of laws: K_lh K_hh⁻¹ K_hl.
    fn answer(&self, wides: &mut [Wide]) {
        let is_hold = |(index, _): &&(usize, usize)| wides[*index].part.is_hold();
        let Some(&(hold, held)) = self.places.iter().find(is_hold) else { return };
        let rows = wides[hold].layout.rows;
        if self.places.len() < 2 || rows > MOST {
            return;
        }
        let mut k = [[0.0; MOST]; MOST];
        for (i, line) in k.iter_mut().enumerate().take(rows) {
            for (j, value) in line.iter_mut().enumerate().take(i + 1) {
                *value = wides[hold].meets([held, i], &wides[hold], [held, j]);
            }
        }
        let block = Block::new(&k, rows);
        for (index, lane) in self.places.iter().filter(|place| place.0 != hold) {
            let mut cross = [0.0; MOST];
            for (row, cross) in cross.iter_mut().enumerate().take(rows) {
                *cross = wides[*index].meets([*lane, 0], &wides[hold], [held, row]);
            }
            let mut answer = cross;
            block.solve(&mut answer);
            let taken: f64 = cross.iter().zip(answer).take(rows).map(|(c, a)| c * a).sum();
            let field = wides[*index].layout.answered();
            wides[*index].set(*lane, field, taken as f32);
        }
    }
}

/// Writes the rows of an entry, J by the roles of the joint's bodies.
fn write(
    wide: &mut Wide,
    lane: usize,
    member: &Member,
    jacobian: impl Fn(usize, usize) -> [f64; 3],
    value: impl Fn(usize) -> (f64, f64, f64),
    poses: &[Pose],
) {
    // A body that stands twice has its parts added.
    let merged = |row: usize, slot: usize| {
        let roles = (0..member.role.len()).filter(|role| member.role[*role] == slot);
        let (mut sum, mut size) = ([0.0; 3], [0.0_f64; 3]);
        for part in roles.map(|role| jacobian(row, role)) {
            for (k, number) in part.into_iter().enumerate() {
                sum[k] += number;
                size[k] += number.abs();
            }
        }
        // Where parts cancel, what is left is rounding: a lever that would move mountains.
        std::array::from_fn(|k| if sum[k].abs() > CANCELLED * size[k] { sum[k] } else { 0.0 })
    };
    let first = |slot: usize| member.role.iter().position(|each| *each == slot).unwrap_or(0);
    let turns: SmallVec<[Pose; 4]> =
        (0..member.bodies.len()).map(|slot| poses[first(slot)]).collect();
    write_slots(wide, lane, member, merged, value, &turns);
}

/// Writes the rows of an entry, J by the different bodies.
fn write_slots(
    wide: &mut Wide,
    lane: usize,
    member: &Member,
    jacobian: impl Fn(usize, usize) -> [f64; 3],
    value: impl Fn(usize) -> (f64, f64, f64),
    turns: &[Pose],
) {
    let layout = wide.layout;
    for k in 0..layout.rows {
        let row = usize::from(wide.part.rows()[k]);
        let (mut linear, mut angular) = (0.0, 0.0);
        for (slot, turn) in turns.iter().enumerate() {
            let [x, y, w] = jacobian(row, slot);
            // Of the velocity of the centre of mass: v_origin = v − ω ⊥(R c).
            let arm = member.centers[slot].turned(turn.cos, turn.sin).perp();
            let numbers = [x, y, w - (x * arm.x + y * arm.y)];
            for (j, number) in numbers.into_iter().enumerate() {
                wide.set(lane, layout.row(k, slot) + j, number as f32);
            }
            linear += x.abs() + y.abs();
            angular += w.abs();
        }
        wide.bound_law(lane, [linear as f32, angular as f32]);
        let (start, change, bias) = value(row);
        let target = wide.targets[lane * layout.rows + k];
        wide.set(lane, layout.value(k), (start - target) as f32 + change as f32);
        wide.set(lane, layout.bias(k), bias as f32);
        wide.set(lane, layout.angular(k), f32::from(u8::from(linear == 0.0)));
    }
}
