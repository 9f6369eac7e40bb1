//! Entries of one kind and one colour, in batches of eight lanes.

pub(crate) use super::layout::{LawKind, Layout, Part};
use super::program::Programs;
use super::program_lanes::Own;
use super::threads::{Shared, divide_chunks};
use crate::joint::KindTag;
use kempe_scalar::prefetch;

/// Lanes of a batch.
pub(crate) const LANES: usize = 8;

/// Batches that one thread goes through at a time.
const CHUNK: usize = 48;

/// Some of the batches of a bucket.
pub(crate) struct Batches<'a> {
    pub data: &'a mut [f32],
    pub a: &'a [u32],
    pub b: &'a [u32],
    pub to_a: &'a [u32],
    pub to_b: &'a [u32],
    pub kind: KindTag,
    pub part: Part,
    pub layout: Layout,
    pub halves: bool,
    pub bounded: bool,
    /// Whether the rows are x and y of a point, and the angle if there is a third.
    pub point: bool,
    pub uniform: Option<[f32; Layout::SOFT]>,
    /// The address of what is needed after them.
    ahead: usize,
}

impl Batches<'_> {
    /// Asks for what is needed after a batch.
    #[inline(always)]
    pub(crate) fn look_ahead(&self, batch: usize) {
        if self.ahead != 0 {
            let bytes = LANES * self.layout.fields() * size_of::<f32>();
            let first = self.ahead + batch * bytes;
            (0..bytes).step_by(64).for_each(|at| prefetch(first + at));
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.a.len() / LANES
    }
}

/// Entries of one kind and one colour.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub kind: KindTag,
    pub part: Part,
    pub layout: Layout,
    /// By batch, then by field, eight floats each.
    pub data: Vec<f32>,
    /// Which bodies, as rows of the hot state; padded to whole batches with nobody.
    pub(super) a: Vec<u32>,
    pub(super) b: Vec<u32>,
    /// Where their velocities are written: for one that nothing moves a row that no other lane has,
    /// so that nothing is written twice.
    to_a: Vec<u32>,
    to_b: Vec<u32>,
    /// The slots of the joints, without padding.
    pub joints: Vec<u32>,
    /// For each of them what ρ θ_B − θ_A counts from, in f64; programs see to that themselves.
    pub angles: Vec<f64>,
    /// ρ of each, of kinds that have one; it is 1 for all others.
    pub ratios: Vec<f64>,
    /// Whether its entries are solved with their islands.
    pub direct: bool,
    /// Whether some impulses come in two halves.
    pub halves: bool,
    /// Whether the bias of some is bounded.
    pub bounded: bool,
    /// The coefficients of softness, if all entries have the same.
    pub uniform: Option<[f32; Layout::SOFT]>,
    /// Whether some limit gives speed back.
    pub rebounds: bool,
    /// What joints from text have beside their lanes.
    pub own: Own,
    /// The address of the lanes that are needed after these, or 0. It is never read from.
    pub ahead: usize,
    /// The largest of `a` and `b`.
    largest: u32,
}

impl Bucket {
    pub(crate) fn new(kind: KindTag, part: Part) -> Self {
        let layout = Layout::new(kind.parameters(), part);
        Self {
            kind,
            part,
            layout,
            data: Vec::new(),
            a: Vec::new(),
            b: Vec::new(),
            to_a: Vec::new(),
            to_b: Vec::new(),
            joints: Vec::new(),
            angles: Vec::new(),
            ratios: Vec::new(),
            direct: false,
            halves: false,
            bounded: false,
            uniform: None,
            rebounds: false,
            own: Own::default(),
            ahead: 0,
            largest: 0,
        }
    }

    /// Adds an entry, with all fields zero, and gives its lane.
    pub(crate) fn push(
        &mut self,
        joint: usize,
        [a, b]: [usize; 2],
        [moves_a, moves_b]: [bool; 2],
    ) -> usize {
        let lane = self.joints.len();
        if lane.is_multiple_of(LANES) {
            self.data.resize(self.data.len() + LANES * self.layout.fields(), 0.0);
            self.a.resize(lane + LANES, 0);
            self.b.resize(lane + LANES, 0);
            self.to_a.resize(lane + LANES, 0);
            self.to_b.resize(lane + LANES, 0);
        }
        self.joints.push(joint as u32);
        match self.kind {
            KindTag::Text { .. } => {}
            KindTag::Angle => {
                self.angles.push(0.0);
                self.ratios.push(1.0);
            }
            _ => self.angles.push(0.0),
        }
        // Row 0 of the hot state is nobody.
        self.a[lane] = a as u32 + 1;
        self.b[lane] = b as u32 + 1;
        if moves_a {
            self.to_a[lane] = self.a[lane];
        }
        if moves_b {
            self.to_b[lane] = self.b[lane];
        }
        lane
    }

    /// Once all entries are there. `spare` gives rows of the hot state that nobody has.
    pub(crate) fn finish(&mut self, mut spare: impl FnMut() -> u32) {
        for to in self.to_a.iter_mut().chain(&mut self.to_b).filter(|to| **to == 0) {
            *to = spare();
        }
        let lists = [&mut self.a, &mut self.b, &mut self.to_a, &mut self.to_b];
        for list in lists {
            list.shrink_to_fit();
            self.largest = self.largest.max(list.iter().copied().max().unwrap_or(0));
        }
        self.joints.shrink_to_fit();
        self.angles.shrink_to_fit();
        self.ratios.shrink_to_fit();
    }

    /// Tests, once per pass, what the pointers of the kernels rely on.
    pub(super) fn check(&self, hot: Shared<'_>) {
        assert!((self.largest as usize) < hot.bodies(), "bodies of the hot state");
        let lanes = self.batches() * LANES;
        assert_eq!(self.data.len(), lanes * self.layout.fields(), "whole batches");
        let lists = [&self.a, &self.b, &self.to_a, &self.to_b];
        assert!(lists.iter().all(|list| list.len() == lanes), "whole lists");
    }

    /// Does something with all batches, on several threads if there are enough of them: entries of a
    /// bucket share no body that moves.
    pub(crate) fn each(
        &mut self,
        hot: Shared<'_>,
        threads: bool,
        run: impl Fn(Batches<'_>, Shared<'_>) + Sync,
    ) {
        self.check(hot);
        let (ahead, divided) = (self.ahead, self.is_divided());
        let Self { data, a, b, to_a, to_b, kind, part, layout, halves, bounded, uniform, .. } =
            self;
        let (kind, part, layout, halves, bounded) = (*kind, *part, *layout, *halves, *bounded);
        let (uniform, point) = (*uniform, self.kind.is_point() && matches!(part, Part::Hold(..)));
        let some = |data: &mut [f32], from: usize, to: usize| {
            let [a, b, to_a, to_b] = [&*a, &*b, &*to_a, &*to_b].map(|list| &list[from..to]);
            let batches = Batches {
                data,
                a,
                b,
                to_a,
                to_b,
                kind,
                part,
                layout,
                halves,
                bounded,
                point,
                uniform,
                ahead: if from == 0 { ahead } else { 0 },
            };
            run(batches, hot);
        };
        if !(threads && divided) {
            some(data, 0, a.len());
            return;
        }
        divide_chunks(data, CHUNK * LANES * layout.fields(), |index, data| {
            let from = index * CHUNK * LANES;
            some(data, from, from + data.len() / layout.fields());
        });
    }

    /// Whether it is large enough for several threads.
    pub(crate) fn is_divided(&self) -> bool {
        self.a.len() >= 2 * CHUNK * LANES
    }

    pub(crate) fn batches(&self) -> usize {
        self.a.len() / LANES
    }

    /// The coefficients of softness of an entry.
    pub(crate) fn softness(&self, lane: usize) -> [f32; Layout::SOFT] {
        match self.uniform {
            Some(soft) => soft,
            None => std::array::from_fn(|k| self.get(lane, self.layout.soft() + k)),
        }
    }

    /// Whether it is a hold of several rows, the last of which is an angle.
    pub(super) fn ends_in_angle(&self) -> bool {
        let Part::Hold(mask, _) = self.part else { return false };
        mask.count_ones() > 1
            && mask.checked_ilog2().map(|row| row as usize) == self.kind.angle_row()
    }

    /// Sets the coefficients of softness of an entry.
    pub(super) fn soften(&mut self, lane: usize, soft: [f32; Layout::SOFT]) {
        if self.layout.soft == 0 {
            let Some(same) = self.uniform else { return };
            if same.map(f32::to_bits) == soft.map(f32::to_bits) {
                return;
            }
            // This one is different: each has its own again.
            self.lay_out(self.layout.with_soft(Layout::SOFT));
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

    /// Once they are filled, looks whether all entries have the same coefficients of softness, which most
    /// have: then the passes need not read them lane by lane, and they are not kept so.
    pub(crate) fn compare(&mut self) {
        let first = self.softness(0);
        let same = |lane: usize| self.softness(lane).map(f32::to_bits) == first.map(f32::to_bits);
        if self.layout.soft > 0 && (0..self.joints.len()).all(same) {
            self.uniform = Some(first);
            self.lay_out(self.layout.with_soft(0));
        }
    }

    /// Changes whether entries have coefficients of softness of their own.
    fn lay_out(&mut self, layout: Layout) {
        let (old, first) = (self.layout, LANES * self.layout.soft());
        let mut data = Vec::with_capacity(LANES * layout.fields() * self.batches());
        for batch in self.data.chunks_exact(LANES * old.fields()) {
            let (before, behind) = batch.split_at(first);
            data.extend_from_slice(before);
            data.resize(data.len() + LANES * layout.soft, 0.0);
            data.extend_from_slice(&behind[LANES * old.soft..]);
        }
        (self.data, self.layout) = (data, layout);
    }

    /// Starts a step: how B lies from A, in f64 until the difference is taken, and no impulse yet.
    pub(crate) fn start(&mut self, programs: &Programs, poses: &[[f64; 3]], threads: bool) {
        match self.kind {
            KindTag::Text { .. } => return self.start_program(programs, poses),
            KindTag::User { .. } => return self.start_user(poses, threads),
            _ => {}
        }
        let Self { layout, data, a, b, angles, ratios, .. } = self;
        let chunk = if threads { 2 * CHUNK } else { a.len().max(1) };
        divide_chunks(data, chunk * LANES * layout.fields(), |index, data| {
            let from = index * chunk * LANES;
            let to = from + data.len() / layout.fields();
            let part = |list: &'_ [f64]| from.min(list.len())..to.min(list.len());
            let angles = [&angles[part(angles)], &ratios[part(ratios)]];
            start(*layout, data, [&a[from..to], &b[from..to]], angles, poses);
        });
    }

    fn place(&self, lane: usize, field: usize) -> usize {
        (lane / LANES * self.layout.fields() + field) * LANES + lane % LANES
    }

    pub(crate) fn get(&self, lane: usize, field: usize) -> f32 {
        self.data[self.place(lane, field)]
    }

    pub(crate) fn set(&mut self, lane: usize, field: usize, value: f32) {
        let place = self.place(lane, field);
        self.data[place] = value;
    }
}

/// How B lies from A, and no impulse yet, in some batches.
fn start(
    layout: Layout,
    data: &mut [f32],
    [a, b]: [&[u32]; 2],
    [angles, ratios]: [&[f64]; 2],
    poses: &[[f64; 3]],
) {
    let totals = LANES * layout.total(0)..LANES * layout.soft();
    let offsets = LANES * layout.offset()..LANES * (layout.offset() + 3);
    let lists = a.chunks_exact(LANES).zip(b.chunks_exact(LANES)).zip(angles.chunks(LANES));
    let batches = data.chunks_exact_mut(LANES * layout.fields()).zip(lists).enumerate();
    for (batch, (data, ((a, b), angles))) in batches {
        let mut offset = [[0.0_f32; LANES]; 3];
        for (lane, from) in angles.iter().enumerate() {
            let ratio = ratios.get(batch * LANES + lane).copied().unwrap_or(1.0);
            let (a, b) = (poses[a[lane] as usize - 1], poses[b[lane] as usize - 1]);
            let between = [b[0] - a[0], b[1] - a[1], ratio * b[2] - a[2] - from];
            for (offset, between) in offset.iter_mut().zip(between) {
                offset[lane] = between as f32;
            }
        }
        data[offsets.clone()].copy_from_slice(offset.as_flattened());
        data[totals.clone()].fill(0.0);
    }
}
