//! Entries whose numbers follow an expression in time, a force law, or the tooth of a ratchet.

use super::HOT;
use super::bucket::{LawKind, Layout};
use super::build::{At, Solver};
use super::fill::beside;
use crate::joint::{Joint, Motor};
use kempe_solve::Pool;

/// An entry that is driven.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub at: At,
    /// The joint's slot.
    pub joint: usize,
    pub axis: usize,
    pub law: LawKind,
    pub row: usize,
}

impl Solver {
    /// At the start of a step: where servos and teeth are, in f64.
    pub(super) fn start_drives(&mut self, joints: &Pool<Joint>) {
        self.unknown.clear();
        for index in 0..self.driven.len() {
            let drive = self.driven[index];
            let Some(joint) = joints.at(drive.joint) else { continue };
            let Some(axis) = joint.def.axis(drive.axis) else { continue };
            let target = match (drive.law, axis.motor) {
                (
                    LawKind::Servo,
                    Some(Motor::Position { target, .. } | Motor::Both { target, .. }),
                ) => target.at(self.time).0,
                (LawKind::Limit, _) => {
                    let tooth = joint.state.teeth.get(drive.axis).copied();
                    match tooth.filter(|tooth| tooth.is_finite()) {
                        Some(tooth) => tooth,
                        None => continue,
                    }
                }
                _ => continue,
            };
            self.count_from(&drive, joint, target);
        }
    }

    /// Lets the coordinate of an entry count from a target.
    fn count_from(&mut self, drive: &Drive, joint: &Joint, target: f64) {
        match drive.at {
            At::Built(index, lane) => {
                let bucket = &mut self.buckets[index];
                if bucket.kind.angle_row() == Some(drive.row) {
                    bucket.angles[lane] = joint.def.kind.numbers().angle + target;
                } else {
                    bucket.set(lane, bucket.layout.target(0), target as f32);
                }
            }
            At::Wide(index, lane) => self.wides[index].targets[lane] = target,
        }
    }

    /// Before the rows are evaluated, `elapsed` seconds into the step: where servos go.
    pub(super) fn drive_targets(&mut self, joints: &Pool<Joint>, elapsed: f64) {
        for index in 0..self.driven.len() {
            let drive = self.driven[index];
            let Some(joint) = joints.at(drive.joint) else { continue };
            let motor = joint.def.axis(drive.axis).and_then(|axis| axis.motor);
            let (LawKind::Servo, Some(motor)) = (drive.law, motor) else { continue };
            let now = self.time + elapsed;
            let (target, speed) = match motor {
                Motor::Position { target, .. } => (target, target.at(now).1),
                Motor::Both { target, speed, .. } => {
                    if !speed.is_number_at(now) {
                        self.unknown.push((drive.joint as u32, drive.axis as u32));
                    }
                    (target, speed.at(now).0)
                }
                _ => continue,
            };
            if !target.is_number_at(now) {
                self.unknown.push((drive.joint as u32, drive.axis as u32));
            }
            let further = beside(target.at(now), speed, self.law_step(drive.joint));
            let (start, target) = (target.at(self.time).0, target.at(now).0 - further);
            match drive.at {
                At::Built(index, lane) => {
                    let bucket = &mut self.buckets[index];
                    let turns = bucket.kind.angle_row() == Some(drive.row);
                    let target = if turns { target - start } else { target };
                    bucket.set(lane, bucket.layout.target(0), target as f32);
                }
                At::Wide(index, lane) => self.wides[index].targets[lane] = target,
            }
            set_law(&mut self.buckets, &mut self.wides, drive.at, 0, speed as f32);
        }
    }

    /// At the start of a sub-step that ends `elapsed` seconds into the step: the speeds of motors,
    /// and forces with their slopes.
    pub(crate) fn drive_forces(&mut self, joints: &Pool<Joint>, elapsed: f64) {
        for index in 0..self.driven.len() {
            let drive = self.driven[index];
            let Some(joint) = joints.at(drive.joint) else { continue };
            let Some(axis) = joint.def.axis(drive.axis) else { continue };
            // The end of what the laws take: half-way where they act twice.
            let h = self.law_step(drive.joint);
            let end = self.time + elapsed - (self.h - h);
            let here = (drive.joint as u32, drive.axis as u32);
            match (drive.law, axis.motor) {
                (LawKind::Motor, Some(Motor::Velocity { speed, .. })) => {
                    if !speed.is_number_at(end) {
                        self.unknown.push(here);
                    }
                    let speed = speed.at(end).0 as f32;
                    set_law(&mut self.buckets, &mut self.wides, drive.at, 0, speed);
                }
                (LawKind::Push, Some(Motor::Force { force })) => {
                    let middle = self.time + elapsed - 0.5 * self.h;
                    if !force.is_number_at(middle) {
                        self.unknown.push(here);
                    }
                    let wanted = (h * force.at(middle).0) as f32;
                    set_law(&mut self.buckets, &mut self.wides, drive.at, 0, wanted);
                }
                (LawKind::Force, _) => {
                    let Some(law) = axis.law else { continue };
                    let (q, speed) = self.coordinate(drive.at);
                    let [force, by_q, by_speed] = law.evaluate(q, speed, end);
                    if !force.is_finite() {
                        self.unknown.push(here);
                    }
                    // λ = h F(q + h v, v), linear about now: λ* − D v.
                    let slope = -h * (by_speed + h * by_q);
                    let implicit = slope > 0.0 && slope.is_finite();
                    let (wanted, slope) = if implicit {
                        (h * (force - by_speed * speed), slope)
                    } else {
                        (h * force, 0.0)
                    };
                    let wanted = if wanted.is_finite() { wanted } else { 0.0 };
                    for (k, number) in [wanted, slope].into_iter().enumerate() {
                        set_law(&mut self.buckets, &mut self.wides, drive.at, k, number as f32);
                    }
                }
                _ => {}
            }
        }
    }

    /// Before the velocities of the end are found: the speeds that motors have then, where they have had
    /// those of the middle.
    pub(super) fn drive_ends(&mut self, joints: &Pool<Joint>, elapsed: f64) {
        for index in 0..self.driven.len() {
            let drive = self.driven[index];
            let Some(joint) = joints.at(drive.joint) else { continue };
            let motor = joint.def.axis(drive.axis).and_then(|axis| axis.motor);
            if let (LawKind::Motor, Some(Motor::Velocity { speed, .. }), true) =
                (drive.law, motor, self.midpoint[drive.joint])
            {
                let speed = speed.at(self.time + elapsed).0 as f32;
                set_law(&mut self.buckets, &mut self.wides, drive.at, 0, speed);
            }
        }
    }

    /// q and q̇ of an entry now.
    fn coordinate(&self, at: At) -> (f64, f64) {
        match at {
            At::Built(index, lane) => {
                let bucket = &self.buckets[index];
                let value = bucket.get(lane, bucket.layout.value(0));
                let [nx, ny, wa, wb] = bucket.row(lane, 0);
                let body = |row: u32| &self.hot.floats[HOT * row as usize..];
                let (a, b) = (body(bucket.a[lane]), body(bucket.b[lane]));
                let speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny + (wb * b[2] - wa * a[2]);
                (value.into(), speed.into())
            }
            At::Wide(index, lane) => {
                let wide = &self.wides[index];
                let value = wide.get(lane, wide.layout.value(0));
                (value.into(), wide.speed(lane, &self.hot.floats).into())
            }
        }
    }
}

fn set_law(
    buckets: &mut [super::bucket::Bucket],
    wides: &mut [super::wide::Wide],
    at: At,
    number: usize,
    value: f32,
) {
    match at {
        At::Built(index, lane) => {
            let bucket = &mut buckets[index];
            bucket.set(lane, bucket.layout.law() + number, value);
        }
        At::Wide(index, lane) => {
            let wide = &mut wides[index];
            wide.set(lane, wide.layout.law() + number, value);
        }
    }
}

const _: () = assert!(Layout::LAW >= 2, "a force has an impulse and a slope");
