//! Islands that are solved as a whole.
//!
//! The rows that an island holds are one system, K = J M⁻¹ Jᵀ over all its joints, factored once per
//! sub-step; so joints that meet at a body do not wait for one another, a heavy body on a light
//! chain is held, and loops close. The laws of its axes act on what freedom is left: each with the
//! mass that it moves through the whole mechanism, and with the answer of the held rows.
//!
//! Positions are held too: where the velocities would lead is tried, and what is then open is taken
//! off along the rows of the start (SHAKE); the relaxing pass leaves velocities along the rows of
//! the end. With forces in two halves that is RATTLE.

use super::HOT;
use super::bucket::{LawKind, Layout};
use super::build::At;
use super::hold::Pass;
use super::rows::{Lanes, Row};
use super::sweep::Law;
use super::weight::load;
use kempe_solve::{Envelope, cuthill_mckee};

/// An island that is solved as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Articulated {
    /// Rows of the hot state that impulses move, sorted.
    pub(super) bodies: Vec<u32>,
    /// Whether nothing else is in it: then its momentum stays.
    free: bool,
    /// Those that are under way, kinematic ones included.
    going: Vec<u32>,
    /// The holds, in the order of the envelope's blocks.
    pub(super) holds: Vec<At>,
    pub(super) rows: Vec<Row>,
    /// Blocks that meet, the later one first.
    pairs: Vec<(usize, usize)>,
    pub(super) envelope: Envelope,
    pub(super) laws: Vec<Law>,
    pub(super) change: Vec<[f64; 3]>,
    pub(super) right: Vec<f64>,
    /// By body: mass and inertia that are added so that motion across taut joints is resolved.
    pub(super) extra: Vec<[f64; 3]>,
    /// What they will be.
    pub(super) wanted: Vec<[f64; 3]>,
    /// By body: its mass and inertia; infinite where it is locked.
    pub(super) own: Vec<[f64; 2]>,
    /// By body: where it is.
    pub(super) places: Vec<[f64; 2]>,
}

/// More than this is not taken off in one sub-step, m or rad.
const REACH: f64 = 0.05;
/// Nor is it taken off faster, m/s or rad/s.
const SWIFT: f64 = 20.0;
/// How much of what would be open is taken off before the positions move; the rest follows in the next
/// sub-step. All of it adds energy where the motion is not resolved, nothing of it takes energy away.
const TAKEN: f64 = 0.5;
/// An axis that the held rows leave less freedom than this, of what it has by itself, has none, or is on a body
/// that is much lighter than what it moves.
const LOST: f64 = 1e-6;

impl Articulated {
    /// An island of these holds and laws; `moving` and `going` say which rows of the hot state
    /// impulses can move, and which are under way at all.
    pub(crate) fn new(
        mut holds: Vec<At>,
        laws: Vec<(At, LawKind)>,
        [moving, going]: [&dyn Fn(u32) -> bool; 2],
        lanes: &Lanes<'_>,
    ) -> Self {
        let all = |at: At| -> Vec<u32> {
            match at {
                At::Built(index, lane) => {
                    vec![lanes.buckets[index].a[lane], lanes.buckets[index].b[lane]]
                }
                At::Wide(index, lane) => {
                    lanes.wides[index].lists.iter().map(|list| list[lane]).collect()
                }
            }
        };
        let ends = |at: At| -> Vec<u32> { all(at).into_iter().filter(|at| moving(*at)).collect() };
        let mut every: Vec<u32> =
            holds.iter().chain(laws.iter().map(|law| &law.0)).flat_map(|at| all(*at)).collect();
        every.sort_unstable();
        every.dedup();
        let bodies: Vec<u32> = every.iter().copied().filter(|at| moving(*at)).collect();
        let neighbours = |holds: &[At]| -> Vec<Vec<usize>> {
            let ends: Vec<Vec<u32>> = holds.iter().map(|at| ends(*at)).collect();
            let mut on: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
            for (block, ends) in ends.iter().enumerate() {
                for end in ends {
                    if let Ok(at) = bodies.binary_search(end) {
                        on[at].push(block);
                    }
                }
            }
            let mut meets: Vec<Vec<usize>> = vec![Vec::new(); holds.len()];
            for blocks in &on {
                for a in blocks {
                    meets[*a].extend(blocks.iter().filter(|b| *b != a));
                }
            }
            for list in &mut meets {
                list.sort_unstable();
                list.dedup();
            }
            meets
        };
        let order = cuthill_mckee(&neighbours(&holds));
        holds = order.iter().map(|block| holds[*block]).collect();
        let meets = neighbours(&holds);
        let sizes: Vec<usize> = holds.iter().map(|at| lanes.rows(*at)).collect();
        let envelope = Envelope::new(&sizes, &meets);
        let mut pairs = Vec::new();
        for (block, list) in meets.iter().enumerate() {
            pairs.extend(list.iter().filter(|other| **other < block).map(|other| (block, *other)));
            pairs.push((block, block));
        }
        let each = |(at, law): (At, LawKind)| {
            let rows = if law.is_pair() { 2 } else { 1 };
            (0..rows).map(move |k| (at, law, k))
        };
        let count = envelope.rows();
        let bodies_count = bodies.len();
        let law = |(at, law, k)| Law {
            at,
            law,
            k,
            row: Row::default(),
            response: vec![0.0; count],
            mass: 0.0,
            own: 0.0,
        };
        Self {
            change: vec![[0.0; 3]; bodies.len()],
            places: vec![[0.0; 2]; bodies.len()],
            extra: vec![[0.0; 3]; bodies.len()],
            wanted: vec![[0.0; 3]; bodies.len()],
            own: bodies
                .iter()
                .map(|body| {
                    let [x, y, turn] = lanes.masses[*body as usize - 1];
                    [1.0 / x.min(y), 1.0 / turn]
                })
                .collect(),
            right: vec![0.0; count],
            rows: vec![Row::default(); count],
            laws: laws.into_iter().flat_map(each).map(law).collect(),
            bodies,
            free: bodies_count == every.len(),
            going: every.into_iter().filter(|at| going(*at)).collect(),
            holds,
            pairs,
            envelope,
        }
    }

    /// Reads the rows at the present pose and factors K.
    pub(crate) fn refresh(&mut self, lanes: &Lanes<'_>) {
        for (place, body) in self.places.iter_mut().zip(&self.bodies) {
            let (start, at) = (lanes.poses[*body as usize - 1], HOT * *body as usize);
            let moved = [lanes.hot[at + 4], lanes.hot[at + 5]].map(f64::from);
            *place = [start[0] + moved[0], start[1] + moved[1]];
        }
        for (block, at) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(*at) {
                lanes.read(*at, k, &mut self.rows[first + k]);
            }
        }
        for row in &mut self.rows {
            load(row, &self.bodies, &self.extra);
        }
        self.envelope.clear();
        for (later, earlier) in &self.pairs {
            let (i0, j0) = (self.envelope.first_row(*later), self.envelope.first_row(*earlier));
            for i in 0..lanes.rows(self.holds[*later]) {
                for j in 0..lanes.rows(self.holds[*earlier]) {
                    if j0 + j <= i0 + i {
                        let value = self.rows[i0 + i].meets(&self.rows[j0 + j]);
                        self.envelope.add(i0 + i, j0 + j, value);
                    }
                }
            }
        }
        self.envelope.factor();
        for law in &mut self.laws {
            lanes.read(law.at, law.k, &mut law.row);
            load(&mut law.row, &self.bodies, &self.extra);
            for (response, row) in law.response.iter_mut().zip(&self.rows) {
                *response = -row.meets(&law.row);
            }
            let coupling = law.response.clone();
            self.envelope.solve(&mut law.response);
            // What it moves by itself, and what the hold of its own joint leaves of that.
            let bare = law.row.meets(&law.row);
            law.own = match law.at {
                At::Built(..) if law.law.is_pair() => bare,
                At::Built(index, lane) => {
                    let bucket = &lanes.buckets[index];
                    let mass = f64::from(bucket.get(lane, bucket.layout.factors()));
                    let gamma = f64::from(lanes.soft(law.at, 4));
                    if mass > 0.0 && gamma.is_finite() { 1.0 / mass - gamma } else { bare }
                }
                At::Wide(index, lane) => {
                    let wide = &lanes.wides[index];
                    let taken = f64::from(wide.get(lane, wide.layout.answered()));
                    bare - f64::from(lanes.soft(law.at, Layout::THROUGH)) * taken
                }
            };
            let less: f64 = coupling.iter().zip(&law.response).map(|(c, r)| c * r).sum();
            let left = bare - less;
            law.mass = match left > LOST * bare {
                true => 1.0 / left,
                false => law.heavy_mass(&self.rows, &self.bodies),
            };
        }
    }

    /// Writes what was added up into the state.
    pub(super) fn settle(&mut self, hot: &mut [f32]) {
        if self.free {
            self.keep_momentum();
        }
        for (change, body) in self.change.iter_mut().zip(&self.bodies) {
            let at = HOT * *body as usize;
            for (velocity, change) in hot[at..at + 3].iter_mut().zip(change.iter_mut()) {
                *velocity = (f64::from(*velocity) + *change) as f32;
                *change = 0.0;
            }
        }
    }

    /// One pass.
    pub(crate) fn pass(&mut self, lanes: &mut Lanes<'_>, pass: Pass) {
        match pass {
            Pass::Warm | Pass::Again => self.apply_known(lanes, pass),
            Pass::Solve => {
                let worst = self.rows.iter().map(|row| row.value.abs()).fold(0.0, f64::max);
                let speed = (REACH / lanes.h).min(SWIFT);
                let rate = (speed / worst).min(1.0 / lanes.h);
                self.hold(lanes, |row| rate * row.value);
                self.sweep(lanes, pass);
            }
            Pass::Relax => {
                self.hold(lanes, |_| 0.0);
                self.sweep(lanes, pass);
                self.add_totals(lanes);
                self.weigh(lanes);
                self.reweigh(lanes.hot, lanes.masses, true);
            }
            Pass::Restitution => self.sweep(lanes, pass),
            Pass::Settle => {}
        }
    }

    /// Impulses of the last sub-step, or the halves that come now.
    fn apply_known(&mut self, lanes: &mut Lanes<'_>, pass: Pass) {
        for (block, at) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            let again = lanes.soft(*at, Layout::AGAIN);
            for k in 0..lanes.rows(*at) {
                let before = lanes.impulse(*at, k);
                let (applied, after) = match pass {
                    Pass::Warm => (before / (1.0 + again), before / (1.0 + again)),
                    _ => (again * before, before + again * before),
                };
                lanes.set_impulse(*at, k, after);
                self.rows[first + k].apply(&mut self.change, &self.bodies, applied.into());
            }
        }
        if pass == Pass::Warm {
            for law in &self.laws {
                let known = match law.law.is_pair() {
                    true => lanes.impulse(law.at, law.k),
                    false => lanes.impulse(law.at, 0) - lanes.impulse(law.at, 1),
                };
                law.row.apply(&mut self.change, &self.bodies, known.into());
            }
        }
        self.settle(lanes.hot);
    }

    /// All held rows at once, with this bias.
    fn hold(&mut self, lanes: &mut Lanes<'_>, bias: impl Fn(&Row) -> f64) {
        for (right, row) in self.right.iter_mut().zip(&self.rows) {
            *right = -(row.speed(lanes.hot) + bias(row));
        }
        self.finish_hold(lanes);
    }

    /// Solves for what is on the right side, and applies it.
    fn finish_hold(&mut self, lanes: &mut Lanes<'_>) {
        self.envelope.solve(&mut self.right);
        for (block, at) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(*at) {
                let change = self.right[first + k];
                let after = f64::from(lanes.impulse(*at, k)) + change;
                lanes.set_impulse(*at, k, after as f32);
                self.rows[first + k].apply(&mut self.change, &self.bodies, change);
            }
        }
        self.settle(lanes.hot);
    }

    fn add_totals(&mut self, lanes: &mut Lanes<'_>) {
        for at in &self.holds {
            for k in 0..lanes.rows(*at) {
                lanes.add_total(*at, k);
            }
        }
        // A pair is there twice, once for each of its impulses.
        for law in self.laws.iter().filter(|law| law.k == 0) {
            lanes.add_total(law.at, 0);
            lanes.add_total(law.at, 1);
        }
    }

    /// The bodies that are under way, as rows of the hot state.
    pub(crate) fn going(&self) -> &[u32] {
        &self.going
    }

    /// Takes off what would be open where the velocities lead; the buckets hold the rows of there,
    /// and the rows here are still those of the start.
    pub(crate) fn correct(&mut self, lanes: &mut Lanes<'_>) {
        let worst = self.rows.iter().map(|row| row.value.abs()).fold(0.0, f64::max);
        if worst > REACH {
            return;
        }
        let mut there = Row::default();
        for (block, at) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(*at) {
                lanes.read(*at, k, &mut there);
                let open = there.value.clamp(-REACH, REACH);
                // A row of velocities alone has no position to hold.
                self.right[first + k] = -TAKEN * open / lanes.h;
            }
        }
        self.finish_hold(lanes);
    }
}
