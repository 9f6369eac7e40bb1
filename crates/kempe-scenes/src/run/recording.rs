//! What is kept of a run.

use super::judge::Verdict;
use super::parts::{BodyPart, JointPart};
use crate::file::Solver;
use kempe2d::{Vec2, World};
use serde::Serialize;
use std::time::Duration;

/// So many numbers are kept of a run at most, for frames and for probes each: there are fewer frames
/// of a large world, and fewer samples of a long run.
pub const MOST_NUMBERS: usize = 1 << 24;
/// So many events are kept; of the others it is only known how many there were.
pub const MOST_EVENTS: usize = 10_000;

/// A joint in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Where its first end is, in the world, m.
    pub a: Vec2,
    /// And its second.
    pub b: Vec2,
    /// On its last body, N; NaN where it is not known.
    pub force: Vec2,
    /// On its last body about its anchor, N·m.
    pub torque: f64,
    /// How far it is open, m and rad.
    pub error: [f64; 2],
    /// Whether it has broken, or left its path.
    pub broken: bool,
}

/// Energy at a moment, J.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Energy {
    /// Of all bodies.
    pub kinetic: f64,
    /// Of their weights.
    pub potential: f64,
    /// What springs store; nothing where it cannot be told.
    pub stored: Option<f64>,
}

impl Energy {
    /// All that is known of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.stored.unwrap_or(0.0)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Happened {
    /// When, s.
    pub time: f64,
    /// What, in words.
    pub text: String,
}

/// What was largest of a joint over a run. What it bore is NaN where it is not known: of many joints
/// under the reference solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Peak {
    /// How far it was open, m.
    pub error_m: f64,
    /// How far it was open, rad.
    pub error_rad: f64,
    /// Of a row over a step, N·s or N·m·s.
    pub impulse: f64,
    /// On its last body, N.
    pub force: f64,
    /// On its last body about its anchor, N·m.
    pub torque: f64,
}

/// What is kept of a run.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What stepped.
    pub solver: Solver,
    /// How many steps there were.
    pub steps: u64,
    /// How long each was, s.
    pub step: f64,
    /// How much time passed in the world, s.
    pub seconds: f64,
    /// How long the steps took.
    pub took: Duration,
    /// All bodies, in the order of the world.
    pub bodies: Vec<BodyPart>,
    /// All joints, in the order of the world.
    pub joints: Vec<JointPart>,
    /// Of each frame, s.
    pub times: Vec<f64>,
    /// For each frame, for each body: x, y (of its origin, m) and angle (rad, unwrapped).
    pub poses: Vec<Vec<[f64; 3]>>,
    /// For each frame, for each body: of its centre of mass, m/s, and of turning, rad/s.
    pub velocities: Vec<Vec<[f64; 3]>>,
    /// For each frame, for each joint; empty if joints are not kept.
    pub joint_states: Vec<Vec<JointState>>,
    /// For each frame, those of all joints, m or rad; empty if joints are not kept. A joint's start
    /// at its `first`.
    pub coordinates: Vec<Vec<f64>>,
    /// For each frame.
    pub energies: Vec<Energy>,
    /// What probes are called.
    pub probe_names: Vec<String>,
    /// Their units; empty where they are not known.
    pub probe_units: Vec<&'static str>,
    /// When probes were read: after every step, or fewer of a very long run, s.
    pub probe_times: Vec<f64>,
    /// By probe, what it read.
    pub probes: Vec<Vec<f64>>,
    /// What happened.
    pub events: Vec<Happened>,
    /// How much more happened.
    pub events_left_out: u64,
    /// What went wrong first: a body that was stopped since it was nowhere, or a joint without a value.
    pub spoiled: Option<Happened>,
    /// By joint.
    pub peaks: Vec<Peak>,
    /// After how many steps the peaks were looked at: 1, and more where there are very many joints.
    pub watched_every: u64,
    /// Whether what is expected holds.
    pub verdicts: Vec<Verdict>,
    /// [`World::state_hash`] at the end.
    pub hash: u64,
    /// The world at the end.
    pub world: World,
}

impl Recording {
    /// How many steps were made in a second.
    pub fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// How far joints were open at most, m and rad.
    pub fn largest_error(&self) -> [f64; 2] {
        let each = self.peaks.iter().map(|peak| [peak.error_m, peak.error_rad]);
        each.fold([0.0; 2], |most, one| [most[0].max(one[0]), most[1].max(one[1])])
    }

    /// Whether everything that is expected of this solver holds.
    pub fn is_as_expected(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.outcome != super::Outcome::Unmet)
    }

    /// Where a point of a body was in each frame.
    pub fn path(&self, body: usize, point: Vec2) -> Vec<[f64; 2]> {
        let at = |[x, y, angle]: [f64; 3]| {
            let (sin, cos) = kempe_scalar::precise::sin_cos(angle);
            let turned = point.turned(cos, sin);
            [x + turned.x, y + turned.y]
        };
        self.poses.iter().filter_map(|poses| poses.get(body).copied()).map(at).collect()
    }
}
