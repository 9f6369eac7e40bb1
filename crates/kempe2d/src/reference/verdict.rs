//! Whether what Newton's method found is a motion, and which joint is furthest from it.

use super::acts::Act;
use super::newton::Stepper;
use super::system::State;
use crate::joint::JointId;

/// No step turns a body by this much more or less than it was turning, rad.
const ASTRAY: f64 = 1.5;

impl Stepper {
    /// Whether a step has turned bodies about as far as they were turning: there are solutions whole
    /// turns away, which are none.
    pub(super) fn is_near(&self, start: &State, moved: &[f64], h: f64) -> bool {
        let turns = moved.iter().zip(&start.v).skip(2).step_by(3);
        turns.into_iter().all(|(moved, v)| (moved - h * v).abs() < ASTRAY)
    }

    /// What a motion has far more than forces gave it, J, whatever drives it. Near places where rows
    /// depend on each other there are such solutions.
    pub(super) fn implausible(&self, start: &State, end: &State) -> Option<f64> {
        let driven = |line: usize| {
            let moves = match self.act(line, end.t) {
                Act::Place { rate, .. } => rate != 0.0,
                Act::Speed(speed) => speed != 0.0,
                _ => return false,
            };
            moves || self.found[line].bias != 0.0
        };
        let energy = |v: &[f64]| {
            let masses = self.system.movers.iter().flat_map(|mover| mover.mass);
            0.5 * masses.zip(v).map(|(mass, v)| mass * v * v).sum::<f64>()
        };
        let (before, after) = (energy(&start.v), energy(&end.v));
        if after <= 2.0 * before {
            return None;
        }
        let mut force = Vec::new();
        self.forces(end, &mut force);
        let way = end.q.iter().zip(&start.q).map(|(end, start)| end - start);
        let work: f64 = force.iter().zip(way).map(|(force, way)| (force * way).abs()).sum();
        let likely = after <= 2.0 * before + 4.0 * work + 1e-9;
        (!likely && !(0..self.found.len()).any(driven)).then_some(after - before)
    }

    /// How far a held row is open.
    fn opening(&self, line: usize, acts: &[Act]) -> f64 {
        match acts[line] {
            Act::Place { target, .. } => (self.found[line].value - target).abs(),
            _ => 0.0,
        }
    }

    /// How far the worst of them is.
    pub(super) fn open(&self, acts: &[Act]) -> f64 {
        (0..acts.len()).fold(0.0, |most, line| self.opening(line, acts).max(most))
    }

    /// The joint whose held rows are furthest open.
    pub(crate) fn worst(&self, acts: &[Act]) -> Option<JointId> {
        let open = |line: usize| self.opening(line, acts);
        let lines = 0..self.system.lines.len();
        let worst = lines.max_by(|a, b| open(*a).total_cmp(&open(*b)))?;
        (open(worst) > 0.0).then(|| self.system.parts[self.system.lines[worst].part].id)
    }
}
