//! Every stop that is reached is left, and every rope that is taut becomes slack.

use super::{WAYS, mass, step, world};
use kempe2d::{BodyId, Break, Cause, Event, JointDef, JointId, OnBreak, Vec2, World};

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

/// A body on a rail that lies on its lower stop, or one that hangs on a rope.
fn at_its_end(mut world: World, rope: bool) -> (World, BodyId, JointId) {
    let ground = world.ground().unwrap();
    let body = world.add_body(&mass(1.0, Vec2::new(0.0, -1.0))).unwrap();
    let rail = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y);
    let def = match rope {
        true => JointDef::rope(ground, body, [Vec2::ZERO; 2], 1.0),
        false => rail.with_limit(-1.0, 1.0),
    };
    let joint = world.add_joint(&def).unwrap();
    step(&mut world, 30);
    (world, body, joint)
}

/// What ends the stay at a stop of a joint.
type End = (&'static str, fn(&mut World, BodyId, JointId));

const ENDS: [End; 7] = [
    ("disabled", |w, _, joint| w.edit_joint(joint, |def| def.enabled = false).unwrap()),
    ("removed", |w, _, joint| drop(w.remove_joint(joint).unwrap())),
    ("a body removed", |w, body, _| w.remove_body(body).unwrap()),
    ("the ground removed", |w, _, _| {
        let ground = w.ground().unwrap();
        w.remove_body(ground).unwrap();
    }),
    ("a body disabled", |w, body, _| w.set_enabled(body, false).unwrap()),
    ("the limit taken away", |w, _, joint| {
        w.edit_joint(joint, |def| def.axis_mut(0).limit = None).unwrap();
    }),
    ("another kind", |w, _, joint| {
        let def = w.joint(joint).unwrap().def();
        let [a, b] = [def.bodies[0], def.bodies[1]];
        let weld = w.weld_at(a, b, Vec2::ZERO).unwrap();
        w.set_joint(joint, &weld).unwrap();
    }),
];

#[test]
fn a_stop_that_was_reached_is_left_when_its_joint_goes() {
    for direct in WAYS {
        for rope in [false, true] {
            for (name, end) in ENDS {
                let (mut world, body, joint) = at_its_end(world(direct, GRAVITY), rope);
                end(&mut world, body, joint);
                let mut events = Vec::new();
                for _ in 0..3 {
                    events.extend(world.step(super::H).unwrap().events.clone());
                }
                let left = match rope {
                    true => Event::Slack(joint),
                    false => Event::LimitLeft { joint, axis: 0, upper: false },
                };
                assert_eq!(events, [left], "{name} ({direct:?})");
            }
        }
    }
}

/// In the same report as what broke it.
#[test]
fn a_stop_is_left_when_its_joint_breaks() {
    for then in [OnBreak::Disable, OnBreak::Remove] {
        for direct in WAYS {
            let (mut world, body, joint) = at_its_end(world(direct, GRAVITY), false);
            let breaking = Break { force: 50.0, then, ..Break::default() };
            world.edit_joint(joint, |def| def.breaking = Some(breaking)).unwrap();
            world.step(super::H).unwrap();
            world.apply_central_force(body, Vec2::new(0.0, -90.0)).unwrap();
            let events = world.step(super::H).unwrap().events.clone();
            let [Event::Broke { joint: broken, cause: Cause::Force(_) }, left] = &events[..] else {
                panic!("{events:?}")
            };
            assert_eq!(*broken, joint);
            assert_eq!(*left, Event::LimitLeft { joint, axis: 0, upper: false });
            assert!(world.step(super::H).unwrap().events.is_empty());
        }
    }
}
