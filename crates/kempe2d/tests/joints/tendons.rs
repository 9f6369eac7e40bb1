//! Cables through many points.

use kempe2d::{BodyDef, BodyId, Direct, Event, JointDef, Limit, Mass, MassProperties, Settings};
use kempe2d::{Softness, Vec2, World};

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

fn world(direct: Direct) -> World {
    World::new(Settings { sleep: false, direct, ..Settings::default() }).unwrap()
}

fn load(world: &mut World, position: Vec2, mass: f64) -> BodyId {
    let mass = Mass::Given(MassProperties { mass, inertia: 0.1, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
}

#[test]
fn a_block_and_tackle_lifts_by_its_strands() {
    for direct in [Direct::Always, Direct::Never] {
        for (n, m, big) in [(2, 1.0, 1.5), (4, 1.0, 3.0), (4, 1.0, 5.0)] {
            let mut world = world(direct);
            let ground = world.ground().unwrap();
            let block = load(&mut world, Vec2::ZERO, big);
            let hand = load(&mut world, Vec2::new(1.0, 0.0), m);
            // n strands between the ceiling, 10 m up, and the block; then down to the counterweight.
            let mut points = Vec::new();
            for strand in 0..n / 2 {
                let _ = strand;
                points.push((ground, Vec2::new(0.0, 10.0)));
                points.push((block, Vec2::ZERO));
            }
            points.push((ground, Vec2::new(0.0, 10.0)));
            points.push((ground, Vec2::new(1.0, 10.0)));
            points.push((hand, Vec2::ZERO));
            let length = 10.0 * f64::from(n) + 1.0 + 10.0;
            let cable = world.add_joint(&JointDef::tendon(&points, length)).unwrap();
            for _ in 0..30 {
                world.step(DT).unwrap();
            }
            let strands = f64::from(n);
            let up = G * (strands * m - big) / (big + strands * strands * m);
            let speed = world[block].velocity().y;
            assert!(
                (speed - 0.5 * up).abs() < 2e-3,
                "{direct:?} {n} {m} {big}: {speed} {}",
                0.5 * up
            );
            assert!((world[hand].velocity().y + strands * speed).abs() < 2e-3);
            // One tension all along: m (g − n a).
            let tension = -world.joint_axis_force(cable, 0).unwrap().limit;
            assert!((tension - m * (G - strands * up)).abs() < 2e-2, "{tension}");
        }
    }
}

#[test]
fn a_cable_goes_slack_and_taut_again() {
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let ball = load(&mut world, Vec2::new(0.0, -1.0), 1.0);
    let points = [(ground, Vec2::new(-1.0, 0.0)), (ground, Vec2::ZERO), (ball, Vec2::ZERO)];
    let cable = world.add_joint(&JointDef::tendon(&points, 3.0)).unwrap();
    let mut events = Vec::new();
    for step in 0..240 {
        if step == 100 {
            // 5 m/s up: 2.55 m above the end of the cable, 1.02 s until it is taut again.
            world.set_velocity(ball, Vec2::new(0.0, 5.0)).unwrap();
        }
        let report = world.step(DT).unwrap();
        for event in &report.events {
            if matches!(event, Event::Taut(_) | Event::Slack(_)) {
                events.push((step, *event));
            }
        }
        assert!(world.joint_coordinate(cable, 0).unwrap() < 3.01);
    }
    // It falls 1 m first: 0.4515 s.
    let [first, second, third] = events[..] else { panic!("{events:?}") };
    assert_eq!(first.1, Event::Taut(cable));
    assert!((26..=28).contains(&first.0), "{first:?}");
    assert_eq!(second, (100, Event::Slack(cable)));
    assert_eq!(third.1, Event::Taut(cable));
    let fall = f64::from(third.0 - 100) / 60.0;
    assert!((fall - 2.0 * 5.0 / G).abs() < 0.03, "{fall}");
    assert_eq!(world.joint_is_slack(cable), Some(false));
}

#[test]
fn weights_of_the_parts_are_pulley_ratios() {
    // |p₂ − p₁| + 2 |p₄ − p₃|: a₁ = g (m₁ − m₂/r) / (m₁ + m₂/r²), 1.78364 for 1, 1.5, 2.
    for direct in [Direct::Always, Direct::Never] {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let left = load(&mut world, Vec2::new(-1.0, -2.0), 1.0);
        let right = load(&mut world, Vec2::new(1.0, -2.0), 1.5);
        let top = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
        let points = [(left, Vec2::ZERO), (ground, top[0]), (ground, top[1]), (right, Vec2::ZERO)];
        let tendon = JointDef::tendon(&points, 6.0).with_ratios(&[1.0, 0.0, 2.0]);
        world.add_joint(&tendon).unwrap();
        for _ in 0..30 {
            world.step(DT).unwrap();
        }
        let (down, up) = (-world[left].velocity().y, world[right].velocity().y);
        assert!((down - 0.5 * 1.783_636_363_636_363_7).abs() < 2e-3, "{direct:?} {down}");
        assert!((up - 0.5 * down).abs() < 1e-3, "{up}");
    }
}

#[test]
fn an_elastic_tendon_has_a_dead_band() {
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let ball = load(&mut world, Vec2::new(2.0, 0.0), 1.0);
    world.set_gravity_scale(ball, 0.0).unwrap();
    let points = [(ground, Vec2::ZERO), (ball, Vec2::ZERO)];
    let softness = Softness::Stiffness { stiffness: 100.0, damping: 0.0 };
    let tendon = world.add_joint(&JointDef::elastic_tendon(&points, 1.5, 2.5, softness)).unwrap();
    let force = |world: &World| world.joint_axis_force(tendon, 0).unwrap().limit;
    world.step(DT).unwrap();
    assert_eq!(force(&world), 0.0);
    for (x, ideal) in [(2.7, -20.0), (1.4, 10.0)] {
        world.set_position(ball, Vec2::new(x, 0.0)).unwrap();
        world.set_velocity(ball, Vec2::ZERO).unwrap();
        world.step(1e-4).unwrap();
        assert!((force(&world) - ideal).abs() < 0.05, "{}", force(&world));
    }
}

#[test]
fn friction_along_a_cable_stops_it() {
    // m = 1 on a cable that slips with 2 N: a = g − 2 while it runs.
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let ball = load(&mut world, Vec2::new(0.0, -1.0), 1.0);
    let points = [(ground, Vec2::ZERO), (ball, Vec2::ZERO)];
    let mut def = JointDef::tendon(&points, 100.0);
    def.axis_mut(0).friction = Some(2.0);
    def.axis_mut(0).limit = Some(Limit::new(f64::NEG_INFINITY, 100.0));
    world.add_joint(&def).unwrap();
    for _ in 0..60 {
        world.step(DT).unwrap();
    }
    assert!((world[ball].velocity().y + (G - 2.0)).abs() < 1e-3, "{:?}", world[ball].velocity());
}
