//! From rows to lanes that the passes solve: what programs and types of the user have in common.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::bucket::{LANES, Layout};
use super::evaluate::{answered, factors};
use crate::joints::Row;
use kempe_scalar::{Lanes, Vec2};

/// Where an entry has its fields, in floats from the first lane of its batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// From one batch to the next.
    pub batch: usize,
    /// 1/m_x, 1/m_y, 1/I of A, then of B.
    masses: usize,
    /// n_x, n_y, a, b by row.
    rows: [usize; 3],
    values: [usize; 3],
    /// What is taken off the coordinates.
    targets: [usize; 3],
    factors: usize,
    /// The first of the impulses, and what comes after the last.
    impulses: [usize; 2],
    soft: usize,
    /// From A to B at the start of the step.
    pub offset: usize,
    /// The numbers of a joint, a column each.
    pub columns: usize,
    /// Above 0 where the lane is left out of the step.
    pub off: usize,
}

impl Fields {
    pub(crate) fn new(layout: &Layout) -> Self {
        let by_row = |field: &dyn Fn(usize) -> usize| {
            std::array::from_fn(|row| LANES * field(row.min(layout.rows - 1)))
        };
        Self {
            batch: LANES * layout.fields(),
            masses: LANES * Layout::MASSES,
            rows: by_row(&|row| layout.row(row)),
            values: by_row(&|row| layout.value(row)),
            targets: by_row(&|row| layout.target(row)),
            factors: LANES * layout.factors(),
            impulses: [LANES * layout.impulse(0), LANES * layout.soft()],
            soft: LANES * layout.soft(),
            offset: LANES * layout.offset(),
            columns: LANES * layout.parameters(),
            off: LANES * layout.off(),
        }
    }
}

/// The rows of the joints of a batch.
pub(crate) struct Found<L> {
    /// Those that the entry solves, from the first on.
    pub rows: [Row<L>; 3],
    /// Those that are held, for a law that acts through them.
    pub held: [Row<L>; 3],
}

impl<L: Copy> Found<L> {
    /// Rows that an entry solves as a block.
    #[inline(always)]
    pub(crate) fn all(rows: [Row<L>; 3]) -> Self {
        Self { rows, held: rows }
    }
}

/// What is not finite, times 0, is not 0.
#[inline(always)]
fn amiss<L: Lanes>(row: &Row<L>) -> L {
    (row.value + row.n.x + row.n.y) * L::splat(0.0) + (row.a + row.b) * L::splat(0.0)
}

/// The value, but 0 where `whole` is not.
#[inline(always)]
fn kept<L: Lanes>(whole: L::Mask, value: L) -> L {
    L::select(whole, value, L::splat(0.0))
}

/// Writes the first `N` rows of a batch and the factors of K; `hold` rows take back what a law does, if
/// it is one. Lanes with a number that is not finite are left out, as those that were. Says whether
/// there are any.
///
/// # Safety
/// From `base` on there is a batch with these fields, of which the lanes are the first or those at a
/// multiple of the width.
#[inline(always)]
pub(crate) unsafe fn finish<L: Lanes, const N: usize>(
    base: *mut f32,
    fields: &Fields,
    gamma: Option<f32>,
    found: Found<L>,
    hold: usize,
) -> bool {
    // SAFETY: as promised: fields lie in the batch.
    let read = |field: usize| unsafe { L::load(base.add(field)) };
    // SAFETY: as above.
    let write = |field: usize, value: L| unsafe { value.store(base.add(field)) };
    let zero = L::splat(0.0);
    let Found { mut rows, held } = found;
    let mut sum = read(fields.off) + amiss(&rows[0]);
    if N > 1 {
        sum = sum + amiss(&rows[1]);
    }
    if N > 2 {
        sum = sum + amiss(&rows[2]);
    }
    let whole = sum.equals(zero);
    let all = L::mask_all(whole);
    if !all {
        for row in &mut rows {
            let Row { value, n, a, b } = *row;
            let n = Vec2::new(kept(whole, n.x), kept(whole, n.y));
            *row = Row { value: kept(whole, value), n, a: kept(whole, a), b: kept(whole, b) };
        }
        for field in (fields.impulses[0]..fields.impulses[1]).step_by(LANES) {
            write(field, kept(whole, read(field)));
        }
        write(fields.off, L::select(whole, zero, L::splat(1.0)));
    }
    for k in 0..N {
        let (Row { value, n, a, b }, field) = (rows[k], fields.rows[k]);
        write(field, n.x);
        write(field + LANES, n.y);
        write(field + 2 * LANES, a);
        write(field + 3 * LANES, b);
        let value = value - read(fields.targets[k]);
        write(fields.values[k], if all { value } else { kept(whole, value) });
    }
    let m: [L; 6] = std::array::from_fn(|k| read(fields.masses + k * LANES));
    let gamma = match gamma {
        Some(gamma) => L::splat(gamma),
        None => read(fields.soft + 4 * LANES),
    };
    let mut less = zero;
    if N == 1 && hold > 0 {
        // A law moves what the hold of its joint lets it move.
        let taken = answered::<L>(hold, &held, &rows[0], |r, s| {
            (m[0] + m[3]) * r.n.x * s.n.x
                + (m[1] + m[4]) * r.n.y * s.n.y
                + m[2] * r.a * s.a
                + m[5] * r.b * s.b
        });
        less = read(fields.soft + Layout::THROUGH * LANES) * taken;
    }
    factors(&rows, N, &m, gamma, less, |k, value| write(fields.factors + k * LANES, value));
    !all
}
