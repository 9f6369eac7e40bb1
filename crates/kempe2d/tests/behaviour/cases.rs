//! Whole scenes: cases of the behaviour list (J04, J09 with positions, J13, J17 with many handles,
//! J18), and joints from text and from Rust in mechanisms whose motion is known.

use super::springs::{WAYS, world_by};
use super::{H, block, close, world};
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, ForceRange, Jacobian, JointDef, JointId,
    JointKind, Mass, MassProperties, Motor, Pose, Real, Settings, Shape, Softness, TextJoint,
    UserJoint, Vec2, World, equation,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

/// A generic joint: nothing is held, and x, y and the angle of B against A are axes.
#[derive(Clone, Debug)]
struct Generic;

impl Constraint for Generic {
    fn name(&self) -> &str {
        "generic"
    }

    fn counts(&self) -> Counts {
        Counts::left(3)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap =
            (bodies[1].position - bodies[0].position).turned_back(bodies[0].cos, bodies[0].sin);
        [out[0], out[1], out[2]] = [gap.x, gap.y, bodies[1].rotation - bodies[0].rotation];
    }
}

#[test]
fn j04_springs_on_any_axes_do_not_disturb_one_another() {
    let omega = std::f64::consts::TAU * 2.0;
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
    for subset in 1..8_u8 {
        let mut world = world(Vec2::ZERO, 1);
        let ground = world.ground().unwrap();
        let has = |axis: usize| subset & (1 << axis) != 0;
        let start: [f64; 3] =
            std::array::from_fn(|axis| if has(axis) { [10.0, 8.0, 1.5][axis] } else { 0.0 });
        let def = BodyDef { rotation: start[2], ..block(Vec2::new(start[0], start[1])) };
        let body = world.add_body(&def).unwrap();
        let mut def = UserJoint::new(Generic).joint(&[ground, body]);
        for axis in (0..3).filter(|axis| has(*axis)) {
            *def.axis_mut(axis) = Axis::sprung(0.0, softness);
        }
        let joint = world.add_joint(&def).unwrap();
        let mut expected = start.map(|q| [q, 0.0]);
        for _ in 0..120 {
            world.step(H).unwrap();
            for (axis, [q, v]) in expected.iter_mut().enumerate() {
                if has(axis) {
                    let (k, c) = (omega * omega, 0.2 * omega);
                    *v = (*v - H * k * *q) / (1.0 + H * c + H * H * k);
                    *q += H * *v;
                }
                close(world.joint_coordinate(joint, axis).unwrap(), *q, 1e-5);
            }
        }
    }
}

/// To the tolerance of the list, 5e-6 m of 10 m.
#[test]
fn j03_a_sliding_spring_to_the_last_digits() {
    let omega = std::f64::consts::TAU * 2.0;
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.1 };
    for direct in WAYS {
        let mut world = world_by(direct, GRAVITY, 1);
        let ground = world.ground().unwrap();
        let body = world.add_body(&block(Vec2::new(10.0, 0.0))).unwrap();
        let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X);
        world.add_joint(&def.with_axis(Axis::sprung(0.0, softness))).unwrap();
        let (mut q, mut v) = (10.0, 0.0);
        for _ in 0..120 {
            world.step(H).unwrap();
            v = (v - H * omega * omega * q) / (1.0 + H * 0.2 * omega + H * H * omega * omega);
            q += H * v;
            close(world[body].position().x, q, 5e-6);
            close(world[body].position().y, 0.0, 1e-6);
        }
    }
}

/// Two free bodies in any pose; B is drawn to A along the rail, at a quarter turn.
#[test]
fn j13_a_slider_between_bodies_in_any_pose() {
    for direct in WAYS {
        slider_in_any_pose(direct);
    }
}

fn slider_in_any_pose(direct: Direct) {
    let mut world = world_by(direct, GRAVITY, 4);
    let pose = |x: f64, y: f64, degrees: f64| BodyDef {
        rotation: degrees.to_radians(),
        ..block(Vec2::new(x, y))
    };
    let a = world.add_body(&pose(1.0, 2.0, 18.0)).unwrap();
    let b = world.add_body(&pose(-3.0, -2.0, 36.0)).unwrap();
    let angle = std::f64::consts::FRAC_PI_2;
    let [anchor_a, anchor_b] = [Vec2::ZERO; 2];
    let kind = JointKind::Prismatic { anchor_a, anchor_b, rail: Vec2::X, angle };
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 1.0 };
    let motor = Motor::Position { target: 0.0.into(), softness, force: ForceRange::default() };
    world.add_joint(&JointDef::new(kind, a, b).with_axis(Axis::driven(motor))).unwrap();
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    close(world[b].rotation() - world[a].rotation(), angle, 1e-4);
    assert!((world[b].position() - world[a].position()).length() < 1e-2);
}

#[test]
fn j09_the_positions_of_both_bodies_mirror_each_other() {
    let mut world = world(Vec2::ZERO, 4);
    let a = world.add_body(&block(Vec2::new(-2.0, 0.0))).unwrap();
    let b = world.add_body(&block(Vec2::new(2.0, 0.0))).unwrap();
    let force = ForceRange::symmetric(2.0 * 6.0);
    let motor = Motor::Velocity { speed: 6.0.into(), force };
    let anchors = [Vec2::new(4.0, 0.0), Vec2::ZERO];
    let def = JointDef::prismatic(a, b, anchors, Vec2::X);
    world.add_joint(&def.with_axis(Axis::driven(motor))).unwrap();
    let (mut x, mut v): (f64, f64) = (2.0, 0.0);
    for _ in 0..120 {
        world.step(H).unwrap();
        for _ in 0..4 {
            v = (v + 2.0 * H / 4.0).min(3.0);
            x += v * H / 4.0;
        }
        close(world[b].position().x, x, 2e-5);
        close(world[a].position().x, -x, 2e-5);
    }
}

/// A slot of the pool is used a million times, and no handle of it ever finds another body.
#[test]
fn j17_a_million_bodies_in_one_slot() {
    let mut world = World::default();
    let def = BodyDef::dynamic();
    let first = world.add_body(&def).unwrap();
    world.remove_body(first).unwrap();
    let mut last = first;
    for _ in 0..1_000_000 {
        let id = world.add_body(&def).unwrap();
        assert!(id.index() == first.index() && id != first && id != last);
        assert!(world.body(first).is_none() && world.body(last).is_none());
        world.remove_body(id).unwrap();
        last = id;
    }
}

fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// Ten hanging chains of ten boxes on rails that go left and right by turns, with stops.
#[test]
fn j18_chains_of_limited_sliders_stay_calm() {
    for direct in WAYS {
        chains_of_sliders(direct);
    }
}

fn chains_of_sliders(direct: Direct) {
    let mut world = world_by(direct, GRAVITY, 4);
    let ground = world.ground().unwrap();
    for chain in 0..10 {
        let x = 3.0 * f64::from(chain);
        let mut last = ground;
        for link in 0..10 {
            let at = Vec2::new(x, -f64::from(link) - 1.0);
            let shapes = vec![(Shape::rectangle(0.25, 0.25), 1.0)];
            let body = BodyDef { position: at, shapes, ..BodyDef::dynamic() };
            let body = world.add_body(&body).unwrap();
            let side = if link % 2 == 0 { 1.0 } else { -1.0 };
            let rail = Vec2::new(side, -1.0);
            let def = world.prismatic_at(last, body, at, rail).unwrap();
            world.add_joint(&def.with_limit(-0.3, 0.3)).unwrap();
            last = body;
        }
    }
    bounded(&mut world, 10.0);
}

/// A net of boxes pinned to their neighbours, its upper corners fixed.
#[test]
fn j18_a_net_of_pins_stays_calm() {
    for direct in WAYS {
        net_of_pins(direct);
    }
}

fn net_of_pins(direct: Direct) {
    const SIDE: usize = 8;
    let mut world = world_by(direct, GRAVITY, 4);
    let ground = world.ground().unwrap();
    let at = |i: usize, j: usize| Vec2::new(i as f64, -(j as f64));
    let mut bodies: Vec<BodyId> = Vec::new();
    for j in 0..SIDE {
        for i in 0..SIDE {
            let shapes = vec![(Shape::circle(0.3), 1.0)];
            let position = at(i, j);
            bodies
                .push(world.add_body(&BodyDef { position, shapes, ..BodyDef::dynamic() }).unwrap());
            let id = bodies[bodies.len() - 1];
            if j == 0 && (i == 0 || i == SIDE - 1) {
                let def = world.revolute_at(ground, id, position).unwrap();
                world.add_joint(&def).unwrap();
            }
            let middle = |other: Vec2| (position + other) * 0.5;
            if i > 0 {
                let other = bodies[j * SIDE + i - 1];
                let def = world.revolute_at(other, id, middle(at(i - 1, j))).unwrap();
                world.add_joint(&def).unwrap();
            }
            if j > 0 {
                let other = bodies[(j - 1) * SIDE + i];
                let def = world.revolute_at(other, id, middle(at(i, j - 1))).unwrap();
                world.add_joint(&def).unwrap();
            }
        }
    }
    bounded(&mut world, 10.0);
}

/// 10 000 steps without sleep, within ten times the size, below 100 m/s, and never with more energy
/// than at the start, but for a hundredth of what a fall through the scene would give.
#[track_caller]
fn bounded(world: &mut World, size: f64) {
    world.set_settings(Settings { sleep: false, ..world.settings() }).unwrap();
    let mass: f64 = world.bodies().map(|(_, body)| body.mass_properties().mass).sum();
    let start = energy(world);
    for step in 0..10_000 {
        world.step(H).unwrap();
        for (_, body) in world.bodies() {
            assert!(body.position().length() < 10.0 * size, "step {step}");
            assert!(body.velocity().length() < 100.0, "step {step}");
        }
        let gained = energy(world) - start;
        assert!(gained < 0.01 * mass * 9.81 * size, "step {step}: {gained} J");
    }
}

/// A weight on a rope of many links hangs by the sum of their lengths.
#[test]
fn a_chain_of_rods_hangs_straight() {
    for direct in WAYS {
        chain_of_rods(direct);
    }
}

fn chain_of_rods(direct: Direct) {
    let mut world = world_by(direct, GRAVITY, 8);
    let ground = world.ground().unwrap();
    let mut last = ground;
    for link in 0..10 {
        let mass = MassProperties { mass: 1.0, center: Vec2::ZERO, inertia: 0.1 };
        let position = Vec2::new(0.0, -f64::from(link + 1));
        let mass = Mass::Given(mass);
        let body = world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap();
        world.add_joint(&JointDef::rod(last, body, [Vec2::ZERO; 2], 1.0)).unwrap();
        last = body;
    }
    for _ in 0..240 {
        world.step(H).unwrap();
    }
    close(world[last].position().x, 0.0, 1e-6);
    close(world[last].position().y, -10.0, 0.01);
}

/// A joint from a program of the gallery.
fn text(name: &str, scalars: &[(&str, f64)], bodies: &[(&str, BodyId)]) -> JointDef {
    let source = equation::gallery::find(name).unwrap().source;
    let mut joint = TextJoint::new(&equation::Program::parse(source).unwrap());
    for (name, value) in scalars {
        joint.set(name, *value).unwrap();
    }
    for parameter in joint.program().parameters().to_vec() {
        if joint.get(&parameter.name).unwrap().is_none() {
            joint.set(&parameter.name, [0.0, 0.0]).unwrap();
        }
    }
    joint.joint(bodies).unwrap()
}

/// Down a slope without slipping: g sin α / (1 + I / m r²).
#[test]
fn a_disc_rolls_down_a_slope() {
    let (slope, radius) = (0.3_f64, 0.4);
    let mut world = world(GRAVITY, 4);
    let track = world.add_body(&BodyDef { rotation: -slope, ..BodyDef::fixed() }).unwrap();
    let up = Vec2::new(slope.sin(), slope.cos());
    let mass = MassProperties { mass: 2.0, center: Vec2::ZERO, inertia: 0.11 };
    let mass = Mass::Given(mass);
    let def = BodyDef { position: up * radius, mass, ..BodyDef::dynamic() };
    let disc = world.add_body(&def).unwrap();
    let bodies = [("track", track), ("disc", disc)];
    let joint = world.add_joint(&text("rolling_disc", &[("radius", radius)], &bodies)).unwrap();
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    let a = 9.81 * slope.sin() / (1.0 + 0.11 / (2.0 * radius * radius));
    let along = Vec2::new(slope.cos(), -slope.sin());
    close(world[disc].velocity().dot(along), a, 1e-3);
    close(world[disc].angular_velocity(), -a / radius, 1e-3);
    close(world.joint_coordinate(joint, 0).unwrap(), 0.5 * a, 1e-3);
    let centre = world[disc].position().dot(up);
    close(centre, radius, 1e-4);
}

/// A torque on the pinion moves the rack: τ/r / (m + I/r²).
#[test]
fn a_rack_and_its_pinion() {
    let radius = 0.2;
    let mut world = world(Vec2::ZERO, 4);
    let frame = world.ground().unwrap();
    let mass = MassProperties { mass: 1.5, center: Vec2::ZERO, inertia: 0.05 };
    let free = BodyDef { mass: Mass::Given(mass), ..BodyDef::dynamic() };
    let [pinion, rack] = [0, 1].map(|_| world.add_body(&free).unwrap());
    let bodies = [("frame", frame), ("pinion", pinion), ("rack", rack)];
    let joint = text("rack_and_pinion", &[("radius", radius)], &bodies);
    let joint = world.add_joint(&joint).unwrap();
    for _ in 0..60 {
        world.apply_torque(pinion, 0.3).unwrap();
        world.step(H).unwrap();
    }
    let a = 0.3 / radius / (1.5 + 0.05 / (radius * radius));
    close(world[rack].velocity().x, a, 1e-4);
    close(world[pinion].angular_velocity(), a / radius, 1e-3);
    close(world.joint_error(joint).unwrap()[0], 0.0, 1e-5);
}

/// Joints that follow the clock are where they must be, under load.
#[test]
fn driven_joints_are_on_time() {
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let crank = world.add_body(&block(Vec2::ZERO)).unwrap();
    let bob = world.add_body(&block(Vec2::new(5.0, -2.0))).unwrap();
    let post = world.add_body(&BodyDef { position: Vec2::new(5.0, 0.0), ..BodyDef::fixed() });
    let scalars = [("speed", 2.0), ("acceleration", 0.5)];
    let names = [("frame", ground), ("crank", crank)];
    world.add_joint(&text("driven_crank", &scalars, &names)).unwrap();
    let names = [("a", post.unwrap()), ("b", bob)];
    let rod = world.add_joint(&text("breathing_distance", &[], &names)).unwrap();
    for step in 1..=120 {
        world.step(H).unwrap();
        let t = f64::from(step) * H;
        // The rates are those at the start of a step.
        close(world[crank].rotation(), 2.0 * t + 0.25 * t * t, 0.25 * H * t + 1e-3);
        let wanted = 2.0 + 0.5 * (std::f64::consts::TAU * t).sin();
        close(world[bob].position().y, -wanted, 2e-3);
        close(world.joint_error(rod).unwrap()[0], 0.0, 2e-3);
    }
}

/// What a user joint may do beyond its equations: it only pushes, and it is prepared once a step.
#[derive(Clone, Debug)]
struct Floor {
    prepared: Arc<AtomicUsize>,
}

impl Constraint for Floor {
    fn name(&self) -> &str {
        "floor"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 1, hold: 1, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = bodies[0].position.y;
    }

    fn jacobian<S: Real>(&self, _: &[Pose<S>], _time: S, out: &mut Jacobian<'_, S>) -> bool {
        out.set(0, 0, Vec2::new(S::zero(), S::one()), S::zero());
        true
    }

    fn prepare(&mut self, _bodies: &[Pose], _time: f64) {
        self.prepared.fetch_add(1, Ordering::Relaxed);
    }

    fn clamps(&self) -> bool {
        true
    }

    fn clamp(&self, impulses: &mut [f64], _h: f64) {
        impulses[0] = impulses[0].max(0.0);
    }
}

#[test]
fn a_user_joint_clamps_its_own_impulses() {
    let prepared = Arc::new(AtomicUsize::new(0));
    let mut world = world(GRAVITY, 4);
    let body = world.add_body(&block(Vec2::ZERO)).unwrap();
    let floor = UserJoint::new(Floor { prepared: Arc::clone(&prepared) });
    let joint = world.add_joint(&floor.joint(&[body])).unwrap();
    for _ in 0..30 {
        world.step(H).unwrap();
    }
    assert_eq!(prepared.load(Ordering::Relaxed), 30);
    close(world[body].position().y, 0.0, 1e-5);
    close(world.joint_impulses(joint).unwrap()[0], 6.0 * 9.81 * H, 1e-4);
}

/// A winch lifts what it can, and never pushes.
#[test]
fn a_winch_hauls_with_what_it_has() {
    let weight = 6.0 * 9.81;
    for (speed, force, expected) in [
        (-0.5, 2.0 * weight, 0.5),
        (-0.5, 0.5 * weight, -0.5 * 9.81 * 0.5),
        (0.5, 2.0 * weight, -0.5),
        (100.0, 2.0 * weight, -9.81 * 0.5),
    ] {
        let mut world = world(GRAVITY, 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&block(Vec2::new(0.0, -9.0))).unwrap();
        let def = JointDef::winch(ground, body, [Vec2::ZERO; 2], speed, force);
        world.add_joint(&def).unwrap();
        for _ in 0..30 {
            world.step(H).unwrap();
        }
        close(world[body].velocity().y, expected, 1e-4 * (1.0 + expected.abs()));
    }
}

/// A parameter of a joint from text, changed while it runs: the rope hauls in.
#[test]
fn a_rope_from_text_is_shortened() {
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&block(Vec2::new(0.0, -2.0))).unwrap();
    let names = [("body1", ground), ("body2", body)];
    let scalars = [("jointMin", 0.0), ("jointMax", 2.0)];
    let rope = world.add_joint(&text("distance", &scalars, &names)).unwrap();
    for step in 0..60 {
        let length = 2.0 - f64::from(step) / 60.0;
        world.set_parameter(rope, "jointMax", length).unwrap();
        world.step(H).unwrap();
        close(world[body].position().y, -length, 1e-3);
    }
    assert!(world.set_parameter(rope, "jointMax", -1.0).is_err(), "the program forbids it");
}

/// Four boxes that hang under each other, without sleep, after two seconds.
fn hanging_chain(direct: Direct) -> (World, Vec<BodyId>, Vec<JointId>) {
    let mut world = world_by(direct, GRAVITY, 4);
    let mut bodies = vec![world.ground().unwrap()];
    let mut joints = Vec::new();
    for link in 0..4 {
        let y = -2.0 * f64::from(link);
        let body = world.add_body(&block(Vec2::new(0.0, y - 1.0))).unwrap();
        let def = world.revolute_at(bodies[link as usize], body, Vec2::new(0.0, y)).unwrap();
        joints.push(world.add_joint(&def).unwrap());
        bodies.push(body);
    }
    world.set_settings(Settings { sleep: false, ..world.settings() }).unwrap();
    for _ in 0..120 {
        world.step(H).unwrap();
    }
    (world, bodies, joints)
}

#[test]
fn steps_of_different_lengths_move_nothing() {
    for direct in WAYS {
        let (mut world, bodies, _) = hanging_chain(direct);
        for step in 0..120 {
            world.step([H, 0.5 * H, 2.0 * H, 1.3 * H][step % 4]).unwrap();
            for (k, body) in bodies.iter().enumerate().skip(1) {
                close(world[*body].position().y, 1.0 - 2.0 * k as f64, 5e-3);
            }
        }
    }
}

/// The forces are those of the weights. Joint by joint a rigid joint is a spring that goes by the
/// length of a sub-step, so that frames may only be nearly of one length.
#[test]
fn steps_of_different_lengths_do_not_shake_the_forces() {
    for (direct, lengths) in [
        (Direct::Auto, [H, 0.5 * H, 2.0 * H, 1.3 * H]),
        (Direct::Never, [H, 1.02 * H, 0.99 * H, 1.01 * H]),
    ] {
        let (mut world, _, joints) = hanging_chain(direct);
        for step in 0..120 {
            world.step(lengths[step % 4]).unwrap();
            for (k, joint) in joints.iter().enumerate() {
                let carried = (4 - k) as f64 * 6.0 * 9.81;
                let (force, _) = world.joint_force(*joint).unwrap();
                close(force.y, carried, 0.05 * carried);
            }
        }
    }
}
