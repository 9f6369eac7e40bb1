//! One step, by Newton's method over all bodies and rows at once.

use super::ReferenceError;
use super::acts::{Act, Mode};
use super::assembly::Assembly;
use super::curvature::Curvature;
use super::exact::Exact;
use super::lines::{What, is_rigid};
use super::scheme::Scheme;
use super::system::{Found, State, System};
use super::yields::{Set, bound_laws, sets_of};

/// So many iterations are tried.
const ITERATIONS: usize = 40;
/// A change this small, as a part of 1 + |q|, is none; of a velocity it is 1/h times as much.
const CLOSE: f64 = 5e-16;
/// One this small is good enough where it shrinks no further.
const GOOD: f64 = 1e-9;
/// The matrix is kept while errors shrink at least by this factor.
const SHRINKS: f64 = 0.05;
/// A new matrix that leaves more than this part of the error ...
const SLOW: f64 = 0.5;
/// ... more often than this is not the one to go on with.
const PATIENCE: usize = 3;
/// No iteration turns a body by more than this, rad.
const TURN: f64 = 0.5;
/// Rows that are open by more than this are not closed, m or rad.
const OPEN: f64 = 1e-9;

/// The system and what is kept from step to step.
#[derive(Debug)]
pub(crate) struct Stepper {
    pub system: System,
    pub assembly: Assembly,
    pub modes: Vec<Mode>,
    /// By line, the tooth of a ratchet.
    pub teeth: Vec<f64>,
    /// By line, the force of the last step.
    pub lambda: Vec<f64>,
    /// By line, the mass that a spring by frequency moves.
    pub masses: Vec<f64>,
    pub found: Vec<Found>,
    pub curvature: Curvature,
    /// The matrix that is not symmetric, once it has been needed.
    pub exact: Option<Exact>,
    /// Rows whose forces have a bound together, and by line which of them it is of.
    pub sets: Vec<Set>,
    pub set_index: Vec<Option<usize>>,
    /// How many factorisations there were.
    pub factored: u64,
    /// Whether a step ends with the first iterate.
    #[cfg(test)]
    pub once: bool,
}

/// What a step led to.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub state: State,
    /// By line, its force over the step.
    pub lambda: Vec<f64>,
}

impl Stepper {
    pub(crate) fn new(mut system: System, state: &State) -> Result<Self, ReferenceError> {
        let mut found = Vec::new();
        let mut at = state.clone();
        system.evaluate(&mut at, &mut found).map_err(|joint| ReferenceError::NoValue { joint })?;
        let assembly = Assembly::new(&system, &found)?;
        let lines = system.lines.len();
        let masses = system.moved_masses(&found);
        bound_laws(&mut system, &found);
        let sets = sets_of(&system, &found);
        let mut set_index = vec![None; lines];
        for (at, set) in sets.iter().enumerate() {
            set.lines.iter().for_each(|line| set_index[*line] = Some(at));
        }
        Ok(Self {
            system,
            assembly,
            modes: vec![Mode::Rest; lines],
            teeth: vec![f64::NAN; lines],
            lambda: vec![0.0; lines],
            masses,
            found,
            curvature: Curvature::default(),
            exact: None,
            sets,
            set_index,
            factored: 0,
            #[cfg(test)]
            once: false,
        })
    }

    pub(crate) fn act(&self, line: usize, t: f64) -> Act {
        let act = self.system.act(line, self.modes[line], self.teeth[line], self.masses[line], t);
        match act {
            // A stop that holds the row leaves nothing to hold for friction or a motor: both would be
            // one equation twice, of a place and of a speed, and contradict each other in a step.
            Act::Speed(_) if self.stops(line) => Act::Nothing,
            _ => self.yielding(line, act),
        }
    }

    /// Whether the row of a line stands at a stop that does not yield.
    fn stops(&self, line: usize) -> bool {
        let (part, row) = (self.system.lines[line].part, self.system.lines[line].row);
        let beside = |at: &usize| self.system.lines[*at].part == part;
        let (before, after) = ((0..line).rev(), line + 1..self.system.lines.len());
        before.take_while(beside).chain(after.take_while(beside)).any(|at| {
            let rigid = match &self.system.lines[at].what {
                What::Limit(limit) => is_rigid(limit.softness),
                What::Ratchet(_) => true,
                _ => false,
            };
            rigid && self.system.lines[at].row == row && self.modes[at] != Mode::Rest
        })
    }

    pub(crate) fn evaluate(&mut self, state: &mut State) -> Result<(), ReferenceError> {
        let Self { system, found, .. } = self;
        system.evaluate(state, found).map_err(|joint| ReferenceError::NoValue { joint })?;
        // A spring by frequency goes by the mass that it moves where it is.
        if system.lines.iter().any(|line| line.what.asks_for_mass()) {
            self.masses = system.moved_masses(found);
        }
        Ok(())
    }

    /// Forces at a state whose rows have been found, those of held rows left out; and by line its own.
    pub(crate) fn forces(&self, state: &State, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.system.freedoms(), 0.0);
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in 0..3 {
                out[3 * at + k] = mover.force[k] - mover.damping[k] * state.v[3 * at + k];
            }
        }
        for (line, found) in self.found.iter().enumerate() {
            let act = self.act(line, state.t);
            let [force, ..] = self.force(line, act, &state.v, state.t);
            found.push(force, out);
        }
    }

    /// One step of a scheme from a state whose rows have been found; the accelerations of the step
    /// before, where there are any, tell where to begin.
    pub(crate) fn step(
        &mut self,
        start: &State,
        scheme: &Scheme,
        before: &[f64],
    ) -> Result<Tried, ReferenceError> {
        let n = self.system.freedoms();
        let lines = self.system.lines.len();
        let (h, t) = (scheme.h, start.t + scheme.h);
        let mut known = Vec::new();
        if scheme.before != 0.0 {
            self.forces(start, &mut known);
            known.iter_mut().for_each(|force| *force *= scheme.before);
        } else {
            known.resize(n, 0.0);
        }
        let acts: Vec<Act> = (0..lines).map(|line| self.act(line, t)).collect();
        let first = if scheme.g > 0.0 { self.found.clone() } else { Vec::new() };
        let mut p: Vec<f64> = acts
            .iter()
            .zip(&self.lambda)
            .map(|(act, lambda)| lambda * if act.holds() { scheme.held } else { scheme.w })
            .collect();
        let mut end = State { t, ..start.clone() };
        let mut moved: Vec<f64> = start.v.iter().map(|v| h * v).collect();
        for (moved, before) in moved.iter_mut().zip(before) {
            *moved += 0.5 * h * h * before;
        }
        let mut right = vec![0.0; n + lines];
        let (mut last, mut fresh) = (f64::INFINITY, false);
        // How often a new matrix has not led nearer; then the one that is not symmetric is taken.
        let (mut stands, mut exact) = (0, false);
        let (mut anew, mut along) = (true, Vec::new());
        for iteration in 0..ITERATIONS {
            end.go(start, &moved, scheme);
            self.evaluate(&mut end)?;
            // Forces that are known go straight into p.
            let mut compliance: Vec<Option<f64>> = vec![None; lines];
            for (line, act) in acts.iter().enumerate() {
                let found = &self.found[line];
                right[n + line] = match act {
                    Act::Nothing => {
                        p[line] = 0.0;
                        0.0
                    }
                    Act::Place { target, .. } => {
                        compliance[line] = Some(0.0);
                        -(found.value - target)
                    }
                    Act::Speed(speed) => {
                        compliance[line] = Some(0.0);
                        -(found.speed(&end.v) - speed) / scheme.u
                    }
                    _ => {
                        let [force, by_q, by_speed] = self.force(line, *act, &end.v, t);
                        let stiff = -(by_q + by_speed * scheme.u);
                        if stiff * scheme.w > 1e-12 && stiff.is_finite() {
                            compliance[line] = Some(1.0 / (scheme.w * stiff));
                            -(p[line] / scheme.w - force) / stiff
                        } else {
                            p[line] = scheme.w * force;
                            0.0
                        }
                    }
                };
            }
            for (at, mover) in self.system.movers.iter().enumerate() {
                for k in 0..3 {
                    let i = 3 * at + k;
                    let force = mover.force[k] - mover.damping[k] * end.v[i];
                    let inertia = mover.mass[k] * (scheme.s * moved[i] + scheme.c[i]);
                    right[i] = match mover.free[k] {
                        true => known[i] + scheme.w * force - inertia,
                        false => 0.0,
                    };
                }
            }
            for (line, (found, p)) in self.found.iter().zip(&p).enumerate() {
                let g = if acts[line].holds() { scheme.g } else { 0.0 };
                found.push((1.0 - g) * p, &mut right[..n]);
                if g > 0.0 {
                    first[line].push(g * p, &mut right[..n]);
                }
            }
            self.lock(&mut right, &moved);
            let again = iteration == 0 || !fresh;
            if again {
                let turned = acts
                    .iter()
                    .zip(&p)
                    .map(|(act, p)| if act.holds() { (1.0 - scheme.g) * p } else { *p });
                let turned: Vec<f64> = turned.collect();
                if exact {
                    let forces = (turned.as_slice(), compliance.as_slice());
                    self.factor_exact(scheme, (&first, &acts), &end, forces)?;
                } else {
                    self.assemble(scheme, &end, &turned, &compliance)?;
                }
            }
            // Far from the solution held rows get their multipliers anew, not what is added to them:
            // rows that repeat each other agree at the solution only, and what they contradict each
            // other by on the way there would stay in their multipliers.
            anew &= last > GOOD;
            let anew = anew && self.assembly.repeats();
            if anew {
                // Along the rows of the matrix, which may be an earlier one.
                if again {
                    along.clone_from(&self.found);
                }
                for line in (0..lines).filter(|line| acts[*line].holds()) {
                    let g = if exact { scheme.g } else { 0.0 };
                    along[line].push(-(1.0 - g) * p[line], &mut right[..n]);
                    if g > 0.0 {
                        first[line].push(-g * p[line], &mut right[..n]);
                    }
                    p[line] = 0.0;
                }
                self.lock(&mut right, &moved);
            }
            if exact {
                self.solve_exact(&mut right)?;
                right[n..].iter_mut().for_each(|change| *change = -*change);
            } else {
                self.assembly.solve(&mut right)?;
            }
            // No body turns by more than the rows can follow at once.
            let turned = right[..n].iter().skip(2).step_by(3).fold(0.0_f64, |m, x| m.max(x.abs()));
            #[cfg(test)]
            let turned = if self.once { 0.0 } else { turned };
            if turned > TURN {
                right.iter_mut().for_each(|change| *change *= TURN / turned);
            }
            let mut size = 0.0_f64;
            for (k, moved) in moved.iter_mut().enumerate() {
                size = size.max(right[k].abs() / (1.0 + end.q[k].abs()));
                *moved += right[k];
            }
            for (p, change) in p.iter_mut().zip(&right[n..]) {
                *p -= change;
            }
            if !size.is_finite() {
                break;
            }
            let closed = size < CLOSE || (size < GOOD && size > 0.5 * last);
            #[cfg(test)]
            let closed = closed || self.once;
            if closed {
                let lambda = acts
                    .iter()
                    .zip(&p)
                    .map(|(act, p)| p / if act.holds() { scheme.held } else { scheme.w });
                let lambda = lambda.collect();
                end.go(start, &moved, scheme);
                self.evaluate(&mut end)?;
                self.free_speeds(start, &mut end);
                #[cfg(test)]
                if self.once {
                    return Ok(Tried { state: end, lambda });
                }
                if !self.is_near(start, &moved, h) || self.open(&acts) > OPEN {
                    break;
                }
                return Ok(Tried { state: end, lambda });
            }
            stands += usize::from(again && size > SLOW * last);
            if stands > PATIENCE && !exact {
                (exact, stands) = (true, 0);
                fresh = false;
                last = size;
                continue;
            }
            // What is left near the end is rounding, which a new matrix does not change.
            fresh = size < SHRINKS * last || size < GOOD;
            last = size;
        }
        Err(ReferenceError::NotConverged { time: t, joint: self.worst(&acts) })
    }

    /// Freedoms that are locked stay.
    fn lock(&self, right: &mut [f64], moved: &[f64]) {
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in (0..3).filter(|k| !mover.free[*k]) {
                right[3 * at + k] = -moved[3 * at + k];
            }
        }
    }

    fn free_speeds(&self, start: &State, end: &mut State) {
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in (0..3).filter(|k| !mover.free[*k]) {
                end.v[3 * at + k] = start.v[3 * at + k];
            }
        }
    }

    fn assemble(
        &mut self,
        scheme: &Scheme,
        end: &State,
        p: &[f64],
        compliance: &[Option<f64>],
    ) -> Result<(), ReferenceError> {
        let Self { system, assembly, found, curvature, .. } = self;
        assembly.begin(system, scheme.s);
        for (at, mover) in system.movers.iter().enumerate() {
            for k in 0..3 {
                let own = match mover.free[k] {
                    true => scheme.w * mover.damping[k] * scheme.u,
                    // A locked freedom has the equation δq = what is on the right side.
                    false => 1.0 - scheme.s * mover.mass[k],
                };
                assembly.add_block(at, k, k, own);
            }
        }
        each_curvature(system, curvature, p, end, |part, curvature| {
            assembly.add_curvature(system, part, curvature);
        })?;
        for (line, compliance) in compliance.iter().enumerate() {
            assembly.set_line(line, &found[line], *compliance);
        }
        assembly.factor()?;
        self.factored += 1;
        Ok(())
    }
}

/// ∂(Jᵀp)/∂x of each part that has forces.
pub(super) fn each_curvature(
    system: &System,
    curvature: &mut Curvature,
    p: &[f64],
    end: &State,
    mut see: impl FnMut(usize, &Curvature),
) -> Result<(), ReferenceError> {
    let mut line = 0;
    let mut weights = Vec::new();
    for (index, part) in system.parts.iter().enumerate() {
        weights.clear();
        weights.resize(part.rows, 0.0);
        while system.lines.get(line).is_some_and(|each| each.part == index) {
            weights[system.lines[line].row] += p[line];
            line += 1;
        }
        if weights.iter().any(|weight| *weight != 0.0) {
            let joint = part.id;
            system
                .curvature(index, &weights, end, curvature)
                .ok_or(ReferenceError::NoValue { joint })?;
            see(index, curvature);
        }
    }
    Ok(())
}

impl State {
    /// To where a step has moved from a start, and the velocities of that.
    fn go(&mut self, start: &Self, moved: &[f64], scheme: &Scheme) {
        for (k, moved) in moved.iter().enumerate() {
            self.q[k] = start.q[k] + moved;
            self.v[k] = scheme.u * moved + scheme.e[k];
        }
    }
}
