//! Lanes of `f32`, and elementary functions that give the same bits on every machine.
//!
//! A simulation that two machines must agree on cannot call the sine of the system's library: each
//! platform ships another one, and they differ in the last bits. Nor can it let the width of the
//! vector registers show in its results. This crate offers what is needed to do without both:
//!
//! * [`Lanes`], a handful of `f32` worked on together. It is implemented for plain `f32`, for a
//!   portable array, and on `x86_64` for the registers of SSE2 and AVX2.
//! * [`Isa`], the instruction sets that this processor can run, and [`Isa::run`], which compiles a
//!   [`Kernel`] for each of them and calls the one asked for.
//! * [`sin_cos`], [`asin`], [`acos`], [`atan2`], [`exp`], [`ln`], [`powf`] and [`sign`], without
//!   branches and generic over the lanes.
//! * [`precise`], the same functions in `f64`, one number at a time.
//! * [`Real`], one trait over `f64`, lanes and [`Dual`] numbers, so that an equation is written once;
//!   and [`Vec2`] over it.
//!
//! # Why the bits are the same
//!
//! IEEE 754 defines the result of `+`, `−`, `×`, `÷`, the square root, comparisons and the conversion
//! from integers to the last bit. Everything here is made of these alone, in one fixed order that
//! does not depend on the width: there is no fused multiply-add (the compiler never forms one by
//! itself), no estimate of a reciprocal, no call into the system's mathematics library, and no sum
//! *across* lanes. Where instruction sets leave a choice (the minimum of two zeros, say)
//! [`Lanes`] prescribes one.
//!
//! Three things are outside the promise. The sign and the payload of a NaN are not defined by
//! the language, so only *being* a NaN is the same everywhere. The floating-point environment must
//! be the default one: rounding to nearest, subnormal numbers not flushed. And a target that
//! computes `f32` in wider registers (32-bit x86 without SSE2) does not follow IEEE 754 in the first
//! place.
//!
//! # Example
//!
//! ```
//! use kempe_scalar::{Isa, Kernel, Lanes, sin_cos};
//!
//! /// Replaces each angle by its sine.
//! struct Sines<'a>(&'a mut [f32]);
//!
//! impl Kernel for Sines<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     fn run<L: Lanes>(self) {
//!         let mut chunks = self.0.chunks_exact_mut(L::WIDTH);
//!         for chunk in &mut chunks {
//!             let (sine, _) = sin_cos(L::load_from(chunk));
//!             sine.store_to(chunk);
//!         }
//!         for angle in chunks.into_remainder() {
//!             *angle = sin_cos(*angle).0;
//!         }
//!     }
//! }
//!
//! let angles: Vec<f32> = (0..100).map(|index| index as f32 * 0.1).collect();
//! let mut expected = angles.clone();
//! Isa::best().run(Sines(&mut expected));
//! for isa in Isa::available() {
//!     let mut sines = angles.clone();
//!     isa.run(Sines(&mut sines));
//!     assert_eq!(sines, expected, "{}", isa.name());
//! }
//! ```

mod dual;
mod functions;
mod isa;
mod lanes;
pub mod precise;
mod prefetch;
mod real;
mod vector;

pub use dual::Dual;
pub use functions::{acos, asin, atan2, exp, ln, powf, sign, sin_cos};
pub use isa::{Isa, Kernel};
pub use lanes::Lanes;
pub use prefetch::prefetch;
pub use real::Real;
pub use vector::Vec2;
