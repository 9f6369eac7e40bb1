//! A definition as a world keeps it: what most joints leave as it is takes no room.

use super::axis::{Axis, Limit, Motor, Ratchet, Spring};
use super::breaking::Break;
use super::def::JointDef;
use super::kind::JointKind;
use crate::body::BodyId;
use crate::law::ForceLaw;
use kempe_solve::Softness;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// What a joint was made with, kept small. Settings that few joints have are [`Seldom`] ones, and an
/// axis has room only for what [acts](Acts) on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "JointDef", into = "JointDef")]
pub(crate) struct Kept {
    pub kind: JointKind,
    pub bodies: Bodies,
    acting: Box<[Acting]>,
    seldom: Option<Box<Seldom>>,
    /// How many axes were given, free ones counted in.
    axes: u32,
    pub collide_connected: bool,
    pub warm_start: bool,
    pub enabled: bool,
}

/// Settings that most joints leave as they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seldom {
    pub softness: Softness,
    pub max_force: f64,
    pub max_torque: f64,
    pub breaking: Option<Break>,
    pub threshold: Option<f64>,
    pub user_data: u64,
}

static USUAL: Seldom = Seldom {
    softness: Softness::Rigid,
    max_force: f64::INFINITY,
    max_torque: f64::INFINITY,
    breaking: None,
    threshold: None,
    user_data: 0,
};

/// The bodies of a joint: most have two.
#[derive(Clone, Debug)]
pub(crate) enum Bodies {
    Two([BodyId; 2]),
    Any(Box<[BodyId]>),
}

/// Something that acts on an axis, which comes first. What is large, or seldom, is elsewhere.
#[derive(Clone, Debug)]
enum Acting {
    /// Hard stops without rebound.
    Stops(u32, [f64; 2]),
    Limit(u32, Box<Limit>),
    Motor(u32, Box<Motor>),
    Spring(u32, Box<Spring>),
    Law(u32, Box<ForceLaw>),
    Friction(u32, f64),
    Ratchet(u32, Ratchet),
}

/// What acts on an axis of a joint of a world: as [`Axis`], lent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Acts<'a> {
    pub limit: Option<Limit>,
    pub motor: Option<&'a Motor>,
    pub spring: Option<Spring>,
    pub law: Option<&'a ForceLaw>,
    pub friction: Option<f64>,
    pub ratchet: Option<Ratchet>,
}

impl Kept {
    /// An axis, if it was given.
    pub(crate) fn axis(&self, axis: usize) -> Option<Acts<'_>> {
        if axis >= self.axes as usize {
            return None;
        }
        let mut acts = Acts::default();
        for acting in self.acting.iter().filter(|acting| acting.axis() == axis) {
            match acting {
                Acting::Stops(_, [lower, upper]) => acts.limit = Some(Limit::new(*lower, *upper)),
                Acting::Limit(_, limit) => acts.limit = Some(**limit),
                Acting::Motor(_, motor) => acts.motor = Some(motor),
                Acting::Spring(_, spring) => acts.spring = Some(**spring),
                Acting::Law(_, law) => acts.law = Some(law),
                Acting::Friction(_, friction) => acts.friction = Some(*friction),
                Acting::Ratchet(_, ratchet) => acts.ratchet = Some(*ratchet),
            }
        }
        Some(acts)
    }

    /// The axes that were given.
    pub(crate) fn axes(&self) -> impl Iterator<Item = Acts<'_>> {
        (0..self.axes as usize).filter_map(|axis| self.axis(axis))
    }

    /// Whether an axis has bounds or teeth.
    pub(crate) fn has_stops(&self) -> bool {
        let stops = |acting: &Acting| {
            matches!(acting, Acting::Stops(..) | Acting::Limit(..) | Acting::Ratchet(..))
        };
        self.acting.iter().any(stops)
    }

    /// Whether an axis has teeth.
    pub(crate) fn has_ratchets(&self) -> bool {
        self.acting.iter().any(|acting| matches!(acting, Acting::Ratchet(..)))
    }

    /// Whether a row of the joint is an axis with teeth.
    pub(crate) fn has_teeth(&self, row: u8) -> bool {
        let axis = usize::from(row).checked_sub(self.kind.hold_count());
        axis.and_then(|axis| self.axis(axis)).is_some_and(|acts| acts.ratchet.is_some())
    }

    /// The force laws of all axes.
    pub(crate) fn laws_mut(&mut self) -> impl Iterator<Item = &mut ForceLaw> {
        self.acting.iter_mut().filter_map(|acting| match acting {
            Acting::Law(_, law) => Some(&mut **law),
            _ => None,
        })
    }

    /// How the stops of an axis yield: as their limit says, or as the joint where it says nothing.
    pub(crate) fn yields(&self, stops: Softness) -> Softness {
        if stops == Softness::Rigid { self.softness } else { stops }
    }

    /// The largest force, or torque where a row `turns`, of whatever holds, stops, springs or drives.
    pub(crate) fn most(&self, turns: bool) -> f64 {
        if turns { self.max_torque } else { self.max_force }
    }

    /// The definition that it was made from.
    pub(crate) fn def(&self) -> JointDef {
        self.clone().into()
    }
}

impl Acting {
    fn axis(&self) -> usize {
        let (Self::Stops(axis, _)
        | Self::Limit(axis, _)
        | Self::Motor(axis, _)
        | Self::Spring(axis, _)
        | Self::Law(axis, _)
        | Self::Friction(axis, _)
        | Self::Ratchet(axis, _)) = self;
        *axis as usize
    }

    /// Everything on an axis.
    fn of(index: u32, axis: Axis) -> impl Iterator<Item = Self> {
        let Axis { limit, motor, spring, law, friction, ratchet } = axis;
        let limit = limit.map(|limit| {
            // To the bit: a bound may be −0.
            match limit == Limit::new(limit.lower, limit.upper) && is_zero(limit.restitution) {
                true => Self::Stops(index, [limit.lower, limit.upper]),
                false => Self::Limit(index, Box::new(limit)),
            }
        });
        let each = [
            limit,
            motor.map(|motor| Self::Motor(index, Box::new(motor))),
            spring.map(|spring| Self::Spring(index, Box::new(spring))),
            law.map(|law| Self::Law(index, Box::new(law))),
            friction.map(|friction| Self::Friction(index, friction)),
            ratchet.map(|ratchet| Self::Ratchet(index, ratchet)),
        ];
        each.into_iter().flatten()
    }
}

/// Whether a number is 0 and not −0.
fn is_zero(number: f64) -> bool {
    number.to_bits() == 0
}

impl Acts<'_> {
    /// The same as plain data.
    fn owned(self) -> Axis {
        let Self { limit, motor, spring, law, friction, ratchet } = self;
        Axis { limit, motor: motor.cloned(), spring, law: law.cloned(), friction, ratchet }
    }
}

impl From<JointDef> for Kept {
    fn from(def: JointDef) -> Self {
        let JointDef { softness, max_force, max_torque, breaking, threshold, user_data, .. } = def;
        let seldom = Seldom { softness, max_force, max_torque, breaking, threshold, user_data };
        let axes = def.axes.len() as u32;
        let each = (0..).zip(def.axes);
        Self {
            kind: def.kind,
            bodies: def.bodies.into(),
            acting: each.flat_map(|(index, axis)| Acting::of(index, axis)).collect(),
            seldom: (seldom != USUAL).then(|| Box::new(seldom)),
            axes,
            collide_connected: def.collide_connected,
            warm_start: def.warm_start,
            enabled: def.enabled,
        }
    }
}

impl From<Kept> for JointDef {
    fn from(kept: Kept) -> Self {
        let axes = kept.axes().map(Acts::owned).collect();
        let Seldom { softness, max_force, max_torque, breaking, threshold, user_data } =
            Seldom::clone(&kept);
        Self {
            kind: kept.kind,
            bodies: kept.bodies.to_vec(),
            axes,
            softness,
            max_force,
            max_torque,
            breaking,
            threshold,
            collide_connected: kept.collide_connected,
            warm_start: kept.warm_start,
            enabled: kept.enabled,
            user_data,
        }
    }
}

impl Deref for Kept {
    type Target = Seldom;

    fn deref(&self) -> &Seldom {
        self.seldom.as_deref().unwrap_or(&USUAL)
    }
}

impl From<Vec<BodyId>> for Bodies {
    fn from(bodies: Vec<BodyId>) -> Self {
        match bodies[..] {
            [a, b] => Self::Two([a, b]),
            _ => Self::Any(bodies.into()),
        }
    }
}

impl Deref for Bodies {
    type Target = [BodyId];

    fn deref(&self) -> &[BodyId] {
        match self {
            Self::Two(two) => two,
            Self::Any(any) => any,
        }
    }
}

impl DerefMut for Bodies {
    fn deref_mut(&mut self) -> &mut [BodyId] {
        match self {
            Self::Two(two) => two,
            Self::Any(any) => any,
        }
    }
}

impl<'a> IntoIterator for &'a Bodies {
    type Item = &'a BodyId;
    type IntoIter = std::slice::Iter<'a, BodyId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, Joint, World};

    #[test]
    fn a_definition_comes_back_as_it_was() {
        let mut world = World::default();
        let [a, b, c] = [0; 3].map(|_| world.add_body(&BodyDef::dynamic()).unwrap());
        let plain = JointDef::over(JointKind::Filter, vec![a, b]);
        let soft = Softness::Hertz { hertz: 3.0, damping_ratio: 0.5 };
        let mut full = JointDef::over(JointKind::Filter, vec![a, b, c]).with_softness(soft);
        full.max_torque = 7.0;
        full.threshold = Some(2.0);
        full.user_data = 9;
        full.axis_mut(3).friction = Some(0.0);
        *full.axis_mut(1) = Axis {
            limit: Some(Limit { restitution: -0.0, ..Limit::new(-1.0, 2.0) }),
            motor: Some(Motor::at(4.0)),
            spring: Some(Spring::new(0.5, soft)),
            law: Some(ForceLaw::text("-q").unwrap()),
            friction: None,
            ratchet: Some(Ratchet { step: 0.1, phase: 0.2 }),
        };
        for def in [plain.clone().with_limit(-0.0, 1.0), full, plain] {
            let back = Kept::from(def.clone()).def();
            assert_eq!(format!("{back:?}"), format!("{def:?}"));
        }
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn joints_and_bodies_are_small() {
        assert!(size_of::<Joint>() <= 184 && size_of::<Acting>() <= 24);
        assert!(size_of::<crate::Body>() <= 144 && size_of::<crate::solver::Places>() <= 24);
    }
}
