//! Motion along curves, and chains that hang.

use super::{FOURTH, SIXTH, THETA, close, run};
use kempe_scenes::precision::widest;
use kempe_scenes::{
    catenary, heavy_chain, heavy_chain_dropped, orbit, rolling, rolling_disc, tautochrone,
};
use kempe2d::{Break, Event, OnBreak, Vec2};
use std::f64::consts::{FRAC_PI_6, PI, TAU};

#[test]
fn a_cycloid_is_a_tautochrone() {
    let quarter = PI * f64::sqrt(1.0 / 9.81);
    for phase in [0.3, 1.0, 2.0, 2.8] {
        let mut scene = tautochrone(1.0, phase).unwrap();
        run(&mut scene, SIXTH, quarter, quarter / 500.0);
        let bead = &scene.world[scene.bodies["bead"]];
        // Where it passes the bottom, within what it does in 10⁻⁶ s.
        close(bead.position().x / bead.velocity().x, 0.0, 1e-6);
    }
}

#[test]
fn an_orbit_comes_back() {
    let mut scene = orbit(0.5).unwrap();
    let planet = scene.bodies["planet"];
    let [start, speed] = [scene.world[planet].position(), scene.world[planet].velocity()];
    run(&mut scene, SIXTH, TAU, TAU / 2000.0);
    assert!((scene.world[planet].position() - start).length() < 1e-9);
    assert!((scene.world[planet].velocity() - speed).length() < 1e-9);
}

#[test]
fn what_rolls_down_a_slope() {
    for method in [THETA, FOURTH] {
        for (k, a) in [(0.5, 3.27), (1.0, 2.4525), (0.4, 9.81 * 0.5 / 1.4)] {
            let mut scene = rolling(FRAC_PI_6, k).unwrap();
            run(&mut scene, method, 1.0, 1.0 / 240.0);
            close(scene.world[scene.bodies["disc"]].velocity().length(), a, 1e-11);
        }
    }
    let mut scene = rolling_disc(FRAC_PI_6).unwrap();
    run(&mut scene, FOURTH, 1.0, 1.0 / 60.0);
    close(scene.world[scene.bodies["disc"]].angular_velocity(), -3.27 / 0.5, 1e-11);
}

#[test]
fn a_catenary_stays_as_it_hangs() {
    let (sag, pull) = (1.005_266_523_296_630_2, 0.616_472_939_472_080_8 * 9.81);
    let mut coarse = f64::INFINITY;
    for links in [50, 100, 200] {
        let found = catenary(links, 3.0, 2.0).unwrap();
        // Links are chords of the curve, so that this falls by 4 as they are halved.
        let error = (found.sag - sag).abs();
        assert!(error < 1.0 / (links * links) as f64, "{links}: {error}");
        assert!(coarse > 3.9 * error, "{links}: {coarse} {error}");
        coarse = error;
        close(found.pull / pull, 1.0, 1.0 / (links * links) as f64);
        let mut scene = found.scene;
        run(&mut scene, THETA, 0.5, 1.0 / 60.0);
        close(scene.world.kinetic_energy(), 0.0, 1e-15);
    }
}

#[test]
fn a_chain_bears_what_is_below() {
    let mut scene = heavy_chain(20, 1000.0).unwrap();
    let all: Vec<_> = scene.world.bodies().map(|(id, _)| id).collect();
    for id in all {
        scene.world.set_velocity(id, Vec2::ZERO).unwrap();
        scene.world.set_angular_velocity(id, 0.0).unwrap();
    }
    // A threshold just below the force tells the force.
    let ends = [("top", 10_006.2), ("bottom", 9810.0)];
    for (name, exact) in ends {
        let breaking = Break { force: 0.999 * exact, then: OnBreak::Event, ..Break::default() };
        let joint = scene.joints[name];
        scene.world.edit_joint(joint, |def| def.breaking = Some(breaking)).unwrap();
    }
    let report = run(&mut scene, THETA, 0.1, 0.01);
    for (name, exact) in ends {
        let mut told = 0;
        for (_, event) in &report.events {
            if let Event::Broke { joint, cause: kempe2d::Cause::Force(force) } = event
                && *joint == scene.joints[name]
            {
                close(force / exact, 1.0, 1e-9);
                told += 1;
            }
        }
        assert!(told > 0, "{name}");
    }
}

#[test]
fn heavy_chains_hold() {
    for (ball, most) in [(1e3, 1e-3), (1e6, 1e-2)] {
        let mut scene = heavy_chain(20, ball).unwrap();
        let start = scene.energy();
        run(&mut scene, THETA, 10.0, 1.0 / 240.0);
        close(scene.energy(), start, most);
        assert!(widest(&scene.world) < 1e-10);
        let mut scene = heavy_chain_dropped(20, ball).unwrap();
        run(&mut scene, THETA, 2.0, 1.0 / 240.0);
        assert!(widest(&scene.world) < 1e-10);
    }
}
