//! The directions that lengths last had, for when they have none.
//!
//! They are kept in the lanes. A joint is told when it is written down or its bodies are moved about,
//! and when its length is so short that it may need to know.

use super::bucket::{Bucket, CHUNK, LANES, Layout};
use super::build::{At, Place, Solver};
use super::threads::{divide_batches, divide_parts};
use crate::joint::{Joint, KindTag};
use kempe_solve::Pool;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shorter than this, beside its arms, a length may have no direction.
const SHORT: f32 = 1e-3;

const ZERO: [f32; LANES] = [0.0; LANES];

impl Solver {
    /// At the end of a step: lengths remember their last direction.
    pub(crate) fn remember(&mut self, joints: &mut Pool<Joint>) {
        let (loose, threads) = (self.loose(), self.threads);
        let Self { buckets, tiled, alone, .. } = self;
        // Tiles that no joint leads out of have done so.
        let (tiles, rest) = buckets.split_at_mut(loose);
        if tiled.len() > *alone {
            divide_parts(tiles, &tiled[*alone..], |_, buckets| take_over(buckets, false));
        }
        take_over(rest, threads);
        // Couplings read the joints that they couple; and what is about to be made anew is told now.
        let all = !self.groups.is_empty() || self.dirty;
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.remembers()) {
            self.untold = true;
            if bucket.kind != KindTag::Distance {
                bucket.tell_short(joints, all);
            } else if bucket.short || all {
                bucket.tell(joints);
            }
        }
    }

    /// Whether lanes keep the directions of the joint in a slot.
    pub(crate) fn remembers_for(&self, slot: usize) -> bool {
        let kept = |place: &Place| match place.at() {
            At::Built(index, _) => self.buckets[index].remembers(),
            At::Wide(..) => false,
        };
        self.places.get(slot).is_some_and(|places| places.iter().any(kept))
    }

    /// Tells all joints.
    pub(crate) fn tell_directions(&mut self, joints: &mut Pool<Joint>) {
        if std::mem::replace(&mut self.untold, false) {
            self.write_directions(joints);
        }
    }

    /// The same for a copy of them.
    pub(crate) fn write_directions(&self, joints: &mut Pool<Joint>) {
        for (slot, places) in self.places.iter().enumerate() {
            if let Some(joint) = joints.at_mut(slot) {
                self.store_direction(joint, places);
            }
        }
    }

    /// Tells the joint in a slot, if it takes part.
    pub(crate) fn tell_direction(&self, joint: &mut Joint, slot: usize) {
        if let Some(places) = self.places.get(slot) {
            self.store_direction(joint, places);
        }
    }

    pub(super) fn store_direction(&self, joint: &mut Joint, places: &[Place]) {
        for place in places {
            let At::Built(index, lane) = place.at() else { continue };
            let bucket = &self.buckets[index];
            if bucket.kind == KindTag::Distance {
                joint.state.direction = bucket.direction(lane);
            } else if bucket.remembers() {
                bucket.tell_memories(lane, joint);
            }
        }
    }
}

/// Lengths in some buckets take their directions over.
pub(super) fn take_over(buckets: &mut [Bucket], threads: bool) {
    for bucket in buckets.iter_mut().filter(|bucket| bucket.kind == KindTag::Distance) {
        bucket.take_over(threads);
    }
}

impl Bucket {
    /// Takes the directions of the rows over where there are any, and looks whether some length is short.
    fn take_over(&mut self, threads: bool) {
        let Self { layout, joints, data, .. } = self;
        let most = if threads { 2 * CHUNK } else { usize::MAX };
        let short = AtomicBool::new(false);
        divide_batches(data, LANES * layout.fields(), most, |first, data| {
            if take_over_some(*layout, data, &joints[first * LANES..]) {
                short.store(true, Ordering::Relaxed);
            }
        });
        self.short = short.into_inner();
    }

    fn direction(&self, lane: usize) -> [f64; 2] {
        [0, 1].map(|k| self.get(lane, self.layout.parameters() + 4 + k).into())
    }

    fn tell(&self, joints: &mut Pool<Joint>) {
        for (lane, joint) in self.joints.iter().enumerate() {
            if let Some(joint) = joints.at_mut(*joint as usize) {
                joint.state.direction = self.direction(lane);
            }
        }
    }
}

/// The same in some batches. Says whether a length is short.
fn take_over_some(layout: Layout, data: &mut [f32], joints: &[u32]) -> bool {
    let mut short = false;
    let batches = data.chunks_exact_mut(LANES * layout.fields());
    for (batch, joints) in batches.zip(joints.chunks(LANES)) {
        let field = |k: usize| *batch[LANES * k..].first_chunk::<LANES>().unwrap_or(&ZERO);
        let [n_x, n_y] = [field(layout.row(0)), field(layout.row(0) + 1)];
        let own = layout.parameters();
        let [a_x, a_y, b_x, b_y] = [field(own), field(own + 1), field(own + 2), field(own + 3)];
        let (value, target) = (field(layout.value(0)), field(layout.target(0)));
        let [x, y] = [field(layout.offset()), field(layout.offset() + 1)];
        let mut kept = [field(own + 4), field(own + 5)];
        let mut room = ZERO;
        for lane in 0..LANES {
            let found = n_x[lane] * n_x[lane] + n_y[lane] * n_y[lane] > 0.5;
            kept[0][lane] = if found { n_x[lane] } else { kept[0][lane] };
            kept[1][lane] = if found { n_y[lane] } else { kept[1][lane] };
            let arms = a_x[lane].abs() + a_y[lane].abs() + b_x[lane].abs() + b_y[lane].abs();
            let size = arms + x[lane].abs() + y[lane].abs();
            room[lane] = value[lane] + target[lane] - SHORT * size;
        }
        // One that is no number is short too.
        short |= !room.iter().take(joints.len()).all(|room| *room > 0.0);
        let at = LANES * (own + 4);
        batch[at..at + 2 * LANES].copy_from_slice(kept.as_flattened());
    }
    short
}
