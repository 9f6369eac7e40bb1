//! The joint scenes of `kempe-scenes` on Kempe, on Box2D v3 and on Rapier, in one program.
//!
//! ```text
//! cargo run --release -p kempe-peers -- --help
//! ```
//!
//! A scene is built once, as a Kempe world; [`model`] reads bodies and joints from it, and the other
//! engines are built from that. [`run`] times the engines in turns, [`guard`] tells when other
//! processes had the machine, [`measure`] has the gaps and energies that stand beside the times, and
//! [`report`] writes it down. [`stability`] lets random mechanisms fall on all of them. [`growth`] and [`memory`] look at Kempe by itself.

pub mod allocator;
pub mod arguments;
pub mod box2d;
pub mod engine;
pub mod failure;
pub mod growth;
pub mod guard;
pub mod kempe;
pub mod measure;
pub mod memory;
pub mod model;
pub mod page;
pub mod rapier;
pub mod report;
pub mod run;
pub mod scenes;
pub mod stability;
pub mod targets;
pub mod text;
pub mod user;
