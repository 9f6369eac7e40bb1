//! A motor on a crank that is much lighter than what it moves.

use super::{H, close, step, world};
use kempe2d::{Axis, BodyDef, BodyId, Direct, JointDef, Mass, MassProperties, Motor, Vec2, World};

fn body(world: &mut World, mass: f64, position: Vec2) -> BodyId {
    let mass = Mass::Given(MassProperties { mass, inertia: 0.1 * mass, center: Vec2::ZERO });
    world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap()
}

/// A load of 1 kg at the end of a crank of 1 m.
#[test]
fn a_motor_turns_a_load_by_a_light_crank() {
    for direct in [Direct::Auto, Direct::Always] {
        for lighter in [1.0, 1e-3, 1e-6, 1e-7, 1e-8] {
            let mut world = world(direct, Vec2::ZERO);
            let ground = world.ground().unwrap();
            let crank = body(&mut world, lighter, Vec2::new(0.5, 0.0));
            let load = body(&mut world, 1.0, Vec2::X);
            let mut pin = world.revolute_at(ground, crank, Vec2::ZERO).unwrap();
            *pin.axis_mut(0) = Axis::driven(Motor::at(2.0));
            world.add_joint(&pin).unwrap();
            let end = world.revolute_at(crank, load, Vec2::X).unwrap();
            world.add_joint(&end).unwrap();
            step(&mut world, 60);
            let at = world[load].position();
            let angle = f64::atan2(at.y, at.x);
            assert!((angle - 2.0).abs() < 2e-3, "{lighter} kg ({direct:?}): {angle}");
            close(at.length(), 1.0, 1e-4);
        }
    }
}

/// A slider of 1 kg on a rod that is as light as the crank: x = r cos φ + √(l² − r² sin² φ).
#[test]
fn a_motor_drives_a_slider_by_a_light_crank_and_rod() {
    for lighter in [1e-3, 1e-6, 1e-7, 1e-8] {
        let mut world = world(Direct::Auto, Vec2::ZERO);
        let ground = world.ground().unwrap();
        let crank = body(&mut world, lighter, Vec2::new(0.1, 0.0));
        let rod = body(&mut world, lighter, Vec2::new(0.5, 0.0));
        let slider = body(&mut world, 1.0, Vec2::new(0.8, 0.0));
        let mut pin = world.revolute_at(ground, crank, Vec2::ZERO).unwrap();
        *pin.axis_mut(0) = Axis::driven(Motor::at(3.0));
        let anchors = [Vec2::new(0.8, 0.0), Vec2::ZERO];
        let joints = [
            pin,
            world.revolute_at(crank, rod, Vec2::new(0.2, 0.0)).unwrap(),
            world.revolute_at(rod, slider, Vec2::new(0.8, 0.0)).unwrap(),
            JointDef::prismatic(ground, slider, anchors, Vec2::X),
        ];
        for joint in joints {
            world.add_joint(&joint).unwrap();
        }
        for k in 1..=180 {
            step(&mut world, 1);
            let (angle, x) = (world[crank].rotation(), world[slider].position().x);
            let (sin, cos) = angle.sin_cos();
            let expected = 0.2 * cos + (0.36 - 0.04 * sin * sin).sqrt();
            assert!((x - expected).abs() < 1e-3, "{lighter} kg, step {k}: {x}, not {expected}");
            let turned = 3.0 * H * f64::from(k);
            assert!((angle - turned).abs() < 0.03, "{lighter} kg, step {k}: {angle}, not {turned}");
        }
    }
}

/// Where an axis has no freedom, a motor on it does nothing, however light its body is.
#[test]
fn a_motor_on_what_is_stuck_does_nothing() {
    for lighter in [1.0, 1e-6, 1e-9] {
        let mut world = world(Direct::Always, Vec2::new(0.0, -9.81));
        let ground = world.ground().unwrap();
        let crank = body(&mut world, lighter, Vec2::new(0.5, 0.0));
        let load = body(&mut world, 1.0, Vec2::X);
        let mut pin = world.revolute_at(ground, crank, Vec2::ZERO).unwrap();
        *pin.axis_mut(0) = Axis::driven(Motor::at(2.0));
        let joints = [
            pin,
            world.revolute_at(crank, load, Vec2::X).unwrap(),
            world.weld_at(ground, load, Vec2::X).unwrap(),
        ];
        for joint in joints {
            world.add_joint(&joint).unwrap();
        }
        step(&mut world, 120);
        assert!(world[load].position().y.abs() < 1e-4, "{lighter}: {:?}", world[load].position());
        assert!(world[crank].rotation().abs() < 1e-3, "{lighter}: {}", world[crank].rotation());
    }
}
