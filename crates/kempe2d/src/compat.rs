//! The joints of other engines, with their names, defaults and signs. Each module makes a
//! [`JointDef`](crate::JointDef), which says what a setting of theirs is here.

pub mod box2d;
pub mod rapier;
