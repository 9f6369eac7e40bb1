// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # Two loads on one rope over a beam that can move itself.
/// body beam, left, right
/// vector wheel_left, wheel_right, hook_left, hook_right
/// scalar length
///
/// constraint
///   let down_left = (left.position + relative left hook_left)
///                 - (beam.position + relative beam wheel_left) in
///   let down_right = (right.position + relative right hook_right)
///                  - (beam.position + relative beam wheel_right) in
///   |down_left| + |down_right| - length
/// ```
///
/// Its bodies, in this order: `beam`, `left`, `right`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulley3 {
    /// `vector wheel_left`.
    pub wheel_left: Vec2,
    /// `vector wheel_right`.
    pub wheel_right: Vec2,
    /// `vector hook_left`.
    pub hook_left: Vec2,
    /// `vector hook_right`.
    pub hook_right: Vec2,
    /// `scalar length`.
    pub length: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 2],
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Pulley3 {
    /// A joint over the bodies `beam`, `left`, `right`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            wheel_left: Vec2::new(next()?, next()?),
            wheel_right: Vec2::new(next()?, next()?),
            hook_left: Vec2::new(next()?, next()?),
            hook_right: Vec2::new(next()?, next()?),
            length: next()?,
            remembered: [Vec2::new(next()?, next()?), Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Pulley3 {
    fn name(&self) -> &str {
        "pulley3"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 1, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let beam = &bodies[0];
        let left = &bodies[1];
        let right = &bodies[2];
        let down_left = left.point(self.hook_left) - beam.point(self.wheel_left);
        let down_right = right.point(self.hook_right) - beam.point(self.wheel_right);
        let t1 = guarded_length(down_right, self.remembered[1]);
        let t2 = guarded_length(down_left, self.remembered[0]) + t1;
        out[0] = t2 - S::constant(self.length);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let beam = &bodies[0];
        let left = &bodies[1];
        let right = &bodies[2];
        remember(left.point(self.hook_left) - beam.point(self.wheel_left), &mut self.remembered[0]);
        remember(
            right.point(self.hook_right) - beam.point(self.wheel_right),
            &mut self.remembered[1],
        );
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.wheel_left.x,
            self.wheel_left.y,
            self.wheel_right.x,
            self.wheel_right.y,
            self.hook_left.x,
            self.hook_left.y,
            self.hook_right.x,
            self.hook_right.y,
            self.length,
            self.remembered[0].x,
            self.remembered[0].y,
            self.remembered[1].x,
            self.remembered[1].y,
        ]
    }
}

/// A vector whose square is below this counts as zero.
const TINY: f64 = 1e-30;

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
