//! Ropes over wheels, gears, a rack and a ratchet.

use super::{ALPHA, FOURTH, THETA, close, run};
use kempe_scenes::{
    Atwood, GearTrain, Planetary, Scene, atwood, compound_gears, double_atwood, gear_pair,
    gear_train, heavy_pulley, planetary, rack, ratchet, tackle,
};

const STEP: f64 = 1.0 / 240.0;

/// The speed after 1 s from rest and the way until then are those of a constant acceleration.
#[track_caller]
fn accelerates(mut scene: Scene, body: &str, exact: f64) {
    let id = scene.bodies[body];
    let start = scene.world[id].position().y;
    run(&mut scene, THETA, 1.0, STEP);
    let size = exact.abs().max(1e-3);
    close(scene.world[id].velocity().y, exact, 1e-12 * size);
    close(scene.world[id].position().y - start, 0.5 * exact, 1e-11 * size);
}

#[test]
fn atwoods_machines() {
    for (masses, ratio, a) in [
        ([2.0, 1.0], 1.0, 3.27),
        ([1.1, 1.0], 1.0, 9.81 / 21.0),
        ([1.0, 1.5], 2.0, 1.783_636_363_636_363_7),
        ([1.0, 4.0], 2.0, -4.905),
        ([1.0, 5.0], 3.0, -9.81 * 3.0 / 7.0),
    ] {
        accelerates(atwood(Atwood { masses, ratio }).unwrap(), "first", -a);
    }
    // The wheel has 0.5 m: I/R² is four times its inertia.
    for (masses, inertia, a) in [([2.0, 1.0], 0.125, 9.81 / 3.5), ([10.0, 1.0], 0.625, 6.54)] {
        accelerates(heavy_pulley(masses, inertia).unwrap(), "first", -a);
    }
    for (masses, a) in [([4.0, 1.0, 2.0], -1.962), ([3.0, 2.0, 1.0], -9.81 / 17.0)] {
        accelerates(double_atwood(masses).unwrap(), "first", a);
    }
    for (strands, load, weight, a) in
        [(2, 1.5, 1.0, 9.81 / 11.0), (4, 3.0, 1.0, 9.81 / 19.0), (4, 5.0, 1.0, -9.81 / 21.0)]
    {
        accelerates(tackle(strands, load, weight).unwrap(), "load", a);
    }
}

#[test]
fn gears_do_not_drift_in_a_thousand_turns() {
    for method in [THETA, ALPHA] {
        let mut scene = gear_train(GearTrain::default()).unwrap();
        run(&mut scene, method, 100.0, 1.0 / 60.0);
        let off = scene.world.joint_coordinate(scene.joints["mesh"], 0).unwrap();
        assert!(off.abs() < 1e-10, "{method:?}: {off:e}");
        let turns = scene.world[scene.bodies["pinion"]].rotation() / std::f64::consts::TAU;
        close(turns, 1000.0, 1e-9);
    }
}

#[test]
fn a_motor_keeps_its_speed_by_rattle_too() {
    let mut scene = gear_train(GearTrain::default()).unwrap();
    run(&mut scene, FOURTH, 1.0, STEP);
    close(scene.world[scene.bodies["pinion"]].rotation() / std::f64::consts::TAU, 10.0, 1e-12);
}

#[test]
fn gears_racks_and_planets() {
    for method in [THETA, ALPHA, FOURTH] {
        let mut scene = gear_pair([20.0, 40.0], [0.5, 2.0], 5.0).unwrap();
        run(&mut scene, method, 1.0, STEP);
        close(scene.world[scene.bodies["first"]].angular_velocity(), 5.0, 1e-11);
        close(scene.world[scene.bodies["second"]].angular_velocity(), -2.5, 1e-11);

        let pairs = [[20.0, 60.0], [15.0, 45.0], [12.0, 48.0]];
        let mut scene = compound_gears(&pairs, 36.0).unwrap();
        run(&mut scene, method, 10.0, STEP);
        close(scene.world[scene.bodies["3"]].rotation(), -10.0, 1e-11);

        for (speeds, carrier, planet) in
            [([10.0, 0.0], 20.0 / 7.0, -20.0 / 3.0), ([0.0, 10.0], 50.0 / 7.0, 50.0 / 3.0)]
        {
            let mut scene = planetary([24.0, 18.0], Planetary::Speeds(speeds)).unwrap();
            run(&mut scene, method, 1.0, STEP);
            // The carrier's pins do not hold velocities with generalised α.
            let tolerance = if method == ALPHA { 1e-3 } else { 1e-11 };
            let speed = |name: &str| scene.world[scene.bodies[name]].angular_velocity();
            close(speed("carrier"), carrier, tolerance);
            close(speed("planet"), planet, tolerance);
        }
        // Torques in the ratio of z_s, z_r and −(z_s + z_r) are in balance.
        let torques = Planetary::Torques([2.4, 6.0, -8.4]);
        let mut scene = planetary([24.0, 18.0], torques).unwrap();
        run(&mut scene, method, 1.0, STEP);
        close(scene.world.kinetic_energy(), 0.0, 1e-20);

        let mut scene = rack(2.0, 0.01, 0.1, 10.0).unwrap();
        run(&mut scene, method, 1.0, STEP);
        close(scene.world[scene.bodies["rack"]].velocity().x, 10.0 / 3.0, 1e-11);
        close(scene.world[scene.bodies["rack"]].position().x, 5.0 / 3.0, 1e-11);
    }
}

#[test]
fn a_ratchet_takes_whole_teeth() {
    for (teeth, degrees, a_cycle) in [(24, 20.0_f64, 30.0_f64), (12, 14.0, 0.0)] {
        let mut scene = ratchet(teeth, degrees.to_radians()).unwrap();
        let wheel = scene.bodies["wheel"];
        let mut before = 0.0;
        for cycle in 0..4 {
            run(&mut scene, THETA, 1.0, STEP);
            let now = scene.world[wheel].rotation().to_degrees();
            if cycle > 0 {
                close(now - before, a_cycle, 0.5);
            }
            before = now;
        }
    }
}
