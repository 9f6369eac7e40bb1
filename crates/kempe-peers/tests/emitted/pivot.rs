// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A pin through both bodies. The angle between them is left as an axis.
/// body a, b
/// vector anchor_a, anchor_b
///
/// constraint (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
/// axis angle = b.rotation - a.rotation
/// ```
///
/// Its bodies, in this order: `a`, `b`.
///
/// Its axes:
/// - 0, the axis `angle`
#[derive(Clone, Debug, PartialEq)]
pub struct Pivot {
    /// `vector anchor_a`.
    pub anchor_a: Vec2,
    /// `vector anchor_b`.
    pub anchor_b: Vec2,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Pivot {
    /// A joint over the bodies `a`, `b`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made =
            Self { anchor_a: Vec2::new(next()?, next()?), anchor_b: Vec2::new(next()?, next()?) };
        next().is_none().then_some(made)
    }
}

impl Constraint for Pivot {
    fn name(&self) -> &str {
        "pivot"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 2, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        let constraint = b.point(self.anchor_b) - a.point(self.anchor_a);
        out[0] = constraint.x;
        out[1] = constraint.y;
        out[2] = b.rotation - a.rotation;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.anchor_a.x, self.anchor_a.y, self.anchor_b.x, self.anchor_b.y]
    }
}
