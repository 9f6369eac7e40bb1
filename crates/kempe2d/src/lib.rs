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
//! spring and friction. The solver runs in lanes of eight, in sub-steps, with one result on every
//! instruction set. Contacts are not here yet; [`World::step`] shows their place.

mod body;
mod error;
mod joint;
mod joints;
mod mass;
mod solver;
mod world;

pub use body::{Body, BodyDef, BodyId, BodyKind, Locked, Mass};
pub use error::Error;
pub use joint::{Axis, ForceRange, Joint, JointDef, JointId, JointKind, Limit, Motor, Spring};
pub use kempe_scalar::Vec2;
pub use kempe_solve::Softness;
pub use mass::{Area, MassProperties, Shape};
pub use world::{Event, Settings, StepReport, World};
