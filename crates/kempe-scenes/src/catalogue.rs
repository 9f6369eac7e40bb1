//! Every scene by its name.

use crate::error::{Error, UnknownScene};
use crate::scene::Scene;
use crate::{chains, figures, grids, linkages, machines, pendulums, programs, vehicles};
use std::f64::consts::PI;

/// A scene that can be had by its name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Whether nothing drives or damps it: kinetic energy and that of the weights stay together
    /// what they are.
    pub passive: bool,
    build: fn() -> Result<Scene, Error>,
}

impl Entry {
    /// Builds the scene.
    ///
    /// # Errors
    /// None but what a world refuses.
    pub fn build(&self) -> Result<Scene, Error> {
        Ok(Scene { name: self.name, ..(self.build)()? })
    }
}

const fn passive(
    name: &'static str,
    about: &'static str,
    build: fn() -> Result<Scene, Error>,
) -> Entry {
    Entry { name, about, passive: true, build }
}

const fn other(
    name: &'static str,
    about: &'static str,
    build: fn() -> Result<Scene, Error>,
) -> Entry {
    Entry { name, about, passive: false, build }
}

const SCENES: &[Entry] = &[
    passive("pendulum", "a rod of 1 m, released horizontal", pendulums::pendulum),
    passive("double_pendulum", "two rods of 1 m, released horizontal", pendulums::double_pendulum),
    other("spring_pendulum", "a weight on a soft spring", pendulums::spring_pendulum),
    passive("chain", "50 links, released horizontal", || chains::chain(50, 1.0)),
    other("chains", "200 chains of 50 links", || chains(200, 50)),
    passive("heavy_chain", "20 links of 1 kg that hang, and a ball of 1000 kg", || {
        chains::heavy_chain(20, 1000.0)
    }),
    passive("heavy_chain_dropped", "the heavy chain, released horizontal", || {
        chains::heavy_chain_dropped(20, 1000.0)
    }),
    passive("bridge", "1000 planks between two banks", || chains::bridge(1000, 1.0)),
    passive("joint_grid", "100 × 100 discs, pinned to their neighbours", || {
        grids::joint_grid(100, 100)
    }),
    passive("cloth", "100 × 100 discs with rods between them", || grids::cloth(100, 100)),
    passive("cantilever", "five boxes, welded in a row to a wall", || grids::cantilever(5, 1.0)),
    passive("cantilevers", "2000 cantilevers of five boxes", || grids::cantilevers(2000, 5)),
    other("springs", "5000 pairs of discs with a spring between them", || grids::springs(5000)),
    passive("four_bar", "crank, coupler and rocker, from rest", linkages::four_bar),
    passive("peaucellier", "seven bars that draw an exact straight line", linkages::peaucellier),
    passive("slider_crank", "crank, rod and slider that run freely at 6 rad/s", || {
        linkages::slider_crank(6.0)
    }),
    other("gear_train", "17 teeth drive 40 at 10 turns a second, 5 N·m", || {
        machines::gear_train(machines::GearTrain::default())
    }),
    passive("geared_pendulum", "an uneven wheel that swings and turns a pinion", || {
        machines::geared_pendulum()
    }),
    other("atwood", "2 kg and 1 kg on a rope over a pulley", || {
        machines::atwood(machines::Atwood { masses: [2.0, 1.0], ratio: 1.0 })
    }),
    other("block_and_tackle", "1 kg and 1.5 kg on a pulley of ratio 2", || {
        machines::atwood(machines::Atwood { masses: [1.0, 1.5], ratio: 2.0 })
    }),
    other("rope_and_winch", "a winch hauls a crate with a ball on a rope", || {
        machines::rope_and_winch()
    }),
    other("ratchet", "a driver takes a wheel of 24 teeth on by two a second", || {
        machines::ratchet(24, PI / 9.0)
    }),
    other("wheel", "a cart on sprung wheels that roll, one of them driven", vehicles::wheel),
    other("ragdoll", "a figure with limits and springs that hangs by a hand", figures::ragdoll),
    passive("loose_ragdoll", "the ragdoll without limits and springs", figures::loose_ragdoll),
    passive("bead_on_parabola", "a bead on a wire, from text", programs::bead_on_parabola),
    passive("watt", "the coupler of Watt's linkage, from text", programs::watt),
    other("cam", "a cam and its follower, from text", programs::cam),
    passive("rolling_disc", "a disc rolls down a slope of 30°, from text", || {
        programs::rolling_disc(PI / 6.0)
    }),
];

/// Every scene that has a name.
pub fn catalogue() -> &'static [Entry] {
    SCENES
}

/// The names of the scenes, and what each is in a line.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|entry| (entry.name, entry.about))
}

/// The scene of this name.
///
/// # Errors
/// If there is none: the names that are near.
pub fn scene(name: &str) -> Result<Scene, Error> {
    match SCENES.iter().find(|entry| entry.name == name) {
        Some(entry) => entry.build(),
        None => Err(UnknownScene::new(name, SCENES.iter().map(|entry| entry.name)).into()),
    }
}
