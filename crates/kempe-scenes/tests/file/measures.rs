//! Probes, forces and expectations.

use crate::ron;
use kempe_scenes::file::{Check, Expected, Solver};
use kempe2d::{Method, Reference};

const EVERY: &str = include_str!("every.ron");

#[test]
fn everything_is_read() {
    let scene = ron(EVERY).unwrap();
    assert_eq!(scene.world.joint_count(), 15);
    // Those that are declared, and the ground, which is not.
    assert_eq!(scene.world.body_count(), 6);
    assert_eq!(scene.world.ground_body(), Some(scene.bodies["ground"]));
    assert_eq!(scene.world[scene.bodies["bob"]].user_data(), u64::MAX);
    let plan = scene.plan;
    assert_eq!((plan.duration, plan.step, plan.solver), (2.0, 1.0 / 60.0, Solver::Reference));
    assert_eq!(plan.method, Method::Theta { k: 0.5 });
    assert_eq!(scene.traces.len(), 1);
    let values = scene.read(&scene.world);
    assert_eq!(values[0], 1.0);
    assert_eq!(values[4], values[0] + 0.5 * values[1]);
    let joint = |name: &str| scene.joints[name];
    let checks: Vec<&Check> = scene.expected.iter().map(|each| &each.check).collect();
    assert_eq!(*checks[0], Check::Value { probe: 0, at: Some(1.0), is: 0.5, within: 10.0 });
    assert_eq!(*checks[1], Check::Drift { probe: 3, most: 1e3 });
    assert_eq!(*checks[2], Check::Range { probe: 1, min: 0.0, max: 1e6 });
    assert_eq!(*checks[3], Check::Separation { joint: Some(joint("weld")), most: 0.1 });
    assert_eq!(*checks[4], Check::Breaks { joint: joint("weld"), must: false });
    assert_eq!(*checks[5], Check::Separation { joint: None, most: 1.0 });
    let Expected { text, solver, .. } = &scene.expected[2];
    assert_eq!(text, "load stays from 0 to 1000000");
    assert_eq!(*solver, Some(Solver::RealTime));
}

/// A body of 2 kg that a force moves from rest: x = ½ a t², or what follows from F = sin(t).
#[test]
fn forces_act_in_both_solvers() {
    let text = r#"(
        version: 1,
        settings: (gravity: (0, 0)),
        bodies: [(name: "block", mass: (mass: 2, inertia: 3))],
        forces: [(body: block, force: ("3 * sin(time)", 4), torque: 6)],
        probes: [
            (name: "x", body: block, what: x), (name: "y", body: block, what: y),
            (name: "angle", body: block, what: angle), (name: "v", body: block, what: vx),
            (name: "speed", body: block, what: speed),
            (name: "turning", body: block, what: angular_velocity),
            (name: "energy", body: block, what: kinetic),
            (name: "work", expression: "3 * y + time"),
        ],
    )"#;
    let scene = ron(text).unwrap();
    let (mut real, mut exact) = (scene.world.clone(), scene.world.clone());
    for _ in 0..240 {
        real.step(1.0 / 120.0).unwrap();
    }
    Reference::new(Method::Theta { k: 0.5 }).run(&mut exact, 2.0, 1e-3).unwrap();
    let (sin, cos) = 2.0_f64.sin_cos();
    let (vx, vy, turning) = (1.5 * (1.0 - cos), 4.0, 4.0);
    let energy = vx * vx + vy * vy + 1.5 * turning * turning;
    let known = [1.5 * (2.0 - sin), 4.0, 4.0, vx, vx.hypot(vy), turning, energy, 14.0];
    for (world, within) in [(real, 2e-2), (exact, 1e-5)] {
        for (found, known) in scene.read(&world).iter().zip(known) {
            assert!((found - known).abs() < within * (1.0 + known), "{found}, not {known}");
        }
    }
}

#[test]
fn joints_are_measured() {
    let text = r#"(
        version: 1,
        settings: (sleep: false),
        bodies: [(name: "bob", position: (0, -1), mass: 2), (name: "free", position: (5, 0))],
        joints: [(name: "pin", kind: revolute, bodies: (ground, bob), at: (0, 0)),
                 (name: "servo", kind: angle, bodies: (ground, free), motor: (speed: 3, max_force: 6))],
        probes: [
            (name: "force", joint: pin, what: force), (name: "force_x", joint: pin, what: force_x),
            (name: "force_y", joint: pin, what: force_y), (name: "torque", joint: pin, what: torque),
            (name: "q", joint: servo, what: coordinate), (name: "speed", joint: servo, what: speed),
            (name: "gap", joint: pin, what: separation), (name: "widest", what: separation),
            (name: "motor", joint: servo, what: axis_force), (name: "power", joint: servo, what: power),
            (name: "kinetic", what: kinetic), (name: "potential", what: potential),
            (name: "mechanical", what: mechanical), (name: "energy", what: energy),
        ],
    )"#;
    let mut scene = ron(text).unwrap();
    let first = scene.read(&scene.world);
    assert_eq!(first[11], -2.0 * 9.81);
    for _ in 0..15 {
        scene.world.step(1.0 / 60.0).unwrap();
    }
    let world = scene.world.clone();
    let values = scene.read(&world);
    let near =
        |found: f64, known: f64| assert!((found - known).abs() < 1e-3, "{found}, not {known}");
    near(values[0], 2.0 * 9.81);
    near(values[1], 0.0);
    near(values[2], 2.0 * 9.81);
    near(values[3], 0.0);
    // 6 N·m on 1 kg·m² for a quarter of a second.
    near(values[5], 1.5);
    near(values[8], 6.0);
    assert!((values[9] - 9.0).abs() < 0.5, "{}", values[9]);
    assert!(values[6] < 1e-4 && values[7] < 1e-4);
    near(values[12], values[10] + values[11]);
    near(values[13], values[12]);
}
