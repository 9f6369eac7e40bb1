//! Rows that say what others said: more pins than a mechanism needs, loops of them, and what happens
//! where they nearly are. Nothing gains energy, nothing stops.

use super::random::Random;
use kempe2d::{
    BodyDef, BodyId, JointDef, Mass, MassProperties, Method, Reference, ReferenceError, Settings,
    Softness, Spring, Vec2, World,
};

const METHODS: [(Method, f64); 6] = [
    (Method::Theta { k: 0.5 }, 240.0),
    (Method::Theta { k: 1.0 }, 240.0),
    (Method::GeneralizedAlpha { radius: 0.8 }, 240.0),
    (Method::Rattle { order: 2 }, 240.0),
    (Method::Rattle { order: 4 }, 60.0),
    (Method::Rattle { order: 6 }, 60.0),
];

/// A body with a centre here, and what it weighs.
fn body(world: &mut World, at: Vec2, rotation: f64, [mass, inertia]: [f64; 2]) -> BodyId {
    let mass = Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO });
    world.add_body(&BodyDef { position: at, rotation, mass, ..BodyDef::dynamic() }).unwrap()
}

fn bar(world: &mut World, from: Vec2, to: Vec2, mass: f64) -> BodyId {
    let along = to - from;
    let inertia = mass * along.length() * along.length() / 12.0;
    body(world, (from + to) * 0.5, along.y.atan2(along.x), [mass, inertia])
}

fn pin(world: &mut World, a: BodyId, b: BodyId, at: Vec2) {
    let def = world.revolute_at(a, b, at).unwrap();
    world.add_joint(&def).unwrap();
}

/// Two rods in line, pinned to each other at their ends and so far before them.
fn double_pinned(apart: f64) -> World {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let first = bar(&mut world, Vec2::ZERO, Vec2::X, 1.0);
    let second = bar(&mut world, Vec2::X, Vec2::new(2.0, 0.0), 1.0);
    pin(&mut world, ground, first, Vec2::ZERO);
    pin(&mut world, first, second, Vec2::X);
    pin(&mut world, first, second, Vec2::new(1.0 - apart, 0.0));
    world
}

/// A coupler that hangs on three equal cranks, so far from hanging down.
fn three_cranks(angle: f64) -> World {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let down = Vec2::new(angle.sin(), -angle.cos());
    let coupler = bar(&mut world, down, down + Vec2::X * 2.0, 1.0);
    for foot in [0.0, 1.0, 2.0].map(|x| Vec2::new(x, 0.0)) {
        let crank = bar(&mut world, foot, foot + down, 1.0);
        pin(&mut world, ground, crank, foot);
        pin(&mut world, crank, coupler, foot + down);
    }
    world
}

fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// Σ m g · 1 m, or what moves if that is more.
fn scale(world: &World) -> f64 {
    let moving = world.bodies().filter(|(_, body)| body.kind() == kempe2d::BodyKind::Dynamic);
    let mass: f64 = moving.map(|(_, body)| body.mass_properties().mass).sum();
    (9.81 * mass).max(world.kinetic_energy())
}

/// The most that a run gained and what is left at its end, as parts of that.
fn gains(world: &World, method: Method, seconds: f64, dt: f64) -> Result<[f64; 2], ReferenceError> {
    let mut world = world.clone();
    let (start, scale) = (energy(&world), scale(&world));
    let mut found = [0.0_f64; 2];
    Reference::new(method).watch(&mut world, seconds, dt, |world| {
        let gained = (energy(world) - start) / scale;
        assert!(gained.is_finite());
        found = [found[0].max(gained), gained];
    })?;
    Ok(found)
}

#[test]
fn two_pins_between_two_bodies_are_one_body() {
    for apart in [0.02, 0.2, 0.5] {
        for (method, rate) in METHODS {
            let [most, left] = gains(&double_pinned(apart), method, 2.0, 1.0 / rate).unwrap();
            let (gains, keeps) = match method {
                Method::Theta { k } if k > 0.5 => (1e-12, 0.2),
                Method::Rattle { order: 6 } => (1e-10, 1e-9),
                _ => (1e-6, 3e-4),
            };
            assert!(most < gains && left > -keeps, "{apart} {method:?}: {most:e} {left:e}");
        }
    }
}

#[test]
fn a_third_crank_changes_nothing_however_short_the_steps() {
    for angle in [0.3, 1.4] {
        let world = three_cranks(angle);
        for (method, rate) in METHODS {
            let [most, left] = gains(&world, method, 3.0, 1.0 / rate).unwrap();
            let loses = if method == (Method::Theta { k: 1.0 }) { 0.3 } else { 1e-4 };
            assert!(most < 1e-6 && left > -loses, "{angle} {method:?}: {most:e} {left:e}");
        }
        for rate in [60.0, 240.0] {
            let [most, left] = gains(&world, Method::Rattle { order: 6 }, 5.0, 1.0 / rate).unwrap();
            assert!(most.max(left.abs()) < 1e-10, "{angle} 1/{rate}: {most:e} {left:e}");
        }
    }
}

#[test]
fn a_rod_to_the_point_that_a_body_is_pinned_at() {
    // The mean of the rows of two moments is of full rank, that of each moment is not: what rows
    // contradict each other by on the way to a solution must not stay in their multipliers.
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let plate = body(&mut world, Vec2::new(0.5, 0.1), 0.3, [2.0, 0.2]);
    pin(&mut world, ground, plate, Vec2::ZERO);
    let rod = world.rod_between(ground, plate, Vec2::ZERO, Vec2::new(0.4, 0.3)).unwrap();
    world.add_joint(&rod).unwrap();
    for (method, rate) in METHODS {
        let [most, left] = gains(&world, method, 3.0, 1.0 / rate).unwrap();
        let loses = if method == (Method::Theta { k: 1.0 }) { 0.5 } else { 1e-3 };
        assert!(most < 1e-6 && left > -loses, "{method:?}: {most:e} {left:e}");
    }
}

/// A tree of bodies: some of its joints doubled, or loops closed by pins.
fn tree(random: &mut Random, doubled: bool) -> World {
    let mut world = World::default();
    let mut all = vec![(world.ground().unwrap(), Vec2::ZERO)];
    for _ in 0..2 + random.pick(6) {
        let (parent, from) = all[random.pick(all.len())];
        let at = from + random.vector(0.5);
        let center = at + random.vector(0.7);
        let mass = 10_f64.powf(random.between(-1.0, 1.0));
        let rotation = random.between(-3.0, 3.0);
        let inertia = mass * random.between(0.02, 0.2);
        let own = body(&mut world, center, rotation, [mass, inertia]);
        let def = match random.pick(4) {
            0 => world.weld_at(parent, own, at).unwrap(),
            1 => world.rod_between(parent, own, at, at + Vec2::new(0.3, 0.4)).unwrap(),
            _ => world.revolute_at(parent, own, at).unwrap(),
        };
        world.add_joint(&def).unwrap();
        if doubled && random.chance(0.6) {
            let second = if random.chance(0.3) { at } else { at + random.vector(0.5) };
            pin(&mut world, parent, own, second);
        }
        all.push((own, center));
    }
    for _ in 0..if doubled { 0 } else { 1 + random.pick(4) } {
        let (a, b) = (random.pick(all.len()), random.pick(all.len()));
        if a != b {
            let at = (all[a].1 + all[b].1) * 0.5 + random.vector(0.5);
            pin(&mut world, all[a].0, all[b].0, at);
        }
    }
    world
}

#[test]
fn random_worlds_of_too_many_joints_gain_nothing() {
    for seed in 0..6 {
        for doubled in [false, true] {
            let world = tree(&mut Random(977 * seed + 5), doubled);
            for (method, rate) in METHODS {
                let found = gains(&world, method, 0.75, 1.0 / rate);
                let most = found.unwrap_or_else(|error| {
                    panic!("{seed} {doubled} {method:?}: {error}");
                })[0];
                assert!(most < 0.01, "{seed} {doubled} {method:?}: {most:e}");
            }
        }
    }
}

#[test]
fn steps_too_long_for_a_spring_gain_nothing_or_say_so() {
    let settings = Settings { gravity: Vec2::ZERO, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let ball =
        world.add_body(&BodyDef { position: Vec2::new(0.1, 0.0), ..BodyDef::dynamic() }).unwrap();
    let mut rail = JointDef::prismatic(ground, ball, [Vec2::ZERO; 2], Vec2::X);
    let softness = Softness::Stiffness { stiffness: 1e6, damping: 0.0 };
    rail.axis_mut(0).spring = Some(Spring::new(0.0, softness));
    world.add_joint(&rail).unwrap();
    let stored = 0.5 * 1e6 * 0.01;
    let hash = world.state_hash();
    for (order, dt) in [(2, 1.0 / 60.0), (6, 1.0 / 60.0), (2, 1.0 / 4.0)] {
        let mut tried = world.clone();
        let mut most = 0.0_f64;
        let found = Reference::new(Method::Rattle { order }).watch(&mut tried, 0.5, dt, |world| {
            let x = world[ball].position().x;
            most = most.max(world.kinetic_energy() + 0.5 * 1e6 * x * x);
        });
        assert!(most < 1.01 * stored, "{order} {dt}: {most} of {stored}");
        match found {
            Ok(_) => {}
            Err(error @ ReferenceError::Gained { .. }) => {
                assert!(error.to_string().contains("than forces gave"));
                assert_eq!(tried.state_hash(), hash);
            }
            Err(other) => panic!("{other}"),
        }
    }
}
