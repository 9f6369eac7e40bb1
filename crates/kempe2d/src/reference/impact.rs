//! A stop that is hit: what holds gives an impulse, forces of a range give none.

use super::acts::Mode;
use super::events::{STILL, slip};
use super::lines::What;
use super::newton::held_speed;
use super::{ReferenceError, Run};

/// Speeds below this do not come back from a stop, m/s or rad/s.
const REBOUND: f64 = 1e-4;

impl Run {
    /// What held its speed with a force of a range has lost it by an impulse, and slips.
    pub(super) fn slip_after(&mut self) {
        for line in 0..self.stepper.system.lines.len() {
            let stepper = &mut self.stepper;
            let wanted = match &stepper.system.lines[line].what {
                What::Friction(_) => 0.0,
                What::Motor { speed, .. } => speed.at(self.state.t).0,
                _ => continue,
            };
            let lacks = wanted - stepper.found[line].speed(&self.state.v);
            let [least, most] = impulses_of(&stepper.system.lines[line].what);
            let bounded = if lacks > 0.0 { most == 0.0 } else { least == 0.0 };
            if stepper.modes[line] == Mode::Rest && lacks.abs() > STILL && bounded {
                stepper.modes[line] = slip(lacks);
            }
        }
    }

    /// A stop is hit: what holds gives an impulse, forces of a range give none.
    /// Says whether it bounced.
    pub(super) fn hit(&mut self, line: usize, mode: Mode) -> Result<bool, ReferenceError> {
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        let (restitution, soft, own) = match &self.stepper.system.lines[line].what {
            What::Limit(limit) => {
                let stops = self.stepper.system.stops(line, limit, state.t);
                let own = stops[usize::from(mode == Mode::Upper)][1];
                (limit.restitution, !super::lines::is_rigid(limit.softness), own)
            }
            _ => (0.0, false, 0.0),
        };
        if soft {
            self.stepper.modes[line] = mode;
            return Ok(false);
        }
        let back = -restitution * (self.stepper.found[line].speed(&state.v) - own);
        let bounces = back.abs() > REBOUND;
        self.stepper.modes[line] = mode;
        // Stops that would have to pull do not.
        let mut off: Vec<usize> = Vec::new();
        for _ in 0..8 {
            let mut after = state.clone();
            let lines = self.stepper.system.lines.clone();
            let impulses = self.stepper.project(&mut after, |each, act, found| {
                if each == line {
                    return Some(if bounces { own + back } else { own });
                }
                if off.contains(&each) || impulses_of(&lines[each].what) == [0.0; 2] {
                    return None;
                }
                held_speed(each, act, found)
            })?;
            let pulls = |each: &usize| {
                let limit = matches!(lines[*each].what, What::Limit(_) | What::Ratchet(_));
                let [least, most] = match self.stepper.modes[*each] {
                    Mode::Lower if limit => [0.0, f64::INFINITY],
                    Mode::Upper if limit => [f64::NEG_INFINITY, 0.0],
                    _ => impulses_of(&lines[*each].what),
                };
                let wrong = impulses[*each] < least - 1e-12 || impulses[*each] > most + 1e-12;
                *each != line && wrong && !off.contains(each)
            };
            let wrong: Vec<usize> = (0..lines.len()).filter(pulls).collect();
            if wrong.is_empty() {
                self.state = after;
                break;
            }
            off.extend(wrong);
        }
        for each in off {
            self.stepper.modes[each] = Mode::Rest;
        }
        if bounces {
            self.stepper.modes[line] = Mode::Rest;
        }
        self.slip_after();
        Ok(bounces)
    }
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
