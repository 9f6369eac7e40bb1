//! Bodies and joints by name, and where joints are drawn.

use crate::file::Loaded;
use kempe2d::{Axis, BodyId, BodyKind, JointDef, JointId, JointKind, Shape, Softness, Vec2, World};
use std::collections::HashMap;

/// How many points of a curved path are drawn at most, and how many for each of its own.
const CURVED: usize = 512;
const BETWEEN: usize = 12;

/// A body of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPart {
    /// Which.
    pub id: BodyId,
    /// Its name in the scene; else `ground`, or its number.
    pub name: String,
    /// What moves it.
    pub kind: BodyKind,
    /// Its pieces, in its own axes.
    pub shapes: Vec<Shape>,
}

impl BodyPart {
    /// Whether nothing moves it.
    pub fn is_fixed(&self) -> bool {
        self.kind == BodyKind::Static
    }
}

/// A joint of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPart {
    /// Which.
    pub id: JointId,
    /// Its name in the scene; else its kind and its number.
    pub name: String,
    /// Its kind as it looks: `rope`, `spring` and `rod` are told apart.
    pub kind: String,
    /// Where its ends are: the index of a body, and a point in its axes.
    pub ends: [(usize, Vec2); 2],
    /// Of a joint along a straight line, its direction in the axes of the first body.
    pub rail: Option<Vec2>,
    /// Where it goes, if it is not straight from end to end.
    pub line: Vec<(usize, Vec2)>,
    /// The units of its coordinates, `m` or `rad`; empty if it is not known.
    pub units: Vec<&'static str>,
    /// Where its coordinates start among those of all joints.
    pub first: usize,
}

/// All bodies and joints of a scene, in the order of its world.
pub(super) fn parts(loaded: &Loaded) -> (Vec<BodyPart>, Vec<JointPart>) {
    let world = &loaded.world;
    let named: HashMap<BodyId, &String> =
        loaded.bodies.iter().map(|(name, id)| (*id, name)).collect();
    let ground = world.ground_body();
    let mut places = HashMap::new();
    let mut bodies = Vec::with_capacity(world.body_count());
    for (id, body) in world.bodies() {
        let name = match named.get(&id) {
            Some(name) => (*name).clone(),
            None if ground == Some(id) => "ground".to_owned(),
            None => format!("body {}", id.index()),
        };
        places.insert(id, bodies.len());
        let shapes = body.shapes().iter().map(|(shape, _)| shape.clone()).collect();
        bodies.push(BodyPart { id, name, kind: body.kind(), shapes });
    }
    let named: HashMap<JointId, &String> =
        loaded.joints.iter().map(|(name, id)| (*id, name)).collect();
    let mut joints: Vec<JointPart> = Vec::with_capacity(world.joint_count());
    let mut first = 0;
    for (id, joint) in world.joints() {
        let def = joint.def();
        let kind = looks(&def);
        let name = match named.get(&id) {
            Some(name) => (*name).clone(),
            None => format!("{} {}", def.kind.name(), id.index()),
        };
        let at: Vec<usize> = def.bodies.iter().filter_map(|id| places.get(id).copied()).collect();
        let line = line(&def.kind, &at);
        let units: Vec<&str> =
            (0..def.kind.axis_count()).map(|k| axis_unit(&def.kind, k)).collect();
        let next = first + units.len();
        let (ends, rail) = (ends(world, &def.kind, &def.bodies, &at), rail(&def.kind));
        joints.push(JointPart { id, name, kind: kind.to_owned(), ends, rail, line, units, first });
        first = next;
    }
    (bodies, joints)
}

/// What a joint is called by who draws it.
fn looks(def: &JointDef) -> &str {
    let JointKind::Distance { .. } = def.kind else { return def.kind.name() };
    let Some(Axis { limit, spring, .. }) = def.axes.first() else { return "distance" };
    match limit {
        _ if spring.is_some() => "spring",
        Some(limit) if limit.lower == limit.upper => "rod",
        Some(limit) if limit.lower <= 0.0 && limit.upper.is_finite() => "rope",
        _ => "distance",
    }
}

fn axis_unit(kind: &JointKind, axis: usize) -> &'static str {
    match (kind, axis) {
        (JointKind::Revolute { .. } | JointKind::Angle { .. }, _)
        | (JointKind::Slot { .. } | JointKind::Path { .. }, 1)
        | (JointKind::Generic { .. } | JointKind::Drive { .. }, 2) => "rad",
        (JointKind::Coupling { .. } | JointKind::Text(_) | JointKind::User(_), _) => "",
        _ => "m",
    }
}

/// The unit of the coordinate of a joint's axis; empty if it is not known.
pub(super) fn coordinate_unit(world: &World, joint: JointId, axis: usize) -> &'static str {
    world.joint(joint).map_or("", |joint| axis_unit(joint.kind(), axis))
}

/// The direction of a straight line, in the axes of the first body.
fn rail(kind: &JointKind) -> Option<Vec2> {
    match kind {
        JointKind::Prismatic { rail, .. } | JointKind::Slot { rail, .. } => Some(*rail),
        _ => None,
    }
}

fn ends(world: &World, kind: &JointKind, ids: &[BodyId], at: &[usize]) -> [(usize, Vec2); 2] {
    let body = |k: usize| at.get(k).copied().unwrap_or(0);
    let last = at.len().saturating_sub(1);
    match kind {
        JointKind::Weld { anchor_a, anchor_b, .. }
        | JointKind::Revolute { anchor_a, anchor_b, .. }
        | JointKind::Prismatic { anchor_a, anchor_b, .. }
        | JointKind::Slot { anchor_a, anchor_b, .. }
        | JointKind::Distance { anchor_a, anchor_b }
        | JointKind::Generic { anchor_a, anchor_b, .. }
        | JointKind::Drive { anchor_a, anchor_b, .. } => {
            [(body(0), *anchor_a), (body(1), *anchor_b)]
        }
        JointKind::Path { anchor, .. } => [(body(1), *anchor); 2],
        JointKind::Pulley { anchors, .. } => [(body(0), anchors[0]), (body(3), anchors[3])],
        JointKind::Tendon { anchors, .. } => {
            let point = |k: usize| anchors.get(k).copied().unwrap_or_default();
            [(body(0), point(0)), (body(last), point(last))]
        }
        // Where such a joint acts is not known: it is shown between the bodies that it moves.
        _ => {
            let center = |k: usize| {
                let body = world.body(*ids.get(k)?)?;
                (body.kind() != BodyKind::Static)
                    .then(|| (at.get(k).copied().unwrap_or(0), body.mass_properties().center))
            };
            let mut moving = (0..at.len()).filter_map(center);
            let first = moving.next().unwrap_or((body(0), Vec2::ZERO));
            [first, moving.next_back().unwrap_or(first)]
        }
    }
}

/// Where a cable or a path goes.
fn line(kind: &JointKind, at: &[usize]) -> Vec<(usize, Vec2)> {
    match kind {
        JointKind::Pulley { anchors, .. } => at.iter().copied().zip(*anchors).collect(),
        JointKind::Tendon { anchors, .. } => {
            at.iter().copied().zip(anchors.iter().copied()).collect()
        }
        JointKind::Path { path, .. } => {
            let Some(on) = at.first() else { return Vec::new() };
            let own = path.points();
            if !path.is_smooth() {
                let again = own.first().filter(|_| path.is_closed());
                return own.iter().chain(again).map(|point| (*on, *point)).collect();
            }
            let count = (BETWEEN * own.len()).min(CURVED);
            let at = |k: usize| path.point_at(path.length() * k as f64 / count as f64);
            (0..=count).map(|k| (*on, at(k))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether something in a world stores energy but its weights.
pub(super) fn has_springs(world: &World) -> bool {
    let gives = |softness: Softness| softness != Softness::Rigid;
    world.joints().any(|(_, joint)| {
        let def = joint.def();
        let of_axis = |axis: &Axis| {
            axis.spring.is_some() || axis.limit.is_some_and(|limit| gives(limit.softness))
        };
        gives(def.softness) || def.axes.iter().any(of_axis)
    })
}
