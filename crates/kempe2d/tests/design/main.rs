//! What a designer asks of a mechanism, against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod assemble;
mod energy;
mod kinds;
mod mobility;
mod modes;
mod statics;

use kempe2d::{BodyDef, BodyId, JointDef, JointId, Mass, MassProperties, Vec2, World};

/// A uniform bar of 1 kg/m between two points, its origin in the middle.
pub fn bar(world: &mut World, from: Vec2, to: Vec2) -> BodyId {
    let along = to - from;
    let length = along.length();
    let mass = Mass::Given(MassProperties {
        mass: length,
        inertia: length.powi(3) / 12.0,
        center: Vec2::ZERO,
    });
    let (position, rotation) = ((from + to) * 0.5, along.y.atan2(along.x));
    world.add_body(&BodyDef { position, rotation, mass, ..BodyDef::dynamic() }).unwrap()
}

/// A point mass, or nearly: with this inertia.
pub fn lump(world: &mut World, position: Vec2, mass: f64, inertia: f64) -> BodyId {
    let mass = Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
}

/// A pin where the bodies are now.
pub fn pin(world: &mut World, a: BodyId, b: BodyId, point: Vec2) -> JointId {
    let def = world.revolute_at(a, b, point).unwrap();
    world.add_joint(&def).unwrap()
}

/// A rod between the origins of two bodies, as long as they are apart.
pub fn rod(world: &mut World, a: BodyId, b: BodyId) -> JointId {
    let length = (world[b].position() - world[a].position()).length();
    world.add_joint(&JointDef::rod(a, b, [Vec2::ZERO; 2], length)).unwrap()
}

/// Three bars between points, pinned to each other and to the ground at both ends; the bars, then the
/// pins in their order.
pub fn four_bar(world: &mut World, points: [Vec2; 4]) -> (Vec<BodyId>, Vec<JointId>) {
    let ground = world.ground().unwrap();
    let bars: Vec<BodyId> = (0..3).map(|k| bar(world, points[k], points[k + 1])).collect();
    let chain = [ground, bars[0], bars[1], bars[2], ground];
    let pins = (0..4).map(|k| pin(world, chain[k], chain[k + 1], points[k])).collect();
    (bars, pins)
}

/// A point.
pub fn at(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// Fails unless two numbers are this close.
#[track_caller]
pub fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}");
}
