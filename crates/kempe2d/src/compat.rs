//! Joints by the names, arguments, signs and defaults of other engines.
//!
//! Each constructor gives a plain [`JointDef`](crate::JointDef), so everything else here can be added
//! to it. Options of the other engine that all its joints share are an `Options` of the module, whose
//! `apply` puts them into a definition; [`box2d`] and [`rapier`] have whole definitions, as there.
//!
//! What has no constructor of its own is in [`tables`]: every joint, option and function of an engine,
//! and its name here or why there is none.
//!
//! | Coming from | Constructors | Table |
//! |---|---|---|
//! | Box2D 3.2 and 2 | [`box2d`], [`box2d::v2`] | [`tables::box2d`] |
//! | Chipmunk2D 7 | [`chipmunk`] | [`tables::chipmunk`] |
//! | Jolt | those of [`JointDef`](crate::JointDef) | [`tables::jolt`] |
//! | Nape 2 | [`nape`] | [`tables::nape`] |
//! | Rapier 0.35 | [`rapier`] | [`tables::rapier`] |
//!
//! # False friends
//!
//! One word, several meanings:
//!
//! - **Pin joint**: a rod of fixed length in Chipmunk, two points together in Godot. Here they are
//!   [`rod`](crate::JointDef::rod) and [`revolute`](crate::JointDef::revolute).
//! - **Slide joint**: in Chipmunk a length between two bounds, [`range`](crate::JointDef::range). A
//!   slider on a rail is [`prismatic`](crate::JointDef::prismatic).
//! - **Motor joint**: turns one body against another in Nape,
//!   [`angular_motor`](crate::JointDef::angular_motor); drives place and angle in Box2D,
//!   [`drive`](crate::JointDef::drive).
//! - **Damping**: a ratio, 1 for critical, in Nape, Box2D and Jolt's mode of frequencies
//!   ([`Softness::Hertz`](crate::Softness::Hertz)); N·s/m in Chipmunk and in Rapier's springs and
//!   force-based motors ([`Softness::Stiffness`](crate::Softness::Stiffness)); 1/s in Jolt's
//!   mass-normalized mode and in Rapier's other motors
//!   ([`Softness::MassNormalized`](crate::Softness::MassNormalized)).
//! - **Effective mass**: elsewhere (J M⁻¹ Jᵀ)⁻¹; what Nape's user constraints write under this name is
//!   J M⁻¹ Jᵀ, the inverse of it.
//! - **Error bias**: not how much of an error goes, but how much of it Chipmunk leaves after one
//!   second: 0 is at once, 1 is never ([`Softness::ErrorBias`](crate::Softness::ErrorBias)).
//! - **Rate** of a motor: of B against A here and in Nape, of A against B in Chipmunk; so is the rest
//!   angle of its rotary spring. The constructors negate both.
//! - **0 Hz**: no spring here; rigid in Jolt, and in Box2D's welds, whose constructor sees to it.

pub mod box2d;
pub mod chipmunk;
pub mod nape;
pub mod rapier;
pub mod tables;
