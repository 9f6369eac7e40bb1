// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # Two bodies held together, at an angle.
/// body body1, body2
///   vector anchor1, anchor2
///   scalar phase
///
///   constraint
///     let r1 = relative body1.rotation anchor1 in
///     let r2 = relative body2.rotation anchor2 in
///     { (body2.position + r2) - (body1.position + r1)
///       body2.rotation - body1.rotation - phase }
/// ```
///
/// Its bodies, in this order: `body1`, `body2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Weld {
    /// `vector anchor1`.
    pub anchor1: Vec2,
    /// `vector anchor2`.
    pub anchor2: Vec2,
    /// `scalar phase`.
    pub phase: f64,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Weld {
    /// A joint over the bodies `body1`, `body2`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor1: Vec2::new(next()?, next()?),
            anchor2: Vec2::new(next()?, next()?),
            phase: next()?,
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Weld {
    fn name(&self) -> &str {
        "weld"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 3, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let body1 = &bodies[0];
        let body2 = &bodies[1];
        let r1 = body1.direction(self.anchor1);
        let r2 = body2.direction(self.anchor2);
        let constraint = body2.position + r2 - (body1.position + r1);
        out[0] = constraint.x;
        out[1] = constraint.y;
        out[2] = body2.rotation - body1.rotation - S::constant(self.phase);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.anchor1.x, self.anchor1.y, self.anchor2.x, self.anchor2.y, self.phase]
    }
}
