//! What a real-time solver needs of a joint at the start of a step.

use super::{AtZero, BodyState, Bound, Instance, InstanceError};
use crate::compile::Compiled;
use crate::tape::{Cells, Input, Output};
use std::sync::Arc;

/// The numbers of a joint at the start of a step, in f64; one can serve many joints with the same
/// tapes in turn. See [`Instance::start`].
#[derive(Clone, Debug)]
pub struct Start {
    compiled: Arc<Compiled>,
    start: Cells<f64>,
    context: Cells<f64>,
    /// Whether nothing of the context changes.
    constant: bool,
}

/// The state of the body in a slot, with its rotation's sine and cosine.
#[derive(Clone, Copy, Debug)]
pub struct SlotState {
    /// The body.
    pub body: BodyState,
    /// sin θ.
    pub sin: f64,
    /// cos θ.
    pub cos: f64,
}

impl Start {
    /// Room for joints with these tapes.
    pub fn new(compiled: &Arc<Compiled>) -> Self {
        let still = |output: &Output| !matches!(output, Output::Cell(_) | Output::Negated(_));
        Self {
            constant: compiled.context.outputs().iter().all(still),
            start: Cells::precise(&compiled.start),
            context: Cells::precise(&compiled.context),
            compiled: Arc::clone(compiled),
        }
    }

    /// Whether the bounds and the rates of parameters are the same for every joint, always.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// The tapes.
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// C or q of a row, 0 for a velocity row.
    pub fn value(&self, row: usize) -> f64 {
        self.start.output(row)
    }

    /// What [`Compiled::step`] takes as [`Input::Base`](crate::Input::Base), in their order.
    pub fn bases(&self) -> impl Iterator<Item = f64> + '_ {
        let first = self.compiled.kinds.len();
        (first..first + self.compiled.bases()).map(|output| self.start.output(output))
    }

    /// The bounds of a row.
    pub fn bound(&self, row: usize) -> Bound {
        self.compiled.bound(&self.context, row)
    }

    /// How fast each component of each parameter moves.
    pub fn rates(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.compiled.parameter_components)
            .map(|component| self.context.output(self.compiled.rate_output(component)))
    }
}

impl Instance {
    /// Computes what a step starts from, given the state of the body in each slot. `start` must be of
    /// this joint's [`Compiled`].
    ///
    /// # Errors
    /// If a body is missing, a parameter unset, a `limit` of the program fails, bounds cross, or a
    /// number that comes out is not finite.
    pub fn start(
        &self,
        start: &mut Start,
        slots: &[SlotState],
        time: f64,
    ) -> Result<(), InstanceError> {
        if let Some(unset) = self.parameters.iter().position(Option::is_none) {
            let name = self.program.parameters()[unset].name.clone();
            return Err(InstanceError::UnsetParameter { name });
        }
        if slots.len() < self.compiled.slots {
            return Err(InstanceError::NotFinite { what: "a body that is missing".to_owned() });
        }
        let inputs = |input: Input| match input {
            Input::PositionX(slot) => slots[slot].body.position[0],
            Input::PositionY(slot) => slots[slot].body.position[1],
            Input::Rotation(slot) => slots[slot].body.rotation,
            Input::Sine(slot) => slots[slot].sin,
            Input::Cosine(slot) => slots[slot].cos,
            Input::VelocityX(slot) => slots[slot].body.velocity[0],
            Input::VelocityY(slot) => slots[slot].body.velocity[1],
            Input::AngularVelocity(slot) => slots[slot].body.angular_velocity,
            Input::Parameter { index, component } => {
                self.parameters[index].map_or(0.0, |value| value.components()[component])
            }
            Input::Time => time,
            Input::Memory { .. } if self.at_zero == AtZero::Disable => 0.0,
            Input::Memory { site, component } => self.memories[site][component],
            _ => 0.0,
        };
        start.start.fill(inputs);
        start.start.run();
        if !start.constant {
            start.context.fill(inputs);
            start.context.run();
        }
        if !start.constant || self.compiled.checks > 0 {
            self.check_context(&start.context)?;
        }
        for row in 0..self.compiled.kinds.len() {
            if !start.value(row).is_finite() {
                return Err(InstanceError::NotFinite { what: self.row_name(row) });
            }
        }
        Ok(())
    }

    /// Gives back directions that were remembered; those of another program are not taken.
    pub fn set_memories(&mut self, memories: &[[f64; 2]]) {
        if memories.len() == self.memories.len() {
            self.memories.copy_from_slice(memories);
        }
    }
}
