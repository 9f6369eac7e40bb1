//! What can be read of joints, and the events that tell of them.

use super::springs::{WAYS, rigs, world_by};
use super::{H, close, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, Event, ForceRange, JointDef, JointId,
    JointKind, Limit, Mass, MassProperties, Motor, Pose, Real, Softness, TextJoint, UserJoint,
    Vec2, World,
};

const G: f64 = 9.81;
const GRAVITY: Vec2 = Vec2::new(0.0, -G);

fn weight(position: Vec2, mass: f64) -> BodyDef {
    let mass = MassProperties { mass, center: Vec2::ZERO, inertia: 0.4 * mass };
    BodyDef { position, mass: Mass::Given(mass), can_sleep: false, ..BodyDef::dynamic() }
}

/// A user joint of the test below: leaves the product of two angles, and the height.
#[derive(Clone, Debug)]
struct Odd;

impl Constraint for Odd {
    fn name(&self) -> &str {
        "odd"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 1, velocity: 0, axes: 2 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        out[0] = bodies[1].position.x - bodies[0].position.x;
        out[1] = bodies[0].rotation * bodies[1].rotation;
        out[2] = bodies[1].position.y - time * time;
    }
}

/// Bodies in no special pose, with their centres of mass away from their origins.
fn scattered(world: &mut World) -> [BodyId; 4] {
    std::array::from_fn(|k| {
        let k = k as f64;
        let center = Vec2::new(0.3 - 0.1 * k, 0.2 * k - 0.1);
        let def = BodyDef {
            position: Vec2::new(1.1 * k - 0.7, 0.9 - 0.4 * k * k),
            rotation: 0.7 * k - 0.4,
            velocity: Vec2::new(0.3 * k - 0.5, 0.8 - 0.2 * k),
            angular_velocity: 0.9 - 0.5 * k,
            mass: Mass::Given(MassProperties { mass: 1.0 + k, center, inertia: 0.5 + k }),
            ..BodyDef::dynamic()
        };
        world.add_body(&def).unwrap()
    })
}

/// q by hand, and its speed by moving the bodies on for a moment.
#[test]
fn coordinates_and_speeds_of_every_kind() {
    type Hand = Box<dyn Fn(&[(Vec2, f64)]) -> Vec<f64>>;
    let mut scene = world(Vec2::ZERO, 1);
    let ids = scattered(&mut scene);
    let [a, b, c, d] = ids;
    let [p, q, r, s] =
        [[0.4, 0.1], [-0.2, 0.5], [0.3, -0.3], [0.0, 0.6]].map(|[x, y]| Vec2::new(x, y));
    let rail = Vec2::new(0.6, -0.8);
    let point =
        |(at, angle): (Vec2, f64), anchor: Vec2| at + anchor.turned(angle.cos(), angle.sin());
    let gap = move |x: &[(Vec2, f64)]| point(x[1], q) - point(x[0], p);
    let other = move |x: &[(Vec2, f64)]| point(x[3], s) - point(x[2], r);
    let turn = |x: &[(Vec2, f64)]| x[1].1 - x[0].1;
    let along = move |x: &[(Vec2, f64)]| {
        let t = rail.turned(x[0].1.cos(), x[0].1.sin());
        [t.perp().dot(gap(x)), t.dot(gap(x))]
    };
    let program = Program::parse(
        "body a, b
         constraint b.position.x - a.position.x
         axis turns = a.rotation * b.rotation
         axis height = b.position.y - time^2",
    )
    .unwrap();
    let text = TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap();
    let [anchor_a, anchor_b] = [p, q];
    let odd = |x: &[(Vec2, f64)]| vec![x[1].0.x - x[0].0.x, x[0].1 * x[1].1, x[1].0.y];
    let all: Vec<(JointDef, Hand)> = vec![
        (
            JointDef::weld(a, b, [p, q], 0.3),
            Box::new(move |x| vec![gap(x).x, gap(x).y, turn(x) - 0.3]),
        ),
        (
            JointDef::new(JointKind::Revolute { anchor_a, anchor_b, angle: 0.2 }, a, b),
            Box::new(move |x| vec![gap(x).x, gap(x).y, turn(x) - 0.2]),
        ),
        (
            JointDef::new(
                JointKind::Prismatic { anchor_a, anchor_b, rail: rail * 5.0, angle: 0.2 },
                a,
                b,
            ),
            Box::new(move |x| vec![along(x)[0], turn(x) - 0.2, along(x)[1]]),
        ),
        (
            JointDef::new(JointKind::Slot { anchor_a, anchor_b, rail, angle: 0.2 }, a, b),
            Box::new(move |x| vec![along(x)[0], along(x)[1], turn(x) - 0.2]),
        ),
        (
            JointDef::new(JointKind::Distance { anchor_a, anchor_b }, a, b),
            Box::new(move |x| vec![gap(x).length()]),
        ),
        (
            JointDef::new(JointKind::Angle { ratio: -1.4, angle: 0.2 }, a, b),
            Box::new(move |x| vec![-1.4 * x[1].1 - x[0].1 - 0.2]),
        ),
        (
            JointDef::over(
                JointKind::Pulley { anchors: [p, q, r, s], ratio: 0.6 },
                vec![a, b, c, d],
            ),
            Box::new(move |x| vec![gap(x).length() + 0.6 * other(x).length()]),
        ),
        (text, Box::new(odd)),
        (UserJoint::new(Odd).joint(&[a, b]), Box::new(odd)),
    ];
    for (def, hand) in all {
        let name = def.kind.name().to_owned();
        let (hold, axes) = (def.kind.hold_count(), def.kind.axis_count());
        let mut world = scene.clone();
        let joint = world.add_joint(&def).unwrap();
        let at = |by: f64| {
            let poses = ids.map(|id| {
                let body = &world[id];
                let angle = body.rotation() + by * body.angular_velocity();
                let arm = body.mass_properties().center.turned(angle.cos(), angle.sin());
                (body.center() + body.velocity() * by - arm, angle)
            });
            hand(&poses)
        };
        let (now, later, before) = (at(0.0), at(1e-5), at(-1e-5));
        let error = world.joint_error(joint).unwrap();
        assert_eq!((error.len(), now.len()), (hold, hold + axes), "{name}");
        for row in 0..hold {
            close(error[row], now[row], 1e-12);
        }
        for axis in 0..axes {
            let q = world.joint_coordinate(joint, axis).unwrap();
            assert!((q - now[hold + axis]).abs() < 1e-12, "{name}, {axis}: {q}");
            let speed = world.joint_speed(joint, axis).unwrap();
            let wanted = (later[hold + axis] - before[hold + axis]) / 2e-5;
            assert!((speed - wanted).abs() < 1e-8, "{name}, {axis}: {speed} is not {wanted}");
        }
        assert_eq!(world.joint_coordinate(joint, axes), None);
        assert_eq!(world.joint_speed(joint, axes), None);
        assert_eq!(world.joint_axis_force(joint, axes), None);
        world.remove_joint(joint).unwrap();
        assert_eq!(world.joint_error(joint), None);
        assert_eq!(world.joint_coordinate(joint, 0), None);
        assert_eq!(world.joint_force(joint), None);
        assert_eq!(world.joint_separation(joint), None);
        assert_eq!(world.joint_power(joint), None);
        assert_eq!(world.joint_is_slack(joint), None);
    }
}

#[test]
fn how_far_a_hold_is_open() {
    let mut world = world(Vec2::ZERO, 1);
    let ground = world.ground().unwrap();
    let def = BodyDef { rotation: 0.25, ..weight(Vec2::new(0.3, -0.4), 1.0) };
    let body = world.add_body(&def).unwrap();
    let pins = [Vec2::ZERO; 2];
    let mut open = |def: JointDef| {
        let joint = world.add_joint(&def).unwrap();
        world.joint_separation(joint).unwrap()
    };
    let cases = [
        (JointDef::weld(ground, body, pins, 0.0), (0.5, 0.25)),
        (JointDef::revolute(ground, body, pins), (0.5, 0.0)),
        (JointDef::prismatic(ground, body, pins, Vec2::X), (0.4, 0.25)),
        (JointDef::slot(ground, body, pins, Vec2::Y), (0.3, 0.0)),
        // An axis counts if it is held, and past its limit.
        (JointDef::slot(ground, body, pins, Vec2::Y).with_axis(Axis::held(0.0)), (0.5, 0.0)),
        (JointDef::rod(ground, body, pins, 2.0), (1.5, 0.0)),
        (JointDef::rope(ground, body, pins, 2.0), (0.0, 0.0)),
        (JointDef::rope(ground, body, pins, 0.2), (0.3, 0.0)),
        (JointDef::strut(ground, body, pins, 0.7), (0.2, 0.0)),
        (JointDef::angle_range(ground, body, 1.0, -0.1, 0.1), (0.0, 0.15)),
        (JointDef::gear(ground, body, 2.0, 0.0), (0.0, 0.5)),
    ];
    for (def, (length, angle)) in cases {
        let found = open(def);
        close(found.0, length, 1e-12);
        close(found.1, angle, 1e-12);
    }
}

/// The bounds that a program gives its rows are limits too.
#[test]
fn how_far_a_joint_from_text_is_open() {
    let rope = "body a, b  scalar longest = 2
                constraint |b.position - a.position|  limit constraint 0 longest";
    let axis = "body a, b  axis rise = b.position.y - a.position.y  limit rise -0.3 1";
    for (source, expected) in [(rope, 0.0), (axis, 0.1)] {
        let mut world = world(Vec2::ZERO, 1);
        let ground = world.ground().unwrap();
        let body = world.add_body(&weight(Vec2::new(0.3, -0.4), 1.0)).unwrap();
        let joint = TextJoint::new(&Program::parse(source).unwrap());
        let joint = joint.joint(&[("a", ground), ("b", body)]).unwrap();
        let joint = world.add_joint(&joint).unwrap();
        close(world.joint_separation(joint).unwrap().0, expected, 1e-12);
    }
}

#[test]
fn the_reaction_of_a_cantilever() {
    for direct in WAYS {
        cantilever(direct);
    }
}

fn cantilever(direct: Direct) {
    let mut world = world_by(direct, GRAVITY, 4);
    let ground = world.ground().unwrap();
    let at = Vec2::new(2.0, 1.0);
    let body = world.add_body(&weight(at, 3.0)).unwrap();
    let anchors = [Vec2::new(0.5, 1.0), Vec2::new(-1.5, 0.0)];
    let joint = world.add_joint(&JointDef::weld(ground, body, anchors, 0.0)).unwrap();
    for _ in 0..30 {
        world.step(H).unwrap();
    }
    let load = 3.0 * G;
    let (force, torque) = world.joint_reaction(joint).unwrap();
    close(force.x, 0.0, 1e-3);
    close(force.y, load, 1e-3);
    close(torque, load * 1.5, 1e-3);
    // About the centre of mass everything is in balance.
    let (_, torque) = world.joint_force(joint).unwrap();
    close(torque, 0.0, 1e-3);
    let impulses = world.joint_impulses(joint).unwrap();
    close(impulses[1], load * H, 1e-4);
    close(impulses[2], load * 1.5 * H, 1e-4);
    // On the wall: the opposite force, and the torque of both about the wall's origin.
    let forces = world.joint_forces(joint).unwrap();
    assert_eq!(forces.len(), 2);
    close(forces[0].force.y, -load, 1e-3);
    close(forces[0].torque, -(load * 0.5 + load * 1.5), 1e-3);
    close(forces[1].force.y, load, 1e-3);
}

/// λ = g (1 + ρ) / (1/m₁ + ρ²/m₂): both sides fall as they must, and four forces are in balance.
#[test]
fn the_forces_of_a_pulley() {
    for (ratio, masses) in [(1.0, [3.0, 2.0]), (2.0, [1.0, 4.0]), (0.5, [2.0, 2.0])] {
        let mut world = world(GRAVITY, 4);
        let ground = world.ground().unwrap();
        let one = world.add_body(&weight(Vec2::new(-1.0, -2.0), masses[0])).unwrap();
        let two = world.add_body(&weight(Vec2::new(1.0, -2.0), masses[1])).unwrap();
        let wheels = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
        let anchors = [wheels[0], Vec2::ZERO, wheels[1], Vec2::ZERO];
        let bodies = [ground, one, ground, two];
        let def = JointDef::pulley(bodies, anchors, ratio, 2.0 + 2.0 * ratio);
        let joint = world.add_joint(&def).unwrap();
        for _ in 0..20 {
            world.step(H).unwrap();
        }
        let [m1, m2] = masses;
        let tension = G * (1.0 + ratio) / (1.0 / m1 + ratio * ratio / m2);
        let forces = world.joint_forces(joint).unwrap();
        let expected = [-tension, tension, -ratio * tension, ratio * tension];
        for (force, expected) in forces.iter().zip(expected) {
            close(force.force.y, expected, 1e-3 * tension);
            close(force.force.x, 0.0, 1e-4);
        }
        close(forces[0].torque, tension, 1e-3 * tension);
        close(forces[2].torque, -ratio * tension, 1e-3 * tension);
        close(world.joint_axis_force(joint, 0).unwrap().limit, -tension, 1e-3 * tension);
        let (force, _) = world.joint_force(joint).unwrap();
        close(force.y, ratio * tension, 1e-3 * tension);
        // After 20 steps of a constant pull.
        let t = 20.0 * H;
        close(world[one].velocity().y, (tension / m1 - G) * t, 1e-4);
        close(world[two].velocity().y, (ratio * tension / m2 - G) * t, 1e-4);
        close(world.joint_coordinate(joint, 0).unwrap(), 2.0 + 2.0 * ratio, 1e-4);
    }
}

/// A weight on a vertical rail, carried in different ways.
fn carried(direct: Direct, axis: Axis) -> (World, JointId, BodyId) {
    let mut world = world_by(direct, GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::ZERO, 2.0)).unwrap();
    let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y);
    let joint = world.add_joint(&def.with_axis(axis)).unwrap();
    (world, joint, body)
}

#[test]
fn who_carries_the_weight() {
    let load = 2.0 * G;
    let softness = Softness::Stiffness { stiffness: 400.0, damping: 60.0 };
    let force = ForceRange::default();
    let servo = Motor::Position { target: 0.1.into(), softness, force };
    let cases: [(Axis, [f64; 4], f64); 6] = [
        (Axis::driven(Motor::at(0.0)), [load, 0.0, 0.0, 0.0], 0.0),
        (Axis::driven(servo), [load, 0.0, 0.0, 0.0], 0.1 - load / 400.0),
        (Axis::held(0.0), [0.0, load, 0.0, 0.0], 0.0),
        (Axis::limited(0.0, 1.0), [0.0, load, 0.0, 0.0], 0.0),
        (Axis::sprung(0.0, softness), [0.0, 0.0, load, 0.0], -load / 400.0),
        (Axis { friction: Some(2.0 * load), ..Axis::default() }, [0.0, 0.0, 0.0, load], 0.0),
    ];
    for (direct, (axis, expected, at)) in
        cases.into_iter().flat_map(|case| WAYS.map(|way| (way, case.clone())))
    {
        let (mut world, joint, body) = carried(direct, axis);
        for _ in 0..120 {
            world.step(H).unwrap();
        }
        let found = world.joint_axis_force(joint, 0).unwrap();
        let each = [found.motor, found.limit, found.spring, found.friction];
        for (found, expected) in each.into_iter().zip(expected) {
            close(found, expected, 0.02);
        }
        close(found.total(), load, 0.02);
        close(world[body].position().y, at, 1e-4);
        close(world.joint_impulses(joint).unwrap()[2], load * H, 1e-3);
        let (force, _) = world.joint_force(joint).unwrap();
        close(force.y, load, 0.02);
    }
}

/// F v: what lifts puts in m g v, what brakes takes out f v, what holds does nothing.
#[test]
fn power() {
    let load = 2.0 * G;
    for direct in WAYS {
        let brake = Axis { friction: Some(0.4 * load), ..Axis::default() };
        let (mut lift, lifts, _) = carried(direct, Axis::driven(Motor::at(0.5)));
        let (mut brake, brakes, _) = carried(direct, brake);
        let (mut hold, holds, _) = carried(direct, Axis::held(0.0));
        for step in 1..=30 {
            for world in [&mut lift, &mut brake, &mut hold] {
                world.step(H).unwrap();
            }
            if step > 1 {
                close(lift.joint_power(lifts).unwrap(), 0.5 * load, 1e-2);
            }
            let falls = 0.6 * G * f64::from(step) * H;
            close(brake.joint_power(brakes).unwrap(), -0.4 * load * falls, 1e-2);
            close(hold.joint_power(holds).unwrap(), 0.0, 1e-4);
        }
        // The weight's energy grows by as much.
        let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
        let before = energy(&lift);
        lift.step(H).unwrap();
        close((energy(&lift) - before) / H, 0.5 * load, 1e-2);
    }
}

/// What a driven row does by itself is not in the power, what it makes the bodies do is.
#[test]
fn the_power_of_a_driven_joint() {
    let program = Program::parse(
        "body a, b
         constraint { b.position.x - a.position.x, b.rotation - a.rotation,
                      b.position.y - a.position.y - 0.5 * time }",
    );
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::ZERO, 2.0)).unwrap();
    let joint = TextJoint::new(&program.unwrap()).joint(&[("a", ground), ("b", body)]).unwrap();
    let joint = world.add_joint(&joint).unwrap();
    for _ in 0..30 {
        world.step(H).unwrap();
    }
    close(world[body].position().y, 0.25, 1e-4);
    close(world.joint_power(joint).unwrap(), 0.5 * 2.0 * G, 1e-2);
}

#[test]
fn a_rope_goes_slack_and_taut_again() {
    let program = "body a, b  scalar longest = 2
                   constraint |b.position - a.position|  limit constraint 0 longest";
    let program = Program::parse(program).unwrap();
    for text in [false, true] {
        let mut world = world(GRAVITY, 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&weight(Vec2::new(0.0, -2.0), 1.0)).unwrap();
        let def = match text {
            false => JointDef::rope(ground, body, [Vec2::ZERO; 2], 2.0),
            true => TextJoint::new(&program).joint(&[("a", ground), ("b", body)]).unwrap(),
        };
        let rope = world.add_joint(&def).unwrap();
        world.step(H).unwrap();
        assert_eq!(world.joint_is_slack(rope), Some(false));
        // Thrown up, it is slack until it falls back, 2 v/g later.
        world.set_velocity(body, Vec2::new(0.0, 3.0)).unwrap();
        let mut slack = 0;
        let mut events = Vec::new();
        for step in 0..60 {
            world.step(H).unwrap();
            slack += usize::from(world.joint_is_slack(rope).unwrap());
            for event in &world.report().events {
                events.push((step, *event));
            }
        }
        close(slack as f64 * H, 2.0 * 3.0 / G, 1.01 * H);
        assert_eq!(world.joint_is_slack(rope), Some(false));
        close(world[body].position().y, -2.0, 1e-4);
        if !text {
            assert_eq!(events[0], (0, Event::Slack(rope)));
            assert_eq!(events[1], (slack, Event::Taut(rope)));
            assert_eq!(events.len(), 2, "{events:?}");
        }
    }
}

#[test]
fn a_joint_that_holds_is_never_slack() {
    let (mut world, joint, _) = carried(Direct::Auto, Axis::default());
    world.step(H).unwrap();
    assert_eq!(world.joint_is_slack(joint), Some(false));
    // A band that only pulls is slack while it is short.
    let mut scene = super::world(Vec2::ZERO, 4);
    let ground = scene.ground().unwrap();
    let body = scene.add_body(&weight(Vec2::new(1.0, 0.0), 1.0)).unwrap();
    let softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.1 };
    for (rest, slack) in [(1.5, true), (0.5, false)] {
        let def = JointDef::tension_spring(ground, body, [Vec2::ZERO; 2], rest, softness);
        let mut world = scene.clone();
        let joint = world.add_joint(&def).unwrap();
        world.step(H).unwrap();
        assert_eq!(world.joint_is_slack(joint), Some(slack));
    }
}

/// Every axis tells when it comes against a stop and when it leaves it, once.
#[test]
fn stops_are_told_when_they_are_reached_and_left() {
    for (sign, upper) in [(1.0, true), (-1.0, false)] {
        for mut rig in rigs(&Axis::limited(2.6, 3.4), 3.0, 4) {
            let (joint, axis) = (rig.joint, rig.axis);
            let mut told = Vec::new();
            rig.set_speed(1.5 * sign);
            for step in 0..60 {
                // Against the stop, then away from it.
                let push = if step < 40 { sign } else { -0.5 * sign };
                rig.push(push * rig.mass);
                rig.step(1);
                told.extend(rig.world.report().events.iter().map(|event| (step, *event)));
            }
            let rope = upper && ["distance", "pulley"].contains(&rig.name);
            let events = match rope {
                true => [Event::Taut(joint), Event::Slack(joint)],
                false => [
                    Event::LimitReached { joint, axis, upper },
                    Event::LimitLeft { joint, axis, upper },
                ],
            };
            // 0.4 at 1.5 and growing takes a quarter of a second.
            assert!((13..=16).contains(&told[0].0), "{}: {told:?}", rig.name);
            assert_eq!(told, [(told[0].0, events[0]), (40, events[1])], "{}", rig.name);
        }
    }
}

/// What a stop gives back is an impulse of the step like any other.
#[test]
fn a_rebound_is_in_the_impulses() {
    let limit = Limit { restitution: 0.8, ..Limit::new(2.6, 3.4) };
    for mut rig in rigs(&Axis { limit: Some(limit), ..Axis::default() }, 3.0, 4) {
        rig.set_speed(1.5);
        let row = rig.world.joint(rig.joint).unwrap().kind().hold_count() + rig.axis;
        for _ in 0..30 {
            let before = rig.speed();
            rig.step(1);
            let impulse = rig.world.joint_impulses(rig.joint).unwrap()[row];
            rig.near("m Δv", impulse, rig.mass * (rig.speed() - before), 1e-4);
        }
    }
}

/// Over a step in which nothing else acts, each body's momentum changes by the joint's force on it.
#[test]
fn forces_are_what_changes_the_momentum_of_each_body() {
    let softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.2 };
    let mut scene = world(Vec2::ZERO, 1);
    let ids = scattered(&mut scene);
    let [a, b, c, d] = ids;
    let anchors = [Vec2::new(0.4, 0.1), Vec2::new(-0.2, 0.5)];
    let pulley =
        JointKind::Pulley { anchors: [anchors[0], anchors[1], Vec2::X, Vec2::Y], ratio: 1.5 };
    let spring = Axis::sprung(0.5, softness);
    // Springs are solved once, at the pose that a step starts from; a short step keeps to it.
    let dt = 1e-4;
    for def in [
        JointDef::weld(a, b, anchors, 0.3).with_softness(softness),
        JointDef::revolute(a, b, anchors).with_softness(softness),
        JointDef::prismatic(a, b, anchors, Vec2::X).with_softness(softness),
        JointDef::slot(a, b, anchors, Vec2::X).with_axis(spring.clone()).with_softness(softness),
        JointDef::spring(a, b, anchors, 0.5, softness),
        JointDef::angular_spring(a, b, 0.5, softness),
        JointDef::over(pulley.clone(), vec![a, b, c, d]).with_axis(spring.clone()),
        JointDef::over(pulley, vec![a, b, c, a]).with_axis(spring),
    ] {
        let name = def.kind.name().to_owned();
        let mut world = scene.clone();
        let joint = world.add_joint(&def).unwrap();
        let before = ids.map(|id| (world[id].velocity(), world[id].angular_velocity()));
        world.step(dt).unwrap();
        let forces = world.joint_forces(joint).unwrap();
        let mut sums = [(Vec2::ZERO, 0.0); 4];
        for (id, force) in def.bodies.iter().zip(&forces) {
            let at = ids.iter().position(|each| each == id).unwrap();
            sums[at].0 += force.force * dt;
            sums[at].1 += force.torque * dt;
        }
        for k in 0..4 {
            let MassProperties { mass, inertia, .. } = world[ids[k]].mass_properties();
            let moved = (world[ids[k]].velocity() - before[k].0) * mass;
            let turned = (world[ids[k]].angular_velocity() - before[k].1) * inertia;
            let far = (moved - sums[k].0).length() + (turned - sums[k].1).abs();
            assert!(far < 2e-6, "{name}, body {k}: {far:e}");
        }
        let all = forces.iter().fold(Vec2::ZERO, |sum, each| sum + each.force);
        assert!(all.length() < 1e-9, "{name}: {all:?}");
    }
}

#[test]
fn a_disabled_joint_can_be_read_and_does_nothing() {
    let (mut world, joint, body) = carried(Direct::Auto, Axis::held(0.0));
    world.step(H).unwrap();
    world.edit_joint(joint, |def| def.enabled = false).unwrap();
    for _ in 0..30 {
        world.step(H).unwrap();
    }
    let fallen = world[body].position().y;
    assert!(fallen < -1.0);
    close(world.joint_coordinate(joint, 0).unwrap(), fallen, 1e-9);
    assert_eq!(world.joint_impulses(joint).unwrap(), [0.0; 3]);
    assert_eq!(world.joint_power(joint), Some(0.0));
    assert_eq!(world.report().counts.joints, 0);
}

fn left_out(world: &World) -> Vec<JointId> {
    let events = world.report().events.iter();
    events
        .filter_map(|event| if let Event::LeftOut(id) = event { Some(*id) } else { None })
        .collect()
}

/// Two weights on a joint that cannot hold for some time.
fn faltering(direct: Direct, def: impl Fn(BodyId, BodyId) -> JointDef) {
    let mut world = world_by(direct, GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::ZERO, 1.0)).unwrap();
    let other = world.add_body(&weight(Vec2::new(3.0, 0.0), 1.0)).unwrap();
    let joint = world.add_joint(&def(ground, body)).unwrap();
    let pin = JointDef::revolute(ground, other, [Vec2::new(3.0, 0.0), Vec2::ZERO]);
    world.add_joint(&pin).unwrap();
    let mut told = Vec::new();
    for step in 1..=90 {
        world.step(H).unwrap();
        for id in left_out(&world) {
            assert_eq!(id, joint);
            told.push(step);
        }
        assert!(world[body].position().is_finite() && world[body].velocity().is_finite());
        close(world[other].position().y, 0.0, 1e-5);
        if step == 29 {
            close(world[body].position().y, 0.0, 1e-5);
        }
        if step == 59 {
            // It has fallen for half a second.
            assert!(world[body].position().y < -1.0, "{}", world[body].position().y);
            assert!(world.joint_impulses(joint).unwrap().iter().all(|each| *each == 0.0));
        }
    }
    // Told once, and back since.
    assert_eq!(told.len(), 1, "{told:?}");
    assert!((30..=31).contains(&told[0]), "{told:?}");
    close(world[body].position().y, 0.0, 1e-3);
}

#[test]
fn a_joint_from_text_whose_limit_fails_is_left_out() {
    let program = Program::parse(
        "body a, b
         constraint b.position - a.position
         limit |time - 0.75| 0.2501 inf",
    )
    .unwrap();
    for direct in WAYS {
        faltering(direct, |a, b| TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap());
    }
}

/// Gives no number from 0.5 s to 1 s.
#[derive(Clone, Debug)]
struct Faltering;

impl Constraint for Faltering {
    fn name(&self) -> &str {
        "faltering"
    }

    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        let t = time - S::constant(0.75);
        let nothing = (t * t - S::constant(0.2501 * 0.2501)).sqrt() * S::constant(0.0);
        let gap = bodies[1].position - bodies[0].position;
        [out[0], out[1]] = [gap.x + nothing, gap.y + nothing];
    }
}

#[test]
fn a_user_joint_that_gives_no_number_is_left_out() {
    for direct in WAYS {
        faltering(direct, |a, b| UserJoint::new(Faltering).joint(&[a, b]));
    }
}
