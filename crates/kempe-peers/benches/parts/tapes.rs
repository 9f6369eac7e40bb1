//! C and J of programs: 64 joints at a time in lanes, or one by one, in f32 and in f64.
//!
//! `cargo bench -p kempe-equation` compares the first of these with lanes written by hand.

use crate::{lanes, per_element};
use criterion::Criterion;
use kempe_equation::{Block, Cells, Input, LANES, PreciseBlock, Program, gallery};
use kempe_peers::failure::Failure;
use kempe_scalar::{Isa, precise};
use std::hint::black_box;

/// From the gallery: from three operations to many, with and without functions.
const PROGRAMS: [&str; 6] = ["angle", "pivot", "weld", "distance", "pulley", "watt_coupler"];

pub fn bench(criterion: &mut Criterion) -> Result<(), Failure> {
    let mut group = criterion.benchmark_group("tape");
    for name in PROGRAMS {
        let Some(example) = gallery::find(name) else {
            return Err(Failure::Other(format!("the gallery has no program `{name}`")));
        };
        let program = Program::parse(example.source);
        let program = program.map_err(|error| Failure::Other(error.to_string()))?;
        let tape = program.compiled().equations();
        for isa in Isa::available() {
            let mut cells = Cells::lanes(tape);
            cells.fill(|input| Block(numbers(input).map(|number| number as f32)));
            group.bench_function(format!("{name}/f32_64/{}", lanes(isa)), |bencher| {
                per_element(bencher, LANES, || black_box(&mut cells).run_on(isa, LANES));
            });
        }
        let mut cells = Cells::precise_lanes(tape);
        cells.fill(|input| PreciseBlock(numbers(input)));
        group.bench_function(format!("{name}/f64_64"), |bencher| {
            per_element(bencher, LANES, || black_box(&mut cells).run());
        });
        let mut cells = Cells::single(tape);
        cells.fill(|input| numbers(input)[0] as f32);
        group.bench_function(format!("{name}/f32_1"), |bencher| {
            bencher.iter(|| black_box(&mut cells).run());
        });
        let mut cells = Cells::precise(tape);
        cells.fill(|input| numbers(input)[0]);
        group.bench_function(format!("{name}/f64_1"), |bencher| {
            bencher.iter(|| black_box(&mut cells).run());
        });
    }
    group.finish();
    Ok(())
}

/// Numbers for an input: angles with their sines and cosines, and everything else from 0.5 to 1.5.
fn numbers(input: Input) -> [f64; LANES] {
    let spread = |seed: usize, lane: usize| 0.5 + ((seed * 37 + lane * 11) % 101) as f64 / 101.0;
    let angle = |slot: usize, lane: usize| spread(slot, lane);
    std::array::from_fn(|lane| match input {
        Input::Rotation(slot) => angle(slot, lane),
        Input::Cosine(slot) => precise::sin_cos(angle(slot, lane)).1,
        Input::Sine(slot) => precise::sin_cos(angle(slot, lane)).0,
        Input::PositionX(slot) => spread(slot + 7, lane),
        Input::PositionY(slot) => spread(slot + 19, lane),
        Input::Parameter { index, component } => spread(2 * index + component + 31, lane),
        _ => spread(43, lane),
    })
}
