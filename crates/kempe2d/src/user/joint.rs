//! A constraint of the user as a kind of joint: made, or only named by a snapshot.

use super::{Constraint, Counts, Erased};
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// A [`Constraint`] as a kind of joint.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Named", into = "Named")]
pub struct UserJoint(Inner);

#[derive(Debug)]
enum Inner {
    Made(Box<dyn Erased>),
    /// Named in a snapshot, before the registry has made it.
    Missing(Named),
}

/// How a snapshot names a user joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Named {
    pub name: String,
    pub parameters: Vec<f64>,
}

impl From<Named> for UserJoint {
    fn from(named: Named) -> Self {
        Self(Inner::Missing(named))
    }
}

impl From<UserJoint> for Named {
    fn from(joint: UserJoint) -> Self {
        joint.named()
    }
}

impl Clone for UserJoint {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Inner::Made(made) => Inner::Made(made.boxed()),
            Inner::Missing(named) => Inner::Missing(named.clone()),
        })
    }
}

impl PartialEq for UserJoint {
    fn eq(&self, other: &Self) -> bool {
        self.named() == other.named()
    }
}

impl UserJoint {
    /// A joint of this constraint.
    pub fn new(constraint: impl Constraint) -> Self {
        Self(Inner::Made(Box::new(constraint)))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match &self.0 {
            Inner::Made(made) => made.name(),
            Inner::Missing(named) => &named.name,
        }
    }

    /// How many of what it has.
    pub fn counts(&self) -> Counts {
        match &self.0 {
            Inner::Made(made) => made.counts(),
            Inner::Missing(_) => Counts { bodies: 0, hold: 0, velocity: 0, axes: 0 },
        }
    }

    /// A joint over these bodies.
    pub fn joint(self, bodies: &[crate::BodyId]) -> crate::JointDef {
        crate::JointDef::over(crate::JointKind::User(self), bodies.to_vec())
    }

    pub(crate) fn named(&self) -> Named {
        match &self.0 {
            Inner::Made(made) => {
                Named { name: made.name().to_owned(), parameters: made.parameters() }
            }
            Inner::Missing(named) => named.clone(),
        }
    }

    /// What a snapshot names, if it is not made yet.
    pub(crate) fn missing(&self) -> Option<&Named> {
        match &self.0 {
            Inner::Made(_) => None,
            Inner::Missing(named) => Some(named),
        }
    }

    pub(crate) fn made(&self) -> Option<&dyn Erased> {
        match &self.0 {
            Inner::Made(made) => Some(made.as_ref()),
            Inner::Missing(_) => None,
        }
    }

    pub(crate) fn made_mut(&mut self) -> Option<&mut dyn Erased> {
        match &mut self.0 {
            Inner::Made(made) => Some(made.as_mut()),
            Inner::Missing(_) => None,
        }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        let name = || self.name().to_owned();
        let Some(made) = self.made() else {
            return Err(Error::Unknown { what: "user joint", name: name() });
        };
        let counts = made.counts();
        if counts.bodies == 0 || counts.rows() == 0 || counts.rows() > 32 || counts.bodies > 64 {
            let reason = "it must have 1 to 64 bodies and 1 to 32 rows".to_owned();
            return Err(Error::User { name: name(), reason });
        }
        made.validate().map_err(|reason| Error::User { name: name(), reason })
    }
}
