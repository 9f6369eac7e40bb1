//! What is measured of a world.

use super::number::Point;
use kempe2d::{BodyId, JointId, Vec2, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured: of a body, of a joint, of the world, or an expression of other probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Of a body's point, m.
    X,
    /// Of a body's point, m.
    Y,
    /// Of a body, unwrapped, rad.
    Angle,
    /// Of a body's point, m/s.
    Vx,
    /// Of a body's point, m/s.
    Vy,
    /// Of a body's point, m/s; of a joint's axis, m/s or rad/s.
    Speed,
    /// Of a body, rad/s.
    AngularVelocity,
    /// Of a body or the world, J.
    Kinetic,
    /// Of a joint's axis, m or rad.
    Coordinate,
    /// How far a joint is open, or any of the world's: the larger of m and rad.
    Separation,
    /// Of a joint on its last body, N.
    Force,
    /// The same along x.
    ForceX,
    /// The same along y.
    ForceY,
    /// Of a joint on its last body, about its anchor, N·m.
    Torque,
    /// Everything on a joint's axis, N or N·m.
    AxisForce,
    /// That a joint puts into its bodies, W.
    Power,
    /// Of the world, kinetic and that of the weights, J.
    Mechanical,
    /// Of the world, that of springs as well, J; force laws have none, they bring or take it.
    Energy,
    /// Of the world's weights, J.
    Potential,
}

/// A number that is read from the world as it runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// What it is called.
    pub name: String,
    /// Of which body.
    pub body: Option<String>,
    /// Of which of its points; its centre of mass for the energy, else its origin.
    pub point: Option<Point>,
    /// Of which joint.
    pub joint: Option<String>,
    /// Of which of its axes; 0.
    pub axis: Option<usize>,
    /// What is measured.
    pub what: Option<What>,
    /// Or an expression of probes before it by their names, `time` and the scene's parameters.
    pub expression: Option<String>,
}

/// What a probe reads, found in a world.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// Of a body's point.
    Body {
        /// The body.
        body: BodyId,
        /// In its axes.
        point: Vec2,
        /// What.
        what: What,
    },
    /// Of a joint.
    Joint {
        /// The joint.
        joint: JointId,
        /// Which axis.
        axis: usize,
        /// What.
        what: What,
    },
    /// Of the world.
    World(What),
    /// Of other probes.
    Expression(super::evaluate::Combined),
}

/// A probe that is ready to be read.
#[derive(Clone, Debug)]
pub struct Reader {
    /// What it is called.
    pub name: String,
    /// What it reads.
    pub quantity: Quantity,
}

impl Reader {
    /// The value now; `before` are the values of the probes before it. NaN where there is none, as of
    /// a joint that has broken off.
    pub fn read(&self, world: &World, before: &[f64]) -> f64 {
        match &self.quantity {
            Quantity::Body { body, point, what } => of_body(world, *body, *point, *what),
            Quantity::Joint { joint, axis, what } => of_joint(world, *joint, *axis, *what),
            Quantity::World(what) => Some(of_world(world, *what)),
            Quantity::Expression(combined) => Some(combined.at(before, world.time())),
        }
        .unwrap_or(f64::NAN)
    }

    /// The values of all probes now, in their order.
    pub fn read_all(readers: &[Self], world: &World) -> Vec<f64> {
        let mut values = Vec::with_capacity(readers.len());
        for reader in readers {
            let value = reader.read(world, &values);
            values.push(value);
        }
        values
    }
}

fn of_body(world: &World, id: BodyId, point: Vec2, what: What) -> Option<f64> {
    let body = world.body(id)?;
    let place = body.world_point(point);
    let velocity = body.velocity_at(place);
    Some(match what {
        What::X => place.x,
        What::Y => place.y,
        What::Angle => body.rotation(),
        What::Vx => velocity.x,
        What::Vy => velocity.y,
        What::Speed => velocity.length(),
        What::AngularVelocity => body.angular_velocity(),
        What::Kinetic => body.kinetic_energy(),
        _ => return None,
    })
}

fn of_joint(world: &World, id: JointId, axis: usize, what: What) -> Option<f64> {
    match what {
        What::Coordinate => world.joint_coordinate(id, axis),
        What::Speed => world.joint_speed(id, axis),
        What::Separation => world.joint_separation(id).map(|(length, angle)| length.max(angle)),
        What::Force => world.joint_reaction(id).map(|(force, _)| force.length()),
        What::ForceX => world.joint_reaction(id).map(|(force, _)| force.x),
        What::ForceY => world.joint_reaction(id).map(|(force, _)| force.y),
        What::Torque => world.joint_reaction(id).map(|(_, torque)| torque),
        What::AxisForce => world.joint_axis_force(id, axis).map(|force| force.total()),
        What::Power => world.joint_power(id),
        _ => None,
    }
}

fn of_world(world: &World, what: What) -> f64 {
    match what {
        What::Kinetic => world.kinetic_energy(),
        What::Potential => world.potential_energy(),
        What::Mechanical => world.kinetic_energy() + world.potential_energy(),
        What::Energy => world.energies().map_or(f64::NAN, |all| all.total()),
        What::Separation => {
            let each = world.joints().filter_map(|(id, _)| world.joint_separation(id));
            each.fold(0.0, |most, (length, angle)| most.max(length).max(angle))
        }
        _ => f64::NAN,
    }
}
