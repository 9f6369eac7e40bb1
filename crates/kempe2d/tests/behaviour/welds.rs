//! Welds in lanes: what yields, and what does not.

use super::H;
use super::springs::world_by;
use kempe2d::{BodyDef, BodyId, Direct, JointDef, JointId, Shape, Vec2, World};

/// Boxes of 0.5 m in a row, welded joint by joint at points this far above their ends.
fn beam(gravity: Vec2, above: f64, wall: bool) -> (World, Vec<BodyId>, Vec<JointId>) {
    let mut world = world_by(Direct::Never, gravity, 4);
    let (mut bodies, mut welds) = (Vec::new(), Vec::new());
    let mut last = world.ground().unwrap();
    for k in 0..5 {
        let shape = Shape::rectangle(0.25, 0.0625);
        let position = Vec2::new(0.25 + 0.5 * f64::from(k), 0.0);
        let this = BodyDef { position, shapes: vec![(shape, 1.0)], ..BodyDef::dynamic() };
        let this = world.add_body(&this).unwrap();
        let end = if k == 0 { Vec2::ZERO } else { Vec2::new(0.25, 0.0) };
        let up = Vec2::new(0.0, above);
        if wall || k > 0 {
            let weld = JointDef::weld(last, this, [end + up, Vec2::new(-0.25, above)], 0.0);
            welds.push(world.add_joint(&weld).unwrap());
        }
        bodies.push(this);
        last = this;
    }
    (world, bodies, welds)
}

fn gaps(world: &World, welds: &[JointId]) -> Vec<f64> {
    let gap = |weld: &JointId| world.joint_separation(*weld).unwrap().0;
    welds.iter().map(gap).collect()
}

/// A load on the angle of a weld opens no gap of its point: by K it is 3.6 mm at the wall.
#[test]
fn a_beam_of_welds_is_open_by_little() {
    let (mut world, bodies, welds) = beam(Vec2::new(0.0, -9.81), 0.0, true);
    for _ in 0..300 {
        world.step(H).unwrap();
    }
    let gaps = gaps(&world, &welds);
    assert!(gaps.iter().all(|gap| *gap < 2.15e-3), "{gaps:?}");
    assert!(gaps.iter().sum::<f64>() < 5.0 * 1.3e-3, "{gaps:?}");
    let hangs = world[bodies[4]].position().y;
    assert!(-0.112 < hangs && hangs < -0.09, "{hangs}");
}

/// Wherever the anchors are, a beam that spins holds together and gains nothing.
#[test]
fn anchors_far_away_hold_a_beam_together() {
    let (mut world, bodies, welds) = beam(Vec2::ZERO, 3.0, false);
    for body in &bodies {
        world.set_angular_velocity(*body, 6.0).unwrap();
        let speed = 6.0 * world[*body].position().x;
        world.set_velocity(*body, Vec2::new(0.0, speed)).unwrap();
    }
    let energy = world.kinetic_energy();
    for _ in 0..300 {
        world.step(H).unwrap();
        assert!(gaps(&world, &welds).iter().all(|gap| *gap < 6e-3));
        assert!(world.kinetic_energy() <= 1.001 * energy);
    }
}
