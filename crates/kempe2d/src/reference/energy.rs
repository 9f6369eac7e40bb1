//! Where energy is, and where it goes.

use super::acts::Act;
use super::bench::DesignError;
use super::reactions::{By, by};
use super::{Method, Reference, Run};
use crate::body::BodyId;
use crate::joint::JointId;
use crate::world::World;

/// Energy of a body, and what changes it. Power in W; in an [`EnergyAudit`] work in J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyEnergy {
    /// Which body.
    pub body: BodyId,
    /// ½ m v² + ½ I ω², J.
    pub kinetic: f64,
    /// −m g·x, J.
    pub potential: f64,
    /// What gravity gives it: m g·v.
    pub gravity: f64,
    /// What applied forces and torques give it.
    pub applied: f64,
    /// What its damping takes, negative.
    pub damping: f64,
}

/// Energy in a joint, and what it gives to its bodies. Power in W; in an [`EnergyAudit`] work in J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointEnergy {
    /// Which joint.
    pub joint: JointId,
    /// What its springs store, those of soft holds and stops among them, J.
    pub stored: f64,
    /// Of what it holds rigidly: of a hold in place it is 0, and not so of one that moves.
    pub hold: f64,
    /// Of its motors.
    pub motor: f64,
    /// Of its springs, without their dampers.
    pub spring: f64,
    /// Of the dampers of its springs.
    pub damper: f64,
    /// Of its force laws.
    pub law: f64,
    /// Of its friction, negative.
    pub friction: f64,
    /// Of its rigid stops.
    pub stop: f64,
    /// What moving ends, on bodies that go by themselves, put into its springs.
    pub drive: f64,
}

impl JointEnergy {
    /// What it gives to its bodies.
    pub fn given(&self) -> f64 {
        self.hold + self.motor + self.spring + self.damper + self.law + self.friction + self.stop
    }

    /// What it brings into bodies and springs together: d(E)/dt has this part from it.
    pub fn brought(&self) -> f64 {
        self.given() - self.spring + self.drive
    }
}

/// Energy and power at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Energies {
    /// When, s.
    pub time: f64,
    /// Of every body that moves.
    pub bodies: Vec<BodyEnergy>,
    /// Of every joint that takes part.
    pub joints: Vec<JointEnergy>,
}

impl Energies {
    /// Σ ½ m v² + ½ I ω², J.
    pub fn kinetic(&self) -> f64 {
        self.bodies.iter().map(|each| each.kinetic).sum()
    }

    /// −Σ m g·x, J.
    pub fn potential(&self) -> f64 {
        self.bodies.iter().map(|each| each.potential).sum()
    }

    /// What springs store, J.
    pub fn stored(&self) -> f64 {
        self.joints.iter().map(|each| each.stored).sum()
    }

    /// E: all of it, J.
    pub fn total(&self) -> f64 {
        self.kinetic() + self.potential() + self.stored()
    }

    /// d(E)/dt: what motors, dampers, friction, laws, applied forces and moving holds bring.
    pub fn brought(&self) -> f64 {
        let bodies = self.bodies.iter().map(|each| each.applied + each.damping);
        bodies.chain(self.joints.iter().map(JointEnergy::brought)).sum()
    }

    /// Of a joint.
    pub fn joint(&self, joint: JointId) -> Option<&JointEnergy> {
        self.joints.iter().find(|each| each.joint == joint)
    }

    /// Of a body.
    pub fn body(&self, body: BodyId) -> Option<&BodyEnergy> {
        self.bodies.iter().find(|each| each.body == body)
    }
}

/// Where energy went over a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnergyAudit {
    /// At its start.
    pub start: Energies,
    /// At its end.
    pub end: Energies,
    /// Works over the run, J: ∫ power dt by the trapezoid rule.
    pub work: Energies,
}

impl EnergyAudit {
    /// E₁ − E₀ − ∫ d(E)/dt: the error of the steps, and what impacts took.
    pub fn unexplained(&self) -> f64 {
        self.end.total() - self.start.total() - self.work.brought()
    }
}

impl World {
    /// Where energy is now, and where it goes.
    ///
    /// # Errors
    /// As [`reactions`](Self::reactions).
    pub fn energies(&self) -> Result<Energies, DesignError> {
        let mut run = Run::new(self, Method::default())?;
        let lambda = run.balance()?.lambda;
        Ok(run.energies(self, &lambda))
    }
}

impl Reference {
    /// Moves a world on as [`run`](Self::run) does, and tells where the energy went.
    ///
    /// # Errors
    /// As [`run`](Self::run); the world is as it was.
    pub fn audit(
        &self,
        world: &mut World,
        duration: f64,
        dt: f64,
    ) -> Result<EnergyAudit, DesignError> {
        let start = world.energies()?;
        let mut audit = EnergyAudit { end: start.clone(), work: start.empty(), start };
        let mut failed = None;
        let mut copy = world.clone();
        self.watch(&mut copy, duration, dt, |world| match world.energies() {
            Ok(now) => {
                let half = 0.5 * (now.time - audit.end.time);
                audit.work.add(&audit.end, half);
                audit.work.add(&now, half);
                audit.end = now;
            }
            Err(error) => failed = failed.take().or(Some(error)),
        })?;
        audit.work.time = audit.end.time;
        match failed {
            Some(error) => Err(error),
            None => {
                *world = copy;
                Ok(audit)
            }
        }
    }
}

impl Energies {
    fn empty(&self) -> Self {
        let bodies = self.bodies.iter().map(|each| BodyEnergy::none(each.body)).collect();
        let joints = self.joints.iter().map(|each| JointEnergy::none(each.joint)).collect();
        Self { time: self.time, bodies, joints }
    }

    /// Adds powers for some time. What broke off meanwhile adds nothing more.
    fn add(&mut self, other: &Self, time: f64) {
        for from in &other.bodies {
            let own = self.bodies.iter_mut().find(|each| each.body == from.body);
            if let Some(own) = own {
                own.gravity += time * from.gravity;
                own.applied += time * from.applied;
                own.damping += time * from.damping;
            }
        }
        for from in &other.joints {
            let own = self.joints.iter_mut().find(|each| each.joint == from.joint);
            if let Some(own) = own {
                for (own, from) in own.powers().into_iter().zip(from.clone().powers()) {
                    *own += time * *from;
                }
            }
        }
    }
}

impl BodyEnergy {
    fn none(body: BodyId) -> Self {
        Self { body, kinetic: 0.0, potential: 0.0, gravity: 0.0, applied: 0.0, damping: 0.0 }
    }
}

impl JointEnergy {
    fn none(joint: JointId) -> Self {
        let (stored, hold, motor, spring) = (0.0, 0.0, 0.0, 0.0);
        let (damper, law, friction, stop, drive) = (0.0, 0.0, 0.0, 0.0, 0.0);
        Self { joint, stored, hold, motor, spring, damper, law, friction, stop, drive }
    }

    fn powers(&mut self) -> [&mut f64; 8] {
        let Self { hold, motor, spring, damper, law, friction, stop, drive, .. } = self;
        [hold, motor, spring, damper, law, friction, stop, drive]
    }
}

impl Run {
    fn energies(&self, world: &World, lambda: &[f64]) -> Energies {
        let (system, state) = (&self.stepper.system, &self.state);
        let mut told = Energies { time: state.t, ..Energies::default() };
        for (at, mover) in system.movers.iter().enumerate() {
            let Some(id) = world.bodies.handle_at(mover.slot) else { continue };
            let Some(body) = world.bodies.at(mover.slot) else { continue };
            let (q, v) = (&state.q[3 * at..3 * at + 3], &state.v[3 * at..3 * at + 3]);
            let weight =
                world.settings.gravity * (body.seldom.gravity_scale * body.properties.mass);
            let sum = |of: &dyn Fn(usize) -> f64| (0..3).filter(|k| mover.free[*k]).map(of).sum();
            let applied = [body.seldom.force.x, body.seldom.force.y, body.seldom.torque];
            let pull = [weight.x, weight.y, 0.0];
            told.bodies.push(BodyEnergy {
                body: id,
                kinetic: sum(&|k| 0.5 * mover.mass[k] * v[k] * v[k]),
                potential: -(weight.x * q[0] + weight.y * q[1]),
                gravity: sum(&|k| pull[k] * v[k]),
                applied: sum(&|k| applied[k] * v[k]),
                damping: sum(&|k| -mover.damping[k] * v[k] * v[k]),
            });
        }
        told.joints.extend(system.parts.iter().map(|part| JointEnergy::none(part.id)));
        for (line, each) in system.lines.iter().enumerate() {
            let found = &self.stepper.found[line];
            let own = &mut told.joints[each.part];
            // What the bodies do along the row, without what moves by itself.
            let speed = found.speed(&state.v) - found.bias;
            let power = lambda[line] * speed;
            let by = by(each);
            match self.stepper.act(line, state.t) {
                Act::Spring { k, rest, speed: rate, range, .. } if by != By::Motor => {
                    let elastic = (-k * (found.value - rest)).clamp(range[0], range[1]);
                    own.stored += stored(k, found.value - rest, range);
                    own.spring += elastic * speed;
                    own.damper += (lambda[line] - elastic) * speed;
                    own.drive -= elastic * (found.bias - rate);
                }
                _ => {
                    *match by {
                        By::Hold => &mut own.hold,
                        By::Motor => &mut own.motor,
                        By::Spring => &mut own.spring,
                        By::Law => &mut own.law,
                        By::Friction => &mut own.friction,
                        By::Stop => &mut own.stop,
                    } += power;
                }
            }
        }
        told
    }
}

/// ∫ of k x, as far as its force is in its range: ½ k x², and straight on from where it is not.
pub(super) fn stored(k: f64, x: f64, [lower, upper]: [f64; 2]) -> f64 {
    let most = if x > 0.0 { (-lower).max(0.0) } else { upper.max(0.0) };
    let size = x.abs();
    match k * size > most {
        true => most * size - 0.5 * most * most / k,
        false => 0.5 * k * size * size,
    }
}
