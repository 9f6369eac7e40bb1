//! A scene run for a time, told in words.

use crate::error::Error;
use crate::scene::{Scene, steps};
use kempe2d::JointId;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// How many joints are told one by one.
const TOLD: usize = 12;

/// What a run of a scene did.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The scene.
    pub scene: &'static str,
    /// How many bodies there are at the end.
    pub bodies: usize,
    /// How many of them sleep.
    pub asleep: usize,
    /// How many joints there are at the end.
    pub joints: usize,
    /// How many steps were made.
    pub steps: u64,
    /// s.
    pub dt: f64,
    /// How much time passed in the world, s.
    pub seconds: f64,
    /// How long the steps took.
    pub took: Duration,
    /// Kinetic energy at the start and at the end, J.
    pub kinetic: [f64; 2],
    /// Energy of the weights at the start and at the end, J.
    pub potential: [f64; 2],
    /// How far the joints were open at most, m and rad.
    pub separation: (f64, f64),
    /// By joint, those with the largest forces first.
    pub by_joint: Vec<JointSummary>,
    /// [`World::state_hash`](kempe2d::World::state_hash) at the end.
    pub hash: u64,
}

/// What a joint did in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSummary {
    /// Its name in the scene, or its kind and its number.
    pub name: String,
    /// The largest force on its last body over a step, N.
    pub force: f64,
    /// The largest torque on it, about the anchor, N·m.
    pub torque: f64,
    /// How far it was open at most, m and rad.
    pub separation: (f64, f64),
}

/// Runs a scene for as many seconds, in steps of `dt`, and watches its joints.
///
/// # Errors
/// If `seconds` or `dt` is not positive.
pub fn summary(scene: &mut Scene, seconds: f64, dt: f64) -> Result<Summary, Error> {
    let names: BTreeMap<usize, &String> =
        scene.joints.iter().map(|(name, id)| (id.index(), name)).collect();
    let world = &mut scene.world;
    let ids: Vec<JointId> = world.joints().map(|(id, _)| id).collect();
    let mut by_joint: Vec<JointSummary> = Vec::with_capacity(ids.len());
    for (id, joint) in world.joints() {
        let name = match names.get(&id.index()) {
            Some(name) => (*name).clone(),
            None => format!("{} {}", joint.def().kind.name(), id.index()),
        };
        by_joint.push(JointSummary { name, force: 0.0, torque: 0.0, separation: (0.0, 0.0) });
    }
    let start = (world.time(), world.kinetic_energy(), world.potential_energy());
    let count = steps(seconds, dt)?;
    let mut took = Duration::ZERO;
    for _ in 0..count {
        let watch = Instant::now();
        world.step(dt)?;
        took += watch.elapsed();
        for (id, told) in ids.iter().zip(&mut by_joint) {
            // One that broke has no more to tell.
            if let Some((force, torque)) = world.joint_reaction(*id) {
                told.force = told.force.max(force.length());
                told.torque = told.torque.max(torque.abs());
            }
            if let Some((length, angle)) = world.joint_separation(*id) {
                told.separation.0 = told.separation.0.max(length);
                told.separation.1 = told.separation.1.max(angle);
            }
        }
    }
    let separation = by_joint.iter().fold((0.0, 0.0), |(length, angle), told| {
        (f64::max(length, told.separation.0), f64::max(angle, told.separation.1))
    });
    by_joint.sort_by(|a, b| (b.force + b.torque).total_cmp(&(a.force + a.torque)));
    Ok(Summary {
        scene: scene.name,
        bodies: world.body_count(),
        asleep: world.bodies().filter(|(_, body)| body.is_asleep()).count(),
        joints: world.joint_count(),
        steps: count,
        dt,
        seconds: world.time() - start.0,
        took,
        kinetic: [start.1, world.kinetic_energy()],
        potential: [start.2, world.potential_energy()],
        separation,
        by_joint,
        hash: world.state_hash(),
    })
}

impl Summary {
    /// How many steps were made in a second.
    pub fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.scene)?;
        writeln!(f, "  bodies      {}, {} asleep", self.bodies, self.asleep)?;
        writeln!(f, "  joints      {}", self.joints)?;
        let (steps, dt) = (self.steps, 1e3 * self.dt);
        writeln!(f, "  simulated   {:.3} s in {steps} steps of {dt:.3} ms", self.seconds)?;
        let speed = self.steps_per_second();
        let times = self.seconds / self.took.as_secs_f64().max(1e-9);
        writeln!(f, "  speed       {speed:.0} steps a second, {times:.1} times as fast as real")?;
        for (when, k) in [("at start", 0), ("at end", 1)] {
            let (kinetic, potential) = (self.kinetic[k], self.potential[k]);
            let total = kinetic + potential;
            let before = if k == 0 { "energy" } else { "" };
            writeln!(
                f,
                "  {before:<10}  {when:<8} {total:>12.4} J: kinetic {kinetic:.4}, of the weights {potential:.4}"
            )?;
        }
        let (length, angle) = self.separation;
        writeln!(f, "  separation  {:.4} mm, {angle:.6} rad at most", 1e3 * length)?;
        if !self.by_joint.is_empty() {
            let told = &self.by_joint[..self.by_joint.len().min(TOLD)];
            let wide = told.iter().map(|each| each.name.chars().count()).max().unwrap_or(0).max(8);
            writeln!(
                f,
                "\n  {:<wide$}  {:>12}  {:>12}  {:>10}",
                "joint", "force, N", "torque, N·m", "open, mm"
            )?;
            for JointSummary { name, force, torque, separation } in told {
                let open = 1e3 * separation.0;
                writeln!(f, "  {name:<wide$}  {force:>12.3}  {torque:>12.3}  {open:>10.4}")?;
            }
            let more = self.by_joint.len() - told.len();
            if more > 0 {
                writeln!(f, "  and {more} more with smaller forces")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  hash        {:016x}", self.hash)
    }
}
