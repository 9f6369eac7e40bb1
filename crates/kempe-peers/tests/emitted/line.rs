// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A point of one body on a segment of another.
/// body body1, body2
///   vector anchor1, anchor2, direction
///   scalar jointMin, jointMax
///
///   limit jointMin (-inf) jointMax # jointMin <= jointMax
///   limit |direction| eps inf # direction != 0
///
///   constraint
///     let r1 = relative body1.rotation anchor1 in
///     let r2 = relative body2.rotation anchor2 in
///     let dir = unit(relative body1.rotation direction) in
///     let del = (body2.position + r2) - (body1.position + r1) in
///     { dir dot del
///       dir cross del }
///
///   # limit first dimension of constraint between jointMin, jointMax
///   # and limit second dimension to exactly 0
///   limit constraint { jointMin 0 } { jointMax 0 }
/// ```
///
/// Its bodies, in this order: `body1`, `body2`.
///
/// Its axes:
/// - 0, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// `vector anchor1`.
    pub anchor1: Vec2,
    /// `vector anchor2`.
    pub anchor2: Vec2,
    /// `vector direction`.
    pub direction: Vec2,
    /// `scalar jointMin`.
    pub joint_min: f64,
    /// `scalar jointMax`.
    pub joint_max: f64,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Line {
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
            direction: Vec2::new(next()?, next()?),
            joint_min: next()?,
            joint_max: next()?,
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Line {
    fn name(&self) -> &str {
        "line"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let body1 = &bodies[0];
        let body2 = &bodies[1];
        let r1 = body1.direction(self.anchor1);
        let r2 = body2.direction(self.anchor2);
        let dir = body1.direction(guarded_unit(self.direction, Vec2::ZERO));
        let del = body2.position + r2 - (body1.position + r1);
        out[0] = dir.cross(del);
        out[1] = dir.dot(del);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("jointMin (-inf) jointMax", self.joint_min, f64::NEG_INFINITY, self.joint_max)?;
        check("|direction| eps inf", self.direction.length(), 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor1.x,
            self.anchor1.y,
            self.anchor2.x,
            self.anchor2.y,
            self.direction.x,
            self.direction.y,
            self.joint_min,
            self.joint_max,
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

/// The direction of `u`; where it has none, `last`.
fn guarded_unit<S: Real>(u: Vec2<S>, last: Vec2) -> Vec2<S> {
    let (tiny, square) = (S::constant(TINY), u.length_squared());
    let length = square.sqrt();
    let x = tiny.choose(square, S::constant(last.x), u.x / length);
    let y = tiny.choose(square, S::constant(last.y), u.y / length);
    Vec2::new(x, y)
}
