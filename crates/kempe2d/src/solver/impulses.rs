//! The impulses of joints, in the lanes and back in the joints.

use super::bucket::{LawKind, Part};
use super::build::{At, Place, Solver};
use super::pieces::{Piece, piece_of};
use super::wide::WidePart;
use crate::joint::{Cached, Joint};
use kempe_solve::Pool;

impl Solver {
    /// The lanes have the impulses of their joints now.
    pub(super) fn take_over(&self, joints: &mut Pool<Joint>) {
        for (slot, _) in self.places.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
            if let Some(joint) = joints.quiet_mut(slot) {
                joint.cached = Cached::default();
            }
        }
    }

    /// Writes the impulses back into the joints.
    pub(crate) fn store(&self, joints: &mut Pool<Joint>) {
        for (slot, places) in self.places.iter().enumerate() {
            // A joint that takes no part keeps what it has.
            if let Some(joint) = joints.at_mut(slot).filter(|_| !places.is_empty()) {
                self.store_one(joint, places);
            }
        }
    }

    /// Writes the impulses of one joint back into it, if it takes part.
    pub(crate) fn store_slot(&self, joint: &mut Joint, slot: usize) -> bool {
        match self.places.get(slot).filter(|places| !places.is_empty()) {
            Some(places) => {
                self.store_one(joint, places);
                true
            }
            None => false,
        }
    }

    fn store_one(&self, joint: &mut Joint, places: &[Place]) {
        let rows = joint.def.kind.hold_count() + joint.def.kind.axis_count();
        self.store_direction(joint, places);
        let cached = &mut joint.cached;
        cached.h = self.h;
        cached.hold.clear();
        cached.hold.resize(rows, 0.0);
        cached.laws.clear();
        for at in places.iter().map(|place| place.at()) {
            match self.piece(at) {
                Piece::Law(law, row) => {
                    let impulses = [0, 1].map(|k| self.impulse(at, k));
                    cached.laws.push((row, law, impulses));
                }
                Piece::Hold(rows) => {
                    for (k, row) in rows.iter().enumerate() {
                        cached.hold[usize::from(*row)] = self.impulse(at, k);
                    }
                }
            }
        }
    }

    /// The law that an entry is, and its row; none if it is a hold.
    pub(crate) fn law(&self, at: At) -> Option<(LawKind, u8)> {
        match at {
            At::Built(bucket, _) => match self.buckets[bucket].part {
                Part::Law(law, row) => Some((law, row)),
                Part::Hold(..) => None,
            },
            At::Wide(wide, _) => match self.wides[wide].part {
                WidePart::Law(law, row) => Some((law, row)),
                WidePart::Hold(_) => None,
            },
        }
    }

    /// What an entry solves.
    pub(crate) fn piece(&self, at: At) -> Piece {
        match at {
            At::Built(bucket, _) => piece_of(self.buckets[bucket].part),
            At::Wide(wide, _) => match &self.wides[wide].part {
                WidePart::Law(law, row) => Piece::Law(*law, *row),
                WidePart::Hold(rows) => Piece::Hold(rows.clone()),
            },
        }
    }

    /// An impulse of the present sub-step.
    pub(crate) fn impulse(&self, at: At, k: usize) -> f32 {
        match at {
            At::Built(bucket, lane) => {
                let bucket = &self.buckets[bucket];
                bucket.get(lane, bucket.layout.impulse(k))
            }
            At::Wide(wide, lane) => {
                let wide = &self.wides[wide];
                wide.get(lane, wide.layout.impulse(k))
            }
        }
    }

    /// An impulse of the whole last step.
    pub(crate) fn total(&self, at: At, k: usize) -> f64 {
        f64::from(match at {
            At::Built(bucket, lane) => {
                let bucket = &self.buckets[bucket];
                bucket.get(lane, bucket.layout.total(k))
            }
            At::Wide(wide, lane) => {
                let wide = &self.wides[wide];
                wide.get(lane, wide.layout.total(k))
            }
        })
    }

    /// Joints without warm start begin a step with nothing.
    pub(super) fn forget(&mut self) {
        let Self { cold, places, buckets, wides, .. } = self;
        for place in cold.iter().flat_map(|slot| &places[*slot]) {
            match place.at() {
                At::Built(bucket, lane) => {
                    let bucket = &mut buckets[bucket];
                    let law = matches!(bucket.part, Part::Law(..));
                    for k in 0..if law { 2 } else { bucket.layout.rows } {
                        bucket.set(lane, bucket.layout.impulse(k), 0.0);
                    }
                }
                At::Wide(wide, lane) => {
                    let wide = &mut wides[wide];
                    for k in 0..if wide.part.is_hold() { wide.layout.rows } else { 2 } {
                        wide.set(lane, wide.layout.impulse(k), 0.0);
                    }
                }
            }
        }
    }
}
