//! What is passive gains no energy, and what a sub-step resolves keeps it.

use super::{close, step, world};
use kempe2d::{
    Axis, BodyDef, BodyId, Direct, ForceRange, JointDef, JointKind, Limit, Mass, MassProperties,
    Motor, Softness, Spring, Target, Vec2, World,
};
use std::f64::consts::TAU;

const DOWN: Vec2 = Vec2::new(0.0, -9.81);

fn rod(world: &mut World, from: Vec2, to: Vec2, mass: f64) -> BodyId {
    let way = to - from;
    let inertia = mass * way.length_squared() / 12.0;
    let mass = Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO });
    let rotation = f64::atan2(way.y, way.x);
    let def = BodyDef { position: (from + to) * 0.5, rotation, mass, ..BodyDef::dynamic() };
    world.add_body(&def).unwrap()
}

fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// Pins a body to another at a point of the world.
fn pin(world: &mut World, a: BodyId, b: BodyId, at: Vec2) {
    let def = world.revolute_at(a, b, at).unwrap();
    world.add_joint(&def).unwrap();
}

/// A bar on two pins stood still, or was thrown apart.
#[test]
fn a_bar_on_two_pins_keeps_its_energy() {
    for apart in [0.02, 0.2, 0.5] {
        for (gravity, spin) in [(DOWN, 0.0), (Vec2::ZERO, 3.0)] {
            let mut world = world(Direct::Auto, gravity);
            let ground = world.ground().unwrap();
            let a = rod(&mut world, Vec2::ZERO, Vec2::X, 1.0);
            let b = rod(&mut world, Vec2::X, Vec2::new(2.0, 0.0), 1.0);
            for side in [-0.5, 0.5] {
                pin(&mut world, a, b, Vec2::new(1.0 + side * apart, 0.0));
            }
            if spin == 0.0 {
                pin(&mut world, ground, a, Vec2::ZERO);
            }
            for (body, y) in [(a, -0.5), (b, 0.5)] {
                world.set_velocity(body, Vec2::new(0.0, spin * y)).unwrap();
                world.set_angular_velocity(body, spin).unwrap();
            }
            let start = energy(&world);
            let scale = if spin == 0.0 { 2.0 * 9.81 } else { start };
            for _ in 0..1200 {
                step(&mut world, 1);
                close(energy(&world), start, 5e-3 * scale);
            }
        }
    }
}

/// A load a million times as heavy as a link, dropped from any angle.
#[test]
fn a_chain_holds_a_million_times_its_links_from_any_angle() {
    for (links, degrees) in [(3, 60.0), (3, 90.0), (10, 40.0), (10, 90.0), (20, 40.0)] {
        let mut world = world(Direct::Auto, DOWN);
        let way = Vec2::from_angle(f64::to_radians(degrees - 90.0));
        let (mut last, mut end) = (world.ground().unwrap(), Vec2::ZERO);
        for _ in 0..links {
            let body = rod(&mut world, end, end + way, 0.2);
            pin(&mut world, last, body, end);
            (last, end) = (body, end + way);
        }
        let heavy = MassProperties { mass: 2e5, inertia: 1e4, center: Vec2::ZERO };
        let def = BodyDef { position: end, mass: Mass::Given(heavy), ..BodyDef::dynamic() };
        let load = world.add_body(&def).unwrap();
        pin(&mut world, last, load, end);
        let (start, scale) = (energy(&world), 2e5 * 9.81 * f64::from(links));
        let joints: Vec<_> = world.joints().map(|each| each.0).collect();
        for _ in 0..1200 {
            step(&mut world, 1);
            assert!(energy(&world) - start < 1e-3 * scale, "{links} links, {degrees} degrees");
            let open = joints.iter().map(|id| world.joint_separation(*id).unwrap().0);
            let open = open.fold(0.0, f64::max);
            assert!(open < 0.05, "{links} links, {degrees} degrees: open by {open} m");
        }
    }
}

/// A rod that spun about its end at 100 rad/s lost half of its energy in a second.
#[test]
fn a_rod_at_a_hundred_radians_per_second_keeps_its_energy() {
    let mut world = world(Direct::Auto, Vec2::ZERO);
    let ground = world.ground().unwrap();
    let body = rod(&mut world, Vec2::ZERO, Vec2::X, 1.0);
    pin(&mut world, ground, body, Vec2::ZERO);
    world.set_velocity(body, Vec2::new(0.0, 50.0)).unwrap();
    world.set_angular_velocity(body, 100.0).unwrap();
    let (start, joint) = (energy(&world), world.joints().next().unwrap().0);
    for _ in 0..60 {
        step(&mut world, 1);
        assert!(world.joint_separation(joint).unwrap().0 < 1e-3);
    }
    close(energy(&world), start, 0.02 * start);
}

/// Three bounces came back a sixth too low.
#[test]
fn bounces_come_back_as_high_as_they_should() {
    for restitution in [0.5, 0.8, 1.0] {
        let mut world = world(Direct::Auto, DOWN);
        let ground = world.ground().unwrap();
        let body = rod(&mut world, Vec2::new(-0.5, 1.0), Vec2::new(0.5, 1.0), 1.0);
        let mut rail = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y);
        rail.axis_mut(0).limit = Some(Limit { restitution, ..Limit::new(0.0, f64::INFINITY) });
        world.add_joint(&rail).unwrap();
        let (mut last, mut rising, mut bounces) = (1.0, false, 0);
        while bounces < 3 {
            step(&mut world, 1);
            let y = world[body].position().y;
            if rising && y < last {
                bounces += 1;
                let height = f64::powi(restitution, 2 * bounces);
                close(last, height, 0.02 * height);
            }
            (rising, last) = (y > last, y);
        }
    }
}

/// A body of 1 kg on a rail with a spring of so many hertz and no damping.
fn sprung(direct: Direct, hertz: f64, from: f64) -> (World, BodyId, JointDef) {
    let mut world = world(direct, Vec2::ZERO);
    let ground = world.ground().unwrap();
    let body = rod(&mut world, Vec2::new(from - 0.5, 0.0), Vec2::new(from + 0.5, 0.0), 1.0);
    let softness = Softness::Hertz { hertz, damping_ratio: 0.0 };
    let spring = Some(Spring { rest: 0.0, softness, force: ForceRange::default() });
    let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X);
    (world, body, def.with_axis(Axis { spring, ..Axis::default() }))
}

#[test]
fn a_spring_keeps_its_amplitude() {
    for direct in [Direct::Auto, Direct::Never] {
        for hertz in [0.5, 1.0, 2.0] {
            let (mut world, body, def) = sprung(direct, hertz, 0.3);
            world.add_joint(&def).unwrap();
            step(&mut world, (60.0 * 9.0 / hertz) as usize);
            let mut most = 0.0_f64;
            for _ in 0..(60.0 * 1.1 / hertz) as usize {
                step(&mut world, 1);
                most = most.max(world[body].position().x);
            }
            close(most, 0.3, 0.02 * 0.3);
        }
    }
}

/// x = A / (2 m ω²) (sin ωt − ωt cos ωt)
#[test]
fn a_spring_driven_at_resonance_swings_up_as_it_should() {
    for direct in [Direct::Auto, Direct::Never] {
        let (mut world, body, mut def) = sprung(direct, 1.0, 0.0);
        let force = Target::expression("sin(6.283185307179586 * time)").unwrap();
        def.axis_mut(0).motor = Some(Motor::Force { force });
        world.add_joint(&def).unwrap();
        step(&mut world, 480);
        let expected = -8.0 * TAU / (2.0 * TAU * TAU);
        close(world[body].position().x, expected, 0.03 * expected.abs());
    }
}

/// ½ k s² = m g (h + s)
#[test]
fn an_elastic_rope_that_catches_a_fall_stretches_as_it_should() {
    let (mut world, k, fall) = (world(Direct::Auto, DOWN), 400.0, 2.0);
    let ground = world.ground().unwrap();
    let body = rod(&mut world, Vec2::new(-0.1, -0.01), Vec2::new(0.1, -0.01), 1.0);
    let softness = Softness::Stiffness { stiffness: k, damping: 0.0 };
    let mut def = JointDef::new(
        JointKind::Distance { anchor_a: Vec2::ZERO, anchor_b: Vec2::ZERO },
        ground,
        body,
    );
    def.axis_mut(0).limit = Some(Limit { softness, ..Limit::new(f64::NEG_INFINITY, fall) });
    world.add_joint(&def).unwrap();
    let mut lowest = 0.0_f64;
    for _ in 0..90 {
        step(&mut world, 1);
        lowest = lowest.min(world[body].position().y);
    }
    let weight = 9.81;
    let stretch = (weight + (weight * weight + 2.0 * k * weight * (fall - 0.01)).sqrt()) / k;
    close(-lowest - fall, stretch, 0.03 * stretch);
}

/// Rods that stood on end between springs of their own came apart: a beam of twenty pins with springs.
#[test]
fn a_beam_of_springs_comes_to_rest() {
    for (count, stiffness) in [(8, 1000.0), (12, 100.0), (20, 10.0)] {
        let mut world = world(Direct::Auto, DOWN);
        let (mut last, mut end) = (world.ground().unwrap(), Vec2::ZERO);
        let length = 1.0 / f64::from(count);
        for _ in 0..count {
            let to = end + Vec2::X * length;
            let body = rod(&mut world, end, to, length);
            let mut def = world.revolute_at(last, body, end).unwrap();
            let softness =
                Softness::Stiffness { stiffness: stiffness / length, damping: 0.02 * stiffness };
            def.axis_mut(0).spring =
                Some(Spring { rest: 0.0, softness, force: ForceRange::default() });
            world.add_joint(&def).unwrap();
            (last, end) = (body, to);
        }
        let start = energy(&world);
        for _ in 0..600 {
            step(&mut world, 1);
            assert!(energy(&world) < start + 1e-3, "{count} of {stiffness}");
        }
        assert!(
            world.kinetic_energy() < 0.02,
            "{count} of {stiffness}: {}",
            world.kinetic_energy()
        );
    }
}
