//! Entries of joints over any number of bodies and rows, in batches of eight lanes.
//!
//! The rows come from the joint's own equations ([`super::group`]); what is done with them is the
//! same as for built-in joints, with loops over bodies and rows instead of two bodies and at most
//! three rows written out.

use super::bucket::{LANES, LawKind, Layout};

/// What an entry solves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WidePart {
    /// A law on one row of the joint.
    Law(LawKind, u8),
    /// These rows of the joint as a block.
    Hold(Vec<u8>),
}

impl WidePart {
    pub(crate) fn rows(&self) -> &[u8] {
        match self {
            Self::Law(_, row) => std::slice::from_ref(row),
            Self::Hold(rows) => rows,
        }
    }

    pub(crate) fn is_hold(&self) -> bool {
        matches!(self, Self::Hold(_))
    }
}

/// Where the fields of an entry are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideLayout {
    pub bodies: usize,
    pub rows: usize,
    /// Numbers of the law, none for a hold.
    law: usize,
}

impl WideLayout {
    /// 1/m_x, 1/m_y, 1/I of a body.
    pub(crate) fn masses(&self, body: usize) -> usize {
        3 * body
    }

    /// J of a row for v_x, v_y, ω of a body.
    pub(crate) fn row(&self, row: usize, body: usize) -> usize {
        3 * (self.bodies + row * self.bodies + body)
    }

    /// The coordinate of a row, less where it should be.
    pub(crate) fn value(&self, row: usize) -> usize {
        self.row(self.rows, 0) + row
    }

    /// What is added to J v.
    pub(crate) fn bias(&self, row: usize) -> usize {
        self.value(self.rows) + row
    }

    /// 1 for a row of torques, 0 for one of forces.
    pub(crate) fn angular(&self, row: usize) -> usize {
        self.bias(self.rows) + row
    }

    /// L of row i and column j, 1/D on the diagonal.
    pub(crate) fn factor(&self, i: usize, j: usize) -> usize {
        self.angular(self.rows) + i * (i + 1) / 2 + j
    }

    /// A number per row for the passes.
    pub(crate) fn scratch(&self, row: usize) -> usize {
        self.factor(self.rows, 0) + row
    }

    pub(crate) fn impulse(&self, k: usize) -> usize {
        self.scratch(self.rows) + k
    }

    /// Impulses of an entry: a limit has two.
    pub(crate) fn impulses(&self) -> usize {
        if self.law == 0 { self.rows } else { 2 }
    }

    pub(crate) fn total(&self, k: usize) -> usize {
        self.impulse(self.impulses()) + k
    }

    pub(crate) fn soft(&self) -> usize {
        self.total(self.impulses())
    }

    /// The largest impulses of force and of torque.
    pub(crate) fn most(&self) -> usize {
        self.soft() + Layout::SOFT
    }

    pub(crate) fn law(&self) -> usize {
        self.most() + 2
    }

    /// What the hold of the joint takes back of an impulse of a law.
    pub(crate) fn answered(&self) -> usize {
        self.law() + Layout::LIMIT
    }

    pub(crate) fn fields(&self) -> usize {
        self.law() + self.law
    }
}

/// Entries of one shape and one colour.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub part: WidePart,
    pub layout: WideLayout,
    /// By batch, then by field, eight floats each.
    pub data: Vec<f32>,
    /// By body of the entry, which one, as a row of the hot state; padded with nobody.
    pub(super) lists: Vec<Vec<u32>>,
    /// The slots of the joints, without padding.
    pub joints: Vec<u32>,
    /// For each entry and row, what is taken off the coordinate, in f64.
    pub targets: Vec<f64>,
    /// For each entry and row, whether the program gives its bounds.
    pub own_bounds: Vec<bool>,
    /// Whether its entries are solved with their islands.
    pub direct: bool,
    /// Whether some impulses come in two halves.
    pub halves: bool,
    /// Whether the bias of some is bounded.
    pub bounded: bool,
    /// Whether some entry's hold is limited in force or torque.
    pub limited: bool,
    /// Whether the joint of some entry bounds the force of its law.
    pub bounds_laws: bool,
    /// Whether some joint clamps its own impulses.
    pub clamped: bool,
    /// Whether some limit gives speed back.
    pub rebounds: bool,
    largest: u32,
}

impl Wide {
    pub(crate) fn new(part: WidePart, bodies: usize) -> Self {
        let law = match part {
            WidePart::Law(..) => Layout::LIMIT + 1,
            WidePart::Hold(_) => 0,
        };
        let layout = WideLayout { bodies, rows: part.rows().len(), law };
        Self {
            part,
            layout,
            data: Vec::new(),
            lists: vec![Vec::new(); bodies],
            joints: Vec::new(),
            targets: Vec::new(),
            own_bounds: Vec::new(),
            direct: false,
            halves: false,
            bounded: false,
            limited: false,
            bounds_laws: false,
            clamped: false,
            rebounds: false,
            largest: 0,
        }
    }

    /// Adds an entry, with all fields zero, and gives its lane. `bodies` are slots of the pool.
    pub(crate) fn push(&mut self, joint: usize, bodies: &[u32]) -> usize {
        let lane = self.joints.len();
        if lane.is_multiple_of(LANES) {
            self.data.resize(self.data.len() + LANES * self.layout.fields(), 0.0);
            for list in &mut self.lists {
                list.resize(lane + LANES, 0);
            }
        }
        self.joints.push(joint as u32);
        self.own_bounds.resize(self.own_bounds.len() + self.layout.rows, false);
        self.targets.resize(self.targets.len() + self.layout.rows, 0.0);
        for (list, body) in self.lists.iter_mut().zip(bodies) {
            // Row 0 of the hot state is nobody.
            list[lane] = body + 1;
            self.largest = self.largest.max(body + 1);
        }
        lane
    }

    pub(crate) fn batches(&self) -> usize {
        self.joints.len().div_ceil(LANES)
    }

    /// Bounds the force of a law by the largest of its joint: by the torque where its row only turns bodies.
    /// A row that moves nothing at the moment says nothing about that.
    pub(super) fn bound_law(&mut self, lane: usize, [linear, angular]: [f32; 2]) {
        let WidePart::Law(law, _) = self.part else { return };
        if !self.bounds_laws || (linear == 0.0 && angular == 0.0) {
            return;
        }
        let most = self.get(lane, self.layout.most() + usize::from(linear == 0.0));
        let field = self.layout.law();
        let mut numbers = std::array::from_fn(|k| f64::from(self.get(lane, field + k)));
        law.bound(&mut numbers, most.into());
        for (k, number) in numbers.into_iter().enumerate() {
            self.set(lane, field + k, number as f32);
        }
    }

    /// Tests, once per pass, what the pointers of the kernels rely on.
    pub(super) fn check(&self, hot: &[f32]) {
        assert!((self.largest as usize) < hot.len() / super::HOT, "bodies of the hot state");
        self.check_batches();
    }

    pub(super) fn check_batches(&self) {
        let lanes = self.batches() * LANES;
        let whole = self.data.len() == lanes * self.layout.fields();
        assert!(whole && self.lists.iter().all(|list| list.len() == lanes), "whole batches");
    }

    pub(super) fn place(&self, lane: usize, field: usize) -> usize {
        (lane / LANES * self.layout.fields() + field) * LANES + lane % LANES
    }

    pub(crate) fn get(&self, lane: usize, field: usize) -> f32 {
        self.data[self.place(lane, field)]
    }

    /// Three fields that follow each other.
    pub(crate) fn set_row(&mut self, lane: usize, field: usize, values: [f32; 3]) {
        let place = self.place(lane, field);
        let data = &mut self.data[place..=place + 2 * LANES];
        [data[0], data[LANES], data[2 * LANES]] = values;
    }

    pub(crate) fn set(&mut self, lane: usize, field: usize, value: f32) {
        let place = self.place(lane, field);
        self.data[place] = value;
    }

    /// J M⁻¹ J'ᵀ of a row of an entry and one of another bucket's over the same bodies.
    pub(crate) fn meets(&self, [lane, row]: [usize; 2], other: &Self, at: [usize; 2]) -> f64 {
        let mut sum = 0.0;
        for body in 0..self.layout.bodies {
            for k in 0..3 {
                let own = self.get(lane, self.layout.row(row, body) + k);
                let their = other.get(at[0], other.layout.row(at[1], body) + k);
                let mass = self.get(lane, self.layout.masses(body) + k);
                sum += f64::from(own) * f64::from(mass) * f64::from(their);
            }
        }
        sum
    }

    /// J v of an entry's first row.
    pub(crate) fn speed(&self, lane: usize, hot: &[f32]) -> f32 {
        let layout = self.layout;
        let mut speed = self.get(lane, layout.bias(0));
        for body in 0..layout.bodies {
            let at = super::HOT * self.lists[body][lane] as usize;
            for (k, velocity) in hot[at..at + 3].iter().enumerate() {
                speed += self.get(lane, layout.row(0, body) + k) * velocity;
            }
        }
        speed
    }

    /// Writes down the speeds with which limits are approached.
    pub(crate) fn note_approach(&mut self, hot: &[f32]) {
        for lane in 0..self.joints.len() {
            let speed = self.speed(lane, hot);
            self.set(lane, self.layout.law() + Layout::APPROACH, speed);
        }
    }

    /// Starts a step: no impulse yet.
    pub(crate) fn start(&mut self) {
        let totals = self.layout.total(0)..self.layout.soft();
        for lane in 0..self.joints.len() {
            for field in totals.clone() {
                self.set(lane, field, 0.0);
            }
        }
    }
}
