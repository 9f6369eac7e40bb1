//! Stops, friction, ropes and breaks, located in time.

use kempe2d::{Axis, BodyDef, BodyId, Break, Event, JointDef, Limit, Mass, MassProperties, Method};
use kempe2d::{Motor, OnBreak, Reference, Settings, Softness, Vec2, World};

const DT: f64 = 1.0 / 60.0;
const METHODS: [Method; 2] = [Method::Theta { k: 0.5 }, Method::GeneralizedAlpha { radius: 0.9 }];

pub fn world(gravity: f64) -> World {
    let gravity = Vec2::new(0.0, -gravity);
    World::new(Settings { gravity, ..Settings::default() }).unwrap()
}

pub fn body(world: &mut World, position: Vec2, velocity: Vec2) -> BodyId {
    let mass = Mass::Given(MassProperties { mass: 2.0, inertia: 0.5, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, velocity, mass, ..BodyDef::dynamic() }).unwrap()
}

#[test]
fn a_slider_is_stopped_by_friction() {
    for method in METHODS {
        let mut world = world(0.0);
        let ground = world.ground().unwrap();
        let slider = body(&mut world, Vec2::ZERO, Vec2::new(5.0, 0.0));
        let mut rail = JointDef::prismatic(ground, slider, [Vec2::ZERO; 2], Vec2::X);
        rail.axis_mut(0).friction = Some(9.81);
        world.add_joint(&rail).unwrap();
        Reference::new(method).run(&mut world, 2.0, DT).unwrap();
        // v² / (2 μ g) with μ g = 9.81 / 2.
        let ideal = 25.0 / 9.81;
        let stopped = world[slider].position().x;
        assert!((stopped / ideal - 1.0).abs() < 1e-9, "{method:?} {stopped} {ideal}");
        assert!(world[slider].velocity().length() < 1e-12);
    }
}

#[test]
fn a_ball_bounces_on_a_stop() {
    // A mass on a vertical rail with a stop at 0: heights fall by e².
    for method in METHODS {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::new(0.0, 1.0), Vec2::ZERO);
        let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::Y);
        let limit = Limit { restitution: 0.8, ..Limit::new(0.0, f64::INFINITY) };
        rail.axis_mut(0).limit = Some(limit);
        let rail = world.add_joint(&rail).unwrap();
        let report = Reference::new(method).run(&mut world, 5.0, DT).unwrap();
        let hits: Vec<f64> = report
            .events
            .iter()
            .filter(|event| matches!(event.1, Event::LimitReached { joint, .. } if joint == rail))
            .map(|event| event.0)
            .collect();
        // t₁ = √(2h/g), then 2 e t₁ for the first bounce, and so on; at rest after t₁ (1 + e)/(1 − e).
        let first = (2.0 / 9.81_f64).sqrt();
        let mut at = first;
        for (k, hit) in hits.iter().enumerate().take(6) {
            assert!((hit - at).abs() < 1e-9, "{method:?} {k}: {hit} {at}");
            at += 2.0 * first * 0.8_f64.powi(k as i32 + 1);
        }
        assert!(world[ball].position().y.abs() < 1e-9, "{:?}", world[ball].position());
        assert!(world[ball].velocity().length() < 1e-9);
    }
}

#[test]
fn a_rope_goes_taut() {
    for method in METHODS {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::new(0.0, -1.0), Vec2::ZERO);
        world.add_joint(&JointDef::rope(ground, ball, [Vec2::ZERO; 2], 2.0)).unwrap();
        let report = Reference::new(method).run(&mut world, 2.0, DT).unwrap();
        let when = report.events[0].0;
        assert!((when - (2.0 / 9.81_f64).sqrt()).abs() < 1e-9, "{method:?} {when}");
        assert!((world[ball].position().y + 2.0).abs() < 1e-11, "{:?}", world[ball].position());
    }
}

#[test]
fn a_motor_slips_until_it_has_its_speed() {
    // 3 N·m on 0.5 kg·m²: 6 rad/s², 2 rad/s after 1/3 s.
    for method in METHODS {
        let mut world = world(0.0);
        let ground = world.ground().unwrap();
        let wheel = body(&mut world, Vec2::ZERO, Vec2::ZERO);
        let mut pin = JointDef::revolute(ground, wheel, [Vec2::ZERO; 2]);
        pin.axis_mut(0).motor =
            Some(Motor::Velocity { speed: 2.0.into(), force: kempe2d::ForceRange::symmetric(3.0) });
        world.add_joint(&pin).unwrap();
        Reference::new(method).run(&mut world, 1.0, DT).unwrap();
        let ideal = 2.0 - 0.5 * 2.0 * 2.0 / 6.0;
        assert!(
            (world[wheel].rotation() - ideal).abs() < 1e-9,
            "{method:?} {}",
            world[wheel].rotation()
        );
        assert!((world[wheel].angular_velocity() - 2.0).abs() < 1e-10);
    }
}

#[test]
fn more_events_than_can_be_told_apart() {
    // A ball between two stops 0.1 mm apart, at 2 m/s: 333 hits in a step. It may come to rest, and gains nothing.
    for method in METHODS {
        let mut world = world(0.0);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::ZERO, Vec2::new(2.0, 0.0));
        let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::X);
        let limit = Limit { restitution: 1.0, ..Limit::new(-5e-5, 5e-5) };
        rail.axis_mut(0).limit = Some(limit);
        world.add_joint(&rail).unwrap();
        let report = Reference::new(method).run(&mut world, 0.1, DT).unwrap();
        assert!(report.clustered > 0);
        let (at, speed) = (world[ball].position(), world[ball].velocity().x.abs());
        assert!(at.x.abs() < 6e-5 && at.y.abs() < 1e-12, "{at:?}");
        assert!(speed < 2.0 + 1e-9 && world[ball].rotation().abs() < 1e-12, "{speed}");
    }
}

#[test]
fn friction_at_a_stop_and_under_a_motor() {
    for method in METHODS {
        // It falls to a stop, with friction on the same axis, and rests there.
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::new(0.0, 1.0), Vec2::ZERO);
        let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::Y);
        rail.axis_mut(0).limit = Some(Limit::new(0.0, f64::INFINITY));
        rail.axis_mut(0).friction = Some(2.0);
        world.add_joint(&rail).unwrap();
        // A motor without bound turns an axis that has friction.
        let wheel = body(&mut world, Vec2::ZERO, Vec2::ZERO);
        let mut pin = JointDef::revolute(ground, wheel, [Vec2::ZERO; 2]);
        let force = kempe2d::ForceRange::default();
        pin.axis_mut(0).motor = Some(Motor::Velocity { speed: 2.0.into(), force });
        pin.axis_mut(0).friction = Some(1.0);
        world.add_joint(&pin).unwrap();
        Reference::new(method).run(&mut world, 1.5, DT).unwrap();
        assert!(world[ball].position().y.abs() < 1e-10, "{:?}", world[ball].position());
        assert!((world[wheel].rotation() - 3.0).abs() < 1e-9, "{}", world[wheel].rotation());
    }
}

#[test]
fn stick_slip_on_a_belt() {
    // A block on a spring is dragged by friction until k x = F.
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let belt =
        world.add_body(&BodyDef { velocity: Vec2::new(0.1, 0.0), ..BodyDef::kinematic() }).unwrap();
    let block = body(&mut world, Vec2::ZERO, Vec2::new(0.1, 0.0));
    let mut rail = JointDef::prismatic(ground, block, [Vec2::ZERO; 2], Vec2::X);
    rail.axis_mut(0).spring =
        Some(kempe2d::Spring::new(0.0, Softness::Stiffness { stiffness: 10.0, damping: 0.0 }));
    world.add_joint(&rail).unwrap();
    let mut drag = JointDef::prismatic(belt, block, [Vec2::ZERO; 2], Vec2::X);
    drag.axis_mut(0).friction = Some(3.0);
    world.add_joint(&drag).unwrap();
    let mut largest = 0.0_f64;
    Reference::default()
        .watch(&mut world, 20.0, DT, |world| largest = largest.max(world[block].position().x))
        .unwrap();
    // It sticks until 0.3 m, then slips with what speed it has: amplitude v √(m/k) beyond it.
    let beyond = 0.1 * (2.0_f64 / 10.0).sqrt();
    assert!((largest - 0.3 - beyond).abs() < 1e-3, "{largest}");
}

#[test]
fn a_joint_breaks_and_lets_go() {
    let mut world = world(9.81);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(1.0, 0.0), Vec2::ZERO);
    let rod = JointDef::rod(ground, ball, [Vec2::ZERO; 2], 1.0).with_break(Break {
        force: 40.0,
        then: OnBreak::Remove,
        ..Break::default()
    });
    let rod = world.add_joint(&rod).unwrap();
    let report = Reference::default().run(&mut world, 1.0, 1.0 / 240.0).unwrap();
    // 3 m g sin φ = 40 N below the horizontal.
    assert!(matches!(report.events[0].1, Event::Broke { joint, .. } if joint == rod));
    assert!(world.joint(rod).is_none());
    assert!(world[ball].position().length() > 1.1);
}

#[test]
fn stops_of_an_axis_that_yield() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(-1.0, 0.0), Vec2::new(2.0, 0.0));
    let softness = Softness::Stiffness { stiffness: 200.0, damping: 0.0 };
    let limit = Some(Limit { softness, ..Limit::new(f64::NEG_INFINITY, 0.0) });
    let rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::X)
        .with_axis(Axis { limit, ..Axis::default() });
    world.add_joint(&rail).unwrap();
    // There at 0.5 s; half a period π √(m/k) later it is back at 0 with −2 m/s.
    let half = std::f64::consts::PI * (2.0_f64 / 200.0).sqrt();
    Reference::default().run(&mut world, 0.5 + half + 0.25, 1e-3).unwrap();
    assert!((world[ball].velocity().x + 2.0).abs() < 1e-4, "{:?}", world[ball].velocity());
    assert!((world[ball].position().x + 0.5).abs() < 1e-3, "{:?}", world[ball].position());
}
