//! What a joint is made with, and what a world keeps of it.

use super::axis::{Axis, Limit, Motor, Ratchet};
use super::breaking::{Break, positive_or_infinite};
use super::cached::Cached;
use super::kept::{Acts, Kept};
use super::kind::JointKind;
use super::state::State;
use crate::body::BodyId;
use crate::error::Error;
use crate::solver::pieces;
use kempe_solve::{Handle, Softness};
use serde::{Deserialize, Serialize};

/// A handle of a joint.
pub type JointId = Handle<Joint>;

/// What a joint is made with. Plain values: a definition can be kept, changed, and used for another
/// joint or in another world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDef {
    /// What is held.
    pub kind: JointKind,
    /// The body that the joint is seen from, A, and the one that moves against it, B: q and its
    /// speed are of B relative to A. A pulley has four bodies, a program as many as it names, in
    /// its order.
    pub bodies: Vec<BodyId>,
    /// What acts on the axes that it leaves, in their order; none is as good as a free one.
    pub axes: Vec<Axis>,
    /// How the hold yields, and the stops of axes whose [`Limit::softness`] is rigid; rigid by default. A rope is a
    /// stop: with a softness it is a rubber band. Springs and motors have a softness of their own, and the
    /// teeth of a ratchet do not yield: a joint that has nothing else is refused
    /// ([`Error::Unused`]).
    pub softness: Softness,
    /// N: the largest force of the hold, and of each stop, spring and motor on an axis along which bodies
    /// move; any by default. Their own largest forces hold too, whichever is smaller. Friction, force laws and motors
    /// with a plain force say theirs themselves, and the teeth of a ratchet hold any: a joint that has nothing
    /// else is refused ([`Error::Unused`]).
    pub max_force: f64,
    /// N·m: the same of what only turns bodies.
    pub max_torque: f64,
    /// When it breaks.
    pub breaking: Option<Break>,
    /// N: an event tells when the force on B passes this, either way.
    pub threshold: Option<f64>,
    /// Whether its bodies collide with each other.
    pub collide_connected: bool,
    /// Whether a step starts with the impulses of the last one.
    pub warm_start: bool,
    /// Whether it takes part.
    pub enabled: bool,
    /// For the user.
    pub user_data: u64,
}

impl JointDef {
    /// A rigid joint between two bodies, with free axes.
    pub fn new(kind: JointKind, a: BodyId, b: BodyId) -> Self {
        Self::over(kind, vec![a, b])
    }

    /// A rigid joint over any bodies, with free axes.
    pub fn over(kind: JointKind, bodies: Vec<BodyId>) -> Self {
        Self {
            kind,
            bodies,
            axes: Vec::new(),
            softness: Softness::Rigid,
            max_force: f64::INFINITY,
            max_torque: f64::INFINITY,
            breaking: None,
            threshold: None,
            collide_connected: false,
            warm_start: true,
            enabled: true,
            user_data: 0,
        }
    }

    /// What acts on an axis, to change; the axes before it are free unless they were set.
    pub fn axis_mut(&mut self, axis: usize) -> &mut Axis {
        if self.axes.len() <= axis {
            self.axes.resize(axis + 1, Axis::default());
        }
        &mut self.axes[axis]
    }

    /// The same with this on the first axis.
    #[must_use]
    pub fn with_axis(mut self, axis: Axis) -> Self {
        *self.axis_mut(0) = axis;
        self
    }

    /// The same with this on the second axis.
    #[must_use]
    pub fn with_second_axis(mut self, axis: Axis) -> Self {
        *self.axis_mut(1) = axis;
        self
    }

    /// The same with this limit on the first axis.
    #[must_use]
    pub fn with_limit(mut self, lower: f64, upper: f64) -> Self {
        self.axis_mut(0).limit = Some(Limit::new(lower, upper));
        self
    }

    /// The same with a hold that yields so.
    #[must_use]
    pub fn with_softness(mut self, softness: Softness) -> Self {
        self.softness = softness;
        self
    }

    /// The same, breaking so.
    #[must_use]
    pub fn with_break(mut self, breaking: Break) -> Self {
        self.breaking = Some(breaking);
        self
    }

    /// Whether the joint has something that yields by its softness, and something that its largest forces
    /// bound. What programs and types of the user have cannot be known here.
    fn has_use(&self) -> [bool; 2] {
        let own = matches!(self.kind, JointKind::Text(_) | JointKind::User(_));
        let holds = own || self.kind.hold_count() > 0;
        let stops = self.axes.iter().any(|axis| axis.limit.is_some());
        let plain = |motor: &Motor| matches!(motor, Motor::Force { .. });
        let drives = self.axes.iter().any(|axis| {
            axis.spring.is_some() || axis.motor.as_ref().is_some_and(|motor| !plain(motor))
        });
        [holds || stops, holds || stops || drives]
    }

    /// The same without a softness and largest forces that nothing in it goes by.
    #[must_use]
    pub(crate) fn without_unused(mut self) -> Self {
        let [softness, forces] = self.has_use();
        if !softness {
            self.softness = Softness::Rigid;
        }
        if !forces {
            (self.max_force, self.max_torque) = (f64::INFINITY, f64::INFINITY);
        }
        self
    }

    /// Nothing that was set is left out without a word.
    fn validate_use(&self) -> Result<(), Error> {
        let [softness, forces] = self.has_use();
        let unused = |field: &'static str, reason: &'static str| {
            Err(Error::Unused { field, kind: self.kind.name().to_owned(), reason })
        };
        let bounds = "it holds nothing, and has no stops, springs or motors that it could bound";
        if !softness && self.softness != Softness::Rigid {
            return unused("softness", "it holds nothing, and has no stops that could yield");
        }
        match forces {
            false if self.max_force < f64::INFINITY => unused("max_force", bounds),
            false if self.max_torque < f64::INFINITY => unused("max_torque", bounds),
            _ => Ok(()),
        }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        let (wanted, given) = (self.kind.body_count(), self.bodies.len());
        let coupling = matches!(self.kind, JointKind::Coupling { .. });
        if wanted != given && !coupling {
            return Err(Error::BodyCount { wanted, given });
        }
        let pairs: &[(usize, usize)] = match &self.kind {
            JointKind::Pulley { .. } => &[(0, 1), (2, 3)],
            JointKind::Text(_) | JointKind::User(_) | JointKind::Tendon { .. } => &[],
            // Those of its joints.
            JointKind::Coupling { .. } => &[],
            _ => &[(0, 1)],
        };
        if pairs.iter().any(|(a, b)| self.bodies[*a] == self.bodies[*b]) {
            return Err(Error::SameBody);
        }
        self.kind.validate()?;
        self.softness.validate()?;
        positive_or_infinite("max_force", self.max_force)?;
        positive_or_infinite("max_torque", self.max_torque)?;
        self.validate_use()?;
        if let Some(breaking) = &self.breaking {
            breaking.validate()?;
        }
        if let Some(threshold) = self.threshold {
            positive_or_infinite("threshold", threshold)?;
        }
        for axis in &self.axes {
            axis.validate()?;
        }
        let axes = self.kind.axis_count();
        match (axes..self.axes.len()).find(|axis| self.axes[*axis] != Axis::default()) {
            Some(axis) => Err(Error::NoSuchAxis { axis, axes }),
            None => Ok(()),
        }
    }
}

/// A joint of a world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Joint {
    pub(crate) def: Kept,
    pub(crate) cached: Cached,
    pub(crate) state: State,
}

impl Joint {
    pub(crate) fn new(def: JointDef) -> Self {
        Self { def: def.into(), cached: Cached::default(), state: State::default() }
    }

    /// Whether with new settings it is another joint: of other bodies, or with other rows.
    fn is_another(&self, def: &Kept) -> bool {
        let rows = |kind: &JointKind| [kind.hold_count(), kind.axis_count()];
        *self.def.bodies != *def.bodies
            || self.def.kind.name() != def.kind.name()
            || rows(&self.def.kind) != rows(&def.kind)
    }

    /// Whether new settings end what it does: it is disabled, or becomes another.
    pub(crate) fn ends_with(&self, def: &Kept) -> bool {
        !def.enabled || self.is_another(def)
    }

    /// Takes over settings, and forgets what no longer fits them. Says whether its impulses are gone.
    pub(crate) fn change(&mut self, def: Kept) -> bool {
        let other = self.is_another(&def);
        let old = std::mem::replace(&mut self.def, def);
        let now = &self.def;
        let switched = old.enabled != now.enabled;
        // Trailing axes without one are as good as none.
        let ratchets = |def: &Kept| -> Vec<_> {
            let each = (0..).zip(def.axes()).filter_map(|(axis, acts)| Some((axis, acts.ratchet?)));
            each.collect::<Vec<(usize, Ratchet)>>()
        };
        if other || switched || ratchets(&old) != ratchets(now) {
            self.state.forget(|rare| rare.teeth.clear());
        }
        if other || switched || old.breaking != now.breaking || old.threshold != now.threshold {
            self.state.forget(|rare| rare.filtered = [0.0; 2]);
            self.state.over = false;
            self.state.passed = false;
        }
        let path = |kind: &JointKind| match kind {
            JointKind::Path { path, anchor, from, .. } => Some((path.clone(), *anchor, *from)),
            _ => None,
        };
        if switched || path(&old.kind) != path(&now.kind) {
            self.state.forget(|rare| rare.place = None);
        }
        if other {
            self.state = State::default();
        }
        let gone = other || !self.def.enabled;
        if gone {
            self.cached = Cached::default();
            self.state.forget(|rare| rare.touched.clear());
        }
        gone
    }

    /// Whether new settings leave everything where it is in the solver: only numbers are different.
    pub(crate) fn is_like(&self, def: &Kept) -> bool {
        let old = &self.def;
        let same_kind = match (&old.kind, &def.kind) {
            (JointKind::Text(a), JointKind::Text(b)) => {
                a.program().source() == b.program().source()
            }
            (JointKind::User(_), _) | (_, JointKind::User(_)) => false,
            // What may leave is watched.
            (JointKind::Path { leave: a, .. }, JointKind::Path { leave: b, .. }) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        let soft = |def: &Kept| -> Vec<_> {
            let each =
                |axis: Acts<'_>| (axis.limit.map(|limit| limit.softness), axis.ratchet.is_some());
            def.axes().map(each).collect()
        };
        same_kind
            && *old.bodies == *def.bodies
            && old.softness == def.softness
            && [old.max_force, old.max_torque] == [def.max_force, def.max_torque]
            && old.breaking.is_some() == def.breaking.is_some()
            && old.threshold.is_some() == def.threshold.is_some()
            && old.warm_start == def.warm_start
            && old.enabled == def.enabled
            && soft(old) == soft(def)
            && pieces(old, None) == pieces(def, None)
    }

    /// What it was made with, as changed since. It is put together anew: a world keeps it smaller.
    pub fn def(&self) -> JointDef {
        self.def.def()
    }

    /// What it holds.
    pub fn kind(&self) -> &JointKind {
        &self.def.kind
    }

    /// Its bodies, A first.
    pub fn bodies(&self) -> &[BodyId] {
        &self.def.bodies
    }

    /// Whether it takes part.
    pub fn is_enabled(&self) -> bool {
        self.def.enabled
    }
}
