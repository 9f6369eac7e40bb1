//! What a scene file says, as plain data.

use super::body::Body;
use super::expect::Expectation;
use super::joint::Joint;
use super::named::Named;
use super::number::{Number, Point, Target};
use super::probe::Probe;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The only version of the format so far.
pub const VERSION: u32 = 1;

/// A world and what to do with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Of the format: 1.
    pub version: u32,
    /// What the scene is called.
    pub name: Option<String>,
    /// What it is, in a line.
    pub about: Option<String>,
    /// Numbers that expressions can name; one can name those before it.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub parameters: Named<Number>,
    /// How the world steps.
    pub settings: Option<Settings>,
    /// What there is, in the order of the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<Body>,
    /// What holds between them, in the order of the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// Forces from outside; the world has them as joints behind all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<Force>,
    /// What is measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// Points whose way is drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// How long and by which solver it runs.
    pub run: Option<Run>,
    /// What must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
}

/// Which islands of joints are solved as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direct {
    /// Those of small worlds and of uneven masses.
    Auto,
    /// All that can be.
    Always,
    /// None.
    Never,
}

/// How springs are integrated in real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Springs {
    /// Of second order where the step resolves them, implicit and damped where it does not.
    SecondOrder,
    /// One step of implicit Euler per sub-step.
    ImplicitEuler,
}

/// How a world steps; what is absent is as the engine has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// m/s²; (0, −9.81).
    pub gravity: Option<Point>,
    /// Into how many parts a step is divided; 4.
    pub substeps: Option<u32>,
    /// On how many threads; 1.
    pub threads: Option<u32>,
    /// Which islands of joints are solved as a whole; auto.
    pub direct: Option<Direct>,
    /// How springs are integrated in real time; second_order.
    pub springs: Option<Springs>,
    /// Whether bodies at rest sleep; true.
    pub sleep: Option<bool>,
    /// Faster than this is not at rest, m/s; 0.02.
    pub sleep_speed: Option<Number>,
    /// Faster than this is not at rest, rad/s; 0.02.
    pub sleep_turn: Option<Number>,
    /// How long a body must be at rest before it sleeps, s; 0.5.
    pub sleep_time: Option<Number>,
    /// Whether a report tells how long the stages took; false.
    pub timing: Option<bool>,
}

/// A force and a torque on a body, in world axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// What the joint is called that exerts it, for probes.
    pub name: Option<String>,
    /// On which body.
    pub body: String,
    /// At which of its points; its origin.
    pub point: Option<Point>,
    /// N.
    pub force: Option<[Target; 2]>,
    /// N·m.
    pub torque: Option<Target>,
}

/// A point whose way is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Of which body.
    pub body: String,
    /// Which of its points; its origin.
    pub point: Option<Point>,
}

/// What steps a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// `World::step`.
    #[default]
    RealTime,
    /// The reference solver.
    Reference,
}

/// How the reference solver steps: one of these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The θ-method, by how much the end of a step counts, ½ to 1.
    pub theta: Option<Number>,
    /// Generalised α, by its spectral radius at infinity, 0 to 1.
    pub generalized_alpha: Option<Number>,
    /// RATTLE, by its order: 2, 4 or 6.
    pub rattle: Option<u8>,
}

/// How long and by which solver a scene runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// s; 10.
    pub duration: Option<Number>,
    /// The length of a step, s; 1/60.
    pub step: Option<Number>,
    /// What steps; real_time.
    pub solver: Option<Solver>,
    /// How the reference solver does; the θ-method with ½.
    pub method: Option<Method>,
}
