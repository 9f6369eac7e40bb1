//! The laws of an island that is solved as a whole, as rows with a bias, a compliance and bounds of
//! their impulse: J v + bias + γ λ = 0 with lo ≤ λ ≤ hi.

use super::bucket::{LawKind, Layout};
use super::direct::Articulated;
use super::rows::{Entry, Lanes, Row};
use super::sweep::Bounded;
use super::wide::WideLayout;
use super::yielding::{damping, ratio};
use kempe_solve::Block;

/// Holds of more rows are not looked through.
const MOST: usize = 6;

/// A law of an axis in an island.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub entry: Entry,
    pub law: LawKind,
    /// Which of the entry's rows: of a pair the second comes behind the first.
    pub k: usize,
    pub row: Row,
    /// At the start of the sub-step: the coordinate, and how far it is from the stops.
    start: f64,
    room: [f64; 2],
    /// Which part of what is past a stop comes off in a sub-step, and how much at most; nothing where it
    /// yields.
    back: [f64; 2],
    /// The impulses at the mean velocity; of a limit by stop, and not negative.
    mean: [f64; 2],
    /// Those of the projection.
    end: [f64; 2],
    /// The mean speed of the coordinate.
    speed: f64,
    /// By stop: the speed with which it is left, if it throws back.
    bounce: [f64; 2],
}

/// The numbers of a law that lanes have.
struct Numbers {
    soft: [f64; Layout::SOFT],
    numbers: [f64; Layout::LIMIT],
}

impl Law {
    pub(super) fn new(entry: Entry, law: LawKind, k: usize) -> Self {
        Self {
            entry,
            law,
            k,
            row: Row::default(),
            start: 0.0,
            room: [f64::INFINITY; 2],
            back: [0.0; 2],
            mean: [0.0; 2],
            end: [0.0; 2],
            speed: 0.0,
            bounce: [0.0; 2],
        }
    }

    fn numbers(&self, lanes: &Lanes<'_>) -> Numbers {
        let at = self.entry.at;
        let count = match self.law {
            LawKind::Limit => Layout::LIMIT,
            law if law.is_pair() => 0,
            _ => Layout::LAW,
        };
        let mut numbers = [0.0; Layout::LIMIT];
        for (k, number) in numbers.iter_mut().enumerate().take(count) {
            *number = f64::from(lanes.law(at, k));
        }
        Numbers { soft: std::array::from_fn(|k| f64::from(lanes.soft(at, k))), numbers }
    }

    /// The impulse on the row that the lanes have.
    pub(super) fn net(&self, lanes: &Lanes<'_>) -> f64 {
        let at = self.entry.at;
        f64::from(match self.law.is_pair() {
            true => lanes.impulse(at, self.k),
            false => lanes.impulse(at, 0) - lanes.impulse(at, 1),
        })
    }

    /// Notes where the sub-step starts.
    pub(super) fn note_start(&mut self, lanes: &Lanes<'_>) {
        self.start = self.row.value;
        if self.law == LawKind::Limit {
            let [low, high] = [0, 1].map(|k| f64::from(lanes.law(self.entry.at, k)));
            self.room = [self.start - low, high - self.start];
            let soft = |k: usize| f64::from(lanes.soft(self.entry.at, k));
            // One with a largest force comes back by that.
            let whole = lanes.law(self.entry.at, 6) == f32::INFINITY;
            self.back = match soft(5) > 0.0 && whole {
                true => [(soft(0) * lanes.h).min(1.0), soft(1) * lanes.h],
                false => [0.0; 2],
            };
        }
    }

    /// How far a rigid stop is passed at the start of the sub-step, and comes back in it.
    pub(super) fn past(&self) -> f64 {
        match self.law {
            LawKind::Limit => [0, 1].into_iter().fold(0.0, |most, side| most.max(self.off(side))),
            _ => 0.0,
        }
    }

    /// The same of one stop.
    fn off(&self, side: usize) -> f64 {
        let [share, most] = self.back;
        (-share * self.room[side]).max(0.0).min(most)
    }

    /// Writes the impulses at the mean velocity into the lanes.
    pub(super) fn store(&self, lanes: &mut Lanes<'_>, times: f64) {
        let at = self.entry.at;
        if self.law.is_pair() {
            lanes.set_impulse(at, self.k, (times * self.mean[0]) as f32);
        } else {
            for (k, impulse) in self.mean.iter().enumerate() {
                lanes.set_impulse(at, k, (times * impulse) as f32);
            }
        }
    }

    /// Adds those of the projection, and both to the step's.
    pub(super) fn finish(&self, lanes: &mut Lanes<'_>) {
        let at = self.entry.at;
        let mut add = |k: usize, end: f64| {
            let impulse = (f64::from(lanes.impulse(at, k)) + end) as f32;
            lanes.set_impulse(at, k, impulse);
            lanes.add_to_total(at, k, impulse);
        };
        if self.law.is_pair() {
            add(self.k, self.end[0]);
        } else {
            add(0, self.end[0]);
            add(1, self.end[1]);
        }
    }

    /// A row of its own orientation, without bounds.
    fn bounded(&self, index: usize, side: usize) -> Bounded {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        Bounded {
            law: index,
            side,
            sign,
            bias: sign * self.row.bias,
            gamma: 0.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            impulse: 0.0,
            most: f64::INFINITY,
            known: 0.0,
            gives_way: false,
        }
    }

    /// The largest length of the impulses of a pair, for its second row.
    fn most(&self, lanes: &Lanes<'_>) -> f64 {
        match self.k {
            0 => f64::INFINITY,
            _ => f64::from(lanes.field(self.entry.at, Layout::most, WideLayout::most)),
        }
    }
}

impl Numbers {
    /// γ of a spring; those that are given by frequency refer to the mass `own` that they move.
    fn gamma(&self, own: f64) -> f64 {
        own * ratio(self.soft[2], self.soft[3]) + self.soft[4]
    }

    /// β C, within its bounds.
    fn bias(&self, value: f64) -> f64 {
        (self.soft[0] * value).clamp(-self.soft[1], self.soft[1])
    }

    fn is_rigid(&self) -> bool {
        self.soft[5] > 0.0
    }
}

impl Articulated {
    /// J M⁻¹ Jᵀ of a law with what the hold of its joint leaves of it.
    fn own_mass(&self, lanes: &Lanes<'_>, law: &Law) -> f64 {
        match law.law.is_pair() {
            true => law.row.meets(&law.row, &self.own),
            false => self.mass_through(lanes, &law.entry, &law.row),
        }
    }

    pub(super) fn mass_through(&self, lanes: &Lanes<'_>, entry: &Entry, row: &Row) -> f64 {
        let bare = row.meets(row, &self.own);
        let through = lanes.soft(entry.at, Layout::THROUGH) > 0.0;
        let Some(hold) = entry.hold.filter(|_| through) else { return bare };
        let rows = &self.rows[self.envelope.first_row(hold)..self.envelope.end_row(hold)];
        if rows.len() > MOST {
            return bare;
        }
        let (mut k, mut cross) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for (i, held) in rows.iter().enumerate() {
            cross[i] = held.meets(row, &self.own);
            for (j, other) in rows.iter().enumerate().take(i + 1) {
                k[i][j] = held.meets(other, &self.own);
            }
        }
        let mut answer = cross;
        Block::new(&k, rows.len()).solve(&mut answer);
        let taken: f64 = cross.iter().zip(answer).take(rows.len()).map(|(c, a)| c * a).sum();
        (bare - taken).max(0.0)
    }

    /// The laws at the mean velocity, which the holds alone have set.
    pub(super) fn solve_mean_laws(&mut self, lanes: &Lanes<'_>) {
        if self.laws.is_empty() {
            return;
        }
        let mut list = Vec::new();
        for index in 0..self.laws.len() {
            self.laws[index].mean = [0.0; 2];
            self.add_mean(lanes, index, &mut list);
        }
        let mut mean = std::mem::take(&mut self.mean);
        let mut impulse = std::mem::take(&mut self.impulse);
        self.sweep(&mut list, &mut mean, &mut impulse, |island, list, mean| {
            island.add_reached(lanes, list, mean);
        });
        (self.mean, self.impulse) = (mean, impulse);
        for bounded in &list {
            self.laws[bounded.law].mean[bounded.side] = bounded.impulse;
        }
        for law in &mut self.laws {
            law.speed = law.row.speed(&self.mean);
        }
    }

    /// The length of the step that springs and forces take: half of it where they come twice.
    fn law_step(&self, lanes: &Lanes<'_>) -> f64 {
        lanes.h / self.times()
    }

    fn add_mean(&mut self, lanes: &Lanes<'_>, index: usize, list: &mut Vec<Bounded>) {
        let h = self.law_step(lanes);
        let law = &self.laws[index];
        let n = law.numbers(lanes);
        let mut row = law.bounded(index, 0);
        row.impulse = law.net(lanes) / self.times();
        match law.law {
            LawKind::Limit => {
                for side in 0..2 {
                    self.add_stop(lanes, index, side, list);
                }
                return;
            }
            LawKind::Motor | LawKind::Friction => {
                row.bias -= n.numbers[0];
                row.gives_way = true;
                (row.low, row.high) = (n.numbers[1] * h, n.numbers[2] * h);
            }
            LawKind::Spring | LawKind::Servo | LawKind::Held => {
                row.gamma = n.gamma(self.own_mass(lanes, law));
                row.bias += n.bias(law.start) - n.numbers[0];
                (row.low, row.high) = (n.numbers[1] * h, n.numbers[2] * h);
            }
            LawKind::Force | LawKind::Push => {
                let [wanted, slope, ..] = n.numbers;
                if slope > 0.0 && law.law == LawKind::Force {
                    row.gamma = 1.0 / slope;
                    row.bias = -wanted / slope;
                } else {
                    (row.low, row.high) = (wanted, wanted);
                }
            }
            LawKind::Pull | LawKind::Tow => {
                row.most = law.most(lanes);
                row.gamma = n.gamma(self.own_mass(lanes, law));
                row.bias += n.soft[0] * law.start;
            }
        }
        if row.gamma.is_finite() {
            row.impulse = row.impulse.clamp(row.low, row.high);
            list.push(row);
        } else if law.law.is_pair() {
            // A pair stays one.
            (row.low, row.high, row.gamma, row.impulse) = (0.0, 0.0, 0.0, 0.0);
            list.push(row);
        }
    }

    /// Adds a stop that is reached in this sub-step, by the mean speed as it is.
    fn add_stop(&mut self, lanes: &Lanes<'_>, index: usize, side: usize, list: &mut Vec<Bounded>) {
        let (h, step) = (lanes.h, self.law_step(lanes));
        let law = &self.laws[index];
        let (room, n) = (law.room[side], law.numbers(lanes));
        if room.is_nan() || room >= f64::from(f32::MAX) {
            return;
        }
        let mut row = law.bounded(index, side);
        row.bias -= row.sign * n.numbers[3 + side];
        (row.low, row.high) = (0.0, n.numbers[6] * step);
        let speed = row.sign * law.row.along(&self.mean) + row.bias;
        let known = f64::from(lanes.impulse(law.entry.at, side)) / self.times();
        row.impulse = known.clamp(0.0, row.high);
        let mut bounce = 0.0;
        if n.is_rigid() {
            let inside = room.max(0.0);
            if speed + inside / h >= 0.0 && known <= 0.0 && room >= 0.0 {
                return;
            }
            row.bias += match room < 0.0 && n.numbers[6] < f64::INFINITY {
                true => n.bias(room),
                false => inside / h,
            };
            // What comes back: the speed when the stop is met, and what is left of the sub-step.
            let first = speed - row.sign * law.row.along(&self.mean)
                + row.sign * law.row.along(&self.velocity);
            let gained = self.times() * (speed - first);
            let share = if speed < 0.0 { (inside / (-speed * h)).min(1.0) } else { 1.0 };
            let met = -(first + share * gained);
            if n.numbers[2] > 0.0 && met > 2.0 * gained.abs() && speed < 0.0 {
                let back = n.numbers[2] * met;
                row.bias -= back * (1.0 - share);
                bounce = (back + gained * (1.0 - share)).max(0.0);
            }
        } else {
            if room + step * speed >= 0.0 {
                return;
            }
            row.gamma = n.gamma(self.own_mass(lanes, law));
            row.bias += n.bias(room);
            if !row.gamma.is_finite() {
                return;
            }
        }
        self.laws[index].bounce[side] = bounce;
        list.push(row);
    }

    /// Adds stops that are met now that the laws have acted, if there are any.
    fn add_reached(
        &mut self,
        lanes: &Lanes<'_>,
        list: &mut Vec<Bounded>,
        mean: &mut Vec<[f64; 3]>,
    ) {
        let known: Vec<(usize, usize)> = list.iter().map(|row| (row.law, row.side)).collect();
        std::mem::swap(&mut self.mean, mean);
        for index in 0..self.laws.len() {
            if self.laws[index].law != LawKind::Limit {
                continue;
            }
            for side in (0..2).filter(|side| !known.contains(&(index, *side))) {
                self.add_stop(lanes, index, side, list);
            }
        }
        std::mem::swap(&mut self.mean, mean);
    }

    /// Stops that are passed move the bodies back, by the shift.
    pub(super) fn push_out_of_stops(&mut self) {
        let mut list = Vec::new();
        for (index, law) in self.laws.iter().enumerate() {
            if law.past() == 0.0 {
                continue;
            }
            for side in (0..2).filter(|side| law.off(*side) > 0.0) {
                let mut row = law.bounded(index, side);
                (row.bias, row.low) = (-law.off(side), 0.0);
                list.push(row);
            }
        }
        let mut shift = std::mem::take(&mut self.shift);
        let mut right = std::mem::take(&mut self.right);
        self.sweep(&mut list, &mut shift, &mut right, |_, _, _| {});
        (self.shift, self.right) = (shift, right);
    }

    /// The laws at the velocities of the end: what held at the mean velocity holds.
    pub(super) fn solve_end_laws(&mut self, lanes: &Lanes<'_>) {
        if self.laws.is_empty() {
            return;
        }
        let mut list = Vec::new();
        let mut v = std::mem::take(&mut self.velocity);
        let mut impulse = std::mem::take(&mut self.impulse);
        for index in 0..self.laws.len() {
            self.laws[index].end = [0.0; 2];
            self.add_end(lanes, index, &v, &mut list);
        }
        self.sweep(&mut list, &mut v, &mut impulse, |_, _, _| {});
        (self.velocity, self.impulse) = (v, impulse);
        for bounded in &list {
            self.laws[bounded.law].end[bounded.side] = bounded.impulse;
        }
    }

    fn add_end(&self, lanes: &Lanes<'_>, index: usize, v: &[[f64; 3]], list: &mut Vec<Bounded>) {
        let (h, times) = (self.law_step(lanes), self.times());
        let law = &self.laws[index];
        let n = law.numbers(lanes);
        let mut row = law.bounded(index, 0);
        // What is left of the bounds.
        let left =
            |low: f64, high: f64| [times * (low - law.mean[0]), times * (high - law.mean[0])];
        let [low, high] = [n.numbers[1] * h, n.numbers[2] * h];
        let within = law.mean[0] > low && law.mean[0] < high;
        match law.law {
            LawKind::Limit => {
                for side in 0..2 {
                    self.add_end_stop(lanes, index, side, list);
                }
                return;
            }
            LawKind::Motor | LawKind::Friction => {
                row.bias -= n.numbers[0];
                let now = law.row.along(v) + row.bias;
                let turned = now * (law.speed - n.numbers[0]) < 0.0;
                if !within && !turned {
                    return;
                }
                row.gives_way = true;
                [row.low, row.high] = left(low, high);
            }
            LawKind::Spring | LawKind::Servo | LawKind::Held if self.midpoint && within => {
                let own = self.own_mass(lanes, law);
                let Some(gamma) = damping(n.gamma(own), own) else { return };
                row.gamma = gamma;
                row.bias -= law.speed;
            }
            LawKind::Tow => {
                (row.most, row.known) = (times * law.most(lanes), times * law.mean[0]);
                row.bias += law.row.value;
            }
            LawKind::Pull if self.midpoint => {
                let own = self.own_mass(lanes, law);
                let other = &self.laws[if law.k == 0 { index + 1 } else { index - 1 }];
                let most = law.most(lanes).min(other.most(lanes));
                let full = (law.mean[0] * law.mean[0] + other.mean[0] * other.mean[0]).sqrt()
                    >= 0.999 * most;
                match damping(n.gamma(own), own).filter(|_| !full) {
                    Some(gamma) => {
                        row.gamma = gamma;
                        row.bias -= law.speed;
                    }
                    None => (row.low, row.high) = (0.0, 0.0),
                }
                (row.most, row.known) = (times * law.most(lanes), times * law.mean[0]);
            }
            _ => return,
        }
        list.push(row);
    }

    fn add_end_stop(&self, lanes: &Lanes<'_>, index: usize, side: usize, list: &mut Vec<Bounded>) {
        let (times, step) = (self.times(), self.law_step(lanes));
        let law = &self.laws[index];
        let n = law.numbers(lanes);
        let mut row = law.bounded(index, side);
        row.bias -= row.sign * n.numbers[3 + side];
        let acted = law.mean[side];
        if !n.is_rigid() {
            if acted > 0.0 && self.midpoint {
                let own = self.own_mass(lanes, law);
                let Some(gamma) = damping(n.gamma(own), own) else { return };
                row.gamma = gamma;
                row.bias = -row.sign * law.speed;
                row.low = -times * acted;
                list.push(row);
            }
            return;
        }
        // A stop that was not met is for the next sub-step; one that pushes with all it has goes on so.
        row.high = times * (n.numbers[6] * step - acted);
        if acted > 0.0 && row.high > 0.0 {
            row.low = -times * acted;
            row.bias -= law.bounce[side];
            list.push(row);
        }
    }
}
