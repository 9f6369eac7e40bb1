//! Choice of the instruction set at run time.
//!
//! The soundness of the `x86_64` lanes rests on this module: their types cannot be named outside of
//! the crate, [`Isa::run`] hands them to a kernel, and an [`Isa`] for an instruction set is only ever
//! made after the processor was found to have it; [`Isa::run_as_built`] hands on only what the whole
//! program was compiled for. Whoever holds a
//! value of `Avx8` (or only its type, as `L`) therefore runs on a processor with AVX2, however it
//! was passed on.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "entering a function compiled for AVX2 is unsafe; the processor is checked first"
    )
)]

#[cfg(target_arch = "x86_64")]
use crate::lanes::x86::{Avx8, Sse4};
use crate::lanes::{Lanes, array::Array8};

/// Where the program is compiled for AVX2, it does not run on a processor without.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
type Built = Avx8;
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
type Built = Sse4;
#[cfg(not(target_arch = "x86_64"))]
type Built = Array8;

/// An instruction set that this processor can run.
///
/// Values come from [`Isa::best`] and [`Isa::available`] only, so holding one is the proof that the
/// processor was asked. The choice affects speed and never results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Kind);

/// The variants are hidden so that none can be made without the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scalar,
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

/// Work to be compiled once for each instruction set.
///
/// A closure cannot be generic over the lanes, hence a trait: put what the closure would capture
/// into a struct and call [`Isa::run`] with it.
///
/// # The pitfall
///
/// Mark [`Kernel::run`] `#[inline(always)]`, **and every function that it calls with lanes**.
/// `Isa::run` calls the kernel inside of a function that is compiled for the instruction set, and
/// only what is inlined into that function is compiled for it too. A function that stays on its own
/// is compiled for the baseline of the target: there every single operation on the lanes becomes a
/// call with its operands in memory. The results stay right, but the code becomes many times slower
/// than plain `f32`, and nothing warns of it. The same goes for closures that the optimizer decides
/// not to inline, for `dyn` calls and for function pointers.
pub trait Kernel {
    /// What the work returns.
    type Output;

    /// Does the work with lanes of type `L`. Mark the implementation `#[inline(always)]`.
    fn run<L: Lanes>(self) -> Self::Output;
}

impl Isa {
    /// The fastest instruction set of this processor.
    ///
    /// The processor is asked only once in the life of the process; later calls read a cached word.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            Self(Kind::Avx2)
        } else {
            Self(Kind::Sse2)
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self(Kind::Portable)
    }

    /// Runs the kernel with the widest lanes that the whole program is compiled for: eight of AVX2 if it
    /// is built with that (`-C target-cpu=native`, for example), or else what every such processor has.
    ///
    /// Nothing has to be inlined for this: functions that a kernel calls with lanes are compiled for
    /// the same instructions, wherever they stand. So it is for kernels that call what others wrote.
    #[inline(always)]
    pub fn run_as_built<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Built>()
    }

    /// Every instruction set that this processor can run, from the narrowest to the fastest.
    ///
    /// The first is always plain `f32`, one lane wide; the portable array is always among them.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self(Kind::Scalar), Self(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        all.push(Self(Kind::Sse2));
        let best = Self::best();
        if !all.contains(&best) {
            all.push(best);
        }
        all
    }

    /// A short name for messages: `scalar`, `portable`, `sse2` or `avx2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar => "scalar",
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
        }
    }

    /// The number of lanes, [`Lanes::WIDTH`] of the lanes that [`Isa::run`] passes to a kernel.
    #[must_use]
    pub const fn width(self) -> usize {
        match self.0 {
            Kind::Scalar => <f32 as Lanes>::WIDTH,
            Kind::Portable => Array8::WIDTH,
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => Sse4::WIDTH,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Avx8::WIDTH,
        }
    }

    /// Runs the kernel with the lanes of this instruction set.
    ///
    /// One call costs about as much as a call of a function, so it belongs around a loop and not
    /// inside of one. See [`Kernel`] for what must be marked `#[inline(always)]`.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Scalar => run_baseline::<f32, K>(kernel),
            Kind::Portable => run_baseline::<Array8, K>(kernel),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => run_baseline::<Sse4, K>(kernel),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => {
                // SAFETY: `Isa::best` is the only place that makes an `Isa` of this kind, and it
                // does so only where the processor has AVX2.
                unsafe { run_avx2(kernel) }
            }
        }
    }
}

/// Not inlined, so that a caller of `Isa::run` does not take in one copy for each instruction set.
#[inline(never)]
fn run_baseline<L: Lanes, K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<L>()
}

/// AVX2 alone: with `fma` enabled too nothing would be fused either, but so it cannot even happen.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx8>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Width;

    impl Kernel for Width {
        type Output = usize;

        #[inline(always)]
        fn run<L: Lanes>(self) -> usize {
            L::WIDTH
        }
    }

    #[test]
    fn kernel_gets_the_width_that_the_isa_tells() {
        for isa in Isa::available() {
            assert_eq!(isa.run(Width), isa.width(), "{}", isa.name());
        }
    }

    #[test]
    fn what_a_program_is_built_for_is_available() {
        let width = Isa::run_as_built(Width);
        assert!(width > 1 && Isa::available().iter().any(|isa| isa.width() == width));
    }

    struct All<'a>(&'a [f32; 8]);

    impl Kernel for All<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<L: Lanes>(self) -> bool {
            let mut parts = self.0.chunks_exact(L::WIDTH);
            parts.all(|part| L::mask_all(L::load_from(part).gt(L::splat(0.0))))
        }
    }

    #[test]
    fn a_mask_is_true_in_all_lanes_or_not() {
        for isa in Isa::available() {
            assert!(isa.run(All(&[1.0; 8])), "{}", isa.name());
            for lane in 0..8 {
                let mut numbers = [1.0; 8];
                numbers[lane] = -1.0;
                assert!(!isa.run(All(&numbers)), "{} {lane}", isa.name());
            }
        }
    }

    #[test]
    fn scalar_portable_and_best_are_available_once() {
        let all = Isa::available();
        assert_eq!(all[0].name(), "scalar");
        assert_eq!(all[0].width(), 1);
        assert_eq!(all[1].name(), "portable");
        assert_eq!(all.iter().filter(|isa| **isa == Isa::best()).count(), 1);
        for (index, isa) in all.iter().enumerate() {
            assert!(!all[..index].contains(isa));
        }
    }
}
