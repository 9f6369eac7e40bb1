//! Box2D's motor, mover, pogo and filter joints.

use crate::stage::{H, Oscillator, Stage, close, refused};
use kempe2d::compat::box2d::{
    Base, FilterJointDef, Frame, MotorJointDef, MoverJointDef, PogoJointDef,
};
use kempe2d::{JointKind, Vec2};
use std::f64::consts::TAU;

#[test]
fn a_motor_joint_does_nothing_by_default() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(3.0, 1.0), 2.0, 0.5);
    stage.join(MotorJointDef::new(stage.ground, b).joint());
    stage.world.set_velocity(b, Vec2::new(1.0, -2.0)).unwrap();
    stage.world.set_angular_velocity(b, 3.0).unwrap();
    stage.run(1.0);
    close((stage.at(b) - Vec2::new(4.0, -1.0)).length(), 0.0, 1e-5);
    close(stage.world[b].rotation(), 3.0, 1e-5);
}

#[test]
fn a_motor_joint_reaches_its_velocities_by_bounded_forces() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let motor = MotorJointDef {
        linear_velocity: Vec2::new(3.0, -4.0),
        max_velocity_force: 10.0,
        angular_velocity: -2.0,
        max_velocity_torque: 0.25,
        ..MotorJointDef::new(stage.ground, b)
    };
    let joint = stage.join(motor.joint());
    stage.run(0.5);
    // 5 m/s² along the diagonal; 0.5 rad/s²
    close((stage.world[b].velocity() - Vec2::new(1.5, -2.0)).length(), 0.0, 1e-3);
    close(stage.world[b].angular_velocity(), -0.25, 1e-4);
    close(stage.world.joint_force(joint).unwrap().0.length(), 10.0, 1e-2);
    stage.run(5.0);
    close((stage.world[b].velocity() - Vec2::new(3.0, -4.0)).length(), 0.0, 1e-4);
    close(stage.world[b].angular_velocity(), -2.0, 1e-4);
}

#[test]
fn a_motor_joint_brings_frames_together_by_springs() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(0.3, 0.4), 2.0, 0.5);
    let base = Base {
        local_frame_a: Frame { p: Vec2::ZERO, q: 0.7 },
        local_frame_b: Frame { p: Vec2::ZERO, q: 0.2 },
        ..Base::new(stage.ground, b)
    };
    let motor = MotorJointDef {
        base,
        linear_hertz: 1.0,
        linear_damping_ratio: 0.2,
        max_spring_force: 1000.0,
        angular_hertz: 2.0,
        angular_damping_ratio: 0.4,
        max_spring_torque: 1000.0,
        ..MotorJointDef::new(stage.ground, b)
    };
    stage.join(motor.joint());
    let mut point = Oscillator::hertz(0.5, 1.0, 0.2);
    let mut angle = Oscillator::hertz(-0.5, 2.0, 0.4);
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        point.step();
        angle.step();
        close((stage.at(b) - Vec2::new(0.6, 0.8) * point.q).length(), 0.0, 1e-4);
        close(stage.world[b].rotation(), 0.5 + angle.q, 1e-4);
    }
    // A spring with too little force accelerates by it.
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(3.0, 4.0), 2.0, 0.5);
    let weak = MotorJointDef { max_spring_force: 1.0, max_spring_torque: 0.0, ..motor };
    let base = Base { body_id_a: stage.ground, body_id_b: b, ..base };
    stage.join(MotorJointDef { base, ..weak }.joint());
    stage.run(1.0);
    close((stage.world[b].velocity() - Vec2::new(-0.3, -0.4)).length(), 0.0, 1e-3);
    close(stage.world[b].rotation(), 0.0, 1e-6);
}

#[test]
fn a_mover_has_a_force_for_x_and_one_for_y() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let new = MoverJointDef::new(stage.ground, b);
    assert_eq!((new.linear_velocity, new.max_velocity_force), (Vec2::ZERO, Vec2::ZERO));
    let mover = MoverJointDef {
        linear_velocity: Vec2::new(-3.0, 0.0),
        max_velocity_force: Vec2::new(4.0, 6.0),
        ..new
    };
    stage.join(mover.joint());
    stage.world.set_angular_velocity(b, 1.0).unwrap();
    stage.run(1.0);
    // 4 N / 2 kg along x; 6 N against a weight of 20 N along y
    close((stage.world[b].velocity() - Vec2::new(-2.0, -7.0)).length(), 0.0, 1e-3);
    stage.run(1.0);
    close(stage.world[b].velocity().x, -3.0, 1e-4);
    close(stage.world[b].angular_velocity(), 1.0, 1e-5);
}

#[test]
fn a_pogo_holds_a_character_above_the_ground() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::new(0.0, 1.0), 2.0, 0.5);
    let pogo = PogoJointDef {
        hertz: 2.0,
        damping_ratio: 0.7,
        rest_length: 1.0,
        max_tension_force: 5.0,
        max_compression_force: 100.0,
        ..PogoJointDef::new(stage.ground, b)
    };
    let joint = stage.join(pogo.joint());
    stage.world.set_velocity(b, Vec2::new(3.0, 0.0)).unwrap();
    let mut exact = Oscillator { a: -10.0, ..Oscillator::hertz(0.0, 2.0, 0.7) };
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).y, 1.0 + exact.q, 1e-4);
    }
    stage.run(4.0);
    close(stage.at(b).y, 1.0 - 10.0 / (2.0 * TAU * 2.0 * TAU), 1e-3);
    close(stage.world[b].velocity().x, 3.0, 1e-4);
    // It pulls down with 5 N at most: 12.5 m/s² with the weight.
    stage.world.set_velocity(b, Vec2::new(0.0, 30.0)).unwrap();
    stage.run(0.5);
    let before = stage.world[b].velocity().y;
    stage.run(0.2);
    close(stage.world[b].velocity().y - before, -0.2 * 12.5, 1e-3);
    close(stage.world.joint_axis_force(joint, 0).unwrap().spring, -5.0, 1e-3);
}

#[test]
fn a_filter_does_nothing_but_keep_bodies_from_colliding() {
    let mut stage = Stage::new();
    let (a, b) = (stage.body(Vec2::ZERO, 1.0, 1.0), stage.body(Vec2::X, 1.0, 1.0));
    let joint = FilterJointDef::new(a, b).joint().unwrap();
    assert_eq!((&joint.kind, joint.collide_connected), (&JointKind::Filter, false));
    assert_eq!(joint.bodies, [a, b]);
    stage.world.add_joint(&joint).unwrap();
    stage.world.set_velocity(a, Vec2::new(0.0, 2.0)).unwrap();
    stage.run(1.0);
    close((stage.at(a) - Vec2::new(0.0, 2.0)).length(), 0.0, 1e-6);
    close((stage.at(b) - Vec2::X).length(), 0.0, 1e-9);
}

#[test]
fn bad_numbers_of_drives_are_named() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let motor = MotorJointDef::new(a, b);
    for (field, bad) in [
        ("max_spring_force", MotorJointDef { max_spring_force: -1.0, ..motor }),
        ("max_spring_torque", MotorJointDef { max_spring_torque: f64::NAN, ..motor }),
        ("max_velocity_torque", MotorJointDef { max_velocity_torque: -1.0, ..motor }),
        ("max_velocity_force", MotorJointDef { max_velocity_force: -1.0, ..motor }),
        ("hertz", MotorJointDef { linear_hertz: -1.0, ..motor }),
        ("pull.velocity.x", MotorJointDef { linear_velocity: Vec2::new(f64::NAN, 0.0), ..motor }),
    ] {
        assert_eq!(refused(bad.joint()), field);
    }
    let mover =
        MoverJointDef { max_velocity_force: Vec2::new(1.0, -1.0), ..MoverJointDef::new(a, b) };
    assert_eq!(refused(mover.joint()), "max_velocity_force.y");
    let pogo = PogoJointDef { normal: Vec2::ZERO, ..PogoJointDef::new(a, b) };
    assert_eq!(refused(pogo.joint()), "rail");
    let pogo = PogoJointDef { max_tension_force: -1.0, ..PogoJointDef::new(a, b) };
    assert_eq!(refused(pogo.joint()), "max_tension_force");
    assert!(FilterJointDef::new(b, b).joint().is_err());
}
