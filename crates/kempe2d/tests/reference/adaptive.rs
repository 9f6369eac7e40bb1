//! Steps whose length follows from an error.

use super::orders::pendulum;
use kempe2d::{
    BodyDef, BodyId, JointDef, Limit, Method, Reference, ReferenceError, Settings, Vec2, World,
};

#[test]
fn the_error_follows_the_tolerance() {
    let ideal = 0.770_957_622_574 - std::f64::consts::FRAC_PI_2;
    for (method, bounds) in
        [(Method::default(), [5e-2, 2e-3]), (Method::Rattle { order: 4 }, [1e-3, 3e-5])]
    {
        let mut steps = Vec::new();
        for (tolerance, bound) in [1e-5, 1e-7].into_iter().zip(bounds) {
            let (mut world, rod) = pendulum();
            let report = Reference::new(method)
                .adaptive(&mut world, 10.0, tolerance, &[], |_, _| ())
                .unwrap();
            let error = (world[rod].rotation() - ideal).abs();
            assert!(error < bound, "{method:?} {tolerance}: {error}");
            assert!((world.time() - 10.0).abs() < 1e-9);
            steps.push(report.steps);
        }
        assert!(steps[1] > 2 * steps[0], "{method:?} {steps:?}");
    }
}

#[test]
fn it_is_seen_at_the_times_asked_for() {
    // A rod that falls on its pin, against the same in short steps.
    let times = [0.0, 0.111, 0.5, 0.777, 1.0];
    let (mut world, rod) = pendulum();
    let mut seen = Vec::new();
    Reference::default()
        .adaptive(&mut world, 1.0, 1e-8, &times, |time, world| {
            seen.push((time, world[rod].rotation(), world[rod].angular_velocity()));
        })
        .unwrap();
    assert_eq!(seen.len(), times.len());
    for (time, angle, turning) in seen {
        let (mut other, rod) = pendulum();
        if time > 0.0 {
            Reference::new(Method::Rattle { order: 6 }).run(&mut other, time, 1e-3).unwrap();
        }
        assert!((angle - other[rod].rotation()).abs() < 1e-5, "{time}: {angle}");
        assert!((turning - other[rod].angular_velocity()).abs() < 1e-4, "{time}: {turning}");
    }
}

#[test]
fn through_a_bounce() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball =
        world.add_body(&BodyDef { position: Vec2::new(0.0, 1.0), ..BodyDef::dynamic() }).unwrap();
    let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::Y);
    rail.axis_mut(0).limit = Some(Limit { restitution: 0.5, ..Limit::new(0.0, f64::INFINITY) });
    world.add_joint(&rail).unwrap();
    let hit = (2.0 / 9.81_f64).sqrt();
    let mut seen = Vec::new();
    Reference::default()
        .adaptive(&mut world, 0.6, 1e-8, &[0.4, 0.5], |_, world| {
            seen.push(world[ball].position().y);
        })
        .unwrap();
    let up = 0.5 * 9.81 * hit;
    let after = 0.5 - hit;
    assert!((seen[0] - (1.0 - 0.5 * 9.81 * 0.16)).abs() < 1e-6, "{seen:?}");
    assert!((seen[1] - (up * after - 0.5 * 9.81 * after * after)).abs() < 1e-6, "{seen:?}");
}

#[test]
fn arguments_that_make_no_sense() {
    let (mut world, _) = pendulum();
    let hash = world.state_hash();
    let reference = Reference::default();
    for (duration, tolerance, times) in [
        (0.0, 1e-6, vec![]),
        (1.0, 0.0, vec![]),
        (1.0, f64::NAN, vec![]),
        (1.0, 1e-6, vec![1.5]),
        (1.0, 1e-6, vec![0.5, 0.2]),
        (1.0, 1e-6, vec![f64::NAN]),
    ] {
        assert!(reference.adaptive(&mut world, duration, tolerance, &times, |_, _| ()).is_err());
        assert_eq!(world.state_hash(), hash);
    }
}

const SIXTH: Method = Method::Rattle { order: 6 };

/// A rod of 1 m on a pin at its end that turns at this speed.
fn spinning(speed: f64, gravity: f64) -> (World, BodyId) {
    let settings = Settings { gravity: Vec2::new(0.0, -gravity), ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let rod = BodyDef {
        position: Vec2::new(0.5, 0.0),
        velocity: Vec2::new(0.0, 0.5 * speed),
        angular_velocity: speed,
        ..BodyDef::dynamic()
    };
    let rod = world.add_body(&rod).unwrap();
    let pin = JointDef::revolute(ground, rod, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]);
    world.add_joint(&pin).unwrap();
    (world, rod)
}

#[test]
fn a_rod_at_3000_rad_a_second() {
    for (tolerance, bound) in [(1e-5, 1e-4), (1e-7, 2e-6), (1e-9, 2e-8)] {
        let (mut world, rod) = spinning(3000.0, 0.0);
        let times = [0.001, 0.0071, 0.02];
        let mut most = 0.0_f64;
        Reference::new(SIXTH)
            .adaptive(&mut world, 0.02, tolerance, &times, |time, world| {
                most = most.max((world[rod].rotation() - 3000.0 * time).abs());
            })
            .unwrap();
        assert!(most < bound, "{tolerance}: {most}");
    }
}

#[test]
fn a_pendulum_at_1000_rad_a_second() {
    let (mut fine, rod) = spinning(1000.0, 9.81);
    Reference::new(SIXTH).run(&mut fine, 0.02, 2e-5).unwrap();
    for (method, tolerance, bound) in
        [(SIXTH, 1e-11, 1e-9), (SIXTH, 1e-7, 1e-5), (Method::default(), 1e-6, 1e-2)]
    {
        let (mut world, own) = spinning(1000.0, 9.81);
        Reference::new(method).adaptive(&mut world, 0.02, tolerance, &[], |_, _| ()).unwrap();
        let off = (world[own].rotation() - fine[rod].rotation()).abs();
        assert!(off < bound, "{method:?} {tolerance}: {off}");
    }
}

#[test]
fn times_asked_for_are_as_exact_as_the_end() {
    let times: Vec<f64> = (1..20).map(|k| 0.0517 * f64::from(k)).collect();
    let mut fine = Vec::new();
    let (mut world, rod) = spinning(3.0, 9.81);
    let mut before = 0.0;
    for time in &times {
        Reference::new(SIXTH).run(&mut world, time - before, 1e-3).unwrap();
        before = *time;
        fine.push([world[rod].rotation(), world[rod].angular_velocity()]);
    }
    for (tolerance, bound) in [(1e-9, 2e-9), (1e-11, 2e-11)] {
        let (mut world, rod) = spinning(3.0, 9.81);
        let mut seen = Vec::new();
        Reference::new(SIXTH)
            .adaptive(&mut world, 1.0, tolerance, &times, |_, world| {
                seen.push([world[rod].rotation(), world[rod].angular_velocity()]);
            })
            .unwrap();
        for (seen, fine) in seen.iter().zip(&fine) {
            let [angle, turning] = [0, 1].map(|k| (seen[k] - fine[k]).abs());
            assert!(angle < bound && turning < 10.0 * bound, "{tolerance}: {angle} {turning}");
        }
        assert_eq!(seen.len(), times.len());
        assert_eq!(world.time(), 1.0);
    }
}

#[test]
fn effort_has_a_limit() {
    // Backward Euler would take some millions of steps for that.
    let (mut world, _) = spinning(3.0, 9.81);
    let hash = world.state_hash();
    let reference = Reference::new(Method::Theta { k: 1.0 }).with_most_steps(300);
    let error = reference.adaptive(&mut world, 1.0, 1e-12, &[], |_, _| ()).unwrap_err();
    assert!(matches!(error, ReferenceError::Steps { most: 300, .. }), "{error:?}");
    assert!(error.to_string().contains("300 steps"));
    assert_eq!(world.state_hash(), hash);
    // More digits than there are.
    let error = Reference::new(SIXTH).adaptive(&mut world, 1.0, 1e-19, &[], |_, _| ());
    assert!(error.is_err(), "{error:?}");
    assert_eq!(world.state_hash(), hash);
}
