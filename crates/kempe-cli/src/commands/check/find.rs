//! How a scene fits together, and how it can move.

use super::names::{self, Names};
use super::notes;
use crate::failure::Failure;
use kempe_scenes::file::Loaded;
use kempe2d::{BodyId, BodyKind, DesignError, JointId, RowOf, Vec2, World};
use serde::Serialize;

/// Larger worlds take minutes, freedoms.
const MOST_FREEDOMS: usize = 4500;

/// What was found of a scene.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    pub scene: String,
    pub sound: bool,
    /// Why it is not.
    pub unsound: Vec<String>,
    pub moving_bodies: usize,
    pub joints: usize,
    pub assembly: Assembly,
    pub mobility: Option<Mobility>,
    /// What looks like a mistake.
    pub notes: Vec<String>,
}

/// What assembling did.
#[derive(Debug, Serialize)]
pub(super) struct Assembly {
    pub closed: bool,
    /// How far the worst joint was open as it was drawn, m and rad, and which.
    pub open_m: f64,
    pub open_rad: f64,
    pub worst: Option<String>,
    /// The furthest that a body was moved and turned, and which was moved.
    pub moved_m: f64,
    pub turned_rad: f64,
    pub furthest: Option<String>,
    /// What stays open.
    pub left: f64,
    /// From how many beginnings it was tried.
    pub attempts: u32,
    /// Joints that cannot be satisfied together.
    pub contradicting: Vec<String>,
}

/// How it can move where it was assembled; or as it was drawn, if it could not be.
#[derive(Debug, Serialize)]
pub(super) struct Mobility {
    pub mobility: usize,
    pub grubler: i64,
    pub freedoms: usize,
    pub rows: usize,
    pub rank: usize,
    pub mechanisms: Vec<Mechanism>,
    pub redundant: Vec<Redundant>,
    pub singular: bool,
    /// Axes that motors hold.
    pub driven: Vec<Axis>,
    /// Axes that are at a stop.
    pub at_stops: Vec<Axis>,
}

/// Bodies that joints connect.
#[derive(Debug, Serialize)]
pub(super) struct Mechanism {
    pub bodies: Vec<String>,
    pub joints: Vec<String>,
    pub mobility: usize,
    pub grubler: i64,
    /// From a singular position, 0 to 1.
    pub nearness: Option<f64>,
}

/// A row that says what others say.
#[derive(Debug, Serialize)]
pub(super) struct Redundant {
    pub joint: String,
    pub row: usize,
    pub what: String,
    pub repeats: Vec<String>,
    pub everywhere: bool,
}

/// An axis of a joint.
#[derive(Debug, Serialize)]
pub(super) struct Axis {
    pub joint: String,
    pub axis: usize,
}

pub(super) fn find(scene: &str, mut loaded: Loaded) -> Result<Found, Failure> {
    let names = Names::of(&loaded);
    let notes = notes::notes(&loaded, &names);
    let moving = |world: &World| world.bodies().filter(|(_, body)| moves(body)).count();
    let moving_bodies = moving(&loaded.world);
    if 3 * moving_bodies > MOST_FREEDOMS {
        let most = MOST_FREEDOMS / 3;
        return Err(Failure::Bad(format!(
            "{scene} has {moving_bodies} bodies that move; at most {most} can be checked"
        )));
    }
    let mut unsound = Vec::new();
    let assembly = assemble(&mut loaded.world, &names, &mut unsound);
    let mobility = match loaded.world.mobility() {
        Ok(found) => Some(mobility(&loaded.world, &names, &found)),
        Err(error) => {
            unsound.push(told(&error, &names));
            None
        }
    };
    if let Some(mobility) = mobility.as_ref().filter(|mobility| mobility.singular) {
        let at = mobility.redundant.iter().filter(|each| !each.everywhere);
        let mut joints: Vec<String> = at.map(|each| format!("`{}`", each.joint)).collect();
        joints.dedup();
        let joints = joints.join(", ");
        unsound.push(format!(
            "the position is singular: {joints} says nothing new here, and does nearby"
        ));
    }
    let joints = loaded.model.joints.len();
    let (scene, sound) = (scene.to_owned(), unsound.is_empty());
    Ok(Found { scene, sound, unsound, moving_bodies, joints, assembly, mobility, notes })
}

fn moves(body: &kempe2d::Body) -> bool {
    body.kind() == BodyKind::Dynamic && body.is_enabled()
}

fn assemble(world: &mut World, names: &Names, unsound: &mut Vec<String>) -> Assembly {
    let drawn: Vec<(BodyId, Vec2, f64)> =
        world.bodies().map(|(id, body)| (id, body.position(), body.rotation())).collect();
    let mut assembly = Assembly {
        closed: false,
        open_m: 0.0,
        open_rad: 0.0,
        worst: None,
        moved_m: 0.0,
        turned_rad: 0.0,
        furthest: None,
        left: 0.0,
        attempts: 0,
        contradicting: Vec::new(),
    };
    let mut worst = (0.0, None);
    for (id, joint) in world.joints().filter(|(_, joint)| joint.is_enabled()) {
        // What is soft is open as it should be.
        if joint.def().softness != kempe2d::Softness::Rigid {
            continue;
        }
        let Some((length, angle)) = world.joint_separation(id) else { continue };
        assembly.open_m = assembly.open_m.max(length);
        assembly.open_rad = assembly.open_rad.max(angle);
        if length.max(angle) > worst.0 {
            worst = (length.max(angle), Some(names.joint(id)));
        }
    }
    assembly.worst = worst.1;
    match world.assemble() {
        Ok(done) => {
            assembly.closed = true;
            (assembly.left, assembly.attempts) = (done.open, done.attempts);
        }
        Err(error) => {
            if let DesignError::Contradiction { joints, open } = &error {
                assembly.left = *open;
                assembly.contradicting = joints.iter().map(|id| names.joint(*id)).collect();
            }
            unsound.push(told(&error, names));
        }
    }
    for (id, position, rotation) in drawn {
        let Some(body) = world.body(id) else { continue };
        let moved = (body.position() - position).length();
        if moved > assembly.moved_m {
            (assembly.moved_m, assembly.furthest) = (moved, Some(names.body(id)));
        }
        assembly.turned_rad = assembly.turned_rad.max((body.rotation() - rotation).abs());
    }
    assembly
}

/// An error with names.
fn told(error: &DesignError, names: &Names) -> String {
    match error {
        DesignError::Contradiction { joints, open } => {
            let joints: Vec<String> =
                joints.iter().map(|id| format!("`{}`", names.joint(*id))).collect();
            let open = super::tell::short(*open);
            match &joints[..] {
                [one] => format!("{one} cannot be satisfied: {open} stays open"),
                all => format!("{} contradict each other: {open} stays open", all.join(", ")),
            }
        }
        other => other.to_string(),
    }
}

fn mobility(world: &World, names: &Names, found: &kempe2d::Mobility) -> Mobility {
    let mechanisms = found.mechanisms.iter().map(|each| Mechanism {
        bodies: each.bodies.iter().map(|id| names.body(*id)).collect(),
        joints: each.joints.iter().map(|id| names.joint(*id)).collect(),
        mobility: each.mobility(),
        grubler: each.grubler(),
        nearness: each.nearness,
    });
    let what = |row: &RowOf| names::row(world, row.joint, row.row);
    let redundant = found.redundant.iter().map(|each| {
        let repeats = each.repeats.iter().map(|row| (row.joint, what(row)));
        Redundant {
            joint: names.joint(each.row.joint),
            row: each.row.row,
            what: what(&each.row),
            repeats: together(repeats, names),
            everywhere: each.everywhere,
        }
    });
    let axis = |joint: JointId, axis: usize| Axis { joint: names.joint(joint), axis };
    Mobility {
        mobility: found.mobility(),
        grubler: found.grubler(),
        freedoms: found.freedoms(),
        rows: found.rows(),
        rank: found.rank(),
        mechanisms: mechanisms.collect(),
        redundant: redundant.collect(),
        singular: found.redundant.iter().any(|each| !each.everywhere),
        driven: found.driven.iter().map(|(joint, at)| axis(*joint, *at)).collect(),
        at_stops: found.touched.iter().map(|(joint, at, _)| axis(*joint, *at)).collect(),
    }
}

/// Rows by joint: `pin (x, y)`.
fn together(rows: impl Iterator<Item = (JointId, String)>, names: &Names) -> Vec<String> {
    let mut joints: Vec<(JointId, Vec<String>)> = Vec::new();
    for (joint, what) in rows {
        match joints.iter_mut().find(|(id, _)| *id == joint) {
            Some((_, rows)) => rows.push(what),
            None => joints.push((joint, vec![what])),
        }
    }
    let each = joints.into_iter();
    each.map(|(id, rows)| format!("{} ({})", names.joint(id), rows.join(", "))).collect()
}
