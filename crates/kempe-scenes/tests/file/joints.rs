//! Everything that a joint, a body and a world can be made with goes there and back.

use kempe_scenes::file::{self, ExportError, Notation};
use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, BodyKind, Break, Curve, Direct, Error, ForceLaw, ForceRange, JointDef,
    JointId, JointKind, Law, Limit, Locked, Mass, MassProperties, Motor, OnBreak, Path, Pull,
    Ratchet, Real, Settings, Shape, Softness, Spring, Target, Term, TextJoint, Vec2, World,
};
use std::collections::BTreeMap;

const SOFT: [Softness; 9] = [
    Softness::Rigid,
    Softness::Hertz { hertz: 3.0, damping_ratio: 0.7 },
    Softness::Hertz { hertz: 3.1, damping_ratio: 0.0 },
    Softness::Stiffness { stiffness: 123.4, damping: 5.6 },
    Softness::MassNormalized { stiffness: 7.0, damping: 0.1 },
    Softness::Compliance { compliance: 1e-7, damping: 0.25 },
    Softness::Compliance { compliance: 0.0, damping: 0.0 },
    Softness::ErrorBias { remaining: 0.1, max_bias: 2.0 },
    Softness::ErrorBias { remaining: 0.3, max_bias: f64::INFINITY },
];

fn ranges() -> [ForceRange; 7] {
    [
        ForceRange::default(),
        ForceRange::symmetric(4.0),
        ForceRange::symmetric(0.0),
        ForceRange::raise(),
        ForceRange::lower(),
        ForceRange { lower: -1.0, upper: 2.0 },
        ForceRange { lower: 0.0, upper: 0.0 },
    ]
}

fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

fn moving() -> Target {
    Target::expression("0.1 * sin(2 * time)").unwrap()
}

/// A world with some bodies.
fn world() -> (World, [BodyId; 5]) {
    let settings = Settings {
        gravity: v(0.1, -1.0 / 3.0),
        substeps: 3,
        threads: 1,
        direct: Direct::Never,
        sleep: false,
        sleep_speed: 0.1,
        sleep_turn: 0.3,
        sleep_time: 0.7,
        timing: false,
        springs: kempe2d::Springs::ImplicitEuler,
    };
    let mut world = World::new(settings).unwrap();
    let odd = BodyDef {
        kind: BodyKind::Dynamic,
        position: v(0.1, -0.0),
        rotation: 1e-7,
        velocity: v(-0.3, 1.0 / 7.0),
        angular_velocity: -2.5,
        shapes: vec![
            (Shape::Circle { center: v(0.1, 0.2), radius: 0.3 }, 2.0),
            (Shape::Capsule { start: v(-1.0, 0.0), end: v(1.0, 0.1), radius: 0.05 }, 0.0),
            (Shape::rectangle(0.5, 0.25), 1.0),
            (Shape::Polygon { corners: vec![v(0.0, 0.0), v(1.0, 0.0), v(0.3, 1.0)] }, 3.0),
        ],
        mass: Mass::FromShapes,
        gravity_scale: 0.5,
        linear_damping: 0.01,
        angular_damping: 0.02,
        locked: Locked { x: true, y: false, rotation: true },
        enabled: true,
        can_sleep: false,
        user_data: u64::MAX - 1,
    };
    let first = world.add_body(&odd).unwrap();
    let ground = world.ground().unwrap();
    let total = BodyDef {
        mass: Mass::Total(1.7),
        shapes: vec![(Shape::circle(0.3), 1.0)],
        position: v(1e9 + 0.123, 1e-300),
        ..BodyDef::dynamic()
    };
    let total = world.add_body(&total).unwrap();
    let given = MassProperties { mass: 2.0, inertia: 0.1, center: v(0.123_456_789, -0.2) };
    let given = BodyDef {
        mass: Mass::Given(given),
        position: v(0.1, 0.7),
        rotation: 2.3,
        enabled: false,
        ..BodyDef::dynamic()
    };
    let given = world.add_body(&given).unwrap();
    let kinematic = BodyDef { velocity: v(0.0, 0.5), ..BodyDef::kinematic() };
    let kinematic = world.add_body(&kinematic).unwrap();
    (world, [ground, first, total, given, kinematic])
}

/// The same world from a file, in each notation, loaded twice over.
fn there_and_back(world: &World, joints: &BTreeMap<String, JointId>) {
    let model = file::export_world(world, &BTreeMap::new(), joints).unwrap();
    for notation in [Notation::Ron, Notation::Json] {
        let text = file::write(&model, notation).unwrap();
        let loaded = file::parse("scene", &text, notation, &[]).unwrap_or_else(|error| {
            panic!("{error}\n{text}");
        });
        for ((_, there), (_, back)) in world.joints().zip(loaded.world.joints()) {
            let [there, back] = [there, back].map(|joint| format!("{:?}", joint.def().axes));
            assert_eq!(there, back);
        }
        assert_eq!(loaded.world.state_hash(), world.state_hash(), "{text}");
        let again = file::write(&loaded.model, notation).unwrap();
        assert_eq!(again, text);
        assert_eq!(loaded.world.settings(), world.settings());
    }
}

/// One of every kind.
fn kinds(world: &mut World, [ground, a, b, c, d]: [BodyId; 5]) -> Vec<JointDef> {
    let (anchor_a, anchor_b, rail, angle) = (v(0.1, 0.2), v(-0.3, 1.0 / 3.0), v(0.6, 0.9), 0.7);
    let pull = Pull {
        target: v(1.0, 2.0),
        softness: SOFT[1],
        spring_force: 3.0,
        velocity: v(0.5, -0.5),
        velocity_force: f64::INFINITY,
    };
    let corners = [v(0.0, 0.0), v(1.0, 0.0), v(1.0, 1.0), v(0.0, 2.0)];
    let place = |path, follow, from, leave| JointKind::Path {
        path,
        anchor: anchor_b,
        angle,
        follow,
        from,
        leave,
    };
    let two = [
        JointKind::Weld { anchor_a, anchor_b, angle },
        JointKind::Revolute { anchor_a, anchor_b, angle },
        JointKind::Prismatic { anchor_a, anchor_b, rail, angle },
        JointKind::Slot { anchor_a, anchor_b, rail, angle },
        JointKind::Distance { anchor_a, anchor_b },
        JointKind::Angle { ratio: -2.5, angle },
        JointKind::Generic { anchor_a, anchor_b, rail, angle },
        JointKind::Drive { anchor_a, anchor_b, rail, angle, pull: Box::new(pull) },
        place(Path::polyline(&corners, false).unwrap(), false, None, true),
        place(Path::spline(&corners, true).unwrap(), true, Some(0.25), false),
        JointKind::Filter,
    ];
    let mut defs: Vec<JointDef> =
        two.into_iter().map(|kind| JointDef::new(kind, ground, a)).collect();
    let anchors = [anchor_a, anchor_b, rail, Vec2::ZERO];
    let pulley = JointKind::Pulley { anchors, ratio: 2.0 };
    defs.push(JointDef::over(pulley, vec![a, ground, b, ground]));
    let tendon = |ratios: [f64; 3]| JointKind::Tendon {
        anchors: vec![anchor_a, anchor_b, rail, Vec2::ZERO],
        ratios: ratios.to_vec(),
    };
    defs.push(JointDef::over(tendon([1.0, 0.0, 2.0]), vec![a, b, c, d]));
    defs.push(JointDef::over(tendon([1.0; 3]), vec![a, b, a, d]));
    let source = "body one, two\nscalar s = 2\nvector v, w = [1, 2]\nmatrix m\n\
                  # a \"text\" with a \\ in it\n\
                  constraint dot(v + w + m * v, two.position - one.position) - s";
    let source = source.replace(
        "dot(v + w + m * v, two.position - one.position) - s",
        "(v + w + m * v) dot (two.position - one.position) - s",
    );
    let program = Program::parse(&source).unwrap();
    let text = TextJoint::new(&program)
        .with("s", 0.1)
        .unwrap()
        .with("v", [0.3, -0.0])
        .unwrap()
        .with("m", [[1.0, 1e-12], [3.0, 4.0]])
        .unwrap();
    defs.push(text.joint(&[("two", b), ("one", a)]).unwrap());
    let hinge = world.add_joint(&defs[1]).unwrap();
    let slot = world.add_joint(&defs[3]).unwrap();
    let terms = vec![
        Term::new(hinge, 0, 1.0),
        Term::new(slot, 1, -0.5),
        Term::curved(slot, 0, Curve::polynomial([0.1, 0.2, 0.0, 0.3, 0.0])),
        Term::curved(hinge, 0, Curve::text("0.05 * sin(q)^2 + time").unwrap()),
    ];
    defs.push(JointDef::coupling(terms.clone(), 0.25));
    defs.push(JointDef::coupling(terms.clone(), 0.0).with_backlash(0.1));
    defs.push(JointDef { axes: Vec::new(), ..JointDef::coupling(terms, -0.0) });
    defs
}

#[test]
fn every_kind_goes_there_and_back() {
    let (mut world, bodies) = world();
    let defs = kinds(&mut world, bodies);
    assert!(defs.len() >= 18);
    for def in &defs {
        world.add_joint(def).unwrap();
    }
    there_and_back(&world, &BTreeMap::new());
}

#[test]
fn every_option_goes_there_and_back() {
    let (mut world, bodies) = world();
    let mut names = BTreeMap::new();
    for (index, def) in kinds(&mut world, bodies).into_iter().enumerate() {
        let softness = SOFT[index % SOFT.len()];
        let breaking = Break {
            force: 10.0 + index as f64,
            torque: if index % 2 == 0 { 5.0 } else { f64::INFINITY },
            error: 0.1,
            filter: 0.05,
            then: [OnBreak::Event, OnBreak::Disable, OnBreak::Remove][index % 3],
        };
        let def = JointDef {
            softness,
            max_force: 100.0 + index as f64,
            max_torque: 0.0,
            breaking: Some(if index == 0 { Break::default() } else { breaking }),
            threshold: Some(if index == 1 { f64::INFINITY } else { 3.0 }),
            collide_connected: true,
            warm_start: false,
            enabled: index % 2 == 0,
            user_data: index as u64 + (1 << 60),
            ..def
        };
        let added = world.add_joint(&def).or_else(|error| match error {
            // Of a joint that has no use for them.
            Error::Unused { .. } => {
                let any = f64::INFINITY;
                let softness = Softness::Rigid;
                world.add_joint(&JointDef { softness, max_force: any, max_torque: any, ..def })
            }
            error => Err(error),
        });
        names.insert(format!("joint \"{index}\" ü"), added.unwrap());
    }
    there_and_back(&world, &names);
}

#[test]
fn every_axis_goes_there_and_back() {
    let (mut world, [ground, a, ..]) = world();
    let mut axes = vec![
        Axis::default(),
        Axis::held(0.5),
        Axis::held(-0.0),
        Axis::limited(f64::NEG_INFINITY, 1.0),
        Axis::limited(-1.0, f64::INFINITY),
        Axis { friction: Some(0.25), ..Axis::default() },
        Axis { ratchet: Some(Ratchet { step: -0.1, phase: 0.05 }), ..Axis::default() },
        Axis { ratchet: Some(Ratchet { step: 0.1, phase: 0.0 }), ..Axis::default() },
        Axis {
            law: Some(ForceLaw::text("-200 * q - 3 * speed * |speed| + time").unwrap()),
            ..Axis::default()
        },
        Axis::driven(Motor::Force { force: 3.0.into() }),
        Axis::driven(Motor::Force { force: moving() }),
        Axis::driven(Motor::Velocity { speed: moving(), force: ForceRange::symmetric(2.0) }),
    ];
    let restitution = Limit { restitution: 0.5, force: 3.0, ..Limit::new(0.1, 0.1) };
    axes.push(Axis { limit: Some(restitution), ..Axis::default() });
    for softness in SOFT {
        let limit = Limit { softness, ..Limit::new(-0.5, 0.25) };
        axes.push(Axis { limit: Some(limit), ..Axis::default() });
        axes.push(Axis::sprung(0.1, softness));
        let force = ForceRange::default();
        axes.push(Axis::driven(Motor::Position { target: moving(), softness, force }));
        let both = Motor::Both { target: 0.5.into(), speed: moving(), softness, force };
        axes.push(Axis::driven(both));
    }
    for force in ranges() {
        axes.push(Axis::driven(Motor::Velocity { speed: 1.5.into(), force }));
        let spring = Spring { rest: 0.0, softness: SOFT[3], force };
        axes.push(Axis { spring: Some(spring), ..Axis::default() });
    }
    let everything = Axis {
        limit: Some(Limit::new(-1.0, 1.0)),
        motor: Some(Motor::at(2.0)),
        spring: Some(Spring::new(0.3, SOFT[1])),
        law: Some(ForceLaw::text("1").unwrap()),
        friction: Some(1.0),
        ratchet: None,
    };
    axes.push(everything.clone());
    for axis in axes {
        let pin = JointDef::revolute(ground, a, [Vec2::ZERO; 2]);
        world.add_joint(&pin.with_axis(axis)).unwrap();
    }
    // The second and the third of a joint.
    let generic = |axes: [Axis; 3]| JointDef::generic(ground, a, [Vec2::ZERO; 2], axes);
    world.add_joint(&generic([Axis::default(), everything, Axis::held(1.0)])).unwrap();
    world.add_joint(&generic([Axis::default(), Axis::default(), Axis::default()])).unwrap();
    there_and_back(&world, &BTreeMap::new());
}

#[derive(Clone, Debug)]
struct Own;

impl Law for Own {
    fn name(&self) -> &str {
        "own"
    }

    fn force<S: Real>(&self, q: S, _: S, _: S) -> S {
        -q
    }
}

#[test]
fn what_a_file_cannot_say_is_refused() {
    let (mut world, [ground, a, ..]) = world();
    world.apply_torque(a, 1.0).unwrap();
    let none = BTreeMap::new();
    let names = BTreeMap::from([("arm".to_owned(), a)]);
    let error = file::export_world(&world, &names, &BTreeMap::new()).unwrap_err();
    assert_eq!(error, ExportError::Applied { body: "arm".to_owned() });
    world.step(1.0 / 60.0).unwrap();
    let law = Axis { law: Some(ForceLaw::function(Own)), ..Axis::default() };
    let pin = JointDef::revolute(ground, a, [Vec2::ZERO; 2]).with_axis(law);
    let pin = world.add_joint(&pin).unwrap();
    let joints = BTreeMap::from([("pin".to_owned(), pin)]);
    let error = file::export_world(&world, &none, &joints).unwrap_err();
    let text = "a force law of the joint `pin` is a Rust type; a file cannot say it";
    assert_eq!(error.to_string(), text);
    world.remove_joint(pin).unwrap();
    world.set_position(ground, v(1.0, 0.0)).unwrap();
    assert_eq!(file::export_world(&world, &none, &BTreeMap::new()), Err(ExportError::Ground));
}
