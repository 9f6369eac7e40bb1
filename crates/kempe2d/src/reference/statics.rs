//! Accelerations and reactions at a moment, and positions that fit.

use super::acts::Act;
use super::choose::Moment;
use super::lines::What;
use super::project::held_speed;
use super::{ReferenceError, Run};

/// How far ahead a state is looked at for what rows do as it moves on, s.
const AHEAD: f64 = 1e-5;

impl Run {
    /// M a = F + Jᵀλ with J a + (dJ/dt) v + … = 0: accelerations, and λ of every line.
    pub(super) fn accelerations(&mut self) -> Result<Moment, ReferenceError> {
        let n = self.stepper.system.freedoms();
        let lines = self.stepper.system.lines.len();
        // What a speed along a row gains by itself, as the state goes on without acceleration.
        let mut gains = [vec![0.0; lines], vec![0.0; lines]];
        // Less far where bodies would turn much meanwhile.
        let turns = self.state.v.iter().skip(2).step_by(3);
        let fastest = turns.fold(1e-3 / AHEAD, |most, v| most.max(v.abs()));
        let far = 1e-3 / fastest;
        for (gain, ahead) in gains.iter_mut().zip([-far, far]) {
            let mut there = self.state.clone();
            there.t += ahead;
            for (q, v) in there.q.iter_mut().zip(&self.state.v) {
                *q += ahead * v;
            }
            self.stepper.evaluate(&mut there)?;
            for (line, gain) in gain.iter_mut().enumerate() {
                let wanted = self.asked(line, there.t);
                *gain = self.stepper.found[line].speed(&self.state.v) - wanted;
            }
        }
        let mut at = self.state.clone();
        self.stepper.evaluate(&mut at)?;
        let mut force = Vec::new();
        self.stepper.forces(&self.state, &mut force);
        let mut accelerated = at;
        // As velocities: v = M⁻¹ F, then projected so that J v = −gain.
        for (k, v) in accelerated.v.iter_mut().enumerate() {
            *v = force[k] / self.stepper.system.movers[k / 3].mass[k % 3];
        }
        let stepper = &mut self.stepper;
        let bias: Vec<f64> = stepper.found.iter().map(|found| found.bias).collect();
        let lambda = stepper.project(&mut accelerated, |line, act, _| {
            // The bias of a row is of its speed, not of its acceleration.
            act.holds().then(|| bias[line] - (gains[1][line] - gains[0][line]) / (2.0 * far))
        })?;
        let rows = stepper.found.iter().enumerate().map(|(line, found)| {
            let along = found.speed(&accelerated.v) - bias[line];
            along + (gains[1][line] - gains[0][line]) / (2.0 * far)
        });
        let rows = rows.collect();
        let mut all = lambda;
        for (line, all) in all.iter_mut().enumerate() {
            let act = stepper.act(line, self.state.t);
            if !act.holds() {
                *all = stepper.force(line, act, &self.state.v, self.state.t)[0];
            }
        }
        accelerated.v.truncate(n);
        Ok(Moment { accelerations: accelerated.v, lambda: all, gains: rows, fits: false })
    }

    /// The speed that a line is asked to have, whatever its mode.
    fn asked(&self, line: usize, t: f64) -> f64 {
        let stepper = &self.stepper;
        match &stepper.system.lines[line].what {
            What::Motor { speed, .. } => speed.at(t).0,
            _ => held_speed(line, stepper.act(line, t), &stepper.found[line]).unwrap_or(0.0),
        }
    }

    /// Moves positions to the nearest, by mass, that every held row allows.
    pub(super) fn assemble_positions(&mut self) -> Result<(), ReferenceError> {
        let n = self.stepper.system.freedoms();
        let lines = self.stepper.system.lines.len();
        let mut state = self.state.clone();
        let mut last = f64::INFINITY;
        for _ in 0..100 {
            self.stepper.evaluate(&mut state)?;
            let mut open = 0.0_f64;
            let wanted: Vec<Option<f64>> = (0..lines)
                .map(|line| match self.stepper.act(line, state.t) {
                    Act::Place { target, .. } => {
                        let past = self.stepper.found[line].value - target;
                        open = open.max(past.abs());
                        Some(-past)
                    }
                    _ => None,
                })
                .collect();
            if open < 1e-15 || (open < 1e-12 && open > 0.5 * last) {
                self.state = state;
                return Ok(());
            }
            last = open;
            let mut moved = state.clone();
            moved.v.fill(0.0);
            let bias: Vec<f64> = self.stepper.found.iter().map(|found| found.bias).collect();
            self.stepper.project(&mut moved, |line, _, _| wanted[line].map(|w| w + bias[line]))?;
            // Large errors are closed in steps that the rows can follow.
            let largest = moved.v[..n].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let scale = (0.5 / largest).min(1.0);
            for (q, change) in state.q.iter_mut().zip(&moved.v) {
                *q += scale * change;
            }
        }
        let acts: Vec<Act> = (0..lines).map(|line| self.stepper.act(line, state.t)).collect();
        let joint = self.stepper.worst(&acts);
        Err(ReferenceError::NotConverged { time: self.state.t, joint })
    }
}
