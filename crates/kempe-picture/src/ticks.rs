//! Where an axis has marks, and what they say.

/// A mark of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: String,
}

/// The marks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    pub marks: Vec<Tick>,
    /// What all labels are times, as in "×10⁶"; mostly nothing.
    pub factor: String,
}

/// The distance of marks: 1, 2 or 5 times a power of ten, at most so many in a range. As the factor
/// and the exponent.
fn step(range: f64, most: usize) -> (f64, i32) {
    let least = range / most.max(1) as f64;
    let exponent = least.log10().floor() as i32;
    let unit = power(exponent);
    let factors = [1.0, 2.0, 5.0];
    match factors.into_iter().find(|factor| factor * unit >= least * (1.0 - 1e-9)) {
        Some(factor) => (factor, exponent),
        None => (1.0, exponent + 1),
    }
}

fn power(exponent: i32) -> f64 {
    10f64.powi(exponent)
}

/// Marks at round numbers from `low` to `high`, which must be apart.
pub(crate) fn linear(low: f64, high: f64, most: usize) -> Ticks {
    let (factor, exponent) = step(high - low, most);
    let apart = factor * power(exponent);
    let first = (low / apart - 1e-6).ceil();
    let largest = low.abs().max(high.abs());
    let size = largest.log10().floor() as i32;
    // Large and small numbers are written as times a power of ten.
    let scaled = if (-3..5).contains(&size) { 0 } else { size };
    let decimals = (scaled - exponent).clamp(0, 15) as usize;
    let mark = |i: usize| {
        let count = first + i as f64;
        let value = count * apart;
        let shown = count * factor * power(exponent - scaled);
        Tick { value, label: signed(&format!("{shown:.decimals$}")) }
    };
    let inside = |tick: &Tick| tick.value <= high + 1e-6 * apart;
    let marks = (0..=most + 1).map(mark).take_while(inside).collect();
    let factor = if scaled == 0 { String::new() } else { format!("×{}", ten_to(scaled)) };
    Ticks { marks, factor }
}

/// Marks at powers of ten, and at 2 and 5 times them where there are few; `low` and `high` are the
/// logarithms to base ten of the ends, and so are the values of the marks.
pub(crate) fn logarithmic(low: f64, high: f64, most: usize) -> Ticks {
    let decades = (low.ceil() as i32)..=(high.floor() as i32);
    let count = decades.clone().count();
    let plain = low >= -2.5 && high <= 3.5;
    let mark = |factor: i32, exponent: i32| {
        let label = match (plain, factor) {
            (true, _) => format!("{}", f64::from(factor) * power(exponent)),
            (false, 1) => ten_to(exponent),
            (false, _) => format!("{factor}×{}", ten_to(exponent)),
        };
        Tick { value: f64::from(factor).log10() + f64::from(exponent), label }
    };
    let marks: Vec<Tick> = if count > 2 {
        let stride = count.div_ceil(most.max(1)) as i32;
        decades.filter(|exponent| exponent % stride == 0).map(|e| mark(1, e)).collect()
    } else {
        let around = (low.floor() as i32)..=(high.floor() as i32);
        let all = around.flat_map(|e| [1, 2, 5].map(|factor| mark(factor, e)));
        all.filter(|tick| (low..=high).contains(&tick.value)).collect()
    };
    if marks.len() > 1 {
        return Ticks { marks, factor: String::new() };
    }
    // Less than from 1 to 2: as the numbers themselves are.
    let mut ticks = linear(10f64.powf(low), 10f64.powf(high), most);
    ticks.marks.iter_mut().for_each(|tick| tick.value = tick.value.log10());
    ticks
}

/// A number with a true minus, and none before zero.
fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) => format!("−{rest}"),
        Some(rest) => rest.to_owned(),
        None => text.to_owned(),
    }
}

fn ten_to(exponent: i32) -> String {
    let raised = |letter: char| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks.marks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn marks_are_at_round_numbers() {
        assert_eq!(labels(&linear(0.0, 10.0, 5)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&linear(-0.3, 0.31, 4)), ["−0.2", "0.0", "0.2"]);
        assert_eq!(labels(&linear(0.0, 0.05, 5)), ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]);
        assert_eq!(labels(&linear(-1.0, 1e-9, 3)), ["−1.0", "−0.5", "0.0"]);
    }

    #[test]
    fn large_and_small_numbers_have_a_factor() {
        let large = linear(0.0, 3e6, 4);
        assert_eq!((labels(&large), large.factor.as_str()), (vec!["0", "1", "2", "3"], "×10⁶"));
        let small = linear(-2e-7, 2e-7, 4);
        assert_eq!(labels(&small), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(small.factor, "×10⁻⁷");
        // A small range far from zero keeps its digits.
        let far = linear(1e6, 1e6 + 2.0, 2);
        assert_eq!(labels(&far), ["1.000000", "1.000001", "1.000002"]);
        for (low, high) in [(-1e300, 1e300), (1e-300, 2e-300), (0.0, f64::MIN_POSITIVE)] {
            let marks = linear(low, high, 5).marks;
            assert!((2..=7).contains(&marks.len()), "{low} {high}: {marks:?}");
            assert!(marks.iter().all(|tick| tick.value.is_finite()));
        }
    }

    #[test]
    fn never_more_than_asked_for_and_inside() {
        for i in 1..2000 {
            let (low, range) = (f64::from(i % 37) * 0.77 - 13.0, 1.003f64.powi(i) * 1e-3);
            let marks = linear(low, low + range, 6).marks;
            assert!((2..=7).contains(&marks.len()), "{low} {range}: {}", marks.len());
            for tick in &marks {
                assert!(tick.value >= low - 1e-5 * range && tick.value <= low + 1.00001 * range);
                let shown: f64 = tick.label.replace('−', "-").parse().unwrap();
                assert!((shown - tick.value).abs() < 1e-3 * range, "{tick:?}");
            }
        }
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(
            labels(&logarithmic(-12.0, -8.0, 8)),
            ["10⁻¹²", "10⁻¹¹", "10⁻¹⁰", "10⁻⁹", "10⁻⁸"]
        );
        assert_eq!(labels(&logarithmic(-12.0, -8.0, 3)), ["10⁻¹²", "10⁻¹⁰", "10⁻⁸"]);
        assert_eq!(labels(&logarithmic(-0.1, 1.1, 5)), ["1", "2", "5", "10"]);
        assert_eq!(labels(&logarithmic(5.2, 6.1, 5)), ["2×10⁵", "5×10⁵", "10⁶"]);
        // From 3 to 4.
        assert_eq!(labels(&logarithmic(0.478, 0.60206, 5)), ["3.2", "3.4", "3.6", "3.8", "4.0"]);
        assert!(logarithmic(-300.0, 300.0, 6).marks.len() <= 7);
    }
}
