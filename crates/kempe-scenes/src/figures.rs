//! A ragdoll of eleven parts that hangs by a hand.

use crate::error::Error;
use crate::scene::{Scene, disc};
use kempe2d::{Axis, BodyDef, BodyId, ForceRange, Limit, Mass, Shape, Softness, Spring, Vec2};

/// A limb or a part of the trunk: its name, its ends, its half width, m, and its mass, kg.
struct Part {
    name: &'static str,
    ends: [[f64; 2]; 2],
    radius: f64,
    mass: f64,
}

const fn part(name: &'static str, ends: [[f64; 2]; 2], radius: f64, mass: f64) -> Part {
    Part { name, ends, radius, mass }
}

/// A person of 1.75 m and 70 kg with the arms stretched out, feet at the origin.
const PARTS: [Part; 10] = [
    part("hips", [[0.0, 0.92], [0.0, 1.02]], 0.13, 11.0),
    part("torso", [[0.0, 1.10], [0.0, 1.38]], 0.14, 22.0),
    part("left thigh", [[-0.09, 0.86], [-0.09, 0.48]], 0.075, 8.0),
    part("right thigh", [[0.09, 0.86], [0.09, 0.48]], 0.075, 8.0),
    part("left shin", [[-0.09, 0.48], [-0.09, 0.06]], 0.055, 4.5),
    part("right shin", [[0.09, 0.48], [0.09, 0.06]], 0.055, 4.5),
    part("left arm", [[-0.17, 1.40], [-0.45, 1.40]], 0.045, 2.0),
    part("right arm", [[0.17, 1.40], [0.45, 1.40]], 0.045, 2.0),
    part("left forearm", [[-0.45, 1.40], [-0.75, 1.40]], 0.04, 1.7),
    part("right forearm", [[0.45, 1.40], [0.75, 1.40]], 0.04, 1.7),
];

/// (name, A, B, at, how far B can turn against A, rad)
type Hinge = (&'static str, &'static str, &'static str, [f64; 2], [f64; 2]);

const HINGES: [Hinge; 10] = [
    ("waist", "hips", "torso", [0.0, 1.06], [-0.6, 0.3]),
    ("neck", "torso", "head", [0.0, 1.50], [-0.4, 0.4]),
    ("left hip", "hips", "left thigh", [-0.09, 0.90], [-0.6, 1.2]),
    ("right hip", "hips", "right thigh", [0.09, 0.90], [-0.6, 1.2]),
    ("left knee", "left thigh", "left shin", [-0.09, 0.48], [-1.8, 0.05]),
    ("right knee", "right thigh", "right shin", [0.09, 0.48], [-1.8, 0.05]),
    ("left shoulder", "torso", "left arm", [-0.17, 1.40], [-1.4, 1.6]),
    ("right shoulder", "torso", "right arm", [0.17, 1.40], [-1.6, 1.4]),
    ("left elbow", "left arm", "left forearm", [-0.45, 1.40], [-0.1, 2.0]),
    ("right elbow", "right arm", "right forearm", [0.45, 1.40], [-2.0, 0.1]),
];

/// A ragdoll that hangs by its right hand: eleven parts, ten joints with limits, springs and
/// friction.
///
/// Bodies: `head`, `torso`, `hips`, and thighs, shins, arms and forearms of either side. Joints:
/// `hand` and ten of the body.
///
/// # Errors
/// None but what the world refuses.
pub fn ragdoll() -> Result<Scene, Error> {
    build("ragdoll", true)
}

/// The same without limits, springs and friction: a pendulum of eleven parts.
///
/// # Errors
/// None but what the world refuses.
pub fn loose_ragdoll() -> Result<Scene, Error> {
    build("loose_ragdoll", false)
}

fn build(name: &'static str, muscles: bool) -> Result<Scene, Error> {
    let mut scene = if muscles { Scene::new(name) } else { Scene::awake(name)? };
    figure(&mut scene, "", Vec2::ZERO, |[lower, upper]| {
        let softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.5 };
        let spring = Spring { rest: 0.0, softness, force: ForceRange::symmetric(60.0) };
        let limit = Some(Limit::new(lower, upper));
        let axis = Axis { limit, spring: Some(spring), friction: Some(1.0), ..Axis::default() };
        muscles.then_some(axis)
    })?;
    Ok(scene)
}

/// A figure with its feet at a point, its names behind a prefix; what acts on a hinge follows from how
/// far it can turn.
pub(crate) fn figure(
    scene: &mut Scene,
    prefix: &str,
    feet: Vec2,
    muscle: impl Fn([f64; 2]) -> Option<Axis>,
) -> Result<(), Error> {
    let named = |name: &str| format!("{prefix}{name}");
    scene.add_body(&named("head"), &disc(feet + Vec2::new(0.0, 1.63), 0.11, 4.6))?;
    for Part { name, ends, radius, mass } in PARTS {
        let [start, end] = ends.map(Vec2::from);
        let middle = (start + end) * 0.5;
        let shape = Shape::Capsule { start: start - middle, end: end - middle, radius };
        let def = BodyDef {
            position: feet + middle,
            shapes: vec![(shape, 1.0)],
            mass: Mass::Total(mass),
            ..BodyDef::dynamic()
        };
        scene.add_body(&named(name), &def)?;
    }
    for (name, a, b, at, range) in HINGES {
        let [a, b]: [BodyId; 2] = [a, b].map(|body| scene.bodies[&named(body)]);
        let mut hinge = scene.world.revolute_at(a, b, feet + Vec2::from(at))?;
        if let Some(axis) = muscle(range) {
            hinge = hinge.with_axis(axis);
        }
        scene.add_joint(&named(name), &hinge)?;
    }
    let (ground, hand) = (scene.world.ground()?, scene.bodies[&named("right forearm")]);
    scene.pin(&named("hand"), ground, hand, feet + Vec2::new(0.75, 1.40))?;
    Ok(())
}
