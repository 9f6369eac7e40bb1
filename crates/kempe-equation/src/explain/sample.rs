//! A joint of a program at a state that is easy to look at.

use crate::instance::{BodyState, Evaluation, Instance, InstanceError};
use crate::program::Program;
use crate::types::{Type, Value};
use std::fmt::Write;

/// Binds a program to bodies and parameters that are as good as any others: the bodies stand apart,
/// turned and moving, and a parameter without a default is 1, `[0.5, 0.25]` or the unit matrix.
///
/// # Errors
/// Never for the names, which are the program's own.
pub fn sample(program: &Program) -> Result<(Instance, Vec<BodyState>), InstanceError> {
    let mut joint = Instance::new(program);
    let mut bodies = Vec::new();
    for (index, name) in program.bodies().iter().enumerate() {
        joint.set_body(name, index)?;
        let k = index as f64;
        bodies.push(BodyState {
            position: [1.5 * k, 0.5 * k],
            rotation: 0.25 * k,
            velocity: [0.5 - k, 0.25 * k],
            angular_velocity: 1.0 + 0.5 * k,
            inverse_mass: 1.0 / (1.0 + k),
            inverse_inertia: 2.0 / (1.0 + k),
        });
    }
    for parameter in program.parameters().iter().filter(|each| each.default.is_none()) {
        let value = match parameter.kind {
            Type::Scalar => Value::Scalar(1.0),
            Type::Vector => Value::Vector([0.5, 0.25]),
            Type::Matrix => Value::Matrix([[1.0, 0.0], [0.0, 1.0]]),
        };
        joint.set(&parameter.name, value)?;
    }
    Ok((joint, bodies))
}

impl Program {
    /// C, V, J and K as numbers, at the state of [`sample`].
    pub fn sample_text(&self) -> String {
        let result = sample(self).and_then(|(joint, bodies)| {
            let values = joint.evaluate(&bodies, 0.0)?;
            Ok((joint, bodies, values))
        });
        match result {
            Ok((joint, bodies, values)) => self.numbers(&joint, &bodies, &values),
            Err(error) => format!("at the sample state: {error}\n"),
        }
    }

    fn numbers(&self, joint: &Instance, bodies: &[BodyState], values: &Evaluation) -> String {
        let mut text = String::from("at\n");
        for (name, state) in self.bodies().iter().zip(bodies) {
            let BodyState { position: [x, y], velocity: [u, v], .. } = state;
            let (angle, spin) = (state.rotation, state.angular_velocity);
            let (mass, inertia) = (1.0 / state.inverse_mass, 1.0 / state.inverse_inertia);
            let _ = writeln!(
                text,
                "  {name}: x = [{x}, {y}], θ = {angle}, v = [{u}, {v}], ω = {spin}, m = {mass}, \
                 I = {inertia}"
            );
        }
        for parameter in self.parameters() {
            if let Ok(Some(value)) = joint.get(&parameter.name) {
                let chosen = if parameter.default.is_none() { " (no default; chosen)" } else { "" };
                let _ = writeln!(text, "  {} = {value}{chosen}", parameter.name);
            }
        }
        text += "  time = 0\n";
        let line = |numbers: &[f64]| -> String {
            numbers.iter().map(|number| format!(" {:>11}", shown(*number))).collect()
        };
        let _ = writeln!(text, "\nC (and axes)  {}", line(&values.value));
        let _ = writeln!(text, "V             {}", line(&values.velocity));
        // K of the held rows, or of the axes if none is held; J of all.
        let held = self.row_count();
        let count = if held == 0 { values.value.len() } else { held };
        let inverse_mass: Vec<Vec<f64>> =
            values.inverse_mass[..count].iter().map(|row| row[..count].to_vec()).collect();
        for (title, matrix) in [("J", &values.jacobian), ("K", &inverse_mass)] {
            for (index, row) in matrix.iter().enumerate() {
                let title = if index == 0 { title } else { "" };
                let _ = writeln!(text, "{title:<14}{}", line(row));
            }
        }
        text
    }
}

/// Six places, or as many digits with an exponent.
fn shown(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        // −0 looks like a mistake.
        "0.000000".to_owned()
    } else if (1e-3..1e4).contains(&size) {
        format!("{number:.6}")
    } else {
        format!("{number:.4e}")
    }
}
