//! Joints by the names, arguments, signs and defaults of other engines.
//!
//! Each constructor gives a plain [`JointDef`](crate::JointDef), so everything else here can be added
//! to it. Options of the other engine that all its joints share are an `Options` of the module, whose
//! `apply` puts them into a definition; [`box2d`] and [`rapier`] have whole definitions, as there.

pub mod box2d;
pub mod chipmunk;
pub mod nape;
pub mod rapier;
