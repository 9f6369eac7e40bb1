//! Joints that users write in Rust: only their equations.

use crate::draw::Draw;
use crate::error::Error;
use kempe_scalar::{Dual, Real, Vec2, precise};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use std::fmt;

/// Where a body is, for equations: its origin and its unwrapped angle.
#[derive(Clone, Copy, Debug)]
pub struct Pose<S = f64> {
    /// Of the origin.
    pub position: Vec2<S>,
    /// The unwrapped angle.
    pub rotation: S,
    /// Its cosine.
    pub cos: S,
    /// Its sine.
    pub sin: S,
}

impl<S: Real> Pose<S> {
    /// A pose from its numbers.
    #[inline(always)]
    pub fn new(position: Vec2<S>, rotation: S) -> Self {
        let (sin, cos) = rotation.sin_cos();
        Self { position, rotation, cos, sin }
    }

    /// A direction of the body in the world.
    #[inline(always)]
    pub fn direction(&self, local: Vec2) -> Vec2<S> {
        Vec2::constant(local).turned(self.cos, self.sin)
    }

    /// A point of the body in the world.
    #[inline(always)]
    pub fn point(&self, local: Vec2) -> Vec2<S> {
        self.position + self.direction(local)
    }
}

/// How many of what a constraint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Bodies.
    pub bodies: usize,
    /// Equations C(x, t) = 0 that are held.
    pub hold: usize,
    /// Equations A(x, t) v + b(x, t) = 0 that are held.
    pub velocity: usize,
    /// Coordinates q(x, t) that are left, for limits, motors, springs and friction.
    pub axes: usize,
}

impl Counts {
    /// Two bodies and this many held equations.
    pub fn held(hold: usize) -> Self {
        Self { bodies: 2, hold, velocity: 0, axes: 0 }
    }

    /// Two bodies and this many axes.
    pub fn left(axes: usize) -> Self {
        Self { bodies: 2, hold: 0, velocity: 0, axes }
    }

    pub(crate) fn rows(self) -> usize {
        self.hold + self.velocity + self.axes
    }
}

/// The Jacobian that a constraint gives by itself: J of the held equations, then of the axes, each
/// with v_x, v_y of the origin and ω for each body.
#[derive(Debug)]
pub struct Jacobian<'a> {
    pub(crate) rows: &'a mut [Vec<[f64; 3]>],
    /// Rows of velocities stand behind so many held ones.
    hold: usize,
    velocity: usize,
}

impl Jacobian<'_> {
    /// Sets what a row has for a body.
    ///
    /// # Panics
    /// If there is no such row or body, as indexing does.
    pub fn set(&mut self, row: usize, body: usize, linear: Vec2, angular: f64) {
        let row = if row < self.hold { row } else { row + self.velocity };
        self.rows[row][body] = [linear.x, linear.y, angular];
    }
}

/// A joint: its equations, and what it has to say beyond them.
///
/// Only [`name`](Self::name), [`counts`](Self::counts) and [`equations`](Self::equations) are
/// needed; derivatives come from the equations themselves. What acts on axes, softness, breaking,
/// read-outs and drawing are there for every joint.
///
/// ```
/// use kempe2d::{Constraint, Counts, Pose, Real, Vec2};
///
/// /// A point of B stays on a circle around the origin of A.
/// #[derive(Clone, Debug)]
/// struct Orbit { radius: f64, anchor: Vec2 }
///
/// impl Constraint for Orbit {
///     fn name(&self) -> &str { "orbit" }
///     fn counts(&self) -> Counts { Counts::held(1) }
///     fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
///         let distance = (bodies[1].point(self.anchor) - bodies[0].position).length();
///         out[0] = distance - S::constant(self.radius);
///     }
/// }
/// ```
pub trait Constraint: Clone + fmt::Debug + Send + Sync + 'static {
    /// Names it in snapshots and errors.
    fn name(&self) -> &str;

    /// How many bodies, equations and axes there are.
    fn counts(&self) -> Counts;

    /// C of the equations that are held, then q of the axes. They must not branch on a number: use
    /// [`Real::choose`].
    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]);

    /// A v + b of the held equations that are of velocities alone, given v_x, v_y of the origin and
    /// ω of each body. They must be linear in these.
    fn velocity_equations<S: Real>(
        &self,
        _bodies: &[Pose<S>],
        _velocities: &[[S; 3]],
        _time: S,
        _out: &mut [S],
    ) {
    }

    /// Gives J of [`equations`](Self::equations) and returns true, if that is faster than finding it.
    fn jacobian(&self, _bodies: &[Pose], _time: f64, _out: &mut Jacobian<'_>) -> bool {
        false
    }

    /// Adds to what the rows ask for: J v + ∂C/∂t + bias = 0. The rows are the held equations, those
    /// of velocities, then the axes.
    fn velocity_bias(&self, _bodies: &[Pose], _time: f64, _bias: &mut [f64]) {}

    /// Refuses parameters that make no sense, before the joint is made or changed.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Called once at the start of each step, with the poses: a place for what depends on them
    /// alone, and for a joint's own state.
    fn prepare(&mut self, _bodies: &[Pose], _time: f64) {}

    /// Whether [`clamp`](Self::clamp) does something.
    fn clamps(&self) -> bool {
        false
    }

    /// Limits the impulses of the held equations, as accumulated over a sub-step of `h` seconds.
    fn clamp(&self, _impulses: &mut [f64], _h: f64) {}

    /// Draws the joint and returns true; or returns false, and it is drawn from its equations.
    fn draw(&self, _bodies: &[Pose], _out: &mut dyn Draw) -> bool {
        false
    }

    /// Called when it has broken.
    fn broken(&mut self) {}

    /// What a snapshot keeps of it, for the registry to make it anew: its settings and its state.
    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// The rows of a constraint at a pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// C, 0 for velocity equations, q.
    pub value: Vec<f64>,
    /// ∂C/∂t and what the constraint adds, or b.
    pub bias: Vec<f64>,
    /// By row, then by body: of v_x, v_y of the origin and ω.
    pub jacobian: Vec<Vec<[f64; 3]>>,
}

impl Rows {
    pub(crate) fn reset(&mut self, rows: usize, bodies: usize) {
        self.value.clear();
        self.value.resize(rows, 0.0);
        self.bias.clear();
        self.bias.resize(rows, 0.0);
        self.jacobian.resize_with(rows, Vec::new);
        for row in &mut self.jacobian {
            row.clear();
            row.resize(bodies, [0.0; 3]);
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let numbers = self.jacobian.iter().flatten().flatten();
        // Also in f32, in which they are solved.
        let finite = |number: &f64| number.is_finite() && (*number as f32).is_finite();
        self.value.iter().chain(&self.bias).chain(numbers).all(finite)
    }
}

pub(crate) trait Erased: fmt::Debug + Send + Sync {
    fn name(&self) -> &str;
    fn counts(&self) -> Counts;
    fn evaluate(&self, bodies: &[Pose], time: f64, out: &mut Rows);
    fn validate(&self) -> Result<(), String>;
    fn prepare(&mut self, bodies: &[Pose], time: f64);
    fn clamps(&self) -> bool;
    fn clamp(&self, impulses: &mut [f64], h: f64);
    fn draw(&self, bodies: &[Pose], out: &mut dyn Draw) -> bool;
    fn broken(&mut self);
    fn parameters(&self) -> Vec<f64>;
    #[cfg(feature = "reference")]
    fn curvature(
        &self,
        bodies: &[Pose],
        time: f64,
        lambda: &[f64],
        out: &mut crate::reference::Curvature,
    );
    fn boxed(&self) -> Box<dyn Erased>;
}

type D = Dual<f64, 4>;

/// The poses, with those of body `moving` moving along the first three directions.
fn moving_poses(bodies: &[Pose], moving: Option<usize>) -> SmallVec<[Pose<D>; 4]> {
    let pose = |(k, pose): (usize, &Pose)| {
        let number = |value: f64, direction: usize| {
            if moving == Some(k) { D::variable(value, direction) } else { D::fixed(value) }
        };
        let mut cos = D::fixed(pose.cos);
        let mut sin = D::fixed(pose.sin);
        if moving == Some(k) {
            cos.slopes[2] = -pose.sin;
            sin.slopes[2] = pose.cos;
        }
        Pose {
            position: Vec2::new(number(pose.position.x, 0), number(pose.position.y, 1)),
            rotation: number(pose.rotation, 2),
            cos,
            sin,
        }
    };
    bodies.iter().enumerate().map(pose).collect()
}

/// The rows of a constraint, by dual numbers where it does not give its own Jacobian.
pub(crate) fn evaluate<T: Constraint>(constraint: &T, bodies: &[Pose], time: f64, out: &mut Rows) {
    let Counts { hold, velocity, axes, .. } = constraint.counts();
    let rows = hold + velocity + axes;
    out.reset(rows, bodies.len());
    // Where equation `k` stands among the rows: velocity equations come between.
    let place = |k: usize| if k < hold { k } else { k + velocity };
    let mut values: SmallVec<[D; 8]> = smallvec![D::fixed(0.0); hold + axes];
    // The derivative by time comes along the fourth direction.
    constraint.equations(&moving_poses(bodies, None), D::variable(time, 3), &mut values);
    for (k, value) in values.iter().enumerate() {
        out.value[place(k)] = value.value;
        out.bias[place(k)] = value.slopes[3];
    }
    let mut given = Jacobian { rows: &mut out.jacobian, hold, velocity };
    if !constraint.jacobian(bodies, time, &mut given) {
        for body in 0..bodies.len() {
            constraint.equations(&moving_poses(bodies, Some(body)), D::fixed(time), &mut values);
            for (k, value) in values.iter().enumerate() {
                let [x, y, turn, _] = value.slopes;
                out.jacobian[place(k)][body] = [x, y, turn];
            }
        }
    }
    if velocity > 0 {
        let poses = moving_poses(bodies, None);
        let mut values = vec![D::fixed(0.0); velocity];
        for body in 0..bodies.len() {
            let along = |k: usize| -> [D; 3] {
                std::array::from_fn(|d| if k == body { D::variable(0.0, d) } else { D::fixed(0.0) })
            };
            let velocities: Vec<[D; 3]> = (0..bodies.len()).map(along).collect();
            constraint.velocity_equations(&poses, &velocities, D::fixed(time), &mut values);
            for (k, value) in values.iter().enumerate() {
                let [x, y, turn, _] = value.slopes;
                out.jacobian[hold + k][body] = [x, y, turn];
                out.bias[hold + k] = value.value;
            }
        }
    }
    constraint.velocity_bias(bodies, time, &mut out.bias);
}

#[cfg(feature = "reference")]
type Second = Dual<Dual<f64, 3>, 3>;

/// The poses, with body `i` moving along the outer directions and body `j` along the inner ones.
#[cfg(feature = "reference")]
pub(crate) fn pair_poses(bodies: &[Pose], i: usize, j: usize) -> SmallVec<[Pose<Second>; 4]> {
    let number = |value: f64, k: usize, direction: usize| {
        let inner = if k == j { Dual::variable(value, direction) } else { Dual::fixed(value) };
        if k == i { Second::variable(inner, direction) } else { Second::fixed(inner) }
    };
    let pose = |(k, pose): (usize, &Pose)| {
        let position = Vec2::new(number(pose.position.x, k, 0), number(pose.position.y, k, 1));
        Pose::new(position, number(pose.rotation, k, 2))
    };
    bodies.iter().enumerate().map(pose).collect()
}

/// ∂(Jᵀλ)/∂x of a constraint, by duals of duals.
#[cfg(feature = "reference")]
fn curvature<T: Constraint>(
    constraint: &T,
    bodies: &[Pose],
    time: f64,
    lambda: &[f64],
    out: &mut crate::reference::Curvature,
) {
    let Counts { hold, velocity, axes, .. } = constraint.counts();
    let place = |k: usize| if k < hold { k } else { k + velocity };
    let still = Second::fixed(Dual::fixed(0.0));
    let now = Second::fixed(Dual::fixed(time));
    let mut values = vec![still; hold + axes];
    let mut rates = vec![still; velocity];
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            constraint.equations(&pair_poses(bodies, i, j), now, &mut values);
            if velocity > 0 {
                // A of body i, as body j moves.
                let along = |k: usize| -> [Second; 3] {
                    std::array::from_fn(|d| {
                        let zero = Dual::fixed(0.0);
                        if k == i { Second::variable(zero, d) } else { Second::fixed(zero) }
                    })
                };
                let velocities: Vec<[Second; 3]> = (0..bodies.len()).map(along).collect();
                let poses = pair_poses(bodies, usize::MAX, j);
                constraint.velocity_equations(&poses, &velocities, now, &mut rates);
            }
            let held = values.iter().enumerate().map(|(k, value)| (place(k), value));
            let all = held.chain(rates.iter().enumerate().map(|(k, rate)| (hold + k, rate)));
            for (row, value) in all.filter(|(row, _)| lambda.get(*row).is_some_and(|l| *l != 0.0)) {
                for (a, outer) in value.slopes.iter().enumerate() {
                    for (b, inner) in outer.slopes.iter().enumerate() {
                        out.add(3 * i + a, 3 * j + b, lambda[row] * inner);
                    }
                }
            }
        }
    }
}

impl<T: Constraint> Erased for T {
    fn name(&self) -> &str {
        Constraint::name(self)
    }

    fn counts(&self) -> Counts {
        Constraint::counts(self)
    }

    fn evaluate(&self, bodies: &[Pose], time: f64, out: &mut Rows) {
        evaluate(self, bodies, time, out);
    }

    fn validate(&self) -> Result<(), String> {
        Constraint::validate(self)
    }

    fn prepare(&mut self, bodies: &[Pose], time: f64) {
        Constraint::prepare(self, bodies, time);
    }

    fn clamps(&self) -> bool {
        Constraint::clamps(self)
    }

    fn clamp(&self, impulses: &mut [f64], h: f64) {
        Constraint::clamp(self, impulses, h);
    }

    fn draw(&self, bodies: &[Pose], out: &mut dyn Draw) -> bool {
        Constraint::draw(self, bodies, out)
    }

    fn broken(&mut self) {
        Constraint::broken(self);
    }

    fn parameters(&self) -> Vec<f64> {
        Constraint::parameters(self)
    }

    #[cfg(feature = "reference")]
    fn curvature(
        &self,
        bodies: &[Pose],
        time: f64,
        lambda: &[f64],
        out: &mut crate::reference::Curvature,
    ) {
        curvature(self, bodies, time, lambda, out);
    }

    fn boxed(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }
}

/// A [`Constraint`] as a kind of joint.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Named", into = "Named")]
pub struct UserJoint(Inner);

#[derive(Debug)]
enum Inner {
    Made(Box<dyn Erased>),
    /// Named in a snapshot, before the registry has made it.
    Missing(Named),
}

/// How a snapshot names a user joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Named {
    pub name: String,
    pub parameters: Vec<f64>,
}

impl From<Named> for UserJoint {
    fn from(named: Named) -> Self {
        Self(Inner::Missing(named))
    }
}

impl From<UserJoint> for Named {
    fn from(joint: UserJoint) -> Self {
        joint.named()
    }
}

impl Clone for UserJoint {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Inner::Made(made) => Inner::Made(made.boxed()),
            Inner::Missing(named) => Inner::Missing(named.clone()),
        })
    }
}

impl PartialEq for UserJoint {
    fn eq(&self, other: &Self) -> bool {
        self.named() == other.named()
    }
}

impl UserJoint {
    /// A joint of this constraint.
    pub fn new(constraint: impl Constraint) -> Self {
        Self(Inner::Made(Box::new(constraint)))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match &self.0 {
            Inner::Made(made) => made.name(),
            Inner::Missing(named) => &named.name,
        }
    }

    /// How many of what it has.
    pub fn counts(&self) -> Counts {
        match &self.0 {
            Inner::Made(made) => made.counts(),
            Inner::Missing(_) => Counts { bodies: 0, hold: 0, velocity: 0, axes: 0 },
        }
    }

    /// A joint over these bodies.
    pub fn joint(self, bodies: &[crate::BodyId]) -> crate::JointDef {
        crate::JointDef::over(crate::JointKind::User(self), bodies.to_vec())
    }

    pub(crate) fn named(&self) -> Named {
        match &self.0 {
            Inner::Made(made) => {
                Named { name: made.name().to_owned(), parameters: made.parameters() }
            }
            Inner::Missing(named) => named.clone(),
        }
    }

    /// What a snapshot names, if it is not made yet.
    pub(crate) fn missing(&self) -> Option<&Named> {
        match &self.0 {
            Inner::Made(_) => None,
            Inner::Missing(named) => Some(named),
        }
    }

    pub(crate) fn made(&self) -> Option<&dyn Erased> {
        match &self.0 {
            Inner::Made(made) => Some(made.as_ref()),
            Inner::Missing(_) => None,
        }
    }

    pub(crate) fn made_mut(&mut self) -> Option<&mut dyn Erased> {
        match &mut self.0 {
            Inner::Made(made) => Some(made.as_mut()),
            Inner::Missing(_) => None,
        }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        let name = || self.name().to_owned();
        let Some(made) = self.made() else {
            return Err(Error::Unknown { what: "user joint", name: name() });
        };
        let counts = made.counts();
        if counts.bodies == 0 || counts.rows() == 0 || counts.rows() > 32 || counts.bodies > 64 {
            let reason = "it must have 1 to 64 bodies and 1 to 32 rows".to_owned();
            return Err(Error::User { name: name(), reason });
        }
        made.validate().map_err(|reason| Error::User { name: name(), reason })
    }
}

/// The pose of a body's origin.
pub(crate) fn pose_of(body: &crate::Body) -> Pose {
    let (sin, cos) = precise::sin_cos(body.rotation);
    Pose { position: body.position(), rotation: body.rotation, cos, sin }
}
