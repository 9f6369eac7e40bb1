//! Every scene by its name.

use crate::error::{Error, UnknownScene};
use crate::scene::Scene;
use crate::{
    chains, curves, figures, gearing, grids, linkages, machines, models, pendulums, programs,
    pulleys, sliders, vehicles,
};
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
    passive("simple_pendulum", "a weight on a massless rod of 1 m", pendulums::simple_pendulum),
    passive("compound_pendulum", "a plate of 1 m, released just off its top", || {
        pendulums::compound_pendulum(0.1, 0.99 * PI)
    }),
    passive("double_weights", "two weights on massless rods, from 30° and 45°", || {
        pendulums::double_weights([PI / 6.0, PI / 4.0])
    }),
    other("spring_pendulum", "a weight on a soft spring", pendulums::spring_pendulum),
    other("spring_pendulum_stiff", "a weight on a spring of 10 000 N/m", || {
        pendulums::spring_pendulum_stiff()
    }),
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
    passive("n_four_bar", "40 four-bar linkages side by side, which could fold", || {
        linkages::n_four_bar(40)
    }),
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
    other("heavy_pulley", "2 kg and 1 kg on a rope over a wheel that turns", || {
        pulleys::heavy_pulley([2.0, 1.0], 0.125)
    }),
    other("double_atwood", "4 kg against 1 kg and 2 kg on a wheel that hangs", || {
        pulleys::double_atwood([4.0, 1.0, 2.0])
    }),
    other("tackle", "3 kg in four strands against 1 kg", || pulleys::tackle(4, 3.0, 1.0)),
    other("planetary", "a sun drives a planet in a ring that stands", || {
        gearing::planetary([24.0, 18.0], gearing::Planetary::Speeds([10.0, 0.0]))
    }),
    other("rack", "a force on a rack turns a pinion", || gearing::rack(2.0, 0.01, 0.1, 1.0)),
    other("rope_and_winch", "a winch hauls a crate with a ball on a rope", || {
        machines::rope_and_winch()
    }),
    other("ratchet", "a driver takes a wheel of 24 teeth on by two a second", || {
        machines::ratchet(24, PI / 9.0)
    }),
    other("friction_stop", "2 kg slide down a slope of 20° until friction stops them", || {
        sliders::friction_stop(-3.0, 0.5, PI / 9.0)
    }),
    other("stick_slip", "a belt drags a block on a spring", sliders::stick_slip),
    other("bounce", "a ball that bounces on the stop of its rail", || sliders::bounce(1.0, 0.8)),
    passive("tautochrone", "a bead on a cycloid", || curves::tautochrone(1.0, 2.0)),
    passive("catenary", "20 links that hang at rest between two points", || {
        Ok(curves::catenary(20, 3.0, 2.0)?.scene)
    }),
    other("orbit", "a body on an ellipse about a centre that draws it", || curves::orbit(0.5)),
    other("wheel", "a cart on sprung wheels that roll, one of them driven", vehicles::wheel),
    other("ragdoll", "a figure with limits and springs that hangs by a hand", figures::ragdoll),
    passive("loose_ragdoll", "the ragdoll without limits and springs", figures::loose_ragdoll),
    passive("bead_on_parabola", "a bead on a wire, from text", programs::bead_on_parabola),
    passive("watt", "the coupler of Watt's linkage, from text", programs::watt),
    other("cam", "a cam and its follower, from text", programs::cam),
    passive("rolling_disc", "a disc rolls down a slope of 30°, from text", || {
        programs::rolling_disc(PI / 6.0)
    }),
    passive("mass_object", "a disc that is thrown", models::mass_object),
    passive("hung_rod", "a rod with its pin off its line", models::hung_rod),
    other("damped_spring_pendulum", "a weight on a spring that loses energy", || {
        models::damped_spring_pendulum()
    }),
    passive("loose_pendulum", "two discs at a fixed distance, tumbling", models::loose_pendulum),
    passive("roped_pendulum", "two discs on a rope that goes taut", models::roped_pendulum),
    passive("one_side_fixed", "a disc on an arm, free to turn there", models::one_side_fixed),
    passive("fixed_connection", "two discs on an arm, fixed to both", models::fixed_connection),
    passive("point_on_line", "a point on a line of a turntable", || models::point_on_line(0.0)),
    other("point_on_rough_line", "the point on a line, with friction", || {
        models::point_on_line(4.0)
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
