//! Rapier's joints, each against equations of one variable.

use crate::stage::{H, Oscillator, Stage, close, refused};
use kempe2d::compat::rapier::{
    FixedJoint, GenericJoint, JointAxesMask, JointAxis, JointMotor, MotorModel, PinSlotJoint, Pose,
    PrismaticJoint, RevoluteJoint, RopeJoint, SpringCoefficients, SpringJoint,
};
use kempe2d::{JointDef, JointKind, Softness, Vec2};
use std::f64::consts::PI;

#[test]
fn joints_have_the_defaults_of_rapier() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let joint = RevoluteJoint::new().joint(a, b).unwrap();
    assert!(joint.collide_connected && joint.enabled);
    assert_eq!((joint.softness, joint.user_data), (Softness::Rigid, 0));
    assert_eq!(joint.bodies, [a, b]);
    let motor = JointMotor::default();
    assert_eq!((motor.model, motor.max_force), (MotorModel::AccelerationBased, f64::INFINITY));
    let soft = SpringCoefficients::default();
    assert_eq!((soft.natural_frequency, soft.damping_ratio), (1.0e6, 1.0));
    assert!(!RevoluteJoint::new().contacts_enabled(false).joint(a, b).unwrap().collide_connected);
    let off = GenericJoint { enabled: false, user_data: 9, ..GenericJoint::default() };
    let off = off.joint(a, b).unwrap();
    assert_eq!((off.enabled, off.user_data), (false, 9));
    let spring = SpringJoint::new(1.0, 2.0, 3.0).data.motors[0].unwrap();
    assert_eq!(spring.model, MotorModel::ForceBased);
}

#[test]
fn every_set_of_locked_axes_is_the_kind_that_holds_it() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let name = |joint: JointDef| joint.kind.name().to_owned();
    let (x, y, turn) = (JointAxesMask::LIN_X, JointAxesMask::LIN_Y, JointAxesMask::ANG_X);
    for (locked, expected) in [
        (x | y | turn, "weld"),
        (x | y, "revolute"),
        (y | turn, "prismatic"),
        (y, "slot"),
        (x, "generic"),
        (x | turn, "generic"),
        (turn, "generic"),
        (JointAxesMask::empty(), "generic"),
    ] {
        assert_eq!(name(GenericJoint::new(locked).joint(a, b).unwrap()), expected, "{locked:?}");
    }
    let coupled = GenericJoint { coupled_axes: JointAxesMask::LIN_AXES, ..GenericJoint::default() };
    assert_eq!(name(coupled.joint(a, b).unwrap()), "distance");
    let locked = GenericJoint { locked_axes: turn, ..coupled };
    assert_eq!(refused(locked.joint(a, b)), "coupled_axes");
    let limited = coupled.limits(JointAxis::AngX, [0.0, 1.0]);
    assert_eq!(refused(limited.joint(a, b)), "coupled_axes");
    let odd = GenericJoint { coupled_axes: x | turn, ..GenericJoint::default() };
    assert_eq!(refused(odd.joint(a, b)), "coupled_axes");
}

#[test]
fn a_fixed_joint_holds_its_frames_together() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::new(1.0, 1.0), 2.0, 0.5);
    let fixed = FixedJoint::new()
        .local_frame1(Pose { translation: Vec2::new(1.0, 2.0), rotation: 0.4 })
        .local_frame2(Pose { translation: Vec2::new(0.0, 1.0), rotation: 0.4 });
    stage.join(fixed.joint(stage.ground, b));
    stage.run(2.0);
    close((stage.at(b) - Vec2::new(1.0, 1.0)).length(), 0.0, 1e-4);
    close(stage.world[b].rotation(), 0.0, 1e-4);
    let turned = fixed.local_frame2(Pose { translation: Vec2::ZERO, rotation: -0.6 });
    let kind = turned.joint(stage.ground, b).unwrap().kind;
    assert!(matches!(kind, JointKind::Weld { angle, .. } if (angle - 1.0).abs() < 1e-12));
}

#[test]
fn soft_locked_axes_are_springs() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let soft = SpringCoefficients { natural_frequency: 2.0, damping_ratio: 0.3 };
    stage.join(FixedJoint::new().softness(soft).joint(stage.ground, b));
    stage.world.set_velocity(b, Vec2::X).unwrap();
    let mut exact = Oscillator { v: 1.0, ..Oscillator::hertz(0.0, 2.0, 0.3) };
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).x, exact.q, 1e-4);
    }
}

/// The velocity after a second of a motor on a slider of this mass.
fn driven(mass: f64, slider: PrismaticJoint) -> f64 {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, mass, 1.0);
    stage.join(slider.joint(stage.ground, b));
    stage.run(1.0);
    stage.world[b].velocity().x
}

#[test]
fn a_velocity_motor_accelerates_by_its_factor() {
    let slider = PrismaticJoint::new(Vec2::X).motor_velocity(4.0, 0.7);
    let forceful = slider.motor_model(MotorModel::ForceBased);
    for mass in [0.5, 20.0] {
        // q̈ = c (v − q̇), by backward Euler
        let exact = |c: f64| 4.0 * (1.0 - (1.0 + c * H / 4.0).powi(-240));
        close(driven(mass, slider), exact(0.7), 1e-4);
        close(driven(mass, forceful), exact(0.7 / mass), 1e-4);
        close(driven(mass, slider.motor_max_force(0.3)), (0.3 / mass).min(exact(0.7)), 1e-4);
    }
    close(driven(2.0, PrismaticJoint::new(-Vec2::X).motor_velocity(4.0, 1e6)), -4.0, 1e-3);
}

#[test]
fn a_position_motor_is_a_spring_of_its_model() {
    for mass in [0.5, 8.0] {
        for model in [MotorModel::AccelerationBased, MotorModel::ForceBased] {
            let mut stage = Stage::new();
            let b = stage.body(Vec2::ZERO, 1.0, mass);
            let hinge = RevoluteJoint::new().motor_position(5.0, 30.0, 2.0).motor_model(model);
            stage.join(hinge.joint(stage.ground, b));
            let per = if model == MotorModel::ForceBased { mass } else { 1.0 };
            let mut exact = Oscillator { q: -5.0, v: 0.0, k: 30.0 / per, c: 2.0 / per, a: 0.0 };
            for _ in 0..60 {
                stage.world.step(H).unwrap();
                exact.step();
                close(stage.world[b].rotation(), 5.0 + exact.q, 2e-3);
            }
        }
    }
}

#[test]
fn a_motor_reaches_for_a_position_and_a_velocity_at_once() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 3.0, 1.0);
    let slider = PrismaticJoint::new(Vec2::X).motor(2.0, -1.0, 20.0, 4.0);
    stage.join(slider.joint(stage.ground, b));
    // k (2 − q) + c (−1 − q̇)
    let mut exact = Oscillator { q: -2.0, v: 0.0, k: 20.0, c: 4.0, a: -4.0 };
    for _ in 0..60 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).x, 2.0 + exact.q, 6e-3);
    }
}

#[test]
fn a_revolute_joint_has_limits_of_many_turns() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::new(1.0, 0.0), 1.0, 0.5);
    let hinge = RevoluteJoint::new().local_anchor2(-Vec2::X).limits([-1.0, 4.0 * PI]);
    let joint = stage.join(hinge.motor_velocity(9.0, 50.0).joint(stage.ground, b));
    stage.run(4.0);
    close(stage.q(joint, 0), 4.0 * PI, 2e-3);
    close((stage.at(b) - Vec2::X).length(), 0.0, 5e-3);
    let back = hinge.motor_velocity(-9.0, 50.0).joint(stage.ground, b).unwrap();
    stage.world.set_joint(joint, &back).unwrap();
    stage.run(4.0);
    close(stage.world[b].rotation(), -1.0, 2e-3);
}

#[test]
fn a_prismatic_joint_slides_between_its_limits() {
    let axis = Vec2::new(0.6, 0.8);
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 1.0, 0.5);
    let slider = PrismaticJoint::new(axis * 5.0).limits([-2.0, 1.0]);
    let joint = stage.join(slider.joint(stage.ground, b));
    stage.world.set_angular_velocity(b, 1.0).unwrap();
    stage.run(0.25);
    close(stage.world.joint_speed(joint, 0).unwrap(), -2.0, 1e-2);
    stage.run(2.0);
    close((stage.at(b) + axis * 2.0).length(), 0.0, 1e-3);
    close(stage.world[b].rotation(), 0.0, 1e-3);
    assert_eq!(
        refused(PrismaticJoint::new(Vec2::ZERO).joint(stage.ground, b)),
        "local_frame1.rotation"
    );
}

#[test]
fn axes_of_the_two_bodies_may_differ() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 1.0, 0.5);
    let slider = PrismaticJoint::new(Vec2::X).local_axis1(-Vec2::Y).local_axis2(Vec2::X);
    let joint = stage.join(slider.motor_velocity(2.0, 1e6).joint(stage.ground, b));
    // B's x axis is along −y of A: θ₂ = −π/2.
    stage.world.set_rotation(b, -0.5 * PI).unwrap();
    stage.run(0.5);
    close((stage.at(b) - Vec2::new(0.0, -1.0)).length(), 0.0, 0.02);
    close(stage.world[b].rotation(), -0.5 * PI, 1e-4);
    close(stage.q(joint, 0), 1.0, 0.02);
    let slot = PinSlotJoint::new(Vec2::X).local_axis1(Vec2::Y).local_axis2(-Vec2::Y);
    let kind = slot.joint(stage.ground, b).unwrap().kind;
    let JointKind::Slot { rail, angle, .. } = kind else { unreachable!("{kind:?}") };
    close((rail - Vec2::Y).length(), 0.0, 1e-12);
    close(angle, PI, 1e-12);
}

#[test]
fn limits_yield_as_locked_axes_do() {
    let mut stage = Stage::new();
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let soft = SpringCoefficients { natural_frequency: 2.0, damping_ratio: 0.3 };
    let slider = PrismaticJoint::new(Vec2::X).limits([-1.0, 0.0]).softness(soft);
    stage.join(slider.joint(stage.ground, b));
    stage.world.set_velocity(b, Vec2::X).unwrap();
    let mut exact = Oscillator { v: 1.0, ..Oscillator::hertz(0.0, 2.0, 0.3) };
    for _ in 0..8 {
        stage.world.step(H).unwrap();
        exact.step();
    }
    close(stage.at(b).x, exact.q, 5e-3);
    assert!(exact.q > 0.04, "past the stop");
}

#[test]
fn a_pin_slides_and_turns_in_its_slot() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 1.0, 0.5);
    let slot = PinSlotJoint::new(Vec2::X).limits([-3.0, 2.0]).motor_velocity(3.0, 1e6);
    let joint = stage.join(slot.joint(stage.ground, b));
    stage.world.set_angular_velocity(b, 5.0).unwrap();
    stage.run(0.5);
    close(stage.at(b).x, 1.5, 0.02);
    close(stage.at(b).y, 0.0, 1e-4);
    stage.run(1.0);
    close(stage.q(joint, 0), 2.0, 1e-3);
    close(stage.world[b].rotation(), 7.5, 1e-3);
}

#[test]
fn a_rope_is_at_most_so_long() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::new(0.0, 0.5), 2.0, 0.5);
    let rope = RopeJoint::new(1.5);
    let joint = stage.join(rope.joint(stage.ground, b));
    stage.run(0.4);
    close(stage.world[b].velocity().y, -4.0, 1e-3);
    stage.run(2.0);
    close(stage.at(b).y, -1.5, 1e-3);
    // As a winch: 20 N of weight, and 24 N to haul it with.
    let winch = rope.motor_velocity(-1.0, 1e6).motor_max_force(24.0);
    stage.world.set_joint(joint, &winch.joint(stage.ground, b).unwrap()).unwrap();
    stage.run(0.25);
    close(stage.world[b].velocity().y, 0.5, 1e-2);
    assert_eq!(refused(RopeJoint::new(0.0).joint(stage.ground, b)), "limits");
    assert_eq!(refused(RopeJoint::new(f64::NAN).joint(stage.ground, b)), "limit.lower");
}

#[test]
fn a_spring_has_newtons_per_metre_or_is_normalized() {
    for mass in [0.5, 4.0] {
        for model in [MotorModel::ForceBased, MotorModel::AccelerationBased] {
            let mut stage = Stage::new();
            let b = stage.body(Vec2::new(0.0, 3.0), mass, 0.5);
            let spring = SpringJoint::new(2.0, 40.0, 1.5).spring_model(model);
            stage.join(spring.local_anchor1(-Vec2::Y).joint(stage.ground, b));
            let per = if model == MotorModel::ForceBased { mass } else { 1.0 };
            let mut exact = Oscillator { q: 2.0, v: 0.0, k: 40.0 / per, c: 1.5 / per, a: 0.0 };
            for _ in 0..40 {
                stage.world.step(H).unwrap();
                exact.step();
                close(stage.at(b).y, 1.0 + exact.q, 1e-3);
            }
        }
    }
}

#[test]
fn a_generic_joint_locks_limits_and_drives_each_axis() {
    let mut stage = Stage::with_gravity(10.0);
    let b = stage.body(Vec2::ZERO, 2.0, 0.5);
    let frame = Pose { translation: Vec2::ZERO, rotation: 0.0 };
    let joint = GenericJoint { local_frame2: frame, ..GenericJoint::new(JointAxesMask::LIN_X) }
        .limits(JointAxis::LinY, [-0.7, 3.0])
        .motor_position(JointAxis::AngX, 1.0, 20.0, 1.0);
    let joint = stage.join(joint.joint(stage.ground, b));
    stage.world.set_velocity(b, Vec2::new(3.0, 0.0)).unwrap();
    let mut exact = Oscillator { q: -1.0, v: 0.0, k: 20.0, c: 1.0, a: 0.0 };
    for step in 0..60 {
        stage.world.step(H).unwrap();
        exact.step();
        close(stage.at(b).x, 0.0, 1e-4);
        close(stage.world[b].rotation(), 1.0 + exact.q, 1e-3);
        if step == 11 {
            close(stage.world[b].velocity().y, -2.0, 1e-3);
        }
    }
    close(stage.q(joint, 1), -0.7, 1e-3);
}

#[test]
fn bad_numbers_are_named() {
    let mut stage = Stage::new();
    let (a, b) = (stage.ground, stage.body(Vec2::ZERO, 1.0, 1.0));
    let hinge = RevoluteJoint::new();
    assert_eq!(refused(hinge.limits([1.0, 0.0]).joint(a, b)), "limit.lower");
    assert_eq!(refused(hinge.motor_max_force(-1.0).joint(a, b)), "max_force");
    assert_eq!(refused(hinge.motor_position(0.0, -1.0, 0.0).joint(a, b)), "stiffness");
    assert_eq!(refused(hinge.motor_velocity(f64::NAN, 1.0).joint(a, b)), "motor.speed");
    let soft = SpringCoefficients { natural_frequency: -1.0, damping_ratio: 1.0 };
    assert_eq!(refused(hinge.softness(soft).joint(a, b)), "natural_frequency");
    let anchor = Vec2::new(0.0, f64::NAN);
    assert_eq!(refused(hinge.local_anchor1(anchor).joint(a, b)), "anchor_a.y");
    assert!(hinge.joint(b, b).is_err(), "a body and itself");
}
