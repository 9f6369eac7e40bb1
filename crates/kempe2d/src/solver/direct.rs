//! Islands that are solved as a whole.
//!
//! The rows that an island holds are one system, K = J M⁻¹ Jᵀ over all its joints, factored where they
//! are needed; so joints that meet at a body do not wait for one another, a heavy body on a light
//! chain is held, and loops close. The laws of its axes act on what freedom is left (`bounds.rs`,
//! `sweep.rs`).
//!
//! A sub-step goes by the mean velocity (`direct_step.rs`):
//!
//! ```text
//! v̄ = v₀ + ½ M⁻¹ (h F + Jᵀ λ),   J v̄ = 0      J: the rows half-way, as far as that can be foreseen
//! x₁ = x₀ + h v̄ + s                             s: what takes off gaps, a shift and no velocity
//! v₁ = 2 v̄ − v₀,  then J₁ v₁ = 0 by mass
//! ```
//!
//! Whatever the rows are, the first two lines change the kinetic energy by v̄ · h F, which is what the
//! forces' potential loses along h v̄: constraint forces do no work in it. The last line takes energy
//! or leaves it. So no error of the rows, no redundancy and no jump of a force can add energy; what
//! is left is the shift, whose work is paid for out of the kinetic energy.

use super::HOT;
use super::bounds::Law;
use super::bucket::LawKind;
use super::build::At;
use super::momentum::Momentum;
use super::rows::{Entry, Lanes, Row};
use super::yielding::Yielding;
use kempe_solve::{Envelope, cuthill_mckee};

/// An island that is solved as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Articulated {
    /// Rows of the hot state that impulses move, sorted.
    pub(super) bodies: Vec<u32>,
    /// Rows of the hot state of its bodies that go by themselves.
    pub(super) driven: Vec<u32>,
    /// Whether forces and impulses come in halves about the mean velocity; else one step of implicit
    /// Euler.
    pub(super) midpoint: bool,
    /// By body: 1/m, 1/m, 1/I.
    pub(super) own: Vec<[f64; 3]>,
    /// The same as it counts at the moment.
    pub(super) inverse: Vec<[f64; 3]>,
    /// By body: what a sub-step adds to its velocity, and what it keeps of it.
    pub(super) push: Vec<[f64; 3]>,
    pub(super) keep: Vec<[f64; 3]>,
    /// By body: velocity, that of the start of the sub-step, and the mean.
    pub(super) velocity: Vec<[f64; 3]>,
    pub(super) before: Vec<[f64; 3]>,
    pub(super) mean: Vec<[f64; 3]>,
    /// By body: what its velocity gained in the last sub-step, if there was one in this step.
    pub(super) gained: Vec<[f64; 3]>,
    pub(super) gained_known: bool,
    /// By body: how far it has moved and turned since the start of the step.
    pub(super) moved: Vec<[f64; 3]>,
    /// By body: how the gaps of this sub-step move it.
    pub(super) shift: Vec<[f64; 3]>,
    /// By body: mass and inertia that are added so that motion across taut joints is resolved.
    pub(super) extra: Vec<[f64; 3]>,
    /// The holds, and springs without a largest force, in the order of the envelope's blocks.
    pub(super) holds: Vec<Entry>,
    /// By block: how it yields at the moment.
    pub(super) yielding: Vec<Yielding>,
    /// By block: the stiffness of a spring, N/m or N·m/rad.
    pub(super) stiffness: Vec<f64>,
    /// By row of the blocks: what is asked of its speed beside standing still, and its mean speed.
    pub(super) asked: Vec<f64>,
    pub(super) mean_speed: Vec<f64>,
    pub(super) rows: Vec<Row>,
    /// By held row: its error, and that of the start of the sub-step.
    pub(super) open: Vec<f64>,
    pub(super) began: Vec<f64>,
    /// By row of a spring: what of its length is not of its motion along the row.
    pub(super) curved: Vec<f64>,
    /// By held row: the impulse that comes twice, or once by implicit Euler; then that of the
    /// projection.
    pub(super) impulse: Vec<f64>,
    /// Blocks that meet, the later one first.
    pairs: Vec<(usize, usize)>,
    pub(super) envelope: Envelope,
    pub(super) laws: Vec<Law>,
    pub(super) right: Vec<f64>,
    pub(super) work: Vec<f64>,
    /// Regularisation of K, in parts of its diagonal.
    epsilon: f64,
    /// The size of the island, m.
    pub(super) size: f64,
    /// By body: the largest length that its rows are computed with, m.
    pub(super) lengths: Vec<f64>,
    /// Whether nothing else is in it, and what its momenta will be then.
    pub(super) free: bool,
    pub(super) coming: Option<Momentum>,
    /// The kinetic energy that the shift has to be paid with, J.
    pub(super) debt: f64,
}

/// Regularisation of K, in parts of its diagonal, for even masses and at least. Rows that say the same but for
/// a gap δ leave about δ², and what they disagree on would become a force of 1/δ; a load of 10⁶ times a
/// link's mass leaves 5e-8 of a chain's rows. So it follows the ratio of the masses.
const EPSILON: [f64; 2] = [1e-5, 1e-9];
/// How often the solution is refined.
const PASSES: usize = 4;

impl Articulated {
    /// An island of these holds and laws; `moving` and `going` say which rows of the hot state
    /// impulses can move, and which are under way at all.
    pub(crate) fn new(
        holds: Vec<At>,
        laws: Vec<(At, LawKind)>,
        [moving, going]: [&dyn Fn(u32) -> bool; 2],
        midpoint: bool,
        lanes: &Lanes<'_>,
    ) -> Self {
        let mut every: Vec<u32> = holds
            .iter()
            .chain(laws.iter().map(|law| &law.0))
            .flat_map(|at| lanes.ends(*at))
            .collect();
        every.sort_unstable();
        every.dedup();
        let bodies: Vec<u32> = every.iter().copied().filter(|at| moving(*at)).collect();
        let free = bodies.len() == every.len();
        let driven = every.into_iter().filter(|at| going(*at) && !moving(*at)).collect();
        let entry = |at: At| {
            let ends = lanes.ends(at);
            let ends = ends.iter().map(|end| bodies.binary_search(end).ok()).collect();
            Entry { at, ends, hold: None }
        };
        let springs = laws.iter().filter(|law| lanes.is_spring(law.0, law.1)).map(|law| law.0);
        let mut holds: Vec<Entry> = holds.into_iter().chain(springs).map(entry).collect();
        let order = cuthill_mckee(&neighbours(&holds, bodies.len()));
        holds = order.iter().map(|block| holds[*block].clone()).collect();
        let meets = neighbours(&holds, bodies.len());
        let sizes: Vec<usize> = holds.iter().map(|hold| lanes.rows(hold.at)).collect();
        let envelope = Envelope::new(&sizes, &meets);
        let mut pairs = Vec::new();
        for (block, list) in meets.iter().enumerate() {
            pairs.extend(list.iter().filter(|other| **other < block).map(|other| (block, *other)));
            pairs.push((block, block));
        }
        let hold_of = |at: At| {
            let joint = lanes.joint(at);
            let same = |hold: &Entry| lanes.joint(hold.at) == joint && !lanes.is_law(hold.at);
            holds.iter().position(same)
        };
        let found: Vec<Option<usize>> =
            holds.iter().map(|hold| hold_of(hold.at).filter(|_| lanes.is_law(hold.at))).collect();
        let each = |(at, law): (At, LawKind)| {
            let rows = if law.is_pair() { 2 } else { 1 };
            (0..rows).map(move |k| (at, law, k))
        };
        let laws = laws.into_iter().filter(|law| !lanes.is_spring(law.0, law.1)).flat_map(each);
        let laws =
            laws.map(|(at, law, k)| Law::new(Entry { hold: hold_of(at), ..entry(at) }, law, k));
        let laws = laws.collect();
        holds.iter_mut().zip(found).for_each(|(hold, found)| hold.hold = found);
        let (count, rows) = (bodies.len(), envelope.rows());
        let own: Vec<[f64; 3]> =
            bodies.iter().map(|body| lanes.masses[*body as usize - 1]).collect();
        let none = || vec![[0.0; 3]; count];
        let masses = own.iter().map(|own| own[0].max(own[1])).filter(|inverse| *inverse > 0.0);
        let (least, most) = masses.fold((f64::INFINITY, 0.0_f64), |(least, most), inverse| {
            (least.min(inverse), most.max(inverse))
        });
        let epsilon = (EPSILON[0] * least / most).clamp(EPSILON[1], EPSILON[0]);
        Self {
            epsilon,
            inverse: own.clone(),
            own,
            bodies,
            driven,
            midpoint,
            push: none(),
            keep: vec![[1.0; 3]; count],
            velocity: none(),
            before: none(),
            mean: none(),
            gained: none(),
            gained_known: false,
            moved: none(),
            shift: none(),
            extra: none(),
            yielding: vec![Yielding::RIGID; holds.len()],
            stiffness: vec![0.0; holds.len()],
            asked: vec![0.0; rows],
            mean_speed: vec![0.0; rows],
            holds,
            rows: vec![Row::default(); rows],
            open: vec![0.0; rows],
            began: vec![0.0; rows],
            curved: vec![0.0; rows],
            impulse: vec![0.0; rows],
            pairs,
            envelope,
            laws,
            right: vec![0.0; rows],
            work: Vec::new(),
            size: 1.0,
            lengths: vec![0.0; count],
            free,
            coming: None,
            debt: 0.0,
        }
    }

    /// Its bodies, as rows of the hot state.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Those that go by themselves.
    pub(crate) fn driven(&self) -> &[u32] {
        &self.driven
    }

    /// What a sub-step adds to the velocity of a body, a row of the hot state, and what it keeps of it.
    pub(crate) fn set_push(&mut self, body: u32, push: [f32; 3], keep: [f32; 3]) {
        if let Ok(at) = self.bodies.binary_search(&body) {
            self.push[at] = push.map(f64::from);
            self.keep[at] = keep.map(f64::from);
        }
    }

    /// Starts a step: the lanes have the rows of the present pose.
    pub(crate) fn start(&mut self, lanes: &Lanes<'_>) {
        for (body, velocity) in self.bodies.iter().zip(&mut self.velocity) {
            let state = &lanes.hot[HOT * *body as usize..][..3];
            *velocity = std::array::from_fn(|k| f64::from(state[k]));
        }
        self.moved.fill([0.0; 3]);
        self.read(lanes);
        self.measure(lanes);
        self.measure_lengths(lanes);
        self.note_start(lanes);
        self.curved.fill(0.0);
        self.gained_known = false;
        self.extra = self.wanted(lanes);
    }

    /// How large the island is: lengths that are small or large for it follow from that, in any unit.
    fn measure(&mut self, lanes: &Lanes<'_>) {
        let (mut low, mut high, mut size) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2], 0.0_f64);
        for (body, [x, _, turn]) in self.bodies.iter().zip(&self.own) {
            let pose = lanes.poses[*body as usize - 1];
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(pose[k]), high[k].max(pose[k]));
            }
            // Of a rod, its length.
            if *turn > 0.0 && *x > 0.0 {
                size = size.max((12.0 * x / turn).sqrt());
            }
        }
        for part in self.rows.iter().flat_map(|row| &row.parts) {
            // The arm of a force on a body.
            let [x, y, turn] = part.j;
            let along = (x * x + y * y).sqrt();
            if along > 0.0 && turn.is_finite() {
                size = size.max(turn.abs() / along);
            }
        }
        let extent = (high[0] - low[0]).max(high[1] - low[1]);
        size = size.max(if extent.is_finite() { extent } else { 0.0 });
        self.size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
    }

    /// With which lengths the rows of each body are computed: their last digits in f32 are noise.
    fn measure_lengths(&mut self, lanes: &Lanes<'_>) {
        self.lengths.fill(0.0);
        for entry in self.holds.iter().chain(self.laws.iter().map(|law| &law.entry)) {
            let ends = lanes.ends(entry.at);
            let place = |end: &u32| lanes.poses[*end as usize - 1];
            let Some(first) = ends.first().map(place) else { continue };
            let far = ends.iter().map(place).fold(0.0_f64, |far, [x, y, _]| {
                far.max((x - first[0]).abs()).max((y - first[1]).abs())
            });
            for end in entry.ends.iter().flatten() {
                self.lengths[*end] = self.lengths[*end].max(far);
            }
        }
        for part in self.rows.iter().flat_map(|row| &row.parts) {
            let [x, y, turn] = part.j;
            let along = (x * x + y * y).sqrt();
            if along > 0.0 && turn.is_finite() {
                self.lengths[part.body] = self.lengths[part.body].max(turn.abs() / along);
            }
        }
    }

    /// Reads the rows that the lanes have.
    pub(super) fn read(&mut self, lanes: &Lanes<'_>) {
        for (block, hold) in self.holds.iter().enumerate() {
            let first = self.envelope.first_row(block);
            for k in 0..lanes.rows(hold.at) {
                lanes.read(hold, k, &mut self.rows[first + k]);
            }
        }
        for law in &mut self.laws {
            lanes.read(&law.entry, law.k, &mut law.row);
        }
    }

    /// Factors K of the rows and of the masses as they count, with this regularisation.
    pub(super) fn factor_with(&mut self, epsilon: f64) {
        self.envelope.clear();
        for (later, earlier) in &self.pairs {
            let (i0, j0) = (self.envelope.first_row(*later), self.envelope.first_row(*earlier));
            for i in i0..self.envelope.end_row(*later) {
                for j in j0..self.envelope.end_row(*earlier).min(i + 1) {
                    let value = self.rows[i].meets(&self.rows[j], &self.inverse);
                    self.envelope.add(i, j, value);
                }
            }
        }
        for block in 0..self.holds.len() {
            self.add_yielding(block);
        }
        self.envelope.factor(epsilon);
    }

    pub(super) fn factor(&mut self) {
        self.factor_with(self.epsilon);
    }

    /// What impulses on the held rows make of what is on the right side.
    pub(super) fn solve_right(&mut self) {
        self.envelope.solve_consistent(&mut self.right, &mut self.work, PASSES);
    }

    /// Writes poses into the hot state: where the bodies are, and `ahead` further.
    pub(super) fn put_poses(&self, lanes: &mut Lanes<'_>, ahead: impl Fn(usize) -> [f64; 3]) {
        for (at, body) in self.bodies.iter().enumerate() {
            let row = *body as usize;
            let ahead = ahead(at);
            let [x, y, turned]: [f64; 3] = std::array::from_fn(|k| self.moved[at][k] + ahead[k]);
            let [cos, sin] = super::motion::turn(lanes.poses[row - 1][2] + turned);
            let state = &mut lanes.hot[HOT * row..][3..HOT];
            state.copy_from_slice(&[turned as f32, x as f32, y as f32, cos, sin]);
        }
    }

    /// Writes the velocities into the hot state.
    pub(super) fn put_velocities(&self, lanes: &mut Lanes<'_>) {
        for (body, velocity) in self.bodies.iter().zip(&self.velocity) {
            let state = &mut lanes.hot[HOT * *body as usize..][..3];
            state.copy_from_slice(&velocity.map(|v| v as f32));
        }
    }

    /// ½ vᵀ M v with the bodies' own masses, J.
    pub(super) fn kinetic(&self, v: &[[f64; 3]]) -> f64 {
        let each = v.iter().zip(&self.own).flat_map(|(v, own)| v.iter().zip(own));
        each.filter(|(_, m)| **m > 0.0).map(|(v, m)| 0.5 * v * v / m).sum()
    }
}

/// By block, those that it shares a body with.
fn neighbours(holds: &[Entry], bodies: usize) -> Vec<Vec<usize>> {
    let mut on: Vec<Vec<usize>> = vec![Vec::new(); bodies];
    for (block, hold) in holds.iter().enumerate() {
        for end in hold.ends.iter().flatten() {
            on[*end].push(block);
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
}
