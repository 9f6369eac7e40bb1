//! How much slower is a joint from text than one written by hand for lanes?
//!
//! Both compute C and J of the same joints from the same blocks of 64, on the same instruction
//! set. The runs are interleaved, and the ratio is taken within each round, so that a busy machine
//! hits both alike; the median and the spread of the rounds are printed.

mod hand;

use hand::{
    ANCHORS, ANGLE1, ANGLE2, C1, C2, Hand, HandBlock, INPUTS, MEMORY, OUTPUTS, OWN, S1, S2, X1, X2,
    Y1, Y2,
};
use kempe_equation::{Block, Cells, Compiled, Input, LANES, Output, Program, gallery};
use kempe_scalar::Isa;
use std::hint::black_box;
use std::time::Instant;

/// 1,024 joints: past the first cache, well inside the second, for either side.
const BLOCKS: usize = 16;
const ROUNDS: usize = 41;
const REPEATS: usize = 400;

fn main() {
    let isa = Isa::best();
    println!(
        "C and J of {} joints in blocks of {LANES}, {} lanes ({}); {ROUNDS} interleaved rounds",
        BLOCKS * LANES,
        isa.width(),
        isa.name()
    );
    println!(
        "{:<10} {:>12} {:>12} {:>8} {:>16} {:>14}",
        "ns/joint", "by hand", "tape", "ratio", "spread", "change tape"
    );
    for (name, hand) in [("weld", Hand::Weld), ("distance", Hand::Distance), ("line", Hand::Line)] {
        let Some(program) = gallery::find(name).and_then(|e| Program::parse(e.source).ok()) else {
            eprintln!("the gallery has no program `{name}`");
            std::process::exit(1);
        };
        compare(isa, name, hand, program.compiled());
    }
}

fn compare(isa: Isa, name: &str, hand: Hand, compiled: &Compiled) {
    let mut by_hand = blocks();
    let mut by_tape = tapes(compiled, &by_hand);
    let mut changes: Vec<Cells<Block>> =
        (0..BLOCKS).map(|_| Cells::lanes(compiled.step())).collect();
    for cells in &mut changes {
        cells.fill(|_| Block([0.5; LANES]));
    }
    for (block, cells) in by_hand.iter_mut().zip(&mut by_tape) {
        hand.run(isa, block);
        cells.run_on(isa, LANES);
        check(name, hand, compiled, block, cells);
    }
    let joints = (BLOCKS * LANES * REPEATS) as f64;
    let mut rounds: Vec<[f64; 4]> = (0..ROUNDS)
        .map(|_| {
            let hand_time = time(|| by_hand.iter_mut().for_each(|block| hand.run(isa, block)));
            let tape_time = time(|| by_tape.iter_mut().for_each(|cells| cells.run_on(isa, LANES)));
            let step_time = time(|| changes.iter_mut().for_each(|cells| cells.run_on(isa, LANES)));
            black_box((&by_hand, &by_tape, &changes));
            let all = [hand_time, tape_time, step_time].map(|t| 1e9 * t / joints);
            [all[0], all[1], all[2], all[1] / all[0]]
        })
        .collect();
    let mut column = |index: usize| -> [f64; 3] {
        rounds.sort_by(|a, b| a[index].total_cmp(&b[index]));
        [ROUNDS / 10, ROUNDS / 2, ROUNDS - 1 - ROUNDS / 10].map(|at| rounds[at][index])
    };
    let (hand_ns, tape_ns, step_ns, ratio) = (column(0), column(1), column(2), column(3));
    println!(
        "{name:<10} {:>12.3} {:>12.3} {:>8.2} {:>7.2} to {:<5.2} {:>14.3}",
        hand_ns[1], tape_ns[1], ratio[1], ratio[0], ratio[2], step_ns[1]
    );
}

fn time(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..REPEATS {
        run();
    }
    start.elapsed().as_secs_f64()
}

/// Joints at scattered poses.
fn blocks() -> Vec<HandBlock> {
    let mut state = 1_u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut block = || {
        let mut inputs = [Block([0.0; LANES]); INPUTS];
        for lane in 0..LANES {
            for input in &mut inputs {
                input.0[lane] = random();
            }
            for (angle, c, s) in [(ANGLE1, C1, S1), (ANGLE2, C2, S2)] {
                let (sin, cos) = kempe_scalar::sin_cos(inputs[angle].0[lane]);
                (inputs[c].0[lane], inputs[s].0[lane]) = (cos, sin);
            }
        }
        HandBlock { inputs, outputs: [Block([0.0; LANES]); OUTPUTS] }
    };
    (0..BLOCKS).map(|_| block()).collect()
}

fn tapes(compiled: &Compiled, blocks: &[HandBlock]) -> Vec<Cells<Block>> {
    let each = blocks.iter().map(|block| {
        let mut cells = Cells::lanes(compiled.equations());
        cells.fill(|input| block.inputs[place(input)]);
        cells
    });
    each.collect()
}

/// Which input of the hand-written joint an input of the tape is.
fn place(input: Input) -> usize {
    match input {
        Input::PositionX(slot) => [X1, X2][slot],
        Input::PositionY(slot) => [Y1, Y2][slot],
        Input::Rotation(slot) => [ANGLE1, ANGLE2][slot],
        Input::Cosine(slot) => [C1, C2][slot],
        Input::Sine(slot) => [S1, S2][slot],
        Input::Parameter { index, component } if index < 2 => ANCHORS + 2 * index + component,
        Input::Parameter { component, .. } => OWN + component,
        Input::Memory { component, .. } => MEMORY + component,
        _ => 0,
    }
}

/// Both must have computed the same numbers, or the comparison means nothing.
fn check(name: &str, hand: Hand, compiled: &Compiled, block: &HandBlock, cells: &Cells<Block>) {
    // (row, None for C or the column of J, where the hand-written joint has it, its sign)
    let entries: &[(usize, Option<usize>, usize, f32)] = match hand {
        Hand::Weld => &[
            (0, None, 0, 1.0),
            (1, None, 1, 1.0),
            (2, None, 2, 1.0),
            (1, Some(2), 3, -1.0),
            (0, Some(2), 4, 1.0),
            (1, Some(5), 5, 1.0),
            (0, Some(5), 6, -1.0),
        ],
        Hand::Distance => &[
            (0, None, 0, 1.0),
            (0, Some(3), 1, 1.0),
            (0, Some(4), 2, 1.0),
            (0, Some(2), 3, -1.0),
            (0, Some(5), 4, 1.0),
        ],
        Hand::Line => &[
            (0, None, 0, 1.0),
            (1, None, 1, 1.0),
            (0, Some(3), 2, 1.0),
            (0, Some(4), 3, 1.0),
            (0, Some(2), 4, 1.0),
            (0, Some(5), 5, 1.0),
            (1, Some(2), 6, -1.0),
            (1, Some(5), 7, 1.0),
        ],
    };
    for &(row, column, output, sign) in entries {
        let index = match column {
            None => compiled.value(row),
            Some(column) => compiled.jacobian(row, column / 3, column % 3),
        };
        assert!(
            matches!(compiled.equations().outputs()[index], Output::Cell(_) | Output::Negated(_)),
            "{name}: output {index} is computed"
        );
        for lane in 0..LANES {
            let (ours, theirs) = (cells.output(index, lane), sign * block.outputs[output].0[lane]);
            assert!((ours - theirs).abs() < 1e-5, "{name}, {row} {column:?}: {ours} {theirs}");
        }
    }
}
