//! Impulses that a joint starts the next step from.

use crate::solver::LawKind;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// The impulses of a joint that is not in the solver's lanes; one that is has them there, and no room
/// for them here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cached(Option<Box<Impulses>>);

/// Impulses per sub-step that the next step starts from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Impulses {
    /// By row of the joint, those that are held.
    pub hold: Vec<f32>,
    /// (row, law, impulses)
    pub laws: Vec<(u8, LawKind, [f32; 2])>,
    /// The length of the sub-step that they belong to.
    pub h: f64,
}

static NONE: Impulses = Impulses { hold: Vec::new(), laws: Vec::new(), h: 0.0 };

impl Deref for Cached {
    type Target = Impulses;

    fn deref(&self) -> &Impulses {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Cached {
    fn deref_mut(&mut self) -> &mut Impulses {
        self.0.get_or_insert_default()
    }
}

/// Written down, there is no difference between none and no room for any.
impl Serialize for Cached {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Impulses::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Cached {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Impulses::deserialize(deserializer)?;
        Ok(Self((read != NONE).then(|| Box::new(read))))
    }
}
