//! From sketches to mechanisms.

use crate::{at, bar, four_bar, lump, near, pin};
use kempe2d::{Assembled, BodyDef, DesignError, JointDef, JointId, Vec2, World};

fn separation(world: &World, joints: &[JointId]) -> f64 {
    let each = joints.iter().map(|joint| world.joint_separation(*joint).unwrap());
    each.fold(0.0, |most, (length, angle)| most.max(length).max(angle))
}

#[test]
fn a_rough_four_bar_closes() {
    for mess in [0.05, 0.5, 3.0] {
        let mut world = World::default();
        let points = [at(0.0, 0.0), at(0.2, 1.0), at(1.7, 1.4), at(2.0, 0.0)];
        let (bars, pins) = four_bar(&mut world, points);
        for (k, bar) in bars.iter().enumerate() {
            let off = at((k as f64 + 1.0).sin(), (2.0 * k as f64).cos()) * mess;
            world.set_position(*bar, world[*bar].position() + off).unwrap();
            world.set_rotation(*bar, world[*bar].rotation() + mess * (k as f64 - 1.0)).unwrap();
        }
        assert!(separation(&world, &pins) > 0.01);
        let done = world.assemble().unwrap();
        assert!(separation(&world, &pins) < 1e-11, "{done:?}");
        assert!(done.open < 1e-11 && done.moved > 0.01 * mess);
        println!("{mess}: {done:?}");
    }
}

#[test]
fn the_nearest_position_is_taken() {
    // A point on a circle: along the ray; its mass does not matter, its turning stays.
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(3.0, 4.0), 2.0, 0.1);
    world.set_rotation(ball, 0.4).unwrap();
    world.add_joint(&JointDef::rod(ground, ball, [Vec2::ZERO; 2], 2.0)).unwrap();
    let Assembled { moved, attempts, .. } = world.assemble().unwrap();
    assert!((world[ball].position() - at(1.2, 1.6)).length() < 1e-9);
    near(world[ball].rotation(), 0.4, 1e-12);
    near(moved, 3.0 * 2.0_f64.sqrt(), 1e-9);
    assert_eq!(attempts, 1);
    // A rod on a pin at its end: the least of m |Δx|² + I Δθ² by search.
    let mut world = World::default();
    let rod = bar(&mut world, at(0.3, 0.9), at(1.3, 0.9));
    let ground = world.ground().unwrap();
    world.add_joint(&JointDef::revolute(ground, rod, [Vec2::ZERO, at(-0.5, 0.0)])).unwrap();
    let cost = |angle: f64| {
        let moved = at(angle.cos(), angle.sin()) * 0.5 - at(0.8, 0.9);
        moved.length_squared() + angle * angle / 12.0
    };
    let (mut low, mut high) = (0.0, 1.5);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if cost(a) < cost(b) { high = b } else { low = a }
    }
    let done = world.assemble().unwrap();
    near(world[rod].rotation(), low, 1e-7);
    near(done.moved, cost(low).sqrt(), 1e-12);
}

#[test]
fn stops_are_respected() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let arm = bar(&mut world, at(0.0, 0.0), at(1.0, 0.0));
    world.set_rotation(arm, 2.0).unwrap();
    let def = JointDef::revolute(ground, arm, [Vec2::ZERO, at(-0.5, 0.0)]).with_limit(-0.5, 0.25);
    world.add_joint(&def).unwrap();
    world.assemble().unwrap();
    near(world[arm].rotation(), 0.25, 1e-11);
    // A rope that is slack moves nothing.
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(0.5, 0.5), 1.0, 1.0);
    world.add_joint(&JointDef::rope(ground, ball, [Vec2::ZERO; 2], 1.0)).unwrap();
    assert_eq!(world.assemble().unwrap().moved, 0.0);
}

#[test]
fn welds_to_two_places_contradict() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let post = world.add_body(&BodyDef { position: at(3.0, 0.0), ..BodyDef::fixed() }).unwrap();
    let plate = lump(&mut world, at(1.0, 1.0), 1.0, 1.0);
    let first =
        world.add_joint(&JointDef::weld(ground, plate, [at(1.0, 0.0), Vec2::ZERO], 0.0)).unwrap();
    // What hangs on it has nothing to do with it.
    let more = bar(&mut world, at(1.0, 1.0), at(2.0, 1.0));
    pin(&mut world, plate, more, at(1.0, 1.0));
    let second =
        world.add_joint(&JointDef::weld(post, plate, [at(-1.0, 0.0), Vec2::ZERO], 0.0)).unwrap();
    let before = world.state_hash();
    match world.assemble() {
        Err(DesignError::Contradiction { joints, open }) => {
            assert_eq!(joints, [first, second]);
            near(open, 0.5, 1e-6);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_triangle_that_cannot_be_is_named() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let a = lump(&mut world, at(0.0, 0.0), 1.0, 1.0);
    let b = lump(&mut world, at(1.0, 0.2), 2.0, 1.0);
    let c = lump(&mut world, at(0.5, 1.0), 1.0, 1.0);
    let rod = |world: &mut World, a, b, length| {
        world.add_joint(&JointDef::rod(a, b, [Vec2::ZERO; 2], length)).unwrap()
    };
    rod(&mut world, ground, a, 0.3);
    let sides =
        [rod(&mut world, a, b, 1.0), rod(&mut world, b, c, 1.0), rod(&mut world, c, a, 2.5)];
    let d = lump(&mut world, at(2.0, 0.0), 1.0, 1.0);
    rod(&mut world, b, d, 1.0);
    let before = world.state_hash();
    match world.assemble() {
        Err(DesignError::Contradiction { joints, .. }) => assert_eq!(joints, sides),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.state_hash(), before);
    // At 2 it is just possible.
    world.set_joint(sides[2], &JointDef::rod(c, a, [Vec2::ZERO; 2], 2.0)).unwrap();
    world.assemble().unwrap();
    assert!(separation(&world, &sides) < 1e-9);
}

#[test]
fn a_chain_far_off_hangs_together() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let (mut last, mut joints) = (ground, Vec::new());
    for k in 0..20 {
        let place = at((7.3 * k as f64).sin() * 5.0, (3.1 * k as f64).cos() * 5.0);
        let link = bar(&mut world, at(-0.5, 0.0), at(0.5, 0.0));
        world.set_position(link, place).unwrap();
        let on_last = if k == 0 { Vec2::ZERO } else { at(0.5, 0.0) };
        let def = JointDef::revolute(last, link, [on_last, at(-0.5, 0.0)]);
        joints.push(world.add_joint(&def).unwrap());
        last = link;
    }
    let end = world.add_body(&BodyDef { position: at(15.0, 0.0), ..BodyDef::fixed() }).unwrap();
    joints
        .push(world.add_joint(&JointDef::revolute(last, end, [at(0.5, 0.0), Vec2::ZERO])).unwrap());
    let done = world.assemble().unwrap();
    println!("{done:?}");
    assert!(separation(&world, &joints) < 1e-10);
    // Twenty links do not reach 21 m.
    world.set_position(end, at(21.0, 0.0)).unwrap();
    match world.assemble() {
        Err(DesignError::Contradiction { joints: named, .. }) => assert_eq!(named, joints),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_joint_is_named_that_is_not_needed() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(1.3, 0.2), 1.0, 1.0);
    // The first two say the same; either of them contradicts the third.
    let rods = [1.0, 1.0, 2.0].map(|length| {
        world.add_joint(&JointDef::rod(ground, ball, [Vec2::ZERO; 2], length)).unwrap()
    });
    match world.assemble() {
        Err(DesignError::Contradiction { joints, .. }) => {
            assert!(joints.len() == 2 && joints.contains(&rods[2]), "{joints:?}");
        }
        other => panic!("{other:?}"),
    }
}
