//! Every operation on lanes and every function gives the same bits on every instruction set.

#![expect(unsafe_code, reason = "rows are gathered through pointers")]

use kempe_scalar::{Isa, Kernel, Lanes, acos, asin, atan2, exp, ln, powf, sign, sin_cos};

/// A multiple of every width.
const BLOCK: usize = 8;

/// A function of two lanes; those of one ignore the second.
trait Operation {
    fn apply<L: Lanes>(left: L, right: L) -> L;
}

/// Applies an operation to all pairs of the two slices.
struct Apply<'a, O> {
    operation: std::marker::PhantomData<O>,
    left: &'a [f32],
    right: &'a [f32],
}

impl<O: Operation> Kernel for Apply<'_, O> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<f32> {
        let mut results = vec![0.0; self.left.len()];
        for start in (0..self.left.len()).step_by(L::WIDTH) {
            let left = L::load_from(&self.left[start..]);
            let right = L::load_from(&self.right[start..]);
            O::apply(left, right).store_to(&mut results[start..]);
        }
        results
    }
}

/// Pairs of the special values with each other, then random bit patterns, then random numbers of
/// the sizes that programs meet.
fn inputs() -> (Vec<f32>, Vec<f32>) {
    let positive = [
        0.0,
        f32::from_bits(1),
        f32::from_bits(0x0000_0100),
        f32::from_bits(0x007f_ffff),
        f32::MIN_POSITIVE,
        1e-30,
        1e-6,
        0.25,
        0.499_999_97,
        0.5,
        std::f32::consts::FRAC_1_SQRT_2,
        std::f32::consts::FRAC_PI_4,
        1.0 - f32::EPSILON,
        1.0,
        1.0 + f32::EPSILON,
        1.000_001,
        1.5,
        std::f32::consts::FRAC_PI_2,
        2.0,
        2.5,
        3.0,
        std::f32::consts::PI,
        88.722_83,
        88.8,
        103.9,
        104.1,
        8192.0,
        4_194_304.5,
        8_388_607.5,
        8_388_609.0,
        16_777_216.0,
        2e9,
        1e20,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    let special: Vec<f32> = positive.into_iter().flat_map(|x| [x, -x]).collect();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for x in &special {
        for y in &special {
            left.push(*x);
            right.push(*y);
        }
    }
    // A linear congruential generator; the high bits are random enough for this.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 32) as u32
    };
    for _ in 0..100_000 {
        left.push(f32::from_bits(next()));
        right.push(f32::from_bits(next()));
    }
    for scale in [1.0f32, 10.0, 100.0, 10_000.0] {
        for _ in 0..50_000 {
            left.push((next() as f32 / u32::MAX as f32 * 2.0 - 1.0) * scale);
            right.push((next() as f32 / u32::MAX as f32 * 2.0 - 1.0) * scale);
        }
    }
    while !left.len().is_multiple_of(BLOCK) {
        left.push(0.0);
        right.push(0.0);
    }
    (left, right)
}

fn check<O: Operation>(name: &str) {
    let (left, right) = inputs();
    let run = |isa: Isa| {
        let operation = std::marker::PhantomData::<O>;
        isa.run(Apply { operation, left: &left, right: &right })
    };
    let all = Isa::available();
    let expected = run(all[0]);
    for isa in &all[1..] {
        for (index, (got, want)) in run(*isa).iter().zip(&expected).enumerate() {
            assert!(
                got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
                "{name}({:e}, {:e}): {got:e} on {}, {want:e} on {}",
                left[index],
                right[index],
                isa.name(),
                all[0].name(),
            );
        }
    }
}

macro_rules! operations {
    ($($name:ident: |$left:ident, $right:ident| $body:expr;)*) => {$(
        #[test]
        fn $name() {
            struct This;
            impl Operation for This {
                #[inline(always)]
                #[allow(unused_variables)]
                fn apply<L: Lanes>($left: L, $right: L) -> L {
                    $body
                }
            }
            check::<This>(stringify!($name));
        }
    )*};
}

/// 1 where the mask is true and 0 elsewhere.
#[inline(always)]
fn number<L: Lanes>(mask: L::Mask) -> L {
    L::select(mask, L::splat(1.0), L::splat(0.0))
}

operations! {
    addition: |x, y| x + y;
    subtraction: |x, y| x - y;
    multiplication: |x, y| x * y;
    division: |x, y| x / y;
    negation: |x, y| -x;
    not_fused: |x, y| x * y + (x - y);
    square_root: |x, y| x.sqrt();
    absolute_value: |x, y| x.abs();
    minimum: |x, y| x.min(y);
    maximum: |x, y| x.max(y);
    greater: |x, y| number(x.gt(y));
    less: |x, y| number(x.lt(y));
    equal: |x, y| number(x.equals(y));
    selection: |x, y| L::select(x.gt(y), y, x);
    mask_and: |x, y| number(L::mask_and(x.gt(y), x.gt(L::splat(0.0))));
    mask_or: |x, y| number(L::mask_or(x.gt(y), x.equals(x)));
    mask_not: |x, y| number(L::mask_not(x.lt(y)));
    copysign: |x, y| x.copysign(y);
    bits: |x, y| L::from_bits(x.to_bits());
    from_integers: |x, y| L::from_integers(x.to_bits());
    bits_add: |x, y| L::from_integers(L::bits_add(x.to_bits(), y.to_bits()));
    bits_sub: |x, y| L::from_integers(L::bits_sub(x.to_bits(), y.to_bits()));
    bits_and: |x, y| L::from_integers(L::bits_and(x.to_bits(), y.to_bits()));
    bits_xor: |x, y| L::from_integers(L::bits_xor(x.to_bits(), y.to_bits()));
    bits_shift_left: |x, y| L::from_integers(L::bits_shift_left::<7>(x.to_bits()));
    bits_shift_right: |x, y| L::from_integers(L::bits_shift_right::<7>(x.to_bits()));
    bits_equal: |x, y| number(L::bits_equal(x.to_bits(), y.to_bits()));
    bits_splat: |x, y| L::from_integers(L::bits_splat(-123_456_789));
    sine: |x, y| sin_cos(x).0;
    cosine: |x, y| sin_cos(x).1;
    arc_sine: |x, y| asin(x);
    arc_cosine: |x, y| acos(x);
    angle_of_point: |x, y| atan2(x, y);
    exponential: |x, y| exp(x);
    logarithm: |x, y| ln(x);
    power: |x, y| powf(x, y);
    sign_of: |x, y| sign(x);
}

/// Reads scattered rows, adds a lane's number to each float, and writes them back.
struct Scattered<'a> {
    state: &'a mut [f32],
    rows: [u32; 8],
}

impl Kernel for Scattered<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        assert!(self.rows.iter().all(|row| (*row as usize) < self.state.len() / 8));
        let mut at = 0;
        while at < 8 {
            let rows = self.rows[at..].as_ptr();
            // SAFETY: every row is inside the state, and `rows` has at least `WIDTH` entries left.
            unsafe {
                let [a, b, c, d] = L::gather_rows(self.state.as_ptr(), rows);
                let sum = [a + L::splat(1.0), b * L::splat(2.0), c - d, d];
                L::scatter_rows(sum, self.state.as_mut_ptr(), rows);
            }
            at += L::WIDTH;
        }
    }
}

#[test]
fn scattered_rows() {
    let start: Vec<f32> = (0..160).map(|k| k as f32 * 0.5).collect();
    let rows = [3, 17, 0, 9, 12, 5, 19, 8];
    let mut expected = start.clone();
    for row in rows {
        let four = &mut expected[8 * row as usize..8 * row as usize + 4];
        let [a, b, c, d] = [four[0], four[1], four[2], four[3]];
        four.copy_from_slice(&[a + 1.0, b * 2.0, c - d, d]);
    }
    for isa in Isa::available() {
        let mut state = start.clone();
        isa.run(Scattered { state: &mut state, rows });
        assert_eq!(state, expected, "{}", isa.name());
    }
}
