//! Which islands are solved as a whole, and which forces come in halves.

use super::bucket::LawKind;
use super::build::{At, Solver};
use super::direct::Articulated;
use super::hold::Pass;
use super::pieces::{Piece, pieces};
use super::rows::Lanes;
use super::threads::Shared;
use super::{HOT, motion};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, JointKind, Limit};
use crate::user::Erased;
use kempe_equation::Bound;
use kempe_scalar::Isa;
use kempe_solve::{Islands, Pool, Softness};
use serde::{Deserialize, Serialize};

/// Which islands of bodies are solved as a whole, by one factorisation of all their held rows, and
/// which joint by joint in lanes.
///
/// As a whole an island is solved almost exactly: heavy things hang on light ones, loops close, and
/// energy is kept. Joint by joint is many times faster for large numbers of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direct {
    /// All islands of a small world (up to 192 held rows in all), and in a larger one those in which
    /// a body is more than 20 times as heavy as another (up to 1536 held rows each).
    #[default]
    Auto,
    /// Every island that can be: those without holds that are soft or limited in force.
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

/// Whether the hold of a joint can be a part of a larger system: it is rigid, and nothing limits it.
fn fits(joint: &Joint, pieces: &[Piece]) -> bool {
    let def = &joint.def;
    let clamps = match &def.kind {
        JointKind::User(user) => user.made().is_none_or(Erased::clamps),
        _ => false,
    };
    let holds = pieces.iter().any(|piece| matches!(piece, Piece::Hold(_)));
    let limited = def.max_force.min(def.max_torque) < f64::INFINITY;
    !holds || (def.softness == Softness::Rigid && !limited && !clamps)
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
                Piece::Law(..) => 0,
            });
            rows[island] += held.sum::<usize>();
        }
        let all: usize = rows.iter().sum();
        let direct = (0..islands.len()).map(|island| {
            let masses = islands.bodies(island).iter().filter_map(|slot| bodies.at(*slot as usize));
            let masses = masses.map(|body| body.properties.mass);
            let (least, most) = masses.fold((f64::INFINITY, 0.0_f64), |(least, most), mass| {
                (least.min(mass), most.max(mass))
            });
            let wanted = match self.direct {
                Direct::Never => false,
                Direct::Always => true,
                Direct::Auto => all <= SMALL || (most > RATIO * least && rows[island] <= LARGE),
            };
            wanted && fitting[island] && rows[island] > 0
        });
        let direct = direct.collect();
        Whole { islands, direct, of_joint }
    }

    /// Which bodies are held by rigid rows that are solved exactly: in islands that are solved as a
    /// whole, or by a joint that is alone. Their forces come in two halves, one before the positions
    /// move and one after, and so do the impulses that hold them: of second order, and it keeps the
    /// energy. Springs, motors and friction act whole, before the positions move, each one step of
    /// implicit Euler; islands with such do not split.
    pub(super) fn split_forces(
        &mut self,
        joints: &Pool<Joint>,
        taking_part: &[usize],
        whole: &Whole,
    ) {
        let mut splits: Vec<bool> = vec![true; whole.islands.len()];
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
            splits[island] &= limits.all(rigid)
                && fits(joint, pieces)
                && joint.def.softness == Softness::Rigid
                && pieces.iter().all(|piece| match piece {
                    Piece::Law(law, _) => *law == LawKind::Limit,
                    Piece::Hold(_) => true,
                });
        }
        self.exact = vec![false; joints.slots()];
        for slot in taking_part {
            let Some(joint) = joints.at(*slot) else { continue };
            let mut moving = joint.def.bodies.iter().map(|id| id.index());
            let single = moving.all(|at| whole.islands.of(at).is_none() || self.joints_on[at] == 1);
            self.exact[*slot] = whole.joint(*slot) || single;
        }
        self.split = vec![false; self.joints_on.len()];
        for (island, splits) in splits.iter().enumerate() {
            if *splits && (whole.direct[island] || alone[island]) {
                for slot in whole.islands.bodies(island) {
                    self.split[*slot as usize] = self.joints_on[*slot as usize] > 0;
                }
            }
        }
    }

    /// Makes the islands that are solved as a whole, once their entries have places.
    pub(super) fn articulate(&mut self, bodies: &Pool<Body>, whole: &Whole) {
        self.articulated.clear();
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
            if holds.is_empty() {
                continue;
            }
            laws.sort_by_key(|law| law.1);
            let Self { buckets, wides, hot, masses, poses, h, .. } = self;
            let lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
            self.articulated.push(Articulated::new(holds, laws, [&moving, &going], &lanes));
        }
    }

    /// At the start of a step: lets bodies count as heavy as the impulses of the last one ask, which
    /// slowed them then.
    pub(super) fn weigh_islands(&mut self) {
        let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
        let lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        for island in articulated {
            island.weigh(&lanes);
            island.reweigh(lanes.hot, lanes.masses, false);
        }
    }

    pub(super) fn refresh_islands(&mut self) {
        let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
        let lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        for island in articulated {
            island.refresh(&lanes);
        }
    }

    pub(super) fn pass_islands(&mut self, pass: Pass) {
        let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
        let mut lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        for island in articulated {
            island.pass(&mut lanes, pass);
        }
    }

    /// Before the positions move, in islands that are solved as a whole: tries where the velocities
    /// lead, and takes off what would be open there. The sub-step ends `elapsed` seconds into the
    /// step.
    pub(crate) fn correct_islands(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64) {
        if self.articulated.is_empty() {
            return;
        }
        let h = self.h as f32;
        let going: Vec<u32> =
            self.articulated.iter().flat_map(|island| island.going().to_vec()).collect();
        let mut kept = Vec::with_capacity(going.len());
        for row in &going {
            let state = &mut self.hot.floats[HOT * *row as usize..][..HOT];
            let pose: [f32; 5] = std::array::from_fn(|k| state[3 + k]);
            kept.push(pose);
        }
        // A kinematic body of two islands moves once.
        let mut moved = going.clone();
        moved.sort_unstable();
        moved.dedup();
        for row in &moved {
            motion::advance(&mut self.hot.floats[HOT * *row as usize..][..HOT], h);
        }
        let hot = Shared::new(&mut self.hot.floats);
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.direct) {
            bucket.evaluate(isa, hot, &self.programs, false);
        }
        for group in &mut self.groups {
            let clock = [self.time, elapsed];
            group.evaluate(isa, &self.hot, joints, &mut self.wides, clock);
        }
        for (row, pose) in going.iter().zip(kept) {
            self.hot.floats[HOT * *row as usize + 3..][..5].copy_from_slice(&pose);
        }
        let Self { articulated, buckets, wides, hot, masses, poses, h, .. } = self;
        let mut lanes = Lanes { buckets, wides, hot: &mut hot.floats, masses, poses, h: *h };
        for island in articulated {
            island.correct(&mut lanes);
        }
    }
}
