//! What joints between free bodies conserve, and what they do not.
//!
//! Every joint whose equations do not change when the scene is moved keeps the momentum; one whose
//! equations do not change when it is turned keeps the angular momentum too.

use super::springs::{WAYS, world_by};
use super::{H, world};
use kempe2d::equation::{Program, gallery};
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, Error, ForceLaw, ForceRange, JointDef,
    JointId, JointKind, Limit, Mass, MassProperties, Motor, Pose, Ratchet, Real, Softness, Spring,
    TextJoint, UserJoint, Vec2, World,
};

/// p and L about the origin, and how large their parts are.
fn momentum(world: &World) -> (Vec2, f64, [f64; 2]) {
    let (mut linear, mut angular, mut size) = (Vec2::ZERO, 0.0, [0.0; 2]);
    for (_, body) in world.bodies() {
        let MassProperties { mass, inertia, .. } = body.mass_properties();
        let (own, orbit) =
            (inertia * body.angular_velocity(), mass * body.center().cross(body.velocity()));
        linear += body.velocity() * mass;
        angular += own + orbit;
        size[0] += mass * body.velocity().length();
        size[1] += own.abs() + mass * body.center().length() * body.velocity().length();
    }
    (linear, angular, size)
}

/// Free bodies of different masses, with their centres of mass away from their origins.
fn bodies(world: &mut World) -> [BodyId; 4] {
    std::array::from_fn(|k| {
        let k = k as f64;
        let center = Vec2::new(0.1 * k - 0.2, 0.15 - 0.05 * k);
        let mass = MassProperties { mass: 1.0 + 0.7 * k, center, inertia: 0.4 + 0.2 * k };
        let def = BodyDef {
            position: Vec2::new(1.3 * k, 0.4 * (k - 1.0) * (k - 2.0)),
            rotation: 0.3 * k - 0.5,
            velocity: Vec2::new(0.8 - 0.6 * k, 0.5 * k - 0.4),
            angular_velocity: 1.5 - k,
            mass: Mass::Given(mass),
            ..BodyDef::dynamic()
        };
        world.add_body(&def).unwrap()
    })
}

/// Two points of two bodies on a line through both, in Rust.
#[derive(Clone, Debug)]
struct Tether;

impl Constraint for Tether {
    fn name(&self) -> &str {
        "tether"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 3, hold: 1, velocity: 0, axes: 1 }
    }

    /// The three bodies' points form a triangle of a fixed circumference; left is one side.
    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let at = |k: usize| bodies[k].point(Vec2::new(0.2, -0.1));
        let side = |i: usize, j: usize| (at(j) - at(i)).length();
        out[0] = side(0, 1) + side(1, 2) + side(2, 0) - S::constant(6.0);
        out[1] = side(0, 1);
    }
}

/// Joints whose equations can be turned, with this on their first axis.
fn turnable(ids: [BodyId; 4], axis: &Axis) -> Vec<JointDef> {
    let [a, b, c, d] = ids;
    let anchors = [Vec2::new(0.4, 0.1), Vec2::new(-0.3, 0.2)];
    let rail = Vec2::new(0.6, 0.8);
    let [anchor_a, anchor_b] = anchors;
    let corners = [anchor_a, anchor_b, Vec2::new(0.2, -0.3), Vec2::ZERO];
    let kind = JointKind::Pulley { anchors: corners, ratio: 1.6 };
    let triple = JointKind::Pulley { anchors: corners, ratio: 0.7 };
    let program = |name: &str| Program::parse(gallery::find(name).unwrap().source).unwrap();
    let text = TextJoint::new(&program("prismatic"))
        .with("anchor_a", <[f64; 2]>::from(anchor_a))
        .and_then(|text| text.with("anchor_b", <[f64; 2]>::from(anchor_b)))
        .and_then(|text| text.joint(&[("a", a), ("b", b)]));
    let mut joints = vec![
        JointDef::new(JointKind::Prismatic { anchor_a, anchor_b, rail, angle: 0.2 }, a, b),
        JointDef::new(JointKind::Slot { anchor_a, anchor_b, rail, angle: 0.2 }, a, b),
        JointDef::new(JointKind::Distance { anchor_a, anchor_b }, a, b),
        JointDef::new(JointKind::Angle { ratio: 1.0, angle: 0.2 }, a, b),
        JointDef::over(kind, vec![a, b, c, d]),
        JointDef::over(triple, vec![a, b, c, a]),
        text.unwrap(),
        UserJoint::new(Tether).joint(&[a, b, c]),
    ];
    for def in &mut joints {
        *def.axis_mut(0) = axis.clone();
    }
    joints
}

/// Everything that can be on an axis.
fn everything() -> Vec<(&'static str, Axis)> {
    let softness = Softness::Hertz { hertz: 3.0, damping_ratio: 0.2 };
    let force = ForceRange::default();
    let motor = Motor::Velocity { speed: 0.7.into(), force: ForceRange::symmetric(5.0) };
    let elastic = Limit { restitution: 0.8, ..Limit::new(0.2, 1.6) };
    let law = ForceLaw::text("-9 * (q - 1) - 2 * (q - 1)^3 - 0.3 * speed").unwrap();
    vec![
        ("nothing", Axis::default()),
        ("held", Axis::held(1.2)),
        ("limit", Axis { limit: Some(elastic), ..Axis::default() }),
        ("motor", Axis::driven(motor)),
        ("servo", Axis::driven(Motor::Position { target: 1.0.into(), softness, force })),
        ("force", Axis::driven(Motor::Force { force: (-2.0).into() })),
        ("spring", Axis { spring: Some(Spring::new(1.0, softness)), ..Axis::default() }),
        ("law", Axis { law: Some(law), ..Axis::default() }),
        ("friction", Axis { friction: Some(1.5), ..Axis::default() }),
        ("ratchet", Axis { ratchet: Some(Ratchet { step: 0.2, phase: 0.0 }), ..Axis::default() }),
    ]
}

/// How much f32 may lose in 60 steps of 4 sub-steps with 2 solves: 480 roundings of 6e-8.
const ROUNDING: f64 = 480.0 * 6e-8;

#[test]
fn joints_that_can_be_turned_keep_both_momenta() {
    for ((name, axis), direct) in
        everything().into_iter().flat_map(|each| WAYS.map(|way| (each.clone(), way)))
    {
        let mut scene = world_by(direct, Vec2::ZERO, 4);
        let ids = bodies(&mut scene);
        for def in turnable(ids, &axis) {
            let mut world = scene.clone();
            world.add_joint(&def).unwrap();
            let (linear, angular, _) = momentum(&world);
            for _ in 0..60 {
                world.step(H).unwrap();
            }
            let (now, turning, size) = momentum(&world);
            let kind = def.kind.name();
            let moved = (now - linear).length();
            assert!(moved < ROUNDING * size[0].max(5.0), "{kind}, {name}: p by {moved:e}");
            let turned = (turning - angular).abs();
            assert!(turned < ROUNDING * size[1].max(5.0), "{kind}, {name}: L by {turned:e}");
        }
    }
}

/// Points that are held together: the momentum is kept always, the angular momentum while there is
/// no gap.
#[test]
fn a_point_hold_keeps_the_momentum() {
    for direct in WAYS {
        point_hold(direct);
    }
}

fn point_hold(direct: Direct) {
    let text = Program::parse(gallery::find("pivot").unwrap().source).unwrap();
    let anchors = [Vec2::new(0.7, 0.3), Vec2::new(-0.5, 0.2)];
    let mut scene = world_by(direct, Vec2::ZERO, 4);
    let [a, b, ..] = bodies(&mut scene);
    let text = TextJoint::new(&text)
        .with("anchor_a", <[f64; 2]>::from(anchors[0]))
        .and_then(|text| text.with("anchor_b", <[f64; 2]>::from(anchors[1])))
        .and_then(|text| text.joint(&[("a", a), ("b", b)]));
    for def in
        [JointDef::weld(a, b, anchors, 0.4), JointDef::revolute(a, b, anchors), text.unwrap()]
    {
        let mut world = scene.clone();
        let joint = world.add_joint(&def).unwrap();
        let (linear, ..) = momentum(&world);
        for _ in 0..60 {
            world.step(H).unwrap();
        }
        // The gap is closed by now.
        let (_, angular, _) = momentum(&world);
        for _ in 0..60 {
            world.step(H).unwrap();
        }
        let (now, turning, size) = momentum(&world);
        let name = def.kind.name();
        let moved = (now - linear).length();
        assert!(moved < 2.0 * ROUNDING * size[0].max(5.0), "{name}: p by {moved:e}");
        // What is left of the gap times the force that goes through it.
        let (gap, _) = world.joint_separation(joint).unwrap();
        let (force, _) = world.joint_force(joint).unwrap();
        // Over one second.
        let through = gap * force.length() + ROUNDING * size[1].max(5.0);
        let turned = (turning - angular).abs();
        assert!(turned < 2.0 * through, "{name}: L by {turned:e}, {through:e}");
    }
}

fn gap(world: &World, [a, b]: [BodyId; 2], anchors: [Vec2; 2]) -> Vec2 {
    world[b].world_point(anchors[1]) - world[a].world_point(anchors[0])
}

/// A soft point hold is solved once a sub-step, at the pose it starts from: over an open gap d it
/// turns the pair by d × λ.
#[test]
fn a_point_hold_turns_by_its_gap() {
    let softness = Softness::Hertz { hertz: 1.5, damping_ratio: 0.1 };
    let anchors = [Vec2::new(0.7, 0.3), Vec2::new(-0.5, 0.2)];
    let mut scene = world(Vec2::ZERO, 1);
    let [a, b, ..] = bodies(&mut scene);
    for def in [JointDef::weld(a, b, anchors, 0.4), JointDef::revolute(a, b, anchors)] {
        let mut world = scene.clone();
        let joint = world.add_joint(&def.with_softness(softness)).unwrap();
        let mut largest: f64 = 0.0;
        for _ in 0..60 {
            let (linear, angular, _) = momentum(&world);
            let open = gap(&world, [a, b], anchors);
            world.step(H).unwrap();
            let (now, turning, size) = momentum(&world);
            let impulses = world.joint_impulses(joint).unwrap();
            let change = open.cross(Vec2::new(impulses[0], impulses[1]));
            largest = largest.max(change.abs());
            assert!((now - linear).length() < 1e-6 * size[0].max(1.0));
            let far = (turning - angular - change).abs();
            assert!(far < 1e-6 * size[1].max(1.0), "{far:e} of {change}");
        }
        assert!(largest > 1e-3, "there was a gap: {largest}");
    }
}

/// ρ θ_B − θ_A turns B by ρ λ and A by −λ.
#[test]
fn an_angle_with_a_ratio_turns_by_what_it_says() {
    for ratio in [-2.0, 0.5, 1.0, 3.0] {
        for (name, axis) in everything() {
            let mut world = world(Vec2::ZERO, 4);
            let [a, b, ..] = bodies(&mut world);
            let def = JointDef::new(JointKind::Angle { ratio, angle: 0.0 }, a, b);
            let joint = world.add_joint(&def.with_axis(axis)).unwrap();
            for _ in 0..30 {
                let (linear, angular, _) = momentum(&world);
                let spins = [a, b].map(|id| world[id].angular_velocity());
                world.step(H).unwrap();
                let (now, turning, size) = momentum(&world);
                let lambda = world.joint_impulses(joint).unwrap()[0];
                let rebounds = name == "limit";
                let far = (turning - angular - (ratio - 1.0) * lambda).abs();
                // A rebound is no impulse of the step.
                assert!(rebounds || far < 5e-6 * size[1].max(1.0), "{name}, {ratio}: {far:e}");
                assert!((now - linear).length() < 5e-6 * size[0].max(1.0), "{name}, {ratio}");
                let changes = [a, b].map(|id| {
                    let MassProperties { inertia, .. } = world[id].mass_properties();
                    inertia * world[id].angular_velocity()
                });
                let inertias = [a, b].map(|id| world[id].mass_properties().inertia);
                let turned: [f64; 2] = std::array::from_fn(|k| changes[k] - inertias[k] * spins[k]);
                // Each has its share.
                let far = (turned[1] + ratio * turned[0]).abs();
                assert!(far < 5e-6 * size[1].max(1.0), "{name}, {ratio}: {far:e}");
            }
        }
    }
}

/// With every joint at once.
#[test]
fn a_heap_of_joints_keeps_both_momenta() {
    let mut world = world(Vec2::ZERO, 4);
    let ids = bodies(&mut world);
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.3 };
    let joints: Vec<JointId> = turnable(ids, &Axis::sprung(1.1, softness))
        .into_iter()
        .map(|def| match world.add_joint(&def.clone().with_softness(softness)) {
            // It has nothing that could yield.
            Err(Error::Unused { .. }) => world.add_joint(&def).unwrap(),
            added => added.unwrap(),
        })
        .collect();
    let (linear, angular, _) = momentum(&world);
    for _ in 0..60 {
        world.step(H).unwrap();
    }
    let (now, turning, size) = momentum(&world);
    let roundings = ROUNDING * joints.len() as f64;
    assert!((now - linear).length() < roundings * size[0].max(5.0));
    assert!((turning - angular).abs() < roundings * size[1].max(5.0));
}

/// The centre of mass of two bodies under gravity falls as if there were no joint.
#[test]
fn a_joint_does_not_lift_itself() {
    for def in {
        let mut world = world(Vec2::ZERO, 4);
        turnable(bodies(&mut world), &Axis::held(1.2))
    } {
        let gravity = Vec2::new(0.5, -9.81);
        let mut world = world(gravity, 4);
        let ids = bodies(&mut world);
        let def = JointDef { bodies: renamed(&def, ids), ..def };
        world.add_joint(&def).unwrap();
        let (start, ..) = momentum(&world);
        let mass: f64 = world.bodies().map(|(_, body)| body.mass_properties().mass).sum();
        for _ in 0..60 {
            world.step(H).unwrap();
        }
        let (now, _, size) = momentum(&world);
        let expected = start + gravity * mass;
        let far = (now - expected).length();
        assert!(far < ROUNDING * size[0], "{}: {far:e}", def.kind.name());
    }
}

/// The same bodies of another world.
fn renamed(def: &JointDef, ids: [BodyId; 4]) -> Vec<BodyId> {
    def.bodies.iter().map(|id| ids[id.index()]).collect()
}

/// A light link between two heavy bodies that spin about each other.
#[test]
fn a_light_link_keeps_the_momentum_of_a_heavy_pair() {
    let mut world = world(Vec2::ZERO, 4);
    let ids = [(0.0, 100.0), (1.0, 0.1), (2.0, 50.0)].map(|(x, mass)| {
        let inertia = 0.1 * mass;
        let def = BodyDef {
            position: Vec2::new(x, 0.0),
            velocity: Vec2::new(0.0, 8.0 * (x - 0.667)),
            angular_velocity: 8.0,
            mass: Mass::Given(MassProperties { mass, center: Vec2::ZERO, inertia }),
            ..BodyDef::dynamic()
        };
        world.add_body(&def).unwrap()
    });
    for pair in ids.windows(2) {
        world.add_joint(&JointDef::rod(pair[0], pair[1], [Vec2::ZERO; 2], 1.0)).unwrap();
    }
    let (linear, angular, _) = momentum(&world);
    for _ in 0..60 {
        world.step(H).unwrap();
        let (now, turning, size) = momentum(&world);
        let moved = (now - linear).length();
        assert!(moved < ROUNDING * size[0], "p by {moved:e} of {}", size[0]);
        let turned = (turning - angular).abs();
        assert!(turned < ROUNDING * size[1], "L by {turned:e} of {}", size[1]);
    }
}
