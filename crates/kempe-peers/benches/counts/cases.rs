//! What is counted: steps of small scenes, colouring and islands of one, and its snapshot.
//!
//! What a case is given is made before the counting, and what it returns is dropped after it; so cases
//! return what they were given.
#![expect(unused_qualifications, reason = "the macros write whole paths")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use kempe_peers::engine::STEP;
use kempe_peers::model::Model;
use kempe_peers::text;
use kempe_scenes::{Scene, chains, joint_grid, mixed, springs};
use kempe_solve::{Coloring, Islands};
use kempe2d::{BodyId, BodyKind, Direct, Registry, Settings, World};
use std::fmt::Display;
use std::hint::black_box;

const STEPS: usize = 10;

/// A case that failed must not be counted as a quick one.
fn or_exit<T, E: Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// A scene that is solved joint by joint, after the step that puts its joints into lanes.
fn prepared(scene: Result<Scene, kempe_scenes::Error>) -> World {
    let mut world = or_exit(scene).world;
    let settings = Settings { direct: Direct::Never, sleep: false, ..world.settings() };
    or_exit(world.set_settings(settings));
    or_exit(world.step(STEP));
    world
}

/// The same grid with its pivots as programs.
fn written_grid() -> World {
    let world = or_exit(joint_grid(30, 30)).world;
    let model = or_exit(Model::new(&world));
    let mut scene = or_exit(joint_grid(1, 1));
    scene.world = or_exit(text::written(&world, &model));
    prepared(Ok(scene))
}

#[library_benchmark]
#[bench::joint_grid_30_30(prepared(joint_grid(30, 30)))]
#[bench::chains_20_50(prepared(chains(20, 50)))]
#[bench::springs_500(prepared(springs(500)))]
#[bench::mixed_20_20(prepared(mixed(20, 20)))]
#[bench::text_grid_30_30(written_grid())]
fn ten_steps(mut world: World) -> World {
    for _ in 0..STEPS {
        or_exit(world.step(STEP));
    }
    black_box(world)
}

/// How many slots bodies have, and which of them each joint has.
struct Graph {
    bodies: usize,
    joints: Vec<Vec<usize>>,
}

fn graph(scene: Result<Scene, kempe_scenes::Error>) -> Graph {
    let world = or_exit(scene).world;
    let moves = |id: &BodyId| world.body(*id).is_some_and(|body| body.kind() == BodyKind::Dynamic);
    let bodies = world.bodies().map(|(id, _)| id.index() + 1).max().unwrap_or(0);
    let slots = |ids: &[BodyId]| -> Vec<usize> {
        ids.iter().filter(|id| moves(id)).map(|id| id.index()).collect()
    };
    let joints = world.joints().map(|(_, joint)| slots(joint.bodies())).collect();
    Graph { bodies, joints }
}

/// With a colouring that has its memory already, as in all steps but the first.
fn to_color(scene: Result<Scene, kempe_scenes::Error>) -> (Graph, Coloring) {
    let graph = graph(scene);
    let mut coloring = Coloring::default();
    color(&graph, &mut coloring);
    (graph, coloring)
}

fn color(graph: &Graph, coloring: &mut Coloring) {
    coloring.reset(graph.bodies);
    for joint in &graph.joints {
        black_box(coloring.color(joint.iter().copied()));
    }
}

#[library_benchmark]
#[bench::joint_grid_100_100(to_color(joint_grid(100, 100)))]
#[bench::chains_200_50(to_color(chains(200, 50)))]
fn colored((graph, mut coloring): (Graph, Coloring)) -> (Graph, Coloring) {
    color(&graph, &mut coloring);
    (graph, coloring)
}

/// With islands that have their memory already.
fn to_connect(scene: Result<Scene, kempe_scenes::Error>) -> (Graph, Islands) {
    let graph = graph(scene);
    let mut islands = Islands::default();
    connect(&graph, &mut islands);
    (graph, islands)
}

fn connect(graph: &Graph, islands: &mut Islands) {
    islands.reset(graph.bodies);
    for joint in &graph.joints {
        for pair in joint.windows(2) {
            islands.connect(pair[0], pair[1]);
        }
    }
    islands.finish(|_| true);
}

#[library_benchmark]
#[bench::joint_grid_100_100(to_connect(joint_grid(100, 100)))]
#[bench::chains_200_50(to_connect(chains(200, 50)))]
fn islands((graph, mut islands): (Graph, Islands)) -> (Graph, Islands) {
    connect(&graph, &mut islands);
    (graph, islands)
}

/// A world, and its snapshot, which it was restored from once.
fn saved(mut world: World) -> (World, Vec<u8>) {
    let bytes = world.snapshot();
    or_exit(world.restore(&bytes, &Registry::new()));
    (world, bytes)
}

#[library_benchmark]
#[bench::chains_20_50(saved(prepared(chains(20, 50))))]
fn snapshot((world, before): (World, Vec<u8>)) -> (World, [Vec<u8>; 2]) {
    let now = world.snapshot();
    (world, [before, now])
}

#[library_benchmark]
#[bench::chains_20_50(saved(prepared(chains(20, 50))))]
fn restore((mut world, bytes): (World, Vec<u8>)) -> (World, Vec<u8>) {
    or_exit(world.restore(&bytes, &Registry::new()));
    (world, bytes)
}

#[library_benchmark]
#[bench::chains_20_50(saved(prepared(chains(20, 50))))]
fn state_hash((world, bytes): (World, Vec<u8>)) -> (World, Vec<u8>, u64) {
    let hash = world.state_hash();
    (world, bytes, hash)
}

library_benchmark_group!(name = steps, benchmarks = [ten_steps]);
library_benchmark_group!(name = graphs, benchmarks = [colored, islands]);
library_benchmark_group!(name = bytes, benchmarks = [snapshot, restore, state_hash]);

main!(library_benchmark_groups = [steps, graphs, bytes]);

/// Counts, or is one of the cases.
pub fn run() {
    main();
}
