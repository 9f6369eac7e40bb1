//! What joints bear, and what probes read, by either solver.
//!
//! A step in real time leaves impulses in the world. The reference solver leaves none: what joints
//! bear under it is found from the balance of forces at the moment. So it is before the first step of
//! either, unless there are very many joints; they bear nothing then.

use super::parts::coordinate_unit;
use crate::file::{Quantity, Reader, Solver, What};
use kempe2d::{JointId, Reaction, Reactions, Vec2, World};
use std::collections::HashMap;

/// Up to so many joints, the balance of forces is found before the first step in real time.
const FIRST: usize = 200;

/// A look at a world at a moment.
pub(super) struct Moment<'a> {
    pub world: &'a World,
    solver: Solver,
    /// Whether no step has been made.
    first: bool,
    /// The balance of forces, found when first asked for; none where there is none.
    balance: Option<Option<Balance>>,
}

struct Balance {
    reactions: Reactions,
    places: HashMap<JointId, usize>,
}

impl<'a> Moment<'a> {
    pub fn new(world: &'a World, solver: Solver) -> Self {
        Self { world, solver, first: false, balance: None }
    }

    /// The same before the first step.
    pub fn first(self) -> Self {
        Self { first: true, ..self }
    }

    /// Whether the balance of forces tells what joints bear.
    fn balances(&mut self) -> bool {
        match self.solver {
            Solver::Reference => true,
            Solver::RealTime if !self.first || self.world.joint_count() > FIRST => false,
            Solver::RealTime => self.balance().is_some(),
        }
    }

    fn balance(&mut self) -> Option<&Balance> {
        let world = self.world;
        let balance = self.balance.get_or_insert_with(|| {
            let reactions = world.reactions().ok()?;
            let places = reactions.joints.iter().enumerate();
            let places = places.map(|(place, each)| (each.joint, place)).collect();
            Some(Balance { reactions, places })
        });
        balance.as_ref()
    }

    fn reaction(&mut self, joint: JointId) -> Option<&Reaction> {
        let balance = self.balance()?;
        balance.reactions.joints.get(*balance.places.get(&joint)?)
    }

    /// The force on the last body of a joint, N, and the torque about its anchor there, N·m.
    pub fn force(&mut self, joint: JointId) -> Option<(Vec2, f64)> {
        match self.balances() {
            false => self.world.joint_reaction(joint),
            true => self.reaction(joint).map(|each| (each.force, each.torque)),
        }
    }

    /// The largest impulse of a row of a joint over a step, N·s or N·m·s.
    pub fn impulse(&mut self, joint: JointId, step: f64) -> Option<f64> {
        let most = |each: &mut dyn Iterator<Item = f64>| each.fold(0.0, |m: f64, v| m.max(v.abs()));
        match self.solver {
            Solver::RealTime => Some(most(&mut self.world.joint_impulses(joint)?.into_iter())),
            Solver::Reference => {
                Some(step * most(&mut self.reaction(joint)?.rows.iter().map(|row| row.force)))
            }
        }
    }

    /// What all probes read.
    pub fn probes(&mut self, readers: &[Reader]) -> Vec<f64> {
        let mut values = Vec::with_capacity(readers.len());
        for reader in readers {
            let value = match &reader.quantity {
                Quantity::Joint { joint, axis, what } if bears(*what) && self.balances() => {
                    self.borne(*joint, *axis, *what).unwrap_or(f64::NAN)
                }
                _ => reader.read(self.world, &values),
            };
            values.push(value);
        }
        values
    }

    fn borne(&mut self, joint: JointId, axis: usize, what: What) -> Option<f64> {
        let world = self.world;
        let reaction = self.reaction(joint)?;
        Some(match what {
            What::Force => reaction.force.length(),
            What::ForceX => reaction.force.x,
            What::ForceY => reaction.force.y,
            What::Torque => reaction.torque,
            What::AxisForce => {
                let rows = reaction.rows.iter().filter(|row| row.axis == Some(axis));
                rows.map(|row| row.force).sum()
            }
            What::Power => {
                let ids = world.joint(joint)?.bodies();
                let each = ids.iter().zip(&reaction.on).filter_map(|(id, on)| {
                    let body = world.body(*id)?;
                    Some(on.force.dot(body.velocity()) + on.torque * body.angular_velocity())
                });
                each.sum()
            }
            _ => return None,
        })
    }
}

/// Whether it is a force, or follows from one.
fn bears(what: What) -> bool {
    matches!(
        what,
        What::Force | What::ForceX | What::ForceY | What::Torque | What::AxisForce | What::Power
    )
}

/// The unit of what a probe reads; empty for expressions, and where it is not known.
pub fn unit(reader: &Reader, world: &World) -> &'static str {
    let (what, length) = match &reader.quantity {
        Quantity::Body { what, .. } | Quantity::World(what) => (*what, "m"),
        Quantity::Joint { joint, axis, what } => (*what, coordinate_unit(world, *joint, *axis)),
        Quantity::Expression(_) => return "",
    };
    match what {
        What::X | What::Y | What::Separation => "m",
        What::Angle => "rad",
        What::Coordinate => length,
        What::Vx | What::Vy => "m/s",
        What::AngularVelocity => "rad/s",
        What::Speed => match length {
            "m" => "m/s",
            "rad" => "rad/s",
            _ => "",
        },
        What::Kinetic | What::Mechanical | What::Energy | What::Potential => "J",
        What::Force | What::ForceX | What::ForceY => "N",
        What::Torque => "N·m",
        What::AxisForce => match length {
            "m" => "N",
            "rad" => "N·m",
            _ => "",
        },
        What::Power => "W",
    }
}
