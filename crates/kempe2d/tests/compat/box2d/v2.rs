//! Joints of Box2D's second version.

use crate::stage::{H, Stage, close, refused};
use kempe2d::compat::box2d::v2::{
    FrictionJointDef, GearJointDef, MotorJointDef, MouseJointDef, PulleyJointDef, RopeJointDef,
};
use kempe2d::compat::box2d::{Base, Frame, PrismaticJointDef, RevoluteJointDef, WeldJointDef};
use kempe2d::{Error, Event, Vec2};

#[test]
fn a_rope_is_slack_until_it_is_taut() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 2.0, 1.0);
    let new = RopeJointDef::new(stage.ground, b);
    assert_eq!((new.local_anchor_a, new.local_anchor_b), (-Vec2::X, Vec2::X));
    assert_eq!((new.max_length, new.collide_connected), (0.0, false));
    let rope = RopeJointDef {
        local_anchor_a: Vec2::ZERO,
        local_anchor_b: Vec2::ZERO,
        max_length: 2.0,
        ..new
    };
    let joint = stage.join(rope.joint());
    stage.run(0.5);
    close(stage.world[b].velocity().y, -5.0, 1e-3);
    assert_eq!(stage.world.joint_is_slack(joint), Some(true));
    let mut taut = false;
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        taut |= stage.world.report().events.contains(&Event::Taut(joint));
    }
    assert!(taut);
    close(stage.at(b).y, -2.0, 1e-3);
    close(stage.world.joint_axis_force(joint, 0).unwrap().limit, -20.0, 1e-2);
    assert_eq!(refused(new.joint()), "max_length");
}

#[test]
fn a_pulley_weighs_two_bodies() {
    for ratio in [1.0, 3.0] {
        let mut stage = Stage::with_gravity(10.0);
        let (a, b) = (
            stage.body(Vec2::new(-2.0, -1.0), 5.0, 1.0),
            stage.body(Vec2::new(2.0, -2.0), 2.0, 1.0),
        );
        let new = PulleyJointDef::new(stage.ground, a, b);
        assert_eq!((new.ratio, new.length_a, new.length_b), (1.0, 0.0, 0.0));
        assert_eq!(
            (new.ground_anchor_a, new.ground_anchor_b),
            (Vec2::new(-1.0, 1.0), Vec2::new(1.0, 1.0))
        );
        assert!(new.collide_connected);
        let pulley = PulleyJointDef {
            ground_anchor_a: Vec2::new(-2.0, 3.0),
            ground_anchor_b: Vec2::new(2.0, 3.0),
            local_anchor_a: Vec2::ZERO,
            local_anchor_b: Vec2::ZERO,
            length_a: 4.0,
            length_b: 5.0,
            ratio,
            ..new
        };
        stage.join(pulley.joint());
        // a sinks by x, b rises by x / ratio: x'' = g (m_a − m_b / ρ) / (m_a + m_b / ρ²)
        let expected = 10.0 * (5.0 - 2.0 / ratio) / (5.0 + 2.0 / (ratio * ratio));
        stage.run(0.5);
        close(stage.world[a].velocity().y, -0.5 * expected, 1e-3);
        close(stage.world[b].velocity().y, 0.5 * expected / ratio, 1e-3);
        let lengths = (3.0 - stage.at(a).y) + ratio * (3.0 - stage.at(b).y);
        close(lengths, 4.0 + ratio * 5.0, 1e-3);
        assert_eq!(refused(PulleyJointDef { ratio: 0.0, ..pulley }.joint()), "ratio");
        assert_eq!(refused(PulleyJointDef { length_b: -1.0, ..pulley }.joint()), "length_b");
        assert_eq!(refused(new.joint()), "length_a");
    }
}

#[test]
fn a_pulley_also_pushes() {
    let mut stage = Stage::new();
    let (a, b) = (stage.body(-Vec2::Y, 1.0, 1.0), stage.body(Vec2::new(1.0, -1.0), 1.0, 1.0));
    let pulley = PulleyJointDef {
        ground_anchor_a: Vec2::ZERO,
        ground_anchor_b: Vec2::X,
        local_anchor_a: Vec2::ZERO,
        local_anchor_b: Vec2::ZERO,
        length_a: 1.0,
        length_b: 1.0,
        ..PulleyJointDef::new(stage.ground, a, b)
    };
    stage.join(pulley.joint());
    stage.world.set_velocity(a, Vec2::new(0.0, 0.4)).unwrap();
    stage.run(0.5);
    close(stage.world[a].velocity().y, 0.2, 1e-3);
    close(stage.world[b].velocity().y, -0.2, 1e-3);
}

#[test]
fn a_mouse_drags_what_it_took_hold_of() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(1.0, 0.0), 2.0, 0.5);
    let new = MouseJointDef::new(stage.ground, b);
    assert_eq!((new.frequency_hz, new.damping_ratio, new.max_force), (5.0, 0.7, 0.0));
    let hold = Vec2::new(1.0, 0.5);
    let mouse = MouseJointDef { target: hold, max_force: 10.0, ..new };
    let joint = mouse.joint(&stage.world).unwrap();
    let joint = stage.world.add_joint(&joint).unwrap();
    // Where it took hold, nothing happens; then it turns what it drags aside.
    stage.run(0.5);
    close((stage.at(b) - Vec2::X).length(), 0.0, 1e-6);
    let drag = |stage: &mut Stage, joint, to| {
        stage.world.edit_joint(joint, |def| def.pull_mut().unwrap().target = to).unwrap();
    };
    drag(&mut stage, joint, Vec2::new(9.0, 0.5));
    stage.world.step(H).unwrap();
    // 10 N over 1/60 s at an arm of 0.5 m
    close(stage.world[b].velocity().x, 10.0 / 60.0 / 2.0, 1e-4);
    close(stage.world[b].angular_velocity(), -0.5 * 10.0 / 60.0 / 0.5, 1e-3);
    // At the centre of mass it goes where it is dragged, with a bounded force.
    let mut stage = Stage::new();
    let b = stage.body(Vec2::X, 2.0, 0.5);
    let soft = MouseJointDef {
        body_a: stage.ground,
        body_b: b,
        target: Vec2::X,
        frequency_hz: 0.5,
        damping_ratio: 1.0,
        max_force: 40.0,
        ..mouse
    };
    let joint = stage.join(soft.joint(&stage.world));
    drag(&mut stage, joint, Vec2::new(-4.0, 3.0));
    let mut most = 0.0_f64;
    for _ in 0..480 {
        stage.world.step(H).unwrap();
        most = most.max(stage.world.joint_force(joint).unwrap().0.length());
    }
    close(most, 40.0, 1e-2);
    close((stage.at(b) - Vec2::new(-4.0, 3.0)).length(), 0.0, 1e-3);
    let bad = MouseJointDef { max_force: -1.0, ..soft };
    assert_eq!(refused(bad.joint(&stage.world)), "max_force");
    let bad = MouseJointDef { target: Vec2::new(0.0, f64::NAN), ..soft };
    assert_eq!(refused(bad.joint(&stage.world)), "target.y");
    let other = kempe2d::World::default();
    assert!(matches!(mouse.joint(&other), Err(Error::Handle { what: "body", .. })));
}

#[test]
fn friction_stops_a_puck_after_the_same_way_in_every_direction() {
    for k in 0..7 {
        let along = Vec2::from_angle(0.2 + f64::from(k) * 0.9);
        let mut stage = Stage::new();
        let b = stage.body(Vec2::ZERO, 2.0, 0.5);
        stage.world.set_velocity(b, along * 3.0).unwrap();
        stage.world.set_angular_velocity(b, -4.0).unwrap();
        let new = FrictionJointDef::new(stage.ground, b);
        assert_eq!((new.max_force, new.max_torque), (0.0, 0.0));
        let friction = FrictionJointDef { max_force: 5.0, max_torque: 0.5, ..new };
        stage.join(friction.joint());
        stage.run(5.0);
        // v² / 2 (F/m) = 9 / 5; ω² / 2 (τ/I) = 16 / 2
        close((stage.at(b) - along * 1.8).length(), 0.0, 0.02);
        close(stage.world[b].rotation(), -8.0, 0.03);
        close(stage.world[b].velocity().length(), 0.0, 1e-5);
        assert_eq!(refused(FrictionJointDef { max_force: -1.0, ..new }.joint()), "max_force");
        assert_eq!(refused(FrictionJointDef { max_torque: -1.0, ..new }.joint()), "friction");
    }
}

#[test]
fn a_motor_of_version_2_removes_a_part_of_its_error() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let new = MotorJointDef::new(stage.ground, b);
    assert_eq!((new.max_force, new.max_torque, new.correction_factor), (1.0, 1.0, 0.3));
    let motor = MotorJointDef {
        linear_offset: Vec2::new(0.3, -0.4),
        angular_offset: -0.2,
        max_force: 1e6,
        max_torque: 1e6,
        correction_factor: 0.1,
        ..new
    };
    stage.join(motor.joint());
    for step in 1..=30 {
        stage.world.step(H).unwrap();
        let left = 0.9_f64.powi(step);
        let error = stage.at(b) - Vec2::new(0.3, -0.4) * (1.0 - left);
        close(error.length(), 0.0, 5e-3);
        close(stage.world[b].rotation(), -0.2 * (1.0 - left), 2e-3);
    }
    // By default it has 1 N.
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let weak =
        MotorJointDef { linear_offset: Vec2::new(9.0, 0.0), ..MotorJointDef::new(stage.ground, b) };
    stage.join(weak.joint());
    stage.run(1.0);
    close(stage.world[b].velocity().x, 0.5, 1e-3);
    assert_eq!(
        refused(MotorJointDef { correction_factor: 1.1, ..weak }.joint()),
        "correction_factor"
    );
    assert_eq!(refused(MotorJointDef { max_torque: -1.0, ..weak }.joint()), "max_torque");
}

#[test]
fn a_gear_keeps_the_sum_of_two_coordinates() {
    for ratio in [2.0, -0.5] {
        let mut stage = Stage::new();
        let ground = stage.ground;
        let (a, b) = (stage.body(Vec2::ZERO, 1.0, 3.0), stage.body(Vec2::new(5.0, 0.0), 1.0, 2.0));
        let on_a = stage.join(RevoluteJointDef::new(ground, a).joint());
        let base = Base {
            local_frame_a: Frame { p: Vec2::new(5.0, 0.0), q: 0.8 },
            ..Base::new(ground, b)
        };
        let on_b =
            stage.join(RevoluteJointDef { base, ..RevoluteJointDef::new(ground, b) }.joint());
        assert_eq!(GearJointDef::new(on_a, on_b).ratio, 1.0);
        let gear = GearJointDef { ratio, ..GearJointDef::new(on_a, on_b) };
        stage.join(gear.joint(&stage.world));
        // It counts from where it stands: nothing moves.
        stage.run(0.5);
        close(stage.world[a].rotation(), 0.0, 1e-6);
        // q₂ = −q₁ / ρ: α₁ = τ / (I₁ + I₂ / ρ²)
        for _ in 0..30 {
            stage.world.apply_torque(a, 4.0).unwrap();
            stage.world.step(H).unwrap();
        }
        let expected = 0.5 * 4.0 / (3.0 + 2.0 / (ratio * ratio));
        close(stage.world[a].angular_velocity(), expected, 1e-3);
        close(stage.world[b].angular_velocity(), -expected / ratio, 1e-3);
        let sum = stage.q(on_a, 0) + ratio * stage.q(on_b, 0);
        close(sum, ratio * -0.8, 1e-3);
    }
}

#[test]
fn a_gear_drives_a_slider_and_refuses_what_has_no_axis() {
    let mut stage = Stage::new();
    let ground = stage.ground;
    let (a, b) = (stage.body(Vec2::ZERO, 1.0, 1.0), stage.body(Vec2::X, 2.0, 1.0));
    let motor = RevoluteJointDef {
        enable_motor: true,
        motor_speed: 3.0,
        max_motor_torque: 1e4,
        ..RevoluteJointDef::new(ground, a)
    };
    let pinion = stage.join(motor.joint());
    let rack = stage.join(PrismaticJointDef::new(ground, b).joint());
    let gear = GearJointDef { ratio: -4.0, ..GearJointDef::new(pinion, rack) };
    stage.join(gear.joint(&stage.world));
    stage.run(1.0);
    close(stage.world[b].velocity().x, 0.75, 1e-3);
    let bad = GearJointDef { ratio: f64::NAN, ..gear };
    assert_eq!(refused(bad.joint(&stage.world)), "ratio");
    let weld = stage.join(WeldJointDef::new(a, b).joint());
    let stuck = GearJointDef::new(pinion, weld);
    assert!(matches!(stuck.joint(&stage.world), Err(Error::NoSuchAxis { .. })));
    let other = kempe2d::World::default();
    assert!(matches!(gear.joint(&other), Err(Error::Handle { what: "joint", .. })));
}
