//! A language in which joints are written as equations.
//!
//! A program declares bodies and parameters and states what holds:
//!
//! ```
//! use kempe_equation::{BodyState, Instance, Program};
//!
//! let pivot = Program::parse(
//!     "body a, b
//!      vector anchor_a, anchor_b
//!      constraint (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
//!      axis angle = b.rotation - a.rotation",
//! )?;
//!
//! let mut joint = Instance::new(&pivot);
//! joint.set_body("a", 0)?;
//! joint.set_body("b", 1)?;
//! joint.set_vector("anchor_a", [1.0, 0.0])?;
//! joint.set_vector("anchor_b", [-1.0, 0.0])?;
//!
//! let mut bodies = [BodyState::default(); 2];
//! bodies[1].position = [2.0, 0.1];
//! let values = joint.evaluate(&bodies, 0.0)?;
//! assert_eq!(values.value, [0.0, 0.1, 0.0]); // the gap, and the angle
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Program::parse`] reads and checks it, or gives every mistake with its place ([`Errors`],
//! drawn by [`render`]). The typed tree is differentiated along motions of the bodies, simplified,
//! and flattened into tapes ([`Compiled`]) that give C, the Jacobian J, the velocity bias ∂C/∂t,
//! the acceleration bias and ∂(Jᵀλ)/∂x. A tape runs in f64 for one joint ([`Instance`]) or in f32
//! for 64 joints at a time ([`Cells`]), and can give the change of C within a step, so that
//! nothing is lost far from the origin. [`Program::explain_text`] shows C, V, J, K and the bias as
//! mathematics.
//!
//! The language is described in [`language`]; [`gallery`] has programs to start from.

mod check;
mod compile;
mod delta;
mod derive;
mod emit;
mod error;
mod explain;
mod format;
pub mod gallery;
mod graph;
mod instance;
mod lexer;
pub mod limits;
mod lower;
mod parser;
mod print;
mod program;
#[cfg(feature = "render")]
pub mod render;
mod sight;
mod syntax;
mod tape;
mod types;

pub use compile::{Compiled, RowKind};
pub use emit::EmitError;
pub use error::{Diagnostic, ErrorKind, Errors, Span, nearest};
pub use explain::{Explained, Explanation, JacobianEntry, sample};
pub use instance::{
    AtZero, BodyState, Bound, Evaluation, Instance, InstanceError, SecondOrder, SlotState, Start,
};
pub use print::{Listing, Style};
pub use program::{Parameter, Program, SlotsError};
pub use sight::Sight;
pub use tape::{Block, Borrowed, Cells, Input, LANES, Output, PreciseBlock, Tape};
pub use types::{Type, Value};

#[doc = include_str!("../docs/language.md")]
pub mod language {}
