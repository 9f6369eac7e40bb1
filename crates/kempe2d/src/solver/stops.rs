//! Which stops changed in a step: touched, or left. Most do neither, and no joint is looked at for
//! them.

use super::bucket::{Bucket, LANES, LawKind, Part};
use super::build::Solver;
use super::wide::{Wide, WidePart};

/// What the limits of the last step did, by bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    /// By batch, a bit for each lane whose lower and whose upper stop was touched.
    built: Vec<Vec<[u8; 2]>>,
    /// By lane, 1 for the lower, 2 for the upper.
    wide: Vec<Vec<u8>>,
    /// Slots of joints.
    changed: Vec<u32>,
}

impl Stops {
    /// Knows nothing: every stop counts as changed next.
    pub(super) fn clear(&mut self) {
        self.built.clear();
        self.wide.clear();
    }
}

impl Solver {
    /// The slots of the joints some stop of which was touched or left in this step, in their order.
    pub(crate) fn changed_stops(&mut self) -> &[u32] {
        let Self { stops, buckets, wides, .. } = self;
        let Stops { built, wide, changed } = stops;
        changed.clear();
        built.resize(buckets.len(), Vec::new());
        wide.resize(wides.len(), Vec::new());
        for (bucket, before) in buckets.iter().zip(built) {
            if matches!(bucket.part, Part::Law(LawKind::Limit, _)) {
                compare(bucket, before, changed);
            }
        }
        for (wide, before) in wides.iter().zip(wide) {
            if matches!(wide.part, WidePart::Law(LawKind::Limit, _)) {
                compare_wide(wide, before, changed);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

fn compare(bucket: &Bucket, before: &mut Vec<[u8; 2]>, changed: &mut Vec<u32>) {
    let fresh = before.len() != bucket.batches();
    before.resize(bucket.batches(), [0; 2]);
    let (fields, first) = (bucket.layout.fields() * LANES, bucket.layout.total(0) * LANES);
    for (batch, before) in before.iter_mut().enumerate() {
        let totals = &bucket.data[batch * fields + first..][..2 * LANES];
        let bits = |totals: &[f32]| {
            let each = totals.iter().enumerate();
            each.fold(0_u8, |bits, (lane, total)| bits | u8::from(*total > 0.0) << lane)
        };
        let now = [bits(&totals[..LANES]), bits(&totals[LANES..])];
        if now == *before && !fresh {
            continue;
        }
        let other = if fresh { u8::MAX } else { (now[0] ^ before[0]) | (now[1] ^ before[1]) };
        let lanes = bucket.joints[batch * LANES..].iter().take(LANES).enumerate();
        changed.extend(lanes.filter(|(lane, _)| other & (1 << lane) != 0).map(|each| *each.1));
        *before = now;
    }
}

fn compare_wide(wide: &Wide, before: &mut Vec<u8>, changed: &mut Vec<u32>) {
    let fresh = before.len() != wide.joints.len();
    before.resize(wide.joints.len(), 0);
    for (lane, before) in before.iter_mut().enumerate() {
        let touched = |k: usize| u8::from(wide.get(lane, wide.layout.total(k)) > 0.0);
        let now = touched(0) | touched(1) << 1;
        if fresh || now != *before {
            changed.push(wide.joints[lane]);
        }
        *before = now;
    }
}
