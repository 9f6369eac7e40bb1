//! The laws of an island that is solved as a whole, on the freedom that its held rows leave.

use super::bucket::{LawKind, Layout};
use super::build::At;
use super::direct::Articulated;
use super::hold::Pass;
use super::law::LawRow;
use super::rows::{Lanes, Row};
use super::wide::WideLayout;

/// How often laws that share a mechanism are gone through.
const SWEEPS: usize = 96;

/// A law of an axis in an island.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub at: At,
    pub law: LawKind,
    /// Which of the entry's rows: of a pair the second comes behind the first.
    pub k: usize,
    pub row: Row,
    /// Δλ of the held rows per unit of impulse on this row.
    pub response: Vec<f64>,
    /// 1 over what an impulse adds to the speed, through the whole mechanism.
    pub mass: f64,
    /// J M⁻¹ Jᵀ of the row by itself, which springs given by frequency refer to.
    pub own: f64,
}

/// An axis that moves all it is connected to by less than this, of what it would do to a body as heavy as the
/// heaviest, has no freedom: what is left is rounding.
const STUCK: f64 = 1e-5;

impl Law {
    /// The mass that an impulse moves, where the held rows take nearly all of it back. That may be because the
    /// axis has no freedom; or because it is on a light body, a crank of grams that moves tons, and then what the
    /// light body would do by itself says nothing. As what is left of a difference it is lost in rounding; as
    /// Δvᵀ M Δv of what the impulse and the answer to it move it is not: an error of the answer counts by
    /// its square.
    pub(super) fn heavy_mass(&self, rows: &[Row], bodies: &[u32]) -> f64 {
        let mut change = vec![[0.0; 3]; bodies.len()];
        let mut masses = vec![[0.0_f64; 3]; bodies.len()];
        let answered = rows.iter().zip(self.response.iter().copied());
        for (row, impulse) in answered.chain([(&self.row, 1.0)]) {
            row.apply(&mut change, bodies, impulse);
            for part in &row.parts {
                if let Ok(at) = bodies.binary_search(&part.body) {
                    masses[at] = part.m;
                }
            }
        }
        let least = |freedoms: std::ops::Range<usize>| {
            let each = masses.iter().flat_map(|m| &m[freedoms.clone()]).filter(|m| **m > 0.0);
            each.copied().fold(f64::INFINITY, f64::min)
        };
        let [linear, angular] = [least(0..2), least(2..3)];
        let moves = |(j, m): (f64, f64)| if j == 0.0 { 0.0 } else { j * j * m };
        let heaviest: f64 = self
            .row
            .parts
            .iter()
            .flat_map(|part| part.j.into_iter().zip([linear, linear, angular]).map(moves))
            .sum();
        let both = change.as_flattened().iter().zip(masses.as_flattened());
        let left: f64 = both.map(|(v, m)| if *m > 0.0 { v * v / m } else { 0.0 }).sum();
        if left > STUCK * heaviest { 1.0 / left } else { 0.0 }
    }

    /// γ of a spring, and 1 over what an impulse adds to its speed with that.
    fn soften(&self, soft: &[f32; Layout::SOFT]) -> (f64, f64) {
        // s and r of a spring by frequency refer to the row's own mass: as γ they do not.
        let back = f64::from(soft[3]);
        let gamma = if back >= 1.0 {
            f64::INFINITY
        } else if back > 0.0 {
            self.own * back / (1.0 - back)
        } else {
            f64::from(soft[4])
        };
        let left = if self.mass > 0.0 { 1.0 / self.mass } else { 0.0 };
        let softened =
            if self.mass > 0.0 && gamma.is_finite() { 1.0 / (left + gamma) } else { 0.0 };
        (gamma, softened)
    }
}

impl Articulated {
    /// The laws in their order, each with the answer of the held rows.
    pub(super) fn sweep(&mut self, lanes: &mut Lanes<'_>, pass: Pass) {
        let sweeps = if self.laws.len() > 1 && pass != Pass::Restitution { SWEEPS } else { 1 };
        for _ in 0..sweeps {
            let mut settled = true;
            for index in 0..self.laws.len() {
                settled &= match (self.laws[index].law.is_pair(), self.laws[index].k) {
                    (false, _) => self.solve_law(lanes, pass, index),
                    (true, 0) => self.solve_pair(lanes, pass, index),
                    (true, _) => true,
                };
            }
            if settled {
                break;
            }
        }
    }

    /// Solves a law, and says whether that hardly changed anything.
    fn solve_law(&mut self, lanes: &mut Lanes<'_>, pass: Pass, index: usize) -> bool {
        let law = &self.laws[index];
        let at = law.at;
        let before = [lanes.impulse(at, 0), lanes.impulse(at, 1)];
        let mut soft: [f32; Layout::SOFT] = std::array::from_fn(|k| lanes.soft(at, k));
        let count = if law.law == LawKind::Limit { Layout::LIMIT } else { Layout::LAW };
        let mut numbers = [0.0; Layout::LIMIT];
        for (k, number) in numbers.iter_mut().enumerate().take(count) {
            *number = lanes.law(at, k);
        }
        let soft_stop = law.law == LawKind::Limit && soft[5] == 0.0;
        let spring =
            matches!(law.law, LawKind::Spring | LawKind::Servo | LawKind::Held) || soft_stop;
        let mut mass = law.mass;
        if spring {
            let (gamma, softened) = law.soften(&soft);
            soft[2] = 1.0;
            soft[3] = 0.0;
            soft[4] = gamma as f32;
            mass = softened;
        }
        let entry = LawRow::<f32> {
            speed: law.row.speed(lanes.hot) as f32,
            value: law.row.value as f32,
            mass: mass as f32,
            before,
            total: [lanes.total(at, 0), lanes.total(at, 1)],
            soft,
            numbers,
            h: lanes.h as f32,
        };
        let after = entry.solve(law.law, pass);
        let change = f64::from(after[0] - before[0]) - f64::from(after[1] - before[1]);
        for (k, after) in after.into_iter().enumerate() {
            lanes.set_impulse(at, k, after);
        }
        if pass == Pass::Restitution {
            for (k, before) in before.into_iter().enumerate() {
                lanes.add_to_total(at, k, after[k] - before);
            }
        }
        if change == 0.0 {
            return true;
        }
        self.push(lanes, index, change);
        let answers = pass == Pass::Restitution;
        for (block, at) in self.holds.iter().enumerate().filter(|_| answers) {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(*at) {
                lanes.add_to_total(*at, k, self.right[first + k] as f32);
            }
        }
        let size = f64::from(after[0].abs() + after[1].abs());
        change.abs() <= 2e-7 * size
    }

    /// Adds an impulse on the row of a law, with the answer of the held rows.
    fn push(&mut self, lanes: &mut Lanes<'_>, index: usize, change: f64) {
        let law = &self.laws[index];
        law.row.apply(&mut self.change, &self.bodies, change);
        for (right, response) in self.right.iter_mut().zip(&law.response) {
            *right = response * change;
        }
        for (block, at) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(*at) {
                let answer = self.right[first + k];
                let after = f64::from(lanes.impulse(*at, k)) + answer;
                lanes.set_impulse(*at, k, after as f32);
                self.rows[first + k].apply(&mut self.change, &self.bodies, answer);
            }
        }
        self.settle(lanes.hot);
    }

    /// Solves the two rows of a pull in turn, then shortens both; and says whether that hardly
    /// changed anything.
    fn solve_pair(&mut self, lanes: &mut Lanes<'_>, pass: Pass, index: usize) -> bool {
        let (at, kind) = (self.laws[index].at, self.laws[index].law);
        let soft: [f32; Layout::SOFT] = std::array::from_fn(|k| lanes.soft(at, k));
        // A spring keeps what it has when the others relax, unless it is a rigid one.
        let most = f64::from(lanes.field(at, Layout::most, WideLayout::most));
        let size = [0, 1].map(|k| f64::from(lanes.impulse(at, k)));
        let full = size[0] * size[0] + size[1] * size[1] >= 0.9998 * most * most;
        let rests = pass == Pass::Relax && kind == LawKind::Pull && (full || soft[5] == 0.0);
        if rests || pass == Pass::Restitution {
            return true;
        }
        let before = size;
        let mut after = before;
        for k in 0..2 {
            let law = &self.laws[index + k];
            let speed = law.row.speed(lanes.hot);
            let (gamma, mass) = law.soften(&soft);
            let biased = pass != Pass::Relax || kind == LawKind::Tow;
            let bias = if biased { f64::from(soft[0]) * law.row.value } else { 0.0 };
            let gamma = if gamma.is_finite() { gamma } else { 0.0 };
            let change = -mass * (speed + bias + gamma * before[k]);
            after[k] += change;
            self.push(lanes, index + k, change);
        }
        let length = (after[0] * after[0] + after[1] * after[1]).sqrt();
        if length > most {
            for (k, after) in after.iter_mut().enumerate() {
                let shorter = *after * (most / length);
                self.push(lanes, index + k, shorter - *after);
                *after = shorter;
            }
        }
        for (k, after) in after.iter().enumerate() {
            lanes.set_impulse(at, k, *after as f32);
        }
        let changed = (after[0] - before[0]).abs() + (after[1] - before[1]).abs();
        changed <= 2e-7 * (after[0].abs() + after[1].abs())
    }
}
