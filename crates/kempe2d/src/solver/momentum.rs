//! The momentum of an island that nothing else holds.
//!
//! Impulses between its bodies leave both momenta alone. What closes gaps, what bodies count as beside their
//! mass, and what is paid for out of the kinetic energy does not; so what is missing at the end of a
//! sub-step is given to all of it alike, as a motion of a rigid body.

use super::bucket::LawKind;
use super::direct::Articulated;
use super::rows::Lanes;

/// Momentum along x and y, and about the centre of mass; kg m/s and kg m²/s.
pub(super) type Momentum = [f64; 3];

/// Rows whose parts add up to less than this, in parts of their size, add up to nothing.
const NEUTRAL: f64 = 1e-5;

/// An island as one rigid body.
struct Rigid {
    mass: f64,
    inertia: f64,
    /// By body: from the centre of mass of all, m.
    arms: Vec<[f64; 2]>,
}

impl Articulated {
    /// Whether both momenta stay but for what forces add: nothing else is in it, every body is free, and
    /// nothing is damped.
    fn keeps_momentum(&self) -> bool {
        self.free
            && self.own.iter().flatten().all(|inverse| *inverse > 0.0)
            && self.keep.iter().flatten().all(|keep| *keep == 1.0)
    }

    fn rigid(&self, lanes: &Lanes<'_>) -> Rigid {
        let place = |at: usize, axis: usize| {
            lanes.poses[self.bodies[at] as usize - 1][axis] + self.moved[at][axis]
        };
        let mass: f64 = self.own.iter().map(|own| 1.0 / own[0]).sum();
        let [x, y] = [0, 1].map(|axis| {
            // From the first body on, so that a place far away costs no digits.
            let first = place(0, axis);
            let each = self.own.iter().enumerate();
            first + each.map(|(at, own)| (place(at, axis) - first) / own[0]).sum::<f64>() / mass
        });
        let arms: Vec<[f64; 2]> =
            (0..self.bodies.len()).map(|at| [place(at, 0) - x, place(at, 1) - y]).collect();
        let each = arms.iter().zip(&self.own);
        let inertia =
            each.map(|([x, y], own)| (x * x + y * y) / own[0] + 1.0 / own[2]).sum::<f64>();
        Rigid { mass, inertia, arms }
    }

    fn momentum_of(&self, rigid: &Rigid, v: &[[f64; 3]]) -> Momentum {
        let mut sum = [0.0; 3];
        for ((v, own), [x, y]) in v.iter().zip(&self.own).zip(&rigid.arms) {
            let mass = 1.0 / own[0];
            sum[0] += mass * v[0];
            sum[1] += mass * v[1];
            sum[2] += mass * (x * v[1] - y * v[0]) + v[2] / own[2];
        }
        sum
    }

    /// What both momenta are after the forces of a sub-step, if they are kept.
    pub(super) fn coming_momentum(&self, lanes: &Lanes<'_>) -> Option<Momentum> {
        if !self.keeps_momentum() {
            return None;
        }
        let rigid = self.rigid(lanes);
        let pushed = self.momentum_of(&rigid, &self.push);
        let now = self.momentum_of(&rigid, &self.velocity);
        Some(std::array::from_fn(|k| now[k] + pushed[k]))
    }

    /// Whether no row moves the island as a whole: a gear without its frame does, and a gap that is open.
    fn is_neutral(&self, rigid: &Rigid) -> bool {
        let rows = self.rows.iter().chain(self.laws.iter().map(|law| &law.row));
        rows.into_iter().all(|row| {
            let mut sum = [0.0_f64; 3];
            for part in &row.parts {
                let ([x, y, turn], arm) = (part.j, rigid.arms[part.body]);
                sum[0] += x;
                sum[1] += y;
                sum[2] += turn + arm[0] * y - arm[1] * x;
            }
            let linear = row.parts.iter().any(|part| part.j[..2] != [0.0; 2]);
            let arm = if linear { self.size } else { 1.0 };
            sum[0].abs().max(sum[1].abs()) < NEUTRAL && sum[2].abs() < NEUTRAL * arm
        })
    }

    /// Gives what is missing of them.
    pub(super) fn restore_momentum(&mut self, lanes: &Lanes<'_>) {
        let Some(wanted) = self.coming else { return };
        let rigid = self.rigid(lanes);
        if !self.is_neutral(&rigid) {
            return;
        }
        let now = self.momentum_of(&rigid, &self.velocity);
        let [x, y, turn]: [f64; 3] = std::array::from_fn(|k| {
            (wanted[k] - now[k]) / if k < 2 { rigid.mass } else { rigid.inertia }
        });
        if !(x.is_finite() && y.is_finite() && turn.is_finite()) {
            return;
        }
        for (v, arm) in self.velocity.iter_mut().zip(&rigid.arms) {
            v[0] += x - turn * arm[1];
            v[1] += y + turn * arm[0];
            v[2] += turn;
        }
        self.keep_energy(&rigid, wanted);
    }

    /// Slows what moves against the island as a whole, if there is more kinetic energy than there was and
    /// forces gave, and nothing else could have given it.
    fn keep_energy(&mut self, rigid: &Rigid, [x, y, turn]: Momentum) {
        let heavier = self.extra.iter().flatten().any(|extra| *extra > 0.0);
        let passive = self.laws.iter().all(|law| law.law == LawKind::Limit);
        let rigid_alone = (0..self.holds.len()).all(|block| self.is_held(block));
        if !(heavier && passive && rigid_alone) {
            return;
        }
        let pushed = self
            .push
            .iter()
            .zip(&self.mean)
            .zip(&self.own)
            .flat_map(|((push, mean), own)| (0..3).map(move |k| push[k] * mean[k] / own[k]));
        let most = self.kinetic(&self.before) + pushed.sum::<f64>();
        let whole = 0.5 * ((x * x + y * y) / rigid.mass + turn * turn / rigid.inertia);
        let inner = self.kinetic(&self.velocity) - whole;
        if !(inner > 0.0 && whole + inner > most) {
            return;
        }
        let less = ((most - whole).max(0.0) / inner).sqrt();
        let [x, y, turn] = [x / rigid.mass, y / rigid.mass, turn / rigid.inertia];
        for (v, arm) in self.velocity.iter_mut().zip(&rigid.arms) {
            let common = [x - turn * arm[1], y + turn * arm[0], turn];
            for (v, common) in v.iter_mut().zip(common) {
                *v = common + less * (*v - common);
            }
        }
    }
}
