//! The joints of Rapier 0.35 in the plane.
//!
//! A joint has Rapier's methods and defaults, without the word `Builder`; `joint(body1, body2)` makes
//! a [`JointDef`] of it, or says which number makes no sense.
//!
//! ```
//! use kempe2d::compat::rapier::RevoluteJoint;
//! use kempe2d::{BodyDef, Vec2, World};
//!
//! let mut world = World::default();
//! let (wall, door) = (world.ground()?, world.add_body(&BodyDef::dynamic())?);
//! let hinge = RevoluteJoint::new()
//!     .local_anchor2(Vec2::new(-1.0, 0.0))
//!     .motor_velocity(2.0, 10.0)
//!     .limits([-1.0, 9.0]);
//! world.add_joint(&hinge.joint(wall, door)?)?;
//! # Ok::<(), kempe2d::Error>(())
//! ```
//!
//! The same: frames from the origins of the bodies; coordinates of body 2 relative to body 1; bodies
//! collide unless `contacts_enabled(false)` is said, where [`JointDef`] has it the other way round.
//!
//! | Rapier | here |
//! |---|---|
//! | locked axes | the hold of the [`JointKind`] that fits, else [`JointKind::Generic`] |
//! | `limits` | [`Axis::limit`], of any number of turns |
//! | motor | [`Motor::Both`]: k (target − q) + c (speed − q̇), with a largest force |
//! | [`MotorModel::AccelerationBased`] (default) | [`Softness::MassNormalized`]: k in 1/s², c in 1/s |
//! | [`MotorModel::ForceBased`] | [`Softness::Stiffness`]: k in N/m, c in N·s/m |
//! | `softness` | [`Softness::Rigid`] at 10⁶ Hz and above (default), else [`Softness::Hertz`] |
//! | coupled linear axes | [`JointKind::Distance`] |
//!
//! Better: motors with different forces either way, targets that follow an expression in time, dry
//! friction, ratchets; limits that yield by themselves ([`Limit::softness`]); positions in f64 and
//! impulses that are kept from step to step; loops and heavy chains are solved as a whole
//! ([`Direct`](crate::Direct)), so that no reduced coordinates are needed for stiffness.
//!
//! Beware: `motor_velocity`'s factor is a damping, not a force; 1/s unless the motor is force-based.

mod named;

pub use named::{FixedJoint, PinSlotJoint, PrismaticJoint, RevoluteJoint, RopeJoint, SpringJoint};

use crate::body::BodyId;
use crate::error::{Error, at_least_zero, finite};
use crate::joint::{Axis, ForceRange, JointDef, JointKind, Limit, Motor};
use kempe_scalar::{Vec2, precise};
use kempe_solve::Softness;

/// A freedom of body 2 against body 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointAxis {
    /// Along the x axis of frame 1.
    LinX,
    /// Along its y axis.
    LinY,
    /// The angle.
    AngX,
}

/// Some of the freedoms; `|` joins them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JointAxesMask(u8);

impl JointAxesMask {
    /// Along x.
    pub const LIN_X: Self = Self(1);
    /// Along y.
    pub const LIN_Y: Self = Self(2);
    /// The angle.
    pub const ANG_X: Self = Self(4);
    /// Both translations.
    pub const LIN_AXES: Self = Self(3);
    /// Every rotation there is.
    pub const ANG_AXES: Self = Self::ANG_X;
    /// What a fixed joint locks.
    pub const LOCKED_FIXED_AXES: Self = Self(7);
    /// What a revolute joint locks.
    pub const LOCKED_REVOLUTE_AXES: Self = Self(3);
    /// What a prismatic joint locks.
    pub const LOCKED_PRISMATIC_AXES: Self = Self(6);
    /// What a pin-slot joint locks.
    pub const LOCKED_PIN_SLOT_AXES: Self = Self::LIN_Y;

    /// None.
    pub const fn empty() -> Self {
        Self(0)
    }

    /// Whether an axis is among them.
    pub fn contains(self, axis: JointAxis) -> bool {
        self.0 & (1 << axis as u8) != 0
    }
}

impl std::ops::BitOr for JointAxesMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What the numbers of a motor mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotorModel {
    /// Accelerations: the motion does not depend on the masses.
    #[default]
    AccelerationBased,
    /// Forces.
    ForceBased,
}

/// A motor of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotor {
    /// m/s or rad/s.
    pub target_vel: f64,
    /// m or rad.
    pub target_pos: f64,
    /// Of the position.
    pub stiffness: f64,
    /// Of the velocity.
    pub damping: f64,
    /// N or N·m.
    pub max_force: f64,
    /// What stiffness and damping mean.
    pub model: MotorModel,
}

impl Default for JointMotor {
    fn default() -> Self {
        Self {
            target_vel: 0.0,
            target_pos: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            max_force: f64::INFINITY,
            model: MotorModel::default(),
        }
    }
}

impl JointMotor {
    fn motor(&self) -> Result<Motor, Error> {
        let (stiffness, damping) = (self.stiffness, self.damping);
        if self.max_force.is_nan() || self.max_force < 0.0 {
            let (value, must_be) = (self.max_force, "at least 0; infinity for any");
            return Err(Error::Number { field: "max_force", value, must_be });
        }
        let softness = match self.model {
            MotorModel::AccelerationBased => Softness::MassNormalized { stiffness, damping },
            MotorModel::ForceBased => Softness::Stiffness { stiffness, damping },
        };
        Ok(Motor::Both {
            target: self.target_pos.into(),
            speed: self.target_vel.into(),
            softness,
            force: ForceRange::symmetric(self.max_force),
        })
    }
}

/// How locked axes and limits yield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCoefficients {
    /// Hz; from 10⁶ on, rigid.
    pub natural_frequency: f64,
    /// ζ.
    pub damping_ratio: f64,
}

impl Default for SpringCoefficients {
    /// Rapier's `joint_defaults`: rigid.
    fn default() -> Self {
        Self { natural_frequency: 1.0e6, damping_ratio: 1.0 }
    }
}

/// A frame on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// From the origin of the body, in its axes.
    pub translation: Vec2,
    /// rad.
    pub rotation: f64,
}

/// A joint of any axes: Rapier's `GenericJoint`.
///
/// Becomes the [`JointKind`] that holds the locked axes: weld, revolute, prismatic or slot, with
/// what is on the others in the order x, angle; [`JointKind::Distance`] if the translations are
/// coupled; else [`JointKind::Generic`]. Coupled translations together with a locked axis or
/// something on the angle are two joints here, and refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GenericJoint {
    /// On body 1.
    pub local_frame1: Pose,
    /// On body 2.
    pub local_frame2: Pose,
    /// What cannot move.
    pub locked_axes: JointAxesMask,
    /// Translations that are one: their length. The settings of x count.
    pub coupled_axes: JointAxesMask,
    /// Bounds of x, y and the angle; `None` is an axis that Rapier's `limit_axes` does not name.
    pub limits: [Option<[f64; 2]>; 3],
    /// Motors of x, y and the angle; `None` is an axis that Rapier's `motor_axes` does not name.
    pub motors: [Option<JointMotor>; 3],
    /// How locked axes and limits yield.
    pub softness: SpringCoefficients,
    /// Whether the bodies collide.
    pub contacts_enabled: bool,
    /// Whether it takes part.
    pub enabled: bool,
    /// For the user; Rapier's has 128 bits.
    pub user_data: u64,
}

impl Default for GenericJoint {
    /// Locks nothing.
    fn default() -> Self {
        Self {
            local_frame1: Pose::default(),
            local_frame2: Pose::default(),
            locked_axes: JointAxesMask::empty(),
            coupled_axes: JointAxesMask::empty(),
            limits: [None; 3],
            motors: [None; 3],
            softness: SpringCoefficients::default(),
            contacts_enabled: true,
            enabled: true,
            user_data: 0,
        }
    }
}

impl GenericJoint {
    /// Locks these axes.
    pub fn new(locked_axes: JointAxesMask) -> Self {
        Self { locked_axes, ..Self::default() }
    }

    /// The same with these bounds of an axis, m or rad.
    #[must_use]
    pub fn limits(mut self, axis: JointAxis, limits: [f64; 2]) -> Self {
        self.limits[axis as usize] = Some(limits);
        self
    }

    /// The same with a motor that reaches for a velocity; the factor is its damping.
    #[must_use]
    pub fn motor_velocity(self, axis: JointAxis, target_vel: f64, factor: f64) -> Self {
        self.motor(axis, 0.0, target_vel, 0.0, factor)
    }

    /// The same with a motor that reaches for a position.
    #[must_use]
    pub fn motor_position(
        self,
        axis: JointAxis,
        target_pos: f64,
        stiffness: f64,
        damping: f64,
    ) -> Self {
        self.motor(axis, target_pos, 0.0, stiffness, damping)
    }

    /// The same with a motor: Rapier's `set_motor`.
    #[must_use]
    pub fn motor(
        mut self,
        axis: JointAxis,
        target_pos: f64,
        target_vel: f64,
        stiffness: f64,
        damping: f64,
    ) -> Self {
        let motor = self.motors[axis as usize].get_or_insert_default();
        *motor = JointMotor { target_pos, target_vel, stiffness, damping, ..*motor };
        self
    }

    /// The same with another meaning of a motor's numbers.
    #[must_use]
    pub fn motor_model(mut self, axis: JointAxis, model: MotorModel) -> Self {
        self.motors[axis as usize].get_or_insert_default().model = model;
        self
    }

    /// The same with the most that a motor may use, N or N·m.
    #[must_use]
    pub fn motor_max_force(mut self, axis: JointAxis, max_force: f64) -> Self {
        self.motors[axis as usize].get_or_insert_default().max_force = max_force;
        self
    }

    /// What it is here, between two bodies.
    ///
    /// # Errors
    /// If a number makes no sense, or coupled axes are not the two translations alone.
    pub fn joint(&self, body1: BodyId, body2: BodyId) -> Result<JointDef, Error> {
        let (one, two) = (self.local_frame1, self.local_frame2);
        finite("local_frame1.rotation", one.rotation)?;
        finite("local_frame2.rotation", two.rotation)?;
        let softness = self.yields()?;
        let (sin, cos) = precise::sin_cos(one.rotation);
        let (rail, angle) = (Vec2::new(cos, sin), one.rotation - two.rotation);
        let (anchor_a, anchor_b) = (one.translation, two.translation);
        let [x, y, turn] =
            [self.axis(0, softness)?, self.axis(1, softness)?, self.axis(2, softness)?];
        let held = |axis: JointAxis, free: &Axis| match self.locked_axes.contains(axis) {
            true => Axis::held(0.0),
            false => free.clone(),
        };
        let (kind, axes) = if self.coupled_axes != JointAxesMask::empty() {
            let alone = self.locked_axes == JointAxesMask::empty() && turn == Axis::default();
            if self.coupled_axes != JointAxesMask::LIN_AXES || !alone {
                return Err(Error::Number {
                    field: "coupled_axes",
                    value: f64::from(self.coupled_axes.0),
                    must_be: "the two translations (3), with no locked axis and a free angle",
                });
            }
            if let Some([_, value]) = self.limits[0]
                && value <= 0.0
            {
                return Err(Error::Number { field: "limits", value, must_be: "above 0" });
            }
            (JointKind::Distance { anchor_a, anchor_b }, vec![x])
        } else {
            match self.locked_axes {
                JointAxesMask::LOCKED_FIXED_AXES => {
                    (JointKind::Weld { anchor_a, anchor_b, angle }, vec![])
                }
                JointAxesMask::LOCKED_REVOLUTE_AXES => {
                    (JointKind::Revolute { anchor_a, anchor_b, angle }, vec![turn])
                }
                JointAxesMask::LOCKED_PRISMATIC_AXES => {
                    (JointKind::Prismatic { anchor_a, anchor_b, rail, angle }, vec![x])
                }
                JointAxesMask::LOCKED_PIN_SLOT_AXES => {
                    (JointKind::Slot { anchor_a, anchor_b, rail, angle }, vec![x, turn])
                }
                _ => (
                    JointKind::Generic { anchor_a, anchor_b, rail, angle },
                    vec![
                        held(JointAxis::LinX, &x),
                        held(JointAxis::LinY, &y),
                        held(JointAxis::AngX, &turn),
                    ],
                ),
            }
        };
        let joint = JointDef {
            axes,
            softness,
            collide_connected: self.contacts_enabled,
            enabled: self.enabled,
            user_data: self.user_data,
            ..JointDef::new(kind, body1, body2)
        };
        let joint = joint.without_unused();
        joint.validate()?;
        Ok(joint)
    }

    fn yields(&self) -> Result<Softness, Error> {
        let SpringCoefficients { natural_frequency, damping_ratio } = self.softness;
        at_least_zero("natural_frequency", natural_frequency)?;
        at_least_zero("damping_ratio", damping_ratio)?;
        Ok(match natural_frequency {
            1.0e6.. => Softness::Rigid,
            hertz => Softness::Hertz { hertz, damping_ratio },
        })
    }

    /// What is on an axis.
    fn axis(&self, axis: usize, softness: Softness) -> Result<Axis, Error> {
        let limit = self.limits[axis];
        Ok(Axis {
            limit: limit.map(|[lower, upper]| Limit { softness, ..Limit::new(lower, upper) }),
            motor: self.motors[axis].map(|motor| motor.motor()).transpose()?,
            ..Axis::default()
        })
    }
}
