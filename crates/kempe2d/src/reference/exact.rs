//! The matrix of a step as it is, which is not symmetric: forces act along the rows of the start, and
//! rows of velocities turn with the bodies.
//!
//! ```text
//! [ A   −Gᵀ ] [ δx ]   [ −r_x ]
//! [ B    E  ] [ δp ] = [ −r_p ]
//! ```
//!
//! It costs several times the symmetric one, which most steps go with; where that one leads nowhere,
//! as near positions where the rank drops, this one does.

use super::ReferenceError;
use super::acts::Act;
use super::bench::length;
use super::curvature::Curvature;
use super::lines::Line;
use super::newton::{Stepper, each_curvature};
use super::scheme::Scheme;
use super::system::{Found, Role, State, System};
use kempe_solve::sparse::{General, SparseError};

/// What a row gives way by, as a part of what it moves by itself: rows that repeat each other share
/// their forces then.
const YIELDS: f64 = 1e-13;

/// The matrix and where its numbers go.
#[derive(Debug)]
pub(crate) struct Exact {
    matrix: General,
    /// By mover: the first of its nine numbers.
    blocks: Vec<usize>,
    /// By part: the pairs of its movers, and the first of nine.
    pairs: Vec<Vec<([usize; 2], usize)>>,
    /// By line: the first of its numbers; for each mover three of G and three of B, then its own.
    lines: Vec<usize>,
}

impl Exact {
    fn new(system: &System, found: &[Found]) -> Result<Self, SparseError> {
        let n = system.freedoms();
        let mut entries = Vec::new();
        let mut nine = |a: usize, b: usize| {
            let first = entries.len();
            entries.extend((0..9).map(|k| (3 * a + k / 3, 3 * b + k % 3)));
            first
        };
        let blocks = (0..system.movers.len()).map(|at| nine(at, at)).collect();
        let mut pairs = Vec::new();
        for part in &system.parts {
            let moving = |role: &Role| match role {
                Role::Moves(at) => Some(*at),
                Role::Still(_) => None,
            };
            let mut own: Vec<usize> = part.roles.iter().filter_map(moving).collect();
            own.sort_unstable();
            own.dedup();
            let both = own.iter().flat_map(|a| own.iter().map(move |b| [*a, *b]));
            let apart = both.filter(|[a, b]| a != b);
            pairs.push(apart.map(|[a, b]| ([a, b], nine(a, b))).collect());
        }
        let mut lines = Vec::new();
        for (line, found) in found.iter().enumerate() {
            lines.push(entries.len());
            for (at, _) in &found.j {
                entries.extend((0..3).map(|k| (3 * at + k, n + line)));
                entries.extend((0..3).map(|k| (n + line, 3 * at + k)));
            }
            entries.push((n + line, n + line));
        }
        let matrix = General::new(n + found.len(), &entries)?;
        Ok(Self { matrix, blocks, pairs, lines })
    }

    fn add(&mut self, entry: usize, value: f64) {
        let (slots, values) = self.matrix.assembly();
        values[slots[entry]] += value;
    }

    /// A line along these rows, with what it gives way by; one that is off has p = 0.
    fn set_line(&mut self, line: usize, [along, by]: [&Found; 2], gives: Option<f64>) {
        let first = self.lines[line];
        let last = first + 6 * by.j.len();
        let Some(gives) = gives else { return self.add(last, 1.0) };
        for (at, ((_, along), (_, by))) in along.j.iter().zip(&by.j).enumerate() {
            for k in 0..3 {
                self.add(first + 6 * at + k, -along[k]);
                self.add(first + 6 * at + 3 + k, by[k]);
            }
        }
        self.add(last, gives);
    }

    /// A −= the curvature of a part.
    fn add_curvature(&mut self, system: &System, part: usize, curvature: &Curvature) {
        let roles = &system.parts[part].roles;
        for (i, first) in roles.iter().enumerate() {
            let Role::Moves(a) = *first else { continue };
            for (j, second) in roles.iter().enumerate() {
                let Role::Moves(b) = *second else { continue };
                let pair = self.pairs[part].iter().find(|pair| pair.0 == [a, b]);
                let start = pair.map_or(self.blocks[a], |pair| pair.1);
                for k in 0..3 {
                    for l in 0..3 {
                        if system.movers[a].free[k] && system.movers[b].free[l] {
                            let value = curvature.get(3 * i + k, 3 * j + l);
                            self.add(start + 3 * k + l, -value);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn solve(&mut self, right: &mut [f64]) -> Result<(), SparseError> {
        match self.matrix.solve(right) {
            Err(SparseError::Residual { .. }) | Ok(_) => Ok(()),
            Err(other) => Err(other),
        }
    }
}

/// J M⁻¹ Jᵀ: what a row moves by itself.
fn own(system: &System, found: &Found) -> f64 {
    let length = length(system, found);
    length * length
}

impl Stepper {
    /// The matrix, made when it is first needed.
    fn take_exact(&mut self) -> Result<Exact, SparseError> {
        let mut exact = match self.exact.take() {
            Some(exact) => exact,
            None => Exact::new(&self.system, &self.found)?,
        };
        exact.matrix.clear();
        Ok(exact)
    }

    /// ∂(J v)/∂q of a line at a state, as a row.
    fn turning(&mut self, line: usize, state: &State) -> Result<Found, ReferenceError> {
        let Self { system, curvature, found, .. } = self;
        let Line { part, row, .. } = system.lines[line];
        let id = system.parts[part].id;
        let mut weights = vec![0.0; system.parts[part].rows];
        weights[row] = 1.0;
        system
            .curvature(part, &weights, state, curvature)
            .ok_or(ReferenceError::NoValue { joint: id })?;
        let mut out = found[line].clone();
        out.j.iter_mut().for_each(|(_, j)| *j = [0.0; 3]);
        let roles = &system.parts[part].roles;
        for (i, first) in roles.iter().enumerate() {
            let Role::Moves(a) = *first else { continue };
            for (j, second) in roles.iter().enumerate() {
                let Role::Moves(b) = *second else { continue };
                let Some((_, sum)) = out.j.iter_mut().find(|each| each.0 == b) else { continue };
                for (l, sum) in
                    sum.iter_mut().enumerate().filter(|(l, _)| system.movers[b].free[*l])
                {
                    let each =
                        (0..3).map(|k| state.v[3 * a + k] * curvature.get(3 * i + k, 3 * j + l));
                    *sum += each.sum::<f64>();
                }
            }
        }
        Ok(out)
    }

    /// The matrix of a step of RATTLE: M, the rows of the start, and those of the end.
    pub(super) fn factor_rattle(
        &mut self,
        first: &[Found],
        acts: &[Act],
        end: &State,
        h: f64,
    ) -> Result<(), ReferenceError> {
        let mut exact = self.take_exact()?;
        for (at, mover) in self.system.movers.iter().enumerate() {
            for (k, mass) in mover.mass.iter().enumerate() {
                exact.add(exact.blocks[at] + 4 * k, *mass);
            }
        }
        for (line, act) in acts.iter().enumerate() {
            let gives = YIELDS * own(&self.system, &self.found[line]);
            match act {
                Act::Place { .. } => {
                    let rows = [&first[line], &self.found[line]];
                    exact.set_line(line, rows, Some(gives));
                }
                Act::Speed(_) => {
                    let mut row = self.turning(line, end)?;
                    for (at, (_, j)) in row.j.iter_mut().enumerate() {
                        let [old, new] = [first[line].j[at].1, self.found[line].j[at].1];
                        *j = std::array::from_fn(|k| 0.5 * (old[k] + new[k] + h * j[k]));
                    }
                    exact.set_line(line, [&first[line], &row], Some(gives));
                }
                _ => exact.set_line(line, [&first[line], &self.found[line]], None),
            }
        }
        self.finish_exact(exact)
    }

    /// The matrix of a step of a scheme; `first` are the rows of the start, if they count.
    pub(super) fn factor_exact(
        &mut self,
        scheme: &Scheme,
        (first, acts): (&[Found], &[Act]),
        end: &State,
        (p, compliance): (&[f64], &[Option<f64>]),
    ) -> Result<(), ReferenceError> {
        let mut exact = self.take_exact()?;
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in 0..3 {
                let own = match mover.free[k] {
                    true => scheme.s * mover.mass[k] + scheme.w * mover.damping[k] * scheme.u,
                    false => 1.0,
                };
                exact.add(exact.blocks[at] + 4 * k, own);
            }
        }
        let Self { system, curvature, .. } = self;
        each_curvature(system, curvature, p, end, |part, curvature| {
            exact.add_curvature(system, part, curvature);
        })?;
        for (line, act) in acts.iter().enumerate() {
            let mut along = self.found[line].clone();
            if act.holds() && scheme.g > 0.0 {
                for ((_, j), (_, old)) in along.j.iter_mut().zip(&first[line].j) {
                    *j = std::array::from_fn(|k| scheme.g * old[k] + (1.0 - scheme.g) * j[k]);
                }
            }
            let mut by = self.found[line].clone();
            if let Act::Speed(_) = act {
                let turning = self.turning(line, end)?;
                for ((_, j), (_, more)) in by.j.iter_mut().zip(&turning.j) {
                    (0..3).for_each(|k| j[k] += more[k] / scheme.u);
                }
            }
            let least = YIELDS * own(&self.system, &by) / scheme.s;
            exact.set_line(line, [&along, &by], compliance[line].map(|own| own.max(least)));
        }
        self.finish_exact(exact)
    }

    fn finish_exact(&mut self, mut exact: Exact) -> Result<(), ReferenceError> {
        let made = exact.matrix.factor();
        self.exact = Some(exact);
        self.factored += 1;
        Ok(made?)
    }

    pub(super) fn solve_exact(&mut self, right: &mut [f64]) -> Result<(), ReferenceError> {
        match &mut self.exact {
            Some(exact) => Ok(exact.solve(right)?),
            None => Err(SparseError::NotFactored.into()),
        }
    }
}
