//! Debug drawing: lines, circles and labels, each with a role.

mod bounds;
mod cable;
mod coupling;
mod curve;
mod joint;
mod pen;
mod points;
mod rail;
mod rows;
mod svg;

pub(crate) use joint::draw_joint;
pub(crate) use pen::{Pen, unit};
pub use svg::Svg;

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
    /// A body or a joint that takes no part.
    Disabled,
    /// The centre of mass of a body.
    Center,
    /// From a body's centre of mass to where a joint acts on it.
    Arm,
    /// A point of a body that a joint refers to.
    Anchor,
    /// The hold of a joint.
    Joint,
    /// A rope, or another joint of one direction, that does nothing now.
    Slack,
    /// How far a hold is open.
    Gap,
    /// An axis that a joint leaves.
    Axis,
    /// A bound of an axis.
    Limit,
    /// A force.
    Force,
    /// A torque.
    Torque,
}

impl Role {
    /// Every role there is.
    pub const ALL: &'static [Self] = &[
        Self::Static,
        Self::Kinematic,
        Self::Dynamic,
        Self::Asleep,
        Self::Disabled,
        Self::Center,
        Self::Arm,
        Self::Anchor,
        Self::Joint,
        Self::Slack,
        Self::Gap,
        Self::Axis,
        Self::Limit,
        Self::Force,
        Self::Torque,
    ];

    /// Its name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Kinematic => "kinematic",
            Self::Dynamic => "dynamic",
            Self::Asleep => "asleep",
            Self::Disabled => "disabled",
            Self::Center => "center",
            Self::Arm => "arm",
            Self::Anchor => "anchor",
            Self::Joint => "joint",
            Self::Slack => "slack",
            Self::Gap => "gap",
            Self::Axis => "axis",
            Self::Limit => "limit",
            Self::Force => "force",
            Self::Torque => "torque",
        }
    }
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

/// What is drawn of a world, and how large.
///
/// ```
/// use kempe2d::{BodyDef, DrawOptions, Shape, Svg, World};
///
/// let mut world = World::default();
/// world.add_body(&BodyDef { shapes: vec![(Shape::circle(0.5), 1.0)], ..BodyDef::dynamic() })?;
/// let mut svg = Svg::new();
/// world.draw_with(&mut svg, &DrawOptions { labels: true, ..DrawOptions::default() });
/// assert!(svg.finish(400).contains("body 0"));
/// # Ok::<(), kempe2d::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// Shapes and centres of mass.
    pub bodies: bool,
    /// Anchors, and what joints hold.
    pub joints: bool,
    /// Axes that joints leave, and their bounds.
    pub axes: bool,
    /// Forces and torques of joints over the last step, on each body that can move.
    pub forces: bool,
    /// The number of each body, the name and the number of each joint.
    pub labels: bool,
    /// How long a force is drawn, m per N. A torque is an arc as long as the force that would turn
    /// as much where the arc is.
    pub force_scale: f64,
    /// Of small marks, m.
    pub size: f64,
}

impl Default for DrawOptions {
    /// Bodies, joints and axes; marks of 0.1 m.
    fn default() -> Self {
        Self {
            bodies: true,
            joints: true,
            axes: true,
            forces: false,
            labels: false,
            force_scale: 1e-3,
            size: 0.1,
        }
    }
}
