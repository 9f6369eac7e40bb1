//! When joints break: above a force, a torque or an error, behind a filter; and what follows.

use super::springs::{WAYS, world_by};
use super::{H, close, world};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Break, Cause, Constraint, Counts, Direct, Event, JointDef, JointId,
    Limit, Mass, MassProperties, OnBreak, Pose, Real, Softness, TextJoint, UserJoint, Vec2, World,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const G: f64 = 9.81;
const MASS: f64 = 3.0;
const WEIGHT: f64 = MASS * G;

fn weight(position: Vec2) -> BodyDef {
    let mass = MassProperties { mass: MASS, center: Vec2::ZERO, inertia: 1.2 };
    BodyDef { position, mass: Mass::Given(mass), can_sleep: false, ..BodyDef::dynamic() }
}

/// Holds B's origin on A's, and counts how often it broke.
#[derive(Clone, Debug)]
struct Hook {
    broken: Arc<AtomicUsize>,
}

impl Constraint for Hook {
    fn name(&self) -> &str {
        "hook"
    }

    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].position - bodies[0].position;
        [out[0], out[1]] = [gap.x, gap.y];
    }

    fn broken(&mut self) {
        self.broken.fetch_add(1, Ordering::Relaxed);
    }
}

/// Every kind of joint with a weight hanging on it, solved in either way.
fn hanging() -> Vec<(&'static str, World, JointId, BodyId)> {
    type Make = fn(&mut World, BodyId, BodyId) -> JointDef;
    const TOP: Vec2 = Vec2::new(0.0, 2.0);
    const PINS: [Vec2; 2] = [Vec2::ZERO, TOP];
    let kinds: [(&'static str, Make); 10] = [
        ("weld", |_, a, b| JointDef::weld(a, b, PINS, 0.0)),
        ("revolute", |_, a, b| JointDef::revolute(a, b, PINS)),
        ("prismatic", |_, a, b| JointDef::prismatic(a, b, PINS, Vec2::X)),
        ("slot", |_, a, b| JointDef::slot(a, b, PINS, Vec2::X)),
        ("rod", |_, a, b| JointDef::rod(a, b, [Vec2::ZERO, Vec2::ZERO], 2.0)),
        ("rope", |_, a, b| JointDef::rope(a, b, [Vec2::ZERO, Vec2::ZERO], 2.0)),
        ("stop", |_, a, b| {
            let def = JointDef::prismatic(a, b, [Vec2::ZERO, Vec2::ZERO], Vec2::Y);
            def.with_limit(-2.0, 5.0)
        }),
        ("pulley", |world, a, b| {
            // An equal weight on the other side.
            let other = world.add_body(&weight(Vec2::new(4.0, -2.0))).unwrap();
            let anchors = [Vec2::new(4.0, 0.0), Vec2::ZERO, Vec2::ZERO, Vec2::ZERO];
            JointDef::pulley([a, other, a, b], anchors, 1.0, 4.0)
        }),
        ("text", |_, a, b| {
            let program = Program::parse(
                "body a, b  scalar length = 2
                 constraint |b.position - a.position|  limit constraint 0 length",
            );
            TextJoint::new(&program.unwrap()).joint(&[("a", a), ("b", b)]).unwrap()
        }),
        ("user", |world, a, b| {
            world.set_position(b, Vec2::ZERO).unwrap();
            UserJoint::new(Hook { broken: Arc::default() }).joint(&[a, b])
        }),
    ];
    let hang = |direct: Direct, (name, make): (&'static str, Make)| {
        let mut world = world_by(direct, Vec2::new(0.0, -G), 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&weight(Vec2::new(0.0, -2.0))).unwrap();
        let def = make(&mut world, ground, body);
        let joint = world.add_joint(&def).unwrap();
        (name, world, joint, body)
    };
    WAYS.into_iter().flat_map(|direct| kinds.map(|kind| hang(direct, kind))).collect()
}

/// What broke in the last step.
fn broke(world: &World) -> Option<(JointId, Cause)> {
    world.report().events.iter().find_map(|event| match event {
        Event::Broke { joint, cause } => Some((*joint, *cause)),
        _ => None,
    })
}

fn set_break(world: &mut World, joint: JointId, breaking: Break) {
    world.edit_joint(joint, |def| def.breaking = Some(breaking)).unwrap();
}

#[test]
fn every_joint_breaks_above_its_force_and_not_below() {
    for (name, mut world, joint, body) in hanging() {
        let mut firm = world.clone();
        set_break(&mut firm, joint, Break::at_force(1.02 * WEIGHT));
        for _ in 0..60 {
            firm.step(H).unwrap();
            assert!(broke(&firm).is_none(), "{name} broke by less than its force");
        }
        set_break(&mut world, joint, Break::at_force(0.98 * WEIGHT));
        world.step(H).unwrap();
        let Some((id, Cause::Force(force))) = broke(&world) else { panic!("{name} holds") };
        assert_eq!(id, joint);
        assert!((force - WEIGHT).abs() < 0.01 * WEIGHT, "{name}: {force}");
        assert!(world.joint(joint).is_none(), "{name} was removed");
        // From now on the weight falls freely.
        let before = world[body].velocity().y;
        for _ in 0..30 {
            world.step(H).unwrap();
        }
        close(world[body].velocity().y, before - G * 30.0 * H, 1e-4);
    }
}

/// A beam: the weight has an arm.
fn beams() -> Vec<(&'static str, World, JointId)> {
    type Make = fn(BodyId, BodyId) -> JointDef;
    const PINS: [Vec2; 2] = [Vec2::ZERO, Vec2::new(-1.5, 0.0)];
    let kinds: [(&'static str, Make); 3] = [
        ("weld", |a, b| JointDef::weld(a, b, PINS, 0.0)),
        ("prismatic", |a, b| JointDef::prismatic(a, b, PINS, Vec2::X)),
        ("revolute", |a, b| JointDef::revolute(a, b, PINS).with_axis(Axis::held(0.0))),
    ];
    let build = |direct: Direct, (name, make): (&'static str, Make)| {
        let mut world = world_by(direct, Vec2::new(0.0, -G), 4);
        let ground = world.ground().unwrap();
        let body = world.add_body(&weight(Vec2::new(1.5, 0.0))).unwrap();
        let joint = world.add_joint(&make(ground, body)).unwrap();
        (name, world, joint)
    };
    WAYS.into_iter().flat_map(|direct| kinds.map(|kind| build(direct, kind))).collect()
}

/// The torque about the anchor is m g l.
#[test]
fn a_beam_breaks_above_its_torque_and_not_below() {
    for (name, mut world, joint) in beams() {
        let mut firm = world.clone();
        set_break(&mut firm, joint, Break::at_torque(1.02 * 1.5 * WEIGHT));
        for _ in 0..60 {
            firm.step(H).unwrap();
            assert!(broke(&firm).is_none(), "{name} broke by less than its torque");
        }
        set_break(&mut world, joint, Break::at_torque(0.98 * 1.5 * WEIGHT));
        world.step(H).unwrap();
        let Some((_, Cause::Torque(torque))) = broke(&world) else { panic!("{name} holds") };
        assert!((torque - 1.5 * WEIGHT).abs() < 0.01 * 1.5 * WEIGHT, "{name}: {torque}");
    }
}

/// A hold that yields as a spring, let go: the error follows implicit Euler, and the joint breaks in
/// the step in which it passes the limit.
#[test]
fn a_joint_breaks_above_its_error() {
    let omega = std::f64::consts::TAU * 1.5;
    for limit in [0.05, 0.1, 0.15] {
        for (name, mut world, joint, _) in hanging() {
            let rows = world.joint(joint).unwrap().kind().hold_count();
            if rows == 0 || name == "stop" || name == "text" {
                continue;
            }
            let softness = Softness::Hertz { hertz: 1.5, damping_ratio: 0.1 };
            world.edit_joint(joint, |def| def.softness = softness).unwrap();
            set_break(&mut world, joint, Break::at_error(limit));
            let (mut q, mut v, h): (f64, f64, f64) = (0.0, 0.0, H / 4.0);
            loop {
                world.step(H).unwrap();
                for _ in 0..4 {
                    let (k, c) = (omega * omega, 0.2 * omega);
                    v = (v + h * G - h * k * q) / (1.0 + h * c + h * h * k);
                    q += h * v;
                }
                // The cross-coupling of a block that holds beside the centre is none here.
                let Some((_, cause)) = broke(&world) else {
                    assert!(q < limit + 1e-4, "{name} holds at {q}");
                    continue;
                };
                assert!(q > limit - 1e-4, "{name} broke at {q}");
                let Cause::Error(error) = cause else { panic!("{name}: {cause:?}") };
                close(error, q, 1e-4);
                break;
            }
        }
    }
}

/// An error is also how far an axis is past its limit.
#[test]
fn a_stop_that_yields_breaks_above_its_error() {
    let mut world = world(Vec2::new(0.0, -G), 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::ZERO)).unwrap();
    let softness = Softness::Hertz { hertz: 1.5, damping_ratio: 1.0 };
    let limit = Limit { softness, ..Limit::new(0.0, 1.0) };
    let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::Y)
        .with_axis(Axis { limit: Some(limit), ..Axis::default() })
        .with_break(Break { then: OnBreak::Event, ..Break::at_error(0.08) });
    let joint = world.add_joint(&def).unwrap();
    // At rest it is in by g/ω², 0.11 m.
    let mut found = None;
    for _ in 0..120 {
        world.step(H).unwrap();
        found = found.or(broke(&world));
    }
    let Some((_, Cause::Error(error))) = found else { panic!("it holds") };
    assert!((0.08..0.1).contains(&error), "{error}");
    let omega = std::f64::consts::TAU * 1.5;
    let (separation, angle) = world.joint_separation(joint).unwrap();
    close(separation, G / (omega * omega), 1e-4);
    close(angle, 0.0, 1e-6);
}

/// Behind a low-pass filter of time constant T a load F shows as F (1 − e^(−t/T)).
#[test]
fn a_filter_delays_the_break() {
    for filter in [0.1, 0.5] {
        let (_, mut world, joint, _) = hanging().swap_remove(1);
        let breaking = Break { filter, ..Break::at_force(0.8 * WEIGHT) };
        set_break(&mut world, joint, breaking);
        // 1 − e^(−t/T) = 0.8
        let steps = (-(0.2_f64.ln()) * filter / H).ceil() as usize;
        for step in 1..=steps {
            world.step(H).unwrap();
            assert_eq!(broke(&world).is_some(), step == steps, "step {step} of {steps}");
        }
        let Some((_, Cause::Force(force))) = broke(&world) else { panic!("it holds") };
        let passed = 1.0 - (-(steps as f64) * H / filter).exp();
        close(force, passed * WEIGHT, 1e-2);
    }
}

/// What counts is the impulse of the whole step: however many sub-steps there are, a blow of
/// J breaks at J/dt.
#[test]
fn a_blow_counts_over_the_whole_step() {
    for substeps in [1, 4, 16] {
        let mut world = world(Vec2::ZERO, substeps);
        let ground = world.ground().unwrap();
        let body = world.add_body(&weight(Vec2::ZERO)).unwrap();
        let def = JointDef::weld(ground, body, [Vec2::ZERO; 2], 0.0);
        let joint = world.add_joint(&def.with_break(Break::at_force(100.0))).unwrap();
        world.apply_impulse(body, Vec2::new(1.6, 0.0), Vec2::ZERO).unwrap();
        world.step(H).unwrap();
        assert!(broke(&world).is_none(), "96 N");
        world.apply_impulse(body, Vec2::new(0.0, 1.75), Vec2::ZERO).unwrap();
        world.step(H).unwrap();
        let Some((id, Cause::Force(force))) = broke(&world) else { panic!("105 N") };
        assert_eq!(id, joint);
        close(force, 105.0, 0.1);
    }
}

#[test]
fn what_happens_then_is_a_setting() {
    // An event only: once when it is passed, and again after it was below.
    let (_, mut world, joint, body) = hanging().swap_remove(0);
    let over = Break { then: OnBreak::Event, ..Break::at_force(1.2 * WEIGHT) };
    set_break(&mut world, joint, over);
    let mut broken = Vec::new();
    for step in 0..90 {
        if step % 30 >= 15 {
            world.apply_central_force(body, Vec2::new(0.0, -0.5 * WEIGHT)).unwrap();
        }
        world.step(H).unwrap();
        if broke(&world).is_some() {
            broken.push(step);
        }
    }
    assert_eq!(broken, [15, 45, 75]);
    assert!(world.joint(joint).unwrap().is_enabled());

    // Disabled: still there, and can be enabled again.
    let (_, mut world, joint, body) = hanging().swap_remove(0);
    set_break(&mut world, joint, Break { then: OnBreak::Disable, ..Break::at_force(0.9 * WEIGHT) });
    world.step(H).unwrap();
    assert!(broke(&world).is_some() && !world.joint(joint).unwrap().is_enabled());
    for _ in 0..10 {
        world.step(H).unwrap();
        assert!(broke(&world).is_none());
    }
    close(world[body].velocity().y, -G * 10.0 * H, 1e-3);
    assert_eq!(world.joint_impulses(joint).unwrap(), [0.0; 3]);
    let enable = |def: &mut JointDef| {
        def.enabled = true;
        def.breaking = None;
    };
    world.edit_joint(joint, enable).unwrap();
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    close(world[body].position().y, -2.0, 1e-4);

    // Removed: its handle is stale.
    let (_, mut world, joint, _) = hanging().swap_remove(0);
    set_break(&mut world, joint, Break::at_force(0.9 * WEIGHT));
    world.step(H).unwrap();
    assert!(broke(&world).is_some() && world.joint(joint).is_none());
    assert!(world.edit_joint(joint, |_| {}).is_err());
}

#[test]
fn a_user_joint_is_told_that_it_broke() {
    let broken = Arc::new(AtomicUsize::new(0));
    let mut world = world(Vec2::new(0.0, -G), 4);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::ZERO)).unwrap();
    let hook = UserJoint::new(Hook { broken: Arc::clone(&broken) });
    let def = hook.joint(&[ground, body]);
    let then = OnBreak::Disable;
    let def = def.with_break(Break { then, ..Break::at_force(0.9 * WEIGHT) });
    world.add_joint(&def).unwrap();
    for _ in 0..10 {
        world.step(H).unwrap();
    }
    assert_eq!(broken.load(Ordering::Relaxed), 1);
}

/// A hold that gives way at its largest force never reaches a break above it.
#[test]
fn the_largest_force_protects_from_breaking() {
    let (_, mut world, joint, _) = hanging().swap_remove(0);
    world.edit_joint(joint, |def| def.max_force = 0.7 * WEIGHT).unwrap();
    set_break(&mut world, joint, Break::at_force(0.75 * WEIGHT));
    for _ in 0..60 {
        world.step(H).unwrap();
        assert!(broke(&world).is_none());
    }
    let (force, _) = world.joint_force(joint).unwrap();
    close(force.y, 0.7 * WEIGHT, 1e-3);
}

/// Two ropes carry half of a weight each. When one is cut the weight begins to turn about the other,
/// whose force is then g / (1/m + l²/I).
#[test]
fn when_one_rope_is_cut_the_other_breaks() {
    let mut world = world(Vec2::new(0.0, -G), 8);
    let ground = world.ground().unwrap();
    let body = world.add_body(&weight(Vec2::new(0.0, -2.0))).unwrap();
    let alone = G / (1.0 / MASS + 0.5 * 0.5 / 1.2);
    let rope = |x: f64| {
        let anchors = [Vec2::new(x, 0.0), Vec2::new(x, 0.0)];
        let breaking = Break::at_force(0.5 * (0.5 * WEIGHT + alone));
        JointDef::rope(ground, body, anchors, 2.0).with_break(breaking)
    };
    let [left, right] = [-0.5, 0.5].map(|x| world.add_joint(&rope(x)).unwrap());
    for _ in 0..60 {
        world.step(H).unwrap();
        assert!(broke(&world).is_none());
    }
    for joint in [left, right] {
        let (force, _) = world.joint_force(joint).unwrap();
        close(force.y, 0.5 * WEIGHT, 0.02 * WEIGHT);
    }
    world.remove_joint(left).unwrap();
    world.step(H).unwrap();
    let Some((id, Cause::Force(force))) = broke(&world) else { panic!("it holds") };
    assert_eq!(id, right);
    close(force, alone, 0.02 * WEIGHT);
}

/// An event tells when the force passes the threshold, either way.
#[test]
fn a_threshold_is_told_either_way() {
    for (name, mut world, joint, body) in hanging() {
        if name == "pulley" {
            continue;
        }
        world.edit_joint(joint, |def| def.threshold = Some(1.25 * WEIGHT)).unwrap();
        let mut told = Vec::new();
        for step in 0..40 {
            if (10..20).contains(&step) {
                world.apply_central_force(body, Vec2::new(0.0, -0.5 * WEIGHT)).unwrap();
            }
            world.step(H).unwrap();
            for event in &world.report().events {
                if let Event::Threshold { joint: id, force, above } = event {
                    assert_eq!(*id, joint);
                    assert_eq!(*above, *force > 1.25 * WEIGHT);
                    told.push((step, *above));
                }
            }
        }
        assert_eq!(told, [(10, true), (20, false)], "{name}");
        assert!(world.joint(joint).is_some());
    }
}
