//! What random mechanisms are put together with.

use super::random::Random;
use crate::error::Error;
use crate::scene::disc;
use kempe_scalar::precise;
use kempe2d::{BodyDef, BodyId, JointDef, JointId, Mass, Settings, Shape, Vec2, World};

/// Bodies and joints that have nothing to do with others of the world.
#[derive(Clone, Debug, Default)]
pub struct Mechanism {
    /// Those that move.
    pub bodies: Vec<BodyId>,
    /// All of its joints.
    pub joints: Vec<JointId>,
    /// How far it can fall, m: what energies are compared with.
    pub size: f64,
}

/// A mechanism that is being made, in a world that may have others.
pub(crate) struct Maker<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) random: Random,
    /// What does not move.
    pub(crate) frame: BodyId,
    /// Where the frame is.
    pub(crate) origin: Vec2,
    pub(crate) made: Mechanism,
    /// Of its bars, kg, each decade as often.
    pub(crate) masses: [f64; 2],
    /// Whether only joints may be used that every engine has.
    pub(crate) plain: bool,
    /// Half the length of each body.
    halves: Vec<f64>,
}

/// A world of random mechanisms.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The world at its start, without sleep and otherwise with default settings.
    pub world: World,
    /// What is in it.
    pub mechanisms: Vec<Mechanism>,
}

impl Sample {
    pub(crate) fn new() -> Result<Self, Error> {
        let world = World::new(Settings { sleep: false, ..Settings::default() })?;
        Ok(Self { world, mechanisms: Vec::new() })
    }
}

impl<'a> Maker<'a> {
    pub(crate) fn new(
        world: &'a mut World,
        random: Random,
        origin: Vec2,
        plain: bool,
    ) -> Result<Self, Error> {
        let frame = world.add_body(&BodyDef { position: origin, ..BodyDef::fixed() })?;
        let made = Mechanism { size: 1.0, ..Mechanism::default() };
        let masses = [0.1, 10.0];
        Ok(Self { world, random, frame, origin, made, masses, plain, halves: Vec::new() })
    }

    pub(crate) fn without_gravity(&mut self) -> Result<(), Error> {
        let settings = self.world.settings();
        Ok(self.world.set_settings(Settings { gravity: Vec2::ZERO, ..settings })?)
    }

    pub(crate) fn add(&mut self, def: &BodyDef, half: f64) -> Result<BodyId, Error> {
        let id = self.world.add_body(def)?;
        self.made.bodies.push(id);
        self.halves.push(half);
        Ok(id)
    }

    /// A thin bar between two points, its x axis along it.
    pub(crate) fn bar(&mut self, from: Vec2, to: Vec2, mass: f64) -> Result<BodyId, Error> {
        self.add(&bar(from, to, mass), 0.5 * (to - from).length())
    }

    /// The mass of a bar.
    pub(crate) fn mass(&mut self) -> f64 {
        self.random.decades(self.masses[0], self.masses[1])
    }

    pub(crate) fn ball(&mut self, center: Vec2, radius: f64, mass: f64) -> Result<BodyId, Error> {
        self.add(&disc(center, radius, mass), radius)
    }

    pub(crate) fn joint(&mut self, def: &JointDef) -> Result<JointId, Error> {
        let id = self.world.add_joint(def)?;
        self.made.joints.push(id);
        Ok(id)
    }

    pub(crate) fn pin(&mut self, a: BodyId, b: BodyId, point: Vec2) -> Result<JointId, Error> {
        let def = self.world.revolute_at(a, b, point)?;
        self.joint(&def)
    }

    /// The frame or one of the bodies so far.
    pub(crate) fn any(&mut self) -> BodyId {
        match self.random.whole(0, self.made.bodies.len()) {
            0 => self.frame,
            k => self.made.bodies[k - 1],
        }
    }

    /// Two different ones of them, the second of which moves.
    pub(crate) fn pair(&mut self) -> [BodyId; 2] {
        loop {
            let (a, last) = (self.any(), self.made.bodies.len() - 1);
            let b = self.made.bodies[self.random.whole(0, last)];
            if a != b {
                return [a, b];
            }
        }
    }

    /// A point on a body, in its axes: along a bar, or within 0.3 m on the frame.
    pub(crate) fn spot(&mut self, body: BodyId) -> Vec2 {
        let place = self.made.bodies.iter().position(|id| *id == body);
        match place {
            Some(place) => {
                let half = self.halves[place];
                Vec2::new(self.random.between(-half, half), self.random.between(-0.05, 0.05))
            }
            None => self.random.direction() * self.random.between(0.0, 0.3),
        }
    }

    /// The same in the world.
    pub(crate) fn point(&mut self, body: BodyId) -> Vec2 {
        let local = self.spot(body);
        self.world[body].world_point(local)
    }

    /// A bar of 0.2 to 1 m at any angle whose point `spot`, from −1 to 1 along it, is at a point.
    pub(crate) fn bar_at(&mut self, point: Vec2, spot: f64, mass: f64) -> Result<BodyId, Error> {
        let half = 0.5 * self.random.between(0.2, 1.0);
        let along = self.random.direction() * half;
        let middle = point - along * spot;
        self.bar(middle - along, middle + along, mass)
    }

    /// Lets everything turn about the centre of all of it as if it were one body.
    pub(crate) fn spin(&mut self, speed: f64) -> Result<(), Error> {
        let (mut mass, mut moment) = (0.0, Vec2::ZERO);
        for id in &self.made.bodies {
            let body = &self.world[*id];
            mass += body.mass_properties().mass;
            moment += body.center() * body.mass_properties().mass;
        }
        let center = moment * (1.0 / mass);
        for id in &self.made.bodies {
            let velocity = (self.world[*id].center() - center).perp() * speed;
            self.world.set_velocity(*id, velocity)?;
            self.world.set_angular_velocity(*id, speed)?;
        }
        Ok(())
    }
}

/// A thin bar between two points; its origin is in the middle, its x axis along it. Its mass is that of
/// its shape, so that engines that know shapes alone can have it.
fn bar(from: Vec2, to: Vec2, mass: f64) -> BodyDef {
    let along = to - from;
    let half = Vec2::new(0.5 * along.length(), 0.0);
    let shape = Shape::Capsule { start: -half, end: half, radius: 0.02 * along.length() };
    BodyDef {
        position: (from + to) * 0.5,
        rotation: precise::atan2(along.y, along.x),
        shapes: vec![(shape, 1.0)],
        mass: Mass::Total(mass),
        ..BodyDef::dynamic()
    }
}
