//! One step, as a table of contents.

use super::World;
use crate::body::{Body, BodyId, BodyKind};
use crate::error::{Error, at_least_zero};
use kempe_scalar::{Vec2, precise};

/// Something that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The state of a body would have become infinite or NaN. It was left where it was, at rest.
    NotFinite(BodyId),
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// How many steps there were, this one counted in; those of no length are none.
    pub steps: u64,
    /// How long it was, s.
    pub dt: f64,
    /// How many bodies it moved.
    pub moved: usize,
    /// What happened, in the order of the bodies.
    pub events: Vec<Event>,
}

/// A part of a step.
#[derive(Clone, Copy, Debug)]
struct Clock {
    substeps: u32,
    /// The length of a sub-step, s.
    h: f64,
}

impl World {
    /// Moves everything on by `dt` seconds. Nothing happens in no time.
    ///
    /// # Errors
    /// If `dt` is negative or not finite.
    pub fn step(&mut self, dt: f64) -> Result<&StepReport, Error> {
        let clock = self.start_clock(dt)?;
        if dt == 0.0 {
            return Ok(&self.report);
        }
        // Pairs and contacts will be found here, and constraints coloured.
        for _ in 0..clock.substeps {
            self.integrate_velocities(clock.h);
            // Joints and contacts: warm start, solve with bias.
            self.integrate_positions(clock.h);
            // Joints and contacts: relax.
        }
        // Restitution; fast bodies; joints that break; islands that sleep.
        self.catch_what_is_not_finite();
        self.clear_forces();
        self.time += dt;
        Ok(&self.report)
    }

    fn start_clock(&mut self, dt: f64) -> Result<Clock, Error> {
        at_least_zero("dt", dt)?;
        self.report.dt = dt;
        self.report.events.clear();
        self.report.moved = 0;
        if dt > 0.0 {
            self.report.steps += 1;
            let moves = |body: &Body| body.enabled && body.kind != BodyKind::Static;
            self.report.moved = self.bodies().filter(|(_, body)| moves(body)).count();
        }
        let substeps = self.settings.substeps;
        Ok(Clock { substeps, h: dt / f64::from(substeps) })
    }

    /// v += h (g + F/m), ω += h τ/I, then both decay.
    fn integrate_velocities(&mut self, h: f64) {
        let gravity = self.settings.gravity;
        for (_, body) in self.bodies.iter_mut().filter(|(_, body)| body.moves()) {
            let [x, y, turn] = body.inverse_mass();
            let pull = gravity * body.gravity_scale;
            // A locked freedom has no inverse mass, and no weight either.
            let along = |inverse: f64, force: f64, pull: f64| {
                if inverse == 0.0 { 0.0 } else { h * (pull + inverse * force) }
            };
            let change = Vec2::new(along(x, body.force.x, pull.x), along(y, body.force.y, pull.y));
            body.velocity += change;
            body.angular_velocity += h * turn * body.torque;
            decay(body, h);
            stop_locked(body);
        }
    }

    /// x += h v, θ += h ω.
    fn integrate_positions(&mut self, h: f64) {
        let moving = |body: &Body| body.enabled && body.kind != BodyKind::Static;
        for (_, body) in self.bodies.iter_mut().filter(|(_, body)| moving(body)) {
            body.center += body.velocity * h;
            body.rotation += h * body.angular_velocity;
        }
    }

    /// A number that has left its range must not spread: the body is stopped where it last was.
    fn catch_what_is_not_finite(&mut self) {
        for (id, body) in self.bodies.iter_mut() {
            let Body { center, rotation, velocity, angular_velocity, .. } = *body;
            let whole = center.is_finite() && rotation.is_finite();
            if whole && velocity.is_finite() && angular_velocity.is_finite() {
                continue;
            }
            self.report.events.push(Event::NotFinite(id));
            let kept = |number: f64| number.clamp(f64::MIN, f64::MAX);
            let some = |number: f64| if number.is_nan() { 0.0 } else { kept(number) };
            body.center = Vec2::new(some(center.x), some(center.y));
            body.rotation = some(rotation);
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
        }
    }

    fn clear_forces(&mut self) {
        for (_, body) in self.bodies.iter_mut() {
            body.force = Vec2::ZERO;
            body.torque = 0.0;
        }
    }
}

/// v(t) = v₀ e^(−ct)
fn decay(body: &mut Body, h: f64) {
    if body.linear_damping > 0.0 {
        body.velocity = body.velocity * precise::exp(-h * body.linear_damping);
    }
    if body.angular_damping > 0.0 {
        body.angular_velocity *= precise::exp(-h * body.angular_damping);
    }
}

fn stop_locked(body: &mut Body) {
    if body.locked.x {
        body.velocity.x = 0.0;
    }
    if body.locked.y {
        body.velocity.y = 0.0;
    }
    if body.locked.rotation {
        body.angular_velocity = 0.0;
    }
}
