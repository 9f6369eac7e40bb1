//! Nape's options: defaults, soft joints over time, largest forces, breaking; and bad arguments.

use super::one_step::{H, body, close, refused, run, world};
use kempe2d::compat::nape::{self, Options};
use kempe2d::{
    BodyDef, BodyId, Cause, Error, Event, JointDef, JointId, OnBreak, Softness, Vec2, World,
};

const ZERO: Vec2 = Vec2::ZERO;

fn hanging(gravity: f64, mass: f64, position: Vec2) -> (World, BodyId, BodyId) {
    let mut world = world(gravity, 8);
    let ground = world.ground().unwrap();
    let id = world.add_body(&body(mass, 0.5, position)).unwrap();
    (world, ground, id)
}

#[test]
fn defaults_are_theirs() {
    let usual = Options::default();
    let Options { stiff, frequency, damping, max_force, max_error, .. } = usual;
    assert_eq!((stiff, frequency, damping), (true, 10.0, 1.0));
    assert_eq!((max_force, max_error), (f64::INFINITY, f64::INFINITY));
    let Options { break_under_force, break_under_error, remove_on_break, ignore, active, .. } =
        usual;
    assert_eq!((break_under_force, break_under_error, remove_on_break), (false, false, true));
    assert_eq!((ignore, active), (false, true));
    let (_, a, b) = hanging(0.0, 1.0, ZERO);
    let def = nape::line_joint(a, b, ZERO, ZERO, Vec2::X, -1.0, 1.0);
    assert!(def.collide_connected && def.enabled && def.breaking.is_none());
    assert_eq!(def.softness, Softness::Rigid);
    let soft = Options { stiff: false, ..usual }.apply(def.clone());
    let hertz = Softness::Hertz { hertz: 10.0, damping_ratio: 1.0 };
    assert_eq!((soft.softness, soft.axes[0].limit.unwrap().softness), (hertz, hertz));
    let other = Options { ignore: true, active: false, ..usual }.apply(def);
    assert!(!other.collide_connected && !other.enabled);
}

/// 1/f and e^(−ζ ω t), whatever the mass: of a point, an angle and a length.
#[test]
fn soft_joints_swing_with_their_frequency() {
    let (frequency, damping) = (1.5, 0.05_f64);
    let soft = Options { stiff: false, frequency, damping, ..Options::default() };
    let period = 1.0 / (frequency * (1.0 - damping * damping).sqrt());
    let decay = (-damping * std::f64::consts::TAU * frequency * period).exp();
    type Make = fn(BodyId, BodyId) -> JointDef;
    let kinds: [(Make, bool); 5] = [
        (|a, b| nape::pivot_joint(a, b, Vec2::X, ZERO), false),
        (|a, b| nape::weld_joint(a, b, Vec2::X, ZERO, 0.0), false),
        (|a, b| nape::weld_joint(a, b, Vec2::X, ZERO, 1.0), true),
        (|a, b| nape::distance_joint(a, b, ZERO, ZERO, 1.0, 1.0), false),
        (|a, b| nape::angle_joint(a, b, 1.0, 1.0, 1.0), true),
    ];
    for mass in [0.5, 20.0] {
        for (case, (make, turns)) in kinds.iter().enumerate() {
            // Either 1.3 m where 1 m is wanted, or 1.3 rad where 1 rad is.
            let (mut world, ground, bob) = hanging(0.0, mass, Vec2::X);
            match turns {
                true => world.set_rotation(bob, 1.3).unwrap(),
                false => world.set_position(bob, Vec2::new(1.3, 0.0)).unwrap(),
            }
            world.add_joint(&soft.apply(make(ground, bob))).unwrap();
            let steps = 400;
            let mut least = f64::INFINITY;
            let q = |world: &World| {
                if *turns { world[bob].rotation() } else { world[bob].position().x }
            };
            for _ in 0..steps {
                world.step(period / f64::from(steps)).unwrap();
                least = least.min(q(&world));
            }
            assert!(least < 0.78, "{case}: it swings past: {least}");
            close(q(&world), 1.0 + 0.3 * decay, 0.01);
        }
    }
}

/// Under a weight a soft joint is at rest g/ω² off: a line across and past an end, a range of a
/// length, and a pulley, which two weights pull.
#[test]
fn soft_joints_yield_by_their_frequency() {
    let soft = Options { stiff: false, frequency: 2.0, ..Options::default() };
    let sag = 10.0 / (std::f64::consts::TAU * 2.0_f64).powi(2);
    type Make = fn(BodyId, [BodyId; 2]) -> JointDef;
    let kinds: [Make; 4] = [
        |a, [b, _]| nape::line_joint(a, b, -Vec2::Y, ZERO, Vec2::X, -1.0, 1.0),
        |a, [b, _]| nape::line_joint(a, b, ZERO, ZERO, -Vec2::Y, -1.0, 1.0),
        |a, [b, _]| nape::distance_joint(a, b, ZERO, ZERO, 0.5, 1.0),
        // On each of two bodies that share the rope: C = 2 g / ω², a half of it each.
        |a, [b, c]| nape::pulley_joint([a, b, a, c], [ZERO; 4], 0.0, 2.0, 1.0),
    ];
    for (case, make) in kinds.into_iter().enumerate() {
        let (mut world, ground, bob) = hanging(10.0, 2.0, -Vec2::Y);
        let other = world.add_body(&body(2.0, 1.0, -Vec2::Y)).unwrap();
        let id = world.add_joint(&soft.apply(make(ground, [bob, other]))).unwrap();
        run(&mut world, 3.0);
        assert!(world.joint(id).is_some());
        let off = -1.0 - world[bob].position().y;
        assert!((off - sag).abs() < 0.002, "{case}: {off} is not {sag}");
    }
}

/// On a soft joint and on motors; a stiff joint carries what it must.
#[test]
fn max_force_bounds_soft_joints_and_motors() {
    for (stiff, expected) in [(true, 0.0), (false, -(10.0 - 5.0 / 2.0) * 0.5)] {
        let options = Options { stiff, max_force: 5.0, ..Options::default() };
        type Make = fn(BodyId, BodyId) -> JointDef;
        let kinds: [Make; 3] = [
            |a, b| nape::pivot_joint(a, b, -Vec2::Y, ZERO),
            |a, b| nape::weld_joint(a, b, -Vec2::Y, ZERO, 0.0),
            |a, b| nape::distance_joint(a, b, ZERO, ZERO, 1.0, 1.0),
        ];
        for make in kinds {
            let (mut world, ground, bob) = hanging(10.0, 2.0, -Vec2::Y);
            world.add_joint(&options.apply(make(ground, bob))).unwrap();
            run(&mut world, 0.5);
            // A soft joint reaches its largest force after a little while.
            close(world[bob].velocity().y, expected, 0.15);
        }
        let (mut world, ground, wheel) = hanging(0.0, 2.0, ZERO);
        world.add_joint(&options.apply(nape::motor_joint(ground, wheel, 50.0, 1.0))).unwrap();
        run(&mut world, 0.5);
        close(world[wheel].angular_velocity(), 5.0 / 0.5 * 0.5, 1e-3);
    }
}

/// Whether the joint breaks within a second, and why; pushed by this torque all the time.
fn breaks(world: &mut World, id: JointId, pushed: Option<(BodyId, f64)>) -> Option<Cause> {
    for _ in 0..60 {
        if let Some((body, torque)) = pushed {
            world.apply_torque(body, torque).unwrap();
        }
        let events = &world.step(H).unwrap().events;
        let cause = events.iter().find_map(|event| match event {
            Event::Broke { joint, cause } if *joint == id => Some(*cause),
            _ => None,
        });
        if cause.is_some() {
            return cause;
        }
    }
    None
}

#[test]
fn breaking_under_force() {
    for remove_on_break in [true, false] {
        for (max_force, holds) in [(25.0, true), (15.0, false)] {
            let (mut world, ground, bob) = hanging(10.0, 2.0, -Vec2::Y);
            let break_under_force = true;
            let options =
                Options { max_force, break_under_force, remove_on_break, ..Options::default() };
            let def = options.apply(nape::distance_joint(ground, bob, ZERO, ZERO, 0.0, 1.0));
            let id = world.add_joint(&def).unwrap();
            let cause = breaks(&mut world, id, None);
            assert_eq!(cause.is_none(), holds, "{cause:?}");
            if holds {
                continue;
            }
            assert!(matches!(cause, Some(Cause::Force(force)) if (force - 20.0).abs() < 1.0));
            match world.joint(id) {
                None => assert!(remove_on_break),
                Some(joint) => assert!(!remove_on_break && !joint.is_enabled()),
            }
            let before = world[bob].velocity().y;
            run(&mut world, 0.5);
            close(world[bob].velocity().y, before - 5.0, 1e-3);
        }
    }
}

/// The threshold is of the row: the torque on the second body is ratio times as large.
#[test]
fn breaking_of_angles_and_motors_counts_without_the_ratio() {
    let ratio = 3.0;
    let options = Options { max_force: 10.0, break_under_force: true, ..Options::default() };
    for (torque, holds) in [(27.0, true), (33.0, false)] {
        for motor in [true, false] {
            let (mut world, ground, wheel) = hanging(0.0, 2.0, ZERO);
            let def = match motor {
                true => nape::motor_joint(ground, wheel, 0.0, ratio),
                false => nape::angle_joint(ground, wheel, 0.0, 0.0, ratio),
            };
            let id = world.add_joint(&options.apply(def)).unwrap();
            let cause = breaks(&mut world, id, Some((wheel, torque)));
            assert_eq!(cause.is_none(), holds, "{cause:?}");
        }
    }
}

/// 1 kg and 2 kg in balance over a pulley of ratio 2, whose row carries 10 N.
#[test]
fn breaking_of_pulleys_counts_without_the_ratio() {
    for (max_force, holds) in [(10.5, true), (9.5, false)] {
        let (mut world, ground, light) = hanging(10.0, 1.0, Vec2::new(0.0, -1.0));
        let heavy = world.add_body(&body(2.0, 1.0, Vec2::new(2.0, -1.5))).unwrap();
        let bodies = [ground, light, ground, heavy];
        let anchors = [ZERO, ZERO, Vec2::new(2.0, 0.0), ZERO];
        let def = nape::pulley_joint(bodies, anchors, 0.0, 4.0, 2.0);
        let options = Options { max_force, break_under_force: true, ..Options::default() };
        let id = world.add_joint(&options.apply(def)).unwrap();
        let cause = breaks(&mut world, id, None);
        assert_eq!(cause.is_none(), holds, "{cause:?}");
        if holds {
            close(world[light].velocity().y, 0.0, 1e-3);
            close(world[heavy].velocity().y, 0.0, 1e-3);
        }
    }
}

/// A soft joint yields by g/ω² at rest.
#[test]
fn breaking_under_error() {
    let (frequency, damping) = (1.0, 1.0);
    let sag = 10.0 / (std::f64::consts::TAU * frequency).powi(2);
    for (max_error, holds) in [(1.1 * sag, true), (0.9 * sag, false)] {
        for stiff in [false, true] {
            let (mut world, ground, bob) = hanging(10.0, 2.0, ZERO);
            let options = Options {
                stiff,
                frequency,
                damping,
                max_error,
                break_under_error: true,
                remove_on_break: false,
                ..Options::default()
            };
            let def = options.apply(nape::pivot_joint(ground, bob, ZERO, ZERO));
            assert_eq!(def.breaking.unwrap().then, OnBreak::Disable);
            let id = world.add_joint(&def).unwrap();
            let cause = breaks(&mut world, id, None);
            assert_eq!(cause.is_none(), holds || stiff, "{cause:?}");
            assert!(cause.is_none() || matches!(cause, Some(Cause::Error(_))));
        }
    }
}

/// Over many turns a gear, and a pulley that lifts one side as the other falls.
#[test]
fn long_runs() {
    let (mut world, ground, wheel) = hanging(0.0, 1.0, ZERO);
    let other = world.add_body(&body(1.0, 1.0, Vec2::X)).unwrap();
    world.add_joint(&nape::angle_joint(wheel, other, 0.5, 0.5, -2.0)).unwrap();
    world.set_rotation(wheel, -0.5).unwrap();
    let motor = Options { max_force: 40.0, ..Options::default() };
    world.add_joint(&motor.apply(nape::motor_joint(ground, wheel, 20.0, 1.0))).unwrap();
    for _ in 0..1200 {
        world.step(H).unwrap();
        close(-2.0 * world[other].rotation() - world[wheel].rotation(), 0.5, 1e-3);
    }
    assert!(world[wheel].rotation() > 300.0);

    let (mut world, ground, light) = hanging(10.0, 1.0, Vec2::new(0.0, -3.0));
    let heavy = world.add_body(&body(3.0, 1.0, Vec2::new(2.0, -1.0))).unwrap();
    let bodies = [ground, light, ground, heavy];
    let anchors = [ZERO, ZERO, Vec2::new(2.0, 0.0), ZERO];
    world.add_joint(&nape::pulley_joint(bodies, anchors, 0.0, 4.0, 1.0)).unwrap();
    run(&mut world, 0.5);
    // Atwood's: (m₂ − m₁) / (m₁ + m₂) g.
    close(world[light].velocity().y, 0.5 * 10.0 * 0.5, 1e-2);
    close(world[heavy].velocity().y, -0.5 * 10.0 * 0.5, 1e-2);
    close(-world[light].position().y - world[heavy].position().y, 4.0, 1e-3);
}

#[test]
fn bad_arguments_are_refused() {
    let mut world = World::default();
    let a = world.ground().unwrap();
    let b = world.add_body(&BodyDef::dynamic()).unwrap();
    let (bad, nan) = (Vec2::new(0.0, f64::NAN), f64::NAN);
    let points = [ZERO; 4];
    for (def, names) in [
        (nape::pivot_joint(a, b, bad, ZERO), "anchor_a.y"),
        (nape::weld_joint(a, b, ZERO, bad, 0.0), "anchor_b.y"),
        (nape::weld_joint(a, b, ZERO, ZERO, nan), "angle"),
        (nape::distance_joint(a, b, bad, ZERO, 0.0, 1.0), "anchor_a.y"),
        (nape::distance_joint(a, b, ZERO, ZERO, 2.0, 1.0), "limit.lower"),
        (nape::distance_joint(a, b, ZERO, ZERO, nan, 1.0), "limit.lower"),
        (nape::line_joint(a, b, ZERO, ZERO, ZERO, 0.0, 1.0), "rail"),
        (nape::line_joint(a, b, ZERO, ZERO, Vec2::X, 1.0, 0.0), "limit.lower"),
        (nape::line_joint(a, b, ZERO, ZERO, bad, 0.0, 1.0), "rail"),
        (nape::angle_joint(a, b, 1.0, 0.0, 1.0), "limit.lower"),
        (nape::angle_joint(a, b, 0.0, 1.0, nan), "ratio"),
        (nape::motor_joint(a, b, nan, 1.0), "motor.speed"),
        (nape::motor_joint(a, b, 1.0, nan), "ratio"),
        (nape::pulley_joint([a, b, a, b], [ZERO, ZERO, ZERO, bad], 0.0, 1.0, 1.0), "anchors.y"),
        (nape::pulley_joint([a, b, a, b], points, 2.0, 1.0, 1.0), "limit.lower"),
        (nape::pulley_joint([a, b, a, b], points, 0.0, 1.0, -1.0), "ratio"),
    ] {
        refused(&mut world, &def, names);
    }
    let soft = Options { stiff: false, ..Options::default() };
    for (options, names) in [
        (Options { frequency: nan, ..soft }, "hertz"),
        (Options { damping: -1.0, ..soft }, "damping_ratio"),
        (Options { max_force: -1.0, ..soft }, "max_force"),
        (Options { max_force: nan, break_under_force: true, ..soft }, "breaking.force"),
        (Options { max_error: -1.0, break_under_error: true, ..soft }, "breaking.error"),
    ] {
        refused(&mut world, &options.apply(nape::pivot_joint(a, b, ZERO, ZERO)), names);
    }
    let motor = Options { max_force: nan, ..Options::default() };
    refused(&mut world, &motor.apply(nape::motor_joint(a, b, 1.0, 1.0)), "force.lower");
    for bodies in [[a, a, a, b], [a, b, b, b]] {
        let def = nape::pulley_joint(bodies, points, 0.0, 1.0, 1.0);
        assert_eq!(world.add_joint(&def), Err(Error::SameBody));
    }
    assert_eq!(world.add_joint(&nape::pivot_joint(b, b, ZERO, ZERO)), Err(Error::SameBody));
}
