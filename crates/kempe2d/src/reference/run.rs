//! A run under way: its steps, without what happens on the way.

use super::bench::DesignError;
use super::events::Kept;
use super::ledger::Ledger;
use super::newton::{Stepper, Tried};
use super::project::held_speed;
use super::scheme::{Alpha, Scheme};
use super::system::{State, System};
use super::{Method, ReferenceError, rattle};
use crate::world::World;

/// A step is halved so often before it is given up.
pub(super) const HALVINGS: u32 = 10;
/// Steps shorter than this, s, have more rounding than curvature.
const SHORT: f64 = 1e-7;

/// A run under way.
#[derive(Debug)]
pub(super) struct Run {
    pub method: Method,
    pub stepper: Stepper,
    pub state: State,
    pub alpha: Option<Alpha>,
    /// The length of a step as it was asked for.
    pub dt: f64,
    /// By line, the impulses of impacts since joints were last looked at.
    pub blows: Vec<f64>,
    /// What energy mechanisms may have.
    pub ledger: Ledger,
    /// How often a step may be halved where Newton's method fails.
    pub halvings: u32,
}

impl Run {
    pub(super) fn new(world: &World, method: Method) -> Result<Self, ReferenceError> {
        let system = System::new(world);
        let state = system.state(world);
        let stepper = Stepper::new(system, &state)?;
        let blows = vec![0.0; stepper.system.lines.len()];
        let ledger = Ledger::default();
        let mut run = Self {
            method,
            stepper,
            state,
            alpha: None,
            dt: 1.0,
            blows,
            ledger,
            halvings: HALVINGS,
        };
        run.begin()?;
        run.ledger = Ledger::new(&run.stepper, &run.state, world.settings.gravity);
        Ok(run)
    }

    /// The same at the start of it all, where joints may be far open.
    pub(super) fn start(world: &mut World, method: Method) -> Result<Self, ReferenceError> {
        let error = match Self::new(world, method) {
            Err(error @ (ReferenceError::NotConverged { .. } | ReferenceError::Linear { .. })) => {
                error
            }
            other => return other,
        };
        match world.assemble() {
            Ok(_) => Self::new(world, method),
            Err(DesignError::Contradiction { joints, .. }) => {
                Err(ReferenceError::Contradiction { joints })
            }
            Err(_) => Err(error),
        }
    }

    pub(super) fn write(&self, world: &mut World) {
        self.stepper.system.write(&self.state, world);
        world.time = self.state.t;
    }

    /// One step of the method, without events; halved where Newton's method fails.
    pub(super) fn smooth(&mut self, h: f64) -> Result<Tried, ReferenceError> {
        self.smooth_halved(h, 0)
    }

    fn smooth_halved(&mut self, h: f64, depth: u32) -> Result<Tried, ReferenceError> {
        let start: Kept = (self.state.clone(), self.stepper.lambda.clone(), self.alpha.clone());
        let had = self.ledger.energies(&self.stepper, &self.state);
        let tried = self.plain(h).and_then(|tried| self.judge(tried, &start.0, &had, depth));
        match tried {
            // Where iterates run away, equations have no value or no solution either.
            Err(
                ReferenceError::NotConverged { .. }
                | ReferenceError::Gained { .. }
                | ReferenceError::NoValue { .. }
                | ReferenceError::Linear { .. },
            ) if depth < self.halvings => {
                self.back(&start)?;
                let first = self.smooth_halved(0.5 * h, depth + 1)?;
                self.state = first.state;
                self.stepper.lambda = first.lambda;
                // What generalised α keeps is of the end, as it is after a whole step.
                let second = self.smooth_halved(0.5 * h, depth + 1);
                let end = start.0.t + h;
                self.state = start.0;
                // Times of halves round on their own.
                second.map(|tried| Tried { state: State { t: end, ..tried.state }, ..tried })
            }
            other => other,
        }
    }

    /// A step, if it is a motion: with no more energy than forces gave.
    fn judge(
        &mut self,
        tried: Tried,
        start: &State,
        had: &[f64],
        depth: u32,
    ) -> Result<Tried, ReferenceError> {
        let time = tried.state.t;
        if let Some(energy) = self.ledger.surplus(&self.stepper, &tried.state, Some(had), depth) {
            return Err(ReferenceError::Gained { time, energy });
        }
        match self.stepper.implausible(start, &tried.state) {
            Some(energy) => Err(ReferenceError::Gained { time, energy }),
            None => Ok(tried),
        }
    }

    /// That mechanisms have no more energy than they may where they are.
    pub(super) fn check(&mut self) -> Result<(), ReferenceError> {
        match self.ledger.surplus(&self.stepper, &self.state, None, HALVINGS + 2) {
            Some(energy) => Err(ReferenceError::Gained { time: self.state.t, energy }),
            None => Ok(()),
        }
    }

    /// A step so short that accelerations do not change in it.
    fn short(&mut self, h: f64) -> Result<Tried, ReferenceError> {
        let moment = self.accelerations()?;
        let mut state = self.state.clone();
        state.t += h;
        for (k, a) in moment.accelerations.iter().enumerate() {
            state.q[k] += h * (state.v[k] + 0.5 * h * a);
            state.v[k] += h * a;
        }
        self.stepper.evaluate(&mut state)?;
        self.stepper.project(&mut state, held_speed)?;
        let own = moment.accelerations;
        self.alpha = Some(Alpha { own: own.clone(), real: own });
        Ok(Tried { state, lambda: moment.lambda })
    }

    /// Back to a state, with its rows found.
    pub(super) fn restore(
        &mut self,
        state: &State,
        lambda: Vec<f64>,
    ) -> Result<(), ReferenceError> {
        self.state = state.clone();
        self.stepper.lambda = lambda;
        let mut at = state.clone();
        self.stepper.evaluate(&mut at)?;
        if let Method::Rattle { .. } = self.method {
            self.stepper.project(&mut at, held_speed)?;
        }
        Ok(())
    }

    fn plain(&mut self, h: f64) -> Result<Tried, ReferenceError> {
        let start = self.state.clone();
        if h < SHORT {
            return self.short(h);
        }
        match self.method {
            Method::Theta { k } => {
                let scheme = Scheme::theta(&start, h, k);
                let kept = self.alpha.take().unwrap_or_default();
                let mut tried = self.stepper.step(&start, &scheme, &kept.own)?;
                let more = self.stepper.project(&mut tried.state, held_speed)?;
                for (lambda, more) in tried.lambda.iter_mut().zip(more) {
                    *lambda += more / h;
                }
                self.stepper.share(tried.state.t, &mut tried.lambda)?;
                let gained = tried.state.v.iter().zip(&start.v).map(|(after, v)| (after - v) / h);
                self.alpha = Some(Alpha { own: gained.collect(), real: Vec::new() });
                Ok(tried)
            }
            Method::GeneralizedAlpha { radius } => {
                let kept = self.alpha.clone().unwrap_or_default();
                let scheme = Scheme::alpha(&start, h, radius, &kept);
                let mut tried = self.stepper.step(&start, &scheme, &kept.own)?;
                self.stepper.project(&mut tried.state, held_speed)?;
                self.stepper.share(tried.state.t, &mut tried.lambda)?;
                self.alpha = Some(scheme.next_alpha(&start, &tried.state, radius, &kept));
                Ok(tried)
            }
            Method::Rattle { order } => {
                let mut at = start;
                let mut sum = vec![0.0; self.stepper.system.lines.len()];
                for part in rattle::parts(order) {
                    let tried = self.stepper.rattle(&at, part * h)?;
                    at = tried.state;
                    for (sum, lambda) in sum.iter_mut().zip(&tried.lambda) {
                        *sum += part * lambda;
                    }
                }
                self.stepper.share(at.t, &mut sum)?;
                Ok(Tried { state: at, lambda: sum })
            }
        }
    }
}
