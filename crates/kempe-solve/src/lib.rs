//! The parts of a constraint solver that know neither kinds of joints nor the dimension.
//!
//! * [`Pool`]: values under generational handles that never alias and belong to their world.
//! * [`Islands`]: which bodies can influence one another.
//! * [`Coloring`]: which constraints can be solved side by side.
//! * [`Softness`]: what a constraint does about its error, and the coefficients of a step.
//! * [`Block`]: the small symmetric system of one joint's rows, singular ones included.
//! * [`Envelope`]: the large one of an island's, in which most rows do not meet.
//! * [`RowSystem`]: rows over any number of bodies with any number of freedoms.
//! * `sparse` (a feature): whole systems of equations, and which of their rows are redundant.

mod block;
mod coloring;
mod envelope;
mod islands;
mod pool;
mod rows;
mod softness;
#[cfg(feature = "sparse")]
pub mod sparse;

pub use block::Block;
pub use coloring::{Coloring, MAX_COLORS};
pub use envelope::{Envelope, cuthill_mckee};
pub use islands::Islands;
pub use pool::{Handle, Owner, Pool, PoolError, Run};
pub use rows::{InverseMass, Row, RowSystem};
pub use softness::{Coefficients, Softness, SoftnessError};
