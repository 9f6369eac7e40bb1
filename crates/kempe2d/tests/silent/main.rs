//! What was once wrong without a word: each was found from outside, by a closed form.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod bounds;
mod cranks;
mod events;
mod far;
mod forces;
mod lengths;
mod numbers;
mod passive;
mod sleep;

use kempe2d::{BodyDef, Direct, Mass, MassProperties, Settings, Vec2, World};

const H: f64 = 1.0 / 60.0;

/// Islands as a whole, and joint by joint.
const WAYS: [Direct; 2] = [Direct::Always, Direct::Never];

fn world(direct: Direct, gravity: Vec2) -> World {
    World::new(Settings { gravity, direct, sleep: false, ..Settings::default() }).unwrap()
}

/// A disc without a shape.
fn mass(kilograms: f64, position: Vec2) -> BodyDef {
    let mass = Mass::Given(MassProperties {
        mass: kilograms,
        inertia: 0.1 * kilograms,
        center: Vec2::ZERO,
    });
    BodyDef { position, mass, ..BodyDef::dynamic() }
}

fn step(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(H).unwrap();
    }
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}
