//! Stops, friction, ropes and breaks, located in time.

use kempe2d::{
    Axis, BodyDef, BodyId, Break, Cause, Event, JointDef, Limit, Mass, MassProperties, Method, Path,
};
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

/// How long a ball on a rod of 1 m takes from the horizontal to an angle below it:
/// ∫ dφ / √(2 g sin φ), with φ = s².
fn fall_to(angle: f64) -> f64 {
    let count = 20_000;
    let ds = angle.sqrt() / f64::from(count);
    let rate = |s: f64| match s {
        0.0 => 2.0 / (2.0 * 9.81_f64).sqrt(),
        s => 2.0 * s / (2.0 * 9.81 * (s * s).sin()).sqrt(),
    };
    let each = (0..count).map(|k| {
        let s = f64::from(k) * ds;
        ds / 6.0 * (rate(s) + 4.0 * rate(s + 0.5 * ds) + rate(s + ds))
    });
    each.sum()
}

/// A ball of 2 kg on a rod of 1 m, horizontal; its pull is 3 m g sin φ.
fn ball_on_a_rod(change: impl Fn(JointDef) -> JointDef) -> (World, BodyId, kempe2d::JointId) {
    let mut world = world(9.81);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(1.0, 0.0), Vec2::ZERO);
    let rod = change(JointDef::rod(ground, ball, [Vec2::ZERO; 2], 1.0));
    let rod = world.add_joint(&rod).unwrap();
    (world, ball, rod)
}

#[test]
fn a_joint_breaks_when_it_must_and_lets_go() {
    let angle = (40.0_f64 / (3.0 * 2.0 * 9.81)).asin();
    let when = fall_to(angle);
    for (method, close) in [
        (Method::default(), 1e-5),
        (Method::GeneralizedAlpha { radius: 0.9 }, 1e-4),
        (Method::Rattle { order: 4 }, 1e-8),
        (Method::Rattle { order: 6 }, 1e-9),
    ] {
        let breaking = Break { force: 40.0, then: OnBreak::Remove, ..Break::default() };
        let (mut world, ball, rod) = ball_on_a_rod(|rod| rod.with_break(breaking));
        let report = Reference::new(method).run(&mut world, 1.0, 1.0 / 240.0).unwrap();
        let (time, event) = report.events[0];
        assert!((time - when).abs() < close, "{method:?}: {time}, not {when}");
        let Event::Broke { joint, cause: Cause::Force(force) } = event else { panic!("{event:?}") };
        assert!(joint == rod && (40.0..40.000_001).contains(&force), "{force}");
        assert!(world.joint(rod).is_none());
        // From there it flies with the √(2 g sin φ) that it has.
        let speed = (2.0 * 9.81 * angle.sin()).sqrt();
        let left = 1.0 - when;
        let x = angle.cos() - speed * angle.sin() * left;
        let y = -angle.sin() - speed * angle.cos() * left - 0.5 * 9.81 * left * left;
        let off = (world[ball].position() - Vec2::new(x, y)).length();
        assert!(off < 10.0 * close, "{method:?}: {off}");
    }
}

#[test]
fn a_threshold_is_told_when_it_is_passed() {
    let angle = (40.0_f64 / (3.0 * 2.0 * 9.81)).asin();
    let half = 2.0 * fall_to(std::f64::consts::FRAC_PI_2);
    let (mut world, _, rod) = ball_on_a_rod(|mut rod| {
        rod.threshold = Some(40.0);
        rod
    });
    let report =
        Reference::new(Method::Rattle { order: 6 }).run(&mut world, half, 1.0 / 240.0).unwrap();
    let told: Vec<(f64, bool)> = report
        .events
        .iter()
        .filter_map(|(time, event)| match event {
            Event::Threshold { joint, above, .. } if *joint == rod => Some((*time, *above)),
            _ => None,
        })
        .collect();
    let [(up, true), (down, false)] = told[..] else { panic!("{told:?}") };
    assert!((up - fall_to(angle)).abs() < 1e-9, "{up}");
    assert!((down - (half - fall_to(angle))).abs() < 1e-9, "{down}");
}

#[test]
fn a_blow_counts_as_spread_over_a_step() {
    // Falls by 0.5 m until the rope is taut, and would be stopped by 2 kg · 3.13 m/s.
    for (force, breaks) in [(1000.0, true), (2000.0, false)] {
        let mut world = world(9.81);
        let ground = world.ground().unwrap();
        let ball = body(&mut world, Vec2::ZERO, Vec2::ZERO);
        let breaking = Break { force, then: OnBreak::Remove, ..Break::default() };
        let rope = JointDef::rope(ground, ball, [Vec2::ZERO; 2], 0.5).with_break(breaking);
        world.add_joint(&rope).unwrap();
        let report = Reference::default().run(&mut world, 1.0, 1.0 / 240.0).unwrap();
        let broke = report.events.iter().find(|each| matches!(each.1, Event::Broke { .. }));
        assert_eq!(broke.is_some(), breaks, "{:?}", report.events);
        if let Some((time, _)) = broke {
            assert!((time - (2.0 * 0.5 / 9.81_f64).sqrt()).abs() < 1e-9, "{time}");
        }
        assert_eq!(world[ball].position().y < -1.0, breaks);
    }
}

#[test]
fn a_bead_leaves_its_path_at_its_end() {
    let mut world = world(0.0);
    let ground = world.ground().unwrap();
    let ball = body(&mut world, Vec2::new(0.1, 0.0), Vec2::new(1.7, 0.0));
    let line = Path::polyline(&[Vec2::ZERO, Vec2::new(1.0, 0.0)], false).unwrap();
    let path = JointDef::path_with_exits(ground, ball, &line, Vec2::ZERO);
    world.add_joint(&path).unwrap();
    let report = Reference::default().run(&mut world, 1.0, 1.0 / 60.0).unwrap();
    let (time, event) = report.events[0];
    assert!(matches!(event, Event::PathLeft { upper: true, .. }), "{event:?}");
    assert!((time - 0.9 / 1.7).abs() < 1e-9, "{time}");
    assert!((world[ball].position().x - 1.8).abs() < 1e-9);
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
