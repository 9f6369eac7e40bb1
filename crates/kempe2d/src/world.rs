//! The world: what is in it, and what can be asked of it.

mod edit;
mod hash;
mod joints;
mod step;

pub use step::{Event, StepReport};

use crate::body::{Body, BodyDef, BodyId};
use crate::error::{Error, finite};
use crate::joint::{Joint, JointId};
use crate::solver::Solver;
use kempe_scalar::{Isa, Vec2};
use kempe_solve::{Owner, Pool};

/// How a world steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// m/s².
    pub gravity: Vec2,
    /// Into how many parts a step is divided, at least 1.
    pub substeps: u32,
}

impl Default for Settings {
    /// Earth's gravity, and four sub-steps.
    fn default() -> Self {
        Self { gravity: Vec2::new(0.0, -9.81), substeps: 4 }
    }
}

impl Settings {
    fn validate(&self) -> Result<(), Error> {
        finite("gravity.x", self.gravity.x)?;
        finite("gravity.y", self.gravity.y)?;
        if !(1..=1024).contains(&self.substeps) {
            return Err(Error::Number {
                field: "substeps",
                value: f64::from(self.substeps),
                must_be: "from 1 to 1024",
            });
        }
        Ok(())
    }
}

/// Bodies, the joints between them, and the laws that move them.
#[derive(Clone, Debug)]
pub struct World {
    settings: Settings,
    bodies: Pool<Body>,
    joints: Pool<Joint>,
    solver: Solver,
    /// What the lanes run on; the bits do not depend on it.
    pub(crate) isa: Isa,
    time: f64,
    report: StepReport,
}

impl Default for World {
    fn default() -> Self {
        let owner = Owner::new();
        Self {
            settings: Settings::default(),
            bodies: Pool::new(owner),
            joints: Pool::new(owner),
            solver: Solver::default(),
            isa: Isa::best(),
            time: 0.0,
            report: StepReport::default(),
        }
    }
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// If a setting makes no sense.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        settings.validate()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// How it steps.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes how it steps.
    ///
    /// # Errors
    /// If a setting makes no sense.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), Error> {
        settings.validate()?;
        self.settings = settings;
        Ok(())
    }

    /// The world's clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// What the last step did.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Adds a body.
    ///
    /// # Errors
    /// If something in `def` makes no sense: the field and its value.
    pub fn add_body(&mut self, def: &BodyDef) -> Result<BodyId, Error> {
        let body = Body::new(def)?;
        self.bodies.insert(body).map_err(|reason| Error::Handle { what: "body", reason })
    }

    /// Removes a body and the joints on it; their handles are stale from now on.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), Error> {
        let removed = self.bodies.remove(id);
        removed.map_err(|reason| Error::Handle { what: "body", reason })?;
        let on_it = |(_, joint): &(JointId, &Joint)| joint.def.a == id || joint.def.b == id;
        let joints: Vec<JointId> = self.joints.iter().filter(on_it).map(|each| each.0).collect();
        for joint in joints {
            self.remove_joint(joint)?;
        }
        Ok(())
    }

    /// A body, unless the handle is stale or of another world.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id).ok()
    }

    /// All bodies, in the order of their slots.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.iter()
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Σ ½ m v² + ½ I ω² over the dynamic bodies, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.bodies().map(|(_, body)| body.kinetic_energy()).sum()
    }

    /// −Σ m g·x over the dynamic bodies, J.
    pub fn potential_energy(&self) -> f64 {
        let each = self.bodies().filter(|(_, body)| body.moves()).map(|(_, body)| {
            let weight = self.settings.gravity * (body.gravity_scale * body.properties.mass);
            -weight.dot(body.center)
        });
        each.sum()
    }
}

impl std::ops::Index<BodyId> for World {
    type Output = Body;

    /// # Panics
    /// If the handle is stale or of another world, as indexing does. [`World::body`] does not.
    #[track_caller]
    #[expect(clippy::panic, reason = "indexing panics in Rust; the checked way is `World::body`")]
    fn index(&self, id: BodyId) -> &Body {
        match self.bodies.get(id) {
            Ok(body) => body,
            Err(reason) => panic!("no such body {id:?}: {reason}"),
        }
    }
}
