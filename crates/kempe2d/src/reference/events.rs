//! Stops that are reached and left, motors and friction that hold and slip, teeth that are passed.
//!
//! A step is tried in the modes of its start. If at its end something stands against its mode, the
//! moment at which that began is found, the step goes up to it, the mode changes (with an impulse, if
//! a stop was hit), and what is left of the step is tried anew.

use super::acts::{Act, Mode};
use super::lines::What;
use super::newton::{Tried, held_speed};
use super::{ReferenceError, ReferenceReport, Run};
use crate::report::Event;
use crate::world::World;

/// Closer than this to a stop is at it, m or rad.
const TOUCH: f64 = 1e-11;
/// Slower than this is at rest, m/s or rad/s.
const STILL: f64 = 1e-10;
/// Speeds below this do not come back from a stop, m/s or rad/s.
const REBOUND: f64 = 1e-4;
/// Forces that differ by less than this part are the same.
const SAME: f64 = 1e-9;
/// A part of a step that is none.
const SHORTEST: f64 = 1e-12;
/// More events than this in a step are taken together.
const MOST: usize = 64;

/// What stands against its mode at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// A stop is passed.
    Hit(Mode),
    /// A stop pulls.
    Release,
    /// A force is larger than its range.
    Slip(Mode),
    /// What slipped has the speed to hold.
    Stick,
}

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
            let turns = self.turns(&tried, left);
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

    fn back(
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

    /// How a line stands against its mode at the end of a step, if it does.
    fn turn(&self, line: usize, tried: &Tried) -> Option<Turn> {
        let stepper = &self.stepper;
        let (found, lambda) = (&stepper.found[line], tried.lambda[line]);
        let speed = found.speed(&tried.state.v);
        let mode = stepper.modes[line];
        match &stepper.system.lines[line].what {
            What::Limit(limit) => {
                let stops = stepper.system.stops(line, limit, tried.state.t);
                let past = |stop: [f64; 2]| found.value - stop[0];
                match mode {
                    Mode::Rest if past(stops[0]) < -TOUCH => Some(Turn::Hit(Mode::Lower)),
                    Mode::Rest if past(stops[1]) > TOUCH => Some(Turn::Hit(Mode::Upper)),
                    Mode::Lower if lambda < -self.slight(line) => Some(Turn::Release),
                    Mode::Upper if lambda > self.slight(line) => Some(Turn::Release),
                    _ => self.soft_release(line, stops, found.value, speed),
                }
            }
            What::Ratchet(ratchet) => {
                let tooth = stepper.teeth[line];
                let back = (found.value - tooth) * ratchet.step.signum();
                match mode {
                    Mode::Rest if back < -TOUCH => Some(Turn::Hit(Mode::Lower)),
                    Mode::Lower if lambda * ratchet.step.signum() < -self.slight(line) => {
                        Some(Turn::Release)
                    }
                    _ => None,
                }
            }
            What::Friction(most) => self.slips(mode, lambda, speed, 0.0, [-most, *most]),
            What::Motor { speed: wanted, force } => {
                let wanted = wanted.at(tried.state.t).0;
                self.slips(mode, lambda, speed, wanted, [force.lower, force.upper])
            }
            _ => None,
        }
    }

    /// A stop that yields and is left.
    fn soft_release(
        &self,
        line: usize,
        [lower, upper]: [[f64; 2]; 2],
        value: f64,
        speed: f64,
    ) -> Option<Turn> {
        let act = self.stepper.act(line, self.state.t);
        let Act::Spring { .. } = act else { return None };
        let away = match self.stepper.modes[line] {
            Mode::Lower => value > lower[0] + TOUCH && speed > lower[1],
            Mode::Upper => value < upper[0] - TOUCH && speed < upper[1],
            Mode::Rest => false,
        };
        away.then_some(Turn::Release)
    }

    fn slips(
        &self,
        mode: Mode,
        lambda: f64,
        speed: f64,
        wanted: f64,
        [low, high]: [f64; 2],
    ) -> Option<Turn> {
        let slack = SAME * (low.abs().min(1e300) + high.abs().min(1e300));
        match mode {
            Mode::Rest if lambda > high + slack => Some(Turn::Slip(Mode::Upper)),
            Mode::Rest if lambda < low - slack => Some(Turn::Slip(Mode::Lower)),
            Mode::Upper if speed > wanted + STILL => Some(Turn::Stick),
            Mode::Lower if speed < wanted - STILL => Some(Turn::Stick),
            _ => None,
        }
    }

    /// A force that is as good as none on a line.
    fn slight(&self, line: usize) -> f64 {
        let largest = self.stepper.lambda.iter().fold(0.0_f64, |most, l| most.max(l.abs()));
        SAME * (1.0 + self.stepper.lambda[line].abs().max(1e-3 * largest))
    }

    fn turns(&self, tried: &Tried, _h: f64) -> Vec<(usize, Turn)> {
        let lines = 0..self.stepper.system.lines.len();
        lines.filter_map(|line| Some((line, self.turn(line, tried)?))).collect()
    }

    /// What passes 0 where a line turns.
    fn gauge(&self, line: usize, turn: Turn, tried: &Tried) -> f64 {
        let stepper = &self.stepper;
        let (found, lambda) = (&stepper.found[line], tried.lambda[line]);
        let speed = found.speed(&tried.state.v);
        let stop = |limit: &crate::Limit, upper: bool| {
            stepper.system.stops(line, limit, tried.state.t)[usize::from(upper)][0]
        };
        match (&stepper.system.lines[line].what, turn) {
            (What::Limit(limit), Turn::Hit(Mode::Lower)) => found.value - stop(limit, false),
            (What::Limit(limit), Turn::Hit(_)) => stop(limit, true) - found.value,
            (What::Ratchet(ratchet), Turn::Hit(_)) => {
                (found.value - stepper.teeth[line]) * ratchet.step.signum()
            }
            (What::Limit(limit), Turn::Release) if !super::lines::is_rigid(limit.softness) => {
                match stepper.modes[line] {
                    Mode::Lower => stop(limit, false) - found.value,
                    _ => found.value - stop(limit, true),
                }
            }
            (What::Ratchet(ratchet), Turn::Release) => lambda * ratchet.step.signum(),
            (_, Turn::Release) => match stepper.modes[line] {
                Mode::Lower => lambda,
                _ => -lambda,
            },
            (What::Friction(most), Turn::Slip(mode)) => match mode {
                Mode::Upper => most - lambda,
                _ => lambda + most,
            },
            (What::Motor { force, .. }, Turn::Slip(mode)) => match mode {
                Mode::Upper => force.upper - lambda,
                _ => lambda - force.lower,
            },
            (what, Turn::Stick) => {
                let wanted = match what {
                    What::Motor { speed, .. } => speed.at(tried.state.t).0,
                    _ => 0.0,
                };
                match stepper.modes[line] {
                    Mode::Upper => wanted - speed,
                    _ => speed - wanted,
                }
            }
            _ => 0.0,
        }
    }

    /// When a turn begins, within `most` from now, and the step up to then.
    #[expect(clippy::type_complexity, reason = "what a step leaves behind")]
    fn locate(
        &mut self,
        (line, turn): (usize, Turn),
        most: f64,
        kept: &(super::State, Vec<f64>, Option<super::Alpha>),
        report: &mut ReferenceReport,
    ) -> Result<(f64, Option<(Tried, Option<super::Alpha>)>), ReferenceError> {
        // A force that is too large at once is so from the start.
        let (mut low, mut high) = (0.0, most);
        let (mut at_low, mut at_high) = (f64::NAN, f64::NAN);
        let forces = matches!(turn, Turn::Slip(_))
            || (turn == Turn::Release
                && matches!(self.stepper.act(line, kept.0.t), Act::Place { .. }));
        let mut reached = None;
        for round in 0..60 {
            let h = match round {
                0 => most,
                1 if forces => 1e-6 * most,
                _ if at_low.is_finite() && at_high.is_finite() && round % 3 != 2 => {
                    (low + (high - low) * at_low / (at_low - at_high)).clamp(low, high)
                }
                _ => 0.5 * (low + high),
            };
            self.back(kept)?;
            let tried = self.smooth(h)?;
            report.steps += 1;
            let gauge = self.gauge(line, turn, &tried);
            let alpha = self.alpha.clone();
            let enough = if forces { 1e-9 } else { 1e-13 };
            if round == 0 && gauge > 0.0 {
                // Not before this time.
                return Ok((f64::INFINITY, None));
            }
            if round == 1 && forces && gauge < 0.0 {
                return Ok((0.0, None));
            }
            if gauge >= 0.0 {
                (low, at_low) = (h, gauge);
            } else {
                (high, at_high) = (h, gauge);
                reached = Some((h, (tried.clone(), alpha.clone())));
            }
            if gauge.abs() < enough || high - low < 1e-14 * most.max(1e-3) {
                self.back(kept)?;
                return Ok((h, Some((tried, alpha))));
            }
        }
        self.back(kept)?;
        Ok(match reached {
            Some((h, reached)) => (h, Some(reached)),
            None => (high, None),
        })
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

    /// What held its speed with a force of a range has lost it by an impulse, and slips.
    fn slip_after(&mut self) {
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
    fn hit(&mut self, line: usize, mode: Mode) -> Result<bool, ReferenceError> {
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

fn left(rope: bool, joint: crate::JointId, axis: usize, upper: bool) -> Event {
    match rope && upper {
        true => Event::Slack(joint),
        false => Event::LimitLeft { joint, axis, upper },
    }
}

/// The mode of a line that pushes this way.
fn slip(toward: f64) -> Mode {
    if toward > 0.0 { Mode::Upper } else { Mode::Lower }
}
