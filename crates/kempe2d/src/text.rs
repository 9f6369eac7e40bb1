//! Joints from text.

use crate::body::{Body, BodyId};
use crate::error::Error;
use crate::user::Pose;
use kempe_equation::{AtZero, BodyState, Instance, Program, Value};
use serde::{Deserialize, Serialize};

/// A program with its parameters, as a kind of joint.
///
/// ```
/// use kempe2d::{BodyDef, JointDef, TextJoint, Vec2, World, equation::Program};
///
/// let rod = Program::parse("body a, b  scalar length  constraint |b.position - a.position| - length")?;
/// let mut world = World::default();
/// let ground = world.add_body(&BodyDef::fixed())?;
/// let bob = world.add_body(&BodyDef { position: Vec2::new(2.0, 0.0), ..BodyDef::dynamic() })?;
/// let joint = TextJoint::new(&rod).with("length", 2.0)?.joint(&[("a", ground), ("b", bob)])?;
/// let joint = world.add_joint(&joint)?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world[bob].position().length() - 2.0).abs() < 1e-3);
/// world.set_parameter(joint, "length", 1.5)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct TextJoint {
    pub(crate) instance: Box<Instance>,
}

/// How a text joint is written down: with its source, so that it can always be made anew.
#[derive(Serialize, Deserialize)]
struct Written {
    source: String,
    parameters: Vec<Option<Vec<f64>>>,
    memories: Vec<[f64; 2]>,
    slots: Vec<Option<usize>>,
    disable_at_zero: bool,
}

impl From<TextJoint> for Written {
    fn from(joint: TextJoint) -> Self {
        let instance = &joint.instance;
        let value = |value: Option<Value>| {
            value.map(|value| value.components()[..value.kind().components()].to_vec())
        };
        let program = instance.program();
        let parameters = program.parameters().iter();
        Self {
            source: program.source().to_owned(),
            parameters: parameters
                .map(|each| instance.get(&each.name).ok().and_then(value))
                .collect(),
            memories: instance.memories().to_vec(),
            slots: program.bodies().iter().map(|name| instance.body(name).ok().flatten()).collect(),
            disable_at_zero: instance.at_zero == AtZero::Disable,
        }
    }
}

impl TryFrom<Written> for TextJoint {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        let program = Program::parse(&written.source).map_err(|errors| Error::Program {
            reason: errors.diagnostics().iter().map(|error| error.message.clone()).collect(),
        })?;
        let mut joint = Self::new(&program);
        for (parameter, numbers) in program.parameters().iter().zip(written.parameters) {
            let Some(numbers) = numbers else { continue };
            let mut components = [0.0; 4];
            for (to, from) in components.iter_mut().zip(numbers) {
                *to = from;
            }
            joint.set(&parameter.name, Value::from_components(parameter.kind, components))?;
        }
        for (name, slot) in program.bodies().iter().zip(written.slots) {
            if let Some(slot) = slot {
                joint.instance.set_body(name, slot)?;
            }
        }
        joint.instance.set_memories(&written.memories);
        if written.disable_at_zero {
            joint.instance.at_zero = AtZero::Disable;
        }
        Ok(joint)
    }
}

impl PartialEq for TextJoint {
    fn eq(&self, other: &Self) -> bool {
        let same = |name: &str| self.instance.get(name).ok() == other.instance.get(name).ok();
        self.program().source() == other.program().source()
            && self.program().parameters().iter().all(|each| same(&each.name))
            && self.instance.memories() == other.instance.memories()
    }
}

impl TextJoint {
    /// A program with its default parameters.
    pub fn new(program: &Program) -> Self {
        Self { instance: Box::new(Instance::new(program)) }
    }

    /// The same joint of an equal program, so that joints of one source share its tapes.
    pub(crate) fn share(&mut self, program: &Program) {
        let mut instance = Instance::new(program);
        for parameter in program.parameters() {
            if let Ok(Some(value)) = self.instance.get(&parameter.name) {
                // It was there with this type.
                let _ = instance.set(&parameter.name, value);
            }
        }
        for name in program.bodies() {
            if let Ok(Some(slot)) = self.instance.body(name) {
                let _ = instance.set_body(name, slot);
            }
        }
        instance.at_zero = self.instance.at_zero;
        instance.set_memories(self.instance.memories());
        *self.instance = instance;
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.instance.program()
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// If the program has no such parameter, it has another type, or the value is NaN.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<(), Error> {
        Ok(self.instance.set(name, value)?)
    }

    /// The same with this parameter.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Result<Self, Error> {
        self.set(name, value)?;
        Ok(self)
    }

    /// The present value of a parameter.
    ///
    /// # Errors
    /// If the program has no such parameter.
    pub fn get(&self, name: &str) -> Result<Option<Value>, Error> {
        Ok(self.instance.get(name)?)
    }

    /// A joint of it over bodies by their names in the program.
    ///
    /// # Errors
    /// If a name is not in the program, or one that is there is missing.
    pub fn joint(self, bodies: &[(&str, BodyId)]) -> Result<crate::JointDef, Error> {
        for (name, _) in bodies {
            self.instance.body(name)?;
        }
        let mut bound = Vec::new();
        for name in self.program().bodies() {
            let body = bodies.iter().rev().find(|(each, _)| each == name);
            let (_, body) = body.ok_or_else(|| {
                Error::Joint(kempe_equation::InstanceError::UnboundBody { name: name.clone() })
            })?;
            bound.push(*body);
        }
        Ok(crate::JointDef::over(crate::JointKind::Text(self), bound))
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        for parameter in self.program().parameters() {
            if self.instance.get(&parameter.name)?.is_none() {
                let name = parameter.name.clone();
                return Err(kempe_equation::InstanceError::UnsetParameter { name }.into());
            }
        }
        Ok(())
    }

    /// Binds the names to the bodies of the joint, the same body under two names to one.
    pub(crate) fn bind(&mut self, bodies: &[BodyId]) -> Result<(), Error> {
        let names = self.program().bodies().to_vec();
        for (at, name) in names.iter().enumerate() {
            let first = bodies.iter().position(|body| *body == bodies[at]).unwrap_or(at);
            self.instance.set_body(name, first)?;
        }
        Ok(())
    }
}

/// What a program sees of a body whose origin is there.
pub(crate) fn body_state(body: &Body, pose: &Pose) -> BodyState {
    let [x, _, turn] = body.inverse_mass();
    let velocity = body.velocity_at(pose.position);
    BodyState {
        position: pose.position.into(),
        rotation: body.rotation,
        velocity: velocity.into(),
        angular_velocity: body.angular_velocity,
        inverse_mass: x,
        inverse_inertia: turn,
    }
}
