// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A disc that rolls on a straight track without slipping: the velocity along the track is -R ω,
/// # and the centre stays at a height of R.
/// body track, disc
/// scalar radius = 0.5
///
/// limit radius eps inf
/// let along = relative track [1, 0]
/// let up = relative track [0, 1]
/// let del = disc.position - track.position
/// constraint up dot del - radius
/// velocity constraint
///   let point = disc.velocity + disc.angularVel cross (-radius * up) in
///   let ground = track.velocity + track.angularVel cross (del - radius * up) in
///   along dot (point - ground)
/// axis way = along dot del
/// ```
///
/// Its bodies, in this order: `track`, `disc`.
///
/// Its axes:
/// - 0, the axis `way`
#[derive(Clone, Debug, PartialEq)]
pub struct RollingDisc {
    /// `scalar radius`, `0.5` by default.
    pub radius: f64,
}

impl Default for RollingDisc {
    fn default() -> Self {
        Self { radius: 0.5 }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl RollingDisc {
    /// A joint over the bodies `track`, `disc`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { radius: next()? };
        next().is_none().then_some(made)
    }
}

impl Constraint for RollingDisc {
    fn name(&self) -> &str {
        "rolling_disc"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 1, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let track = &bodies[0];
        let disc = &bodies[1];
        let along = track.direction(Vec2::X);
        let up = track.direction(Vec2::Y);
        let del = disc.position - track.position;
        out[0] = up.dot(del) - S::constant(self.radius);
        out[1] = along.dot(del);
    }

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let track = &bodies[0];
        let disc = &bodies[1];
        let track_velocity = Vec2::new(velocities[0][0], velocities[0][1]);
        let track_angular_velocity = velocities[0][2];
        let disc_velocity = Vec2::new(velocities[1][0], velocities[1][1]);
        let disc_angular_velocity = velocities[1][2];
        let along = track.direction(Vec2::X);
        let up = track.direction(Vec2::Y);
        let del = disc.position - track.position;
        let t1 = up.perp() * (S::constant(self.radius) * disc_angular_velocity);
        let point = disc_velocity - t1;
        let t2 = (del - up * S::constant(self.radius)).perp() * track_angular_velocity;
        let ground = track_velocity + t2;
        out[0] = along.dot(point - ground);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("radius eps inf", self.radius, 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.radius]
    }
}

/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!("`limit {limit}` fails: {value} is not between {lower} and {upper}"))
}
