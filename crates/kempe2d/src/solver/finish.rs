//! From rows to lanes that the passes solve: what programs and types of the user have in common.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::apart::per_rate;
use super::bucket::{Bucket, LANES, Layout};
use super::evaluate::{answered, by_point, factors, factors_of, inverse, of_point};
use crate::joints::Row;
use kempe_scalar::Lanes;

/// Where an entry has its fields, in floats from the first lane of its batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// From one batch to the next.
    pub batch: usize,
    /// 1/m_x, 1/m_y, 1/I of A, then of B; and what they are, if all entries have the same.
    masses: usize,
    same: Option<[f32; Layout::MASSES]>,
    /// n_x, n_y, a, b by row; or a and b alone of those of a point, and nothing of its angle.
    rows: [usize; 3],
    /// Whether the rows are so.
    known: bool,
    values: [usize; 3],
    /// What is taken off the coordinates, if something is.
    targets: [usize; 3],
    counted: bool,
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
    /// Whether the rows are those of a point.
    pub point: bool,
    /// Whether they are a hold that ends in an angle.
    turns: bool,
}

impl Fields {
    pub(crate) fn new(bucket: &Bucket) -> Self {
        let layout = &bucket.layout;
        let by_row = |field: &dyn Fn(usize) -> usize| {
            std::array::from_fn(|row| LANES * field(row.min(layout.rows - 1)))
        };
        Self {
            batch: LANES * layout.fields(),
            masses: LANES * layout.masses(),
            same: bucket.masses,
            rows: by_row(&|row| layout.row(row)),
            known: layout.point,
            values: by_row(&|row| layout.value(row)),
            targets: by_row(&|row| layout.target(row)),
            counted: layout.targets > 0,
            factors: LANES * layout.factors(),
            impulses: [LANES * layout.impulse(0), LANES * layout.soft()],
            soft: LANES * layout.soft(),
            offset: LANES * layout.offset(),
            columns: LANES * layout.parameters(),
            off: LANES * layout.off(),
            point: bucket.kind.is_point(),
            turns: bucket.ends_in_angle(),
        }
    }

    /// The masses of a batch, by what reads its fields.
    #[inline(always)]
    fn masses_by<L: Lanes>(&self, read: impl Fn(usize) -> L) -> [L; Layout::MASSES] {
        match self.same {
            Some(masses) => masses.map(L::splat),
            None => std::array::from_fn(|k| read(self.masses + k * LANES)),
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

    /// The row that a law is on.
    #[inline(always)]
    pub(crate) fn law(rows: [Row<L>; 3], row: usize) -> Self {
        Self { rows: [rows[row]; 3], held: rows }
    }
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
    soft: Option<[f32; Layout::SOFT]>,
    found: Found<L>,
    hold: usize,
) -> bool {
    // SAFETY: as promised: fields lie in the batch.
    let read = |field: usize| unsafe { L::load(base.add(field)) };
    // SAFETY: as above.
    let write = |field: usize, value: L| unsafe { value.store(base.add(field)) };
    let zero = L::splat(0.0);
    let Found { rows, held } = found;
    let mut sum = zero;
    for (k, row) in rows.iter().enumerate().take(N) {
        let (Row { value, n, a, b }, field) = (*row, fields.rows[k]);
        sum = sum + (value + a) + b;
        if !fields.known {
            write(field, n.x);
            write(field + LANES, n.y);
            write(field + 2 * LANES, a);
            write(field + 3 * LANES, b);
            sum = sum + (n.x + n.y);
        } else if k < 2 {
            write(field, a);
            write(field + LANES, b);
        }
    }
    let m = fields.masses_by(read);
    let soft = |k: usize| match soft {
        Some(soft) => L::splat(soft[k]),
        None => read(fields.soft + k * LANES),
    };
    let gamma = soft(4);
    let mut less = zero;
    if N == 1 && hold > 0 {
        // A law moves what the hold of its joint lets it move.
        let product = |r: &Row<L>, s: &Row<L>| {
            (m[0] + m[3]) * r.n.x * s.n.x
                + (m[1] + m[4]) * r.n.y * s.n.y
                + m[2] * r.a * s.a
                + m[5] * r.b * s.b
        };
        let taken = match fields.point {
            true => by_point(&held, &m),
            false => answered::<L>(hold, &held, &rows[0], product),
        };
        less = taken.min(soft(Layout::THROUGH) * product(&rows[0], &rows[0]));
    }
    let put = |k: usize, value: L| write(fields.factors + k * LANES, value);
    let yields = (N > 1 && fields.turns).then(|| soft(3) * soft(5));
    let apart = match N > 1 && fields.point {
        true => factors_of(|i, j| of_point(&rows, &m, i, j), N, gamma, less, yields, put),
        false => factors(&rows, N, &m, gamma, less, yields, put),
    };
    let mut shifts = [zero; 3];
    if yields.is_some() {
        let impulse = |k: usize| read(fields.impulses[0] + k * LANES);
        shifts = apart.shifts(N, per_rate(soft(0)), impulse);
    }
    for (k, row) in rows.iter().enumerate().take(N) {
        let mut value = row.value;
        if fields.counted {
            value = value - read(fields.targets[k]);
        }
        write(fields.values[k], value - shifts[k]);
    }
    // What is not finite, times 0, is not 0.
    let whole = L::mask_all((sum * zero + read(fields.off)).equals(zero));
    if !whole {
        // SAFETY: as promised.
        unsafe { leave_out(base, fields, N, L::WIDTH) };
    }
    !whole
}

/// The same for a law on the angle behind the rows of a point: most of its row is known.
///
/// # Safety
/// As of [`finish`].
#[inline(always)]
pub(crate) unsafe fn finish_angle<L: Lanes>(
    base: *mut f32,
    fields: &Fields,
    soft: Option<[f32; Layout::SOFT]>,
    value: L,
    held: &[Row<L>; 3],
) -> bool {
    // SAFETY: as promised: fields lie in the batch.
    let read = |field: usize| unsafe { L::load(base.add(field)) };
    // SAFETY: as above.
    let write = |field: usize, value: L| unsafe { value.store(base.add(field)) };
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    for (k, part) in [zero, zero, one, one].into_iter().enumerate() {
        write(fields.rows[0] + k * LANES, part);
    }
    write(fields.values[0], value - read(fields.targets[0]));
    let m = fields.masses_by(read);
    let soft = |k: usize| match soft {
        Some(soft) => L::splat(soft[k]),
        None => read(fields.soft + k * LANES),
    };
    let own = m[2] + m[5];
    let left = own + soft(4) - by_point(held, &m).min(soft(Layout::THROUGH) * own);
    write(fields.factors, inverse(left.max(zero), own));
    let whole = L::mask_all((value * zero + read(fields.off)).equals(zero));
    if !whole {
        // SAFETY: as promised.
        unsafe { leave_out(base, fields, 1, L::WIDTH) };
    }
    !whole
}

/// Takes lanes with a number that is not finite out of the step: they have no rows and no impulses.
///
/// # Safety
/// As of [`finish`], for so many lanes.
#[cold]
#[inline(never)]
unsafe fn leave_out(base: *mut f32, fields: &Fields, rows: usize, width: usize) {
    let numbers = |k: usize| {
        let count = if !fields.known {
            4
        } else if k < 2 {
            2
        } else {
            0
        };
        let row = fields.rows[k];
        (0..count).map(move |j| row + j * LANES).chain([fields.values[k]])
    };
    for lane in 0..width {
        // SAFETY: as promised: fields lie in the batch.
        let at = |field: usize| unsafe { &mut *base.add(field + lane) };
        let finite = (0..rows).flat_map(numbers).all(|field| at(field).is_finite());
        if finite && *at(fields.off) == 0.0 {
            continue;
        }
        *at(fields.off) = 1.0;
        let block = (0..rows * (rows + 1) / 2).map(|k| fields.factors + k * LANES);
        let impulses = (fields.impulses[0]..fields.impulses[1]).step_by(LANES);
        for field in (0..rows).flat_map(numbers).chain(block).chain(impulses) {
            *at(field) = 0.0;
        }
    }
}
