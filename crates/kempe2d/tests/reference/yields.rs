//! Largest forces of holds, stops, servos and drives.

use super::events::{body, world};
use kempe2d::{Axis, BodyDef, ForceRange, JointDef, Limit, Method, Motor, Reference};
use kempe2d::{ReferenceError, Softness, Vec2};
use std::f64::consts::{FRAC_PI_4, PI};

const DT: f64 = 1.0 / 240.0;

fn near(what: &str, value: f64, exact: f64, close: f64) {
    assert!((value - exact).abs() < close, "{what}: {value}, not {exact}");
}

#[test]
fn a_pin_gives_way_under_too_large_a_weight() {
    for method in [Method::default(), Method::GeneralizedAlpha { radius: 0.9 }] {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::ZERO, Vec2::ZERO);
        let mut pin = JointDef::revolute(ground, ball, [Vec2::ZERO; 2]);
        pin.max_force = 30.0;
        let pin = world.add_joint(&pin).unwrap();
        // Of 19.62 N it holds.
        Reference::new(method).run(&mut world, 0.5, DT).unwrap();
        near("what it can bear", world[ball].position().length(), 0.0, 1e-12);
        // 10 N are too few: a = g − 5 m/s².
        world.edit_joint(pin, |def| def.max_force = 10.0).unwrap();
        Reference::new(method).run(&mut world, 1.0, DT).unwrap();
        near("place", world[ball].position().y, -0.5 * 4.81, 1e-9);
        near("speed", world[ball].velocity().y, -4.81, 1e-9);
    }
}

#[test]
fn an_open_hold_pulls_straight_with_all_it_has() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::ZERO, Vec2::ZERO);
    let mut pin = JointDef::revolute(ground, ball, [Vec2::new(3.0, 4.0), Vec2::ZERO]);
    pin.max_force = 1.0;
    world.add_joint(&pin).unwrap();
    // 1 N on 2 kg for 1 s.
    Reference::default().run(&mut world, 1.0, DT).unwrap();
    let moved = world[ball].position();
    near("way", moved.length(), 0.25, 1e-9);
    near("beside it", moved.cross(Vec2::new(0.6, 0.8)), 0.0, 1e-12);
}

#[test]
fn what_gave_way_closes_again_when_it_can() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(-0.01, 0.0), Vec2::ZERO);
    let mut weld = JointDef::weld(ground, ball, [Vec2::ZERO; 2], 0.0);
    (weld.max_force, weld.max_torque) = (500.0, 500.0);
    let weld = world.add_joint(&weld).unwrap();
    Reference::default().run(&mut world, 1.0, DT).unwrap();
    near("place", world[ball].position().length(), 0.0, 1e-12);
    near("gap", world.joint_separation(weld).unwrap().0, 0.0, 1e-12);
}

#[test]
fn a_puck_is_stopped_by_friction_in_every_direction_alike() {
    for method in [Method::default(), Method::GeneralizedAlpha { radius: 0.9 }] {
        for k in 0..8 {
            let mut world = world(0.0);
            let ground = world.ground().unwrap();
            let (sin, cos) = (0.1 + f64::from(k) * FRAC_PI_4).sin_cos();
            let way = Vec2::new(cos, sin);
            let puck = body(&mut world, Vec2::ZERO, way * 3.0);
            world.add_joint(&JointDef::top_down_friction(ground, puck, 4.0, 0.0)).unwrap();
            // v² m / (2 f), after v m / f.
            Reference::new(method).run(&mut world, 2.0, DT).unwrap();
            let off = (world[puck].position() - way * 2.25).length();
            near("where it stops", off, 0.0, 1e-9);
            near("speed", world[puck].velocity().length(), 0.0, 1e-9);
        }
    }
}

#[test]
fn a_spring_of_a_drive_has_a_largest_force_as_a_vector() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::ZERO, Vec2::ZERO);
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 1.0 };
    let mouse = JointDef::mouse(ground, ball, Vec2::new(30.0, 40.0), Vec2::ZERO, softness, 1.0);
    world.add_joint(&mouse).unwrap();
    Reference::default().run(&mut world, 1.0, DT).unwrap();
    near("way", world[ball].position().length(), 0.25, 1e-9);
    near("beside it", world[ball].position().cross(Vec2::new(0.6, 0.8)), 0.0, 1e-9);
}

#[test]
fn a_stop_with_a_largest_force_is_passed() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let slider = body(&mut world, Vec2::new(-1.0, 0.0), Vec2::new(2.0, 0.0));
    let limit = Some(Limit { force: 8.0, ..Limit::new(f64::NEG_INFINITY, 0.0) });
    let rail = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], Vec2::X)
        .with_axis(Axis { limit, ..Axis::default() });
    world.add_joint(&rail).unwrap();
    let mut furthest = 0.0_f64;
    let look = |world: &kempe2d::World| furthest = furthest.max(world[slider].position().x);
    Reference::default().watch(&mut world, 3.0, DT, look).unwrap();
    // v² m / (2 f) beyond it, and back to it.
    near("furthest", furthest, 0.5, 1e-4);
    assert!(world[slider].position().x < 1e-6, "{:?}", world[slider].position());
}

#[test]
fn a_rigid_servo_has_a_largest_force() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let slider = body(&mut world, Vec2::ZERO, Vec2::ZERO);
    let motor = Some(Motor::Position {
        target: 100.0.into(),
        softness: Softness::Rigid,
        force: ForceRange::symmetric(4.0),
    });
    let rail = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], Vec2::X)
        .with_axis(Axis { motor, ..Axis::default() });
    world.add_joint(&rail).unwrap();
    Reference::default().run(&mut world, 1.0, DT).unwrap();
    near("way", world[slider].position().x, 1.0, 1e-9);
}

#[test]
fn a_circle_is_followed_with_a_largest_force() {
    // A ball that a rod leads round, with friction of 1.5 N along its way on a table: the speed falls
    // by f/m, whatever the direction.
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(1.0, 0.0), Vec2::new(0.0, 3.0));
    world.add_joint(&JointDef::rod(ground, ball, [Vec2::ZERO; 2], 1.0)).unwrap();
    world.add_joint(&JointDef::top_down_friction(ground, ball, 1.5, 0.0)).unwrap();
    Reference::default().run(&mut world, 2.0, DT).unwrap();
    near("speed", world[ball].velocity().length(), 3.0 - 0.75 * 2.0, 1e-4);
    let angle = 3.0 * 2.0 - 0.5 * 0.75 * 4.0 - 2.0 * PI;
    let position = world[ball].position();
    near("angle", position.y.atan2(position.x), angle, 1e-4);
    Reference::default().run(&mut world, 3.0, DT).unwrap();
    near("at rest", world[ball].velocity().length(), 0.0, 1e-9);
}

#[test]
fn what_gives_way_is_not_for_rattle() {
    let mut world = world(9.81);
    let ground = world.ground().unwrap();
    let ball = world.add_body(&BodyDef::dynamic()).unwrap();
    let mut pin = JointDef::revolute(ground, ball, [Vec2::ZERO; 2]);
    pin.max_force = 30.0;
    let pin = world.add_joint(&pin).unwrap();
    let error = Reference::new(Method::Rattle { order: 4 }).step(&mut world, DT).unwrap_err();
    assert!(matches!(error, ReferenceError::Loses { joint, .. } if joint == pin), "{error}");
}
