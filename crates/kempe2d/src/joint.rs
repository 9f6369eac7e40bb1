//! Joints: what they hold, and what acts on the axes they leave.

mod axis;
mod breaking;
mod cables;
mod cached;
mod catalogue;
mod coupling;
mod def;
mod drives;
mod kept;
mod kind;
mod names;
mod state;

pub use axis::{Axis, ForceRange, Limit, Motor, Ratchet, Spring};
pub use breaking::{Break, OnBreak};
pub use catalogue::KindInfo;
pub use coupling::{Curve, Term};
pub use def::{Joint, JointDef, JointId};
pub use drives::Pull;
pub use kind::JointKind;

pub(crate) use cached::Cached;
pub(crate) use kept::{Acts, Kept};
pub(crate) use kind::KindTag;
