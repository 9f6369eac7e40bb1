//! How long the parts take, each by itself.
//!
//! ```text
//! cargo bench -p kempe-peers --bench parts            # everything, some minutes
//! cargo bench -p kempe-peers --bench parts -- tape    # what has `tape` in its name
//! ```
//!
//! | file | has |
//! |---|---|
//! | `joints`, `kinds` | steps of worlds that have joints of one kind |
//! | `graphs` | colouring and islands |
//! | `rows` | velocities of bodies gathered into lanes, and scattered |
//! | `tapes` | programs, in lanes and one by one |
//! | `bytes` | snapshot, restore and hash |
//!
//! Names end with the instruction set and the number of its lanes, where there is a choice. A time is
//! that of one joint, constraint or body, unless the name says otherwise.

mod bytes;
mod graphs;
mod joints;
mod kinds;
mod rows;
mod tapes;

use criterion::{Bencher, Criterion};
use kempe_peers::failure::Failure;
use kempe_scalar::Isa;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    match all(&mut criterion) {
        Ok(()) => {
            criterion.final_summary();
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn all(criterion: &mut Criterion) -> Result<(), Failure> {
    joints::bench(criterion)?;
    graphs::bench(criterion)?;
    rows::bench(criterion);
    tapes::bench(criterion)?;
    bytes::bench(criterion)
}

/// An instruction set and the number of its lanes.
fn lanes(isa: Isa) -> String {
    format!("{}x{}", isa.name(), isa.width())
}

/// Measures a pass over so many things, as the time of one of them.
///
/// What counts as an iteration is one thing; so many whole passes are made that they are enough.
fn per_element(bencher: &mut Bencher<'_>, elements: usize, mut pass: impl FnMut()) {
    bencher.iter_custom(|iterations| {
        let passes = iterations.div_ceil(elements as u64);
        let start = Instant::now();
        for _ in 0..passes {
            pass();
        }
        share(start.elapsed(), iterations, passes, elements)
    });
}

/// The part of a time that so many things have in it.
fn share(elapsed: Duration, iterations: u64, passes: u64, elements: usize) -> Duration {
    let done = passes as f64 * elements as f64;
    elapsed.mul_f64(iterations as f64 / done)
}
