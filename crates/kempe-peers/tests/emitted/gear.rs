// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint};

/// A joint that was written as a program:
///
/// ```kempe
/// # Two meshing wheels on one frame: their turns relative to it are as their teeth, opposite.
/// body frame, a, b
/// scalar teeth_a = 20, teeth_b = 40, phase
///
/// limit teeth_a 1 inf
/// limit teeth_b 1 inf
/// constraint teeth_a * (a.rotation - frame.rotation)
///          + teeth_b * (b.rotation - frame.rotation) - phase
/// axis turn = a.rotation - frame.rotation
/// ```
///
/// Its bodies, in this order: `frame`, `a`, `b`.
///
/// Its axes:
/// - 0, the axis `turn`
#[derive(Clone, Debug, PartialEq)]
pub struct Gear {
    /// `scalar teeth_a`, `20` by default.
    pub teeth_a: f64,
    /// `scalar teeth_b`, `40` by default.
    pub teeth_b: f64,
    /// `scalar phase`.
    pub phase: f64,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Gear {
    /// A joint over the bodies `frame`, `a`, `b`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { teeth_a: next()?, teeth_b: next()?, phase: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for Gear {
    fn name(&self) -> &str {
        "gear"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 1, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let a = &bodies[1];
        let b = &bodies[2];
        let turn = a.rotation - frame.rotation;
        let t1 = S::constant(self.teeth_b) * (b.rotation - frame.rotation);
        out[0] = S::constant(self.teeth_a) * turn + t1 - S::constant(self.phase);
        out[1] = turn;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("teeth_a 1 inf", self.teeth_a, 1.0, f64::INFINITY)?;
        check("teeth_b 1 inf", self.teeth_b, 1.0, f64::INFINITY)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.teeth_a, self.teeth_b, self.phase]
    }
}

/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!("`limit {limit}` fails: {value} is not between {lower} and {upper}"))
}
