//! Rows of entries, read from their lanes in f64, and what is written back.

use super::HOT;
use super::bucket::{Bucket, Layout};
use super::build::At;
use super::wide::Wide;

/// What one body has in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// A row of the hot state.
    pub body: u32,
    pub j: [f64; 3],
    pub m: [f64; 3],
}

/// A row, as it stood when it was last read.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub parts: Vec<Part>,
    pub value: f64,
    pub bias: f64,
}

impl Row {
    /// J M⁻¹ J'ᵀ
    pub(super) fn meets(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for a in &self.parts {
            for b in other.parts.iter().filter(|b| b.body == a.body) {
                for k in 0..3 {
                    sum += a.j[k] * a.m[k] * b.j[k];
                }
            }
        }
        sum
    }

    /// J v + b
    pub(super) fn speed(&self, hot: &[f32]) -> f64 {
        let mut speed = self.bias;
        for part in &self.parts {
            let at = HOT * part.body as usize;
            for (j, v) in part.j.iter().zip(&hot[at..at + 3]) {
                speed += j * f64::from(*v);
            }
        }
        speed
    }

    /// v += M⁻¹ Jᵀ λ, added up in f64 beside the state.
    pub(super) fn apply(&self, change: &mut [[f64; 3]], index: &[u32], impulse: f64) {
        for part in &self.parts {
            let Ok(at) = index.binary_search(&part.body) else { continue };
            for (change, (m, j)) in change[at].iter_mut().zip(part.m.iter().zip(part.j)) {
                *change += m * j * impulse;
            }
        }
    }
}

/// What a pass has to do with.
pub(crate) struct Lanes<'a> {
    pub buckets: &'a mut [Bucket],
    pub wides: &'a mut [Wide],
    pub hot: &'a mut [f32],
    /// By body slot.
    pub masses: &'a [[f64; 3]],
    /// By body slot: the pose at the start of the step.
    pub poses: &'a [[f64; 3]],
    pub h: f64,
}

impl Lanes<'_> {
    pub(super) fn field(
        &self,
        at: At,
        built: impl Fn(&Layout) -> usize,
        wide: impl Fn(&super::wide::WideLayout) -> usize,
    ) -> f32 {
        match at {
            At::Built(index, lane) => {
                let bucket = &self.buckets[index];
                bucket.get(lane, built(&bucket.layout))
            }
            At::Wide(index, lane) => {
                let bucket = &self.wides[index];
                bucket.get(lane, wide(&bucket.layout))
            }
        }
    }

    pub(super) fn impulse(&self, at: At, k: usize) -> f32 {
        self.field(at, |layout| layout.impulse(k), |layout| layout.impulse(k))
    }

    pub(super) fn total(&self, at: At, k: usize) -> f32 {
        self.field(at, |layout| layout.total(k), |layout| layout.total(k))
    }

    pub(super) fn soft(&self, at: At, k: usize) -> f32 {
        match at {
            At::Built(index, lane) => self.buckets[index].softness(lane)[k],
            At::Wide(index, lane) => {
                let wide = &self.wides[index];
                wide.get(lane, wide.layout.soft() + k)
            }
        }
    }

    pub(super) fn law(&self, at: At, k: usize) -> f32 {
        self.field(at, |layout| layout.law() + k, |layout| layout.law() + k)
    }

    pub(super) fn set_impulse(&mut self, at: At, k: usize, value: f32) {
        match at {
            At::Built(index, lane) => {
                let bucket = &mut self.buckets[index];
                bucket.set(lane, bucket.layout.impulse(k), value);
            }
            At::Wide(index, lane) => {
                let bucket = &mut self.wides[index];
                bucket.set(lane, bucket.layout.impulse(k), value);
            }
        }
    }

    pub(super) fn add_total(&mut self, at: At, k: usize) {
        self.add_to_total(at, k, self.impulse(at, k));
    }

    pub(super) fn add_to_total(&mut self, at: At, k: usize, impulse: f32) {
        let value = self.total(at, k) + impulse;
        match at {
            At::Built(index, lane) => {
                let bucket = &mut self.buckets[index];
                bucket.set(lane, bucket.layout.total(k), value);
            }
            At::Wide(index, lane) => {
                let bucket = &mut self.wides[index];
                bucket.set(lane, bucket.layout.total(k), value);
            }
        }
    }

    pub(super) fn rows(&self, at: At) -> usize {
        match at {
            At::Built(index, _) => self.buckets[index].layout.rows,
            At::Wide(index, _) => self.wides[index].layout.rows,
        }
    }

    /// Reads a row of an entry.
    pub(super) fn read(&self, at: At, k: usize, row: &mut Row) {
        row.parts.clear();
        match at {
            At::Built(index, lane) => {
                let bucket = &self.buckets[index];
                let layout = bucket.layout;
                let get = |field: usize| f64::from(bucket.get(lane, field));
                let [x, y, a, b] = bucket.row(lane, k).map(f64::from);
                let m = bucket.masses_of(lane).map(f64::from);
                let ends = [
                    (bucket.a[lane], [-x, -y, -a], [m[0], m[1], m[2]]),
                    (bucket.b[lane], [x, y, b], [m[3], m[4], m[5]]),
                ];
                row.parts.extend(ends.map(|(body, j, m)| Part { body, j, m }));
                row.value = get(layout.value(k));
                row.bias = 0.0;
            }
            At::Wide(index, lane) => {
                let wide = &self.wides[index];
                let layout = wide.layout;
                let get = |field: usize| f64::from(wide.get(lane, field));
                row.parts.extend((0..layout.bodies).map(|body| Part {
                    body: wide.lists[body][lane],
                    j: std::array::from_fn(|j| get(layout.row(k, body) + j)),
                    m: std::array::from_fn(|j| get(layout.masses(body) + j)),
                }));
                row.value = get(layout.value(k));
                row.bias = get(layout.bias(k));
            }
        }
    }
}
