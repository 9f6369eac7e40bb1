//! Times, printed: `cargo test --release --features sparse time_of -- --ignored --nocapture`.

use super::Quality;
use super::tests::{Given, chain, random, wave};

#[test]
#[ignore = "a measurement"]
fn time_of_chains() {
    for count in [7, 100, 1000, 5000] {
        let given = chain(count, 1e3);
        let mut saddle = given.saddle();
        let rhs = wave(5 * count);
        let mut z = rhs.clone();
        let mut quality = Quality::default();
        let (mut factor, mut solve) = (f64::MAX, f64::MAX);
        for _ in 0..(1_000_000 / count).min(5000) {
            let start = std::time::Instant::now();
            saddle.factor().unwrap();
            factor = factor.min(start.elapsed().as_secs_f64());
            z.copy_from_slice(&rhs);
            let start = std::time::Instant::now();
            quality = saddle.solve(&mut z).unwrap();
            solve = solve.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{count} bodies: factor {:.1} µs, solve {:.1} µs, {quality:?}",
            1e6 * factor,
            1e6 * solve
        );
    }
}

/// A net of bars pinned at the corners of squares: many loops, and freedoms that rows use up.
#[test]
#[ignore = "a measurement"]
fn time_of_nets() {
    for side in [10, 30] {
        let (n, mut seed) = (3 * side * side, 6);
        let mut given = Given { n, m: 0, entries: (0..n).map(|i| (i, i, 1.0)).collect() };
        for i in 0..side * side {
            let right = (i % side + 1 < side).then_some(i + 1);
            let below = (i + side < side * side).then_some(i + side);
            for other in [right, below].into_iter().flatten() {
                if random(&mut seed) > 0.4 {
                    continue;
                }
                for (body, sign) in [(i, 1.0), (other, -1.0)] {
                    for axis in 0..2 {
                        let row = n + given.m + axis;
                        given.entries.push((row, 3 * body + axis, sign));
                        given.entries.push((row, 3 * body + 2, random(&mut seed)));
                    }
                }
                given.m += 2;
            }
        }
        let mut saddle = given.saddle();
        let mut z = given.rhs_of(&wave(n + given.m));
        let start = std::time::Instant::now();
        saddle.factor().unwrap();
        let factor = start.elapsed();
        let found = saddle.solve(&mut z);
        println!("{n} + {}: factor {factor:?}, in all {:?}, {found:?}", given.m, start.elapsed());
    }
}
