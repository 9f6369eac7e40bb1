//! What a joint remembers from step to step.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// What a joint remembers. Most joints remember nothing of what is [`Rare`], and have no room for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The direction that a length last had.
    pub direction: [f64; 2],
    #[serde(serialize_with = "write", deserialize_with = "read")]
    rare: Option<Box<Rare>>,
    /// Whether they were over the limits of breaking.
    pub over: bool,
    /// Whether the force was over the threshold.
    pub passed: bool,
    /// Whether it was left out of the last step.
    pub left_out: bool,
}

/// What few joints have to remember.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rare {
    /// The direction that each part of a cable last had.
    pub directions: Vec<[f64; 2]>,
    /// The arc length of the place on a path.
    pub place: Option<f64>,
    /// The tooth that a ratchet stands at, by axis.
    pub teeth: Vec<f64>,
    /// By axis, whether a stop was touched: 1 the lower, 2 the upper.
    pub touched: Vec<u8>,
    /// Force and torque behind the low-pass filter.
    pub filtered: [f64; 2],
    /// Axes where an expression or a law gives no number.
    pub unknown: Vec<u32>,
}

static NONE: Rare = Rare {
    directions: Vec::new(),
    place: None,
    teeth: Vec::new(),
    touched: Vec::new(),
    filtered: [0.0; 2],
    unknown: Vec::new(),
};

impl State {
    /// Changes what is rare, where there is any.
    pub(crate) fn forget(&mut self, change: impl FnOnce(&mut Rare)) {
        if let Some(rare) = &mut self.rare {
            change(rare);
        }
    }
}

impl Deref for State {
    type Target = Rare;

    fn deref(&self) -> &Rare {
        self.rare.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}

/// Nothing remembered is nothing written, whether there was room for it or not.
fn write<S: Serializer>(rare: &Option<Box<Rare>>, serializer: S) -> Result<S::Ok, S::Error> {
    rare.as_ref().filter(|rare| ***rare != NONE).serialize(serializer)
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Rare>>, D::Error> {
    Option::deserialize(deserializer)
}
