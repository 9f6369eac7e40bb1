//! Friction, stops and blows, located in time.

use super::{ALPHA, THETA, close, run};
use kempe_scenes::{blow, bounce, friction_stop, stick_slip};
use kempe2d::{Event, Reference};

const STEP: f64 = 1.0 / 60.0;

#[test]
fn friction_stops_a_slider() {
    // Speed (down is negative), μ, slope in degrees, and how far it goes.
    for (speed, friction, degrees, exact) in [
        (5.0, 0.5, 0.0_f64, 2.548_419_979_612_64),
        (2.0, 0.2, 0.0, 1.019_367_991_845_056),
        (10.0, 0.8, 0.0, 6.371_049_949_031_6),
        (-3.0, 0.5, 20.0, 3.588_589_150_833_375),
        (3.0, 0.5, 20.0, 0.565_013_610_587_311_1),
        (-2.0, 0.6, 30.0, 10.393_631_419_680_501),
        (2.0, 0.6, 30.0, 0.199_951_501_230_001_88),
        (-1.0, 0.3, 10.0, 0.418_479_872_228_222_36),
        (1.0, 0.3, 10.0, 0.108_653_658_951_300_11),
    ] {
        for method in [THETA, ALPHA] {
            let mut scene = friction_stop(speed, friction, degrees.to_radians()).unwrap();
            run(&mut scene, method, 12.0, STEP);
            let slider = &scene.world[scene.bodies["slider"]];
            close(slider.position().length() / exact, 1.0, 1e-6);
            close(slider.velocity().length(), 0.0, 1e-12);
        }
    }
}

#[test]
fn a_slope_that_is_too_steep_does_not_hold() {
    // atan 0.5 is 26.6°.
    for (degrees, holds) in [(26.0_f64, true), (27.0, false)] {
        let mut scene = friction_stop(0.0, 0.5, degrees.to_radians()).unwrap();
        run(&mut scene, THETA, 1.0, STEP);
        let slope = degrees.to_radians();
        let gains = 9.81 * (slope.sin() - 0.5 * slope.cos());
        let exact = if holds { 0.0 } else { gains };
        close(scene.world[scene.bodies["slider"]].velocity().length(), exact, 1e-9);
    }
}

#[test]
fn a_block_sticks_and_slips() {
    let mut scene = stick_slip().unwrap();
    let block = scene.bodies["block"];
    // With the belt until k x = μ m g, at 3.924 s.
    run(&mut scene, THETA, 3.9, STEP);
    close(scene.world[block].position().x, 0.39, 1e-9);
    close(scene.world[block].velocity().x, 0.1, 1e-9);
    // From there it swings about 0.3924 m, beginning with the speed of the belt.
    let mut largest = 0.0_f64;
    let look = |world: &kempe2d::World| largest = largest.max(world[block].position().x);
    Reference::new(THETA).watch(&mut scene.world, 1.0, 1e-3, look).unwrap();
    close(largest, 0.3924 + 0.1 / f64::sqrt(10.0), 1e-6);
}

#[test]
fn a_ball_bounces() {
    let first = f64::sqrt(2.0 / 9.81);
    for restitution in [0.5, 0.8, 0.95] {
        let mut scene = bounce(1.0, restitution).unwrap();
        let stops = first * (1.0 + restitution) / (1.0 - restitution);
        let report = run(&mut scene, THETA, stops + 0.5, STEP);
        let hits =
            report.events.iter().filter(|(_, event)| matches!(event, Event::LimitReached { .. }));
        let mut at = first;
        for (k, (time, _)) in hits.enumerate().take(6) {
            close(*time, at, 1e-9);
            at += 2.0 * first * restitution.powi(k as i32 + 1);
        }
        let ball = &scene.world[scene.bodies["ball"]];
        close(ball.position().y, 0.0, 1e-9);
        close(ball.velocity().length(), 0.0, 1e-12);
    }
}

#[test]
fn a_blow_shares_momentum() {
    let mut scene = blow([1.0, 3.0], 2.0, 0.5).unwrap();
    run(&mut scene, THETA, 1.0, STEP);
    close(scene.world[scene.bodies["first"]].velocity().x, -0.25, 1e-12);
    close(scene.world[scene.bodies["second"]].velocity().x, 0.75, 1e-12);
    close(scene.world[scene.bodies["second"]].position().x, 1.0 + 0.75 * 0.5, 1e-9);
}
