//! How far the reference solver runs from what is known of scenes: what it must keep, and its goals.
//!
//! A figure without a bound that it must keep is told only; times never have one.

mod energy;
mod growth;
mod kept;
mod machines;
mod orders;
mod paths;

use crate::error::Error;
use crate::listing::number;
use crate::scene::Scene;
use kempe2d::{JointKind, Method, Reference, Vec2, World};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// The θ-method of second order, which is the solver's own.
pub(crate) const THETA: Method = Method::Theta { k: 0.5 };
/// Generalised α with a little damping.
pub(crate) const ALPHA: Method = Method::GeneralizedAlpha { radius: 0.9 };
/// RATTLE of order 4.
pub(crate) const FOURTH: Method = Method::Rattle { order: 4 };
/// RATTLE of order 6.
pub(crate) const SIXTH: Method = Method::Rattle { order: 6 };

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Of what.
    pub name: String,
    /// By which method.
    pub method: String,
    /// In steps of how many seconds.
    pub step: f64,
    /// How much, without a sign.
    pub value: f64,
    /// In what.
    pub unit: &'static str,
    /// What it must not exceed, if it decides.
    pub must: Option<f64>,
    /// What it should not exceed.
    pub goal: Option<f64>,
    /// Whether it is at most `must`, or else `goal`.
    pub met: bool,
    /// How long the run took.
    pub seconds: f64,
}

impl Figure {
    /// Whether it is at most its goal.
    pub fn reaches_goal(&self) -> Option<bool> {
        self.goal.map(|goal| self.value <= goal)
    }
}

/// A run that is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran {
    method: Method,
    step: f64,
    seconds: f64,
}

impl Ran {
    /// A figure with a bound that decides, and a goal.
    fn figure(self, name: &str, value: f64, unit: &'static str, must: f64, goal: f64) -> Figure {
        self.any(name, value, unit, Some(must), Some(goal))
    }

    /// A figure with a goal only.
    fn told(self, name: &str, value: f64, unit: &'static str, goal: f64) -> Figure {
        self.any(name, value, unit, None, Some(goal))
    }

    fn any(
        self,
        name: &str,
        value: f64,
        unit: &'static str,
        must: Option<f64>,
        goal: Option<f64>,
    ) -> Figure {
        let value = if value.is_nan() { f64::INFINITY } else { value.abs() };
        let method = match self.method {
            Method::Theta { k } => format!("theta {k}"),
            Method::GeneralizedAlpha { radius } => format!("alpha {radius}"),
            Method::Rattle { order } => format!("rattle {order}"),
        };
        let Self { step, seconds, .. } = self;
        let met = must.or(goal).is_none_or(|most| value <= most);
        Figure { name: name.to_owned(), method, step, value, unit, must, goal, met, seconds }
    }
}

/// Runs a scene with the reference solver, and looks at the world after every step.
pub(crate) fn run(
    scene: &mut Scene,
    method: Method,
    seconds: f64,
    step: f64,
    look: impl FnMut(&World),
) -> Result<Ran, Error> {
    let start = Instant::now();
    Reference::new(method).watch(&mut scene.world, seconds, step, look)?;
    Ok(Ran { method, step, seconds: start.elapsed().as_secs_f64() })
}

/// Measures everything, which takes half a minute.
///
/// # Errors
/// If a scene cannot be built, or the solver could not go on.
pub fn measure() -> Result<Vec<Figure>, Error> {
    type Theme = fn() -> Result<Vec<Figure>, Error>;
    let themes: [Theme; 6] = [
        kept::measure,
        orders::measure,
        energy::measure,
        paths::measure,
        machines::measure,
        growth::measure,
    ];
    let mut figures = Vec::new();
    for theme in themes {
        figures.extend(theme()?);
    }
    Ok(figures)
}

/// Whether every figure that decides keeps its bound.
pub fn passes(figures: &[Figure]) -> bool {
    figures.iter().all(|figure| figure.met || figure.must.is_none())
}

/// The figures as an array of objects.
///
/// # Errors
/// None that is known: every figure can be written.
pub fn json(figures: &[Figure]) -> Result<String, serde_json::Error> {
    crate::listing::json(figures)
}

/// The figures as a table.
pub fn table(figures: &[Figure]) -> String {
    let perhaps = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let wide = figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0);
    let mut out = format!(
        "{:wide$}  {:<9}  {:>8}  {:>9}  {:>9}  {:>9}  {:<4}  {:>8}\n",
        "", "method", "step, s", "value", "must", "goal", "unit", "run, s"
    );
    for figure in figures {
        let verdict = match (figure.met, figure.must, figure.reaches_goal()) {
            (_, _, Some(true)) => "goal",
            (true, ..) => "met",
            (false, Some(_), _) => "MISSED",
            (false, None, _) => "missed, does not decide",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:wide$}  {:<9}  {:>8}  {:>9}  {:>9}  {:>9}  {:<4}  {:>8.3}  {verdict}",
            figure.name,
            figure.method,
            number(figure.step),
            number(figure.value),
            perhaps(figure.must),
            perhaps(figure.goal),
            figure.unit,
            figure.seconds,
        );
    }
    out
}

/// The larger; infinite if one is no number.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// Kinetic energy and that of the weights, J.
pub(crate) fn energy_of(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// How far the joints of a world are open at most, m or rad.
pub fn widest(world: &World) -> f64 {
    let each = world.joints().filter_map(|(id, _)| world.joint_separation(id));
    each.fold(0.0, |most, (length, angle)| larger(most, larger(length, angle)))
}

/// How fast the pins, rails and held axes of a world open at most, m/s or rad/s.
pub fn fastest(world: &World) -> f64 {
    let mut most = 0.0;
    for (id, joint) in world.joints() {
        let def = joint.def();
        let speed = match (&def.kind, &def.bodies[..]) {
            (JointKind::Revolute { anchor_b, .. }, [a, b]) => {
                let point = world[*b].world_point(*anchor_b);
                (world[*b].velocity_at(point) - world[*a].velocity_at(point)).length()
            }
            (JointKind::Prismatic { anchor_b, rail, .. }, [a, b]) => {
                let point = world[*b].world_point(*anchor_b);
                let across: Vec2 = world[*a].turned(*rail).perp() * (1.0 / rail.length());
                let speed = world[*b].velocity_at(point) - world[*a].velocity_at(point);
                let turning = world[*b].angular_velocity() - world[*a].angular_velocity();
                speed.dot(across).abs().max(turning.abs())
            }
            _ => 0.0,
        };
        most = larger(most, speed);
        for (axis, acts) in def.axes.iter().enumerate() {
            if acts.limit.is_some_and(|limit| limit.lower == limit.upper) {
                most = larger(most, world.joint_speed(id, axis).map_or(0.0, f64::abs));
            }
        }
    }
    most
}
