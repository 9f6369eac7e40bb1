//! Which stops hold and what slips, where velocities do not decide it: of all the ways, the one in
//! which no stop pulls and none is passed, and friction and motors do no more than they can.
//!
//! ```text
//! a stop:     λ ≥ 0,  q̈ ≥ 0,  λ q̈ = 0
//! friction:   |λ| ≤ f where q̈ = 0,  λ = −f sign(q̈) elsewhere
//! ```
//!
//! One row after another changes over, always the first that stands against it (Murty's rule, which
//! ends where rows are independent), and the accelerations are found anew.

use super::acts::{Act, Mode};
use super::events::{STILL, TOUCH, slip};
use super::lines::{What, is_rigid};
use super::turns::Turn;
use super::{ReferenceError, Run};

/// Forces and accelerations that differ by less than this part are the same.
const SAME: f64 = 1e-9;

/// What a moment is like.
#[derive(Debug, Default)]
pub(super) struct Moment {
    pub accelerations: Vec<f64>,
    /// By line, its force.
    pub lambda: Vec<f64>,
    /// By line, what its speed gains over what it is asked to be, per second.
    pub gains: Vec<f64>,
    /// Whether the modes fit.
    pub fits: bool,
}

impl Run {
    /// Changes modes until they fit. Says which have changed, each with its mode before.
    pub(super) fn choose(&mut self) -> Result<(Moment, Vec<(usize, Mode)>), ReferenceError> {
        let lines = self.stepper.system.lines.len();
        let mut before: Vec<(usize, Mode)> = Vec::new();
        let mut moment = self.accelerations()?;
        for _ in 0..4 * lines + 4 {
            if let Some((line, turn)) = self.set_against(&moment) {
                self.stepper.turn_set(line, turn, &moment.lambda);
                moment = self.accelerations()?;
                continue;
            }
            let largest = |of: &[f64]| of.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            let slight = [SAME * largest(&moment.lambda), SAME * largest(&moment.gains)];
            let against = |line: usize| self.against(line, &moment, slight);
            let Some((line, mode)) = (0..lines).find_map(against) else {
                moment.fits = true;
                break;
            };
            if !before.iter().any(|each| each.0 == line) {
                before.push((line, self.stepper.modes[line]));
            }
            self.stepper.modes[line] = mode;
            moment = self.accelerations()?;
        }
        before.retain(|(line, mode)| self.stepper.modes[*line] != *mode);
        Ok((moment, before))
    }

    /// A set that is asked for more than it can, and the line that it goes by.
    fn set_against(&self, moment: &Moment) -> Option<(usize, Turn)> {
        let (v, t) = (&self.state.v, self.state.t);
        let turn = |line: usize| {
            let turn = self.stepper.set_turn(line, &moment.lambda, v, t)?;
            matches!(turn, Turn::Slip(_)).then_some((line, turn))
        };
        (0..moment.lambda.len()).find_map(turn)
    }

    /// The mode that a line should be in at this moment, if it is not.
    fn against(
        &self,
        line: usize,
        moment: &Moment,
        [slight, slow]: [f64; 2],
    ) -> Option<(usize, Mode)> {
        let stepper = &self.stepper;
        let (found, t) = (&stepper.found[line], self.state.t);
        let (force, gain, mode) = (moment.lambda[line], moment.gains[line], stepper.modes[line]);
        let speed = found.speed(&self.state.v);
        let next = match &stepper.system.lines[line].what {
            What::Limit(limit) if is_rigid(limit.softness) => {
                let [lower, upper] = stepper.system.stops(line, limit, t);
                let touches = |stop: [f64; 2]| {
                    (found.value - stop[0]).abs() < TOUCH && (speed - stop[1]).abs() < STILL
                };
                match mode {
                    Mode::Lower if force < -slight => Mode::Rest,
                    Mode::Upper if force > slight => Mode::Rest,
                    Mode::Rest if touches(lower) && gain < -slow => Mode::Lower,
                    Mode::Rest if touches(upper) && gain > slow => Mode::Upper,
                    _ => return None,
                }
            }
            What::Ratchet(ratchet) => {
                let sign = ratchet.step.signum();
                let past = (found.value - stepper.teeth[line]) * sign;
                match mode {
                    Mode::Rest
                        if past.abs() < TOUCH && speed.abs() < STILL && gain * sign < -slow =>
                    {
                        Mode::Lower
                    }
                    Mode::Lower | Mode::Upper if force * sign < -slight => Mode::Rest,
                    _ => return None,
                }
            }
            What::Friction(most) => {
                self.holds_or_slips(line, [-most, *most], (speed, force, gain), [slight, slow])?
            }
            What::Motor { speed: wanted, force: range } if stepper.set_of(line).is_none() => {
                let lacks = speed - wanted.at(t).0;
                let range = [range.lower, range.upper];
                self.holds_or_slips(line, range, (lacks, force, gain), [slight, slow])?
            }
            _ => return None,
        };
        Some((line, next))
    }

    /// The same of what keeps a speed with a force of a range.
    fn holds_or_slips(
        &self,
        line: usize,
        [low, high]: [f64; 2],
        (off, force, gain): (f64, f64, f64),
        [slight, slow]: [f64; 2],
    ) -> Option<Mode> {
        let mode = self.stepper.modes[line];
        let holds = matches!(self.stepper.act(line, self.state.t), Act::Speed(_));
        match mode {
            Mode::Rest if holds && force > high + slight => Some(Mode::Upper),
            Mode::Rest if holds && force < low - slight => Some(Mode::Lower),
            Mode::Upper if off.abs() < STILL && gain > slow => Some(Mode::Rest),
            Mode::Lower if off.abs() < STILL && gain < -slow => Some(Mode::Rest),
            // What is beside a stop and moves off with it.
            Mode::Rest if !holds && off.abs() > STILL => Some(slip(-off)),
            _ => None,
        }
    }
}
