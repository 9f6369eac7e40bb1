//! Couplings, against the closed forms of gears, racks, screws and belts.

use kempe2d::{
    BodyDef, BodyId, Curve, Direct, Event, JointDef, JointId, Mass, MassProperties, Term,
};
use kempe2d::{Settings, Softness, Vec2, World};

const DT: f64 = 1.0 / 60.0;

fn world(direct: Direct) -> World {
    World::new(Settings { gravity: Vec2::ZERO, sleep: false, direct, ..Settings::default() })
        .unwrap()
}

fn body(world: &mut World, position: Vec2, mass: f64, inertia: f64) -> BodyId {
    let mass = Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
}

/// A wheel on a pin of `base`.
fn wheel(world: &mut World, base: BodyId, at: Vec2, inertia: f64) -> (BodyId, JointId) {
    let wheel = body(world, at, 1.0, inertia);
    let pin = world.revolute_at(base, wheel, at).unwrap();
    (wheel, world.add_joint(&pin).unwrap())
}

const BOTH: [Direct; 2] = [Direct::Always, Direct::Never];

#[test]
fn gears_turn_by_their_teeth() {
    for direct in BOTH {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let (a, on_a) = wheel(&mut world, ground, Vec2::ZERO, 0.5);
        let (b, on_b) = wheel(&mut world, ground, Vec2::new(3.0, 0.0), 2.0);
        world.add_joint(&JointDef::gears(on_a, on_b, 20.0, 40.0)).unwrap();
        // α₁ = τ / (I₁ + I₂ (z₁/z₂)²) = 5 / (0.5 + 0.5) = 5
        for _ in 0..60 {
            world.apply_torque(a, 5.0).unwrap();
            world.step(DT).unwrap();
        }
        let (first, second) = (world[a].angular_velocity(), world[b].angular_velocity());
        assert!((first - 5.0).abs() < 2e-3, "{direct:?} {first}");
        assert!((second + 2.5).abs() < 1e-3, "{direct:?} {second}");
        let mesh = world[a].rotation() * 20.0 + world[b].rotation() * 40.0;
        assert!(mesh.abs() < 5e-3, "{direct:?} {mesh}");
    }
}

#[test]
fn a_planetary_gear_obeys_willis() {
    let (zs, zp, zr) = (24.0, 18.0, 60.0);
    for direct in BOTH {
        // Sun and ring are driven; with planets, and by one equation without.
        for (ws, wr, wc, wp) in [
            (10.0, 0.0, 2.857142857142857, -6.666666666666664),
            (0.0, 10.0, 7.142857142857143, 16.666666666666668),
        ] {
            let mut world = world(direct);
            let ground = world.ground().unwrap();
            let (sun, on_sun) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
            let (ring, on_ring) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
            let (carrier, on_carrier) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
            let (planet, on_planet) = wheel(&mut world, carrier, Vec2::new(2.1, 0.0), 0.1);
            // The sun and the ring as seen from the carrier.
            let angle = kempe2d::JointKind::Angle { ratio: 1.0, angle: 0.0 };
            let seen = |of| JointDef::new(angle.clone(), carrier, of);
            let sun_seen = world.add_joint(&seen(sun)).unwrap();
            let ring_seen = world.add_joint(&seen(ring)).unwrap();
            world.add_joint(&JointDef::gears(sun_seen, on_planet, zs, zp)).unwrap();
            world.add_joint(&JointDef::gears(ring_seen, on_planet, -zr, zp)).unwrap();
            let whole = JointDef::planetary([on_sun, on_ring, on_carrier], zs, zr);
            let (other, on_other) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
            let whole = match whole.kind {
                kempe2d::JointKind::Coupling { mut terms, constant } => {
                    terms[2].joint = on_other;
                    JointDef::coupling(terms, constant)
                }
                _ => unreachable!(),
            };
            world.add_joint(&whole).unwrap();
            for (joint, speed) in [(on_sun, ws), (on_ring, wr)] {
                world
                    .edit_joint(joint, |def| {
                        def.axis_mut(0).motor = Some(kempe2d::Motor::at(speed));
                    })
                    .unwrap();
            }
            for _ in 0..120 {
                world.step(DT).unwrap();
            }
            for (id, speed) in [(sun, ws), (ring, wr), (carrier, wc), (planet, wp), (other, wc)] {
                let found = world[id].angular_velocity();
                assert!((found - speed).abs() < 5e-3, "{direct:?} {found} {speed}");
            }
        }
    }
}

#[test]
fn a_rack_a_screw_and_a_belt() {
    for direct in BOTH {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let (pinion, on_pinion) = wheel(&mut world, ground, Vec2::ZERO, 0.01);
        let rack = body(&mut world, Vec2::new(0.0, -0.1), 2.0, 1.0);
        let rail = world.prismatic_at(ground, rack, Vec2::new(0.0, -0.1), Vec2::X).unwrap();
        let on_rack = world.add_joint(&rail).unwrap();
        world.add_joint(&JointDef::rack_and_pinion(on_rack, on_pinion, 0.1)).unwrap();
        // a = F / (m + I / r²) = 10 / 3
        for _ in 0..60 {
            world.apply_central_force(rack, Vec2::new(10.0, 0.0)).unwrap();
            world.step(DT).unwrap();
        }
        assert!(
            (world[rack].velocity().x - 10.0 / 3.0).abs() < 2e-3,
            "{:?}",
            world[rack].velocity()
        );
        assert!((world[pinion].angular_velocity() - 100.0 / 3.0).abs() < 2e-2);
        let (nut, wheel_b) = (body(&mut world, Vec2::new(0.0, 2.0), 1.0, 1.0), Vec2::new(5.0, 0.0));
        let rail = world.prismatic_at(ground, nut, Vec2::new(0.0, 2.0), Vec2::Y).unwrap();
        let on_nut = world.add_joint(&rail).unwrap();
        let (other, on_other) = wheel(&mut world, ground, wheel_b, 1.0);
        world
            .add_joint(&world.as_it_stands(&JointDef::screw(on_nut, on_pinion, 0.005)).unwrap())
            .unwrap();
        world
            .add_joint(&world.as_it_stands(&JointDef::belt(on_pinion, on_other, 0.1, 0.4)).unwrap())
            .unwrap();
        let before = (world[nut].position().y, world[pinion].rotation(), world[other].rotation());
        for _ in 0..60 {
            world.step(DT).unwrap();
        }
        let turned = world[pinion].rotation() - before.1;
        assert!(turned.abs() > 1.0);
        let risen = world[nut].position().y - before.0;
        assert!((risen - 0.005 * turned / std::f64::consts::TAU).abs() < 1e-5, "{risen} {turned}");
        assert!((world[other].rotation() - before.2 - turned / 4.0).abs() < 1e-4);
    }
}

#[test]
fn a_curve_is_followed() {
    for direct in BOTH {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let (_, on_cam) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
        let follower = body(&mut world, Vec2::new(0.0, 1.0), 1.0, 1.0);
        let rail = world.prismatic_at(ground, follower, Vec2::new(0.0, 1.0), Vec2::Y).unwrap();
        let on_follower = world.add_joint(&rail).unwrap();
        let curve = Curve::text("0.2 * sin(q)^2").unwrap();
        world.add_joint(&JointDef::follower(on_follower, on_cam, curve)).unwrap();
        world
            .edit_joint(on_cam, |def| def.axis_mut(0).motor = Some(kempe2d::Motor::at(2.0)))
            .unwrap();
        for _ in 0..200 {
            world.step(DT).unwrap();
            let q = world.joint_coordinate(on_cam, 0).unwrap();
            let lift = world.joint_coordinate(on_follower, 0).unwrap();
            assert!((lift - 0.2 * q.sin().powi(2)).abs() < 5e-4, "{direct:?} {q} {lift}");
        }
        let q = world.joint_coordinate(on_cam, 0).unwrap();
        assert!((q - 2.0 * 200.0 / 60.0).abs() < 0.05, "{q}");
    }
}

#[test]
fn backlash_at_reversal() {
    for direct in BOTH {
        let mut world = world(direct);
        let ground = world.ground().unwrap();
        let (_, on_a) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
        let (b, on_b) = wheel(&mut world, ground, Vec2::new(3.0, 0.0), 1.0);
        // B follows A within 0.2 rad of play; friction stops it while it is not driven.
        world.add_joint(&JointDef::gears(on_a, on_b, 1.0, 1.0).with_backlash(0.2)).unwrap();
        world.edit_joint(on_b, |def| def.axis_mut(0).friction = Some(50.0)).unwrap();
        let drive = |world: &mut World, speed: f64, steps: usize| {
            world
                .edit_joint(on_a, |def| def.axis_mut(0).motor = Some(kempe2d::Motor::at(speed)))
                .unwrap();
            for _ in 0..steps {
                world.step(DT).unwrap();
            }
        };
        drive(&mut world, 1.0, 60);
        let forward = world[b].rotation();
        assert!((forward + 0.9).abs() < 0.01, "{direct:?} {forward}");
        // The play is 0.2 rad: 0.15 s later B still stands, and after 1 s it has come 0.8 back.
        drive(&mut world, -1.0, 9);
        assert!((world[b].rotation() - forward).abs() < 0.01, "{direct:?} {}", world[b].rotation());
        drive(&mut world, -1.0, 51);
        assert!((world[b].rotation() - forward - 0.8).abs() < 0.02, "{}", world[b].rotation());
    }
}

#[test]
fn a_coupling_goes_with_a_joint_that_it_refers_to() {
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let (a, on_a) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
    let (_, on_b) = wheel(&mut world, ground, Vec2::new(3.0, 0.0), 1.0);
    let (_, on_c) = wheel(&mut world, ground, Vec2::new(6.0, 0.0), 1.0);
    let first = world.add_joint(&JointDef::gears(on_a, on_b, 1.0, 2.0)).unwrap();
    let second = world.add_joint(&JointDef::gears(on_b, on_c, 1.0, 2.0)).unwrap();
    assert_eq!(world.joint(first).unwrap().bodies().len(), 4);
    world.remove_joint(on_a).unwrap();
    assert!(world.joint(first).is_none() && world.joint(second).is_some());
    let removed = |world: &mut World| -> Vec<Event> {
        let events = &world.step(DT).unwrap().events;
        events.iter().filter(|event| matches!(event, Event::Removed { .. })).copied().collect()
    };
    assert_eq!(removed(&mut world), [Event::Removed { joint: first, with: on_a }]);
    assert!(world.body(a).is_some());
    // A joint that is made another, without the axis, takes the coupling with it too.
    world
        .edit_joint(on_c, |def| {
            *def = JointDef::weld(
                def.bodies[0],
                def.bodies[1],
                [Vec2::new(6.0, 0.0), Vec2::ZERO],
                0.0,
            );
        })
        .unwrap();
    assert!(world.joint(second).is_none());
    assert_eq!(removed(&mut world), [Event::Removed { joint: second, with: on_c }]);
}

#[test]
fn a_soft_coupling_is_a_spring() {
    // Two wheels of 1 and 4 kg·m² coupled 1:1 by k = 40: ω² = k (1 + 1/4).
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let (a, on_a) = wheel(&mut world, ground, Vec2::ZERO, 1.0);
    let (_, on_b) = wheel(&mut world, ground, Vec2::new(3.0, 0.0), 4.0);
    let mut soft = JointDef::belt(on_a, on_b, 1.0, 1.0);
    let stiffness = Softness::Stiffness { stiffness: 40.0, damping: 0.0 };
    soft.axis_mut(0).limit =
        Some(kempe2d::Limit { softness: stiffness, ..kempe2d::Limit::new(0.0, 0.0) });
    let soft = world.add_joint(&soft).unwrap();
    world.set_angular_velocity(a, 1.0).unwrap();
    let (mut last, mut crossings) = (0.0, Vec::new());
    for step in 0..600 {
        world.step(1.0 / 240.0).unwrap();
        let q = world.joint_coordinate(soft, 0).unwrap();
        if last > 0.0 && q <= 0.0 {
            crossings.push(step as f64 / 240.0);
        }
        last = q;
    }
    let period = crossings[1] - crossings[0];
    let ideal = std::f64::consts::TAU / (40.0_f64 * 1.25).sqrt();
    assert!((period - ideal).abs() < 0.01, "{period} {ideal}");
}

#[test]
fn a_term_counts_any_axis() {
    // The second axis of a slot: its angle turns with the travel.
    let mut world = world(Direct::Auto);
    let ground = world.ground().unwrap();
    let disc = body(&mut world, Vec2::ZERO, 1.0, 0.5);
    let slot = world.add_joint(&world.slot_at(ground, disc, Vec2::ZERO, Vec2::X).unwrap()).unwrap();
    let rolls = vec![Term::new(slot, 0, 1.0), Term::new(slot, 1, 1.0)];
    world.add_joint(&JointDef::coupling(rolls, 0.0)).unwrap();
    for _ in 0..60 {
        world.apply_central_force(disc, Vec2::new(3.0, 0.0)).unwrap();
        world.step(DT).unwrap();
    }
    // a = F / (m + I) = 2
    assert!((world[disc].velocity().x - 2.0).abs() < 1e-3);
    assert!((world[disc].position().x + world[disc].rotation()).abs() < 1e-4);
}
