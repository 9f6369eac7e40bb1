//! A scene: a world, and names for what is of interest in it.

use crate::error::Error;
use kempe_scalar::precise;
use kempe2d::{
    BodyDef, BodyId, JointDef, JointId, Mass, MassProperties, Settings, Shape, Vec2, World,
};
use std::collections::BTreeMap;

/// A world with names.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the scene is called.
    pub name: &'static str,
    /// Everything in it.
    pub world: World,
    /// Bodies of interest.
    pub bodies: BTreeMap<String, BodyId>,
    /// Joints of interest.
    pub joints: BTreeMap<String, JointId>,
}

impl Scene {
    /// An empty scene with default settings.
    pub fn new(name: &'static str) -> Self {
        Self { name, world: World::default(), bodies: BTreeMap::new(), joints: BTreeMap::new() }
    }

    /// The same in which nothing sleeps: for what is measured.
    pub(crate) fn awake(name: &'static str) -> Result<Self, Error> {
        let mut scene = Self::new(name);
        scene.world.set_settings(Settings { sleep: false, ..Settings::default() })?;
        Ok(scene)
    }

    /// The same under another gravity.
    pub(crate) fn under(mut self, gravity: Vec2) -> Result<Self, Error> {
        let settings = self.world.settings();
        self.world.set_settings(Settings { gravity, ..settings })?;
        Ok(self)
    }

    /// Adds a body under a name.
    ///
    /// # Errors
    /// If the world refuses it.
    pub fn add_body(&mut self, name: &str, def: &BodyDef) -> Result<BodyId, Error> {
        let id = self.world.add_body(def)?;
        self.bodies.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Adds a joint under a name.
    ///
    /// # Errors
    /// If the world refuses it.
    pub fn add_joint(&mut self, name: &str, def: &JointDef) -> Result<JointId, Error> {
        let id = self.world.add_joint(def)?;
        self.joints.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Pins two bodies together at a point of the world, under a name.
    pub(crate) fn pin(
        &mut self,
        name: &str,
        a: BodyId,
        b: BodyId,
        point: Vec2,
    ) -> Result<JointId, Error> {
        let def = self.world.revolute_at(a, b, point)?;
        self.add_joint(name, &def)
    }

    /// Steps for as many seconds, in whole steps of `dt`.
    ///
    /// # Errors
    /// If `dt` is not positive.
    pub fn run(&mut self, seconds: f64, dt: f64) -> Result<(), Error> {
        for _ in 0..steps(seconds, dt)? {
            self.world.step(dt)?;
        }
        Ok(())
    }

    /// Kinetic energy and that of the weights, J; springs are not counted.
    pub fn energy(&self) -> f64 {
        self.world.kinetic_energy() + self.world.potential_energy()
    }

    /// How far the joints are open at most, in m and in rad.
    pub fn separation(&self) -> (f64, f64) {
        let each = self.world.joints().filter_map(|(id, _)| self.world.joint_separation(id));
        each.fold((0.0, 0.0), |(m, rad), (n, turn)| (f64::max(m, n), f64::max(rad, turn)))
    }

    /// Whether every number of every body is finite.
    pub fn is_finite(&self) -> bool {
        self.world.bodies().all(|(_, body)| {
            let turn = body.rotation().is_finite() && body.angular_velocity().is_finite();
            turn && body.position().is_finite() && body.velocity().is_finite()
        })
    }
}

/// How many whole steps there are in a time.
pub(crate) fn steps(seconds: f64, dt: f64) -> Result<u64, Error> {
    for (field, value) in [("dt", dt), ("seconds", seconds)] {
        if !(value.is_finite() && value > 0.0) {
            let must_be = "finite and above 0";
            return Err(kempe2d::Error::Number { field, value, must_be }.into());
        }
    }
    Ok((seconds / dt).round() as u64)
}

/// A thin uniform rod between two points; its origin is in the middle, its x axis along it.
pub(crate) fn rod(from: Vec2, to: Vec2, mass: f64) -> BodyDef {
    let along = to - from;
    let inertia = mass * along.length_squared() / 12.0;
    link(from, to, MassProperties { mass, center: Vec2::ZERO, inertia })
}

/// A link between two points with a mass of its own; the shape is there to be seen.
pub(crate) fn link(from: Vec2, to: Vec2, mass: MassProperties) -> BodyDef {
    let along = to - from;
    let half = Vec2::new(0.5 * along.length(), 0.0);
    let radius = 0.02 * along.length();
    BodyDef {
        position: (from + to) * 0.5,
        rotation: precise::atan2(along.y, along.x),
        shapes: vec![(Shape::Capsule { start: -half, end: half, radius }, 0.0)],
        mass: Mass::Given(mass),
        ..BodyDef::dynamic()
    }
}

/// A disc of this mass about a point.
pub(crate) fn disc(center: Vec2, radius: f64, mass: f64) -> BodyDef {
    BodyDef {
        position: center,
        shapes: vec![(Shape::circle(radius), 1.0)],
        mass: Mass::Total(mass),
        ..BodyDef::dynamic()
    }
}

/// A box about a point, by its half extents, of 1 kg/m².
pub(crate) fn plank(center: Vec2, half: Vec2) -> BodyDef {
    BodyDef {
        position: center,
        shapes: vec![(Shape::rectangle(half.x, half.y), 1.0)],
        ..BodyDef::dynamic()
    }
}
