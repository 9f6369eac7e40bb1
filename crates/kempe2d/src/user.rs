//! Joints that users write in Rust: only their equations.

mod columns;
mod derive;
mod joint;
mod lanes;
mod tabled;
mod trace;

pub(crate) use columns::Columns;
#[cfg(feature = "reference")]
pub(crate) use derive::pair_poses;
pub use joint::UserJoint;
pub(crate) use lanes::{Lot, ROWS};
pub(crate) use trace::Recording;

use crate::draw::Draw;
use kempe_scalar::{Real, Vec2, precise};
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
pub struct Jacobian<'a, S = f64> {
    /// By row, then by body.
    entries: &'a mut [[S; 3]],
    bodies: usize,
    /// Rows of velocities stand behind so many held ones.
    hold: usize,
    velocity: usize,
}

impl<'a, S: Real> Jacobian<'a, S> {
    #[inline(always)]
    fn new(entries: &'a mut [[S; 3]], bodies: usize, [hold, velocity]: [usize; 2]) -> Self {
        Self { entries, bodies, hold, velocity }
    }

    /// Sets what a row has for a body.
    ///
    /// # Panics
    /// If there is no such row or body, as indexing does.
    #[inline(always)]
    pub fn set(&mut self, row: usize, body: usize, linear: Vec2<S>, angular: S) {
        let row = if row < self.hold { row } else { row + self.velocity };
        assert!(body < self.bodies, "a body of the joint");
        self.entries[row * self.bodies + body] = [linear.x, linear.y, angular];
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
    /// What is not set is 0.
    fn jacobian<S: Real>(&self, _bodies: &[Pose<S>], _time: S, _out: &mut Jacobian<'_, S>) -> bool {
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

    /// Whether the joint is nothing but its [`equations`](Self::equations) and constants: no equations
    /// of velocities, no bias, no clamp, nothing that [`prepare`](Self::prepare) changes. Then the
    /// joints of a type are evaluated many at once and solved in the lanes of built-in joints, which
    /// is many times faster. For that the equations are called for one of them with numbers that stand
    /// for all: what differs between joints must come in by [`Real::constant`], as often and in the
    /// same order for each of them.
    fn is_plain(&self) -> bool {
        false
    }

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
    fn is_plain(&self) -> bool;
    /// The equations as a program, if that is all there is to it.
    fn recording(&self) -> Option<Recording>;
    /// Whether the Jacobian that it gives is that of its equations.
    fn agrees(&self) -> bool;
    /// Evaluates the joints of some lanes, which have the same recording. Says whether one is left out.
    fn evaluate_lanes(&self, lot: Lot<'_>) -> bool;
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

impl<T: Constraint> Erased for T {
    fn name(&self) -> &str {
        Constraint::name(self)
    }

    fn counts(&self) -> Counts {
        Constraint::counts(self)
    }

    fn evaluate(&self, bodies: &[Pose], time: f64, out: &mut Rows) {
        derive::evaluate(self, bodies, time, out);
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

    fn is_plain(&self) -> bool {
        Constraint::is_plain(self) && !Constraint::clamps(self)
    }

    fn recording(&self) -> Option<Recording> {
        Erased::is_plain(self).then(|| Recording::new(self)).flatten()
    }

    fn agrees(&self) -> bool {
        derive::agrees(self)
    }

    fn evaluate_lanes(&self, lot: Lot<'_>) -> bool {
        lanes::evaluate(self, lot)
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
        derive::curvature(self, bodies, time, lambda, out);
    }

    fn boxed(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }
}

/// The pose of a body's origin.
pub(crate) fn pose_of(body: &crate::Body) -> Pose {
    let (sin, cos) = precise::sin_cos(body.rotation);
    Pose { position: body.position(), rotation: body.rotation, cos, sin }
}
