//! Bodies and what the solver keeps of them.
//!
//! A step ends by putting the bodies where the solver has moved them, and the solver's state where
//! the next step starts. So a step has to look only at bodies that were changed since then.

use super::{Settings, World};
use crate::body::{Body, BodyId, BodyKind};
use crate::report::Event;
use crate::solver::{HOT, Push, Shared, Solver, divide_list, turn};
use kempe_scalar::{Vec2, precise};
use kempe_solve::Run;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Into how many parts the bodies are divided for threads, and how many are worth that.
const PARTS: usize = 16;
const LEAST: usize = 512;

/// What the solver knows about the bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// The version of the pool that it knows.
    version: Option<u64>,
    /// The bits of the gravity that pushes them, and of the sub-step.
    pushed: [u64; 3],
    /// Slots that are different since then, or that forces acted on.
    edited: Vec<u32>,
    /// Whether forces may have been anywhere.
    anywhere: bool,
    /// How many bodies move.
    moving: usize,
    /// Slots of bodies that move and that no joint refers to.
    free: Vec<usize>,
}

/// How far a body at rest gets in the time after which it sleeps, of the way that it would go at the speed
/// that counts as slow.
///
/// Speed alone cannot tell rest: what a small force has just begun to move is slow, what swings is slow where
/// it turns round, and what nothing stops may be slow for ever. All of these leave their place. What rests
/// does not, but trembles in the last digits of f32: chains, beams and bridges that hang at rest tremble by
/// 2e-6 m and less in half a second, with up to 1e-4 m/s.
const WITHIN: f64 = 1.0 / 500.0;

/// What counts as rest: a body is slow, and stays where it is.
#[derive(Clone, Copy)]
struct Rest {
    speed: f64,
    turn: f64,
    /// 1/dt
    rate: f64,
    dt: f64,
    /// What a step at rest adds to the time of it.
    counted: f32,
    /// How far a body may get from where it began to rest, m and rad.
    within: [f32; 2],
}

impl Rest {
    fn new(settings: &Settings, dt: f64) -> Self {
        // However long a step is, one alone shows no rest.
        let quarter = 0.25 * settings.sleep_time;
        let counted = if quarter > 0.0 { dt.min(quarter) } else { dt } as f32;
        let (speed, turn) = (settings.sleep_speed, settings.sleep_turn);
        let time = settings.sleep_time.max(dt);
        let within = [speed, turn].map(|speed| (WITHIN * speed * time) as f32);
        Self { speed, turn, rate: 1.0 / dt, dt, counted, within }
    }

    /// Counts for how long a body has been slow in one place; joints have moved and turned it so far in
    /// this step, if there are any. A joint that closes moves bodies whose velocity is zero at the end of
    /// the step.
    #[inline(always)]
    fn look(&self, body: &mut Body, now: &Motion, moved: Option<[f64; 3]>) {
        if !body.moves() || body.asleep {
            return;
        }
        let (rate, dt) = (self.rate, self.dt);
        let free = [now.velocity.x * dt, now.velocity.y * dt, now.turning * dt];
        let [x, y, turned] = moved.unwrap_or(free);
        let v = now.velocity.length_squared().max((x * x + y * y) * (rate * rate));
        let w = now.turning.abs().max(turned.abs() * rate);
        let slow = v < self.speed * self.speed && w < self.turn;
        let [far_x, far_y, far_turned] = body.strayed;
        let strayed = [far_x + x as f32, far_y + y as f32, far_turned + turned as f32];
        let [reach, turn] = self.within;
        let here = strayed[0] * strayed[0] + strayed[1] * strayed[1] <= reach * reach
            && strayed[2].abs() <= turn;
        match slow && here && body.can_sleep {
            true => (body.idle, body.strayed) = (body.idle + self.counted, strayed),
            false => body.begin_rest(),
        }
    }
}

impl World {
    /// Whether there is enough in it to wake threads for.
    pub(super) fn is_divided(&self) -> bool {
        self.bodies.slots() >= 2 * LEAST || self.solver.is_divided()
    }

    /// What is in a slot, to be changed before the next step.
    pub(super) fn touch(&mut self, slot: usize) -> Option<&mut Body> {
        let Placed { version, edited, .. } = &mut self.placed;
        if *version == Some(self.bodies.version()) {
            if edited.last() != Some(&(slot as u32)) {
                edited.push(slot as u32);
            }
            if edited.len() > self.bodies.slots() + LEAST {
                *version = None;
            }
        }
        self.bodies.quiet_mut(slot)
    }

    /// Puts the bodies into the solver's state, or those that are different.
    pub(super) fn place_bodies(&mut self, h: f64) {
        let gravity = self.settings.gravity;
        let Self { bodies, solver, placed, .. } = self;
        let known = placed.version == Some(bodies.version()) && !solver.remade;
        solver.hot.reset_nobody();
        if known && placed.pushed == [gravity.x, gravity.y, h].map(f64::to_bits) {
            for slot in &placed.edited {
                let slot = *slot as usize;
                let Some(body) = bodies.at(slot) else { continue };
                solver.place_body(slot, body);
                let (push, keep) = mover(body, gravity, h);
                match solver.direct_island(slot) {
                    Some(island) => island.set_push(slot as u32 + 1, push, keep),
                    None => solver.movers_of(slot).set(slot, push, keep),
                }
            }
        } else {
            self.place_all(h);
        }
        self.report.counts.moved = self.placed.moving;
    }

    fn place_all(&mut self, h: f64) {
        let gravity = self.settings.gravity;
        let Self { bodies, solver, placed, .. } = self;
        bodies.shrink();
        placed.edited.clear();
        placed.free.clear();
        (placed.moving, placed.anywhere) = (0, true);
        placed.pushed = [gravity.x, gravity.y, h].map(f64::to_bits);
        solver.hot.reset(bodies.slots(), solver.spare);
        solver.poses.clear();
        solver.poses.resize(bodies.slots(), [0.0; 3]);
        let push = |solver: &Solver, slot: usize, body: &Body| {
            let (push, keep) = mover(body, gravity, h);
            Push::new(push, keep, solver.split[slot])
        };
        let jointed = |(id, body): &(BodyId, &Body)| body.moves() && solver.is_jointed(id.index());
        let first = bodies.iter().find(jointed).map(|(id, body)| push(solver, id.index(), body));
        solver.clear_movers(first.unwrap_or_default());
        for (id, body) in bodies.iter() {
            let slot = id.index();
            let goes = body.enabled && body.kind != BodyKind::Static && !body.asleep;
            placed.moving += usize::from(goes);
            solver.place_body(slot, body);
            if !solver.is_jointed(slot) {
                placed.free.extend(goes.then_some(slot));
            } else if let Some(island) = solver.direct_island(slot) {
                let (push, keep) = mover(body, gravity, h);
                island.set_push(slot as u32 + 1, push, keep);
            } else if body.kind != BodyKind::Static {
                let push = push(solver, slot, body);
                solver.movers_of(slot).push(slot, push);
            }
        }
        solver.movers.finish();
        placed.version = Some(bodies.version());
    }

    /// Both velocities decay, then v += h (g + F/m), ω += h τ/I.
    pub(super) fn accelerate(&mut self, h: f64) {
        let gravity = self.settings.gravity;
        let Self { bodies, solver, placed, .. } = self;
        for slot in &placed.free {
            let Some(body) = bodies.quiet_mut(*slot).filter(|body| body.moves()) else { continue };
            let [x, y, turn] = keeps(body, h);
            body.velocity = Vec2::new(body.velocity.x * x, body.velocity.y * y);
            body.angular_velocity *= turn;
            let [x, y, turn] = acceleration(body, gravity).map(|each| h * each);
            body.velocity += Vec2::new(x, y);
            body.angular_velocity += turn;
        }
        solver.movers.accelerate(Shared::new(&mut solver.hot.floats));
    }

    /// x += h v, θ += h ω.
    pub(super) fn move_bodies(&mut self, h: f64) {
        let Self { bodies, solver, placed, isa, .. } = self;
        solver.movers.advance(*isa, Shared::new(&mut solver.hot.floats), h as f32);
        for slot in &placed.free {
            let Some(body) = bodies.quiet_mut(*slot) else { continue };
            body.center += body.velocity * h;
            body.rotation += h * body.angular_velocity;
        }
    }

    /// The changes in f32 since the start of the step go into the state in f64, and forces are used
    /// up. A number that has left its range must not spread: the body is stopped where it last was.
    pub(super) fn settle_bodies(&mut self, dt: f64) {
        self.use_up_forces();
        let rest = Rest::new(&self.settings, dt);
        let Self { bodies, solver, placed, .. } = self;
        let known = placed.version == Some(bodies.version());
        let slots = bodies.slots();
        let settle = Settle {
            bodies: bodies.run_mut(),
            hot: &mut solver.hot.floats[HOT..HOT * (slots + 1)],
            poses: &mut solver.poses,
            joints_on: &solver.joints_on,
        };
        let whole = settle.run(&rest, solver.threads);
        placed.version = known.then(|| bodies.version());
        if !whole {
            self.stop_bodies();
        }
    }

    /// Forces act for one step. Those that were pushed are not pushed so in the next.
    fn use_up_forces(&mut self) {
        let Self { bodies, placed, .. } = self;
        let slots = bodies.slots();
        let mut use_up = |slot: usize| {
            let Some(body) = bodies.quiet_mut(slot) else { return false };
            body.seldom.use_up()
        };
        if std::mem::replace(&mut placed.anywhere, false) {
            for slot in 0..slots {
                if use_up(slot) {
                    placed.edited.push(slot as u32);
                }
            }
        } else {
            placed.edited.retain(|slot| use_up(*slot as usize));
        }
    }

    /// Stops bodies that are nowhere.
    fn stop_bodies(&mut self) {
        let mut stopped = Vec::new();
        for (id, body) in self.bodies.iter_mut() {
            if Motion::of(body).is_somewhere(body) {
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
    fn forget_impulses(&mut self, id: BodyId) {
        for (joint, on) in self.joints.iter_mut().filter(|(_, on)| on.def.bodies.contains(&id)) {
            on.cached = Default::default();
            if let Some(places) = self.solver.places.get_mut(joint.index()) {
                places.clear();
            }
        }
        self.solver.dirty = true;
    }
}

/// Bodies at the end of a step, and the solver's state of them; by slot.
struct Settle<'a> {
    bodies: Run<'a, Body>,
    hot: &'a mut [f32],
    poses: &'a mut [[f64; 3]],
    joints_on: &'a [u32],
}

impl Settle<'_> {
    /// Settles all of them, on several threads if there are enough of them. Says whether all are
    /// somewhere.
    fn run(self, rest: &Rest, threads: bool) -> bool {
        let slots = self.bodies.slots();
        if !threads || slots < 2 * LEAST {
            return self.settle(rest);
        }
        let size = slots.div_ceil(PARTS);
        let mut left = Some(self);
        let parts: [Mutex<Option<Settle<'_>>>; PARTS] = std::array::from_fn(|_| {
            let (first, then) = left.take().map(|all| all.split(size)).unzip();
            left = then;
            Mutex::new(first)
        });
        let whole = AtomicBool::new(true);
        divide_list(&parts, |part| {
            if !part.settle(rest) {
                whole.store(false, Ordering::Relaxed);
            }
        });
        whole.into_inner()
    }

    fn split(self, slots: usize) -> (Self, Self) {
        let Self { bodies, hot, poses, joints_on } = self;
        let slots = slots.min(bodies.slots());
        let (first, then) = bodies.split_at(slots);
        let (hot, hot_then) = hot.split_at_mut(HOT * slots);
        let (poses, poses_then) = poses.split_at_mut(slots);
        let (on, on_then) = joints_on.split_at(slots.min(joints_on.len()));
        let rest = Self { bodies: then, hot: hot_then, poses: poses_then, joints_on: on_then };
        (Self { bodies: first, hot, poses, joints_on: on }, rest)
    }

    fn settle(mut self, rest: &Rest) -> bool {
        let mut whole = true;
        let mut joints_on = self.joints_on.iter().copied().chain(std::iter::repeat(0));
        let mut bodies = self.bodies.iter_mut();
        let states = self.hot.chunks_mut(HOT * TOGETHER).zip(self.poses.chunks_mut(TOGETHER));
        for (states, poses) in states {
            let mut angles = [0.0; TOGETHER];
            let mut jointed = [false; TOGETHER];
            let each = states.as_chunks_mut::<HOT>().0.iter_mut().zip(poses);
            for (k, (state, pose)) in each.enumerate() {
                let (body, joints) = (bodies.next().flatten(), joints_on.next().unwrap_or(0));
                let Some(body) = body else { continue };
                let mut moved = None;
                let mut now = Motion::of(body);
                if joints > 0 && body.kind != BodyKind::Static {
                    let [vx, vy, w, turned, x, y, ..] = state.map(f64::from);
                    if body.moves() {
                        (now.velocity, now.turning) = (Vec2::new(vx, vy), w);
                    }
                    moved = Some([x, y, turned]);
                    now.center += Vec2::new(x, y);
                    now.rotation += turned;
                    now.put(body);
                }
                rest.look(body, &now, moved);
                if !now.is_somewhere(body) {
                    whole = false;
                    continue;
                }
                *pose = [now.center.x, now.center.y, now.rotation];
                if joints > 0 {
                    *state = now.start([0.0; 2]);
                    (angles[k], jointed[k]) = (now.rotation, true);
                }
            }
            // All of them at once, in lanes.
            let mut turns = [[0.0; 2]; TOGETHER];
            turns.iter_mut().zip(angles).for_each(|(turned, angle)| *turned = turn(angle));
            let states = states.as_chunks_mut::<HOT>().0.iter_mut().zip(turns).zip(jointed);
            for ((state, turned), _) in states.filter(|each| each.1) {
                [state[6], state[7]] = turned;
            }
        }
        whole
    }
}

/// How many bodies are settled together.
const TOGETHER: usize = 8;

/// The state of a body in f32, at the start of a step.
pub(crate) fn start_of(body: &Body) -> [f32; HOT] {
    Motion::of(body).start(turn(body.rotation))
}

/// What moves of a body. In a loop it stays in registers: to read at once what was just written piece
/// by piece takes longer than all the rest.
#[derive(Clone, Copy)]
struct Motion {
    center: Vec2,
    rotation: f64,
    velocity: Vec2,
    turning: f64,
}

impl Motion {
    #[inline(always)]
    fn of(body: &Body) -> Self {
        let Body { center, rotation, velocity, angular_velocity: turning, .. } = *body;
        Self { center, rotation, velocity, turning }
    }

    #[inline(always)]
    fn put(self, body: &mut Body) {
        let Self { center, rotation, velocity, turning } = self;
        (body.center, body.rotation) = (center, rotation);
        (body.velocity, body.angular_velocity) = (velocity, turning);
    }

    #[inline(always)]
    fn start(&self, [cos, sin]: [f32; 2]) -> [f32; HOT] {
        let [x, y, w] = [self.velocity.x, self.velocity.y, self.turning].map(|each| each as f32);
        [x, y, w, 0.0, 0.0, 0.0, cos, sin]
    }

    /// Whether its numbers are numbers.
    #[inline(always)]
    fn is_somewhere(&self, body: &Body) -> bool {
        let Self { center, rotation, velocity, turning } = *self;
        // The origin is somewhere too, however far off the centre of mass is.
        let arm = body.properties.center;
        let reach = center.x.abs() + center.y.abs() + arm.x.abs() + arm.y.abs();
        let speeds = velocity.x.abs() + velocity.y.abs();
        // A sum of numbers is none if one of them is none; or if they are too large together.
        (reach + rotation.abs() + speeds + turning.abs()).is_finite()
            || (reach.is_finite()
                && rotation.is_finite()
                && velocity.is_finite()
                && turning.is_finite())
    }
}

/// g + F/m and τ/I, nothing for a freedom that is locked: it has no weight either.
fn acceleration(body: &Body, gravity: Vec2) -> [f64; 3] {
    let [x, y, turn] = body.inverse_mass();
    let pull = gravity * body.seldom.gravity_scale;
    let along = |inverse: f64, force: f64, pull: f64| {
        if inverse == 0.0 { 0.0 } else { pull + inverse * force }
    };
    [
        along(x, body.seldom.force.x, pull.x),
        along(y, body.seldom.force.y, pull.y),
        turn * body.seldom.torque,
    ]
}

/// What is left of v_x, v_y and ω after `h`: v(t) = v₀ e^(−ct), and nothing of a locked freedom.
fn keeps(body: &Body, h: f64) -> [f64; 3] {
    let decay = |c: f64| if c > 0.0 { precise::exp(-h * c) } else { 1.0 };
    let (linear, angular) = (decay(body.seldom.linear_damping), decay(body.seldom.angular_damping));
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
