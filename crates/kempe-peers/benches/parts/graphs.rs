//! Colouring and islands, over the joints of scenes.

use crate::per_element;
use criterion::Criterion;
use kempe_peers::failure::Failure;
use kempe_peers::scenes::Entry;
use kempe_solve::{Coloring, Islands};
use kempe2d::{BodyKind, World};
use std::hint::black_box;

/// Which slots of bodies the joints connect; those of bodies that nothing moves are left out.
struct Graph {
    bodies: usize,
    joints: Vec<Vec<usize>>,
    moves: Vec<bool>,
}

impl Graph {
    fn new(world: &World) -> Self {
        let bodies = world.bodies().map(|(id, _)| id.index() + 1).max().unwrap_or(0);
        let mut moves = vec![false; bodies];
        for (id, body) in world.bodies() {
            moves[id.index()] = body.kind() == BodyKind::Dynamic;
        }
        let slots = |ids: &[kempe2d::BodyId]| -> Vec<usize> {
            ids.iter().map(|id| id.index()).filter(|slot| moves[*slot]).collect()
        };
        let joints = world.joints().map(|(_, joint)| slots(joint.bodies())).collect();
        Self { bodies, joints, moves }
    }
}

pub fn bench(criterion: &mut Criterion) -> Result<(), Failure> {
    let names = ["joint_grid", "chains", "cantilevers", "mixed"];
    let mut graphs = Vec::with_capacity(names.len());
    for name in names {
        graphs.push((name, Graph::new(&Entry::named(name)?.build()?.world)));
    }
    let mut group = criterion.benchmark_group("coloring");
    for (name, graph) in &graphs {
        let mut coloring = Coloring::default();
        group.bench_function(*name, |bencher| {
            per_element(bencher, graph.joints.len(), || {
                coloring.reset(graph.bodies);
                for joint in &graph.joints {
                    black_box(coloring.color(joint.iter().copied()));
                }
                black_box(coloring.colors());
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("islands");
    for (name, graph) in &graphs {
        let mut islands = Islands::default();
        group.bench_function(*name, |bencher| {
            per_element(bencher, graph.joints.len(), || {
                islands.reset(graph.bodies);
                for joint in &graph.joints {
                    for pair in joint.windows(2) {
                        islands.connect(pair[0], pair[1]);
                    }
                }
                islands.finish(|body| graph.moves[body]);
                black_box(islands.len());
            });
        });
    }
    group.finish();
    Ok(())
}
