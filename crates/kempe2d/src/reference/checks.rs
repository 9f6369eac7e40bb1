//! ∂(Jᵀλ)/∂x of every kind of joint against differences of J, with centres of mass off the origin.

use super::curvature::Curvature;
use super::system::System;
use crate::user::{Pose, Rows};
use crate::{
    BodyDef, BodyId, Constraint, Counts, Curve, JointDef, JointKind, Mass, MassProperties, Path,
    Pull, Real, Softness, Term, TextJoint, UserJoint, Vec2, World, equation,
};

const STEP: f64 = 1e-6;

/// A point of the second body on a circle about one of the first, and a blade.
#[derive(Clone, Debug)]
struct Circle;

impl Constraint for Circle {
    fn name(&self) -> &str {
        "circle"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 1, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let gap = bodies[1].point(Vec2::new(0.3, -0.2)) - bodies[0].point(Vec2::new(0.1, 0.4));
        out[0] = gap.length() - S::constant(1.0) - time;
        out[1] = gap.x * bodies[1].sin;
    }

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let across = bodies[1].direction(Vec2::Y);
        out[0] = across.x * velocities[1][0] + across.y * velocities[1][1];
    }
}

fn worlds() -> Vec<World> {
    let (a, b) = (Vec2::new(0.3, -0.4), Vec2::new(-0.2, 0.5));
    let rail = Vec2::new(0.6, 0.8);
    let path = |closed| {
        let points = [(0.0, 0.0), (1.0, 0.4), (1.5, 1.5), (0.2, 1.2)].map(|(x, y)| Vec2::new(x, y));
        Path::spline(&points, closed).unwrap()
    };
    let text = |source: &str| TextJoint::new(&equation::Program::parse(source).unwrap());
    let bent = "body one, two  constraint { |two.position + relative two [0.2, 0.1] - one.position|
        sin(two.rotation) * one.position.x }  velocity constraint
        (relative two [0, 1]) dot two.velocity";
    let kind = |ids: &[BodyId], kind: JointKind| JointDef::new(kind, ids[0], ids[1]);
    type Make<'a> = Box<dyn Fn(&[BodyId]) -> JointDef + 'a>;
    let makes: Vec<Make<'_>> = vec![
        Box::new(|ids| JointDef::weld(ids[0], ids[1], [a, b], 0.2)),
        Box::new(|ids| JointDef::revolute(ids[0], ids[1], [a, b])),
        Box::new(|ids| JointDef::prismatic(ids[0], ids[1], [a, b], rail)),
        Box::new(|ids| JointDef::slot(ids[0], ids[1], [a, b], rail)),
        Box::new(|ids| JointDef::rod(ids[0], ids[1], [a, b], 1.0)),
        Box::new(|ids| JointDef::gear(ids[0], ids[1], 1.5, 0.1)),
        Box::new(|ids| {
            kind(ids, JointKind::Generic { anchor_a: a, anchor_b: b, rail, angle: 0.1 })
        }),
        Box::new(|ids| JointDef::drive(ids[0], ids[1], [a, b], Pull::to(a, Softness::Rigid, 1.0))),
        Box::new(|ids| {
            let bodies = [ids[0], ids[1], ids[2], ids[1]];
            JointDef::pulley(bodies, [a, b, b, a], 1.5, 3.0)
        }),
        Box::new(|ids| {
            JointDef::tendon(&[(ids[0], a), (ids[1], b), (ids[2], a), (ids[0], b)], 4.0)
        }),
        Box::new(|ids| JointDef::path(ids[0], ids[1], &path(false), a)),
        Box::new(|ids| JointDef::carriage(ids[0], ids[1], &path(true), a, 0.2)),
        Box::new(|ids| text(bent).joint(&[("one", ids[0]), ("two", ids[1])]).unwrap()),
        Box::new(|ids| UserJoint::new(Circle).joint(&[ids[0], ids[1]])),
    ];
    let mut all = Vec::new();
    let bodies = |center: f64| {
        let mut world = World::default();
        let mut ids = Vec::new();
        for k in 0..3 {
            let at = f64::from(k);
            let center = Vec2::new(0.3 - 0.2 * at, 0.1 + 0.3 * at) * center;
            let def = BodyDef {
                position: Vec2::new(0.9 * at - 0.3, 0.7 * at * at - 0.5),
                rotation: 0.8 - 1.1 * at,
                mass: Mass::Given(MassProperties { mass: 1.0 + at, inertia: 0.4, center }),
                ..BodyDef::dynamic()
            };
            ids.push(world.add_body(&def).unwrap());
        }
        (world, ids)
    };
    for center in [0.0, 1.0] {
        for make in &makes {
            let (mut world, ids) = bodies(center);
            world.add_joint(&make(&ids)).unwrap();
            all.push(world);
        }
        let (mut world, ids) = bodies(center);
        let pin = world.add_joint(&JointDef::revolute(ids[0], ids[1], [a, b])).unwrap();
        let rod = world.add_joint(&JointDef::rod(ids[1], ids[2], [a, b], 1.0)).unwrap();
        let curve = Curve::text("sin(2 * q) + 0.3 * q * q").unwrap();
        let terms = vec![Term::new(pin, 0, 0.7), Term::curved(rod, 0, curve)];
        world.add_joint(&JointDef::coupling(terms, 0.0)).unwrap();
        all.push(world);
    }
    all
}

#[test]
fn curvature_is_the_slope_of_the_rows() {
    for world in worlds() {
        let system = System::new(&world);
        let state = system.state(&world);
        for (index, part) in system.parts.iter().enumerate() {
            let joint = system.joints.get(part.id).unwrap();
            let poses = system.poses(part, &state.q, state.t);
            // Jᵀλ at poses whose body `moved` is a little further along `along`.
            let pushed = |moved: usize, along: usize, by: f64, weights: &[f64]| -> Vec<f64> {
                let mut poses = poses.to_vec();
                let center = system.center(part.roles[moved]);
                let Pose { position, rotation, cos, sin } = poses[moved];
                let mut middle = position + center.turned(cos, sin);
                let mut turn = rotation;
                *[&mut middle.x, &mut middle.y, &mut turn][along] += by;
                let (sin, cos) = turn.sin_cos();
                poses[moved] = Pose::new(middle - center.turned(cos, sin), turn);
                let (mut rows, mut near) = (Rows::default(), state.places[index]);
                joint.rows_at(&system.joints, &poses, state.t, &mut near, &mut rows).unwrap();
                let mut sum = vec![0.0; 3 * poses.len()];
                for (row, weight) in rows.jacobian.iter().zip(weights) {
                    for (body, j) in row.iter().enumerate() {
                        let (pose, center) = (&poses[body], system.center(part.roles[body]));
                        let arm = center.turned(pose.cos, pose.sin).perp();
                        let j = [j[0], j[1], j[2] - (j[0] * arm.x + j[1] * arm.y)];
                        (0..3).for_each(|k| sum[3 * body + k] += weight * j[k]);
                    }
                }
                sum
            };
            let rows = joint.def.kind.hold_count() + joint.def.kind.axis_count();
            // Equations of velocities have no curvature of a potential; they are left out.
            let velocity = match &joint.def.kind {
                JointKind::User(user) => Some(user.counts().hold),
                JointKind::Text(_) => Some(2),
                _ => None,
            };
            let weights: Vec<f64> = (0..rows)
                .map(|row| if Some(row) == velocity { 0.0 } else { 1.3 - 0.7 * row as f64 })
                .collect();
            let mut found = Curvature::default();
            system.curvature(index, &weights, &state, &mut found).unwrap();
            for column in 0..found.size {
                let more = pushed(column / 3, column % 3, STEP, &weights);
                let less = pushed(column / 3, column % 3, -STEP, &weights);
                for row in 0..found.size {
                    let slope = (more[row] - less[row]) / (2.0 * STEP);
                    let is = found.get(row, column);
                    let name = joint.def.kind.name();
                    assert!(
                        (slope - is).abs() < 1e-6 * (1.0 + slope.abs()),
                        "{name} ({row}, {column}): {is}, not {slope}"
                    );
                }
            }
        }
    }
}
