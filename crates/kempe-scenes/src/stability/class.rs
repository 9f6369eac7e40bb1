//! Classes of random worlds.

use super::maker::{Maker, Mechanism, Sample};
use super::random::Random;
use super::{mixed, rows, soft, stops, trees};
use crate::error::Error;
use kempe2d::Vec2;

/// What is asked of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// That no energy is gained.
    Passive,
    /// That it comes to a compromise: what moves at the end has no more energy than a fall over its size.
    Compromise,
}

/// Random worlds of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// As it is written.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// What is asked of it.
    pub asked: Asked,
    /// How far joints may be open after the first second, m, where they are rigid.
    pub gap: Option<f64>,
    /// Whether every engine has some of it: see [`plain`](Self::plain).
    pub shared: bool,
    make: fn(&mut Maker<'_>) -> Result<(), Error>,
    /// How many mechanisms there are in a world.
    pub mechanisms: usize,
}

const fn rigid(
    name: &'static str,
    about: &'static str,
    make: fn(&mut Maker<'_>) -> Result<(), Error>,
) -> Class {
    let (asked, gap) = (Asked::Passive, Some(0.01));
    Class { name, about, asked, gap, shared: true, make, mechanisms: 1 }
}

const fn soft(
    name: &'static str,
    about: &'static str,
    make: fn(&mut Maker<'_>) -> Result<(), Error>,
) -> Class {
    Class { gap: None, ..rigid(name, about, make) }
}

/// All of them.
pub const CLASSES: &[Class] = &[
    rigid("trees", "2 to 10 bars by pins, rods, welds, sliders and slots with stops", trees::trees),
    rigid("rods_loops", "trees with 1 to 4 rods that close loops", trees::rods_loops),
    rigid("pin_loops", "trees with 1 to 4 pins that close loops", trees::pin_loops),
    rigid("doubled", "trees with 60 % of their joints twice", trees::doubled),
    rigid("two_pins", "two bars with two pins between them", rows::two_pins),
    rigid("parallelograms", "1 to 6 parallelograms in a row", rows::parallelograms),
    rigid("parallelograms_20", "20 parallelograms in a row", rows::parallelograms_20),
    rigid("cranks", "3 to 6 equal cranks on one coupler", rows::cranks),
    rigid("heavy_chains", "3 to 20 links with a load of 10 to 10⁴ links", rows::heavy_chains),
    Class {
        gap: Some(0.05),
        ..rigid("heavier_chains", "the same up to 10⁶", rows::heavier_chains)
    },
    soft("beams", "4 to 20 bars by pins with springs", soft::beams),
    Class { shared: false, ..soft("soft_welds", "the same by soft welds", soft::soft_welds) },
    rigid("stops", "light bars between stops", stops::stops),
    soft("springs", "springs of 0.1 to 300 Hz between bars, balls and the frame", soft::springs),
    Class { shared: false, ..rigid("friction", "trees with friction and limits", trees::friction) },
    Class { shared: false, ..soft("mixed", "every kind of joint with any option", mixed::mixed) },
    Class {
        asked: Asked::Compromise,
        shared: false,
        ..soft("contradictory", "joints that cannot all be held", stops::contradictory)
    },
    rigid("far_anchors", "anchors 2 to 20 m away from bars of 0.2 m", trees::far_anchors),
    rigid("coincident", "pins at centres of mass, and many at one point", trees::coincident),
    Class {
        shared: false,
        mechanisms: 400,
        ..rigid("crowd", "400 trees, half of them with joints twice, in one world", crowd)
    },
];

/// A mechanism of a crowd.
fn crowd(maker: &mut Maker<'_>) -> Result<(), Error> {
    // Three of four are left to lanes: their masses are near each other.
    if maker.random.chance(0.75) {
        maker.masses = [0.5, 5.0];
    }
    match maker.random.chance(0.5) {
        true => trees::hanging(maker),
        false => trees::doubled_hanging(maker),
    }
}

/// Mechanisms of a crowd are so far apart, m.
const APART: f64 = 10.0;

impl Class {
    /// The class of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        CLASSES.iter().find(|class| class.name == name)
    }

    /// What a mechanism may gain, or move at the end, in parts of its scale.
    pub fn most_gain(&self) -> f64 {
        match self.asked {
            Asked::Passive => 0.01,
            Asked::Compromise => 1.0,
        }
    }

    /// The same with so many mechanisms in a world.
    #[must_use]
    pub const fn with_mechanisms(self, mechanisms: usize) -> Self {
        Self { mechanisms, ..self }
    }

    /// The world of a seed.
    ///
    /// # Errors
    /// None but what a world refuses.
    pub fn world(&self, seed: u64) -> Result<Sample, Error> {
        self.build(seed, false)
    }

    /// The same with joints alone that every engine has.
    ///
    /// # Errors
    /// None but what a world refuses.
    pub fn plain(&self, seed: u64) -> Result<Sample, Error> {
        self.build(seed, true)
    }

    fn build(&self, seed: u64, plain: bool) -> Result<Sample, Error> {
        let mut sample = Sample::new()?;
        for k in 0..self.mechanisms {
            let row = 20;
            let origin = Vec2::new((k % row) as f64, -((k / row) as f64)) * APART;
            let random = Random::new(self.name, seed.wrapping_add((k as u64) << 32));
            let mut maker = Maker::new(&mut sample.world, random, origin, plain)?;
            (self.make)(&mut maker)?;
            let made: Mechanism = maker.made;
            sample.mechanisms.push(made);
        }
        Ok(sample)
    }
}
