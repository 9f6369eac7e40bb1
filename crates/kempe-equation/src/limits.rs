//! How large a program may be.
//!
//! Whatever is typed in, compiling it ends soon and in little memory: every limit below gives an
//! error of kind [`crate::ErrorKind::TooLarge`] that names it. All are far above what a joint
//! needs; the largest program of the gallery has fewer than 30 lines, 4 bodies and 3 rows.

/// Bytes of source.
pub const MAX_SOURCE: usize = 64 * 1024;
/// Brackets, prefixes and exponents inside one another.
pub const MAX_DEPTH: usize = 64;
/// Bodies of one program.
pub const MAX_BODIES: usize = 16;
/// Numbers that the parameters of one program hold together.
pub const MAX_PARAMETERS: usize = 256;
/// Rows of the constraint, and of the velocity constraint, and axes: each.
pub const MAX_ROWS: usize = 32;
/// Nodes of the graph of expressions, derivatives included.
pub const MAX_NODES: usize = 60_000;
/// Operations on one tape, its inputs and constants counted in.
pub const MAX_TAPE: usize = 16_000;
/// Errors that are reported for one program; the rest are counted.
pub const MAX_DIAGNOSTICS: usize = 50;
