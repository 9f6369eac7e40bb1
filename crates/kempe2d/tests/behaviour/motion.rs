//! Integration, mass, freedoms: the cases D01 to D06 and D08 of the behaviour list.

use super::{H, block, close, world};
use kempe2d::{BodyDef, BodyKind, Event, Locked, Mass, MassProperties, Shape, Vec2, World};

/// Symplectic Euler: v += a h, x += v h.
fn predicted(mut x: f64, mut v: f64, a: f64, h: f64, steps: u32) -> (f64, f64) {
    for _ in 0..steps {
        v += a * h;
        x += v * h;
    }
    (x, v)
}

#[test]
fn d01_free_fall() {
    for substeps in [1, 2, 4] {
        let mut world = world(Vec2::new(0.0, -9.81), substeps);
        let dt = f64::from(substeps) * H;
        let body = world.add_body(&block(Vec2::new(0.0, 10.0))).unwrap();
        for _ in 0..120 / substeps {
            world.step(dt).unwrap();
        }
        let (y, v) = predicted(10.0, 0.0, -9.81, H, 120);
        close(world[body].velocity().y, -19.62, 1e-9);
        close(world[body].velocity().y, v, 1e-9);
        close(world[body].position().y, y, 1e-9);
        close(world.time(), 2.0, 1e-9);
    }
}

#[test]
fn d02_constant_force_and_torque() {
    let mut world = world(Vec2::new(0.0, -9.81), 1);
    let body = world.add_body(&block(Vec2::ZERO)).unwrap();
    let MassProperties { mass, inertia, .. } = world[body].mass_properties();
    for _ in 0..120 {
        world.apply_central_force(body, Vec2::new(2.0 * mass, 0.0)).unwrap();
        world.apply_torque(body, 2.0 * inertia).unwrap();
        world.step(H).unwrap();
        assert_eq!((world[body].force(), world[body].torque()), (Vec2::ZERO, 0.0));
    }
    close(world[body].velocity().x, 4.0, 1e-9);
    close(world[body].velocity().y, -19.62, 1e-9);
    close(world[body].angular_velocity(), 4.0, 1e-9);
    close(world[body].rotation(), predicted(0.0, 0.0, 2.0, H, 120).0, 1e-9);
}

#[test]
fn a_force_at_a_point_turns() {
    let mut world = world(Vec2::ZERO, 4);
    let body = world.add_body(&block(Vec2::new(3.0, 4.0))).unwrap();
    let MassProperties { mass, inertia, .. } = world[body].mass_properties();
    world.apply_force(body, Vec2::new(0.0, 5.0), Vec2::new(4.0, 4.0)).unwrap();
    world.step(H).unwrap();
    close(world[body].velocity().y, 5.0 / mass * H, 1e-15);
    close(world[body].angular_velocity(), 5.0 / inertia * H, 1e-15);
    world.apply_impulse(body, Vec2::new(2.0, 0.0), Vec2::new(3.0, 5.0)).unwrap();
    close(world[body].velocity().x, 2.0 / mass, 1e-15);
}

#[test]
fn d04_mass_given_or_computed() {
    let mut world = World::default();
    let shapes = vec![(Shape::rectangle(1.0, 0.5), 3.0)];
    let mut mass_of = |mass: Mass| {
        let def = BodyDef { shapes: shapes.clone(), mass, ..BodyDef::dynamic() };
        let id = world.add_body(&def).unwrap();
        world[id].mass_properties()
    };
    let computed = mass_of(Mass::FromShapes);
    close(computed.mass, 6.0, 1e-12);
    close(computed.inertia, 6.0 * 5.0 / 12.0, 1e-12);
    let scaled = mass_of(Mass::Total(12.0));
    close(scaled.inertia, 2.0 * computed.inertia, 1e-12);
    let given = MassProperties { mass: 7.0, center: Vec2::new(0.1, 0.2), inertia: 0.3 };
    assert_eq!(mass_of(Mass::Given(given)), given);
}

#[test]
fn d05_a_kinematic_body_reaches_its_target_on_a_straight_line() {
    let mut world = World::default();
    let body = world.add_body(&BodyDef::kinematic()).unwrap();
    let mut seed = 7_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    for _ in 0..10 {
        let (from, angle) = (world[body].position(), world[body].rotation());
        let (to, turned) = (Vec2::new(10.0 * random(), 10.0 * random()), 6.0 * random());
        world.set_target(body, to, turned, 1.0).unwrap();
        for step in 1..=60 {
            world.step(H).unwrap();
            let part = f64::from(step) * H;
            assert!((world[body].position() - (from + (to - from) * part)).length() < 1e-9);
            close(world[body].rotation(), angle + (turned - angle) * part, 1e-9);
        }
    }
}

#[test]
fn d06_locked_freedoms() {
    for subset in 1..8_u8 {
        let free = [subset & 1 != 0, subset & 2 != 0, subset & 4 != 0];
        let mut world = world(Vec2::ZERO, 1);
        let locked = Locked { x: !free[0], y: !free[1], rotation: !free[2] };
        let def = BodyDef { locked, ..block(Vec2::ZERO) };
        let body = world.add_body(&def).unwrap();
        let MassProperties { mass, inertia, .. } = world[body].mass_properties();
        world.apply_central_force(body, Vec2::new(3.0, -5.0)).unwrap();
        world.apply_torque(body, 7.0).unwrap();
        world.step(H).unwrap();
        let expect = |free: bool, value: f64| if free { value } else { 0.0 };
        close(world[body].velocity().x, expect(free[0], 3.0 / mass * H), 1e-15);
        close(world[body].velocity().y, expect(free[1], -5.0 / mass * H), 1e-15);
        close(world[body].angular_velocity(), expect(free[2], 7.0 / inertia * H), 1e-15);
    }
}

#[test]
fn a_locked_body_has_no_weight() {
    let mut world = World::default();
    let def = BodyDef { locked: Locked { y: true, ..Locked::default() }, ..block(Vec2::ZERO) };
    let body = world.add_body(&def).unwrap();
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    assert_eq!(world[body].position(), Vec2::ZERO);
}

#[test]
fn d08_no_time_is_no_step() {
    let mut world = World::default();
    let body = world.add_body(&block(Vec2::ZERO)).unwrap();
    world.step(H).unwrap();
    world.apply_central_force(body, Vec2::X).unwrap();
    let before = world.state_hash();
    let report = world.step(0.0).unwrap();
    assert_eq!((report.steps, report.events.len()), (1, 0));
    assert_eq!(world.state_hash(), before);
}

#[test]
fn damping_is_exponential() {
    for substeps in [1, 4, 16] {
        let mut world = world(Vec2::ZERO, substeps);
        let def = BodyDef {
            velocity: Vec2::new(3.0, 0.0),
            angular_velocity: 2.0,
            linear_damping: 0.5,
            angular_damping: 1.5,
            ..block(Vec2::ZERO)
        };
        let body = world.add_body(&def).unwrap();
        for _ in 0..120 {
            world.step(H).unwrap();
        }
        close(world[body].velocity().x, 3.0 * (-1.0_f64).exp(), 1e-12);
        close(world[body].angular_velocity(), 2.0 * (-3.0_f64).exp(), 1e-12);
    }
}

/// A body turns about its centre of mass, wherever its origin is.
#[test]
fn the_origin_swings_about_the_centre_of_mass() {
    let mut world = world(Vec2::ZERO, 4);
    let center = Vec2::new(0.5, 0.0);
    let mass = Mass::Given(MassProperties { mass: 2.0, center, inertia: 1.0 });
    let def = BodyDef { mass, angular_velocity: std::f64::consts::PI, ..BodyDef::dynamic() };
    let body = world.add_body(&def).unwrap();
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    assert!((world[body].center() - center).length() < 1e-12);
    assert!((world[body].position() - Vec2::new(1.0, 0.0)).length() < 1e-9, "half a turn");
    assert!((world[body].world_point(Vec2::ZERO) - world[body].position()).length() < 1e-12);
    let point = Vec2::new(0.3, -0.7);
    let back = world[body].local_point(world[body].world_point(point));
    assert!((back - point).length() < 1e-12);
}

#[test]
fn mass_changes_without_moving_the_origin() {
    let mut world = world(Vec2::ZERO, 4);
    let mut def = block(Vec2::new(2.0, 3.0));
    def.rotation = 0.7;
    def.angular_velocity = 1.5;
    let body = world.add_body(&def).unwrap();
    let point = world[body].world_point(Vec2::new(1.0, 0.5));
    let before = world[body].velocity_at(point);
    let moved = MassProperties { mass: 9.0, center: Vec2::new(0.4, -0.2), inertia: 2.0 };
    world.set_mass_properties(body, moved).unwrap();
    assert!((world[body].position() - Vec2::new(2.0, 3.0)).length() < 1e-15);
    assert!((world[body].velocity_at(point) - before).length() < 1e-12, "every point moves on");
}

#[test]
fn kinds_and_disabled_bodies() {
    let mut world = World::default();
    let body = world.add_body(&block(Vec2::ZERO)).unwrap();
    world.set_enabled(body, false).unwrap();
    world.step(H).unwrap();
    assert_eq!(world[body].position(), Vec2::ZERO);
    world.set_enabled(body, true).unwrap();
    world.step(H).unwrap();
    assert!(world[body].position().y < 0.0);
    world.set_kind(body, BodyKind::Static).unwrap();
    assert_eq!(world[body].velocity(), Vec2::ZERO);
    let still = world[body].position();
    world.step(H).unwrap();
    assert_eq!((world[body].position(), world.report().counts.moved), (still, 0));
}

#[test]
fn far_away_is_as_good_as_here() {
    let fall = |origin: Vec2| {
        let mut world = World::default();
        let body = world.add_body(&block(origin)).unwrap();
        for _ in 0..120 {
            world.step(H).unwrap();
        }
        world[body].position() - origin
    };
    assert!((fall(Vec2::ZERO) - fall(Vec2::new(1e7, -1e7))).length() < 1e-6);
}

#[test]
fn what_overflows_is_caught() {
    let mut world = World::default();
    let fast = BodyDef { velocity: Vec2::new(f64::MAX, 0.0), ..BodyDef::dynamic() };
    let body = world.add_body(&fast).unwrap();
    let other = world.add_body(&block(Vec2::ZERO)).unwrap();
    world.set_position(body, Vec2::new(f64::MAX, 0.0)).unwrap();
    let report = world.step(1.0).unwrap();
    assert_eq!(report.events, [Event::NotFinite(body)]);
    assert!(world[body].position().is_finite() && world[body].velocity() == Vec2::ZERO);
    assert!(world[other].velocity().y < 0.0, "the rest of the world goes on");
}

#[test]
fn energy_of_a_thrown_body() {
    let mut world = World::default();
    let def = BodyDef { velocity: Vec2::new(1.0, 5.0), angular_velocity: 2.0, ..block(Vec2::ZERO) };
    world.add_body(&def).unwrap();
    let start = world.kinetic_energy() + world.potential_energy();
    close(start, 0.5 * 6.0 * 26.0 + 0.5 * 2.5 * 4.0, 1e-9);
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    let end = world.kinetic_energy() + world.potential_energy();
    // Symplectic Euler is off by ½ m g² t h.
    close(end - start, -0.5 * 6.0 * 9.81 * 9.81 * H / 4.0, 1e-6);
}
