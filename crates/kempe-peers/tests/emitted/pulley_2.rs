// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A block and tackle of two strands between a beam and a load.
/// body beam, load
/// vector wheel_left, wheel_right, hook_left, hook_right
/// scalar length
///
/// let left = (load.position + relative load hook_left) - (beam.position + relative beam wheel_left)
/// let right = (load.position + relative load hook_right) - (beam.position + relative beam wheel_right)
/// constraint |left| + |right|
/// limit constraint 0 length
/// ```
///
/// Its bodies, in this order: `beam`, `load`.
///
/// Its axes:
/// - 0, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Pulley2 {
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
impl Pulley2 {
    /// A joint over the bodies `beam`, `load`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(0.0, self.length);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(row_1_limit);
        joint
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

impl Constraint for Pulley2 {
    fn name(&self) -> &str {
        "pulley2"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let beam = &bodies[0];
        let load = &bodies[1];
        let left = load.point(self.hook_left) - beam.point(self.wheel_left);
        let right = load.point(self.hook_right) - beam.point(self.wheel_right);
        let t1 = guarded_length(right, self.remembered[1]);
        out[0] = guarded_length(left, self.remembered[0]) + t1;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let beam = &bodies[0];
        let load = &bodies[1];
        remember(load.point(self.hook_left) - beam.point(self.wheel_left), &mut self.remembered[0]);
        remember(
            load.point(self.hook_right) - beam.point(self.wheel_right),
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
