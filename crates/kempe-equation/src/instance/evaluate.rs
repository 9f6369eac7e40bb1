//! What a joint's equations give at a state.

use super::{BodyState, Instance, InstanceError};
use crate::compile::{Compiled, RowKind};
use crate::derive::FREEDOMS;
use crate::tape::Cells;

/// The bounds of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound; a row whose bounds are equal is an equation.
    pub upper: f64,
    /// How fast the lower bound moves, of itself.
    pub lower_rate: f64,
    /// How fast the upper bound moves.
    pub upper_rate: f64,
}

impl Bound {
    /// How far `value` is above the upper bound (positive) or below the lower one (negative);
    /// 0 between them.
    pub fn violation(&self, value: f64) -> f64 {
        if value > self.upper {
            value - self.upper
        } else if value < self.lower {
            value - self.lower
        } else {
            0.0
        }
    }

    /// Whether this is an equation.
    pub fn is_equation(&self) -> bool {
        self.lower == self.upper
    }
}

/// The values of all rows (constraint, velocity constraint, axes) at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// C of the constraint's rows, 0 for rows of the velocity constraint, q of the axes.
    pub value: Vec<f64>,
    /// V = J v + bias.
    pub velocity: Vec<f64>,
    /// ∂C/∂t, or b of a velocity row.
    pub bias: Vec<f64>,
    /// J by rows: v_x, v_y, ω of the first different body, then of the second, and so on.
    pub jacobian: Vec<Vec<f64>>,
    /// K = J M⁻¹ Jᵀ, the inverse effective mass, by rows.
    pub inverse_mass: Vec<Vec<f64>>,
    /// The bounds of each row: 0 and 0 unless the program says otherwise, and none for an axis.
    pub bounds: Vec<Bound>,
}

/// What the reference solver needs beyond [`Evaluation`].
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrder {
    /// (dJ/dt) v + d(∂C/∂t)/dt, by rows.
    pub acceleration_bias: Vec<f64>,
    /// ∂(Jᵀλ)/∂x, by rows.
    pub curvature: Vec<Vec<f64>>,
}

impl Compiled {
    /// The bounds of a row, from a context that has run.
    pub(crate) fn bound(&self, cells: &Cells<f64>, row: usize) -> Bound {
        let [lower, upper, lower_rate, upper_rate] = self.bound_outputs(row);
        Bound {
            lower: cells.output(lower),
            upper: cells.output(upper),
            lower_rate: cells.output(lower_rate),
            upper_rate: cells.output(upper_rate),
        }
    }
}

impl Instance {
    /// C, V, J and K.
    ///
    /// # Errors
    /// If a body is unbound, a parameter unset, a `limit` of the program fails, or a number that
    /// comes in or out is not finite.
    pub fn evaluate(&self, bodies: &[BodyState], time: f64) -> Result<Evaluation, InstanceError> {
        let compiled = &self.compiled;
        let bounds = self.context(bodies, time)?;
        let mut cells = Cells::precise(&compiled.equations);
        let inputs = self.inputs(bodies, time, &[])?;
        cells.fill(&inputs);
        cells.run();
        let (slots, rows) = (compiled.slots, compiled.kinds.len());
        let states = self.slot_states(bodies);
        let mut result = Evaluation {
            value: Vec::with_capacity(rows),
            velocity: Vec::with_capacity(rows),
            bias: Vec::with_capacity(rows),
            jacobian: Vec::with_capacity(rows),
            inverse_mass: Vec::with_capacity(rows),
            bounds,
        };
        for row in 0..rows {
            result.value.push(cells.output(compiled.value(row)));
            result.bias.push(cells.output(compiled.bias(row)));
            let columns = (0..slots * FREEDOMS)
                .map(|j| cells.output(compiled.jacobian(row, j / FREEDOMS, j % FREEDOMS)));
            result.jacobian.push(columns.collect());
        }
        for row in 0..rows {
            let line = &result.jacobian[row];
            let speed = line.iter().zip(states.iter().flat_map(velocities));
            result.velocity.push(result.bias[row] + speed.map(|(j, v)| j * v).sum::<f64>());
            let masses = || states.iter().flat_map(inverse_masses);
            let product = |other: &Vec<f64>| -> f64 {
                line.iter().zip(other).zip(masses()).map(|((a, b), m)| a * b * m).sum()
            };
            result.inverse_mass.push(result.jacobian.iter().map(product).collect());
        }
        self.require_finite(&result)?;
        Ok(result)
    }

    /// The acceleration bias, and ∂(Jᵀλ)/∂x for the given λ of each row; rows beyond them count
    /// with λ = 0.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate), without the limits.
    pub fn second_order(
        &self,
        bodies: &[BodyState],
        time: f64,
        multipliers: &[f64],
    ) -> Result<SecondOrder, InstanceError> {
        let compiled = &self.compiled;
        let mut cells = Cells::precise(&compiled.second);
        cells.fill(self.inputs(bodies, time, multipliers)?);
        cells.run();
        let freedoms = FREEDOMS * compiled.slots;
        let result = SecondOrder {
            acceleration_bias: (0..compiled.kinds.len())
                .map(|row| cells.output(compiled.acceleration_bias(row)))
                .collect(),
            curvature: (0..freedoms)
                .map(|i| (0..freedoms).map(|j| cells.output(compiled.curvature(i, j))).collect())
                .collect(),
        };
        let numbers = result.acceleration_bias.iter().chain(result.curvature.iter().flatten());
        if numbers.clone().any(|number| !number.is_finite()) {
            return Err(InstanceError::NotFinite { what: "a second derivative".to_owned() });
        }
        Ok(result)
    }

    /// Tests the limits, and gives the bounds of the rows.
    fn context(&self, bodies: &[BodyState], time: f64) -> Result<Vec<Bound>, InstanceError> {
        let compiled = &self.compiled;
        let mut cells = Cells::precise(&compiled.context);
        cells.fill(self.inputs(bodies, time, &[])?);
        cells.run();
        self.check_context(&cells)?;
        Ok((0..compiled.kinds.len()).map(|row| compiled.bound(&cells, row)).collect())
    }

    /// Tests the limits of a context that has run, and the bounds of the rows.
    pub(super) fn check_context(&self, cells: &Cells<f64>) -> Result<(), InstanceError> {
        let compiled = &self.compiled;
        for (index, check) in self.program.model.checks.iter().enumerate() {
            let [value, lower, upper] =
                compiled.check_outputs(index).map(|output| cells.output(output));
            // Written so that NaN fails.
            if !(lower <= value && value <= upper) {
                let limit = self.program.text(check.span).split_whitespace();
                let limit = limit.collect::<Vec<_>>().join(" ");
                return Err(InstanceError::LimitFailed { limit, value, lower, upper });
            }
        }
        let rows = 0..compiled.kinds.len();
        let bound = |row: usize| compiled.bound(cells, row);
        let still = |row: &usize| {
            let Bound { lower_rate, upper_rate, .. } = bound(*row);
            !(lower_rate.is_finite() && upper_rate.is_finite())
        };
        if let Some(row) = rows.clone().find(still) {
            let what = format!("the rate of a bound of {}", self.row_name(row));
            return Err(InstanceError::NotFinite { what });
        }
        let crossed = |row: &usize| {
            let ordered = bound(*row).lower <= bound(*row).upper;
            !ordered
        };
        match rows.clone().find(crossed) {
            Some(row) => {
                let Bound { lower, upper, .. } = bound(row);
                Err(InstanceError::BoundsCrossed { row: self.row_name(row), lower, upper })
            }
            None => Ok(()),
        }
    }

    fn slot_states(&self, bodies: &[BodyState]) -> Vec<BodyState> {
        let mut states = Vec::new();
        for (slot, index) in self.slots().into_iter().zip(&self.bodies) {
            if let (true, Some(state)) =
                (slot == states.len(), index.and_then(|index| bodies.get(index)))
            {
                states.push(*state);
            }
        }
        states
    }

    /// How a row is called in messages.
    pub(super) fn row_name(&self, row: usize) -> String {
        let kinds = &self.compiled.kinds;
        let before = kinds[..row].iter().filter(|kind| **kind == kinds[row]).count();
        match kinds[row] {
            RowKind::Position => format!("row {} of the constraint", before + 1),
            RowKind::Velocity => format!("row {} of the velocity constraint", before + 1),
            RowKind::Axis => {
                format!("the axis `{}`", self.program.axes().nth(before).unwrap_or("?"))
            }
        }
    }

    fn require_finite(&self, result: &Evaluation) -> Result<(), InstanceError> {
        let bad = |numbers: &[f64]| numbers.iter().any(|number| !number.is_finite());
        let rows = 0..result.value.len();
        let own = rows.clone().find(|row| {
            let numbers = [result.value[*row], result.velocity[*row], result.bias[*row]];
            bad(&numbers) || bad(&result.jacobian[*row])
        });
        // K mixes the rows, so it is looked at last.
        if let Some(row) = own.or_else(|| rows.clone().find(|row| bad(&result.inverse_mass[*row])))
        {
            return Err(InstanceError::NotFinite { what: self.row_name(row) });
        }
        Ok(())
    }
}

fn velocities(state: &BodyState) -> [f64; 3] {
    [state.velocity[0], state.velocity[1], state.angular_velocity]
}

fn inverse_masses(state: &BodyState) -> [f64; 3] {
    [state.inverse_mass, state.inverse_mass, state.inverse_inertia]
}
