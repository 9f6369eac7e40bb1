//! What all entries of a bucket may have in common: coefficients of softness, and masses. It is kept once
//! then, and the passes need not read it lane by lane.

use super::bucket::{Bucket, LANES, Layout};

impl Bucket {
    /// The coefficients of softness of an entry.
    pub(crate) fn softness(&self, lane: usize) -> [f32; Layout::SOFT] {
        match self.uniform {
            Some(soft) => soft,
            None => std::array::from_fn(|k| self.get(lane, self.layout.soft() + k)),
        }
    }

    /// Sets the coefficients of softness of an entry.
    pub(super) fn soften(&mut self, lane: usize, soft: [f32; Layout::SOFT]) {
        if self.layout.soft == 0 {
            let Some(same) = self.uniform else { return };
            if same.map(f32::to_bits) == soft.map(f32::to_bits) {
                return;
            }
            // This one is different: each has its own again.
            self.lay_out(self.layout.with_own(Layout::SOFT, self.layout.masses));
            for lane in 0..self.a.len() {
                self.set_softness(lane, same);
            }
        }
        self.uniform = None;
        self.set_softness(lane, soft);
    }

    fn set_softness(&mut self, lane: usize, soft: [f32; Layout::SOFT]) {
        for (k, value) in soft.into_iter().enumerate() {
            self.set(lane, self.layout.soft() + k, value);
        }
    }

    /// The masses of the bodies of an entry, as the layout has them.
    pub(crate) fn masses_of(&self, lane: usize) -> [f32; Layout::MASSES] {
        match self.masses {
            Some(masses) => masses,
            None => std::array::from_fn(|k| self.get(lane, self.layout.masses() + k)),
        }
    }

    /// Sets the masses of an entry.
    pub(super) fn weigh(&mut self, lane: usize, masses: [f32; Layout::MASSES]) {
        if let Some(same) = self.masses {
            if same.map(f32::to_bits) == masses.map(f32::to_bits) {
                return;
            }
            // This one is different: each has its own again.
            self.lay_out(self.layout.with_own(self.layout.soft, Layout::MASSES));
            for lane in 0..self.joints.len() {
                self.set_masses(lane, same);
            }
        }
        self.masses = None;
        self.set_masses(lane, masses);
    }

    fn set_masses(&mut self, lane: usize, masses: [f32; Layout::MASSES]) {
        for (k, value) in masses.into_iter().enumerate() {
            self.set(lane, self.layout.masses() + k, value);
        }
    }

    /// Once they are filled, looks whether all entries have the same coefficients of softness, which most
    /// have: then the passes need not read them lane by lane, and they are not kept so. Likewise masses.
    pub(crate) fn compare(&mut self) {
        let (soft, masses) = (self.softness(0), self.masses_of(0));
        let lanes = 0..self.joints.len();
        let same = |lane: usize| self.softness(lane).map(f32::to_bits) == soft.map(f32::to_bits);
        let alike =
            |lane: usize| self.masses_of(lane).map(f32::to_bits) == masses.map(f32::to_bits);
        let mut own = [self.layout.soft, self.layout.masses];
        let found = [own[0] > 0 && lanes.clone().all(same), own[1] > 0 && lanes.clone().all(alike)];
        if found[0] {
            (own[0], self.uniform) = (0, Some(soft));
        }
        if found[1] {
            (own[1], self.masses) = (0, Some(masses));
        }
        self.lay_out(self.layout.with_own(own[0], own[1]));
    }

    /// Changes whether entries have coefficients of softness of their own, and masses.
    fn lay_out(&mut self, layout: Layout) {
        let old = self.layout;
        if (old.soft, old.masses) == (layout.soft, layout.masses) {
            return;
        }
        let mut data = Vec::with_capacity(LANES * layout.fields() * self.batches());
        for batch in self.data.chunks_exact(LANES * old.fields()) {
            data.extend_from_slice(&batch[..LANES * old.soft()]);
            let blocks = [
                (old.soft(), old.soft.min(layout.soft), layout.soft),
                (old.masses(), old.masses.min(layout.masses), layout.masses),
            ];
            for (from, kept, count) in blocks {
                data.extend_from_slice(&batch[LANES * from..LANES * (from + kept)]);
                data.resize(data.len() + LANES * (count - kept), 0.0);
            }
            data.extend_from_slice(&batch[LANES * old.law()..]);
        }
        (self.data, self.layout) = (data, layout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::KindTag;
    use crate::solver::bucket::Part;

    #[test]
    fn numbers_stay_with_their_entries() {
        let mut bucket = Bucket::new(KindTag::Weld, Part::Hold(0b111, false));
        let soft: [f32; Layout::SOFT] = std::array::from_fn(|k| k as f32);
        let masses: [f32; Layout::MASSES] = std::array::from_fn(|k| 10.0 + k as f32);
        let numbers = |lane: usize| 100.0 * lane as f32;
        for joint in 0..11 {
            let lane = bucket.push(joint, [0, 1], [true; 2]);
            bucket.soften(lane, soft);
            bucket.weigh(lane, masses);
            bucket.set(lane, bucket.layout.impulse(2), numbers(lane) + 1.0);
            bucket.set(lane, bucket.layout.parameters(), numbers(lane) + 2.0);
        }
        let fields = bucket.layout.fields();
        bucket.compare();
        assert_eq!(bucket.layout.fields(), fields - Layout::SOFT - Layout::MASSES);
        let (other, heavy) = (soft.map(|each| -each), masses.map(|each| -each));
        bucket.weigh(9, heavy);
        assert_eq!((bucket.uniform, bucket.masses), (Some(soft), None));
        bucket.soften(4, other);
        assert_eq!((bucket.uniform, bucket.layout.fields()), (None, fields));
        for lane in 0..11 {
            assert_eq!(bucket.softness(lane), if lane == 4 { other } else { soft });
            assert_eq!(bucket.masses_of(lane), if lane == 9 { heavy } else { masses });
            assert_eq!(bucket.get(lane, bucket.layout.impulse(2)), numbers(lane) + 1.0);
            assert_eq!(bucket.get(lane, bucket.layout.parameters()), numbers(lane) + 2.0);
        }
    }
}
