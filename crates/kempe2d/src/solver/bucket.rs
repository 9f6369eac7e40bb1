//! Entries of one kind and one colour, in batches of eight lanes.

pub(crate) use super::layout::{LawKind, Layout, Part};
use super::program::Programs;
use super::program_lanes::Own;
use super::threads::{Shared, divide_batches};
use crate::joint::KindTag;
use kempe_scalar::{Vec2, precise, prefetch};

/// Lanes of a batch.
pub(crate) const LANES: usize = 8;

/// Batches that one thread goes through at a time, at most.
pub(super) const CHUNK: usize = 48;

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
    pub uniform: Option<[f32; Layout::SOFT]>,
    pub masses: Option<[f32; Layout::MASSES]>,
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

/// An anchor that is far from the body that it is on, which does not move.
///
/// An arm of 10 km has a last digit of 1 mm in f32. Where a body stands, a joint may as well count from its
/// anchor: the arm is added in f64, before the difference to the other body is rounded, and in the lanes it is
/// 0. What turns with the arm has no mass there, and no speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Far {
    pub lane: u32,
    /// From the centre of mass of A, and of B, in their axes.
    pub arms: [Vec2; 2],
}

/// Entries of one kind and one colour.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub kind: KindTag,
    pub part: Part,
    pub layout: Layout,
    /// By batch, then by field, eight floats each.
    pub data: Vec<f32>,
    /// Which bodies, as rows of the hot state; padded to whole batches with nobody, or with rows that
    /// nobody has.
    pub(super) a: Vec<u32>,
    pub(super) b: Vec<u32>,
    /// Where their velocities are written: for one that nothing moves a row that no other lane has,
    /// so that nothing is written twice. Empty where all of them move: it is where they are read.
    to_a: Vec<u32>,
    to_b: Vec<u32>,
    /// The slots of the joints, without padding.
    pub joints: Vec<u32>,
    /// For each of them what ρ θ_B − θ_A counts from, in f64, where a row is an angle; programs see to
    /// that themselves.
    pub angles: Vec<f64>,
    /// ρ of each, of kinds that have one; it is 1 for all others.
    pub ratios: Vec<f64>,
    /// Entries with an anchor that the lanes cannot hold, by their lanes.
    pub(super) far: Vec<Far>,
    /// Whether its entries are solved with their islands.
    pub direct: bool,
    /// Whether some impulses come in two halves.
    pub halves: bool,
    /// Whether the bias of some is bounded.
    pub bounded: bool,
    /// The coefficients of softness, if all entries have the same.
    pub uniform: Option<[f32; Layout::SOFT]>,
    /// 1/m_x, 1/m_y, 1/I of A, then of B, if all entries have the same.
    pub masses: Option<[f32; Layout::MASSES]>,
    /// Whether some limit gives speed back.
    pub rebounds: bool,
    /// Whether some length was short at the end of the last step.
    pub short: bool,
    /// What joints from text have beside their lanes.
    pub own: Own,
    /// The address of the lanes that are needed after these, or 0. It is never read from.
    pub ahead: usize,
    /// The largest of `a` and `b`.
    largest: u32,
}

impl Bucket {
    pub(crate) fn new(kind: KindTag, part: Part) -> Self {
        let layout = Layout::new(kind, part);
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
            far: Vec::new(),
            direct: false,
            halves: false,
            bounded: false,
            uniform: None,
            masses: None,
            rebounds: false,
            short: false,
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
        if self.layout.offsets > 2 {
            self.angles.push(0.0);
        }
        if self.kind == KindTag::Angle {
            self.ratios.push(1.0);
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
        let used = self.joints.len();
        let all_move = self.to_a[..used].iter().chain(&self.to_b[..used]).all(|to| *to != 0);
        for to in self.to_a.iter_mut().chain(&mut self.to_b).filter(|to| **to == 0) {
            *to = spare();
        }
        if all_move {
            // They differ in lanes that nobody has.
            self.a = std::mem::take(&mut self.to_a);
            self.b = std::mem::take(&mut self.to_b);
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
        let (read, written) = ([&self.a, &self.b], [&self.to_a, &self.to_b]);
        assert!(read.iter().all(|list| list.len() == lanes), "whole lists");
        let whole = |list: &&Vec<u32>| list.len() == lanes || list.is_empty();
        assert!(written.iter().all(whole), "whole lists");
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
        let (uniform, masses) = (self.uniform, self.masses);
        let Self { data, a, b, to_a, to_b, kind, part, layout, halves, bounded, .. } = self;
        let (kind, part, layout, halves, bounded) = (*kind, *part, *layout, *halves, *bounded);
        let to_a = if to_a.is_empty() { &*a } else { &*to_a };
        let to_b = if to_b.is_empty() { &*b } else { &*to_b };
        let some = |data: &mut [f32], from: usize, to: usize| {
            let [a, b, to_a, to_b] = [&*a, &*b, to_a, to_b].map(|list| &list[from..to]);
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
                uniform,
                masses,
                ahead: if from == 0 { ahead } else { 0 },
            };
            run(batches, hot);
        };
        if !(threads && divided) {
            some(data, 0, a.len());
            return;
        }
        divide_batches(data, LANES * layout.fields(), CHUNK, |first, data| {
            some(data, first * LANES, first * LANES + data.len() / layout.fields());
        });
    }

    /// Whether it is large enough for several threads.
    pub(crate) fn is_divided(&self) -> bool {
        self.a.len() >= 2 * CHUNK * LANES
    }

    pub(crate) fn batches(&self) -> usize {
        self.a.len() / LANES
    }

    /// Whether it is a hold of several rows, the last of which is an angle.
    pub(super) fn ends_in_angle(&self) -> bool {
        let Part::Hold(mask, _) = self.part else { return false };
        mask.count_ones() > 1
            && mask.checked_ilog2().map(|row| row as usize) == self.kind.angle_row()
    }

    /// Starts a step: how B lies from A, in f64 until the difference is taken, and no impulse yet.
    pub(crate) fn start(&mut self, programs: &Programs, poses: &[[f64; 3]], threads: bool) {
        match self.kind {
            KindTag::Text { .. } => return self.start_program(programs, poses, threads),
            KindTag::User { .. } => return self.start_near(poses, threads),
            _ => {}
        }
        let Self { layout, data, a, b, joints, angles, ratios, .. } = self;
        let most = if threads { 2 * CHUNK } else { usize::MAX };
        divide_batches(data, LANES * layout.fields(), most, |first, data| {
            let from = first * LANES;
            let to = from + data.len() / layout.fields();
            let used = to.min(joints.len());
            let lists = [&a[from..used], &b[from..used]];
            match layout.offsets > 2 {
                true => {
                    let ratios = ratios.get(from..used).unwrap_or_default();
                    start::<true>(*layout, data, lists, [&angles[from..used], ratios], poses);
                }
                false => start::<false>(*layout, data, lists, [&[]; 2], poses),
            }
        });
        self.start_far(poses);
    }

    /// The same of entries with a far anchor.
    fn start_far(&mut self, poses: &[[f64; 3]]) {
        for at in 0..self.far.len() {
            let Far { lane, arms } = self.far[at];
            let lane = lane as usize;
            let end = |row: u32, arm: Vec2| {
                let [x, y, turned] = poses[row as usize - 1];
                // Most are on the ground.
                let (sin, cos) = if turned == 0.0 { (0.0, 1.0) } else { precise::sin_cos(turned) };
                Vec2::new(x, y) + arm.turned(cos, sin)
            };
            let apart = end(self.b[lane], arms[1]) - end(self.a[lane], arms[0]);
            let offset = self.layout.offset();
            self.set(lane, offset, apart.x as f32);
            self.set(lane, offset + 1, apart.y as f32);
        }
    }

    /// Notes that an entry counts from its anchors so far from the centres of mass, or from these.
    pub(super) fn note_far(&mut self, lane: usize, arms: [Vec2; 2]) {
        let far = Far { lane: lane as u32, arms };
        match (self.far.binary_search_by_key(&far.lane, |far| far.lane), arms == [Vec2::ZERO; 2]) {
            (Ok(at), false) => self.far[at] = far,
            (Ok(at), true) => {
                self.far.remove(at);
            }
            (Err(at), false) => self.far.insert(at, far),
            (Err(_), true) => {}
        }
    }

    fn place(&self, lane: usize, field: usize) -> usize {
        (lane / LANES * self.layout.fields() + field) * LANES + lane % LANES
    }

    pub(crate) fn get(&self, lane: usize, field: usize) -> f32 {
        self.data[self.place(lane, field)]
    }

    /// n_x, n_y, a, b of a row of an entry.
    pub(crate) fn row(&self, lane: usize, row: usize) -> [f32; 4] {
        let own_rows = matches!(self.kind, KindTag::Text { .. } | KindTag::User { .. });
        if own_rows && self.get(lane, self.layout.off()) > 0.0 {
            // It is left out of the step.
            return [0.0; 4];
        }
        self.layout.read_row(row, |field| self.get(lane, field), |known| known)
    }

    pub(crate) fn set(&mut self, lane: usize, field: usize, value: f32) {
        let place = self.place(lane, field);
        self.data[place] = value;
    }
}

/// How B lies from A, and no impulse yet, in some batches; also its angle, if a row is one.
fn start<const TURNS: bool>(
    layout: Layout,
    data: &mut [f32],
    [a, b]: [&[u32]; 2],
    [angles, ratios]: [&[f64]; 2],
    poses: &[[f64; 3]],
) {
    let totals = LANES * layout.total(0)..LANES * layout.soft();
    let offset = LANES * layout.offset();
    let lists = a.chunks(LANES).zip(b.chunks(LANES));
    let batches = data.chunks_exact_mut(LANES * layout.fields()).zip(lists).enumerate();
    for (batch, (data, (a, b))) in batches {
        let (mut apart, mut turned) = ([[0.0_f32; LANES]; 2], [0.0_f32; LANES]);
        for (lane, (a, b)) in a.iter().zip(b).enumerate().take(LANES) {
            let (a, b) = (poses[*a as usize - 1], poses[*b as usize - 1]);
            apart[0][lane] = (b[0] - a[0]) as f32;
            apart[1][lane] = (b[1] - a[1]) as f32;
            if TURNS {
                let at = batch * LANES + lane;
                let ratio = ratios.get(at).copied().unwrap_or(1.0);
                turned[lane] = (ratio * b[2] - a[2] - angles[at]) as f32;
            }
        }
        data[offset..offset + 2 * LANES].copy_from_slice(apart.as_flattened());
        if TURNS {
            data[offset + 2 * LANES..offset + 3 * LANES].copy_from_slice(&turned);
        }
        data[totals.clone()].fill(0.0);
    }
}
