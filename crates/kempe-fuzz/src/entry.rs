//! What must hold of any text: the one entry point of all fuzz runs.
//!
//! A failure is a panic with a sentence that says what did not hold, whether it is an assertion
//! here or a panic inside `kempe-equation`; time and memory are for the caller to watch.

use kempe_equation::limits::MAX_SOURCE;
use kempe_equation::{
    AtZero, Block, BodyState, Cells, Compiled, Evaluation, Input, Instance, InstanceError, LANES,
    Output, Program, SecondOrder, Tape, Value, render, sample,
};
use std::sync::Arc;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is a program.
    Parsed,
    /// It has mistakes, which were reported.
    Rejected,
}

/// Takes any bytes through everything that `kempe-equation` does.
///
/// # Panics
/// If something does not hold that must.
pub fn run(data: &[u8]) -> Outcome {
    let source = String::from_utf8_lossy(data);
    match Program::parse(&source) {
        Err(errors) => {
            assert!(!errors.diagnostics().is_empty(), "rejected without an error");
            let picture = render::errors(&errors, "input.kempe", render::Colors::Off);
            assert!(!picture.is_empty() && !errors.to_string().is_empty(), "an error without text");
            Outcome::Rejected
        }
        Ok(program) => {
            written(&program);
            numbers(&program);
            tapes(program.compiled());
            shared(&program);
            Outcome::Parsed
        }
    }
}

/// The standard form reads back as the same program, and everything can be explained.
fn written(program: &Program) {
    let text = program.to_string();
    match Program::parse(&text) {
        Ok(again) => same(program, &again, &text),
        // It has more white space than a program needs.
        Err(_) if text.len() > MAX_SOURCE => {}
        Err(errors) => fail(&format!("the standard form does not read back: {errors}\n{text}")),
    }
    assert!(!program.explain_text().is_empty(), "no explanation");
    assert!(!program.explain_source().is_empty(), "no explanation");
    assert!(!program.sample_text().is_empty(), "no numbers");
}

fn same(program: &Program, again: &Program, text: &str) {
    assert_eq!(again.to_string(), text, "the standard form is not that of what it reads back as");
    assert_eq!(again.bodies(), program.bodies(), "other bodies");
    assert_eq!(again.row_count(), program.row_count(), "other rows");
    let (first, second) = (at_sample(program).ok(), at_sample(again).ok());
    assert_eq!(first, second, "the standard form means something else: {text}");
}

fn at_sample(program: &Program) -> Result<Evaluation, InstanceError> {
    let (joint, bodies) = sample(program)?;
    joint.evaluate(&bodies, 0.5)
}

/// At states of all sizes the joint gives finite numbers, or says why not.
fn numbers(program: &Program) {
    let (joint, bodies) = match sample(program) {
        Ok(sample) => sample,
        Err(error) => fail(&format!("the sample cannot be bound: {error}")),
    };
    let multipliers: Vec<f64> =
        (0..program.compiled().rows().len()).map(|row| 1.0 - 0.75 * row as f64).collect();
    let mut moving = joint.clone();
    visit(&mut moving, &bodies, 0.25, &multipliers);
    // Everything at the origin, so that every length between bodies vanishes; first with a
    // direction remembered, then without.
    let together = vec![BodyState::default(); bodies.len()];
    visit(&mut moving, &together, 0.0, &multipliers);
    let mut resting = joint.clone();
    resting.at_zero = AtZero::Disable;
    visit(&mut resting, &together, 0.0, &[]);
    for size in [1e7, -1e300] {
        visit(&mut joint.clone(), &scaled(&bodies, size), size.abs(), &multipliers);
    }
    for size in [0.0, 1e-200, -1e160, f64::INFINITY] {
        let mut other = joint.clone();
        for parameter in program.parameters() {
            let value = Value::from_components(parameter.kind, [size, -size, 0.0, size]);
            // −0 and −∞ are numbers as good as others.
            assert!(other.set(&parameter.name, value).is_ok(), "a parameter cannot be set");
        }
        visit(&mut other, &bodies, 0.0, &multipliers);
    }
}

fn scaled(bodies: &[BodyState], size: f64) -> Vec<BodyState> {
    let large = bodies.iter().map(|state| BodyState {
        position: state.position.map(|number| number * size),
        rotation: state.rotation * size,
        velocity: state.velocity.map(|number| number * size),
        angular_velocity: state.angular_velocity * size,
        ..*state
    });
    large.collect()
}

/// Evaluates, moves on, and evaluates again.
fn visit(joint: &mut Instance, bodies: &[BodyState], time: f64, multipliers: &[f64]) {
    for round in 0..2 {
        if let Ok(values) = joint.evaluate(bodies, time) {
            require_evaluation(&values);
        }
        if let Ok(values) = joint.second_order(bodies, time, multipliers) {
            let SecondOrder { acceleration_bias, curvature } = values;
            require_finite("a second derivative", acceleration_bias.iter());
            require_finite("a curvature", curvature.iter().flatten());
        }
        if round == 0 && joint.advance(bodies, time, 1.0 / 60.0).is_ok() {
            let program = joint.program().clone();
            for parameter in program.parameters().iter().filter(|each| each.driven) {
                let value = joint.get(&parameter.name);
                let finite = matches!(value, Ok(Some(value)) if value.is_finite());
                assert!(finite, "`{}` was driven to {value:?}", parameter.name);
            }
        }
    }
}

fn require_evaluation(values: &Evaluation) {
    require_finite("a value", values.value.iter());
    require_finite("a velocity", values.velocity.iter());
    require_finite("a bias", values.bias.iter());
    require_finite("an entry of J", values.jacobian.iter().flatten());
    require_finite("an entry of K", values.inverse_mass.iter().flatten());
    for bound in &values.bounds {
        // Infinite bounds are the ones that never act.
        assert!(bound.lower <= bound.upper, "bounds in the wrong order: {bound:?}");
        require_finite("the rate of a bound", [bound.lower_rate, bound.upper_rate].iter());
    }
}

fn require_finite<'a>(what: &str, numbers: impl Iterator<Item = &'a f64>) {
    for number in numbers {
        assert!(number.is_finite(), "{what} is {number}");
    }
}

/// Each tape runs in every precision, and a lane has the bits of the run of one joint.
fn tapes(compiled: &Compiled) {
    let mut start = Cells::precise(compiled.start());
    start.fill(|input| f64::from(number_for(input, 3)));
    start.run();
    for tape in [compiled.equations(), compiled.step()] {
        const JOINTS: usize = 8;
        let mut lanes = Cells::lanes(tape);
        lanes.fill(|input| {
            let mut block = Block([0.0; LANES]);
            for (joint, lane) in block.0.iter_mut().enumerate().take(JOINTS) {
                *lane = number_for(input, joint);
            }
            block
        });
        lanes.run(JOINTS);
        for joint in [0, JOINTS - 1] {
            same_bits(tape, &lanes, joint);
        }
    }
}

fn same_bits(tape: &Arc<Tape>, lanes: &Cells<Block>, joint: usize) {
    let mut single = Cells::single(tape);
    single.fill(|input| number_for(input, joint));
    single.run();
    for (index, output) in tape.outputs().iter().enumerate() {
        if matches!(output, Output::Cell(_) | Output::Negated(_)) {
            let (one, many) = (single.output(index), lanes.output(index, joint));
            // Which NaN it is differs from one register to the next.
            let same = one.to_bits() == many.to_bits() || one.is_nan() && many.is_nan();
            assert!(same, "output {index} is {one} for one joint and {many} on lane {joint}");
        }
    }
}

/// Some number for an input of a joint; joint 0 has zeros.
fn number_for(input: Input, joint: usize) -> f32 {
    let index = match input {
        Input::PositionX(slot) | Input::DeltaY(slot) | Input::Base(slot) => slot,
        Input::PositionY(slot) | Input::DeltaX(slot) | Input::Cosine(slot) => slot + 1,
        Input::Rotation(slot) | Input::Sine(slot) | Input::DeltaRotation(slot) => slot + 2,
        Input::Parameter { index, component } | Input::DeltaParameter { index, component } => {
            index + component
        }
        Input::Memory { site, component } => site + component,
        _ => 3,
    };
    joint as f32 * (0.25 + (index % 7) as f32 * 0.5) - (index % 3 * joint) as f32
}

/// All names bound to one body: the program compiled anew, and used.
fn shared(program: &Program) {
    let names = program.bodies();
    let slots = vec![0; names.len()];
    // With fewer columns it may be too large all the same, but no row is lost.
    if let Ok(compiled) = program.compiled_for(&slots) {
        assert_eq!(compiled.rows(), program.compiled().rows(), "sharing a body changes the rows");
        assert_eq!(compiled.slots(), usize::from(!names.is_empty()), "one body has one slot");
        tapes(&compiled);
    }
    let Ok((mut joint, bodies)) = sample(program) else { return };
    for name in names {
        assert!(joint.set_body(name, 0).is_ok(), "a body of the program cannot be bound");
    }
    visit(&mut joint, &bodies, 0.75, &[1.0, -2.0]);
}

#[expect(clippy::panic, reason = "a panic is how a fuzz run reports a failure")]
fn fail(message: &str) -> ! {
    panic!("{message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_passes() {
        for example in kempe_equation::gallery::GALLERY {
            assert_eq!(run(example.source.as_bytes()), Outcome::Parsed, "{}", example.name);
        }
    }

    #[test]
    fn anything_else_is_rejected() {
        for bytes in [&b""[..], b"\xff\xfe", b"body", b"constraint |", b"limit", b"(((((", b"\0"] {
            assert_eq!(run(bytes), Outcome::Rejected, "{bytes:?}");
        }
    }
}
