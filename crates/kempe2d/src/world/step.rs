//! One step, as a table of contents.

use super::World;
use crate::error::{Error, at_least_zero};
use crate::report::{StepReport, Times};
use crate::solver::{Pass, Shared};
use std::time::{Duration, Instant};

/// No step that has a length is shorter, s.
const SHORTEST: f64 = 1e-9;

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
                Some(threads) if self.is_divided() => threads.run(|| self.advance(clock)),
                _ => self.advance(clock),
            }
        }
        Ok(&self.report)
    }

    fn advance(&mut self, mut clock: Clock) {
        // Pairs and contacts will be found here.
        self.prepare_joints();
        self.color_constraints(&mut clock);
        let views = self.stateful_views();
        self.run_tiles(&mut clock);
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
        self.report_unknown();
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
        if self.solver.springs != self.settings.springs {
            self.solver.springs = self.settings.springs;
            self.solver.dirty = true;
        }
        self.solver.prepare(&self.bodies, &mut self.joints, [h, time]);
        self.place_bodies(h);
        self.solver.start(&self.joints);
        clock.stage(&mut self.report.times, |times| &mut times.prepare);
        self.solver.start_tiles(self.isa);
        self.solver.evaluate_start(self.isa, &self.joints);
        self.solver.note_approach();
        clock.stage(&mut self.report.times, |times| &mut times.evaluate);
    }

    /// All sub-steps of tiles that no joint leads out of.
    fn run_tiles(&mut self, clock: &mut Clock) {
        self.solver.run_tiles(self.isa, clock.substeps);
        clock.stage(&mut self.report.times, |times| &mut times.solve);
    }

    /// Motors that follow the clock, and force laws, for a sub-step.
    fn drive(&mut self, clock: &Clock, substep: u32) {
        self.solver.drive_forces(&self.joints, clock.h * f64::from(substep + 1));
    }

    fn warm_start(&mut self) {
        self.solver.pass(self.isa, &self.joints, Pass::Warm);
    }

    fn solve(&mut self, clock: &mut Clock, substep: u32) {
        self.solver.pass_around(self.isa, &self.joints, Pass::Solve);
        self.solver.advance_islands(self.isa, &self.joints, clock.h * f64::from(substep + 1));
        clock.stage(&mut self.report.times, |times| &mut times.solve);
    }

    /// At the new pose: the second halves of forces and impulses that come in halves.
    fn push_again(&mut self, clock: &mut Clock, substep: u32) {
        self.solver.evaluate(self.isa, &self.joints, clock.h * f64::from(substep + 1));
        clock.stage(&mut self.report.times, |times| &mut times.evaluate);
        let Self { solver, isa, .. } = self;
        solver.tighten_islands(*isa, &self.joints, clock.h * f64::from(substep + 1));
        solver.movers.accelerate_again(Shared::new(&mut solver.hot.floats));
        solver.pass(*isa, &self.joints, Pass::Again);
    }

    /// Rigid rows give back what their bias added.
    fn relax(&mut self, clock: &mut Clock) {
        self.solver.pass_around(self.isa, &self.joints, Pass::Relax);
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

    fn integrate_velocities(&mut self, clock: &mut Clock) {
        self.accelerate(clock.h);
        clock.stage(&mut self.report.times, |times| &mut times.integrate);
    }

    fn integrate_positions(&mut self, clock: &mut Clock) {
        self.move_bodies(clock.h);
        clock.stage(&mut self.report.times, |times| &mut times.integrate);
    }
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
