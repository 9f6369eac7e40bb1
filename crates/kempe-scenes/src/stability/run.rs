//! One world by one way of solving.

use super::class::{Asked, Class};
use super::energy::Meter;
use super::maker::{Mechanism, Sample};
use super::solver::{Solver, Way};
use crate::error::Error;
use crate::scene::steps;
use kempe2d::{Event, JointId, Reference, ReferenceError, Settings, Softness, World};

/// Steps of the reference solver, s.
const STEP: f64 = 1.0 / 240.0;
/// The reference solver runs at most so long, s.
const LONGEST: f64 = 3.0;
/// Gaps count from here on, s: what starts open may close first.
const SETTLED: f64 = 1.0;

/// What became of a mechanism.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What it gained at most, or how much it moves at the end, in parts of its scale.
    pub gain: f64,
    /// How far its joints were open at most, m.
    pub gap: f64,
    /// Whether a number was not finite, or a body was stopped for it.
    pub not_finite: bool,
    /// Events of an energy guard, of the whole world.
    pub guard: u64,
    /// Why the solver would not have it.
    pub refused: Option<String>,
    /// Why the solver found no solution.
    pub failed: Option<String>,
}

/// Whether an event says that a guard took energy away.
///
/// This is the one place to count it: no solver has such a guard yet.
fn is_guard(event: &Event) -> bool {
    #[expect(clippy::match_single_binding, reason = "there is no such event yet")]
    match event {
        _ => false,
    }
}

/// Watches the mechanisms of a world, whatever moves them.
#[derive(Clone, Debug)]
pub struct Watch {
    class: Class,
    mechanisms: Vec<Mechanism>,
    meters: Vec<Meter>,
    rigid: Vec<Vec<JointId>>,
    outcomes: Vec<Outcome>,
}

impl Watch {
    /// Of a world of a class at its start.
    pub fn new(class: &Class, sample: &Sample) -> Self {
        let (world, mechanisms) = (&sample.world, sample.mechanisms.clone());
        let meters = mechanisms.iter().map(|each| Meter::new(world, each)).collect();
        let is_rigid =
            |id: &JointId| world.joint(*id).is_some_and(|it| it.def().softness == Softness::Rigid);
        let rigid = mechanisms.iter();
        let rigid = rigid.map(|each| each.joints.iter().copied().filter(is_rigid).collect());
        let (rigid, outcomes) = (rigid.collect(), vec![Outcome::default(); mechanisms.len()]);
        Self { class: *class, mechanisms, meters, rigid, outcomes }
    }

    /// Looks at the world after a step that ended at this time, s.
    pub fn look(&mut self, world: &World, time: f64) {
        for (k, outcome) in self.outcomes.iter_mut().enumerate() {
            outcome.gain = match self.class.asked {
                Asked::Passive => larger(outcome.gain, self.meters[k].gain(world)),
                Asked::Compromise => larger(0.0, self.meters[k].motion(world)),
            };
            let finite = self.mechanisms[k].bodies.iter().all(|id| {
                world.body(*id).is_some_and(|body| {
                    let turn = body.rotation().is_finite() && body.angular_velocity().is_finite();
                    turn && body.position().is_finite() && body.velocity().is_finite()
                })
            });
            outcome.not_finite |= !finite;
            if self.class.gap.is_some() && time > SETTLED {
                for id in &self.rigid[k] {
                    let open = world.joint_separation(*id).map_or(0.0, |(length, _)| length);
                    outcome.gap = larger(outcome.gap, open);
                }
            }
        }
    }

    /// Takes note that there is no finite state any more.
    pub fn lose(&mut self) {
        for outcome in &mut self.outcomes {
            *outcome = Outcome { gain: f64::INFINITY, not_finite: true, ..outcome.clone() };
        }
    }

    /// What became of each mechanism.
    pub fn outcomes(self) -> Vec<Outcome> {
        self.outcomes
    }

    fn events<'e>(&mut self, events: impl Iterator<Item = &'e Event>) {
        for event in events {
            if let Event::NotFinite(body) = event {
                let of = self.mechanisms.iter();
                for (each, outcome) in of.zip(&mut self.outcomes) {
                    outcome.not_finite |= each.bodies.contains(body);
                }
            }
            if is_guard(event)
                && let Some(first) = self.outcomes.first_mut()
            {
                first.guard += 1;
            }
        }
    }
}

/// The larger; infinite if one is no number.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// Runs a world of a class for so long, and tells what became of each mechanism.
///
/// # Errors
/// If the world cannot be stepped.
pub fn run(
    class: &Class,
    sample: &Sample,
    solver: &Solver,
    seconds: f64,
) -> Result<Vec<Outcome>, Error> {
    let mut world = sample.world.clone();
    let mut watch = Watch::new(class, sample);
    match solver.way {
        Way::RealTime { hertz, substeps, direct } => {
            let settings = world.settings();
            world.set_settings(Settings { substeps, direct, ..settings })?;
            for _ in 0..steps(seconds, 1.0 / hertz)? {
                world.step(1.0 / hertz)?;
                watch.events(world.report().events.iter());
                watch.look(&world, world.time());
            }
        }
        Way::Reference(method) => {
            let reference = Reference::new(method);
            let ran = reference.watch(&mut world, seconds.min(LONGEST), STEP, |world| {
                watch.look(world, world.time());
            });
            match ran {
                Ok(report) => watch.events(report.events.iter().map(|(_, event)| event)),
                Err(error) => refuse(&mut watch.outcomes, &error),
            }
        }
    }
    Ok(watch.outcomes)
}

/// What a method is not for is refused; without a solution it has failed.
fn refuse(outcomes: &mut [Outcome], error: &ReferenceError) {
    for outcome in outcomes {
        match error {
            ReferenceError::Loses { .. }
            | ReferenceError::Clamps { .. }
            | ReferenceError::Damped { .. }
            | ReferenceError::Contradiction { .. } => outcome.refused = Some(error.to_string()),
            _ => outcome.failed = Some(error.to_string()),
        }
    }
}
