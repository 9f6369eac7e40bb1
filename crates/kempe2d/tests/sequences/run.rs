//! One sequence: a world, and operations on it one after the other.

use crate::calls::describe;
use crate::check::{self, Failure};
use crate::random::Random;
use crate::user::registry;
use kempe2d::{
    Axis, BodyDef, BodyId, Error, JointDef, JointId, JointKind, Limit, Registry, Settings, Vec2,
    World,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a sequence is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything, with numbers that make sense.
    Plain,
    /// And numbers and handles that make none.
    Hostile,
    /// Bodies and joints as they stand, without anything that has energy of its own: what moves must
    /// not move more and more.
    Passive,
    /// The same with joints beyond the pairs.
    Coupled,
}

pub struct Run {
    pub world: World,
    pub bodies: Vec<BodyId>,
    pub joints: Vec<JointId>,
    pub stale_bodies: Vec<BodyId>,
    pub stale_joints: Vec<JointId>,
    pub kept: Vec<Vec<u8>>,
    /// The couplings that there are.
    pub couplings: Vec<JointId>,
    /// Those that have gone with a joint since the last step.
    pub gone: Vec<JointId>,
    /// What was removed by its own handle, last.
    pub removed: Option<JointId>,
    pub registry: Registry,
    pub log: Vec<String>,
    pub steps: usize,
    pub refused: usize,
    passive: bool,
    coupled: bool,
    /// The most energy that there was reason for, J.
    energy: f64,
}

/// Does these operations of a sequence; what went wrong, and what was done up to there.
pub fn run(seed: u64, mode: Mode, operations: &[u64]) -> Result<Run, (Failure, Vec<String>)> {
    let mut run = Run::new(seed, mode);
    for operation in operations {
        let mut random = Random::new(seed, *operation, mode == Mode::Hostile);
        let done = catch_unwind(AssertUnwindSafe(|| run.operate(&mut random)));
        let done = done.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Failure::new("panic", text.unwrap_or_default()))
        });
        if let Err(failure) = done {
            return Err((failure, run.log));
        }
    }
    Ok(run)
}

impl Run {
    fn new(seed: u64, mode: Mode) -> Self {
        let mut run = Self {
            world: World::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            stale_bodies: Vec::new(),
            stale_joints: Vec::new(),
            kept: Vec::new(),
            couplings: Vec::new(),
            gone: Vec::new(),
            removed: None,
            registry: registry(),
            log: Vec::new(),
            steps: 0,
            refused: 0,
            passive: matches!(mode, Mode::Passive | Mode::Coupled),
            coupled: mode == Mode::Coupled,
            energy: 0.0,
        };
        if run.passive {
            let settings = Settings { gravity: Vec2::ZERO, ..Settings::default() };
            run.world.set_settings(settings).unwrap();
        }
        if mode == Mode::Hostile {
            // Handles of another world, of which one is in a slot of this one too.
            let mut other = World::default();
            let [a, b] = [0, 1].map(|_| other.add_body(&BodyDef::dynamic()).unwrap());
            let joint = other.add_joint(&JointDef::revolute(a, b, [Vec2::X, Vec2::ZERO])).unwrap();
            run.stale_bodies.extend([a, b]);
            run.stale_joints.push(joint);
        }
        run.bodies.push(run.world.ground().unwrap());
        for k in 0..3 {
            let random = &mut Random::new(seed, u64::MAX - k, false);
            let def = if run.passive { random.passive_body() } else { random.body() };
            run.log.push(format!("first {def:?}"));
            run.bodies.push(run.world.add_body(&def).unwrap());
        }
        run.energy = run.world.kinetic_energy();
        run
    }

    pub fn body(&self, random: &mut Random) -> BodyId {
        let stale = random.hostile && random.once_in(30);
        if stale && !self.stale_bodies.is_empty() {
            return random.pick(&self.stale_bodies);
        }
        random.pick(&self.bodies)
    }

    pub fn joint(&self, random: &mut Random) -> Option<JointId> {
        let stale = random.hostile && random.once_in(30);
        if (stale || self.joints.is_empty()) && !self.stale_joints.is_empty() {
            return Some(random.pick(&self.stale_joints));
        }
        (!self.joints.is_empty()).then(|| random.pick(&self.joints))
    }

    /// The joints that couplings can refer to; now and then one that is stale, or a coupling.
    pub fn known(&self, random: &mut Random) -> Vec<(JointId, usize)> {
        let odd = random.hostile && random.once_in(10);
        let ids = self.joints.iter().chain(self.stale_joints.iter().filter(|_| odd));
        let each = ids.map(|id| match self.world.joint(*id).map(kempe2d::Joint::kind) {
            Some(JointKind::Coupling { .. }) if !odd => (*id, 0),
            Some(kind) => (*id, kind.axis_count()),
            None => (*id, 1),
        });
        each.collect()
    }

    /// Does one thing, and looks at the world afterwards.
    fn operate(&mut self, random: &mut Random) -> Result<(), Failure> {
        if self.passive {
            return self.operate_passively(random);
        }
        let hash = self.world.state_hash();
        let done = match random.below(40) {
            0..=13 => return self.step(random),
            14 | 15 => self.add_body(random),
            16..=20 => self.add_joint(random),
            21 => self.remove(random),
            22..=25 => self.change_joint(random),
            26..=31 => self.change_body(random),
            32 | 33 => self.push(random),
            34 | 35 => self.change_settings(random),
            36 => self.sleep(random),
            37 => self.bring_back(random),
            38 => self.change_text(random),
            _ => self.draw(random),
        };
        if let Err(error) = done {
            self.refused += 1;
            self.log.push(format!("  refused: {error}"));
            if self.world.state_hash() != hash {
                return Err(Failure::new("refused", format!("{error}: the state has changed")));
            }
        }
        self.note_couplings();
        self.refresh();
        check::state(self)
    }

    /// Couplings that are gone, though nobody removed them.
    pub fn note_couplings(&mut self) {
        let Self { world, couplings, gone, .. } = self;
        let removed = self.removed.take();
        let lost = couplings.iter().filter(|id| world.joint(**id).is_none());
        gone.extend(lost.filter(|id| removed != Some(**id)));
        let coupling = |kind: &JointKind| matches!(kind, JointKind::Coupling { .. });
        let now = world.joints().filter(|each| coupling(each.1.kind()));
        *couplings = now.map(|each| each.0).collect();
    }

    fn operate_passively(&mut self, random: &mut Random) -> Result<(), Failure> {
        match random.below(12) {
            0 | 1 if self.bodies.len() < 10 => {
                let def = random.passive_body();
                self.log.push(format!("add_body {def:?}"));
                let id = self.world.add_body(&def).unwrap();
                self.energy += self.world[id].kinetic_energy();
                self.bodies.push(id);
            }
            2..=5 if self.joints.len() < if self.coupled { 8 } else { 20 } => {
                if let Ok(def) = self.passive_joint(random)
                    && let Ok(id) = self.world.add_joint(&def)
                {
                    self.log.push(format!("add_joint {}", describe(&def)));
                    self.joints.push(id);
                }
            }
            _ => {
                let dt = 1.0 / 60.0;
                // What is coupled with many is solved slowly.
                let longest = if self.coupled { 25 } else { 100 };
                let count = random.pick(&[1, 20, longest]);
                self.log.push(format!("{count} steps of {dt}"));
                for _ in 0..count {
                    self.world.step(dt).unwrap();
                    self.steps += 1;
                    let now = self.world.kinetic_energy();
                    if now.is_nan() || now > 20.0 * self.energy + 1e-3 {
                        let text = format!("{now} J of {} J", self.energy);
                        return Err(Failure::new("energy", text));
                    }
                }
            }
        }
        check::state(self)
    }

    fn passive_joint(&mut self, random: &mut Random) -> Result<JointDef, Error> {
        if self.coupled && !random.once_in(3) {
            return self.passive_wider(random);
        }
        let (a, b) = (random.pick(&self.bodies), random.pick(&self.bodies));
        let (point, along) = (random.vector(2.0), random.vector(1.0));
        let mut def = match random.below(5) {
            0 => self.world.weld_at(a, b, point)?,
            1 => self.world.revolute_at(a, b, point)?,
            2 => self.world.prismatic_at(a, b, point, along)?,
            3 => self.world.slot_at(a, b, point, along)?,
            _ => self.world.rod_between(a, b, point, point + along)?,
        };
        // Around where it stands: 0 for all but the rod, which is held.
        for axis in 0..def.kind.axis_count() {
            if def.axes.len() > axis || !random.once_in(2) {
                continue;
            }
            let limit = Limit {
                restitution: if random.once_in(2) { 0.0 } else { random.between(0.0, 1.0) },
                ..Limit::new(-random.between(0.0, 0.5), random.between(0.0, 0.5))
            };
            let friction = if random.once_in(3) { Some(random.wide(-2.0, 2.0)) } else { None };
            *def.axis_mut(axis) = Axis { limit: Some(limit), friction, ..Axis::default() };
        }
        def.warm_start = !random.once_in(6);
        Ok(def)
    }

    /// Handles that have become stale go to the others.
    fn refresh(&mut self) {
        let Self { world, bodies, joints, stale_bodies, stale_joints, .. } = self;
        stale_bodies.extend(bodies.extract_if(.., |id| world.body(*id).is_none()));
        stale_joints.extend(joints.extract_if(.., |id| world.joint(*id).is_none()));
        if bodies.is_empty()
            && let Ok(id) = world.add_body(&BodyDef::fixed())
        {
            bodies.push(id);
        }
        let keep = 20;
        stale_bodies.drain(..stale_bodies.len().saturating_sub(keep));
        stale_joints.drain(..stale_joints.len().saturating_sub(keep));
    }

    fn step(&mut self, random: &mut Random) -> Result<(), Failure> {
        let usual = [1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 240.0, 0.5, 1e-6, 0.0];
        let mut dt = random.pick(&usual);
        if random.hostile && random.once_in(8) {
            dt = random.pick(&[f64::NAN, f64::INFINITY, -1.0, 1e-300, 1e-40, 1e10, 1e300]);
        }
        let count = random.pick(&[1, 1, 1, 5, 40]);
        self.log.push(format!("{count} steps of {dt}"));
        for _ in 0..count {
            let thorough = random.once_in(4);
            check::step(self, dt, thorough)?;
            self.refresh();
            check::state(self)?;
        }
        Ok(())
    }

    fn add_body(&mut self, random: &mut Random) -> Result<(), Error> {
        if self.bodies.len() > 24 {
            return self.remove(random);
        }
        let def = random.body();
        self.log.push(format!("add_body {def:?}"));
        let id = self.world.add_body(&def)?;
        self.bodies.push(id);
        Ok(())
    }

    fn add_joint(&mut self, random: &mut Random) -> Result<(), Error> {
        if self.joints.len() > 40 {
            return self.remove(random);
        }
        let def = if random.once_in(3) { self.meeting(random)? } else { self.any_joint(random) };
        self.log.push(format!("add_joint {}", describe(&def)));
        let id = self.world.add_joint(&def)?;
        self.joints.push(id);
        Ok(())
    }

    /// A joint of any kind.
    pub fn any_joint(&self, random: &mut Random) -> JointDef {
        let known = self.known(random);
        let def = random.joint(&self.bodies, &known);
        // Mostly from where its joints are.
        let stands = if random.once_in(3) { None } else { self.world.as_it_stands(&def).ok() };
        stands.unwrap_or(def)
    }

    /// A joint of bodies as they stand.
    fn meeting(&mut self, random: &mut Random) -> Result<JointDef, Error> {
        let (a, b) = (self.body(random), self.body(random));
        let (point, along) = (random.vector(3.0), random.vector(1.0));
        let mut def = match random.below(5) {
            0 => self.world.weld_at(a, b, point)?,
            1 => self.world.revolute_at(a, b, point)?,
            2 => self.world.prismatic_at(a, b, point, along)?,
            3 => self.world.slot_at(a, b, point, along)?,
            _ => self.world.rod_between(a, b, point, along)?,
        };
        for axis in 0..def.kind.axis_count() {
            if random.once_in(3) {
                *def.axis_mut(axis) = random.axis();
            }
        }
        if random.once_in(3) {
            random.options(&mut def);
        }
        Ok(def)
    }

    fn remove(&mut self, random: &mut Random) -> Result<(), Error> {
        match self.joint(random) {
            Some(id) if random.once_in(2) => {
                self.log.push(format!("remove_joint {}", id.index()));
                self.removed = Some(id);
                self.world.remove_joint(id).map(drop)
            }
            _ => {
                let id = self.body(random);
                self.log.push(format!("remove_body {}", id.index()));
                self.world.remove_body(id)
            }
        }
    }
}
