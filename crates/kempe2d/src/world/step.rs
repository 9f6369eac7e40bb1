//! One step, as a table of contents.

use super::{Settings, World};
use crate::body::{Body, BodyKind};
use crate::error::{Error, at_least_zero};
use crate::report::{Event, StepReport, Times};
use crate::solver::{Pass, turn};
use kempe_scalar::{Vec2, precise};
use std::time::{Duration, Instant};

/// No step that has a length is shorter, s.
const SHORTEST: f64 = 1e-9;

/// What counts as rest.
struct Rest {
    speed: f64,
    turn: f64,
    dt: f64,
    /// What a step at rest adds to the time of it.
    counted: f64,
}

impl Rest {
    fn new(settings: &Settings, dt: f64) -> Self {
        // However long a step is, one alone shows no rest.
        let quarter = 0.25 * settings.sleep_time;
        let counted = if quarter > 0.0 { dt.min(quarter) } else { dt };
        Self { speed: settings.sleep_speed, turn: settings.sleep_turn, dt, counted }
    }

    /// Counts for how long a body has been slow; it has moved and turned so far. A joint that closes
    /// moves bodies whose velocity is zero at the end of the step.
    fn look(&self, body: &mut Body, [x, y, turned]: [f64; 3]) {
        if !body.moves() || body.asleep {
            return;
        }
        let v = body.velocity.length_squared().max((x * x + y * y) / (self.dt * self.dt));
        let w = body.angular_velocity.abs().max(turned.abs() / self.dt);
        let slow = v < self.speed * self.speed && w < self.turn;
        body.idle = if slow && body.can_sleep { body.idle + self.counted } else { 0.0 };
    }
}

/// How a step is divided, and a watch.
#[derive(Clone, Copy, Debug)]
struct Clock {
    substeps: u32,
    /// The length of a sub-step, s.
    h: f64,
    /// The length of the step, s.
    dt: f64,
    watch: Option<Instant>,
}

impl Clock {
    /// Adds the time since the last stage to this one's.
    fn stage(&mut self, times: &mut Times, stage: impl FnOnce(&mut Times) -> &mut Duration) {
        if let Some(watch) = &mut self.watch {
            let now = Instant::now();
            *stage(times) += now - *watch;
            *watch = now;
        }
    }
}

impl World {
    /// Moves everything on by `dt` seconds. Nothing happens in no time.
    ///
    /// # Errors
    /// If `dt` is negative or not finite.
    pub fn step(&mut self, dt: f64) -> Result<&StepReport, Error> {
        let clock = self.start_clock(dt)?;
        if dt > 0.0 {
            match self.threads.clone() {
                Some(threads) => threads.run(|| self.advance(clock)),
                None => self.advance(clock),
            }
        }
        Ok(&self.report)
    }

    fn advance(&mut self, mut clock: Clock) {
        // Pairs and contacts will be found here.
        self.prepare_joints();
        let views = self.stateful_views();
        self.color_constraints(&mut clock);
        for substep in 0..clock.substeps {
            self.integrate_velocities(&mut clock);
            self.drive(&clock, substep);
            self.warm_start();
            self.solve(&mut clock, substep);
            self.integrate_positions(&mut clock);
            self.push_again(&mut clock, substep);
            self.relax(&mut clock);
        }
        self.apply_restitution();
        self.settle_bodies(clock.dt);
        self.solver.remember(&mut self.joints);
        self.solver.place_points(&mut self.joints);
        // Fast bodies will be caught here.
        self.report_left_out();
        self.break_joints(clock.dt);
        self.advance_joints(&views, clock.dt);
        self.sleep_islands();
        self.finish(&mut clock);
    }

    fn start_clock(&mut self, dt: f64) -> Result<Clock, Error> {
        at_least_zero("dt", dt)?;
        if dt > 0.0 && dt < SHORTEST {
            let must_be = "0, or at least a nanosecond";
            return Err(Error::Number { field: "dt", value: dt, must_be });
        }
        self.report.dt = dt;
        self.report.events.clear();
        self.report.counts.moved = 0;
        self.report.times = Times::default();
        if dt > 0.0 {
            self.report.steps += 1;
            self.last_dt = dt;
            self.report.events.append(&mut self.pending);
        }
        let substeps = self.settings.substeps;
        let watch = self.settings.timing.then(Instant::now);
        Ok(Clock { substeps, h: dt / f64::from(substeps), dt, watch })
    }

    /// Puts joints into lanes, and their bodies into the solver's state.
    fn color_constraints(&mut self, clock: &mut Clock) {
        let (h, time) = (clock.h, self.time);
        if self.solver.direct != self.settings.direct {
            self.solver.direct = self.settings.direct;
            self.solver.dirty = true;
        }
        self.solver.prepare(&self.bodies, &mut self.joints, [h, time]);
        self.free.clear();
        let gravity = self.settings.gravity;
        for (id, body) in self.bodies.iter() {
            self.solver.poses[id.index()] = [body.center.x, body.center.y, body.rotation];
            let goes = body.enabled && body.kind != BodyKind::Static && !body.asleep;
            self.report.counts.moved += usize::from(goes);
            if goes && !self.solver.is_jointed(id.index()) {
                self.free.push(id.index());
            }
            if self.solver.is_jointed(id.index()) {
                if body.kind != BodyKind::Static {
                    let (push, keep) = mover(body, gravity, h);
                    let split = self.solver.split[id.index()];
                    self.solver.movers.push(id.index(), push, keep, split);
                }
                let Body { velocity, angular_velocity, rotation, .. } = *body;
                let [x, y, turning] =
                    [velocity.x, velocity.y, angular_velocity].map(|speed| speed as f32);
                let [cos, sin] = turn(rotation);
                let state = [x, y, turning, 0.0, 0.0, 0.0, cos, sin];
                self.solver.hot.body_mut(id.index()).copy_from_slice(&state);
            }
        }
        self.solver.start(&self.joints);
        clock.stage(&mut self.report.times, |times| &mut times.prepare);
        self.solver.evaluate_start(self.isa, &self.joints);
        self.solver.note_approach();
        clock.stage(&mut self.report.times, |times| &mut times.evaluate);
    }

    /// Motors that follow the clock, and force laws, for a sub-step.
    fn drive(&mut self, clock: &Clock, substep: u32) {
        self.solver.drive_forces(&self.joints, clock.h * f64::from(substep + 1));
    }

    fn warm_start(&mut self) {
        self.solver.pass(self.isa, &self.joints, Pass::Warm);
    }

    fn solve(&mut self, clock: &mut Clock, substep: u32) {
        self.solver.pass(self.isa, &self.joints, Pass::Solve);
        self.solver.correct_islands(self.isa, &self.joints, clock.h * f64::from(substep + 1));
        clock.stage(&mut self.report.times, |times| &mut times.solve);
    }

    /// At the new pose: the second halves of forces and impulses that come in halves.
    fn push_again(&mut self, clock: &mut Clock, substep: u32) {
        self.solver.evaluate(self.isa, &self.joints, clock.h * f64::from(substep + 1));
        clock.stage(&mut self.report.times, |times| &mut times.evaluate);
        let Self { solver, isa, .. } = self;
        solver.movers.accelerate_again(*isa, &mut solver.hot.floats);
        solver.pass(*isa, &self.joints, Pass::Again);
    }

    /// Rigid rows give back what their bias added.
    fn relax(&mut self, clock: &mut Clock) {
        self.solver.pass(self.isa, &self.joints, Pass::Relax);
        clock.stage(&mut self.report.times, |times| &mut times.solve);
    }

    /// Stops give back a part of the speed with which they were hit.
    fn apply_restitution(&mut self) {
        self.solver.rebound(self.isa, &self.joints);
    }

    /// The clock goes on, and the report is complete.
    fn finish(&mut self, clock: &mut Clock) {
        self.time += clock.dt;
        let counts = &mut self.report.counts;
        counts.asleep = self.sleeping;
        counts.islands = self.solver.islands;
        counts.joints = self.solver.solved;
        counts.colors = self.solver.colors;
        clock.stage(&mut self.report.times, |times| &mut times.finish);
    }

    /// v += h (g + F/m), ω += h τ/I, then both decay.
    fn integrate_velocities(&mut self, clock: &mut Clock) {
        let h = clock.h;
        let gravity = self.settings.gravity;
        let Self { bodies, solver, isa, free, .. } = self;
        for slot in free.iter() {
            let Some(body) = bodies.at_mut(*slot).filter(|body| body.moves()) else { continue };
            let [x, y, turn] = acceleration(body, gravity).map(|each| h * each);
            body.velocity += Vec2::new(x, y);
            body.angular_velocity += turn;
            let [x, y, turn] = keeps(body, h);
            body.velocity = Vec2::new(body.velocity.x * x, body.velocity.y * y);
            body.angular_velocity *= turn;
        }
        solver.movers.accelerate(*isa, &mut solver.hot.floats);
        clock.stage(&mut self.report.times, |times| &mut times.integrate);
    }

    /// x += h v, θ += h ω.
    fn integrate_positions(&mut self, clock: &mut Clock) {
        let h = clock.h;
        let Self { bodies, solver, isa, free, .. } = self;
        solver.movers.advance(*isa, &mut solver.hot.floats, h as f32);
        for slot in free.iter() {
            let Some(body) = bodies.at_mut(*slot) else { continue };
            body.center += body.velocity * h;
            body.rotation += h * body.angular_velocity;
        }
        clock.stage(&mut self.report.times, |times| &mut times.integrate);
    }

    /// The changes in f32 since the start of the step go into the state in f64, and forces are used
    /// up. A number that has left its range must not spread: the body is stopped where it last was.
    fn settle_bodies(&mut self, dt: f64) {
        let mut stopped = Vec::new();
        let rest = Rest::new(&self.settings, dt);
        for (id, body) in self.bodies.iter_mut() {
            body.force = Vec2::ZERO;
            body.torque = 0.0;
            let mut moved = [0.0; 3];
            if self.solver.is_jointed(id.index()) && body.kind != BodyKind::Static {
                let &[vx, vy, w, turned, x, y, ..] = self.solver.hot.body(id.index()) else {
                    continue;
                };
                if body.moves() {
                    body.velocity = Vec2::new(vx.into(), vy.into());
                    body.angular_velocity = w.into();
                }
                moved = [x, y, turned].map(f64::from);
                body.center += Vec2::new(moved[0], moved[1]);
                body.rotation += moved[2];
            }
            rest.look(body, moved);
            let Body { center, rotation, velocity, angular_velocity, .. } = *body;
            // The origin is somewhere too, however far off the centre of mass is.
            let arm = body.properties.center;
            let reach = center.x.abs() + center.y.abs() + arm.x.abs() + arm.y.abs();
            let whole = reach.is_finite() && rotation.is_finite();
            if whole && velocity.is_finite() && angular_velocity.is_finite() {
                continue;
            }
            self.report.events.push(Event::NotFinite(id));
            let [x, y, turn] = self.solver.poses[id.index()];
            body.center = Vec2::new(x, y);
            body.rotation = turn;
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
            stopped.push(id);
        }
        for id in stopped {
            self.forget_impulses(id);
        }
    }

    /// What joints remember of a body that was stopped is no number.
    fn forget_impulses(&mut self, id: crate::BodyId) {
        for (joint, on) in self.joints.iter_mut().filter(|(_, on)| on.def.bodies.contains(&id)) {
            on.cached = Default::default();
            if let Some(places) = self.solver.places.get_mut(joint.index()) {
                places.clear();
            }
        }
        self.solver.dirty = true;
    }
}

/// g + F/m and τ/I, nothing for a freedom that is locked: it has no weight either.
fn acceleration(body: &Body, gravity: Vec2) -> [f64; 3] {
    let [x, y, turn] = body.inverse_mass();
    let pull = gravity * body.gravity_scale;
    let along = |inverse: f64, force: f64, pull: f64| {
        if inverse == 0.0 { 0.0 } else { pull + inverse * force }
    };
    [along(x, body.force.x, pull.x), along(y, body.force.y, pull.y), turn * body.torque]
}

/// What is left of v_x, v_y and ω after `h`: v(t) = v₀ e^(−ct), and nothing of a locked freedom.
fn keeps(body: &Body, h: f64) -> [f64; 3] {
    let decay = |c: f64| if c > 0.0 { precise::exp(-h * c) } else { 1.0 };
    let (linear, angular) = (decay(body.linear_damping), decay(body.angular_damping));
    let locked = [body.locked.x, body.locked.y, body.locked.rotation];
    let kept = [linear, linear, angular];
    std::array::from_fn(|k| if locked[k] { 0.0 } else { kept[k] })
}

/// What a sub-step adds to the velocities of a body that joints and forces move together, and what
/// it keeps of them; a kinematic one keeps its velocity.
fn mover(body: &Body, gravity: Vec2, h: f64) -> ([f32; 3], [f32; 3]) {
    if !body.moves() {
        return ([0.0; 3], [1.0; 3]);
    }
    let push = acceleration(body, gravity).map(|each| (h * each) as f32);
    (push, keeps(body, h).map(|each| each as f32))
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Direct, ForceRange, Softness, Spring};
    use crate::{BodyDef, JointDef, JointKind, Motor, Shape, Vec2, World};
    use kempe_scalar::Isa;

    /// A little of everything, in more lanes than one batch.
    fn scene() -> World {
        let mut world = World::default();
        let ground = world.add_body(&BodyDef::fixed()).unwrap();
        let mut last = ground;
        let (a, b) = (Vec2::new(0.5, 0.1), Vec2::new(-0.5, 0.2));
        let rail = Vec2::new(0.6, 0.8);
        let program = "body a, b  scalar far = 3 -> 0.1
            constraint { |b.position - a.position| - far  b.rotation - a.rotation - sin(time) }";
        let program = kempe_equation::Program::parse(program).unwrap();
        for k in 0..60 {
            let shapes = vec![(Shape::rectangle(0.5, 0.2), 1.0)];
            let position = Vec2::new(f64::from(k), 0.3 * f64::from(k % 3));
            let def = BodyDef { position, shapes, angular_velocity: 0.1, ..BodyDef::dynamic() };
            let body = world.add_body(&def).unwrap();
            let kind = match k % 6 {
                0 => JointKind::Weld { anchor_a: a, anchor_b: b, angle: 0.1 },
                1 => JointKind::Revolute { anchor_a: a, anchor_b: b, angle: 0.0 },
                2 => JointKind::Prismatic { anchor_a: a, anchor_b: b, rail, angle: 0.0 },
                3 => JointKind::Slot { anchor_a: a, anchor_b: b, rail, angle: 0.0 },
                4 => JointKind::Distance { anchor_a: a, anchor_b: b },
                _ => JointKind::Angle { ratio: 1.5, angle: 0.2 },
            };
            let mut def = JointDef::new(kind, last, body);
            if k % 6 != 0 {
                let motor =
                    Motor::Velocity { speed: 0.5.into(), force: ForceRange::symmetric(2.0) };
                let softness = Softness::Hertz { hertz: 3.0, damping_ratio: 0.2 };
                let spring = Spring { rest: 0.1, softness, force: ForceRange::default() };
                let axis = Axis { motor: Some(motor), spring: Some(spring), ..Axis::default() };
                def = def.with_axis(axis).with_limit(-0.5, 1.2);
            }
            world.add_joint(&def).unwrap();
            if k % 5 == 3 {
                // The same once more as text, soft; and a pulley with a limited force.
                let pin = crate::TextJoint::new(&program).joint(&[("a", ground), ("b", body)]);
                let softness = Softness::Stiffness { stiffness: 20.0, damping: 1.0 };
                world.add_joint(&pin.unwrap().with_softness(softness)).unwrap();
                let over = [ground, last, ground, body];
                let mut pulley = JointDef::stiff_pulley(over, [a; 4], 1.5, 9.0);
                pulley.max_force = 5.0;
                world.add_joint(&pulley).unwrap();
            }
            last = body;
        }
        world
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let hashes = |isa: Isa, direct: Direct| {
            let mut world = scene();
            world.set_settings(crate::Settings { direct, ..world.settings() }).unwrap();
            world.isa = isa;
            (0..60)
                .map(|_| {
                    world.step(1.0 / 60.0).unwrap();
                    world.state_hash()
                })
                .collect::<Vec<u64>>()
        };
        let all = Isa::available();
        for direct in [Direct::Always, Direct::Never] {
            let first = hashes(all[0], direct);
            for isa in &all[1..] {
                assert_eq!(hashes(*isa, direct), first, "{} {direct:?}", isa.name());
            }
            assert!(scene().state_hash() != first[59]);
        }
    }

    #[test]
    fn a_copy_goes_on_with_the_same_bits() {
        let mut world = scene();
        for _ in 0..30 {
            world.step(1.0 / 60.0).unwrap();
        }
        let mut copy = world.clone();
        for _ in 0..30 {
            world.step(1.0 / 60.0).unwrap();
            copy.step(1.0 / 60.0).unwrap();
            assert_eq!(world.state_hash(), copy.state_hash());
        }
    }
}
