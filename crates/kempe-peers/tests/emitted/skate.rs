// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// # A blade on the ice: no velocity across it. No position constraint says this.
/// body ice, skate
/// vector blade = [1, 0]
///
/// limit |blade| eps inf
/// velocity constraint
///   let across = perp relative skate unit blade in
///   across dot (skate.velocity - ice.velocity)
/// ```
///
/// Its bodies, in this order: `ice`, `skate`.
#[derive(Clone, Debug, PartialEq)]
pub struct Skate {
    /// `vector blade`, `[1, 0]` by default.
    pub blade: Vec2,
}

impl Default for Skate {
    fn default() -> Self {
        Self { blade: Vec2::new(1.0, 0.0) }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Skate {
    /// A joint over the bodies `ice`, `skate`.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        UserJoint::new(self).joint(bodies)
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self { blade: Vec2::new(next()?, next()?) };
        next().is_none().then_some(made)
    }
}

impl Constraint for Skate {
    fn name(&self) -> &str {
        "skate"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 1, axes: 0 }
    }

    fn equations<S: Real>(&self, _bodies: &[Pose<S>], _time: S, _out: &mut [S]) {}

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let skate = &bodies[1];
        let ice_velocity = Vec2::new(velocities[0][0], velocities[0][1]);
        let skate_velocity = Vec2::new(velocities[1][0], velocities[1][1]);
        let t1 = skate.direction(guarded_unit(self.blade, Vec2::ZERO));
        out[0] = t1.cross(skate_velocity - ice_velocity);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("|blade| eps inf", self.blade.length(), 1e-10, f64::INFINITY)?;
        Ok(())
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.blade.x, self.blade.y]
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
