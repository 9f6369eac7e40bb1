//! Numbers for many joints of one type at once.
//!
//! Joints of a type differ in nothing but their constants, in the order in which their equations ask for
//! them: that is what a [`Recording`](super::Recording) has shown. So the equations of one of them serve
//! for all: where they ask for a constant they get a column of a table, with a number for each joint.
//! Constants that are the same in every joint have one column ([`super::Columns`]).
#![expect(unsafe_code, reason = "columns are read through a pointer")]

use kempe_scalar::{Dual, Lanes, Real};
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Floats from one column to the next.
pub(super) const LANES: usize = crate::solver::LANES;

/// For each constant, in the order in which equations ask for them, where its column begins, in bytes from
/// the first one.
pub(crate) type Offsets = [usize; MOST];

/// As many constants as a byte can count.
pub(super) const MOST: usize = 256;

static ZEROS: [f32; LANES] = [0.0; LANES];
static NONE: Offsets = [0; MOST];

/// The first column, and where each constant is from there on, which is readable at any time; and which
/// constant is next.
struct Columns {
    first: Cell<*const f32>,
    offsets: Cell<*const Offsets>,
    next: Cell<u8>,
}

thread_local! {
    static COLUMNS: Columns = const {
        Columns {
            first: Cell::new(ZEROS.as_ptr()),
            offsets: Cell::new(&raw const NONE),
            next: Cell::new(0),
        }
    };
}

/// While it lives constants come from tables with these columns.
pub(super) struct Table<'a>(&'a Offsets);

impl<'a> Table<'a> {
    pub(super) fn new(offsets: &'a Offsets) -> Self {
        Self(offsets)
    }

    /// The next constants are the columns from here on.
    ///
    /// # Safety
    /// `first` must be readable at every offset of the table, for as many lanes as are read, until this is
    /// dropped or called again.
    #[inline(always)]
    pub(super) unsafe fn open(&self, first: *const f32) {
        COLUMNS.with(|columns| {
            columns.first.set(first);
            columns.offsets.set(self.0);
            columns.next.set(0);
        });
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        COLUMNS.with(|columns| {
            columns.offsets.set(&raw const NONE);
            columns.first.set(ZEROS.as_ptr());
        });
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
    /// The column of the next constant, whatever the number is: it is that of one of the joints.
    #[inline(always)]
    fn constant(_: f64) -> Self {
        COLUMNS.with(|columns| {
            let next = columns.next.get();
            columns.next.set(next.wrapping_add(1));
            // SAFETY: a column of the table that is open, as was promised, or the zeros.
            Self::fixed(unsafe {
                let offset = (*columns.offsets.get())[usize::from(next)];
                L::load(columns.first.get().byte_add(offset))
            })
        })
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
