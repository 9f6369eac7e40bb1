//! A recorded motion: bodies and joints, and where they were in each frame.

use crate::error::Error;
use crate::plot::Panel;
use kempe2d::{Shape, Vec2};

/// The latest time of a frame, s.
const LATEST: f64 = 1e15;

/// A body as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayBody {
    /// Its name; may be empty.
    pub name: String,
    /// Whether it stays where it is.
    pub fixed: bool,
    /// Its pieces, in its own axes; without any it is a small mark.
    pub shapes: Vec<Shape>,
}

/// A joint as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayJoint {
    /// Its name; may be empty.
    pub name: String,
    /// Its kind, as in `revolute`, `prismatic`, `slot`, `distance`, `rope`, `spring`, `weld`,
    /// `pulley`, `tendon`; any other is a dotted line.
    pub kind: String,
    /// On which bodies its ends are, if on any: an end that keeps its place in a body takes no
    /// room in a replay.
    pub bodies: [Option<usize>; 2],
    /// The direction of its rail in the axes of the first body.
    pub rail: Option<Vec2>,
    /// Where its line goes, if it is not straight from end to end: points of bodies.
    pub line: JointLine,
}

/// Points of bodies that a line passes: index of the body, and the point in its axes.
pub type JointLine = Vec<(usize, Vec2)>;

/// A joint in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// Where it is attached to its first body, in the world, m.
    pub a: Vec2,
    /// And to its second.
    pub b: Vec2,
    /// On the second body, N.
    pub force: Vec2,
    /// On the second body, N·m.
    pub torque: f64,
    /// Whether it has broken.
    pub broken: bool,
}

impl Default for JointFrame {
    fn default() -> Self {
        Self { a: Vec2::ZERO, b: Vec2::ZERO, force: Vec2::ZERO, torque: 0.0, broken: false }
    }
}

/// The path of a point of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What it is called.
    pub name: String,
    /// Which body.
    pub body: usize,
    /// The point, in its axes.
    pub point: Vec2,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, s.
    pub time: f64,
    /// What.
    pub text: String,
}

/// Another run of the same bodies at the same times.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// What it is called.
    pub name: String,
    /// For each frame, for each body: x, y and angle.
    pub poses: Vec<Vec<[f64; 3]>>,
}

/// A recorded motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Above everything.
    pub title: String,
    /// A sentence or two below.
    pub about: String,
    /// What moves.
    pub bodies: Vec<ReplayBody>,
    /// What holds it.
    pub joints: Vec<ReplayJoint>,
    /// Of each frame, s; each later than that before.
    pub times: Vec<f64>,
    /// For each frame, for each body: x, y and angle, m and rad. A body with a number that is not
    /// finite is not drawn.
    pub poses: Vec<Vec<[f64; 3]>>,
    /// For each frame, for each joint. Without frames the joints are not drawn.
    pub joint_frames: Vec<Vec<JointFrame>>,
    /// Paths.
    pub traces: Vec<Trace>,
    /// What was measured; x is the time.
    pub panels: Vec<Panel>,
    /// What happened.
    pub events: Vec<Event>,
    /// Another run, drawn as a ghost.
    pub compare: Option<Compare>,
}

/// What is drawn of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Joints.
    pub joints: bool,
    /// Forces and torques of joints.
    pub forces: bool,
    /// Paths of points.
    pub traces: bool,
    /// Names of bodies.
    pub names: bool,
    /// The other run.
    pub ghost: bool,
}

impl Default for Look {
    /// All but forces and names.
    fn default() -> Self {
        Self { joints: true, forces: false, traces: true, names: false, ghost: true }
    }
}

/// All that is drawn of one instant.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub time: f64,
    /// The last frame that is not later.
    pub frame: usize,
    pub poses: Vec<[f64; 3]>,
    pub joints: Vec<JointFrame>,
    pub ghost: Vec<[f64; 3]>,
}

fn count<T>(
    list: &'static str,
    frame: Option<usize>,
    entries: &[T],
    expected: usize,
) -> Result<(), Error> {
    let found = entries.len();
    if found == expected { Ok(()) } else { Err(Error::Count { list, frame, expected, found }) }
}

impl Replay {
    /// That all lists fit together.
    ///
    /// # Errors
    /// With the first that does not.
    pub fn check(&self) -> Result<(), Error> {
        let frames = self.times.len();
        if frames == 0 {
            return Err(Error::NoFrames);
        }
        let mut before = f64::NEG_INFINITY;
        for (frame, &value) in self.times.iter().enumerate() {
            // NaN is not.
            let known = value.abs() <= LATEST;
            if !known || value <= before {
                return Err(Error::Time { frame, value });
            }
            before = value;
        }
        let bodies = self.bodies.len();
        count("poses", None, &self.poses, frames)?;
        for (frame, poses) in self.poses.iter().enumerate() {
            count("poses", Some(frame), poses, bodies)?;
        }
        if !self.joint_frames.is_empty() {
            count("joint_frames", None, &self.joint_frames, frames)?;
        }
        for (frame, joints) in self.joint_frames.iter().enumerate() {
            count("joint_frames", Some(frame), joints, self.joints.len())?;
        }
        if let Some(compare) = &self.compare {
            count("compare.poses", None, &compare.poses, frames)?;
            for (frame, poses) in compare.poses.iter().enumerate() {
                count("compare.poses", Some(frame), poses, bodies)?;
            }
        }
        let known = |what: &dyn Fn() -> String, index: usize| match index < bodies {
            true => Ok(()),
            false => Err(Error::Body { what: what(), index, bodies }),
        };
        for trace in &self.traces {
            known(&|| format!("the trace `{}`", trace.name), trace.body)?;
        }
        for joint in &self.joints {
            let ends = joint.bodies.iter().flatten().copied();
            for index in ends.chain(joint.line.iter().map(|(body, _)| *body)) {
                known(&|| format!("the joint `{}`", joint.name), index)?;
            }
        }
        Ok(())
    }

    /// A frame as it is.
    pub(crate) fn at_frame(&self, frame: usize) -> Result<Moment, Error> {
        let frames = self.times.len();
        let time = *self.times.get(frame).ok_or(Error::Frame { frame, frames })?;
        let list = |poses: &[Vec<[f64; 3]>]| poses.get(frame).cloned().unwrap_or_default();
        let ghost = self.compare.as_ref().map_or(Vec::new(), |compare| list(&compare.poses));
        let joints = self.joint_frames.get(frame).cloned().unwrap_or_default();
        Ok(Moment { time, frame, poses: list(&self.poses), joints, ghost })
    }

    /// Between two frames.
    pub(crate) fn at_time(&self, time: f64) -> Result<Moment, Error> {
        let after = self.times.partition_point(|frame| *frame <= time);
        let frame = after.saturating_sub(1);
        let mut moment = self.at_frame(frame)?;
        if after == 0 || after >= self.times.len() {
            return Ok(moment);
        }
        let next = self.at_frame(after)?;
        let part = (time - moment.time) / (next.time - moment.time);
        let mix = |a: f64, b: f64| a + part * (b - a);
        let point = |a: Vec2, b: Vec2| Vec2::new(mix(a.x, b.x), mix(a.y, b.y));
        let poses = |now: &mut [[f64; 3]], next: &[[f64; 3]]| {
            for (now, next) in now.iter_mut().zip(next) {
                *now = [0, 1, 2].map(|i| mix(now[i], next[i]));
            }
        };
        poses(&mut moment.poses, &next.poses);
        poses(&mut moment.ghost, &next.ghost);
        for (now, next) in moment.joints.iter_mut().zip(&next.joints) {
            now.a = point(now.a, next.a);
            now.b = point(now.b, next.b);
            now.force = point(now.force, next.force);
            now.torque = mix(now.torque, next.torque);
        }
        moment.time = time;
        Ok(moment)
    }
}

/// A point of a body in the world.
pub(crate) fn placed([x, y, angle]: [f64; 3], point: Vec2) -> Vec2 {
    let (sin, cos) = angle.sin_cos();
    Vec2::new(x + cos * point.x - sin * point.y, y + sin * point.x + cos * point.y)
}

/// The other way round.
pub(crate) fn local([x, y, angle]: [f64; 3], point: Vec2) -> Vec2 {
    placed([0.0, 0.0, -angle], Vec2::new(point.x - x, point.y - y))
}
