//! Bodies, joints and rows by name.

use kempe_scenes::file::Loaded;
use kempe2d::{BodyId, JointId, JointKind, KindInfo, World};
use std::collections::HashMap;

/// What things of a scene are called.
pub(super) struct Names {
    bodies: HashMap<BodyId, String>,
    joints: HashMap<JointId, String>,
}

impl Names {
    /// By the scene; else `body` or the kind of joint, and a number.
    pub fn of(loaded: &Loaded) -> Self {
        let world = &loaded.world;
        let mut bodies: HashMap<BodyId, String> =
            world.bodies().map(|(id, _)| (id, format!("body {}", id.index()))).collect();
        bodies.extend(world.ground_body().map(|id| (id, "ground".to_owned())));
        bodies.extend(loaded.bodies.iter().map(|(name, id)| (*id, name.clone())));
        let kind = |id: JointId, kind: &JointKind| format!("{} {}", kind.name(), id.index());
        let mut joints: HashMap<JointId, String> =
            world.joints().map(|(id, joint)| (id, kind(id, joint.kind()))).collect();
        joints.extend(loaded.joints.iter().map(|(name, id)| (*id, name.clone())));
        Self { bodies, joints }
    }

    pub fn body(&self, id: BodyId) -> String {
        self.bodies.get(&id).cloned().unwrap_or_default()
    }

    /// `body` and its name, or its number.
    pub fn the_body(&self, id: BodyId) -> String {
        let name = self.body(id);
        if name.starts_with("body ") { name } else { format!("body `{name}`") }
    }

    pub fn joint(&self, id: JointId) -> String {
        self.joints.get(&id).cloned().unwrap_or_default()
    }
}

/// What a row of a joint is about; held rows come first, then axes.
pub(super) fn row(world: &World, joint: JointId, row: usize) -> String {
    let Some(joint) = world.joint(joint) else { return String::new() };
    let kind = joint.kind();
    if let Some(axis) = row.checked_sub(kind.hold_count()) {
        if let JointKind::Text(text) = kind {
            return text.program().axes().nth(axis).unwrap_or("").to_owned();
        }
        let info = KindInfo::all().iter().find(|info| info.name == kind.name());
        let axis = info.and_then(|info| info.axes.get(axis)).unwrap_or(&"");
        return axis.split(',').next().unwrap_or("").to_owned();
    }
    let names: &[&str] = match kind {
        JointKind::Weld { .. } => &["x", "y", "angle"],
        JointKind::Revolute { .. } => &["x", "y"],
        JointKind::Prismatic { .. } => &["across", "angle"],
        JointKind::Slot { .. } | JointKind::Path { .. } => &["across"],
        _ => &[],
    };
    names.get(row).map_or_else(|| format!("row {row}"), |name| (*name).to_owned())
}
