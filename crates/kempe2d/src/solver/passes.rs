//! The passes of a sub-step over everything.

use super::bucket::{Bucket, Part};
use super::build::Solver;
use super::hold::Pass;
use super::wide::Wide;
use crate::joint::{Joint, JointKind};
use kempe_scalar::Isa;
use kempe_solve::Pool;

impl Solver {
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
        for bucket in &mut self.buckets {
            bucket.evaluate(isa, &mut self.hot.floats, self.threads);
            bucket.evaluate_program(isa, &self.hot.floats, &mut self.programs, self.threads);
        }
        for group in &mut self.groups {
            let clock = [self.time, elapsed];
            group.evaluate(isa, &self.hot, joints, &mut self.wides, clock);
            group.silence(&mut self.wides);
        }
        for wide in self.wides.iter_mut().filter(|wide| !wide.direct) {
            wide.factor(isa);
        }
        if start {
            self.weigh_islands();
        }
        self.refresh_islands();
    }

    /// One pass over everything, laws before holds.
    pub(crate) fn pass(&mut self, isa: Isa, joints: &Pool<Joint>, pass: Pass) {
        let h = self.h as f32;
        let idle = |halves: bool| pass == Pass::Again && !halves;
        for holds in [false, true] {
            let hot = &mut self.hot.floats;
            for bucket in self.buckets.iter_mut().filter(|each| !each.direct && !idle(each.halves))
            {
                match bucket.part {
                    Part::Law(..) if !holds => bucket.solve_law(isa, hot, pass, h, self.threads),
                    Part::Hold(..) if holds => bucket.solve_hold(isa, hot, pass, self.threads),
                    _ => {}
                }
            }
            let mine = |wide: &&mut Wide| {
                wide.part.is_hold() == holds && !wide.direct && !idle(wide.halves)
            };
            for wide in self.wides.iter_mut().filter(mine) {
                wide.solve(isa, hot, pass, h);
                if wide.clamped && matches!(pass, Pass::Solve | Pass::Relax | Pass::Settle) {
                    clamp(wide, hot, joints, pass, self.h);
                }
            }
        }
        self.pass_islands(pass);
    }

    /// After the last sub-step, what stops give back.
    pub(crate) fn rebound(&mut self, isa: Isa, joints: &Pool<Joint>) {
        let (h, hot) = (self.h as f32, &mut self.hot.floats);
        let lanes = |bucket: &&mut Bucket| bucket.rebounds && !bucket.direct;
        for bucket in self.buckets.iter_mut().filter(lanes) {
            bucket.solve_law(isa, hot, Pass::Restitution, h, false);
        }
        for wide in self.wides.iter_mut().filter(|wide| wide.rebounds && !wide.direct) {
            wide.solve(isa, hot, Pass::Restitution, h);
        }
        self.pass_islands(Pass::Restitution);
        if self.buckets.iter().any(|bucket| bucket.rebounds && !bucket.direct)
            || self.wides.iter().any(|wide| wide.rebounds && !wide.direct)
        {
            self.pass(isa, joints, Pass::Settle);
        }
    }

    /// Before the first sub-step, how fast stops are approached.
    pub(crate) fn note_approach(&mut self) {
        let hot = &self.hot.floats;
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.rebounds) {
            bucket.note_approach(hot);
        }
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
