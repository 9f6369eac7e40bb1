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

/// So many addresses are written in any case: in one piece, with nothing to decide.
const FEW: usize = 16;

static ZEROS: [f32; LANES] = [0.0; LANES];

/// Where the column of each constant is, which is readable at any time; and which constant is next.
struct Columns {
    at: [Cell<*const f32>; MOST],
    next: Cell<u8>,
}

thread_local! {
    static COLUMNS: Columns = const {
        Columns { at: [const { Cell::new(ZEROS.as_ptr()) }; MOST], next: Cell::new(0) }
    };
}

/// While it lives constants come from tables with these columns.
pub(super) struct Table<'a> {
    few: &'a [usize; FEW],
    more: &'a [usize],
}

impl<'a> Table<'a> {
    /// With so many constants; beyond them is the first column, or zeros.
    #[inline(always)]
    pub(super) fn new(offsets: &'a Offsets, count: usize) -> Self {
        let (few, more) = offsets.split_first_chunk().unwrap_or((&[0; FEW], &[]));
        Self { few, more: &more[..count.saturating_sub(FEW).min(MOST - FEW)] }
    }

    /// The next constants are the columns from here on.
    ///
    /// # Safety
    /// `first` must be readable at every offset of the table, for as many lanes as are read, until this is
    /// dropped or called again.
    #[inline(always)]
    pub(super) unsafe fn open(&self, first: *const f32) {
        // What is done inside of `with` is not always inlined.
        let columns = COLUMNS.with(std::ptr::from_ref);
        // SAFETY: it lives as long as this thread.
        let columns = unsafe { &*columns };
        // As numbers, which are added several at a time.
        let first = first.expose_provenance();
        let set = |at: &Cell<*const f32>, offset: usize| {
            at.set(std::ptr::with_exposed_provenance(first.wrapping_add(offset)));
        };
        if !self.more.is_empty() {
            let others = columns.at[FEW..].iter().zip(self.more);
            others.for_each(|(at, offset)| set(at, *offset));
        }
        macro_rules! set {
            ($($k:literal)*) => { $(set(&columns.at[$k], self.few[$k]);)* };
        }
        set!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        columns.next.set(0);
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        let used = FEW + self.more.len();
        COLUMNS.with(|all| all.at.iter().take(used).for_each(|at| at.set(ZEROS.as_ptr())));
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
            Self::fixed(unsafe { L::load(columns.at[usize::from(next)].get()) })
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
