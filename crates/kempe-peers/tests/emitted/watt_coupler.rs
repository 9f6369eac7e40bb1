// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # The coupler of Watt's linkage: each end on a circle about a point of the frame. Its middle
/// # draws a line that is nearly straight.
/// body frame, coupler
/// vector pivot_left = [-1, 0], pivot_right = [1, 0.4]
/// scalar rocker = 1, half_length = 0.2
///
/// limit rocker eps inf
/// limit half_length eps inf
/// constraint
///   let left = coupler.position + relative coupler [0, half_length] in
///   let right = coupler.position - relative coupler [0, half_length] in
///   { |left - (frame.position + relative frame pivot_left)| - rocker
///     |right - (frame.position + relative frame pivot_right)| - rocker }
/// axis height = (relative (-frame.rotation) (coupler.position - frame.position)).y
/// ```
///
/// Its bodies, in this order: `frame`, `coupler`.
///
/// Its axes:
/// - 0, the axis `height`
#[derive(Clone, Debug, PartialEq)]
pub struct WattCoupler {
    /// `vector pivot_left`, `[-1, 0]` by default.
    pub pivot_left: Vec2,
    /// `vector pivot_right`, `[1, 0.4]` by default.
    pub pivot_right: Vec2,
    /// `scalar rocker`, `1` by default.
    pub rocker: f64,
    /// `scalar half_length`, `0.2` by default.
    pub half_length: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 2],
}

impl Default for WattCoupler {
    fn default() -> Self {
        Self {
            pivot_left: Vec2::new(-1.0, 0.0),
            pivot_right: Vec2::new(1.0, 0.4),
            rocker: 1.0,
            half_length: 0.2,
            remembered: [Vec2::ZERO; 2],
        }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl WattCoupler {
    /// A joint over the bodies `frame`, `coupler`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            pivot_left: Vec2::new(next()?, next()?),
            pivot_right: Vec2::new(next()?, next()?),
            rocker: next()?,
            half_length: next()?,
            remembered: [Vec2::new(next()?, next()?), Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for WattCoupler {
    fn name(&self) -> &str {
        "watt_coupler"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 2, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let coupler = &bodies[1];
        let t1 = coupler.direction(Vec2::new(0.0, self.half_length));
        let left = coupler.position + t1;
        let right = coupler.position - t1;
        let t2 = guarded_length(left - frame.point(self.pivot_left), self.remembered[0]);
        let t3 = guarded_length(right - frame.point(self.pivot_right), self.remembered[1]);
        out[0] = t2 - S::constant(self.rocker);
        out[1] = t3 - S::constant(self.rocker);
        out[2] = (coupler.position - frame.position).turned_back(frame.cos, frame.sin).y;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("rocker eps inf", self.rocker, 1e-10, f64::INFINITY)?;
        check("half_length eps inf", self.half_length, 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let frame = &bodies[0];
        let coupler = &bodies[1];
        let t1 = coupler.direction(Vec2::new(0.0, self.half_length));
        let left = coupler.position + t1;
        let right = coupler.position - t1;
        remember(left - frame.point(self.pivot_left), &mut self.remembered[0]);
        remember(right - frame.point(self.pivot_right), &mut self.remembered[1]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.pivot_left.x,
            self.pivot_left.y,
            self.pivot_right.x,
            self.pivot_right.y,
            self.rocker,
            self.half_length,
            self.remembered[0].x,
            self.remembered[0].y,
            self.remembered[1].x,
            self.remembered[1].y,
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
