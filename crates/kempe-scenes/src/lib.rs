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
//! [`file`](mod@file) has scenes in files, [`run`](mod@run) runs them by either solver and judges what they
//! expect, and [`gallery`](mod@gallery) has many of them. The scenes above are built in Rust: [`names`]
//! lists them; those that have a size, a mass ratio or a drive are also functions of it, such as
//! [`joint_grid`] and [`chain`]. [`accuracy`] measures how far some of them run from what is known of
//! them in closed form or to many digits ([`reference`](mod@reference)) in real time, and [`precision`]
//! how far the reference solver does.

pub mod accuracy;
mod andrews;
mod catalogue;
mod chains;
mod crowds;
mod curves;
mod error;
mod figures;
pub mod file;
pub mod gallery;
mod gearing;
mod grids;
mod linkages;
pub mod listing;
mod machines;
mod models;
mod pendulums;
pub mod precision;
mod programs;
mod pulleys;
pub mod reference;
pub mod run;
mod scene;
mod sliders;
pub mod stability;
mod vehicles;

pub use andrews::{andrews, andrews_angles};
pub use catalogue::{Entry, catalogue, names, scene};
pub use chains::{bridge, chain, chains, heavy_chain, heavy_chain_dropped};
pub use crowds::{gear_pairs, mixed, pulley_pairs};
pub use curves::{Catenary, catenary, orbit, tautochrone};
pub use error::{Error, UnknownScene};
pub use figures::{loose_ragdoll, ragdoll};
pub use gearing::{Planetary, compound_gears, gear_pair, planetary, rack};
pub use grids::{cantilever, cantilevers, cloth, joint_grid, springs};
pub use linkages::{four_bar, n_four_bar, peaucellier, slider_crank};
pub use machines::{
    Atwood, GearTrain, atwood, gear_train, geared_pendulum, ratchet, rope_and_winch,
};
pub use models::{
    damped_spring_pendulum, fixed_connection, hung_rod, loose_pendulum, mass_object,
    one_side_fixed, point_on_line, roped_pendulum,
};
pub use pendulums::{
    compound_pendulum, double_pendulum, double_pendulum_from, double_weights, pendulum,
    simple_pendulum, spring_pendulum, spring_pendulum_stiff,
};
pub use programs::{bead_on_parabola, cam, rolling, rolling_disc, watt};
pub use pulleys::{double_atwood, heavy_pulley, tackle};
pub use scene::Scene;
pub use sliders::{blow, bounce, friction_stop, stick_slip};
pub use vehicles::wheel;
