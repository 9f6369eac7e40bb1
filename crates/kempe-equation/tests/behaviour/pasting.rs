//! Printed programs and printed mathematics read back as what they were.

use super::{program, same, state};
use kempe_equation::{Instance, Program, Style, gallery, sample};
use std::fmt::Write;

/// The declarations of a program, without what it states.
fn declarations(program: &Program) -> String {
    let mut text = String::new();
    if !program.bodies().is_empty() {
        let _ = writeln!(text, "body {}", program.bodies().join(", "));
    }
    for line in program.to_string().lines() {
        if ["scalar ", "vector ", "matrix "].iter().any(|word| line.starts_with(word)) {
            let _ = writeln!(text, "{line}");
        }
    }
    for body in program.bodies() {
        let _ = writeln!(text, "scalar {body}_inverseMass = 1, {body}_inverseInertia = 1");
    }
    text
}

/// A joint of another program of the same bodies, with the same values.
fn like(model: &Instance, program: &Program) -> Instance {
    let mut joint = Instance::new(program);
    for name in program.bodies() {
        joint.set_body(name, model.body(name).unwrap().unwrap()).unwrap();
    }
    for parameter in model.program().parameters() {
        if let Some(value) = model.get(&parameter.name).unwrap() {
            joint.set(&parameter.name, value).unwrap();
        }
    }
    joint
}

#[test]
fn a_printed_program_is_the_same_program() {
    for example in gallery::GALLERY {
        let first = program(example.source);
        let second = program(&first.to_string());
        assert_eq!(first.to_string(), second.to_string());
        let (joint, bodies) = sample(&first).unwrap();
        let values = joint.evaluate(&bodies, 0.3).unwrap();
        assert_eq!(values, like(&joint, &second).evaluate(&bodies, 0.3).unwrap());
    }
}

#[test]
fn printing_keeps_the_structure() {
    let tricky = [
        "constraint 1 - (2 - 3)",
        "constraint -(1 + 2) * -3",
        "constraint (-2)^2 + -2^2 + 2^-3^2",
        "constraint (2^3)^2",
        "constraint { 1 -2, 3 - 4 }",
        "constraint (let a = 1 in a) + (let b = 2 in b)",
        "constraint { (let a = 1 in a) 2 }",
        "constraint { let a = 1 in a, let b = 2 in [b -b] }",
        "scalar s = 1 limit let a = s in a, 0, 2 constraint s",
        "constraint ||1| - |[2, |3|]||",
        "constraint unit perp [1, 2]",
        "constraint perp (-[1, 2])",
        "constraint relative (-1) (relative 2 [3, 4])",
        "constraint (relative 1 [2, 3]).x",
        "constraint ([1, 2] outer [3, 4] + [1, 2; 3, 4]) * ([5, 6] / 2)",
        "constraint 8 / 4 / 2 + 8 / (4 / 2)",
        "constraint transpose [1, 2; 3, 4] * [1, 0]",
        "constraint +1 - +2",
        "constraint unit -unit -unit (-[1, 2])",
        "constraint unit ((1 + 2) * [1, 2]).x",
        "constraint relative -1 relative unit 2 [3, 4]",
        "constraint relative -([1, 2] + [3, 4]).x -[3, 4]",
        "constraint relative unit -(2) (relative ((-1)^2) [3, 4])",
        "constraint unit(([1, 2] + [3, 4]).x)",
        "constraint 1e-30 + 1e300 + 0.1",
        "scalar a = 1 -> a * time, b constraint a limit constraint (-inf), b",
    ];
    for source in tricky {
        let first = program(source);
        let printed = first.to_string();
        let second = program(&printed);
        assert_eq!(printed, second.to_string(), "{source}");
        let (a, b) = (sample(&first).unwrap().0, sample(&second).unwrap().0);
        assert_eq!(a.evaluate(&[], 0.5).unwrap(), b.evaluate(&[], 0.5).unwrap(), "{source}");
    }
}

/// At the limit of depth, the standard form is no deeper than the program.
#[test]
fn printing_does_not_nest() {
    let deepest = |prefix: &str, end: &str| {
        let source = |n: usize| format!("body a constraint {}{end}", prefix.repeat(n));
        let last = (1..100).take_while(|n| Program::parse(&source(*n)).is_ok()).last().unwrap();
        program(&program(&source(last)).to_string());
    };
    for prefix in ["relative -1 ", "relative a ", "unit -", "perp ", "perp -", "relative unit 2 "] {
        deepest(prefix, "a.position");
    }
    deepest("2^-", "a.rotation");
    deepest("unit ", "(a.position + a.position).x");
    deepest("relative (a.position + a.position).x ", "a.position");
}

#[test]
fn pasted_mathematics_gives_the_same_numbers() {
    for example in gallery::GALLERY {
        let original = program(example.source);
        let pasted_text = declarations(&original) + &original.explain_source();
        let pasted = program(&pasted_text);
        let (joint, _) = sample(&original).unwrap();
        let bodies: Vec<_> = (0..original.bodies().len() as u64).map(|k| state(40 + k)).collect();
        let values = joint.evaluate(&bodies, 0.2).unwrap();
        let copied = like(&joint, &pasted).evaluate(&bodies, 0.2).unwrap();
        // The pasted program states C and, as a velocity constraint, V.
        let kinds = original.compiled().rows();
        let position = kinds.iter().filter(|k| **k == kempe_equation::RowKind::Position).count();
        let held = original.row_count();
        for row in 0..position {
            super::close(copied.value[row], values.value[row], 1e-9);
            super::rows_close(&copied.jacobian[row], &values.jacobian[row], 1e-9);
        }
        for row in 0..held {
            let pasted_row = position + row;
            super::close(copied.velocity[pasted_row], values.velocity[row], 1e-9);
            super::rows_close(&copied.jacobian[pasted_row], &values.jacobian[row], 1e-9);
        }
    }
}

/// J and K as printed, evaluated entry by entry.
#[test]
fn printed_j_and_k_are_j_and_k() {
    for example in gallery::GALLERY {
        let original = program(example.source);
        let explanation = original.explain(Style::Source);
        let mut text = declarations(&original);
        for (name, value) in &explanation.definitions {
            let _ = writeln!(text, "let {name} = {value}");
        }
        for (i, j, value) in &explanation.inverse_mass {
            let _ = writeln!(text, "axis K{i}_{j} = {value}");
        }
        for piece in
            explanation.pieces.iter().filter(|piece| piece.kind == kempe_equation::RowKind::Axis)
        {
            for (slot, entry) in piece.jacobian.iter().enumerate() {
                let name = format!("{}_{slot}", piece.name);
                let _ = writeln!(text, "axis {name}x = ({}).x", entry.linear);
                let _ = writeln!(text, "axis {name}y = ({}).y", entry.linear);
                let _ = writeln!(text, "axis {name}w = {}", entry.angular);
            }
        }
        let pasted = program(&text);
        let (joint, _) = sample(&original).unwrap();
        let bodies: Vec<_> = (0..original.bodies().len() as u64).map(|k| state(80 + k)).collect();
        let values = joint.evaluate(&bodies, 0.2).unwrap();
        let mut copy = like(&joint, &pasted);
        for (name, body) in original.bodies().iter().zip(&bodies) {
            copy.set_scalar(&format!("{name}_inverseMass"), body.inverse_mass).unwrap();
            copy.set_scalar(&format!("{name}_inverseInertia"), body.inverse_inertia).unwrap();
        }
        let copied = copy.evaluate(&bodies, 0.2).unwrap();
        for (index, (i, j, _)) in explanation.inverse_mass.iter().enumerate() {
            super::close(copied.value[index], values.inverse_mass[i - 1][j - 1], 1e-9);
        }
        let held = original.row_count();
        let axes: Vec<f64> = values.jacobian[held..].iter().flatten().copied().collect();
        super::rows_close(&copied.value[explanation.inverse_mass.len()..], &axes, 1e-9);
    }
}

#[test]
fn mathematics_is_readable() {
    let weld = program(gallery::find("weld").unwrap().source);
    let text = weld.explain_text();
    for line in [
        "r1 = R(θ₁) anchor1",
        "θ₂ − θ₁ − phase",
        "ω₂ × r2 + v₂ − (ω₁ × r1 + v₁)",
        "∂C1/∂v₁ = [−1, 0; 0, −1]    ∂C1/∂ω₁ = −⊥r1",
        "K11 = m⁻¹₁ + I⁻¹₁ * r1.y² + m⁻¹₂ + I⁻¹₂ * r2.y²",
        "K33 = I⁻¹₁ + I⁻¹₂",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    let distance = program(gallery::find("distance").unwrap().source);
    let (joint, bodies) = sample(&distance).unwrap();
    same(&joint.evaluate(&bodies, 0.0).unwrap(), &joint.evaluate(&bodies, 1.0).unwrap(), 0.0);
    assert!(distance.explain_text().contains("m⁻¹₁"));
}

#[test]
fn pasted_names_do_not_clash() {
    let sources = [
        "body a axis n = let m = a.rotation^2 in m * m + m axis m = a.rotation",
        "body a scalar K1_1 = 1, J1_a_velocity = 2 constraint K1_1 * a.rotation + J1_a_velocity",
        "body a constraint { sign(a.rotation), a.rotation }",
    ];
    for source in sources {
        let original = program(source);
        program(&(declarations(&original) + &original.explain_source()));
    }
}
