// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A rack that slides on a frame as the pinion turns in it.
/// body frame, pinion, rack
/// vector direction = [1, 0]     # of the rack's travel, in the frame
/// scalar radius = 0.1, offset = 0
///
/// limit radius eps inf
/// limit |direction| eps inf
/// axis travel = (relative frame unit direction) dot (rack.position - frame.position)
/// axis turn = pinion.rotation - frame.rotation
/// constraint travel - radius * turn - offset
/// ```
///
/// Its bodies, in this order: `frame`, `pinion`, `rack`.
///
/// Its axes:
/// - 0, the axis `travel`
/// - 1, the axis `turn`
#[derive(Clone, Debug, PartialEq)]
pub struct RackAndPinion {
    /// `vector direction`, `[1, 0]` by default.
    pub direction: Vec2,
    /// `scalar radius`, `0.1` by default.
    pub radius: f64,
    /// `scalar offset`, `0` by default.
    pub offset: f64,
}

impl Default for RackAndPinion {
    fn default() -> Self {
        Self { direction: Vec2::new(1.0, 0.0), radius: 0.1, offset: 0.0 }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl RackAndPinion {
    /// A joint over the bodies `frame`, `pinion`, `rack`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made =
            Self { direction: Vec2::new(next()?, next()?), radius: next()?, offset: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for RackAndPinion {
    fn name(&self) -> &str {
        "rack_and_pinion"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 1, velocity: 0, axes: 2 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let pinion = &bodies[1];
        let rack = &bodies[2];
        let t1 = frame.direction(guarded_unit(self.direction, Vec2::ZERO));
        let travel = t1.dot(rack.position - frame.position);
        let turn = pinion.rotation - frame.rotation;
        out[0] = travel - S::constant(self.radius) * turn - S::constant(self.offset);
        out[1] = travel;
        out[2] = turn;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("radius eps inf", self.radius, 1e-10, f64::INFINITY)?;
        check("|direction| eps inf", self.direction.length(), 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.direction.x, self.direction.y, self.radius, self.offset]
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

/// The direction of `u`; where it has none, `last`.
fn guarded_unit<S: Real>(u: Vec2<S>, last: Vec2) -> Vec2<S> {
    let (tiny, square) = (S::constant(TINY), u.length_squared());
    let length = square.sqrt();
    let x = tiny.choose(square, S::constant(last.x), u.x / length);
    let y = tiny.choose(square, S::constant(last.y), u.y / length);
    Vec2::new(x, y)
}
