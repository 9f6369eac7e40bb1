//! What bounds a joint: stops of every kind, held axes, ratchets, and the largest force of a hold.

use super::springs::{Rig, TURNING, WAYS, rigs, world_by};
use super::{H, close, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, ForceRange, JointDef, JointId, JointKind,
    Limit, Mass, MassProperties, Motor, Pose, Ratchet, Real, Softness, TextJoint, UserJoint, Vec2,
    World,
};

fn limited(limit: Limit) -> Axis {
    Axis { limit: Some(limit), ..Axis::default() }
}

/// A rounding of the room to a stop, 1e-7 m, is a speed of 1e-7/h and a force of 1e-7/h² m.
const ROUNDING: f64 = 0.02;

fn limit_force(rig: &Rig) -> f64 {
    rig.world.joint_axis_force(rig.joint, rig.axis).unwrap().limit
}

#[test]
fn a_stop_stops_and_holds_and_lets_go() {
    for (sign, stop) in [(1.0, 3.4), (-1.0, 2.6)] {
        for mut rig in rigs(&Axis::limited(2.6, 3.4), 3.0, 4) {
            rig.set_speed(1.5 * sign);
            for _ in 0..30 {
                rig.step(1);
                assert!((rig.q() - stop) * sign < 1e-5, "{} is past its stop", rig.name);
            }
            rig.near("q", rig.q(), stop, 1e-5);
            rig.near("speed", rig.speed(), 0.0, 1e-5);
            // Pushed against the stop, it gives the push back.
            let push = 4.0 * rig.mass;
            for _ in 0..30 {
                rig.push(push * sign);
                rig.step(1);
            }
            rig.near("q under load", rig.q(), stop, 1e-5);
            rig.near("force", limit_force(&rig), -push * sign, ROUNDING * rig.mass);
            // Pushed away, it goes, as if there were no stop.
            for _ in 0..6 {
                rig.push(-push * sign);
                rig.step(1);
            }
            rig.near("speed away", rig.speed(), -4.0 * 6.0 * H * sign, 5e-5);
            rig.near("no force", limit_force(&rig), 0.0, 0.0);
        }
    }
}

#[test]
fn a_stop_gives_back_its_part_of_the_speed() {
    for restitution in [0.0, 0.3, 1.0] {
        for (sign, stop) in [(1.0, 3.4), (-1.0, 2.6)] {
            let limit = Limit { restitution, ..Limit::new(2.6, 3.4) };
            for mut rig in rigs(&limited(limit), 3.0, 4) {
                rig.set_speed(1.5 * sign);
                // The stop is met after 16 steps.
                rig.step(15);
                rig.near("speed before", rig.speed(), 1.5 * sign, 1e-5);
                rig.step(3);
                rig.near("speed after", rig.speed(), -1.5 * restitution * sign, 1e-5);
                assert!((rig.q() - stop) * sign < 1e-5, "{}: {}", rig.name, rig.q());
            }
        }
    }
}

/// Elastic stops on both sides: it goes to and fro, and neither gains nor loses.
#[test]
fn an_elastic_stop_keeps_the_energy() {
    let limit = Limit { restitution: 1.0, ..Limit::new(2.6, 3.4) };
    for mut rig in rigs(&limited(limit), 3.0, 4) {
        rig.set_speed(1.5);
        for _ in 0..600 {
            rig.step(1);
            rig.near("speed", rig.speed().abs(), 1.5, 1e-4);
            assert!((2.6 - 1e-4..3.4 + 1e-4).contains(&rig.q()), "{}: {}", rig.name, rig.q());
        }
    }
}

/// A pendulum against an elastic stop of its own hinge, and a slider beside its rail: the whole body
/// comes back as fast as it came.
fn rebounds_away_from_the_centre(direct: Direct) {
    const ANCHORS: [Vec2; 2] = [Vec2::ZERO, Vec2::new(-1.5, 0.0)];
    let limit = Limit { restitution: 1.0, ..Limit::new(-9.0, 0.2) };
    for hinge in [true, false] {
        let mut world = world_by(direct, Vec2::ZERO, 4);
        let ground = world.ground().unwrap();
        // At a speed of 1 along the axis.
        let (speed, angular_velocity) = if hinge { (1.5, 1.0) } else { (1.0, 0.0) };
        let velocity = Vec2::new(0.0, speed);
        let def = BodyDef { velocity, angular_velocity, ..solid(Vec2::new(1.5, 0.0)) };
        let body = world.add_body(&def).unwrap();
        let def = match hinge {
            true => JointDef::revolute(ground, body, ANCHORS),
            false => JointDef::prismatic(ground, body, ANCHORS, Vec2::Y),
        };
        let joint = world.add_joint(&def.with_axis(limited(limit))).unwrap();
        // The stop is met after 12 steps.
        for _ in 0..11 {
            world.step(H).unwrap();
        }
        close(world.joint_speed(joint, 0).unwrap(), 1.0, 1e-3);
        for _ in 0..4 {
            world.step(H).unwrap();
        }
        close(world.joint_speed(joint, 0).unwrap(), -1.0, 1e-2);
    }
}

#[test]
fn a_stop_away_from_the_centre_gives_back_the_speed() {
    rebounds_away_from_the_centre(Direct::Auto);
}

#[test]
fn a_stop_away_from_the_centre_gives_back_the_speed_joint_by_joint() {
    rebounds_away_from_the_centre(Direct::Never);
}

#[test]
fn stops_many_turns_away() {
    let turns = 1000.0 * std::f64::consts::TAU;
    for [lower, upper] in [[f64::NEG_INFINITY, turns], [turns - 1.0, turns]] {
        for mut rig in rigs(&Axis::limited(lower, upper), turns - 0.3, 4) {
            if !TURNING.contains(&rig.name) {
                continue;
            }
            rig.set_speed(2.0);
            rig.step(30);
            rig.near("q", rig.q(), turns, 1e-5);
            rig.near("speed", rig.speed(), 0.0, 1e-4);
        }
    }
}

/// A range of many turns: the upper stop is as exact as the lower.
#[test]
fn a_range_of_many_turns() {
    let turns = 1000.0 * std::f64::consts::TAU;
    for mut rig in rigs(&Axis::limited(-turns, turns), turns - 0.3, 4) {
        if !TURNING.contains(&rig.name) {
            continue;
        }
        rig.set_speed(2.0);
        rig.step(30);
        rig.near("q", rig.q(), turns, 1e-4);
        rig.near("speed", rig.speed(), 0.0, 1e-2);
    }
}

/// A soft stop is a spring from its bound on: v/ω deep without damping, and out again as fast.
#[test]
fn a_soft_stop_is_a_spring_from_its_bound_on() {
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.0 };
    let omega = std::f64::consts::TAU * 2.0;
    let limit = Limit { softness, ..Limit::new(2.6, 3.4) };
    for (sign, stop) in [(1.0, 3.4), (-1.0, 2.6)] {
        for mut rig in rigs(&limited(limit), 3.0, 16) {
            rig.set_speed(1.5 * sign);
            let mut deepest: f64 = 0.0;
            // 0.27 s to the stop, half a period in it, and 0.1 s back.
            for _ in 0..37 {
                rig.step(1);
                deepest = deepest.max((rig.q() - stop) * sign);
            }
            // Implicit Euler takes a little: e^(−ω² h t / 2), a tenth in half a period.
            rig.near("depth", deepest, 1.5 / omega, 0.1 * 1.5 / omega);
            rig.near("speed back", -rig.speed() * sign, 1.5, 0.2);
        }
    }
}

/// From its bound on it is a step of implicit Euler, if it starts there.
#[test]
fn a_soft_stop_that_starts_at_its_bound() {
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
    let omega = std::f64::consts::TAU * 2.0;
    let limit = Limit { softness, ..Limit::new(2.0, 3.0) };
    for mut rig in rigs(&limited(limit), 3.0 + 1e-6, 4) {
        rig.set_speed(1.0);
        let (mut q, mut v) = (1e-6, 1.0);
        // A quarter of a period and more, still inside.
        for _ in 0..12 {
            rig.step(1);
            for _ in 0..4 {
                let h = H / 4.0;
                v = (v - h * omega * omega * q) / (1.0 + h * 0.2 * omega + h * h * omega * omega);
                q += h * v;
            }
            rig.near("q", rig.q(), 3.0 + q, 1e-5);
        }
    }
}

/// At rest a stop that yields is in by force over stiffness.
fn yields(softness: impl Fn(f64) -> Softness) {
    for (k, rig) in rigs(&Axis::default(), 3.0, 4).into_iter().enumerate() {
        let limit = Limit { softness: softness(rig.mass), ..Limit::new(2.0, 3.0) };
        let mut rig = rigs(&limited(limit), 3.001, 4).swap_remove(k);
        let push = 6.0 * rig.mass;
        for _ in 0..120 {
            rig.push(push);
            rig.step(1);
        }
        rig.near("q", rig.q(), 3.0 + 6.0 / 300.0, 1e-5);
        rig.near("force", limit_force(&rig), -push, ROUNDING * rig.mass);
    }
}

#[test]
fn a_soft_stop_yields_by_force_over_stiffness() {
    let damping_ratio = 30.0 / (2.0 * 300.0_f64.sqrt());
    yields(|_| Softness::Hertz { hertz: 300.0_f64.sqrt() / std::f64::consts::TAU, damping_ratio });
    yields(|_| Softness::MassNormalized { stiffness: 300.0, damping: 30.0 });
}

#[test]
fn a_soft_stop_of_a_stiffness_yields_by_force_over_stiffness() {
    yields(|mass| Softness::Stiffness { stiffness: 300.0 * mass, damping: 30.0 * mass });
    yields(|mass| Softness::Compliance { compliance: 1.0 / (300.0 * mass), damping: 30.0 * mass });
}

/// What is left of an error after t seconds is remaining^t, of a held axis and of a stop.
#[test]
fn an_error_bias_leaves_what_it_says() {
    let softness = Softness::ErrorBias { remaining: 0.2, max_bias: f64::INFINITY };
    for [lower, upper] in [[3.0, 3.0], [2.0, 3.0]] {
        let limit = Limit { softness, ..Limit::new(lower, upper) };
        for mut rig in rigs(&limited(limit), 3.4, 4) {
            for step in 1..=60 {
                rig.step(1);
                let left = 0.4 * 0.2_f64.powf(f64::from(step) * H);
                rig.near("q", rig.q(), 3.0 + left, 2e-5);
            }
        }
    }
    // And no faster than it may.
    let softness = Softness::ErrorBias { remaining: 0.0, max_bias: 0.5 };
    let limit = Limit { softness, ..Limit::new(2.0, 3.0) };
    for mut rig in rigs(&limited(limit), 3.4, 4) {
        rig.step(30);
        rig.near("q", rig.q(), 3.4 - 0.5 * 30.0 * H, 2e-5);
    }
}

#[test]
fn a_held_axis_holds() {
    for mut rig in rigs(&Axis::held(3.0), 3.0, 4) {
        let push = 5.0 * rig.mass;
        for _ in 0..60 {
            rig.push(push);
            rig.step(1);
            rig.near("q", rig.q(), 3.0, 1e-5);
        }
        rig.near("force", limit_force(&rig), -push, 1e-4 * push);
        // Held elsewhere, it goes there.
        let axis = rig.axis;
        rig.world.edit_joint(rig.joint, |def| *def.axis_mut(axis) = Axis::held(3.1)).unwrap();
        rig.step(30);
        rig.near("q there", rig.q(), 3.1, 1e-5);
        rig.near("speed there", rig.speed(), 0.0, 1e-5);
    }
}

#[test]
fn a_motor_against_a_stop() {
    for (k, rig) in rigs(&Axis::default(), 3.0, 4).into_iter().enumerate() {
        let most = 3.0 * rig.mass;
        let motor = Motor::Velocity { speed: 2.0.into(), force: ForceRange::symmetric(most) };
        let axis = Axis { motor: Some(motor), ..Axis::limited(2.0, 3.2) };
        let mut rig = rigs(&axis, 3.0, 4).swap_remove(k);
        rig.step(60);
        rig.near("q", rig.q(), 3.2, 1e-5);
        let force = rig.world.joint_axis_force(rig.joint, rig.axis).unwrap();
        rig.near("motor", force.motor, most, 1e-4 * most);
        rig.near("limit", force.limit, -most, ROUNDING * rig.mass);
        rig.near("total", force.total(), 0.0, ROUNDING * rig.mass);
    }
}

/// A beam lies on the stop of its own hinge, and a slider hangs beside its rail on a stop: both at
/// rest, with the weight's torque (or the weight) on the stop.
fn comes_to_rest_on_its_stop(direct: Direct) {
    const WEIGHT: f64 = MASS * 9.81;
    const ANCHORS: [Vec2; 2] = [Vec2::ZERO, Vec2::new(-1.5, 0.0)];
    for (hinge, load) in [(true, 1.5 * WEIGHT), (false, WEIGHT)] {
        let mut world = world_by(direct, Vec2::new(0.0, -9.81), 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&solid(Vec2::new(1.5, 0.0))).unwrap();
        let def = match hinge {
            true => JointDef::revolute(ground, body, ANCHORS),
            false => JointDef::prismatic(ground, body, ANCHORS, Vec2::Y),
        };
        let joint = world.add_joint(&def.with_limit(0.0, 1.0)).unwrap();
        for _ in 0..240 {
            world.step(H).unwrap();
        }
        for _ in 0..30 {
            world.step(H).unwrap();
            assert!(world[body].velocity().length() < 1e-3, "{:?}", world[body].velocity());
            let force = world.joint_axis_force(joint, 0).unwrap().limit;
            assert!((force - load).abs() < 0.01 * load, "{force} is not {load}");
        }
    }
}

#[test]
fn what_lies_on_a_stop_comes_to_rest() {
    comes_to_rest_on_its_stop(Direct::Auto);
}

#[test]
fn what_lies_on_a_stop_comes_to_rest_joint_by_joint() {
    comes_to_rest_on_its_stop(Direct::Never);
}

/// A bar in a slot, with one stop under its weight and one under its torque.
#[test]
fn what_lies_on_two_stops_comes_to_rest() {
    const WEIGHT: f64 = MASS * 9.81;
    let mut world = world(Vec2::new(0.0, -9.81), 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&solid(Vec2::new(1.5, 0.0))).unwrap();
    let anchors = [Vec2::ZERO, Vec2::new(-1.5, 0.0)];
    let def = JointDef::slot(ground, body, anchors, Vec2::Y)
        .with_axis(Axis::limited(0.0, 1.0))
        .with_second_axis(Axis::limited(0.0, 1.0));
    let joint = world.add_joint(&def).unwrap();
    for _ in 0..240 {
        world.step(H).unwrap();
    }
    for (axis, load) in [(0, WEIGHT), (1, 1.5 * WEIGHT)] {
        let force = world.joint_axis_force(joint, axis).unwrap().limit;
        close(force, load, 0.01 * load);
    }
    assert!(world[body].velocity().length() < 1e-3, "{:?}", world[body].velocity());
}

/// Past a tooth it does not come back; the way on is free.
#[test]
fn a_ratchet_on_any_axis() {
    for step in [0.25, -0.25] {
        let ratchet = Some(Ratchet { step, phase: 0.1 });
        for mut rig in rigs(&Axis { ratchet, ..Axis::default() }, 3.15, 4) {
            // Teeth at 3.1 and 3.35 (or 3.1 and 2.85).
            let sign = step.signum();
            let start = if step > 0.0 { 3.1 } else { 3.35 };
            let push = 4.0 * rig.mass;
            for _ in 0..40 {
                rig.push(-push * sign);
                rig.step(1);
            }
            rig.near("the tooth before", rig.q(), start, 1e-5);
            // On by one and a half teeth: to between the next two.
            rig.set_speed(sign * 0.375 * 4.0);
            rig.step(15);
            rig.near("between", rig.q(), start + 0.375 * sign, 1e-5);
            rig.near("free", rig.speed(), sign * 1.5, 1e-5);
            rig.set_speed(0.0);
            for _ in 0..40 {
                rig.push(-push * sign);
                rig.step(1);
            }
            rig.near("the next tooth", rig.q(), start + step, 1e-5);
            rig.near("force", limit_force(&rig), push * sign, ROUNDING * rig.mass);
        }
    }
}

/// Bounds of a program that move: a piston.
#[test]
fn a_bound_that_moves_pushes() {
    let program = Program::parse(
        "body a, b
         scalar top = 4 -> -0.5
         constraint { b.position.x - a.position.x, b.rotation - a.rotation }
         axis rise = b.position.y - a.position.y
         limit rise (1 + 0.25 * time) top",
    )
    .unwrap();
    let mut world = world(Vec2::ZERO, 4);
    let ground = world.ground().unwrap();
    let high = world.add_body(&BodyDef { position: Vec2::new(0.0, 3.9), ..BodyDef::dynamic() });
    let low = world.add_body(&BodyDef { position: Vec2::new(0.0, 1.1), ..BodyDef::dynamic() });
    let [high, low] = [high.unwrap(), low.unwrap()];
    for body in [high, low] {
        let def = TextJoint::new(&program).joint(&[("a", ground), ("b", body)]).unwrap();
        world.add_joint(&def).unwrap();
    }
    for step in 1..=120 {
        world.step(H).unwrap();
        let t = f64::from(step) * H;
        if t > 0.5 {
            close(world[high].position().y, 4.0 - 0.5 * t, 1e-4);
            close(world[high].velocity().y, -0.5, 1e-4);
            close(world[low].position().y, 1.0 + 0.25 * t, 1e-4);
            close(world[low].velocity().y, 0.25, 1e-4);
        }
    }
}

/// Equal bounds of a program that move: a rod that is drawn in.
#[test]
fn an_equation_whose_bounds_move_is_followed() {
    let program = Program::parse(
        "body a, b
         scalar length = 2 -> -0.5
         constraint |b.position - a.position|
         limit constraint length length",
    )
    .unwrap();
    for direct in WAYS {
        let mut world = world_by(direct, Vec2::new(0.0, -9.81), 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&solid(Vec2::new(0.0, -2.0))).unwrap();
        let def = TextJoint::new(&program).joint(&[("a", ground), ("b", body)]).unwrap();
        world.add_joint(&def).unwrap();
        for step in 1..=60 {
            world.step(H).unwrap();
            close(world[body].position().y, -2.0 + 0.5 * f64::from(step) * H, 1e-4);
            close(world[body].velocity().y, 0.5, 1e-4);
        }
    }
}

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.5;

fn solid(position: Vec2) -> BodyDef {
    let mass = MassProperties { mass: MASS, center: Vec2::ZERO, inertia: INERTIA };
    BodyDef { position, mass: Mass::Given(mass), can_sleep: false, ..BodyDef::dynamic() }
}

/// Holds everything, in Rust.
#[derive(Clone, Debug)]
struct Glue;

impl Constraint for Glue {
    fn name(&self) -> &str {
        "glue"
    }

    fn counts(&self) -> Counts {
        Counts::held(3)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].position - bodies[0].position;
        [out[0], out[1], out[2]] = [gap.x, gap.y, bodies[1].rotation - bodies[0].rotation];
    }
}

/// A joint that holds a body at the origin, and which of x, y and the angle it holds.
fn holds() -> Vec<(&'static str, World, BodyId, JointId, [bool; 3])> {
    type Make = fn(BodyId, BodyId) -> JointDef;
    const PINS: [Vec2; 2] = [Vec2::ZERO, Vec2::ZERO];
    let kinds: [(&'static str, Make, [bool; 3]); 8] = [
        ("weld", |a, b| JointDef::weld(a, b, PINS, 0.0), [true, true, true]),
        ("revolute", |a, b| JointDef::revolute(a, b, PINS), [true, true, false]),
        ("prismatic", |a, b| JointDef::prismatic(a, b, PINS, Vec2::Y), [true, false, true]),
        ("slot", |a, b| JointDef::slot(a, b, PINS, Vec2::X), [false, true, false]),
        ("gear", |a, b| JointDef::gear(a, b, 1.0, 0.0), [false, false, true]),
        (
            "rod",
            |a, b| JointDef::rod(a, b, [Vec2::new(0.0, 3.0), Vec2::ZERO], 3.0),
            [false, true, false],
        ),
        (
            "text",
            |a, b| {
                let program = Program::parse("body a, b  constraint b.position - a.position");
                TextJoint::new(&program.unwrap()).joint(&[("a", a), ("b", b)]).unwrap()
            },
            [true, true, false],
        ),
        ("user", |a, b| UserJoint::new(Glue).joint(&[a, b]), [true, true, true]),
    ];
    let mut found = Vec::new();
    for (direct, (name, make, held)) in
        WAYS.into_iter().flat_map(|way| kinds.map(|kind| (way, kind)))
    {
        let mut world = world_by(direct, Vec2::ZERO, 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&solid(Vec2::ZERO)).unwrap();
        let joint = world.add_joint(&make(ground, body)).unwrap();
        found.push((name, world, body, joint, held));
    }
    found
}

fn freedoms(world: &World, body: BodyId) -> [f64; 3] {
    let body = &world[body];
    [body.position().x, body.position().y, body.rotation()]
}

#[test]
fn a_hold_holds_under_load_and_leaves_the_rest() {
    for (name, mut world, body, joint, held) in holds() {
        // A rod would swing.
        let loads = [if name == "rod" { 0.0 } else { 30.0 }, -20.0, 5.0];
        for _ in 0..30 {
            world.apply_central_force(body, Vec2::new(loads[0], loads[1])).unwrap();
            world.apply_torque(body, loads[2]).unwrap();
            world.step(H).unwrap();
        }
        let at = freedoms(&world, body);
        let (force, torque) = world.joint_force(joint).unwrap();
        let found = [force.x, force.y, torque];
        for k in 0..3 {
            if held[k] {
                close(at[k], 0.0, 1e-5);
                close(found[k], -loads[k], 1e-3 * loads[k].abs());
            } else {
                let inverse = if k == 2 { 1.0 / INERTIA } else { 1.0 / MASS };
                let t = 30.0 * H;
                let way = 0.5 * loads[k] * inverse * t * t;
                close(at[k], way, 1e-4 * way.abs());
                close(found[k], 0.0, 1e-3);
            }
        }
    }
}

/// Pulled with more than its largest force a hold gives way, with what is over; with less it holds.
#[test]
fn a_hold_has_a_largest_force_and_a_largest_torque() {
    for (name, world, body, joint, held) in holds() {
        for freedom in (0..3).filter(|freedom| held[*freedom]) {
            let [most, inverse] =
                if freedom == 2 { [4.0, 1.0 / INERTIA] } else { [30.0, 1.0 / MASS] };
            let pulled = |share: f64| {
                let mut world = world.clone();
                let change = |def: &mut JointDef| {
                    def.max_force = 30.0;
                    def.max_torque = 4.0;
                };
                world.edit_joint(joint, change).unwrap();
                for _ in 0..12 {
                    match freedom {
                        0 => world.apply_central_force(body, Vec2::X * (share * most)),
                        1 => world.apply_central_force(body, Vec2::Y * (share * most)),
                        _ => world.apply_torque(body, share * most),
                    }
                    .unwrap();
                    world.step(H).unwrap();
                }
                let body = &world[body];
                [body.velocity().x, body.velocity().y, body.angular_velocity()][freedom]
            };
            close(pulled(0.95), 0.0, 1e-4);
            let over = 0.5 * most * inverse * 12.0 * H;
            let found = pulled(1.5);
            assert!((found - over).abs() < 1e-4 * over, "{name}, {freedom}: {found} is not {over}");
        }
    }
}

/// A pull that is not along an axis: what counts is the force as a vector.
#[test]
fn the_largest_force_is_that_of_a_vector() {
    for (name, mut world, body, joint, _) in holds() {
        if !["weld", "revolute", "text", "user"].contains(&name) {
            continue;
        }
        world.edit_joint(joint, |def| def.max_force = 30.0).unwrap();
        let pull = Vec2::new(0.6, -0.8);
        for _ in 0..12 {
            world.apply_central_force(body, pull * 45.0).unwrap();
            world.step(H).unwrap();
        }
        let expected = pull * (15.0 / MASS * 12.0 * H);
        let far = (world[body].velocity() - expected).length();
        assert!(far < 1e-4, "{name}: {far}");
        let (force, _) = world.joint_force(joint).unwrap();
        assert!((force + pull * 30.0).length() < 1e-2, "{name}: {force:?}");
    }
}

/// A hold that yields: each freedom that it holds is a spring by itself, if it holds the centre of
/// mass.
#[test]
fn a_soft_hold_is_a_spring_in_every_freedom_that_it_holds() {
    let omega = std::f64::consts::TAU * 2.0;
    for (name, mut world, body, joint, held) in holds() {
        if name == "rod" {
            continue;
        }
        let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.2 };
        world.edit_joint(joint, |def| def.softness = softness).unwrap();
        world.set_position(body, Vec2::new(0.3, -0.2)).unwrap();
        world.set_rotation(body, 0.4).unwrap();
        let start = [0.3, -0.2, 0.4];
        let mut expected = start.map(|q| [q, 0.0]);
        for _ in 0..60 {
            world.step(H).unwrap();
            for [q, v] in &mut expected {
                for _ in 0..4 {
                    let h = H / 4.0;
                    let (k, c) = (omega * omega, 0.4 * omega);
                    *v = (*v - h * k * *q) / (1.0 + h * c + h * h * k);
                    *q += h * *v;
                }
            }
            let at = freedoms(&world, body);
            for k in 0..3 {
                let wanted = if held[k] { expected[k][0] } else { start[k] };
                let far = (at[k] - wanted).abs();
                assert!(far < 1e-5, "{name}, {k}: {} is not {wanted}", at[k]);
            }
        }
    }
}

/// A gear with its largest torque slips like a clutch.
#[test]
fn a_gear_that_slips() {
    let mut world = world(Vec2::ZERO, 4);
    let ground = world.ground().unwrap();
    let wheel = world.add_body(&solid(Vec2::ZERO)).unwrap();
    let ratio = 2.0;
    let def = JointDef::new(JointKind::Angle { ratio, angle: 0.0 }, ground, wheel);
    let def = JointDef { max_torque: 1.5, ..def.with_axis(Axis::held(0.0)) };
    let joint = world.add_joint(&def).unwrap();
    for _ in 0..30 {
        world.apply_torque(wheel, 5.0).unwrap();
        world.step(H).unwrap();
    }
    // The torque of the joint on the wheel is ratio · λ.
    close(world[wheel].angular_velocity(), (5.0 - 3.0) / INERTIA * 0.5, 1e-4);
    close(world.joint_impulses(joint).unwrap()[0] / H, -1.5, 1e-4);
}
