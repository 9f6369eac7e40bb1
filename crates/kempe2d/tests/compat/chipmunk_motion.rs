//! Chipmunk's constructors over many steps, against closed forms.

use super::one_step::{H, body, close, run, world};
use kempe2d::compat::chipmunk::{self, Options};
use kempe2d::{BodyDef, BodyId, Vec2, World};

/// A body on the ground's world, at rest.
fn one(gravity: f64, mass: f64, inertia: f64, position: Vec2) -> (World, BodyId, BodyId) {
    let mut world = world(gravity, 4);
    let ground = world.ground().unwrap();
    let id = world.add_body(&body(mass, inertia, position)).unwrap();
    (world, ground, id)
}

/// Two wheels of 1 and 2 kg·m².
fn wheels(turning: [f64; 2]) -> (World, [BodyId; 2]) {
    let mut world = world(0.0, 4);
    let ids = [0, 1].map(|k| {
        let def = body(1.0, 1.0 + k as f64, Vec2::new(3.0 * k as f64, 0.0));
        world.add_body(&BodyDef { angular_velocity: turning[k], ..def }).unwrap()
    });
    (world, ids)
}

fn difference(world: &World, [a, b]: [BodyId; 2]) -> f64 {
    world[b].rotation() - world[a].rotation()
}

#[test]
fn a_pin_joint_keeps_its_length_through_a_swing() {
    let (mut world, ground, bob) = one(9.81, 2.0, 0.1, Vec2::new(1.5, 2.0));
    let anchor = Vec2::new(0.0, 0.2);
    let def = chipmunk::pin_joint(&world, ground, bob, Vec2::ZERO, anchor).unwrap();
    let length = world[bob].world_point(anchor).length();
    world.add_joint(&def).unwrap();
    let mut lowest: f64 = 0.0;
    for _ in 0..600 {
        world.step(H).unwrap();
        close(world[bob].world_point(anchor).length(), length, 1e-3);
        lowest = lowest.min(world[bob].position().y);
    }
    assert!(lowest < -0.8 * length, "it swings: {lowest}");
}

#[test]
fn a_slide_joint_is_free_inside_and_stops_at_both_ends() {
    for (speed, end) in [(0.9, 2.5), (-0.9, 0.5)] {
        let (mut world, ground, bead) = one(0.0, 2.0, 0.1, Vec2::new(1.5, 0.0));
        world.set_velocity(bead, Vec2::new(speed, 0.0)).unwrap();
        let def = chipmunk::slide_joint(ground, bead, Vec2::ZERO, Vec2::ZERO, 0.5, 2.5);
        world.add_joint(&def).unwrap();
        run(&mut world, 1.0);
        close(world[bead].velocity().x, speed, 1e-6);
        close(world[bead].position().x, 1.5 + speed, 1e-5);
        run(&mut world, 1.0);
        close(world[bead].position().x, end, 1e-4);
        close(world[bead].velocity().x, 0.0, 1e-4);
    }
}

/// A physical pendulum turns about its pivot with T = 2π √((I + m l²) / (m g l)).
#[test]
fn a_pivot_joint_is_a_hinge() {
    let (mut world, ground, bob) = one(9.81, 2.0, 0.3, Vec2::new(1.0, -1.0));
    let pivot = Vec2::new(1.02, 0.0);
    let def = chipmunk::pivot_joint(&world, ground, bob, pivot).unwrap();
    let id = world.add_joint(&def).unwrap();
    let length = (world[bob].position() - pivot).length();
    let inertia = 0.3 + 2.0 * length * length;
    let period = std::f64::consts::TAU * (inertia / (2.0 * 9.81 * length)).sqrt();
    // After half a period it is on the other side, after a whole one back.
    for side in [0.02, -0.02] {
        for _ in 0..200 {
            world.step(period / 400.0).unwrap();
        }
        close(world[bob].position().x - pivot.x, side, 1e-3);
        close(world.joint_separation(id).unwrap().0, 0.0, 1e-5);
    }
}

#[test]
fn a_groove_joint_slides_to_its_end() {
    let (from, to) = (Vec2::new(0.0, 1.0), Vec2::new(2.0, 0.0));
    let slope = (to - from) * (1.0 / (to - from).length());
    let (mut world, ground, pin) = one(9.81, 2.0, 0.1, from + slope * 0.5);
    let def = chipmunk::groove_joint(ground, pin, from, to, Vec2::ZERO);
    world.add_joint(&def).unwrap();
    run(&mut world, 0.4);
    // Down the slope at g sin, and on the line.
    let gone = world[pin].position() - (from + slope * 0.5);
    close(gone.dot(slope), 0.5 * 9.81 * -slope.y * 0.16, 0.02);
    close(gone.cross(slope), 0.0, 1e-4);
    run(&mut world, 2.0);
    close((world[pin].position() - to).length(), 0.0, 1e-3);
}

/// T = 2π √(m/k) and e^(−c t / 2m).
#[test]
fn a_damped_spring_has_its_period_and_its_decay() {
    let (mass, k, c) = (2.0, 80.0_f64, 0.8);
    let omega = (k / mass - (c / (2.0 * mass)).powi(2)).sqrt();
    let mut world = world(0.0, 16);
    let ground = world.ground().unwrap();
    let bob = world.add_body(&body(mass, 1.0, Vec2::new(3.5, 0.0))).unwrap();
    let def = chipmunk::damped_spring(ground, bob, Vec2::ZERO, Vec2::ZERO, 3.0, k, c);
    world.add_joint(&def).unwrap();
    let steps = 400;
    for _ in 0..steps {
        world.step(std::f64::consts::TAU / omega / f64::from(steps)).unwrap();
    }
    let decay = (-c / (2.0 * mass) * std::f64::consts::TAU / omega).exp();
    close(world[bob].position().x, 3.0 + 0.5 * decay, 0.005);
    close(world[bob].velocity().x, 0.0, 0.05);
}

/// It comes to rest at θ_A − θ_B = rest: the second body at minus that from the first.
#[test]
fn a_rotary_spring_rests_at_minus_its_angle() {
    let (mut world, wheels) = wheels([0.0, 0.0]);
    let def = chipmunk::damped_rotary_spring(wheels[0], wheels[1], 5.0, 10.0, 3.0);
    world.add_joint(&def).unwrap();
    run(&mut world, 10.0);
    close(difference(&world, wheels), -5.0, 1e-3);
    // The first turned twice as far as the second, which is twice as heavy.
    close(world[wheels[0]].rotation(), 10.0 / 3.0, 1e-2);
}

#[test]
fn rotary_limits_hold_over_turns() {
    for (speed, end) in [(4.0, 9.0), (-4.0, -7.5)] {
        let (mut world, wheels) = wheels([0.0, speed]);
        let def = chipmunk::rotary_limit_joint(wheels[0], wheels[1], -7.5, 9.0);
        world.add_joint(&def).unwrap();
        run(&mut world, 1.5);
        close(difference(&world, wheels), 1.5 * speed, 1e-4);
        run(&mut world, 2.0);
        close(difference(&world, wheels), end, 1e-3);
        let [a, b] = wheels.map(|id| world[id].angular_velocity());
        close(a, b, 1e-4);
        close(a + 2.0 * b, 2.0 * speed, 1e-4);
    }
}

/// Forward it clicks past teeth at phase + k · ratchet; back it comes to the last one only.
#[test]
fn a_ratchet_clicks() {
    for sign in [1.0, -1.0] {
        let (phase, ratchet) = (0.1, 0.4 * sign);
        let (mut world, ground, wheel) = one(0.0, 1.0, 1.0, Vec2::ZERO);
        world.set_angular_velocity(wheel, 3.0 * sign).unwrap();
        world.add_joint(&chipmunk::ratchet_joint(ground, wheel, phase, ratchet)).unwrap();
        run(&mut world, 1.0);
        close(world[wheel].rotation(), 3.0 * sign, 1e-5);
        world.set_angular_velocity(wheel, -3.0 * sign).unwrap();
        run(&mut world, 1.0);
        let tooth = ((3.0 * sign - phase) / ratchet).floor() * ratchet + phase;
        assert!((tooth - 3.0 * sign).abs() > 0.05);
        close(world[wheel].rotation(), tooth, 1e-4);
        close(world[wheel].angular_velocity(), 0.0, 1e-4);
    }
}

#[test]
fn a_gear_keeps_its_phase_over_many_turns() {
    let (phase, ratio) = (0.7, -2.5);
    let (mut world, wheels) = wheels([0.0, 0.0]);
    world.set_rotation(wheels[0], -phase).unwrap();
    let ground = world.ground().unwrap();
    world.add_joint(&chipmunk::gear_joint(wheels[0], wheels[1], phase, ratio)).unwrap();
    let motor = chipmunk::simple_motor(ground, wheels[0], -20.0);
    world.add_joint(&Options { max_force: 40.0, ..Options::default() }.apply(motor)).unwrap();
    for _ in 0..1800 {
        world.step(H).unwrap();
        let [a, b] = wheels.map(|id| world[id].rotation());
        close(ratio * b - a, phase, 1e-3);
    }
    // The first has turned forward some hundred times, the second the other way.
    assert!(world[wheels[0]].rotation() > 500.0);
    assert!(world[wheels[1]].rotation() < -200.0);
}

/// ω_A − ω_B reaches the rate, as fast as the largest force allows.
#[test]
fn a_motor_turns_the_first_body_forward() {
    let (mut world, wheels) = wheels([0.0, 0.0]);
    let def = chipmunk::simple_motor(wheels[0], wheels[1], 6.0);
    world.add_joint(&Options { max_force: 2.0, ..Options::default() }.apply(def)).unwrap();
    run(&mut world, 1.0);
    close(world[wheels[0]].angular_velocity(), 2.0, 1e-4);
    close(world[wheels[1]].angular_velocity(), -1.0, 1e-4);
    run(&mut world, 3.0);
    close(world[wheels[0]].angular_velocity(), 4.0, 1e-4);
    close(world[wheels[1]].angular_velocity(), -2.0, 1e-4);
}
