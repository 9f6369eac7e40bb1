//! Stops that are reached and left, motors and friction that hold and slip, teeth that are passed.
//!
//! A step is tried in the modes of its start. If at its end something stands against its mode, the
//! moment at which that began is found, the step goes up to it, the mode changes (with an impulse, if
//! a stop was hit), and what is left of the step is tried anew.

use super::acts::Mode;
use super::bench::{SAME, independence, length};
use super::lines::What;
use super::newton::Tried;
use super::project::held_speed;
use super::turns::Turn;
use super::{ReferenceError, ReferenceReport, Run};
use crate::joint::JointId;
use crate::report::Event;
use crate::world::World;
use kempe_solve::sparse::Dependence;

/// Closer than this to a stop is at it, m or rad.
pub(super) const TOUCH: f64 = 1e-11;
/// Slower than this is at rest, m/s or rad/s.
pub(super) const STILL: f64 = 1e-10;
/// A part of a step that is none.
const SHORTEST: f64 = 1e-12;
/// More events than this in a step are taken together.
const MOST: usize = 64;
/// So often stops that were passed by closing joints are added.
const ROUNDS: usize = 8;

/// Where a step begins: state, forces, and what generalised α keeps.
pub(super) type Kept = (super::system::State, Vec<f64>, Option<super::scheme::Alpha>);

impl Run {
    /// At the start: which stops are touched, what slips, and teeth; velocities that fit.
    pub(super) fn begin(&mut self) -> Result<(), ReferenceError> {
        let mut state = self.state.clone();
        self.stepper.system.settle(&state);
        self.stepper.evaluate(&mut state)?;
        self.state = state;
        for line in 0..self.stepper.system.lines.len() {
            self.stepper.click(line);
            self.stepper.modes[line] = self.touches(line);
        }
        self.stepper.sets.iter_mut().for_each(|set| set.yields = false);
        self.stepper.give_way(&self.state.v.clone(), self.state.t);
        // What closes joints may pass stops.
        for _ in 0..ROUNDS {
            self.assemble_positions()?;
            let passed = |line: &usize| {
                self.stepper.modes[*line] == Mode::Rest && self.touches(*line) != Mode::Rest
            };
            let passed: Vec<usize> = (0..self.stepper.modes.len()).filter(passed).collect();
            if passed.is_empty() {
                break;
            }
            passed.into_iter().for_each(|line| self.stepper.modes[line] = self.touches(line));
        }
        // Forces of a range take no part in what happens at once: they hold if nothing moves them.
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        let given: Vec<bool> =
            (0..self.stepper.modes.len()).map(|line| self.stepper.gives(line)).collect();
        let speeds =
            |line: usize, act, found: &_| held_speed(line, act, found).filter(|_| given[line]);
        if let Err(error) = self.stepper.project(&mut state, speeds) {
            return Err(self.contradiction(&given).unwrap_or(error));
        }
        self.state = state;
        self.slip_after();
        let mut state = self.state.clone();
        self.stepper.project(&mut state, held_speed)?;
        self.state = state;
        self.restart()?;
        Ok(())
    }

    /// The stop that a line is at or past, if it does not leave it.
    fn touches(&self, line: usize) -> Mode {
        let stepper = &self.stepper;
        let (value, speed) = (stepper.found[line].value, stepper.found[line].speed(&self.state.v));
        match &stepper.system.lines[line].what {
            What::Limit(limit) => {
                let [lower, upper] = stepper.system.stops(line, limit, self.state.t);
                let at = |gap: f64, speed: f64| gap < -TOUCH || (gap < TOUCH && speed <= STILL);
                if at(value - lower[0], speed - lower[1]) {
                    Mode::Lower
                } else if at(upper[0] - value, upper[1] - speed) {
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
            _ => Mode::Rest,
        }
    }

    /// The joints that ask for speeds which cannot all be, if there are any.
    fn contradiction(&self, given: &[bool]) -> Option<ReferenceError> {
        let stepper = &self.stepper;
        let asked = |line: usize| {
            let act = stepper.act(line, self.state.t);
            let speed = held_speed(line, act, &stepper.found[line]).filter(|_| given[line])?;
            Some(speed - stepper.found[line].bias)
        };
        let held: Vec<usize> = (0..given.len()).filter(|line| asked(*line).is_some()).collect();
        let found = independence(&stepper.system, &stepper.found, &held).ok()?;
        // By its length, as the rows of the combinations are.
        let scaled = |row: usize| {
            let size = length(&stepper.system, &stepper.found[held[row]]);
            asked(held[row]).unwrap_or(0.0) / if size > 0.0 { size } else { 1.0 }
        };
        let off = |each: &Dependence| {
            let others = each.combination.iter().map(|(row, share)| share * scaled(*row));
            (scaled(each.row) - others.sum::<f64>()).abs()
        };
        let worst = found.dependent.iter().max_by(|a, b| off(a).total_cmp(&off(b)))?;
        if off(worst) < SAME {
            return None;
        }
        let rows = worst.combination.iter().filter(|(_, share)| share.abs() > SAME);
        let rows = std::iter::once(worst.row).chain(rows.map(|(row, _)| *row));
        let mut joints: Vec<JointId> = Vec::new();
        for row in rows {
            let id = stepper.system.parts[stepper.system.lines[held[row]].part].id;
            if !joints.contains(&id) {
                joints.push(id);
            }
        }
        Some(ReferenceError::Contradiction { joints })
    }

    /// After velocities have jumped: modes, multipliers and accelerations begin anew. Says which lines
    /// have changed, each with its mode before.
    fn restart(&mut self) -> Result<Vec<(usize, Mode)>, ReferenceError> {
        let (moment, changed) = self.choose()?;
        self.stepper.lambda = moment.lambda;
        let own = moment.accelerations;
        self.alpha = Some(super::scheme::Alpha { own: own.clone(), real: own });
        Ok(changed)
    }

    /// To a time, through what happens on the way. Where no step is found, what is left of it is
    /// taken as a whole.
    pub(super) fn advance(
        &mut self,
        end: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<(), ReferenceError> {
        let error = match self.follow(end, world, report) {
            Err(
                error @ (ReferenceError::NotConverged { .. }
                | ReferenceError::Gained { .. }
                | ReferenceError::Linear { .. }),
            ) if self.stepper.system.switches() && self.halvings > 0 => error,
            other => return other,
        };
        let left = end - self.state.t;
        let (state, lambda) = (self.state.clone(), self.stepper.lambda.clone());
        self.restore(&state, lambda)?;
        self.cluster(left).map_err(|_| error)?;
        report.clustered += 1;
        self.look_after(left, world, report)?;
        self.state.t = end;
        Ok(())
    }

    fn follow(
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
            self.stepper.aim(&self.state.v, self.state.t);
            let kept: Kept = (self.state.clone(), self.stepper.lambda.clone(), self.alpha.clone());
            let tried = self.smooth(left)?;
            report.steps += 1;
            let turns = self.turns(&tried);
            let alpha = self.alpha.clone();
            if turns.is_empty() {
                let (tried, h, _) = self.unbroken((tried, left), &kept, world, report)?;
                self.accept(tried, h, world, report)?;
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
            let h = if h <= SHORTEST * left { 0.0 } else { h };
            if h > 0.0 {
                let (tried, alpha) = match reached {
                    Some(reached) => reached,
                    None => {
                        self.back(&kept)?;
                        (self.smooth(h)?, self.alpha.clone())
                    }
                };
                self.alpha = alpha;
                let (tried, h, cut) = self.unbroken((tried, h), &kept, world, report)?;
                if self.accept(tried, h, world, report)? || cut {
                    continue;
                }
            } else {
                self.back(&kept)?;
            }
            self.change(line, turn, report)?;
            if self.blows.iter().any(|blow| *blow != 0.0) {
                self.look_after(0.0, world, report)?;
            }
        }
    }

    pub(super) fn back(&mut self, kept: &Kept) -> Result<(), ReferenceError> {
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

    /// A line goes into another mode, and others with it where they must.
    fn change(
        &mut self,
        line: usize,
        turn: Turn,
        report: &mut ReferenceReport,
    ) -> Result<(), ReferenceError> {
        let before = self.stepper.modes.clone();
        match turn {
            Turn::Hit(mode) => {
                if self.hit(line, mode)? {
                    // What bounces is off again at once.
                    self.tell(line, [Mode::Rest, mode], report);
                    self.tell(line, [mode, Mode::Rest], report);
                }
            }
            Turn::Slip(_) | Turn::Stick
                if self.stepper.turn_set(line, turn, &self.stepper.lambda.clone()) => {}
            Turn::Release | Turn::Stick => self.stepper.modes[line] = Mode::Rest,
            Turn::Slip(mode) => self.stepper.modes[line] = mode,
        }
        let mut state = self.state.clone();
        self.stepper.evaluate(&mut state)?;
        self.stepper.project(&mut state, held_speed)?;
        self.state = state;
        self.restart()?;
        for (line, before) in before.into_iter().enumerate() {
            self.tell(line, [before, self.stepper.modes[line]], report);
        }
        Ok(())
    }

    /// Tells of a stop that is reached or left.
    fn tell(&self, line: usize, [before, after]: [Mode; 2], report: &mut ReferenceReport) {
        let owner = &self.stepper.system.lines[line];
        if before == after || !matches!(owner.what, What::Limit(_) | What::Ratchet(_)) {
            return;
        }
        let joint = self.stepper.system.parts[owner.part].id;
        let kind = self.stepper.system.joints.get(joint).ok().map(|joint| &joint.def.kind);
        // Rows of a constraint that have a range count behind the axes.
        let behind = kind.map_or(0, crate::JointKind::axis_count) + owner.row;
        let axis = owner.axis.unwrap_or(behind);
        let rope = kind.is_some_and(crate::JointKind::is_rope);
        // Teeth that let a coordinate fall stop it above.
        let falls = matches!(&owner.what, What::Ratchet(ratchet) if ratchet.step < 0.0);
        for (mode, reached) in [(before, false), (after, true)] {
            let upper = falls || mode == Mode::Upper;
            let event = match (rope && upper, reached) {
                _ if mode == Mode::Rest => continue,
                (true, true) => Event::Taut(joint),
                (true, false) => Event::Slack(joint),
                (false, true) => Event::LimitReached { joint, axis, upper },
                (false, false) => Event::LimitLeft { joint, axis, upper },
            };
            report.events.push((self.state.t, event));
        }
    }
}

/// The mode of a line that pushes this way.
pub(super) fn slip(toward: f64) -> Mode {
    if toward > 0.0 { Mode::Upper } else { Mode::Lower }
}
