//! Joints with the ground far from its origin, where f32 has no digits left for an anchor.

use super::{WAYS, close, mass, step, world};
use kempe2d::{Axis, BodyDef, BodyId, JointDef, JointKind, Motor, Vec2, World};

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

/// Mechanisms at a place, on a body whose origin is elsewhere. Each gives the body that is looked at.
type Build = fn(&mut World, BodyId, Vec2) -> BodyId;

fn pinned(w: &mut World, ground: BodyId, at: Vec2) -> BodyId {
    let body = w.add_body(&mass(1.0, at + Vec2::new(0.6, -0.8))).unwrap();
    let def = w.revolute_at(ground, body, at).unwrap();
    w.add_joint(&def).unwrap();
    body
}

const BUILDS: [(&str, Build); 7] = [
    ("pendulum", pinned),
    ("double pendulum", |w, ground, at| {
        let first = pinned(w, ground, at);
        let end = w[first].position();
        let second = w.add_body(&mass(0.5, end + Vec2::new(0.8, 0.6))).unwrap();
        let def = w.revolute_at(first, second, end).unwrap();
        w.add_joint(&def).unwrap();
        second
    }),
    ("rod, the ground last", |w, ground, at| {
        let body = w.add_body(&mass(1.0, at + Vec2::new(0.6, -0.8))).unwrap();
        let anchor = w[ground].local_point(at);
        w.add_joint(&JointDef::rod(body, ground, [Vec2::ZERO, anchor], 1.0)).unwrap();
        body
    }),
    ("rail", |w, ground, at| {
        let body = w.add_body(&mass(1.0, at)).unwrap();
        let rail = w[ground].local_point(at + Vec2::new(0.8, 0.6)) - w[ground].local_point(at);
        let anchors = [w[ground].local_point(at), Vec2::ZERO];
        let kind = JointKind::Prismatic {
            anchor_a: anchors[0],
            anchor_b: anchors[1],
            rail,
            angle: -w[ground].rotation(),
        };
        w.add_joint(&JointDef::new(kind, ground, body).with_limit(-0.4, 0.4)).unwrap();
        body
    }),
    ("slot with a motor", |w, ground, at| {
        let body = w.add_body(&mass(1.0, at)).unwrap();
        let rail = w[ground].local_point(at + Vec2::X) - w[ground].local_point(at);
        let kind = JointKind::Slot {
            anchor_a: w[ground].local_point(at),
            anchor_b: Vec2::new(0.1, 0.2),
            rail,
            angle: 0.0,
        };
        let axis = Axis::driven(Motor::at(0.3));
        w.add_joint(&JointDef::new(kind, ground, body).with_axis(axis)).unwrap();
        body
    }),
    ("weld of two", |w, ground, at| {
        let body = w.add_body(&mass(1.0, at + Vec2::X)).unwrap();
        let def = w.weld_at(ground, body, at).unwrap();
        w.add_joint(&def).unwrap();
        let next = w.add_body(&mass(1.0, at + Vec2::X * 2.0)).unwrap();
        let def = w.weld_at(body, next, at + Vec2::X).unwrap();
        w.add_joint(&def).unwrap();
        next
    }),
    ("rope", |w, ground, at| {
        let body = w.add_body(&mass(1.0, at + Vec2::new(0.5, 0.0))).unwrap();
        let anchor = w[ground].local_point(at);
        w.add_joint(&JointDef::rope(ground, body, [anchor, Vec2::ZERO], 1.0)).unwrap();
        body
    }),
];

/// Where the body is after two seconds, from the place of its mechanism.
fn run(build: Build, direct: kempe2d::Direct, at: Vec2, origin: Vec2, turned: f64) -> [f64; 3] {
    let mut world = world(direct, GRAVITY);
    let def = BodyDef { position: origin, rotation: turned, ..BodyDef::fixed() };
    let ground = world.add_body(&def).unwrap();
    let body = build(&mut world, ground, at);
    step(&mut world, 120);
    let off = world[body].position() - at;
    [off.x, off.y, world[body].rotation()]
}

#[test]
fn a_joint_with_the_ground_is_as_exact_far_away_as_near() {
    for direct in WAYS {
        for (name, build) in BUILDS {
            let near = run(build, direct, Vec2::ZERO, Vec2::ZERO, 0.0);
            for (x, y) in [(50.0, 0.0), (1e4, 0.0), (-6e4, 8e4), (1e6, 1e5)] {
                for turned in [0.0, 0.7] {
                    let at = Vec2::new(x, y);
                    let far = run(build, direct, at, Vec2::ZERO, turned);
                    // The ends of a double pendulum and of a chain of welds multiply roundings.
                    for (far, near) in far.into_iter().zip(near) {
                        assert!(
                            (far - near).abs() < 2e-5,
                            "{name} at {x}, {y} ({direct:?}), ground turned {turned}: {far}, {near}"
                        );
                    }
                }
            }
        }
    }
}

/// The ground is set elsewhere while a joint is on it, and its joint changed.
#[test]
fn the_ground_moves_with_its_far_anchors() {
    for direct in WAYS {
        let mut world = world(direct, GRAVITY);
        let ground = world.ground().unwrap();
        let at = Vec2::new(1e5, 3e4);
        let body = world.add_body(&mass(1.0, at - Vec2::Y)).unwrap();
        let joint = JointDef::rod(ground, body, [at, Vec2::ZERO], 1.0);
        let joint = world.add_joint(&joint).unwrap();
        step(&mut world, 30);
        close((world[body].position() - at).length(), 1.0, 1e-6);
        world.set_position(ground, Vec2::new(0.0, 0.01)).unwrap();
        step(&mut world, 60);
        close((world[body].position() - at - Vec2::new(0.0, 0.01)).length(), 1.0, 1e-5);
        let nearer =
            JointKind::Distance { anchor_a: at + Vec2::new(0.0, 0.02), anchor_b: Vec2::ZERO };
        world.edit_joint(joint, |def| def.kind = nearer).unwrap();
        step(&mut world, 60);
        close((world[body].position() - at - Vec2::new(0.0, 0.03)).length(), 1.0, 1e-5);
    }
}
