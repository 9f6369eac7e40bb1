//! Every scene that has a name: it builds, runs, stays whole and finite, and does so twice alike.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_scenes::{Entry, Error, Scene, catalogue, names, scene};

const STEP: f64 = 1.0 / 60.0;

/// Scenes whose joints may open further than 1 cm, m.
const WIDE: &[(&str, f64)] = &[
    // Seven discs take the weight of 10000 that is let go at once, and it bounces: after 100 steps
    // the pins are open by 0.57 m, after 225 by 0.07 m.
    ("joint_grid", 0.65),
    // The weight of 1000 planks in a row reaches the banks later than this.
    ("bridge", 0.05),
    ("cloth", 0.03),
    ("chain", 0.02),
    ("chains", 0.02),
    // 70 kg on a forearm of 1.7 kg.
    ("ragdoll", 0.03),
    ("loose_ragdoll", 0.03),
];
/// No joint opens further than this, rad.
const WIDE_ANGLE: f64 = 0.05;

fn widest(name: &str) -> f64 {
    WIDE.iter().find(|(wide, _)| *wide == name).map_or(0.01, |(_, most)| *most)
}

fn run(entry: &Entry) -> (Scene, (f64, f64)) {
    let mut scene = entry.build().unwrap();
    let mut open = (0.0_f64, 0.0_f64);
    for step in 0..120 {
        scene.world.step(STEP).unwrap();
        // Of the large ones every joint is looked at now and then.
        if scene.world.joint_count() < 500 || step % 20 == 19 {
            let (length, angle) = scene.separation();
            open = (open.0.max(length), open.1.max(angle));
        }
    }
    (scene, open)
}

#[test]
fn every_scene_runs_whole_and_alike() {
    let mut wrong = Vec::new();
    for entry in catalogue() {
        // The second run beside the first.
        let ((scene, open), (again, _)) = std::thread::scope(|scope| {
            let other = scope.spawn(|| run(entry));
            (run(entry), other.join().unwrap())
        });
        assert_eq!(scene.name, entry.name);
        if !scene.is_finite() {
            wrong.push(format!("{}: not finite", entry.name));
        }
        if open.0 > widest(entry.name) || open.1 > WIDE_ANGLE {
            wrong.push(format!("{}: open by {} m, {} rad", entry.name, open.0, open.1));
        }
        if scene.world.state_hash() != again.world.state_hash() {
            wrong.push(format!("{}: runs differ", entry.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_name_is_there_once() {
    let mut all: Vec<&str> = names().map(|(name, _)| name).collect();
    assert!(names().all(|(_, about)| !about.is_empty() && about.len() < 80));
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count);
    for name in ["pendulum", "joint_grid", "gear_train", "bead_on_parabola"] {
        assert_eq!(scene(name).unwrap().name, name);
    }
}

#[test]
fn an_unknown_name_is_answered_with_near_ones() {
    let Err(Error::Unknown(unknown)) = scene("peaucelier") else { panic!("there is one") };
    assert_eq!(unknown.near, ["peaucellier"]);
}

#[test]
fn names_find_what_they_name() {
    for entry in catalogue().iter().filter(|entry| entry.name != "chains") {
        let scene = entry.build().unwrap();
        assert!(scene.bodies.values().all(|id| scene.world.body(*id).is_some()), "{}", entry.name);
        assert!(scene.joints.values().all(|id| scene.world.joint(*id).is_some()), "{}", entry.name);
    }
}
