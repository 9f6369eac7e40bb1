//! One sequence: a world, and operations on it one after the other.

use crate::check::{self, Failure};
use crate::random::{Random, programs};
use crate::user::registry;
use kempe2d::{
    Axis, BodyDef, BodyId, Direct, DrawOptions, Error, JointDef, JointId, JointKind, Limit,
    Registry, Settings, Svg, Vec2, World,
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
}

pub struct Run {
    pub world: World,
    pub bodies: Vec<BodyId>,
    pub joints: Vec<JointId>,
    stale_bodies: Vec<BodyId>,
    stale_joints: Vec<JointId>,
    kept: Vec<Vec<u8>>,
    pub registry: Registry,
    pub log: Vec<String>,
    pub steps: usize,
    pub refused: usize,
    passive: bool,
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
            registry: registry(),
            log: Vec::new(),
            steps: 0,
            refused: 0,
            passive: mode == Mode::Passive,
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

    fn body(&self, random: &mut Random) -> BodyId {
        let stale = random.hostile && random.once_in(30);
        if stale && !self.stale_bodies.is_empty() {
            return random.pick(&self.stale_bodies);
        }
        random.pick(&self.bodies)
    }

    fn joint(&self, random: &mut Random) -> Option<JointId> {
        let stale = random.hostile && random.once_in(30);
        if (stale || self.joints.is_empty()) && !self.stale_joints.is_empty() {
            return Some(random.pick(&self.stale_joints));
        }
        (!self.joints.is_empty()).then(|| random.pick(&self.joints))
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
        self.refresh();
        check::state(self)
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
            2..=5 if self.joints.len() < 20 => {
                if let Ok(def) = self.passive_joint(random)
                    && let Ok(id) = self.world.add_joint(&def)
                {
                    self.log.push(format!("add_joint {}", describe(&def)));
                    self.joints.push(id);
                }
            }
            _ => {
                let dt = 1.0 / 60.0;
                let count = random.pick(&[1, 20, 100]);
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
        let def =
            if random.once_in(3) { self.meeting(random)? } else { random.joint(&self.bodies) };
        self.log.push(format!("add_joint {}", describe(&def)));
        let id = self.world.add_joint(&def)?;
        self.joints.push(id);
        Ok(())
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
                self.world.remove_joint(id).map(drop)
            }
            _ => {
                let id = self.body(random);
                self.log.push(format!("remove_body {}", id.index()));
                self.world.remove_body(id)
            }
        }
    }

    fn change_joint(&mut self, random: &mut Random) -> Result<(), Error> {
        let Some(id) = self.joint(random) else { return Ok(()) };
        if random.once_in(3) {
            let def = random.joint(&self.bodies);
            self.log.push(format!("set_joint {} {}", id.index(), describe(&def)));
            return self.world.set_joint(id, &def);
        }
        let axes = self.world.joint(id).map_or(0, |joint| joint.def().kind.axis_count());
        let axis = (axes > 0 && !random.once_in(3)).then(|| (random.below(axes), random.axis()));
        let flip = random.once_in(3);
        self.log.push(format!("edit_joint {} {axis:?} {flip}", id.index()));
        let mut options = random.clone();
        self.world.edit_joint(id, |def| match axis {
            Some((index, axis)) => *def.axis_mut(index) = axis,
            None if flip => def.enabled = !def.enabled,
            None => options.options(def),
        })
    }

    fn change_body(&mut self, random: &mut Random) -> Result<(), Error> {
        let id = self.body(random);
        let at = id.index();
        let (v, x, y) = (random.vector(3.0), random.between(-3.0, 3.0), random.between(0.0, 3.0));
        let pick = random.below(14);
        self.log.push(format!("change_body {pick} of {at}: {v:?} {x} {y}"));
        let world = &mut self.world;
        match pick {
            0 => world.set_position(id, v),
            1 => world.set_rotation(id, x),
            2 => world.set_velocity(id, v),
            3 => world.set_angular_velocity(id, x),
            4 => world.set_target(id, v, x, y),
            5 | 6 => {
                let kind = random.kind();
                self.log.push(format!("  {kind:?}"));
                world.set_kind(id, kind)
            }
            7 => {
                let mass = random.properties();
                self.log.push(format!("  {mass:?}"));
                world.set_mass_properties(id, mass)
            }
            8 => {
                let shapes = random.shapes();
                self.log.push(format!("  {shapes:?}"));
                world.set_shapes(id, shapes)
            }
            9 => {
                let locked = random.locked();
                self.log.push(format!("  {locked:?}"));
                world.set_locked(id, locked)
            }
            10 | 11 => {
                let enabled = !random.once_in(2);
                self.log.push(format!("  enabled {enabled}"));
                world.set_enabled(id, enabled)
            }
            12 => world.set_gravity_scale(id, x),
            _ => world.set_damping(id, y, y),
        }
    }

    fn push(&mut self, random: &mut Random) -> Result<(), Error> {
        let id = self.body(random);
        let (v, at, x) = (random.vector(50.0), random.vector(3.0), random.between(-20.0, 20.0));
        let pick = random.below(5);
        self.log.push(format!("push {pick} of {}: {v:?} {at:?} {x}", id.index()));
        match pick {
            0 => self.world.apply_force(id, v, at),
            1 => self.world.apply_central_force(id, v),
            2 => self.world.apply_torque(id, x),
            3 => self.world.apply_impulse(id, v * 0.1, at),
            _ => self.world.apply_angular_impulse(id, x * 0.1),
        }
    }

    fn change_settings(&mut self, random: &mut Random) -> Result<(), Error> {
        let mut settings = self.world.settings();
        match random.below(6) {
            0 => settings.substeps = random.pick(&[1, 2, 4, 8, 20]),
            1 => settings.gravity = random.vector(10.0),
            2 => settings.sleep = !settings.sleep,
            3 => settings.direct = random.pick(&[Direct::Auto, Direct::Always, Direct::Never]),
            4 => settings.threads = random.pick(&[1, 2]),
            _ => {
                let sleep_time = random.between(0.0, 0.5);
                settings =
                    Settings { sleep_time, sleep_speed: random.between(0.0, 3.0), ..settings };
            }
        }
        if random.hostile && random.once_in(10) {
            settings.substeps = random.pick(&[0, 1025]);
        }
        self.log.push(format!("{settings:?}"));
        self.world.set_settings(settings)
    }

    fn sleep(&mut self, random: &mut Random) -> Result<(), Error> {
        if random.once_in(3) {
            self.log.push("wake_all".to_owned());
            self.world.wake_all();
            return Ok(());
        }
        if random.once_in(2) {
            let id = self.body(random);
            self.log.push(format!("wake {}", id.index()));
            return self.world.wake(id);
        }
        // Everything is at rest: it can sleep.
        self.log.push("rest".to_owned());
        for id in self.bodies.clone() {
            self.world.set_velocity(id, Vec2::ZERO)?;
            self.world.set_angular_velocity(id, 0.0)?;
        }
        let settings = self.world.settings();
        let time = random.pick(&[0.0, 0.02]);
        let speed = random.pick(&[0.02, 5.0]);
        let asleep = Settings {
            sleep: true,
            sleep_time: time,
            sleep_speed: speed,
            sleep_turn: speed,
            ..settings
        };
        self.world.set_settings(asleep)
    }

    fn bring_back(&mut self, random: &mut Random) -> Result<(), Error> {
        match random.below(4) {
            0 => {
                self.log.push("keep".to_owned());
                self.kept.push(self.world.snapshot());
            }
            1 if !self.kept.is_empty() => {
                self.log.push("restore".to_owned());
                let bytes = random.pick(&self.kept);
                self.world.restore(&bytes, &self.registry)?;
                self.bodies = self.world.bodies().map(|each| each.0).collect();
                self.joints = self.world.joints().map(|each| each.0).collect();
                self.stale_bodies.retain(|id| self.world.body(*id).is_none());
                self.stale_joints.retain(|id| self.world.joint(*id).is_none());
            }
            2 => {
                let mut bytes = self.world.snapshot();
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
                self.log.push(format!("restore damaged at {at}"));
                self.world.restore(&bytes, &self.registry)?;
            }
            _ => {
                self.log.push("clone".to_owned());
                self.world = self.world.clone();
            }
        }
        Ok(())
    }

    fn change_text(&mut self, random: &mut Random) -> Result<(), Error> {
        let Some(id) = self.joint(random) else { return Ok(()) };
        let program = match self.world.joint(id).map(|joint| &joint.def().kind) {
            Some(JointKind::Text(text)) => text.program().clone(),
            _ => random.pick(programs()),
        };
        if random.once_in(3) {
            let (name, body) = (random.pick(program.bodies()), self.body(random));
            self.log.push(format!("bind_body {} {name} {}", id.index(), body.index()));
            return self.world.bind_body(id, &name, body);
        }
        if program.parameters().is_empty() {
            return Ok(());
        }
        let parameter = random.pick(program.parameters());
        let value = random.value(parameter.kind);
        self.log.push(format!("set_parameter {} {} {value:?}", id.index(), parameter.name));
        self.world.set_parameter(id, &parameter.name, value)
    }

    fn draw(&mut self, random: &mut Random) -> Result<(), Error> {
        self.log.push("draw".to_owned());
        let mut svg = Svg::new();
        let size = random.between(0.01, 0.5);
        let options = DrawOptions {
            forces: true,
            labels: true,
            size,
            force_scale: random.between(0.0, 0.1),
            ..DrawOptions::default()
        };
        self.world.draw_with(&mut svg, &options);
        let text = svg.finish(300);
        assert!(text.starts_with("<svg") && !text.contains("NaN") && !text.contains("inf"));
        Ok(())
    }
}

/// A definition without the whole text of a program.
fn describe(def: &JointDef) -> String {
    let bodies: Vec<usize> = def.bodies.iter().map(|id| id.index()).collect();
    let kind = match &def.kind {
        JointKind::Text(text) => {
            let values = text.program().parameters().iter();
            let values: Vec<_> = values.map(|each| (&each.name, text.get(&each.name))).collect();
            format!("{:?} {values:?}", text.program().source())
        }
        kind => format!("{kind:?}"),
    };
    let JointDef { axes, softness, max_force, max_torque, breaking, threshold, .. } = def;
    format!(
        "{kind} over {bodies:?} {axes:?} {softness:?} max {max_force} {max_torque} {breaking:?} \
         {threshold:?} warm {} enabled {}",
        def.warm_start, def.enabled
    )
}
