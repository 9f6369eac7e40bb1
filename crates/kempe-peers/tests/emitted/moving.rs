// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// body a, b
/// scalar turning = 0.2
/// vector drift = [0.3, -0.1] -> [0, sin(time)]
/// vector place = [0.1, 0.2] -> drift
/// matrix frame = [1 0; 0 1] -> [0 -turning; turning 0] * frame
/// scalar phase = 0.5 -> 2 * time
///
/// constraint { frame * (b.position - a.position) - place, |b.position - a.position - place| }
/// limit constraint { place, phase } { place, phase }
/// axis turn = b.rotation - a.rotation - phase
/// ```
///
/// Its bodies, in this order: `a`, `b`.
///
/// Its axes:
/// - 0, the axis `turn`
#[derive(Clone, Debug, PartialEq)]
pub struct Moving {
    /// `scalar turning`, `0.2` by default.
    pub turning: f64,
    /// `vector drift`, `[0.3, -0.1]` by default; it moves by itself.
    pub drift: Vec2,
    /// `vector place`, `[0.1, 0.2]` by default; it moves by itself.
    pub place: Vec2,
    /// `matrix frame`, `[1, 0; 0, 1]` by default; it moves by itself.
    pub frame: [[f64; 2]; 2],
    /// `scalar phase`, `0.5` by default; it moves by itself.
    pub phase: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 1],
    /// The time that the driven parameters are of; none until the first step.
    pub since: Option<f64>,
}

impl Default for Moving {
    fn default() -> Self {
        Self {
            turning: 0.2,
            drift: Vec2::new(0.3, -0.1),
            place: Vec2::new(0.1, 0.2),
            frame: [[1.0, 0.0], [0.0, 1.0]],
            phase: 0.5,
            remembered: [Vec2::ZERO; 1],
            since: None,
        }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Moving {
    /// A joint over the bodies `a`, `b`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            turning: next()?,
            drift: Vec2::new(next()?, next()?),
            place: Vec2::new(next()?, next()?),
            frame: [[next()?, next()?], [next()?, next()?]],
            phase: next()?,
            remembered: [Vec2::new(next()?, next()?)],
            since: next(),
        };
        next().is_none().then_some(made)
    }

    /// The driven parameters at a time: `drift`, `place`, `frame`, `phase`.
    fn driven<S: Real>(&self, time: S) -> (Vec2<S>, Vec2<S>, [[S; 2]; 2], S) {
        let since = self.since.unwrap_or_default();
        let elapsed = self.since.map_or(S::zero(), |since| time - S::constant(since));
        let at = |value: f64, rate: f64| S::constant(value) + S::constant(rate) * elapsed;
        (
            Vec2::new(at(self.drift.x, 0.0), at(self.drift.y, Real::sin_cos(since).0)),
            Vec2::new(at(self.place.x, self.drift.x), at(self.place.y, self.drift.y)),
            [
                [
                    at(self.frame[0][0], -(self.turning * self.frame[1][0])),
                    at(self.frame[0][1], -(self.turning * self.frame[1][1])),
                ],
                [
                    at(self.frame[1][0], self.turning * self.frame[0][0]),
                    at(self.frame[1][1], self.turning * self.frame[0][1]),
                ],
            ],
            at(self.phase, 2.0 * since),
        )
    }
}

impl Constraint for Moving {
    fn name(&self) -> &str {
        "moving"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 3, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        let (_, place, frame, phase) = self.driven(time);
        let t1 = b.position - a.position;
        let t2 = frame[0][0] * t1.x + frame[0][1] * t1.y;
        let constraint = Vec2::new(t2, frame[1][0] * t1.x + frame[1][1] * t1.y) - place;
        out[0] = constraint.x - place.x;
        out[1] = constraint.y - place.y;
        out[2] = guarded_length(t1 - place, self.remembered[0]) - phase;
        out[3] = b.rotation - a.rotation - phase;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], time: f64) {
        (self.drift, self.place, self.frame, self.phase) = self.driven(time);
        self.since = Some(time);
        let a = &bodies[0];
        let b = &bodies[1];
        remember(b.position - a.position - self.place, &mut self.remembered[0]);
    }

    fn parameters(&self) -> Vec<f64> {
        let mut numbers = vec![
            self.turning,
            self.drift.x,
            self.drift.y,
            self.place.x,
            self.place.y,
            self.frame[0][0],
            self.frame[0][1],
            self.frame[1][0],
            self.frame[1][1],
            self.phase,
            self.remembered[0].x,
            self.remembered[0].y,
        ];
        numbers.extend(self.since);
        numbers
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
