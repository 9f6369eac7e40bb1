//! A sub-step of an island that is solved as a whole: foresee, advance, project.

use super::direct::Articulated;
use super::rows::Lanes;

/// How far gaps move bodies in a sub-step at most, in parts of the island's size, and in rad.
const REACH: f64 = 0.05;
/// Gaps above this part of the island's size are closed at once.
const OPEN: f64 = 1e-4;
/// Gaps above this part of the island's size are taken off carefully.
const WIDE_OPEN: f64 = 1e-3;
/// Gaps of this part of the lengths that rows are computed with are rounding.
const ROUNDING: f64 = 3e-7;
/// Half of the angle, in rad per sub-step, from which on a body turns far.
const FAR: f64 = 0.05;
/// How often a sub-step is begun anew because a joint is tauter than it was.
const TRIES: usize = 3;

impl Articulated {
    /// Before the positions move: puts the bodies where they are likely to be half-way.
    pub(crate) fn foresee_half_way(&mut self, lanes: &mut Lanes<'_>) {
        self.mean = self.foresee(lanes);
        // Implicit Euler has its rows where the sub-step starts.
        let half = if self.midpoint { 0.5 * lanes.h } else { 0.0 };
        let mean = &self.mean;
        self.put_poses(lanes, |at| mean[at].map(|v| half * v));
    }

    /// The lanes have the rows half-way: finds the mean velocities, and moves the bodies.
    pub(crate) fn advance(&mut self, lanes: &mut Lanes<'_>) {
        self.read(lanes);
        self.round_off(lanes);
        self.coming = self.coming_momentum(lanes);
        for attempt in 1..=TRIES {
            self.set_free_mean();
            self.yield_at_mean(lanes);
            self.factor();
            self.hold_mean();
            self.solve_mean_laws(lanes);
            self.store_mean(lanes);
            let wanted = self.wanted(lanes);
            let heavier = |at: usize, k: usize| {
                let own = self.own[at][k];
                own > 0.0 && wanted[at][k] > 0.5 / own + 2.0 * self.extra[at][k]
            };
            let taut = (0..self.bodies.len()).any(|at| (0..3).any(|k| heavier(at, k)));
            if !taut || attempt == TRIES {
                break;
            }
            let most: Vec<[f64; 3]> = wanted
                .iter()
                .zip(&self.extra)
                .map(|(wanted, extra)| std::array::from_fn(|k| wanted[k].max(extra[k])))
                .collect();
            self.reweigh(&most);
        }
        for (speed, row) in self.mean_speed.iter_mut().zip(&self.rows) {
            *speed = row.speed(&self.mean);
        }
        self.debt = 0.0;
        self.began.copy_from_slice(&self.open);
        let past = self.laws.iter().map(super::bounds::Law::past).fold(0.0, f64::max);
        self.close_gaps(lanes, self.worst_hold().max(past), past > 0.0);
        for at in 0..self.bodies.len() {
            for k in 0..3 {
                self.moved[at][k] += lanes.h * self.mean[at][k] + self.shift[at][k];
                self.before[at][k] = self.velocity[at][k];
                self.velocity[at][k] = match self.midpoint {
                    true => 2.0 * self.mean[at][k] - self.before[at][k],
                    false => self.mean[at][k],
                };
            }
        }
        self.put_poses(lanes, |_| [0.0; 3]);
        self.put_velocities(lanes);
    }

    /// A point on a body that turns by φ moves along the chord, sin(φ/2)/(φ/2) of the arc. With that the gaps
    /// stay closed; with cos(φ/2) velocities that are along the rows before are so after, and where a body
    /// turns far in a sub-step that is worth more: the projection would take their energy. All rows of places
    /// alike, so that those that say the same go on saying it.
    fn round_off(&mut self, lanes: &Lanes<'_>) {
        if !self.midpoint {
            return;
        }
        let share = |turning: f64| {
            let half = (0.5 * lanes.h * turning).abs().min(1.0);
            let square = half * half;
            let chord = 1.0 - square / 6.0 * (1.0 - square / 20.0);
            let tangent = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0));
            let far = ((half - FAR) / FAR).clamp(0.0, 1.0);
            chord + far * (tangent - chord)
        };
        let shares: Vec<f64> = self.mean.iter().map(|v| share(v[2])).collect();
        for row in self.rows.iter_mut().chain(self.laws.iter_mut().map(|law| &mut law.row)) {
            if row.parts.iter().any(|part| part.j[..2] != [0.0; 2]) {
                row.parts.iter_mut().for_each(|part| part.j[2] *= shares[part.body]);
            }
        }
    }

    /// The held rows, at the mean velocity.
    fn hold_mean(&mut self) {
        for (k, row) in self.rows.iter().enumerate() {
            self.right[k] = -(row.speed(&self.mean) + self.asked[k]);
        }
        self.solve_right();
        for (row, impulse) in self.rows.iter().zip(&self.right) {
            row.apply(&mut self.mean, &self.inverse, *impulse);
        }
        self.impulse.copy_from_slice(&self.right);
    }

    /// Writes the impulses of the sub-step so far into the lanes.
    fn store_mean(&self, lanes: &mut Lanes<'_>) {
        let times = self.times();
        for (block, hold) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(hold.at) {
                let impulse = times * self.impulse[first + k];
                lanes.set_impulse(hold.at, k, impulse as f32);
            }
        }
        for law in &self.laws {
            law.store(lanes, times);
        }
    }

    /// How often the impulses of the mean velocity come.
    pub(super) fn times(&self) -> f64 {
        if self.midpoint { 2.0 } else { 1.0 }
    }

    /// What is open at the start of the sub-step is taken off by a shift of the positions. Where much is
    /// open, and may be because it cannot be closed, in steps of Levenberg and Marquardt: undamped
    /// ones would go to and fro for ever.
    fn close_gaps(&mut self, lanes: &Lanes<'_>, worst: f64, stops: bool) {
        self.shift.fill([0.0; 3]);
        if worst == 0.0 {
            return;
        }
        let share = worst / self.size;
        if share > WIDE_OPEN {
            self.factor_with(share.min(1.0));
        }
        for block in 0..self.holds.len() {
            let held = self.is_held(block);
            for row in self.envelope.first_row(block)..self.envelope.end_row(block) {
                self.right[row] = -if held { self.open[row] } else { self.curved[row] };
            }
        }
        // Once, unrefined: what is nearly redundant comes off slowly.
        self.envelope.solve(&mut self.right);
        for (row, impulse) in self.rows.iter().zip(&self.right) {
            row.apply(&mut self.shift, &self.inverse, *impulse);
        }
        if stops {
            self.push_out_of_stops();
        }
        let size = self.size;
        let far = |s: &[f64; 3]| ((s[0].abs().max(s[1].abs())) / size).max(s[2].abs());
        let far = self.shift.iter().map(far).fold(0.0, f64::max);
        let scale = if far > REACH { REACH / far } else { 1.0 };
        if !scale.is_finite() || !far.is_finite() {
            self.shift.fill([0.0; 3]);
            return;
        }
        let (mut lifted, mut weight) = (0.0, 0.0);
        for (at, shift) in self.shift.iter_mut().enumerate() {
            for (k, shift) in shift.iter_mut().enumerate() {
                *shift *= scale;
                let own = self.own[at][k];
                if own > 0.0 {
                    let force = self.push[at][k] / (lanes.h * own);
                    let arm = if k < 2 { self.lengths[at] } else { 1.0 };
                    lifted -= force * *shift;
                    weight += force.abs() * arm;
                }
            }
        }
        self.debt += lifted - ROUNDING * weight;
    }

    /// At the new pose, if that was not foreseen and much is open there: closes it, and says so. The rows
    /// have to be evaluated anew then.
    pub(crate) fn tighten(&mut self, lanes: &mut Lanes<'_>) -> bool {
        for (block, hold) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(hold.at) {
                lanes.read(hold, k, &mut self.rows[first + k]);
                self.open[first + k] = self.rows[first + k].value;
            }
        }
        self.note_curved(lanes);
        let worst = self.worst_hold();
        if worst < OPEN * self.size {
            return false;
        }
        self.set_end_masses();
        self.factor();
        self.close_gaps(lanes, worst, false);
        for (moved, shift) in self.moved.iter_mut().zip(&self.shift) {
            moved.iter_mut().zip(shift).for_each(|(moved, shift)| *moved += shift);
        }
        self.put_poses(lanes, |_| [0.0; 3]);
        true
    }

    /// At the new pose: the velocities along the rows of there.
    pub(crate) fn project(&mut self, lanes: &mut Lanes<'_>) {
        self.read(lanes);
        self.set_end_masses();
        self.yield_at_end(lanes);
        self.factor();
        let energy = self.kinetic(&self.velocity);
        for (k, row) in self.rows.iter().enumerate() {
            self.right[k] = -(row.speed(&self.velocity) + self.asked[k]);
        }
        self.solve_right();
        for (row, impulse) in self.rows.iter().zip(&self.right) {
            row.apply(&mut self.velocity, &self.inverse, *impulse);
        }
        self.impulse.copy_from_slice(&self.right);
        self.solve_end_laws(lanes);
        self.debt += self.stored_by_curving(lanes);
        for ((gained, now), before) in self.gained.iter_mut().zip(&self.velocity).zip(&self.before)
        {
            *gained = std::array::from_fn(|k| now[k] - before[k]);
        }
        self.gained_known = true;
        self.pay(energy);
        self.restore_momentum(lanes);
        self.store_end(lanes);
        self.note_start(lanes);
        // As heavy as bodies count in the next sub-step, which may be that of another step.
        let wanted = self.wanted(lanes);
        self.reweigh(&wanted);
        self.put_velocities(lanes);
    }

    /// How far springs that are too stiff to be resolved have got by turning on the way: what the step knows
    /// as C₀ + h J v̄ is C₁. As errors of other rows that is taken off by a shift; a spring that has to
    /// take it off would store it.
    fn note_curved(&mut self, lanes: &Lanes<'_>) {
        for block in 0..self.holds.len() {
            let led = lanes.is_led(self.holds[block].at);
            let stiff = self.midpoint && !led && self.is_unresolved(block);
            for row in self.envelope.first_row(block)..self.envelope.end_row(block) {
                let straight = self.began[row] + lanes.h * self.mean_speed[row];
                self.curved[row] = if stiff { self.rows[row].value - straight } else { 0.0 };
            }
        }
    }

    /// What springs have stored beyond what they took, because their rows have turned on the way, J: the
    /// step knows C₁ as C₀ + h J v̄.
    fn stored_by_curving(&self, lanes: &Lanes<'_>) -> f64 {
        let mut sum = 0.0;
        if !self.midpoint {
            return sum;
        }
        for (block, hold) in self.holds.iter().enumerate() {
            let stiffness = self.stiffness[block];
            if stiffness == 0.0 || !lanes.is_law(hold.at) || lanes.is_led(hold.at) {
                continue;
            }
            let row = self.envelope.first_row(block);
            let straight = self.began[row] + lanes.h * self.mean_speed[row];
            let now = self.rows[row].value;
            sum += 0.5 * stiffness * (now * now - straight * straight);
            // What rounding stores it gives back as often.
            let lengths = self.rows[row].parts.iter().map(|part| self.lengths[part.body]);
            sum -= stiffness * now.abs() * ROUNDING * lengths.fold(0.0, f64::max);
        }
        sum
    }

    /// What closing gaps has lifted is paid for out of the kinetic energy, less what the projection
    /// has taken of it already, and less what rounding lifts, which goes down as often.
    fn pay(&mut self, before: f64) {
        let now = self.kinetic(&self.velocity);
        let debt = self.debt - (before - now).max(0.0);
        if debt > 0.0 && now > 0.0 && self.driven.is_empty() {
            let less = (1.0 - debt / now).max(0.0).sqrt();
            self.velocity.iter_mut().flatten().for_each(|v| *v *= less);
        }
    }

    /// Adds the impulses of the projection to those of the sub-step, and both to those of the step.
    fn store_end(&self, lanes: &mut Lanes<'_>) {
        for (block, hold) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(hold.at) {
                let impulse = f64::from(lanes.impulse(hold.at, k)) + self.impulse[first + k];
                lanes.set_impulse(hold.at, k, impulse as f32);
                lanes.add_to_total(hold.at, k, impulse as f32);
            }
        }
        for law in &self.laws {
            law.finish(lanes);
        }
    }

    /// Notes what is open where the next sub-step starts.
    pub(super) fn note_start(&mut self, lanes: &Lanes<'_>) {
        for (open, row) in self.open.iter_mut().zip(&self.rows) {
            *open = row.value;
        }
        for law in &mut self.laws {
            law.note_start(lanes);
        }
    }

    fn worst_hold(&self) -> f64 {
        // An angle counts by what it moves at the other end.
        let turns = |row: &super::rows::Row| row.parts.iter().all(|part| part.j[..2] == [0.0; 2]);
        let rows = (0..self.holds.len()).flat_map(|block| {
            let rows = self.envelope.first_row(block)..self.envelope.end_row(block);
            rows.map(move |row| (self.is_held(block), row))
        });
        let holds = rows.map(|(held, row)| {
            let arm = if turns(&self.rows[row]) { self.size } else { 1.0 };
            arm * if held { self.open[row] } else { self.curved[row] }.abs()
        });
        holds.fold(0.0, f64::max)
    }
}
