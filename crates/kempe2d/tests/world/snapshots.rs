//! The whole world as bytes: it goes on with the same bits, on any number of threads, and damaged
//! bytes are refused.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use kempe2d::equation::{Program, gallery};
use kempe2d::{
    Axis, BodyDef, BodyId, Break, Constraint, Counts, Direct, Error, ForceLaw, ForceRange,
    JointDef, JointId, Law, Motor, OnBreak, Pose, Real, Registry, Settings, Shape, Softness,
    Target, TextJoint, UserJoint, Vec2, World,
};

/// A joint with a state of its own: it holds B at the distance that it had when it was longest.
#[derive(Clone, Debug)]
struct Longest {
    length: f64,
}

impl Constraint for Longest {
    fn name(&self) -> &str {
        "longest"
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let length = (bodies[1].position - bodies[0].position).length();
        out[0] = length - S::constant(self.length);
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        self.length = self.length.max((bodies[1].position - bodies[0].position).length());
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.length]
    }
}

#[derive(Clone, Debug)]
struct Cubic(f64);

impl Law for Cubic {
    fn name(&self) -> &str {
        "cubic"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.0]
    }

    fn force<S: Real>(&self, q: S, speed: S, _time: S) -> S {
        -(S::constant(self.0) * q * q * q) - speed
    }
}

fn registry() -> Registry {
    Registry::new()
        .joint("longest", |p| Some(Longest { length: *p.first()? }))
        .law("cubic", |p| Some(Cubic(*p.first()?)))
}

fn disc(x: f64, y: f64) -> BodyDef {
    BodyDef {
        position: Vec2::new(x, y),
        shapes: vec![(Shape::circle(0.2), 10.0)],
        velocity: Vec2::new(0.3, 0.1 * x),
        angular_velocity: 0.5,
        ..BodyDef::dynamic()
    }
}

/// One of everything.
fn everything(direct: Direct) -> (World, Vec<BodyId>, Vec<JointId>) {
    let mut world = World::new(Settings { direct, ..Settings::default() }).unwrap();
    let ground = world.ground().unwrap();
    let mut bodies = Vec::new();
    for k in 0..14 {
        bodies.push(world.add_body(&disc(0.7 * f64::from(k), 0.3 * f64::from(k % 3))).unwrap());
    }
    let at = [Vec2::new(0.3, 0.1), Vec2::new(-0.3, 0.0)];
    let hertz = Softness::Hertz { hertz: 3.0, damping_ratio: 0.3 };
    let b = |k: usize| bodies[k];
    let driven = Motor::Position {
        target: Target::expression("0.4 * sin(3 * time)").unwrap(),
        softness: hertz,
        force: ForceRange::symmetric(50.0),
    };
    let rod = Program::parse(
        "body a, b  scalar length = 0.7 -> 0.05
         constraint |b.position - a.position| - length",
    )
    .unwrap();
    let gear = Program::parse(gallery::find("gear").unwrap().source).unwrap();
    let breaking = Break { filter: 0.1, then: OnBreak::Disable, ..Break::at_force(400.0) };
    let defs = [
        JointDef::revolute(ground, b(0), [Vec2::ZERO, at[1]]).with_break(breaking),
        JointDef::revolute(b(0), b(1), at).with_axis(Axis::driven(driven)),
        JointDef::weld(b(1), b(2), at, 0.0).with_softness(hertz),
        JointDef::prismatic(b(2), b(3), at, Vec2::X).with_limit(-0.2, 0.2),
        JointDef::wheel(b(3), b(4), at, Vec2::new(0.0, 1.0), hertz),
        JointDef::range(b(4), b(5), at, 0.1, 0.5),
        JointDef::ratchet(b(5), b(6), 0.1, 0.3),
        JointDef::pulley([ground, b(6), ground, b(7)], [Vec2::new(0.0, 4.0); 4], 1.5, 9.0),
        TextJoint::new(&rod).joint(&[("a", b(7)), ("b", b(8))]).unwrap(),
        TextJoint::new(&gear)
            .with("phase", 0.0)
            .unwrap()
            .joint(&[("frame", ground), ("a", b(8)), ("b", b(9))])
            .unwrap(),
        UserJoint::new(Longest { length: 0.5 }).joint(&[b(9), b(10)]),
        JointDef::revolute(b(10), b(11), at).with_axis(Axis {
            law: Some(ForceLaw::function(Cubic(40.0))),
            friction: Some(0.5),
            ..Axis::default()
        }),
        JointDef::slot(b(11), b(12), at, Vec2::X).with_axis(Axis {
            law: Some(ForceLaw::text("-30 * q - speed * |speed|").unwrap()),
            ..Axis::default()
        }),
        JointDef::gear(b(12), b(13), -2.0, 0.0),
    ];
    let joints = defs.iter().map(|def| world.add_joint(def).unwrap()).collect();
    (world, bodies, joints)
}

#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    for direct in [Direct::Auto, Direct::Never] {
        let (mut world, ..) = everything(direct);
        let mut later: Option<World> = None;
        for step in 0..90 {
            world.step(1.0 / 60.0).unwrap();
            if let Some(other) = &mut later {
                other.step(1.0 / 60.0).unwrap();
                assert_eq!(other.state_hash(), world.state_hash(), "{direct:?}, step {step}");
            }
            let bytes = world.snapshot();
            let mut copy = World::from_snapshot(&bytes, &registry()).unwrap();
            assert_eq!(copy.state_hash(), world.state_hash(), "{direct:?}, step {step}");
            assert_eq!(copy.snapshot(), bytes);
            if step % 20 == 10 {
                later = Some(copy);
            } else {
                // One step further, they are still the same.
                let mut here = world.clone();
                here.step(1.0 / 60.0).unwrap();
                copy.step(1.0 / 60.0).unwrap();
                assert_eq!(copy.state_hash(), here.state_hash(), "{direct:?}, step {step}");
                assert_eq!(
                    format!("{:?}", copy.report().events),
                    format!("{:?}", here.report().events)
                );
            }
        }
    }
}

#[test]
fn a_roll_back_keeps_handles() {
    let (mut world, bodies, joints) = everything(Direct::Auto);
    for _ in 0..20 {
        world.step(1.0 / 60.0).unwrap();
    }
    let (bytes, hash, place) = (world.snapshot(), world.state_hash(), world[bodies[3]].position());
    for _ in 0..8 {
        world.step(1.0 / 60.0).unwrap();
    }
    let end = world.state_hash();
    world.remove_body(bodies[13]).unwrap();
    world.restore(&bytes, &registry()).unwrap();
    assert_eq!((world.state_hash(), world[bodies[3]].position()), (hash, place));
    assert!(world.body(bodies[13]).is_some() && world.joint(joints[13]).is_some());
    for _ in 0..8 {
        world.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(world.state_hash(), end);
}

#[test]
fn what_the_registry_does_not_know_is_named() {
    let (world, ..) = everything(Direct::Auto);
    let bytes = world.snapshot();
    let error = World::from_snapshot(&bytes, &Registry::new()).unwrap_err();
    assert_eq!(error, Error::Unknown { what: "user joint", name: "longest".to_owned() });
    let half = Registry::new().joint("longest", |p| Some(Longest { length: *p.first()? }));
    let error = World::from_snapshot(&bytes, &half).unwrap_err();
    assert_eq!(error, Error::Unknown { what: "force law", name: "cubic".to_owned() });
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let (mut world, ..) = everything(Direct::Auto);
    world.step(1.0 / 60.0).unwrap();
    let (bytes, hash) = (world.snapshot(), world.state_hash());
    let registry = registry();
    for bit in (0..8 * 24).chain((8 * 24..8 * bytes.len()).step_by(37)) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let error = world.restore(&damaged, &registry).unwrap_err();
        assert!(matches!(error, Error::Snapshot { .. }), "bit {bit}: {error}");
        assert_eq!(world.state_hash(), hash);
    }
    for length in 0..bytes.len().min(200) {
        assert!(world.restore(&bytes[..length], &registry).is_err(), "{length} bytes");
    }
    let mut newer = bytes.clone();
    newer[7] += 1;
    let error = world.restore(&newer, &registry).unwrap_err().to_string();
    assert!(error.contains(&format!("version is {}", newer[7])), "{error}");
}

/// With a right checksum over wrong bytes: an error or a world that steps, never a panic.
#[test]
fn forged_bytes_do_no_harm() {
    let (mut world, ..) = everything(Direct::Auto);
    world.step(1.0 / 60.0).unwrap();
    let bytes = world.snapshot();
    let mut seed = 3_u64;
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..400 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut forged = bytes.clone();
        let at = 24 + (seed >> 33) as usize % (bytes.len() - 24);
        forged[at] = (seed >> 20) as u8;
        let sum = kempe2d::snapshot_checksum(&forged[24..]);
        forged[16..24].copy_from_slice(&sum.to_le_bytes());
        match World::from_snapshot(&forged, &registry()) {
            Ok(mut other) => {
                taken += 1;
                for _ in 0..2 {
                    other.step(1.0 / 60.0).unwrap();
                }
                assert!(other.bodies().all(|(_, body)| body.position().is_finite()));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 20 && taken > 20, "{refused} {taken}");
}

/// A sheet that is large enough to be divided.
fn sheet(threads: u32) -> World {
    sheet_of([60, 40], threads)
}

pub(crate) fn sheet_of([columns, rows]: [u16; 2], threads: u32) -> World {
    let mut world =
        World::new(Settings { threads, direct: Direct::Never, ..Settings::default() }).unwrap();
    let mut bodies = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let def = BodyDef { velocity: Vec2::ZERO, ..disc(f64::from(column), -f64::from(row)) };
            let def = if row == 0 && column % 5 == 0 {
                BodyDef { kind: kempe2d::BodyKind::Static, ..def }
            } else {
                def
            };
            let body = world.add_body(&def).unwrap();
            let pin =
                |other: BodyId, anchor: Vec2| JointDef::revolute(other, body, [anchor, -anchor]);
            if column > 0 {
                let joint = pin(bodies[bodies.len() - 1], Vec2::new(0.5, 0.0));
                world.add_joint(&joint.with_limit(-0.3, 0.3)).unwrap();
            }
            if row > 0 {
                let joint = pin(bodies[bodies.len() - usize::from(columns)], Vec2::new(0.0, -0.5));
                let spring = Softness::Stiffness { stiffness: 5.0, damping: 0.1 };
                world.add_joint(&joint.with_axis(Axis::sprung(0.0, spring))).unwrap();
            }
            bodies.push(body);
        }
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let hashes = |threads: u32| -> Vec<u64> {
        let mut world = sheet(threads);
        (0..20)
            .map(|_| {
                world.step(1.0 / 60.0).unwrap();
                world.state_hash()
            })
            .collect()
    };
    let one = hashes(1);
    for threads in [2, 3, 4] {
        assert_eq!(hashes(threads), one, "{threads} threads");
    }
}

#[test]
fn copies_of_a_world_share_threads_and_step_at_the_same_time() {
    let step = |mut world: World| {
        for _ in 0..40 {
            world.step(1.0 / 60.0).unwrap();
        }
        world.state_hash()
    };
    let alone = step(sheet(1));
    let world = sheet(3);
    let hashes: Vec<u64> = std::thread::scope(|scope| {
        let each: Vec<_> = (0..4).map(|_| scope.spawn(|| step(world.clone()))).collect();
        each.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(hashes, [alone; 4]);
}

#[test]
fn no_threads_are_refused() {
    let error = World::new(Settings { threads: 0, ..Settings::default() }).unwrap_err().to_string();
    assert!(error.contains("threads"), "{error}");
}
