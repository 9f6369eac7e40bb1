//! Lines that stand against their mode at the end of a step, and when that began.

use super::acts::{Act, Mode};
use super::events::{Kept, STILL, TOUCH};
use super::lines::What;
use super::newton::Tried;
use super::{ReferenceError, ReferenceReport, Run};

/// Forces that differ by less than this part are the same.
const SAME: f64 = 1e-9;

/// What stands against its mode at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
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
    /// How a line stands against its mode at the end of a step, if it does.
    pub(super) fn turn(&self, line: usize, tried: &Tried) -> Option<Turn> {
        let stepper = &self.stepper;
        let (v, t) = (&tried.state.v, tried.state.t);
        if let Some(turn) = stepper.set_turn(line, &tried.lambda, v, t) {
            return Some(turn);
        }
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
            What::Motor { speed: wanted, force } if stepper.set_of(line).is_none() => {
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

    pub(super) fn turns(&self, tried: &Tried) -> Vec<(usize, Turn)> {
        let lines = 0..self.stepper.system.lines.len();
        lines.filter_map(|line| Some((line, self.turn(line, tried)?))).collect()
    }

    /// What passes 0 where a line turns.
    pub(super) fn gauge(&self, line: usize, turn: Turn, tried: &Tried) -> f64 {
        let stepper = &self.stepper;
        let end = (tried.lambda.as_slice(), tried.state.v.as_slice(), tried.state.t);
        if let Some(gauge) = stepper.set_gauge(line, turn, end) {
            return gauge;
        }
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
    pub(super) fn locate(
        &mut self,
        (line, turn): (usize, Turn),
        most: f64,
        kept: &Kept,
        report: &mut ReferenceReport,
    ) -> Result<(f64, Option<(Tried, Option<super::scheme::Alpha>)>), ReferenceError> {
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
}
