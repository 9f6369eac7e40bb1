//! Who keeps what happens in a run.

use super::error::RunError;
use super::judge::Judge;
use super::options::{Frames, Grid, Options};
use super::parts::{BodyPart, JointPart, has_springs, parts};
use super::read::{Moment, unit};
use super::recording::{Energy, Happened, JointState, MOST_EVENTS, MOST_NUMBERS, Peak, Recording};
use crate::file::{Loaded, Reader, Solver};
use kempe2d::{BodyId, Cause, Event, JointId, ReferenceError, Vec2, World};
use std::collections::HashMap;
use std::time::Duration;

/// Up to so many joints are kept in every frame, unless it is asked for.
const JOINTS: usize = 2000;
/// So many looks at joints are taken for their peaks.
const LOOKS: u64 = 2_000_000;
/// Up to so many joints, and joints times frames, what springs store is found, which takes an
/// equation for all of them.
const STORED: (usize, f64) = (1000, 400_000.0);
/// Up to so many joints it is found what those of the reference solver bear, which takes the rank of
/// all rows.
const BALANCED: usize = 200;

pub(super) struct Recorder<'a> {
    grid: Grid,
    solver: Solver,
    readers: &'a [Reader],
    judge: Judge<'a>,
    recording: Recording,
    names: HashMap<BodyId, usize>,
    joint_names: HashMap<JointId, usize>,
    /// After which steps frames and samples are kept.
    frame_every: Frames,
    sample_every: u64,
    keep_joints: bool,
    springs: bool,
    /// Whether what springs store, and what joints bear by the balance of forces, may be asked for in
    /// every frame.
    stores: bool,
    balances: bool,
    next_frame: f64,
}

impl<'a> Recorder<'a> {
    pub fn new(loaded: &'a Loaded, options: &Options, grid: &Grid) -> Self {
        let world = &loaded.world;
        let (bodies, joints) = parts(loaded);
        let keep_joints = options.joints.unwrap_or(joints.len() <= JOINTS);
        let coordinates: usize = joints.iter().map(|joint| joint.units.len()).sum();
        let of_joints = if keep_joints { 10 * joints.len() + coordinates } else { 0 };
        let most = (MOST_NUMBERS / (6 * bodies.len() + of_joints + 4)).max(2) as f64;
        let frame_every = match options.frames {
            Frames::PerSecond(rate) => Frames::PerSecond(rate.min(most / grid.duration)),
            Frames::Every(n) => Frames::Every(n.max((grid.steps as f64 / most).ceil() as u64)),
        };
        let frames = match frame_every {
            Frames::PerSecond(rate) => (rate * grid.duration).min(grid.steps as f64),
            Frames::Every(n) => grid.steps as f64 / n as f64,
        };
        let samples = (MOST_NUMBERS / (loaded.probes.len() + 1)).max(2) as u64;
        let looks = (joints.len() as u64).saturating_mul(grid.steps);
        let mut recording = Recording {
            solver: options.solver,
            steps: grid.steps,
            step: grid.step,
            seconds: grid.duration,
            took: Duration::ZERO,
            times: Vec::new(),
            poses: Vec::new(),
            velocities: Vec::new(),
            joint_states: Vec::new(),
            coordinates: Vec::new(),
            energies: Vec::new(),
            probe_names: loaded.probes.iter().map(|probe| probe.name.clone()).collect(),
            probe_units: loaded.probes.iter().map(|probe| unit(probe, world)).collect(),
            probe_times: Vec::new(),
            probes: vec![Vec::new(); loaded.probes.len()],
            events: Vec::new(),
            events_left_out: 0,
            spoiled: None,
            peaks: vec![Peak::default(); joints.len()],
            watched_every: looks.div_ceil(LOOKS).max(1),
            verdicts: Vec::new(),
            hash: 0,
            world: World::default(),
            bodies,
            joints,
        };
        let count = recording.joints.len();
        let stores = count <= STORED.0 && count as f64 * frames <= STORED.1;
        let balances = stores && count <= BALANCED;
        if options.solver == Solver::Reference && !balances {
            let unknown = f64::NAN;
            let peak =
                Peak { impulse: unknown, force: unknown, torque: unknown, ..Peak::default() };
            recording.peaks.fill(peak);
        }
        let bodies = recording.bodies.iter().enumerate().map(|(place, each)| (each.id, place));
        let joints = recording.joints.iter().enumerate().map(|(place, each)| (each.id, place));
        Self {
            grid: *grid,
            solver: options.solver,
            readers: &loaded.probes,
            judge: Judge::new(loaded, options.solver, options.method, grid),
            names: bodies.collect(),
            joint_names: joints.collect(),
            frame_every,
            sample_every: grid.steps.div_ceil(samples),
            keep_joints,
            springs: has_springs(world),
            stores,
            balances,
            next_frame: 0.0,
            recording,
        }
    }

    /// After a step.
    pub fn look(&mut self, world: &World, step: u64) {
        let (time, end) = (self.grid.end(step), step == self.grid.steps);
        let next = (!end).then(|| self.grid.end(step + 1));
        let mut moment = Moment::new(world, self.solver);
        if step == 0 {
            moment = moment.first();
        }
        let values = moment.probes(self.readers);
        if step.is_multiple_of(self.sample_every) || end {
            self.recording.probe_times.push(time);
            for (list, value) in self.recording.probes.iter_mut().zip(&values) {
                list.push(*value);
            }
        }
        self.judge.look(&moment, time, next, &values);
        let frame = self.is_frame(step, time) || end;
        if frame {
            self.keep_frame(&mut moment, time);
        }
        let looks = match self.solver {
            Solver::RealTime => step.is_multiple_of(self.recording.watched_every) || end,
            // Forces cost a balance.
            Solver::Reference => frame && self.balances,
        };
        if looks {
            self.watch_joints(&mut moment, step);
        } else if self.solver == Solver::Reference
            && step.is_multiple_of(self.recording.watched_every)
        {
            self.watch_errors(world);
        }
    }

    fn is_frame(&mut self, step: u64, time: f64) -> bool {
        match self.frame_every {
            Frames::Every(n) => step.is_multiple_of(n),
            Frames::PerSecond(rate) => {
                if time + 1e-9 < self.next_frame / rate {
                    return false;
                }
                self.next_frame = (time * rate + 1e-6).floor() + 1.0;
                true
            }
        }
    }

    fn keep_frame(&mut self, moment: &mut Moment<'_>, time: f64) {
        let (world, recording) = (moment.world, &mut self.recording);
        let (mut poses, mut velocities) = (Vec::new(), Vec::new());
        poses.reserve_exact(recording.bodies.len());
        velocities.reserve_exact(recording.bodies.len());
        for part in &recording.bodies {
            let Some(body) = world.body(part.id) else {
                poses.push([f64::NAN; 3]);
                velocities.push([f64::NAN; 3]);
                continue;
            };
            let (at, v) = (body.position(), body.velocity());
            poses.push([at.x, at.y, body.rotation()]);
            velocities.push([v.x, v.y, body.angular_velocity()]);
        }
        recording.times.push(time);
        recording.poses.push(poses);
        recording.velocities.push(velocities);
        let stored = match (self.springs, self.stores) {
            (false, _) => Some(0.0),
            (true, true) => world.energies().ok().map(|all| all.stored()),
            (true, false) => None,
        };
        let (kinetic, potential) = (world.kinetic_energy(), world.potential_energy());
        recording.energies.push(Energy { kinetic, potential, stored });
        if !self.keep_joints {
            return;
        }
        let known = self.solver == Solver::RealTime || self.balances;
        let mut coordinates = Vec::new();
        let mut states = Vec::with_capacity(recording.joints.len());
        for part in &recording.joints {
            for axis in 0..part.units.len() {
                coordinates.push(world.joint_coordinate(part.id, axis).unwrap_or(f64::NAN));
            }
            states.push(state(moment, part, &recording.bodies, known));
        }
        recording.joint_states.push(states);
        recording.coordinates.push(coordinates);
    }

    fn watch_joints(&mut self, moment: &mut Moment<'_>, step: u64) {
        self.watch_errors(moment.world);
        // Nothing has acted yet.
        if step == 0 && self.solver == Solver::RealTime {
            return;
        }
        for (part, peak) in self.recording.joints.iter().zip(&mut self.recording.peaks) {
            if let Some((force, torque)) = moment.force(part.id) {
                peak.force = peak.force.max(force.length());
                peak.torque = peak.torque.max(torque.abs());
            }
            if let Some(impulse) = moment.impulse(part.id, self.grid.length(step)) {
                peak.impulse = peak.impulse.max(impulse);
            }
        }
    }

    fn watch_errors(&mut self, world: &World) {
        for (part, peak) in self.recording.joints.iter().zip(&mut self.recording.peaks) {
            // One that broke has no more to tell.
            if let Some((length, angle)) = world.joint_separation(part.id) {
                peak.error_m = peak.error_m.max(length);
                peak.error_rad = peak.error_rad.max(angle);
            }
        }
    }

    pub fn happened(&mut self, time: f64, event: &Event) {
        self.judge.happened(time, event);
        if matches!(event, Event::NotFinite(_) | Event::LeftOut(_) | Event::NoNumber { .. })
            && self.recording.spoiled.is_none()
        {
            self.recording.spoiled = Some(Happened { time, text: self.words(event) });
        }
        if self.recording.events.len() >= MOST_EVENTS {
            self.recording.events_left_out += 1;
            return;
        }
        let text = self.words(event);
        self.recording.events.push(Happened { time, text });
    }

    fn body(&self, id: BodyId) -> String {
        let part = self.names.get(&id).and_then(|place| self.recording.bodies.get(*place));
        part.map_or_else(|| "a body".to_owned(), |part| format!("`{}`", part.name))
    }

    fn joint(&self, id: JointId) -> String {
        let part = self.joint_names.get(&id).and_then(|place| self.recording.joints.get(*place));
        part.map_or_else(|| "a joint".to_owned(), |part| format!("`{}`", part.name))
    }

    fn words(&self, event: &Event) -> String {
        let end = |upper: bool| if upper { "upper" } else { "lower" };
        match *event {
            Event::NotFinite(id) => format!("{} was stopped: not finite", self.body(id)),
            Event::LeftOut(id) => format!("{} was left out: it has no value", self.joint(id)),
            Event::NoNumber { joint, axis } => {
                format!("an expression on axis {axis} of {} gives no number", self.joint(joint))
            }
            Event::Broke { joint, cause } => {
                let why = match cause {
                    Cause::Force(force) => format!("{force:.4} N"),
                    Cause::Torque(torque) => format!("{torque:.4} N·m"),
                    Cause::Error(error) => format!("open by {error:.6}"),
                };
                format!("{} broke: {why}", self.joint(joint))
            }
            Event::Threshold { joint, force, above } => {
                let way = if above { "rose above" } else { "fell below" };
                format!("{} {way} its threshold: {force:.4} N", self.joint(joint))
            }
            Event::LimitReached { joint, upper, .. } => {
                format!("{} reached its {} stop", self.joint(joint), end(upper))
            }
            Event::LimitLeft { joint, upper, .. } => {
                format!("{} left its {} stop", self.joint(joint), end(upper))
            }
            Event::Taut(id) => format!("{} became taut", self.joint(id)),
            Event::Slack(id) => format!("{} became slack", self.joint(id)),
            Event::Removed { joint, with } => {
                format!("{} went with {}", self.joint(joint), self.joint(with))
            }
            Event::PathLeft { joint, .. } => format!("{} came off its path", self.joint(joint)),
            Event::Slept(id) => format!("{} fell asleep", self.body(id)),
            Event::Woke(id) => format!("{} woke", self.body(id)),
            _ => format!("{event:?}"),
        }
    }

    /// What the reference solver says, with names.
    pub fn refused(&self, time: f64, error: ReferenceError) -> RunError {
        let text = match &error {
            ReferenceError::NotConverged { time, joint: Some(joint) } => {
                let joint = self.joint(*joint);
                format!("no solution at {time:.6} s; joint {joint} is furthest open")
            }
            ReferenceError::Contradiction { joints } => {
                let joints: Vec<String> = joints.iter().map(|id| self.joint(*id)).collect();
                format!("joints {} contradict each other", joints.join(", "))
            }
            ReferenceError::NoValue { joint } => {
                format!("the equations of joint {} have no value", self.joint(*joint))
            }
            ReferenceError::Loses { joint, by } => {
                let joint = self.joint(*joint);
                format!("joint {joint} loses energy by {by}; RATTLE is for what loses none")
            }
            ReferenceError::Clamps { joint } => {
                let joint = self.joint(*joint);
                format!("joint {joint} clamps its impulses by a rule that is for real time")
            }
            ReferenceError::Damped { body } => {
                let body = self.body(*body);
                format!("body {body} is damped; RATTLE is for what loses no energy")
            }
            other => other.to_string(),
        };
        RunError::Reference { time, error, text }
    }

    pub fn finish(self, world: World, took: Duration) -> Recording {
        let Self { mut recording, judge, grid, .. } = self;
        recording.verdicts = judge.finish(&grid);
        recording.hash = world.state_hash();
        (recording.world, recording.took) = (world, took);
        recording
    }
}

fn state(
    moment: &mut Moment<'_>,
    part: &JointPart,
    bodies: &[BodyPart],
    known: bool,
) -> JointState {
    let world = moment.world;
    let point = |(at, local): (usize, Vec2)| {
        let body = bodies.get(at).and_then(|part| world.body(part.id));
        body.map_or(Vec2::new(f64::NAN, f64::NAN), |body| body.world_point(local))
    };
    let [a, b] = part.ends.map(point);
    let broken = !world.joint(part.id).is_some_and(kempe2d::Joint::is_enabled);
    let borne = if known && !broken { moment.force(part.id) } else { None };
    let none = if broken { 0.0 } else { f64::NAN };
    let (force, torque) = borne.unwrap_or((Vec2::new(none, none), none));
    let (length, angle) = world.joint_separation(part.id).unwrap_or((0.0, 0.0));
    JointState { a, b, force, torque, error: [length, angle], broken }
}
