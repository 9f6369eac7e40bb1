//! Velocities that rows allow, and multipliers that rows share.

use super::ReferenceError;
use super::acts::Act;
use super::newton::Stepper;
use super::system::{Found, State};
use kempe_solve::sparse::SparseError;

impl Stepper {
    /// Velocities to the nearest that every held row allows, by mass; gives the impulses by line.
    /// `only` says which lines take part, and what their speed should be.
    pub(crate) fn project(
        &mut self,
        state: &mut State,
        only: impl Fn(usize, Act, &Found) -> Option<f64>,
    ) -> Result<Vec<f64>, ReferenceError> {
        let n = self.system.freedoms();
        let lines = self.system.lines.len();
        let mut right = vec![0.0; n + lines];
        let asked: Vec<Option<f64>> =
            (0..lines).map(|line| only(line, self.act(line, state.t), &self.found[line])).collect();
        let Self { system, assembly, found, .. } = self;
        assembly.begin(system, 1.0);
        for (line, asked) in asked.iter().enumerate() {
            assembly.set_line(line, &found[line], asked.map(|_| 0.0));
            right[n + line] = asked.map_or(0.0, |speed| speed - found[line].speed(&state.v));
        }
        assembly.factor()?;
        // Where nothing is asked to move, rest satisfies all rows: they do not contradict each other,
        // and what is left is along rows that hold nothing where they are.
        let still = |(line, asked): (usize, &Option<f64>)| {
            asked.is_none_or(|speed| speed == 0.0 && found[line].bias == 0.0)
        };
        match assembly.solve(&mut right) {
            Err(SparseError::Residual { .. }) if asked.iter().enumerate().all(still) => {}
            other => other?,
        }
        for (v, change) in state.v.iter_mut().zip(&right) {
            *v += change;
        }
        self.factored += 1;
        Ok(right[n..].iter().map(|impulse| -impulse).collect())
    }

    /// The smallest multipliers of held rows that give the same forces: rows that repeat each other
    /// share them. With the matrix of the [projection](Self::project), behind it.
    pub(crate) fn share(&mut self, t: f64, lambda: &mut [f64]) -> Result<(), ReferenceError> {
        let n = self.system.freedoms();
        let held = |line: &usize| self.act(*line, t).holds();
        let held: Vec<usize> = (0..lambda.len()).filter(held).collect();
        let mut right = vec![0.0; n + lambda.len()];
        held.iter().for_each(|line| self.found[*line].push(lambda[*line], &mut right[..n]));
        self.assembly.solve(&mut right)?;
        held.into_iter().for_each(|line| lambda[line] = right[n + line]);
        Ok(())
    }
}

/// The speed that a held row asks for.
pub(crate) fn held_speed(_: usize, act: Act, _: &Found) -> Option<f64> {
    match act {
        Act::Place { rate, .. } => Some(rate),
        Act::Speed(speed) => Some(speed),
        _ => None,
    }
}
