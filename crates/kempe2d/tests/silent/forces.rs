//! Forces that joints are read to have.

use super::{H, WAYS, close, mass, step, world};
use kempe2d::{BodyDef, JointDef, Vec2};

/// A body that hangs weighs what it weighs, however damped.
#[test]
fn damping_takes_nothing_off_the_weight_that_a_joint_holds() {
    for direct in WAYS {
        for damping in [0.0, 1.0, 20.0] {
            let mut world = world(direct, Vec2::new(0.0, -9.81));
            let ground = world.ground().unwrap();
            let def = BodyDef { linear_damping: damping, ..mass(3.0, Vec2::new(0.0, -1.0)) };
            let body = world.add_body(&def).unwrap();
            let def = BodyDef { position: Vec2::new(0.0, -2.0), ..def };
            let lower = world.add_body(&def).unwrap();
            let defs = [
                world.revolute_at(ground, body, Vec2::ZERO).unwrap(),
                JointDef::rod(body, lower, [Vec2::ZERO; 2], 1.0),
            ];
            let joints = defs.map(|def| world.add_joint(&def).unwrap());
            step(&mut world, 240);
            let weight = 3.0 * 9.81;
            for (joint, held) in joints.into_iter().zip([2.0 * weight, weight]) {
                close(world.joint_force(joint).unwrap().0.y, held, 1e-4 * held);
            }
        }
    }
}

/// What falls damped falls at g/c, whether a joint is on it or not, and as fast.
#[test]
fn damping_lets_a_body_fall_at_its_last_speed() {
    for direct in WAYS {
        let mut world = world(direct, Vec2::new(0.0, -9.81));
        let ground = world.ground().unwrap();
        let def = BodyDef { linear_damping: 2.0, ..mass(1.0, Vec2::ZERO) };
        let bodies = [0; 2].map(|_| world.add_body(&def).unwrap());
        let slider = JointDef::prismatic(ground, bodies[0], [Vec2::ZERO; 2], Vec2::Y);
        world.add_joint(&slider).unwrap();
        step(&mut world, 600);
        for body in bodies {
            let v = world[body].velocity().y;
            close(v, -9.81 / 2.0, 0.5 * 2.0 * H / 4.0 * 4.905 + 1e-4);
            // As a whole it is of second order, in lanes and without a joint of first.
            close(v, world[bodies[1]].velocity().y, 0.5 * 2.0 * H / 4.0 * 4.905 + 1e-4);
        }
    }
}
