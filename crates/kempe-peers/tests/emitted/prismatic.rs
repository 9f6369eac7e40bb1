// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A slider on a rail: the offset across and the angle are held, the travel is an axis.
/// body a, b
/// vector anchor_a, anchor_b, rail = [1, 0]
/// scalar phase = 0, shortest = -inf, longest = inf
///
/// limit |rail| eps inf
/// limit shortest (-inf) longest
/// let along = relative a unit rail
/// let del = (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
/// constraint { along cross del, b.rotation - a.rotation - phase }
/// axis travel = along dot del
/// limit travel shortest longest
/// ```
///
/// Its bodies, in this order: `a`, `b`.
///
/// Its axes:
/// - 0, the axis `travel`, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Prismatic {
    /// `vector anchor_a`.
    pub anchor_a: Vec2,
    /// `vector anchor_b`.
    pub anchor_b: Vec2,
    /// `vector rail`, `[1, 0]` by default.
    pub rail: Vec2,
    /// `scalar phase`, `0` by default.
    pub phase: f64,
    /// `scalar shortest`, `-inf` by default.
    pub shortest: f64,
    /// `scalar longest`, `inf` by default.
    pub longest: f64,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Prismatic {
    /// A joint over the bodies `a`, `b`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let travel_limit = Limit::new(self.shortest, self.longest);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(travel_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor_a: Vec2::new(next()?, next()?),
            anchor_b: Vec2::new(next()?, next()?),
            rail: Vec2::new(next()?, next()?),
            phase: next()?,
            shortest: next()?,
            longest: next()?,
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Prismatic {
    fn name(&self) -> &str {
        "prismatic"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 2, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        let along = a.direction(guarded_unit(self.rail, Vec2::ZERO));
        let del = b.point(self.anchor_b) - a.point(self.anchor_a);
        out[0] = along.cross(del);
        out[1] = b.rotation - a.rotation - S::constant(self.phase);
        out[2] = along.dot(del);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("|rail| eps inf", self.rail.length(), 1e-10, f64::INFINITY)?;
        check("shortest (-inf) longest", self.shortest, f64::NEG_INFINITY, self.longest)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor_a.x,
            self.anchor_a.y,
            self.anchor_b.x,
            self.anchor_b.y,
            self.rail.x,
            self.rail.y,
            self.phase,
            self.shortest,
            self.longest,
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

/// The direction of `u`; where it has none, `last`.
fn guarded_unit<S: Real>(u: Vec2<S>, last: Vec2) -> Vec2<S> {
    let (tiny, square) = (S::constant(TINY), u.length_squared());
    let length = square.sqrt();
    let x = tiny.choose(square, S::constant(last.x), u.x / length);
    let y = tiny.choose(square, S::constant(last.y), u.y / length);
    Vec2::new(x, y)
}
