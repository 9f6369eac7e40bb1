//! Arguments of the wider joints that make no sense: an error that names the field, and a world that
//! is the same to the bit.

use kempe2d::{Axis, BodyDef, BodyId, Curve, Error, JointDef, JointId, JointKind, Path, Pull};
use kempe2d::{Ratchet, Softness, Term, Vec2, World};

/// Two wheels on pins of the ground, a joint of every wider kind, and a joint that is gone.
struct Scene {
    world: World,
    bodies: [BodyId; 3],
    pins: [JointId; 2],
    filter: JointId,
    coupling: JointId,
    stale: JointId,
}

fn scene() -> Scene {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let [a, b] = [0.0, 2.0].map(|x| {
        let def = BodyDef { position: Vec2::new(x, 0.0), ..BodyDef::dynamic() };
        world.add_body(&def).unwrap()
    });
    let pins = [a, b].map(|id| {
        let at = world[id].position();
        world.add_joint(&world.revolute_at(ground, id, at).unwrap()).unwrap()
    });
    let filter = world.add_joint(&JointDef::filter(a, b)).unwrap();
    let coupling = world.add_joint(&JointDef::gears(pins[0], pins[1], 1.0, 2.0)).unwrap();
    let stale = world.add_joint(&JointDef::filter(a, b)).unwrap();
    world.remove_joint(stale).unwrap();
    let path = Path::polyline(&[Vec2::ZERO, Vec2::X], false).unwrap();
    let others = [
        JointDef::generic(
            a,
            b,
            [Vec2::X, -Vec2::X],
            [Axis::held(0.0), Axis::held(0.0), Axis::default()],
        ),
        JointDef::drive(a, b, [Vec2::ZERO; 2], Pull::at(Vec2::X, 1.0)),
        JointDef::tendon(&[(ground, Vec2::Y), (a, Vec2::ZERO), (b, Vec2::ZERO)], 4.0),
        JointDef::path(ground, a, &path, Vec2::ZERO),
    ];
    for def in &others {
        world.add_joint(def).unwrap();
    }
    world.step(1.0 / 60.0).unwrap();
    Scene { world, bodies: [ground, a, b], pins, filter, coupling, stale }
}

fn call_refused(names: &str, call: impl Fn(&mut Scene) -> Result<(), Error>) {
    let mut scene = scene();
    let (hash, snapshot) = (scene.world.state_hash(), scene.world.snapshot());
    let error = call(&mut scene).err().map_or("nothing".to_owned(), |error| error.to_string());
    assert!(error.contains(names), "`{error}` does not name {names}");
    assert_eq!(scene.world.state_hash(), hash, "{names}: the world has changed");
    assert_eq!(scene.world.snapshot(), snapshot, "{names}: the world has changed");
}

/// Added, and in the place of every other joint.
fn refused(names: &str, make: impl Fn(&Scene) -> JointDef) {
    call_refused(names, |s| {
        let def = make(s);
        s.world.add_joint(&def).map(drop)
    });
    for pick in [|s: &Scene| s.pins[0], |s: &Scene| s.filter, |s: &Scene| s.coupling] {
        call_refused(names, |s| {
            let def = make(s);
            s.world.set_joint(pick(s), &def)
        });
        call_refused(names, |s| {
            let def = make(s);
            s.world.edit_joint(pick(s), |old| *old = def)
        });
    }
}

const INFINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn numbers_of_generic_joints_and_drives() {
    type Set = fn(&mut [Vec2; 3], &mut f64, &mut Pull, f64);
    let fields: &[(&str, Set, &[f64])] = &[
        ("anchor_a.x", |v, _, _, x| v[0].x = x, &INFINITE),
        ("anchor_a.y", |v, _, _, x| v[0].y = x, &INFINITE),
        ("anchor_b.x", |v, _, _, x| v[1].x = x, &INFINITE),
        ("anchor_b.y", |v, _, _, x| v[1].y = x, &INFINITE),
        ("rail.x", |v, _, _, x| v[2].x = x, &INFINITE),
        ("rail.y", |v, _, _, x| v[2].y = x, &INFINITE),
        ("rail", |v, _, _, x| v[2] = Vec2::new(x, 0.0), &[0.0, 1e-12]),
        ("angle", |_, angle, _, x| *angle = x, &INFINITE),
        ("pull.target.x", |_, _, pull, x| pull.target.x = x, &INFINITE),
        ("pull.target.y", |_, _, pull, x| pull.target.y = x, &INFINITE),
        ("pull.velocity.x", |_, _, pull, x| pull.velocity.x = x, &INFINITE),
        ("pull.velocity.y", |_, _, pull, x| pull.velocity.y = x, &INFINITE),
        ("pull.spring_force", |_, _, pull, x| pull.spring_force = x, &[f64::NAN, -1.0]),
        ("pull.velocity_force", |_, _, pull, x| pull.velocity_force = x, &[f64::NAN, -1.0]),
        (
            "stiffness",
            |_, _, pull, x| pull.softness = Softness::Stiffness { stiffness: x, damping: 0.0 },
            &[f64::NAN, f64::INFINITY, -1.0],
        ),
    ];
    for (name, set, values) in fields {
        for value in *values {
            let (mut v, mut angle, mut pull) = ([Vec2::X; 3], 0.0, Pull::default());
            set(&mut v, &mut angle, &mut pull, *value);
            let [anchor_a, anchor_b, rail] = v;
            let boxed = Box::new(pull);
            let drive = JointKind::Drive { anchor_a, anchor_b, rail, angle, pull: boxed };
            let generic = JointKind::Generic { anchor_a, anchor_b, rail, angle };
            refused(name, |s| JointDef::new(drive.clone(), s.bodies[0], s.bodies[1]));
            if pull == Pull::default() {
                refused(name, |s| JointDef::new(generic.clone(), s.bodies[0], s.bodies[1]));
            }
        }
    }
    refused("3 axes; there is none of number 3", |s| {
        let mut def = JointDef::drive(s.bodies[0], s.bodies[1], [Vec2::ZERO; 2], Pull::default());
        def.axis_mut(3).friction = Some(1.0);
        def
    });
    refused("0 axes", |s| JointDef::filter(s.bodies[0], s.bodies[1]).with_limit(0.0, 1.0));
    let (anchor_a, anchor_b) = (Vec2::ZERO, Vec2::ZERO);
    let generic = JointKind::Generic { anchor_a, anchor_b, rail: Vec2::X, angle: 0.0 };
    for kind in [JointKind::Filter, generic] {
        refused("two different bodies", |s| JointDef::new(kind.clone(), s.bodies[1], s.bodies[1]));
        refused("2 bodies; 3", |s| JointDef::over(kind.clone(), s.bodies.to_vec()));
    }
    // What constructors are given ends up in the same fields.
    refused("pull.target.y", |s| {
        let target = Vec2::new(0.0, f64::NAN);
        JointDef::mouse(s.bodies[0], s.bodies[1], target, Vec2::ZERO, Softness::Rigid, 1.0)
    });
    refused("motor.speed", |s| {
        JointDef::mover(s.bodies[0], s.bodies[1], Vec2::new(f64::NAN, 0.0), [1.0; 2])
    });
    refused("force.lower", |s| JointDef::mover(s.bodies[0], s.bodies[1], Vec2::X, [1.0, -1.0]));
    refused("pull.velocity_force", |s| {
        JointDef::top_down_friction(s.bodies[0], s.bodies[1], -1.0, 1.0)
    });
    refused("friction", |s| JointDef::top_down_friction(s.bodies[0], s.bodies[1], 1.0, -1.0));
    for (names, rest, tension) in [("spring.rest", f64::NAN, 1.0), ("force.lower", 0.0, -2.0)] {
        refused(names, |s| {
            let (a, b) = (s.bodies[0], s.bodies[1]);
            JointDef::pogo(a, b, [Vec2::ZERO; 2], Vec2::Y, rest, Softness::Rigid, tension, 1.0)
        });
    }
}

#[test]
fn numbers_of_tendons() {
    let points = |s: &Scene, count: usize, at: Vec2| -> Vec<(BodyId, Vec2)> {
        (0..count).map(|k| (s.bodies[k % 3], at)).collect()
    };
    for count in [0, 1, 65, 1000] {
        refused("anchors", |s| JointDef::tendon(&points(s, count, Vec2::X), 1.0));
    }
    for bad in INFINITE {
        refused("anchors.x", |s| JointDef::tendon(&points(s, 3, Vec2::new(bad, 0.0)), 1.0));
        refused("anchors.y", |s| JointDef::tendon(&points(s, 3, Vec2::new(0.0, bad)), 1.0));
    }
    let ratios: [&[f64]; 8] = [
        &[],
        &[1.0],
        &[1.0; 3],
        &[0.0, 0.0],
        &[1.0, -1.0],
        &[f64::NAN, 1.0],
        &[f64::INFINITY, 1.0],
        &[-0.0, 0.0],
    ];
    for ratios in ratios {
        refused("ratios", |s| JointDef::tendon(&points(s, 3, Vec2::X), 1.0).with_ratios(ratios));
    }
    refused("limit.lower", |s| JointDef::tendon(&points(s, 3, Vec2::X), f64::NAN));
    refused("limit.lower", |s| {
        JointDef::elastic_tendon(&points(s, 3, Vec2::X), 2.0, 1.0, Softness::Rigid)
    });
    refused("3 bodies; 2", |s| {
        let def = JointDef::tendon(&points(s, 3, Vec2::X), 1.0);
        JointDef { bodies: s.bodies[..2].to_vec(), ..def }
    });
    refused("no such body", |s| {
        let mut bodies = points(s, 3, Vec2::X);
        let mut world = s.world.clone();
        let new = world.add_body(&BodyDef::dynamic()).unwrap();
        bodies[2].0 = new;
        JointDef::tendon(&bodies, 1.0)
    });
}

#[test]
fn numbers_of_paths() {
    for bad in INFINITE {
        type Set = fn(&mut JointKind, f64);
        let fields: [(&str, Set); 4] = [
            ("anchor.x", |kind, x| {
                if let JointKind::Path { anchor, .. } = kind {
                    anchor.x = x;
                }
            }),
            ("anchor.y", |kind, x| {
                if let JointKind::Path { anchor, .. } = kind {
                    anchor.y = x;
                }
            }),
            ("angle", |kind, x| {
                if let JointKind::Path { angle, .. } = kind {
                    *angle = x;
                }
            }),
            ("from", |kind, x| {
                if let JointKind::Path { from, .. } = kind {
                    *from = Some(x);
                }
            }),
        ];
        for (name, set) in fields {
            refused(name, |s| {
                let path = Path::polyline(&[Vec2::ZERO, Vec2::X], false).unwrap();
                let mut def = JointDef::path(s.bodies[0], s.bodies[1], &path, Vec2::ZERO);
                set(&mut def.kind, bad);
                def
            });
        }
        for (name, point) in [("points.x", Vec2::new(bad, 0.0)), ("points.y", Vec2::new(1.0, bad))]
        {
            for make in [Path::polyline, Path::spline] {
                let error = make(&[Vec2::ZERO, point, Vec2::Y], true).unwrap_err();
                assert!(error.to_string().contains(name), "{error}");
            }
        }
    }
    let line = |count: usize| (0..count).map(|k| Vec2::new(k as f64, 0.0)).collect::<Vec<_>>();
    let twice = vec![Vec2::ZERO, Vec2::X, Vec2::X, Vec2::Y];
    let seam = vec![Vec2::ZERO, Vec2::X, Vec2::ZERO];
    let wrong: [(Vec<Vec2>, bool); 8] = [
        (line(0), false),
        (line(1), false),
        (line(2), true),
        (line(100_001), false),
        (twice, false),
        (seam, true),
        (vec![Vec2::ZERO, Vec2::X * 1e-100], false),
        (vec![Vec2::ZERO, Vec2::X * 1e200], false),
    ];
    for (points, closed) in wrong {
        for make in [Path::polyline, Path::spline] {
            let error = make(&points, closed).unwrap_err();
            assert!(error.to_string().contains("`points`"), "{} {error}", points.len());
        }
    }
    refused("2 axes", |s| {
        let path = Path::polyline(&[Vec2::ZERO, Vec2::X], false).unwrap();
        let mut def = JointDef::path(s.bodies[0], s.bodies[1], &path, Vec2::ZERO);
        def.axis_mut(2).ratchet = Some(Ratchet { step: 1.0, phase: 0.0 });
        def
    });
}

#[test]
fn what_a_coupling_cannot_refer_to() {
    let one =
        |joint: JointId, axis: usize| JointDef::coupling(vec![Term::new(joint, axis, 1.0)], 0.0);
    refused("no such joint", |s| one(s.stale, 0));
    let other = scene();
    refused("another world", |_| one(other.pins[0], 0));
    refused("cannot refer to another coupling", |s| one(s.coupling, 0));
    refused("1 axes; there is none of number 1", |s| one(s.pins[0], 1));
    refused("0 axes", |s| one(s.filter, 0));
    refused("terms", |_| JointDef::coupling(Vec::new(), 0.0));
    // Each pin has two bodies: 33 terms have 66.
    refused("terms", |s| {
        JointDef::coupling((0..33).map(|_| Term::new(s.pins[0], 0, 1.0)).collect(), 0.0)
    });
    refused("1 axes", |s| one(s.pins[0], 0).with_second_axis(Axis::held(0.0)));
    // Of itself, which it becomes.
    call_refused("coupling", |s| {
        let def = one(s.pins[0], 0);
        s.world.set_joint(s.pins[0], &def)
    });
    call_refused("coupling", |s| {
        let def = one(s.coupling, 0);
        s.world.set_joint(s.coupling, &def)
    });
}

#[test]
fn numbers_of_couplings() {
    for bad in INFINITE {
        refused("constant", |s| JointDef::coupling(vec![Term::new(s.pins[0], 0, 1.0)], bad));
        refused("terms.curve", |s| JointDef::coupling(vec![Term::new(s.pins[0], 0, bad)], 0.0));
        for k in 0..5 {
            let mut numbers = [0.0; 5];
            numbers[k] = bad;
            refused("terms.curve", |s| {
                let curve = Curve::polynomial(numbers);
                JointDef::follower(s.pins[0], s.pins[1], curve)
            });
        }
        refused("terms.curve", |s| JointDef::rack_and_pinion(s.pins[0], s.pins[1], bad));
        refused("terms.curve", |s| JointDef::screw(s.pins[0], s.pins[1], bad));
        call_refused("constant", |s| {
            let def = JointDef::coupling(vec![Term::new(s.pins[0], 0, 1.0)], bad);
            s.world.as_it_stands(&def).map(drop)
        });
    }
    refused("terms.curve", |s| JointDef::gears(s.pins[0], s.pins[1], 0.0, 1.0));
    refused("terms.curve", |s| JointDef::belt(s.pins[0], s.pins[1], 1.0, f64::NAN));
    refused("terms.curve", |s| JointDef::planetary([s.pins[0], s.pins[1], s.pins[0]], 0.0, 3.0));
    for play in [f64::NAN, -1.0] {
        refused("limit.lower", |s| {
            JointDef::gears(s.pins[0], s.pins[1], 1.0, 1.0).with_backlash(play)
        });
    }
    for bad in ["", "1 +", "p", "speed", "[q 1]", "q) constraint (1", "scalar", "body a", "q = 1"] {
        let error = Curve::text(bad).unwrap_err();
        assert!(
            matches!(&error, Error::Expression { source, .. } if source == bad),
            "{bad}: {error}"
        );
    }
}

#[test]
fn what_stands_as_it_is() {
    call_refused("not a coupling", |s| {
        let def = s.world.joint(s.pins[0]).unwrap().def();
        s.world.as_it_stands(&def).map(drop)
    });
    call_refused("no such joint", |s| {
        let def = JointDef::gears(s.stale, s.pins[1], 1.0, 1.0);
        s.world.as_it_stands(&def).map(drop)
    });
    call_refused("cannot refer to another coupling", |s| {
        let def = JointDef::gears(s.coupling, s.pins[1], 1.0, 1.0);
        s.world.as_it_stands(&def).map(drop)
    });
    // A curve that has no value here cannot count from here.
    call_refused("constant", |s| {
        let curve = Curve::text("ln(-1 - q^2)")?;
        let def = JointDef::coupling(vec![Term::curved(s.pins[0], 0, curve)], 0.0);
        s.world.as_it_stands(&def).map(drop)
    });
    call_refused("no such body", |s| {
        let mut world = s.world.clone();
        let gone = world.add_body(&BodyDef::dynamic()).unwrap();
        s.world.may_collide(s.bodies[0], gone).map(drop)
    });
}
