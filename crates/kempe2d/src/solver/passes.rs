//! The passes of a sub-step over everything.

use super::bucket::{Bucket, Part};
use super::build::Solver;
use super::hold::Pass;
use super::lengths::take_over;
use super::program::Programs;
use super::threads::{Shared, divide_parts};
use super::tiles::Tile;
use super::wide::Wide;
use crate::joint::{Joint, JointKind};
use kempe_scalar::Isa;
use kempe_solve::Pool;
use std::ops::Range;

/// What a pass over buckets needs to know.
#[derive(Clone, Copy)]
struct Lap<'a> {
    isa: Isa,
    hot: Shared<'a>,
    programs: &'a Programs,
    poses: &'a [[f64; 3]],
    /// The length of the sub-step.
    h: f32,
    /// Whether large buckets are divided among threads.
    threads: bool,
}

impl Lap<'_> {
    /// Starts a step.
    fn start(&self, buckets: &mut [Bucket]) {
        buckets.iter_mut().for_each(|bucket| bucket.start(self.programs, self.poses, self.threads));
        self.evaluate(buckets);
        for bucket in buckets.iter_mut().filter(|bucket| bucket.rebounds) {
            bucket.note_approach(self.hot);
        }
    }

    /// The rows at the present pose.
    fn evaluate(&self, buckets: &mut [Bucket]) {
        for bucket in buckets {
            bucket.evaluate(self.isa, self.hot, self.programs, self.threads);
        }
    }

    /// One pass over laws, or over holds.
    fn pass(&self, buckets: &mut [Bucket], pass: Pass, holds: bool) {
        let Self { isa, hot, h, threads, .. } = *self;
        let idle = |bucket: &Bucket| bucket.direct || pass == Pass::Again && !bucket.halves;
        for bucket in buckets.iter_mut().filter(|bucket| !idle(bucket)) {
            match bucket.part {
                Part::Law(..) if !holds => bucket.solve_law(isa, hot, pass, h, threads),
                Part::Hold(..) if holds => bucket.solve_hold(isa, hot, pass, threads),
                _ => {}
            }
        }
    }

    fn both(&self, buckets: &mut [Bucket], pass: Pass) {
        self.pass(buckets, pass, false);
        self.pass(buckets, pass, true);
    }

    /// The first half of a sub-step of a tile: to the new velocities.
    fn push(&self, buckets: &mut [Bucket], tile: &Tile) {
        tile.movers.accelerate(self.hot);
        self.both(buckets, Pass::Warm);
        self.both(buckets, Pass::Solve);
    }

    /// The second half: to the new positions, and what follows from them.
    fn go(&self, buckets: &mut [Bucket], tile: &Tile) {
        tile.movers.advance(self.isa, self.hot, self.h);
        self.evaluate(buckets);
        tile.movers.accelerate_again(self.hot);
        self.both(buckets, Pass::Again);
        self.both(buckets, Pass::Relax);
    }
}

impl Solver {
    /// Does something with some tiles, each on some thread.
    fn each_tile(
        &mut self,
        isa: Isa,
        which: Range<usize>,
        run: impl Fn(Lap<'_>, &mut [Bucket], &Tile) + Sync,
    ) {
        let Self { hot, buckets, tiles, tiled, programs, poses, h, .. } = self;
        let hot = Shared::new(&mut hot.floats);
        let lap = Lap { isa, hot, programs, poses, h: *h as f32, threads: false };
        let tiles = &tiles[which.clone()];
        divide_parts(buckets, &tiled[which], |index, buckets| run(lap, buckets, &tiles[index]));
    }

    /// All sub-steps of tiles that no joint leads out of.
    pub(crate) fn run_tiles(&mut self, isa: Isa, substeps: u32) {
        self.each_tile(isa, 0..self.alone, |lap, buckets, tile| {
            lap.start(buckets);
            for _ in 0..substeps {
                lap.push(buckets, tile);
                lap.go(buckets, tile);
            }
            take_over(buckets, false);
        });
    }

    /// The others, at the start of a step.
    pub(crate) fn start_tiles(&mut self, isa: Isa) {
        // While one is solved the next can be on its way.
        for tile in self.alone..self.tiles.len() {
            for index in 0..self.tiled[tile].len() {
                let next = self.tiled.get(tile + 1).map(|next| next.start + index);
                let next = next.filter(|next| self.tiled[tile + 1].contains(next));
                let ahead = next.map_or(0, |next| self.buckets[next].data.as_ptr().addr());
                self.buckets[self.tiled[tile].start + index].ahead = ahead;
            }
        }
        self.each_tile(isa, self.alone..self.tiles.len(), |lap, buckets, _| lap.start(buckets));
    }

    /// The rows at the start of a step.
    pub(crate) fn evaluate_start(&mut self, isa: Isa, joints: &Pool<Joint>) {
        self.evaluate_at(isa, joints, 0.0, true);
    }

    /// The rows at the present pose, `elapsed` seconds into the step.
    pub(crate) fn evaluate(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64) {
        self.evaluate_at(isa, joints, elapsed, false);
    }

    fn evaluate_at(&mut self, isa: Isa, joints: &Pool<Joint>, elapsed: f64, start: bool) {
        self.drive_targets(joints, elapsed);
        let (buckets, lap) = self.loose_lap(isa);
        lap.evaluate(buckets);
        for group in &mut self.groups {
            let clock = [self.time, elapsed];
            group.evaluate(isa, &self.hot, joints, &mut self.wides, clock);
            group.silence(&mut self.wides);
        }
        for wide in self.wides.iter_mut().filter(|wide| !wide.direct) {
            wide.factor(isa);
        }
        if start {
            self.start_islands();
        }
    }

    /// The buckets that are in no tile.
    fn loose_lap(&mut self, isa: Isa) -> (&mut [Bucket], Lap<'_>) {
        let loose = self.loose();
        let Self { hot, buckets, programs, poses, h, threads, .. } = self;
        let hot = Shared::new(&mut hot.floats);
        let lap = Lap { isa, hot, programs, poses, h: *h as f32, threads: *threads };
        (&mut buckets[loose..], lap)
    }

    /// One pass over all that is in no tile, laws before holds.
    pub(crate) fn pass(&mut self, isa: Isa, joints: &Pool<Joint>, pass: Pass) {
        self.half(isa, joints, pass, false);
        self.half(isa, joints, pass, true);
    }

    /// The same, with a half of a sub-step of the tiles in between: what comes last wins.
    pub(crate) fn pass_around(&mut self, isa: Isa, joints: &Pool<Joint>, pass: Pass) {
        self.half(isa, joints, pass, false);
        self.each_tile(isa, self.alone..self.tiles.len(), |lap, buckets, tile| match pass {
            Pass::Solve => lap.push(buckets, tile),
            _ => lap.go(buckets, tile),
        });
        self.half(isa, joints, pass, true);
    }

    /// The laws of what is in no tile, or the holds.
    fn half(&mut self, isa: Isa, joints: &Pool<Joint>, pass: Pass, holds: bool) {
        let (buckets, lap) = self.loose_lap(isa);
        lap.pass(buckets, pass, holds);
        let Self { wides, hot, h, .. } = self;
        let mine = |wide: &&mut Wide| {
            let idle = pass == Pass::Again && !wide.halves;
            wide.part.is_hold() == holds && !wide.direct && !idle
        };
        for wide in wides.iter_mut().filter(mine) {
            wide.solve(isa, &mut hot.floats, pass, *h as f32);
            if wide.clamped && matches!(pass, Pass::Solve | Pass::Relax | Pass::Settle) {
                clamp(wide, &mut hot.floats, joints, pass, *h);
            }
        }
        if holds && pass == Pass::Relax {
            self.project_islands();
        }
    }

    /// After the last sub-step, what stops give back.
    pub(crate) fn rebound(&mut self, isa: Isa, joints: &Pool<Joint>) {
        let h = self.h as f32;
        let lanes = |bucket: &&mut Bucket| bucket.rebounds && !bucket.direct;
        let hot = Shared::new(&mut self.hot.floats);
        for bucket in self.buckets.iter_mut().filter(lanes) {
            bucket.solve_law(isa, hot, Pass::Restitution, h, false);
        }
        for wide in self.wides.iter_mut().filter(|wide| wide.rebounds && !wide.direct) {
            wide.solve(isa, &mut self.hot.floats, Pass::Restitution, h);
        }
        if self.buckets.iter().any(|bucket| bucket.rebounds && !bucket.direct)
            || self.wides.iter().any(|wide| wide.rebounds && !wide.direct)
        {
            self.each_tile(isa, 0..self.tiles.len(), |lap, buckets, _| {
                lap.both(buckets, Pass::Settle);
            });
            self.pass(isa, joints, Pass::Settle);
        }
    }

    /// Before the first sub-step, how fast stops are approached.
    pub(crate) fn note_approach(&mut self) {
        let loose = self.loose();
        let hot = Shared::new(&mut self.hot.floats);
        for bucket in self.buckets[loose..].iter_mut().filter(|bucket| bucket.rebounds) {
            bucket.note_approach(hot);
        }
        let hot = &self.hot.floats;
        for wide in self.wides.iter_mut().filter(|wide| wide.rebounds) {
            wide.note_approach(hot);
        }
    }
}

/// What joints say about their own impulses: the difference is given back.
fn clamp(wide: &mut Wide, hot: &mut [f32], joints: &Pool<Joint>, pass: Pass, h: f64) {
    let layout = wide.layout;
    for lane in 0..wide.joints.len() {
        let Some(joint) = joints.at(wide.joints[lane] as usize) else { continue };
        let JointKind::User(user) = &joint.def.kind else { continue };
        let Some(made) = user.made().filter(|made| made.clamps()) else { continue };
        let before: Vec<f64> =
            (0..layout.rows).map(|k| wide.get(lane, layout.impulse(k)).into()).collect();
        let mut after = before.clone();
        made.clamp(&mut after, h);
        for (k, (before, after)) in before.into_iter().zip(after).enumerate() {
            let change = (after - before) as f32;
            if change == 0.0 || !change.is_finite() {
                continue;
            }
            wide.set(lane, layout.impulse(k), after as f32);
            if matches!(pass, Pass::Relax | Pass::Settle) {
                let total = wide.get(lane, layout.total(k)) + change;
                wide.set(lane, layout.total(k), total);
            }
            for body in 0..layout.bodies {
                let at = super::HOT * wide.lists[body][lane] as usize;
                for (j, velocity) in hot[at..at + 3].iter_mut().enumerate() {
                    let mass = wide.get(lane, layout.masses(body) + j);
                    *velocity += mass * (wide.get(lane, layout.row(k, body) + j) * change);
                }
            }
        }
    }
}
