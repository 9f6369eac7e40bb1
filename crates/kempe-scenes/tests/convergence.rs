//! As its sub-steps shrink, the solver in real time comes to what the reference solver finds.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_scenes::{
    Scene, bridge, cantilevers, catalogue, chain, chains, cloth, joint_grid, springs,
};
use kempe2d::{
    BodyDef, JointDef, Method, Reference, ReferenceError, Settings, Softness, Vec2, World,
};

const SECONDS: f64 = 0.5;
const STEP: f64 = 1.0 / 240.0;
/// The distance falls at least with this order of the sub-step.
const ORDER: f64 = 0.9;
/// Closer than this is rounding in f32, m and rad.
const FLOOR: f64 = 3e-5;

/// Scenes in which something is hit: when, is a matter of chance between two sub-steps, so that they
/// are looked at with shorter ones.
const HITS: &[&str] = &["rope_and_winch"];

/// Scenes that are left out, each with its reason.
const OTHERS: &[(&str, &str)] = &[
    (
        "bridge",
        "straight between its ends it cannot bear its weight: no tension is enough, and it sags by rounding",
    ),
    // No scene is chaotic within half a second.
];

/// Scenes that are looked at with fewer bodies.
fn smaller(name: &str) -> Option<Scene> {
    let scene = match name {
        "chain" => chain(10, 1.0),
        "chains" => chains(2, 5),
        "bridge" => bridge(10, 1.0),
        "joint_grid" => joint_grid(4, 4),
        "cloth" => cloth(4, 4),
        "cantilevers" => cantilevers(2, 5),
        "springs" => springs(4),
        _ => return None,
    };
    Some(scene.unwrap())
}

/// How far the bodies of two worlds are apart at most, m and rad.
fn apart(a: &World, b: &World) -> f64 {
    a.bodies().zip(b.bodies()).fold(0.0, |most, ((_, a), (_, b))| {
        let turned = (a.rotation() - b.rotation()).abs();
        most.max((a.position() - b.position()).length()).max(turned)
    })
}

fn run(scene: &Scene, substeps: u32) -> World {
    let mut world = scene.world.clone();
    let settings = world.settings();
    world.set_settings(Settings { substeps, sleep: false, ..settings }).unwrap();
    for _ in 0..(SECONDS / STEP).round() as u32 {
        world.step(STEP).unwrap();
    }
    world
}

#[test]
fn every_scene_converges_to_the_reference() {
    let mut wrong = Vec::new();
    for entry in catalogue() {
        if OTHERS.iter().any(|(name, _)| *name == entry.name) {
            continue;
        }
        let scene = smaller(entry.name).unwrap_or_else(|| entry.build().unwrap());
        let mut reference = scene.world.clone();
        let result = Reference::new(Method::default()).run(&mut reference, SECONDS, STEP / 4.0);
        if let Err(error) = result {
            wrong.push(format!("{}: {error}", entry.name));
            continue;
        }
        let counts = if HITS.contains(&entry.name) { [2, 4, 8] } else { [1, 2, 4] };
        let errors = counts.map(|substeps| apart(&run(&scene, substeps), &reference));
        let order = (errors[0] / errors[2]).log2() / 2.0;
        let line = format!("{}: {errors:?}, order {order:.2}", entry.name);
        println!("{line}");
        if errors[2] > FLOOR && order < ORDER {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reasons_are_of_scenes_that_are_there() {
    for (name, reason) in OTHERS {
        assert!(catalogue().iter().any(|entry| entry.name == *name), "{name}");
        assert!(!reason.is_empty());
    }
}

#[test]
fn what_blows_up_says_so() {
    // RATTLE follows no spring in steps as long as this one's period.
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = world.add_body(&BodyDef::dynamic()).unwrap();
    let softness = Softness::Hertz { hertz: 300.0, damping_ratio: 0.0 };
    let spring = JointDef::spring(ground, ball, [Vec2::new(0.0, 1.0), Vec2::ZERO], 1.0, softness);
    world.add_joint(&spring).unwrap();
    let before = world.state_hash();
    let error = Reference::new(Method::Rattle { order: 2 }).run(&mut world, 10.0, STEP);
    assert!(matches!(error, Err(ReferenceError::Diverged { .. })), "{error:?}");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn the_whip_of_a_heavy_chain_is_followed() {
    for method in [Method::default(), Method::GeneralizedAlpha { radius: 0.9 }] {
        let mut world = kempe_scenes::heavy_chain_dropped(20, 1e3).unwrap().world;
        let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
        let before = energy(&world);
        let report = Reference::new(method).run(&mut world, 4.0, STEP).unwrap();
        assert_eq!(report.clustered, 0);
        // Of some 200 kJ that fall by tens of metres.
        let gained = energy(&world) - before;
        assert!((-1e3..10.0).contains(&gained), "{method:?}: {gained} J");
    }
}
