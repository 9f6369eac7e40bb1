//! Joints and a law that only these tests have.

use kempe2d::{Constraint, Counts, Law, Pose, Real, Registry};

/// Holds B at the distance that it had when it was longest.
#[derive(Clone, Debug)]
pub struct Longest {
    pub length: f64,
}

impl Constraint for Longest {
    fn name(&self) -> &str {
        "longest"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let length = (bodies[1].position - bodies[0].position).length();
        out[0] = length - S::constant(self.length);
        out[1] = bodies[1].rotation - bodies[0].rotation;
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        self.length = self.length.max((bodies[1].position - bodies[0].position).length());
    }

    fn validate(&self) -> Result<(), String> {
        if self.length.is_nan() { Err("the length is not a number".to_owned()) } else { Ok(()) }
    }

    fn broken(&mut self) {
        self.length = 0.0;
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.length]
    }
}

/// Holds the origins together with a force that only pulls, and no more than so much.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub most: f64,
}

impl Constraint for Bounded {
    fn name(&self) -> &str {
        "bounded"
    }

    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let apart = bodies[1].position - bodies[0].position;
        out[0] = apart.x;
        out[1] = apart.y;
    }

    fn clamps(&self) -> bool {
        true
    }

    fn clamp(&self, impulses: &mut [f64], h: f64) {
        for impulse in impulses {
            *impulse = impulse.min(self.most * h).max(-self.most * h);
        }
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.most]
    }
}

/// Lets B roll along its own x axis only, and turn at a rate.
#[derive(Clone, Debug)]
pub struct Skid {
    pub rate: f64,
}

impl Constraint for Skid {
    fn name(&self) -> &str {
        "skid"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 2, axes: 0 }
    }

    fn equations<S: Real>(&self, _bodies: &[Pose<S>], _time: S, _out: &mut [S]) {}

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let [a, b] = [velocities[0], velocities[1]];
        out[0] = (b[1] - a[1]) * bodies[1].cos - (b[0] - a[0]) * bodies[1].sin;
        out[1] = b[2] - a[2] - S::constant(self.rate);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.rate]
    }
}

/// A height that has no value on one side of a line.
#[derive(Clone, Debug)]
pub struct Gap {
    pub at: f64,
}

impl Constraint for Gap {
    fn name(&self) -> &str {
        "gap"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let apart = bodies[1].position - bodies[0].position;
        out[0] = (apart.x - S::constant(self.at)).sqrt() - apart.y;
        out[1] = apart.y;
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.at]
    }
}

/// F = −c q³ − q̇.
#[derive(Clone, Debug)]
pub struct Cubic(pub f64);

impl Law for Cubic {
    fn name(&self) -> &str {
        "cubic"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.0]
    }

    fn force<S: Real>(&self, q: S, speed: S, _time: S) -> S {
        -(S::constant(self.0) * q * q * q) - speed
    }
}

pub fn registry() -> Registry {
    Registry::new()
        .joint("longest", |p| Some(Longest { length: *p.first()? }))
        .joint("bounded", |p| Some(Bounded { most: *p.first()? }))
        .joint("skid", |p| Some(Skid { rate: *p.first()? }))
        .joint("gap", |p| Some(Gap { at: *p.first()? }))
        .law("cubic", |p| Some(Cubic(*p.first()?)))
}
