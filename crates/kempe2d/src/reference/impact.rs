//! A stop that is hit: what holds gives an impulse, forces of a range give none.

use super::acts::Mode;
use super::bench::length;
use super::events::{STILL, slip};
use super::lines::{What, is_rigid};
use super::project::held_speed;
use super::{ReferenceError, Run};

/// Speeds below this do not come back from a stop, m/s or rad/s.
const REBOUND: f64 = 1e-4;
/// Stops that would be left with less than this by an impact are not: forces decide then, m/s or rad/s.
const CREEP: f64 = 1e-6;
/// Stops that are nearer than this take part in an impact, m or rad.
const NEAR: f64 = 1e-10;

impl Run {
    /// What holds its speed with a force of a range and does not have it slips, the way that it moves.
    pub(super) fn slip_after(&mut self) {
        self.stepper.give_way(&self.state.v.clone(), self.state.t);
        for line in 0..self.stepper.system.lines.len() {
            let stepper = &mut self.stepper;
            if stepper.set_of(line).is_some() {
                continue;
            }
            let wanted = match &stepper.system.lines[line].what {
                What::Friction(_) => 0.0,
                What::Motor { speed, .. } => speed.at(self.state.t).0,
                _ => continue,
            };
            let lacks = wanted - stepper.found[line].speed(&self.state.v);
            let [least, most] = impulses_of(&stepper.system.lines[line].what);
            let bounded = if lacks > 0.0 { most == 0.0 } else { least == 0.0 };
            if lacks.abs() > STILL && bounded {
                stepper.modes[line] = slip(lacks);
            }
        }
    }

    /// A stop is hit: what holds gives an impulse, forces of a range give none. Other stops that are
    /// touched take part: none pulls, and none is passed. Says whether it bounced.
    pub(super) fn hit(&mut self, line: usize, mode: Mode) -> Result<bool, ReferenceError> {
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        self.stepper.modes[line] = mode;
        let lines = self.stepper.system.lines.clone();
        let given: Vec<bool> = (0..lines.len()).map(|line| self.stepper.gives(line)).collect();
        let (restitution, soft) = match &lines[line].what {
            What::Limit(limit) => (limit.restitution, !is_rigid(limit.softness)),
            _ => (0.0, false),
        };
        if soft {
            return Ok(false);
        }
        let own = self.touched(line, mode).map_or(0.0, |stop| stop.rate);
        let back = -restitution * (self.stepper.found[line].speed(&state.v) - own);
        let bounces = back.abs() > REBOUND;
        // What each stop that is touched does; the first that stands against it changes over.
        for _ in 0..4 * lines.len() + 4 {
            let mut after = state.clone();
            let impulses = self.stepper.project(&mut after, |each, act, found| {
                if each == line && bounces {
                    return Some(own + back);
                }
                held_speed(each, act, found).filter(|_| given[each])
            })?;
            let next = (0..lines.len()).filter(|each| *each != line).find_map(|each| {
                let now = self.stepper.modes[each];
                if now != Mode::Rest {
                    let stop = self.touched(each, now)?;
                    let own = length(&self.stepper.system, &self.stepper.found[each]);
                    let pulls = stop.sign * impulses[each] * own * own < -CREEP;
                    return pulls.then_some((each, Mode::Rest));
                }
                [Mode::Lower, Mode::Upper].into_iter().find_map(|mode| {
                    let stop = self.touched(each, mode)?;
                    let speed = self.stepper.found[each].speed(&after.v) - stop.rate;
                    let passed = stop.gap.abs() < NEAR && stop.sign * speed < -STILL;
                    passed.then_some((each, mode))
                })
            });
            self.state = after;
            match next {
                Some((each, mode)) => self.stepper.modes[each] = mode,
                None => {
                    self.blows.iter_mut().zip(impulses).for_each(|(sum, blow)| *sum += blow);
                    break;
                }
            }
        }
        if bounces {
            self.stepper.modes[line] = Mode::Rest;
        }
        self.slip_after();
        Ok(bounces)
    }

    /// The stop of a line that a mode is of, if it does not yield.
    fn touched(&self, line: usize, mode: Mode) -> Option<Stop> {
        let value = self.stepper.found[line].value;
        match &self.stepper.system.lines[line].what {
            What::Limit(limit) if is_rigid(limit.softness) => {
                let upper = mode == Mode::Upper;
                let stops = self.stepper.system.stops(line, limit, self.state.t);
                let [place, rate] = stops[usize::from(upper)];
                let sign = if upper { -1.0 } else { 1.0 };
                Some(Stop { gap: value - place, rate, sign })
            }
            What::Ratchet(ratchet) if mode == Mode::Lower => {
                let gap = value - self.stepper.teeth[line];
                Some(Stop { gap, rate: 0.0, sign: ratchet.step.signum() })
            }
            _ => None,
        }
    }
}

/// A stop of a row.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// How far the row is from it.
    gap: f64,
    /// How fast it moves.
    rate: f64,
    /// The way it pushes.
    sign: f64,
}

/// Whether a line can have an impulse at all.
pub(super) fn gives(what: &What) -> bool {
    impulses_of(what) != [0.0; 2]
}

/// The impulses that a line can have in no time: of forces that are bounded, none.
fn impulses_of(what: &What) -> [f64; 2] {
    let only = |bound: f64| if bound.is_finite() { 0.0 } else { bound };
    match what {
        What::Friction(_) => [0.0; 2],
        What::Motor { force, .. } => [only(force.lower), only(force.upper)],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}
