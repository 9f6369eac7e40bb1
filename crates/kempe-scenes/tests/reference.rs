//! Scenes against what is known of them: they start there, and with short steps they get there.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_scenes::reference::Problem;
use kempe_scenes::{
    Scene, double_pendulum, four_bar, heavy_chain, peaucellier, pendulum, rolling_disc,
    slider_crank,
};
use kempe2d::{Settings, Vec2};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

/// Steps of 1/960 s in 16 parts.
fn finely(scene: &mut Scene, seconds: f64) {
    let settings = scene.world.settings();
    scene.world.set_settings(Settings { substeps: 16, ..settings }).unwrap();
    scene.run(seconds, 1.0 / 960.0).unwrap();
}

#[track_caller]
fn close(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() < tolerance, "{found}, not {exact}");
}

#[test]
fn a_pendulum_swings_as_it_must() {
    let mut scene = pendulum().unwrap();
    finely(&mut scene, 1.0);
    let rod = &scene.world[scene.bodies["rod"]];
    close(rod.rotation() + FRAC_PI_2, Problem::Pendulum.at("theta", 1.0).unwrap(), 1e-3);
    close(rod.angular_velocity(), Problem::Pendulum.at("omega", 1.0).unwrap(), 1e-2);
}

#[test]
fn a_double_pendulum_swings_as_it_must_at_first() {
    let mut scene = double_pendulum().unwrap();
    finely(&mut scene, 1.0);
    for (body, column) in [("first", "theta_1"), ("second", "theta_2")] {
        let theta = scene.world[scene.bodies[body]].rotation() + FRAC_PI_2;
        close(theta, Problem::DoublePendulum.at(column, 1.0).unwrap(), 3e-3);
    }
}

#[test]
fn a_four_bar_linkage_starts_and_runs_as_it_must() {
    let mut scene = four_bar().unwrap();
    close(scene.energy(), 10.094_684_937_529_742, 1e-12);
    for (seconds, tolerance) in [(0.0, 1e-15), (1.0, 1e-4)] {
        if seconds > 0.0 {
            finely(&mut scene, seconds);
        }
        for name in ["crank", "coupler", "rocker"] {
            let angle = scene.world[scene.bodies[name]].rotation();
            close(angle, Problem::FourBar.at(name, seconds).unwrap(), tolerance);
        }
    }
}

#[test]
fn a_peaucellier_linkage_starts_and_runs_as_it_must() {
    let mut scene = peaucellier().unwrap();
    close(scene.energy(), -23.720_246_273_241_12, 1e-12);
    for (seconds, tolerance) in [(0.0, 1e-14), (1.0, 1e-3)] {
        if seconds > 0.0 {
            finely(&mut scene, seconds);
        }
        for bar in ["ap", "dp"] {
            let p = scene.world[scene.bodies[bar]].world_point(Vec2::new(0.2, 0.0));
            close(p.x, Problem::Peaucellier.at("p_x", seconds).unwrap(), tolerance);
            close(p.y, Problem::Peaucellier.at("p_y", seconds).unwrap(), tolerance);
        }
        let crank = scene.world[scene.bodies["crank"]].rotation();
        close(crank, Problem::Peaucellier.at("crank", seconds).unwrap(), 2.0 * tolerance);
    }
}

#[test]
fn a_slider_crank_runs_as_it_must_at_any_speed() {
    // 0.1 s at 150 rad/s are 2.5 s at 6 rad/s.
    let mut scene = slider_crank(6.0).unwrap();
    close(scene.energy() * 625.0, 43.430_416_593_75, 1e-9);
    finely(&mut scene, 2.5);
    let crank = scene.world[scene.bodies["crank"]].rotation();
    let slider = scene.world[scene.bodies["slider"]].position();
    close(crank, Problem::SliderCrank.at("crank", 0.1).unwrap(), 1e-2);
    close(slider.x, Problem::SliderCrank.at("slider", 0.1).unwrap(), 1e-3);
}

#[test]
fn a_disc_rolls_down_a_slope() {
    let mut scene = rolling_disc(FRAC_PI_6).unwrap();
    finely(&mut scene, 1.0);
    // a = g sin α / (1 + ½)
    let disc = &scene.world[scene.bodies["disc"]];
    close(disc.velocity().length(), 3.27, 1e-3);
    close(disc.angular_velocity(), -3.27 / 0.5, 2e-3);
}

/// Joint k of a chain that hangs bears what is below it.
#[test]
fn a_chain_that_hangs_bears_what_is_below() {
    let mut scene = heavy_chain(20, 10.0).unwrap();
    let bodies: Vec<_> = scene.bodies.values().copied().collect();
    assert_eq!(bodies.len(), 1);
    // At rest rather than swinging.
    let all: Vec<_> = scene.world.bodies().map(|(id, _)| id).collect();
    for id in all {
        scene.world.set_velocity(id, Vec2::ZERO).unwrap();
        scene.world.set_angular_velocity(id, 0.0).unwrap();
        scene.world.set_damping(id, 2.0, 2.0).unwrap();
    }
    scene.run(4.0, 1.0 / 240.0).unwrap();
    for (name, weight) in [("top", 30.0 * 9.81), ("bottom", 10.0 * 9.81)] {
        let (force, _) = scene.world.joint_reaction(scene.joints[name]).unwrap();
        close(force.y, weight, 1e-2 * weight);
    }
}
