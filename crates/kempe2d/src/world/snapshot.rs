//! The whole world as bytes, and back.
//!
//! A snapshot is `KEMPE2D`, a version, the length and a checksum of what follows, and the state:
//! settings, clock, bodies and joints with their slots and generations, impulses and everything
//! else that the future depends on, so that a restored world goes on with the same bits.

use super::World;
use super::hash::checksum;
use crate::body::{Body, BodyId};
use crate::error::{Error, at_least_zero};
use crate::joint::{Joint, JointId, JointKind, Term};
use crate::law::{ForceLaw, Law};
use crate::report::Event;
use crate::user::{Constraint, UserJoint};
use kempe_equation::Program;
use kempe_solve::Pool;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

const MAGIC: &[u8; 7] = b"KEMPE2D";
const VERSION: u8 = 3;
/// Magic, version, length, checksum.
const HEADER: usize = 7 + 1 + 8 + 8;

type MakeJoint = Box<dyn Fn(&[f64]) -> Option<UserJoint> + Send + Sync>;
type MakeLaw = Box<dyn Fn(&[f64]) -> Option<ForceLaw> + Send + Sync>;

/// Knows the user joints and force laws that a snapshot names. Joints from text need none: their
/// programs are in the snapshot.
#[derive(Default)]
pub struct Registry {
    joints: BTreeMap<String, MakeJoint>,
    laws: BTreeMap<String, MakeLaw>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joints: Vec<&String> = self.joints.keys().collect();
        let laws: Vec<&String> = self.laws.keys().collect();
        f.debug_struct("Registry").field("joints", &joints).field("laws", &laws).finish()
    }
}

impl Registry {
    /// Knows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Knows a user joint by its name: `make` is given its parameters, and refuses those that it
    /// cannot have written.
    #[must_use]
    pub fn joint<T: Constraint>(
        mut self,
        name: &str,
        make: impl Fn(&[f64]) -> Option<T> + Send + Sync + 'static,
    ) -> Self {
        let make = move |parameters: &[f64]| make(parameters).map(UserJoint::new);
        self.joints.insert(name.to_owned(), Box::new(make));
        self
    }

    /// Knows a force law by its name.
    #[must_use]
    pub fn law<T: Law>(
        mut self,
        name: &str,
        make: impl Fn(&[f64]) -> Option<T> + Send + Sync + 'static,
    ) -> Self {
        let make = move |parameters: &[f64]| make(parameters).map(ForceLaw::function);
        self.laws.insert(name.to_owned(), Box::new(make));
        self
    }

    /// Makes what a snapshot only names.
    fn complete(&self, joint: &mut Joint) -> Result<(), Error> {
        if let JointKind::User(user) = &mut joint.def.kind
            && let Some(named) = user.missing()
        {
            let unknown = || Error::Unknown { what: "user joint", name: named.name.clone() };
            let make = self.joints.get(&named.name).ok_or_else(unknown)?;
            let made = make(&named.parameters).ok_or_else(|| Error::User {
                name: named.name.clone(),
                reason: "its parameters are not those that it writes".to_owned(),
            })?;
            *user = made;
        }
        for law in joint.def.laws_mut() {
            if let Some((name, parameters)) = law.missing() {
                let unknown = || Error::Unknown { what: "force law", name: name.to_owned() };
                let make = self.laws.get(name).ok_or_else(unknown)?;
                *law = make(parameters).ok_or_else(|| Error::User {
                    name: name.to_owned(),
                    reason: "its parameters are not those that it writes".to_owned(),
                })?;
            }
        }
        Ok(())
    }
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
struct State {
    settings: super::Settings,
    time: f64,
    steps: u64,
    last_dt: f64,
    beds: u64,
    ground: Option<BodyId>,
    pending: Vec<Event>,
    bodies: Pool<Body>,
    joints: Pool<Joint>,
}

impl World {
    /// Everything that the future depends on.
    pub(super) fn state_bytes(&self) -> Vec<u8> {
        let mut joints = self.joints.clone();
        self.solver.store(&mut joints);
        let state = State {
            // How it is computed is not what is computed.
            settings: super::Settings { threads: 1, timing: false, ..self.settings },
            time: self.time,
            steps: self.report.steps,
            last_dt: self.last_dt,
            beds: self.beds,
            ground: self.ground,
            pending: self.pending.clone(),
            bodies: self.bodies.clone(),
            joints,
        };
        // Plain data: there is nothing in it that the format cannot write.
        postcard::to_allocvec(&state).unwrap_or_default()
    }

    /// The whole world as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let body = self.state_bytes();
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(VERSION);
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&checksum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Makes this world what a snapshot holds. Handles keep their meaning: one of a body or joint
    /// that was there when the snapshot of this world was made finds it again. (One that was made
    /// after it may come to mean what is made in its slot once more, after the restore.)
    ///
    /// # Errors
    /// If the bytes are no snapshot, of another version, or damaged; or if the registry does not know
    /// something that they name. The world is as it was.
    pub fn restore(&mut self, bytes: &[u8], registry: &Registry) -> Result<(), Error> {
        let refuse = |reason: &str| Error::Snapshot { reason: reason.to_owned() };
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            return Err(refuse("it is too short"));
        };
        if &header[..7] != MAGIC {
            return Err(refuse("it does not begin as one"));
        }
        if header[7] != VERSION {
            let reason = format!("its version is {}, not {VERSION}", header[7]);
            return Err(Error::Snapshot { reason });
        }
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(word)
        };
        if word(8) != body.len() as u64 {
            return Err(refuse("its length is another"));
        }
        if word(16) != checksum(body) {
            return Err(refuse("its checksum is another"));
        }
        let state: State = postcard::from_bytes(body)
            .map_err(|error| Error::Snapshot { reason: error.to_string() })?;
        let world = self.revived(state, registry)?;
        *self = world;
        Ok(())
    }

    /// A new world from a snapshot.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn from_snapshot(bytes: &[u8], registry: &Registry) -> Result<Self, Error> {
        let mut world = Self::default();
        world.restore(bytes, registry)?;
        Ok(world)
    }

    fn revived(&self, state: State, registry: &Registry) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::Snapshot { reason: reason.to_owned() };
        state.settings.validate()?;
        let mut world = Self { isa: self.isa, ..Self::default() };
        let owner = self.bodies.owner();
        let State { mut bodies, mut joints, .. } = state;
        if !bodies.adopt(owner) || !joints.adopt(owner) {
            return Err(refuse("its slots do not add up"));
        }
        for (_, body) in bodies.iter() {
            let numbers = [
                body.rotation,
                body.angular_velocity,
                body.idle.into(),
                body.seldom.torque,
                body.seldom.gravity_scale,
                body.seldom.linear_damping,
                body.seldom.angular_damping,
            ];
            let vectors = [body.center, body.velocity, body.seldom.force];
            let finite = numbers.iter().all(|number| number.is_finite())
                && body.strayed.iter().all(|number| number.is_finite())
                && vectors.iter().all(|vector| vector.is_finite());
            if !finite {
                return Err(refuse("a body's state is not finite"));
            }
            body.properties.validate()?;
        }
        let mut programs: BTreeMap<String, Program> = BTreeMap::new();
        adopt_couplings(&mut joints);
        for (_, joint) in joints.iter_mut() {
            registry.complete(joint)?;
            if let JointKind::Text(text) = &mut joint.def.kind {
                let source = text.program().source().to_owned();
                let program = programs.entry(source).or_insert_with(|| text.program().clone());
                text.share(program);
            }
            let laws = joint.cached.laws.iter().flat_map(|law| law.2);
            let impulses = joint.cached.hold.iter().copied().chain(laws);
            let state = &joint.state;
            let directions = state.directions.iter().chain([&state.direction]).flatten();
            let numbers = state.filtered.iter().chain(directions).chain(&state.place).copied();
            if !impulses.map(f64::from).chain(numbers).all(f64::is_finite) {
                return Err(refuse("a joint's state is not finite"));
            }
            for body in joint.def.bodies.iter_mut() {
                *body = bodies.adopted(*body);
                bodies.get(*body).map_err(|_| refuse("a joint's body is not there"))?;
            }
            joint.def().validate()?;
        }
        world.joints = joints;
        for (_, joint) in world.joints.iter() {
            if let JointKind::Coupling { terms, .. } = &joint.def.kind
                && world.coupled_bodies(terms)? != *joint.def.bodies
            {
                return Err(refuse("a coupling's bodies are not those of its joints"));
            }
        }
        let coupling = |joint: &Joint| matches!(joint.def.kind, JointKind::Coupling { .. });
        let found = world.joints.iter().filter(|(_, joint)| coupling(joint)).map(|(id, _)| id);
        world.couplings = found.collect();
        world.ground = state.ground.map(|id| bodies.adopted(id));
        let super::Settings { threads, timing, .. } = self.settings;
        world.set_settings(super::Settings { threads, timing, ..state.settings })?;
        world.time = crate::error::finite("time", state.time)?;
        world.report.steps = state.steps;
        world.last_dt = at_least_zero("last_dt", state.last_dt)?;
        world.beds = state.beds;
        world.pending =
            state.pending.iter().map(|event| adopted(event, &bodies, &world.joints)).collect();
        world.sleeping = bodies.iter().filter(|(_, body)| body.asleep).count();
        let unknown = world.joints.iter().filter(|(_, joint)| !joint.state.unknown.is_empty());
        world.unknown = unknown.map(|(id, _)| id.index() as u32).collect();
        let left_out = world.joints.iter().filter(|(_, joint)| joint.state.left_out);
        world.left_out = left_out.map(|(id, _)| id.index()).collect();
        world.bodies = bodies;
        world.solver.dirty = true;
        Ok(world)
    }
}

/// Couplings with the handles of this world.
fn adopt_couplings(joints: &mut Pool<Joint>) {
    let adopted = |term: &Term| Term { joint: joints.adopted(term.joint), ..term.clone() };
    let found = joints.iter().filter_map(|(id, joint)| match &joint.def.kind {
        JointKind::Coupling { terms, .. } => Some((id, terms.iter().map(adopted).collect())),
        _ => None,
    });
    let found: Vec<(JointId, Vec<Term>)> = found.collect();
    for (id, own) in found {
        if let Ok(joint) = joints.get_mut(id)
            && let JointKind::Coupling { terms, .. } = &mut joint.def.kind
        {
            *terms = own;
        }
    }
}

/// An event with the handles of this world.
fn adopted(event: &Event, bodies: &Pool<Body>, joints: &Pool<Joint>) -> Event {
    match *event {
        Event::NotFinite(id) => Event::NotFinite(bodies.adopted(id)),
        Event::Slept(id) => Event::Slept(bodies.adopted(id)),
        Event::Woke(id) => Event::Woke(bodies.adopted(id)),
        Event::LeftOut(id) => Event::LeftOut(joints.adopted(id)),
        Event::Taut(id) => Event::Taut(joints.adopted(id)),
        Event::Slack(id) => Event::Slack(joints.adopted(id)),
        Event::Broke { joint, cause } => Event::Broke { joint: joints.adopted(joint), cause },
        Event::Threshold { joint, force, above } => {
            Event::Threshold { joint: joints.adopted(joint), force, above }
        }
        Event::LimitReached { joint, axis, upper } => {
            Event::LimitReached { joint: joints.adopted(joint), axis, upper }
        }
        Event::Removed { joint, with } => {
            Event::Removed { joint: joints.adopted(joint), with: joints.adopted(with) }
        }
        Event::PathLeft { joint, upper } => Event::PathLeft { joint: joints.adopted(joint), upper },
        Event::NoNumber { joint, axis } => Event::NoNumber { joint: joints.adopted(joint), axis },
        Event::LimitLeft { joint, axis, upper } => {
            Event::LimitLeft { joint: joints.adopted(joint), axis, upper }
        }
    }
}
