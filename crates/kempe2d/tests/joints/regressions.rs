//! What was found wrong with the wider joints, each as short as it can be.

use kempe2d::{BodyDef, BodyId, Break, Curve, Error, Event, JointDef, JointId, JointKind, Path};
use kempe2d::{Pull, Registry, Settings, Term, Vec2, World};
use std::f64::consts::TAU;

const DT: f64 = 1.0 / 60.0;

fn weightless() -> World {
    World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() }).unwrap()
}

/// Two wheels on pins of the ground.
fn wheels(world: &mut World) -> ([BodyId; 2], [JointId; 2]) {
    let ground = world.ground().unwrap();
    let wheels = [0.0, 3.0].map(|x| {
        let def = BodyDef { position: Vec2::new(x, 0.0), ..BodyDef::dynamic() };
        world.add_body(&def).unwrap()
    });
    let pins = wheels.map(|id| {
        let at = world[id].position();
        world.add_joint(&world.revolute_at(ground, id, at).unwrap()).unwrap()
    });
    (wheels, pins)
}

fn run(world: &mut World, steps: usize) -> Vec<Event> {
    (0..steps).flat_map(|_| world.step(DT).unwrap().events.clone()).collect()
}

/// It was refused half way, with some of its joints gone: the coupling had gone with the pin.
#[test]
fn a_body_goes_with_its_joints_and_their_couplings() {
    // In a slot before its joints too.
    for first in [false, true] {
        let mut world = weightless();
        let (wheels, pins) = wheels(&mut world);
        let coupling = if first {
            let spare = world.add_joint(&JointDef::filter(wheels[0], wheels[1])).unwrap();
            let pin = world.joint(pins[0]).unwrap().def();
            let pin = world.add_joint(&pin).unwrap();
            let coupling = JointDef::gears(pin, pins[1], 1.0, 2.0);
            world.set_joint(spare, &coupling).unwrap();
            spare
        } else {
            world.add_joint(&JointDef::gears(pins[0], pins[1], 1.0, 2.0)).unwrap()
        };
        world.remove_body(wheels[0]).unwrap();
        assert!(world.body(wheels[0]).is_none() && world.joint(coupling).is_none());
        assert_eq!(world.joint_count(), 1);
        let events = run(&mut world, 1);
        let removed =
            |event: &&Event| matches!(event, Event::Removed { joint, .. } if *joint == coupling);
        assert_eq!(events.iter().filter(removed).count(), 1, "{events:?}");
    }
}

/// It removed itself without end.
#[test]
fn a_joint_cannot_become_a_coupling_of_itself() {
    let mut world = weightless();
    let (_, pins) = wheels(&mut world);
    let hash = world.state_hash();
    let changed = world.set_joint(pins[0], &JointDef::gears(pins[0], pins[1], 1.0, 2.0));
    assert_eq!(changed, Err(Error::Coupled));
    assert_eq!(world.state_hash(), hash);
}

/// It was watched only if it could leave when the lanes were made.
#[test]
fn a_path_that_may_be_left_from_now_on_is_left() {
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let velocity = Vec2::new(2.0, 0.0);
    let bead = world.add_body(&BodyDef { velocity, ..BodyDef::dynamic() }).unwrap();
    let path = Path::polyline(&[Vec2::ZERO, Vec2::X], false).unwrap();
    let joint = world.add_joint(&JointDef::endless_path(ground, bead, &path, Vec2::ZERO)).unwrap();
    world.step(DT).unwrap();
    world
        .edit_joint(joint, |def| {
            if let JointKind::Path { leave, .. } = &mut def.kind {
                *leave = true;
            }
        })
        .unwrap();
    assert_eq!(run(&mut world, 60), [Event::PathLeft { joint, upper: true }]);
}

/// Of an expression that is as deep as can be, it took the curve itself for its negative.
#[test]
fn a_follower_of_a_deep_expression_does_not_go_the_other_way() {
    let mut world = weightless();
    let (_, pins) = wheels(&mut world);
    let deep = |n: usize| format!("{}q{}", "(".repeat(n), ")".repeat(n));
    let most = (1..1000).take_while(|n| Curve::text(&deep(*n)).is_ok()).last().unwrap();
    for n in 1..=most {
        let def = JointDef::follower(pins[0], pins[1], Curve::text(&deep(n)).unwrap());
        let JointKind::Coupling { terms, .. } = def.kind else { unreachable!() };
        // q = f(q_other): one grows with the other.
        assert_eq!(terms[0].curve.at(1.0, 0.0), -terms[1].curve.at(1.0, 0.0), "{n}");
    }
}

/// Nothing was solved between them, so nothing followed the point.
#[test]
fn laps_of_a_body_that_nothing_moves_are_counted() {
    let points: Vec<Vec2> = (0..48).map(|k| Vec2::from_angle(f64::from(k) * TAU / 48.0)).collect();
    let path = Path::spline(&points, true).unwrap();
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let arm = BodyDef { angular_velocity: 4.0, ..BodyDef::kinematic() };
    let arm = world.add_body(&arm).unwrap();
    let lap = world.add_joint(&JointDef::path(ground, arm, &path, Vec2::X)).unwrap();
    // A wheel follows: it turns as far.
    let (wheels, pins) = wheels(&mut world);
    world.add_joint(&JointDef::belt(pins[0], lap, 1.0, 1.0)).unwrap();
    run(&mut world, 240);
    let way = world.joint_coordinate(lap, 0).unwrap();
    assert!((way - 16.0).abs() < 0.05, "{way}");
    let turned = world[wheels[0]].rotation();
    assert!((turned - 16.0).abs() < 0.1, "{turned}");
}

#[test]
fn what_follows_the_clock_does_not_fall_asleep() {
    let mut world = weightless();
    let (wheels, pins) = wheels(&mut world);
    let curve = Curve::text("q - sin(max(0, time - 2))").unwrap();
    world.add_joint(&JointDef::coupling(vec![Term::curved(pins[0], 0, curve)], 0.0)).unwrap();
    let ground = world.ground().unwrap();
    let slow = world.add_body(&BodyDef::dynamic()).unwrap();
    let pull = Pull::at(Vec2::new(0.001, 0.0), 100.0);
    world.add_joint(&JointDef::drive(ground, slow, [Vec2::ZERO; 2], pull)).unwrap();
    run(&mut world, 240);
    let turned = world[wheels[0]].rotation();
    assert!((turned - 2.0_f64.sin()).abs() < 0.05, "{turned}");
    assert!((world[slow].position().x - 0.004).abs() < 1e-4, "{}", world[slow].position().x);
    assert!(world[wheels[1]].is_asleep() && !world[slow].is_asleep());
}

/// 0 N along a row that is not finite is no force; it was NaN, and stayed so behind the filter.
#[test]
fn a_joint_that_is_left_out_has_no_force_and_can_be_kept() {
    let mut world = weightless();
    let (_, pins) = wheels(&mut world);
    let curve = Curve::text("ln(q)").unwrap();
    let def = JointDef::coupling(vec![Term::curved(pins[0], 0, curve)], 0.0);
    let coupling = world.add_joint(&def.with_break(Break::at_torque(5.0))).unwrap();
    assert_eq!(run(&mut world, 1), [Event::LeftOut(coupling)]);
    for force in world.joint_forces(coupling).unwrap() {
        assert_eq!((force.force, force.torque), (Vec2::ZERO, 0.0));
    }
    assert_eq!(world.joint_power(coupling), Some(0.0));
    let other = World::from_snapshot(&world.snapshot(), &Registry::new()).unwrap();
    assert_eq!(other.state_hash(), world.state_hash());
}

/// Parts of a cable that are too long to be measured have no direction to remember.
#[test]
fn a_cable_beyond_all_measure_can_be_kept() {
    let mut world = weightless();
    let ground = world.ground().unwrap();
    let far = BodyDef { position: Vec2::new(1.5e308, -1.5e308), ..BodyDef::dynamic() };
    let far = world.add_body(&far).unwrap();
    let other = BodyDef { position: Vec2::new(-1.5e308, 0.0), ..BodyDef::dynamic() };
    let other = world.add_body(&other).unwrap();
    let points = [(ground, Vec2::ZERO), (far, Vec2::ZERO), (other, Vec2::ZERO)];
    world.add_joint(&JointDef::tendon(&points, 1.0)).unwrap();
    run(&mut world, 2);
    let other = World::from_snapshot(&world.snapshot(), &Registry::new()).unwrap();
    assert_eq!(other.state_hash(), world.state_hash());
}

/// What was left of its row by rounding was a lever, and the body spun ever faster.
#[test]
fn a_cable_between_points_of_one_body_does_nothing() {
    for far in [0.0, 1e6] {
        let mut world = weightless();
        let def = BodyDef {
            position: Vec2::new(far, 0.3),
            rotation: 0.7,
            angular_velocity: 1.0,
            velocity: Vec2::new(0.3, -0.2),
            ..BodyDef::dynamic()
        };
        let body = world.add_body(&def).unwrap();
        let ends = [Vec2::new(0.375, -0.196), Vec2::new(-0.463, -0.002)];
        let points = ends.map(|end| (body, end));
        world.add_joint(&JointDef::tendon(&points, (ends[1] - ends[0]).length())).unwrap();
        let before = world.kinetic_energy();
        run(&mut world, 120);
        let after = world.kinetic_energy();
        assert!((after - before).abs() < 1e-5 * before, "{far}: {before} {after}");
    }
}
