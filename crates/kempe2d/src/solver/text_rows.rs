//! Rows of joints from text: the inputs of their tapes, and what becomes of the outputs.

use super::bucket::Layout;
use super::group::Member;
use super::wide::Wide;
use super::{HOT, Hot};
use kempe_equation::{Bound, Compiled, Input, LANES};

impl Member {
    /// Writes the rows of an entry from the outputs of the tape.
    pub(super) fn write_text(
        &self,
        wide: &mut Wide,
        lane: usize,
        compiled: &Compiled,
        hot: &Hot,
        output: impl Fn(usize) -> f32,
    ) {
        let layout = wide.layout;
        // Those of limits and of holds look at it.
        let looked_at = wide.limited || wide.bounded || (layout.rows > 1 && wide.part.is_hold());
        for k in 0..layout.rows {
            let row = usize::from(wide.part.rows()[k]);
            let (mut linear, mut angular) = (0.0, 0.0);
            for slot in 0..layout.bodies {
                let first = compiled.jacobian(row, slot, 0);
                let (x, y, mut turn) = (output(first), output(first + 1), output(first + 2));
                if !self.centered {
                    // Of the velocity of the centre of mass: v_origin = v − ω ⊥(R c).
                    let state = hot.body(self.bodies[slot] as usize);
                    let center = self.centers[slot];
                    let arm = center.turned(state[6].into(), state[7].into()).perp();
                    turn -= x * arm.x as f32 + y * arm.y as f32;
                }
                wide.set_row(lane, layout.row(k, slot), [x, y, turn]);
                linear += x.abs() + y.abs();
                angular += turn.abs();
            }
            wide.bound_law(lane, [linear, angular]);
            let target = wide.targets[lane * layout.rows + k];
            let start = (self.value[row] - target) as f32;
            wide.set(lane, layout.value(k), start + output(compiled.value(row)));
            wide.set(lane, layout.bias(k), output(compiled.bias(row)));
            if looked_at {
                wide.set(lane, layout.angular(k), f32::from(u8::from(linear == 0.0)));
            }
        }
    }
}

/// A number of each member, side by side.
#[inline]
fn each(lanes: &mut [f32; LANES], members: &[Member], number: impl Fn(&Member) -> f32) {
    for (lane, member) in lanes.iter_mut().zip(members) {
        *lane = number(member);
    }
}

/// The lanes of an input.
pub(super) fn fill(
    lanes: &mut [f32; LANES],
    input: Input,
    members: &[Member],
    hot: &Hot,
    elapsed: f64,
    first: &[usize],
) {
    let state = |member: &Member, slot: usize, k: usize| {
        hot.floats[HOT * (member.bodies[slot] as usize + 1) + k]
    };
    // The origin moves with the centre of mass, less the turn of the arm between them.
    let moved = |member: &Member, slot: usize, axis: usize| {
        let center = state(member, slot, 4 + axis);
        if member.centered {
            return center;
        }
        let (start, local) = (&member.poses[slot], member.centers[slot]);
        let [cos, sin] = [6, 7].map(|k| f64::from(state(member, slot, k)));
        let arm = local.turned(start.cos, start.sin) - local.turned(cos, sin);
        center + [arm.x, arm.y][axis] as f32
    };
    match input {
        Input::Cosine(slot) => each(lanes, members, |member| state(member, slot, 6)),
        Input::Sine(slot) => each(lanes, members, |member| state(member, slot, 7)),
        Input::DeltaX(slot) => each(lanes, members, |member| moved(member, slot, 0)),
        Input::DeltaY(slot) => each(lanes, members, |member| moved(member, slot, 1)),
        Input::DeltaRotation(slot) => each(lanes, members, |member| state(member, slot, 3)),
        Input::DeltaTime => each(lanes, members, |_| elapsed as f32),
        Input::DeltaParameter { index, component } => each(lanes, members, |member| {
            let rate = member.rates.get(first[index] + component).copied();
            (rate.unwrap_or(0.0) * elapsed) as f32
        }),
        Input::Base(index) => {
            each(lanes, members, |member| member.bases.get(index).copied().unwrap_or(0.0));
        }
        _ => each(lanes, members, |_| 0.0),
    }
}

/// The bounds that the program gives, `elapsed` seconds into the step.
pub(super) fn bound(wide: &mut Wide, lane: usize, member: &Member, elapsed: f64) {
    let layout = wide.layout;
    for k in 0..layout.rows {
        if !wide.own_bounds[lane * layout.rows + k] {
            continue;
        }
        let row = usize::from(wide.part.rows()[k]);
        let Bound { lower, upper, lower_rate, upper_rate } = member.bounds[row];
        if wide.part.is_hold() {
            let (value, bias) = (wide.get(lane, layout.value(k)), wide.get(lane, layout.bias(k)));
            if member.velocity[row] {
                wide.set(lane, layout.bias(k), bias - (lower + lower_rate * elapsed) as f32);
            } else {
                let from = (member.value[row] - lower) as f32 - member.value[row] as f32;
                wide.set(lane, layout.value(k), value + from - (lower_rate * elapsed) as f32);
                wide.set(lane, layout.bias(k), bias - lower_rate as f32);
            }
            continue;
        }
        let [low, high, low_speed, high_speed] = if member.velocity[row] {
            [0.0, 0.0, lower + lower_rate * elapsed, upper + upper_rate * elapsed]
        } else {
            let from = wide.targets[lane];
            let mut moved = [lower + lower_rate * elapsed, upper + upper_rate * elapsed];
            if moved[0] <= 0.0 && member.lengths[row] {
                moved[0] = f64::NEG_INFINITY;
            }
            [moved[0] - from, moved[1] - from, lower_rate, upper_rate]
        };
        for (at, number) in [(0, low), (1, high), (3, low_speed), (4, high_speed)] {
            wide.set(lane, layout.law() + at, number as f32);
        }
    }
}

const _: () = assert!(HOT == 8 && Layout::LIMIT == 7, "the layout that is written here");
