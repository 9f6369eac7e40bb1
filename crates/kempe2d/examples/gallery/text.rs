//! Text: a joint from its equation.
//!
//! A bead on a wire that is a parabola. It loses no energy: v² = 2 g (h₀ − h).

use super::scene::{Fallible, Scene};
use kempe2d::equation::Program;
use kempe2d::{BodyDef, Mass, Shape, TextJoint, Vec2, World};

const WIRE: &str = "
body wire, bead
scalar steepness = 1
constraint
  let p = relative (-wire.rotation) (bead.position - wire.position) in
  p.y - steepness * p.x^2
axis height = bead.position.y - wire.position.y
";

pub fn run() -> Fallible<Scene> {
    let program = Program::parse(WIRE)?;
    let mut world = World::default();
    // The shape is only there to be seen: 0.04 m below the curve, from one end and back.
    let seen = |k: i32| {
        let (x, low) = (f64::from(k) / 10.0 - 1.2, 0.04);
        Vec2::new(x, 0.5 * x * x - low)
    };
    let back = (0..=24).rev().map(|k| seen(k) + Vec2::new(0.0, 0.03));
    let corners = (0..=24).map(seen).chain(back).collect();
    let wire = world.add_body(&BodyDef {
        shapes: vec![(Shape::Polygon { corners }, 0.0)],
        ..BodyDef::fixed()
    })?;
    let bead = world.add_body(&BodyDef {
        position: Vec2::new(1.0, 0.5),
        shapes: vec![(Shape::circle(0.08), 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    let joint = TextJoint::new(&program).with("steepness", 0.5)?;
    let joint = world.add_joint(&joint.joint(&[("wire", wire), ("bead", bead)])?)?;
    let mut fastest = 0.0_f64;
    for _ in 0..240 {
        world.step(1.0 / 240.0)?;
        fastest = fastest.max(world[bead].velocity().length());
    }
    let Vec2 { x, y } = world[bead].position();
    // Its axis can have a limit, a motor, a spring… as any other.
    let height = world.joint_coordinate(joint, 0).ok_or("no wire")?;
    Ok(Scene::new(world, "text: a bead on a wire, y = 0.5 x²")
        .figure("the fastest", fastest, (2.0 * 9.81 * 0.5_f64).sqrt(), 0.02, "m/s")
        .figure("y", y, 0.5 * x * x, 1e-3, "m")
        .figure("its axis", height, y, 1e-9, "m"))
}
