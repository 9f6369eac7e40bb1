//! Debug drawing: lines, circles and labels, each with a role.

use kempe_scalar::Vec2;

/// What a line, a circle or a label is for. A viewer gives each role a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// A body that nothing moves.
    Static,
    /// A body that moves with its velocity.
    Kinematic,
    /// A body that forces move.
    Dynamic,
    /// A body that sleeps.
    Asleep,
    /// The centre of mass of a body.
    Center,
    /// A point of a body that a joint refers to.
    Anchor,
    /// The hold of a joint.
    Joint,
    /// An axis that a joint leaves.
    Axis,
    /// A bound of an axis.
    Limit,
    /// A force.
    Force,
    /// A torque.
    Torque,
}

/// Something that can be drawn on, in world coordinates.
pub trait Draw {
    /// A line.
    fn line(&mut self, from: Vec2, to: Vec2, role: Role);

    /// A circle.
    fn circle(&mut self, center: Vec2, radius: f64, role: Role);

    /// A short text beside a point.
    fn label(&mut self, at: Vec2, text: &str, role: Role);
}
