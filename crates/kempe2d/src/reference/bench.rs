//! A world on the bench: its system where it stands, for questions about it that need no time.

use super::ReferenceError;
use super::acts::{Act, Mode};
use super::lines::{Line, What};
use super::newton::Stepper;
use super::system::{Found, Role, State, System};
use crate::body::BodyId;
use crate::error::Error;
use crate::joint::JointId;
use crate::world::World;
use kempe_scalar::Vec2;
use kempe_solve::sparse::{Independence, NullSpace, SparseError};
use std::fmt;

/// Closer than this to a stop is at it, m or rad.
const NEAR: f64 = 1e-9;
/// Rows that others make up but for this part say nothing new.
pub(super) const SAME: f64 = 1e-9;
/// Connected mechanisms with more freedoms than this are too large for dense matrices.
pub(super) const DENSE: usize = 900;

/// Why a question about a mechanism has no answer. The world is as it was.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DesignError {
    /// An argument.
    Argument(Error),
    /// These joints cannot all be satisfied at once; without any one of them the others can.
    Contradiction {
        /// Which.
        joints: Vec<JointId>,
        /// How far the worst of them stays open, m or rad, when all are as near as can be.
        open: f64,
    },
    /// No answer was found in as many iterations as there are.
    NotConverged {
        /// What was looked for.
        what: &'static str,
        /// How far off the best is that was found.
        off: f64,
    },
    /// The axis is held by something else.
    Held {
        /// Of which joint.
        joint: JointId,
        /// Which axis.
        axis: usize,
    },
    /// A connected mechanism is too large for this.
    TooLarge {
        /// Its freedoms.
        freedoms: usize,
        /// How many there may be.
        most: usize,
    },
    /// What the reference solver says.
    Reference(ReferenceError),
}

impl fmt::Display for DesignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(error) => error.fmt(f),
            Self::Contradiction { joints, open } => {
                write!(f, "joints {joints:?} contradict each other; {open:.3e} stays open")
            }
            Self::NotConverged { what, off } => write!(f, "no {what} found; {off:.3e} is left"),
            Self::Held { joint, axis } => write!(f, "axis {axis} of joint {joint:?} is held"),
            Self::TooLarge { freedoms, most } => {
                write!(f, "a mechanism has {freedoms} freedoms; there may be {most}")
            }
            Self::Reference(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DesignError {}

impl From<Error> for DesignError {
    fn from(error: Error) -> Self {
        Self::Argument(error)
    }
}

impl From<ReferenceError> for DesignError {
    fn from(error: ReferenceError) -> Self {
        Self::Reference(error)
    }
}

impl From<SparseError> for DesignError {
    fn from(error: SparseError) -> Self {
        Self::Reference(error.into())
    }
}

/// How a body moves: as a velocity, or as a small displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Which body.
    pub body: BodyId,
    /// Of its centre of mass.
    pub velocity: Vec2,
    /// Its turning.
    pub angular_velocity: f64,
}

/// Bodies that joints connect, and those joints.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    pub movers: Vec<usize>,
    pub parts: Vec<usize>,
    /// The freedoms that are not locked.
    pub columns: Vec<usize>,
}

/// The system of a world where it stands.
#[derive(Debug)]
pub(super) struct Bench {
    pub stepper: Stepper,
    pub state: State,
    /// By mover.
    pub bodies: Vec<BodyId>,
}

impl Bench {
    /// With the lines that are to be kept. Stops that are touched hold.
    pub(super) fn new(
        world: &World,
        keep: impl Fn(&System, &Line) -> bool,
    ) -> Result<Self, DesignError> {
        let mut system = System::new(world);
        let lines = std::mem::take(&mut system.lines);
        system.lines = lines.into_iter().filter(|line| keep(&system, line)).collect();
        let mut state = system.state(world);
        let bodies = system.movers.iter().filter_map(|mover| world.bodies.handle_at(mover.slot));
        let bodies = bodies.collect();
        let mut stepper = Stepper::new(system, &state)?;
        stepper.evaluate(&mut state)?;
        let mut bench = Self { stepper, state, bodies };
        bench.touch();
        Ok(bench)
    }

    /// What is there at a state becomes the present one.
    pub(super) fn go(&mut self, state: &State) -> Result<(), DesignError> {
        self.state = state.clone();
        Ok(self.stepper.evaluate(&mut self.state)?)
    }

    /// Stops and teeth that are touched or passed hold, the others do not.
    pub(super) fn touch(&mut self) {
        let stepper = &mut self.stepper;
        for (line, each) in stepper.system.lines.iter().enumerate() {
            let value = stepper.found[line].value;
            stepper.modes[line] = match &each.what {
                What::Limit(limit) if value <= limit.lower + NEAR => Mode::Lower,
                What::Limit(limit) if value >= limit.upper - NEAR => Mode::Upper,
                What::Ratchet(ratchet) => {
                    let teeth = (value - ratchet.phase) / ratchet.step + NEAR / ratchet.step.abs();
                    let tooth = teeth.floor() * ratchet.step + ratchet.phase;
                    stepper.teeth[line] = tooth;
                    if (value - tooth).abs() <= NEAR { Mode::Lower } else { Mode::Rest }
                }
                What::Limit(_) => Mode::Rest,
                _ => stepper.modes[line],
            };
        }
    }

    pub(super) fn act(&self, line: usize) -> Act {
        self.stepper.act(line, self.state.t)
    }

    /// The lines that hold: those of joints first, then motors, then stops.
    pub(super) fn held(&self) -> Vec<usize> {
        let lines = &self.stepper.system.lines;
        let mut held: Vec<usize> =
            (0..lines.len()).filter(|line| self.act(*line).holds()).collect();
        held.sort_by_key(|line| match (&lines[*line].what, lines[*line].law) {
            (What::Limit(_) | What::Ratchet(_), _) => 2,
            (_, Some(_)) => 1,
            _ => 0,
        });
        held
    }

    pub(super) fn joint(&self, line: usize) -> JointId {
        let system = &self.stepper.system;
        system.parts[system.lines[line].part].id
    }

    /// √m of a freedom.
    pub(super) fn root(&self, column: usize) -> f64 {
        self.stepper.system.movers[column / 3].mass[column % 3].sqrt()
    }

    /// Bodies by what connects them, in their order.
    pub(super) fn components(&self) -> Vec<Component> {
        let system = &self.stepper.system;
        let mut parent: Vec<usize> = (0..system.movers.len()).collect();
        fn root(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        let moving = |part: usize| {
            system.parts[part].roles.iter().filter_map(|role| match role {
                Role::Moves(at) => Some(*at),
                Role::Still(_) => None,
            })
        };
        for part in 0..system.parts.len() {
            let all: Vec<usize> = moving(part).collect();
            for pair in all.windows(2) {
                let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut made: Vec<Component> = Vec::new();
        let mut at = vec![usize::MAX; system.movers.len()];
        for (mover, own) in system.movers.iter().enumerate() {
            let root = root(&mut parent, mover);
            if at[root] == usize::MAX {
                at[root] = made.len();
                made.push(Component::default());
            }
            let component = &mut made[at[root]];
            component.movers.push(mover);
            component.columns.extend((0..3).filter(|k| own.free[*k]).map(|k| 3 * mover + k));
        }
        for part in 0..system.parts.len() {
            if let Some(first) = moving(part).next() {
                made[at[root(&mut parent, first)]].parts.push(part);
            }
        }
        made
    }

    /// The rows of these lines over some freedoms, scaled by mass and to a length of 1.
    fn scaled(&self, lines: &[usize], columns: &[usize]) -> Vec<Vec<f64>> {
        let mut place = vec![usize::MAX; self.state.q.len()];
        columns.iter().enumerate().for_each(|(k, column)| place[*column] = k);
        let row = |line: &usize| {
            let mut row = vec![0.0; columns.len()];
            for (at, j) in &self.stepper.found[*line].j {
                for (k, j) in j.iter().enumerate().filter(|(k, _)| place[3 * at + k] < usize::MAX) {
                    row[place[3 * at + k]] += j / self.root(3 * at + k);
                }
            }
            let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            if size > 0.0 {
                row.iter_mut().for_each(|x| *x /= size);
            }
            row
        };
        lines.iter().map(row).collect()
    }

    /// Which of these lines say what earlier ones said.
    pub(super) fn independence(&self, lines: &[usize]) -> Result<Independence, DesignError> {
        independence(&self.stepper.system, &self.stepper.found, lines)
    }

    /// The directions that these lines leave to a component, in coordinates scaled by √m.
    pub(super) fn leaves(&self, of: &Component, lines: &[usize]) -> Result<NullSpace, DesignError> {
        let n = of.columns.len();
        if n > DENSE {
            return Err(DesignError::TooLarge { freedoms: n, most: DENSE });
        }
        Ok(NullSpace::new(&self.scaled(lines, &of.columns), n, SAME)?)
    }

    /// The lines among these whose joint is of a component.
    pub(super) fn within(&self, of: &Component, lines: &[usize]) -> Vec<usize> {
        let all = &self.stepper.system.lines;
        lines.iter().copied().filter(|line| of.parts.contains(&all[*line].part)).collect()
    }

    /// A direction in scaled coordinates as motions of the component's bodies; the largest number of
    /// it is positive.
    pub(super) fn motion(&self, of: &Component, scaled: &[f64]) -> Vec<BodyMotion> {
        let mut v = vec![0.0; self.state.q.len()];
        for (column, y) in of.columns.iter().zip(scaled) {
            v[*column] = y / self.root(*column);
        }
        let largest = scaled
            .iter()
            .fold(0.0_f64, |most, y| if y.abs() > most.abs() + 1e-9 { *y } else { most });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        let each = of.movers.iter().map(|at| BodyMotion {
            body: self.bodies[*at],
            velocity: Vec2::new(v[3 * at], v[3 * at + 1]) * sign,
            angular_velocity: v[3 * at + 2] * sign,
        });
        each.collect()
    }
}

/// √(J M⁻¹ Jᵀ)
pub(super) fn length(system: &System, found: &Found) -> f64 {
    let each = found.j.iter().flat_map(|(at, j)| (0..3).map(move |k| (*at, k, j[k])));
    each.map(|(at, k, j)| j * j / system.movers[at].mass[k]).sum::<f64>().sqrt()
}

/// Which of these lines say what earlier ones said: rows scaled by mass and to a length of 1.
pub(super) fn independence(
    system: &System,
    found: &[Found],
    lines: &[usize],
) -> Result<Independence, DesignError> {
    let mut entries = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let mut own = Vec::new();
        for (at, j) in &found[*line].j {
            let mass = system.movers[*at].mass;
            own.extend((0..3).map(|k| (3 * at + k, j[k] / mass[k].sqrt())));
        }
        let size = length(system, &found[*line]);
        let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
        entries.extend(own.into_iter().map(|(k, j)| (row, k, scale * j)));
    }
    Ok(Independence::new(lines.len(), system.freedoms(), &entries, SAME)?)
}
