//! Putting joints into buckets, and getting their impulses back.

use super::Hot;
use super::bucket::{Bucket, Part};
use super::direct::Articulated;
use super::drive::Drive;
use super::group::{Group, Member};
use super::islands::Direct;
use super::motion::{Movers, Push};
use super::pieces::{Piece, part, pieces, takes_part};
use super::program::Programs;
use super::stops::Stops;
use super::tiles::{LOOSE, Tile, ends};
use super::wide::{Wide, WidePart};
use crate::body::Body;
use crate::joint::{Joint, KindTag};
use crate::world::Springs;
use kempe_solve::{Coloring, Pool};
use smallvec::SmallVec;
use std::ops::Range;

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// (bucket, lane)
    Built(usize, usize),
    /// (wide bucket, lane)
    Wide(usize, usize),
}

/// The entries of a joint: most have one or two.
pub(crate) type Places = SmallVec<[Place; 2]>;

/// Where an entry of a joint is, kept small. What it is its bucket knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The highest bit for a wide one.
    bucket: u32,
    lane: u32,
}

impl Place {
    const WIDE: u32 = 1 << 31;

    pub(crate) fn new(at: At) -> Self {
        let (bucket, lane) = match at {
            At::Built(bucket, lane) => (bucket as u32, lane),
            At::Wide(bucket, lane) => (bucket as u32 | Self::WIDE, lane),
        };
        Self { bucket, lane: lane as u32 }
    }

    pub(crate) fn at(self) -> At {
        let (bucket, lane) = ((self.bucket & !Self::WIDE) as usize, self.lane as usize);
        if self.bucket & Self::WIDE == 0 { At::Built(bucket, lane) } else { At::Wide(bucket, lane) }
    }
}

/// The joints in lanes, and the bodies that they move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub hot: Hot,
    /// Tile by tile, then what is in none; of each, laws first, in their order, then holds; by colour.
    pub buckets: Vec<Bucket>,
    /// Those that no joint leads out of come first.
    pub(crate) tiles: Vec<Tile>,
    /// The buckets of each tile.
    pub(super) tiled: Vec<Range<usize>>,
    /// How many tiles no joint leads out of.
    pub(super) alone: usize,
    /// By body slot: the tile that moves it.
    tile_of: Vec<u32>,
    /// The same for joints over any bodies.
    pub wides: Vec<Wide>,
    pub groups: Vec<Group>,
    /// Programs of joints that go in the lanes of the built-in ones.
    pub(super) programs: Programs,
    /// By joint slot.
    pub places: Vec<Places>,
    /// By body slot: how many joints that take part refer to it.
    pub joints_on: Vec<u32>,
    /// By joint slot: whether it is solved exactly.
    pub(super) exact: Vec<bool>,
    /// By joint slot: whether its island goes by the mean velocity, and its laws by half a sub-step.
    pub(super) midpoint: Vec<bool>,
    /// By body slot: the island that is solved as a whole.
    pub(super) direct_of: Vec<Option<usize>>,
    /// How springs are integrated.
    pub springs: Springs,
    /// By body slot: whether forces act in two halves, before and after the positions move.
    pub split: Vec<bool>,
    /// By body slot: x, y of the centre of mass and the angle, at the start of the step.
    pub(crate) poses: Vec<[f64; 3]>,
    /// Bodies that a joint refers to and that move, and no tile moves.
    pub movers: Movers,
    /// By body slot: 1/m along x and y and 1/I, if an island is solved as a whole.
    pub(super) masses: Vec<[f64; 3]>,
    /// Islands that are solved as a whole.
    pub(super) articulated: Vec<Articulated>,
    /// Which islands are.
    pub direct: Direct,
    /// How many rows of the hot state lanes have to themselves.
    pub spare: usize,
    /// Whether large buckets are divided among threads.
    pub threads: bool,
    /// Entries whose numbers follow an expression, a law or a tooth.
    pub(super) driven: Vec<Drive>,
    /// Slots of joints and their axes where an expression or a law gave no number in this step.
    pub(crate) unknown: Vec<(u32, u32)>,
    /// Slots of joints that begin a step without impulses.
    pub(super) cold: Vec<usize>,
    /// How many joints are solved.
    pub solved: usize,
    /// How many islands they make, and in how many colours they are.
    pub islands: usize,
    pub colors: usize,
    /// Whether something changed that the buckets were made from.
    pub dirty: bool,
    /// Whether joints have yet to be told the directions that their lengths last had.
    pub(super) untold: bool,
    /// Whether they were made anew for this step.
    pub remade: bool,
    /// Which stops were touched in the last step.
    pub(super) stops: Stops,
    /// The length of the sub-steps.
    pub(super) h: f64,
    /// The world's clock at the start of the step.
    pub(super) time: f64,
}

impl Solver {
    /// Makes the buckets anew if something changed, or if the sub-step did; and room for the bodies.
    pub(crate) fn prepare(
        &mut self,
        bodies: &Pool<Body>,
        joints: &mut Pool<Joint>,
        [h, time]: [f64; 2],
    ) {
        self.time = time;
        let mut remake = self.dirty || h != self.h;
        if !remake {
            for group in &mut self.groups {
                remake |= group.start(bodies, joints, time);
            }
        }
        self.remade = remake;
        if remake {
            self.store(joints);
            self.h = h;
            self.build(bodies, joints);
            self.take_over(joints);
            joints.shrink();
            self.dirty = false;
        }
        for group in &self.groups {
            group.silence(&mut self.wides);
        }
    }

    /// Takes over where a body is, and how it moves.
    pub(crate) fn place_body(&mut self, slot: usize, body: &Body) {
        self.poses[slot] = [body.center.x, body.center.y, body.rotation];
        if self.is_jointed(slot) {
            self.hot.body_mut(slot).copy_from_slice(&crate::world::body_state_at_start(body));
        }
    }

    /// Starts a step, once it is known where the bodies are.
    pub(crate) fn start(&mut self, joints: &Pool<Joint>) {
        self.start_drives(joints);
        let joints_on = &self.joints_on;
        self.programs.note_turns(&self.poses, |slot| joints_on[slot] > 0);
        let loose = self.loose();
        for bucket in &mut self.buckets[loose..] {
            bucket.start(&self.programs, &self.poses, self.threads);
        }
        for wide in &mut self.wides {
            wide.start();
        }
        self.forget();
    }

    fn build(&mut self, bodies: &Pool<Body>, joints: &Pool<Joint>) {
        self.buckets.clear();
        self.stops.clear();
        self.spare = 0;
        self.wides.clear();
        self.groups.clear();
        self.driven.clear();
        self.places = vec![Places::new(); joints.slots()];
        self.joints_on = vec![0; bodies.slots()];
        let taking_part: Vec<usize> = joints
            .iter()
            .filter(|(_, joint)| takes_part(joint, bodies))
            .map(|(id, _)| id.index())
            .collect();
        self.solved = taking_part.len();
        let cold = |slot: &&usize| joints.at(**slot).is_some_and(|joint| !joint.def.warm_start);
        self.cold = taking_part.iter().filter(cold).copied().collect();
        for joint in taking_part.iter().filter_map(|slot| joints.at(*slot)) {
            let mut seen: Vec<usize> = joint.def.bodies.iter().map(|id| id.index()).collect();
            seen.sort_unstable();
            seen.dedup();
            for body in seen {
                self.joints_on[body] += 1;
            }
        }
        self.build_groups(bodies, joints, &taking_part);
        let whole = self.choose_islands(bodies, joints, &taking_part);
        // Programs that fit go with the built-in joints.
        self.programs.clear();
        let mut tags: Vec<Option<KindTag>> = vec![None; joints.slots()];
        for slot in &taking_part {
            let Some(joint) = joints.at(*slot) else { continue };
            tags[*slot] = joint.def.kind.tag();
            if tags[*slot].is_none() {
                tags[*slot] = self.programs.tag(joint, bodies);
            }
        }
        self.programs.count_columns(&mut tags);
        for group in &mut self.groups {
            group.members.retain(|member| tags[member.joint].is_none());
        }
        self.groups.retain(|group| !group.members.is_empty());
        self.split_forces(joints, &taking_part, &whole);
        let tiling = self.lay_tiles(bodies, joints, &tags, &whole);
        // Laws and holds are solved in passes of their own, and so are tiles and what is in none; they are
        // coloured so.
        let mut colorings: [[Coloring; 2]; 2] = Default::default();
        for coloring in colorings.as_flattened_mut() {
            coloring.reset(bodies.slots());
        }
        let moving = |slot: &usize| bodies.at(*slot).is_some_and(Body::moves);
        let mut color = |hold: bool, tiled: bool, joint: &Joint, slot: usize| {
            let ends: SmallVec<[usize; 4]> = joint.def.bodies.iter().map(|id| id.index()).collect();
            let ends = ends.iter().copied().filter(moving);
            // What finds no colour goes one by one: a bucket of its own each.
            colorings[usize::from(hold)][usize::from(tiled)].color(ends).unwrap_or(100_000 + slot)
        };
        let mut member_of: Vec<Option<[usize; 2]>> = vec![None; joints.slots()];
        for (group, at) in self.groups.iter().enumerate() {
            for (index, member) in at.members.iter().enumerate() {
                member_of[member.joint] = Some([group, index]);
            }
        }
        let mut built: Vec<(u32, bool, Part, KindTag, usize, usize)> = Vec::new();
        let mut wide: Vec<(bool, WidePart, usize, usize, usize)> = Vec::new();
        // In the order of the slots, whatever else joints have in common: what is restored from a
        // snapshot must find the same colours.
        for slot in &taking_part {
            let Some(joint) = joints.at(*slot) else { continue };
            if let Some([group, index]) = member_of[*slot] {
                let member = &self.groups[group].members[index];
                for piece in pieces(&joint.def, Some(&member.bounds)) {
                    let part = match piece {
                        Piece::Law(law, row) => WidePart::Law(law, row),
                        Piece::Hold(rows) => WidePart::Hold(rows),
                    };
                    let direct = whole.joint(*slot);
                    let color = if direct { 0 } else { color(part.is_hold(), false, joint, *slot) };
                    wide.push((direct, part, member.bodies.len(), color, *slot));
                }
            }
            let Some(tag) = tags[*slot] else { continue };
            let tile = tiling.of(&ends(joint, bodies));
            for piece in pieces(&joint.def, None) {
                let part = part(&joint.def, &piece);
                let direct = whole.joint(*slot);
                let hold = matches!(part, Part::Hold(..));
                let color = if direct { 0 } else { color(hold, tile != LOOSE, joint, *slot) };
                built.push((tile, direct, part, tag, color, *slot));
            }
        }
        built.sort_unstable();
        let mut last = None;
        for (tile, direct, part, kind, color, slot) in built {
            let Some(joint) = joints.at(slot) else { continue };
            if last != Some((tile, direct, part, kind, color)) {
                self.buckets.push(Bucket::new(kind, part));
                last = Some((tile, direct, part, kind, color));
            }
            let index = self.buckets.len() - 1;
            if let Some(tiled) = self.tiled.get_mut(tile as usize) {
                tiled.start = if tiled.end == 0 { index } else { tiled.start };
                tiled.end = index + 1;
            }
            self.buckets[index].direct = direct;
            let ends = [0, 1].map(|k| joint.def.bodies[k].index());
            let moves = ends.map(|end| moving(&end));
            let lane = self.buckets[index].push(slot, ends, moves);
            let at = At::Built(index, lane);
            self.fill(at, bodies, joint, slot);
            self.places[slot].push(Place::new(at));
        }
        // All joints of a tile may lead out of it.
        let mut end = 0;
        for tiled in &mut self.tiled {
            if tiled.end == 0 {
                *tiled = end..end;
            }
            end = tiled.end;
        }
        wide.sort_unstable();
        let mut last = None;
        for (direct, part, count, color, slot) in wide {
            let Some([group, index]) = member_of[slot] else { continue };
            let member = &self.groups[group].members[index];
            let Some(joint) = joints.at(slot) else { continue };
            if last.as_ref() != Some(&(direct, part.clone(), count, color)) {
                self.wides.push(Wide::new(part.clone(), count));
                last = Some((direct, part.clone(), count, color));
            }
            let bucket = self.wides.len() - 1;
            self.wides[bucket].direct = direct;
            let lane = self.wides[bucket].push(slot, &member.bodies);
            let at = At::Wide(bucket, lane);
            self.groups[group].members[index].places.push((bucket, lane));
            self.fill(at, bodies, joint, slot);
            self.places[slot].push(Place::new(at));
        }
        self.masses = Vec::new();
        if whole.is_any() {
            self.masses.resize(bodies.slots(), [0.0; 3]);
            for (id, body) in bodies.iter() {
                self.masses[id.index()] = body.inverse_mass();
            }
        }
        for bucket in &mut self.buckets {
            bucket.finish(|| {
                self.spare += 1;
                (bodies.slots() + self.spare) as u32
            });
            bucket.compare();
        }
        for tile in &mut self.tiles {
            self.spare += 1;
            tile.nobody = (bodies.slots() + self.spare) as u32;
        }
        self.tile_of = tiling.movers();
        self.islands = whole.count();
        let most = |each: &[Coloring; 2]| each.iter().map(Coloring::colors).max().unwrap_or(0);
        self.colors = colorings.iter().map(most).sum();
        self.articulate(bodies, &whole);
    }

    fn build_groups(&mut self, bodies: &Pool<Body>, joints: &Pool<Joint>, taking_part: &[usize]) {
        for slot in taking_part {
            let Some(joint) = joints.at(*slot) else { continue };
            if joint.def.kind.tag().is_some() {
                continue;
            }
            let found = self.groups.iter().position(|group| group.takes(joint));
            let at = found.unwrap_or_else(|| {
                self.groups.push(Group::new(joint));
                self.groups.len() - 1
            });
            self.groups[at].members.push(Member::new(*slot, joint, bodies));
        }
        for group in &mut self.groups {
            group.start(bodies, joints, self.time);
        }
    }

    /// At the end of a step: where points are on their paths.
    pub(crate) fn place_points(&self, joints: &mut Pool<Joint>) {
        for member in self.groups.iter().flat_map(|group| &group.members) {
            if let Some(joint) = joints.at_mut(member.joint)
                && joint.state.place.is_some()
                && member.place.is_finite()
            {
                joint.state.place = Some(member.place);
            }
        }
    }

    /// Whether threads find something to divide; it may be that they do, before it is known.
    pub(crate) fn is_divided(&self) -> bool {
        self.dirty || self.tiles.len() > 1 || self.buckets.iter().any(Bucket::is_divided)
    }

    /// The first bucket that is in no tile.
    pub(super) fn loose(&self) -> usize {
        self.tiled.last().map_or(0, |tiled| tiled.end)
    }

    /// Forgets what moves, before it is told anew; `common` is what pushes most of it.
    pub(crate) fn clear_movers(&mut self, common: Push) {
        self.movers.clear(common, 0);
        for tile in &mut self.tiles {
            tile.movers.clear(common, tile.nobody);
        }
    }

    /// The movers that the body in a slot is one of.
    pub(crate) fn movers_of(&mut self, slot: usize) -> &mut Movers {
        let tile = self.tile_of.get(slot).and_then(|tile| self.tiles.get_mut(*tile as usize));
        tile.map_or(&mut self.movers, |tile| &mut tile.movers)
    }

    /// Whether a joint that takes part refers to a body.
    pub(crate) fn is_jointed(&self, slot: usize) -> bool {
        self.joints_on.get(slot).is_some_and(|count| *count > 0)
    }

    /// Joints that were left out of this step.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = usize> + '_ {
        let members = self.groups.iter().flat_map(|group| &group.members);
        let programs = self.buckets.iter().filter(|bucket| bucket.own.any_off);
        let programs = programs.flat_map(|bucket| {
            let lanes = bucket.joints.iter().enumerate();
            let off = |lane: usize| bucket.get(lane, bucket.layout.off()) > 0.0;
            lanes.filter(move |(lane, _)| off(*lane)).map(|(_, joint)| *joint as usize)
        });
        members.filter(|member| !member.on).map(|member| member.joint).chain(programs)
    }
}
