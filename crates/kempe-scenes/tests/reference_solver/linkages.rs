//! Closed loops of bars.

use super::{ALPHA, FOURTH, SIXTH, THETA, along, close, run};
use kempe_scenes::precision::{fastest, widest};
use kempe_scenes::reference::Problem;
use kempe_scenes::{andrews, andrews_angles, four_bar, n_four_bar, peaucellier, slider_crank};
use kempe2d::{Reference, Vec2, World};

const STEP: f64 = 1.0 / 240.0;

#[test]
fn a_four_bar_linkage() {
    let mut scene = four_bar().unwrap();
    let bars = ["crank", "coupler", "rocker"].map(|name| scene.bodies[name]);
    let found = |world: &World| bars.map(|bar| world[bar].rotation());
    let how = (SIXTH, 5.0, STEP);
    along(Problem::FourBar, &mut scene, how, (["crank", "coupler", "rocker"], 1e-9), found);
}

#[test]
fn peaucelliers_line() {
    for (method, tolerance) in [(THETA, 1e-3), (FOURTH, 1e-8), (SIXTH, 1e-10)] {
        let mut scene = peaucellier().unwrap();
        let bars = [scene.bodies["ap"], scene.bodies["dp"]];
        let crank = scene.bodies["crank"];
        let mut away = 0.0_f64;
        let start = scene.world.clone();
        let look = |world: &World| {
            for bar in bars {
                let p = world[bar].world_point(Vec2::new(0.2, 0.0));
                away = away.max((p.x - 1.05).abs());
            }
        };
        Reference::new(method).watch(&mut scene.world, 4.0, STEP, look).unwrap();
        assert!(away < 1e-12, "{method:?}: {away:e}");
        scene.world = start;
        let found = |world: &World| {
            let p = world[bars[0]].world_point(Vec2::new(0.2, 0.0));
            [p.y, world[crank].rotation()]
        };
        let how = (method, 4.0, STEP);
        along(Problem::Peaucellier, &mut scene, how, (["p_y", "crank"], tolerance), found);
    }
}

#[test]
fn a_slider_crank() {
    let mut scene = slider_crank(150.0).unwrap();
    let [crank, rod, slider] = ["crank", "rod", "slider"].map(|name| scene.bodies[name]);
    let found = |world: &World| {
        [world[crank].rotation(), world[rod].rotation(), world[slider].position().x]
    };
    let columns = ["crank", "rod", "slider"];
    along(Problem::SliderCrank, &mut scene, (SIXTH, 0.1, 1e-4), (columns, 1e-10), found);
}

#[test]
fn andrews_mechanism() {
    const NAMES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];
    let scene = andrews().unwrap();
    for (angle, name) in andrews_angles(&scene, &scene.world).into_iter().zip(NAMES) {
        close(angle, Problem::Andrews.at(name, 0.0).unwrap(), 1e-15);
    }
    for (method, steps, tolerance) in
        [(THETA, 7500.0, 1.6e-5), (ALPHA, 9000.0, 1.6e-5), (SIXTH, 600.0, 2e-10)]
    {
        let mut scene = andrews().unwrap();
        let named = scene.clone();
        let found = |world: &World| andrews_angles(&named, world);
        along(
            Problem::Andrews,
            &mut scene,
            (method, 0.03, 0.03 / steps),
            (NAMES, tolerance),
            found,
        );
        assert!(widest(&scene.world) < 1e-10);
        let speed = scene.world[scene.bodies["k1"]].angular_velocity();
        let exact = Problem::Andrews.at("beta_speed", 0.03).unwrap();
        close(speed / exact, 1.0, 100.0 * tolerance);
    }
}

#[test]
fn problem_a02_through_its_singular_positions() {
    for method in [THETA, ALPHA, FOURTH] {
        let mut scene = n_four_bar(2).unwrap();
        let crank = scene.bodies["first crank"];
        let found = |world: &World| {
            let head = world[crank].world_point(Vec2::new(0.5, 0.0));
            [head.x, head.y]
        };
        let how = (method, 20.0, 1e-3);
        along(Problem::NFourBar, &mut scene, how, (["x", "y"], 3e-3), found);
        assert!(widest(&scene.world) < 1e-10);
    }
    // However its steps fall on them.
    for method in [THETA, ALPHA, FOURTH] {
        for rate in [200.0, 240.0, 909.0, 1111.0] {
            let mut scene = n_four_bar(2).unwrap();
            let start = scene.energy();
            run(&mut scene, method, 10.0, 1.0 / rate);
            close(scene.energy() / start, 1.0, 1e-4);
        }
    }
    // It is one motion for any number of windows, but for what their couplers weigh.
    let mut scene = n_four_bar(40).unwrap();
    let start = scene.energy();
    run(&mut scene, THETA, 2.0, STEP);
    close(scene.energy() / start, 1.0, 1e-3);
    assert!(widest(&scene.world) < 1e-10 && fastest(&scene.world) < 1e-9);
}
