//! From a world to the model of it.

use super::axis::unless;
use super::body::{Body, BodyKind, Capsule, Circle, Locked, Mass, Shape};
use super::build::fresh;
use super::either::Either;
use super::export_joint::Names;
use super::joint::Joint;
use super::model::{Direct, Model, Settings, Springs, VERSION};
use super::number::{Number, Point};
use crate::scene::Scene;
use kempe2d::{BodyId, JointId, JointKind, MassProperties, Vec2, World};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// Why a world has no scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// A joint that is a type in Rust.
    UserJoint {
        /// What it is called in the scene.
        joint: String,
        /// What its type is called.
        name: String,
    },
    /// A force law that is a type in Rust.
    UserLaw {
        /// The joint that it is on.
        joint: String,
    },
    /// A force or torque that waits for the next step; forces of a file last.
    Applied {
        /// The body that it acts on.
        body: String,
    },
    /// The world's ground was changed; in a file it is only a name.
    Ground,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserJoint { joint, name } => {
                write!(f, "the joint `{joint}` is of the Rust type `{name}`; a file cannot say it")
            }
            Self::UserLaw { joint } => {
                write!(f, "a force law of the joint `{joint}` is a Rust type; a file cannot say it")
            }
            Self::Applied { body } => {
                write!(
                    f,
                    "a force on the body `{body}` waits for the next step; a file cannot say it"
                )
            }
            Self::Ground => f.write_str("the world's ground was changed; a file cannot say it"),
        }
    }
}

impl std::error::Error for ExportError {}

/// The model of a scene.
pub(super) fn scene(scene: &Scene) -> Result<Model, ExportError> {
    let mut model = world(&scene.world, &scene.bodies, &scene.joints)?;
    model.name = Some(scene.name.to_owned());
    Ok(model)
}

/// The model of a world, with names for some of it; what others refer to gets one.
pub(super) fn world(
    world: &World,
    bodies: &BTreeMap<String, BodyId>,
    joints: &BTreeMap<String, JointId>,
) -> Result<Model, ExportError> {
    let used = world.joints().flat_map(|(_, joint)| joint.bodies().iter().copied());
    let used: HashSet<usize> = used.map(BodyId::index).collect();
    let taken: HashSet<String> = bodies.keys().cloned().collect();
    let mut body_names: HashMap<usize, String> = HashMap::new();
    for (name, id) in bodies {
        body_names.entry(id.index()).or_insert_with(|| name.clone());
    }
    for (id, _) in world.bodies() {
        let slot = id.index();
        if body_names.contains_key(&slot) {
            continue;
        }
        if world.ground_body() == Some(id) && !bodies.contains_key("ground") {
            body_names.insert(slot, "ground".to_owned());
        } else if used.contains(&slot) {
            body_names.insert(slot, fresh("body", slot, &taken));
        }
    }
    let coupled = world.joints().filter_map(|(_, joint)| match joint.kind() {
        JointKind::Coupling { terms, .. } => Some(terms.iter().map(|term| term.joint.index())),
        _ => None,
    });
    let coupled: HashSet<usize> = coupled.flatten().collect();
    let taken: HashSet<String> = joints.keys().cloned().collect();
    let mut joint_names: HashMap<usize, String> = HashMap::new();
    for (name, id) in joints {
        joint_names.entry(id.index()).or_insert_with(|| name.clone());
    }
    for slot in coupled {
        joint_names.entry(slot).or_insert_with(|| fresh("joint", slot, &taken));
    }
    let names = Names { bodies: body_names, joints: joint_names };
    let each = world.bodies().map(|(id, body)| {
        let name = names.bodies.get(&id.index()).cloned();
        let ground = world.ground_body() == Some(id);
        export_body(body, name, ground)
    });
    let bodies = each.collect::<Result<Vec<Body>, ExportError>>()?;
    let each = world.joints().map(|(id, joint)| names.joint(id, &joint.def()));
    let joints = each.collect::<Result<Vec<Joint>, ExportError>>()?;
    let settings = settings(world.settings());
    Ok(Model { version: VERSION, settings, bodies, joints, ..Model::default() })
}

fn settings(settings: kempe2d::Settings) -> Option<Settings> {
    let own = kempe2d::Settings::default();
    let found = Settings {
        gravity: point(settings.gravity, own.gravity),
        substeps: (settings.substeps != own.substeps).then_some(settings.substeps),
        threads: (settings.threads != own.threads).then_some(settings.threads),
        direct: match settings.direct {
            kempe2d::Direct::Auto => None,
            kempe2d::Direct::Always => Some(Direct::Always),
            kempe2d::Direct::Never => Some(Direct::Never),
        },
        springs: match settings.springs {
            kempe2d::Springs::SecondOrder => None,
            kempe2d::Springs::ImplicitEuler => Some(Springs::ImplicitEuler),
        },
        sleep: (settings.sleep != own.sleep).then_some(settings.sleep),
        sleep_speed: unless(settings.sleep_speed, own.sleep_speed),
        sleep_turn: unless(settings.sleep_turn, own.sleep_turn),
        sleep_time: unless(settings.sleep_time, own.sleep_time),
        timing: (settings.timing != own.timing).then_some(settings.timing),
    };
    (found != Settings::default()).then_some(found)
}

/// A point, unless it is what it would be when absent.
pub(super) fn point(value: Vec2, absent: Vec2) -> Option<Point> {
    let same = value.x.to_bits() == absent.x.to_bits() && value.y.to_bits() == absent.y.to_bits();
    (!same).then(|| value.into())
}

fn export_body(
    body: &kempe2d::Body,
    name: Option<String>,
    ground: bool,
) -> Result<Body, ExportError> {
    if body.force() != Vec2::ZERO || body.torque() != 0.0 {
        let body = name.unwrap_or_else(|| "without a name".to_owned());
        return Err(ExportError::Applied { body });
    }
    let locked = body.locked();
    let yes = |value: bool| value.then_some(true);
    let exported = Body {
        name,
        kind: match body.kind() {
            kempe2d::BodyKind::Dynamic => None,
            kempe2d::BodyKind::Static => Some(BodyKind::Static),
            kempe2d::BodyKind::Kinematic => Some(BodyKind::Kinematic),
        },
        position: point(position(body), Vec2::ZERO),
        rotation: unless(body.rotation(), 0.0),
        velocity: point(body.velocity(), Vec2::ZERO),
        angular_velocity: unless(body.angular_velocity(), 0.0),
        shapes: body.shapes().iter().map(shape).collect(),
        mass: mass(body),
        gravity_scale: unless(body.gravity_scale(), 1.0),
        linear_damping: unless(body.linear_damping(), 0.0),
        angular_damping: unless(body.angular_damping(), 0.0),
        locked: (locked != kempe2d::Locked::default()).then(|| Locked {
            x: yes(locked.x),
            y: yes(locked.y),
            rotation: yes(locked.rotation),
        }),
        enabled: (!body.is_enabled()).then_some(false),
        can_sleep: (!body.can_sleep()).then_some(false),
        user_data: (body.user_data() != 0).then_some(body.user_data()),
    };
    if !ground {
        return Ok(exported);
    }
    let bare = Body { name: exported.name.clone(), kind: exported.kind, ..Body::default() };
    if exported != bare || exported.kind != Some(BodyKind::Static) {
        return Err(ExportError::Ground);
    }
    Ok(Body { kind: Some(BodyKind::Ground), ..exported })
}

fn shape((shape, density): &(kempe2d::Shape, f64)) -> Shape {
    let density = unless(*density, 1.0);
    match shape {
        kempe2d::Shape::Circle { center, radius } => {
            let circle = Circle { radius: (*radius).into(), center: point(*center, Vec2::ZERO) };
            Shape { circle: Some(circle), density, ..Shape::default() }
        }
        kempe2d::Shape::Capsule { start, end, radius } => {
            let (start, end) = ((*start).into(), (*end).into());
            let capsule = Capsule { start, end, radius: (*radius).into() };
            Shape { capsule: Some(capsule), density, ..Shape::default() }
        }
        kempe2d::Shape::Polygon { corners } => {
            if let [_, _, half, _] = corners.as_slice()
                && *shape == kempe2d::Shape::rectangle(half.x, half.y)
            {
                return Shape { rectangle: Some((*half).into()), density, ..Shape::default() };
            }
            let corners = corners.iter().map(|corner| (*corner).into()).collect();
            Shape { polygon: Some(corners), density, ..Shape::default() }
        }
    }
}

/// The shortest way to say the mass of a body.
fn mass(body: &kempe2d::Body) -> Option<Either<Number, Box<Mass>>> {
    let own = body.mass_properties();
    let bits = |mass: MassProperties| {
        [mass.mass, mass.inertia, mass.center.x, mass.center.y].map(f64::to_bits)
    };
    let is_own = |found: MassProperties| bits(found) == bits(own);
    let shapes = body.shapes();
    let of_shapes = match shapes.is_empty() {
        true => Some(MassProperties::default()),
        false => MassProperties::of_shapes(shapes).ok(),
    };
    let still = body.kind() != kempe2d::BodyKind::Dynamic;
    let absent = if still { Some(of_shapes.unwrap_or_default()) } else { of_shapes };
    if absent.is_some_and(is_own) {
        return None;
    }
    let scaled = of_shapes.and_then(|found| found.scaled_to(own.mass).ok());
    if scaled.is_some_and(is_own) {
        return Some(Either::Plain(own.mass.into()));
    }
    Some(Either::Whole(Box::new(Mass {
        mass: own.mass.into(),
        inertia: own.inertia.into(),
        center: point(own.center, Vec2::ZERO),
    })))
}

/// The position from which the centre of mass comes out to the bit, if there is one: a body keeps its
/// centre, and the way there and back rounds.
fn position(body: &kempe2d::Body) -> Vec2 {
    let (center, arm) = (body.center(), body.turned(body.mass_properties().center));
    let near = body.position();
    let exact = |near: f64, arm: f64, center: f64| {
        let fits = |value: f64| (value + arm).to_bits() == center.to_bits();
        if fits(near) {
            return near;
        }
        let (mut up, mut down) = (near, near);
        for _ in 0..8 {
            (up, down) = (up.next_up(), down.next_down());
            if let Some(found) = [up, down].into_iter().find(|value| fits(*value)) {
                return found;
            }
        }
        // −0, or a centre that no position gives.
        [0.0, -0.0].into_iter().find(|value| fits(*value)).unwrap_or(near)
    };
    Vec2::new(exact(near.x, arm.x, center.x), exact(near.y, arm.y, center.y))
}
