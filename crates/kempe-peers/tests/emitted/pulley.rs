// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A rope from a to b, over two wheels, and from c to d. Any of the bodies may be the same one.
/// body a, b, c, d
/// vector anchor_a, anchor_b, anchor_c, anchor_d
/// scalar ratio = 1, shortest = 0, longest
///
/// limit shortest 0 longest
/// let first = (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
/// let second = (d.position + relative d anchor_d) - (c.position + relative c anchor_c)
/// constraint |first| + ratio * |second|
/// limit constraint shortest longest
/// ```
///
/// Its bodies, in this order: `a`, `b`, `c`, `d`.
///
/// Its axes:
/// - 0, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Pulley {
    /// `vector anchor_a`.
    pub anchor_a: Vec2,
    /// `vector anchor_b`.
    pub anchor_b: Vec2,
    /// `vector anchor_c`.
    pub anchor_c: Vec2,
    /// `vector anchor_d`.
    pub anchor_d: Vec2,
    /// `scalar ratio`, `1` by default.
    pub ratio: f64,
    /// `scalar shortest`, `0` by default.
    pub shortest: f64,
    /// `scalar longest`.
    pub longest: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 2],
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Pulley {
    /// A joint over the bodies `a`, `b`, `c`, `d`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(self.shortest, self.longest);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(row_1_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor_a: Vec2::new(next()?, next()?),
            anchor_b: Vec2::new(next()?, next()?),
            anchor_c: Vec2::new(next()?, next()?),
            anchor_d: Vec2::new(next()?, next()?),
            ratio: next()?,
            shortest: next()?,
            longest: next()?,
            remembered: [Vec2::new(next()?, next()?), Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Pulley {
    fn name(&self) -> &str {
        "pulley"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 4, hold: 0, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        let c = &bodies[2];
        let d = &bodies[3];
        let first = b.point(self.anchor_b) - a.point(self.anchor_a);
        let second = d.point(self.anchor_d) - c.point(self.anchor_c);
        let t1 = S::constant(self.ratio) * guarded_length(second, self.remembered[1]);
        out[0] = guarded_length(first, self.remembered[0]) + t1;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("shortest 0 longest", self.shortest, 0.0, self.longest)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let a = &bodies[0];
        let b = &bodies[1];
        let c = &bodies[2];
        let d = &bodies[3];
        remember(b.point(self.anchor_b) - a.point(self.anchor_a), &mut self.remembered[0]);
        remember(d.point(self.anchor_d) - c.point(self.anchor_c), &mut self.remembered[1]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor_a.x,
            self.anchor_a.y,
            self.anchor_b.x,
            self.anchor_b.y,
            self.anchor_c.x,
            self.anchor_c.y,
            self.anchor_d.x,
            self.anchor_d.y,
            self.ratio,
            self.shortest,
            self.longest,
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
