//! Steps whose length follows from the error that is allowed.
//!
//! Each step is made once whole and once in two halves; what they differ by, over 2^p − 1 for a method
//! of order p, is the error of the halves. The halves are kept.

use super::{Method, Reference, ReferenceError, ReferenceReport};
use crate::error::{Error, positive};
use crate::world::World;
use kempe_scalar::{Vec2, precise};

/// No step is shorter than this part of the whole time.
const SHORTEST: f64 = 1e-9;

impl Method {
    fn order(self) -> u32 {
        match self {
            Self::Rattle { order } => order.into(),
            Self::Theta { k } if k > 0.5 => 1,
            Self::Theta { .. } | Self::GeneralizedAlpha { .. } => 2,
        }
    }
}

/// The largest difference of two worlds in places, m, and angles, rad.
fn apart(a: &World, b: &World) -> f64 {
    let each = a.bodies.iter().zip(b.bodies.iter()).map(|((_, a), (_, b))| {
        (a.center - b.center).length().max((a.rotation - b.rotation).abs())
    });
    each.fold(0.0, f64::max)
}

/// The world between two, by the cubics through places and velocities of both.
fn between(before: &World, after: &World, time: f64) -> World {
    let h = after.time - before.time;
    let s = (time - before.time) / h;
    let cubic = |x: [f64; 2], v: [f64; 2]| {
        let (d, a, b) = (x[1] - x[0], h * v[0], h * v[1]);
        let (c2, c3) = (3.0 * d - 2.0 * a - b, a + b - 2.0 * d);
        let value = x[0] + s * (a + s * (c2 + s * c3));
        [value, (a + s * (2.0 * c2 + 3.0 * s * c3)) / h]
    };
    let mut world = after.clone();
    world.time = time;
    for (id, body) in world.bodies.iter_mut() {
        let Ok(first) = before.bodies.get(id) else { continue };
        let (x, v) = ([first.center, body.center], [first.velocity, body.velocity]);
        let [px, vx] = cubic(x.map(|x| x.x), v.map(|v| v.x));
        let [py, vy] = cubic(x.map(|x| x.y), v.map(|v| v.y));
        let turning = [first.angular_velocity, body.angular_velocity];
        let [angle, turn] = cubic([first.rotation, body.rotation], turning);
        body.center = Vec2::new(px, py);
        body.velocity = Vec2::new(vx, vy);
        (body.rotation, body.angular_velocity) = (angle, turn);
    }
    world
}

impl Reference {
    /// Moves a world on by `duration` in steps that are as long as an error of `tolerance` (m, rad) in
    /// each allows, and shows it at the times asked for, counted from now and rising.
    ///
    /// ```
    /// # use kempe2d::{BodyDef, Reference, Vec2, World};
    /// # let mut world = World::default();
    /// # let ball = world.add_body(&BodyDef::dynamic())?;
    /// let times = [0.25, 0.5, 1.0];
    /// Reference::default().adaptive(&mut world, 1.0, 1e-6, &times, |time, world| {
    ///     println!("{time}: {:?}", world[ball].position());
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run); or if a time is not within the duration, or the steps became too short.
    /// The world is as it was.
    pub fn adaptive(
        &self,
        world: &mut World,
        duration: f64,
        tolerance: f64,
        times: &[f64],
        mut look: impl FnMut(f64, &World),
    ) -> Result<ReferenceReport, ReferenceError> {
        positive("duration", duration)?;
        positive("tolerance", tolerance)?;
        for (at, time) in times.iter().enumerate() {
            let before = at.checked_sub(1).map_or(0.0, |at| times[at]);
            if !(before..=duration).contains(time) {
                let must_be = "rising, from 0 to the duration";
                return Err(Error::Number { field: "times", value: *time, must_be }.into());
            }
        }
        let order = self.method.order();
        let share = f64::from((1_u32 << order) - 1);
        let (start, mut now) = (world.time, world.clone());
        let mut report = ReferenceReport::default();
        let (mut h, mut next) = (duration.min(1e-2), 0);
        while next < times.len() && times[next] <= 0.0 {
            look(times[next], &now);
            next += 1;
        }
        loop {
            let gone = now.time - start;
            let left = duration - gone;
            if left <= SHORTEST * duration {
                break;
            }
            let step = if h > 0.99 * left { left } else { h.min(0.5 * left) };
            if step < SHORTEST * duration {
                return Err(ReferenceError::NotConverged { time: now.time, joint: None });
            }
            let (mut whole, mut halves) = (now.clone(), now.clone());
            let tried = self.run(&mut whole, step, step);
            let tried = tried.and_then(|_| self.run(&mut halves, step, 0.5 * step));
            let done = match tried {
                Ok(done) => done,
                Err(ReferenceError::NotConverged { .. }) => {
                    h = 0.25 * step;
                    continue;
                }
                Err(other) => return Err(other),
            };
            let error = apart(&whole, &halves) / share;
            let factor = precise::pow(tolerance / error.max(1e-300), 1.0 / f64::from(order + 1));
            h = step * (0.9 * factor).clamp(0.2, 4.0);
            if error > tolerance {
                continue;
            }
            let end = gone + step;
            while next < times.len() && times[next] <= end * (1.0 + 1e-12) {
                let time = start + times[next];
                // Velocities that jump have no cubic: the way there is made by itself.
                let seen = if done.events.is_empty() {
                    between(&now, &halves, time)
                } else {
                    let mut seen = now.clone();
                    self.run(&mut seen, (time - now.time).max(0.0), 0.5 * step)?;
                    seen
                };
                look(times[next], &seen);
                next += 1;
            }
            report.steps += done.steps;
            report.factored += done.factored;
            report.events.extend(done.events);
            now = halves;
        }
        *world = now;
        Ok(report)
    }
}
