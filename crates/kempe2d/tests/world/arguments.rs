//! Every call with every argument that makes no sense: an error that names it, and a world that is
//! the same to the bit.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot be set up has failed"
)]

use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, BodyKind, Break, Constraint, Counts, Error, ForceLaw, ForceRange,
    JointDef, JointId, JointKind, Limit, Locked, Mass, MassProperties, Motor, Pose, Ratchet, Real,
    Settings, Shape, Softness, Spring, Target, TextJoint, UserJoint, Vec2, World,
};

fn body() -> BodyDef {
    BodyDef { shapes: vec![(Shape::circle(0.5), 1.0)], ..BodyDef::dynamic() }
}

/// A world with two bodies, a joint of each kind, and a program.
struct Scene {
    world: World,
    bodies: [BodyId; 2],
    joint: JointId,
    text: JointId,
}

fn scene() -> Scene {
    let mut world = World::default();
    let bodies = [0.0, 2.0]
        .map(|x| world.add_body(&BodyDef { position: Vec2::new(x, 0.0), ..body() }).unwrap());
    let joint = JointDef::revolute(bodies[0], bodies[1], [Vec2::X, -Vec2::X]);
    let joint = world.add_joint(&joint).unwrap();
    let program = "body a, b  scalar length = 2  vector at = [0 0]  limit length 0 10
        constraint |b.position + at - a.position| - length";
    let text = TextJoint::new(&Program::parse(program).unwrap());
    let text = text.joint(&[("a", bodies[0]), ("b", bodies[1])]).unwrap();
    let text = world.add_joint(&text).unwrap();
    world.step(1.0 / 60.0).unwrap();
    Scene { world, bodies, joint, text }
}

/// Calls with the right handles and one wrong number; `names` is what the error must say.
fn refused(names: &str, call: impl Fn(&mut Scene) -> Result<(), Error>) {
    let mut scene = scene();
    let hash = scene.world.state_hash();
    let error = call(&mut scene).expect_err(names);
    assert!(error.to_string().contains(names), "`{error}` does not name {names}");
    assert_eq!(scene.world.state_hash(), hash, "{names}: the world has changed");
}

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn numbers_of_bodies() {
    type Set = fn(&mut BodyDef, f64);
    let fields: [(&str, Set); 7] = [
        ("position.x", |def, x| def.position.x = x),
        ("position.y", |def, x| def.position.y = x),
        ("rotation", |def, x| def.rotation = x),
        ("velocity.x", |def, x| def.velocity.x = x),
        ("velocity.y", |def, x| def.velocity.y = x),
        ("angular_velocity", |def, x| def.angular_velocity = x),
        ("gravity_scale", |def, x| def.gravity_scale = x),
    ];
    for (name, set) in fields {
        for bad in BAD {
            refused(name, |scene| {
                let mut def = body();
                set(&mut def, bad);
                scene.world.add_body(&def).map(drop)
            });
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        for name in ["linear_damping", "angular_damping"] {
            refused(name, |scene| {
                let mut def = body();
                if name == "linear_damping" {
                    def.linear_damping = bad;
                } else {
                    def.angular_damping = bad;
                }
                scene.world.add_body(&def).map(drop)
            });
        }
        refused("mass", |scene| {
            scene.world.add_body(&BodyDef { mass: Mass::Total(bad), ..body() }).map(drop)
        });
        refused("density", |scene| {
            let shapes = vec![(Shape::circle(0.5), bad)];
            scene.world.add_body(&BodyDef { shapes, ..body() }).map(drop)
        });
        let given = |mass: f64, inertia: f64| {
            Mass::Given(MassProperties { mass, center: Vec2::ZERO, inertia })
        };
        for (name, mass) in [("mass", given(bad, 1.0)), ("inertia", given(1.0, bad))] {
            refused(name, |scene| scene.world.add_body(&BodyDef { mass, ..body() }).map(drop));
        }
    }
}

#[test]
fn numbers_of_living_bodies() {
    for bad in BAD {
        let v = Vec2::new(0.0, bad);
        refused("position.y", |s| s.world.set_position(s.bodies[0], v));
        refused("rotation", |s| s.world.set_rotation(s.bodies[0], bad));
        refused("velocity.y", |s| s.world.set_velocity(s.bodies[0], v));
        refused("angular_velocity", |s| s.world.set_angular_velocity(s.bodies[0], bad));
        refused("position.y", |s| s.world.set_target(s.bodies[0], v, 0.0, 1.0));
        refused("rotation", |s| s.world.set_target(s.bodies[0], Vec2::ZERO, bad, 1.0));
        refused("seconds", |s| s.world.set_target(s.bodies[0], Vec2::ZERO, 0.0, bad));
        refused("gravity_scale", |s| s.world.set_gravity_scale(s.bodies[0], bad));
        refused("force.y", |s| s.world.apply_force(s.bodies[0], v, Vec2::ZERO));
        refused("point.y", |s| s.world.apply_force(s.bodies[0], Vec2::X, v));
        refused("force.y", |s| s.world.apply_central_force(s.bodies[0], v));
        refused("torque", |s| s.world.apply_torque(s.bodies[0], bad));
        refused("impulse.y", |s| s.world.apply_impulse(s.bodies[0], v, Vec2::ZERO));
        refused("point.y", |s| s.world.apply_impulse(s.bodies[0], Vec2::X, v));
        refused("angular impulse", |s| s.world.apply_angular_impulse(s.bodies[0], bad));
        refused("dt", |s| s.world.step(bad).map(drop));
        refused("point.y", |s| s.world.revolute_at(s.bodies[0], s.bodies[1], v).map(drop));
        refused("length", |s| s.world.set_parameter(s.text, "length", bad));
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        refused("linear_damping", |s| s.world.set_damping(s.bodies[0], bad, 0.0));
        refused("angular_damping", |s| s.world.set_damping(s.bodies[0], 0.0, bad));
        let mass = MassProperties { mass: bad, center: Vec2::ZERO, inertia: 1.0 };
        refused("mass", |s| s.world.set_mass_properties(s.bodies[0], mass));
        refused("radius", |s| s.world.set_shapes(s.bodies[0], vec![(Shape::circle(bad), 1.0)]));
        refused("dt", |s| s.world.step(bad).map(drop));
    }
}

#[test]
fn numbers_of_settings() {
    type Set = fn(&mut Settings, f64);
    let fields: [(&str, Set); 5] = [
        ("gravity.x", |settings, x| settings.gravity.x = x),
        ("gravity.y", |settings, x| settings.gravity.y = x),
        ("sleep_speed", |settings, x| settings.sleep_speed = x),
        ("sleep_turn", |settings, x| settings.sleep_turn = x),
        ("sleep_time", |settings, x| settings.sleep_time = x),
    ];
    for (name, set) in fields {
        for bad in BAD {
            refused(name, |scene| {
                let mut settings = scene.world.settings();
                set(&mut settings, bad);
                scene.world.set_settings(settings)
            });
        }
    }
    for (name, substeps, threads) in
        [("substeps", 0, 1), ("substeps", 2000, 1), ("threads", 4, 0), ("threads", 4, 1000)]
    {
        refused(name, |scene| {
            let settings = Settings { substeps, threads, ..scene.world.settings() };
            scene.world.set_settings(settings)
        });
    }
}

/// A change of a definition that must be refused, and what the error must name.
type Change = (&'static str, fn(&mut JointDef, f64), &'static [f64]);

#[test]
fn numbers_of_joints() {
    const NAN: &[f64] = &[f64::NAN];
    const INFINITE: &[f64] = &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    const NEGATIVE: &[f64] = &[f64::NAN, f64::INFINITY, -1.0];
    const BELOW: &[f64] = &[f64::NAN, -1.0];
    let changes: &[Change] = &[
        ("anchor_a.x", |def, x| def.kind = revolute(Vec2::new(x, 0.0), Vec2::ZERO, 0.0), INFINITE),
        ("anchor_b.y", |def, x| def.kind = revolute(Vec2::ZERO, Vec2::new(0.0, x), 0.0), INFINITE),
        ("angle", |def, x| def.kind = revolute(Vec2::ZERO, Vec2::ZERO, x), INFINITE),
        ("ratio", |def, x| def.kind = JointKind::Angle { ratio: x, angle: 0.0 }, INFINITE),
        ("rail", |def, x| def.kind = prismatic(Vec2::new(x, 0.0)), INFINITE),
        ("rail", |def, x| def.kind = prismatic(Vec2::new(x, 0.0)), &[0.0]),
        (
            "limit.lower",
            |def, x| def.axis_mut(0).limit = Some(Limit::new(x, 0.0)),
            &[f64::NAN, 1.0],
        ),
        (
            "limit.lower",
            |def, x| def.axis_mut(0).limit = Some(Limit::new(1.0, x)),
            &[f64::NAN, 0.0],
        ),
        (
            "limit.restitution",
            |def, x| {
                let limit = Limit { restitution: x, ..Limit::new(0.0, 1.0) };
                def.axis_mut(0).limit = Some(limit);
            },
            &[f64::NAN, -0.1, 1.1],
        ),
        ("motor.speed", |def, x| def.axis_mut(0).motor = Some(Motor::at(x)), INFINITE),
        (
            "motor.target",
            |def, x| {
                let (softness, force) = (Softness::Rigid, ForceRange::default());
                let motor = Motor::Position { target: x.into(), softness, force };
                def.axis_mut(0).motor = Some(motor);
            },
            INFINITE,
        ),
        (
            "motor.force",
            |def, x| def.axis_mut(0).motor = Some(Motor::Force { force: x.into() }),
            INFINITE,
        ),
        (
            "force.lower",
            |def, x| {
                let force = ForceRange { lower: x, upper: -2.0 };
                def.axis_mut(0).motor = Some(Motor::Velocity { speed: 1.0.into(), force });
            },
            &[f64::NAN, 1.0],
        ),
        (
            "spring.rest",
            |def, x| def.axis_mut(0).spring = Some(Spring::new(x, Softness::Rigid)),
            INFINITE,
        ),
        (
            "stiffness",
            |def, x| {
                let softness = Softness::Stiffness { stiffness: x, damping: 0.0 };
                def.axis_mut(0).spring = Some(Spring::new(0.0, softness));
            },
            NEGATIVE,
        ),
        ("friction", |def, x| def.axis_mut(0).friction = Some(x), NEGATIVE),
        (
            "ratchet.step",
            |def, x| def.axis_mut(0).ratchet = Some(Ratchet { step: x, phase: 0.0 }),
            &[f64::NAN, f64::INFINITY, 0.0],
        ),
        (
            "ratchet.phase",
            |def, x| def.axis_mut(0).ratchet = Some(Ratchet { step: 1.0, phase: x }),
            INFINITE,
        ),
        (
            "hertz",
            |def, x| def.softness = Softness::Hertz { hertz: x, damping_ratio: 1.0 },
            NEGATIVE,
        ),
        (
            "damping_ratio",
            |def, x| def.softness = Softness::Hertz { hertz: 1.0, damping_ratio: x },
            NEGATIVE,
        ),
        (
            "damping",
            |def, x| def.softness = Softness::Stiffness { stiffness: 1.0, damping: x },
            NEGATIVE,
        ),
        (
            "compliance",
            |def, x| def.softness = Softness::Compliance { compliance: x, damping: 0.0 },
            NEGATIVE,
        ),
        (
            "remaining",
            |def, x| def.softness = Softness::ErrorBias { remaining: x, max_bias: 1.0 },
            &[f64::NAN, -0.1, 1.1],
        ),
        (
            "max_bias",
            |def, x| def.softness = Softness::ErrorBias { remaining: 0.5, max_bias: x },
            BELOW,
        ),
        ("max_force", |def, x| def.max_force = x, BELOW),
        ("max_torque", |def, x| def.max_torque = x, BELOW),
        ("threshold", |def, x| def.threshold = Some(x), BELOW),
        ("breaking.force", |def, x| def.breaking = Some(Break::at_force(x)), BELOW),
        ("breaking.torque", |def, x| def.breaking = Some(Break::at_torque(x)), BELOW),
        ("breaking.error", |def, x| def.breaking = Some(Break::at_error(x)), BELOW),
        (
            "breaking.filter",
            |def, x| def.breaking = Some(Break { filter: x, ..Break::default() }),
            NEGATIVE,
        ),
        ("1 axes", |def, _| def.axis_mut(1).friction = Some(1.0), NAN),
    ];
    for (name, change, values) in changes {
        for value in *values {
            let with = |s: &Scene| {
                let mut def = JointDef::revolute(s.bodies[0], s.bodies[1], [Vec2::ZERO; 2]);
                change(&mut def, *value);
                def
            };
            refused(name, |s| {
                let def = with(s);
                s.world.add_joint(&def).map(drop)
            });
            refused(name, |s| {
                let def = with(s);
                s.world.set_joint(s.joint, &def)
            });
            refused(name, |s| s.world.edit_joint(s.joint, |def| change(def, *value)));
        }
    }
}

fn revolute(anchor_a: Vec2, anchor_b: Vec2, angle: f64) -> JointKind {
    JointKind::Revolute { anchor_a, anchor_b, angle }
}

fn prismatic(rail: Vec2) -> JointKind {
    JointKind::Prismatic { anchor_a: Vec2::ZERO, anchor_b: Vec2::ZERO, rail, angle: 0.0 }
}

#[test]
fn bodies_of_joints() {
    refused("two different bodies", |s| {
        let [a, _] = s.bodies;
        s.world.add_joint(&JointDef::revolute(a, a, [Vec2::ZERO; 2])).map(drop)
    });
    refused("two different bodies", |s| {
        let [a, b] = s.bodies;
        let pulley = JointDef::pulley([a, b, a, a], [Vec2::ZERO; 4], 1.0, 1.0);
        s.world.add_joint(&pulley).map(drop)
    });
    refused("2 bodies; 1", |s| {
        let kind = revolute(Vec2::ZERO, Vec2::ZERO, 0.0);
        let def = JointDef::over(kind, vec![s.bodies[0]]);
        s.world.add_joint(&def).map(drop)
    });
    refused("ratio", |s| {
        let [a, b] = s.bodies;
        let pulley = JointDef::pulley([a, b, a, b], [Vec2::ZERO; 4], 0.0, 1.0);
        s.world.add_joint(&pulley).map(drop)
    });
}

/// Every call that takes a handle, with one that finds nothing.
#[test]
fn handles_that_find_nothing() {
    type Call = fn(&mut World, BodyId) -> Result<(), Error>;
    let bodies: &[(&str, Call)] = &[
        ("set_position", |w, id| w.set_position(id, Vec2::ZERO)),
        ("set_rotation", |w, id| w.set_rotation(id, 0.0)),
        ("set_velocity", |w, id| w.set_velocity(id, Vec2::ZERO)),
        ("set_angular_velocity", |w, id| w.set_angular_velocity(id, 0.0)),
        ("set_target", |w, id| w.set_target(id, Vec2::ZERO, 0.0, 1.0)),
        ("set_kind", |w, id| w.set_kind(id, BodyKind::Static)),
        ("set_mass_properties", |w, id| w.set_mass_properties(id, MassProperties::default())),
        ("set_shapes", |w, id| w.set_shapes(id, vec![(Shape::circle(1.0), 1.0)])),
        ("set_locked", |w, id| w.set_locked(id, Locked::default())),
        ("set_enabled", |w, id| w.set_enabled(id, false)),
        ("set_gravity_scale", |w, id| w.set_gravity_scale(id, 0.0)),
        ("set_damping", |w, id| w.set_damping(id, 0.0, 0.0)),
        ("set_user_data", |w, id| w.set_user_data(id, 1)),
        ("apply_force", |w, id| w.apply_force(id, Vec2::X, Vec2::ZERO)),
        ("apply_central_force", |w, id| w.apply_central_force(id, Vec2::X)),
        ("apply_torque", |w, id| w.apply_torque(id, 1.0)),
        ("apply_impulse", |w, id| w.apply_impulse(id, Vec2::X, Vec2::ZERO)),
        ("apply_angular_impulse", |w, id| w.apply_angular_impulse(id, 1.0)),
        ("wake", World::wake),
        ("remove_body", World::remove_body),
        ("add_joint", |w, id| {
            let ground = w.bodies().map(|(id, _)| id).next();
            let def = JointDef::revolute(ground.unwrap_or(id), id, [Vec2::ZERO; 2]);
            w.add_joint(&def).map(drop)
        }),
        ("weld_at", |w, id| w.weld_at(id, id, Vec2::ZERO).map(drop)),
    ];
    type OnJoint = fn(&mut World, JointId, &JointDef) -> Result<(), Error>;
    let joints: &[(&str, OnJoint)] = &[
        ("remove_joint", |w, id, _| w.remove_joint(id).map(drop)),
        ("set_joint", |w, id, def| w.set_joint(id, def)),
        ("edit_joint", |w, id, _| w.edit_joint(id, |_| {})),
        ("set_parameter", |w, id, _| w.set_parameter(id, "length", 1.0)),
        ("parameter", |w, id, _| w.parameter(id, "length").map(drop)),
        ("bound_body", |w, id, _| w.bound_body(id, "a").map(drop)),
    ];
    let other = scene();
    for (what, foreign) in [("stale", false), ("another world", true)] {
        let mut scene = scene();
        let (body_id, joint_id) = if foreign {
            (other.bodies[0], other.joint)
        } else {
            let body_id = scene.world.add_body(&body()).unwrap();
            let def = JointDef::revolute(scene.bodies[0], body_id, [Vec2::ZERO; 2]);
            let joint_id = scene.world.add_joint(&def).unwrap();
            scene.world.remove_body(body_id).unwrap();
            (body_id, joint_id)
        };
        let hash = scene.world.state_hash();
        let def = scene.world.joint(scene.joint).unwrap().def();
        for (name, call) in bodies {
            let error = call(&mut scene.world, body_id).expect_err(name).to_string();
            assert!(error.contains("body") && error.contains(what), "{name}: {error}");
        }
        for (name, call) in joints {
            let error = call(&mut scene.world, joint_id, &def).expect_err(name).to_string();
            assert!(error.contains("joint") && error.contains(what), "{name}: {error}");
        }
        assert!(scene.world.body(body_id).is_none() && scene.world.joint(joint_id).is_none());
        assert!(scene.world.joint_coordinate(joint_id, 0).is_none());
        assert!(scene.world.joint_error(joint_id).is_none());
        assert!(scene.world.joint_impulses(joint_id).is_none());
        assert!(scene.world.joint_forces(joint_id).is_none());
        assert!(scene.world.joint_power(joint_id).is_none());
        assert_eq!(scene.world.state_hash(), hash);
    }
}

#[test]
fn names_of_programs() {
    refused("lenght", |s| s.world.set_parameter(s.text, "lenght", 1.0));
    refused("did you mean `length`", |s| s.world.set_parameter(s.text, "lenght", 1.0));
    refused("scalar", |s| s.world.set_parameter(s.text, "length", [1.0, 2.0]));
    refused("fails", |s| s.world.set_parameter(s.text, "length", 11.0));
    refused("`c`", |s| {
        let body = s.bodies[0];
        s.world.bind_body(s.text, "c", body)
    });
    refused("not one from text", |s| s.world.set_parameter(s.joint, "length", 1.0));
    refused("`b` is not bound", |s| {
        let program = Program::parse("body a, b  constraint b.rotation - a.rotation").unwrap();
        TextJoint::new(&program).joint(&[("a", s.bodies[0])]).map(drop)
    });
    refused("has no default", |s| {
        let program = Program::parse("body a  scalar p  constraint a.rotation - p").unwrap();
        let def = TextJoint::new(&program).joint(&[("a", s.bodies[0])])?;
        s.world.add_joint(&def).map(drop)
    });
}

#[test]
fn expressions() {
    for bad in ["", "1 +", "q", "[1 2]", "time) constraint (1", "1\nconstraint 2", "scalar"] {
        let error = Target::expression(bad).expect_err(bad);
        assert!(matches!(error, Error::Expression { .. }), "{bad}: {error}");
    }
    for bad in ["p", "|q", "q = 1", "body a"] {
        assert!(matches!(ForceLaw::text(bad), Err(Error::Expression { .. })), "{bad}");
    }
}

#[derive(Clone, Debug)]
struct Wrong(usize);

impl Constraint for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: self.0, velocity: 0, axes: 0 }
    }

    fn equations<S: Real>(&self, _bodies: &[Pose<S>], _time: S, _out: &mut [S]) {}

    fn validate(&self) -> Result<(), String> {
        Err("never right".to_owned())
    }
}

#[test]
fn user_joints() {
    for (rows, says) in [(0, "1 to 32 rows"), (1000, "1 to 32 rows"), (1, "never right")] {
        refused(says, |s| {
            let def = UserJoint::new(Wrong(rows)).joint(&s.bodies);
            s.world.add_joint(&def).map(drop)
        });
    }
}

#[test]
fn an_axis_has_a_limit_or_a_ratchet() {
    refused("ratchet", |s| {
        s.world.edit_joint(s.joint, |def| {
            let ratchet = Some(Ratchet { step: 1.0, phase: 0.0 });
            *def.axis_mut(0) = Axis { ratchet, ..Axis::limited(0.0, 1.0) };
        })
    });
}
