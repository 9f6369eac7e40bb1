//! What acts on few bodies, and how a body is written down.

use super::{Body, BodyKind, Locked};
use crate::mass::{MassProperties, Shape};
use kempe_scalar::Vec2;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// What acts on a body beside its joints and the whole of gravity: most have nothing of it, and no
/// room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seldom(Option<Box<Acting>>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Acting {
    pub force: Vec2,
    pub torque: f64,
    pub gravity_scale: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
}

pub(super) static NONE: Acting = Acting {
    force: Vec2::ZERO,
    torque: 0.0,
    gravity_scale: 1.0,
    linear_damping: 0.0,
    angular_damping: 0.0,
};

impl Acting {
    /// To the bit: 0 and −0 are written differently.
    fn bits(&self) -> [u64; 6] {
        let Self { force, torque, gravity_scale, linear_damping, angular_damping } = *self;
        [force.x, force.y, torque, gravity_scale, linear_damping, angular_damping].map(f64::to_bits)
    }
}

impl Seldom {
    pub(super) fn new(acting: Acting) -> Self {
        Self((acting.bits() != NONE.bits()).then(|| Box::new(acting)))
    }

    /// Takes the forces off, and says whether there were any.
    pub(crate) fn use_up(&mut self) -> bool {
        let Some(acting) = &mut self.0 else { return false };
        let none = [acting.force.x, acting.force.y, acting.torque].map(f64::to_bits) == [0; 3];
        (acting.force, acting.torque) = (Vec2::ZERO, 0.0);
        !none
    }
}

impl Deref for Seldom {
    type Target = Acting;

    fn deref(&self) -> &Acting {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Seldom {
    fn deref_mut(&mut self) -> &mut Acting {
        self.0.get_or_insert_with(|| Box::new(NONE.clone()))
    }
}

/// A body as it is written down.
#[derive(Serialize, Deserialize)]
pub(super) struct Written {
    kind: BodyKind,
    center: Vec2,
    rotation: f64,
    velocity: Vec2,
    angular_velocity: f64,
    shapes: Vec<(Shape, f64)>,
    properties: MassProperties,
    force: Vec2,
    torque: f64,
    gravity_scale: f64,
    linear_damping: f64,
    angular_damping: f64,
    locked: Locked,
    enabled: bool,
    can_sleep: bool,
    asleep: bool,
    bed: u64,
    idle: f32,
    strayed: [f32; 3],
    user_data: u64,
}

impl From<Body> for Written {
    fn from(body: Body) -> Self {
        let Acting { force, torque, gravity_scale, linear_damping, angular_damping } = *body.seldom;
        Self {
            kind: body.kind,
            center: body.center,
            rotation: body.rotation,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
            shapes: body.shapes.into(),
            properties: body.properties,
            force,
            torque,
            gravity_scale,
            linear_damping,
            angular_damping,
            locked: body.locked,
            enabled: body.enabled,
            can_sleep: body.can_sleep,
            asleep: body.asleep,
            bed: body.bed,
            idle: body.idle,
            strayed: body.strayed,
            user_data: body.user_data,
        }
    }
}

impl From<Written> for Body {
    fn from(body: Written) -> Self {
        let Written { force, torque, gravity_scale, linear_damping, angular_damping, .. } = body;
        let acting = Acting { force, torque, gravity_scale, linear_damping, angular_damping };
        Self {
            kind: body.kind,
            center: body.center,
            rotation: body.rotation,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
            shapes: body.shapes.into(),
            properties: body.properties,
            seldom: Seldom::new(acting),
            locked: body.locked,
            enabled: body.enabled,
            can_sleep: body.can_sleep,
            asleep: body.asleep,
            bed: body.bed,
            idle: body.idle,
            strayed: body.strayed,
            user_data: body.user_data,
        }
    }
}
