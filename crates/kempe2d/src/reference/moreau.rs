//! A step through more events than can be told apart: Moreau's and Jean's, which takes them together.
//!
//! ```text
//! M (v₁ − v₀) = h F(q₀, v₀) + Jᵀ p,   q₁ = q₀ + h v₁
//! ```
//!
//! with p of each row within what it can do in the step: any for what holds, ≥ 0 for a stop whose
//! speed v₁ + e v₀ is not to go on into it, ± h f for friction and motors. It is of first order, and
//! always has a solution, which Gauss and Seidel's iteration finds.

use super::acts::{Act, Mode};
use super::lines::{What, is_rigid};
use super::project::held_speed;
use super::{ReferenceError, Run};

/// The rest of a step is divided into so many.
const PARTS: u32 = 8;
/// So often all rows are gone through.
const SWEEPS: usize = 2000;
/// Impulses that change by less than this part of the largest are found.
const FOUND: f64 = 1e-13;

/// What is asked of a row: a speed, and the impulses that it may have.
#[derive(Clone, Copy, Debug)]
struct Ask {
    speed: f64,
    range: [f64; 2],
}

impl Run {
    /// On by `left`, through whatever happens.
    pub(super) fn cluster(&mut self, left: f64) -> Result<(), ReferenceError> {
        let h = left / f64::from(PARTS);
        for _ in 0..PARTS {
            self.cluster_once(h)?;
            let state = self.state.clone();
            self.stepper.system.settle(&state);
        }
        // Where everything stands now: modes, positions and velocities that fit.
        self.begin()
    }

    fn cluster_once(&mut self, h: f64) -> Result<(), ReferenceError> {
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        // Modes are found anew at the end; here every row says what it can do.
        let lines = self.stepper.system.lines.len();
        let asks: Vec<Option<Ask>> = (0..lines).map(|line| self.ask(line, h)).collect();
        for (line, ask) in asks.iter().enumerate() {
            if ask.is_some() && self.stepper.system.lines[line].what.switches() {
                self.stepper.modes[line] = Mode::Rest;
            }
        }
        let mut force = Vec::new();
        self.stepper.forces(&state, &mut force);
        let movers = &self.stepper.system.movers;
        for (k, v) in state.v.iter_mut().enumerate() {
            *v += h * force[k] / movers[k / 3].mass[k % 3];
        }
        let found = &self.stepper.found;
        // J M⁻¹ Jᵀ of each row alone.
        let own: Vec<f64> = found
            .iter()
            .map(|found| {
                let each = found.j.iter().flat_map(|(at, j)| (0..3).map(move |k| (*at, k, j[k])));
                each.map(|(at, k, j)| j * j / movers[at].mass[k]).sum()
            })
            .collect();
        let mut impulses = vec![0.0; lines];
        for _ in 0..SWEEPS {
            let (mut largest, mut change) = (0.0_f64, 0.0_f64);
            for line in 0..lines {
                let Some(ask) = asks[line].filter(|_| own[line] > 0.0) else { continue };
                let wanted: f64 =
                    impulses[line] + (ask.speed - found[line].speed(&state.v)) / own[line];
                let next = wanted.clamp(ask.range[0], ask.range[1]);
                let more = next - impulses[line];
                impulses[line] = next;
                for (at, j) in &found[line].j {
                    for (k, j) in j.iter().enumerate() {
                        state.v[3 * at + k] += more * j / movers[*at].mass[k];
                    }
                }
                largest = largest.max(next.abs());
                change = change.max(more.abs());
            }
            if change <= FOUND * largest {
                break;
            }
        }
        for (q, v) in state.q.iter_mut().zip(&state.v) {
            *q += h * v;
        }
        state.t += h;
        self.state = state;
        Ok(())
    }

    /// What a row asks for in a step of this length; `None` for what is a force, or far from a stop.
    fn ask(&self, line: usize, h: f64) -> Option<Ask> {
        let stepper = &self.stepper;
        let (found, t) = (&stepper.found[line], self.state.t);
        let (value, speed) = (found.value, found.speed(&self.state.v));
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        match &stepper.system.lines[line].what {
            What::Limit(limit) if is_rigid(limit.softness) => {
                let [lower, upper] = stepper.system.stops(line, limit, t);
                // A stop acts where the step would pass it, and gives back what came in; where that
                // would be past the other stop, too much happens to follow, and it ends at this one.
                let [low, high] = [lower[0] + h * lower[1], upper[0] + h * upper[1]];
                let stop = |stop: [f64; 2], end: f64| {
                    let back = stop[1] - limit.restitution * (speed - stop[1]);
                    let stays = (low..=high).contains(&(value + h * back));
                    if stays { back } else { (end - value) / h }
                };
                let push = h * limit.force;
                if value + h * speed < low {
                    Some(Ask { speed: stop(lower, low), range: [0.0, push] })
                } else if value + h * speed > high {
                    Some(Ask { speed: stop(upper, high), range: [-push, 0.0] })
                } else {
                    None
                }
            }
            What::Ratchet(ratchet) => {
                let sign = ratchet.step.signum();
                let past = (value + h * speed - stepper.teeth[line]) * sign;
                let range = if sign > 0.0 { [0.0, all[1]] } else { [all[0], 0.0] };
                (past < 0.0).then_some(Ask { speed: 0.0, range })
            }
            What::Friction(most) => Some(Ask { speed: 0.0, range: [-h * most, h * most] }),
            What::Motor { speed, force } => {
                let range = [h * force.lower, h * force.upper];
                Some(Ask { speed: speed.at(t + h).0, range })
            }
            _ => {
                let act = stepper.act(line, t + h);
                let speed = held_speed(line, act, found)?;
                // What is open closes in the step.
                let open = match act {
                    Act::Place { target, .. } => (target - value) / h - speed,
                    _ => 0.0,
                };
                Some(Ask { speed: speed + open, range: all })
            }
        }
    }
}
