//! What a real-time solver needs of a joint at the start of a step.

use super::{BodyState, Bound, Instance, InstanceError};
use crate::compile::Compiled;
use crate::tape::Cells;
use std::sync::Arc;

/// The numbers of a joint at the start of a step, in f64; one can serve many joints with the same
/// tapes in turn. See [`Instance::start`].
#[derive(Clone, Debug)]
pub struct Start {
    compiled: Arc<Compiled>,
    start: Cells<f64>,
    context: Cells<f64>,
}

impl Start {
    /// Room for joints with these tapes.
    pub fn new(compiled: &Arc<Compiled>) -> Self {
        Self {
            start: Cells::precise(&compiled.start),
            context: Cells::precise(&compiled.context),
            compiled: Arc::clone(compiled),
        }
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
        (self.compiled.kinds.len()..self.start.tape().outputs().len())
            .map(|output| self.start.output(output))
    }

    /// The bounds of a row.
    pub fn bound(&self, row: usize) -> Bound {
        let [lower, upper, lower_rate, upper_rate] =
            self.compiled.bound_outputs(row).map(|output| self.context.output(output));
        Bound { lower, upper, lower_rate, upper_rate }
    }

    /// How fast each component of each parameter moves.
    pub fn rates(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.compiled.parameter_components)
            .map(|component| self.context.output(self.compiled.rate_output(component)))
    }
}

impl Instance {
    /// Computes what a step starts from. `start` must be of this joint's [`Compiled`].
    ///
    /// # Errors
    /// If a body is unbound, a parameter unset, a `limit` of the program fails, bounds cross, or a
    /// number that comes in or out is not finite.
    pub fn start(
        &self,
        start: &mut Start,
        bodies: &[BodyState],
        time: f64,
    ) -> Result<(), InstanceError> {
        let inputs = self.inputs(bodies, time, &[])?;
        start.start.fill(&inputs);
        start.start.run();
        start.context.fill(&inputs);
        start.context.run();
        self.check_context(&start.context)?;
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
