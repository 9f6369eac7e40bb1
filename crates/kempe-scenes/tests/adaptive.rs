//! Steps that follow from an error on published mechanisms, and energy where their rows nearly repeat
//! each other.
#![expect(clippy::expect_used, reason = "helpers of tests")]

use kempe_scenes::{Scene, andrews, n_four_bar};
use kempe2d::{Method, Reference, World};

const SIXTH: Method = Method::Rattle { order: 6 };

fn places(world: &World) -> Vec<f64> {
    let each = world.bodies().flat_map(|(_, body)| {
        let at = body.position();
        [at.x, at.y, body.rotation()]
    });
    each.collect()
}

/// How far adaptive steps are from fixed ones, at any of some times and at the end.
fn off(scene: &Scene, seconds: f64, dt: f64, tolerance: f64) -> f64 {
    let times = [0.13, 0.37, 0.71].map(|part| part * seconds);
    let reference = Reference::new(SIXTH);
    let mut fine = scene.world.clone();
    let mut known = Vec::new();
    let mut before = 0.0;
    for time in times.into_iter().chain([seconds]) {
        reference.run(&mut fine, time - before, dt).expect("fixed steps");
        before = time;
        known.push(places(&fine));
    }
    let mut world = scene.world.clone();
    let mut seen = Vec::new();
    let look = |_: f64, world: &World| seen.push(places(world));
    reference.adaptive(&mut world, seconds, tolerance, &times, look).expect("adaptive steps");
    seen.push(places(&world));
    let pairs = seen.iter().flatten().zip(known.iter().flatten());
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn andrews_mechanism_is_within_the_tolerance() {
    let scene = andrews().expect("a scene");
    for tolerance in [1e-7, 1e-9] {
        let off = off(&scene, 0.03, 5e-5, tolerance);
        assert!(off < 10.0 * tolerance, "{tolerance}: {off}");
    }
}

#[test]
fn rows_of_four_bars_are_within_the_tolerance() {
    for windows in [1, 2] {
        let scene = n_four_bar(windows).expect("a scene");
        for tolerance in [1e-6, 1e-9] {
            let off = off(&scene, 1.0, 2e-3, tolerance);
            assert!(off < 2.0 * tolerance, "{windows}, {tolerance}: {off}");
        }
    }
}

#[test]
fn four_bars_gain_nothing_in_steps_of_any_length() {
    let scene = n_four_bar(2).expect("a scene");
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let (start, scale) = (energy(&scene.world), scene.world.kinetic_energy() + 5.0 * 9.81);
    let methods = [
        Method::default(),
        Method::GeneralizedAlpha { radius: 0.8 },
        Method::Rattle { order: 2 },
        SIXTH,
    ];
    for method in methods {
        for rate in [60.0, 730.0] {
            let mut world = scene.world.clone();
            let mut most = 0.0_f64;
            let look = |world: &World| most = most.max((energy(world) - start) / scale);
            let found = Reference::new(method).watch(&mut world, 2.0, 1.0 / rate, look);
            assert!(found.is_ok(), "{method:?} 1/{rate}: {found:?}");
            assert!(most < 0.005, "{method:?} 1/{rate}: {most}");
        }
    }
}
