//! What energy each mechanism may have: of what nothing drives, what it had at the start.
//!
//! Joints that hold, springs, stops, friction and damping bring nothing into a mechanism, so its energy
//! never rises but by the error of steps. A step after which it has risen further is halved, and if that
//! does not help it is an error: there are solutions of a step's equations that are no motion, near
//! places where rows depend on each other, and steps too long for what moves.

use super::acts::Act;
use super::energy::stored;
use super::lines::What;
use super::newton::Stepper;
use super::system::{Role, State, System};
use crate::joint::JointKind;
use kempe_scalar::Vec2;

/// So much may be gained, as a part of what energies are measured by, whatever a step gains ...
const FREE: f64 = 1e-3;
/// ... beyond it no step may gain more than this part ...
const CREEP: f64 = 1e-6;
/// ... and there is no more to be had than this ...
const MOST: f64 = 4e-3;
/// ... and so much more for each time that a step was halved, so that short ones get past a place where
/// long ones have used that up.
const MORE: f64 = 4e-4;
/// Energies that differ by less than this part are the same.
const SAME: f64 = 1e-10;

/// A mechanism: bodies that joints connect.
#[derive(Clone, Debug)]
struct Account {
    /// What it has, J: of motion, of springs, and −F·x from where it was at the start.
    start: f64,
    /// What energies are measured by, J; none for what something drives.
    scale: Option<f64>,
}

/// The energy of each mechanism at the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    accounts: Vec<Account>,
    /// By mover, the mechanism that it is of.
    of: Vec<usize>,
    /// Where bodies were at the start.
    from: Vec<f64>,
    /// Whether there is weight; else energies are measured by what other forces do, too.
    weighs: bool,
}

/// By mover, which mechanism it is of, and how many there are.
fn mechanisms(system: &System) -> (Vec<usize>, usize) {
    let mut of: Vec<usize> = (0..system.movers.len()).collect();
    fn root(of: &[usize], mut at: usize) -> usize {
        while of[at] != at {
            at = of[at];
        }
        at
    }
    for part in &system.parts {
        let mut moving = part.roles.iter().filter_map(|role| match role {
            Role::Moves(at) => Some(*at),
            Role::Still(_) => None,
        });
        let Some(first) = moving.next() else { continue };
        for other in moving {
            let (a, b) = (root(&of, first), root(&of, other));
            of[a.max(b)] = a.min(b);
        }
    }
    let mut names = vec![0; of.len()];
    let mut count = 0;
    for at in 0..of.len() {
        if of[at] == at {
            names[at] = count;
            count += 1;
        } else {
            names[at] = names[root(&of, at)];
        }
    }
    (names, count)
}

impl Ledger {
    /// Of a state whose rows have been found.
    pub(super) fn new(stepper: &Stepper, state: &State, gravity: Vec2) -> Self {
        let system = &stepper.system;
        let (of, count) = mechanisms(system);
        let empty = Account { start: 0.0, scale: Some(0.0) };
        let mut ledger = Self {
            accounts: vec![empty; count],
            of,
            from: state.q.clone(),
            weighs: gravity.length() > 0.0,
        };
        let energies = ledger.energies(stepper, state);
        // As long as the longest arm from a centre of mass to a joint, or rod.
        let mut size = vec![0.0_f64; count];
        for found in &stepper.found {
            for (at, j) in &found.j {
                let along = (j[0] * j[0] + j[1] * j[1]).sqrt();
                if along > 0.0 {
                    let size = &mut size[ledger.of[*at]];
                    *size = size.max(j[2].abs() / along).max(found.value.abs() / along);
                }
            }
        }
        let mut weight = vec![0.0; count];
        for (at, mover) in system.movers.iter().enumerate() {
            weight[ledger.of[at]] += gravity.length() * mover.mass[0].min(mover.mass[1]);
        }
        for (at, account) in ledger.accounts.iter_mut().enumerate() {
            account.start = energies[at];
            let weight = weight[at] * size[at];
            // Weights without any length, as of a bead on a curve, have no measure.
            let measured = weight > 0.0 || !ledger.weighs;
            account.scale = measured.then_some(energies[at].abs().max(weight));
        }
        for (line, each) in system.lines.iter().enumerate() {
            if drives(system, line) {
                ledger.drive(&system.parts[each.part].roles);
            }
        }
        ledger.look(stepper, state);
        ledger
    }

    fn drive(&mut self, roles: &[Role]) {
        for role in roles {
            if let Role::Moves(at) = role {
                self.accounts[self.of[*at]].scale = None;
            }
        }
    }

    /// Mechanisms whose joints are seen to move by themselves are driven.
    fn look(&mut self, stepper: &Stepper, state: &State) {
        for (line, each) in stepper.system.lines.iter().enumerate() {
            let moves = match stepper.act(line, state.t) {
                Act::Place { rate, .. } => rate != 0.0,
                Act::Speed(speed) => speed != 0.0,
                Act::Spring { speed, .. } => speed != 0.0,
                _ => false,
            };
            if moves || stepper.found[line].bias != 0.0 {
                self.drive(&stepper.system.parts[each.part].roles);
            }
        }
    }

    /// By mechanism.
    pub(super) fn energies(&self, stepper: &Stepper, state: &State) -> Vec<f64> {
        let mut out = vec![0.0; self.accounts.len()];
        for (at, mover) in stepper.system.movers.iter().enumerate() {
            for k in (0..3).filter(|k| mover.free[*k]) {
                let (q, v) = (state.q[3 * at + k], state.v[3 * at + k]);
                let gone = q - self.from[3 * at + k];
                out[self.of[at]] += 0.5 * mover.mass[k] * v * v - mover.force[k] * gone;
            }
        }
        for (line, each) in stepper.system.lines.iter().enumerate() {
            let Act::Spring { k, rest, range, .. } = stepper.act(line, state.t) else { continue };
            let first = stepper.system.parts[each.part].roles.iter().find_map(|role| match role {
                Role::Moves(at) => Some(*at),
                Role::Still(_) => None,
            });
            if let Some(at) = first {
                out[self.of[at]] += stored(k, stepper.found[line].value - rest, range);
            }
        }
        out
    }

    /// What a mechanism has more than it may at a state whose rows have been found, J, after a step
    /// that was halved so often; `before` is what mechanisms had when it began.
    pub(super) fn surplus(
        &mut self,
        stepper: &Stepper,
        state: &State,
        before: Option<&[f64]>,
        halved: u32,
    ) -> Option<f64> {
        self.look(stepper, state);
        let energies = self.energies(stepper, state);
        let mut work = vec![0.0_f64; self.accounts.len()];
        for (k, q) in state.q.iter().enumerate().filter(|(k, _)| k % 3 == 2 || !self.weighs) {
            let force = stepper.system.movers[k / 3].force[k % 3];
            work[self.of[k / 3]] += (force * (q - self.from[k])).abs();
        }
        self.accounts.iter().zip(energies).enumerate().find_map(|(at, (account, energy))| {
            let (gained, scale) = (energy - account.start, account.scale?.max(work[at]));
            let same = SAME * (account.start.abs() + scale) + 1e-12;
            let more = before.map_or(0.0, |before| energy - before[at]);
            let creeps = gained <= FREE * scale + same || more <= CREEP * scale + same;
            // What is no number is too much as well.
            let fits = creeps && gained <= (MOST + MORE * f64::from(halved)) * scale + same;
            (!fits).then_some(gained)
        })
    }
}

/// Whether a line may bring energy in: motors, laws, what follows the clock, what a user made; and springs
/// whose stiffness changes with where they are.
fn drives(system: &System, line: usize) -> bool {
    let each = &system.lines[line];
    let part = &system.parts[each.part];
    let own = match system.joints.get(part.id) {
        Ok(joint) => {
            let def = &joint.def;
            matches!(def.kind, JointKind::User(_)) || def.max_force.min(def.max_torque).is_finite()
        }
        Err(_) => true,
    };
    own || part.driven
        || part.stateful
        || each.bound.is_some()
        || each.what.asks_for_mass()
        || match &each.what {
            What::Law(_) | What::Push(_) | What::Motor { .. } => true,
            What::Spring { rest, speed, .. } => rest.moves() || speed.is_some(),
            What::Hold(_) | What::Rate | What::Friction(_) | What::Limit(_) | What::Ratchet(_) => {
                false
            }
        }
}
