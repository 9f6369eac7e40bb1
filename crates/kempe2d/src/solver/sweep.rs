//! The bounded rows of an island on the freedom that its held rows leave: projected Gauss–Seidel over
//! the few of them that act, with their masses through the whole mechanism.

use super::direct::Articulated;

/// How often bounded rows that share a mechanism are gone through, at most.
const SWEEPS: usize = 400;
/// A sweep that changes speeds by less than this part of the largest is the last.
const SETTLED: f64 = 1e-11;
/// A row that the held rows leave less freedom than this, of what it has by itself, has none.
const LOST: f64 = 1e-15;
/// Nor has one that moves all it is connected to by less than this, of what it would do to a body as heavy as
/// the heaviest.
const STUCK: f64 = 1e-5;
/// How often what held rows answer is refined.
const REFINED: usize = 4;
/// The compliance of a row that gives way, in parts of what it moves.
const GIVES_WAY: f64 = 1e-6;
/// How often stops that are met on the way are added.
const ROUNDS: usize = 8;

/// J v + bias + γ λ = 0 with low ≤ λ ≤ high, of a law's row times `sign`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    pub law: usize,
    /// Of a limit: 0 the lower stop, 1 the upper.
    pub side: usize,
    pub sign: f64,
    pub bias: f64,
    pub gamma: f64,
    pub low: f64,
    pub high: f64,
    pub impulse: f64,
    /// Of the second row of a pair: the largest length of the two impulses, with what is `known` of them
    /// already.
    pub most: f64,
    pub known: f64,
    /// Whether it gives way where another row is against it: a motor before a stop.
    pub gives_way: bool,
}

impl Articulated {
    /// Solves the rows of a list, which start from the impulses that they have; velocities and the
    /// impulses of the held rows follow. `more` may add rows once the others have acted.
    pub(super) fn sweep(
        &mut self,
        list: &mut Vec<Bounded>,
        v: &mut Vec<[f64; 3]>,
        held: &mut [f64],
        more: impl Fn(&mut Self, &mut Vec<Bounded>, &mut Vec<[f64; 3]>),
    ) {
        // By row: what a unit of impulse on it asks of the held rows, and what both do to velocities.
        let mut responses: Vec<Vec<f64>> = Vec::new();
        let mut changes: Vec<Vec<[f64; 3]>> = Vec::new();
        let (base, base_held) = (v.clone(), held.to_vec());
        for _ in 0..ROUNDS {
            let count = list.len();
            for bounded in &list[responses.len()..] {
                let row = &self.laws[bounded.law].row;
                let mut response: Vec<f64> = self
                    .rows
                    .iter()
                    .map(|held| -bounded.sign * held.meets(row, &self.inverse))
                    .collect();
                self.envelope.solve_consistent(&mut response, &mut self.work, REFINED);
                let mut change = vec![[0.0; 3]; v.len()];
                row.apply(&mut change, &self.inverse, bounded.sign);
                for (row, impulse) in self.rows.iter().zip(&response) {
                    row.apply(&mut change, &self.inverse, *impulse);
                }
                responses.push(response);
                changes.push(change);
            }
            // As J Δv it would be the small difference of large numbers where a light body moves a heavy
            // one; as Δvᵀ M Δv an error of Δv counts by its square.
            let mut matrix = vec![0.0; count * count];
            let mut free = vec![true; count];
            for i in 0..count {
                for j in 0..=i {
                    let mut value = self.product(&changes[i], &changes[j]);
                    value += self.yielded(&responses[i], &responses[j]);
                    matrix[i * count + j] = value;
                    matrix[j * count + i] = value;
                }
                let row = &self.laws[list[i].law].row;
                let own = row.meets(row, &self.inverse);
                free[i] = matrix[i * count + i] > (LOST * own).max(STUCK * self.by_heaviest(row));
            }
            for (at, row) in list.iter_mut().enumerate() {
                if row.gives_way && free[at] {
                    row.gamma = GIVES_WAY * matrix[at * count + at];
                }
            }
            v.copy_from_slice(&base);
            held.copy_from_slice(&base_held);
            let speeds: Vec<f64> = list
                .iter()
                .map(|row| row.sign * self.laws[row.law].row.along(v) + row.bias)
                .collect();
            solve(list, &matrix, speeds, &free);
            for (at, row) in list.iter().enumerate().filter(|row| row.1.impulse != 0.0) {
                for (held, response) in held.iter_mut().zip(&responses[at]) {
                    *held += response * row.impulse;
                }
                for (v, change) in v.iter_mut().zip(&changes[at]) {
                    v.iter_mut().zip(change).for_each(|(v, change)| *v += change * row.impulse);
                }
            }
            more(self, list, v);
            if list.len() == count {
                break;
            }
        }
    }
}

/// Finds the impulses: by pivoting, or where that does not end, or pairs are too long, by sweeps.
fn solve(list: &mut [Bounded], matrix: &[f64], speeds: Vec<f64>, free: &[bool]) {
    let count = list.len();
    let solved = pivot(list, matrix, &speeds, free);
    let long = |i: usize| {
        let row = &list[i];
        row.most < f64::INFINITY && i > 0 && {
            let whole = [i - 1, i].map(|at| list[at].known + list[at].impulse);
            whole[0] * whole[0] + whole[1] * whole[1] > row.most * row.most
        }
    };
    if !solved || (0..count).any(long) {
        gauss_seidel(list, matrix, speeds, free);
    }
}

/// Where a row is.
#[derive(Clone, Copy, PartialEq)]
enum Stand {
    Free,
    Low,
    High,
}

/// Block principal pivoting: all rows that stand wrong change at once, and one by one where that does not
/// lead on. Says whether it came to an end.
fn pivot(list: &mut [Bounded], matrix: &[f64], speeds: &[f64], free: &[bool]) -> bool {
    let count = list.len();
    let mut stands: Vec<Stand> = list
        .iter()
        .map(|row| match row {
            row if row.low == row.high => Stand::Low,
            row if row.impulse <= row.low => Stand::Low,
            row if row.impulse >= row.high => Stand::High,
            _ => Stand::Free,
        })
        .collect();
    let (mut fewest, mut patience) = (usize::MAX, 6);
    for _ in 0..8 + 4 * count {
        let among: Vec<usize> = (0..count)
            .filter(|i| stands[*i] == Stand::Free && (free[*i] || list[*i].gamma > 0.0))
            .collect();
        for (row, stand) in list.iter_mut().zip(&stands) {
            row.impulse = match stand {
                Stand::Free => 0.0,
                Stand::Low => row.low,
                Stand::High => row.high,
            };
        }
        if !solve_free(list, matrix, speeds, &among) {
            return false;
        }
        let speed = |list: &[Bounded], i: usize| {
            let sum: f64 = (0..count).map(|j| matrix[i * count + j] * list[j].impulse).sum();
            speeds[i] + sum + list[i].gamma * list[i].impulse
        };
        let scale = speeds.iter().fold(1e-300_f64, |most, speed| most.max(speed.abs()));
        let mut wrong = Vec::new();
        for i in 0..count {
            let row = &list[i];
            let next = match stands[i] {
                Stand::Free if row.impulse < row.low => Stand::Low,
                Stand::Free if row.impulse > row.high => Stand::High,
                Stand::Low if row.low < row.high && speed(list, i) < -1e-12 * scale => Stand::Free,
                Stand::High if row.low < row.high && speed(list, i) > 1e-12 * scale => Stand::Free,
                stand => stand,
            };
            if next != stands[i] {
                wrong.push((i, next));
            }
        }
        if wrong.is_empty() {
            return true;
        }
        if wrong.len() < fewest {
            (fewest, patience) = (wrong.len(), 6);
        } else if patience > 0 {
            patience -= 1;
        } else {
            wrong.drain(..wrong.len() - 1);
        }
        for (i, next) in wrong {
            stands[i] = next;
        }
    }
    false
}

/// Solves the rows `among` others, which keep their impulses; says whether that was possible.
fn solve_free(list: &mut [Bounded], matrix: &[f64], speeds: &[f64], among: &[usize]) -> bool {
    let (count, size) = (list.len(), among.len());
    let mut right: Vec<f64> = among
        .iter()
        .map(|i| {
            let sum: f64 = (0..count).map(|j| matrix[i * count + j] * list[j].impulse).sum();
            -(speeds[*i] + sum)
        })
        .collect();
    // K = L Lᵀ, with a trace more on the diagonal for rows that depend on each other.
    let mut lower = vec![0.0; size * size];
    for a in 0..size {
        for b in 0..=a {
            let (i, j) = (among[a], among[b]);
            let mut value = 0.5 * (matrix[i * count + j] + matrix[j * count + i]);
            if a == b {
                value += list[i].gamma + 1e-12 * value.abs();
            }
            for k in 0..b {
                value -= lower[a * size + k] * lower[b * size + k];
            }
            lower[a * size + b] = match a == b {
                true if value > 0.0 => value.sqrt(),
                true => return false,
                false => value / lower[b * size + b],
            };
        }
    }
    for a in 0..size {
        for k in 0..a {
            right[a] -= lower[a * size + k] * right[k];
        }
        right[a] /= lower[a * size + a];
    }
    for a in (0..size).rev() {
        for k in a + 1..size {
            right[a] -= lower[k * size + a] * right[k];
        }
        right[a] /= lower[a * size + a];
    }
    for (i, impulse) in among.iter().zip(&right) {
        list[*i].impulse = *impulse;
    }
    right.iter().all(|impulse| impulse.is_finite())
}

impl Articulated {
    /// What an impulse on a row would do to it if all bodies were as heavy as the heaviest.
    fn by_heaviest(&self, row: &super::rows::Row) -> f64 {
        let least = |freedoms: std::ops::Range<usize>| {
            let each = self.own.iter().flat_map(|own| &own[freedoms.clone()]);
            each.copied().filter(|inverse| *inverse > 0.0).fold(f64::INFINITY, f64::min)
        };
        let [linear, angular] = [least(0..2), least(2..3)];
        let each = row.parts.iter().flat_map(|part| part.j.iter().zip([linear, linear, angular]));
        each.filter(|(j, _)| **j != 0.0).map(|(j, inverse)| j * j * inverse).sum()
    }

    /// aᵀ M b
    fn product(&self, a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
        let each = a.as_flattened().iter().zip(b.as_flattened()).zip(self.inverse.as_flattened());
        each.filter(|(_, inverse)| **inverse > 0.0).map(|((a, b), inverse)| a * b / inverse).sum()
    }

    /// λᵀ Γ λ' of impulses on the held rows.
    fn yielded(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for block in (0..self.holds.len()).filter(|block| !self.is_held(*block)) {
            let (first, end) = (self.envelope.first_row(block), self.envelope.end_row(block));
            let yielding = self.yielding[block];
            for i in first..end {
                sum += yielding.gamma * a[i] * b[i];
                for (row, b) in self.rows[first..end].iter().zip(&b[first..end]) {
                    let k = self.rows[i].meets(row, &self.own);
                    sum += yielding.ratio * k * a[i] * b;
                }
            }
        }
        sum
    }
}

/// Goes through the rows until nothing changes.
fn gauss_seidel(list: &mut [Bounded], matrix: &[f64], mut speeds: Vec<f64>, free: &[bool]) {
    let count = list.len();
    for (i, speed) in speeds.iter_mut().enumerate() {
        let known: f64 = (0..count).map(|j| matrix[i * count + j] * list[j].impulse).sum();
        *speed += known;
    }
    let change = |speeds: &mut [f64], i: usize, by: f64| {
        for (j, speed) in speeds.iter_mut().enumerate() {
            *speed += matrix[j * count + i] * by;
        }
    };
    for _ in 0..SWEEPS {
        let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
        for i in 0..count {
            let row = list[i];
            let mass = matrix[i * count + i] + row.gamma;
            let after = match free[i] || row.gamma > 0.0 {
                true => row.impulse - (speeds[i] + row.gamma * row.impulse) / mass,
                false => 0.0,
            };
            let after = if after.is_finite() { after } else { 0.0 };
            let after = after.max(row.low).min(row.high);
            let by = after - row.impulse;
            if by != 0.0 {
                change(&mut speeds, i, by);
                list[i].impulse = after;
            }
            // The second of a pair: both are shortened.
            if row.most < f64::INFINITY && i > 0 {
                let whole = [i - 1, i].map(|at| list[at].known + list[at].impulse);
                let length = (whole[0] * whole[0] + whole[1] * whole[1]).sqrt();
                if length > row.most {
                    for (at, whole) in [i - 1, i].into_iter().zip(whole) {
                        let less = whole * (row.most / length - 1.0);
                        change(&mut speeds, at, less);
                        list[at].impulse += less;
                    }
                }
            }
            moved = moved.max((by * mass).abs());
            largest = largest.max(speeds[i].abs()).max((after * mass).abs());
        }
        if moved <= SETTLED * largest {
            break;
        }
    }
}
