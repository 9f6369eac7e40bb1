//! Positions of rest and small oscillations.

use crate::{at, bar, lump, near, pin, rod};
use kempe2d::{
    BodyDef, BodyId, DesignError, JointDef, Mass, MassProperties, Oscillation, Settings, Softness,
    Vec2, World,
};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const G: f64 = 9.81;

fn swings(world: &World) -> Vec<Oscillation> {
    world.oscillations().unwrap().into_iter().filter(|each| each.hertz > 1e-6).collect()
}

#[test]
fn a_pendulum_settles_and_swings() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    // Its origin is where the pin is, its centre of mass elsewhere.
    let (mass, inertia, center) = (3.0, 0.2, at(0.6, 0.3));
    let properties = MassProperties { mass, inertia, center };
    let body = BodyDef { rotation: 0.4, mass: Mass::Given(properties), ..BodyDef::dynamic() };
    let body = world.add_body(&body).unwrap();
    world.add_joint(&JointDef::revolute(ground, body, [Vec2::ZERO; 2])).unwrap();
    assert!(matches!(world.oscillations(), Err(DesignError::NotConverged { .. })));
    let found = world.settle().unwrap();
    assert!(found.stable && found.unbalanced < 1e-9 && found.moved > 0.1, "{found:?}");
    let arm = center.length();
    assert!((world[body].center() - at(0.0, -arm)).length() < 1e-9);
    let [mode] = &world.oscillations().unwrap()[..] else { panic!() };
    let about = inertia + mass * arm * arm;
    near(mode.hertz, (mass * G * arm / about).sqrt() / TAU, 1e-9);
    assert_eq!((mode.growth, mode.damping_ratio), (0.0, 0.0));
    near(mode.shape[0].angular_velocity.abs(), 1.0 / about.sqrt(), 1e-9);
    // Upright it rests too, and leaves.
    world.set_rotation(body, FRAC_PI_2 - center.y.atan2(center.x)).unwrap();
    let found = world.settle().unwrap();
    assert!(!found.stable && found.moved < 1e-9);
    let [mode] = &world.oscillations().unwrap()[..] else { panic!() };
    near(mode.growth, (mass * G * arm / about).sqrt(), 1e-9);
    assert_eq!(mode.hertz, 0.0);
    // Pushed a little, it goes all the way down.
    world.set_rotation(body, FRAC_PI_2 - center.y.atan2(center.x) + 0.01).unwrap();
    assert!(world.settle().unwrap().stable);
    assert!((world[body].center() - at(0.0, -arm)).length() < 1e-9);
}

#[test]
fn the_modes_of_a_double_pendulum() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let a = lump(&mut world, at(0.0, -1.5), 2.0, 0.1);
    let b = lump(&mut world, at(0.0, -3.0), 2.0, 0.1);
    rod(&mut world, ground, a);
    rod(&mut world, a, b);
    let all = world.oscillations().unwrap();
    assert_eq!(all.len(), 4, "each turns freely too");
    let found = swings(&world);
    for (mode, sign) in found.iter().zip([-1.0, 1.0]) {
        let omega = (G / 1.5 * (2.0 + sign * 2.0_f64.sqrt())).sqrt();
        near(mode.hertz, omega / TAU, 1e-9);
        // Amplitudes as 1 : 1 ∓ √2 more.
        near(
            mode.shape[1].velocity.x / mode.shape[0].velocity.x,
            1.0 - sign * 2.0_f64.sqrt(),
            1e-7,
        );
    }
    assert_eq!(found.len(), 2);
}

fn spring(stiffness: f64, damping: f64) -> Softness {
    Softness::Stiffness { stiffness, damping }
}

#[test]
fn chains_of_springs() {
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..Settings::default() }).unwrap();
    let ground = world.ground().unwrap();
    let (count, k, c, m) = (7, 400.0, 3.0, 2.5);
    let mut last = ground;
    for i in 1..=count {
        let ball = lump(&mut world, at(i as f64, 0.0), m, 1.0);
        world
            .add_joint(&JointDef::prismatic(ground, ball, [at(i as f64, 0.0), Vec2::ZERO], Vec2::X))
            .unwrap();
        world.add_joint(&JointDef::spring(last, ball, [Vec2::ZERO; 2], 1.0, spring(k, c))).unwrap();
        last = ball;
    }
    let anchors = [Vec2::ZERO, at(count as f64 + 1.0, 0.0)];
    world.add_joint(&JointDef::spring(last, ground, anchors, 1.0, spring(k, c))).unwrap();
    let found = swings(&world);
    assert_eq!(found.len(), count);
    for (j, mode) in found.iter().enumerate() {
        let phase = (j + 1) as f64 * PI / (2.0 * (count + 1) as f64);
        let omega = 2.0 * (k / m).sqrt() * phase.sin();
        near(mode.hertz, omega / TAU, 1e-9);
        near(mode.damping_ratio, c / k * omega / 2.0, 1e-9);
        let shape = |i: usize| mode.shape[i].velocity.x;
        let wanted = (2.0 * phase * 2.0).sin() / (2.0 * phase).sin();
        near(shape(1) / shape(0), wanted, 1e-7);
    }
}

#[test]
fn a_load_on_a_spring_settles_to_its_stretch() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let ball = lump(&mut world, at(0.3, -1.0), 2.0, 1.0);
    let def = JointDef::spring(ground, ball, [Vec2::ZERO; 2], 1.0, spring(50.0, 2.0));
    world.add_joint(&def).unwrap();
    let found = world.settle().unwrap();
    assert!(found.stable, "{found:?}");
    let stretch = 2.0 * G / 50.0;
    assert!((world[ball].position() - at(0.0, -1.0 - stretch)).length() < 1e-8);
    let [swing, bounce] = &swings(&world)[..] else { panic!() };
    near(swing.hertz, (G / (1.0 + stretch)).sqrt() / TAU, 1e-8);
    near(bounce.hertz, 5.0 / TAU, 1e-8);
    near(bounce.damping_ratio, 2.0 / (2.0 * (50.0_f64 * 2.0).sqrt()), 1e-9);
    near(swing.damping_ratio, 0.0, 1e-9);
}

#[test]
fn stops_hold_what_falls_on_them_and_nothing_rests_in_free_fall() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let arm = bar(&mut world, Vec2::ZERO, at(1.0, 0.0));
    let def = JointDef::revolute(ground, arm, [Vec2::ZERO, at(-0.5, 0.0)]).with_limit(-0.6, 1.0);
    let joint = world.add_joint(&def).unwrap();
    assert!(world.settle().unwrap().stable);
    near(world[arm].rotation(), -0.6, 1e-9);
    let found = world.static_reactions().unwrap();
    near(found.unbalanced(), 0.0, 1e-7);
    let stop =
        found.of(joint).unwrap().rows.iter().find(|row| row.by == kempe2d::By::Stop).unwrap().force;
    near(stop, G * 0.5 * 0.6_f64.cos(), 1e-6);
    assert!(swings(&world).is_empty());
    let mut world = World::default();
    lump(&mut world, Vec2::ZERO, 1.0, 1.0);
    let before = world.state_hash();
    assert!(matches!(world.settle(), Err(DesignError::NotConverged { .. })));
    assert_eq!(world.state_hash(), before);
}

/// a of y = a cosh(x / a) with this half span and half length.
fn catenary(half_span: f64, half_length: f64) -> f64 {
    let (mut low, mut high) = (0.1 * half_span, 100.0 * half_span);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if a * (half_span / a).sinh() > half_length { low = a } else { high = a }
    }
    low
}

#[test]
fn a_chain_hangs_in_a_catenary() {
    let sag = |count: usize| {
        let mut world = World::default();
        let ground = world.ground().unwrap();
        // As a tent of two straight halves, which falls down all the way.
        let length = 3.0 / count as f64;
        let rise = (1.5_f64 * 1.5 - 1.0).sqrt();
        let point = |k: usize| {
            let x = k as f64 / count as f64;
            at(2.0 * x - 1.0, rise * (1.0 - (2.0 * x - 1.0).abs()))
        };
        let (mut last, mut links) = (ground, Vec::<BodyId>::new());
        let mut pins = Vec::new();
        for k in 0..count {
            let link = bar(&mut world, point(k), point(k + 1));
            pins.push(pin(&mut world, last, link, point(k)));
            links.push(link);
            last = link;
        }
        pins.push(pin(&mut world, ground, last, point(count)));
        let found = world.settle().unwrap();
        assert!(found.stable, "{found:?}");
        println!("{count}: {found:?}");
        // The pull along is the same everywhere, the pull up grows by each link's weight.
        let reactions = world.static_reactions().unwrap();
        let forces: Vec<Vec2> =
            pins[..count].iter().map(|p| reactions.of(*p).unwrap().force).collect();
        for pair in forces.windows(2) {
            near(pair[0].x, pair[1].x, 1e-6 * pair[0].x.abs());
            near(pair[0].y - pair[1].y, G * length, 1e-6 * G);
        }
        let middle = world[links[count / 2]].world_point(at(-0.5 * length, 0.0));
        (middle.y, -forces[0].x)
    };
    let a = catenary(1.0, 1.5);
    let wanted = -(a * (1.0 / a).cosh() - a);
    let errors: Vec<f64> = [10, 20].map(|count| (sag(count).0 - wanted).abs()).to_vec();
    println!("{errors:?} of {wanted}");
    assert!(errors[1] < 2e-2 * wanted.abs() && errors[0] > 3.0 * errors[1]);
    near(sag(20).1, G * a, 0.02 * G * a);
}
