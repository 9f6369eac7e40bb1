// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A rod whose length swings with time.
/// body a, b
/// vector anchor_a, anchor_b
/// scalar mean = 2, swing = 0.5, hertz = 1
///
/// limit swing 0 mean
/// limit hertz 0 inf
/// constraint
///   let del = (b.position + relative b anchor_b) - (a.position + relative a anchor_a) in
///   |del| - (mean + swing * sin(2 * pi * hertz * time))
/// ```
///
/// Its bodies, in this order: `a`, `b`.
#[derive(Clone, Debug, PartialEq)]
pub struct BreathingDistance {
    /// `vector anchor_a`.
    pub anchor_a: Vec2,
    /// `vector anchor_b`.
    pub anchor_b: Vec2,
    /// `scalar mean`, `2` by default.
    pub mean: f64,
    /// `scalar swing`, `0.5` by default.
    pub swing: f64,
    /// `scalar hertz`, `1` by default.
    pub hertz: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 1],
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl BreathingDistance {
    /// A joint over the bodies `a`, `b`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor_a: Vec2::new(next()?, next()?),
            anchor_b: Vec2::new(next()?, next()?),
            mean: next()?,
            swing: next()?,
            hertz: next()?,
            remembered: [Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for BreathingDistance {
    fn name(&self) -> &str {
        "breathing_distance"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        let del = b.point(self.anchor_b) - a.point(self.anchor_a);
        let t1 = (S::constant(std::f64::consts::TAU * self.hertz) * time).sin_cos().0;
        let t2 = S::constant(self.mean) + S::constant(self.swing) * t1;
        out[0] = guarded_length(del, self.remembered[0]) - t2;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("swing 0 mean", self.swing, 0.0, self.mean)?;
        check("hertz 0 inf", self.hertz, 0.0, f64::INFINITY)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let a = &bodies[0];
        let b = &bodies[1];
        remember(b.point(self.anchor_b) - a.point(self.anchor_a), &mut self.remembered[0]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor_a.x,
            self.anchor_a.y,
            self.anchor_b.x,
            self.anchor_b.y,
            self.mean,
            self.swing,
            self.hertz,
            self.remembered[0].x,
            self.remembered[0].y,
        ]
    }
}

/// A vector whose square is below this counts as zero.
const TINY: f64 = 1e-30;

/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!("`limit {limit}` fails: {value} is not between {lower} and {upper}"))
}

/// Keeps the direction of `u`, if it has one.
fn remember(u: Vec2, last: &mut Vec2) {
    let length = u.length();
    if length * length > TINY && length.is_finite() {
        *last = u * (1.0 / length);
    }
}

/// |u|; where it is zero it grows along `last`.
fn guarded_length<S: Real>(u: Vec2<S>, last: Vec2) -> S {
    let square = u.length_squared();
    S::constant(TINY).choose(square, u.dot(Vec2::constant(last)), square.sqrt())
}
