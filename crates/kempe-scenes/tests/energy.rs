//! Nothing makes energy out of nothing: in a minute no passive scene has more than it began with, but
//! for 1 % of the largest kinetic energy that it ever had.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_scenes::{Scene, bridge, catalogue, cloth, joint_grid};
use kempe2d::Settings;

const STEP: f64 = 1.0 / 60.0;

/// By how much a scene's energy rises above its start at most, in parts of its largest kinetic
/// energy.
fn gain(scene: &mut Scene, seconds: u32) -> f64 {
    let settings = scene.world.settings();
    scene.world.set_settings(Settings { sleep: false, ..settings }).unwrap();
    let start = scene.energy();
    let (mut highest, mut kinetic) = (start, scene.world.kinetic_energy());
    for _ in 0..60 * seconds {
        scene.world.step(STEP).unwrap();
        highest = highest.max(scene.energy());
        kinetic = kinetic.max(scene.world.kinetic_energy());
    }
    assert!(scene.is_finite(), "{} is not finite", scene.name);
    // What stands still has none to speak of.
    (highest - start) / kinetic.max(1e-3)
}

#[test]
fn no_passive_scene_gains_energy() {
    let mut gains = Vec::new();
    for entry in catalogue().iter().filter(|entry| entry.passive) {
        let mut scene = entry.build().unwrap();
        // Large ones have their turn below, with fewer bodies.
        if scene.world.body_count() < 200 {
            gains.push((entry.name, gain(&mut scene, 60)));
        }
    }
    assert!(gains.len() >= 10);
    let wrong: Vec<_> = gains.iter().filter(|(_, gain)| *gain > 0.01).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn large_scenes_do_not_gain_energy_either() {
    let small = [bridge(50, 1.0), joint_grid(10, 10), cloth(10, 10)];
    let gains = small.map(|scene| {
        let mut scene = scene.unwrap();
        (scene.name, gain(&mut scene, 60))
    });
    let wrong: Vec<_> = gains.iter().filter(|(_, gain)| *gain > 0.01).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
