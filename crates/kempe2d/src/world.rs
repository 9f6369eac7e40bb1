//! The world: what is in it, and what can be asked of it.

mod breaking;
mod coupling;
mod drawing;
mod edit;
mod hash;
mod joints;
mod moving;
#[cfg(test)]
mod oracle;
mod readout;
mod sleep;
mod snapshot;
mod step;
mod threads;

pub use hash::checksum as snapshot_checksum;
pub(crate) use moving::start_of as body_state_at_start;
pub use readout::{AxisForce, JointForce};
pub use snapshot::Registry;

use crate::body::{Body, BodyDef, BodyId};
use crate::error::{Error, at_least_zero, finite};
use crate::joint::{Joint, JointId, JointKind};
use crate::report::{Event, StepReport};
use crate::solver::{Direct, Solver};
use kempe_scalar::{Isa, Vec2};
use kempe_solve::{Islands, Owner, Pool};
use moving::Placed;
use serde::{Deserialize, Serialize};
use threads::Threads;

/// How springs, soft limits and servos are integrated in real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Springs {
    /// Of second order where the sub-step resolves a spring (its energy stays), more and more implicit
    /// and damped where it does not.
    #[default]
    SecondOrder,
    /// One step of implicit Euler per sub-step, whatever the spring: stable, and damped at every
    /// frequency.
    ImplicitEuler,
}

/// How a world steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// m/s².
    pub gravity: Vec2,
    /// Into how many parts a step is divided, at least 1.
    pub substeps: u32,
    /// On how many threads, 1 to 64. The results are the same, to the bit.
    pub threads: u32,
    /// Which islands of joints are solved as a whole.
    pub direct: Direct,
    /// How springs, soft limits and servos are integrated in real time.
    pub springs: Springs,
    /// Whether bodies at rest sleep; they do by default. An island sleeps when all its bodies have been at rest
    /// for [`sleep_time`](Self::sleep_time). A body is at rest while it is slower than
    /// [`sleep_speed`](Self::sleep_speed) and [`sleep_turn`](Self::sleep_turn), and stays where it is: within
    /// that time it gets no further from its place than 1/500 of the way that it would go at these speeds,
    /// 0.02 mm and 0.02 mrad by default. So nothing sleeps that a force speeds up by more than 0.2 mm/s², that
    /// swings, or that goes on steadily, however slow it is for the moment; what trembles by rounding does.
    pub sleep: bool,
    /// Faster than this is not at rest, m/s; 0.02 by default. A world in other units than metres sets it, and
    /// how far a body at rest may stray follows.
    pub sleep_speed: f64,
    /// Faster than this is not at rest, rad/s; 0.02 by default.
    pub sleep_turn: f64,
    /// How long a body must be at rest before it sleeps, s; 0.5 by default.
    pub sleep_time: f64,
    /// Whether a report tells how long the stages took.
    pub timing: bool,
}

impl Default for Settings {
    /// Earth's gravity, and four sub-steps.
    fn default() -> Self {
        Self {
            gravity: Vec2::new(0.0, -9.81),
            substeps: 4,
            threads: 1,
            direct: Direct::Auto,
            springs: Springs::SecondOrder,
            sleep: true,
            sleep_speed: 0.02,
            sleep_turn: 0.02,
            sleep_time: 0.5,
            timing: false,
        }
    }
}

impl Settings {
    fn validate(&self) -> Result<(), Error> {
        finite("gravity.x", self.gravity.x)?;
        finite("gravity.y", self.gravity.y)?;
        at_least_zero("sleep_speed", self.sleep_speed)?;
        at_least_zero("sleep_turn", self.sleep_turn)?;
        at_least_zero("sleep_time", self.sleep_time)?;
        if !(1..=64).contains(&self.threads) {
            return Err(Error::Number {
                field: "threads",
                value: f64::from(self.threads),
                must_be: "from 1 to 64",
            });
        }
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
    pub(crate) settings: Settings,
    pub(crate) bodies: Pool<Body>,
    pub(crate) joints: Pool<Joint>,
    pub(crate) solver: Solver,
    /// What the lanes run on; the bits do not depend on it.
    pub(crate) isa: Isa,
    pub(crate) time: f64,
    report: StepReport,
    /// The length of the last step that had one, s.
    last_dt: f64,
    /// What happened between steps.
    pub(crate) pending: Vec<Event>,
    islands: Islands,
    /// How many islands ever fell asleep.
    beds: u64,
    /// How many bodies sleep.
    sleeping: usize,
    /// What the solver knows about the bodies.
    placed: Placed,
    /// Joints that are couplings, and some that were.
    couplings: Vec<JointId>,
    /// Joints that look at the poses before a step.
    special: Vec<JointId>,
    /// Joints that can break, or whose stops are watched.
    watched: Vec<JointId>,
    /// Joints from text that have a state of their own.
    stateful: Vec<JointId>,
    /// Those of them that can break, tell of a force, or leave.
    weak: Vec<JointId>,
    /// Slots of joints whose stops were touched or left.
    touched: Vec<u32>,
    /// Slots of joints that were left out of the last step.
    left_out: Vec<usize>,
    left_out_now: Vec<usize>,
    /// Slots of joints with an axis where an expression gave no number.
    unknown: Vec<u32>,
    /// The threads, if there is more than one.
    threads: Option<Threads>,
    ground: Option<BodyId>,
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
            last_dt: 0.0,
            pending: Vec::new(),
            islands: Islands::default(),
            beds: 0,
            sleeping: 0,
            placed: Placed::default(),
            couplings: Vec::new(),
            special: Vec::new(),
            watched: Vec::new(),
            stateful: Vec::new(),
            left_out: Vec::new(),
            left_out_now: Vec::new(),
            unknown: Vec::new(),
            weak: Vec::new(),
            touched: Vec::new(),
            threads: None,
            ground: None,
        }
    }
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// If a setting makes no sense.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let mut world = Self::default();
        world.set_settings(settings)?;
        Ok(world)
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
        if settings.threads != self.settings.threads {
            self.threads = Threads::new(settings.threads)?;
            self.solver.threads = self.threads.is_some();
        }
        if settings.gravity != self.settings.gravity || !settings.sleep {
            self.wake_all();
        }
        self.settings = settings;
        Ok(())
    }

    /// Wakes every body.
    pub fn wake_all(&mut self) {
        for (id, body) in self.bodies.iter_mut() {
            body.begin_rest();
            if std::mem::replace(&mut body.asleep, false) {
                self.pending.push(Event::Woke(id));
                self.solver.dirty = true;
            }
        }
        self.sleeping = 0;
    }

    /// A static body at the origin, for joints with the world. It is made when first asked for.
    ///
    /// # Errors
    /// If there is no room for another body.
    pub fn ground(&mut self) -> Result<BodyId, Error> {
        match self.ground.filter(|id| self.bodies.get(*id).is_ok()) {
            Some(id) => Ok(id),
            None => {
                let id = self.add_body(&BodyDef::fixed())?;
                self.ground = Some(id);
                Ok(id)
            }
        }
    }

    /// The body of [`ground`](Self::ground), if it was asked for and is there.
    pub fn ground_body(&self) -> Option<BodyId> {
        self.ground.filter(|id| self.bodies.get(*id).is_ok())
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
        self.bodies.get(id).map_err(|reason| Error::Handle { what: "body", reason })?;
        // A coupling goes with the first of its joints.
        let on_it = |(_, joint): &(JointId, &Joint)| {
            let coupling = matches!(joint.def.kind, JointKind::Coupling { .. });
            !coupling && joint.def.bodies.contains(&id)
        };
        let joints: Vec<JointId> = self.joints.iter().filter(on_it).map(|each| each.0).collect();
        for joint in joints {
            self.remove_joint(joint)?;
        }
        self.wake_slot(id.index());
        let removed = self.bodies.remove(id);
        removed.map_err(|reason| Error::Handle { what: "body", reason })?;
        self.pending.retain(|event| *event != Event::Woke(id));
        Ok(())
    }

    /// A body, unless the handle is stale or of another world.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id).ok()
    }

    pub(crate) fn try_body(&self, id: BodyId) -> Result<&Body, kempe_solve::PoolError> {
        self.bodies.get(id)
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
            let weight = self.settings.gravity * (body.seldom.gravity_scale * body.properties.mass);
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
