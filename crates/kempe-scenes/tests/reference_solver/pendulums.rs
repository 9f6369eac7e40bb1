//! Rods, weights on rods, and weights on springs.

use super::{FOURTH, SIXTH, THETA, along, close, run};
use kempe_scenes::reference::Problem;
use kempe_scenes::{
    Scene, compound_pendulum, double_pendulum, double_pendulum_from, double_weights, pendulum,
    simple_pendulum, spring_pendulum, spring_pendulum_stiff,
};
use kempe2d::{Vec2, World};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6};

const STEP: f64 = 1.0 / 240.0;

#[test]
fn a_rod_swings_for_a_minute() {
    let mut scene = pendulum().unwrap();
    let rod = scene.bodies["rod"];
    let found = |world: &World| [world[rod].rotation() + FRAC_PI_2, world[rod].angular_velocity()];
    let how = (SIXTH, 60.0, STEP);
    along(Problem::Pendulum, &mut scene, how, (["theta", "omega"], 1e-9), found);
}

#[test]
fn bars_from_any_angle() {
    let table = Problem::CompoundPendulum.trajectory().unwrap();
    assert_eq!(table.rows.len(), 18);
    for row in table.rows {
        let [degrees, width, period, theta, omega] = row[..] else { panic!("{row:?}") };
        let amplitude = degrees.to_radians();
        let mut scene = compound_pendulum(width, amplitude).unwrap();
        let bar = scene.bodies["bar"];
        let start = scene.world.clone();
        run(&mut scene, SIXTH, 10.0, STEP);
        close(scene.world[bar].rotation() + FRAC_PI_2, theta, 2e-10);
        close(scene.world[bar].angular_velocity(), omega, 1e-9);
        // After a period it is back, and at rest.
        scene.world = start;
        run(&mut scene, SIXTH, period, period / 1000.0);
        close(scene.world[bar].rotation() + FRAC_PI_2, amplitude, 2e-10);
        close(scene.world[bar].angular_velocity(), 0.0, 1e-9);
    }
}

#[test]
fn problem_a01() {
    for (method, tolerance) in [(THETA, 5e-3), (FOURTH, 1e-7), (SIXTH, 1e-10)] {
        let mut scene = simple_pendulum().unwrap();
        let weight = scene.bodies["weight"];
        let found = |world: &World| {
            let (at, speed) = (world[weight].position(), world[weight].velocity());
            [at.x, at.y, speed.x, speed.y]
        };
        let columns = ["x", "y", "x_speed", "y_speed"];
        let how = (method, 10.0, STEP);
        along(Problem::SimplePendulum, &mut scene, how, (columns, tolerance), found);
    }
}

#[test]
fn double_pendulums() {
    let regular = [FRAC_PI_6, FRAC_PI_4];
    for (problem, scene, seconds, tolerance) in [
        (Problem::DoublePendulum, double_pendulum(), 5.0, 1e-6),
        (Problem::DoublePendulumRegular, double_pendulum_from(regular), 10.0, 1e-8),
    ] {
        let mut scene = scene.unwrap();
        let rods = [scene.bodies["first"], scene.bodies["second"]];
        let found = |world: &World| {
            let [a, b] = rods.map(|rod| world[rod].rotation() + FRAC_PI_2);
            [a, b, world[rods[0]].angular_velocity(), world[rods[1]].angular_velocity()]
        };
        let columns = ["theta_1", "theta_2", "omega_1", "omega_2"];
        along(problem, &mut scene, (SIXTH, seconds, STEP), (columns, tolerance), found);
    }
}

/// The angle from hanging of a way, next to one that is known.
fn angle(way: Vec2, near: f64) -> f64 {
    let found = way.x.atan2(-way.y);
    found + ((near - found) / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

#[test]
fn double_weights_on_rods() {
    let regular = [FRAC_PI_6, FRAC_PI_4];
    for (problem, start, seconds, tolerance) in [
        (Problem::DoubleWeights, [FRAC_PI_2; 2], 5.0, 1e-7),
        (Problem::DoubleWeightsRegular, regular, 10.0, 1e-8),
    ] {
        let table = problem.trajectory().unwrap();
        let mut scene = double_weights(start).unwrap();
        let weights = [scene.bodies["first"], scene.bodies["second"]];
        let found = |world: &World| {
            let [a, b] = weights.map(|weight| world[weight].position());
            let near = |column| table.at(column, world.time()).unwrap_or(0.0);
            [angle(a, near("theta_1")), angle(b - a, near("theta_2"))]
        };
        let columns = ["theta_1", "theta_2"];
        along(problem, &mut scene, (SIXTH, seconds, STEP), (columns, tolerance), found);
    }
}

#[test]
fn weights_on_springs() {
    for (problem, scene, step, tolerance) in [
        (Problem::SpringPendulum, spring_pendulum(), STEP, 1e-8),
        (Problem::SpringPendulumStiff, spring_pendulum_stiff(), 0.2 * STEP, 1e-7),
    ] {
        let mut scene: Scene = scene.unwrap();
        let weight = scene.bodies["weight"];
        let found = |world: &World| {
            let at = world[weight].position();
            [at.length(), angle(at, 0.0)]
        };
        let how = (SIXTH, 10.0, step);
        along(problem, &mut scene, how, (["length", "theta"], tolerance), found);
    }
}
