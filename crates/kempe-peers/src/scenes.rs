//! The scenes that are run.

use crate::failure::Failure;
use kempe_scenes::{
    Scene, bridge, cantilevers, chains, cloth, gear_pairs, joint_grid, mixed, pulley_pairs, springs,
};

/// A scene by its name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As it is written.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    full: fn() -> Result<Scene, kempe_scenes::Error>,
    small: fn() -> Result<Scene, kempe_scenes::Error>,
}

/// All of them.
pub const SCENES: [Entry; 9] = [
    Entry {
        name: "joint_grid",
        about: "100 × 100 discs, pinned to their neighbours; seven of the top row are fixed",
        full: || joint_grid(100, 100),
        small: || joint_grid(10, 10),
    },
    Entry {
        name: "chains",
        about: "200 chains of 50 boxes, released horizontal",
        full: || chains(200, 50),
        small: || chains(3, 10),
    },
    Entry {
        name: "bridge",
        about: "1000 planks on a parabola between two banks",
        full: || bridge(1000, 1.0),
        small: || bridge(20, 1.0),
    },
    Entry {
        name: "cantilevers",
        about: "2000 rows of five boxes, welded together and to a wall",
        full: || cantilevers(2000, 5),
        small: || cantilevers(4, 5),
    },
    Entry {
        name: "springs",
        about: "5000 pairs of discs with a damped spring between them, no gravity",
        full: || springs(5000),
        small: || springs(10),
    },
    Entry {
        name: "cloth",
        about: "100 × 100 discs with rods between them; the top row is fixed",
        full: || cloth(100, 100),
        small: || cloth(8, 8),
    },
    Entry {
        name: "mixed",
        about: "300 ragdolls and 300 walking linkages: revolute joints with limits, springs and motors, \
                prismatic ones with limits, welds, rods",
        full: || mixed(300, 300),
        small: || mixed(2, 2),
    },
    Entry {
        name: "gears",
        about: "5000 pairs of gears on shafts; Kempe alone has them",
        full: || gear_pairs(5000),
        small: || gear_pairs(4),
    },
    Entry {
        name: "pulleys",
        about: "5000 pairs of weights on pulleys; Kempe alone has them",
        full: || pulley_pairs(5000),
        small: || pulley_pairs(4),
    },
];

impl Entry {
    /// The scene of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Self, Failure> {
        let found = SCENES.iter().find(|entry| entry.name == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = SCENES.iter().map(|entry| entry.name).collect();
            let names = names.join(", ");
            Failure::Usage(format!("there is no scene `{name}`; there are {names}"))
        })
    }

    /// As large as it is measured.
    ///
    /// # Errors
    /// None but what a world refuses.
    pub fn build(&self) -> Result<Scene, Failure> {
        Ok((self.full)()?)
    }

    /// A small one of its kind, for tests.
    ///
    /// # Errors
    /// None but what a world refuses.
    pub fn build_small(&self) -> Result<Scene, Failure> {
        Ok((self.small)()?)
    }
}
