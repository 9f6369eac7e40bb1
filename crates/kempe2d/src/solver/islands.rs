//! Which islands are solved as a whole, and which forces come in halves.

use super::bucket::LawKind;
use super::build::{At, Place, Solver};
use super::direct::Articulated;
use super::pieces::{Piece, pieces};
use super::rows::Lanes;
use super::threads::Shared;
use super::{HOT, motion};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, JointKind, KindTag, Limit};
use crate::user::Erased;
use crate::world::Springs;
use kempe_equation::Bound;
use kempe_scalar::Isa;
use kempe_solve::{Islands, Pool, Softness};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Which islands of bodies are solved as a whole, by one factorisation of all their held rows, and
/// which joint by joint in lanes.
///
/// As a whole an island is solved almost exactly: heavy things hang on light ones, loops close, and
/// energy is kept. Joint by joint is many times faster for large numbers of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direct {
    /// All islands of a small world (up to 192 rows of holds and springs in all), and in a larger one those
    /// (up to 1536 rows each) that iteration does not hold: in which a body is more than 20 times as
    /// heavy as another, two bodies are held to each other more than once, a spring is stiffer than a
    /// sub-step resolves (h ω > ¾), or anchors are far from the bodies.
    #[default]
    Auto,
    /// Every island that can be: those without holds whose force is limited, or the speed with which
    /// their errors go.
    Always,
    /// None.
    Never,
}

/// A world of so many held rows is small.
const SMALL: usize = 192;
/// So many held rows make an island too large to be solved as a whole unasked.
const LARGE: usize = 1536;
/// Masses in an island that differ by more than this are not left to iteration.
const RATIO: f64 = 20.0;
/// Ends of joints of which one is more than so many times as mobile as another are not left to iteration. Of
/// a rod the end is four times as mobile as the middle.
const MOBILITIES: f64 = 120.0;
/// How often gaps that opened unforeseen are closed at the end of a sub-step, at most.
const TIGHTENED: usize = 4;

/// The islands of the joints that take part.
pub(super) struct Whole {
    islands: Islands,
    /// By island.
    direct: Vec<bool>,
    /// By joint slot, its island.
    of_joint: Vec<Option<usize>>,
}

impl Whole {
    /// How many islands there are.
    pub(super) fn count(&self) -> usize {
        self.islands.len()
    }

    pub(super) fn islands(&self) -> &Islands {
        &self.islands
    }

    /// The island of a joint.
    pub(super) fn island(&self, slot: usize) -> Option<usize> {
        self.of_joint[slot]
    }

    /// Whether some island is solved as a whole.
    pub(super) fn is_any(&self) -> bool {
        self.direct.contains(&true)
    }

    /// Whether a joint is solved with its island.
    pub(super) fn joint(&self, slot: usize) -> bool {
        self.of_joint[slot].is_some_and(|island| self.direct[island])
    }
}

/// Whether the hold of a joint can be a part of a larger system: nothing limits its force, or the speed
/// with which its errors go.
fn fits(joint: &Joint, pieces: &[Piece]) -> bool {
    let def = &joint.def;
    let clamps = match &def.kind {
        JointKind::User(user) => user.made().is_none_or(Erased::clamps),
        _ => false,
    };
    let holds = pieces.iter().any(|piece| matches!(piece, Piece::Hold(_)));
    let limited = def.max_force.min(def.max_torque) < f64::INFINITY;
    let biased = matches!(def.softness, Softness::ErrorBias { .. });
    !holds || (!biased && !limited && !clamps)
}

/// 1/m + r²/I of a joint's ends that move.
fn mobilities(bodies: &Pool<Body>, joint: &Joint) -> SmallVec<[f64; 2]> {
    let numbers = joint.def.kind.numbers();
    let anchors = [numbers.anchor_a, numbers.anchor_b];
    let point = joint.def.kind.tag().is_some_and(|tag| tag != KindTag::Angle);
    let ends = joint.def.bodies.iter().take(2).filter(move |_| point).zip(anchors);
    ends.filter_map(|(id, anchor)| {
        let body = bodies.at(id.index()).filter(|body| body.moves())?;
        let [x, y, turn] = body.inverse_mass();
        Some(x.max(y) + turn * (anchor - body.properties.center).length_squared())
    })
    .collect()
}

impl Solver {
    /// The pieces of each joint that takes part, with the bounds that programs have now.
    fn pieces(&self, joints: &Pool<Joint>, taking_part: &[usize]) -> Vec<Vec<Piece>> {
        let mut bounds: Vec<Option<&[Bound]>> = vec![None; joints.slots()];
        for member in self.groups.iter().flat_map(|group| &group.members) {
            bounds[member.joint] = Some(&member.bounds);
        }
        let of = |slot: &usize| joints.at(*slot).map(|joint| pieces(&joint.def, bounds[*slot]));
        taking_part.iter().map(|slot| of(slot).unwrap_or_default()).collect()
    }

    /// Which islands iteration does not hold, however even their masses are: with springs that sub-steps do
    /// not resolve, with anchors so far from the bodies that these are light there, and with bodies that
    /// several joints hold to each other.
    fn hard_islands(
        &self,
        bodies: &Pool<Body>,
        joints: &Pool<Joint>,
        taking_part: &[usize],
        of_joint: &[Option<usize>],
        rows: &[usize],
    ) -> Vec<bool> {
        let mut hard = vec![false; rows.len()];
        let mut mobile = vec![[f64::INFINITY, 0.0]; rows.len()];
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for slot in taking_part {
            let (Some(joint), Some(island)) = (joints.at(*slot), of_joint[*slot]) else { continue };
            if rows[island] > LARGE || hard[island] {
                continue;
            }
            hard[island] |= self.is_stiff(bodies, joint);
            for mobility in mobilities(bodies, joint) {
                let [least, most] = mobile[island];
                mobile[island] = [least.min(mobility), most.max(mobility)];
            }
            hard[island] |= mobile[island][1] > MOBILITIES * mobile[island][0];
            if let [a, b] = &joint.def.bodies[..] {
                let moving = |id: &crate::BodyId| bodies.at(id.index()).is_some_and(Body::moves);
                let (a, b) = (a.index().min(b.index()), a.index().max(b.index()));
                if joint.def.kind.hold_count() > 1 && joint.def.bodies.iter().all(moving) {
                    pairs.push((a, b, island));
                }
            }
        }
        pairs.sort_unstable();
        for pair in pairs.windows(2).filter(|pair| pair[0] == pair[1]) {
            hard[pair[0].2] = true;
        }
        hard
    }

    pub(super) fn choose_islands(
        &self,
        bodies: &Pool<Body>,
        joints: &Pool<Joint>,
        taking_part: &[usize],
    ) -> Whole {
        let moves = |slot: usize| bodies.at(slot).is_some_and(Body::moves);
        let mut islands = Islands::default();
        islands.reset(bodies.slots());
        let joint = |slot: &usize| joints.at(*slot);
        for joint in taking_part.iter().filter_map(joint) {
            let mut ends = joint.def.bodies.iter().map(|id| id.index()).filter(|at| moves(*at));
            if let Some(first) = ends.next() {
                ends.for_each(|other| islands.connect(first, other));
            }
        }
        islands.finish(moves);
        let pieces = self.pieces(joints, taking_part);
        let mut of_joint = vec![None; joints.slots()];
        let mut fitting = vec![true; islands.len()];
        let mut rows = vec![0; islands.len()];
        for (slot, pieces) in taking_part.iter().zip(&pieces) {
            let Some(joint) = joints.at(*slot) else { continue };
            let island = joint.def.bodies.iter().find_map(|id| islands.of(id.index()));
            of_joint[*slot] = island;
            let Some(island) = island else { continue };
            fitting[island] &= fits(joint, pieces);
            let held = pieces.iter().map(|piece| match piece {
                Piece::Hold(rows) => rows.len(),
                Piece::Law(LawKind::Spring | LawKind::Servo | LawKind::Held, _) => 1,
                Piece::Law(..) => 0,
            });
            rows[island] += held.sum::<usize>();
        }
        let all: usize = rows.iter().sum();
        let harder = match self.direct == Direct::Auto && all > SMALL {
            true => self.hard_islands(bodies, joints, taking_part, &of_joint, &rows),
            false => vec![false; islands.len()],
        };
        let direct = (0..islands.len()).map(|island| {
            let masses = islands.bodies(island).iter().filter_map(|slot| bodies.at(*slot as usize));
            let masses = masses.map(|body| body.properties.mass);
            let (least, most) = masses.fold((f64::INFINITY, 0.0_f64), |(least, most), mass| {
                (least.min(mass), most.max(mass))
            });
            let hard = most > RATIO * least || harder[island];
            let wanted = match self.direct {
                Direct::Never => false,
                Direct::Always => true,
                Direct::Auto => all <= SMALL || (hard && rows[island] <= LARGE),
            };
            wanted && fitting[island] && rows[island] > 0
        });
        let direct = direct.collect();
        Whole { islands, direct, of_joint }
    }

    /// Which bodies have their forces in two halves, one before the positions move and one after: those
    /// of islands that are solved as a whole, about the mean velocity, and those that a joint holds which
    /// is alone. It is of second order, and keeps the energy. With
    /// [`Springs::ImplicitEuler`](crate::Springs) islands with springs, motors or friction take their
    /// forces whole, each law one step of implicit Euler.
    pub(super) fn split_forces(
        &mut self,
        joints: &Pool<Joint>,
        taking_part: &[usize],
        whole: &Whole,
    ) {
        // Whether nothing but rigid holds and stops is in it.
        let mut plain: Vec<bool> = vec![true; whole.islands.len()];
        // Joint by joint, a hold is exact only where there is nothing else.
        let mut alone = vec![true; whole.islands.len()];
        let mut count = vec![0_usize; whole.islands.len()];
        let pieces = self.pieces(joints, taking_part);
        for (slot, pieces) in taking_part.iter().zip(&pieces) {
            let (Some(joint), Some(island)) = (joints.at(*slot), whole.of_joint[*slot]) else {
                continue;
            };
            count[island] += 1;
            alone[island] &= count[island] == 1 && pieces.len() == 1;
            let rigid = |limit: Limit| limit.softness == Softness::Rigid;
            let mut limits = joint.def.axes().filter_map(|axis| axis.limit);
            plain[island] &= limits.all(rigid)
                && fits(joint, pieces)
                && joint.def.softness == Softness::Rigid
                && pieces.iter().all(|piece| match piece {
                    Piece::Law(law, _) => *law == LawKind::Limit,
                    Piece::Hold(_) => true,
                });
        }
        let implicit = self.springs == Springs::ImplicitEuler;
        let splits = |island: usize| match whole.direct[island] {
            true => plain[island] || !implicit,
            false => plain[island] && alone[island],
        };
        self.exact = vec![false; joints.slots()];
        self.midpoint = vec![false; joints.slots()];
        for slot in taking_part {
            let Some(joint) = joints.at(*slot) else { continue };
            let mut moving = joint.def.bodies.iter().map(|id| id.index());
            let single = moving.all(|at| whole.islands.of(at).is_none() || self.joints_on[at] == 1);
            self.exact[*slot] = whole.joint(*slot) || single;
            let island = whole.of_joint[*slot].filter(|_| whole.joint(*slot));
            self.midpoint[*slot] = island.is_some_and(splits);
        }
        self.split = vec![false; self.joints_on.len()];
        for island in (0..whole.islands.len()).filter(|island| splits(*island)) {
            for slot in whole.islands.bodies(island) {
                self.split[*slot as usize] = self.joints_on[*slot as usize] > 0;
            }
        }
    }

    /// Makes the islands that are solved as a whole, once their entries have places.
    pub(super) fn articulate(&mut self, bodies: &Pool<Body>, whole: &Whole) {
        self.articulated.clear();
        self.direct_of = vec![None; bodies.slots()];
        let mut holds: Vec<Vec<At>> = vec![Vec::new(); whole.islands.len()];
        let mut laws: Vec<Vec<(At, LawKind)>> = vec![Vec::new(); whole.islands.len()];
        for (slot, places) in self.places.iter().enumerate() {
            let island = whole.of_joint.get(slot).copied().flatten();
            let Some(island) = island.filter(|island| whole.direct[*island]) else { continue };
            for at in places.iter().map(|place| place.at()) {
                match self.law(at) {
                    None => holds[island].push(at),
                    Some((law, _)) => laws[island].push((at, law)),
                }
            }
        }
        let body = |row: u32| bodies.at((row as usize).checked_sub(1)?);
        let moving = |row: u32| body(row).is_some_and(Body::moves);
        let going = |row: u32| body(row).is_some_and(|body| body.kind != BodyKind::Static);
        for (holds, mut laws) in holds.into_iter().zip(laws) {
            let Some(first) = holds.first().or(laws.first().map(|law| &law.0)) else { continue };
            let first = *first;
            laws.sort_by_key(|law| law.1);
            let Self { buckets, wides, hot, masses, poses, h, .. } = self;
            let lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
            let midpoint = self.midpoint[lanes.joint(first) as usize];
            let island = Articulated::new(holds, laws, [&moving, &going], midpoint, &lanes);
            for row in island.bodies() {
                self.direct_of[*row as usize - 1] = Some(self.articulated.len());
            }
            self.articulated.push(island);
        }
    }

    /// The island that is solved as a whole and that a body is of.
    pub(crate) fn direct_island(&mut self, slot: usize) -> Option<&mut Articulated> {
        let island = self.direct_of.get(slot).copied().flatten()?;
        self.articulated.get_mut(island)
    }

    /// How many of some entries are springs without a largest force.
    pub(super) fn unbounded_springs(&mut self, places: &[Place]) -> usize {
        let laws: Vec<(At, LawKind)> = places
            .iter()
            .filter_map(|place| self.law(place.at()).map(|law| (place.at(), law.0)))
            .collect();
        let Self { buckets, wides, hot, masses, poses, h, .. } = self;
        let lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        laws.iter().filter(|(at, law)| lanes.is_spring(*at, *law)).count()
    }

    /// Does something with every island that is solved as a whole.
    fn each_island(&mut self, run: impl Fn(&mut Articulated, &mut Lanes<'_>)) {
        let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
        let mut lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        for island in articulated {
            run(island, &mut lanes);
        }
    }

    /// At the start of a step, when the rows of the start are known.
    pub(super) fn start_islands(&mut self) {
        self.each_island(|island, lanes| island.start(lanes));
    }

    /// At the end of a sub-step, `elapsed` seconds into the step: closes what opened unforeseen.
    pub(crate) fn tighten_islands(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64) {
        for _ in 0..TIGHTENED {
            let mut any = false;
            let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
            let mut lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
            for island in articulated {
                any |= island.tighten(&mut lanes);
            }
            if !any {
                return;
            }
            self.evaluate_islands(isa, joints, elapsed);
        }
    }

    /// The rows of islands that are solved as a whole, `elapsed` seconds into the step.
    fn evaluate_islands(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64) {
        let hot = Shared::new(&mut self.hot.floats);
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.direct) {
            bucket.evaluate(isa, hot, &self.programs, false);
        }
        for group in &mut self.groups {
            let clock = [self.time, elapsed];
            group.evaluate(isa, &self.hot, joints, &mut self.wides, clock);
        }
    }

    /// The velocities at the end of a sub-step.
    pub(super) fn project_islands(&mut self) {
        self.each_island(Articulated::project);
    }

    /// Moves the bodies of islands that are solved as a whole over a sub-step that ends `elapsed` seconds
    /// into the step.
    pub(crate) fn advance_islands(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64) {
        if self.articulated.is_empty() {
            return;
        }
        self.each_island(Articulated::foresee_half_way);
        // Bodies that go by themselves are half-way too, and then where they were.
        let mut driven: Vec<u32> =
            self.articulated.iter().flat_map(|island| island.driven().to_vec()).collect();
        driven.sort_unstable();
        driven.dedup();
        let half = 0.5 * self.h as f32;
        let mut kept = Vec::with_capacity(driven.len());
        for row in &driven {
            let state = &mut self.hot.floats[HOT * *row as usize..][..HOT];
            let pose: [f32; 5] = std::array::from_fn(|k| state[3 + k]);
            kept.push(pose);
            motion::advance(state, half);
        }
        self.evaluate_islands(isa, joints, elapsed - 0.5 * self.h);
        for (row, pose) in driven.iter().zip(kept) {
            self.hot.floats[HOT * *row as usize + 3..][..5].copy_from_slice(&pose);
        }
        self.each_island(Articulated::advance);
        self.drive_ends(joints, elapsed);
    }
}
