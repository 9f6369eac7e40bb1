//! A run in a few numbers.

use super::judge::Verdict;
use super::recording::{Energy, Happened, Peak, Recording};
use crate::file::{Loaded, Solver};
use serde::Serialize;

/// Where a body was at the end, and how fast.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodySummary {
    /// What it is called.
    pub name: String,
    /// Of its origin, m.
    pub position: [f64; 2],
    /// Unwrapped, rad.
    pub angle: f64,
    /// Of its centre of mass, m/s.
    pub velocity: [f64; 2],
    /// rad/s.
    pub angular_velocity: f64,
}

/// What a joint was at the end, and what was largest of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointSummary {
    /// What it is called.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Of its axes at the end, m or rad; none of a joint that broke off.
    pub coordinates: Vec<f64>,
    /// Whether it has broken.
    pub broken: bool,
    /// What was largest of it.
    #[serde(flatten)]
    pub largest: Peak,
}

/// Energy at the start and at the end, J.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EnergySummary {
    /// At the start.
    pub start: Energy,
    /// At the end.
    pub end: Energy,
    /// How much more there is at the end, J; what motors, dampers and impacts did counts in.
    pub drift: f64,
}

/// A run in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What the scene is called; may be empty.
    pub name: String,
    /// What stepped.
    pub solver: Solver,
    /// How many steps there were.
    pub steps: u64,
    /// How long each was, the last one at most, s.
    pub step: f64,
    /// How much time passed in the world, s.
    pub seconds: f64,
    /// Every body that can move.
    pub bodies: Vec<BodySummary>,
    /// Every joint.
    pub joints: Vec<JointSummary>,
    /// Where the energy was.
    pub energy: EnergySummary,
    /// What happened.
    pub events: Vec<Happened>,
    /// How much more happened.
    pub events_left_out: u64,
    /// What was expected.
    pub expectations: Vec<Verdict>,
    /// How many steps were made in a second; it differs from run to run.
    pub steps_per_second: f64,
    /// Of the world at the end, 16 hexadecimal digits.
    pub state_hash: String,
}

impl Summary {
    /// Of a run of a scene.
    pub fn of(loaded: &Loaded, recording: &Recording) -> Self {
        let world = &recording.world;
        let moving = recording.bodies.iter().filter(|part| !part.is_fixed());
        let bodies = moving.filter_map(|part| {
            let body = world.body(part.id)?;
            Some(BodySummary {
                name: part.name.clone(),
                position: body.position().into(),
                angle: body.rotation(),
                velocity: body.velocity().into(),
                angular_velocity: body.angular_velocity(),
            })
        });
        let joints = recording.joints.iter().zip(&recording.peaks).map(|(part, peak)| {
            let axes = 0..part.units.len();
            JointSummary {
                name: part.name.clone(),
                kind: loaded
                    .world
                    .joint(part.id)
                    .map_or_else(|| part.kind.clone(), |joint| joint.kind().name().to_owned()),
                coordinates: axes.filter_map(|k| world.joint_coordinate(part.id, k)).collect(),
                broken: !world.joint(part.id).is_some_and(kempe2d::Joint::is_enabled),
                largest: *peak,
            }
        });
        let none = Energy { kinetic: 0.0, potential: 0.0, stored: None };
        let start = recording.energies.first().copied().unwrap_or(none);
        let end = recording.energies.last().copied().unwrap_or(none);
        Self {
            name: loaded.model.name.clone().unwrap_or_default(),
            solver: recording.solver,
            steps: recording.steps,
            step: recording.step.min(recording.seconds),
            seconds: recording.seconds,
            bodies: bodies.collect(),
            joints: joints.collect(),
            energy: EnergySummary { start, end, drift: end.total() - start.total() },
            events: recording.events.clone(),
            events_left_out: recording.events_left_out,
            expectations: recording.verdicts.clone(),
            steps_per_second: recording.steps_per_second(),
            state_hash: format!("{:016x}", recording.hash),
        }
    }
}
