//! What a force, a spring or its own way drives is not at rest, however slow it is; what rests sleeps.

use super::{H, WAYS, close, mass, step};
use kempe2d::{
    Axis, BodyDef, BodyId, Direct, JointDef, Motor, Settings, Shape, Softness, Vec2, World,
};

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);
const DOWN: Vec2 = Vec2::new(0.0, -1.0);

fn world(direct: Direct, gravity: Vec2) -> World {
    World::new(Settings { gravity, direct, ..Settings::default() }).unwrap()
}

fn rail(world: &mut World, kilograms: f64, x: f64, axis: Axis) -> BodyId {
    let ground = world.ground().unwrap();
    let body = world.add_body(&mass(kilograms, Vec2::new(x, 0.0))).unwrap();
    let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X).with_axis(axis);
    world.add_joint(&def).unwrap();
    body
}

#[test]
fn a_small_force_moves_a_large_mass() {
    for direct in WAYS {
        for (newtons, kilograms) in [(1.0, 100.0), (1.0, 1000.0), (0.3, 1000.0)] {
            let mut world = world(direct, Vec2::ZERO);
            let push = Axis::driven(Motor::Force { force: newtons.into() });
            let body = rail(&mut world, kilograms, 0.0, push);
            step(&mut world, 600);
            let way = 0.5 * newtons / kilograms * 100.0;
            close(world[body].position().x, way, 0.01 * way);
        }
    }
}

#[test]
fn a_soft_spring_draws_a_large_mass_back() {
    for direct in WAYS {
        for stiffness in [10.0, 100.0, 1000.0] {
            let mut world = world(direct, Vec2::ZERO);
            let softness = Softness::Stiffness { stiffness, damping: 0.0 };
            let body = rail(&mut world, 1000.0, 0.02, Axis::sprung(0.0, softness));
            // A quarter of a period.
            let omega = (stiffness / 1000.0_f64).sqrt();
            let steps = (0.5 * std::f64::consts::PI / omega / H).round() as usize;
            step(&mut world, steps);
            close(world[body].position().x, 0.0, 0.02 * 0.02);
            close(world[body].velocity().x, -0.02 * omega, 0.05 * 0.02 * omega);
        }
    }
}

/// With a joint and without.
#[test]
fn what_nothing_stops_goes_on() {
    for direct in WAYS {
        for speed in [0.01, 0.001, 0.0001] {
            let mut world = world(direct, Vec2::ZERO);
            let carriage = rail(&mut world, 1.0, 0.0, Axis::default());
            let free = world.add_body(&mass(1.0, Vec2::ZERO)).unwrap();
            for body in [carriage, free] {
                world.set_velocity(body, Vec2::new(speed, 0.0)).unwrap();
            }
            world.set_angular_velocity(free, speed).unwrap();
            step(&mut world, 600);
            for body in [carriage, free] {
                close(world[body].position().x, 10.0 * speed, 0.001 * speed);
            }
            close(world[free].rotation(), 10.0 * speed, 0.001 * speed);
        }
    }
}

#[test]
fn a_small_swing_goes_on() {
    for direct in WAYS {
        for (length, angle) in [(0.25, 0.01), (1.0, 0.006), (1.0, 0.0006), (25.0, 1e-4)] {
            let mut world = world(direct, GRAVITY);
            let ground = world.ground().unwrap();
            let at = Vec2::new(length * f64::sin(angle), -length * f64::cos(angle));
            let def = BodyDef { rotation: angle, ..mass(1.0, at) };
            let body = world.add_body(&def).unwrap();
            let def = world.revolute_at(ground, body, Vec2::ZERO).unwrap();
            world.add_joint(&def).unwrap();
            let mut most = 0.0_f64;
            for k in 0..1200 {
                step(&mut world, 1);
                assert!(!world[body].is_asleep(), "{length} m, {angle} rad, {direct:?}, step {k}");
                if k > 600 {
                    most = most.max(world[body].rotation().abs());
                }
            }
            close(most, angle, 0.1 * angle);
        }
    }
}

fn block(position: Vec2, damping: f64) -> BodyDef {
    let shapes = vec![(Shape::rectangle(1.0, 0.5), 3.0)];
    BodyDef {
        linear_damping: damping,
        angular_damping: damping,
        position,
        shapes,
        ..BodyDef::dynamic()
    }
}

/// Blocks in a row, or under each other, each pinned or welded to the last.
fn row(world: &mut World, count: u32, way: Vec2, welded: bool, damping: f64) -> BodyId {
    let mut last = world.ground().unwrap();
    for k in 0..count {
        let start = way * (2.0 * f64::from(k));
        let body = world.add_body(&block(start + way, damping)).unwrap();
        let def = match welded {
            true => world.weld_at(last, body, start),
            false => world.revolute_at(last, body, start),
        };
        world.add_joint(&def.unwrap()).unwrap();
        last = body;
    }
    last
}

/// Scenes that come to rest, and by when they sleep, s.
#[test]
fn what_comes_to_rest_sleeps() {
    type Scene = (&'static str, f64, fn(&mut World));
    let scenes: [Scene; 11] = [
        ("a chain of 2 that hangs", 1.0, |w| {
            row(w, 2, DOWN, false, 0.0);
        }),
        ("a chain of 20 that hangs", 5.0, |w| {
            row(w, 20, DOWN, false, 0.0);
        }),
        ("a beam", 12.0, |w| {
            row(w, 5, Vec2::X, true, 0.0);
        }),
        ("a damped beam", 10.0, |w| {
            row(w, 5, Vec2::X, true, 1.0);
        }),
        ("a damped bridge", 30.0, |w| {
            let ground = w.ground().unwrap();
            let (mut last, mut end) = (ground, Vec2::ZERO);
            for k in 0..20 {
                let way = Vec2::new(0.96, if k < 10 { -0.28 } else { 0.28 });
                let rotation = f64::atan2(way.y, way.x);
                let def = BodyDef { rotation, ..block(end + way, 1.0) };
                let body = w.add_body(&def).unwrap();
                let def = w.revolute_at(last, body, end).unwrap();
                w.add_joint(&def).unwrap();
                (last, end) = (body, end + way * 2.0);
            }
            let def = w.revolute_at(last, ground, end).unwrap();
            w.add_joint(&def).unwrap();
        }),
        ("a spring that settles", 4.0, |w| {
            let ground = w.ground().unwrap();
            let body = w.add_body(&block(Vec2::new(0.0, -1.0), 0.0)).unwrap();
            let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.3 };
            let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y);
            w.add_joint(&def.with_axis(Axis::sprung(-1.0, softness))).unwrap();
        }),
        ("a fall onto a stop", 2.0, |w| {
            let ground = w.ground().unwrap();
            let body = w.add_body(&block(Vec2::ZERO, 0.0)).unwrap();
            let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y);
            w.add_joint(&def.with_limit(-1.0, 1.0)).unwrap();
        }),
        ("a rope", 1.5, |w| {
            let ground = w.ground().unwrap();
            let body = w.add_body(&block(Vec2::new(0.0, -2.0), 0.0)).unwrap();
            w.add_joint(&JointDef::rope(ground, body, [Vec2::ZERO; 2], 2.0)).unwrap();
        }),
        ("friction", 3.0, |w| {
            let ground = w.ground().unwrap();
            let body = w.add_body(&block(Vec2::ZERO, 0.0)).unwrap();
            w.set_velocity(body, Vec2::new(2.0, 0.0)).unwrap();
            let friction = Axis { friction: Some(10.0), ..Axis::default() };
            let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X);
            w.add_joint(&def.with_axis(friction)).unwrap();
        }),
        ("a damped pendulum", 30.0, |w| {
            let ground = w.ground().unwrap();
            let body = w.add_body(&block(Vec2::new(1.0, -1.0), 1.0)).unwrap();
            let def = w.revolute_at(ground, body, Vec2::ZERO).unwrap();
            w.add_joint(&def).unwrap();
        }),
        ("a four-bar linkage on its stop", 30.0, |w| {
            let ground = w.ground().unwrap();
            let [a, b] = [Vec2::new(0.0, 1.0), Vec2::new(3.0, 1.0)];
            let bodies = [Vec2::new(0.0, 0.5), Vec2::new(1.5, 1.0), Vec2::new(3.0, 0.5)]
                .map(|at| w.add_body(&block(at, 0.5)).unwrap());
            let [crank, coupler, rocker] = bodies;
            let pins = [
                (ground, crank, Vec2::ZERO),
                (crank, coupler, a),
                (coupler, rocker, b),
                (ground, rocker, Vec2::new(3.0, 0.0)),
            ];
            for (k, (a, b, at)) in pins.into_iter().enumerate() {
                let mut def = w.revolute_at(a, b, at).unwrap();
                if k == 0 {
                    def = def.with_limit(-0.5, 0.5);
                }
                w.add_joint(&def).unwrap();
            }
            w.set_angular_velocity(crank, 0.3).unwrap();
        }),
    ];
    for direct in WAYS {
        for (name, by, build) in scenes {
            let mut world = world(direct, GRAVITY);
            build(&mut world);
            let mut steps = 0.0;
            while world.report().counts.moved > 0 || steps == 0.0 {
                step(&mut world, 1);
                steps += 1.0;
                assert!(steps * H < by, "{name} is awake after {by} s ({direct:?})");
            }
        }
    }
}
