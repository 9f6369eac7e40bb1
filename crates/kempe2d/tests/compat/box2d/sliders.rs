//! Box2D's distance and prismatic joints.

use super::turned;
use crate::stage::{H, Oscillator, Stage, close, refused};
use kempe2d::compat::box2d::{Base, DistanceJointDef, Frame, PrismaticJointDef};
use kempe2d::{BodyId, Vec2};
use std::f64::consts::FRAC_PI_2;

/// A body so far to the right of the ground's origin.
fn beside(x: f64, mass: f64) -> (Stage, BodyId) {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(x, 0.0), mass, 1.0);
    (stage, b)
}

#[test]
fn a_distance_joint_has_the_defaults_of_box2d() {
    let (stage, b) = beside(1.0, 1.0);
    let new = DistanceJointDef::new(stage.ground, b);
    assert_eq!((new.length, new.min_length, new.max_length), (1.0, 0.0, f64::INFINITY));
    assert!(!new.enable_spring && !new.enable_limit && !new.enable_motor);
    assert_eq!((new.hertz, new.damping_ratio), (0.0, 0.0));
    let range = (new.lower_spring_force, new.upper_spring_force);
    assert_eq!(range, (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((new.max_motor_force, new.motor_speed), (0.0, 0.0));
}

#[test]
fn a_distance_spring_swings_the_same_with_any_mass() {
    for mass in [0.5, 30.0] {
        let (mut stage, b) = beside(1.5, mass);
        let spring = DistanceJointDef {
            length: 1.2,
            enable_spring: true,
            hertz: 2.0,
            damping_ratio: 0.1,
            ..DistanceJointDef::new(stage.ground, b)
        };
        stage.join(spring.joint());
        let mut exact = Oscillator::hertz(0.3, 2.0, 0.1);
        for _ in 0..120 {
            stage.world.step(H).unwrap();
            exact.step();
            close(stage.at(b).x, 1.2 + exact.q, 1e-4);
        }
    }
}

#[test]
fn a_distance_spring_pulls_and_pushes_within_its_range() {
    // (starts at, lower, upper, acceleration of 2 kg)
    for (x, lower, upper, expected) in [
        (5.0, -6.0, f64::INFINITY, -3.0),
        (0.2, f64::NEG_INFINITY, 4.0, 2.0),
        (0.2, f64::NEG_INFINITY, 0.0, 0.0),
        (5.0, 0.0, f64::INFINITY, 0.0),
    ] {
        let (mut stage, b) = beside(x, 2.0);
        let spring = DistanceJointDef {
            enable_spring: true,
            hertz: 10.0,
            damping_ratio: 1.0,
            lower_spring_force: lower,
            upper_spring_force: upper,
            ..DistanceJointDef::new(stage.ground, b)
        };
        stage.join(spring.joint());
        stage.run(0.2);
        close(stage.world[b].velocity().x, 0.2 * expected, 1e-4);
    }
}

#[test]
fn a_rigid_distance_overrides_limit_and_motor() {
    for (enable_spring, limits) in [(false, (0.1, 0.2)), (true, (0.7, 0.7))] {
        let (mut stage, b) = beside(1.5, 2.0);
        stage.world.set_velocity(b, Vec2::new(1.0, 2.0)).unwrap();
        let rod = DistanceJointDef {
            length: 1.5,
            enable_spring,
            hertz: 1.0,
            enable_limit: true,
            min_length: limits.0,
            max_length: limits.1,
            enable_motor: true,
            motor_speed: 3.0,
            max_motor_force: 100.0,
            ..DistanceJointDef::new(stage.ground, b)
        };
        let joint = stage.join(rod.joint());
        for _ in 0..60 {
            stage.world.step(H).unwrap();
            close(stage.q(joint, 0), 1.5, 1e-3);
        }
        close(stage.world[b].velocity().length(), 2.0, 0.02);
    }
}

#[test]
fn a_distance_motor_lengthens_until_the_limit() {
    for (speed, end) in [(1.0, 2.0), (-1.0, 0.5)] {
        let (mut stage, b) = beside(1.0, 2.0);
        let winch = DistanceJointDef {
            enable_spring: true,
            enable_limit: true,
            min_length: 0.5,
            max_length: 2.0,
            enable_motor: true,
            motor_speed: speed,
            max_motor_force: 10.0,
            ..DistanceJointDef::new(stage.ground, b)
        };
        let joint = stage.join(winch.joint());
        stage.run(0.1);
        close(stage.world[b].velocity().x, 0.5 * speed, 1e-4);
        stage.run(0.2);
        close(stage.world[b].velocity().x, speed, 1e-4);
        stage.run(2.0);
        close(stage.q(joint, 0), end, 1e-3);
        close(stage.world.joint_axis_force(joint, 0).unwrap().motor, 10.0 * speed, 1e-2);
    }
}

#[test]
fn a_prismatic_joint_moves_along_the_x_axis_of_frame_a() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::new(0.0, 1.0), 2.0, 1.0);
    let new = PrismaticJointDef::new(stage.ground, b);
    assert!(!new.enable_spring && !new.enable_limit && !new.enable_motor);
    let lift = PrismaticJointDef {
        base: Base {
            local_frame_b: Frame { p: Vec2::ZERO, q: FRAC_PI_2 },
            ..turned(new.base, FRAC_PI_2)
        },
        enable_motor: true,
        motor_speed: 1.5,
        max_motor_force: 30.0,
        enable_limit: true,
        lower_translation: -1.0,
        upper_translation: 3.0,
        ..new
    };
    let joint = stage.join(lift.joint());
    stage.world.set_angular_velocity(b, 1.0).unwrap();
    close(stage.q(joint, 0), 1.0, 1e-9);
    stage.run(0.1);
    // 30 N less a weight of 20 N on 2 kg
    close(stage.world[b].velocity().y, 0.5, 1e-3);
    stage.run(0.5);
    close(stage.world[b].velocity().y, 1.5, 1e-3);
    stage.run(2.0);
    close(stage.at(b).y, 3.0, 1e-3);
    close(stage.at(b).x, 0.0, 1e-4);
    close(stage.world[b].rotation(), 0.0, 1e-4);
    let weak = PrismaticJointDef { max_motor_force: 15.0, ..lift };
    stage.world.set_joint(joint, &weak.joint().unwrap()).unwrap();
    stage.run(3.0);
    close(stage.q(joint, 0), -1.0, 1e-3);
}

#[test]
fn a_prismatic_spring_swings_about_its_target() {
    let (mut stage, b) = beside(0.0, 5.0);
    let spring = PrismaticJointDef {
        enable_spring: true,
        hertz: 1.0,
        damping_ratio: 0.3,
        target_translation: -0.8,
        ..PrismaticJointDef::new(stage.ground, b)
    };
    stage.join(spring.joint());
    let mut exact = Oscillator::hertz(0.8, 1.0, 0.3);
    for _ in 0..90 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).x, -0.8 + exact.q, 1e-4);
    }
}

#[test]
fn bad_numbers_of_sliders_are_named() {
    let (stage, b) = beside(1.0, 1.0);
    let rod = DistanceJointDef::new(stage.ground, b);
    assert_eq!(refused(DistanceJointDef { length: 0.0, ..rod }.joint()), "length");
    assert_eq!(refused(DistanceJointDef { length: f64::NAN, ..rod }.joint()), "length");
    let limit = DistanceJointDef { enable_limit: true, min_length: 2.0, max_length: 1.0, ..rod };
    assert_eq!(refused(limit.joint()), "min_length");
    let limit = DistanceJointDef { enable_limit: true, min_length: -1.0, ..rod };
    assert_eq!(refused(limit.joint()), "min_length");
    let spring = DistanceJointDef { enable_spring: true, hertz: 1.0, ..rod };
    let range = DistanceJointDef { lower_spring_force: 2.0, upper_spring_force: 1.0, ..spring };
    assert_eq!(refused(range.joint()), "force.lower");
    let slider = PrismaticJointDef::new(stage.ground, b);
    let limit = PrismaticJointDef { enable_limit: true, lower_translation: 1.0, ..slider };
    assert_eq!(refused(limit.joint()), "limit.lower");
    let motor = PrismaticJointDef { enable_motor: true, motor_speed: f64::NAN, ..slider };
    assert_eq!(refused(motor.joint()), "motor.speed");
}
