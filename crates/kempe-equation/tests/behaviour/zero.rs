//! Lengths that become zero, and other places where a derivative is lost.

use super::{close, joint, rows_close};
use kempe_equation::{AtZero, BodyState, InstanceError, gallery};

fn at(position: [f64; 2]) -> BodyState {
    BodyState { position, ..BodyState::default() }
}

fn rod() -> kempe_equation::Instance {
    joint("body a, b constraint |b.position - a.position|")
}

#[test]
fn a_length_of_zero_rests_until_there_was_a_direction() {
    let joint = rod();
    let values = joint.evaluate(&[at([0.0, 0.0]), at([0.0, 0.0])], 0.0).unwrap();
    assert_eq!(values.value, [0.0]);
    assert_eq!(values.jacobian[0], [0.0; 6], "no direction is known yet: the row rests");
    assert_eq!(values.inverse_mass[0], [0.0]);
}

#[test]
fn the_last_direction_is_remembered() {
    let mut joint = rod();
    let (a, b) = (at([0.0, 0.0]), at([3.0, 4.0]));
    joint.advance(&[a, b], 0.0, 1.0 / 60.0).unwrap();
    let values = joint.evaluate(&[a, a], 0.0).unwrap();
    rows_close(&values.jacobian[0], &[-0.6, -0.8, 0.0, 0.6, 0.8, 0.0], 1e-12);
    // It stays remembered for as long as the length is zero.
    joint.advance(&[a, a], 0.0, 1.0 / 60.0).unwrap();
    let values = joint.evaluate(&[a, a], 0.0).unwrap();
    rows_close(&values.jacobian[0], &[-0.6, -0.8, 0.0, 0.6, 0.8, 0.0], 1e-12);
    // Second derivatives stay finite there too.
    let second = joint.second_order(&[a, a], 0.0, &[1.0]).unwrap();
    assert!(second.curvature.iter().flatten().all(|number| *number == 0.0));
}

#[test]
fn a_row_can_rest_instead() {
    let mut joint = rod();
    joint.at_zero = AtZero::Disable;
    let (a, b) = (at([0.0, 0.0]), at([3.0, 4.0]));
    joint.advance(&[a, b], 0.0, 1.0 / 60.0).unwrap();
    let values = joint.evaluate(&[a, a], 0.0).unwrap();
    assert_eq!(values.jacobian[0], [0.0; 6]);
}

#[test]
fn a_remembered_direction_turns_with_its_body() {
    // unit(relative θ v) is relative θ (unit v): what is remembered is the direction in the body.
    let mut joint = joint("body b vector v constraint unit relative b v");
    joint.set_vector("v", [2.0, 0.0]).unwrap();
    joint.advance(&[BodyState::default()], 0.0, 1.0).unwrap();
    joint.set_vector("v", [0.0, 0.0]).unwrap();
    let turned = BodyState { rotation: std::f64::consts::FRAC_PI_2, ..BodyState::default() };
    let values = joint.evaluate(&[turned], 0.0).unwrap();
    rows_close(&values.value, &[0.0, 1.0], 1e-12);
}

#[test]
fn atan2_at_the_origin() {
    let mut joint = joint("body b constraint atan2(b.position.y, b.position.x)");
    let values = joint.evaluate(&[at([0.0, 0.0])], 0.0).unwrap();
    assert_eq!((values.value[0], values.jacobian[0].clone()), (0.0, vec![0.0; 3]));
    joint.advance(&[at([0.0, 2.0])], 0.0, 1.0).unwrap();
    let values = joint.evaluate(&[at([0.0, 0.0])], 0.0).unwrap();
    close(values.value[0], std::f64::consts::FRAC_PI_2, 1e-12);
    assert_eq!(values.jacobian[0], [0.0; 3]);
}

#[test]
fn roots_and_arcs_at_their_ends() {
    let table = [
        ("sqrt(x)", 0.0, 0.0, 0.0),
        ("asin(x)", 1.0, std::f64::consts::FRAC_PI_2, 0.0),
        ("acos(x)", 1.0, 0.0, 0.0),
        ("acos(x)", 1.0 + 1e-9, 0.0, 0.0),
        ("asin(x)", -1.0, -std::f64::consts::FRAC_PI_2, 0.0),
        ("abs(x)", 0.0, 0.0, 0.0),
        ("sign(x)", 0.0, 0.0, 0.0),
        ("x^0.5", 0.0, 0.0, 0.0),
        ("x^2", 0.0, 0.0, 0.0),
        ("x^1.5", 0.0, 0.0, 0.0),
    ];
    for (expression, x, value, slope) in table {
        let joint = joint(&format!("body b let x = b.rotation constraint {expression}"));
        let state = BodyState { rotation: x, ..BodyState::default() };
        let values = joint.evaluate(&[state], 0.0).unwrap();
        close(values.value[0], value, 1e-12);
        close(values.jacobian[0][2], slope, 1e-12);
    }
}

#[test]
fn what_is_not_finite_is_reported() {
    let table = [
        ("1 / x", 0.0),
        ("sqrt(x)", -1.0),
        ("ln(x)", 0.0),
        ("ln(x)", -1.0),
        ("asin(x)", 1.1),
        ("x^0.3", -1.0),
        ("x^0.3", 0.0),
        ("exp(x)", 1000.0),
        ("inf * x", 1.0),
        ("min(sqrt(x), 3)", -1.0),
        ("min(3, sqrt(x))", -1.0),
        ("max(sqrt(x), x)", -1.0),
        ("(unit [sqrt(x), 1]).y", -1.0),
    ];
    for (expression, x) in table {
        let joint = joint(&format!("body b let x = b.rotation constraint {{ 1, {expression} }}"));
        let state = BodyState { rotation: x, ..BodyState::default() };
        let error = joint.evaluate(&[state], 0.0).unwrap_err();
        let what = "row 2 of the constraint".to_owned();
        assert_eq!(error, InstanceError::NotFinite { what }, "{expression}");
    }
}

#[test]
fn every_joint_of_the_gallery_with_all_bodies_in_one_place() {
    for example in gallery::GALLERY {
        let program = super::program(example.source);
        let (joint, bodies) = kempe_equation::sample(&program).unwrap();
        let heap = vec![BodyState::default(); bodies.len()];
        let values = joint.evaluate(&heap, 0.0);
        assert!(values.is_ok(), "{}: {values:?}", example.name);
        let multipliers = vec![1.0; values.unwrap().value.len()];
        let second = joint.second_order(&heap, 0.0, &multipliers);
        assert!(second.is_ok(), "{}: {second:?}", example.name);
    }
}

#[test]
fn the_rate_of_a_bound_must_be_finite() {
    let source = "body a scalar s = 0 -> 1 constraint a.rotation limit constraint 0 s^0.3";
    let error = joint(source).evaluate(&[BodyState::default()], 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the rate of a bound of row 1 of the constraint is not finite");
}
