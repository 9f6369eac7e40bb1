//! What a line does at a moment, in the mode that it is in.

use super::curvature::Curvature;
use super::lines::{What, is_rigid};
use super::system::{Found, State, System};
use kempe_solve::{Block, Softness};

/// The mode of a line that switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A stop that is not touched; a motor or friction that holds its speed.
    #[default]
    Rest,
    /// At the lower stop; with the lower force.
    Lower,
    /// At the upper stop; with the upper force.
    Upper,
}

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    Nothing,
    /// q = target; the target moves at a rate.
    Place {
        target: f64,
        rate: f64,
    },
    /// q̇ = speed.
    Speed(f64),
    /// f = −k (q − rest) − c (q̇ − speed), within a range.
    Spring {
        k: f64,
        c: f64,
        rest: f64,
        speed: f64,
        range: [f64; 2],
    },
    /// f of the law of the line.
    Law,
    /// A force.
    Force(f64),
    /// The force of a drive that does not have its velocity.
    Tow,
}

impl Act {
    /// Whether it holds, with whatever force that takes.
    pub(crate) fn holds(&self) -> bool {
        matches!(self, Self::Place { .. } | Self::Speed(_))
    }
}

impl System {
    /// What a line does at a time; `mass` is what a spring by frequency refers to.
    pub(crate) fn act(&self, line: usize, mode: Mode, tooth: f64, mass: f64, t: f64) -> Act {
        let spring = |softness: Softness, rest: f64, speed: f64, range: [f64; 2]| {
            if is_rigid(softness) {
                return Act::Place { target: rest, rate: speed };
            }
            let [k, c] = stiffness(softness, mass);
            Act::Spring { k, c, rest, speed, range }
        };
        match &self.lines[line].what {
            What::Hold(target) => {
                let [target, rate] = match &self.lines[line].bound {
                    Some(bound) => self.moved(bound.lower, bound.lower_rate, t),
                    None => [*target, 0.0],
                };
                Act::Place { target, rate }
            }
            What::Rate => Act::Speed(0.0),
            What::Spring { rest, speed, softness, force } => {
                let (at, rate) = rest.at(t);
                let speed = speed.as_ref().map_or(rate, |speed| speed.at(t).0);
                spring(*softness, at, speed, [force.lower, force.upper])
            }
            What::Law(_) => Act::Law,
            What::Push(force) => Act::Force(force.at(t).0),
            What::Motor { speed, force } => match mode {
                Mode::Rest => Act::Speed(speed.at(t).0),
                Mode::Lower => Act::Force(force.lower),
                Mode::Upper => Act::Force(force.upper),
            },
            What::Friction(most) => match mode {
                Mode::Rest => Act::Speed(0.0),
                Mode::Lower => Act::Force(-most),
                Mode::Upper => Act::Force(*most),
            },
            What::Limit(limit) => {
                let [lower, upper] = self.stops(line, limit, t);
                let ([bound, rate], range) = match mode {
                    Mode::Rest => return Act::Nothing,
                    Mode::Lower => (lower, [0.0, limit.force]),
                    Mode::Upper => (upper, [-limit.force, 0.0]),
                };
                spring(limit.softness, bound, rate, range)
            }
            What::Ratchet(_) => match mode {
                Mode::Rest => Act::Nothing,
                _ => Act::Place { target: tooth, rate: 0.0 },
            },
        }
    }

    /// A bound of a program at a time, and its rate.
    fn moved(&self, bound: f64, rate: f64, t: f64) -> [f64; 2] {
        [bound + rate * (t - self.since), rate]
    }

    /// The stops of a line at a time, each with its rate.
    pub(crate) fn stops(&self, line: usize, limit: &crate::Limit, t: f64) -> [[f64; 2]; 2] {
        match &self.lines[line].bound {
            Some(bound) => [
                self.moved(bound.lower, bound.lower_rate, t),
                self.moved(bound.upper, bound.upper_rate, t),
            ],
            None => [[limit.lower, 0.0], [limit.upper, 0.0]],
        }
    }

    /// f and its slopes by q and q̇.
    pub(crate) fn force_of(&self, line: usize, act: Act, q: f64, speed: f64, t: f64) -> [f64; 3] {
        match act {
            Act::Spring { k, c, rest, speed: own, range } => {
                let force = -k * (q - rest) - c * (speed - own);
                match force.clamp(range[0], range[1]) {
                    clamped if clamped != force => [clamped, 0.0, 0.0],
                    _ => [force, -k, -c],
                }
            }
            Act::Law => match &self.lines[line].what {
                What::Law(law) => law.evaluate(q, speed, t),
                _ => [0.0; 3],
            },
            Act::Force(force) => [force, 0.0, 0.0],
            Act::Nothing | Act::Place { .. } | Act::Speed(_) | Act::Tow => [0.0; 3],
        }
    }

    /// By line, the mass that it moves through the hold of its joint, which springs by frequency
    /// refer to; 0 where it is not asked for.
    pub(crate) fn moved_masses(&self, found: &[Found]) -> Vec<f64> {
        let asks = |line: usize| self.lines[line].what.asks_for_mass();
        let meets = |a: &Found, b: &Found| {
            let mut sum = 0.0;
            for (at, i) in &a.j {
                for (_, j) in b.j.iter().filter(|each| each.0 == *at) {
                    let mass = self.movers[*at].mass;
                    sum += (0..3).map(|k| i[k] * j[k] / mass[k]).sum::<f64>();
                }
            }
            sum
        };
        let each = |line: usize| {
            if !asks(line) {
                return 0.0;
            }
            let part = self.lines[line].part;
            let holds = |other: &usize| {
                self.lines[*other].part == part && matches!(self.lines[*other].what, What::Hold(_))
            };
            let held: Vec<usize> = (0..self.lines.len()).filter(holds).take(6).collect();
            let mut k = [[0.0; 6]; 6];
            let mut cross = [0.0; 6];
            for (i, a) in held.iter().enumerate() {
                for (j, b) in held.iter().enumerate().take(i + 1) {
                    k[i][j] = meets(&found[*a], &found[*b]);
                }
                cross[i] = meets(&found[*a], &found[line]);
            }
            let mut answer = cross;
            Block::new(&k, held.len()).solve(&mut answer);
            let taken: f64 = cross.iter().zip(answer).map(|(c, a)| c * a).sum();
            let left = meets(&found[line], &found[line]) - taken;
            if left > 0.0 { 1.0 / left } else { 0.0 }
        };
        (0..self.lines.len()).map(each).collect()
    }

    /// Σ over the lines of a part of λ ∂J/∂x, in the coordinates of the centres of mass.
    pub(crate) fn curvature(
        &self,
        part: usize,
        lambda: &[f64],
        state: &State,
        out: &mut Curvature,
    ) -> Option<()> {
        let own = &self.parts[part];
        let joint = self.joint_at(own, state.t)?;
        let poses = self.poses(own, &state.q, state.t);
        let near = state.places[part];
        joint.curvature_at(&self.joints, &poses, (state.t, near), lambda, out)?;
        // From the origins to the centres of mass: x = c − R r.
        let mut rows = crate::user::Rows::default();
        let centered = own.roles.iter().all(|role| self.center(*role) == kempe_scalar::Vec2::ZERO);
        if centered {
            return Some(());
        }
        joint.rows_at(&self.joints, &poses, state.t, &mut near.clone(), &mut rows)?;
        let size = out.size;
        let before = out.numbers.clone();
        let arms: Vec<_> = own
            .roles
            .iter()
            .zip(&poses)
            .map(|(role, pose)| self.center(*role).turned(pose.cos, pose.sin))
            .collect();
        // Column by column, then row by row: θ moves the origin by −⊥(R r).
        let mut numbers = before;
        for (body, arm) in arms.iter().enumerate() {
            let turn = arm.perp();
            for i in 0..size {
                let (x, y) = (numbers[i * size + 3 * body], numbers[i * size + 3 * body + 1]);
                numbers[i * size + 3 * body + 2] -= x * turn.x + y * turn.y;
            }
        }
        for (body, arm) in arms.iter().enumerate() {
            let turn = arm.perp();
            for j in 0..size {
                let (x, y) = (numbers[3 * body * size + j], numbers[(3 * body + 1) * size + j]);
                numbers[(3 * body + 2) * size + j] -= x * turn.x + y * turn.y;
            }
            // And the arm itself turns: ∂²x/∂θ² = R r.
            let mut pull = kempe_scalar::Vec2::ZERO;
            for (row, weight) in rows.jacobian.iter().zip(lambda) {
                pull += kempe_scalar::Vec2::new(row[body][0], row[body][1]) * *weight;
            }
            numbers[(3 * body + 2) * size + 3 * body + 2] += pull.dot(*arm);
        }
        out.numbers = numbers;
        Some(())
    }
}

/// k and c of a spring that moves this mass.
pub(crate) fn stiffness(softness: Softness, mass: f64) -> [f64; 2] {
    match softness {
        Softness::Hertz { hertz, damping_ratio } => {
            let omega = std::f64::consts::TAU * hertz;
            [omega * omega * mass, 2.0 * damping_ratio * omega * mass]
        }
        Softness::Stiffness { stiffness, damping } => [stiffness, damping],
        Softness::MassNormalized { stiffness, damping } => [stiffness * mass, damping * mass],
        Softness::Compliance { compliance, damping } => [1.0 / compliance, damping],
        Softness::Rigid | Softness::ErrorBias { .. } => [0.0, 0.0],
    }
}
