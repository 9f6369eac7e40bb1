// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A crank pinned to a frame and turned at a given speed, which itself may change.
/// body frame, crank
/// vector pin, hub
/// scalar acceleration = 0
/// scalar speed = 2 * pi -> acceleration
/// scalar angle = 0 -> speed
///
/// constraint
///   { (crank.position + relative crank hub) - (frame.position + relative frame pin)
///     crank.rotation - frame.rotation - angle }
/// ```
///
/// Its bodies, in this order: `frame`, `crank`.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenCrank {
    /// `vector pin`.
    pub pin: Vec2,
    /// `vector hub`.
    pub hub: Vec2,
    /// `scalar acceleration`, `0` by default.
    pub acceleration: f64,
    /// `scalar speed`, `6.283185307179586` by default; it moves by itself.
    pub speed: f64,
    /// `scalar angle`, `0` by default; it moves by itself.
    pub angle: f64,
    /// The time that the driven parameters are of; none until the first step.
    pub since: Option<f64>,
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl DrivenCrank {
    /// A joint over the bodies `frame`, `crank`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            pin: Vec2::new(next()?, next()?),
            hub: Vec2::new(next()?, next()?),
            acceleration: next()?,
            speed: next()?,
            angle: next()?,
            since: next(),
        };
        next().is_none().then_some(made)
    }

    /// The driven parameters at a time: `speed`, `angle`.
    fn driven<S: Real>(&self, time: S) -> (S, S) {
        let elapsed = self.since.map_or(S::zero(), |since| time - S::constant(since));
        let at = |value: f64, rate: f64| S::constant(value) + S::constant(rate) * elapsed;
        (at(self.speed, self.acceleration), at(self.angle, self.speed))
    }
}

impl Constraint for DrivenCrank {
    fn name(&self) -> &str {
        "driven_crank"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 3, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let crank = &bodies[1];
        let (_, angle) = self.driven(time);
        let constraint = crank.point(self.hub) - frame.point(self.pin);
        out[0] = constraint.x;
        out[1] = constraint.y;
        out[2] = crank.rotation - frame.rotation - angle;
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        Ok(())
    }

    fn prepare(&mut self, _bodies: &[Pose], time: f64) {
        (self.speed, self.angle) = self.driven(time);
        self.since = Some(time);
    }

    fn parameters(&self) -> Vec<f64> {
        let mut numbers = vec![
            self.pin.x,
            self.pin.y,
            self.hub.x,
            self.hub.y,
            self.acceleration,
            self.speed,
            self.angle,
        ];
        numbers.extend(self.since);
        numbers
    }
}
