//! Holds, servos and stops with a largest force, and drives: rows whose forces have a bound together.
//!
//! What is asked for more than its largest force gives way, and pulls back with what it has: as a
//! spring of 60 Hz without overshoot, whose force is cut off, until it is closed again. A drive to a
//! velocity pushes with all it has the way that is lacking, as friction does.

use super::acts::{Act, Mode};
use super::bench::length;
use super::events::STILL;
use super::lines::{What, is_rigid};
use super::newton::Stepper;
use super::system::{Found, System};
use super::turns::Turn;
use crate::joint::JointKind;
use crate::solver::LawKind;
use std::f64::consts::TAU;

/// How fast what gave way comes back, rad/s.
const RATE: f64 = 60.0 * TAU;
/// What is open by less than this, and at rest but for that, is closed again, m and m/s or rad.
const CLOSED: [f64; 2] = [1e-8, 1e-6];
/// Forces that differ by less than this part are the same.
const SAME: f64 = 1e-9;

/// Rows whose forces have a bound together, as a vector; one alone may have any range.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub lines: Vec<usize>,
    pub range: [f64; 2],
    pub kind: Kind,
    /// Whether it has given way.
    pub yields: bool,
    /// The way that it pushes where neither its speed nor its opening says.
    pub way: Vec<f64>,
}

/// What rows with a bound do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// They hold as long as they can.
    Hold,
    /// They are springs.
    Spring,
    /// They keep a velocity.
    Tow,
}

/// Bounds what acts on axes by the largest forces of its joints.
pub(crate) fn bound_laws(system: &mut System, found: &[Found]) {
    for (line, found) in system.lines.iter_mut().zip(found) {
        let Ok(joint) = system.joints.get(system.parts[line.part].id) else { continue };
        // What is held, and what draws a point, has its bound as a vector.
        if !matches!(line.law, None | Some(LawKind::Pull | LawKind::Tow)) {
            line.what.bound(joint.def.most(turns(found)));
        }
    }
}

/// Whether a row only turns bodies.
fn turns(found: &Found) -> bool {
    found.j.iter().all(|(_, j)| j[0] == 0.0 && j[1] == 0.0)
}

/// The sets of a system.
pub(crate) fn sets_of(system: &System, found: &[Found]) -> Vec<Set> {
    let mut sets: Vec<Set> = Vec::new();
    let mut part_of: Vec<(usize, Kind)> = Vec::new();
    for (index, line) in system.lines.iter().enumerate() {
        let Ok(joint) = system.joints.get(system.parts[line.part].id) else { continue };
        let def = &joint.def;
        let turns = turns(&found[index]);
        let (range, kind, alone) = match (&line.what, line.law) {
            (What::Hold(_), None) if turns => ([-def.max_torque, def.max_torque], Kind::Hold, true),
            (What::Hold(_), None) => ([-def.max_force, def.max_force], Kind::Hold, false),
            (What::Spring { .. }, None) if turns => {
                ([-def.max_torque, def.max_torque], Kind::Spring, true)
            }
            (What::Spring { .. }, None) => ([-def.max_force, def.max_force], Kind::Spring, false),
            (What::Spring { softness, .. }, Some(LawKind::Pull)) => {
                let JointKind::Drive { pull, .. } = &def.kind else { continue };
                let kind = if is_rigid(*softness) { Kind::Hold } else { Kind::Spring };
                ([-pull.spring_force, pull.spring_force], kind, false)
            }
            (What::Motor { force, .. }, Some(LawKind::Tow)) => {
                ([force.lower, force.upper], Kind::Tow, false)
            }
            (What::Spring { softness, force, .. }, Some(_)) if is_rigid(*softness) => {
                ([force.lower, force.upper], Kind::Hold, true)
            }
            (What::Limit(limit), _) if is_rigid(limit.softness) => {
                ([-limit.force, limit.force], Kind::Hold, true)
            }
            _ => continue,
        };
        if range.iter().all(|bound| bound.is_infinite()) {
            continue;
        }
        let same = part_of.iter().position(|each| *each == (line.part, kind));
        match same.filter(|_| !alone) {
            Some(at) if sets[at].lines.len() < 8 && sets[at].range == range => {
                sets[at].lines.push(index);
                sets[at].way.push(0.0);
            }
            _ => {
                let (lines, way) = (vec![index], vec![0.0]);
                sets.push(Set { lines, range, kind, yields: false, way });
                let key = if alone { usize::MAX } else { line.part };
                part_of.push((key, kind));
            }
        }
    }
    sets
}

impl Stepper {
    /// The set that a line is of.
    pub(crate) fn set_of(&self, line: usize) -> Option<&Set> {
        self.set_index[line].map(|at| &self.sets[at])
    }

    /// Whether a line can have an impulse at all.
    pub(super) fn gives(&self, line: usize) -> bool {
        let free = self.set_of(line).is_none_or(|set| set.kind != Kind::Hold);
        free && super::impact::gives(&self.system.lines[line].what)
    }

    /// What a line does that may have given way.
    pub(super) fn yielding(&self, line: usize, act: Act) -> Act {
        let Some(set) = self.set_of(line) else { return act };
        match (set.kind, act) {
            (Kind::Hold, Act::Place { target, rate }) if set.yields => {
                let size = length(&self.system, &self.found[line]);
                let mass = if size > 0.0 { 1.0 / (size * size) } else { 0.0 };
                let range = match (&self.system.lines[line].what, self.modes[line]) {
                    (What::Limit(_), Mode::Lower) => [0.0, set.range[1]],
                    (What::Limit(_), _) => [set.range[0], 0.0],
                    _ if set.lines.len() == 1 => set.range,
                    _ => [f64::NEG_INFINITY, f64::INFINITY],
                };
                let (k, c) = (RATE * RATE * mass, 2.0 * RATE * mass);
                Act::Spring { k, c, rest: target, speed: rate, range }
            }
            (Kind::Tow, Act::Force(_)) => Act::Tow,
            _ => act,
        }
    }

    /// f and its slopes by q and q̇, with what it shares a bound with.
    pub(super) fn force(&self, line: usize, act: Act, v: &[f64], t: f64) -> [f64; 3] {
        let plain = |line: usize, act: Act| {
            let found = &self.found[line];
            self.system.force_of(line, act, found.value, found.speed(v), t)
        };
        let Some(set) = self.set_of(line) else { return plain(line, act) };
        let most = set.range[1];
        let at = set.lines.iter().position(|each| *each == line).unwrap_or(0);
        match act {
            Act::Tow => {
                let lacks = self.lacks(set, v, t);
                let size = lacks.iter().map(|d| d * d).sum::<f64>().sqrt();
                let along: f64 = lacks.iter().zip(&set.way).map(|(d, way)| d * way).sum();
                // Past the moment at which nothing is lacking it goes on, so that this is found.
                match size > STILL && along > 0.1 * size {
                    true => [most * lacks[at] / size, 0.0, -most / size],
                    false => [most * set.way[at], 0.0, 0.0],
                }
            }
            Act::Spring { .. } => {
                let own = plain(line, act);
                let each = set.lines.iter().map(|each| plain(*each, self.act(*each, t))[0]);
                let size = each.map(|force| force * force).sum::<f64>().sqrt();
                // At the moment at which it gives way it still pulls as it did.
                let way = set.way[at];
                if set.yields && size < 1e-6 * most && way != 0.0 {
                    let bound = if way > 0.0 { set.range[1] } else { -set.range[0] };
                    return [if bound.is_finite() { bound * way } else { own[0] }, own[1], own[2]];
                }
                if set.lines.len() == 1 {
                    return own;
                }
                let share = if size > most { most / size } else { 1.0 };
                own.map(|number| share * number)
            }
            _ => plain(line, act),
        }
    }

    /// What a drive's velocity lacks.
    fn lacks(&self, set: &Set, v: &[f64], t: f64) -> Vec<f64> {
        let each = set.lines.iter().map(|line| {
            let wanted = match &self.system.lines[*line].what {
                What::Motor { speed, .. } => speed.at(t).0,
                _ => 0.0,
            };
            wanted - self.found[*line].speed(v)
        });
        each.collect()
    }

    /// How much more than it can a set is asked for, 0 or less if it is not; `None` where it has none
    /// to hold with.
    fn over(&self, set: &Set, lambda: &[f64]) -> Option<f64> {
        let first = *set.lines.first()?;
        if let [line] = set.lines[..] {
            let [low, high] = match (&self.system.lines[line].what, self.modes[line]) {
                (What::Limit(_), Mode::Rest) => return None,
                _ => set.range,
            };
            return Some((lambda[line] - high).max(low - lambda[line]));
        }
        let holds = set.kind == Kind::Hold || self.modes[first] == Mode::Rest;
        let size = set.lines.iter().map(|line| lambda[*line].powi(2)).sum::<f64>().sqrt();
        holds.then_some(size - set.range[1])
    }

    /// What is left until something that gave way is closed, in parts of what counts as closed; or a
    /// drive has its velocity. Below 0 it is there.
    fn rest(&self, set: &Set, v: &[f64], t: f64) -> f64 {
        if set.kind == Kind::Tow {
            let lacks = self.lacks(set, v, t);
            return lacks.iter().zip(&set.way).map(|(d, way)| d * way).sum();
        }
        let each = set.lines.iter().map(|line| match self.act(*line, t) {
            Act::Spring { rest, speed, .. } => {
                let found = &self.found[*line];
                let open = (found.value - rest).abs() / CLOSED[0];
                open.max((found.speed(v) - speed).abs() / CLOSED[1])
            }
            _ => f64::INFINITY,
        });
        each.fold(0.0, f64::max) - 1.0
    }

    /// How a set stands against what it does, if this is its first line.
    pub(super) fn set_turn(&self, line: usize, lambda: &[f64], v: &[f64], t: f64) -> Option<Turn> {
        let set = self.set_of(line).filter(|set| set.lines.first() == Some(&line))?;
        let slack = SAME * set.range.iter().fold(1.0_f64, |m, x| m.max(x.abs().min(1e300)));
        let slips = set.yields || (set.kind == Kind::Tow && self.modes[line] != Mode::Rest);
        match set.kind {
            Kind::Spring => None,
            _ if !slips => (self.over(set, lambda)? > slack).then_some(Turn::Slip(Mode::Upper)),
            Kind::Tow => (self.rest(set, v, t) < -STILL).then_some(Turn::Stick),
            Kind::Hold => (self.rest(set, v, t) < 0.0).then_some(Turn::Stick),
        }
    }

    /// What passes 0 where a set turns.
    pub(super) fn set_gauge(
        &self,
        line: usize,
        turn: Turn,
        (lambda, v, t): (&[f64], &[f64], f64),
    ) -> Option<f64> {
        let set = self.set_of(line)?;
        match turn {
            Turn::Slip(_) => Some(-self.over(set, lambda)?),
            Turn::Stick => Some(self.rest(set, v, t)),
            _ => None,
        }
    }

    /// A set gives way, or holds again. Says whether the line is of one that can.
    pub(super) fn turn_set(&mut self, line: usize, turn: Turn, lambda: &[f64]) -> bool {
        let Some(at) = self.set_index[line] else { return false };
        let slips = matches!(turn, Turn::Slip(_));
        let set = &mut self.sets[at];
        match set.kind {
            Kind::Spring => return false,
            Kind::Hold => set.yields = slips,
            Kind::Tow => {
                for line in &set.lines {
                    self.modes[*line] = if slips { Mode::Upper } else { Mode::Rest };
                }
            }
        }
        let size = set.lines.iter().map(|line| lambda[*line].powi(2)).sum::<f64>().sqrt();
        if slips && size > 0.0 {
            let lines = &set.lines;
            set.way.iter_mut().zip(lines).for_each(|(way, line)| *way = lambda[*line] / size);
        }
        true
    }

    /// The ways that drives push at the start of a step.
    pub(super) fn aim(&mut self, v: &[f64], t: f64) {
        for at in 0..self.sets.len() {
            if self.sets[at].kind != Kind::Tow {
                continue;
            }
            let lacks = self.lacks(&self.sets[at], v, t);
            let size = lacks.iter().map(|d| d * d).sum::<f64>().sqrt();
            if size > STILL {
                let way = &mut self.sets[at].way;
                way.iter_mut().zip(lacks).for_each(|(way, lacks)| *way = lacks / size);
            }
        }
    }

    /// What holds with a bound, and is open or does not have its speed, has given way.
    pub(super) fn give_way(&mut self, v: &[f64], t: f64) {
        for at in 0..self.sets.len() {
            let set = &self.sets[at];
            let yields = match set.kind {
                Kind::Spring => false,
                Kind::Hold => set.lines.iter().any(|line| match self.act(*line, t) {
                    Act::Place { target, rate } => {
                        let found = &self.found[*line];
                        let off = (found.speed(v) - rate).abs();
                        (found.value - target).abs() > CLOSED[0] || off > CLOSED[1]
                    }
                    Act::Spring { .. } => set.yields,
                    _ => false,
                }),
                Kind::Tow => self.lacks(set, v, t).iter().any(|lacks| lacks.abs() > STILL),
            };
            match set.kind {
                Kind::Hold => {
                    self.sets[at].yields = yields;
                    self.sets[at].way.fill(0.0);
                }
                Kind::Tow => {
                    let mode = if yields { Mode::Upper } else { Mode::Rest };
                    set.lines.clone().into_iter().for_each(|line| self.modes[line] = mode);
                }
                Kind::Spring => {}
            }
        }
        self.aim(v, t);
    }
}
