//! What joints bear, at rest and in motion.

use super::bench::{DesignError, independence};
use super::choose::Moment;
use super::{Method, Run};
use crate::body::BodyId;
use crate::joint::{Joint, JointId};
use crate::solver::LawKind;
use crate::world::{JointForce, World};
use kempe_scalar::Vec2;

/// What exerts a force in a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// What the joint holds, rigid or soft; an axis that is held.
    Hold,
    /// A motor.
    Motor,
    /// A spring with its damper.
    Spring,
    /// A force law.
    Law,
    /// Friction.
    Friction,
    /// A stop, or the tooth of a ratchet.
    Stop,
}

/// The force along one row of a joint, N or N·m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowForce {
    /// The held rows of the joint come first, then its axes.
    pub row: usize,
    /// The row among the axes.
    pub axis: Option<usize>,
    /// What exerts it.
    pub by: By,
    /// λ: a positive one raises the coordinate of the row.
    pub force: f64,
    /// Whether no other force would do as well.
    pub unique: bool,
}

/// What a joint bears.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Which joint.
    pub joint: JointId,
    /// On B at its anchor, in world axes, N. Of a joint with more bodies, on the last.
    pub force: Vec2,
    /// On B, about its anchor, N·m.
    pub torque: f64,
    /// On each of its bodies, at the centre of mass.
    pub on: Vec<JointForce>,
    /// By row.
    pub rows: Vec<RowForce>,
    /// Whether these are the only forces that there can be. Where joints repeat each other, the loads
    /// depend on how stiff they are, and what is told is one of many answers: it is shared evenly.
    pub unique: bool,
}

/// Forces and accelerations at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reactions {
    /// By joint that takes part.
    pub joints: Vec<Reaction>,
    /// By body that moves: acceleration of the centre of mass and of turning.
    pub accelerations: Vec<(BodyId, Vec2, f64)>,
}

impl Reactions {
    /// Of a joint.
    pub fn of(&self, joint: JointId) -> Option<&Reaction> {
        self.joints.iter().find(|each| each.joint == joint)
    }

    /// The largest acceleration, m/s² or rad/s²: 0 where everything is in balance.
    pub fn unbalanced(&self) -> f64 {
        let each = self.accelerations.iter().map(|(_, a, turning)| a.length().max(turning.abs()));
        each.fold(0.0, f64::max)
    }
}

impl World {
    /// What every joint bears now, with the velocities that there are:
    ///
    /// ```text
    /// M a = F + Jᵀ λ,   J a + J̇ v = 0
    /// ```
    ///
    /// # Errors
    /// If positions do not satisfy the joints ([`assemble`](Self::assemble) moves them), or the
    /// equations of a joint have no value.
    pub fn reactions(&self) -> Result<Reactions, DesignError> {
        let mut copy = self.clone();
        let mut run = Run::new(&copy, Method::default())?;
        let Moment { accelerations, lambda, .. } = run.balance()?;
        run.write(&mut copy);
        copy.tell_reactions(&run, &accelerations, &lambda)
    }

    /// What every joint bears at rest, under gravity and the applied forces. What is not in balance
    /// has an acceleration, and joints bear what they do as it starts to move. Motors hold, as far as
    /// their forces go; so does friction; stops do not pull.
    ///
    /// # Errors
    /// As [`reactions`](Self::reactions).
    pub fn static_reactions(&self) -> Result<Reactions, DesignError> {
        let mut copy = self.clone();
        for (_, body) in copy.bodies.iter_mut() {
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
        }
        let ids: Vec<JointId> = copy.joints.iter().map(|each| each.0).collect();
        for id in ids {
            if let Ok(joint) = copy.joints.get_mut(id) {
                let mut def = joint.def();
                for axis in &mut def.axes {
                    if let Some(crate::Motor::Velocity { speed, .. }) = &mut axis.motor {
                        *speed = 0.0.into();
                    }
                }
                joint.def = def.into();
            }
        }
        copy.reactions()
    }

    fn tell_reactions(
        &self,
        run: &Run,
        accelerations: &[f64],
        lambda: &[f64],
    ) -> Result<Reactions, DesignError> {
        let system = &run.stepper.system;
        let shared = run.shared()?;
        let mut told = Reactions::default();
        for (index, part) in system.parts.iter().enumerate() {
            let Some(joint) = self.joint(part.id) else { continue };
            let Some(found) = self.joint_rows(joint) else { continue };
            let mut on = vec![JointForce::default(); joint.def.bodies.len()];
            let mut rows = Vec::new();
            for (line, each) in system.lines.iter().enumerate().filter(|(_, l)| l.part == index) {
                for (on, j) in on.iter_mut().zip(&found.jacobian[each.row]) {
                    on.force += Vec2::new(j[0], j[1]) * lambda[line];
                    on.torque += j[2] * lambda[line];
                }
                let (row, axis, by) = (each.row, each.axis, by(each));
                rows.push(RowForce { row, axis, by, force: lambda[line], unique: !shared[line] });
            }
            let last = on.last().copied().unwrap_or_default();
            let arm = self.last_arm(joint).unwrap_or_default();
            told.joints.push(Reaction {
                joint: part.id,
                force: last.force,
                torque: last.torque - arm.cross(last.force),
                on,
                unique: rows.iter().all(|row| row.unique),
                rows,
            });
        }
        for (at, mover) in system.movers.iter().enumerate() {
            let Some(body) = self.bodies.handle_at(mover.slot) else { continue };
            let a = &accelerations[3 * at..3 * at + 3];
            told.accelerations.push((body, Vec2::new(a[0], a[1]), a[2]));
        }
        Ok(told)
    }

    /// From the centre of mass of a joint's last body to its anchor there.
    fn last_arm(&self, joint: &Joint) -> Option<Vec2> {
        let body = self.bodies.get(*joint.def.bodies.last()?).ok()?;
        Some(body.turned(joint.last_anchor() - body.properties.center))
    }
}

/// What a line is to a user.
pub(super) fn by(line: &super::lines::Line) -> By {
    match (line.law, &line.what) {
        (None | Some(LawKind::Held), _) => By::Hold,
        (Some(LawKind::Servo | LawKind::Motor | LawKind::Push | LawKind::Tow), _) => By::Motor,
        (Some(LawKind::Spring | LawKind::Pull), _) => By::Spring,
        (Some(LawKind::Force), _) => By::Law,
        (Some(LawKind::Friction), _) => By::Friction,
        (Some(LawKind::Limit), _) => By::Stop,
    }
}

impl Run {
    /// Accelerations and forces, with modes that fit.
    pub(super) fn balance(&mut self) -> Result<Moment, DesignError> {
        match self.choose()?.0 {
            moment if moment.fits => Ok(moment),
            _ => {
                let what = "balance of friction and stops";
                Err(DesignError::NotConverged { what, off: f64::NAN })
            }
        }
    }

    /// By line, whether its force is one of many that would do.
    fn shared(&self) -> Result<Vec<bool>, DesignError> {
        let stepper = &self.stepper;
        let lines = stepper.system.lines.len();
        let holds = |line: &usize| stepper.act(*line, self.state.t).holds();
        let held: Vec<usize> = (0..lines).filter(holds).collect();
        let found = independence(&stepper.system, &stepper.found, &held)?;
        let mut shared = vec![false; lines];
        for each in &found.dependent {
            shared[held[each.row]] = true;
            each.combination.iter().for_each(|(row, _)| shared[held[*row]] = true);
        }
        Ok(shared)
    }
}
