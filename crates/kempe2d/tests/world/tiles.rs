//! Worlds that are stepped in parts: what is in which part does not show.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use crate::snapshots::sheet_of;
use kempe2d::{
    Axis, BodyDef, BodyId, Direct, JointDef, Motor, Registry, Settings, Shape, Softness, Target,
    Vec2, World,
};

/// A chain that hangs in the world, released to one side; links have stops and springs in turn.
fn hang(world: &mut World, ground: BodyId, place: f64) -> Vec<BodyId> {
    let (half, mut last, mut bodies) = (Vec2::new(0.5, 0.0), ground, Vec::new());
    for k in 0..8 {
        let position = Vec2::new(place + f64::from(k), 0.1 * place);
        let shapes = vec![(Shape::rectangle(0.5, 0.1 + 0.01 * f64::from(k)), 1.0)];
        let body = world.add_body(&BodyDef { position, shapes, ..BodyDef::dynamic() }).unwrap();
        let anchor = if k == 0 { Vec2::new(place - 0.5, 0.1 * place) } else { half };
        let joint = JointDef::revolute(last, body, [anchor, -half]);
        let spring = Softness::Stiffness { stiffness: 2.0, damping: 0.1 };
        let joint = match k % 3 {
            0 => joint,
            1 => joint.with_limit(-0.4, 0.4),
            _ => joint.with_axis(Axis::sprung(0.1, spring)),
        };
        world.add_joint(&joint).unwrap();
        bodies.push(body);
        last = body;
    }
    bodies
}

fn empty(threads: u32) -> (World, BodyId) {
    let settings = Settings { threads, direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.add_body(&BodyDef::fixed()).unwrap();
    (world, ground)
}

fn run(world: &mut World, steps: usize) -> u64 {
    for _ in 0..steps {
        world.step(1.0 / 60.0).unwrap();
    }
    world.state_hash()
}

fn numbers(world: &World, bodies: &[BodyId]) -> Vec<[u64; 6]> {
    let of = |id: &BodyId| {
        let body = world.body(*id).unwrap();
        let (x, v) = (body.position(), body.velocity());
        [x.x, x.y, body.rotation(), v.x, v.y, body.angular_velocity()].map(f64::to_bits)
    };
    bodies.iter().map(of).collect()
}

#[test]
fn an_island_moves_as_if_it_were_alone() {
    // Too few to be put into parts by itself, and enough together.
    let places: Vec<f64> = (0..200).map(|k| 1.25 * f64::from(k)).collect();
    for threads in [1, 2] {
        let (mut all, ground) = empty(threads);
        let chains: Vec<Vec<BodyId>> =
            places.iter().map(|place| hang(&mut all, ground, *place)).collect();
        run(&mut all, 60);
        for index in [0, 57, 199] {
            let (mut one, ground) = empty(1);
            let chain = hang(&mut one, ground, places[index]);
            run(&mut one, 60);
            assert_eq!(numbers(&all, &chains[index]), numbers(&one, &chain), "chain {index}");
        }
    }
}

#[test]
fn an_island_that_is_cut_has_the_same_bits_on_threads_and_after_a_snapshot() {
    let size = [110, 90];
    let mut one = sheet_of(size, 1);
    run(&mut one, 3);
    let kept = one.snapshot();
    let after = run(&mut one, 4);
    for threads in [2, 3] {
        assert_eq!(run(&mut sheet_of(size, threads), 7), after, "{threads} threads");
    }
    let mut restored = World::default();
    restored.restore(&kept, &Registry::default()).unwrap();
    assert_eq!(run(&mut restored, 4), after);
    // And it holds.
    let errors = |(id, _)| one.joint_error(id).unwrap();
    let most = one.joints().flat_map(errors).fold(0.0_f64, |most, each| most.max(each.abs()));
    assert!(most < 0.05, "{most}");
}

#[test]
fn a_motor_that_begins_to_follow_the_clock_is_followed() {
    let (mut world, ground) = empty(1);
    let chains: Vec<Vec<BodyId>> =
        (0..200).map(|k| hang(&mut world, ground, f64::from(k))).collect();
    let (first, _) = world.joints().next().unwrap();
    let motor = |speed: Target| vec![Axis::driven(Motor::at(speed))];
    world.edit_joint(first, |def| def.axes = motor(1.0.into())).unwrap();
    run(&mut world, 30);
    let faster = Target::expression("1 + time").unwrap();
    world.edit_joint(first, |def| def.axes = motor(faster)).unwrap();
    run(&mut world, 30);
    let turning = world.body(chains[0][0]).unwrap().angular_velocity();
    assert!((turning - 2.0).abs() < 0.3, "{turning}");
}
