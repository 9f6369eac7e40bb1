// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint};

/// A joint that was written as a program:
///
/// ```kempe
/// # A weighted difference of two angles stays in a range of any number of turns.
/// body a, b
/// scalar ratio = 1, lowest = -pi / 4, highest = pi / 4
///
/// limit lowest (-inf) highest
/// constraint ratio * b.rotation - a.rotation
/// limit constraint lowest highest
/// ```
///
/// Its bodies, in this order: `a`, `b`.
///
/// Its axes:
/// - 0, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Angle {
    /// `scalar ratio`, `1` by default.
    pub ratio: f64,
    /// `scalar lowest`, `-0.7853981633974483` by default.
    pub lowest: f64,
    /// `scalar highest`, `0.7853981633974483` by default.
    pub highest: f64,
}

impl Default for Angle {
    fn default() -> Self {
        Self {
            ratio: 1.0,
            lowest: -std::f64::consts::FRAC_PI_4,
            highest: std::f64::consts::FRAC_PI_4,
        }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Angle {
    /// A joint over the bodies `a`, `b`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(self.lowest, self.highest);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(row_1_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { ratio: next()?, lowest: next()?, highest: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for Angle {
    fn name(&self) -> &str {
        "angle"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        out[0] = S::constant(self.ratio) * b.rotation - a.rotation;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("lowest (-inf) highest", self.lowest, f64::NEG_INFINITY, self.highest)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.ratio, self.lowest, self.highest]
    }
}

/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!("`limit {limit}` fails: {value} is not between {lower} and {upper}"))
}
