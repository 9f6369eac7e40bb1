//! Which programs go in the lanes of the built-in joints, and what their rows are there.

use kempe_equation::{Compiled, Input, Output, RowKind, Sight};

/// How many of its rows are held.
pub(super) fn held_rows(compiled: &Compiled) -> usize {
    let held = |kind: &&RowKind| **kind == RowKind::Position;
    compiled.rows().iter().filter(held).count()
}

/// Whether its rows are x and y of a point, both held, and the angle if there is a third.
pub(super) fn is_point(compiled: &Compiled) -> bool {
    let outputs = compiled.step().outputs();
    let is = |row: usize, [x, y]: [Output; 2]| {
        let at = |slot: usize, freedom: usize| outputs[compiled.jacobian(row, slot, freedom)];
        let turning = [at(0, 2), at(1, 2)] == [Output::MinusOne, Output::One];
        [at(1, 0), at(1, 1)] == [x, y] && (row < 2 || turning)
    };
    let (zero, one) = (Output::Zero, Output::One);
    let rows = compiled.rows().len();
    (2..=3).contains(&rows)
        && held_rows(compiled) >= 2
        && is(0, [one, zero])
        && is(1, [zero, one])
        && (rows == 2 || is(2, [zero, zero]))
}

/// The only row without n, which is an angle.
pub(super) fn angle_of(compiled: &Compiled) -> Option<u8> {
    let outputs = compiled.step().outputs();
    let turns = |row: &usize| {
        (0..2).all(|freedom| outputs[compiled.jacobian(*row, 1, freedom)] == Output::Zero)
    };
    let mut angles = (0..compiled.rows().len()).filter(turns);
    let first = angles.next()?;
    u8::try_from(first).ok().filter(|_| angles.next().is_none())
}

/// Whether a program is one for lanes.
pub(super) fn fits(compiled: &Compiled) -> bool {
    let outputs = compiled.step().outputs();
    let at =
        |row: usize, slot: usize, freedom: usize| outputs[compiled.jacobian(row, slot, freedom)];
    let paired = |row: usize| {
        let opposite = (0..2).all(|k| opposite(at(row, 0, k), at(row, 1, k)));
        opposite && outputs[compiled.bias(row)] == Output::Zero
    };
    let known = |input: &Input| {
        matches!(
            input,
            Input::Cosine(_)
                | Input::Sine(_)
                | Input::DeltaX(_)
                | Input::DeltaY(_)
                | Input::DeltaRotation(_)
                | Input::Base(_)
        )
    };
    let begins = |input: &Input| {
        matches!(
            input,
            Input::PositionX(_)
                | Input::PositionY(_)
                | Input::Rotation(_)
                | Input::Cosine(_)
                | Input::Sine(_)
                | Input::Parameter { .. }
                | Input::Memory { .. }
        )
    };
    let rows = compiled.rows().len();
    compiled.is_plain()
        && compiled.slots() == 2
        && held_rows(compiled) <= 3
        && rows > 0
        && (0..rows).all(paired)
        && compiled.step().inputs().iter().all(known)
        && compiled.start().inputs().iter().all(begins)
}

/// Whether one output is minus the other.
fn opposite(a: Output, b: Output) -> bool {
    match (a, b) {
        (Output::Zero, Output::Zero)
        | (Output::One, Output::MinusOne)
        | (Output::MinusOne, Output::One) => true,
        (Output::Constant(a), Output::Constant(b)) => a == -b,
        (Output::Cell(a), Output::Negated(b)) | (Output::Negated(a), Output::Cell(b)) => a == b,
        _ => false,
    }
}

/// Whether the first two rows, as B is seen from A, are all of what they are.
pub(super) fn counts_from_nothing(sight: &Sight, rows: usize) -> bool {
    let outputs = sight.fixed().outputs();
    let more = (0..rows.min(2)).flat_map(|row| sight.fixed_outputs(row));
    more.into_iter().all(|output| outputs[output] == Output::Zero)
}
