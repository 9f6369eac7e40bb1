//! Worlds of anything: a run ends with a state that fits its joints, or says why not and changes
//! nothing; and it does so twice alike.

use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Break, Constraint, Counts, Curve, ForceLaw, ForceRange, JointDef,
    JointId, Limit, Locked, Mass, MassProperties, Method, Motor, OnBreak, Path, Pose, Pull,
    Ratchet, Real, Reference, Settings, Softness, Spring, Term, TextJoint, UserJoint, Vec2, World,
};

const DT: f64 = 1.0 / 120.0;

pub struct Random(pub u64);

impl Random {
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 40) as f64 / f64::from(1 << 24)
    }

    pub fn pick(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count - 1)
    }

    pub fn chance(&mut self, part: f64) -> bool {
        self.between(0.0, 1.0) < part
    }

    pub fn vector(&mut self, size: f64) -> Vec2 {
        Vec2::new(self.between(-size, size), self.between(-size, size))
    }
}

/// A blade of the second body, which slides along itself only.
#[derive(Clone, Debug)]
struct Blade;

impl Constraint for Blade {
    fn name(&self) -> &str {
        "blade"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 1, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = bodies[1].position.x - bodies[0].position.x;
    }

    fn velocity_equations<S: Real>(
        &self,
        bodies: &[Pose<S>],
        velocities: &[[S; 3]],
        _time: S,
        out: &mut [S],
    ) {
        let across = bodies[1].direction(Vec2::Y);
        out[0] = across.x * (velocities[1][0] - velocities[0][0])
            + across.y * (velocities[1][1] - velocities[0][1]);
    }
}

fn softness(random: &mut Random) -> Softness {
    match random.pick(4) {
        0 => Softness::Hertz {
            hertz: random.between(0.5, 10.0),
            damping_ratio: random.between(0.0, 2.0),
        },
        1 => Softness::Stiffness {
            stiffness: random.between(1.0, 500.0),
            damping: random.between(0.0, 5.0),
        },
        2 => Softness::Compliance { compliance: random.between(1e-6, 0.1), damping: 0.1 },
        _ => Softness::MassNormalized { stiffness: random.between(1.0, 90.0), damping: 0.5 },
    }
}

/// What acts on an axis that is at `q`.
fn axis(random: &mut Random, q: f64) -> Axis {
    let mut axis = Axis::default();
    match random.pick(4) {
        0 => {
            let (low, high) = (q - random.between(0.0, 0.5), q + random.between(0.0, 0.5));
            let mut limit = Limit::new(low, high);
            limit.restitution = random.between(-1.0, 1.0).max(0.0);
            if random.chance(0.4) {
                limit.softness = softness(random);
            }
            axis.limit = Some(limit);
        }
        1 => axis.ratchet = Some(Ratchet { step: random.between(-1.0, 1.0), phase: q }),
        _ => {}
    }
    if random.chance(0.3) {
        axis.spring = Some(Spring::new(q + random.between(-0.3, 0.3), softness(random)));
    }
    if random.chance(0.3) {
        axis.friction = Some(random.between(0.0, 5.0));
    }
    if random.chance(0.2) {
        axis.law = Some(ForceLaw::text("-3 * q - q * q * q - 0.5 * speed + sin(time)").unwrap());
    }
    if random.chance(0.4) {
        let force = ForceRange::symmetric(random.between(0.5, 30.0));
        let speed = random.between(-2.0, 2.0).into();
        axis.motor = Some(match random.pick(4) {
            0 => Motor::Velocity { speed, force },
            1 => Motor::Position { target: q.into(), softness: softness(random), force },
            2 => Motor::Both { target: q.into(), speed, softness: softness(random), force },
            _ => Motor::Force { force: random.between(-5.0, 5.0).into() },
        });
    }
    axis
}

fn joint(random: &mut Random, ids: &[BodyId], joints: &[JointId]) -> JointDef {
    let (a, b) = (ids[0], ids[1]);
    let anchors = [random.vector(0.5), random.vector(0.5)];
    let rail = Vec2::from_angle(random.between(-3.0, 3.0));
    let points = [Vec2::ZERO, Vec2::new(1.0, 0.3), Vec2::new(1.4, 1.4), Vec2::new(0.0, 1.0)];
    match random.pick(if joints.len() < 2 { 13 } else { 14 }) {
        0 => JointDef::weld(a, b, anchors, random.between(-1.0, 1.0)),
        1 => JointDef::revolute(a, b, anchors),
        2 => JointDef::prismatic(a, b, anchors, rail),
        3 => JointDef::slot(a, b, anchors, rail),
        4 => JointDef::rod(a, b, anchors, random.between(0.5, 2.0)),
        5 => JointDef::rope(a, b, anchors, random.between(1.0, 3.0)),
        6 => JointDef::gear(a, b, random.between(0.5, 2.0), 0.0),
        7 => JointDef::generic(a, b, anchors, std::array::from_fn(|_| Axis::default())),
        8 => {
            let pull = Pull::to(random.vector(1.0), softness(random), random.between(1.0, 20.0));
            JointDef::drive(a, b, anchors, pull)
        }
        9 => JointDef::tendon(&[(a, anchors[0]), (b, anchors[1]), (ids[2], anchors[0])], 3.0),
        10 => {
            let closed = random.chance(0.5);
            JointDef::path(a, b, &Path::spline(&points, closed).unwrap(), anchors[1])
        }
        11 => {
            let source = "body a, b  scalar far = 1 -> 0.3
                constraint |b.position - a.position| - far
                axis turn = b.rotation - a.rotation";
            let text = TextJoint::new(&Program::parse(source).unwrap());
            text.joint(&[("a", a), ("b", b)]).unwrap()
        }
        12 => UserJoint::new(Blade).joint(&[a, b]),
        _ => {
            let curve = Curve::text("0.5 * q + 0.1 * sin(q)").unwrap();
            let terms = vec![Term::new(joints[0], 0, 1.0), Term::curved(joints[1], 0, curve)];
            JointDef::coupling(terms, 0.0)
        }
    }
}

/// Some bodies and joints, of which none is more than a tree of joints.
fn build(seed: u64, free: bool) -> World {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let gravity = if free { Vec2::ZERO } else { random.vector(10.0) };
    let mut world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
    let mut ids = Vec::new();
    if !free {
        let ground = match random.chance(0.3) {
            true => BodyDef {
                velocity: random.vector(0.5),
                angular_velocity: random.between(-1.0, 1.0),
                ..BodyDef::kinematic()
            },
            false => BodyDef::fixed(),
        };
        ids.push(world.add_body(&ground).unwrap());
    }
    for k in 0..random.pick(4) + 2 {
        let center = if random.chance(0.5) { random.vector(0.3) } else { Vec2::ZERO };
        let (mass, inertia) = (random.between(0.3, 4.0), random.between(0.05, 1.0));
        let mut def = BodyDef {
            position: Vec2::new(0.8 * k as f64, 0.0) + random.vector(0.4),
            rotation: random.between(-2.0, 2.0),
            velocity: random.vector(1.0),
            angular_velocity: random.between(-2.0, 2.0),
            mass: Mass::Given(MassProperties { mass, inertia, center }),
            ..BodyDef::dynamic()
        };
        if !free && random.chance(0.2) {
            def.linear_damping = random.between(0.0, 2.0);
            def.locked = Locked { rotation: random.chance(0.5), ..Locked::default() };
        }
        ids.push(world.add_body(&def).unwrap());
    }
    let mut joints = Vec::new();
    let mut axial = Vec::new();
    for k in 1..ids.len() {
        // A body earlier on, this one, and any.
        let trio = [ids[random.pick(k)], ids[k], ids[random.pick(ids.len())]];
        let def = joint(&mut random, &trio, &axial);
        let coupled = matches!(def.kind, kempe2d::JointKind::Coupling { .. });
        let Ok(def) = (if coupled { world.as_it_stands(&def) } else { Ok(def) }) else { continue };
        let Ok(id) = world.add_joint(&def) else { continue };
        joints.push(id);
        let axes = world.joint(id).unwrap().kind().axis_count();
        if axes > 0 && !coupled {
            axial.push(id);
        }
        for at in 0..axes {
            let q = world.joint_coordinate(id, at).unwrap();
            let held =
                world.joint(id).unwrap().def().axes.get(at).is_some_and(|a| a.limit.is_some());
            if random.chance(0.6) && !held && !(free && coupled) {
                let acts = axis(&mut random, q);
                // What is refused is left as it was.
                let _ = world.edit_joint(id, |def| *def.axis_mut(at) = acts.clone());
            }
        }
        if random.chance(0.1) && !coupled {
            let breaking = Some(Break { force: 60.0, then: OnBreak::Disable, ..Break::default() });
            world.edit_joint(id, |def| def.breaking = breaking).unwrap();
        }
    }
    world
}

/// Σ m v, and the angular momentum about the origin.
fn momentum(world: &World) -> [f64; 3] {
    world.bodies().fold([0.0; 3], |[x, y, turn], (_, body)| {
        let mass = body.mass_properties();
        let p = body.velocity() * mass.mass;
        let spin = mass.inertia * body.angular_velocity();
        [x + p.x, y + p.y, turn + body.center().cross(p) + spin]
    })
}

fn methods() -> [Method; 4] {
    [
        Method::Theta { k: 0.5 },
        Method::Theta { k: 1.0 },
        Method::GeneralizedAlpha { radius: 0.8 },
        Method::Rattle { order: 4 },
    ]
}

/// How far held rows are open, by the world's own reckoning: of joints that do not yield.
fn open(world: &World) -> f64 {
    world.joints().fold(0.0, |most, (id, joint)| {
        let def = joint.def();
        let yields = |axis: &Axis| axis.limit.is_some_and(|l| l.softness != Softness::Rigid);
        if !def.enabled || def.axes.iter().any(yields) {
            return most;
        }
        let (length, angle) = world.joint_separation(id).unwrap();
        most.max(length).max(angle)
    })
}

#[test]
fn anything_ends_whole_or_says_why() {
    let (mut ended, mut refused) = (0, Vec::new());
    for seed in 0..80 {
        let start = build(seed, false);
        for method in methods() {
            let mut world = start.clone();
            let hash = world.state_hash();
            match Reference::new(method).run(&mut world, 0.5, DT) {
                Ok(_) => {
                    ended += 1;
                    let open = open(&world);
                    assert!(open < 1e-9, "{seed} {method:?}: open by {open}");
                    assert!((world.time() - 0.5).abs() < 1e-12);
                    for (_, body) in world.bodies() {
                        assert!(body.position().is_finite() && body.velocity().is_finite());
                    }
                    let mut again = start.clone();
                    Reference::new(method).run(&mut again, 0.5, DT).unwrap();
                    assert_eq!(world.state_hash(), again.state_hash(), "{seed} {method:?}");
                }
                Err(error) => {
                    assert_eq!(world.state_hash(), hash, "{seed} {method:?}");
                    if !matches!(method, Method::Rattle { .. }) {
                        refused.push(format!("{seed} {method:?}: {error}"));
                    }
                }
            }
        }
    }
    // Joints of chance contradict each other now and then; nothing else is refused.
    let others: Vec<&String> = refused.iter().filter(|why| !why.contains("contradict")).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert!(refused.len() < ended / 10, "{ended} ended; {refused:#?}");
}

#[test]
fn what_nothing_holds_keeps_its_momentum() {
    let mut tested = 0;
    for seed in 1000..1100 {
        let mut world = build(seed, true);
        // A law of one axis of two bodies is inner; so is all that joints do between bodies that are
        // free. The blade of a user's joint goes by one body alone.
        let inner = world.joints().all(|(_, joint)| joint.kind().name() != "blade");
        if !inner {
            continue;
        }
        // The first step closes the joints, which moves bodies and their moments.
        let Ok(_) = Reference::default().step(&mut world, DT) else { continue };
        let before = momentum(&world);
        let Ok(_) = Reference::default().run(&mut world, 0.5, 0.25 * DT) else { continue };
        tested += 1;
        let after = momentum(&world);
        // An angle of two bodies with a ratio turns against the rest of the world.
        let turns = world.joints().all(|(_, joint)| {
            let name = joint.kind().name().to_owned();
            !["angle", "coupling", "path", "text"].contains(&name.as_str())
        });
        for k in 0..if turns { 3 } else { 2 } {
            let size = 1.0 + before[k].abs();
            let far = (before[k] - after[k]).abs();
            // That of turning is as good as the step is short.
            let close = if k == 2 { 1e-2 } else { 1e-11 };
            assert!(far < close * size, "{seed} {k}: {before:?} {after:?}");
        }
    }
    assert!(tested > 40, "{tested}");
}
