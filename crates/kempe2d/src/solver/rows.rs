//! Rows of entries, read from their lanes in f64, and what is written back.

use super::HOT;
use super::bucket::{Bucket, LawKind, Layout};
use super::build::At;
use super::wide::Wide;
use crate::joint::KindTag;
use smallvec::SmallVec;

/// What one body has in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Which of the island's bodies.
    pub body: usize,
    pub j: [f64; 3],
}

/// A row over bodies of an island, as it stood when it was last read.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub parts: SmallVec<[Part; 2]>,
    pub value: f64,
    /// What q̇ has of the clock, and of bodies that go by themselves.
    pub bias: f64,
}

impl Row {
    /// J M⁻¹ J'ᵀ
    pub(super) fn meets(&self, other: &Self, inverse: &[[f64; 3]]) -> f64 {
        let mut sum = 0.0;
        for a in &self.parts {
            for b in other.parts.iter().filter(|b| b.body == a.body) {
                for (k, inverse) in inverse[a.body].iter().enumerate() {
                    sum += a.j[k] * inverse * b.j[k];
                }
            }
        }
        sum
    }

    /// J v
    pub(super) fn along(&self, v: &[[f64; 3]]) -> f64 {
        let each = self.parts.iter().flat_map(|part| part.j.iter().zip(&v[part.body]));
        each.map(|(j, v)| j * v).sum()
    }

    /// J v + b
    pub(super) fn speed(&self, v: &[[f64; 3]]) -> f64 {
        self.along(v) + self.bias
    }

    /// v += M⁻¹ Jᵀ λ
    pub(super) fn apply(&self, v: &mut [[f64; 3]], inverse: &[[f64; 3]], impulse: f64) {
        for part in &self.parts {
            for (k, v) in v[part.body].iter_mut().enumerate() {
                *v += inverse[part.body][k] * part.j[k] * impulse;
            }
        }
    }
}

/// An entry of an island, and its bodies: which of the island's, or none that impulses move.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub at: At,
    pub ends: SmallVec<[Option<usize>; 2]>,
    /// Of a spring: the block of the held rows of its joint.
    pub hold: Option<usize>,
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
        // What cannot be solved must not be kept.
        let value = if value.is_finite() { value } else { 0.0 };
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

    /// The slot of the joint that an entry is of.
    pub(super) fn joint(&self, at: At) -> u32 {
        match at {
            At::Built(index, lane) => self.buckets[index].joints[lane],
            At::Wide(index, lane) => self.wides[index].joints[lane],
        }
    }

    /// Whether an entry is a law of an axis.
    pub(super) fn is_law(&self, at: At) -> bool {
        match at {
            At::Built(index, _) => self.buckets[index].part.is_law(),
            At::Wide(index, _) => !self.wides[index].part.is_hold(),
        }
    }

    /// Whether the place that an entry is pulled to may move by itself.
    pub(super) fn is_led(&self, at: At) -> bool {
        match at {
            At::Built(index, _) => {
                let bucket = &self.buckets[index];
                let own = matches!(bucket.kind, KindTag::Text { .. } | KindTag::User { .. });
                own || matches!(bucket.part, super::bucket::Part::Law(LawKind::Servo, _))
            }
            At::Wide(..) => true,
        }
    }

    /// Whether an entry is a spring without a largest force: an equation that yields.
    pub(super) fn is_spring(&self, at: At, law: LawKind) -> bool {
        let bounded = match at {
            At::Built(..) => false,
            At::Wide(index, _) => self.wides[index].bounds_laws,
        };
        matches!(law, LawKind::Spring | LawKind::Servo | LawKind::Held)
            && !bounded
            && self.soft(at, 5) == 0.0
            && self.law(at, 1) == f32::NEG_INFINITY
            && self.law(at, 2) == f32::INFINITY
    }

    pub(super) fn rows(&self, at: At) -> usize {
        match at {
            At::Built(index, _) => self.buckets[index].layout.rows,
            At::Wide(index, _) => self.wides[index].layout.rows,
        }
    }

    /// The rows of the hot state that an entry refers to.
    pub(super) fn ends(&self, at: At) -> SmallVec<[u32; 4]> {
        match at {
            At::Built(index, lane) => {
                SmallVec::from_slice(&[self.buckets[index].a[lane], self.buckets[index].b[lane]])
            }
            At::Wide(index, lane) => {
                self.wides[index].lists.iter().map(|list| list[lane]).collect()
            }
        }
    }

    /// Reads a row of an entry.
    pub(super) fn read(&self, entry: &Entry, k: usize, row: &mut Row) {
        row.parts.clear();
        row.bias = 0.0;
        match entry.at {
            At::Built(index, lane) => {
                let bucket = &self.buckets[index];
                let [x, y, a, b] = bucket.row(lane, k).map(f64::from);
                let parts = [(bucket.a[lane], [-x, -y, -a]), (bucket.b[lane], [x, y, b])];
                for ((hot, j), end) in parts.into_iter().zip(&entry.ends) {
                    self.put(row, *end, hot, j);
                }
                row.value = f64::from(bucket.get(lane, bucket.layout.value(k)));
            }
            At::Wide(index, lane) => {
                let wide = &self.wides[index];
                let layout = wide.layout;
                let get = |field: usize| f64::from(wide.get(lane, field));
                for (body, end) in entry.ends.iter().enumerate() {
                    let j = std::array::from_fn(|j| get(layout.row(k, body) + j));
                    self.put(row, *end, wide.lists[body][lane], j);
                }
                row.value = get(layout.value(k));
                row.bias += get(layout.bias(k));
            }
        }
    }

    /// What a body has in a row: a part of it, or a speed that is known.
    fn put(&self, row: &mut Row, end: Option<usize>, hot: u32, j: [f64; 3]) {
        match end {
            Some(body) => row.parts.push(Part { body, j }),
            None => {
                let v = &self.hot[HOT * hot as usize..][..3];
                row.bias += j.iter().zip(v).map(|(j, v)| j * f64::from(*v)).sum::<f64>();
            }
        }
    }
}
