//! One joint of a program, in f64: bodies and parameters bound by name, evaluated, advanced.

mod evaluate;
mod start;

pub use evaluate::{Bound, Evaluation, SecondOrder};
pub use start::{SlotState, Start};

use crate::compile::Compiled;
use crate::error::did_you_mean;
use crate::program::Program;
use crate::tape::{Cells, Input};
use crate::types::{Type, Value};
use kempe_scalar::precise;
use std::fmt;
use std::sync::Arc;

/// The state of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Of the body's origin, m.
    pub position: [f64; 2],
    /// The unwrapped angle, rad.
    pub rotation: f64,
    /// m/s.
    pub velocity: [f64; 2],
    /// rad/s.
    pub angular_velocity: f64,
    /// 1/m; 0 for a body that nothing moves.
    pub inverse_mass: f64,
    /// 1/I; 0 for a body that nothing turns.
    pub inverse_inertia: f64,
}

impl Default for BodyState {
    /// At rest at the origin, with unit mass and inertia.
    fn default() -> Self {
        Self {
            position: [0.0; 2],
            rotation: 0.0,
            velocity: [0.0; 2],
            angular_velocity: 0.0,
            inverse_mass: 1.0,
            inverse_inertia: 1.0,
        }
    }
}

/// What a joint does with a row whose direction is lost because a length became zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtZero {
    /// Goes on with the last direction that there was.
    #[default]
    Remember,
    /// Lets the row rest: its Jacobian is zero as long as the length is.
    Disable,
}

/// What can go wrong with a joint that is being bound or evaluated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InstanceError {
    /// A body of the program was not bound.
    UnboundBody {
        /// Its name.
        name: String,
    },
    /// A body was bound to a number that the given states do not have.
    NoSuchBody {
        /// The name in the program.
        name: String,
        /// What it is bound to.
        index: usize,
        /// How many states were given.
        count: usize,
    },
    /// A parameter without a default was not set.
    UnsetParameter {
        /// Its name.
        name: String,
    },
    /// The program has no body, or no parameter, of this name.
    UnknownName {
        /// "body" or "parameter".
        what: &'static str,
        /// The name.
        name: String,
        /// A guess at what was meant.
        suggestion: Option<String>,
    },
    /// A parameter was given a value of another type than it has.
    WrongType {
        /// The name of the parameter.
        name: String,
        /// Its type.
        expected: Type,
        /// The type of the value.
        found: Type,
    },
    /// A `limit` of the program does not hold.
    LimitFailed {
        /// The limit as it was written.
        limit: String,
        /// What was limited.
        value: f64,
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// The lower bound of a row is above its upper one.
    BoundsCrossed {
        /// Which row.
        row: String,
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// The program is larger than [`crate::limits`] allow once bodies are merged.
    TooLarge,
    /// A number that came in, or that the equations gave, is not finite.
    NotFinite {
        /// Which.
        what: String,
    },
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnboundBody { name } => write!(f, "the body `{name}` is not bound"),
            Self::NoSuchBody { name, index, count } => {
                write!(f, "the body `{name}` is bound to number {index} of {count} bodies")
            }
            Self::UnsetParameter { name } => {
                write!(f, "the parameter `{name}` has no default and was not set")
            }
            Self::UnknownName { what, name, suggestion } => {
                write!(f, "the program has no {what} called `{name}`")?;
                match suggestion {
                    Some(suggestion) => write!(f, "; {suggestion}"),
                    None => Ok(()),
                }
            }
            Self::WrongType { name, expected, found } => {
                write!(f, "the parameter `{name}` is {expected}, not {found}")
            }
            Self::LimitFailed { limit, value, lower, upper } => {
                write!(f, "`limit {limit}` fails: {value} is not between {lower} and {upper}")
            }
            Self::BoundsCrossed { row, lower, upper } => {
                write!(f, "{row}: the lower bound {lower} is above the upper bound {upper}")
            }
            Self::TooLarge => f.write_str("the program is too large once bodies are merged"),
            Self::NotFinite { what } => write!(f, "{what} is not finite"),
        }
    }
}

impl std::error::Error for InstanceError {}

/// A joint: a program whose bodies and parameters are bound.
///
/// Bodies are bound by number: [`evaluate`](Self::evaluate) takes the states of all bodies, and
/// the same body may stand under two names.
///
/// ```
/// use kempe_equation::{BodyState, Instance, Program};
///
/// let rod = Program::parse("body a, b  scalar length  constraint |b.position - a.position| - length")?;
/// let mut joint = Instance::new(&rod);
/// joint.set_body("a", 0)?;
/// joint.set_body("b", 1)?;
/// joint.set_scalar("length", 2.0)?;
/// let mut bodies = [BodyState::default(); 2];
/// bodies[1].position = [0.0, 5.0];
/// let values = joint.evaluate(&bodies, 0.0)?;
/// assert_eq!(values.value, [3.0]); // 5 m apart, 2 m wanted
/// assert_eq!(values.jacobian[0], [0.0, -1.0, 0.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    program: Program,
    compiled: Arc<Compiled>,
    bodies: Vec<Option<usize>>,
    parameters: Vec<Option<Value>>,
    memories: Vec<[f64; 2]>,
    /// What happens at zero length.
    pub at_zero: AtZero,
}

impl Instance {
    /// A joint with nothing bound and the default parameters.
    pub fn new(program: &Program) -> Self {
        let compiled = Arc::clone(program.compiled());
        Self {
            bodies: vec![None; program.bodies().len()],
            parameters: program.parameters().iter().map(|each| each.default).collect(),
            memories: vec![[0.0; 2]; compiled.memories()],
            at_zero: AtZero::default(),
            program: program.clone(),
            compiled,
        }
    }

    /// The program of the joint.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The tapes, for the bodies as they are bound.
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Binds a body of the program to one of the bodies whose states will be given.
    ///
    /// # Errors
    /// If the program has no such body, or is too large with this one under two names.
    pub fn set_body(&mut self, name: &str, index: usize) -> Result<(), InstanceError> {
        let at = find("body", name, self.program.bodies().iter().map(String::as_str))?;
        let before = self.bodies[at].replace(index);
        if before == Some(index) {
            return Ok(());
        }
        // Unbound bodies count as different from all others until they are bound.
        match self.program.compiled_for(&self.slots()) {
            Ok(compiled) => {
                // What was remembered was the direction to another body.
                self.memories = vec![[0.0; 2]; compiled.memories()];
                self.compiled = compiled;
                Ok(())
            }
            Err(_) => {
                self.bodies[at] = before;
                Err(InstanceError::TooLarge)
            }
        }
    }

    /// The number that a body of the program is bound to.
    ///
    /// # Errors
    /// If the program has no such body.
    pub fn body(&self, name: &str) -> Result<Option<usize>, InstanceError> {
        let at = find("body", name, self.program.bodies().iter().map(String::as_str))?;
        Ok(self.bodies[at])
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// If the program has no such parameter, if it has another type, or if the value is NaN.
    /// Whether a `limit` holds is checked on use, once everything is set.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<(), InstanceError> {
        let value = value.into();
        let at = self.parameter(name)?;
        let expected = self.program.parameters()[at].kind;
        if value.kind() != expected {
            let (name, found) = (name.to_owned(), value.kind());
            return Err(InstanceError::WrongType { name, expected, found });
        }
        if value.components().iter().any(|number| number.is_nan()) {
            return Err(InstanceError::NotFinite { what: format!("the parameter `{name}`") });
        }
        self.parameters[at] = Some(value);
        Ok(())
    }

    /// Sets a scalar parameter. See [`set`](Self::set).
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn set_scalar(&mut self, name: &str, value: f64) -> Result<(), InstanceError> {
        self.set(name, value)
    }

    /// Sets a vector parameter. See [`set`](Self::set).
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn set_vector(&mut self, name: &str, value: [f64; 2]) -> Result<(), InstanceError> {
        self.set(name, value)
    }

    /// Sets a matrix parameter, by rows. See [`set`](Self::set).
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn set_matrix(&mut self, name: &str, value: [[f64; 2]; 2]) -> Result<(), InstanceError> {
        self.set(name, value)
    }

    /// The present value of a parameter; a driven one moves.
    ///
    /// # Errors
    /// If the program has no such parameter.
    pub fn get(&self, name: &str) -> Result<Option<Value>, InstanceError> {
        Ok(self.parameters[self.parameter(name)?])
    }

    /// The directions that are remembered for lengths that become zero; (0, 0) until there was one.
    pub fn memories(&self) -> &[[f64; 2]] {
        &self.memories
    }

    fn parameter(&self, name: &str) -> Result<usize, InstanceError> {
        find("parameter", name, self.program.parameters().iter().map(|each| each.name.as_str()))
    }

    /// The slot of each body: names of one body share it.
    fn slots(&self) -> Vec<usize> {
        let mut slots: Vec<usize> = Vec::new();
        let mut next = 0;
        for (at, body) in self.bodies.iter().enumerate() {
            let earlier = body.and_then(|_| self.bodies[..at].iter().position(|each| each == body));
            slots.push(earlier.map_or(next, |earlier| slots[earlier]));
            next += usize::from(earlier.is_none());
        }
        slots
    }

    /// The body in each slot, checked, and the tape's view of everything.
    fn inputs<'a>(
        &'a self,
        bodies: &'a [BodyState],
        time: f64,
        multipliers: &'a [f64],
    ) -> Result<impl Fn(Input) -> f64 + 'a, InstanceError> {
        let mut occupied = Vec::new();
        for (slot, (name, index)) in
            self.slots().into_iter().zip(self.program.bodies().iter().zip(&self.bodies))
        {
            let name = name.clone();
            let index = index.ok_or_else(|| InstanceError::UnboundBody { name: name.clone() })?;
            let count = bodies.len();
            let state = bodies.get(index).ok_or_else(|| InstanceError::NoSuchBody {
                name: name.clone(),
                index,
                count,
            })?;
            let BodyState { position: [x, y], velocity: [u, v], .. } = *state;
            let numbers = [x, y, state.rotation, u, v, state.angular_velocity];
            let masses = [state.inverse_mass, state.inverse_inertia];
            if numbers.iter().chain(&masses).any(|number| !number.is_finite()) {
                return Err(InstanceError::NotFinite { what: format!("the state of `{name}`") });
            }
            if slot == occupied.len() {
                let (sin, cos) = precise::sin_cos(state.rotation);
                occupied.push((*state, sin, cos));
            }
        }
        let mut values = Vec::new();
        for (parameter, value) in self.program.parameters().iter().zip(&self.parameters) {
            let name = || parameter.name.clone();
            values.push(value.ok_or_else(|| InstanceError::UnsetParameter { name: name() })?);
        }
        if !time.is_finite() {
            return Err(InstanceError::NotFinite { what: "the time".to_owned() });
        }
        Ok(move |input| match input {
            Input::PositionX(slot) => occupied[slot].0.position[0],
            Input::PositionY(slot) => occupied[slot].0.position[1],
            Input::Rotation(slot) => occupied[slot].0.rotation,
            Input::Sine(slot) => occupied[slot].1,
            Input::Cosine(slot) => occupied[slot].2,
            Input::VelocityX(slot) => occupied[slot].0.velocity[0],
            Input::VelocityY(slot) => occupied[slot].0.velocity[1],
            Input::AngularVelocity(slot) => occupied[slot].0.angular_velocity,
            Input::Parameter { index, component } => values[index].components()[component],
            Input::Time => time,
            Input::Memory { .. } if self.at_zero == AtZero::Disable => 0.0,
            Input::Memory { site, component } => self.memories[site][component],
            Input::Multiplier(row) => multipliers.get(row).copied().unwrap_or(0.0),
            // Only the tape of changes within a step has others.
            _ => 0.0,
        })
    }

    /// Moves the joint's own state on by `dt`: driven parameters by their rates, and the
    /// directions that are remembered for lengths that become zero.
    ///
    /// A parameter that would become infinite stays, and is reported.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate), without the limits.
    pub fn advance(
        &mut self,
        bodies: &[BodyState],
        time: f64,
        dt: f64,
    ) -> Result<(), InstanceError> {
        let mut cells = Cells::precise(&self.compiled.context);
        cells.fill(self.inputs(bodies, time, &[])?);
        cells.run();
        let mut component = 0;
        let mut moved = self.parameters.clone();
        for (parameter, value) in self.program.parameters().iter().zip(&mut moved) {
            let count = parameter.kind.components();
            if let (true, Some(value)) = (parameter.driven, value.as_mut()) {
                let mut numbers = value.components();
                for (k, number) in numbers.iter_mut().enumerate().take(count) {
                    *number += dt * cells.output(self.compiled.rate_output(component + k));
                }
                *value = Value::from_components(parameter.kind, numbers);
                if !value.is_finite() {
                    let what = format!("the driven parameter `{}`", parameter.name);
                    return Err(InstanceError::NotFinite { what });
                }
            }
            component += count;
        }
        self.parameters = moved;
        for site in 0..self.memories.len() {
            let vector = self.compiled.memory_outputs(site).map(|output| cells.output(output));
            if let Some(direction) = Compiled::direction(vector) {
                self.memories[site] = direction;
            }
        }
        Ok(())
    }
}

fn find<'a>(
    what: &'static str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, InstanceError> {
    names.clone().position(|each| each == name).ok_or_else(|| InstanceError::UnknownName {
        what,
        name: name.to_owned(),
        suggestion: did_you_mean(name, names),
    })
}
