//! The joints of the gallery against what is known about them.

use super::{close, joint, rows_close, state};
use kempe_equation::{BodyState, Instance, gallery};

fn gallery_joint(name: &str) -> Instance {
    joint(gallery::find(name).unwrap().source)
}

fn at(position: [f64; 2], rotation: f64) -> BodyState {
    BodyState { position, rotation, ..BodyState::default() }
}

#[test]
fn pulleys_of_three_and_two_bodies_are_pulleys_of_four_that_share() {
    let states = [state(1), state(2), state(3)];
    let anchors = [[0.5, 0.1], [0.2, -0.3], [-0.4, 0.2], [0.1, 0.6]];
    let mut four = gallery_joint("pulley");
    for (name, anchor) in ["anchor_a", "anchor_b", "anchor_c", "anchor_d"].iter().zip(anchors) {
        four.set_vector(name, anchor).unwrap();
    }
    four.set_scalar("longest", 3.0).unwrap();
    let names = ["wheel_left", "hook_left", "wheel_right", "hook_right"];

    let mut three = gallery_joint("pulley_3");
    let mut two = gallery_joint("pulley_2");
    for (name, anchor) in names.iter().zip(anchors) {
        three.set_vector(name, anchor).unwrap();
        two.set_vector(name, anchor).unwrap();
    }
    three.set_scalar("length", 3.0).unwrap();
    two.set_scalar("length", 3.0).unwrap();

    for (name, index) in [("a", 0), ("b", 1), ("c", 0), ("d", 2)] {
        four.set_body(name, index).unwrap();
    }
    let (shared, plain) =
        (four.evaluate(&states, 0.0).unwrap(), three.evaluate(&states, 0.0).unwrap());
    close(shared.value[0] - 3.0, plain.value[0], 1e-12);
    rows_close(&shared.jacobian[0], &plain.jacobian[0], 1e-12);
    rows_close(&shared.inverse_mass[0], &plain.inverse_mass[0], 1e-12);

    four.set_body("d", 1).unwrap();
    let (shared, plain) =
        (four.evaluate(&states, 0.0).unwrap(), two.evaluate(&states, 0.0).unwrap());
    close(shared.value[0], plain.value[0], 1e-12);
    rows_close(&shared.jacobian[0], &plain.jacobian[0], 1e-12);
    rows_close(&shared.inverse_mass[0], &plain.inverse_mass[0], 1e-12);
}

/// K of a pulley whose bodies are shared, as Nape's manual gives it (its misprint corrected):
/// K₁₌₃ = K + 2 (n₁₂·n₃₄/m + c₁c₃/i).
#[test]
fn the_cross_term_of_a_shared_pulley() {
    let states = [state(5), state(6), state(7)];
    let mut pulley = gallery_joint("pulley");
    for name in ["anchor_a", "anchor_b", "anchor_c", "anchor_d"] {
        pulley.set_vector(name, [0.3, -0.2]).unwrap();
    }
    pulley.set_scalar("longest", 3.0).unwrap();
    pulley.set_scalar("ratio", 1.5).unwrap();
    let apart = pulley.evaluate(&[states[0], states[1], states[0], states[2]], 0.0).unwrap();
    for (name, index) in [("c", 0), ("d", 2)] {
        pulley.set_body(name, index).unwrap();
    }
    let shared = pulley.evaluate(&states, 0.0).unwrap();
    let j = &apart.jacobian[0];
    let (m, i) = (states[0].inverse_mass, states[0].inverse_inertia);
    let term = 2.0 * ((j[0] * j[6] + j[1] * j[7]) * m + j[2] * j[8] * i);
    close(shared.inverse_mass[0][0], apart.inverse_mass[0][0] + term, 1e-12);
}

#[test]
fn a_gear_turns_by_its_teeth() {
    let mut gear = gallery_joint("gear");
    gear.set_scalar("phase", 0.0).unwrap();
    let values = gear.evaluate(&[at([0.0; 2], 0.5), at([0.0; 2], 2.5), at([0.0; 2], -0.5)], 0.0);
    let values = values.unwrap();
    close(values.value[0], 20.0 * 2.0 - 40.0 * 1.0, 1e-12);
    rows_close(&values.jacobian[0], &[0.0, 0.0, -60.0, 0.0, 0.0, 20.0, 0.0, 0.0, 40.0], 1e-12);
    assert_eq!(values.value[1], 2.0, "the axis is the turn of the first wheel");
}

#[test]
fn a_rack_travels_by_the_arc_of_its_pinion() {
    let rack = gallery_joint("rack_and_pinion");
    let frame = at([1.0, 2.0], 0.3);
    let (s, c) = 0.3_f64.sin_cos();
    let travel = 0.1 * 4.0 * std::f64::consts::TAU;
    let bodies = [
        frame,
        at([1.0, 2.0], 0.3 + 4.0 * std::f64::consts::TAU),
        at([1.0 + c * travel, 2.0 + s * travel], 0.3),
    ];
    close(rack.evaluate(&bodies, 0.0).unwrap().value[0], 0.0, 1e-12);
}

#[test]
fn beads_stay_on_their_wires() {
    let wire = at([1.0, -2.0], 0.7);
    let (s, c) = 0.7_f64.sin_cos();
    let on = |x: f64, y: f64| at([1.0 + c * x - s * y, -2.0 + s * x + c * y], 0.0);
    for x in [-2.0, -0.5, 0.0, 1.5] {
        let parabola = gallery_joint("bead_on_parabola");
        let values = parabola.evaluate(&[wire, on(x, 0.5 * x * x)], 0.0).unwrap();
        close(values.value[0], 0.0, 1e-12);
        close(values.value[1], x, 1e-12);
        let ellipse = gallery_joint("bead_on_ellipse");
        let (y, x) = x.sin_cos();
        close(ellipse.evaluate(&[wire, on(2.0 * x, y)], 0.0).unwrap().value[0], 0.0, 1e-12);
    }
}

#[test]
fn a_follower_rests_on_its_cam() {
    let cam = gallery_joint("cam");
    let (frame, turn) = (0.2, 1.1);
    // Along the direction φ in the frame, the cam has radius 0.3 + 0.1 sin 2(φ − turn).
    for direction in [0.0_f64, 0.8, 2.5] {
        let radius = 0.3 + 0.1 * (2.0 * (direction - turn)).sin();
        let (s, c) = (direction + frame).sin_cos();
        let bodies = [
            at([5.0, 5.0], frame),
            at([1.0, 1.0], frame + turn),
            at([1.0 + radius * c, 1.0 + radius * s], 0.0),
        ];
        close(cam.evaluate(&bodies, 0.0).unwrap().value[0], 0.0, 1e-12);
    }
}

#[test]
fn a_disc_rolls_without_slipping() {
    let disc = gallery_joint("rolling_disc");
    let track = at([0.0, 0.0], 0.4);
    let (s, c) = 0.4_f64.sin_cos();
    let mut rolling = at([3.0 * c - 0.5 * s, 3.0 * s + 0.5 * c], 0.0);
    // To the right, so clockwise.
    rolling.velocity = [2.0 * c, 2.0 * s];
    rolling.angular_velocity = -4.0;
    let values = disc.evaluate(&[track, rolling], 0.0).unwrap();
    rows_close(&values.value, &[0.0, 0.0, 3.0], 1e-12);
    rows_close(&values.velocity, &[0.0, 0.0, 2.0], 1e-12);
    rolling.angular_velocity = -3.0;
    let values = disc.evaluate(&[track, rolling], 0.0).unwrap();
    close(values.velocity[1], 0.5, 1e-12);
}

#[test]
fn a_skate_glides_along_its_blade_only() {
    let skate = gallery_joint("skate");
    let (s, c) = 0.9_f64.sin_cos();
    let mut moving = at([4.0, 4.0], 0.9);
    moving.velocity = [2.0 * c, 2.0 * s];
    close(skate.evaluate(&[at([0.0; 2], 0.0), moving], 0.0).unwrap().velocity[0], 0.0, 1e-12);
    moving.velocity = [-s, c];
    close(skate.evaluate(&[at([0.0; 2], 0.0), moving], 0.0).unwrap().velocity[0], 1.0, 1e-12);
}

#[test]
fn watts_coupler_in_the_middle_of_its_stroke() {
    let watt = gallery_joint("watt_coupler");
    // Rockers level, coupler upright: both ends are one metre from their pivots.
    let values = watt.evaluate(&[at([0.0; 2], 0.0), at([0.0, 0.2], 0.0)], 0.0).unwrap();
    let left = [0.0 - -1.0, 0.4_f64 - 0.0];
    close(values.value[0], left[0].hypot(left[1]) - 1.0, 1e-12);
    assert_eq!(values.value[2], 0.2);
}

#[test]
fn a_distance_breathes() {
    let mut rod = gallery_joint("breathing_distance");
    rod.set_vector("anchor_a", [0.0; 2]).unwrap();
    rod.set_vector("anchor_b", [0.0; 2]).unwrap();
    let bodies = [at([0.0; 2], 0.0), at([2.5, 0.0], 0.0)];
    let values = rod.evaluate(&bodies, 0.25).unwrap();
    close(values.value[0], 0.0, 1e-12);
    let values = rod.evaluate(&bodies, 0.0).unwrap();
    close(values.bias[0], -0.5 * std::f64::consts::TAU, 1e-12);
    let second = rod.second_order(&bodies, 0.25, &[0.0]).unwrap();
    close(second.acceleration_bias[0], 0.5 * std::f64::consts::TAU.powi(2), 1e-9);
}

#[test]
fn a_motor_turns_at_its_rate() {
    let mut motor = gallery_joint("motor");
    motor.set_scalar("ratio", 3.0).unwrap();
    motor.set_scalar("rate", 2.0).unwrap();
    let mut bodies = [BodyState::default(); 2];
    bodies[0].angular_velocity = 1.0;
    bodies[1].angular_velocity = 1.0;
    let values = motor.evaluate(&bodies, 0.0).unwrap();
    assert_eq!((values.velocity[0], values.bias[0]), (0.0, -2.0));
    assert_eq!(values.inverse_mass[0][0], 1.0 + 9.0);
}
