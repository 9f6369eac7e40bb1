//! A world of 10 000 joints as bytes, back, and as a hash. The times are those of the whole world.

use criterion::{Criterion, SamplingMode};
use kempe_peers::engine::STEP;
use kempe_peers::failure::Failure;
use kempe_peers::scenes::Entry;
use kempe2d::Registry;
use std::hint::black_box;

/// Scenes, the first of exactly so many joints.
const SCENES: [&str; 2] = ["chains", "mixed"];

pub fn bench(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("bytes");
    group.sampling_mode(SamplingMode::Flat);
    for name in SCENES {
        let mut world = Entry::named(name)?.build()?.world;
        // Impulses are a part of it.
        for _ in 0..2 {
            world.step(STEP)?;
        }
        let name = format!("{name}_{}", world.joint_count());
        group.bench_function(format!("snapshot/{name}"), |bencher| {
            bencher.iter(|| black_box(&world).snapshot());
        });
        group.bench_function(format!("hash/{name}"), |bencher| {
            bencher.iter(|| black_box(&world).state_hash());
        });
        group.bench_function(format!("copy/{name}"), |bencher| {
            bencher.iter_with_large_drop(|| black_box(&world).clone());
        });
        let (bytes, registry) = (world.snapshot(), Registry::new());
        let mut outcome = Ok(());
        group.bench_function(format!("restore/{name}"), |bencher| {
            bencher.iter(|| {
                let restored = world.restore(black_box(&bytes), &registry);
                if outcome.is_ok() {
                    outcome = restored;
                }
            });
        });
        outcome?;
    }
    group.finish();
    Ok(())
}
