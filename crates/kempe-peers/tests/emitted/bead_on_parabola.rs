// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint};

/// A joint that was written as a program:
///
/// ```kempe
/// # A bead on the wire y = c x² of a body.
/// body wire, bead
/// scalar curvature = 0.5
///
/// constraint
///   let p = relative (-wire.rotation) (bead.position - wire.position) in
///   p.y - curvature * p.x^2
/// axis along = (relative (-wire.rotation) (bead.position - wire.position)).x
/// ```
///
/// Its bodies, in this order: `wire`, `bead`.
///
/// Its axes:
/// - 0, the axis `along`
#[derive(Clone, Debug, PartialEq)]
pub struct BeadOnParabola {
    /// `scalar curvature`, `0.5` by default.
    pub curvature: f64,
}

impl Default for BeadOnParabola {
    fn default() -> Self {
        Self { curvature: 0.5 }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl BeadOnParabola {
    /// A joint over the bodies `wire`, `bead`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { curvature: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for BeadOnParabola {
    fn name(&self) -> &str {
        "bead_on_parabola"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let wire = &bodies[0];
        let bead = &bodies[1];
        let p = (bead.position - wire.position).turned_back(wire.cos, wire.sin);
        out[0] = p.y - p.x * p.x * S::constant(self.curvature);
        out[1] = p.x;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.curvature]
    }
}
