//! Steps whose length follows from an error.

use super::orders::pendulum;
use kempe2d::{BodyDef, JointDef, Limit, Method, Reference, Vec2, World};

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
