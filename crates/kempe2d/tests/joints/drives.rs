//! Generic joints, drives, and what is made of them.

use kempe2d::{Axis, BodyDef, Direct, JointDef, MassProperties, Pull, Settings, Softness};
use kempe2d::{BodyId, Mass, Vec2, World};

const DT: f64 = 1.0 / 60.0;

fn body(world: &mut World, position: Vec2) -> BodyId {
    let mass = MassProperties { mass: 2.0, inertia: 0.5, center: Vec2::ZERO };
    let def = BodyDef { position, mass: Mass::Given(mass), ..BodyDef::dynamic() };
    world.add_body(&def).unwrap()
}

fn world(direct: Direct) -> World {
    World::new(Settings { gravity: Vec2::ZERO, sleep: false, direct, ..Settings::default() })
        .unwrap()
}

#[test]
fn friction_from_above_is_the_same_in_all_directions() {
    for direct in [Direct::Always, Direct::Never] {
        for k in 0..8 {
            let along = Vec2::from_angle(0.3 + f64::from(k) * 0.7);
            let mut world = world(direct);
            let ground = world.ground().unwrap();
            // Two in one, so that something is held and the island can be solved as a whole.
            let (puck, rider) = (body(&mut world, Vec2::ZERO), body(&mut world, Vec2::ZERO));
            for each in [puck, rider] {
                world.set_velocity(each, along * 3.0).unwrap();
                world.set_angular_velocity(each, 4.0).unwrap();
            }
            world.add_joint(&JointDef::weld(puck, rider, [Vec2::ZERO; 2], 0.0)).unwrap();
            // 8 N on 4 kg: 2 m/s², so 1.5 s and 2.25 m; 2 N·m on 1 kg·m²: 2 s and 4 rad.
            world.add_joint(&JointDef::top_down_friction(ground, puck, 8.0, 2.0)).unwrap();
            for _ in 0..150 {
                world.step(DT).unwrap();
            }
            let end = world[puck].position();
            assert!((end - along * 2.25).length() < 0.02, "{direct:?} {k}: {end:?}");
            assert!((world[puck].rotation() - 4.0).abs() < 0.02);
            assert!(world[puck].velocity().length() < 1e-6);
        }
    }
}

#[test]
fn a_pull_reaches_its_place_with_a_bounded_force() {
    for direct in [Direct::Always, Direct::Never] {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let puck = body(&mut world, Vec2::ZERO);
        let spring = Softness::Hertz { hertz: 2.0, damping_ratio: 1.0 };
        let target = Vec2::new(3.0, 4.0);
        let mouse = JointDef::mouse(ground, puck, target, Vec2::ZERO, spring, 10.0);
        let mouse = world.add_joint(&mouse).unwrap();
        world.step(DT).unwrap();
        let (force, _) = world.joint_force(mouse).unwrap();
        assert!((force - target * 2.0).length() < 1e-3, "{force:?}");
        for _ in 0..600 {
            world.step(DT).unwrap();
            assert!(world.joint_force(mouse).unwrap().0.length() < 10.001);
        }
        assert!((world[puck].position() - target).length() < 1e-3);
    }
}

#[test]
fn a_generic_joint_is_the_joint_that_its_axes_say() {
    let pin = [Vec2::new(0.5, 0.0), Vec2::new(-0.5, 0.2)];
    let kinds = |a, b| {
        let (free, held) = (Axis::default(), Axis::held(0.0));
        let generic = |axes: [&Axis; 3]| JointDef::generic(a, b, pin, axes.map(Clone::clone));
        [
            (JointDef::weld(a, b, pin, 0.0), generic([&held, &held, &held])),
            (JointDef::revolute(a, b, pin), generic([&held, &held, &free])),
            (JointDef::prismatic(a, b, pin, Vec2::X), generic([&free, &held, &held])),
            (JointDef::slot(a, b, pin, Vec2::X), generic([&free, &held, &free])),
        ]
    };
    for direct in [Direct::Always, Direct::Never] {
        for kind in 0..4 {
            let run = |generic: bool| {
                let settings = Settings { sleep: false, direct, ..Settings::default() };
                let mut world = World::new(settings).unwrap();
                let ground = world.ground().unwrap();
                let first = body(&mut world, Vec2::new(0.5, 0.0));
                let second = body(&mut world, Vec2::new(1.5, -0.2));
                world.add_joint(&world.revolute_at(ground, first, Vec2::ZERO).unwrap()).unwrap();
                let [named, other] =
                    kinds(first, second).into_iter().nth(kind).map(|(a, b)| [a, b]).unwrap();
                let joint = world.add_joint(if generic { &other } else { &named }).unwrap();
                world.set_angular_velocity(second, 1.0).unwrap();
                for _ in 0..30 {
                    world.step(DT).unwrap();
                }
                let gap = world.joint_separation(joint).unwrap();
                (world[second].position(), world[second].rotation(), gap)
            };
            let ((x, turn, _), (y, other, gap)) = (run(false), run(true));
            assert!((x - y).length() < 2e-4, "{direct:?} {kind}: {x:?} {y:?}");
            assert!((turn - other).abs() < 2e-4, "{direct:?} {kind}: {turn} {other}");
            assert!(gap.0 < 1e-2 && gap.1 < 1e-2, "{gap:?}");
        }
    }
}

#[test]
fn a_pull_follows_in_the_axes_of_a() {
    // A turns at 1 rad/s; B is drawn to a place on it.
    let mut world = world(Direct::Auto);
    let plate = world.add_body(&BodyDef { angular_velocity: 1.0, ..BodyDef::kinematic() }).unwrap();
    let puck = body(&mut world, Vec2::new(2.0, 0.0));
    let spring = Softness::Hertz { hertz: 8.0, damping_ratio: 1.0 };
    let pull = Pull::to(Vec2::new(2.0, 0.0), spring, f64::INFINITY);
    world.add_joint(&JointDef::drive(plate, puck, [Vec2::ZERO; 2], pull)).unwrap();
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    let ideal = Vec2::from_angle(world[plate].rotation()) * 2.0;
    assert!((world[puck].position() - ideal).length() < 0.05, "{:?}", world[puck].position());
}
