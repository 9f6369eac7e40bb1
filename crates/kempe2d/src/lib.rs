//! Rigid bodies and joints in the plane.
//!
//! ```
//! use kempe2d::{BodyDef, Shape, Vec2, World};
//!
//! let mut world = World::default();
//! let ball = world.add_body(&BodyDef {
//!     position: Vec2::new(0.0, 10.0),
//!     shapes: vec![(Shape::circle(0.5), 1000.0)],
//!     ..BodyDef::dynamic()
//! })?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!((world[ball].velocity().y + 9.81).abs() < 1e-9);
//! # Ok::<(), kempe2d::Error>(())
//! ```
//!
//! SI units and radians; y points up and counter-clockwise is positive. Positions, unwrapped angles
//! and velocities are f64, so a world may be large. Everything that comes from outside is tested:
//! a bad number, a stale handle or one of another world gives an [`Error`] that names it, and leaves
//! the world as it was, to the bit ([`World::state_hash`]).
//!
//! A joint ([`JointDef`]) holds equations and leaves axes, and each axis can have a limit, a motor, a
//! spring, a force law, friction or a ratchet. It is one of the built-in kinds ([`JointKind`]), a
//! program ([`TextJoint`]) or a type of yours ([`Constraint`], [`UserJoint`]); what it is called
//! elsewhere is a constructor of [`JointDef`], and [`KindInfo`] lists them all; [`compat`] has the
//! constructors of Chipmunk2D, Nape, Box2D and Rapier under their own names. [`World::step`] solves
//! joints in lanes of eight, in sub-steps, on as many threads as [`Settings`] say, with one result on
//! every machine; small worlds and islands of uneven masses as a whole ([`Direct`]). Contacts are not
//! here yet; the step shows their place.
//!
//! For those who design mechanisms, the feature `reference` has [`Reference`], which steps to as many
//! digits as asked, and answers that need no step: [`World::assemble`] from a sketch,
//! [`World::mobility`], [`World::static_reactions`], [`World::drive_force`], [`World::energies`],
//! [`World::settle`] and [`World::oscillations`].

#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod bench;
mod body;
pub mod compat;
mod draw;
mod error;
mod expression;
mod general;
mod joint;
mod joints;
mod law;
mod mass;
mod path;
#[cfg(feature = "reference")]
mod reference;
mod report;
mod solver;
mod text;
mod user;
mod world;

pub use body::{Body, BodyDef, BodyId, BodyKind, Locked, Mass};
pub use draw::{Draw, DrawOptions, Role, Svg};
pub use error::Error;
pub use expression::Target;
pub use joint::{
    Axis, Break, Curve, ForceRange, Joint, JointDef, JointId, JointKind, KindInfo, Limit, Motor,
    OnBreak, Pull, Ratchet, Spring, Term,
};
/// The language of joints.
pub use kempe_equation as equation;
pub use kempe_scalar::{Dual, Real, Vec2};
pub use kempe_solve::Softness;
pub use law::{ForceLaw, Law};
pub use mass::{Area, MassProperties, Shape};
pub use path::Path;
#[cfg(feature = "reference")]
pub use reference::{
    Assembled, AxisMotion, BodyEnergy, BodyMotion, By, DesignError, DriveForce, Energies,
    EnergyAudit, Equilibrium, JointEnergy, Mechanism, Method, Mobility, Oscillation, Reaction,
    Reactions, Redundancy, Reference, ReferenceError, ReferenceReport, RowForce, RowOf,
};
pub use report::{Cause, Counts as StepCounts, Event, StepReport, Times};
pub use solver::Direct;
pub use text::TextJoint;
pub use user::{Constraint, Counts, Jacobian, Pose, UserJoint};
#[doc(hidden)]
pub use world::snapshot_checksum;
pub use world::{AxisForce, JointForce, Registry, Settings, Springs, World};
