//! In how many ways a mechanism can move, and what of it says the same twice.

use super::acts::Mode;
use super::bench::{Bench, BodyMotion, Component, DENSE, DesignError};
use super::lines::{Line, What};
use super::system::System;
use crate::body::BodyId;
use crate::joint::JointId;
use crate::solver::LawKind;
use crate::world::World;
use kempe_scalar::precise;

/// A row of a joint: its held rows come first, then its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowOf {
    /// Which joint.
    pub joint: JointId,
    /// Which of its rows.
    pub row: usize,
}

/// A row that says what earlier ones say.
#[derive(Clone, Debug, PartialEq)]
pub struct Redundancy {
    /// Which.
    pub row: RowOf,
    /// The rows that make it up. None where it says nothing about what moves.
    pub repeats: Vec<RowOf>,
    /// Whether it says nothing new nearby too. If not, the position is singular.
    pub everywhere: bool,
}

impl Redundancy {
    /// The joints that it repeats, each once; its own may be among them.
    pub fn joints(&self) -> Vec<JointId> {
        let mut joints: Vec<JointId> = Vec::new();
        for row in &self.repeats {
            if !joints.contains(&row.joint) {
                joints.push(row.joint);
            }
        }
        joints
    }
}

/// Bodies that joints connect.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanism {
    /// The bodies that move.
    pub bodies: Vec<BodyId>,
    /// The joints between them, and to what does not move.
    pub joints: Vec<JointId>,
    /// Three for each body, less those that are locked.
    pub freedoms: usize,
    /// How many rows hold: of joints, of motors that any force obeys, and of stops that are touched.
    pub rows: usize,
    /// How many of them are independent.
    pub rank: usize,
    /// How far the position is from a singular one: the smallest singular value of J M^(−½) over the
    /// largest, its rows of length 1, those left out that say nothing new anywhere. 0 at a singular
    /// position; `None` where nothing holds, or for more than 900 freedoms.
    pub nearness: Option<f64>,
    /// The motions that are left, an orthonormal basis by mass: Σ m v·v' + I ω ω' is 1 for each and 0
    /// between two. `None` for more than 900 freedoms.
    pub motions: Option<Vec<Vec<BodyMotion>>>,
}

impl Mechanism {
    /// In how many ways it can move now.
    pub fn mobility(&self) -> usize {
        self.freedoms - self.rank
    }

    /// Grübler's count, freedoms − rows, which takes every row to be independent.
    pub fn grubler(&self) -> i64 {
        self.freedoms as i64 - self.rows as i64
    }
}

/// In how many ways a world can move now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mobility {
    /// By what joints connect.
    pub mechanisms: Vec<Mechanism>,
    /// Rows that say nothing new.
    pub redundant: Vec<Redundancy>,
    /// Axes that a motor holds: one at a speed with any force, or a rigid one to a position.
    pub driven: Vec<(JointId, usize)>,
    /// Axes at a stop, which counts as holding: axis, and whether it is the upper one.
    pub touched: Vec<(JointId, usize, bool)>,
}

impl Mobility {
    /// Freedoms of all bodies.
    pub fn freedoms(&self) -> usize {
        self.mechanisms.iter().map(|each| each.freedoms).sum()
    }

    /// Rows that hold.
    pub fn rows(&self) -> usize {
        self.mechanisms.iter().map(|each| each.rows).sum()
    }

    /// Independent ones.
    pub fn rank(&self) -> usize {
        self.mechanisms.iter().map(|each| each.rank).sum()
    }

    /// Degrees of freedom now: freedoms − rank.
    pub fn mobility(&self) -> usize {
        self.freedoms() - self.rank()
    }

    /// Grübler's count: freedoms − rows.
    pub fn grubler(&self) -> i64 {
        self.freedoms() as i64 - self.rows() as i64
    }
}

impl World {
    /// In how many ways everything can move now, which rows say the same, and how near it is to a
    /// singular position. Rows of velocities count too. Springs, friction and motors that slip hold
    /// nothing.
    ///
    /// # Errors
    /// If the equations of a joint have no value.
    pub fn mobility(&self) -> Result<Mobility, DesignError> {
        let mut bench = Bench::new(self, holds)?;
        let held = bench.held();
        let found = bench.independence(&held)?;
        let moved = bench.nearby(&held)?;
        let row = |at: usize| RowOf {
            joint: bench.joint(held[at]),
            row: bench.stepper.system.lines[held[at]].row,
        };
        let everywhere = |at: usize| moved.as_ref().is_none_or(|moved| !moved.contains(&at));
        let redundant = found.dependent.iter().map(|each| Redundancy {
            row: row(each.row),
            repeats: each.combination.iter().map(|(at, _)| row(*at)).collect(),
            everywhere: everywhere(each.row),
        });
        let mut told = Mobility { redundant: redundant.collect(), ..Mobility::default() };
        for component in bench.components() {
            let own = bench.within(&component, &held);
            let of = |at: &&usize| own.contains(&held[**at]);
            let rank = found.independent.iter().filter(of).count();
            let generic = match &moved {
                Some(independent) => independent.iter().filter(of).count().max(rank),
                None => rank,
            };
            let system = &bench.stepper.system;
            let mut mechanism = Mechanism {
                bodies: component.movers.iter().map(|at| bench.bodies[*at]).collect(),
                joints: component.parts.iter().map(|part| system.parts[*part].id).collect(),
                freedoms: component.columns.len(),
                rows: own.len(),
                rank,
                nearness: None,
                motions: None,
            };
            if component.columns.len() <= DENSE {
                let left = bench.leaves(&component, &own)?;
                let last = generic.checked_sub(1).and_then(|at| left.singular.get(at));
                mechanism.nearness = last.map(|last| last / left.singular[0]);
                // Rank by rows and by singular values differ only next to a singular position.
                let basis = left.basis.iter().rev().take(component.columns.len() - rank);
                let motions = basis.map(|y| bench.motion(&component, y));
                mechanism.motions = Some(motions.collect());
            }
            told.mechanisms.push(mechanism);
        }
        for line in &held {
            let each = &bench.stepper.system.lines[*line];
            let (joint, axis) = (bench.joint(*line), each.axis.unwrap_or(each.row));
            match (&each.what, each.law) {
                (What::Limit(_) | What::Ratchet(_), _) => {
                    let upper = bench.stepper.modes[*line] == Mode::Upper;
                    told.touched.push((joint, axis, upper));
                }
                (_, Some(_)) => told.driven.push((joint, axis)),
                _ => {}
            }
        }
        Ok(told)
    }
}

/// Whether a line can hold whatever pulls at it.
pub(super) fn holds(_: &System, line: &Line) -> bool {
    match &line.what {
        What::Friction(_) => false,
        What::Motor { force, .. } => {
            force.lower == f64::NEG_INFINITY && force.upper == f64::INFINITY
        }
        What::Spring { force, .. } => {
            line.law != Some(LawKind::Servo)
                || (force.lower == f64::NEG_INFINITY && force.upper == f64::INFINITY)
        }
        _ => true,
    }
}

impl Bench {
    /// Which of these lines are independent a little further on, where the mechanism is as it mostly
    /// is; `None` if it cannot go there.
    fn nearby(&mut self, held: &[usize]) -> Result<Option<Vec<usize>>, DesignError> {
        let start = self.state.clone();
        let mut step = vec![0.0; start.q.len()];
        let mut any = false;
        for component in self.components() {
            if component.columns.len() > DENSE {
                continue;
            }
            let own = self.within(&component, held);
            let left = self.leaves(&component, &own)?;
            any |= !left.basis.is_empty();
            self.wander(&component, &left.basis, &mut step);
        }
        let mut found = None;
        for share in [1.0, -1.0, 0.1, -0.1] {
            if !any || found.is_some() {
                break;
            }
            let mut there = start.clone();
            there.q.iter_mut().zip(&step).for_each(|(q, d)| *q += share * d);
            if self.go(&there).is_ok() {
                let open = self.close()?;
                if self.is_closed(open) {
                    found = Some(self.independence(held)?.independent);
                }
            }
        }
        self.go(&start)?;
        Ok(found)
    }

    /// A little of each direction, so that nothing moves by more than 0.02.
    fn wander(&self, of: &Component, basis: &[Vec<f64>], step: &mut [f64]) {
        let mut sum = vec![0.0; of.columns.len()];
        for (k, y) in basis.iter().enumerate() {
            let much = 1.0 - 0.37 * precise::sin_cos(k as f64 * 1.7).0;
            sum.iter_mut().zip(y).for_each(|(sum, y)| *sum += much * y);
        }
        let own: Vec<f64> =
            of.columns.iter().zip(&sum).map(|(column, y)| y / self.root(*column)).collect();
        let largest = own.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
        if largest > 0.0 {
            for (column, d) in of.columns.iter().zip(own) {
                step[*column] = 0.02 * d / largest;
            }
        }
    }
}
