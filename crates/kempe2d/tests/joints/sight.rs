//! Programs that are evaluated as B is seen from A, and those that are not.

use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, Direct, JointDef, JointId, Registry, Settings, Softness, TextJoint, Vec2, World,
};

const DT: f64 = 1.0 / 60.0;

/// An elbow and a rod in one. What `far` multiplies has no place in the sight from A; it is 0.
fn source(far: bool) -> String {
    let more = if far { "+ far * sin(b.rotation - a.rotation)" } else { "" };
    format!(
        "body a, b  vector on_a, on_b  scalar length, share, far
         let gap = (b.position + relative b on_b) - (a.position + relative a on_a)
         constraint |gap| - length {more}
         axis turned = b.rotation - share * a.rotation {more}"
    )
}

/// A chain far from the origin, its bodies turned often, with a spring on each turn.
fn chain(far: bool) -> (World, Vec<JointId>) {
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let program = Program::parse(&source(far)).unwrap();
    let mut last = world.ground().unwrap();
    let mut joints = Vec::new();
    for k in 0..70 {
        let at = Vec2::new(0.5 * f64::from(k + 1), 0.02 * f64::from(k % 5));
        let def = BodyDef { position: at, rotation: 600.0, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        let mut text = TextJoint::new(&program);
        let out = 0.1 + 0.001 * f64::from(k);
        text.set("on_a", [if k == 0 { 0.0 } else { out }, 0.0]).unwrap();
        text.set("on_b", [-out, 0.02]).unwrap();
        text.set("length", 0.3).unwrap();
        text.set("share", if k % 3 == 0 { 1.0 } else { 0.5 }).unwrap();
        text.set("far", 0.0).unwrap();
        let def = text.joint(&[("a", last), ("b", body)]).unwrap();
        // The rest angle of the spring is what there is at the start, or a little beside it.
        let rest = if k == 0 { 600.0 } else { 600.0 * if k % 3 == 0 { 0.0 } else { 0.5 } };
        let spring = Softness::Hertz { hertz: 3.0, damping_ratio: 0.2 };
        let axes = vec![Axis::sprung(rest + 0.2, spring)];
        joints.push(world.add_joint(&JointDef { axes, ..def }).unwrap());
        last = body;
    }
    (world, joints)
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT).unwrap();
    }
}

fn apart(a: &World, b: &World) -> f64 {
    a.bodies().zip(b.bodies()).fold(0.0, |most, ((_, a), (_, b))| {
        let turned = (a.rotation() - b.rotation()).abs();
        most.max((a.position() - b.position()).length()).max(turned)
    })
}

#[test]
fn near_and_far_are_the_same_joint() {
    let compiled = |far: bool| Program::parse(&source(far)).unwrap().compiled().sight().is_some();
    assert!(compiled(false) && !compiled(true), "one of each");
    let ([mut near, mut far], start) = ([chain(false).0, chain(true).0], chain(true).0);
    // A chain that whips about doubles any difference in a step or two.
    for (steps, least, most) in [(3, 0.01, 1e-6), (7, 0.1, 1e-4)] {
        run(&mut near, steps);
        run(&mut far, steps);
        assert!(apart(&start, &near) > least, "{:e}", apart(&start, &near));
        assert!(apart(&near, &far) < most, "{:e}", apart(&near, &far));
    }
}

#[test]
fn a_large_parameter_goes_another_way_and_comes_back() {
    let (mut world, joints) = chain(false);
    run(&mut world, 5);
    // 1000 is the largest that f32 is trusted with. The joint becomes one on a long arm.
    for (share, steps) in [(2500.0, 3), (0.5, 4)] {
        world.set_parameter(joints[7], "share", share).unwrap();
        run(&mut world, 1);
        let mut again = World::from_snapshot(&world.snapshot(), &Registry::default()).unwrap();
        run(&mut world, steps);
        run(&mut again, steps);
        assert_eq!(world.state_hash(), again.state_hash(), "share {share}");
    }
}

#[test]
fn a_length_of_nothing_has_its_last_direction() {
    let program = "body a, b  scalar length  constraint |b.position - a.position| - length";
    let program = Program::parse(program).unwrap();
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(Settings { gravity: Vec2::ZERO, ..settings }).unwrap();
    let ground = world.ground().unwrap();
    let mut ends = Vec::new();
    // More than a block of them, of which one has no length in the end.
    for k in 0..80 {
        let at = Vec2::new(0.6, 0.8 + f64::from(k % 3));
        let velocity = Vec2::new(-0.8, 0.6);
        let def = BodyDef { position: at, velocity, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        let mut text = TextJoint::new(&program);
        text.set("length", at.length()).unwrap();
        let def = text.joint(&[("a", ground), ("b", body)]).unwrap();
        ends.push((body, world.add_joint(&def).unwrap()));
    }
    run(&mut world, 20);
    let (body, joint) = ends[66];
    let along = world[body].position() * (1.0 / world[body].position().length());
    assert!((along - Vec2::new(0.6, 0.8)).length() > 0.2, "it has swung: {along:?}");
    world.set_position(body, Vec2::ZERO).unwrap();
    world.set_velocity(body, Vec2::ZERO).unwrap();
    world.set_parameter(joint, "length", 0.0).unwrap();
    run(&mut world, 2);
    assert_eq!(world[body].position(), Vec2::ZERO, "it is held where it is");
    let (kept, mut hashes) = (world.snapshot(), Vec::new());
    for _ in 0..2 {
        world.set_parameter(joint, "length", 0.5).unwrap();
        run(&mut world, 60);
        let at = world[body].position();
        assert!((at - along * 0.5).length() < 2e-3, "{at:?}");
        hashes.push(world.state_hash());
        world.restore(&kept, &Registry::default()).unwrap();
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_length_counts_from_its_own_beside_an_angle() {
    let program = "body a, b  scalar length, phase, share
        constraint { |b.position - a.position| - length
                     share * (b.rotation - a.rotation) - phase }";
    let program = Program::parse(program).unwrap();
    assert!(program.compiled().sight().is_some());
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let mut bodies = Vec::new();
    // Some have no angle in their second row: it is 0 = 0 there.
    for (length, share) in [(0.7, 0.0), (0.9, 2.0), (1.1, 0.0), (1.3, 1.0)] {
        let position = Vec2::new(0.0, -length);
        let def = BodyDef { position, rotation: 0.3, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        let mut text = TextJoint::new(&program);
        text.set("length", length).unwrap();
        text.set("share", share).unwrap();
        text.set("phase", 0.3 * share).unwrap();
        world.add_joint(&text.joint(&[("a", ground), ("b", body)]).unwrap()).unwrap();
        bodies.push((body, length, share));
    }
    run(&mut world, 60);
    for (body, length, share) in bodies {
        let found = world[body].position().length();
        assert!((found - length).abs() < 2e-3, "{found} is not {length}");
        let turned = (world[body].rotation() - 0.3).abs();
        assert!(share == 0.0 || turned < 1e-3, "{turned}");
    }
}
