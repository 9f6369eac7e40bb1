//! What Kempe is to reach, and what it reaches.

use crate::growth::Growth;
use crate::memory::Memory;
use crate::run::Figure;

/// A figure beside what it is to be.
#[derive(Clone, Debug)]
pub struct Target {
    /// What.
    pub what: String,
    /// What came out.
    pub got: f64,
    /// What it is to be.
    pub wanted: f64,
    /// Whether more is better.
    pub at_least: bool,
}

impl Target {
    /// Whether it is reached.
    pub fn is_met(&self) -> bool {
        if self.at_least { self.got >= self.wanted } else { self.got <= self.wanted }
    }
}

/// Scenes of more joints than this are to gain from a second thread.
const LARGE: [&str; 6] = ["joint_grid", "chains", "cantilevers", "springs", "cloth", "mixed"];

/// The targets that these figures decide.
pub fn of_figures(figures: &[Figure]) -> Vec<Target> {
    let mut targets = Vec::new();
    for kempe in figures.iter().filter(|figure| figure.engine == "kempe") {
        let other = |engine: &str| {
            let same = |f: &&Figure| f.scene == kempe.scene && f.threads == kempe.threads;
            figures.iter().filter(same).find(|figure| figure.engine == engine)
        };
        let Figure { scene, threads, .. } = kempe;
        let mut add = |what: &str, got: f64, wanted: f64, at_least: bool| {
            let what = format!("{scene}, {threads}T: {what}");
            targets.push(Target { what, got, wanted, at_least });
        };
        let faster = |names: [&str; 2]| {
            let times = names.into_iter().filter_map(other).map(|figure| figure.ms_median);
            times.reduce(f64::min).map(|time| time / kempe.ms_median)
        };
        if let Some(ratio) = faster(["box2d", "rapier"]) {
            let wanted = if scene == "cloth" { 4.0 } else { 3.0 };
            add("times as fast as the faster peer", ratio, wanted, true);
        }
        if let Some(ratio) = faster(["box2d-bare", "rapier-bare"]) {
            add("times as fast as the faster bare peer", ratio, 2.0, true);
        }
        if let Some(box2d) = other("box2d") {
            add("largest gap by Box2D's", kempe.gap_max / box2d.gap_max, 1.0, false);
            add("mean gap by Box2D's", kempe.gap_mean / box2d.gap_mean, 1.0, false);
        }
        let variants = [("kempe-text", 1.5), ("kempe-user", 1.1), ("kempe-user-derived", 1.6)];
        for (engine, wanted) in variants {
            if let Some(figure) = other(engine) {
                let ratio = figure.ms_median / kempe.ms_median;
                add(&format!("time of {engine} by the built-in joint's"), ratio, wanted, false);
            }
        }
        let one = |f: &&Figure| f.scene == *scene && f.engine == "kempe" && f.threads == 1;
        if *threads == 2
            && LARGE.contains(&&scene[..])
            && let Some(one) = figures.iter().find(one)
        {
            add("times as fast as on one", one.ms_median / kempe.ms_median, 1.7, true);
        }
    }
    targets
}

/// The targets of growth: a million joints against ten thousand.
pub fn of_growth(rows: &[Growth]) -> Vec<Target> {
    let near = |row: &Growth, joints: f64| (row.joints as f64 / joints - 1.0).abs() < 0.2;
    let mut targets = Vec::new();
    for many in rows.iter().filter(|row| near(row, 1e6)) {
        let same = |row: &&Growth| row.scene == many.scene && row.threads == many.threads;
        let Some(few) = rows.iter().filter(same).find(|row| near(row, 1e4)) else { continue };
        targets.push(Target {
            what: format!("{}, {}T: time per joint, 1M by 10k joints", many.scene, many.threads),
            got: many.ns_per_joint / few.ns_per_joint,
            wanted: if many.scene == "chains" { 1.5 } else { 2.5 },
            at_least: false,
        });
    }
    targets
}

/// The targets of memory.
pub fn of_memory(rows: &[Memory]) -> Vec<Target> {
    let mut targets = Vec::new();
    for row in rows {
        if let Some(box2d) = row.box2d_bytes_per_body {
            targets.push(Target {
                what: format!("{}: bytes per body with its joints, by Box2D's", row.scene),
                got: row.kempe_bytes_per_body / box2d,
                wanted: 1.0,
                at_least: false,
            });
        }
        let calls = row.kempe_allocations_per_step;
        for (threads, calls) in [(1, calls[0]), (2, calls[1])] {
            targets.push(Target {
                what: format!("{}, {threads}T: allocations in a steady step", row.scene),
                got: calls,
                wanted: 0.0,
                at_least: false,
            });
        }
    }
    targets
}
