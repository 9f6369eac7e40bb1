// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// body frame, self, Type
/// vector anchorA = [0.5, -0.25], fn = [1, 2]
/// matrix m = [2 0.5; -0.5 1], n = [1 2; 3 4]
/// scalar θ = 0.3, A_B = 1.5, aB = -0.5, longest = 3, _ = 0.25
///
/// let del = self.position + relative self anchorA - frame.position
/// let near = relative (-frame.rotation) (Type.position - self.position)
/// let bend = Type.rotation - 2 * self.rotation + θ
/// let back = -(self.rotation - frame.rotation)
/// let size = 2 + |del|
/// limit |m * fn| 0.1 (inf)
/// limit m.xx + _ (-10) longest
/// limit min(abs(θ), exp(A_B)) 0 choose(aB, 1, 2)
/// constraint {
///   m * del + relative θ anchorA
///   relative bend near - relative back fn
///   (transpose m * n * (del outer near) - 0.5 * m).xy / size
///   sin(bend) + cos(bend) * tan(0.3 * bend)
///   asin(clamp(del.x / 8, -0.9, 0.9)) + acos(near.y / 16)
///   sqrt(size) + exp(-size) + ln(size) - sign(del.x) * abs(del.y)
///   min(del.x, near.x) + max(A_B, near.y) - _
///   choose(del.y, del, near * aB)
///   size^2 + size^-3 + size^2.5 + size^(0.1 * del.x) - (A_B + 3)^θ
///   unit del cross near + (unit fn) dot perp near + |near| * atan2(del.y, del.x)
///   0.7 cross del - del cross 0.3 + perp (unit near)
///   pi * A_B - bend * cos(A_B * pi / 4) + sin(2 * A_B)
/// }
/// velocity constraint {
///   (self.velocity - Type.velocity) dot (unit near) + 3 * sin(time) - frame.angularVel
///   m * frame.velocity + Type.angularVel cross del
/// }
/// limit velocity constraint { θ, 1, 2 } { θ, 1, 2 }
/// axis turn = bend / 3
/// limit turn (-pi) pi
/// axis reach = |del + near|
/// limit reach min(A_B, 1) longest
/// axis loose = near.x * time
/// ```
///
/// Its bodies, in this order: `frame`, `self`, `Type`.
///
/// Its axes:
/// - 0, the axis `turn`, limited by `joint`
/// - 1, the axis `reach`, limited by `joint`
/// - 2, the axis `loose`
#[derive(Clone, Debug, PartialEq)]
pub struct Everything {
    /// `vector anchorA`, `[0.5, -0.25]` by default.
    pub anchor_a: Vec2,
    /// `vector fn`, `[1, 2]` by default.
    pub fn_: Vec2,
    /// `matrix m`, `[2, 0.5; -0.5, 1]` by default.
    pub m: [[f64; 2]; 2],
    /// `matrix n`, `[1, 2; 3, 4]` by default.
    pub n: [[f64; 2]; 2],
    /// `scalar θ`, `0.3` by default.
    pub theta: f64,
    /// `scalar A_B`, `1.5` by default.
    pub a_b: f64,
    /// `scalar aB`, `-0.5` by default.
    pub a_b_2: f64,
    /// `scalar longest`, `3` by default.
    pub longest: f64,
    /// `scalar _`, `0.25` by default.
    pub n_2: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 3],
}

impl Default for Everything {
    fn default() -> Self {
        Self {
            anchor_a: Vec2::new(0.5, -0.25),
            fn_: Vec2::new(1.0, 2.0),
            m: [[2.0, 0.5], [-0.5, 1.0]],
            n: [[1.0, 2.0], [3.0, 4.0]],
            theta: 0.3,
            a_b: 1.5,
            a_b_2: -0.5,
            longest: 3.0,
            n_2: 0.25,
            remembered: [Vec2::ZERO; 3],
        }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Everything {
    /// A joint over the bodies `frame`, `self`, `Type`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let turn_limit = Limit::new(-std::f64::consts::PI, std::f64::consts::PI);
        let reach_limit = Limit::new(Real::min(1.0, self.a_b), self.longest);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(0).limit = Some(turn_limit);
        joint.axis_mut(1).limit = Some(reach_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor_a: Vec2::new(next()?, next()?),
            fn_: Vec2::new(next()?, next()?),
            m: [[next()?, next()?], [next()?, next()?]],
            n: [[next()?, next()?], [next()?, next()?]],
            theta: next()?,
            a_b: next()?,
            a_b_2: next()?,
            longest: next()?,
            n_2: next()?,
            remembered: [
                Vec2::new(next()?, next()?),
                Vec2::new(next()?, next()?),
                Vec2::new(next()?, next()?),
            ],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Everything {
    fn name(&self) -> &str {
        "everything"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 16, velocity: 3, axes: 3 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let frame = &bodies[0];
        let self_ = &bodies[1];
        let type_ = &bodies[2];
        let del = self_.point(self.anchor_a) - frame.position;
        let t1 = type_.position - self_.position;
        let near = t1.turned_back(frame.cos, frame.sin);
        let bend = type_.rotation - S::constant(2.0) * self_.rotation + S::constant(self.theta);
        let t2 = self_.rotation - frame.rotation;
        let size = S::constant(2.0) + guarded_length(del, self.remembered[0]);
        let (sin, cos) = Real::sin_cos(self.theta);
        let (sin_2, cos_2) = bend.sin_cos();
        let (sin_3, cos_3) = t2.sin_cos();
        let t3 = Vec2::constant(self.fn_).turned_back(cos_3, sin_3);
        let constraint = near.turned(cos_2, sin_2) - t3;
        let t4 = S::constant(0.3) * bend;
        let (sin_4, cos_4) = t4.sin_cos();
        let t5 = S::constant(0.9).min((del.x / S::constant(8.0)).max(S::constant(-0.9)));
        let t6 = near.x.min(del.x) + S::constant(self.a_b).max(near.y);
        let t7 = near * S::constant(self.a_b_2);
        let t8 = near.cross(Vec2::constant(guarded_unit(self.fn_, Vec2::ZERO)));
        let t9 = guarded_angle(del.y, del.x, self.remembered[0]);
        let t10 = guarded_unit(del, self.remembered[0]).cross(near) + t8;
        let t11 = guarded_unit(t1, self.remembered[2]).turned_back(frame.cos, frame.sin);
        let constraint_2 =
            del.perp() * S::constant(0.7) + del.perp() * S::constant(0.3) + t11.perp();
        let t12 = std::f64::consts::PI * self.a_b;
        let t13 = S::constant(t12) - bend * S::constant(Real::sin_cos(t12 / 4.0).1);
        let t14 = del.x * S::constant(self.m[0][0]) + del.y * S::constant(self.m[0][1]);
        let t15 = del.x * S::constant(self.m[1][0]) + del.y * S::constant(self.m[1][1]);
        let constraint_3 = Vec2::constant(self.anchor_a.turned(cos, sin)) + Vec2::new(t14, t15);
        let t16 = self.m[0][0] * self.n[0][0] + self.m[1][0] * self.n[1][0];
        let t17 = self.m[0][0] * self.n[0][1] + self.m[1][0] * self.n[1][1];
        let t18 = del.x * near.y * S::constant(t16) + near.y * del.y * S::constant(t17);
        let t19 = size * size + S::one() / (size * size * size) + size.powf(S::constant(2.5));
        let t20 = size.powf(S::constant(0.1) * del.x) + t19;
        out[0] = constraint_3.x;
        out[1] = constraint_3.y;
        out[2] = constraint.x;
        out[3] = constraint.y;
        out[4] = (t18 - S::constant(0.5 * self.m[0][1])) / size;
        out[5] = sin_2 + sin_4 / cos_4 * cos_2;
        out[6] = t5.asin() + (near.y / S::constant(16.0)).acos();
        out[7] = size.sqrt() + (-size).exp() + size.ln() - del.x.sign() * del.y.abs();
        out[8] = t6 - S::constant(self.n_2);
        out[9] = del.y.choose(S::zero(), del.x, t7.x);
        out[10] = del.y.choose(S::zero(), del.y, t7.y);
        out[11] = t20 - S::constant(Real::powf(3.0 + self.a_b, self.theta));
        out[12] = t10 + guarded_length(t1, self.remembered[2]) * t9;
        out[13] = constraint_2.x;
        out[14] = constraint_2.y;
        out[15] = t13 + S::constant(Real::sin_cos(2.0 * self.a_b).0);
        out[16] = bend / S::constant(3.0);
        out[17] = guarded_length(del + near, self.remembered[1]);
        out[18] = near.x * time;
    }

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        time: S,
        out: &mut [S],
    ) {
        let frame = &bodies[0];
        let self_ = &bodies[1];
        let type_ = &bodies[2];
        let frame_velocity = Vec2::new(velocities[0][0], velocities[0][1]);
        let frame_angular_velocity = velocities[0][2];
        let self_velocity = Vec2::new(velocities[1][0], velocities[1][1]);
        let type_velocity = Vec2::new(velocities[2][0], velocities[2][1]);
        let type_angular_velocity = velocities[2][2];
        let del = self_.point(self.anchor_a) - frame.position;
        let t1 = guarded_unit(type_.position - self_.position, self.remembered[2]);
        let t2 = t1.turned_back(frame.cos, frame.sin).dot(self_velocity - type_velocity);
        let t3 = S::constant(self.m[0][0]) * frame_velocity.x;
        let t4 = S::constant(self.m[1][0]) * frame_velocity.x;
        let t5 = t3 + S::constant(self.m[0][1]) * frame_velocity.y;
        let t6 = Vec2::new(t5, t4 + S::constant(self.m[1][1]) * frame_velocity.y);
        let constraint = del.perp() * type_angular_velocity + t6;
        let t7 = t2 + S::constant(3.0) * time.sin_cos().0 - frame_angular_velocity;
        out[0] = t7 - S::constant(self.theta);
        out[1] = constraint.x - S::one();
        out[2] = constraint.y - S::constant(2.0);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        let t1 = self.m[0][0] * self.fn_.x + self.m[0][1] * self.fn_.y;
        let t2 = Vec2::new(t1, self.m[1][0] * self.fn_.x + self.m[1][1] * self.fn_.y);
        check("|m * fn| 0.1 (inf)", t2.length(), 0.1, f64::INFINITY)?;
        check("m.xx + _ (-10) longest", self.n_2 + self.m[0][0], -10.0, self.longest)?;
        check(
            "min(abs(θ), exp(A_B)) 0 choose(aB, 1, 2)",
            Real::min(self.theta.abs(), Real::exp(self.a_b)),
            0.0,
            Real::choose(self.a_b_2, 0.0, 1.0, 2.0),
        )?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let frame = &bodies[0];
        let self_ = &bodies[1];
        let type_ = &bodies[2];
        let del = self_.point(self.anchor_a) - frame.position;
        let t1 = type_.position - self_.position;
        let near = t1.turned_back(frame.cos, frame.sin);
        remember(del, &mut self.remembered[0]);
        remember(del + near, &mut self.remembered[1]);
        remember(t1, &mut self.remembered[2]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![
            self.anchor_a.x,
            self.anchor_a.y,
            self.fn_.x,
            self.fn_.y,
            self.m[0][0],
            self.m[0][1],
            self.m[1][0],
            self.m[1][1],
            self.n[0][0],
            self.n[0][1],
            self.n[1][0],
            self.n[1][1],
            self.theta,
            self.a_b,
            self.a_b_2,
            self.longest,
            self.n_2,
            self.remembered[0].x,
            self.remembered[0].y,
            self.remembered[1].x,
            self.remembered[1].y,
            self.remembered[2].x,
            self.remembered[2].y,
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

/// The direction of `u`; where it has none, `last`.
fn guarded_unit<S: Real>(u: Vec2<S>, last: Vec2) -> Vec2<S> {
    let (tiny, square) = (S::constant(TINY), u.length_squared());
    let length = square.sqrt();
    let x = tiny.choose(square, S::constant(last.x), u.x / length);
    let y = tiny.choose(square, S::constant(last.y), u.y / length);
    Vec2::new(x, y)
}

/// The angle of (x, y); where it has none, that of `last`.
fn guarded_angle<S: Real>(y: S, x: S, last: Vec2) -> S {
    let (tiny, square) = (S::constant(TINY), x * x + y * y);
    let y = tiny.choose(square, S::constant(last.y), y);
    let x = tiny.choose(square, S::constant(last.x), x);
    y.atan2(x)
}
