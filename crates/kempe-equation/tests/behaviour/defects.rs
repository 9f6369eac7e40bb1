//! Each defect of Nape's language, under its own name: it is not here.

use super::{close, joint, kinds, program, rows_close, state, value_of};
use kempe_equation::{BodyState, ErrorKind, gallery};

fn rows(source: &str) -> Vec<f64> {
    joint(source).evaluate(&[], 0.0).unwrap().value
}

#[test]
fn d01_unary_minus_takes_the_whole_sum() {
    assert_eq!(value_of("let a = 2 in let b = 3 in -a + b"), 1.0);
    assert_eq!(value_of("-2 + 3"), 1.0);
    assert_eq!(value_of("let a = 2 in -a * 3 + 10"), 4.0);
}

#[test]
fn d02_relative_takes_the_whole_sum() {
    let source = "axis x = (relative (pi / 2) [1 0] + [5 0]).x";
    close(rows(source)[0], 5.0, 1e-12);
    let source = "axis x = relative (pi / 2) [1 0] dot [0 2]";
    close(rows(source)[0], 2.0, 1e-12);
}

#[test]
fn d03_a_sign_swallows_the_next_element() {
    assert_eq!(rows("scalar a = 1, b = 2 constraint { a -b }"), [1.0, -2.0]);
    assert_eq!(rows("scalar a = 1, b = 2 constraint { a - b }"), [-1.0]);
    assert_eq!(rows("scalar a = 1, b = 2 constraint { a-b }"), [-1.0]);
    assert_eq!(rows("scalar a = 1, b = 2 constraint { a- b }"), [-1.0]);
    assert_eq!(rows("constraint {0 -1}"), [0.0, -1.0]);
    assert_eq!(rows("constraint {0, -1 +2}"), [0.0, -1.0, 2.0]);
    assert_eq!(rows("constraint { (1 -2) |3 -4| }"), [-1.0, 1.0], "brackets end the rule");
    let bounds = joint("constraint 1 limit constraint -2 3").evaluate(&[], 0.0).unwrap().bounds[0];
    assert_eq!((bounds.lower, bounds.upper), (-2.0, 3.0));
    program("scalar x = 0 limit x -1 1 constraint x");
}

#[test]
fn d04_a_vector_with_a_sign_is_a_quarter_turn() {
    assert_eq!(rows("constraint [1 -2]"), [1.0, -2.0]);
    assert_eq!(rows("constraint [1 - 2, 0]"), [-1.0, 0.0]);
    assert!(kinds("constraint [1 - 2]").contains(&ErrorKind::Shape));
}

#[test]
fn d05_vectors_hold_numbers_only() {
    assert_eq!(rows("scalar a = 2 constraint [a + 1 2 * a]"), [3.0, 4.0]);
    assert_eq!(rows("scalar a = 2 constraint perp [a, sin(0)]"), [0.0, 2.0]);
}

#[test]
fn d06_names_that_start_with_a_keyword_are_split() {
    let source = "scalar united = 1, dotted = 2, crossing = 3, outermost = 4, constraintX = 5
                  limit constraintX 0 10
                  constraint { united dotted crossing outermost }";
    assert_eq!(rows(source), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(rows("scalar inner = 1, letter = 2, limits = 3 constraint inner + letter"), [3.0]);
    assert_eq!(kinds("scalar unit constraint 1"), [ErrorKind::Reserved]);
    assert_eq!(kinds("scalar sin constraint 1"), [ErrorKind::Reserved]);
    assert_eq!(kinds("scalar time constraint 1"), [ErrorKind::Reserved]);
}

#[test]
fn d07_bars_do_not_nest() {
    assert_eq!(value_of("| 1 - |[3 4]| |"), 4.0);
    assert_eq!(value_of("||[3 4]| - |-7||"), 2.0);
    assert_eq!(value_of("|2 * |-3| - |[3, |-4|]||"), 1.0);
    assert_eq!(rows("constraint { |-1| |-2| }"), [1.0, 2.0]);
}

#[test]
fn d08_the_rate_of_a_turned_vector_that_is_driven_is_lost() {
    let mut joint = joint("body b vector v = [1 0] -> [2 3] constraint relative b v");
    let mut b = BodyState { rotation: 0.4, angular_velocity: 0.7, ..BodyState::default() };
    let values = joint.evaluate(&[b], 0.0).unwrap();
    let h = 1e-6;
    joint.advance(&[b], 0.0, h).unwrap();
    b.rotation += h * b.angular_velocity;
    let later = joint.evaluate(&[b], h).unwrap();
    for row in 0..2 {
        close((later.value[row] - values.value[row]) / h, values.velocity[row], 1e-5);
    }
    let (s, c) = 0.4_f64.sin_cos();
    rows_close(&values.bias, &[c * 2.0 - s * 3.0, s * 2.0 + c * 3.0], 1e-12);
}

#[test]
fn d09_the_unit_of_a_scalar_cannot_be_differentiated() {
    let joint = joint("body b constraint (unit b.rotation) * b.rotation");
    let b = BodyState { rotation: -2.0, angular_velocity: 3.0, ..BodyState::default() };
    let values = joint.evaluate(&[b], 0.0).unwrap();
    assert_eq!((values.value[0], values.velocity[0]), (2.0, -3.0));
}

#[test]
fn d10_bounds_lag_by_a_step() {
    // Nape computed the side of a limit with the positions of the step before. Here the bounds
    // come with the same evaluation as C, and are stated at once.
    let joint = joint("body b constraint b.rotation limit constraint 0 1");
    for (rotation, violation) in [(-0.5, -0.5), (0.5, 0.0), (1.5, 0.5)] {
        let b = BodyState { rotation, ..BodyState::default() };
        let values = joint.evaluate(&[b], 0.0).unwrap();
        assert_eq!(values.bounds[0].violation(values.value[0]), violation);
    }
}

#[test]
fn d11_the_same_body_under_two_names_loses_columns() {
    let source = gallery::find("pulley").unwrap().source;
    let mut shared = joint(source);
    for (name, anchor) in
        [("anchor_a", [0.5, 0.1]), ("anchor_b", [0.2, -0.3]), ("anchor_c", [-0.4, 0.2])]
    {
        shared.set_vector(name, anchor).unwrap();
    }
    shared.set_vector("anchor_d", [0.1, 0.6]).unwrap();
    shared.set_scalar("longest", 5.0).unwrap();
    shared.set_scalar("ratio", 2.0).unwrap();
    let states = [state(1), state(2), state(3), state(4)];
    let apart = shared.evaluate(&[states[0], states[1], states[0], states[3]], 0.0).unwrap();
    shared.set_body("c", 0).unwrap();
    let values = shared.evaluate(&states, 0.0).unwrap();
    assert_eq!(values.jacobian[0].len(), 9, "three bodies");
    // The columns of a and c are added up, and K has their cross terms.
    for j in 0..3 {
        close(values.jacobian[0][j], apart.jacobian[0][j] + apart.jacobian[0][6 + j], 1e-12);
    }
    let mut expected = 0.0;
    for (slot, state) in [states[0], states[1], states[3]].iter().enumerate() {
        let masses = [state.inverse_mass, state.inverse_mass, state.inverse_inertia];
        for (j, mass) in masses.iter().enumerate() {
            expected += values.jacobian[0][3 * slot + j].powi(2) * mass;
        }
    }
    close(values.inverse_mass[0][0], expected, 1e-12);
    assert!((values.inverse_mass[0][0] - apart.inverse_mass[0][0]).abs() > 1e-3);
}

#[test]
fn d12_the_printed_example_is_misspelt() {
    // `body2.rotatino` in Nape's repository.
    let errors =
        kempe_equation::Program::parse("body body2 constraint body2.rotatino").unwrap_err();
    let help = errors.diagnostics()[0].help.as_deref();
    assert_eq!(help, Some("did you mean `rotation`?"));
}

#[test]
fn m_times_m_has_no_evaluator() {
    assert_eq!(value_of("([0 1; 1 0] * [1 2; 3 4]).xx"), 3.0);
}

#[test]
fn functions_and_velocity_constraints_are_missing() {
    assert_eq!(value_of("sqrt(max(sin(0), 4))"), 2.0);
    program("body a velocity constraint a.angularVel - 1");
}

#[test]
fn a_second_constraint_wins_silently() {
    assert_eq!(kinds("constraint 1 constraint 2"), [ErrorKind::Duplicate]);
    let twice = "constraint 1 limit constraint 0 1 limit constraint 0 2";
    assert_eq!(kinds(twice), [ErrorKind::Duplicate]);
}
