//! Each operator, function and typing rule, as tables.

use super::{close, joint, kinds, program, value_of};
use kempe_equation::{BodyState, ErrorKind};
use std::f64::consts::PI;

#[test]
fn values() {
    let table: &[(&str, f64)] = &[
        // sums and products of scalars
        ("1 + 2", 3.0),
        ("1 - 2", -1.0),
        ("2 * 3", 6.0),
        ("7 / 2", 3.5),
        ("7 / 2 / 2", 1.75),
        ("7 - 2 - 2", 3.0),
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("-2 + 3", 1.0),
        ("-2 * 3", -6.0),
        ("2 * -3", -6.0),
        ("- - 2", 2.0),
        ("+2", 2.0),
        ("2 dot 3", 6.0),
        ("2 outer 3", 6.0),
        // powers
        ("2^3", 8.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("4^0.5", 2.0),
        ("2 * 3^2", 18.0),
        ("1.7^17", 8272.40261886361),
        // vectors
        ("[3 4].x", 3.0),
        ("[3 4].y", 4.0),
        ("[3, 4].y", 4.0),
        ("|[3 4]|", 5.0),
        ("([1 2] + [3 4]).x", 4.0),
        ("([1 2] - [3 5]).y", -3.0),
        ("(-[1 2]).y", -2.0),
        ("(2 * [1 2]).y", 4.0),
        ("([1 2] * 2).y", 4.0),
        ("([1 2] / 2).x", 0.5),
        ("[1 2] dot [3 4]", 11.0),
        ("[1 2] cross [3 4]", -2.0),
        ("(2 cross [3 4]).x", -8.0),
        ("(2 cross [3 4]).y", 6.0),
        ("([3 4] cross 2).x", 8.0),
        ("([3 4] cross 2).y", -6.0),
        ("(perp [3 4]).x", -4.0),
        ("(perp [3 4]).y", 3.0),
        ("(unit [3 4]).x", 0.6),
        ("(unit [3 4]).y", 0.8),
        ("unit(-3)", -1.0),
        ("unit [3 4].x", 1.0),
        ("unit([3 4]).x", 0.6),
        ("unit ([3 4]).x", 0.6),
        ("perp([3 4]).x", -4.0),
        ("relative (pi / 2) ([3 4]).x", -4.0),
        ("unit 0", 0.0),
        ("(relative (pi / 2) [3 4]).x", -4.0),
        ("(relative (pi / 2) [3 4]).y", 3.0),
        ("([3 4] outer 2).y", 8.0),
        // matrices
        ("([1 2; 3 4] * [5 6]).x", 17.0),
        ("([1 2; 3 4] * [5 6]).y", 39.0),
        ("([1 2; 3 4] * [5 6; 7 8]).xx", 19.0),
        ("([1 2; 3 4] * [5 6; 7 8]).xy", 22.0),
        ("([1 2; 3 4] * [5 6; 7 8]).yx", 43.0),
        ("([1 2; 3 4] * [5 6; 7 8]).yy", 50.0),
        ("([1 2; 3 4] + [5 6; 7 8]).yx", 10.0),
        ("([1 2; 3 4] - [5 6; 7 8]).yy", -4.0),
        ("(2 * [1 2; 3 4]).xy", 4.0),
        ("([1 2; 3 4] / 2).yx", 1.5),
        ("(-[1 2; 3 4]).yy", -4.0),
        ("(transpose [1 2; 3 4]).xy", 3.0),
        ("([1 2] outer [3 4]).xy", 4.0),
        ("([1 2] outer [3 4]).yx", 6.0),
        // bars, functions, constants
        ("|-3|", 3.0),
        ("abs(-3)", 3.0),
        ("||[3 4]| - 7|", 2.0),
        ("sin(pi / 6)", 0.5),
        ("cos(pi / 3)", 0.5),
        ("tan(pi / 4)", 1.0),
        ("asin(0.5)", PI / 6.0),
        ("acos(0.5)", PI / 3.0),
        ("atan2(1, -1)", 0.75 * PI),
        ("sqrt(9)", 3.0),
        ("exp(1)", std::f64::consts::E),
        ("ln(exp(2))", 2.0),
        ("sign(-0.5)", -1.0),
        ("min(2, 3)", 2.0),
        ("max(2, 3)", 3.0),
        ("clamp(5, 0, 1)", 1.0),
        ("clamp(-5, 0, 1)", 0.0),
        ("clamp(0.5, 0, 1)", 0.5),
        ("choose(1, 2, 3)", 2.0),
        ("choose(0, 2, 3)", 3.0),
        ("choose(-1, [1 2], [3 4]).y", 4.0),
        ("eps", 1e-10),
        ("1e3 + .5 + 2E-1", 1000.7),
        // precedence: * before dot and cross, those before outer, that before +
        ("[1 2] dot 2 * [3 4]", 22.0),
        ("[1 2] dot [3 4] + 1", 12.0),
        ("([1 2] outer [1 0] + [1 0; 0 1]).xx", 2.0),
        ("let a = 2 in let b = a * 3 in a + b", 8.0),
        ("1 + (let a = 2 in a * a)", 5.0),
        ("let a = 1 in let a = a + 1 in a", 2.0),
    ];
    for (expression, expected) in table {
        close(value_of(expression), *expected, 1e-12);
    }
}

#[test]
fn of_parameters_and_time() {
    let mut joint = joint(
        "scalar s  vector v  matrix m
         axis a = s * v.x + (m * v).y
         axis b = 2 * time",
    );
    joint.set_scalar("s", 3.0).unwrap();
    joint.set_vector("v", [1.0, 2.0]).unwrap();
    joint.set_matrix("m", [[1.0, 2.0], [3.0, 4.0]]).unwrap();
    let values = joint.evaluate(&[], 1.5).unwrap();
    assert_eq!(values.value, [14.0, 3.0]);
    assert_eq!(values.bias, [0.0, 2.0]);
}

#[test]
fn types_that_do_not_fit() {
    use ErrorKind::{Shape, Type};
    let table: &[(&str, ErrorKind)] = &[
        ("1 + [1 2]", Type),
        ("[1 2] - 1", Type),
        ("[1 2] * [3 4]", Type),
        ("[1 2] * [1 2; 3 4]", Type),
        ("1 / [1 2]", Type),
        ("[1 2] / [1 2]", Type),
        ("1 dot [1 2]", Type),
        ("[1 0; 0 1] dot [1 2]", Type),
        ("1 cross 2", Type),
        ("1 outer [1 2]", Type),
        ("[1 2]^2", Type),
        ("2^[1 2]", Type),
        ("perp 1", Type),
        ("unit [1 0; 0 1]", Type),
        ("transpose [1 2]", Type),
        ("|[1 0; 0 1]|", Type),
        ("|{ 1 2 }|", Type),
        ("sin([1 2])", Type),
        ("abs([1 2])", Type),
        ("min(1, [1 2])", Type),
        ("choose(1, 2, [1 2])", Type),
        ("choose([1 2], 1, 2)", Type),
        ("relative [1 2] [1 2]", Type),
        ("relative 1 2", Type),
        ("[[1 2] 3]", Type),
        ("{ 1 2 } * { 1 2 }", Type),
        ("{ 1 2 } + { 1 2 3 }", Type),
        ("{ 1 2 } + { 1 [1 2] }", Type),
        ("a + 1", Type),
        ("-a", Type),
        ("[1 2 3]", Shape),
        ("[1]", Shape),
        ("[1 2; 3]", Shape),
        ("{ }", Shape),
    ];
    for (expression, kind) in table {
        let found = kinds(&format!("body a\nconstraint {expression}"));
        assert!(found.contains(kind), "{expression}: {found:?}");
    }
    assert_eq!(kinds("constraint [1 0; 0 1]"), [Type]);
    assert_eq!(kinds("body a axis q = a.position"), [Type]);
    assert_eq!(kinds("vector v = 2 constraint v"), [Type]);
    assert_eq!(kinds("vector v -> 2 constraint v"), [Type]);
    assert_eq!(kinds("body a constraint a"), [Type]);
    assert_eq!(kinds("body a limit a.position 0 1 constraint 1"), [Type]);
}

#[test]
fn blocks_distribute() {
    let values = |expression: &str| {
        joint(&format!("constraint {expression}")).evaluate(&[], 0.0).unwrap().value
    };
    assert_eq!(values("2 * { 1 [2 3] }"), [2.0, 4.0, 6.0]);
    assert_eq!(values("{ 1 [2 3] } * 2"), [2.0, 4.0, 6.0]);
    assert_eq!(values("{ 1 [2 3] } / 2"), [0.5, 1.0, 1.5]);
    assert_eq!(values("-{ 1 [2 3] }"), [-1.0, -2.0, -3.0]);
    assert_eq!(values("{ 1 [2 3] } + { 1 [1 1] }"), [2.0, 3.0, 4.0]);
    assert_eq!(values("{ 1 [2 3] } - { 1 [1 1] }"), [0.0, 1.0, 2.0]);
    assert_eq!(values("{ 1 { 2 { 3 } } }"), [1.0, 2.0, 3.0]);
    assert_eq!(values("let b = { 1 2 } in { b, 3 }"), [1.0, 2.0, 3.0]);
}

#[test]
fn properties_of_bodies() {
    let joint = joint(
        "body b
         constraint { b.position, b.rotation }
         velocity constraint { b.velocity, b.angularVel + b.angularVelocity }",
    );
    let state = BodyState {
        position: [1.0, 2.0],
        rotation: 100.0,
        velocity: [3.0, 4.0],
        angular_velocity: 5.0,
        ..BodyState::default()
    };
    let values = joint.evaluate(&[state], 0.0).unwrap();
    assert_eq!(values.value, [1.0, 2.0, 100.0, 0.0, 0.0, 0.0], "the rotation is unwrapped");
    assert_eq!(values.velocity, [3.0, 4.0, 5.0, 3.0, 4.0, 10.0]);
}

#[test]
fn known_entries_cost_nothing() {
    use kempe_equation::Output;
    let weld = program(kempe_equation::gallery::find("weld").unwrap().source);
    let compiled = weld.compiled();
    let entry = |row: usize, column: usize| {
        compiled.equations().outputs()[compiled.jacobian(row, column / 3, column % 3)]
    };
    assert_eq!(entry(0, 0), Output::MinusOne);
    assert_eq!(entry(0, 1), Output::Zero);
    assert_eq!(entry(0, 3), Output::One);
    assert_eq!(entry(2, 2), Output::MinusOne);
    assert!(matches!(entry(1, 2), Output::Negated(_)), "-r₁.x is r₁.x with a sign");
    let gear = program("body a, b constraint 3 * b.rotation - a.rotation");
    let compiled = gear.compiled();
    assert_eq!(compiled.equations().outputs()[compiled.jacobian(0, 1, 2)], Output::Constant(3.0));
    assert_eq!(compiled.equations().len(), 1, "one operation, for C");
}
