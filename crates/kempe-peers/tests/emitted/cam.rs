// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A follower that slides in a frame and stays on a cam whose radius is a function of the angle.
/// body frame, cam, follower
/// scalar base = 0.3, lift = 0.1, lobes = 2
///
/// limit base eps inf
/// limit lift (-base) base
/// let turn = cam.rotation - frame.rotation
/// let away = relative (-frame.rotation) (follower.position - cam.position)
/// let angle = atan2(away.y, away.x) - turn
/// constraint |away| - (base + lift * sin(lobes * angle))
/// limit constraint 0 inf
/// axis height = away.y
/// ```
///
/// Its bodies, in this order: `frame`, `cam`, `follower`.
///
/// Its axes:
/// - 0, the axis `height`
/// - 1, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Cam {
    /// `scalar base`, `0.3` by default.
    pub base: f64,
    /// `scalar lift`, `0.1` by default.
    pub lift: f64,
    /// `scalar lobes`, `2` by default.
    pub lobes: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 2],
}

impl Default for Cam {
    fn default() -> Self {
        Self { base: 0.3, lift: 0.1, lobes: 2.0, remembered: [Vec2::ZERO; 2] }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Cam {
    /// A joint over the bodies `frame`, `cam`, `follower`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(0.0, f64::INFINITY);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(1).limit = Some(row_1_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            base: next()?,
            lift: next()?,
            lobes: next()?,
            remembered: [Vec2::new(next()?, next()?), Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Cam {
    fn name(&self) -> &str {
        "cam"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 0, velocity: 0, axes: 2 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let cam = &bodies[1];
        let follower = &bodies[2];
        let turn = cam.rotation - frame.rotation;
        let t1 = follower.position - cam.position;
        let away = t1.turned_back(frame.cos, frame.sin);
        let angle = guarded_angle(away.y, away.x, self.remembered[0]) - turn;
        let t2 = S::constant(self.lift) * (S::constant(self.lobes) * angle).sin_cos().0;
        out[0] = away.y;
        out[1] = guarded_length(t1, self.remembered[1]) - (S::constant(self.base) + t2);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("base eps inf", self.base, 1e-10, f64::INFINITY)?;
        check("lift (-base) base", self.lift, -self.base, self.base)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let frame = &bodies[0];
        let cam = &bodies[1];
        let follower = &bodies[2];
        let t1 = follower.position - cam.position;
        remember(t1.turned_back(frame.cos, frame.sin), &mut self.remembered[0]);
        remember(t1, &mut self.remembered[1]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.base,
            self.lift,
            self.lobes,
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

/// The angle of (x, y); where it has none, that of `last`.
fn guarded_angle<S: Real>(y: S, x: S, last: Vec2) -> S {
    let (tiny, square) = (S::constant(TINY), x * x + y * y);
    let y = tiny.choose(square, S::constant(last.y), y);
    let x = tiny.choose(square, S::constant(last.x), x);
    y.atan2(x)
}
