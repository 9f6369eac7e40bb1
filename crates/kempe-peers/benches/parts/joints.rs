//! A step of a world whose joints are all of one kind, on one thread and joint by joint.
//!
//! The time is that of a whole step by the number of joints: their rows, their passes, and the two
//! bodies that each of them has. `bodies` has the bodies alone, to be taken off.

use crate::kinds::{Kind, PAIRS};
use crate::{lanes, share};
use criterion::{Criterion, SamplingMode};
use kempe_peers::engine::STEP;
use kempe_peers::failure::Failure;
use kempe_scalar::Isa;
use kempe2d::{World, bench::set_isa};
use std::time::{Duration, Instant};

/// After so many steps a world starts over: what is measured does not depend on how fast the machine
/// is, and nothing comes to rest.
const ROUND: u64 = 64;

/// So many steps are not timed: the first puts the joints into lanes.
const UNTIMED: u32 = 2;

pub fn bench(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("joint");
    group.sampling_mode(SamplingMode::Flat);
    for kind in Kind::ALL {
        let fresh = kind.world()?;
        for isa in Isa::available() {
            let mut fresh = fresh.clone();
            set_isa(&mut fresh, isa);
            let mut failed = None;
            group.bench_function(format!("{}/{}", kind.name(), lanes(isa)), |bencher| {
                bencher.iter_custom(|iterations| {
                    let steps = iterations.div_ceil(PAIRS as u64);
                    match timed(&fresh, steps) {
                        Ok(elapsed) => share(elapsed, iterations, steps, PAIRS),
                        Err(error) => {
                            failed = Some(error);
                            Duration::from_secs(1)
                        }
                    }
                });
            });
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
    }
    group.finish();
    Ok(())
}

/// How long so many steps take.
fn timed(fresh: &World, steps: u64) -> Result<Duration, kempe2d::Error> {
    let mut left = steps;
    let mut elapsed = Duration::ZERO;
    while left > 0 {
        let mut world = fresh.clone();
        for _ in 0..UNTIMED {
            world.step(STEP)?;
        }
        let now = left.min(ROUND);
        let start = Instant::now();
        for _ in 0..now {
            world.step(STEP)?;
        }
        elapsed += start.elapsed();
        left -= now;
    }
    Ok(elapsed)
}
