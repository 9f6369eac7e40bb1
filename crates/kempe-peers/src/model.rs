//! A scene as all engines understand it: bodies and joints, read from a Kempe world.
//!
//! Peers are built from this alone, so that their bodies and anchors are Kempe's by construction.

use crate::failure::Failure;
use kempe2d::{
    Axis, Body, BodyId, BodyKind, JointDef, JointId, JointKind, Limit, MassProperties, Motor,
    Shape, Softness, Spring, Vec2, World,
};
use std::collections::BTreeMap;

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModel {
    /// Whether forces move it.
    pub dynamic: bool,
    /// Of its origin, m.
    pub position: Vec2,
    /// rad.
    pub rotation: f64,
    /// Of its centre of mass, m/s.
    pub velocity: Vec2,
    /// rad/s.
    pub angular_velocity: f64,
    /// Mass, centre and inertia.
    pub mass: MassProperties,
    /// Its shapes, with densities that give this mass.
    pub shapes: Vec<(Shape, f64)>,
}

/// What a joint holds, among what every engine has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// Two points together.
    Revolute,
    /// Two points together and the angle.
    Weld,
    /// A slider.
    Prismatic {
        /// Its direction in A.
        rail: Vec2,
    },
    /// Two points at a distance.
    Rod {
        /// m.
        length: f64,
    },
    /// Nothing: two points that a spring draws together.
    Free,
}

/// A spring by its frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringModel {
    /// Where it rests, m or rad.
    pub rest: f64,
    /// Hz.
    pub hertz: f64,
    /// 1 is critical.
    pub damping_ratio: f64,
}

/// A motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorModel {
    /// m/s or rad/s.
    pub speed: f64,
    /// N or N·m.
    pub force: f64,
}

/// A joint between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointModel {
    /// Which bodies, by their place.
    pub bodies: [usize; 2],
    /// On A and on B, from their origins.
    pub anchors: [Vec2; 2],
    /// Where θ_B − θ_A counts from.
    pub angle: f64,
    /// What it holds.
    pub hold: Hold,
    /// Bounds of what it leaves.
    pub limit: Option<[f64; 2]>,
    /// A spring on what it leaves.
    pub spring: Option<SpringModel>,
    /// A motor on what it leaves.
    pub motor: Option<MotorModel>,
}

/// A scene.
#[derive(Clone, Debug)]
pub struct Model {
    /// m/s².
    pub gravity: Vec2,
    /// In the order of the world.
    pub bodies: Vec<BodyModel>,
    /// Their handles in the world.
    pub ids: Vec<BodyId>,
    /// What it is read from, with the joints' handles.
    pub definitions: Vec<(JointId, JointDef)>,
    /// The joints; where one is of a kind that peers do not have, its name stands instead.
    pub joints: Vec<Result<JointModel, String>>,
}

impl Model {
    /// Reads a world.
    ///
    /// # Errors
    /// If a body of the world weighs something that its shapes do not.
    pub fn new(world: &World) -> Result<Self, Failure> {
        let mut places = BTreeMap::new();
        let mut bodies = Vec::with_capacity(world.body_count());
        let mut ids = Vec::with_capacity(world.body_count());
        for (id, body) in world.bodies() {
            places.insert(id.index(), bodies.len());
            bodies.push(read_body(body)?);
            ids.push(id);
        }
        let definitions: Vec<(JointId, JointDef)> =
            world.joints().map(|(id, joint)| (id, joint.def())).collect();
        let place = |id: &BodyId| places.get(&id.index()).copied().unwrap_or(0);
        let joints = definitions.iter().map(|(_, def)| read_joint(def, place)).collect();
        Ok(Self { gravity: world.settings().gravity, bodies, ids, definitions, joints })
    }

    /// The joints, if peers have all of them.
    ///
    /// # Errors
    /// The kind that they do not have.
    pub fn shared_joints(&self) -> Result<Vec<JointModel>, Failure> {
        let each = self.joints.iter().cloned();
        each.collect::<Result<_, _>>().map_err(|kind| Failure::Lacks { kind })
    }

    /// The place of a body of the world.
    pub fn place(&self, id: BodyId) -> Option<usize> {
        // Places follow slots.
        self.ids.binary_search_by_key(&id.index(), |each| each.index()).ok()
    }
}

fn read_body(body: &Body) -> Result<BodyModel, Failure> {
    let dynamic = body.kind() == BodyKind::Dynamic;
    let mass = body.mass_properties();
    let mut shapes = body.shapes().to_vec();
    if dynamic && !shapes.is_empty() {
        let own = MassProperties::of_shapes(&shapes)?;
        let ratio = mass.mass / own.mass;
        for (_, density) in &mut shapes {
            *density *= ratio;
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
        if !near(own.inertia * ratio, mass.inertia) || own.center != mass.center {
            return Err(Failure::Mass { mass: mass.mass });
        }
    }
    Ok(BodyModel {
        dynamic,
        position: body.position(),
        rotation: body.rotation(),
        velocity: body.velocity(),
        angular_velocity: body.angular_velocity(),
        mass,
        shapes,
    })
}

fn read_joint(def: &JointDef, place: impl Fn(&BodyId) -> usize) -> Result<JointModel, String> {
    let kind = def.kind.name();
    let lacks = || kind.to_owned();
    let [a, b] = def.bodies[..] else { return Err(lacks()) };
    let axis = def.axes.first().cloned().unwrap_or_default();
    let mut joint = JointModel {
        bodies: [place(&a), place(&b)],
        anchors: [Vec2::ZERO; 2],
        angle: 0.0,
        hold: Hold::Free,
        limit: axis.limit.map(|Limit { lower, upper, .. }| [lower, upper]),
        spring: axis.spring.and_then(spring),
        motor: axis.motor.as_ref().and_then(motor),
    };
    match def.kind {
        JointKind::Revolute { anchor_a, anchor_b, angle } => {
            joint = JointModel { anchors: [anchor_a, anchor_b], angle, ..joint };
            joint.hold = Hold::Revolute;
        }
        JointKind::Weld { anchor_a, anchor_b, angle } => {
            joint = JointModel { anchors: [anchor_a, anchor_b], angle, ..joint };
            joint.hold = Hold::Weld;
        }
        JointKind::Prismatic { anchor_a, anchor_b, rail, angle } => {
            joint = JointModel { anchors: [anchor_a, anchor_b], angle, ..joint };
            joint.hold = Hold::Prismatic { rail: rail * (1.0 / rail.length()) };
        }
        JointKind::Distance { anchor_a, anchor_b } => {
            joint.anchors = [anchor_a, anchor_b];
            match joint.limit.take() {
                Some([lower, upper]) if lower == upper => joint.hold = Hold::Rod { length: lower },
                None if joint.spring.is_some() => {}
                _ => return Err(lacks()),
            }
        }
        _ => return Err(lacks()),
    }
    let kept = |all: bool, kept: bool| all == kept;
    let same = kept(axis.spring.is_some(), joint.spring.is_some())
        && kept(axis.motor.is_some(), joint.motor.is_some());
    let other = axis.friction.is_some() || axis.law.is_some() || axis.ratchet.is_some();
    // Rapier has one motor to an axis, which is its spring too.
    let both = joint.spring.is_some() && joint.motor.is_some();
    let rigid = def.softness == Softness::Rigid && def.max_force.is_infinite();
    if same && !other && !both && rigid && def.axes.len() <= 1 { Ok(joint) } else { Err(lacks()) }
}

fn spring(spring: Spring) -> Option<SpringModel> {
    match spring.softness {
        Softness::Hertz { hertz, damping_ratio } if spring.force.upper.is_infinite() => {
            Some(SpringModel { rest: spring.rest, hertz, damping_ratio })
        }
        _ => None,
    }
}

fn motor(motor: &Motor) -> Option<MotorModel> {
    match motor {
        Motor::Velocity { speed, force }
            if speed.source().is_none() && force.lower == -force.upper =>
        {
            Some(MotorModel { speed: speed.at(0.0).0, force: force.upper })
        }
        _ => None,
    }
}

/// Whether nothing acts on the axes of a joint.
pub(crate) fn is_bare(def: &JointDef) -> bool {
    def.axes.iter().all(|axis| *axis == Axis::default())
}
