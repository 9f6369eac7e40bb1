//! Bodies at rest: which sleep together, what keeps them awake, what wakes them.

use super::springs::{WAYS, world_by};
use super::{H, block, close, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, BodyKind, Error, Event, ForceLaw, JointDef, JointId, Locked,
    MassProperties, Motor, Settings, Shape, Softness, Target, TextJoint, Vec2, World,
};

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

/// Two boxes that hang under each other on pins.
fn chain(world: &mut World, x: f64) -> ([BodyId; 2], [JointId; 2]) {
    let ground = world.ground().unwrap();
    let upper = world.add_body(&block(Vec2::new(x, -1.0))).unwrap();
    let lower = world.add_body(&block(Vec2::new(x, -3.0))).unwrap();
    let pin = |a: BodyId, b: BodyId, y: f64| world.revolute_at(a, b, Vec2::new(x, y)).unwrap();
    let defs = [pin(ground, upper, 0.0), pin(upper, lower, -2.0)];
    let joints = defs.map(|def| world.add_joint(&def).unwrap());
    ([upper, lower], joints)
}

fn step(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(H).unwrap();
    }
}

fn asleep(world: &World, ids: &[BodyId]) -> Vec<bool> {
    ids.iter().map(|id| world[*id].is_asleep()).collect()
}

/// Everything of a body, to the bit.
fn bits(world: &World) -> Vec<[u64; 6]> {
    let each = world.bodies().map(|(_, body)| {
        let (p, v) = (body.position(), body.velocity());
        [p.x, p.y, body.rotation(), v.x, v.y, body.angular_velocity()].map(f64::to_bits)
    });
    each.collect()
}

#[test]
fn an_island_sleeps_together() {
    for direct in WAYS {
        let mut world = world_by(direct, GRAVITY, 4);
        let (ids, _) = chain(&mut world, 0.0);
        let mut slept = Vec::new();
        for step in 1..=120 {
            world.step(H).unwrap();
            for event in &world.report().events {
                if let Event::Slept(id) = event {
                    slept.push((step, *id));
                }
            }
            assert!(world[ids[0]].is_asleep() == world[ids[1]].is_asleep());
        }
        assert_eq!(slept.len(), 2, "{slept:?}");
        assert_eq!(slept[0].0, slept[1].0, "in the same step");
        assert_eq!(world.report().counts.asleep, 2);
        assert_eq!(world.report().counts.moved, 0);
        for id in ids {
            assert_eq!(world[id].velocity(), Vec2::ZERO);
            assert_eq!(world[id].angular_velocity(), 0.0);
        }
    }
}

/// At rest from the start, it takes as long as the settings say, whatever the length of a step.
#[test]
fn sleep_comes_after_its_time() {
    for (dt, sleep_time) in [(H, 0.5), (H, 1.0), (1.0 / 30.0, 0.5), (1.0 / 240.0, 0.25)] {
        let settings = Settings { sleep_time, gravity: Vec2::ZERO, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let id = world.add_body(&block(Vec2::ZERO)).unwrap();
        let mut steps = 0;
        while !world[id].is_asleep() {
            world.step(dt).unwrap();
            steps += 1;
        }
        close(f64::from(steps) * dt, sleep_time, 1.001 * dt);
    }
    // One long step shows no rest: at least four.
    let mut world = world(Vec2::ZERO, 4);
    let id = world.add_body(&block(Vec2::ZERO)).unwrap();
    for step in 1..=4 {
        world.step(10.0).unwrap();
        assert_eq!(world[id].is_asleep(), step == 4);
    }
}

#[test]
fn one_that_moves_keeps_all_awake() {
    let mut world = world(Vec2::ZERO, 4);
    let ids: Vec<BodyId> = (0..5)
        .map(|k| world.add_body(&block(Vec2::new(3.0 * f64::from(k), 0.0))).unwrap())
        .collect();
    // The first three are one island, by angles that are free; the last two another.
    for pair in [[0, 1], [1, 2], [3, 4]] {
        let [a, b] = pair.map(|k| ids[k]);
        let softness = Softness::Stiffness { stiffness: 0.0, damping: 0.0 };
        world.add_joint(&JointDef::angular_spring(a, b, 0.0, softness)).unwrap();
    }
    world.set_angular_velocity(ids[0], 0.1).unwrap();
    step(&mut world, 120);
    assert_eq!(asleep(&world, &ids), [false, false, false, true, true]);
    // Slow is not at rest, as long as it goes on.
    world.set_angular_velocity(ids[0], 0.019).unwrap();
    step(&mut world, 40);
    assert_eq!(asleep(&world, &ids), [false, false, false, true, true]);
    // Too little for half a second to show is at rest.
    world.set_angular_velocity(ids[0], 3e-5).unwrap();
    step(&mut world, 40);
    assert_eq!(asleep(&world, &ids), [true; 5]);
    assert_eq!(world[ids[0]].angular_velocity(), 0.0);
}

/// Two chains on the same ground, and two on the same kinematic body, are islands of their own.
#[test]
fn what_nothing_moves_does_not_connect() {
    let mut world = world(GRAVITY, 4);
    let (left, _) = chain(&mut world, 0.0);
    let (right, _) = chain(&mut world, 5.0);
    world.set_angular_velocity(right[1], 2.0).unwrap();
    step(&mut world, 120);
    assert_eq!(asleep(&world, &left), [true; 2]);
    assert_eq!(asleep(&world, &right), [false; 2]);
    assert!(world.report().counts.islands >= 2);
    // Waking one leaves the other.
    let mut world = super::world(GRAVITY, 4);
    let (left, _) = chain(&mut world, 0.0);
    let (right, _) = chain(&mut world, 5.0);
    step(&mut world, 120);
    world.wake(left[0]).unwrap();
    assert_eq!(asleep(&world, &left), [false; 2]);
    assert_eq!(asleep(&world, &right), [true; 2]);
}

#[test]
fn a_kinematic_body_on_its_way_keeps_awake_what_hangs_on_it() {
    let mut world = world(GRAVITY, 4);
    let carriage = world.add_body(&BodyDef::kinematic()).unwrap();
    let body = world.add_body(&block(Vec2::new(0.0, -2.0))).unwrap();
    let def = world.weld_at(carriage, body, Vec2::ZERO).unwrap();
    world.add_joint(&def).unwrap();
    // Slower than what counts as rest.
    world.set_velocity(carriage, Vec2::new(0.01, 0.0)).unwrap();
    step(&mut world, 120);
    assert!(!world[body].is_asleep());
    close(world[body].position().x, 0.02, 1e-4);
    world.set_velocity(carriage, Vec2::ZERO).unwrap();
    step(&mut world, 60);
    assert!(world[body].is_asleep());
    // Set on its way again, it wakes it.
    world.set_target(carriage, Vec2::new(1.0, 0.0), 0.0, 1.0).unwrap();
    step(&mut world, 60);
    close(world[body].position().x, 0.02 + 0.98, 1e-3);
}

#[test]
fn a_sleeping_world_stays_the_same_to_the_bit() {
    for direct in WAYS {
        let mut world = world_by(direct, GRAVITY, 4);
        let (_, joints) = chain(&mut world, 0.0);
        step(&mut world, 120);
        let (still, forces) = (bits(&world), joints.map(|id| world.joint_force(id).unwrap()));
        for _ in 0..60 {
            let report = world.step(H).unwrap();
            assert_eq!((report.counts.moved, report.counts.joints), (0, 0));
            assert_eq!(report.events, []);
            assert_eq!(bits(&world), still);
            // What they carry is still to be read.
            assert_eq!(joints.map(|id| world.joint_force(id).unwrap()), forces);
        }
        close(forces[0].0.y, 2.0 * 6.0 * 9.81, 0.1);
        close(forces[1].0.y, 6.0 * 9.81, 0.1);
    }
}

#[test]
fn every_edit_wakes() {
    type Edit = fn(&mut World, BodyId, JointId) -> Result<(), Error>;
    let edits: [(&str, Edit); 27] = [
        ("position", |w, id, _| w.set_position(id, w[id].position())),
        ("rotation", |w, id, _| w.set_rotation(id, 0.0)),
        ("velocity", |w, id, _| w.set_velocity(id, Vec2::ZERO)),
        ("angular velocity", |w, id, _| w.set_angular_velocity(id, 0.0)),
        ("kind", |w, id, _| w.set_kind(id, BodyKind::Dynamic)),
        ("mass", |w, id, _| w.set_mass_properties(id, MassProperties::default())),
        ("shapes", |w, id, _| w.set_shapes(id, vec![(Shape::circle(0.5), 1.0)])),
        ("locked", |w, id, _| w.set_locked(id, Locked::default())),
        ("enabled", |w, id, _| w.set_enabled(id, true)),
        ("gravity scale", |w, id, _| w.set_gravity_scale(id, 0.5)),
        ("damping", |w, id, _| w.set_damping(id, 0.1, 0.1)),
        ("force", |w, id, _| w.apply_force(id, Vec2::X, Vec2::ZERO)),
        ("central force", |w, id, _| w.apply_central_force(id, Vec2::X)),
        ("torque", |w, id, _| w.apply_torque(id, 1.0)),
        ("impulse", |w, id, _| w.apply_impulse(id, Vec2::X, Vec2::ZERO)),
        ("angular impulse", |w, id, _| w.apply_angular_impulse(id, 1.0)),
        ("wake", |w, id, _| w.wake(id)),
        ("a joint's softness", |w, _, joint| {
            let softness = Softness::Hertz { hertz: 5.0, damping_ratio: 1.0 };
            w.edit_joint(joint, |def| def.softness = softness)
        }),
        ("a joint's axis", |w, _, joint| {
            w.edit_joint(joint, |def| *def.axis_mut(0) = Axis::driven(Motor::at(1.0)))
        }),
        ("a joint disabled", |w, _, joint| w.edit_joint(joint, |def| def.enabled = false)),
        ("a joint removed", |w, _, joint| w.remove_joint(joint).map(|_| ())),
        ("a joint added", |w, id, _| {
            let ground = w.ground()?;
            w.add_joint(&JointDef::rope(ground, id, [Vec2::ZERO; 2], 9.0)).map(|_| ())
        }),
        ("the ground moved", |w, _, _| {
            let ground = w.ground()?;
            w.set_position(ground, Vec2::new(0.1, 0.0))
        }),
        ("the ground removed", |w, _, _| {
            let ground = w.ground()?;
            w.remove_body(ground)
        }),
        ("gravity", |w, _, _| {
            w.set_settings(Settings { gravity: Vec2::new(0.0, -1.0), ..w.settings() })
        }),
        ("sleep off", |w, _, _| w.set_settings(Settings { sleep: false, ..w.settings() })),
        ("all", |w, _, _| {
            w.wake_all();
            Ok(())
        }),
    ];
    for (direct, (name, edit)) in edits.into_iter().flat_map(|edit| WAYS.map(|way| (way, edit))) {
        let mut scene = world_by(direct, GRAVITY, 4);
        let (ids, joints) = chain(&mut scene, 0.0);
        step(&mut scene, 120);
        assert_eq!(asleep(&scene, &ids), [true; 2]);
        // Of either body: both are woken, and each is told once.
        for id in ids {
            let mut world = scene.clone();
            edit(&mut world, id, joints[0]).unwrap();
            assert_eq!(asleep(&world, &ids), [false; 2], "{name}");
            let report = world.step(H).unwrap();
            let woke = report.events.iter().filter(|event| matches!(event, Event::Woke(_)));
            assert_eq!(woke.count(), 2, "{name}: {:?}", report.events);
        }
    }
}

#[test]
fn what_is_read_or_refused_does_not_wake() {
    let mut world = world(GRAVITY, 4);
    let (ids, joints) = chain(&mut world, 0.0);
    step(&mut world, 120);
    assert!(world.set_velocity(ids[0], Vec2::new(f64::NAN, 0.0)).is_err());
    assert!(world.edit_joint(joints[0], |def| def.max_force = -1.0).is_err());
    let _ = (world.joint_force(joints[0]), world.joint_coordinate(joints[0], 0));
    assert_eq!(asleep(&world, &ids), [true; 2]);
}

#[test]
fn how_many_sleep_is_counted_after_waking_too() {
    let mut world = world(GRAVITY, 4);
    let (ids, _) = chain(&mut world, 0.0);
    step(&mut world, 120);
    assert_eq!(world.report().counts.asleep, 2);
    world.wake(ids[0]).unwrap();
    assert_eq!(world.step(H).unwrap().counts.asleep, 0);
}

/// Z01: hung up, asleep, cut loose: one event each, and it falls as if it had never slept.
#[test]
fn z01_sleep_and_waking_with_their_events() {
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&block(Vec2::new(0.0, 5.0))).unwrap();
    let def = world.weld_at(ground, body, Vec2::new(0.0, 5.0)).unwrap();
    let joint = world.add_joint(&def).unwrap();
    let mut events = Vec::new();
    for _ in 0..60 {
        events.extend(world.step(H).unwrap().events.clone());
    }
    assert_eq!(events, [Event::Slept(body)]);
    let still = bits(&world);
    step(&mut world, 60);
    assert_eq!(bits(&world), still);
    world.remove_joint(joint).unwrap();
    events.clear();
    for _ in 0..60 {
        events.extend(world.step(H).unwrap().events.clone());
    }
    assert_eq!(events, [Event::Woke(body)]);
    let fallen = 0.5 * 9.81 * (1.0 + H / 4.0);
    close(world[body].position().y, 5.0 - fallen, 1e-4);
    // Caught again, it sleeps again, after its time.
    let at = world[body].position();
    world.set_velocity(body, Vec2::ZERO).unwrap();
    world.add_joint(&world.weld_at(ground, body, at).unwrap()).unwrap();
    events.clear();
    for _ in 0..60 {
        events.extend(world.step(H).unwrap().events.clone());
    }
    assert_eq!(events, [Event::Slept(body)]);
}

/// Z03: a joint keeps both sides awake, and one that is taken away wakes what it held.
#[test]
fn z03_a_joint_keeps_both_sides_awake() {
    let mut world = world(Vec2::ZERO, 4);
    let ids = [0.0, 4.0].map(|x| world.add_body(&block(Vec2::new(x, 0.0))).unwrap());
    world.set_velocity(ids[0], Vec2::new(0.1, 0.0)).unwrap();
    let def = JointDef::rope(ids[0], ids[1], [Vec2::ZERO; 2], 100.0);
    let rope = world.add_joint(&def).unwrap();
    step(&mut world, 120);
    assert_eq!(asleep(&world, &ids), [false; 2], "even while it is slack");
    world.remove_joint(rope).unwrap();
    step(&mut world, 60);
    assert_eq!(asleep(&world, &ids), [false, true]);
    // Tied together again, the sleeper wakes.
    world.add_joint(&def).unwrap();
    assert_eq!(asleep(&world, &ids), [false; 2]);
}

#[test]
fn what_moves_by_itself_does_not_sleep() {
    let softness = Softness::Hertz { hertz: 4.0, damping_ratio: 1.0 };
    let force = kempe2d::ForceRange::default();
    let target = |source: &str| Target::expression(source).unwrap();
    // It rests for two seconds, then goes.
    let late = "0.5 * max(time - 2, 0)";
    let servo = Motor::Position { target: target(late), softness, force };
    let program = "body a, b
                   constraint b.position - a.position - [0, 1] * (0.5 * max(time - 2, 0))
                   axis turn = b.rotation";
    let driven = "body a, b  scalar rise = 0 -> 0.5 * max(time - 2, 0)
                  constraint b.position - a.position - [0, 1] * rise";
    let pins = [Vec2::ZERO; 2];
    let text = |source: &str, a: BodyId, b: BodyId| {
        let program = Program::parse(source).unwrap();
        TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap()
    };
    let law = ForceLaw::text("-50 * (q - 0.5 * max(time - 2, 0)) - 20 * speed").unwrap();
    for case in 0..4 {
        let mut world = world(Vec2::ZERO, 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&block(Vec2::ZERO)).unwrap();
        let slider = JointDef::prismatic(ground, body, pins, Vec2::Y);
        let def = match case {
            0 => slider.with_axis(Axis::driven(servo.clone())),
            1 => slider.with_axis(Axis { law: Some(law.clone()), ..Axis::default() }),
            2 => text(program, ground, body),
            _ => text(driven, ground, body),
        };
        world.add_joint(&def).unwrap();
        step(&mut world, 120);
        assert!(!world[body].is_asleep(), "case {case}");
        step(&mut world, 120);
        assert!(world[body].position().y > 0.3, "case {case}: {}", world[body].position().y);
    }
    // A target that stays does let it sleep.
    let mut world = world(Vec2::ZERO, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&block(Vec2::ZERO)).unwrap();
    let motor = Motor::Position { target: 0.0.into(), softness, force };
    let def = JointDef::prismatic(ground, body, pins, Vec2::Y).with_axis(Axis::driven(motor));
    world.add_joint(&def).unwrap();
    step(&mut world, 60);
    assert!(world[body].is_asleep());
}

#[test]
fn what_may_not_sleep_keeps_its_island_awake() {
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let watch = BodyDef { can_sleep: false, ..block(Vec2::new(0.0, -1.0)) };
    let watch = world.add_body(&watch).unwrap();
    let body = world.add_body(&block(Vec2::new(0.0, -3.0))).unwrap();
    for (a, b, y) in [(ground, watch, 0.0), (watch, body, -2.0)] {
        let def = world.revolute_at(a, b, Vec2::new(0.0, y)).unwrap();
        world.add_joint(&def).unwrap();
    }
    step(&mut world, 240);
    assert_eq!(asleep(&world, &[watch, body]), [false; 2]);
    // With sleep turned off nothing sleeps at all.
    let mut world = World::new(Settings { sleep: false, ..Settings::default() }).unwrap();
    let (ids, _) = chain(&mut world, 0.0);
    step(&mut world, 240);
    assert_eq!(asleep(&world, &ids), [false; 2]);
}

/// Asleep or not, the same joint holds: woken, the chain goes on without a jolt.
#[test]
fn waking_is_no_jolt() {
    for direct in WAYS {
        let mut world = world_by(direct, GRAVITY, 4);
        let (ids, joints) = chain(&mut world, 0.0);
        step(&mut world, 120);
        let before = joints.map(|id| world.joint_force(id).unwrap().0);
        world.wake(ids[0]).unwrap();
        step(&mut world, 1);
        for id in ids {
            assert!(world[id].velocity().length() < 1e-4, "{:?}", world[id].velocity());
        }
        for (id, before) in joints.into_iter().zip(before) {
            let now = world.joint_force(id).unwrap().0;
            assert!((now - before).length() < 0.01 * before.length(), "{now:?} {before:?}");
        }
    }
}

/// A rope that hangs taut does not become slack because what hangs on it sleeps.
#[test]
fn sleep_does_not_slacken_a_rope() {
    let mut world = world(GRAVITY, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&block(Vec2::new(0.0, -2.0))).unwrap();
    let def = JointDef::rope(ground, body, [Vec2::ZERO; 2], 2.0);
    let rope = world.add_joint(&def).unwrap();
    let mut events = Vec::new();
    for _ in 0..120 {
        events.extend(world.step(H).unwrap().events.clone());
    }
    assert!(world[body].is_asleep());
    assert_eq!(world.joint_is_slack(rope), Some(false));
    assert_eq!(events, [Event::Taut(rope), Event::Slept(body)]);
    world.wake(body).unwrap();
    assert_eq!(world.step(H).unwrap().events, [Event::Woke(body)]);
}

/// A joint that is being closed moves its bodies, although they have no velocity.
#[test]
fn a_joint_that_is_still_open_keeps_its_bodies_awake() {
    let mut world = world(Vec2::ZERO, 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&block(Vec2::new(0.4, 0.0))).unwrap();
    let softness = Softness::ErrorBias { remaining: 0.2, max_bias: f64::INFINITY };
    let def = JointDef::revolute(ground, body, [Vec2::ZERO; 2]).with_softness(softness);
    let joint = world.add_joint(&def).unwrap();
    step(&mut world, 120);
    let (gap, _) = world.joint_separation(joint).unwrap();
    close(gap, 0.4 * 0.2_f64.powi(2), 1e-4);
}
