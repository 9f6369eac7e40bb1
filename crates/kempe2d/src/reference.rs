//! The reference solver: the same world, implicit, as a whole, in f64, to as many digits as asked.
//!
//! ```
//! use kempe2d::{BodyDef, JointDef, Method, Reference, Vec2, World};
//!
//! let mut world = World::default();
//! let ground = world.ground()?;
//! let rod = world.add_body(&BodyDef { position: Vec2::new(0.5, 0.0), ..BodyDef::dynamic() })?;
//! let pin = JointDef::revolute(ground, rod, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]);
//! world.add_joint(&pin)?;
//! let before = world.kinetic_energy() + world.potential_energy();
//! Reference::new(Method::Rattle { order: 6 }).run(&mut world, 1.0, 1.0 / 240.0)?;
//! let after = world.kinetic_energy() + world.potential_energy();
//! assert!((after - before).abs() < 1e-11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | has |
//! |---|---|
//! | `system`, `lines`, `acts` | the world as freedoms and rows, what is asked of each, and what it does at a moment |
//! | `curvature`, `assembly`, `exact` | ∂(Jᵀλ)/∂x from the joints' own equations, and the matrix of a step: symmetric, or as it is |
//! | `run`, `scheme`, `newton`, `project`, `verdict`, `rattle` | the methods, and the steps of a run |
//! | `ledger` | what energy there may be |
//! | `adaptive` | steps that follow from an error |
//! | `bench`, `close`, `assemble` | positions that satisfy joints, or which of them contradict each other |
//! | `mobility`, `equilibrium`, `modes` | how a mechanism can move, where it rests, how it swings there |
//! | `reactions`, `drive`, `energy` | what joints bear, what a motion takes, where energy goes |
//! | `events`, `turns`, `impact`, `choose` | stops that are reached and left, friction that sticks and slips |
//! | `yields` | holds, servos, stops and drives with a largest force |
//! | `moreau` | a step through more events than can be told apart |
//! | `happens`, `own` | joints that break, thresholds, ends of paths; what joints have of their own |

mod acts;
mod adaptive;
mod assemble;
mod assembly;
mod bench;
#[cfg(test)]
mod checks;
mod choose;
mod close;
mod curvature;
mod drive;
mod energy;
mod equilibrium;
mod error;
mod events;
mod exact;
mod happens;
mod impact;
mod ledger;
mod lines;
mod mobility;
mod modes;
mod moreau;
mod newton;
mod own;
mod project;
mod rattle;
mod reactions;
mod run;
mod scheme;
#[cfg(test)]
mod seed;
mod statics;
mod system;
mod turns;
mod verdict;
mod yields;

pub use assemble::Assembled;
pub use bench::{BodyMotion, DesignError};
pub(crate) use curvature::Curvature;
pub use drive::{AxisMotion, DriveForce};
pub use energy::{BodyEnergy, Energies, EnergyAudit, JointEnergy};
pub use equilibrium::Equilibrium;
pub use error::ReferenceError;
pub use mobility::{Mechanism, Mobility, Redundancy, RowOf};
pub use modes::Oscillation;
pub use reactions::{By, Reaction, Reactions, RowForce};

use crate::error::{Error, positive};
use crate::report::Event;
use crate::world::World;
use lines::What;
use run::Run;
use system::System;

/// How the reference solver steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// The θ-method, from ½ (second order) to 1 (backward Euler, which damps), with a fresh multiplier
    /// and velocities projected by mass in each step.
    Theta {
        /// How much the end of a step counts, ½ to 1.
        k: f64,
    },
    /// Generalised α of second order, which damps what a step cannot follow.
    GeneralizedAlpha {
        /// The spectral radius at infinity, 0 to 1; 1 damps nothing.
        radius: f64,
    },
    /// RATTLE of order 2, 4 (Suzuki) or 6 (Kahan and Li): symplectic, for what is not stiff and loses
    /// no energy.
    Rattle {
        /// 2, 4 or 6.
        order: u8,
    },
}

impl Default for Method {
    /// The θ-method with k = ½.
    fn default() -> Self {
        Self::Theta { k: 0.5 }
    }
}

impl Method {
    fn validate(&self) -> Result<(), Error> {
        let number = |field, value, must_be| Err(Error::Number { field, value, must_be });
        match *self {
            Self::Theta { k } if !(0.5..=1.0).contains(&k) => number("k", k, "from 0.5 to 1"),
            Self::GeneralizedAlpha { radius } if !(0.0..=1.0).contains(&radius) => {
                number("radius", radius, "from 0 to 1")
            }
            Self::Rattle { order } if ![2, 4, 6].contains(&order) => {
                number("order", order.into(), "2, 4 or 6")
            }
            _ => Ok(()),
        }
    }
}

/// What a run of the reference solver did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReferenceReport {
    /// What happened, and when.
    pub events: Vec<(f64, Event)>,
    /// How many steps there were, those that located events among them.
    pub steps: u64,
    /// How many factorisations.
    pub factored: u64,
    /// How many steps had more events than can be told apart, and took them together, to first order.
    pub clustered: u64,
}

/// The reference solver.
#[derive(Clone, Debug)]
pub struct Reference {
    method: Method,
    /// So many steps are tried where they are as long as an error allows.
    most_steps: u64,
}

impl Default for Reference {
    /// The θ-method with k = ½, and as many as 100 000 steps where an error decides their length.
    fn default() -> Self {
        Self::new(Method::default())
    }
}

/// So many times the energy of the start, and of a fall of a metre, is no motion but a failure.
const ABSURD: f64 = 1e9;
/// So many steps are tried by default where an error decides their length.
const MOST_STEPS: u64 = 100_000;

impl Reference {
    /// One that steps so.
    pub fn new(method: Method) -> Self {
        Self { method, most_steps: MOST_STEPS }
    }

    /// Moves a world on by one step.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn step(&self, world: &mut World, dt: f64) -> Result<ReferenceReport, ReferenceError> {
        self.run(world, dt, dt)
    }

    /// Moves a world on by `duration` in steps of `dt`; the last one is shorter if it must.
    ///
    /// # Errors
    /// If an argument makes no sense, the method is not for this world, or no solution was found. The
    /// world is as it was.
    pub fn run(
        &self,
        world: &mut World,
        duration: f64,
        dt: f64,
    ) -> Result<ReferenceReport, ReferenceError> {
        self.watch(world, duration, dt, |_| ())
    }

    /// The same, with a look at the world after each step. Nothing but what the steps need is made
    /// anew for them, so that a run is faster than its steps.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn watch(
        &self,
        world: &mut World,
        duration: f64,
        dt: f64,
        mut look: impl FnMut(&World),
    ) -> Result<ReferenceReport, ReferenceError> {
        self.march(world, [duration, dt], run::HALVINGS, |_, world| look(world))
    }

    /// The same in steps that may be halved so often.
    fn march(
        &self,
        world: &mut World,
        [duration, dt]: [f64; 2],
        halvings: u32,
        mut look: impl FnMut(&Run, &World),
    ) -> Result<ReferenceReport, ReferenceError> {
        self.method.validate()?;
        positive("dt", dt)?;
        crate::error::at_least_zero("duration", duration)?;
        self.refuse(world)?;
        let mut copy = world.clone();
        copy.wake_all();
        let mut report = ReferenceReport::default();
        let mut run = Run::start(&mut copy, self.method)?;
        (run.dt, run.halvings) = (dt, halvings);
        let count = (duration / dt - 1e-9).ceil().max(0.0) as u64;
        let start = copy.time;
        let most = ABSURD * (1.0 + copy.kinetic_energy() + weight(&copy));
        for step in 0..count {
            let end = if step + 1 == count { duration } else { (step + 1) as f64 * dt };
            run.advance(start + end, &mut copy, &mut report)?;
            run.check()?;
            run.write(&mut copy);
            let energy = copy.kinetic_energy();
            if energy.is_nan() || energy > most {
                return Err(ReferenceError::Diverged { time: copy.time });
            }
            look(&run, &copy);
        }
        report.factored = run.stepper.factored;
        for (_, body) in copy.bodies.iter_mut() {
            body.seldom.use_up();
        }
        copy.solver.dirty = true;
        *world = copy;
        Ok(report)
    }

    /// What this solver, or its method, is not for. RATTLE's compositions step backwards in part: what
    /// loses energy forwards would gain it there.
    fn refuse(&self, world: &World) -> Result<(), ReferenceError> {
        for (joint, own) in world.joints.iter().filter(|(_, joint)| joint.def.enabled) {
            let made = match &own.def.kind {
                crate::JointKind::User(user) => user.made(),
                _ => None,
            };
            if made.is_some_and(crate::user::Erased::clamps) {
                return Err(ReferenceError::Clamps { joint });
            }
        }
        let Method::Rattle { .. } = self.method else { return Ok(()) };
        for (joint, own) in world.joints.iter().filter(|(_, joint)| joint.def.enabled) {
            let holds = own.def.kind.hold_count() > 0;
            if holds && own.def.max_force.min(own.def.max_torque).is_finite() {
                return Err(ReferenceError::Loses { joint, by: "a hold that gives way" });
            }
        }
        for (body, def) in world.bodies.iter() {
            if def.moves()
                && (def.seldom.linear_damping != 0.0 || def.seldom.angular_damping != 0.0)
            {
                return Err(ReferenceError::Damped { body });
            }
        }
        let system = System::new(world);
        for line in &system.lines {
            let joint = system.parts[line.part].id;
            let damps = |softness: kempe_solve::Softness| acts::stiffness(softness, 1.0)[1] > 0.0;
            let by = match &line.what {
                What::Friction(most) if *most > 0.0 => "friction",
                What::Spring { softness, .. } if damps(*softness) => "the damping of a spring",
                What::Spring { softness, force, .. }
                    if lines::is_rigid(*softness)
                        && (force.lower.is_finite() || force.upper.is_finite()) =>
                {
                    "a servo that gives way"
                }
                What::Limit(limit) if damps(limit.softness) => "the damping of a stop",
                What::Limit(limit) if limit.force.is_finite() => "stops that give way",
                What::Limit(limit) if limit.restitution < 1.0 => "stops that give no speed back",
                What::Ratchet(_) => "a ratchet",
                What::Motor { force, .. } if force.lower.is_finite() || force.upper.is_finite() => {
                    "a motor that slips"
                }
                What::Law(law) => {
                    let slope = law.evaluate(0.1, 0.1, world.time)[2];
                    if slope != 0.0 { "a force law that depends on the speed" } else { continue }
                }
                _ => continue,
            };
            return Err(ReferenceError::Loses { joint, by });
        }
        Ok(())
    }
}

/// Σ m g over what moves, J for a metre.
fn weight(world: &World) -> f64 {
    let moving = world.bodies.iter().filter(|(_, body)| body.moves());
    let mass: f64 = moving.map(|(_, body)| body.properties.mass).sum();
    mass * world.settings.gravity.length()
}
