//! What each engine calls its joints, options and functions, and what is here instead.
//!
//! Every name on the right exists, and every constructor there has been built and stepped: a test
//! reads these tables.

#[doc = include_str!("../../docs/coming-from/box2d.md")]
pub mod box2d {}

#[doc = include_str!("../../docs/coming-from/chipmunk.md")]
pub mod chipmunk {}

#[doc = include_str!("../../docs/coming-from/jolt.md")]
pub mod jolt {}

#[doc = include_str!("../../docs/coming-from/nape.md")]
pub mod nape {}

#[doc = include_str!("../../docs/coming-from/rapier.md")]
pub mod rapier {}
