//! From a sketch to a mechanism: the nearest positions that satisfy every joint, or which joints
//! contradict each other.

use super::bench::{Bench, DesignError};
use super::lines::{Line, What};
use super::system::System;
use crate::joint::JointId;
use crate::world::World;

/// So many other beginnings are tried.
const ATTEMPTS: u64 = 16;
/// Residuals below this part of the largest take no part in a contradiction.
const SLIGHT: f64 = 1e-5;

/// What assembling did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assembled {
    /// √Σ (m |Δx|² + I Δθ²): how far the bodies moved, by mass.
    pub moved: f64,
    /// The largest error that is left, m or rad.
    pub open: f64,
    /// From how many beginnings it was tried; 1 if the sketch itself was good enough.
    pub attempts: u32,
}

impl World {
    /// Moves the bodies to the nearest positions, by mass, that satisfy every joint, held axis and
    /// rigid stop:
    ///
    /// ```text
    /// min Σ m |x − x₀|² + I (θ − θ₀)²   with C(x) = 0, lower ≤ q ≤ upper
    /// ```
    ///
    /// The sketch may be far off. Static and kinematic bodies and locked freedoms stay; springs,
    /// friction and motors at a speed do not count, motors that hold a position rigidly do. Where the
    /// sketch leads nowhere, others are tried. Velocities stay as they are.
    ///
    /// ```
    /// use kempe2d::{BodyDef, DesignError, JointDef, Vec2, World};
    ///
    /// let mut world = World::default();
    /// let ground = world.ground()?;
    /// let rod = world.add_body(&BodyDef { position: Vec2::new(0.7, 0.3), ..BodyDef::dynamic() })?;
    /// world.add_joint(&JointDef::revolute(ground, rod, [Vec2::ZERO, Vec2::new(-0.5, 0.0)]))?;
    /// world.assemble()?;
    /// assert!((world[rod].world_point(Vec2::new(-0.5, 0.0))).length() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DesignError::Contradiction`] names joints that cannot be satisfied together, and without any
    /// one of which the others can. The world is as it was.
    pub fn assemble(&mut self) -> Result<Assembled, DesignError> {
        let mut bench = on_bench(self, None)?;
        let from = bench.state.clone();
        let (attempts, open) = bench.attempt(ATTEMPTS)?;
        if !bench.is_closed(open) {
            return Err(self.contradiction(&bench, open));
        }
        bench.approach(&from)?;
        let open = bench.residuals().iter().fold(0.0_f64, |most, r| most.max(r.abs()));
        let moved = bench.distance(&from);
        bench.stepper.system.write(&bench.state, self);
        self.solver.dirty = true;
        self.wake_all();
        Ok(Assembled { moved, open, attempts })
    }

    /// An irreducible set of joints that contradict each other: of those that stay open, each that
    /// can be left out without ending the contradiction is.
    fn contradiction(&self, bench: &Bench, open: f64) -> DesignError {
        let (residuals, weights) = (bench.residuals(), bench.weights());
        let size = |line: usize| residuals[line].abs() / weights[line].sqrt();
        let lines = 0..residuals.len();
        let largest = lines.clone().map(size).fold(0.0_f64, f64::max);
        let mut joints: Vec<JointId> = Vec::new();
        for line in lines.filter(|line| size(*line) > SLIGHT * largest) {
            let joint = bench.joint(line);
            if !joints.contains(&joint) {
                joints.push(joint);
            }
        }
        let fails = |joints: &[JointId]| {
            let tried = on_bench(self, Some(joints)).and_then(|mut bench| {
                let (_, open) = bench.attempt(ATTEMPTS / 2)?;
                Ok(!bench.is_closed(open))
            });
            tried.unwrap_or(false)
        };
        if joints.len() > 64 || !fails(&joints) {
            return DesignError::Contradiction { joints, open };
        }
        for joint in joints.clone().into_iter().rev() {
            let without: Vec<JointId> = joints.iter().copied().filter(|j| *j != joint).collect();
            if !without.is_empty() && fails(&without) {
                joints = without;
            }
        }
        DesignError::Contradiction { joints, open }
    }
}

/// What has positions to satisfy, of these joints or of all.
fn on_bench(world: &World, only: Option<&[JointId]>) -> Result<Bench, DesignError> {
    let keep = |system: &System, line: &Line| {
        let positions = matches!(line.what, What::Hold(_) | What::Spring { .. } | What::Limit(_));
        positions && only.is_none_or(|only| only.contains(&system.parts[line.part].id))
    };
    let mut bench = Bench::new(world, keep)?;
    bench.stepper.modes.fill(super::acts::Mode::Rest);
    Ok(bench)
}

impl Bench {
    /// Closes all from here, or from beginnings nearby. How often it was tried, and what stays open.
    fn attempt(&mut self, most: u64) -> Result<(u32, f64), DesignError> {
        let from = self.state.clone();
        let mut best = (f64::INFINITY, from.clone());
        let reach = {
            let all = |k: usize| from.q.chunks_exact(3).map(move |q| q[k]);
            let span = |k: usize| all(k).fold(f64::MIN, f64::max) - all(k).fold(f64::MAX, f64::min);
            if from.q.is_empty() { 0.0 } else { span(0).max(span(1)).max(1e-3) }
        };
        for attempt in 0..most.max(1) {
            let mut begin = from.clone();
            if attempt > 0 {
                // The same numbers on each run.
                let mut seed = attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let spread = attempt as f64 / most as f64;
                for (k, q) in begin.q.iter_mut().enumerate() {
                    seed = seed
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let number = (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
                    let free = self.stepper.system.movers[k / 3].free[k % 3];
                    let far = if k % 3 == 2 { std::f64::consts::PI } else { 0.5 * reach };
                    *q += if free { number * spread * far } else { 0.0 };
                }
            }
            if self.go(&begin).is_err() {
                continue;
            }
            let open = self.close()?;
            if open < best.0 {
                best = (open, self.state.clone());
            }
            if self.is_closed(open) {
                return Ok((attempt as u32 + 1, open));
            }
        }
        self.go(&best.1)?;
        Ok((most as u32, best.0))
    }
}
