//! Springs: one that pulls and pushes, one that only pulls, one that only pushes, and a force law.
//!
//! Weights come to rest on each of them.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, BodyId, ForceLaw, JointDef, JointKind, Mass, Shape, Softness};
use kempe2d::{Vec2, World};

fn weight(world: &mut World, x: f64, y: f64, kg: f64) -> Fallible<BodyId> {
    Ok(world.add_body(&BodyDef {
        position: Vec2::new(x, y),
        shapes: vec![(Shape::circle(0.15), 1.0)],
        mass: Mass::Total(kg),
        ..BodyDef::dynamic()
    })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let beam = world.add_body(&BodyDef {
        shapes: vec![(Shape::rectangle(1.8, 0.1), 0.0)],
        ..BodyDef::fixed()
    })?;
    // N/m and N·s/m. By hertz and damping ratio instead: `Softness::Hertz`.
    let soft = Softness::Stiffness { stiffness: 100.0, damping: 28.0 };
    let hook = |x: f64| [Vec2::new(x, -0.1), Vec2::ZERO];
    let a = weight(&mut world, -1.5, -1.0, 2.0)?;
    let spring = world.add_joint(&JointDef::spring(beam, a, hook(-1.5), 0.8, soft))?;
    // Slack until the weight has fallen so far.
    let b = weight(&mut world, -0.5, -0.6, 2.0)?;
    let band = world.add_joint(&JointDef::tension_spring(beam, b, hook(-0.5), 0.8, soft))?;
    let c = weight(&mut world, 0.5, 1.4, 2.0)?;
    let top = [Vec2::new(0.5, 0.1), Vec2::ZERO];
    let buffer = world.add_joint(&JointDef::compression_spring(beam, c, top, 0.8, soft))?;
    // A spring that hardens: 200 x + 5000 x³ is 25 N at x = 0.1 m.
    let d = weight(&mut world, 1.5, -1.0, 25.0 / 9.81)?;
    let law = ForceLaw::text("-200 * (q - 0.8) - 5000 * (q - 0.8)^3 - 60 * speed")?;
    let [anchor_a, anchor_b] = hook(1.5);
    let kind = JointKind::Distance { anchor_a, anchor_b };
    let axis = Axis { law: Some(law), ..Axis::default() };
    let hard = world.add_joint(&JointDef::new(kind, beam, d).with_axis(axis))?;
    for _ in 0..300 {
        world.step(1.0 / 60.0)?;
    }
    let length = |joint| world.joint_coordinate(joint, 0).ok_or("no spring");
    let (spring, band, buffer, hard) =
        (length(spring)?, length(band)?, length(buffer)?, length(hard)?);
    let sag = 2.0 * 9.81 / 100.0;
    Ok(Scene::new(world, "springs: both ways, tension, compression, and a law that hardens")
        .figure("spring", spring, 0.8 + sag, 1e-3, "m")
        .figure("tension spring", band, 0.8 + sag, 1e-3, "m")
        .figure("compression spring", buffer, 0.8 - sag, 1e-3, "m")
        .figure("force law", hard, 0.9, 1e-3, "m"))
}
