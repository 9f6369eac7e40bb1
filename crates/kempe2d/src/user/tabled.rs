//! Numbers for many joints of one type at once.
//!
//! Joints of a type differ in nothing but their constants, in the order in which their equations ask for
//! them: that is what a [`Recording`](super::Recording) has shown. So the equations of one of them serve
//! for all: where they ask for a constant they get the next column of a table, with a number for each
//! joint.
#![expect(unsafe_code, reason = "columns are read through a pointer")]

use kempe_scalar::{Dual, Lanes, Real};
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Floats from one column to the next.
const LANES: usize = crate::solver::LANES;

/// The next column, and the last one: both are readable at any time.
#[derive(Clone, Copy)]
struct Columns {
    next: *const f32,
    last: *const f32,
}

static ZEROS: [f32; LANES] = [0.0; LANES];
const NONE: Columns = Columns { next: ZEROS.as_ptr(), last: ZEROS.as_ptr() };

thread_local! {
    static COLUMNS: Cell<Columns> = const { Cell::new(NONE) };
}

/// While it lives constants come from tables.
pub(super) struct Table(());

impl Table {
    pub(super) fn new() -> Self {
        Self(())
    }

    /// The next constants are these columns, in their order; what is asked for beyond them is the last
    /// one again.
    ///
    /// # Safety
    /// `first` must be readable for `more` columns and one, of as many lanes as are read, eight apart,
    /// until this is dropped or called again.
    #[inline(always)]
    pub(super) unsafe fn open(&self, first: *const f32, more: usize) {
        COLUMNS.set(Columns { next: first, last: first.wrapping_add(LANES * more) });
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        COLUMNS.set(NONE);
    }
}

/// A number for each joint, with `N` derivatives; its constants come from the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tabled<L, const N: usize>(pub Dual<L, N>);

impl<L: Lanes, const N: usize> Tabled<L, N> {
    /// Numbers that do not move.
    #[inline(always)]
    pub(super) fn fixed(lanes: L) -> Self {
        Self(Dual::fixed(lanes))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $sign:tt),*) => {$(
        impl<L: Lanes, const N: usize> $trait for Tabled<L, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $sign other.0)
            }
        }
    )*};
}

operator!(Add add +, Sub sub -, Mul mul *, Div div /);

impl<L: Lanes, const N: usize> Neg for Tabled<L, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

macro_rules! function {
    ($($name:ident($($other:ident),*)),*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            Self(self.0.$name($($other.0),*))
        }
    )*};
}

impl<L: Lanes, const N: usize> Real for Tabled<L, N> {
    /// The next column, whatever the number is: it is that of one of the joints.
    #[inline(always)]
    fn constant(_: f64) -> Self {
        let Columns { next, last } = COLUMNS.get();
        // Without a branch, so that equations stay in one piece.
        let after = if next < last { next.wrapping_add(LANES) } else { last };
        COLUMNS.set(Columns { next: after, last });
        // SAFETY: a column up to the last one, as `Table::open` was promised, or the zeros.
        Self::fixed(unsafe { L::load(next) })
    }

    #[inline(always)]
    fn zero() -> Self {
        Self(Dual::zero())
    }

    #[inline(always)]
    fn one() -> Self {
        Self(Dual::one())
    }

    function!(sqrt(), abs(), sign(), min(other), max(other), choose(other, yes, no));
    function!(asin(), acos(), atan2(x), exp(), ln(), powf(exponent));

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.0.sin_cos();
        (Self(sin), Self(cos))
    }
}
