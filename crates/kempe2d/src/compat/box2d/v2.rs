//! Joints of Box2D 2.4 that version 3 does not have.
//!
//! The others of version 2 are those of version 3 by another spelling: `localAnchor` is the position
//! of a frame, `localAxisA` its angle, `referenceAngle` the difference of the two angles.

use super::drives::most;
use crate::body::BodyId;
use crate::error::{Error, at_least_zero, finite, positive};
use crate::joint::{ForceRange, JointDef, JointId, Pull, Spring, Term};
use crate::world::World;
use kempe_scalar::{Vec2, precise};
use kempe_solve::Softness;

/// Two points at most a length apart: `b2RopeJointDef` of 2.3, in 2.4 the distance joint's
/// `maxLength`.
///
/// Becomes [`JointDef::rope`]. [`Event::Taut`](crate::Event::Taut) and
/// [`Slack`](crate::Event::Slack) are new here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeJointDef {
    /// A.
    pub body_a: BodyId,
    /// B.
    pub body_b: BodyId,
    /// On A.
    pub local_anchor_a: Vec2,
    /// On B.
    pub local_anchor_b: Vec2,
    /// m; it must be set.
    pub max_length: f64,
    /// Whether A and B collide.
    pub collide_connected: bool,
}

impl RopeJointDef {
    /// With Box2D's defaults, of no length.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            body_a,
            body_b,
            local_anchor_a: Vec2::new(-1.0, 0.0),
            local_anchor_b: Vec2::new(1.0, 0.0),
            max_length: 0.0,
            collide_connected: false,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        positive("max_length", self.max_length)?;
        let anchors = [self.local_anchor_a, self.local_anchor_b];
        let mut joint = JointDef::rope(self.body_a, self.body_b, anchors, self.max_length);
        joint.collide_connected = self.collide_connected;
        joint.validate()?;
        Ok(joint)
    }
}

/// A rope over two pulleys: `b2PulleyJointDef`. Length A + ratio · length B stays
/// `length_a` + ratio · `length_b`.
///
/// Becomes [`JointDef::stiff_pulley`], which pushes as well, as Box2D's does;
/// [`JointDef::pulley`] is a rope. The pulleys may be on bodies that move here, and the ropes of one
/// joint on four bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PulleyJointDef {
    /// The body of the pulleys, which is at the origin: [`World::ground`](crate::World::ground).
    pub ground: BodyId,
    /// A.
    pub body_a: BodyId,
    /// B.
    pub body_b: BodyId,
    /// The first pulley, in the world.
    pub ground_anchor_a: Vec2,
    /// The second pulley, in the world.
    pub ground_anchor_b: Vec2,
    /// On A.
    pub local_anchor_a: Vec2,
    /// On B.
    pub local_anchor_b: Vec2,
    /// From the first pulley to A, m.
    pub length_a: f64,
    /// From the second pulley to B, m.
    pub length_b: f64,
    /// How many times B's part counts, above 0.
    pub ratio: f64,
    /// Whether A and B collide; each collides with the ground in any case in Box2D.
    pub collide_connected: bool,
}

impl PulleyJointDef {
    /// With Box2D's defaults; the lengths must be set.
    pub fn new(ground: BodyId, body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            ground,
            body_a,
            body_b,
            ground_anchor_a: Vec2::new(-1.0, 1.0),
            ground_anchor_b: Vec2::new(1.0, 1.0),
            local_anchor_a: Vec2::new(-1.0, 0.0),
            local_anchor_b: Vec2::new(1.0, 0.0),
            length_a: 0.0,
            length_b: 0.0,
            ratio: 1.0,
            collide_connected: true,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        at_least_zero("length_a", self.length_a)?;
        at_least_zero("length_b", self.length_b)?;
        positive("ratio", self.ratio)?;
        let length = positive("length_a", self.length_a + self.ratio * self.length_b)?;
        let bodies = [self.ground, self.body_a, self.ground, self.body_b];
        let anchors =
            [self.ground_anchor_a, self.local_anchor_a, self.ground_anchor_b, self.local_anchor_b];
        let mut joint = JointDef::stiff_pulley(bodies, anchors, self.ratio, length);
        joint.collide_connected = self.collide_connected;
        joint.validate()?;
        Ok(joint)
    }
}

/// Two joints whose coordinates move together: `b2GearJointDef`. q₁ + ratio · q₂ stays what it is.
///
/// Becomes [`JointDef::coupling`] of the first axes of two joints, of which Box2D knows revolute and
/// prismatic ones. It goes with either of them, where Box2D wants it destroyed first. Better: the
/// joints may be of any kind and on any bodies, [`with_backlash`](JointDef::with_backlash) gives it
/// play, and [`Limit::softness`](crate::Limit::softness) springy teeth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearJointDef {
    /// The first joint.
    pub joint1: JointId,
    /// The second joint.
    pub joint2: JointId,
    /// How many times the second counts: a positive one turns it the other way.
    pub ratio: f64,
}

impl GearJointDef {
    /// With Box2D's default: a ratio of 1.
    pub fn new(joint1: JointId, joint2: JointId) -> Self {
        Self { joint1, joint2, ratio: 1.0 }
    }

    /// What it is here, with the joints as they stand in the world.
    ///
    /// # Errors
    /// If a joint is not there or has no axis, or the ratio makes no sense.
    pub fn joint(&self, world: &World) -> Result<JointDef, Error> {
        finite("ratio", self.ratio)?;
        let terms = vec![Term::new(self.joint1, 0, 1.0), Term::new(self.joint2, 0, self.ratio)];
        world.as_it_stands(&JointDef::coupling(terms, 0.0))
    }
}

/// A point of B that a pointer drags: `b2MouseJointDef` of 2.3. Version 2.4 gives the spring in
/// N/m, which is [`Softness::Stiffness`] in [`JointDef::mouse`]; 3.1 had 4 Hz, ζ = 1 and 1 N for
/// defaults.
///
/// Becomes [`JointDef::mouse`]; to drag on, set the target of its
/// [`pull_mut`](JointDef::pull_mut).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouseJointDef {
    /// The body that is dragged from, often the ground.
    pub body_a: BodyId,
    /// The body that is dragged.
    pub body_b: BodyId,
    /// In the world: where the pointer is, and where on B it took hold.
    pub target: Vec2,
    /// N, as a vector; it must be set.
    pub max_force: f64,
    /// Hz.
    pub frequency_hz: f64,
    /// ζ.
    pub damping_ratio: f64,
    /// Whether A and B collide.
    pub collide_connected: bool,
}

impl MouseJointDef {
    /// With Box2D's defaults: 5 Hz, ζ = 0.7, no force.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            body_a,
            body_b,
            target: Vec2::ZERO,
            max_force: 0.0,
            frequency_hz: 5.0,
            damping_ratio: 0.7,
            collide_connected: false,
        }
    }

    /// What it is here, with the bodies as they stand in the world.
    ///
    /// # Errors
    /// If a body is not there or a number makes no sense.
    pub fn joint(&self, world: &World) -> Result<JointDef, Error> {
        let local = |id: BodyId| {
            let body =
                world.try_body(id).map_err(|reason| Error::Handle { what: "body", reason })?;
            Ok::<Vec2, Error>(body.local_point(self.target))
        };
        finite("target.x", self.target.x)?;
        finite("target.y", self.target.y)?;
        let (target, anchor) = (local(self.body_a)?, local(self.body_b)?);
        let softness =
            Softness::Hertz { hertz: self.frequency_hz, damping_ratio: self.damping_ratio };
        let force = most("max_force", self.max_force)?;
        let mut joint = JointDef::mouse(self.body_a, self.body_b, target, anchor, softness, force);
        joint.collide_connected = self.collide_connected;
        joint.validate()?;
        Ok(joint)
    }
}

/// Dry friction between two bodies seen from above: `b2FrictionJointDef`.
///
/// Becomes what [`JointDef::top_down_friction`] is, at the anchors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionJointDef {
    /// A.
    pub body_a: BodyId,
    /// B.
    pub body_b: BodyId,
    /// On A.
    pub local_anchor_a: Vec2,
    /// On B.
    pub local_anchor_b: Vec2,
    /// N, as a vector.
    pub max_force: f64,
    /// N·m.
    pub max_torque: f64,
    /// Whether A and B collide.
    pub collide_connected: bool,
}

impl FrictionJointDef {
    /// With Box2D's defaults: no friction.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            body_a,
            body_b,
            local_anchor_a: Vec2::ZERO,
            local_anchor_b: Vec2::ZERO,
            max_force: 0.0,
            max_torque: 0.0,
            collide_connected: false,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let anchors = [self.local_anchor_a, self.local_anchor_b];
        let pull = Pull::at(Vec2::ZERO, most("max_force", self.max_force)?);
        let mut joint = JointDef::drive(self.body_a, self.body_b, anchors, pull);
        joint.axis_mut(2).friction = Some(self.max_torque);
        joint.collide_connected = self.collide_connected;
        joint.validate()?;
        Ok(joint)
    }
}

/// B's pose against A, with a largest force: `b2MotorJointDef` of version 2. Version 3's is
/// [`super::MotorJointDef`].
///
/// Becomes [`JointKind::Drive`](crate::JointKind::Drive) with springs so damped that in each 1/60 s
/// they remove `correction_factor` of the error, as far as their force goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorJointDef {
    /// A.
    pub body_a: BodyId,
    /// B.
    pub body_b: BodyId,
    /// Where B's origin should be, in the axes of A.
    pub linear_offset: Vec2,
    /// What θ_B − θ_A should be, rad.
    pub angular_offset: f64,
    /// N, as a vector.
    pub max_force: f64,
    /// N·m.
    pub max_torque: f64,
    /// From 0 to 1.
    pub correction_factor: f64,
    /// Whether A and B collide.
    pub collide_connected: bool,
}

impl MotorJointDef {
    /// With Box2D's defaults: 1 N, 1 N·m, a factor of 0.3.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            body_a,
            body_b,
            linear_offset: Vec2::ZERO,
            angular_offset: 0.0,
            max_force: 1.0,
            max_torque: 1.0,
            correction_factor: 0.3,
            collide_connected: false,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let factor = self.correction_factor;
        if !(0.0..=1.0).contains(&factor) {
            let must_be = "from 0 to 1";
            return Err(Error::Number { field: "correction_factor", value: factor, must_be });
        }
        // So much damping that q̇ = −rate · q holds as far as the force goes.
        let rate = -60.0 * precise::ln(1.0 - factor.min(0.999));
        let softness = Softness::MassNormalized { stiffness: rate * 1.0e6, damping: 1.0e6 };
        let force = most("max_force", self.max_force)?;
        let pull = Pull::to(self.linear_offset, softness, force);
        let mut joint = JointDef::drive(self.body_a, self.body_b, [Vec2::ZERO; 2], pull);
        let force = ForceRange::symmetric(most("max_torque", self.max_torque)?);
        joint.axis_mut(2).spring = Some(Spring { rest: self.angular_offset, softness, force });
        joint.collide_connected = self.collide_connected;
        joint.validate()?;
        Ok(joint)
    }
}
