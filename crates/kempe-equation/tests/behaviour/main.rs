//! What the language does, as a user sees it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod defects;
mod errors;
mod far;
mod gallery;
mod instances;
mod operators;
mod pasting;
mod seeds;
mod zero;

use kempe_equation::{BodyState, ErrorKind, Evaluation, Instance, Program};

/// A program that must be right.
pub(crate) fn program(source: &str) -> Program {
    Program::parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors}"))
}

/// The kinds of the mistakes in a program that must be wrong.
pub(crate) fn kinds(source: &str) -> Vec<ErrorKind> {
    match Program::parse(source) {
        Ok(_) => panic!("accepted: {source}"),
        Err(errors) => errors.diagnostics().iter().map(|each| each.kind).collect(),
    }
}

/// A joint with body k of the program bound to state k.
pub(crate) fn joint(source: &str) -> Instance {
    let program = program(source);
    let mut joint = Instance::new(&program);
    for (index, name) in program.bodies().iter().enumerate() {
        joint.set_body(name, index).unwrap();
    }
    joint
}

/// The value of an expression of a program without bodies.
pub(crate) fn value_of(expression: &str) -> f64 {
    let joint = joint(&format!("axis value = {expression}"));
    joint.evaluate(&[], 0.0).unwrap_or_else(|error| panic!("{expression}: {error}")).value[0]
}

/// A pose with velocities, repeatable but without any symmetry.
pub(crate) fn state(seed: u64) -> BodyState {
    let mut random = Random(seed);
    BodyState {
        position: [random.number(), random.number()],
        rotation: 3.0 * random.number(),
        velocity: [random.number(), random.number()],
        angular_velocity: random.number(),
        inverse_mass: 1.0 + 0.5 * random.number(),
        inverse_inertia: 1.5 + 0.5 * random.number(),
    }
}

/// Numbers between −1 and 1.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())), "{a} is not {b}");
}

#[track_caller]
pub(crate) fn rows_close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    for (a, b) in a.iter().zip(b) {
        close(*a, *b, tolerance);
    }
}

#[track_caller]
pub(crate) fn same(a: &Evaluation, b: &Evaluation, tolerance: f64) {
    rows_close(&a.value, &b.value, tolerance);
    rows_close(&a.velocity, &b.velocity, tolerance);
    for (a, b) in a.jacobian.iter().zip(&b.jacobian) {
        rows_close(a, b, tolerance);
    }
    for (a, b) in a.inverse_mass.iter().zip(&b.inverse_mass) {
        rows_close(a, b, tolerance);
    }
}
