// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint};

/// A joint that was written as a program:
///
/// ```kempe
/// # The turn of b against a, at a rate. There is no position constraint.
/// body a, b
/// scalar ratio = 1, rate = 1
///
/// velocity constraint ratio * b.angularVel - a.angularVel - rate
/// ```
///
/// Its bodies, in this order: `a`, `b`.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// `scalar ratio`, `1` by default.
    pub ratio: f64,
    /// `scalar rate`, `1` by default.
    pub rate: f64,
}

impl Default for Motor {
    fn default() -> Self {
        Self { ratio: 1.0, rate: 1.0 }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Motor {
    /// A joint over the bodies `a`, `b`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { ratio: next()?, rate: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for Motor {
    fn name(&self) -> &str {
        "motor"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 1, axes: 0 }
    }

    fn equations<S: Real>(&self, _bodies: &[Pose<S>], _time: S, _out: &mut [S]) {}

    fn velocity_equations<S: Real>(
        &self,
        _bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let a_angular_velocity = velocities[0][2];
        let b_angular_velocity = velocities[1][2];
        let t1 = S::constant(self.ratio) * b_angular_velocity - a_angular_velocity;
        out[0] = t1 - S::constant(self.rate);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.ratio, self.rate]
    }
}
