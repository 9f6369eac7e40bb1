//! From a world to the model of it.

use super::axis::{soft, unless};
use super::body::{Body, BodyKind, Capsule, Circle, Locked, Mass, Shape};
use super::build::fresh;
use super::either::Either;
use super::joint::{Axis, Breaking, Joint, Kind, Path, Pull, Term};
use super::model::{Direct, Model, Settings, VERSION};
use super::named::{Bodies, Named};
use super::number::{Curve, Formula, Number, Point, Values};
use crate::scene::Scene;
use kempe2d::equation::Value;
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
    let used = world.joints().flat_map(|(_, joint)| joint.def().bodies.iter().copied());
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
    let coupled = world.joints().filter_map(|(_, joint)| match &joint.def().kind {
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
    let each = world.joints().map(|(id, joint)| names.joint(id, joint.def()));
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
        sleep: (settings.sleep != own.sleep).then_some(settings.sleep),
        sleep_speed: unless(settings.sleep_speed, own.sleep_speed),
        sleep_turn: unless(settings.sleep_turn, own.sleep_turn),
        sleep_time: unless(settings.sleep_time, own.sleep_time),
        timing: (settings.timing != own.timing).then_some(settings.timing),
    };
    (found != Settings::default()).then_some(found)
}

/// A point, unless it is what it would be when absent.
fn point(value: Vec2, absent: Vec2) -> Option<Point> {
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

/// What things are called in the file, by their slots.
struct Names {
    bodies: HashMap<usize, String>,
    joints: HashMap<usize, String>,
}

impl Names {
    fn joint(&self, id: JointId, def: &kempe2d::JointDef) -> Result<Joint, ExportError> {
        let name = self.joints.get(&id.index()).cloned();
        let called = || name.clone().unwrap_or_else(|| format!("number {}", id.index()));
        let mut joint = self.kind(def).ok_or_else(|| ExportError::UserJoint {
            joint: called(),
            name: def.kind.name().to_owned(),
        })?;
        let axes: Option<Vec<Axis>> = def.axes.iter().map(Axis::of).collect();
        let axes = axes.ok_or_else(|| ExportError::UserLaw { joint: called() })?;
        let coupling = joint.kind == Kind::Coupling;
        let held = coupling && def.axes == [kempe2d::Axis::held(0.0)];
        match axes.as_slice() {
            [] if coupling => joint.axes = Some(Vec::new()),
            [] => {}
            [_] if held => {}
            [one] if *one != Axis::default() => {
                let Axis { held, limit, motor, spring, law, friction, ratchet } = one.clone();
                joint = Joint { held, limit, motor, spring, law, friction, ratchet, ..joint };
            }
            _ => joint.axes = Some(axes),
        }
        Ok(Joint {
            name,
            softness: soft(def.softness),
            max_force: unless(def.max_force, f64::INFINITY),
            max_torque: unless(def.max_torque, f64::INFINITY),
            breaking: def.breaking.as_ref().map(|breaking| Box::new(Breaking::of(breaking))),
            threshold: def.threshold.map(Number::Value),
            collide_connected: def.collide_connected.then_some(true),
            warm_start: (!def.warm_start).then_some(false),
            enabled: (!def.enabled).then_some(false),
            user_data: (def.user_data != 0).then_some(def.user_data),
            ..joint
        })
    }

    fn body(&self, id: BodyId) -> String {
        // Every body of a joint has a name.
        self.bodies.get(&id.index()).cloned().unwrap_or_default()
    }

    /// The joint with what its kind has; none for a type of the user.
    fn kind(&self, def: &kempe2d::JointDef) -> Option<Joint> {
        let listed = def.bodies.iter().map(|id| self.body(*id)).collect();
        let base = Joint { bodies: Some(Bodies::List(listed)), ..Joint::default() };
        let anchors = |anchor_a: &Vec2, anchor_b: &Vec2, angle: f64| Joint {
            anchor_a: point(*anchor_a, Vec2::ZERO),
            anchor_b: point(*anchor_b, Vec2::ZERO),
            angle: unless(angle, 0.0),
            ..base.clone()
        };
        let all = |list: &[Vec2]| Some(list.iter().map(|each| (*each).into()).collect());
        Some(match &def.kind {
            JointKind::Weld { anchor_a, anchor_b, angle } => {
                Joint { kind: Kind::Weld, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Revolute { anchor_a, anchor_b, angle } => {
                Joint { kind: Kind::Revolute, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Prismatic { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Prismatic, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Slot { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Slot, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Generic { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Generic, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Drive { anchor_a, anchor_b, rail, angle, pull } => {
                let (rail, pull) = (point(*rail, Vec2::X), Some(Box::new(Pull::of(pull))));
                Joint { kind: Kind::Drive, rail, pull, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Distance { anchor_a, anchor_b } => {
                Joint { kind: Kind::Distance, ..anchors(anchor_a, anchor_b, 0.0) }
            }
            JointKind::Angle { ratio, angle } => {
                let (ratio, angle) = (unless(*ratio, 1.0), unless(*angle, 0.0));
                Joint { kind: Kind::Angle, ratio, angle, ..base }
            }
            JointKind::Pulley { anchors, ratio } => {
                let (anchors, ratio) = (all(anchors), unless(*ratio, 1.0));
                Joint { kind: Kind::Pulley, anchors, ratio, ..base }
            }
            JointKind::Tendon { anchors, ratios } => {
                let plain = ratios.iter().all(|ratio| *ratio == 1.0);
                let ratios = ratios.iter().map(|ratio| (*ratio).into()).collect();
                let ratios = (!plain).then_some(ratios);
                Joint { kind: Kind::Tendon, anchors: all(anchors), ratios, ..base }
            }
            JointKind::Path { path, anchor, angle, follow, from, leave } => Joint {
                kind: Kind::Path,
                anchor_b: point(*anchor, Vec2::ZERO),
                angle: unless(*angle, 0.0),
                path: Some(Box::new(Path {
                    points: path.points().iter().map(|each| (*each).into()).collect(),
                    closed: path.is_closed().then_some(true),
                    smooth: path.is_smooth().then_some(true),
                })),
                follow: follow.then_some(true),
                from: from.map(Number::Value),
                leave: leave.then_some(true),
                ..base
            },
            JointKind::Coupling { terms, constant } => Joint {
                kind: Kind::Coupling,
                bodies: None,
                terms: Some(terms.iter().map(|each| self.term(each)).collect()),
                constant: unless(*constant, 0.0),
                ..base
            },
            JointKind::Filter => Joint { kind: Kind::Filter, ..base },
            JointKind::Text(text) => self.text(def, text),
            JointKind::User(_) => return None,
        })
    }

    fn term(&self, term: &kempe2d::Term) -> Term {
        let joint = self.joints.get(&term.joint.index()).cloned().unwrap_or_default();
        let axis = (term.axis != 0).then_some(term.axis);
        let base = Term { joint, axis, ..Term::default() };
        if let Some(source) = term.curve.source() {
            return Term { curve: Some(Curve(Formula::new(source))), ..base };
        }
        let coefficients = term.curve.coefficients().unwrap_or_default();
        let zero = |at: usize| coefficients[at].to_bits() == 0;
        if [0, 2, 3, 4].into_iter().all(zero) {
            return Term { ratio: unless(coefficients[1], 1.0), ..base };
        }
        let polynomial = Some(coefficients.into_iter().map(Number::Value).collect());
        Term { polynomial, ..base }
    }

    fn text(&self, def: &kempe2d::JointDef, text: &kempe2d::TextJoint) -> Joint {
        let program = text.program();
        let names = program.bodies().iter().zip(&def.bodies);
        let bound = names.map(|(own, id)| (own.clone(), self.body(*id))).collect();
        let list = |numbers: &[f64]| {
            Values::List(numbers.iter().map(|number| Values::Scalar((*number).into())).collect())
        };
        let set = program.parameters().iter().filter_map(|parameter| {
            let value = text.get(&parameter.name).ok().flatten()?;
            // What is not as in the program, to the bit.
            let bits = |value: Value| value.components().map(f64::to_bits);
            if parameter.default.map(bits) == Some(bits(value)) {
                return None;
            }
            let values = match value {
                Value::Scalar(number) => Values::Scalar(number.into()),
                Value::Vector(numbers) => list(&numbers),
                Value::Matrix(rows) => Values::List(rows.iter().map(|row| list(row)).collect()),
            };
            Some((parameter.name.clone(), values))
        });
        let set: Vec<(String, Values)> = set.collect();
        Joint {
            kind: Kind::Text,
            bodies: Some(Bodies::Bound(Named(bound))),
            program: Some(program.source().to_owned()),
            parameters: (!set.is_empty()).then_some(Named(set)),
            ..Joint::default()
        }
    }
}
