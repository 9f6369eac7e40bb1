//! As its sub-steps shrink, the solver in real time comes to what the reference solver finds.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_scenes::{
    Scene, bridge, cantilevers, catalogue, chain, chains, cloth, joint_grid, springs,
};
use kempe2d::{Method, Reference, Settings, World};

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
    // No scene is chaotic within half a second.
    ("bounce", "stops give speed back at the end of a step, however many sub-steps it has"),
    ("ragdoll", "the reference solver finds no step past stops and friction of many limbs at once"),
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
    // A whip at the end of a chain is more than generalised α can follow in such steps.
    let mut world = kempe_scenes::heavy_chain_dropped(20, 1e3).unwrap().world;
    let before = world.state_hash();
    let alpha = Reference::new(Method::GeneralizedAlpha { radius: 0.9 });
    assert!(alpha.run(&mut world, 10.0, STEP).is_err());
    assert_eq!(world.state_hash(), before);
}
