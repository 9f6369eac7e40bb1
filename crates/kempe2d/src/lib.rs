//! Rigid bodies in the plane.

mod body;
mod error;
mod mass;

pub use body::{Body, BodyDef, BodyId, BodyKind, Locked, Mass};
pub use error::Error;
pub use kempe_scalar::Vec2;
pub use mass::{Area, MassProperties, Shape};
