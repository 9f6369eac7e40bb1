//! Scenes in files: one model of a world and of what to do with it, in RON and in JSON.
//!
//! ```
//! use kempe_scenes::file::{self, Notation};
//!
//! let text = r#"(
//!     version: 1,
//!     parameters: (length: 0.5),
//!     bodies: [(name: "rod", position: ("length", 0), mass: 2)],
//!     joints: [(name: "pin", kind: revolute, bodies: (ground, rod), at: (0, 0))],
//!     probes: [(name: "height", body: rod, what: y)],
//! )"#;
//! let scene = file::parse("pendulum.ron", text, Notation::Ron, &[])?;
//! assert_eq!(scene.world[scene.bodies["rod"]].position().x, 0.5);
//!
//! let longer = file::parse("pendulum.ron", text, Notation::Ron, &[("length".to_owned(), 2.0)])?;
//! assert_eq!(longer.world[longer.bodies["rod"]].position().x, 2.0);
//!
//! let wrong = text.replace("(ground, rod)", "(ground, rood)");
//! let error = file::parse("pendulum.ron", &wrong, Notation::Ron, &[]).unwrap_err();
//! let line = "pendulum.ron:5:61: no body is called `rood` (did you mean `rod`?)";
//! assert_eq!(error.to_string(), line);
//! # Ok::<(), file::LoadError>(())
//! ```
//!
//! | file | has |
//! |---|---|
//! | `notation`, `token` | both notations to one tree with places |
//! | `decode`, `access`, `context` | the tree to the model: what serde asks for, and what is wrong |
//! | `number`, `evaluate`, `either`, `named` | what the model is made of, and expressions |
//! | `model`, `body`, `joint`, `probe`, `expect` | the model |
//! | `set` | numbers that are set from outside |
//! | `build`, `build_body`, `build_joint`, `build_text`, `axis`, `resolve` | the model to a world |
//! | `load`, `places`, `problem` | all of it in turn, and what is wrong |
//! | `export`, `export_joint`, `print` | a world to the model, the model to text |

mod access;
mod axis;
mod body;
mod build;
mod build_body;
mod build_joint;
mod build_text;
mod context;
mod decode;
mod either;
mod evaluate;
mod expect;
mod export;
mod export_joint;
mod joint;
mod load;
mod model;
mod named;
mod notation;
mod number;
mod places;
mod print;
mod probe;
mod problem;
mod resolve;
mod set;
mod token;

pub use body::{Body, BodyKind, Capsule, Circle, Locked, Mass, Shape};
pub use either::Either;
pub use evaluate::Combined;
pub use expect::{Check, Expectation, Expected};
pub use export::ExportError;
pub use joint::{
    Axis, Breaking, Joint, Kind, Limit, Motor, Path as Curved, Pull, Ratchet, Softness, Spring,
    Term, Then,
};
pub use model::{Direct, Force, Method, Model, Run, Settings, Solver, Springs, Trace, VERSION};
pub use named::{Bodies, Named};
pub use notation::{MOST_BYTES, MOST_DEPTH, MOST_VALUES, Notation};
pub use number::{Curve, Evaluated, Formula, Law, Number, Point, Target, Values};
pub use probe::{Probe, Quantity, Reader, What};
pub use problem::{LoadError, MOST_PROBLEMS, Problem, Source};

use crate::scene::Scene;
use kempe2d::{BodyId, JointId, Vec2, World};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// How long and by which solver a scene runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// s.
    pub duration: f64,
    /// The length of a step, s.
    pub step: f64,
    /// What steps.
    pub solver: Solver,
    /// How the reference solver does.
    pub method: kempe2d::Method,
}

impl Default for Plan {
    /// Ten seconds in real time, in steps of 1/60 s.
    fn default() -> Self {
        let method = kempe2d::Method::default();
        Self { duration: 10.0, step: 1.0 / 60.0, solver: Solver::RealTime, method }
    }
}

/// A scene that was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the file says.
    pub model: Model,
    /// The world that it makes.
    pub world: World,
    /// Its bodies by name.
    pub bodies: BTreeMap<String, BodyId>,
    /// Its joints by name, those of named forces too.
    pub joints: BTreeMap<String, JointId>,
    /// What is measured, in the order of the file.
    pub probes: Vec<Reader>,
    /// Points whose way is drawn, in the axes of their body.
    pub traces: Vec<(BodyId, Vec2)>,
    /// What must hold.
    pub expected: Vec<Expected>,
    /// How it runs.
    pub plan: Plan,
}

impl Loaded {
    fn new(model: Model, built: build::Built) -> Self {
        let build::Built { world, bodies, joints, probes, traces, expected, plan } = built;
        Self { model, world, bodies, joints, probes, traces, expected, plan }
    }

    /// What the probes read of a world now, in their order.
    pub fn read(&self, world: &World) -> Vec<f64> {
        Reader::read_all(&self.probes, world)
    }
}

/// Loads a scene from a file, `.ron` or `.json`.
///
/// # Errors
/// Everything that is wrong with it, with the places.
pub fn load(path: impl AsRef<Path>) -> Result<Loaded, LoadError> {
    load_with(path, &[])
}

/// The same with numbers set from outside: a parameter by its name, or any number by the way to it,
/// such as `joints.crank.motor.speed` or `bodies.arm.position.0`.
///
/// # Errors
/// As [`load`]; and if there is no such number.
pub fn load_with(path: impl AsRef<Path>, overrides: &[(String, f64)]) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let (text, notation) = load::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    load::parse(&path.to_string_lossy(), &text, notation, Some(folder), overrides)
}

/// Loads a scene from a text that is in no folder; `name` is how errors call it.
///
/// # Errors
/// As [`load_with`].
pub fn parse(
    name: &str,
    text: &str,
    notation: Notation,
    overrides: &[(String, f64)],
) -> Result<Loaded, LoadError> {
    load::parse(name, text, notation, None, overrides)
}

/// Builds the world of a model; `folder` is where the files are that it names.
///
/// # Errors
/// Everything that it cannot have, by the way to it.
pub fn build(model: Model, folder: Option<&Path>) -> Result<Loaded, LoadError> {
    load::build_alone(model, folder)
}

/// The model as text. Reading it again gives the same model, to the bit of every number.
///
/// # Errors
/// None but what serde refuses.
pub fn write(model: &Model, notation: Notation) -> Result<String, WriteError> {
    print::write(model, notation).map_err(|error| WriteError(error.to_string()))
}

/// Why a model could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError(String);

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the scene cannot be written: {}", self.0)
    }
}

impl std::error::Error for WriteError {}

/// The model of a scene. Loading it gives a world that steps alike, to the bit, if the scene has not
/// been stepped and nothing was removed from it; impulses, sleep and the clock are not in a file.
///
/// # Errors
/// If the world has what a file cannot say, such as a joint that is a type in Rust.
pub fn export(scene: &Scene) -> Result<Model, ExportError> {
    export::scene(scene)
}

/// The same of any world, with names for some of its bodies and joints.
///
/// # Errors
/// As [`export`].
pub fn export_world(
    world: &World,
    bodies: &BTreeMap<String, BodyId>,
    joints: &BTreeMap<String, JointId>,
) -> Result<Model, ExportError> {
    export::world(world, bodies, joints)
}

/// The JSON Schema of a scene.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Model).to_value()
}
