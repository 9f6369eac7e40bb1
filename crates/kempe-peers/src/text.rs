//! Kempe's pivot, distance and weld, written in its language.

use crate::failure::Failure;
use crate::model::{Model, is_bare};
use kempe2d::equation::Program;
use kempe2d::{JointDef, JointKind, TextJoint, Vec2, World};

const PIVOT: &str = "
body a, b
vector anchor_a, anchor_b
constraint (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
";

/// A pivot whose angle something acts on.
const HINGE: &str = "
body a, b
vector anchor_a, anchor_b
scalar phase
constraint (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
axis angle = b.rotation - a.rotation - phase
";

const WELD: &str = "
body a, b
vector anchor_a, anchor_b
scalar phase
constraint { (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
             b.rotation - a.rotation - phase }
";

const ROD: &str = "
body a, b
vector anchor_a, anchor_b
scalar length
constraint |(b.position + relative b anchor_b) - (a.position + relative a anchor_a)| - length
";

/// A distance that something acts on.
const DISTANCE: &str = "
body a, b
vector anchor_a, anchor_b
axis length = |(b.position + relative b anchor_b) - (a.position + relative a anchor_a)|
";

struct Programs {
    pivot: Program,
    hinge: Program,
    weld: Program,
    rod: Program,
    distance: Program,
}

fn parse(source: &str) -> Result<Program, Failure> {
    Program::parse(source).map_err(|error| Failure::Other(error.to_string()))
}

/// The world with these joints as text; the others stay as they are.
///
/// # Errors
/// If a program is none, or the world refuses it.
pub fn written(world: &World, model: &Model) -> Result<World, Failure> {
    let programs = Programs {
        pivot: parse(PIVOT)?,
        hinge: parse(HINGE)?,
        weld: parse(WELD)?,
        rod: parse(ROD)?,
        distance: parse(DISTANCE)?,
    };
    let mut world = world.clone();
    for (id, def) in &model.definitions {
        if let Some(written) = rewritten(def, &programs)? {
            world.set_joint(*id, &written)?;
        }
    }
    Ok(world)
}

fn rewritten(def: &JointDef, programs: &Programs) -> Result<Option<JointDef>, Failure> {
    let anchored = |program: &Program, a: Vec2, b: Vec2| -> Result<TextJoint, Failure> {
        let joint = TextJoint::new(program).with("anchor_a", [a.x, a.y])?;
        Ok(joint.with("anchor_b", [b.x, b.y])?)
    };
    // What acts on axes stays, unless the program says it.
    let mut axes = def.axes.clone();
    let joint = match def.kind {
        JointKind::Revolute { anchor_a, anchor_b, .. } if is_bare(def) => {
            axes.clear();
            anchored(&programs.pivot, anchor_a, anchor_b)?
        }
        JointKind::Revolute { anchor_a, anchor_b, angle } => {
            anchored(&programs.hinge, anchor_a, anchor_b)?.with("phase", angle)?
        }
        JointKind::Weld { anchor_a, anchor_b, angle } => {
            anchored(&programs.weld, anchor_a, anchor_b)?.with("phase", angle)?
        }
        JointKind::Distance { anchor_a, anchor_b } => match held(def) {
            Some(length) => {
                axes.clear();
                anchored(&programs.rod, anchor_a, anchor_b)?.with("length", length)?
            }
            None => anchored(&programs.distance, anchor_a, anchor_b)?,
        },
        _ => return Ok(None),
    };
    let bodies = [("a", def.bodies[0]), ("b", def.bodies[1])];
    Ok(Some(JointDef { axes, ..joint.joint(&bodies)? }))
}

/// Where the only axis is held, if nothing else acts on it.
pub(crate) fn held(def: &JointDef) -> Option<f64> {
    let limit = def.axes.first()?.limit?;
    (limit.lower == limit.upper).then_some(limit.lower)
}
