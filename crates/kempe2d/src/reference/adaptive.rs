//! Steps whose length follows from the error that is allowed.
//!
//! Each step is made once whole and once in two halves, each of them as long as it says: one that the
//! method would have to halve by itself is refused here, for whole and halves would be the same steps
//! then. What they differ by is the error of the whole one. The halves are kept, which are 2ᵖ times as
//! good with a method of order p. Steps end at the times asked for, so that what is seen there is as
//! exact as they are.

use super::run::Run;
use super::{Method, Reference, ReferenceError, ReferenceReport};
use crate::error::{Error, positive};
use crate::world::World;
use kempe_scalar::precise;

/// No step is shorter than this part of the whole time, but to end at a time asked for.
const SHORTEST: f64 = 1e-9;
/// No first step is longer than this, s.
const FIRST: f64 = 1e-2;
/// No step turns a body by more than this at the speed that it has, rad: whole turns look alike.
const TURN: f64 = 1.0;

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

impl Run {
    /// The longest time in which no body turns too far at the speed that it has.
    fn turning(&self) -> f64 {
        let turns = self.state.v.iter().skip(2).step_by(3);
        TURN / turns.fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()))
    }

    /// How long a first step may be, after Hairer, Nørsett and Wanner: the error of a step of order p
    /// is not larger than what speeds and accelerations do in it; and these turn bodies a little.
    fn first_step(&mut self, order: u32, tolerance: f64) -> Result<f64, ReferenceError> {
        let moment = self.accelerations()?;
        let largest = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let (speed, gain) = (largest(&self.state.v), largest(&moment.accelerations));
        let rate = (speed.max(gain) / tolerance).max(f64::MIN_POSITIVE);
        let smooth = precise::pow(0.01 / rate, 1.0 / f64::from(order + 1));
        let turns = (0.1 / gain.max(f64::MIN_POSITIVE)).sqrt();
        Ok(smooth.min(turns).min(0.1 * self.turning()).min(FIRST))
    }
}

impl Reference {
    /// The same, with another limit on the steps that [`adaptive`](Self::adaptive) tries; 100 000 else.
    #[must_use]
    pub fn with_most_steps(self, most_steps: u64) -> Self {
        Self { most_steps, ..self }
    }

    /// Moves a world on by `duration` in steps that are as long as an error of `tolerance` (m, rad) in
    /// each allows, and shows it at the times asked for, counted from now and rising. Steps end there.
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
    /// As [`run`](Self::run); or if a time is not within the duration, steps became too short to meet
    /// the tolerance, or there were [too many](ReferenceError::Steps) of them. The world is as it was.
    pub fn adaptive(
        &self,
        world: &mut World,
        duration: f64,
        tolerance: f64,
        times: &[f64],
        mut look: impl FnMut(f64, &World),
    ) -> Result<ReferenceReport, ReferenceError> {
        self.method.validate()?;
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
        let (start, mut now) = (world.time, world.clone());
        let mut report = ReferenceReport::default();
        let mut h = Run::start(&mut now.clone(), self.method)?.first_step(order, tolerance)?;
        let (mut gone, mut tries) = (0.0, 0);
        let mut failed = None;
        for (time, seen) in times.iter().map(|time| (*time, true)).chain([(duration, false)]) {
            while gone < time {
                let left = time - gone;
                if h < SHORTEST * duration {
                    let stuck = ReferenceError::NotConverged { time: now.time, joint: None };
                    return Err(failed.unwrap_or(stuck));
                }
                tries += 1;
                if tries > self.most_steps {
                    let most = self.most_steps;
                    return Err(ReferenceError::Steps { time: now.time, most });
                }
                // No sliver is left before a time asked for.
                let whole_way = h > 0.99 * left;
                let step = if whole_way { left } else { h.min(0.5 * left) };
                let (error, after) = match self.twice(&now, step) {
                    Ok(found) => found,
                    Err(
                        error @ (ReferenceError::NotConverged { .. }
                        | ReferenceError::Gained { .. }
                        | ReferenceError::Diverged { .. }
                        | ReferenceError::NoValue { .. }
                        | ReferenceError::Linear { .. }),
                    ) => {
                        h = 0.25 * step;
                        failed = Some(error);
                        continue;
                    }
                    Err(other) => return Err(other),
                };
                let exponent = 1.0 / f64::from(order + 1);
                let factor = precise::pow(tolerance / error.max(1e-300), exponent);
                let next = step * (0.9 * factor).clamp(0.2, 4.0);
                if error.is_nan() || error > tolerance {
                    h = next.min(0.5 * step);
                    failed = None;
                    continue;
                }
                // A step that was cut short says nothing against the length before it.
                h = if step < h { next.max(h) } else { next }.min(after.longest);
                report.steps += after.report.steps;
                report.factored += after.report.factored;
                report.clustered += after.report.clustered;
                report.events.extend(after.report.events);
                now = after.world;
                gone = if whole_way { time } else { gone + step };
                now.time = start + gone;
            }
            if seen {
                look(time, &now);
            }
        }
        *world = now;
        Ok(report)
    }

    /// A step, once whole and once in halves: what they differ by, and where the halves lead.
    fn twice(&self, now: &World, step: f64) -> Result<(f64, After), ReferenceError> {
        let whole = self.once(now, step, 1)?;
        let halves = self.once(now, step, 2)?;
        Ok((apart(&whole.world, &halves.world), halves))
    }

    /// On by `time` in so many steps, none of which is halved.
    fn once(&self, now: &World, time: f64, parts: u32) -> Result<After, ReferenceError> {
        let mut world = now.clone();
        let mut longest = f64::INFINITY;
        let report = self.march(&mut world, [time, time / f64::from(parts)], 0, |run, _| {
            longest = run.turning();
        })?;
        Ok(After { world, report, longest })
    }
}

/// Where a step led.
#[derive(Debug)]
struct After {
    world: World,
    report: ReferenceReport,
    /// How long the next one may be, s.
    longest: f64,
}
