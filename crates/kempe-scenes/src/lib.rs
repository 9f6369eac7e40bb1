//! Scenes with names, for tests, benchmarks and demos: one definition of each, used everywhere.
//!
//! ```
//! let mut pendulum = kempe_scenes::scene("pendulum")?;
//! let rod = pendulum.bodies["rod"];
//! pendulum.run(0.5, 1.0 / 60.0)?;
//! assert!(pendulum.world[rod].rotation() < -1.5);
//!
//! let error = kempe_scenes::scene("pendulm").unwrap_err();
//! assert_eq!(error.to_string(), "there is no scene `pendulm`; did you mean `pendulum`?");
//! # Ok::<(), kempe_scenes::Error>(())
//! ```
//!
//! [`names`] lists them. Those that have a size, a mass ratio or a drive are also functions of it,
//! such as [`joint_grid`] and [`chain`]. [`accuracy`] measures how far some of them run from what is
//! known of them in closed form or to many digits ([`reference`](mod@reference)).

pub mod accuracy;
mod catalogue;
mod chains;
mod error;
mod figures;
mod grids;
mod linkages;
mod machines;
mod pendulums;
mod programs;
pub mod reference;
mod scene;
mod summary;
mod vehicles;

pub use catalogue::{Entry, catalogue, names, scene};
pub use chains::{bridge, chain, chains, heavy_chain, heavy_chain_dropped};
pub use error::{Error, UnknownScene};
pub use figures::{loose_ragdoll, ragdoll};
pub use grids::{cantilever, cantilevers, cloth, joint_grid, springs};
pub use linkages::{four_bar, peaucellier, slider_crank};
pub use machines::{
    Atwood, GearTrain, atwood, gear_train, geared_pendulum, ratchet, rope_and_winch,
};
pub use pendulums::{double_pendulum, pendulum, spring_pendulum};
pub use programs::{bead_on_parabola, cam, rolling_disc, watt};
pub use scene::Scene;
pub use summary::{JointSummary, Summary, summary};
pub use vehicles::wheel;
