//! Softness: how a hold yields, in whatever units are at hand.
//!
//! Six plates of 2 kg, each welded to a beam. Four of the welds are the same spring of 2 Hz.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, JointDef, Mass, Shape, Softness, Vec2, World};
use std::f64::consts::TAU;

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(1.9, 0.08), 0.0)],
        ..BodyDef::fixed()
    })?;
    let (mass, per_mass) = (2.0, (TAU * 2.0_f64).powi(2));
    let damper = 2.0 * 0.5 * TAU * 2.0;
    let ways = [
        Softness::Rigid,
        Softness::ErrorBias { remaining: 0.01, max_bias: 1.0 },
        Softness::Hertz { hertz: 2.0, damping_ratio: 0.5 },
        Softness::MassNormalized { stiffness: per_mass, damping: damper },
        Softness::Stiffness { stiffness: mass * per_mass, damping: mass * damper },
        Softness::Compliance { compliance: 1.0 / (mass * per_mass), damping: mass * damper },
    ];
    let mut plates = Vec::new();
    for (k, softness) in ways.into_iter().enumerate() {
        let place = Vec2::new(0.6 * k as f64 - 1.5, -0.4);
        let plate = world.add_body(&BodyDef {
            position: place,
            shapes: vec![(Shape::rectangle(0.2, 0.2), 1.0)],
            mass: Mass::Total(mass),
            ..BodyDef::dynamic()
        })?;
        let weld = JointDef::weld(beam, plate, [place, Vec2::ZERO], 0.0);
        world.add_joint(&weld.with_softness(softness))?;
        plates.push(plate);
    }
    for _ in 0..300 {
        world.step(1.0 / 60.0)?;
    }
    let sag: Vec<f64> = plates.iter().map(|plate| -0.4 - world[*plate].position().y).collect();
    // ω² sag = g
    let ideal = 9.81 / per_mass;
    Ok(Scene::new(world, "softness: rigid, error bias, and four that are the same spring")
        .figure("rigid", sag[0], 0.0, 1e-3, "m")
        .figure("error bias", sag[1], 0.0, 1e-3, "m")
        .figure("2 Hz", sag[2], ideal, 1e-4, "m")
        .figure("k/m, c/m", sag[3], ideal, 1e-4, "m")
        .figure("k, c", sag[4], ideal, 1e-4, "m")
        .figure("1/k, c", sag[5], ideal, 1e-4, "m"))
}
