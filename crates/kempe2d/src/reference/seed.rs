//! One Newton iterate of a step against the linear equations of implicit models written by hand.
//!
//! The models are those of a note on implicit simulation by Newton–Raphson, misprints corrected: each
//! is a list of linear equations in the next positions, velocities and forces, with everything that
//! turns taken at the present iterate. `x` goes on by k v_new + (1 − k) v_old, and `v` by the
//! forces likewise.
//!
//! Two things are different here, and both on purpose. The force of a joint is not averaged with that
//! of the step before, which would ring without end: it has the weight of the whole step. And later
//! iterates know that it turns with the bodies, ∂(Jᵀλ)/∂x, which the note leaves out; in the first
//! iterate from no force that is nothing, so that all numbers must be the same. (Dry friction is
//! never from no force: there it is added.)

use super::acts::Mode;
use super::newton::Stepper;
use super::scheme::Scheme;
use super::system::System;
use crate::{
    Axis, BodyDef, BodyId, JointDef, Mass, MassProperties, Settings, Softness, Vec2, World,
};

const H: f64 = 0.02;
const WEIGHTS: [f64; 3] = [0.5, 0.7, 1.0];
const GRAVITY: Vec2 = Vec2::new(0.3, -9.81);

/// A body of a model.
#[derive(Clone, Copy)]
struct Solid {
    m: f64,
    i: f64,
    /// x, y, θ and their speeds, at the start of the step.
    old: [f64; 6],
}

impl Solid {
    const FIRST: Self = Self { m: 2.0, i: 0.3, old: [0.4, 1.1, 0.6, 0.5, -0.3, 1.5] };
    const SECOND: Self = Self { m: 0.7, i: 0.2, old: [1.3, 0.7, -0.4, -0.2, 0.8, -2.0] };

    /// Where the iteration begins: on at the speed of the start.
    fn guess(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.old[k] + H * self.old[k + 3])
    }
}

/// Linear equations in x, y, θ, v_x, v_y, ω of each body, then in forces.
struct Model {
    bodies: Vec<Solid>,
    forces: usize,
    /// (coefficients, right side)
    rows: Vec<(Vec<(usize, f64)>, f64)>,
}

impl Model {
    /// The bodies with their weights; (body, freedom, force, factor) for each part of each force.
    fn new(bodies: &[Solid], k: f64, forces: usize, parts: &[(usize, usize, usize, f64)]) -> Self {
        let mut model = Self { bodies: bodies.to_vec(), forces, rows: Vec::new() };
        for (b, body) in bodies.iter().enumerate() {
            let outer = [body.m * GRAVITY.x, body.m * GRAVITY.y, 0.0];
            for d in 0..3 {
                let (x, v) = (6 * b + d, 6 * b + 3 + d);
                let old = body.old;
                // x_new − k Δt v_new = x_old + (1 − k) Δt v_old
                model.row(&[(x, 1.0), (v, -k * H)], old[d] + (1.0 - k) * H * old[3 + d]);
                // m v_new − Δt Σ F_joint = m v_old + Δt F_outer, k F + (1 − k) F
                let mass = if d == 2 { body.i } else { body.m };
                let mut line = vec![(v, mass)];
                let own = parts.iter().filter(|part| (part.0, part.1) == (b, d));
                line.extend(own.map(|part| (model.force(part.2), -H * part.3)));
                model.row(&line, mass * old[3 + d] + H * outer[d]);
            }
        }
        model
    }

    fn force(&self, k: usize) -> usize {
        6 * self.bodies.len() + k
    }

    fn row(&mut self, line: &[(usize, f64)], right: f64) {
        self.rows.push((line.to_vec(), right));
    }

    /// By elimination with pivots.
    fn solve(&self) -> Vec<f64> {
        let n = 6 * self.bodies.len() + self.forces;
        assert_eq!(self.rows.len(), n, "as many equations as unknowns");
        let mut a: Vec<Vec<f64>> = Vec::new();
        for (line, right) in &self.rows {
            let mut row = vec![0.0; n + 1];
            line.iter().for_each(|(at, value)| row[*at] += value);
            row[n] = *right;
            a.push(row);
        }
        for at in 0..n {
            let best = (at..n).max_by(|i, j| a[*i][at].abs().total_cmp(&a[*j][at].abs())).unwrap();
            a.swap(at, best);
            for row in (0..n).filter(|row| *row != at) {
                let factor = a[row][at] / a[at][at];
                let pivot = a[at].clone();
                a[row].iter_mut().zip(&pivot).for_each(|(number, from)| *number -= factor * from);
            }
        }
        (0..n).map(|row| a[row][n] / a[row][row]).collect()
    }

    /// The world of the same bodies, and what makes a joint of them; the ground comes last.
    fn world(&self, joint: impl Fn(&[BodyId]) -> Option<JointDef>) -> World {
        let settings = Settings { gravity: GRAVITY, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let mut ids = Vec::new();
        for Solid { m, i, old } in &self.bodies {
            let mass = MassProperties { mass: *m, inertia: *i, center: Vec2::ZERO };
            let def = BodyDef {
                position: Vec2::new(old[0], old[1]),
                rotation: old[2],
                velocity: Vec2::new(old[3], old[4]),
                angular_velocity: old[5],
                mass: Mass::Given(mass),
                ..BodyDef::dynamic()
            };
            ids.push(world.add_body(&def).unwrap());
        }
        ids.push(world.ground().unwrap());
        if let Some(def) = joint(&ids) {
            world.add_joint(&def).unwrap();
        }
        world
    }

    /// The first iterate of the solver is the solution of the model.
    #[track_caller]
    fn check(&self, k: f64, world: &World, modes: &[Mode]) {
        let system = System::new(world);
        let state = system.state(world);
        let mut stepper = Stepper::new(system, &state).unwrap();
        stepper.once = true;
        for (mode, given) in stepper.modes.iter_mut().zip(modes) {
            *mode = *given;
        }
        let tried = stepper.step(&state, &Scheme::theta(&state, H, k), &[]).unwrap();
        let expected = self.solve();
        for b in 0..self.bodies.len() {
            for d in 0..3 {
                for (found, is) in [
                    (tried.state.q[3 * b + d], expected[6 * b + d]),
                    (tried.state.v[3 * b + d], expected[6 * b + 3 + d]),
                ] {
                    let close = 1e-11 * (1.0 + is.abs());
                    assert!((found - is).abs() < close, "k {k}, body {b}, {d}: {found}, not {is}");
                }
            }
        }
    }
}

/// e^{iΘ}
fn turned(theta: f64) -> (f64, f64) {
    (theta.cos(), theta.sin())
}

#[test]
fn a_mass_object() {
    for k in WEIGHTS {
        let model = Model::new(&[Solid::FIRST, Solid::SECOND], k, 0, &[]);
        model.check(k, &model.world(|_| None), &[]);
    }
}

#[test]
fn a_compound_pendulum() {
    // p = c + l e^{i(Θ_f + Θ_p)}, and τ = l (F_x sin Θ − F_y cos Θ).
    let (l, fixed, c) = (0.8, 0.9, Vec2::new(-0.2, 0.4));
    let body = Solid::FIRST;
    let theta = body.guess()[2];
    let (cos, sin) = turned(theta + fixed);
    for k in WEIGHTS {
        let parts = [(0, 0, 0, 1.0), (0, 1, 1, 1.0), (0, 2, 2, 1.0)];
        let mut model = Model::new(&[body], k, 3, &parts);
        model.row(&[(0, 1.0), (2, l * sin)], c.x + l * cos + l * sin * theta);
        model.row(&[(1, 1.0), (2, -l * cos)], c.y + l * sin - l * cos * theta);
        let [x, y, turn] = [0, 1, 2].map(|force| model.force(force));
        model.row(&[(x, l * sin), (y, -l * cos), (turn, -1.0)], 0.0);
        let anchor = Vec2::from_angle(fixed) * -l;
        let world = model.world(|ids| Some(JointDef::revolute(ids[1], ids[0], [c, anchor])));
        model.check(k, &world, &[]);
    }
}

#[test]
fn a_spring_pendulum_with_and_without_loss() {
    // F = −s (r − l) − c ṙ along the line of the present iterate, from a fixed point.
    let (l, s, from) = (0.5, 60.0, Vec2::new(-0.2, 0.4));
    let body = Solid::FIRST;
    let at = Vec2::new(body.guess()[0], body.guess()[1]) - from;
    let n = at * (1.0 / at.length());
    for (k, c) in WEIGHTS.into_iter().flat_map(|k| [(k, 0.0), (k, 1.7)]) {
        // The spring's force is one of the outer ones: k of the new and 1 − k of the old.
        let parts = [(0, 0, 0, k * n.x), (0, 1, 0, k * n.y)];
        let mut model = Model::new(&[body], k, 1, &parts);
        let old = Vec2::new(body.old[0], body.old[1]) - from;
        let before = old * (1.0 / old.length());
        let speed = before.dot(Vec2::new(body.old[3], body.old[4]));
        let force = before * ((1.0 - k) * H * (-s * (old.length() - l) - c * speed));
        // The second equation of each of x and y is that of its velocity.
        model.rows[1].1 += force.x;
        model.rows[3].1 += force.y;
        let f = model.force(0);
        let line = [(f, 1.0), (0, s * n.x), (1, s * n.y), (3, c * n.x), (4, c * n.y)];
        model.row(&line, s * (l + n.dot(from)));
        let softness = Softness::Stiffness { stiffness: s, damping: c };
        let world = model
            .world(|ids| Some(JointDef::spring(ids[1], ids[0], [from, Vec2::ZERO], l, softness)));
        model.check(k, &world, &[]);
    }
}

/// v · (p₁ − p₂) = l |v| and F₁ along v, F₂ = −F₁.
fn loose(k: f64, l: f64) -> Model {
    let bodies = [Solid::FIRST, Solid::SECOND];
    let [p, q] = bodies.map(|body| body.guess());
    let v = Vec2::new(p[0] - q[0], p[1] - q[1]);
    let parts = [(0, 0, 0, 1.0), (0, 1, 1, 1.0), (1, 0, 0, -1.0), (1, 1, 1, -1.0)];
    let mut model = Model::new(&bodies, k, 2, &parts);
    model.row(&[(0, v.x), (6, -v.x), (1, v.y), (7, -v.y)], l * v.length());
    let [x, y] = [0, 1].map(|force| model.force(force));
    model.row(&[(x, -v.y), (y, v.x)], 0.0);
    model
}

#[test]
fn a_loose_pendulum() {
    for k in WEIGHTS {
        let model = loose(k, 0.9);
        let world = model.world(|ids| Some(JointDef::rod(ids[0], ids[1], [Vec2::ZERO; 2], 0.9)));
        model.check(k, &world, &[]);
    }
}

#[test]
fn a_loose_pendulum_on_a_rope() {
    for k in WEIGHTS {
        // Taut it is the rod, slack it is nothing.
        for (model, mode) in [
            (loose(k, 0.9), Mode::Upper),
            (Model::new(&[Solid::FIRST, Solid::SECOND], k, 0, &[]), Mode::Rest),
        ] {
            let rope = |ids: &[BodyId]| JointDef::rope(ids[0], ids[1], [Vec2::ZERO; 2], 0.9);
            model.check(k, &model.world(|ids| Some(rope(ids))), &[mode]);
        }
    }
}

#[test]
fn a_connection_fixed_on_one_side() {
    // p₂ = p₁ + l e^{i(θ₁ + θ_f)}, τ₁ = l (−sin Θ F_x + cos Θ F_y), and −F on p₂.
    let (l, fixed) = (0.8, 0.5);
    let bodies = [Solid::FIRST, Solid::SECOND];
    let theta = bodies[0].guess()[2];
    let (cos, sin) = turned(theta + fixed);
    for k in WEIGHTS {
        let parts =
            [(0, 0, 0, 1.0), (0, 1, 1, 1.0), (0, 2, 2, 1.0), (1, 0, 0, -1.0), (1, 1, 1, -1.0)];
        let mut model = Model::new(&bodies, k, 3, &parts);
        model.row(&[(6, 1.0), (0, -1.0), (2, l * sin)], l * cos + l * sin * theta);
        model.row(&[(7, 1.0), (1, -1.0), (2, -l * cos)], l * sin - l * cos * theta);
        let [x, y, turn] = [0, 1, 2].map(|force| model.force(force));
        model.row(&[(x, -l * sin), (y, l * cos), (turn, -1.0)], 0.0);
        let anchors = [Vec2::from_angle(fixed) * l, Vec2::ZERO];
        let world = model.world(|ids| Some(JointDef::revolute(ids[0], ids[1], anchors)));
        model.check(k, &world, &[]);
    }
}

#[test]
fn a_fixed_connection() {
    // p₁ − p₂ = l e^{i(θ₁ + θ_f1)}, θ₁ + θ_f1 = θ₂ + θ_f2, F₂ = −F₁, and no moment from nothing:
    // τ₁ + τ₂ + (p₁ − p₂) × F₁ = 0, with the arm as it is turned.
    let (l, first, second) = (0.8, 0.5, 1.1);
    let bodies = [Solid::FIRST, Solid::SECOND];
    let theta = bodies[0].guess()[2];
    let (cos, sin) = turned(theta + first);
    for k in WEIGHTS {
        let forces = [(0, 0, 0, 1.0), (0, 1, 1, 1.0), (1, 0, 0, -1.0), (1, 1, 1, -1.0)];
        let parts = [&forces[..], &[(0, 2, 2, 1.0), (1, 2, 3, 1.0)]].concat();
        let mut model = Model::new(&bodies, k, 4, &parts);
        model.row(&[(0, 1.0), (6, -1.0), (2, l * sin)], l * cos + l * sin * theta);
        model.row(&[(1, 1.0), (7, -1.0), (2, -l * cos)], l * sin - l * cos * theta);
        model.row(&[(2, 1.0), (8, -1.0)], second - first);
        let [x, y, one, two] = [0, 1, 2, 3].map(|force| model.force(force));
        model.row(&[(one, 1.0), (two, 1.0), (y, l * cos), (x, -l * sin)], 0.0);
        let anchors = [Vec2::from_angle(first) * -l, Vec2::ZERO];
        let angle = first - second;
        let world = model.world(|ids| Some(JointDef::weld(ids[0], ids[1], anchors, angle)));
        model.check(k, &world, &[]);
    }
}

#[test]
fn points_of_two_bodies_together() {
    // p₁ + l₁ e^{i(θ_f1 + θ₁)} = p₂ + l₂ e^{i(θ_f2 + θ₂)}: what the note has under friction.
    let ([l1, l2], [f1, f2]) = ([0.6, 0.4], [0.5, 2.1]);
    let bodies = [Solid::FIRST, Solid::SECOND];
    let [t1, t2] = bodies.map(|body| body.guess()[2]);
    let ((c1, s1), (c2, s2)) = (turned(t1 + f1), turned(t2 + f2));
    for k in WEIGHTS {
        let forces = [(0, 0, 0, 1.0), (0, 1, 1, 1.0), (1, 0, 0, -1.0), (1, 1, 1, -1.0)];
        let parts = [&forces[..], &[(0, 2, 2, 1.0), (1, 2, 3, 1.0)]].concat();
        let mut model = Model::new(&bodies, k, 4, &parts);
        model.row(
            &[(0, 1.0), (2, -l1 * s1), (6, -1.0), (8, l2 * s2)],
            -l1 * c1 - l1 * s1 * t1 + l2 * c2 + l2 * s2 * t2,
        );
        model.row(
            &[(1, 1.0), (2, l1 * c1), (7, -1.0), (8, -l2 * c2)],
            -l1 * s1 + l1 * c1 * t1 + l2 * s2 - l2 * c2 * t2,
        );
        let [x, y, one, two] = [0, 1, 2, 3].map(|force| model.force(force));
        model.row(&[(x, -l1 * s1), (y, l1 * c1), (one, -1.0)], 0.0);
        model.row(&[(x, -l2 * s2), (y, l2 * c2), (two, 1.0)], 0.0);
        let anchors = [Vec2::from_angle(f1) * l1, Vec2::from_angle(f2) * l2];
        let world = model.world(|ids| Some(JointDef::revolute(ids[0], ids[1], anchors)));
        model.check(k, &world, &[]);
    }
}

#[test]
fn a_point_on_a_line_with_and_without_friction() {
    // n · (p₂ − p₁) = 0 with n = ⊥t turned with the first body; friction f along t.
    let bodies = [Solid::FIRST, Solid::SECOND];
    let [p, q] = bodies.map(|body| body.guess());
    let rail = 0.4;
    let t = Vec2::from_angle(p[2] + rail);
    let (n, d) = (t.perp(), Vec2::new(q[0] - p[0], q[1] - p[1]));
    // ∂(n · d)/∂θ₁ = −t · d
    let arm = -t.dot(d);
    for (k, friction) in WEIGHTS.into_iter().flat_map(|k| [(k, 0.0), (k, 3.0)]) {
        let parts =
            [(0, 0, 0, -n.x), (0, 1, 0, -n.y), (0, 2, 0, arm), (1, 0, 0, n.x), (1, 1, 0, n.y)];
        let mut model = Model::new(&bodies, k, 1, &parts);
        // Coulomb's force is k of that along the line now, and 1 − k of that at the start.
        let first = Vec2::from_angle(bodies[0].old[2] + rail);
        let gap = Vec2::new(bodies[1].old[0], bodies[1].old[1])
            - Vec2::new(bodies[0].old[0], bodies[0].old[1]);
        for (t, d, weight) in [(t, d, k), (first, gap, 1.0 - k)] {
            let push = friction * weight * H;
            // q = t · d: along t on the second body, and its moment on the first.
            let line = [-t.x, -t.y, t.perp().dot(d), t.x, t.y, 0.0];
            for (at, part) in line.into_iter().enumerate() {
                model.rows[2 * at + 1].1 += push * part;
            }
        }
        // A force that is known turns with its line from the first iterate on: ∂(t · d)/∂x again.
        let now = [p, q].concat();
        let bends = [
            (0, 2, -n.x),
            (1, 2, -n.y),
            (3, 2, n.x),
            (4, 2, n.y),
            (2, 0, -n.x),
            (2, 1, -n.y),
            (2, 3, n.x),
            (2, 4, n.y),
            (2, 2, -t.dot(d)),
        ];
        for (at, by, bend) in bends {
            let push = friction * k * H * bend;
            let row = &mut model.rows[2 * at + 1];
            row.0.push((6 * (by / 3) + by % 3, -push));
            row.1 -= push * now[by];
        }
        let line = [(0, -n.x), (1, -n.y), (2, arm), (6, n.x), (7, n.y)];
        model.row(&line, arm * p[2]);
        let slot = |ids: &[BodyId]| {
            let along = Vec2::from_angle(rail);
            let axis = Axis { friction: Some(friction), ..Axis::default() };
            let slot = JointDef::slot(ids[0], ids[1], [Vec2::ZERO; 2], along);
            if friction > 0.0 { slot.with_axis(axis) } else { slot }
        };
        let world = model.world(|ids| Some(slot(ids)));
        let rows = System::new(&world).lines.len();
        assert_eq!(rows, if friction > 0.0 { 2 } else { 1 });
        model.check(k, &world, &[Mode::Upper, Mode::Upper]);
    }
}
