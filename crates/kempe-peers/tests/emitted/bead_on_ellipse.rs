// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A bead on the ellipse (x/a)² + (y/b)² = 1 of a body. Scaled so that C is a length near it.
/// body wire, bead
/// scalar a = 2, b = 1
///
/// limit a eps inf
/// limit b eps inf
/// constraint
///   let p = relative (-wire.rotation) (bead.position - wire.position) in
///   let q = [p.x / a, p.y / b] in
///   (|q| - 1) * min(a, b)
/// ```
///
/// Its bodies, in this order: `wire`, `bead`.
#[derive(Clone, Debug, PartialEq)]
pub struct BeadOnEllipse {
    /// `scalar a`, `2` by default.
    pub a: f64,
    /// `scalar b`, `1` by default.
    pub b: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 1],
}

impl Default for BeadOnEllipse {
    fn default() -> Self {
        Self { a: 2.0, b: 1.0, remembered: [Vec2::ZERO; 1] }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl BeadOnEllipse {
    /// A joint over the bodies `wire`, `bead`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { a: next()?, b: next()?, remembered: [Vec2::new(next()?, next()?)] };
        next().is_none().then_some(made)
    }
}

impl Constraint for BeadOnEllipse {
    fn name(&self) -> &str {
        "bead_on_ellipse"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let wire = &bodies[0];
        let bead = &bodies[1];
        let p = (bead.position - wire.position).turned_back(wire.cos, wire.sin);
        let q = Vec2::new(p.x / S::constant(self.a), p.y / S::constant(self.b));
        let t1 = guarded_length(q, self.remembered[0]) - S::one();
        out[0] = t1 * S::constant(Real::min(self.a, self.b));
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("a eps inf", self.a, 1e-10, f64::INFINITY)?;
        check("b eps inf", self.b, 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let wire = &bodies[0];
        let bead = &bodies[1];
        let p = (bead.position - wire.position).turned_back(wire.cos, wire.sin);
        remember(Vec2::new(p.x / self.a, p.y / self.b), &mut self.remembered[0]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.a, self.b, self.remembered[0].x, self.remembered[0].y]
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
