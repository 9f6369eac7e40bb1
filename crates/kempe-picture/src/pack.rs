//! Numbers packed for a page: rounded, as differences, in as few bytes as each needs, in base 64.
//!
//! A track begins with how it is written: 0 a constant, 1 differences, 2 differences of differences,
//! 3 no number at all; 4 more if there are gaps, which then come first: how many, and for each how
//! far it is from the end of the last and how long. Whole numbers have seven bits in a byte, the
//! lowest first; the eighth says that more follow. Signed ones are doubled, less one if negative.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Rounded numbers are at most this, so that a page can hold them exactly.
const MOST: f64 = 1e13;

/// Bytes that grow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
}

/// Where two of them are far apart, both are far from the limits of a whole number.
fn folded(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn size(value: i64) -> u32 {
    (u64::BITS - folded(value).leading_zeros()).div_ceil(7).max(1)
}

impl Packer {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn count(&mut self, mut value: u64) {
        while value > 127 {
            self.bytes.push((value & 127) as u8 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A number, in as many units as it has.
    pub fn number(&mut self, value: f64, unit: f64) {
        self.count(folded(rounded(value, unit).unwrap_or(0)));
    }

    /// Numbers that change little from one to the next.
    pub fn track(&mut self, values: impl Iterator<Item = f64>, unit: f64) {
        let places: Vec<Option<i64>> = values.map(|value| rounded(value, unit)).collect();
        let Some(first) = places.iter().flatten().next() else {
            self.count(3);
            return;
        };
        // A gap holds the number before it.
        let mut held = *first;
        let hold = |place: &Option<i64>| {
            held = place.unwrap_or(held);
            held
        };
        let whole: Vec<i64> = places.iter().map(hold).collect();
        let gaps = gaps(&places);
        let more = if gaps.is_empty() { 0 } else { 4 };
        let steps: Vec<i64> = whole.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut before = 0;
        let turn = |step: &i64| {
            let turn = step - before;
            before = *step;
            turn
        };
        let turns: Vec<i64> = steps.iter().map(turn).collect();
        let total =
            |values: &[i64]| values.iter().map(|value| u64::from(size(*value))).sum::<u64>();
        let (kind, values): (u64, &[i64]) = if steps.iter().all(|step| *step == 0) {
            (0, &[])
        } else if total(&steps) <= total(&turns) {
            (1, &steps)
        } else {
            (2, &turns)
        };
        self.count(kind + more);
        if more > 0 {
            self.count(gaps.len() as u64);
            for (after, length) in gaps {
                self.count(after as u64);
                self.count(length as u64);
            }
        }
        self.count(folded(*first));
        values.iter().for_each(|value| self.count(folded(*value)));
    }

    /// Indices at which something changes between no and yes, which it is at first: no.
    pub fn switches(&mut self, values: impl Iterator<Item = bool>) {
        let mut before = false;
        let mut changes = Vec::new();
        for (index, value) in values.enumerate() {
            if value != before {
                changes.push(index as u64);
            }
            before = value;
        }
        self.count(changes.len() as u64);
        changes.into_iter().for_each(|change| self.count(change));
    }

    /// In base 64.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes.len().div_ceil(3) * 4);
        for three in self.bytes.chunks(3) {
            let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
            let bits = (at(0) << 16) | (at(1) << 8) | at(2);
            for i in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
                text.push(if i <= three.len() { char::from(digit) } else { '=' });
            }
        }
        text
    }
}

fn rounded(value: f64, unit: f64) -> Option<i64> {
    let units = value / unit;
    units.is_finite().then(|| units.clamp(-MOST, MOST).round() as i64)
}

/// How far each is from the end of the last, and how long it is.
fn gaps(places: &[Option<i64>]) -> Vec<(usize, usize)> {
    let mut gaps = Vec::new();
    let (mut end, mut start) = (0, 0);
    for run in places.chunk_by(|a, b| a.is_none() == b.is_none()) {
        if run[0].is_none() {
            gaps.push((start - end, run.len()));
            end = start + run.len();
        }
        start += run.len();
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page does.
    struct Reader<'a>(&'a [u8]);

    impl Reader<'_> {
        fn count(&mut self) -> u64 {
            let mut value = 0;
            for place in 0.. {
                let (first, rest) = self.0.split_first().unwrap();
                self.0 = rest;
                value |= u64::from(first & 127) << (7 * place);
                if first & 128 == 0 {
                    break;
                }
            }
            value
        }

        fn signed(&mut self) -> i64 {
            let value = self.count();
            (value >> 1) as i64 ^ -((value & 1) as i64)
        }

        fn track(&mut self, length: usize, unit: f64) -> Vec<f64> {
            let kind = self.count();
            if kind == 3 {
                return vec![f64::NAN; length];
            }
            let gaps: Vec<(u64, u64)> = match kind >= 4 {
                true => (0..self.count()).map(|_| (self.count(), self.count())).collect(),
                false => vec![],
            };
            let (mut value, mut step) = (self.signed(), 0);
            let mut values = vec![value];
            for _ in 1..length {
                match kind % 4 {
                    0 => {}
                    1 => value += self.signed(),
                    _ => {
                        step += self.signed();
                        value += step;
                    }
                }
                values.push(value);
            }
            let mut values: Vec<f64> =
                values.into_iter().map(|value| value as f64 * unit).collect();
            let mut end = 0;
            for (after, long) in gaps {
                let start = end + after as usize;
                end = start + long as usize;
                values[start..end].fill(f64::NAN);
            }
            values
        }
    }

    #[track_caller]
    fn there_and_back(values: &[f64], unit: f64) -> usize {
        let mut packer = Packer::default();
        packer.track(values.iter().copied(), unit);
        let mut reader = Reader(&packer.bytes);
        let back = reader.track(values.len(), unit);
        assert!(reader.0.is_empty());
        for (value, back) in values.iter().zip(back) {
            match value.is_finite() {
                true => assert!((value - back).abs() <= 0.500001 * unit, "{value} {back}"),
                false => assert!(back.is_nan(), "{value} {back}"),
            }
        }
        packer.len()
    }

    #[test]
    fn tracks_come_back() {
        let wave: Vec<f64> = (0..600).map(|i| (0.05 * f64::from(i)).sin()).collect();
        assert!(there_and_back(&wave, 1e-4) < 620);
        assert!(there_and_back(&wave, 1e-6) < 1300);
        assert!(there_and_back(&[7.25; 1000], 1e-3) < 5);
        there_and_back(&[1.0, f64::NAN, f64::NAN, 2.0, f64::INFINITY, -3.0, f64::NAN], 0.1);
        there_and_back(&[f64::NAN, 1.0, 1.0], 0.1);
        there_and_back(&[f64::NAN; 4], 0.1);
        there_and_back(&[5.0], 0.1);
        there_and_back(&[1e9, -1e9, 1e9, 0.0], 1e-3);
        let noise: Vec<f64> = (0..500).map(|i| f64::from(i * i % 257)).collect();
        there_and_back(&noise, 1.0);
    }

    #[test]
    fn numbers_that_are_too_large_are_held() {
        let mut packer = Packer::default();
        packer.track([1e300, -1e300, 0.0].into_iter(), 1e-6);
        let back = Reader(&packer.bytes).track(3, 1e-6);
        assert_eq!(back, [1e7, -1e7, 0.0]);
    }

    #[test]
    fn base_64_is_that_of_everyone() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(Packer { bytes: bytes.into() }.text(), text);
        }
    }

    #[test]
    fn changes_are_indices() {
        let mut packer = Packer::default();
        packer.switches([false, false, true, true, false].into_iter());
        assert_eq!(packer.bytes, [2, 2, 4]);
    }
}
