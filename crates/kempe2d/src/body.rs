//! Bodies: what they are made with, and their state.
//!
//! The state is in f64: the position of the body's origin, its unwrapped angle, and the velocity of
//! its centre of mass. Inside, motion is about the centre of mass; everything that a user gives or
//! reads (anchors, positions) refers to the origin, so that mass may change without disturbing it.

mod seldom;

use crate::error::{Error, at_least_zero, finite};
use crate::mass::{MassProperties, Shape};
use kempe_scalar::{Vec2, precise};
use kempe_solve::Handle;
use seldom::{Acting, NONE, Seldom, Written};
use serde::{Deserialize, Serialize};

/// A handle of a body.
pub type BodyId = Handle<Body>;

/// What moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyKind {
    /// Nothing.
    Static,
    /// Its velocity, which nothing changes.
    Kinematic,
    /// Forces and impulses.
    #[default]
    Dynamic,
}

/// Where the mass of a dynamic body comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Mass {
    /// The shapes and their densities; 1 kg and 1 kg·m² without shapes.
    #[default]
    FromShapes,
    /// The shapes, scaled to this mass.
    Total(f64),
    /// As given.
    Given(MassProperties),
}

/// Freedoms that a body does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    /// Motion along the world's x axis.
    pub x: bool,
    /// Motion along the world's y axis.
    pub y: bool,
    /// Turning.
    pub rotation: bool,
}

/// What a body is made with.
///
/// ```
/// use kempe2d::{BodyDef, Shape, Vec2};
///
/// let crate_ = BodyDef {
///     position: Vec2::new(0.0, 5.0),
///     shapes: vec![(Shape::rectangle(0.5, 0.5), 100.0)],
///     ..BodyDef::dynamic()
/// };
/// # assert_eq!(crate_.position.y, 5.0);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDef {
    /// What moves it.
    pub kind: BodyKind,
    /// Of the origin, m.
    pub position: Vec2,
    /// rad, unwrapped.
    pub rotation: f64,
    /// Of the centre of mass, m/s.
    pub velocity: Vec2,
    /// rad/s.
    pub angular_velocity: f64,
    /// Pieces with their densities, kg/m².
    pub shapes: Vec<(Shape, f64)>,
    /// Where the mass comes from.
    pub mass: Mass,
    /// How much of the world's gravity acts on it.
    pub gravity_scale: f64,
    /// Velocity decays as e^(−t·damping), 1/s.
    pub linear_damping: f64,
    /// Angular velocity decays likewise, 1/s.
    pub angular_damping: f64,
    /// Freedoms that it does not have.
    pub locked: Locked,
    /// Whether it takes part.
    pub enabled: bool,
    /// Whether it may sleep when it is at rest.
    pub can_sleep: bool,
    /// For the user.
    pub user_data: u64,
}

impl Default for BodyDef {
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            position: Vec2::ZERO,
            rotation: 0.0,
            velocity: Vec2::ZERO,
            angular_velocity: 0.0,
            shapes: Vec::new(),
            mass: Mass::FromShapes,
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            locked: Locked::default(),
            enabled: true,
            can_sleep: true,
            user_data: 0,
        }
    }
}

impl BodyDef {
    /// A body that forces move.
    pub fn dynamic() -> Self {
        Self::default()
    }

    /// A body that moves with its velocity.
    pub fn kinematic() -> Self {
        Self { kind: BodyKind::Kinematic, ..Self::default() }
    }

    /// A body that nothing moves.
    pub fn fixed() -> Self {
        Self { kind: BodyKind::Static, ..Self::default() }
    }

    fn properties(&self) -> Result<MassProperties, Error> {
        let of_shapes = || match self.shapes.is_empty() {
            true => Ok(MassProperties::default()),
            false => MassProperties::of_shapes(&self.shapes),
        };
        match self.mass {
            // A static body's shapes need no density.
            Mass::FromShapes if self.kind != BodyKind::Dynamic => still_mass(&self.shapes),
            Mass::FromShapes => of_shapes(),
            Mass::Total(mass) => of_shapes()?.scaled_to(mass),
            Mass::Given(properties) => {
                properties.validate()?;
                Ok(properties)
            }
        }
    }
}

/// What the shapes of a body weigh that nothing moves, should it be moved one day; they need no
/// density.
pub(crate) fn still_mass(shapes: &[(Shape, f64)]) -> Result<MassProperties, Error> {
    for (shape, density) in shapes {
        shape.area()?;
        at_least_zero("density", *density)?;
    }
    Ok(MassProperties::of_shapes(shapes).unwrap_or_default())
}

/// A body of a world.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Body {
    pub(crate) kind: BodyKind,
    /// Of the centre of mass.
    pub(crate) center: Vec2,
    pub(crate) rotation: f64,
    pub(crate) velocity: Vec2,
    pub(crate) angular_velocity: f64,
    pub(crate) shapes: Box<[(Shape, f64)]>,
    pub(crate) properties: MassProperties,
    pub(crate) seldom: Seldom,
    pub(crate) locked: Locked,
    pub(crate) enabled: bool,
    pub(crate) can_sleep: bool,
    pub(crate) asleep: bool,
    /// Which bodies it fell asleep with.
    pub(crate) bed: u64,
    /// For how long it has been at rest, s.
    pub(crate) idle: f32,
    /// How far it has got since then: x, y and its angle.
    pub(crate) strayed: [f32; 3],
    pub(crate) user_data: u64,
}

impl Body {
    /// Whether it rests is seen from now and here on.
    pub(crate) fn begin_rest(&mut self) {
        self.idle = 0.0;
        self.strayed = [0.0; 3];
    }

    pub(crate) fn new(def: &BodyDef) -> Result<Self, Error> {
        for (field, value) in [
            ("position.x", def.position.x),
            ("position.y", def.position.y),
            ("rotation", def.rotation),
            ("velocity.x", def.velocity.x),
            ("velocity.y", def.velocity.y),
            ("angular_velocity", def.angular_velocity),
            ("gravity_scale", def.gravity_scale),
        ] {
            finite(field, value)?;
        }
        at_least_zero("linear_damping", def.linear_damping)?;
        at_least_zero("angular_damping", def.angular_damping)?;
        let properties = def.properties()?;
        let mut body = Self {
            kind: def.kind,
            center: Vec2::ZERO,
            rotation: def.rotation,
            velocity: def.velocity,
            angular_velocity: def.angular_velocity,
            shapes: def.shapes.clone().into(),
            properties,
            seldom: Seldom::new(Acting {
                gravity_scale: def.gravity_scale,
                linear_damping: def.linear_damping,
                angular_damping: def.angular_damping,
                ..NONE
            }),
            locked: def.locked,
            enabled: def.enabled,
            can_sleep: def.can_sleep,
            asleep: false,
            bed: 0,
            idle: 0.0,
            strayed: [0.0; 3],
            user_data: def.user_data,
        };
        body.center = def.position + body.turned(properties.center);
        if def.kind == BodyKind::Static {
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
        }
        Ok(body)
    }

    /// What moves it.
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Of its origin, m.
    pub fn position(&self) -> Vec2 {
        self.center - self.turned(self.properties.center)
    }

    /// Of its centre of mass, m.
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Unwrapped, rad.
    pub fn rotation(&self) -> f64 {
        self.rotation
    }

    /// Of its centre of mass, m/s.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// rad/s.
    pub fn angular_velocity(&self) -> f64 {
        self.angular_velocity
    }

    /// Of the point of the body that is at `point` in the world, m/s: v + ω × r.
    pub fn velocity_at(&self, point: Vec2) -> Vec2 {
        self.velocity + (point - self.center).perp() * self.angular_velocity
    }

    /// A vector of the body's axes in the world's.
    pub fn turned(&self, local: Vec2) -> Vec2 {
        let (sin, cos) = precise::sin_cos(self.rotation);
        local.turned(cos, sin)
    }

    /// A point of the body in the world.
    pub fn world_point(&self, local: Vec2) -> Vec2 {
        self.center + self.turned(local - self.properties.center)
    }

    /// A point of the world in the body.
    pub fn local_point(&self, world: Vec2) -> Vec2 {
        let (sin, cos) = precise::sin_cos(self.rotation);
        (world - self.center).turned_back(cos, sin) + self.properties.center
    }

    /// Mass, centre of mass and inertia, as given or computed; they act only while it is dynamic.
    pub fn mass_properties(&self) -> MassProperties {
        self.properties
    }

    /// Its pieces and their densities.
    pub fn shapes(&self) -> &[(Shape, f64)] {
        &self.shapes
    }

    /// The forces that were applied since the last step, N.
    pub fn force(&self) -> Vec2 {
        self.seldom.force
    }

    /// The torques that were applied since the last step, N·m.
    pub fn torque(&self) -> f64 {
        self.seldom.torque
    }

    /// Whether it takes part.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Whether it may sleep.
    pub fn can_sleep(&self) -> bool {
        self.can_sleep
    }

    /// Whether it sleeps: it is at rest and takes no time until something wakes it.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Freedoms that it does not have.
    pub fn locked(&self) -> Locked {
        self.locked
    }

    /// How much of the world's gravity acts on it.
    pub fn gravity_scale(&self) -> f64 {
        self.seldom.gravity_scale
    }

    /// 1/s.
    pub fn linear_damping(&self) -> f64 {
        self.seldom.linear_damping
    }

    /// 1/s.
    pub fn angular_damping(&self) -> f64 {
        self.seldom.angular_damping
    }

    /// What the user put there.
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// ½ m v² + ½ I ω², J; 0 for a body that forces do not move.
    pub fn kinetic_energy(&self) -> f64 {
        if !self.moves() {
            return 0.0;
        }
        let MassProperties { mass, inertia, .. } = self.properties;
        let turning = inertia * self.angular_velocity * self.angular_velocity;
        0.5 * (mass * self.velocity.length_squared() + turning)
    }

    /// Whether forces move it now.
    pub(crate) fn moves(&self) -> bool {
        self.enabled && self.kind == BodyKind::Dynamic
    }

    /// 1/m along x and along y and 1/I, 0 for freedoms that it does not have.
    pub(crate) fn inverse_mass(&self) -> [f64; 3] {
        if !self.moves() {
            return [0.0; 3];
        }
        let free = |locked: bool, mass: f64| if locked { 0.0 } else { 1.0 / mass };
        let MassProperties { mass, inertia, .. } = self.properties;
        [free(self.locked.x, mass), free(self.locked.y, mass), free(self.locked.rotation, inertia)]
    }
}
