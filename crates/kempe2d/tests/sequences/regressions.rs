//! What sequences have found, each as short as it can be.

use crate::run::{Mode, run};
use kempe2d::equation::Program;
use kempe2d::{
    BodyDef, BodyId, BodyKind, Break, Event, JointDef, JointKind, Mass, MassProperties, OnBreak,
    Registry, Settings, TextJoint, Vec2, World,
};

const DT: f64 = 1.0 / 60.0;

fn at(x: f64, y: f64) -> BodyDef {
    BodyDef { position: Vec2::new(x, y), ..BodyDef::dynamic() }
}

fn weightless() -> World {
    World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() }).unwrap()
}

/// A body that hangs on the ground and one on it, asleep.
fn asleep() -> (World, [BodyId; 3]) {
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let bodies = [1.0, 2.0].map(|x| world.add_body(&at(x, 0.0)).unwrap());
    let [a, b] = bodies;
    for (a, b, x) in [(ground, a, 0.5), (a, b, 1.5)] {
        world.add_joint(&world.revolute_at(a, b, Vec2::new(x, 0.0)).unwrap()).unwrap();
    }
    for _ in 0..60 {
        world.step(DT).unwrap();
    }
    assert!(world[a].is_asleep() && world[b].is_asleep());
    (world, [ground, a, b])
}

#[test]
fn another_kind_of_joint_has_no_impulses_of_the_old_one() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let body = world.add_body(&at(1.0, 0.0)).unwrap();
    let joint = world.add_joint(&world.weld_at(ground, body, Vec2::ZERO).unwrap()).unwrap();
    world.step(DT).unwrap();
    let (anchor_a, anchor_b) = (Vec2::ZERO, Vec2::ZERO);
    let kind = JointKind::Distance { anchor_a, anchor_b };
    world.set_joint(joint, &JointDef::new(kind, ground, body)).unwrap();
    assert_eq!(world.joint_impulses(joint), Some(vec![0.0]));
    world.state_hash();
    world.step(DT).unwrap();
}

#[test]
fn a_body_that_begins_to_move_wakes_what_hangs_on_it() {
    for enabled in [false, true] {
        let (mut world, [ground, a, b]) = asleep();
        if enabled {
            // What is disabled holds nothing, and is not a part of what sleeps.
            world.set_enabled(a, false).unwrap();
            for _ in 0..60 {
                world.step(DT).unwrap();
            }
            assert!(world[b].is_asleep());
            world.set_enabled(a, true).unwrap();
            assert!(!world[b].is_asleep());
        } else {
            world.set_kind(ground, BodyKind::Dynamic).unwrap();
            assert!(!world[a].is_asleep() && !world[b].is_asleep());
        }
    }
}

#[test]
fn a_report_counts_what_moves_and_what_sleeps() {
    let (mut world, [_, a, _]) = asleep();
    assert_eq!((world.report().counts.moved, world.report().counts.asleep), (0, 2));
    world.wake(a).unwrap();
    world.step(DT).unwrap();
    assert_eq!((world.report().counts.moved, world.report().counts.asleep), (2, 0));
}

#[test]
fn a_joint_that_breaks_in_its_sleep_wakes_its_bodies() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let body = world.add_body(&at(0.0, -1.0)).unwrap();
    let breaking = Break { filter: 2.0, then: OnBreak::Disable, ..Break::at_force(9.0) };
    let def = world.weld_at(ground, body, Vec2::ZERO).unwrap().with_break(breaking);
    world.add_joint(&def).unwrap();
    let mut broke = false;
    for _ in 0..600 {
        let report = world.step(DT).unwrap();
        broke |= report.events.iter().any(|event| matches!(event, Event::Broke { .. }));
    }
    assert!(broke && world[body].position().y < -2.0, "{}", world[body].position().y);
}

/// The torque that holds a body straight against a force must not turn it when the force is cut short.
#[test]
fn a_hold_of_little_force_spins_nothing() {
    for text in [false, true] {
        let mut world = weightless();
        let ground = world.ground().unwrap();
        let properties = MassProperties { mass: 0.5, center: Vec2::ZERO, inertia: 0.02 };
        let def = BodyDef { mass: Mass::Given(properties), ..at(-2.0, 6.0) };
        let body = world.add_body(&def).unwrap();
        let anchors = [Vec2::ZERO, Vec2::new(-1.0, -1.4)];
        let mut def = JointDef::prismatic(ground, body, anchors, Vec2::new(0.78, -0.62));
        if text {
            let program = "body a, b  vector hook, rail
                let along = relative a unit rail
                let del = b.position + relative b hook - a.position
                constraint { along cross del, b.rotation - a.rotation }";
            let joint = TextJoint::new(&Program::parse(program).unwrap());
            let joint = joint.with("hook", [-1.0, -1.4]).unwrap();
            let joint = joint.with("rail", [0.78, -0.62]).unwrap();
            def = joint.joint(&[("a", ground), ("b", body)]).unwrap();
        }
        def.max_force = 200.0;
        world.add_joint(&def).unwrap();
        for _ in 0..120 {
            world.step(DT).unwrap();
            let turning = world[body].angular_velocity().abs();
            assert!(turning < 20.0, "text {text}: {turning}");
        }
    }
}

#[test]
fn a_body_that_would_be_nowhere_stays_where_it_was_and_goes_on() {
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let place = Vec2::new(3.0, 4.0);
    let body = world.add_body(&at(place.x, place.y)).unwrap();
    world.add_joint(&world.revolute_at(ground, body, Vec2::X).unwrap()).unwrap();
    world.step(DT).unwrap();
    world.set_velocity(body, Vec2::new(1e300, 0.0)).unwrap();
    let report = world.step(DT).unwrap();
    assert!(report.events.contains(&Event::NotFinite(body)));
    assert_eq!(world[body].position(), place);
    for _ in 0..10 {
        let report = world.step(DT).unwrap();
        assert!(report.events.is_empty(), "{:?}", report.events);
    }
}

/// A program that refuses the present state has no bounds: rows must not be remembered as what they
/// were before.
#[test]
fn a_joint_that_is_left_out_goes_on_alike_from_a_snapshot() {
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let body = world.add_body(&at(1.0, 0.0)).unwrap();
    let program = "body a, b  scalar rate = 1  scalar length = 1 -> rate
        limit length 0 1.1
        constraint |b.position - a.position| - length  limit constraint 0 inf";
    let joint = TextJoint::new(&Program::parse(program).unwrap());
    world.add_joint(&joint.joint(&[("a", ground), ("b", body)]).unwrap()).unwrap();
    for step in 0..20 {
        let mut other = World::from_snapshot(&world.snapshot(), &Registry::new()).unwrap();
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(world.state_hash(), other.state_hash(), "step {step}");
    }
}

/// Joints that say almost the same, on bodies that have drifted a little: from 5 J to 10⁸ J.
#[test]
fn joints_in_parallel_take_off_their_errors_gently() {
    let all: Vec<u64> = (0..crate::LENGTH).collect();
    for seed in [37, 53, 102] {
        if let Err((failure, _)) = run(seed, Mode::Passive, &all) {
            panic!("seed {seed}: {failure:?}");
        }
    }
}

#[test]
fn a_target_that_is_too_near_in_time_is_refused() {
    let mut world = World::default();
    let body = world.add_body(&BodyDef::kinematic()).unwrap();
    let hash = world.state_hash();
    assert!(world.set_target(body, Vec2::X, 0.0, 1e-310).is_err());
    assert_eq!(world.state_hash(), hash);
}
