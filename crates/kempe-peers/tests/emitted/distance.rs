// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A rod, a rope or a strut: the distance of two points stays in a range.
/// body body1, body2
///   vector anchor1, anchor2
///   scalar jointMin, jointMax
///
///   limit jointMin 0 jointMax # 0 <= jointMin <= jointMax
///
///   constraint
///     let r1 = relative body1.rotation anchor1 in
///     let r2 = relative body2.rotation anchor2 in
///     |(body2.position + r2) - (body1.position + r1)|
///
///   limit constraint jointMin jointMax # jointMin <= constraint <= jointMax
/// ```
///
/// Its bodies, in this order: `body1`, `body2`.
///
/// Its axes:
/// - 0, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// `vector anchor1`.
    pub anchor1: Vec2,
    /// `vector anchor2`.
    pub anchor2: Vec2,
    /// `scalar jointMin`.
    pub joint_min: f64,
    /// `scalar jointMax`.
    pub joint_max: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 1],
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Distance {
    /// A joint over the bodies `body1`, `body2`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(self.joint_min, self.joint_max);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(row_1_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor1: Vec2::new(next()?, next()?),
            anchor2: Vec2::new(next()?, next()?),
            joint_min: next()?,
            joint_max: next()?,
            remembered: [Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Distance {
    fn name(&self) -> &str {
        "distance"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let body1 = &bodies[0];
        let body2 = &bodies[1];
        let r1 = body1.direction(self.anchor1);
        let r2 = body2.direction(self.anchor2);
        let t1 = body2.position + r2 - (body1.position + r1);
        out[0] = guarded_length(t1, self.remembered[0]);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("jointMin 0 jointMax", self.joint_min, 0.0, self.joint_max)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let body1 = &bodies[0];
        let body2 = &bodies[1];
        let r1 = body1.direction(self.anchor1);
        let r2 = body2.direction(self.anchor2);
        remember(body2.position + r2 - (body1.position + r1), &mut self.remembered[0]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor1.x,
            self.anchor1.y,
            self.anchor2.x,
            self.anchor2.y,
            self.joint_min,
            self.joint_max,
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
