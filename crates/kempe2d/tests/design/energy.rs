//! Where energy goes.

use crate::{at, bar, lump, near};
use kempe2d::{JointDef, JointId, Method, Motor, Reference, Softness, Vec2, World};

/// A load on a damped spring, swinging.
fn spring_pendulum() -> (World, JointId) {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(1.2, 0.0), 2.0, 0.1);
    let softness = Softness::Stiffness { stiffness: 80.0, damping: 4.0 };
    let def = JointDef::spring(ground, ball, [Vec2::ZERO; 2], 1.0, softness);
    let joint = world.add_joint(&def).unwrap();
    (world, joint)
}

#[test]
fn a_damped_spring_pendulum_accounts_for_all() {
    let errors: Vec<f64> = [100.0, 200.0, 400.0]
        .map(|rate| {
            let (mut world, joint) = spring_pendulum();
            let audit = Reference::default().audit(&mut world, 2.0, 1.0 / rate).unwrap();
            let work = audit.work.joint(joint).unwrap();
            assert!(work.damper < -1.0 && work.hold == 0.0 && work.motor == 0.0);
            near(
                audit.work.bodies[0].gravity,
                audit.start.potential() - audit.end.potential(),
                1e-2,
            );
            near(audit.end.total() - audit.start.total(), work.damper, 0.05);
            near(work.spring, audit.start.stored() - audit.end.stored(), 0.05);
            near(world.time(), 2.0, 1e-12);
            audit.unexplained().abs()
        })
        .to_vec();
    println!("{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.8..2.3).contains(&order), "{errors:?}");
    }
    assert!(errors[2] < 1e-3);
}

#[test]
fn the_rate_of_the_energy_is_the_power() {
    let (mut world, joint) = spring_pendulum();
    Reference::default().run(&mut world, 0.37, 1e-3).unwrap();
    let ball = world.bodies().nth(1).unwrap().0;
    world.set_damping(ball, 0.3, 0.0).unwrap();
    let now = world.energies().unwrap();
    let mut after = world.clone();
    let h = 1e-4;
    let method = Reference::new(Method::Theta { k: 0.5 });
    method.run(&mut after, h, h).unwrap();
    let mid = (after.energies().unwrap().brought() + now.brought()) / 2.0;
    near((after.energies().unwrap().total() - now.total()) / h, mid, 1e-6 * mid.abs());
    let body = &now.bodies[0];
    near(body.damping, -2.0 * 0.3 * world[body.body].velocity().length_squared(), 1e-12);
    near(now.kinetic() + now.potential(), world.kinetic_energy() + world.potential_energy(), 1e-12);
    let length = world[body.body].position().length();
    near(now.joint(joint).unwrap().stored, 40.0 * (length - 1.0).powi(2), 1e-12);
}

#[test]
fn a_motor_lifts_and_friction_eats() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let arm = bar(&mut world, Vec2::ZERO, at(1.0, 0.0));
    let mut def = JointDef::revolute(ground, arm, [Vec2::ZERO, at(-0.5, 0.0)]);
    def.axis_mut(0).motor = Some(Motor::at(0.5));
    def.axis_mut(0).friction = Some(2.0);
    let joint = world.add_joint(&def).unwrap();
    world.set_angular_velocity(arm, 0.5).unwrap();
    world.set_velocity(arm, at(0.0, 0.25)).unwrap();
    let audit = Reference::default().audit(&mut world, 2.0, 0.01).unwrap();
    let work = audit.work.joint(joint).unwrap();
    near(work.friction, -2.0, 1e-6);
    let lifted = 9.81 * 0.5 * 1.0_f64.sin();
    near(audit.end.potential() - audit.start.potential(), lifted, 1e-6);
    near(work.motor, lifted + 2.0, 1e-4);
    near(audit.unexplained(), 0.0, 1e-4);
    near(audit.end.joint(joint).unwrap().friction, -1.0, 1e-9);
}

#[test]
fn a_spring_that_gives_way_stores_less() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(3.0, 0.0), 1.0, 1.0);
    let softness = Softness::Stiffness { stiffness: 10.0, damping: 0.0 };
    let mut def = JointDef::spring(ground, ball, [Vec2::ZERO; 2], 1.0, softness);
    if let Some(spring) = &mut def.axis_mut(0).spring {
        spring.force = kempe2d::ForceRange::symmetric(5.0);
    }
    let joint = world.add_joint(&def).unwrap();
    // ½ k x² up to 0.5 m, then 5 N for 1.5 m.
    near(world.energies().unwrap().joint(joint).unwrap().stored, 1.25 + 7.5, 1e-12);
    let mut work = world.clone();
    let audit = Reference::default().audit(&mut work, 0.3, 1e-3).unwrap();
    near(audit.unexplained(), 0.0, 1e-6);
}
