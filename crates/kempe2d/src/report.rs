//! What a step did.

use crate::body::BodyId;
use crate::joint::JointId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Why a joint broke.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cause {
    /// This force, N.
    Force(f64),
    /// This torque, N·m.
    Torque(f64),
    /// This error, m or rad.
    Error(f64),
}

/// Something that happened in a step, or was done between steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Event {
    /// The state of a body would have become infinite or NaN. It was left where it was, at rest.
    NotFinite(BodyId),
    /// A joint's equations gave a number that is not finite, or a `limit` of its program failed: it
    /// was left out of the step.
    LeftOut(JointId),
    /// An expression or a force law on an axis, the target of a motor, its speed or its force, began to give no
    /// number, as `1 / time` at 0: it counts as 0 until it gives one.
    NoNumber {
        /// Which joint.
        joint: JointId,
        /// Which axis.
        axis: usize,
    },
    /// A joint broke. Whether it was removed or disabled is in its settings; a handle of one that was
    /// removed is stale.
    Broke {
        /// Which.
        joint: JointId,
        /// Why.
        cause: Cause,
    },
    /// The force of a joint rose above its threshold (or fell below it again).
    Threshold {
        /// Which.
        joint: JointId,
        /// N.
        force: f64,
        /// Whether it rose.
        above: bool,
    },
    /// An axis came against a stop.
    LimitReached {
        /// Which joint.
        joint: JointId,
        /// Which axis; rows of a program's constraint that have a range count behind the axes.
        axis: usize,
        /// Whether the upper one.
        upper: bool,
    },
    /// An axis left a stop, or the joint was disabled or removed at it; of one that was removed the handle is
    /// stale.
    LimitLeft {
        /// Which joint.
        joint: JointId,
        /// Which axis.
        axis: usize,
        /// Whether the upper one.
        upper: bool,
    },
    /// A rope (the upper limit of a length) began to pull.
    Taut(JointId),
    /// A rope ceased to pull, or was disabled or removed while it did.
    Slack(JointId),
    /// A coupling was removed with a joint that it refers to.
    Removed {
        /// The coupling; its handle is stale.
        joint: JointId,
        /// The joint that it referred to.
        with: JointId,
    },
    /// A point came to the end of its path and left it; the joint is disabled.
    PathLeft {
        /// Which joint.
        joint: JointId,
        /// Whether at the far end.
        upper: bool,
    },
    /// A body fell asleep.
    Slept(BodyId),
    /// A body was woken.
    Woke(BodyId),
}

/// How much there was of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Bodies that the step moved.
    pub moved: usize,
    /// Bodies that sleep.
    pub asleep: usize,
    /// Joints that were solved.
    pub joints: usize,
    /// Islands of bodies that joints connect.
    pub islands: usize,
    /// Colours: groups of entries that share no body.
    pub colors: usize,
}

/// How long the stages took. They are measured only if the settings ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Putting joints into lanes.
    pub prepare: Duration,
    /// The equations of joints.
    pub evaluate: Duration,
    /// Warm start, solve and relax; and all of what goes through its sub-steps in one go.
    pub solve: Duration,
    /// Moving bodies.
    pub integrate: Duration,
    /// Restitution, breaking, events, sleeping.
    pub finish: Duration,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// How many steps there were, this one counted in; those of no length are none.
    pub steps: u64,
    /// How long it was, s.
    pub dt: f64,
    /// How much there was of what.
    pub counts: Counts,
    /// How long the stages took.
    pub times: Times,
    /// What happened: what was done since the step before; bodies that were stopped; joints that were
    /// left out; stops, thresholds and breaks, joint by joint; bodies that fell asleep.
    pub events: Vec<Event>,
}
