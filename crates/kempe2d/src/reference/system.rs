//! A world as one system: its freedoms, and the rows of its joints.

use super::lines::{Line, lines_of};
use crate::body::BodyKind;
use crate::joint::{Joint, JointId};
use crate::user::{Pose, Rows};
use crate::world::World;
use kempe_scalar::{Vec2, precise};
use kempe_solve::Pool;
use smallvec::SmallVec;

/// A body that the solver moves.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub slot: usize,
    /// m, m, I; 1 for a freedom that is locked.
    pub mass: [f64; 3],
    pub free: [bool; 3],
    /// The centre of mass in the axes of the body.
    pub center: Vec2,
    /// What acts on it beside joints: m g + F and τ.
    pub force: [f64; 3],
    /// m c: how much it loses with its speed.
    pub damping: [f64; 3],
}

/// Where a body of a joint is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// Which of the movers.
    Moves(usize),
    /// Which of the others.
    Still(usize),
}

/// A body that nothing moves, or that moves by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stander {
    slot: usize,
    center: Vec2,
    local: Vec2,
    rotation: f64,
    velocity: Vec2,
    turning: f64,
}

impl Stander {
    fn goes(&self) -> bool {
        self.velocity != Vec2::ZERO || self.turning != 0.0
    }

    /// Its centre of mass and angle after so long.
    fn at(&self, after: f64) -> (Vec2, f64) {
        (self.center + self.velocity * after, self.rotation + self.turning * after)
    }
}

/// A joint that takes part.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub id: JointId,
    pub roles: Vec<Role>,
    /// How many rows it has, held ones and axes.
    pub rows: usize,
    /// Whether its parameters move, so that it has a state for each time.
    pub driven: bool,
    /// Whether it has anything of its own that steps change.
    pub stateful: bool,
    /// What a program saw of its bodies when the joints' own states were last moved on.
    pub view: Vec<kempe_equation::BodyState>,
}

/// Positions of the centres of mass and angles, velocities, and the time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub t: f64,
    /// By part: the place on a path.
    pub places: Vec<f64>,
}

/// What one line is at a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub value: f64,
    pub bias: f64,
    /// (mover, J of its centre of mass and turning)
    pub j: SmallVec<[(usize, [f64; 3]); 3]>,
}

impl Found {
    /// J v + bias
    pub(crate) fn speed(&self, v: &[f64]) -> f64 {
        let each = self.j.iter().flat_map(|(at, j)| (0..3).map(move |k| (3 * at + k, j[k])));
        each.fold(self.bias, |sum, (k, j)| sum + j * v[k])
    }

    /// out += Jᵀ λ
    pub(crate) fn push(&self, lambda: f64, out: &mut [f64]) {
        for (at, j) in &self.j {
            for (k, j) in j.iter().enumerate() {
                out[3 * at + k] += lambda * j;
            }
        }
    }
}

/// A world as one system.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub movers: Vec<Mover>,
    pub standers: Vec<Stander>,
    pub parts: Vec<Part>,
    pub lines: Vec<Line>,
    pub joints: Pool<Joint>,
    /// The time at which the others stand where they are.
    start: f64,
    /// The time at which the joints' own states are what they are.
    pub since: f64,
}

impl System {
    /// The system of a world as it is.
    pub(crate) fn new(world: &World) -> Self {
        let mut movers = Vec::new();
        let mut standers = Vec::new();
        let mut roles = vec![None; world.bodies.slots()];
        for (id, body) in world.bodies.iter().filter(|(_, body)| body.enabled) {
            let inverse = body.inverse_mass();
            if body.moves() && inverse.iter().any(|each| *each > 0.0) {
                roles[id.index()] = Some(Role::Moves(movers.len()));
                let free = inverse.map(|each| each > 0.0);
                let mass = inverse.map(|each| if each > 0.0 { 1.0 / each } else { 1.0 });
                let pull =
                    world.settings.gravity * (body.seldom.gravity_scale * body.properties.mass);
                let all = [
                    pull.x + body.seldom.force.x,
                    pull.y + body.seldom.force.y,
                    body.seldom.torque,
                ];
                let decay = [
                    body.seldom.linear_damping,
                    body.seldom.linear_damping,
                    body.seldom.angular_damping,
                ];
                let only = |numbers: [f64; 3]| {
                    std::array::from_fn(|k| if free[k] { numbers[k] } else { 0.0 })
                };
                movers.push(Mover {
                    slot: id.index(),
                    mass,
                    free,
                    center: body.properties.center,
                    force: only(all),
                    damping: only(std::array::from_fn(|k| decay[k] * mass[k])),
                });
            } else {
                roles[id.index()] = Some(Role::Still(standers.len()));
                let goes = body.kind == BodyKind::Kinematic;
                standers.push(Stander {
                    slot: id.index(),
                    center: body.center,
                    local: body.properties.center,
                    rotation: body.rotation,
                    velocity: if goes { body.velocity } else { Vec2::ZERO },
                    turning: if goes { body.angular_velocity } else { 0.0 },
                });
            }
        }
        let mut joints = world.joints.clone();
        world.solver.write_directions(&mut joints);
        let mut system = Self {
            movers,
            standers,
            parts: Vec::new(),
            lines: Vec::new(),
            joints,
            start: world.time,
            since: world.time,
        };
        for (id, joint) in world.joints.iter() {
            let own: Option<Vec<Role>> =
                joint.def.bodies.iter().map(|id| roles[id.index()]).collect();
            let Some(own) = own.filter(|own| {
                joint.def.enabled && own.iter().any(|role| matches!(role, Role::Moves(_)))
            }) else {
                continue;
            };
            let driven = matches!(&joint.def.kind, crate::JointKind::Text(text)
                if text.program().parameters().iter().any(|each| each.driven));
            let stateful = match &joint.def.kind {
                crate::JointKind::Text(text) => driven || !text.instance.memories().is_empty(),
                crate::JointKind::User(_) => true,
                _ => false,
            };
            let view = world.body_states(&joint.def.bodies);
            let rows = joint.def.kind.hold_count() + joint.def.kind.axis_count();
            system.parts.push(Part { id, roles: own, rows, driven, stateful, view });
            let part = system.parts.len() - 1;
            let lines = lines_of(world, joint, part);
            system.lines.extend(lines);
        }
        system
    }

    /// Whether anything can be reached, left, slip or stick.
    pub(crate) fn switches(&self) -> bool {
        self.lines.iter().any(|line| line.what.switches())
    }

    /// How many freedoms there are.
    pub(crate) fn freedoms(&self) -> usize {
        3 * self.movers.len()
    }

    /// The state of a world.
    pub(crate) fn state(&self, world: &World) -> State {
        let mut state = State { t: world.time, ..State::default() };
        for mover in &self.movers {
            let Some(body) = world.bodies.at(mover.slot) else { continue };
            state.q.extend([body.center.x, body.center.y, body.rotation]);
            let speeds = [body.velocity.x, body.velocity.y, body.angular_velocity];
            // A locked freedom has no speed.
            state.v.extend((0..3).map(|k| if mover.free[k] { speeds[k] } else { 0.0 }));
        }
        let place = |part: &Part| {
            let joint = world.joints.get(part.id).ok();
            joint.map_or(0.0, |joint| joint.place(&world.poses(&joint.def.bodies)))
        };
        state.places = self.parts.iter().map(place).collect();
        state
    }

    /// Writes a state into a world.
    pub(crate) fn write(&self, state: &State, world: &mut World) {
        world.solver.tell_directions(&mut world.joints);
        for (mover, (q, v)) in
            self.movers.iter().zip(state.q.chunks_exact(3).zip(state.v.chunks_exact(3)))
        {
            let Some(body) = world.bodies.at_mut(mover.slot) else { continue };
            body.center = Vec2::new(q[0], q[1]);
            body.rotation = q[2];
            body.velocity = Vec2::new(v[0], v[1]);
            body.angular_velocity = v[2];
        }
        for stander in self.standers.iter().filter(|stander| stander.goes()) {
            let Some(body) = world.bodies.at_mut(stander.slot) else { continue };
            (body.center, body.rotation) = stander.at(state.t - self.start);
        }
        self.write_joints(state, world);
    }

    /// The poses of the origins of a part's bodies.
    pub(crate) fn poses(&self, part: &Part, q: &[f64], t: f64) -> SmallVec<[Pose; 4]> {
        let pose = |role: &Role| {
            let (center, local, rotation) = match *role {
                Role::Moves(at) => {
                    let center = Vec2::new(q[3 * at], q[3 * at + 1]);
                    (center, self.movers[at].center, q[3 * at + 2])
                }
                Role::Still(at) => {
                    let still = &self.standers[at];
                    let (center, rotation) = still.at(t - self.start);
                    (center, still.local, rotation)
                }
            };
            let (sin, cos) = precise::sin_cos(rotation);
            Pose { position: center - local.turned(cos, sin), rotation, cos, sin }
        };
        part.roles.iter().map(pose).collect()
    }

    /// The centre of mass of a role's body in its axes.
    pub(crate) fn center(&self, role: Role) -> Vec2 {
        match role {
            Role::Moves(at) => self.movers[at].center,
            Role::Still(at) => self.standers[at].local,
        }
    }

    /// The velocity of a body that goes by itself.
    fn own_speed(&self, role: Role) -> [f64; 3] {
        match role {
            Role::Moves(_) => [0.0; 3],
            Role::Still(at) => {
                let still = &self.standers[at];
                [still.velocity.x, still.velocity.y, still.turning]
            }
        }
    }

    /// All lines at a state; places on paths are followed. Says which joint has no value, if one has
    /// none.
    pub(crate) fn evaluate(&self, state: &mut State, out: &mut Vec<Found>) -> Result<(), JointId> {
        out.resize_with(self.lines.len(), Found::default);
        let mut rows = Rows::default();
        let mut line = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let first = line;
            while self.lines.get(line).is_some_and(|each| each.part == index) {
                line += 1;
            }
            if first == line {
                continue;
            }
            let joint = self.joint_at(part, state.t).ok_or(part.id)?;
            let poses = self.poses(part, &state.q, state.t);
            let near = &mut state.places[index];
            joint.rows_at(&self.joints, &poses, state.t, near, &mut rows).ok_or(part.id)?;
            let known = |line: &Line| line.what.is_number_at(state.t);
            if !rows.is_finite() || !self.lines[first..line].iter().all(known) {
                return Err(part.id);
            }
            for (each, found) in self.lines[first..line].iter().zip(&mut out[first..line]) {
                found.value = rows.value[each.row];
                found.bias = rows.bias[each.row];
                found.j.clear();
                for (role, (pose, j)) in
                    part.roles.iter().zip(poses.iter().zip(&rows.jacobian[each.row]))
                {
                    // Of the centre of mass: v_origin = v − ω ⊥(R c).
                    let arm = self.center(*role).turned(pose.cos, pose.sin).perp();
                    let mut j = [j[0], j[1], j[2] - (j[0] * arm.x + j[1] * arm.y)];
                    match *role {
                        Role::Still(_) => {
                            let own = self.own_speed(*role);
                            found.bias += j.iter().zip(own).map(|(j, v)| j * v).sum::<f64>();
                        }
                        Role::Moves(at) => {
                            for (k, j) in j.iter_mut().enumerate() {
                                *j = if self.movers[at].free[k] { *j } else { 0.0 };
                            }
                            match found.j.iter_mut().find(|each| each.0 == at) {
                                Some((_, sum)) => (0..3).for_each(|k| sum[k] += j[k]),
                                None => found.j.push((at, j)),
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
