//! The real-time solver: joints in lanes of eight.
//!
//! A joint's held rows are one entry of a *hold* bucket, each law of each of its axes (spring,
//! motor, friction, limit) one entry of a *law* bucket. A bucket holds entries of one kind and one
//! colour, in batches of eight lanes, field by field; entries of a colour share no body that moves.
//! Per sub-step the rows are evaluated once, at the new pose: the relaxing pass at the end of one
//! sub-step and the solve of the next are at the same pose and use the same rows.
//!
//! | file | has |
//! |---|---|
//! | `pieces`, `build`, `fill`, `drive`, `impulses` | joints divided into entries, their places, what is in them, what follows the clock, and what comes back |
//! | `bucket`, `layout`, `common`, `evaluate`, `apart`, `hold`, `quick`, `law` | entries of built-in joints in lanes: layout, rows, passes |
//! | `program`, `fits`, `program_lanes`, `program_rows`, `sight_lanes`, `user_lanes`, `finish` | the same for programs and types of the user |
//! | `wide`, `wide_solve`, `group`, `text_rows` | the same over any number of bodies and rows, for programs, user joints and pulleys |
//! | `islands`, `direct`, `direct_step`, `yielding`, `bounds`, `sweep`, `rows`, `weight`, `momentum` | islands that are solved as a whole |
//! | `tiles`, `passes`, `motion`, `threads` | what goes through a cache together, the passes over it, bodies that move, and who writes what |
//! | `stops`, `lengths` | which stops were touched or left, and directions to remember |

mod apart;
mod bounds;
mod bucket;
mod build;
mod common;
mod crew;
mod direct;
mod direct_step;
mod drive;
mod evaluate;
mod fill;
mod finish;
mod fits;
mod group;
mod hold;
mod impulses;
mod islands;
mod law;
mod layout;
mod lengths;
mod momentum;
mod motion;
mod passes;
mod pieces;
mod program;
mod program_lanes;
mod program_rows;
mod quick;
mod rows;
mod sight_lanes;
mod stops;
mod sweep;
mod text_rows;
mod threads;
mod tiles;
mod user_lanes;
mod weight;
mod wide;
mod wide_solve;
mod yielding;

pub(crate) use bucket::{LANES, LawKind};
#[cfg(test)]
pub(crate) use build::Places;
pub(crate) use build::Solver;
pub(crate) use crew::Crew;
pub(crate) use finish::{Fields, Found, finish, finish_angle};
pub(crate) use hold::Pass;
pub use islands::Direct;
pub(crate) use motion::{Push, turn};
#[cfg(feature = "reference")]
pub(crate) use pieces::is_held;
pub(crate) use pieces::{Piece, connects, pieces, takes_part};
pub(crate) use threads::{Shared, divide_list};

/// Coefficients of softness.
pub(crate) const SOFT: usize = bucket::Layout::SOFT;

/// Floats of a body's state: v_x v_y ω Δθ | Δx Δy cos sin.
pub(crate) const HOT: usize = 8;

/// Nobody has a rotation too, so that turning it gives numbers.
const NOBODY: [f32; HOT] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// The state of the bodies in f32, as changes since the start of the step. Body 0 is nobody: padding
/// lanes read it, or rows behind the bodies, and write such.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hot {
    pub floats: Vec<f32>,
}

impl Hot {
    /// Room for so many bodies, and for rows that lanes write what nothing moves to.
    pub(crate) fn reset(&mut self, bodies: usize, spare: usize) {
        self.floats.clear();
        self.floats.resize(HOT * (bodies + 1 + spare), 0.0);
        self.floats[HOT * (bodies + 1)..].as_chunks_mut().0.fill(NOBODY);
        self.reset_nobody();
    }

    pub(crate) fn reset_nobody(&mut self) {
        if let Some(nobody) = self.floats.first_chunk_mut() {
            *nobody = NOBODY;
        }
    }

    /// The floats of the body in a slot of the pool.
    pub(crate) fn body_mut(&mut self, slot: usize) -> &mut [f32] {
        &mut self.floats[HOT * (slot + 1)..HOT * (slot + 2)]
    }

    pub(crate) fn body(&self, slot: usize) -> &[f32] {
        &self.floats[HOT * (slot + 1)..HOT * (slot + 2)]
    }
}
