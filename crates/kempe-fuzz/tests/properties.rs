//! What holds of every program, asked of random ones and of the gallery: the derivatives are the
//! derivatives, the lanes are the scalar, the printed program is the program.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use kempe_equation::{
    Block, BodyState, Borrowed, Cells, Evaluation, Input, Instance, LANES, Output, Program,
    RowKind, Sight, Style, Value, gallery, sample,
};
use kempe_fuzz::{Random, generate};
use kempe_scalar::Isa;
use std::fmt::Write;

const RANDOM_PROGRAMS: u64 = 1_500;

/// Random programs and the gallery, each with a name for messages.
fn programs() -> impl Iterator<Item = (String, Program)> {
    let random = (0..RANDOM_PROGRAMS).map(|seed| (format!("seed {seed}"), generate::program(seed)));
    let known = gallery::GALLERY.iter().map(|e| (e.name.to_owned(), e.source.to_owned()));
    known.chain(random).map(|(name, source)| {
        let program = Program::parse(&source).unwrap_or_else(|e| panic!("{name}\n{source}\n{e}"));
        (name, program)
    })
}

/// Between −1 and 1.
fn unit(random: &mut Random) -> f64 {
    (random.below(2_000_001) as f64 - 1e6) / 1e6
}

fn states(count: usize, random: &mut Random) -> Vec<BodyState> {
    let one = |random: &mut Random| BodyState {
        position: [2.0 * unit(random), 2.0 * unit(random)],
        rotation: 3.0 * unit(random),
        velocity: [unit(random), unit(random)],
        angular_velocity: unit(random),
        inverse_mass: 1.5 + unit(random),
        inverse_inertia: 1.5 + unit(random),
    };
    (0..count).map(|_| one(random)).collect()
}

/// The states after moving along their velocities for `dt`.
fn moved(states: &[BodyState], dt: f64) -> Vec<BodyState> {
    let one = |state: &BodyState| BodyState {
        position: [
            state.position[0] + dt * state.velocity[0],
            state.position[1] + dt * state.velocity[1],
        ],
        rotation: state.rotation + dt * state.angular_velocity,
        ..*state
    };
    states.iter().map(one).collect()
}

/// The states with one freedom of one body displaced.
fn displaced(states: &[BodyState], column: usize, by: f64) -> Vec<BodyState> {
    let mut states = states.to_vec();
    let state = &mut states[column / 3];
    match column % 3 {
        2 => state.rotation += by,
        axis => state.position[axis] += by,
    }
    states
}

/// Compares derivatives with differences, and counts those that cannot be told: next to a kink the
/// differences over h and h/2 do not agree.
#[derive(Default)]
struct Tally {
    told: usize,
    untold: usize,
}

impl Tally {
    /// `difference` gives f(+h) − f(−h), or nothing where f has no value.
    #[track_caller]
    fn compare(&mut self, what: &str, exact: f64, mut difference: impl FnMut(f64) -> Option<f64>) {
        const H: f64 = 2e-5;
        let [wide, narrow] = [H, H / 2.0].map(|h| difference(h).map(|value| value / (2.0 * h)));
        let (Some(wide), Some(narrow)) = (wide, narrow) else {
            self.untold += 1;
            return;
        };
        let size = 1.0 + narrow.abs() + exact.abs();
        if (wide - narrow).abs() > 1e-6 * size {
            self.untold += 1;
            return;
        }
        self.told += 1;
        assert!((exact - narrow).abs() < 2e-5 * size, "{what}: {exact} is not {narrow}");
    }

    fn finish(self) {
        let Self { told, untold } = self;
        assert!(told > 10_000, "only {told} comparisons");
        assert!(untold * 20 < told, "{untold} of {told} could not be compared");
    }
}

struct Case {
    name: String,
    joint: Instance,
    states: Vec<BodyState>,
    time: f64,
    values: Evaluation,
}

/// Every program at a few random states at which it has a value.
fn cases() -> impl Iterator<Item = Case> {
    programs().enumerate().flat_map(|(index, (name, program))| {
        let mut random = Random::new(index as u64);
        let (mut joint, bodies) = sample(&program).unwrap();
        // The sample's round numbers sit on the kinks of `clamp(x, -1, 1)`; the gallery's limits
        // would not hold for any others.
        for parameter in program.parameters().iter().filter(|_| name.starts_with("seed")) {
            let numbers = std::array::from_fn(|_| 1.5 * unit(&mut random));
            joint.set(&parameter.name, Value::from_components(parameter.kind, numbers)).unwrap();
        }
        let tries: Vec<Case> = (0..2)
            .filter_map(|_| {
                let states = states(bodies.len(), &mut random);
                let time = unit(&mut random);
                let values = joint.evaluate(&states, time).ok()?;
                Some(Case { name: name.clone(), joint: joint.clone(), states, time, values })
            })
            .collect();
        tries
    })
}

#[test]
fn most_programs_have_values() {
    let count = cases().count();
    let all = 2 * (RANDOM_PROGRAMS as usize + gallery::GALLERY.len());
    assert!(count * 10 > all * 9, "{count} of {all}");
}

#[test]
fn j_is_the_difference_of_c() {
    let mut tally = Tally::default();
    for Case { name, joint, states, time, values } in cases() {
        let kinds = joint.compiled().rows().to_vec();
        for column in 0..3 * states.len() {
            for (row, kind) in kinds.iter().enumerate() {
                if *kind == RowKind::Velocity {
                    continue;
                }
                let what = format!("{name}, row {row}, column {column}");
                tally.compare(&what, values.jacobian[row][column], |h| {
                    let at = |h| joint.evaluate(&displaced(&states, column, h), time).ok();
                    Some(at(h)?.value[row] - at(-h)?.value[row])
                });
            }
        }
    }
    tally.finish();
}

#[test]
fn v_is_dc_dt_along_the_motion() {
    let mut tally = Tally::default();
    for Case { name, joint, states, time, values } in cases() {
        for (row, kind) in joint.compiled().rows().iter().enumerate() {
            if *kind == RowKind::Velocity {
                continue;
            }
            let what = format!("{name}, row {row}");
            tally.compare(&what, values.velocity[row], |h| {
                let at = |h: f64| {
                    let mut later = joint.clone();
                    later.advance(&states, time, h).ok()?;
                    later.evaluate(&moved(&states, h), time + h).ok()
                };
                Some(at(h)?.value[row] - at(-h)?.value[row])
            });
        }
    }
    assert!(tally.told > 1_000, "only {} comparisons", tally.told);
    assert!(tally.untold * 20 < tally.told, "{} could not be compared", tally.untold);
}

#[test]
fn second_derivatives_are_differences_of_j() {
    let mut tally = Tally::default();
    for Case { name, joint, states, time, values } in cases() {
        let mut random = Random::new(99);
        let multipliers: Vec<f64> = values.value.iter().map(|_| unit(&mut random)).collect();
        let Ok(second) = joint.second_order(&states, time, &multipliers) else { continue };
        // Jᵀλ
        let forces = |states: &[BodyState]| -> Option<Vec<f64>> {
            let values = joint.evaluate(states, time).ok()?;
            let columns = 0..3 * states.len();
            let force = |j: usize| {
                values.jacobian.iter().zip(&multipliers).map(|(row, l)| row[j] * l).sum::<f64>()
            };
            Some(columns.map(force).collect())
        };
        for j in 0..3 * states.len() {
            for i in 0..3 * states.len() {
                let what = format!("{name}, curvature {i} {j}");
                tally.compare(&what, second.curvature[i][j], |h| {
                    let at = |h| forces(&displaced(&states, j, h));
                    Some(at(h)?[i] - at(-h)?[i])
                });
            }
        }
        for row in 0..values.value.len() {
            let what = format!("{name}, acceleration bias {row}");
            tally.compare(&what, second.acceleration_bias[row], |h| {
                let at = |h: f64| {
                    let mut later = joint.clone();
                    later.advance(&states, time, h).ok()?;
                    later.evaluate(&moved(&states, h), time + h).ok()
                };
                Some(at(h)?.velocity[row] - at(-h)?.velocity[row])
            });
        }
    }
    tally.finish();
}

/// A velocity constraint, printed, with its velocities replaced by parameters: its value is V, and
/// V must be J v + b with the J and b of the tape.
#[test]
fn a_velocity_constraint_is_j_v_plus_b() {
    let mut compared = 0;
    for Case { name, joint, states, time, values } in cases() {
        let program = joint.program();
        // A body called `a_inverseMass` beside one called `a` would clash with the names for K.
        let clash = program.bodies().iter().any(|name| name.contains("_inverse"));
        if clash || !joint.compiled().rows().contains(&RowKind::Velocity) {
            continue;
        }
        let explanation = program.explain(Style::Source);
        let mut text = String::new();
        for body in program.bodies() {
            let _ = writeln!(text, "body {body}");
        }
        // Without rates, which may use names that are not here.
        for parameter in program.parameters() {
            let _ = writeln!(text, "{} {}", parameter.kind.keyword(), parameter.name);
        }
        let mut renamed = String::new();
        for (definition, value) in &explanation.definitions {
            let _ = writeln!(renamed, "let {definition} = {value}");
        }
        let pieces = explanation.pieces.iter().filter(|p| p.kind == RowKind::Velocity);
        let rows: Vec<&str> = pieces.map(|piece| piece.value.as_str()).collect();
        let _ = writeln!(renamed, "constraint {{ {} }}", rows.join(", "));
        for body in program.bodies() {
            let _ = writeln!(text, "vector {body}_v\nscalar {body}_w");
            // Parts of K may be among the definitions.
            let _ = writeln!(text, "scalar {body}_inverseMass = 1, {body}_inverseInertia = 1");
            renamed = renamed.replace(&format!("{body}.velocity"), &format!("{body}_v"));
            renamed = renamed.replace(&format!("{body}.angularVel"), &format!("{body}_w"));
        }
        text += &renamed;
        let frozen = Program::parse(&text).unwrap_or_else(|e| panic!("{name}\n{text}\n{e}"));
        let mut copy = Instance::new(&frozen);
        for (index, body) in program.bodies().iter().enumerate() {
            copy.set_body(body, index).unwrap();
            copy.set_vector(&format!("{body}_v"), states[index].velocity).unwrap();
            copy.set_scalar(&format!("{body}_w"), states[index].angular_velocity).unwrap();
        }
        for parameter in program.parameters() {
            copy.set(&parameter.name, joint.get(&parameter.name).unwrap().unwrap()).unwrap();
        }
        let Ok(direct) = copy.evaluate(&states, time) else { continue };
        let kinds = joint.compiled().rows();
        let rows = (0..kinds.len()).filter(|row| kinds[*row] == RowKind::Velocity);
        for (row, direct) in rows.zip(&direct.value) {
            let found = values.velocity[row];
            let size = 1.0 + direct.abs();
            assert!(
                (found - direct).abs() < 1e-9 * size,
                "{name}: {found} is not {direct}\n{text}"
            );
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} velocity rows");
}

/// An input for a lane: anything will do, as long as every run gets the same.
fn number(input: Input, lane: usize) -> f32 {
    let mut random = Random::new(lane as u64 * 7_919 + format!("{input:?}").len() as u64);
    let skip = match input {
        Input::Base(index) | Input::Cosine(index) | Input::DeltaX(index) => index,
        Input::Parameter { index, component } => 2 * index + component,
        _ => 0,
    };
    for _ in 0..skip % 50 {
        random.below(10);
    }
    // One lane in eight is zero throughout: lengths vanish there.
    if lane % 8 == 7 { 0.0 } else { 2.0 * unit(&mut random) as f32 }
}

#[test]
fn every_lane_is_the_scalar_bit_for_bit() {
    let mut numbers = 0;
    for (name, program) in programs() {
        let compiled = program.compiled();
        let sight = compiled.sight().map(|sight| sight.step());
        for tape in [compiled.equations(), compiled.step()].into_iter().chain(sight) {
            let outputs = tape.outputs().len();
            let mut single = Cells::single(tape);
            let expected: Vec<Vec<f32>> = (0..LANES)
                .map(|lane| {
                    single.fill(|input| number(input, lane));
                    single.run();
                    (0..outputs).map(|output| single.output(output)).collect()
                })
                .collect();
            for isa in Isa::available() {
                let mut lanes = Cells::lanes(tape);
                let inputs = tape.inputs().to_vec();
                for (index, input) in inputs.into_iter().enumerate() {
                    for lane in 0..LANES {
                        lanes.input_mut(index)[lane] = number(input, lane);
                    }
                }
                lanes.run_on(isa, LANES);
                for (lane, expected) in expected.iter().enumerate() {
                    for (output, expected) in expected.iter().enumerate() {
                        let found = lanes.output(output, lane);
                        // The bits of a NaN are nobody's promise.
                        let same = found.to_bits() == expected.to_bits()
                            || found.is_nan() && expected.is_nan();
                        let isa = isa.name();
                        assert!(same, "{name}, {isa}, lane {lane}, {output}: {found} {expected}");
                        numbers += 1;
                    }
                }
            }
        }
    }
    assert!(numbers > 1_000_000);
}

/// C, and J for v_x, v_y of B, ω of A and ω of B, as B is seen from A, all in f64.
fn seen(joint: &Instance, sight: &Sight, states: &[BodyState]) -> Vec<[f64; 5]> {
    let parameter = |index: usize, component: usize| {
        let name = &joint.program().parameters()[index].name;
        joint.get(name).unwrap().unwrap().components()[component]
    };
    let [a, b] = [&states[0], &states[1]];
    // Half of the turning is within the step.
    let turned = 0.5;
    let number = |input: Input| match input {
        Input::OffsetX => b.position[0] - a.position[0],
        Input::OffsetY => b.position[1] - a.position[1],
        Input::Cosine(slot) => states[slot].rotation.cos(),
        Input::Sine(slot) => states[slot].rotation.sin(),
        Input::DeltaRotation(slot) => turned * states[slot].rotation,
        Input::Parameter { index, component } => parameter(index, component),
        Input::Memory { site, component } => joint.memories()[site][component],
        other => panic!("a sight reads {other:?}"),
    };
    let [mut step, mut fixed] = [sight.step(), sight.fixed()].map(Cells::precise);
    for cells in [&mut step, &mut fixed] {
        cells.fill(number);
        cells.run();
    }
    let row = |row: usize| {
        let [x, y, turn_a, turn_b, value] = sight.row(row).map(|output| step.output(output));
        let [k_a, k_b, more] = sight.fixed_outputs(row).map(|output| fixed.output(output));
        let start = (1.0 - turned) * (k_a * a.rotation + k_b * b.rotation);
        [value + start + more, x, y, turn_a, turn_b]
    };
    (0..joint.compiled().rows().len()).map(row).collect()
}

#[test]
fn as_b_is_seen_from_a_the_rows_are_the_same() {
    let (mut compared, mut away) = (0, 0);
    for Case { name, joint, states, time, values } in cases() {
        let Some(sight) = joint.compiled().sight() else { continue };
        if states.len() != 2 {
            continue;
        }
        let found = seen(&joint, sight, &states);
        for (row, found) in found.iter().enumerate() {
            let j = &values.jacobian[row];
            let expected = [values.value[row], j[3], j[4], j[2], j[5]];
            for (found, expected) in found.iter().zip(expected) {
                let size = 1.0 + expected.abs();
                assert!(
                    (found - expected).abs() < 1e-9 * size,
                    "{name}: {found} is not {expected}"
                );
                compared += 1;
            }
            // Where they are does not matter: A moves a row as B does, the other way.
            assert!(
                (j[0] + j[3]).abs() + (j[1] + j[4]).abs() < 1e-9 * (1.0 + j[3].abs() + j[4].abs())
            );
        }
        let mut moved = states.clone();
        for state in &mut moved {
            state.position = [state.position[0] + 3.0, state.position[1] - 5.0];
        }
        let Ok(there) = joint.evaluate(&moved, time) else { continue };
        for (here, there) in values.value.iter().zip(&there.value) {
            assert!((here - there).abs() < 1e-9 * (1.0 + here.abs()), "{name}: {here} {there}");
            away += 1;
        }
    }
    assert!(compared > 500 && away > 100, "only {compared} and {away} numbers");
}

#[test]
fn inputs_may_stand_elsewhere() {
    let mut borrowing = 0;
    for example in gallery::GALLERY {
        let program = Program::parse(example.source).unwrap();
        for tape in [program.compiled().equations(), program.compiled().step()] {
            let count = tape.inputs().len();
            let [mut own, mut other] = [Cells::lanes(tape), Cells::lanes(tape)];
            for (index, input) in tape.inputs().iter().enumerate() {
                *own.input_mut(index) = std::array::from_fn(|lane| number(*input, lane));
            }
            own.run(LANES);
            for first in 0..=count {
                for last in first..=count {
                    // What is borrowed is not in the cells.
                    let value = |index: usize| *own.block(index);
                    let blocks: Vec<Block> = (first..last).map(|k| Block(value(k))).collect();
                    for index in 0..count {
                        let elsewhere = (first..last).contains(&index);
                        *other.input_mut(index) =
                            if elsewhere { [9.0; LANES] } else { value(index) };
                    }
                    let borrowed = Borrowed { first, blocks: &blocks };
                    other.run_with(Isa::best(), LANES, borrowed);
                    for output in tape.outputs() {
                        let (Output::Cell(cell) | Output::Negated(cell)) = *output else {
                            continue;
                        };
                        let [found, expected] = [other.block_with(cell, borrowed), own.block(cell)];
                        let same = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
                        assert!(found.iter().zip(expected).all(same), "{}", example.name);
                        borrowing += 1;
                    }
                }
            }
        }
    }
    assert!(borrowing > 10_000, "only {borrowing}");
}

#[test]
fn a_partial_block_computes_its_lanes() {
    let program = Program::parse(gallery::find("line").unwrap().source).unwrap();
    let tape = program.compiled().equations();
    let mut whole = Cells::lanes(tape);
    let mut part = Cells::lanes(tape);
    for (index, input) in tape.inputs().iter().enumerate() {
        for lane in 0..LANES {
            whole.input_mut(index)[lane] = number(*input, lane);
            part.input_mut(index)[lane] = number(*input, lane);
        }
    }
    whole.run(LANES);
    for joints in [0, 1, 7, 8, 9, 63, 64, 1_000] {
        part.run(joints);
        for lane in 0..joints.min(LANES) {
            for output in 0..tape.outputs().len() {
                assert_eq!(part.output(output, lane), whole.output(output, lane));
            }
        }
    }
}

#[test]
fn f32_agrees_with_f64_on_the_gallery() {
    let mut worst: f64 = 0.0;
    for (index, example) in gallery::GALLERY.iter().enumerate() {
        let program = Program::parse(example.source).unwrap();
        let (joint, bodies) = sample(&program).unwrap();
        let mut random = Random::new(index as u64);
        for _ in 0..200 {
            let states = states(bodies.len(), &mut random);
            let time = unit(&mut random);
            let tape = joint.compiled().equations();
            let value = |input: Input| {
                let of = |slot: usize| states[slot];
                match input {
                    Input::PositionX(slot) => of(slot).position[0],
                    Input::PositionY(slot) => of(slot).position[1],
                    Input::Rotation(slot) => of(slot).rotation,
                    Input::Cosine(slot) => kempe_scalar::precise::sin_cos(of(slot).rotation).1,
                    Input::Sine(slot) => kempe_scalar::precise::sin_cos(of(slot).rotation).0,
                    Input::Parameter { index, component } => {
                        let name = &program.parameters()[index].name;
                        joint.get(name).unwrap().unwrap().components()[component]
                    }
                    Input::Time => time,
                    _ => 0.0,
                }
            };
            let (mut wide, mut narrow) = (Cells::precise(tape), Cells::single(tape));
            wide.fill(value);
            narrow.fill(|input| value(input) as f32);
            wide.run();
            narrow.run();
            for output in 0..tape.outputs().len() {
                let (wide, narrow) = (wide.output(output), f64::from(narrow.output(output)));
                // Relative to the larger of the number and the scene, which is of size 1.
                let error = (wide - narrow).abs() / (1.0 + wide.abs());
                // Next to a zero length a direction is anybody's guess; these are not.
                if error > worst && wide.abs() < 50.0 {
                    worst = error;
                    assert!(worst < 1e-5, "{}, {output}: {wide} {narrow}", example.name);
                }
            }
        }
    }
    assert!(worst > 1e-8, "f32 was really used");
}

#[test]
fn a_printed_program_is_the_same_program() {
    for (name, program) in programs() {
        let printed = program.to_string();
        let again = Program::parse(&printed).unwrap_or_else(|e| panic!("{name}\n{printed}\n{e}"));
        assert_eq!(printed, again.to_string(), "{name}");
        let (mut joint, bodies) = sample(&program).unwrap();
        let (copy, _) = sample(&again).unwrap();
        let multipliers = vec![0.5; 64];
        let both = |joint: &Instance| {
            (joint.evaluate(&bodies, 0.25), joint.second_order(&bodies, 0.25, &multipliers))
        };
        assert_eq!(both(&joint), both(&copy), "{name}\n{printed}");
        // The mathematics pastes back too, next to the declarations of the program.
        let _ = joint.advance(&bodies, 0.25, 0.01);
        assert!(!program.explain_text().is_empty());
    }
}
