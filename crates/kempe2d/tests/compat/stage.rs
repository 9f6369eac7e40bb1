//! Where joints are tried: bodies of a known mass, and the equations of one variable beside them.

use kempe2d::{BodyDef, BodyId, Error, JointDef, JointId, Mass, MassProperties};
use kempe2d::{Settings, Vec2, World};

pub(crate) const H: f64 = 1.0 / 60.0;
const SUBSTEPS: u32 = 4;

pub(crate) struct Stage {
    pub world: World,
    pub ground: BodyId,
}

impl Stage {
    /// Without gravity, and nothing sleeps.
    pub(crate) fn new() -> Self {
        Self::with_gravity(0.0)
    }

    /// With gravity downwards, m/s².
    pub(crate) fn with_gravity(g: f64) -> Self {
        let gravity = Vec2::new(0.0, -g);
        let settings = Settings {
            gravity,
            substeps: SUBSTEPS,
            sleep: false,
            springs: kempe2d::Springs::ImplicitEuler,
            ..Settings::default()
        };
        let mut world = World::new(settings).unwrap();
        let ground = world.ground().unwrap();
        Self { world, ground }
    }

    /// A body with its centre of mass at its origin.
    pub(crate) fn body(&mut self, position: Vec2, mass: f64, inertia: f64) -> BodyId {
        let mass = Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO });
        self.world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
    }

    pub(crate) fn join(&mut self, joint: Result<JointDef, Error>) -> JointId {
        self.world.add_joint(&joint.unwrap()).unwrap()
    }

    /// Steps for so many seconds.
    pub(crate) fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / H).round() as usize {
            self.world.step(H).unwrap();
        }
    }

    pub(crate) fn at(&self, body: BodyId) -> Vec2 {
        self.world[body].position()
    }

    pub(crate) fn q(&self, joint: JointId, axis: usize) -> f64 {
        self.world.joint_coordinate(joint, axis).unwrap()
    }
}

/// q̈ = −k q − c q̇ + a, by backward Euler in the sub-steps of a [`Stage`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    pub q: f64,
    pub v: f64,
    /// 1/s².
    pub k: f64,
    /// 1/s.
    pub c: f64,
    /// m/s².
    pub a: f64,
}

impl Oscillator {
    /// At rest, so far from where it rests, of a frequency and a damping ratio.
    pub(crate) fn hertz(q: f64, hertz: f64, ratio: f64) -> Self {
        let omega = std::f64::consts::TAU * hertz;
        Self { q, v: 0.0, k: omega * omega, c: 2.0 * ratio * omega, a: 0.0 }
    }

    pub(crate) fn step(&mut self) {
        let h = H / f64::from(SUBSTEPS);
        for _ in 0..SUBSTEPS {
            let pushed = self.v + h * (self.a - self.k * self.q);
            self.v = pushed / (1.0 + h * self.c + h * h * self.k);
            self.q += h * self.v;
        }
    }
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// The field that was refused.
#[track_caller]
#[expect(clippy::panic, reason = "a helper of tests")]
pub(crate) fn refused(joint: Result<JointDef, Error>) -> &'static str {
    match joint {
        Err(Error::Number { field, .. }) => field,
        other => panic!("not refused for a number: {other:?}"),
    }
}
