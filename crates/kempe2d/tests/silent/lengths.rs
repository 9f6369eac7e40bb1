//! A length has no lower end at 0: what passes its anchor goes on.

use super::{WAYS, mass, step, world};
use kempe2d::compat::{box2d, chipmunk, nape};
use kempe2d::equation::Program;
use kempe2d::{Axis, BodyId, JointDef, JointKind, TextJoint, Vec2};

type Make = fn(BodyId, BodyId) -> JointDef;

const O: Vec2 = Vec2::ZERO;

fn text(source: &str, a: BodyId, b: BodyId) -> JointDef {
    let program = Program::parse(source).unwrap();
    TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap()
}

/// Every way to say that a length is from 0 to 10 m.
const JOINTS: [(&str, Make); 10] = [
    ("range", |a, b| JointDef::range(a, b, [O; 2], 0.0, 10.0)),
    ("range below 0", |a, b| JointDef::range(a, b, [O; 2], -1.0, 10.0)),
    ("rope", |a, b| JointDef::rope(a, b, [O; 2], 10.0)),
    ("Chipmunk's slide joint", |a, b| chipmunk::slide_joint(a, b, O, O, 0.0, 10.0)),
    ("Nape's distance joint", |a, b| nape::distance_joint(a, b, O, O, 0.0, 10.0)),
    ("Box2D's distance joint", |a, b| {
        let max_length = 10.0;
        let limits = box2d::DistanceJointDef::new(a, b);
        let def = box2d::DistanceJointDef {
            enable_limit: true,
            enable_spring: true,
            hertz: 0.0,
            min_length: 0.0,
            max_length,
            ..limits
        };
        def.joint().unwrap()
    }),
    ("tendon", |a, b| {
        let kind = JointKind::Tendon { anchors: vec![O; 2], ratios: vec![1.0] };
        JointDef::new(kind, a, b).with_limit(0.0, 10.0)
    }),
    ("a constraint from text", |a, b| {
        text("body a, b  limit constraint 0 10  constraint |b.position - a.position|", a, b)
    }),
    ("an axis from text", |a, b| {
        text("body a, b  axis far = |b.position - a.position|  limit far 0 10", a, b)
    }),
    ("a limit on an axis from text", |a, b| {
        text("body a, b  axis far = 2 * |b.position - a.position|", a, b)
            .with_axis(Axis::limited(0.0, 20.0))
    }),
];

/// At 5 m/s, 1 mm beside its anchor and straight through it, a body keeps its speed.
#[test]
fn there_is_no_wall_at_length_0() {
    for direct in WAYS {
        for (name, joint) in JOINTS {
            for beside in [1e-3, 1e-5, 0.0] {
                for from in [0.0, 0.003, 0.011, 0.017] {
                    let mut world = world(direct, O);
                    let ground = world.ground().unwrap();
                    let body = world.add_body(&mass(1.0, Vec2::new(-1.0 - from, beside))).unwrap();
                    world.set_velocity(body, Vec2::new(5.0, 0.0)).unwrap();
                    world.add_joint(&joint(ground, body)).unwrap();
                    step(&mut world, 24);
                    let (x, v) = (world[body].position().x, world[body].velocity());
                    assert!(
                        (v - Vec2::new(5.0, 0.0)).length() < 0.05 && (x - 1.0 + from).abs() < 0.01,
                        "{name} ({direct:?}), {beside} m beside: {v:?} at {x}"
                    );
                }
            }
        }
    }
}

/// The other end is there, and a lower one above 0.
#[test]
fn a_length_has_its_other_bounds() {
    for direct in WAYS {
        for (name, joint) in JOINTS {
            let mut world = world(direct, O);
            let ground = world.ground().unwrap();
            let body = world.add_body(&mass(1.0, Vec2::new(9.0, 0.0))).unwrap();
            world.set_velocity(body, Vec2::new(5.0, 0.0)).unwrap();
            world.add_joint(&joint(ground, body)).unwrap();
            step(&mut world, 60);
            let x = world[body].position().x;
            assert!((x - 10.0).abs() < 1e-3, "{name} ({direct:?}): {x}");
        }
        let bounds: [Make; 3] = [
            |a, b| JointDef::range(a, b, [O; 2], 0.5, 10.0),
            |a, b| {
                text(
                    "body a, b  limit constraint 0.5 10  constraint |b.position - a.position|",
                    a,
                    b,
                )
            },
            |a, b| {
                text(
                    "body a, b  limit constraint -0.5 10  constraint |b.position - a.position| - 1",
                    a,
                    b,
                )
            },
        ];
        for joint in bounds {
            let mut world = world(direct, O);
            let ground = world.ground().unwrap();
            let body = world.add_body(&mass(1.0, Vec2::new(2.0, 0.0))).unwrap();
            world.set_velocity(body, Vec2::new(-5.0, 0.0)).unwrap();
            world.add_joint(&joint(ground, body)).unwrap();
            step(&mut world, 60);
            let x = world[body].position().x;
            assert!((x - 0.5).abs() < 1e-3, "{direct:?}: {x}");
        }
    }
}
