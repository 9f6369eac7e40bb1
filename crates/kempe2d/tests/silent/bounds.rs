//! The largest force and the softness of a joint: of ropes, cables, stops, springs and motors too.

use super::{H, WAYS, close, mass, step, world};
use kempe2d::compat::chipmunk;
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyId, Error, ForceRange, JointDef, JointId, JointKind, Limit, Method, Motor, Reference,
    Softness, TextJoint, Vec2, World,
};

const O: Vec2 = Vec2::ZERO;
const GRAVITY: Vec2 = Vec2::new(0.0, -10.0);

type Make = fn(BodyId, BodyId) -> JointDef;

fn text(source: &str, a: BodyId, b: BodyId) -> JointDef {
    let program = Program::parse(source).unwrap();
    TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap()
}

/// What keeps a body from falling below −2 m.
const STOPS: [(&str, Make); 7] = [
    ("rope", |a, b| JointDef::rope(a, b, [O; 2], 2.0)),
    ("range", |a, b| JointDef::range(a, b, [O; 2], 0.5, 2.0)),
    ("tendon", |a, b| {
        let kind = JointKind::Tendon { anchors: vec![O; 2], ratios: vec![1.0] };
        JointDef::new(kind, a, b).with_limit(f64::NEG_INFINITY, 2.0)
    }),
    ("rail", |a, b| JointDef::prismatic(a, b, [O; 2], Vec2::Y).with_limit(-2.0, 3.0)),
    ("generic", |a, b| {
        let kind = JointKind::Generic { anchor_a: O, anchor_b: O, rail: Vec2::Y, angle: 0.0 };
        JointDef::new(kind, a, b).with_limit(-2.0, 3.0)
    }),
    ("constraint from text", |a, b| {
        text("body a, b  limit constraint 0 2  constraint |b.position - a.position|", a, b)
    }),
    ("axis from text", |a, b| {
        text("body a, b  axis far = |b.position - a.position|", a, b).with_limit(0.0, 2.0)
    }),
];

/// What drives a body of 1 kg up along y from −2 m, with any force.
const DRIVES: [(&str, Make); 4] = [
    ("spring", |a, b| {
        let softness = Softness::Stiffness { stiffness: 1e5, damping: 1e3 };
        JointDef::prismatic(a, b, [O; 2], Vec2::Y).with_axis(Axis::sprung(0.0, softness))
    }),
    ("motor", |a, b| {
        let motor = Motor::Velocity { speed: 50.0.into(), force: ForceRange::default() };
        JointDef::prismatic(a, b, [O; 2], Vec2::Y).with_axis(Axis::driven(motor))
    }),
    ("servo", |a, b| {
        let softness = Softness::Stiffness { stiffness: 1e5, damping: 1e3 };
        let motor = Motor::Position { target: 0.0.into(), softness, force: ForceRange::default() };
        JointDef::prismatic(a, b, [O; 2], Vec2::Y).with_axis(Axis::driven(motor))
    }),
    ("spring from text", |a, b| {
        let softness = Softness::Stiffness { stiffness: 1e5, damping: 1e3 };
        text("body a, b  axis high = b.position.y - a.position.y", a, b)
            .with_axis(Axis::sprung(0.0, softness))
    }),
];

fn hung(world: &mut World, make: Make, change: impl FnOnce(&mut JointDef)) -> (BodyId, JointId) {
    let ground = world.ground().unwrap();
    let body = world.add_body(&mass(1.0, Vec2::new(0.0, -2.0))).unwrap();
    let mut def = make(ground, body);
    change(&mut def);
    let joint = world.add_joint(&def).unwrap();
    (body, joint)
}

/// By both solvers: in lanes, as a whole, and with the θ-method.
fn runs(
    make: Make,
    seconds: f64,
    change: impl Fn(&mut JointDef),
    mut look: impl FnMut(&str, &World, BodyId),
) {
    for direct in WAYS {
        let mut world = world(direct, GRAVITY);
        let (body, _) = hung(&mut world, make, &change);
        step(&mut world, (seconds / H).round() as usize);
        look(&format!("{direct:?}"), &world, body);
    }
    let mut world = world(kempe2d::Direct::Auto, GRAVITY);
    let (body, _) = hung(&mut world, make, &change);
    let world = reference(world, seconds);
    look("reference", &world, body);
}

fn reference(mut world: World, seconds: f64) -> World {
    Reference::new(Method::Theta { k: 0.5 }).run(&mut world, seconds, 1.0 / 240.0).unwrap();
    world
}

/// 1 kg under 10 m/s² pulls with 10 N.
#[test]
fn a_stop_holds_no_more_than_the_largest_force_of_its_joint() {
    for (name, make) in STOPS {
        for (most, fallen) in [(12.0, 0.0), (6.0, 0.5 * 4.0 * 0.25)] {
            let change = |def: &mut JointDef| def.max_force = most;
            runs(make, 0.5, change, |way, world, body| {
                let y = world[body].position().y;
                assert!((y + 2.0 + fallen).abs() < 0.02, "{name}, {most} N ({way}): {y}");
            });
        }
        // The smaller of both.
        let change = |def: &mut JointDef| {
            def.max_force = 6.0;
            if let Some(limit) = def.axes.first_mut().and_then(|axis| axis.limit.as_mut()) {
                limit.force = 20.0;
            }
        };
        runs(make, 0.5, change, |way, world, body| {
            let y = world[body].position().y;
            assert!((y + 2.5).abs() < 0.02, "{name} ({way}): {y}");
        });
    }
}

#[test]
fn a_drive_has_no_more_than_the_largest_force_of_its_joint() {
    for (name, make) in DRIVES {
        // 14 N up against 10 N.
        runs(
            make,
            0.5,
            |def| def.max_force = 14.0,
            |way, world, body| {
                let y = world[body].position().y;
                assert!((y + 1.5).abs() < 0.02, "{name} ({way}): {y}");
            },
        );
    }
}

#[test]
fn the_stops_of_angles_have_the_largest_torque() {
    let motor = Axis::driven(Motor::at(100.0));
    for axis in [Axis::limited(-1.0, 0.0), motor] {
        for direct in WAYS {
            let mut world = world(direct, O);
            let ground = world.ground().unwrap();
            let body = world.add_body(&mass(1.0, O)).unwrap();
            let mut def = JointDef::revolute(ground, body, [O; 2]).with_axis(axis.clone());
            (def.max_force, def.max_torque) = (1e3, 0.3);
            world.add_joint(&def).unwrap();
            let against = if axis.motor.is_some() { 0.1 } else { 0.5 };
            for _ in 0..60 {
                world.apply_torque(body, against).unwrap();
                step(&mut world, 1);
            }
            // I = 0.1: 0.2 N·m of the push are left, or 0.4 N·m with the motor.
            let left = if axis.motor.is_some() { 0.4 } else { 0.2 };
            close(world[body].angular_velocity(), left / 0.1, 0.05 * left / 0.1);
        }
    }
}

/// 1 kg at 10 m/s² on 100 N/m sinks by 0.1 m.
#[test]
fn a_stop_yields_as_its_joint_says() {
    let softness = Softness::Stiffness { stiffness: 100.0, damping: 20.0 };
    for (name, make) in STOPS {
        runs(
            make,
            4.0,
            |def| def.softness = softness,
            |way, world, body| {
                let y = world[body].position().y;
                assert!((y + 2.1).abs() < 2e-3, "{name} ({way}): {y}");
            },
        );
        // Its own softness comes first.
        let own = Softness::Stiffness { stiffness: 200.0, damping: 20.0 };
        let change = |def: &mut JointDef| {
            def.softness = softness;
            let axis = def.axes.first_mut();
            if let Some(limit) = axis.and_then(|axis| axis.limit.as_mut()) {
                *limit = Limit { softness: own, ..*limit };
            } else {
                def.softness = own;
            }
        };
        runs(make, 4.0, change, |way, world, body| {
            let y = world[body].position().y;
            assert!((y + 2.05).abs() < 2e-3, "{name} ({way}): {y}");
        });
    }
}

/// What nothing goes by is refused, and the field named.
#[test]
fn a_setting_without_a_use_is_refused() {
    let mut world = world(kempe2d::Direct::Auto, O);
    let ground = world.ground().unwrap();
    let body = world.add_body(&mass(1.0, O)).unwrap();
    let soft = Softness::Stiffness { stiffness: 100.0, damping: 1.0 };
    let spring = JointDef::spring(ground, body, [O; 2], 1.0, soft);
    let rope = JointDef::rope(ground, body, [O; 2], 1.0);
    let friction = Axis { friction: Some(1.0), ..Axis::default() };
    let rubbed = spring.clone().with_axis(friction);
    let ratchet = JointDef::ratchet(ground, body, 0.0, 0.1);
    let filter = JointDef::new(JointKind::Filter, ground, body);
    type Set = fn(&mut JointDef);
    let softness: Set = |def| def.softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.0 };
    let force: Set = |def| def.max_force = 1.0;
    let torque: Set = |def| def.max_torque = 1.0;
    let cases = [
        (&spring, softness, Some("softness")),
        (&spring, force, None),
        (&rope, softness, None),
        (&rope, force, None),
        (&rubbed, softness, Some("softness")),
        (&rubbed, force, Some("max_force")),
        (&ratchet, softness, Some("softness")),
        (&ratchet, torque, Some("max_torque")),
        (&filter, force, Some("max_force")),
    ];
    for (def, set, refused) in cases {
        let mut def = def.clone();
        set(&mut def);
        match (world.add_joint(&def), refused) {
            (Ok(joint), None) => drop(world.remove_joint(joint).unwrap()),
            (Err(error @ Error::Unused { field, .. }), Some(refused)) => {
                assert_eq!(field, refused);
                assert!(error.to_string().contains(def.kind.name()), "{error}");
            }
            (result, refused) => panic!("{result:?} instead of {refused:?}: {def:?}"),
        }
    }
    // What other engines let pass does nothing there either.
    let options = chipmunk::Options { max_force: 3.0, error_bias: Some(0.1), ..Default::default() };
    world.add_joint(&options.apply(ratchet)).unwrap();
}
