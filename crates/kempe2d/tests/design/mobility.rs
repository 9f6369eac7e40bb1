//! Mobility, redundancy and singular positions.

use crate::{at, bar, four_bar, lump, near, pin, rod};
use kempe2d::{Axis, BodyDef, JointDef, Limit, Motor, Vec2, World};

#[test]
fn a_four_bar_has_one_freedom() {
    let mut world = World::default();
    let (bars, pins) =
        four_bar(&mut world, [at(0.0, 0.0), at(0.2, 1.0), at(1.7, 1.4), at(2.0, 0.0)]);
    let found = world.mobility().unwrap();
    assert_eq!([found.freedoms(), found.rows(), found.rank(), found.mobility()], [9, 8, 8, 1]);
    assert_eq!(found.grubler(), 1);
    assert!(found.redundant.is_empty());
    let [mechanism] = &found.mechanisms[..] else { panic!() };
    assert_eq!((mechanism.bodies.clone(), mechanism.joints.clone()), (bars.clone(), pins));
    assert!(mechanism.nearness.unwrap() > 0.02);
    let motions = mechanism.motions.as_ref().unwrap();
    assert_eq!(motions.len(), 1);
    // It has kinetic energy ½, and obeys the joints: as velocities, it opens none of them.
    let energy: f64 = motions[0]
        .iter()
        .map(|m| {
            let mass = world[m.body].mass_properties();
            mass.mass * m.velocity.length_squared() + mass.inertia * m.angular_velocity.powi(2)
        })
        .sum();
    near(energy, 1.0, 1e-12);
    let v = |k: usize, p: Vec2| {
        let m = motions[0][k];
        m.velocity + (p - world[bars[k]].center()).perp() * m.angular_velocity
    };
    assert!(v(0, at(0.0, 0.0)).length() < 1e-12 && v(2, at(2.0, 0.0)).length() < 1e-12);
    assert!((v(0, at(0.2, 1.0)) - v(1, at(0.2, 1.0))).length() < 1e-12);
    // Angular velocities by the centres of rotation: the coupler turns about where the cranks meet.
    let meet = {
        let (d, e) = (at(0.2, 1.0), at(-0.3, 1.4));
        let s = (at(2.0, 0.0).cross(e)) / d.cross(e);
        d * s
    };
    assert!(v(1, meet).length() < 1e-11 * (1.0 + meet.length()));
}

#[test]
fn a_parallel_bar_more_is_redundant_and_named() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let up = at(0.3, 1.0);
    let (bars, pins) = four_bar(&mut world, [at(0.0, 0.0), up, at(2.0, 0.0) + up, at(2.0, 0.0)]);
    let third = bar(&mut world, at(1.0, 0.0), at(1.0, 0.0) + up);
    let low = pin(&mut world, ground, third, at(1.0, 0.0));
    let high = pin(&mut world, third, bars[1], at(1.0, 0.0) + up);
    let found = world.mobility().unwrap();
    assert_eq!((found.mobility(), found.grubler(), found.rank()), (1, 0, 11));
    let [redundant] = &found.redundant[..] else { panic!("{:?}", found.redundant) };
    assert_eq!(redundant.row.joint, high);
    assert!(redundant.everywhere);
    let joints = redundant.joints();
    assert!(joints.contains(&low) && pins.iter().all(|pin| joints.contains(pin)), "{joints:?}");
    assert!(found.mechanisms[0].nearness.unwrap() > 0.01);
    // With a bar of another slope it is a structure.
    world.remove_body(third).unwrap();
    let third = bar(&mut world, at(0.5, 0.0), at(1.0, 0.0) + up);
    pin(&mut world, ground, third, at(0.5, 0.0));
    pin(&mut world, third, bars[1], at(1.0, 0.0) + up);
    let found = world.mobility().unwrap();
    assert_eq!((found.mobility(), found.redundant.len()), (0, 0));
}

#[test]
fn a_folded_four_bar_is_singular() {
    let mut world = World::default();
    four_bar(&mut world, [at(0.0, 0.0), at(1.0, 0.0), at(3.0, 0.0), at(2.0, 0.0)]);
    let found = world.mobility().unwrap();
    assert_eq!((found.mobility(), found.grubler()), (2, 1));
    assert_eq!(found.redundant.len(), 1);
    assert!(!found.redundant[0].everywhere);
    assert!(found.mechanisms[0].nearness.unwrap() < 1e-12);
    assert_eq!(found.mechanisms[0].motions.as_ref().unwrap().len(), 2);
    // Nearness falls with the angle on the way there.
    let nearness = |angle: f64| {
        let mut world = World::default();
        let (s, c) = angle.sin_cos();
        four_bar(&mut world, [at(0.0, 0.0), at(c, s), at(2.0 + c, s), at(2.0, 0.0)]);
        world.mobility().unwrap().mechanisms[0].nearness.unwrap()
    };
    let far = nearness(0.1) / nearness(0.01);
    assert!((9.0..11.0).contains(&far), "{far}");
}

#[test]
fn watt_and_peaucellier_have_one_freedom() {
    let mut world = World::default();
    four_bar(&mut world, [at(-1.0, 0.5), at(0.0, 0.5), at(0.0, -0.5), at(1.0, -0.5)]);
    assert_eq!(world.mobility().unwrap().mobility(), 1);

    // Peaucellier's cell: O and Q fixed, a rhombus A B C D of rods, OA = OC, QB = QO.
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let corners = [at(2.0, 1.0), at(1.0, 0.0), at(2.0, -1.0), at(3.0, 0.0)];
    let bodies: Vec<_> = corners.iter().map(|p| lump(&mut world, *p, 1.0, 1.0)).collect();
    for k in 0..4 {
        rod(&mut world, bodies[k], bodies[(k + 1) % 4]);
    }
    for k in [0, 2] {
        rod(&mut world, ground, bodies[k]);
    }
    let q = world.add_body(&BodyDef { position: at(0.5, 0.0), ..BodyDef::fixed() }).unwrap();
    rod(&mut world, q, bodies[1]);
    // Each point turns as it likes: four freedoms beside the one of the cell.
    let found = world.mobility().unwrap();
    assert_eq!((found.mobility(), found.grubler()), (5, 5));
    // And D moves along a straight line, across OQ.
    let motions = found.mechanisms[0].motions.as_ref().unwrap();
    let d = |m: &Vec<kempe2d::BodyMotion>| m.iter().find(|m| m.body == bodies[3]).unwrap().velocity;
    assert!(motions.iter().all(|m| d(m).x.abs() < 1e-10));
    assert!(motions.iter().any(|m| d(m).y.abs() > 1e-3));
}

#[test]
fn welds_in_a_loop_repeat_all_three_rows() {
    let mut world = World::default();
    let corners = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
    let bodies: Vec<_> = corners.iter().map(|p| lump(&mut world, *p, 1.0, 0.3)).collect();
    let welds: Vec<_> = (0..3)
        .map(|k| {
            let def = world.weld_at(bodies[k], bodies[(k + 1) % 3], at(0.4, 0.3)).unwrap();
            world.add_joint(&def).unwrap()
        })
        .collect();
    let found = world.mobility().unwrap();
    assert_eq!((found.mobility(), found.grubler(), found.redundant.len()), (3, 0, 3));
    for each in &found.redundant {
        assert_eq!(each.row.joint, welds[2]);
        assert!(each.joints().iter().all(|joint| welds[..2].contains(joint)) && each.everywhere);
    }
}

#[test]
fn motors_and_stops_count_while_they_hold() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let arm = bar(&mut world, at(0.0, 0.0), at(1.0, 0.0));
    let def = JointDef::revolute(ground, arm, [Vec2::ZERO, at(-0.5, 0.0)]);
    let joint = world.add_joint(&def).unwrap();
    let mobility = |world: &World| world.mobility().unwrap();
    assert_eq!(mobility(&world).mobility(), 1);
    world.edit_joint(joint, |def| *def.axis_mut(0) = Axis::driven(Motor::at(2.0))).unwrap();
    let found = mobility(&world);
    assert_eq!((found.mobility(), found.driven.clone()), (0, vec![(joint, 0)]));
    world.set_joint(joint, &def.clone().with_limit(0.0, 1.0)).unwrap();
    let found = mobility(&world);
    assert_eq!((found.mobility(), found.touched.clone()), (0, vec![(joint, 0, false)]));
    world.set_joint(joint, &def.clone().with_limit(-0.1, 1.0)).unwrap();
    assert_eq!(mobility(&world).mobility(), 1);
    let mut slips = def.clone();
    slips.axis_mut(0).friction = Some(1e9);
    world.set_joint(joint, &slips).unwrap();
    assert_eq!(mobility(&world).mobility(), 1);
    let held = Axis { limit: Some(Limit::new(0.0, 0.0)), ..Axis::default() };
    world.set_joint(joint, &def.with_axis(held)).unwrap();
    let found = mobility(&world);
    assert_eq!((found.mobility(), found.touched.len()), (0, 0));
}
