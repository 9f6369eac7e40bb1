//! Bodies that fit into a cache together, with the joints between them.
//!
//! A sub-step goes four times over all joints. In a large world each time brings all of them from
//! memory, and each colour of each kind is one more time at which threads wait for each other. So
//! bodies are put into tiles: whole islands, as many as fit, or the parts of one that is larger. A tile
//! that no joint leads out of goes through all sub-steps at once. Where islands are cut, the joints
//! between tiles are a *seam*: they are solved before or after all tiles, and tiles take each
//! sub-step in two halves, up to the new velocities and from the new positions on. An island that is
//! too large for a tile and not worth cutting is in none: threads divide its colours.
//!
//! Which body is in which tile follows from the joints and their order alone, never from the number of
//! threads or from where bodies are: results are the same on any number of them, and go on alike after
//! a snapshot.

use super::bucket::{Layout, Part};
use super::build::Solver;
use super::fill::is_driven;
use super::islands::Whole;
use super::motion::Movers;
use super::pieces::{Piece, part, pieces};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, KindTag};
use kempe_solve::{Islands, Pool};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Bytes of joints in a tile: a part of all there are, but not less or more than these.
const PART: usize = 8;
const LEAST: usize = 48 << 10;
const MOST: usize = 320 << 10;

/// Islands of fewer bytes are not cut: the cache that all processors share has them.
const CUT: usize = 6 << 20;

/// Bytes of what others are cut into: the larger, the shorter are the seams.
const PIECE: usize = 800 << 10;

/// Of no tile.
pub(super) const LOOSE: u32 = u32::MAX;

/// Bodies that move together; their joints are in the buckets of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tile {
    /// Those that no seam holds.
    pub movers: Movers,
    /// A row of the hot state that is nobody's.
    pub nobody: u32,
}

/// A joint that may be in a tile.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Its bodies that move, by slot.
    pub ends: SmallVec<[u32; 2]>,
    pub bytes: usize,
}

/// The bodies of a joint that move, by slot.
pub(super) fn ends(joint: &Joint, bodies: &Pool<Body>) -> SmallVec<[u32; 2]> {
    let moving = |slot: &usize| bodies.at(*slot).is_some_and(Body::moves);
    let slots = joint.def.bodies.iter().map(|id| id.index()).filter(moving);
    slots.map(|slot| slot as u32).collect()
}

impl Solver {
    /// Puts islands into tiles, but for those that are solved as a whole, or have entries for the general
    /// lanes or such as follow the clock, or hang on a body that goes its own way.
    pub(super) fn lay_tiles(
        &mut self,
        bodies: &Pool<Body>,
        joints: &Pool<Joint>,
        tags: &[Option<KindTag>],
        whole: &Whole,
    ) -> Tiling {
        let mut fits = vec![true; whole.count()];
        let mut links = Vec::new();
        for (slot, joint) in (0..tags.len()).filter_map(|slot| Some((slot, joints.at(slot)?))) {
            let Some(island) = whole.island(slot) else { continue };
            let def = &joint.def;
            let driven = |piece: &Piece| match piece {
                Piece::Law(law, row) => {
                    let axis = usize::from(*row).checked_sub(def.kind.hold_count());
                    axis.is_some_and(|axis| is_driven(def, *law, axis))
                }
                Piece::Hold(_) => false,
            };
            let mut on = def.bodies.iter().filter_map(|id| bodies.at(id.index()));
            let pieces = pieces(def, None);
            let Some(tag) = tags[slot] else {
                fits[island] = false;
                continue;
            };
            fits[island] &= !whole.joint(slot)
                && !pieces.iter().any(driven)
                && !on.any(|body| body.kind == BodyKind::Kinematic);
            let bytes = |part: Part| 4 * (Layout::new(tag, part).fields() + 8);
            let bytes = pieces.iter().map(|piece| bytes(part(def, piece))).sum();
            links.push((island, Link { ends: ends(joint, bodies), bytes }));
        }
        links.retain(|link| fits[link.0]);
        let links: Vec<Link> = links.into_iter().map(|link| link.1).collect();
        let tiling = Tiling::new(whole.islands(), bodies.slots(), &links);
        self.tiles = vec![Tile::default(); tiling.count];
        self.tiled = vec![0..0; tiling.count];
        self.alone = tiling.alone;
        tiling
    }
}

/// Which bodies are in which tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiling {
    /// By body slot.
    of_body: Vec<u32>,
    /// By body slot: whether a seam holds it.
    rim: Vec<bool>,
    /// How many tiles no joint leads out of; they come first.
    pub alone: usize,
    pub count: usize,
}

impl Tiling {
    /// The tiles of these joints. All bodies of an island are in tiles, or none.
    pub(super) fn new(islands: &Islands, bodies: usize, links: &[Link]) -> Self {
        let mut weights = vec![0; islands.len()];
        let island = |link: &Link| link.ends.first().and_then(|end| islands.of(*end as usize));
        for link in links {
            if let Some(island) = island(link) {
                weights[island] += link.bytes;
            }
        }
        let total: usize = weights.iter().sum();
        let of_body = vec![LOOSE; bodies];
        let mut tiling = Self { of_body, rim: vec![false; bodies], alone: 0, count: 0 };
        if total < LEAST {
            return tiling;
        }
        let size = (total / PART).clamp(LEAST, MOST);
        let mut filled = size;
        let most = MOST.max(CUT.min(total / PART));
        let whole = |each: &(usize, &usize)| (1..=most).contains(each.1);
        for (island, weight) in weights.iter().enumerate().filter(whole) {
            if filled + weight > size {
                tiling.count += 1;
                filled = 0;
            }
            filled += weight;
            for body in islands.bodies(island) {
                tiling.of_body[*body as usize] = tiling.count as u32 - 1;
            }
        }
        tiling.alone = tiling.count;
        let mut large = weights.iter().enumerate().filter(|each| *each.1 > CUT).peekable();
        if large.peek().is_some() {
            let around = Around::new(bodies, links);
            for (island, weight) in large {
                let size = weight.div_ceil(weight.div_ceil(PIECE));
                tiling.cut(islands.bodies(island), links, &around, size);
            }
        }
        for link in links {
            if tiling.of(&link.ends) == LOOSE {
                link.ends.iter().for_each(|end| tiling.rim[*end as usize] = true);
            }
        }
        tiling
    }

    /// Cuts an island into tiles of this weight: each grows around its first body.
    fn cut(&mut self, bodies: &[u32], links: &[Link], around: &Around, size: usize) {
        let mut front: VecDeque<u32> = VecDeque::new();
        let mut near: VecDeque<u32> = VecDeque::new();
        let mut rest = bodies.iter().copied();
        // In halves, since each joint counts for both its ends.
        let (mut filled, mut tile) = (2 * size, LOOSE);
        loop {
            if filled >= 2 * size {
                // What was near the last tile is where the next one may begin.
                front.append(&mut near);
                self.count += 1;
                (filled, tile) = (0, self.count as u32 - 1);
            }
            let next = near.pop_front().or_else(|| front.pop_front()).or_else(|| rest.next());
            let Some(body) = next else { break };
            if self.of_body[body as usize] != LOOSE {
                continue;
            }
            self.of_body[body as usize] = tile;
            for link in around.links(body).iter().map(|link| &links[*link as usize]) {
                filled += 2 * link.bytes / link.ends.len().max(1);
                near.extend(link.ends.iter().filter(|end| self.of_body[**end as usize] == LOOSE));
            }
        }
        // The last one may have been opened for nothing.
        if filled == 0 {
            self.count -= 1;
        }
    }

    /// The tile that all these bodies are in, if there is one.
    pub(super) fn of(&self, ends: &[u32]) -> u32 {
        let mut tiles = ends.iter().map(|end| self.of_body[*end as usize]);
        let first = tiles.next().unwrap_or(LOOSE);
        if tiles.all(|tile| tile == first) { first } else { LOOSE }
    }

    /// By body slot: the tile that moves it.
    pub(super) fn movers(mut self) -> Vec<u32> {
        for (tile, rim) in self.of_body.iter_mut().zip(self.rim) {
            *tile = if rim { LOOSE } else { *tile };
        }
        self.of_body
    }
}

/// The joints of each body.
struct Around {
    starts: Vec<u32>,
    links: Vec<u32>,
}

impl Around {
    fn new(bodies: usize, links: &[Link]) -> Self {
        let mut starts = vec![0; bodies + 1];
        let ends = || links.iter().flat_map(|link| &link.ends);
        ends().for_each(|end| starts[*end as usize + 1] += 1);
        for body in 0..bodies {
            starts[body + 1] += starts[body];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut of_body = vec![0; ends().count()];
        for (index, link) in links.iter().enumerate() {
            for end in &link.ends {
                let at = &mut next[*end as usize];
                of_body[*at as usize] = index as u32;
                *at += 1;
            }
        }
        Self { starts, links: of_body }
    }

    fn links(&self, body: u32) -> &[u32] {
        let body = body as usize;
        &self.links[self.starts[body] as usize..self.starts[body + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of bodies, linked along each row; and also across, as a sheet.
    fn grid(rows: u32, columns: u32, across: bool) -> (Islands, usize, Vec<Link>) {
        let (mut islands, mut links) = (Islands::default(), Vec::new());
        let count = (rows * columns) as usize;
        islands.reset(count);
        for body in 0..rows * columns {
            let (right, below) = (body + 1, body + columns);
            let next = [(right % columns > 0, right), (across && below < rows * columns, below)];
            for (_, other) in next.into_iter().filter(|each| each.0) {
                islands.connect(body as usize, other as usize);
                links.push(Link { ends: SmallVec::from_slice(&[body, other]), bytes: 200 });
            }
        }
        islands.finish(|_| true);
        (islands, count, links)
    }

    #[test]
    fn islands_that_fit_are_not_cut() {
        let (islands, bodies, links) = grid(200, 50, false);
        let tiling = Tiling::new(&islands, bodies, &links);
        assert!(tiling.count > 4 && tiling.alone == tiling.count, "{}", tiling.count);
        for link in &links {
            assert!(tiling.of(&link.ends) != LOOSE && !tiling.rim[link.ends[0] as usize]);
        }
    }

    #[test]
    fn large_islands_are_cut_with_short_seams() {
        let (islands, bodies, links) = grid(200, 200, true);
        let tiling = Tiling::new(&islands, bodies, &links);
        assert_eq!(tiling.alone, 0);
        let mut bytes = vec![0; tiling.count];
        let mut seam = 0;
        for link in &links {
            match bytes.get_mut(tiling.of(&link.ends) as usize) {
                Some(bytes) => *bytes += link.bytes,
                None => seam += 1,
            }
        }
        assert!(bytes.iter().all(|bytes| (1..=PIECE).contains(bytes)), "{bytes:?}");
        assert!(seam > 0 && 12 * seam < links.len(), "{seam} of {}", links.len());
        // Who moves a body that a seam holds is no tile.
        let rims: Vec<usize> = (0..bodies).filter(|body| tiling.rim[*body]).collect();
        let movers = tiling.movers();
        assert!(rims.iter().all(|body| movers[*body] == LOOSE));
        assert_eq!(movers.iter().filter(|tile| **tile == LOOSE).count(), rims.len());
    }

    #[test]
    fn small_worlds_have_none() {
        let (islands, bodies, links) = grid(4, 20, true);
        assert_eq!(Tiling::new(&islands, bodies, &links).count, 0);
    }
}
