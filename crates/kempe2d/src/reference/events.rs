//! Stops that are reached and left, motors and friction that hold and slip, teeth that are passed.
//!
//! A step is tried in the modes of its start. If at its end something stands against its mode, the
//! moment at which that began is found, the step goes up to it, the mode changes (with an impulse, if
//! a stop was hit), and what is left of the step is tried anew.

use super::acts::Mode;
use super::lines::What;
use super::newton::{Tried, held_speed};
use super::turns::Turn;
use super::{ReferenceError, ReferenceReport, Run};
use crate::report::Event;
use crate::world::World;

/// Closer than this to a stop is at it, m or rad.
pub(super) const TOUCH: f64 = 1e-11;
/// Slower than this is at rest, m/s or rad/s.
pub(super) const STILL: f64 = 1e-10;
/// A part of a step that is none.
const SHORTEST: f64 = 1e-12;
/// More events than this in a step are taken together.
const MOST: usize = 64;

impl Run {
    /// At the start: which stops are touched, what slips, and teeth; velocities that fit.
    pub(super) fn begin(&mut self) -> Result<(), ReferenceError> {
        let mut state = self.state.clone();
        self.stepper.system.settle(&state);
        self.stepper.evaluate(&mut state)?;
        self.state = state;
        for line in 0..self.stepper.system.lines.len() {
            self.stepper.click(line);
            let found = &self.stepper.found[line];
            let (value, speed) = (found.value, found.speed(&self.state.v));
            let stepper = &mut self.stepper;
            stepper.modes[line] = match &stepper.system.lines[line].what {
                What::Limit(limit) => {
                    let [lower, upper] = stepper.system.stops(line, limit, self.state.t);
                    if value < lower[0] - TOUCH
                        || (value < lower[0] + TOUCH && speed <= lower[1] + STILL)
                    {
                        Mode::Lower
                    } else if value > upper[0] + TOUCH
                        || (value > upper[0] - TOUCH && speed >= upper[1] - STILL)
                    {
                        Mode::Upper
                    } else {
                        Mode::Rest
                    }
                }
                What::Ratchet(ratchet) => {
                    let sign = ratchet.step.signum();
                    let past = (value - stepper.teeth[line]) * sign;
                    let stands = past < -TOUCH || (past < TOUCH && speed * sign <= STILL);
                    if stands { Mode::Lower } else { Mode::Rest }
                }
                What::Friction(_) if speed.abs() > STILL => slip(-speed),
                What::Motor { speed: wanted, force } => {
                    let lacks = wanted.at(self.state.t).0 - speed;
                    let bound = if lacks > 0.0 { force.upper } else { force.lower };
                    if lacks.abs() > STILL && bound.is_finite() { slip(lacks) } else { Mode::Rest }
                }
                _ => Mode::Rest,
            };
        }
        self.yield_to_motors();
        self.assemble_positions()?;
        let mut state = self.state.clone();
        self.stepper.project(&mut state, held_speed)?;
        self.state = state;
        self.restart()
    }

    /// Friction slips where a motor without bound turns its axis.
    fn yield_to_motors(&mut self) {
        let stepper = &mut self.stepper;
        for line in 0..stepper.system.lines.len() {
            let own = &stepper.system.lines[line];
            if !matches!(own.what, What::Friction(_)) || stepper.modes[line] != Mode::Rest {
                continue;
            }
            let turned = stepper.system.lines.iter().enumerate().find_map(|(at, other)| {
                let same = (other.part, other.row) == (own.part, own.row);
                match &other.what {
                    What::Motor { speed, .. } if same && stepper.modes[at] == Mode::Rest => {
                        Some(speed.at(self.state.t).0)
                    }
                    _ => None,
                }
            });
            if let Some(speed) = turned.filter(|speed| speed.abs() > STILL) {
                stepper.modes[line] = slip(-speed);
            }
        }
    }

    /// After velocities have jumped: multipliers and accelerations begin anew.
    fn restart(&mut self) -> Result<(), ReferenceError> {
        let (accelerations, lambda) = self.accelerations()?;
        self.stepper.lambda = lambda;
        self.alpha = Some(super::scheme::Alpha { own: accelerations.clone(), real: accelerations });
        Ok(())
    }

    /// To a time, through what happens on the way.
    pub(super) fn advance(
        &mut self,
        end: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<(), ReferenceError> {
        let mut happened = 0;
        loop {
            let left = end - self.state.t;
            if left <= 1e-15 * end.abs().max(1.0) {
                self.state.t = end;
                return Ok(());
            }
            let kept = (self.state.clone(), self.stepper.lambda.clone(), self.alpha.clone());
            let tried = self.smooth(left)?;
            report.steps += 1;
            let turns = self.turns(&tried);
            let alpha = self.alpha.clone();
            if turns.is_empty() {
                self.accept(tried, left, world, report)?;
                continue;
            }
            happened += 1;
            if happened > MOST {
                self.back(&kept)?;
                self.cluster(left)?;
                report.clustered += 1;
                if self.look_after(left, world, report)? {
                    continue;
                }
                self.state.t = end;
                return Ok(());
            }
            // The first of them, and the step up to it.
            let mut first = (left, turns[0], Some((tried, alpha)));
            for turn in &turns {
                // Nothing is before the start of the step.
                if first.0 <= SHORTEST * left {
                    break;
                }
                let (h, reached) = self.locate(*turn, first.0, &kept, report)?;
                if h < first.0 {
                    first = (h, *turn, reached);
                }
            }
            let (h, (line, turn), reached) = first;
            if h > 0.0 {
                let (tried, alpha) = match reached {
                    Some(reached) => reached,
                    None => {
                        self.back(&kept)?;
                        (self.smooth(h)?, self.alpha.clone())
                    }
                };
                self.alpha = alpha;
                if self.accept(tried, h, world, report)? {
                    continue;
                }
            } else {
                self.back(&kept)?;
            }
            self.change(line, turn, report)?;
        }
    }

    pub(super) fn back(
        &mut self,
        kept: &(super::State, Vec<f64>, Option<super::Alpha>),
    ) -> Result<(), ReferenceError> {
        self.alpha.clone_from(&kept.2);
        self.restore(&kept.0, kept.1.clone())
    }

    /// Takes a step over, and moves teeth on. Says whether joints have changed, and lines with them.
    fn accept(
        &mut self,
        tried: Tried,
        h: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<bool, ReferenceError> {
        self.state = tried.state;
        self.stepper.lambda = tried.lambda;
        let mut at = self.state.clone();
        self.stepper.evaluate(&mut at)?;
        self.state.places = at.places;
        self.stepper.system.settle(&self.state);
        (0..self.stepper.system.lines.len()).for_each(|line| self.stepper.click(line));
        self.look_after(h, world, report)
    }

    /// A line goes into another mode.
    fn change(
        &mut self,
        line: usize,
        turn: Turn,
        report: &mut ReferenceReport,
    ) -> Result<(), ReferenceError> {
        let t = self.state.t;
        let owner = self.stepper.system.lines[line].clone();
        let joint = self.stepper.system.parts[owner.part].id;
        let kind = self.stepper.system.joints.get(joint).ok().map(|joint| &joint.def.kind);
        // Rows of a constraint that have a range count behind the axes.
        let behind = kind.map_or(0, crate::JointKind::axis_count) + owner.row;
        let (axis, rope) =
            (owner.axis.unwrap_or(behind), kind.is_some_and(crate::JointKind::is_rope));
        match turn {
            Turn::Hit(mode) => {
                let upper = mode == Mode::Upper;
                report.events.push((
                    t,
                    match rope && upper {
                        true => Event::Taut(joint),
                        false => Event::LimitReached { joint, axis, upper },
                    },
                ));
                if self.hit(line, mode)? {
                    // What bounces is off again at once.
                    report.events.push((t, left(rope, joint, axis, upper)));
                }
            }
            Turn::Release => {
                let upper = self.stepper.modes[line] == Mode::Upper;
                report.events.push((t, left(rope, joint, axis, upper)));
                self.stepper.modes[line] = Mode::Rest;
            }
            Turn::Slip(mode) => self.stepper.modes[line] = mode,
            Turn::Stick => self.stepper.modes[line] = Mode::Rest,
        }
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        self.stepper.project(&mut state, held_speed)?;
        self.state = state;
        self.restart()
    }
}

fn left(rope: bool, joint: crate::JointId, axis: usize, upper: bool) -> Event {
    match rope && upper {
        true => Event::Slack(joint),
        false => Event::LimitLeft { joint, axis, upper },
    }
}

/// The mode of a line that pushes this way.
pub(super) fn slip(toward: f64) -> Mode {
    if toward > 0.0 { Mode::Upper } else { Mode::Lower }
}
