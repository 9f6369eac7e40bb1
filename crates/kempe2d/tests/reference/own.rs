//! What joints and bodies have of their own goes on with a run: bodies that move by themselves,
//! teeth, driven parameters, locked freedoms, and springs by frequency.

use crate::events::{body, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, Break, Event, ForceRange, JointDef, Limit, Locked, Method, Motor, OnBreak, Path,
};
use kempe2d::{BodyDef, Ratchet, Reference, Softness, TextJoint, Vec2};

const DT: f64 = 1.0 / 60.0;
const METHODS: [Method; 4] = [
    Method::Theta { k: 0.5 },
    Method::GeneralizedAlpha { radius: 0.9 },
    Method::Rattle { order: 2 },
    Method::Rattle { order: 4 },
];

#[test]
fn a_kinematic_body_is_where_its_velocity_took_it() {
    for method in METHODS {
        let mut world = world(0.0);
        let def = BodyDef { velocity: Vec2::X, angular_velocity: 2.0, ..BodyDef::kinematic() };
        let table = world.add_body(&def).unwrap();
        let ball = body(&mut world, Vec2::new(1.0, 0.0), Vec2::X);
        world.add_joint(&JointDef::weld(table, ball, [Vec2::X, Vec2::ZERO], 0.0)).unwrap();
        // In two runs: the second begins where the first ended.
        for _ in 0..2 {
            Reference::new(method).run(&mut world, 0.5, DT).unwrap();
        }
        assert!((world[table].position() - Vec2::X).length() < 1e-12);
        assert!((world[table].rotation() - 2.0).abs() < 1e-12);
        let ideal = Vec2::X + Vec2::from_angle(2.0);
        assert!((world[ball].position() - ideal).length() < 1e-11, "{method:?}");
    }
}

#[test]
fn an_ideal_motor_keeps_its_speed_in_every_method() {
    for method in METHODS {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let wheel = body(&mut world, Vec2::new(0.5, 0.0), Vec2::ZERO);
        let mut pin = JointDef::revolute(ground, wheel, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]);
        let force = ForceRange::default();
        pin.axis_mut(0).motor = Some(Motor::Velocity { speed: 3.0.into(), force });
        world.add_joint(&pin).unwrap();
        Reference::new(method).run(&mut world, 1.0, DT).unwrap();
        let turned = world[wheel].rotation();
        assert!((turned - 3.0).abs() < 1e-9, "{method:?} {turned}");
    }
}

#[test]
fn a_locked_freedom_stays_whatever_speed_it_was_given() {
    for method in METHODS {
        let mut world = world(9.81);
        let def = BodyDef {
            velocity: Vec2::new(1.0, 2.0),
            angular_velocity: 3.0,
            locked: Locked { x: true, rotation: true, ..Locked::default() },
            ..BodyDef::dynamic()
        };
        let bead = world.add_body(&def).unwrap();
        Reference::new(method).run(&mut world, 1.0, DT).unwrap();
        let at = world[bead].position();
        assert!(at.x == 0.0 && world[bead].rotation() == 0.0, "{method:?} {at:?}");
        assert!((at.y - (2.0 - 0.5 * 9.81)).abs() < 1e-10, "{method:?} {at:?}");
        assert_eq!((world[bead].velocity().x, world[bead].angular_velocity()), (0.0, 0.0));
    }
}

#[test]
fn a_ratchet_holds_from_run_to_run() {
    // A wheel with a weight hangs on the third tooth.
    for method in &METHODS[..2] {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let wheel = body(&mut world, Vec2::ZERO, Vec2::ZERO);
        world.set_angular_velocity(wheel, 2.0).unwrap();
        let mut pin = JointDef::revolute(ground, wheel, [Vec2::ZERO, Vec2::new(-1.0, 0.0)]);
        pin.axis_mut(0).ratchet = Some(Ratchet { step: 0.1, phase: 0.0 });
        world.set_position(wheel, Vec2::X).unwrap();
        world.set_velocity(wheel, Vec2::new(0.0, 2.0)).unwrap();
        let pin = world.add_joint(&pin).unwrap();
        let mut highest = 0.0_f64;
        for _ in 0..120 {
            Reference::new(*method).step(&mut world, DT).unwrap();
            let turned = world.joint_coordinate(pin, 0).unwrap();
            highest = highest.max(turned);
            let tooth = ((highest + 1e-9) / 0.1).floor() * 0.1;
            assert!(turned > tooth - 1e-9, "{method:?} {turned} below {tooth}");
        }
        assert!(highest > 0.1);
    }
}

#[test]
fn teeth_tell_on_which_side_they_hold() {
    // A block that falls onto teeth, and one that is thrown up against them, by either solver.
    for (step, speed, gravity) in [(0.1, 0.25, 9.81), (-0.1, -0.25, -9.81)] {
        let mut exact = world(gravity);
        let ground = exact.ground().unwrap();
        let block = body(&mut exact, Vec2::ZERO, Vec2::new(0.0, speed));
        let mut rail = JointDef::prismatic(ground, block, [Vec2::ZERO; 2], Vec2::Y);
        rail.axis_mut(0).ratchet = Some(Ratchet { step, phase: -0.05 * step.signum() });
        let joint = exact.add_joint(&rail).unwrap();
        let mut real = exact.clone();
        let told = Reference::default().run(&mut exact, 0.5, DT).unwrap().events;
        let reached = Event::LimitReached { joint, axis: 0, upper: step < 0.0 };
        assert_eq!(told.iter().map(|(_, event)| *event).collect::<Vec<_>>(), [reached]);
        let mut events = Vec::new();
        for _ in 0..30 {
            events.extend(real.step(DT).unwrap().events.clone());
        }
        assert_eq!(events, [reached]);
    }
}

#[test]
fn driven_parameters_move_within_a_step() {
    let program = "body frame, slide  scalar way = 1 -> speed  scalar speed = 0.5 -> 0.25
        constraint { slide.position.x - frame.position.x - way  slide.position.y
        slide.rotation }";
    let program = Program::parse(program).unwrap();
    for method in &METHODS[..2] {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let slide = body(&mut world, Vec2::X, Vec2::ZERO);
        let joint = TextJoint::new(&program);
        let joint = joint.joint(&[("frame", ground), ("slide", slide)]).unwrap();
        let joint = world.add_joint(&joint).unwrap();
        for run in [0.25, 0.75] {
            Reference::new(*method).run(&mut world, run, DT).unwrap();
        }
        // 1 + ½ t + ⅛ t²
        let at = world[slide].position();
        assert!((at - Vec2::new(1.625, 0.0)).length() < 1e-10, "{method:?} {at:?}");
        assert!((world[slide].velocity().x - 0.75).abs() < 1e-6, "{:?}", world[slide].velocity());
        let way = world.parameter(joint, "way").unwrap().unwrap();
        assert!((way.components()[0] - 1.625).abs() < 1e-12, "{way:?}");
    }
}

#[test]
fn a_spring_by_frequency_goes_by_the_mass_where_it_is() {
    // The same run in one piece and in many.
    let mut whole = world(9.81);
    let ground = whole.ground().unwrap();
    let rod = body(&mut whole, Vec2::new(1.0, 0.0), Vec2::ZERO);
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
    let anchors = [Vec2::ZERO, Vec2::new(-0.5, 0.3)];
    whole.add_joint(&JointDef::spring(ground, rod, anchors, 0.4, softness)).unwrap();
    let mut pieces = whole.clone();
    Reference::default().run(&mut whole, 1.0, DT).unwrap();
    for _ in 0..60 {
        Reference::default().step(&mut pieces, DT).unwrap();
    }
    let apart = whole[rod].position() - pieces[rod].position();
    assert!(apart.length() < 1e-9, "{apart:?}");
}

#[test]
fn ropes_paths_and_thresholds_tell() {
    let mut world = world(9.81);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(0.0, -1.0), Vec2::ZERO);
    let axis = Axis {
        limit: Some(Limit { restitution: 0.5, ..Limit::new(f64::NEG_INFINITY, 2.0) }),
        ..Axis::default()
    };
    let mut rope = JointDef::rope(ground, ball, [Vec2::ZERO; 2], 2.0).with_axis(axis);
    rope.threshold = Some(10.0);
    let rope = world.add_joint(&rope).unwrap();
    let report = Reference::default().run(&mut world, 3.0, DT).unwrap();
    let events: Vec<Event> = report.events.iter().map(|event| event.1).collect();
    assert_eq!(events[..2], [Event::Taut(rope), Event::Slack(rope)]);
    // At rest it bears the weight.
    assert!(events.iter().any(|event| matches!(event,
        Event::Threshold { joint, above: true, .. } if *joint == rope)));

    let bead = body(&mut world, Vec2::new(5.0, 0.0), Vec2::X);
    let path = Path::polyline(&[Vec2::new(5.0, 0.0), Vec2::new(5.5, 0.0)], false).unwrap();
    let wire = JointDef::path_with_exits(ground, bead, &path, Vec2::ZERO);
    let wire = world.add_joint(&wire).unwrap();
    let report = Reference::default().run(&mut world, 1.0, DT).unwrap();
    let left = Event::PathLeft { joint: wire, upper: true };
    assert!(report.events.iter().any(|event| event.1 == left && (event.0 - 3.5).abs() < 2.0 * DT));
    assert!(world[bead].position().y < -0.5);
}

#[test]
fn a_joint_breaks_by_its_torque_about_the_anchor_and_says_so_once() {
    let mut world = world(9.81);
    let ground = world.ground().unwrap();
    let rod = body(&mut world, Vec2::new(0.5, 0.0), Vec2::ZERO);
    let breaking = Break { torque: 1.0, ..Break::default() };
    let pin = JointDef::revolute(ground, rod, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]);
    let pin = world.add_joint(&pin.with_break(breaking)).unwrap();
    let report = Reference::default().run(&mut world, 1.0, DT).unwrap();
    assert!(report.events.is_empty(), "a pin bears no torque: {:?}", report.events);
    world
        .edit_joint(pin, |def| {
            def.breaking = Some(Break { force: 1.0, then: OnBreak::Event, ..Break::default() });
        })
        .unwrap();
    let report = Reference::default().run(&mut world, 0.2, DT).unwrap();
    assert_eq!(report.events.len(), 1, "{:?}", report.events);
}
