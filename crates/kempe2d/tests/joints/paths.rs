//! Points on curves.

use kempe2d::{Axis, BodyDef, BodyId, Direct, Event, JointDef, JointKind, Mass, MassProperties};
use kempe2d::{Motor, Path, Settings, Vec2, World};
use std::f64::consts::{PI, TAU};

const G: f64 = 9.81;

fn world(gravity: f64, direct: Direct) -> World {
    let gravity = Vec2::new(0.0, -gravity);
    World::new(Settings { gravity, sleep: false, direct, ..Settings::default() }).unwrap()
}

fn bead(world: &mut World, position: Vec2) -> BodyId {
    let mass = Mass::Given(MassProperties { mass: 1.0, inertia: 0.1, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
}

/// A cycloid of radius 1, hanging from its cusps at ±π.
fn cycloid() -> Path {
    let point = |k: i32| {
        let p = f64::from(k) * PI / 64.0;
        Vec2::new(p + p.sin(), -1.0 - p.cos())
    };
    Path::spline(&(-56..=56).map(point).collect::<Vec<_>>(), false).unwrap()
}

#[test]
fn the_cycloid_is_a_tautochrone() {
    // From wherever it starts, the bead is at the bottom after π √(R/g).
    for direct in [Direct::Always, Direct::Never] {
        for start in [0.5_f64, 1.0, 1.5, 2.0] {
            let mut world = world(G, direct);
            let ground = world.ground().unwrap();
            let bead = bead(&mut world, Vec2::new(start + start.sin(), -1.0 - start.cos()));
            let joint = JointDef::path(ground, bead, &cycloid(), Vec2::ZERO);
            let joint = world.add_joint(&joint).unwrap();
            let (dt, mut time) = (1.0 / 240.0, 0.0);
            let mut before = world[bead].position().x;
            let reached = loop {
                world.step(dt).unwrap();
                time += dt;
                let now = world[bead].position().x;
                if now <= 0.0 {
                    break time - dt * now / (now - before);
                }
                before = now;
                assert!(time < 2.0);
            };
            let ideal = PI * (1.0 / G).sqrt();
            assert!((reached - ideal).abs() < 1e-3, "{direct:?} {start}: {reached} {ideal}");
            assert!(world.joint_separation(joint).unwrap().0 < 1e-4);
        }
    }
}

#[test]
fn a_closed_path_counts_its_laps() {
    let points: Vec<Vec2> =
        (0..48).map(|k| Vec2::from_angle(f64::from(k) * TAU / 48.0) * 2.0).collect();
    for direct in [Direct::Always, Direct::Never] {
        let mut world = world(0.0, direct);
        let ground = world.ground().unwrap();
        let bead = bead(&mut world, Vec2::new(2.0, 0.0));
        let path = Path::spline(&points, true).unwrap();
        let mut joint = JointDef::carriage(ground, bead, &path, Vec2::ZERO, 0.0);
        joint.axis_mut(0).motor = Some(Motor::at(6.0));
        world.set_rotation(bead, 0.5 * PI).unwrap();
        let joint = world.add_joint(&joint).unwrap();
        for _ in 0..600 {
            world.step(1.0 / 60.0).unwrap();
        }
        // 60 m on a circle of radius 2: 30 rad.
        let way = world.joint_coordinate(joint, 0).unwrap();
        assert!((way - 60.0).abs() < 0.1, "{direct:?} {way}");
        assert!((world.joint_speed(joint, 0).unwrap() - 6.0).abs() < 1e-3);
        let turned = world[bead].rotation() - 0.5 * PI;
        assert!((turned - way / 2.0).abs() < 1e-2, "{direct:?} {turned}");
        assert!((world[bead].position().length() - 2.0).abs() < 2e-3);
        // The path holds it with m v² / r = 18 N.
        let (force, _) = world.joint_force(joint).unwrap();
        assert!((force.length() - 18.0).abs() < 0.1, "{direct:?} {}", force.length());
    }
}

#[test]
fn where_branches_cross_it_stays_on_its_own() {
    // A figure of eight, gone through ten times.
    let point = |k: usize| {
        let p = k as f64 * TAU / 96.0;
        Vec2::new(2.0 * p.sin(), (2.0 * p).sin())
    };
    let path = Path::spline(&(0..96).map(point).collect::<Vec<_>>(), true).unwrap();
    let mut world = world(0.0, Direct::Auto);
    let ground = world.ground().unwrap();
    let bead = bead(&mut world, Vec2::new(0.0, 0.0));
    let mut joint = JointDef::path(ground, bead, &path, Vec2::ZERO);
    if let JointKind::Path { from, .. } = &mut joint.kind {
        *from = Some(0.0);
    }
    joint.axis_mut(0).motor = Some(Motor::at(5.0));
    let joint = world.add_joint(&joint).unwrap();
    let mut last = 0.0;
    while last < 10.0 * path.length() {
        world.step(1.0 / 60.0).unwrap();
        let way = world.joint_coordinate(joint, 0).unwrap();
        assert!((way - last - 5.0 / 60.0).abs() < 0.01, "{last} {way}");
        assert!((world[bead].position() - path.point_at(way)).length() < 2e-3);
        last = way;
    }
}

#[test]
fn a_path_ends_or_is_left_or_goes_on() {
    let path = Path::polyline(&[Vec2::ZERO, Vec2::new(2.0, 0.0)], false).unwrap();
    let run = |def: fn(BodyId, BodyId, &Path, Vec2) -> JointDef| {
        let mut world = world(G, Direct::Auto);
        let ground = world.ground().unwrap();
        let bead = bead(&mut world, Vec2::new(1.0, 0.0));
        world.set_velocity(bead, Vec2::new(2.0, 0.0)).unwrap();
        let joint = world.add_joint(&def(ground, bead, &path, Vec2::ZERO)).unwrap();
        let mut events = Vec::new();
        for _ in 0..60 {
            events.extend(world.step(1.0 / 60.0).unwrap().events.clone());
        }
        (world[bead].position(), world, joint, events)
    };
    let (end, _, joint, events) = run(JointDef::path);
    assert!((end - Vec2::new(2.0, 0.0)).length() < 1e-3, "{end:?}");
    assert_eq!(events[0], Event::LimitReached { joint, axis: 0, upper: true });
    let (end, world, joint, events) = run(JointDef::path_with_exits);
    // It leaves at 0.5 s, and falls for 0.5 s.
    assert_eq!(events, [Event::PathLeft { joint, upper: true }]);
    assert!((end.x - 3.0).abs() < 1e-2 && (end.y + 0.5 * G * 0.25).abs() < 0.2, "{end:?}");
    assert!(!world.joint(joint).unwrap().is_enabled());
    let (end, _, _, events) = run(JointDef::endless_path);
    assert!((end - Vec2::new(3.0, 0.0)).length() < 1e-3, "{end:?}");
    assert!(events.is_empty());
}

#[test]
fn motor_limit_and_friction_act_along_it() {
    let points = [(0.0, 0.0), (1.0, 0.3), (2.0, 0.0), (3.0, -0.3)].map(Vec2::from);
    let path = Path::spline(&points, false).unwrap();
    let mut world = world(0.0, Direct::Auto);
    let ground = world.ground().unwrap();
    let bead = bead(&mut world, Vec2::ZERO);
    let joint = JointDef::path(ground, bead, &path, Vec2::ZERO);
    let joint = world.add_joint(&joint).unwrap();
    // 2 N of friction on 1 kg: from 2 m/s it stops after 1 m of arc, round the bends.
    world.edit_joint(joint, |def| def.axis_mut(0).friction = Some(2.0)).unwrap();
    world.set_velocity(bead, path.tangent_at(0.0) * 2.0).unwrap();
    for _ in 0..480 {
        world.step(1.0 / 240.0).unwrap();
    }
    let way = world.joint_coordinate(joint, 0).unwrap();
    assert!((way - 1.0).abs() < 5e-3, "{way}");
    assert!(world.joint_speed(joint, 0).unwrap().abs() < 1e-6);
    world.edit_joint(joint, |def| *def.axis_mut(0) = Axis::limited(0.5, 2.0)).unwrap();
    world.edit_joint(joint, |def| def.axis_mut(0).motor = Some(Motor::at(1.0))).unwrap();
    for _ in 0..480 {
        world.step(1.0 / 240.0).unwrap();
    }
    let way = world.joint_coordinate(joint, 0).unwrap();
    assert!((way - 2.0).abs() < 2e-3, "{way}");
}

#[test]
fn a_path_on_a_body_that_moves() {
    // A ring of 1 kg·m² spins freely, a bead of 1 kg on its rim at radius 1 rests on it by friction:
    // together they turn as one, and momentum stays.
    let points: Vec<Vec2> = (0..32).map(|k| Vec2::from_angle(f64::from(k) * TAU / 32.0)).collect();
    for direct in [Direct::Always, Direct::Never] {
        let mut world = world(0.0, direct);
        let mass = Mass::Given(MassProperties { mass: 1.0, inertia: 1.0, center: Vec2::ZERO });
        let ring = BodyDef { mass, angular_velocity: 2.0, ..BodyDef::dynamic() };
        let ring = world.add_body(&ring).unwrap();
        let bead = bead(&mut world, Vec2::X);
        let path = Path::spline(&points, true).unwrap();
        let mut joint = JointDef::path(ring, bead, &path, Vec2::ZERO);
        joint.axis_mut(0).friction = Some(5.0);
        world.add_joint(&joint).unwrap();
        let angular = |world: &World| -> f64 {
            let each = [(ring, 1.0), (bead, 0.1)].map(|(id, inertia)| {
                let body = &world[id];
                body.center().cross(body.velocity()) + inertia * body.angular_velocity()
            });
            each.iter().sum()
        };
        let before = angular(&world);
        for _ in 0..120 {
            world.step(1.0 / 60.0).unwrap();
        }
        assert!((angular(&world) - before).abs() < 2e-2, "{direct:?} {}", angular(&world));
        let momentum = world[ring].velocity() + world[bead].velocity();
        assert!(momentum.length() < 1e-4, "{momentum:?}");
    }
}

#[test]
fn a_sharp_corner_holds() {
    // A right angle and a sharper one: what runs into the corner stops there, and goes on if it is
    // driven round it.
    for corner in [Vec2::new(0.1, -0.25), Vec2::new(-0.1, -0.25)] {
        for direct in [Direct::Always, Direct::Never] {
            let points = [Vec2::new(-0.2, 0.0), Vec2::new(0.1, 0.0), corner];
            let path = Path::polyline(&points, false).unwrap();
            let mut world = world(0.0, direct);
            let ground = world.ground().unwrap();
            let bead = bead(&mut world, Vec2::ZERO);
            world.set_velocity(bead, Vec2::new(2.0, 0.0)).unwrap();
            let joint = JointDef::path(ground, bead, &path, Vec2::ZERO);
            let joint = world.add_joint(&joint).unwrap();
            for _ in 0..120 {
                world.step(1.0 / 60.0).unwrap();
            }
            let end = world[bead].position();
            assert!((end - Vec2::new(0.1, 0.0)).length() < 0.02, "{direct:?} {end:?}");
            assert!(
                world[bead].velocity().length() < 0.2,
                "{direct:?} {:?}",
                world[bead].velocity()
            );
            world.edit_joint(joint, |def| def.axis_mut(0).motor = Some(Motor::at(0.5))).unwrap();
            world.apply_impulse(bead, (corner - end) * 2.0, end).unwrap();
            for _ in 0..120 {
                world.step(1.0 / 60.0).unwrap();
            }
            let end = world[bead].position();
            assert!((end - corner).length() < 0.01, "{direct:?} {end:?}");
        }
    }
}

#[test]
fn a_corner_on_a_body_that_moves_gains_no_energy() {
    let points = [Vec2::new(-0.2, 0.0), Vec2::new(0.1, 0.0), Vec2::new(0.1, -0.25)];
    for closed in [false, true] {
        for direct in [Direct::Always, Direct::Never] {
            let path = Path::polyline(&points, closed).unwrap();
            let mut world = world(0.0, direct);
            let ground = world.ground().unwrap();
            let mass = Mass::Given(MassProperties { mass: 0.3, inertia: 0.1, center: Vec2::ZERO });
            let frame = world.add_body(&BodyDef { mass, ..BodyDef::dynamic() }).unwrap();
            world.add_joint(&world.revolute_at(ground, frame, Vec2::ZERO).unwrap()).unwrap();
            let bead = bead(&mut world, Vec2::ZERO);
            world.set_velocity(bead, Vec2::new(2.0, 0.3)).unwrap();
            world.add_joint(&JointDef::path(frame, bead, &path, Vec2::ZERO)).unwrap();
            let before = world.kinetic_energy();
            for step in 0..1200 {
                world.step(1.0 / 60.0).unwrap();
                let now = world.kinetic_energy();
                assert!(now < 1.2 * before, "{direct:?} {closed} {step}: {now} {before}");
            }
        }
    }
}
