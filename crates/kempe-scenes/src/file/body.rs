//! Bodies of a scene file, their shapes and their mass.

use super::either::Either;
use super::number::{Number, Point};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Forces and impulses.
    #[default]
    Dynamic,
    /// Nothing.
    Static,
    /// Its velocity, which nothing changes.
    Kinematic,
    /// Nothing: it is the world's own ground, at the origin, and has a name at most. Where a scene
    /// names `ground` and has no body of that name, it is there before all others.
    Ground,
}

/// A body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// What it is called by others.
    pub name: Option<String>,
    /// What moves it; dynamic.
    pub kind: Option<BodyKind>,
    /// Of the origin, m; (0, 0).
    pub position: Option<Point>,
    /// rad, unwrapped; 0.
    pub rotation: Option<Number>,
    /// Of the centre of mass, m/s; (0, 0).
    pub velocity: Option<Point>,
    /// rad/s; 0.
    pub angular_velocity: Option<Number>,
    /// Pieces, for mass and drawing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    /// Where the mass comes from: absent, the shapes and their densities (1 kg and 1 kg·m² without
    /// shapes); a number, the shapes scaled to this mass; or mass, inertia and centre.
    pub mass: Option<Either<Number, Box<Mass>>>,
    /// How much of the world's gravity acts on it; 1.
    pub gravity_scale: Option<Number>,
    /// Velocity decays as e^(−t·damping), 1/s; 0.
    pub linear_damping: Option<Number>,
    /// Angular velocity decays likewise, 1/s; 0.
    pub angular_damping: Option<Number>,
    /// Freedoms that it does not have.
    pub locked: Option<Locked>,
    /// Whether it takes part; true.
    pub enabled: Option<bool>,
    /// Whether it may sleep; true.
    pub can_sleep: Option<bool>,
    /// For the user; 0.
    pub user_data: Option<u64>,
}

/// Mass, centre of mass and inertia.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mass {
    /// kg.
    pub mass: Number,
    /// About the centre of mass, kg·m².
    pub inertia: Number,
    /// In the body's axes, m; (0, 0).
    pub center: Option<Point>,
}

/// Freedoms that a body does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Motion along the world's x axis; false.
    pub x: Option<bool>,
    /// Motion along the world's y axis; false.
    pub y: Option<bool>,
    /// Turning; false.
    pub rotation: Option<bool>,
}

/// A piece of a body, in its axes: one of the first four.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// A disc.
    pub circle: Option<Circle>,
    /// A segment with round ends.
    pub capsule: Option<Capsule>,
    /// A box about the origin, by its half extents, m.
    pub rectangle: Option<Point>,
    /// Corners, counter-clockwise.
    pub polygon: Option<Vec<Point>>,
    /// kg/m²; 1. It is 0 for what is only drawn.
    pub density: Option<Number>,
}

/// A disc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// m.
    pub radius: Number,
    /// (0, 0).
    pub center: Option<Point>,
}

/// A segment with round ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// One end of the segment.
    pub start: Point,
    /// The other.
    pub end: Point,
    /// m.
    pub radius: Number,
}
