//! Errors measured against `f64`, and the edges of the domains, on lanes of width one. That wider
//! lanes give the same bits is for `tests/same_bits.rs` to show.

use super::*;
use std::ops::RangeInclusive;

/// The distance of neighbouring bit patterns to try. Odd, so that no mantissa bit stays constant.
const STRIDE: usize = 1999;
/// For the tests that are run by hand, in a release build.
const FINE_STRIDE: usize = 1;

/// Floats of both signs with a magnitude in the range, evenly spread over the bit patterns.
fn floats(magnitudes: RangeInclusive<f32>, stride: usize) -> impl Iterator<Item = f32> {
    let (from, to) = (magnitudes.start().to_bits(), magnitudes.end().to_bits());
    let end = std::iter::once(f32::from_bits(to));
    let all = (from..=to).step_by(stride).map(f32::from_bits);
    all.chain(end).flat_map(|x| [x, -x])
}

/// The unit of the last place: the distance of the two floats between which the value lies.
fn unit(value: f64) -> f64 {
    let nearest = (value.abs() as f32).min(f32::MAX);
    let above = f64::from(nearest) > value.abs() || nearest == f32::MAX;
    let bits = nearest.to_bits() - u32::from(above);
    f64::from(f32::from_bits(bits + 1)) - f64::from(f32::from_bits(bits))
}

/// The largest error, and where it is.
struct Worst {
    name: &'static str,
    error: f64,
    at: (f32, f32),
}

impl Worst {
    fn new(name: &'static str) -> Self {
        Self { name, error: 0.0, at: (0.0, 0.0) }
    }

    fn add(&mut self, error: f64, at: (f32, f32)) {
        assert!(!error.is_nan(), "{} at {at:?}", self.name);
        if error > self.error {
            (self.error, self.at) = (error, at);
        }
    }

    fn check(&self, bound: f64) {
        println!("{}: {:.4e} at {:?}", self.name, self.error, self.at);
        assert!(self.error <= bound, "{}: {} at {:?}", self.name, self.error, self.at);
    }
}

fn check_sin_cos(stride: usize) {
    let mut worst = Worst::new("sin_cos");
    for x in floats(0.0..=8192.0, stride) {
        let (sine, cosine) = sin_cos(x);
        worst.add((f64::from(sine) - libm::sin(x.into())).abs(), (x, 0.0));
        worst.add((f64::from(cosine) - libm::cos(x.into())).abs(), (x, 0.0));
    }
    worst.check(8e-8);
}

fn check_arcs(stride: usize) {
    let mut sines = Worst::new("asin");
    let mut cosines = Worst::new("acos");
    for x in floats(0.0..=1.0, stride) {
        sines.add((f64::from(asin(x)) - libm::asin(x.into())).abs(), (x, 0.0));
        cosines.add((f64::from(acos(x)) - libm::acos(x.into())).abs(), (x, 0.0));
    }
    sines.check(1.5e-7);
    cosines.check(2.6e-7);
}

fn check_atan2(stride: usize) {
    let mut worst = Worst::new("atan2");
    for slope in floats(1e-12..=1e12, stride) {
        // Several lengths for the same slope, and both signs of x.
        for length in [1.0f32, 1.1, 1.37, 1.999, 3e20, 1e-20] {
            for x in [length, -length] {
                let y = length * slope;
                let expected = libm::atan2(y.into(), x.into());
                worst.add((f64::from(atan2(y, x)) - expected).abs(), (y, x));
            }
        }
    }
    worst.check(2.2e-7);
}

fn check_exp(stride: usize) {
    let mut worst = Worst::new("exp, in units of the last place");
    for x in floats(0.0..=110.0, stride) {
        let expected = libm::exp(x.into());
        if expected >= f64::from(f32::MAX) + 0.5 * unit(f32::MAX.into()) {
            assert_eq!(exp(x), f32::INFINITY, "{x}");
        } else {
            worst.add((f64::from(exp(x)) - expected).abs() / unit(expected), (x, 0.0));
        }
    }
    worst.check(1.0);
}

fn check_ln(stride: usize) {
    let mut relative = Worst::new("ln, in units of the last place");
    let mut absolute = Worst::new("ln near 1, absolute");
    for x in floats(f32::from_bits(1)..=f32::MAX, stride).filter(|x| *x > 0.0) {
        let expected = libm::log(x.into());
        let error = (f64::from(ln(x)) - expected).abs();
        relative.add(error / unit(expected), (x, 0.0));
        if (0.5..2.0).contains(&x) {
            absolute.add(error, (x, 0.0));
        }
    }
    relative.check(1.0);
    absolute.check(4e-8);
}

fn check_powf(stride: usize) {
    let mut worst = Worst::new("powf, relative, divided by 1 + |y ln x|");
    for x in floats(1e-30..=1e30, stride * 64).filter(|x| *x > 0.0) {
        for y in floats(1e-3..=64.0, 1_299_709) {
            let expected = libm::pow(x.into(), y.into());
            if (f64::from(f32::MIN_POSITIVE)..f32::MAX.into()).contains(&expected) {
                let size = 1.0 + libm::log(expected).abs();
                let error = (f64::from(powf(x, y)) - expected).abs() / expected;
                worst.add(error / size, (x, y));
            }
        }
    }
    worst.check(1.3e-7);
}

#[test]
fn errors_of_sine_and_cosine() {
    check_sin_cos(STRIDE);
}

#[test]
fn errors_of_arc_sine_and_arc_cosine() {
    check_arcs(STRIDE);
}

#[test]
fn errors_of_the_angle_of_a_point() {
    check_atan2(STRIDE);
}

#[test]
fn errors_of_the_exponential_function() {
    check_exp(STRIDE);
}

#[test]
fn errors_of_the_logarithm() {
    check_ln(STRIDE);
}

#[test]
fn errors_of_the_power() {
    check_powf(STRIDE);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored --nocapture"]
fn errors_everywhere() {
    std::thread::scope(|scope| {
        scope.spawn(|| check_sin_cos(FINE_STRIDE));
        scope.spawn(|| check_arcs(FINE_STRIDE));
        scope.spawn(|| check_atan2(FINE_STRIDE * 53));
        scope.spawn(|| check_exp(FINE_STRIDE));
        scope.spawn(|| check_ln(FINE_STRIDE));
        scope.spawn(|| check_powf(FINE_STRIDE * 53));
    });
}

#[test]
fn sine_and_cosine_stay_in_range_for_every_finite_angle() {
    for x in floats(8192.0..=f32::MAX, STRIDE) {
        let (sine, cosine) = sin_cos(x);
        assert!((-1.0..=1.0).contains(&sine), "{x}: {sine}");
        assert!((-1.0..=1.0).contains(&cosine), "{x}: {cosine}");
    }
    for x in floats(8192.0..=1e5, STRIDE) {
        let (sine, cosine) = sin_cos(x);
        assert!((f64::from(sine) - libm::sin(x.into())).abs() < 2e-6, "{x}");
        assert!((f64::from(cosine) - libm::cos(x.into())).abs() < 2e-6, "{x}");
    }
    assert_eq!(sin_cos(0.0f32), (0.0, 1.0));
    assert_eq!(sin_cos(-0.0f32), (0.0, 1.0));
    for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let (sine, cosine) = sin_cos(x);
        assert!(sine.is_nan() && cosine.is_nan(), "{x}");
    }
}

#[test]
fn arc_functions_at_the_ends_of_their_domain() {
    for x in [1.0f32, 1.0 + f32::EPSILON, 1.0 + 8.0 * f32::EPSILON] {
        assert_eq!(asin(x), FRAC_PI_2);
        assert_eq!(asin(-x), -FRAC_PI_2);
        assert_eq!(acos(x), 0.0);
        assert_eq!(acos(-x), PI);
    }
    for x in [1.0 + 9.0 * f32::EPSILON, 2.0, f32::INFINITY, f32::NAN] {
        assert!(asin(x).is_nan() && asin(-x).is_nan(), "{x}");
        assert!(acos(x).is_nan() && acos(-x).is_nan(), "{x}");
    }
    assert_eq!(acos(0.0f32), FRAC_PI_2);
    assert!(asin(-0.0f32).is_sign_negative());
}

#[test]
fn angles_on_the_axes_and_at_infinity() {
    let (infinity, quarter) = (f32::INFINITY, std::f32::consts::FRAC_PI_4);
    for (y, x, expected) in [
        (0.0f32, 0.0f32, 0.0f32),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, 0.0),
        (-0.0, -0.0, -0.0),
        (0.0, 2.0, 0.0),
        (-0.0, 2.0, -0.0),
        (0.0, -2.0, PI),
        (-0.0, -2.0, -PI),
        (3.0, 0.0, FRAC_PI_2),
        (3.0, -0.0, FRAC_PI_2),
        (-3.0, 0.0, -FRAC_PI_2),
        (infinity, 1.0, FRAC_PI_2),
        (-infinity, -1.0, -FRAC_PI_2),
        (1.0, infinity, 0.0),
        (1.0, -infinity, PI),
        (infinity, infinity, quarter),
        (-infinity, infinity, -quarter),
        (f32::MAX, f32::MAX, quarter),
        (f32::from_bits(1), f32::from_bits(1), quarter),
    ] {
        let angle = atan2(y, x);
        assert!((angle - expected).abs() <= 1.2e-7, "atan2({y}, {x}) = {angle}");
        assert_eq!(angle.is_sign_negative(), expected.is_sign_negative(), "atan2({y}, {x})");
    }
    assert!((f64::from(atan2(infinity, -infinity)) - libm::atan2(1.0, -1.0)).abs() < 2.5e-7);
    for other in [0.0f32, -0.0, 1.0, -1.0, infinity, f32::NAN] {
        assert!(atan2(f32::NAN, other).is_nan(), "{other}");
        assert!(atan2(other, f32::NAN).is_nan(), "{other}");
    }
}

#[test]
fn exponential_function_at_the_edges() {
    assert_eq!(exp(0.0f32), 1.0);
    assert_eq!(exp(-0.0f32), 1.0);
    assert_eq!(exp(f32::NEG_INFINITY), 0.0);
    assert_eq!(exp(-104.0f32), 0.0);
    assert_eq!(exp(-1e30f32), 0.0);
    assert_eq!(exp(f32::INFINITY), f32::INFINITY);
    assert_eq!(exp(88.73f32), f32::INFINITY);
    assert!(exp(88.722f32).is_finite());
    assert!(exp(f32::NAN).is_nan());
}

#[test]
fn logarithm_at_the_edges() {
    assert_eq!(ln(1.0f32), 0.0);
    assert_eq!(ln(0.0f32), f32::NEG_INFINITY);
    assert_eq!(ln(-0.0f32), f32::NEG_INFINITY);
    assert_eq!(ln(f32::INFINITY), f32::INFINITY);
    for x in [-f32::from_bits(1), -1.0, f32::NEG_INFINITY, f32::NAN] {
        assert!(ln(x).is_nan(), "{x}");
    }
}

#[test]
fn power_at_the_edges() {
    let infinity = f32::INFINITY;
    let special = [0.0f32, 0.5, 1.0, 2.0, 3.0, 1e9, infinity, f32::NAN];
    for value in special.into_iter().chain(special.map(|value| -value)) {
        assert_eq!(powf(value, 0.0), 1.0, "{value}");
        assert_eq!(powf(value, -0.0), 1.0, "{value}");
        assert_eq!(powf(1.0, value), 1.0, "{value}");
    }
    for y in [0.5f32, 1.0, 2.0, 3.0, infinity] {
        assert_eq!(powf(0.0, y), 0.0);
        assert_eq!(powf(-0.0, y), 0.0);
        assert_eq!(powf(0.0, -y), infinity);
        assert_eq!(powf(-0.0, -y), infinity);
        assert_eq!(powf(infinity, y), infinity);
        assert_eq!(powf(infinity, -y), 0.0);
    }
    for y in [0.5f32, -1.5, 4_194_304.5, 1e-40, f32::NAN] {
        assert!(powf(-2.0f32, y).is_nan(), "{y}");
    }
    assert_eq!(powf(-1.0f32, 3.0), -1.0);
    assert_eq!(powf(-1.0f32, 8_388_607.0), -1.0);
    assert_eq!(powf(-1.0f32, 8_388_609.0), -1.0);
    assert_eq!(powf(-1.0f32, 16_777_215.0), -1.0);
    assert_eq!(powf(-1.0f32, 16_777_216.0), 1.0);
    assert_eq!(powf(-1.0f32, infinity), 1.0);
    assert_eq!(powf(-infinity, 3.0), -infinity);
    assert!(powf(-infinity, 0.5).is_nan());
    assert!(powf(f32::NAN, 2.0).is_nan() && powf(2.0, f32::NAN).is_nan());
    assert!((powf(-2.0f32, 3.0) + 8.0).abs() < 3e-6);
    assert!((powf(-2.0f32, 2.0) - 4.0).abs() < 1e-6);
    assert!((powf(-2.0f32, -3.0) + 0.125).abs() < 5e-8);
}

#[test]
fn sign_keeps_zero_and_nan() {
    assert_eq!((sign(-3.0f32), sign(0.0f32), sign(1e-40f32)), (-1.0, 0.0, 1.0));
    assert_eq!(sign(f32::NEG_INFINITY), -1.0);
    assert!(sign(-0.0f32).is_sign_negative());
    assert!(sign(f32::NAN).is_nan());
}
