//! Box2D's joints, each against equations of one variable.

mod drives;
mod sliders;
mod v2;

use crate::stage::{H, Oscillator, Stage, close, refused};
use kempe2d::compat::box2d::{
    Base, DistanceJointDef, Frame, RevoluteJointDef, WeldJointDef, WheelJointDef,
};
use kempe2d::{Cause, Event, JointKind, Softness, Vec2};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Frame A at an angle.
pub(crate) fn turned(base: Base, q: f64) -> Base {
    Base { local_frame_a: Frame { q, ..base.local_frame_a }, ..base }
}

#[test]
fn a_base_has_the_defaults_of_box2d() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let base = Base::new(a, b);
    assert_eq!((base.body_id_a, base.body_id_b), (a, b));
    assert_eq!((base.constraint_hertz, base.constraint_damping_ratio), (60.0, 2.0));
    assert_eq!((base.force_threshold, base.torque_threshold), (f64::INFINITY, f64::INFINITY));
    assert_eq!((base.collide_connected, base.draw_scale, base.user_data), (false, 1.0, 0));
    let joint = RevoluteJointDef::new(a, b).joint().unwrap();
    assert_eq!(joint.bodies, [a, b]);
    assert_eq!((joint.softness, joint.breaking), (Softness::Rigid, None));
    assert!(!joint.collide_connected);
    let base = Base { collide_connected: true, user_data: 7, ..base };
    let joint = RevoluteJointDef { base, ..RevoluteJointDef::new(a, b) }.joint().unwrap();
    assert_eq!((joint.collide_connected, joint.user_data), (true, 7));
}

#[test]
fn a_joint_event_tells_of_a_force_and_of_a_torque() {
    for (force, torque) in [(10.0, f64::INFINITY), (f64::INFINITY, 10.0)] {
        for over in [false, true] {
            let mut stage = Stage::new();
            let b = stage.body(Vec2::ZERO, 1.0, 1.0);
            let base = Base {
                force_threshold: force,
                torque_threshold: torque,
                ..Base::new(stage.ground, b)
            };
            stage.join(WeldJointDef { base, ..WeldJointDef::new(stage.ground, b) }.joint());
            let much = if over { 11.0 } else { 9.0 };
            for _ in 0..3 {
                stage.world.apply_central_force(b, Vec2::new(much, 0.0)).unwrap();
                stage.world.apply_torque(b, much).unwrap();
                stage.world.step(H).unwrap();
                if stage.world.report().steps > 1 {
                    break;
                }
                let events = &stage.world.report().events;
                let told = events.iter().find_map(|event| match event {
                    Event::Broke { cause, .. } => Some(*cause),
                    _ => None,
                });
                match told {
                    Some(Cause::Force(f)) if force < torque => close(f, 11.0, 1e-3),
                    Some(Cause::Torque(t)) if torque < force => close(t, 11.0, 1e-3),
                    told => assert!(told.is_none() && !over, "{told:?}"),
                }
            }
            assert_eq!(stage.world.joint_count(), 1, "an event removes nothing");
        }
    }
}

#[test]
fn constraint_hertz_says_how_fast_an_error_is_removed() {
    for rod in [false, true] {
        let mut stage = Stage::new();
        let (length, error) = (2.0, 0.4);
        let rest = if rod { length } else { 0.0 };
        let b = stage.body(Vec2::new(rest + error, 0.0), 3.0, 1.0);
        let base = Base {
            constraint_hertz: 2.0,
            constraint_damping_ratio: 1.0,
            ..Base::new(stage.ground, b)
        };
        stage.join(match rod {
            true => {
                DistanceJointDef { base, length, ..DistanceJointDef::new(stage.ground, b) }.joint()
            }
            false => RevoluteJointDef { base, ..RevoluteJointDef::new(stage.ground, b) }.joint(),
        });
        stage.run(0.25);
        // ω / 2ζ = 2π/s
        close(stage.at(b).x, rest + error * (-TAU * 0.25).exp(), 2e-3);
    }
}

#[test]
fn a_revolute_motor_is_at_its_speed_when_its_torque_allows() {
    for sign in [1.0, -1.0] {
        let mut stage = Stage::with_gravity(10.0);
        let b = stage.body(Vec2::ZERO, 5.0, 2.0);
        let motor = RevoluteJointDef {
            enable_motor: true,
            motor_speed: 3.0 * sign,
            max_motor_torque: 4.0,
            ..RevoluteJointDef::new(stage.ground, b)
        };
        let joint = stage.join(motor.joint());
        stage.run(1.0);
        close(stage.world[b].angular_velocity(), 2.0 * sign, 1e-4);
        close(stage.world.joint_axis_force(joint, 0).unwrap().motor, 4.0 * sign, 1e-3);
        stage.run(0.6);
        close(stage.world[b].angular_velocity(), 3.0 * sign, 1e-4);
        close(stage.at(b).length(), 0.0, 1e-5);
    }
}

#[test]
fn a_revolute_joint_counts_turns_from_its_frames() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 1.0, 1.0);
    let base = Base::new(stage.ground, b);
    let base = Base {
        local_frame_a: Frame { p: Vec2::ZERO, q: 0.5 },
        local_frame_b: Frame { p: Vec2::ZERO, q: 0.2 },
        ..base
    };
    let hinge = RevoluteJointDef {
        base,
        enable_limit: true,
        lower_angle: -1.0,
        upper_angle: 5.0 * PI,
        ..RevoluteJointDef::new(stage.ground, b)
    };
    let joint = stage.join(hinge.joint());
    close(stage.q(joint, 0), -0.3, 1e-9);
    stage.world.set_angular_velocity(b, 8.0).unwrap();
    stage.run(1.5);
    close(stage.q(joint, 0), 11.7, 1e-3);
    stage.run(1.5);
    close(stage.world[b].rotation(), 5.0 * PI + 0.3, 1e-3);
    stage.world.set_angular_velocity(b, -8.0).unwrap();
    stage.run(4.0);
    close(stage.q(joint, 0), -1.0, 1e-3);
}

#[test]
fn a_revolute_spring_swings_about_its_target() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 1.0, 7.0);
    let hinge = RevoluteJointDef {
        target_angle: 4.0,
        enable_spring: true,
        hertz: 1.5,
        damping_ratio: 0.2,
        ..RevoluteJointDef::new(stage.ground, b)
    };
    stage.join(hinge.joint());
    let mut exact = Oscillator::hertz(-4.0, 1.5, 0.2);
    for _ in 0..90 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.world[b].rotation(), 4.0 + exact.q, 1e-3);
    }
    // Without a frequency there is no spring.
    let none = RevoluteJointDef { hertz: 0.0, ..hinge }.joint().unwrap();
    assert_eq!(none.axes[0].spring, None);
}

#[test]
fn a_weld_yields_in_point_and_angle_separately() {
    for (linear, angular) in [(2.0, 0.0), (0.0, 3.0), (2.0, 3.0), (0.0, 0.0)] {
        let mut stage = Stage::new();
        let b = stage.body(Vec2::ZERO, 3.0, 0.7);
        let weld = WeldJointDef {
            linear_hertz: linear,
            angular_hertz: angular,
            linear_damping_ratio: 0.1,
            angular_damping_ratio: 0.3,
            ..WeldJointDef::new(stage.ground, b)
        };
        stage.join(weld.joint());
        stage.world.set_velocity(b, Vec2::new(0.6, -0.8)).unwrap();
        stage.world.set_angular_velocity(b, 2.0).unwrap();
        let mut point = Oscillator { v: 1.0, ..Oscillator::hertz(0.0, linear, 0.1) };
        let mut angle = Oscillator { v: 2.0, ..Oscillator::hertz(0.0, angular, 0.3) };
        for _ in 0..60 {
            stage.world.step(H).unwrap();
            point.step();
            angle.step();
            let (at, turn) = (stage.at(b), stage.world[b].rotation());
            let point = if linear == 0.0 { 0.0 } else { point.q };
            let angle = if angular == 0.0 { 0.0 } else { angle.q };
            close(at.x, 0.6 * point, 1e-4);
            close(at.y, -0.8 * point, 1e-4);
            close(turn, angle, 1e-4);
        }
    }
}

#[test]
fn a_weld_holds_its_frames_together() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::new(0.0, 2.0), 3.0, 0.7);
    let base = Base {
        local_frame_a: Frame { p: Vec2::new(0.0, 2.0), q: FRAC_PI_2 },
        local_frame_b: Frame { p: Vec2::new(1.0, 0.0), q: 0.0 },
        ..Base::new(stage.ground, b)
    };
    let weld = WeldJointDef { base, ..WeldJointDef::new(stage.ground, b) };
    let kind = weld.joint().unwrap().kind;
    assert!(matches!(kind, JointKind::Weld { angle, .. } if angle == FRAC_PI_2), "{kind:?}");
    stage.join(weld.joint());
    stage.run(3.0);
    // B's x axis is up, and a metre along it is at (0, 2).
    close(stage.world[b].rotation(), FRAC_PI_2, 1e-3);
    close((stage.at(b) - Vec2::new(0.0, 1.0)).length(), 0.0, 1e-3);
}

#[test]
fn a_wheel_sags_on_its_spring_and_spins_by_its_motor() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 4.0, 0.5);
    let new = WheelJointDef::new(stage.ground, b);
    assert_eq!((new.enable_spring, new.hertz, new.damping_ratio), (true, 1.0, 0.7));
    let wheel = WheelJointDef {
        base: turned(new.base, FRAC_PI_2),
        enable_motor: true,
        motor_speed: -6.0,
        max_motor_torque: 2.0,
        ..new
    };
    let joint = stage.join(wheel.joint());
    let mut exact = Oscillator { a: -10.0, ..Oscillator::hertz(0.0, 1.0, 0.7) };
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).y, exact.q, 1e-4);
    }
    close(stage.world[b].angular_velocity(), -4.0, 1e-3);
    stage.run(5.0);
    close(stage.at(b).y, -10.0 / (TAU * TAU), 1e-4);
    close(stage.at(b).x, 0.0, 1e-5);
    close(stage.world.joint_speed(joint, 1).unwrap(), -6.0, 1e-4);
    let stops = WheelJointDef {
        enable_limit: true,
        lower_translation: -0.1,
        upper_translation: 0.2,
        ..wheel
    };
    stage.world.set_joint(joint, &stops.joint().unwrap()).unwrap();
    stage.run(2.0);
    close(stage.q(joint, 0), -0.1, 1e-3);
}

#[test]
fn bad_numbers_of_hinges_are_named() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let hinge = RevoluteJointDef::new(a, b);
    let with = |base: Base| RevoluteJointDef { base, ..hinge }.joint();
    let base = hinge.base;
    assert_eq!(refused(with(turned(base, f64::NAN))), "local_frame_a.q");
    assert_eq!(refused(with(Base { constraint_hertz: -1.0, ..base })), "constraint_hertz");
    let negative = Base { constraint_damping_ratio: -1.0, ..base };
    assert_eq!(refused(with(negative)), "constraint_damping_ratio");
    assert_eq!(refused(with(Base { force_threshold: -1.0, ..base })), "breaking.force");
    let frame = Frame::at(Vec2::new(f64::INFINITY, 0.0));
    assert_eq!(refused(with(Base { local_frame_b: frame, ..base })), "anchor_b.x");
    let motor = RevoluteJointDef { enable_motor: true, max_motor_torque: -1.0, ..hinge };
    assert_eq!(refused(motor.joint()), "force.lower");
    let limit = RevoluteJointDef { enable_limit: true, lower_angle: 1.0, ..hinge };
    assert_eq!(refused(limit.joint()), "limit.lower");
    let spring = RevoluteJointDef { enable_spring: true, hertz: -1.0, ..hinge };
    assert_eq!(refused(spring.joint()), "hertz");
    let weld = WeldJointDef { angular_hertz: f64::NAN, ..WeldJointDef::new(a, b) };
    assert_eq!(refused(weld.joint()), "angular_hertz");
    let wheel = WheelJointDef { damping_ratio: -0.1, ..WheelJointDef::new(a, b) };
    assert_eq!(refused(wheel.joint()), "damping_ratio");
    assert!(RevoluteJointDef::new(b, b).joint().is_err(), "a body and itself");
}
