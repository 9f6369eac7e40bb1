//! The calls of a sequence that change what is there.

use crate::random::{Random, programs};
use crate::run::Run;
use kempe2d::{
    Axis, BodyId, Direct, DrawOptions, Error, JointDef, JointKind, Path, Settings, Svg, Term, Vec2,
};

impl Run {
    /// A joint beyond the pairs, of bodies as they stand.
    pub fn passive_wider(&mut self, random: &mut Random) -> Result<JointDef, Error> {
        let (a, b) = (random.pick(&self.bodies), random.pick(&self.bodies));
        let (point, along) = (random.vector(2.0), random.vector(1.0));
        let pin = self.world.revolute_at(a, b, point)?;
        let JointKind::Revolute { anchor_a, anchor_b, angle } = pin.kind else { return Ok(pin) };
        let some = |random: &mut Random| match random.below(3) {
            0 => Axis::held(0.0),
            1 => Axis::limited(-random.plain(0.0, 0.5), random.plain(0.0, 0.5)),
            _ => Axis { friction: Some(random.wide(-2.0, 1.0)), ..Axis::default() },
        };
        Ok(match random.below(5) {
            0 => {
                let kind = JointKind::Generic { anchor_a, anchor_b, rail: along, angle };
                JointDef {
                    axes: (0..3).map(|_| some(random)).collect(),
                    ..JointDef::new(kind, a, b)
                }
            }
            1 => JointDef::top_down_friction(a, b, random.wide(-1.0, 2.0), random.wide(-1.0, 2.0)),
            2 => {
                let ids: Vec<BodyId> =
                    (0..2 + random.below(4)).map(|_| random.pick(&self.bodies)).collect();
                let points: Vec<_> = ids.iter().map(|id| (*id, random.vector(0.5))).collect();
                let places = points.iter().map(|(id, anchor)| {
                    let turn = Vec2::from_angle(self.world[*id].rotation());
                    self.world[*id].position() + anchor.turned(turn.x, turn.y)
                });
                let places: Vec<Vec2> = places.collect();
                let length = places.windows(2).map(|ends| (ends[1] - ends[0]).length()).sum();
                JointDef::tendon(&points, length)
            }
            3 => {
                let points = [anchor_a - along, anchor_a, anchor_a + along.perp()];
                let path = match random.once_in(2) {
                    true => Path::spline(&points, random.once_in(2))?,
                    false => Path::polyline(&points, random.once_in(2))?,
                };
                JointDef::path(a, b, &path, anchor_b)
            }
            _ => {
                let known = self.known(random);
                let known: Vec<_> = known.into_iter().filter(|each| each.1 > 0).collect();
                if known.is_empty() {
                    return Ok(pin);
                }
                let mut term = || {
                    let (joint, axes) = random.pick(&known);
                    Term::new(joint, random.below(axes), random.plain(0.2, 2.0))
                };
                let def = JointDef::coupling(vec![term(), term()], 0.0);
                self.world.as_it_stands(&def)?
            }
        })
    }

    pub fn change_joint(&mut self, random: &mut Random) -> Result<(), Error> {
        let Some(id) = self.joint(random) else { return Ok(()) };
        if random.once_in(3) {
            let def = self.any_joint(random);
            self.log.push(format!("set_joint {} {}", id.index(), describe(&def)));
            return self.world.set_joint(id, &def);
        }
        let axes = self.world.joint(id).map_or(0, |joint| joint.kind().axis_count());
        let axis = (axes > 0 && !random.once_in(3)).then(|| (random.below(axes), random.axis()));
        if random.once_in(4) {
            let (known, mut of_kind) = (self.known(random), random.clone());
            self.log.push(format!("change the kind of {}", id.index()));
            return self.world.edit_joint(id, |def| of_kind.change_kind(def, &known));
        }
        let flip = random.once_in(3);
        self.log.push(format!("edit_joint {} {axis:?} {flip}", id.index()));
        let mut options = random.clone();
        self.world.edit_joint(id, |def| match axis {
            Some((index, axis)) => *def.axis_mut(index) = axis,
            None if flip => def.enabled = !def.enabled,
            None => options.options(def),
        })
    }

    pub fn change_body(&mut self, random: &mut Random) -> Result<(), Error> {
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

    pub fn push(&mut self, random: &mut Random) -> Result<(), Error> {
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

    pub fn change_settings(&mut self, random: &mut Random) -> Result<(), Error> {
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

    pub fn sleep(&mut self, random: &mut Random) -> Result<(), Error> {
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

    pub fn bring_back(&mut self, random: &mut Random) -> Result<(), Error> {
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
                self.couplings.clear();
                self.gone.clear();
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

    pub fn change_text(&mut self, random: &mut Random) -> Result<(), Error> {
        let Some(id) = self.joint(random) else { return Ok(()) };
        let program = match self.world.joint(id).map(kempe2d::Joint::kind) {
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

    pub fn draw(&mut self, random: &mut Random) -> Result<(), Error> {
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
pub fn describe(def: &JointDef) -> String {
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
