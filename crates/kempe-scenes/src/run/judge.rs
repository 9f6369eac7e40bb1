//! Whether what is expected holds.
//!
//! A range, a drift and a separation are looked at after every step, and before the first. A value at
//! a time that no step ends at is read off a copy of the world that takes one shorter step to just
//! there; the run itself goes on undisturbed.

use super::options::Grid;
use super::read::Moment;
use crate::file::{Check, Expected, Loaded, Reader, Solver};
use kempe2d::{Event, JointId, Method, Reference, World};
use serde::Serialize;

/// Times nearer than this are the same, s: no step is shorter.
const SAME: f64 = 2e-9;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds.
    Met,
    /// It does not hold.
    Unmet,
    /// It is for the other solver, or the run was too short for it.
    Skipped,
}

/// Whether something that is expected holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What is expected, in words.
    pub text: String,
    /// Whether it holds.
    pub outcome: Outcome,
    /// What was found: the value, the value furthest out of its range, the largest drift or
    /// separation; nothing where there was none.
    pub found: Option<f64>,
    /// When, s; of a break, when it broke.
    pub time: Option<f64>,
    /// What it should be.
    pub wanted: Option<f64>,
    /// How far it may be off.
    pub tolerance: Option<f64>,
    /// Why it does not hold, or was not looked at, where the numbers do not say.
    pub reason: Option<String>,
}

impl Verdict {
    /// Whether it holds.
    pub fn is_met(&self) -> bool {
        self.outcome == Outcome::Met
    }
}

/// What has been seen of one expectation.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The value at its time, or the worst so far, and when.
    found: Option<(f64, f64)>,
    /// How far out of its range that is; negative inside.
    out: Option<f64>,
    /// Of a drift.
    first: Option<f64>,
    reason: Option<String>,
}

/// Looks at a run.
pub(super) struct Judge<'a> {
    expected: &'a [Expected],
    readers: &'a [Reader],
    solver: Solver,
    method: Method,
    seen: Vec<Seen>,
    /// Times of values that are not read yet, the next last.
    ahead: Vec<(f64, usize)>,
    broke: Vec<(JointId, f64)>,
}

impl<'a> Judge<'a> {
    pub fn new(loaded: &'a Loaded, solver: Solver, method: Method, grid: &Grid) -> Self {
        let expected = &loaded.expected;
        let applies = |each: &Expected| each.solver.is_none_or(|own| own == solver);
        let mut ahead: Vec<(f64, usize)> = Vec::new();
        for (index, each) in expected.iter().enumerate().filter(|(_, each)| applies(each)) {
            if let Check::Value { at, .. } = each.check {
                ahead.push((at.unwrap_or(grid.duration), index));
            }
        }
        ahead.sort_by(|a, b| b.0.total_cmp(&a.0));
        let seen = vec![Seen::default(); expected.len()];
        let readers = &loaded.probes;
        Self { expected, readers, solver, method, seen, ahead, broke: Vec::new() }
    }

    /// After a step that ends at `time`, before one that ends at `next`; `values` are of all probes.
    pub fn look(&mut self, moment: &Moment<'_>, time: f64, next: Option<f64>, values: &[f64]) {
        let world = moment.world;
        while let Some((at, index)) = self.ahead.last().copied() {
            if at <= time + SAME {
                self.read(index, at, values);
            } else if next.is_some_and(|next| at < next - SAME) {
                self.read_between(world, index, time, at);
            } else {
                break;
            }
            self.ahead.pop();
        }
        let value = |probe: usize| values.get(probe).copied().unwrap_or(f64::NAN);
        for (each, seen) in self.expected.iter().zip(&mut self.seen) {
            if each.solver.is_some_and(|own| own != self.solver) {
                continue;
            }
            let (found, out) = match each.check {
                Check::Range { probe, min, max } => {
                    let value = value(probe);
                    (value, (min - value).max(value - max))
                }
                Check::Drift { probe, most } => {
                    let value = value(probe);
                    let far = (value - *seen.first.get_or_insert(value)).abs();
                    (far, far - most)
                }
                Check::Separation { joint, most } => {
                    let far = separation(world, joint);
                    (far, far - most)
                }
                Check::Value { .. } | Check::Breaks { .. } => continue,
            };
            // NaN is worse than anything.
            if seen.out.is_none_or(|worst| out > worst || (out.is_nan() && !worst.is_nan())) {
                (seen.found, seen.out) = (Some((found, time)), Some(out));
            }
        }
    }

    fn read(&mut self, index: usize, at: f64, values: &[f64]) {
        let Check::Value { probe, is, within, .. } = self.expected[index].check else { return };
        let value = values.get(probe).copied().unwrap_or(f64::NAN);
        let seen = &mut self.seen[index];
        seen.found = Some((value, at));
        seen.out = Some((value - is).abs() - within);
    }

    /// By a copy of the world that steps to just there.
    fn read_between(&mut self, world: &World, index: usize, time: f64, at: f64) {
        let mut copy = world.clone();
        let length = at - time;
        let stepped = match self.solver {
            Solver::RealTime => copy.step(length).map(drop).map_err(|error| error.to_string()),
            Solver::Reference => {
                let solver = Reference::new(self.method);
                let stepped = solver.step(&mut copy, length);
                stepped.map(drop).map_err(|error| error.to_string())
            }
        };
        match stepped {
            Ok(()) => {
                let values = Moment::new(&copy, self.solver).probes(self.readers);
                self.read(index, at, &values);
            }
            Err(error) => {
                let seen = &mut self.seen[index];
                seen.reason = Some(format!("the world could not be moved to {at} s: {error}"));
                seen.found = Some((f64::NAN, at));
            }
        }
    }

    pub fn happened(&mut self, time: f64, event: &Event) {
        if let Event::Broke { joint, .. } = event {
            self.broke.push((*joint, time));
        }
    }

    pub fn finish(self, grid: &Grid) -> Vec<Verdict> {
        let each = self.expected.iter().zip(&self.seen);
        each.map(|(expected, seen)| self.verdict(expected, seen, grid)).collect()
    }

    fn verdict(&self, expected: &Expected, seen: &Seen, grid: &Grid) -> Verdict {
        let mut verdict = Verdict {
            text: expected.text.clone(),
            outcome: Outcome::Skipped,
            found: seen.found.map(|(value, _)| value).filter(|value| value.is_finite()),
            time: seen.found.map(|(_, time)| time),
            wanted: None,
            tolerance: None,
            reason: seen.reason.clone(),
        };
        let judged = |met: bool| if met { Outcome::Met } else { Outcome::Unmet };
        match expected.check {
            Check::Value { is, within, .. } => {
                (verdict.wanted, verdict.tolerance) = (Some(is), Some(within));
            }
            Check::Range { min, max, .. } => {
                let nearer = seen.found.map_or(min, |(found, _)| {
                    if (found - min).abs() <= (found - max).abs() { min } else { max }
                });
                verdict.wanted = Some(nearer).filter(|value| value.is_finite());
            }
            Check::Drift { most, .. } | Check::Separation { most, .. } => {
                verdict.tolerance = Some(most);
            }
            Check::Breaks { .. } => {}
        }
        if let Some(solver) = expected.solver.filter(|own| *own != self.solver) {
            let name = match solver {
                Solver::RealTime => "real-time",
                Solver::Reference => "reference",
            };
            verdict.reason = Some(format!("it is about the {name} solver"));
            return verdict;
        }
        if let Check::Breaks { joint, must } = expected.check {
            let broke = self.broke.iter().find(|(id, _)| *id == joint);
            verdict.time = broke.map(|(_, time)| *time);
            verdict.outcome = judged(broke.is_some() == must);
            verdict.reason = (!verdict.is_met()).then(|| match broke {
                Some((_, time)) => format!("it broke at {time:.6} s"),
                None => "it did not break".to_owned(),
            });
            return verdict;
        }
        match (seen.out, seen.found) {
            (Some(out), _) => {
                verdict.outcome = judged(out <= 0.0);
                if verdict.found.is_none() {
                    verdict.reason = Some("it has no finite value".to_owned());
                }
            }
            (None, Some(_)) => verdict.outcome = Outcome::Unmet,
            (None, None) => {
                verdict.reason = Some(format!("the run ended before, at {} s", grid.duration));
            }
        }
        verdict
    }
}

/// How far a joint, or any, is open: the larger of m and rad.
fn separation(world: &World, joint: Option<JointId>) -> f64 {
    let of = |id: JointId| world.joint_separation(id).map(|(length, angle)| length.max(angle));
    match joint {
        // What broke off is not open.
        Some(id) => of(id).unwrap_or(0.0),
        None => world.joints().filter_map(|(id, _)| of(id)).fold(0.0, |most, one| {
            // NaN stays.
            if one > most || one.is_nan() { one } else { most }
        }),
    }
}
