//! Inverse dynamics: the force that a given motion takes.

use super::bench::DesignError;
use super::{Method, Reference, Run};
use crate::error::{Error, at_least_zero, finite, positive};
use crate::expression::Target;
use crate::joint::{ForceRange, JointId, Motor};
use crate::solver::{LawKind, is_held};
use crate::world::World;
use kempe_solve::Softness;

/// How far ahead and back a target is looked at for its acceleration, s.
const AHEAD: f64 = 1e-4;

/// The motion of an axis at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisMotion {
    /// q, m or rad.
    pub position: f64,
    /// q̇
    pub speed: f64,
    /// q̈
    pub acceleration: f64,
}

/// What a motion takes at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriveForce {
    /// When, s.
    pub time: f64,
    /// The motion that was asked for.
    pub motion: AxisMotion,
    /// N or N·m; a positive force raises q.
    pub force: f64,
    /// force · q̇, W.
    pub power: f64,
}

impl World {
    /// The force of a motor on an axis with which it moves so, all else as it is now: bodies go to the
    /// nearest positions with this q, and to the nearest velocities with this q̇. The motor that the
    /// axis has is left out; springs, laws and friction on it stay.
    ///
    /// # Errors
    /// If there is no such axis or it is held, or no position has this q.
    pub fn drive_force(
        &self,
        joint: JointId,
        axis: usize,
        motion: AxisMotion,
    ) -> Result<DriveForce, DesignError> {
        let AxisMotion { position, speed, acceleration } = motion;
        finite("motion.position", position)?;
        finite("motion.speed", speed)?;
        finite("motion.acceleration", acceleration)?;
        let past = format!("(time - ({}))", self.time);
        let path = format!("({position}) + ({speed}) * {past} + 0.5 * ({acceleration}) * {past}^2");
        let mut copy = self.driven(joint, axis, &Target::expression(&path)?)?;
        copy.assemble()?;
        let force = copy.servo_force(joint, axis)?;
        Ok(DriveForce { time: self.time, motion, force, power: force * speed })
    }

    /// The same over a run of the reference solver in which the axis follows a target, from now on and
    /// after every step.
    ///
    /// # Errors
    /// As [`drive_force`](Self::drive_force), and as [`Reference::run`].
    pub fn drive_forces(
        &self,
        joint: JointId,
        axis: usize,
        target: &Target,
        duration: f64,
        dt: f64,
    ) -> Result<Vec<DriveForce>, DesignError> {
        positive("dt", dt)?;
        at_least_zero("duration", duration)?;
        let mut copy = self.driven(joint, axis, target)?;
        copy.assemble()?;
        let sample = |world: &World| -> Result<DriveForce, DesignError> {
            let time = world.time;
            let force = world.servo_force(joint, axis)?;
            let (position, speed) = target.at(time);
            let acceleration =
                (target.at(time + AHEAD).1 - target.at(time - AHEAD).1) / (2.0 * AHEAD);
            let motion = AxisMotion { position, speed, acceleration };
            Ok(DriveForce { time, motion, force, power: force * speed })
        };
        let mut all = vec![sample(&copy)?];
        let mut failed = None;
        Reference::new(Method::default()).watch(&mut copy, duration, dt, |world| {
            match sample(world) {
                Ok(force) => all.push(force),
                Err(error) => failed = failed.take().or(Some(error)),
            }
        })?;
        failed.map_or(Ok(all), Err)
    }

    /// A copy whose axis follows a target rigidly.
    fn driven(&self, id: JointId, axis: usize, target: &Target) -> Result<Self, DesignError> {
        let mut copy = self.clone();
        let joint = copy.joints.get_mut(id);
        let joint = joint.map_err(|reason| Error::Handle { what: "joint", reason })?;
        let axes = joint.def.kind.axis_count();
        if axis >= axes {
            return Err(Error::NoSuchAxis { axis, axes }.into());
        }
        let enabled = joint.def.enabled;
        if joint.def.axis(axis).is_some_and(|own| is_held(&own)) || !enabled {
            return Err(DesignError::Held { joint: id, axis });
        }
        let (softness, force) = (Softness::Rigid, ForceRange::default());
        let mut def = joint.def();
        def.axis_mut(axis).motor =
            Some(Motor::Position { target: target.clone(), softness, force });
        joint.def = def.into();
        copy.solver.dirty = true;
        Ok(copy)
    }

    /// λ of the motor of an axis.
    fn servo_force(&self, joint: JointId, axis: usize) -> Result<f64, DesignError> {
        let mut run = Run::new(self, Method::default())?;
        let lambda = run.balance()?.lambda;
        let system = &run.stepper.system;
        let line = system.lines.iter().position(|line| {
            let own = system.parts[line.part].id == joint && line.axis == Some(axis);
            own && line.law == Some(LawKind::Servo)
        });
        line.map(|line| lambda[line]).ok_or(DesignError::Held { joint, axis })
    }
}
