use super::*;

pub(super) fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A matrix as entries with values, of the lower triangle.
#[derive(Clone)]
pub(super) struct Given {
    pub n: usize,
    pub m: usize,
    pub entries: Vec<(usize, usize, f64)>,
}

impl Given {
    pub fn saddle(&self) -> Saddle {
        let places: Vec<_> = self.entries.iter().map(|e| (e.0, e.1)).collect();
        let mut saddle = Saddle::new(self.n, self.m, &places).unwrap();
        self.fill(&mut saddle);
        saddle
    }

    fn fill(&self, saddle: &mut Saddle) {
        saddle.clear();
        let (slots, values) = saddle.assembly();
        for (slot, entry) in slots.iter().zip(&self.entries) {
            values[*slot] += entry.2;
        }
    }

    fn dense(&self) -> Vec<Vec<f64>> {
        let size = self.n + self.m;
        let mut k = vec![vec![0.0; size]; size];
        for &(row, column, value) in &self.entries {
            k[row][column] += value;
            if row != column {
                k[column][row] += value;
            }
        }
        k
    }

    pub fn rhs_of(&self, z: &[f64]) -> Vec<f64> {
        self.dense().iter().map(|row| row.iter().zip(z).map(|(k, z)| k * z).sum()).collect()
    }
}

/// Gauss with full exchange of rows.
pub(super) fn dense_solve(mut k: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let best = (i..n).max_by(|a, c| k[*a][i].abs().total_cmp(&k[*c][i].abs())).unwrap();
        k.swap(i, best);
        b.swap(i, best);
        for j in i + 1..n {
            let factor = k[j][i] / k[i][i];
            let (head, tail) = k.split_at_mut(j);
            tail[0].iter_mut().zip(&head[i]).for_each(|(x, y)| *x -= factor * y);
            b[j] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| k[i][j] * b[j]).sum();
        b[i] = (b[i] - sum) / k[i][i];
    }
    b
}

/// Couplings of `n` unknowns and `m` rows of five entries each.
fn any(n: usize, m: usize, seed: u64) -> Given {
    let mut seed = seed;
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, i, 5.0 + random(&mut seed)));
        if i > 0 {
            let other = (random(&mut seed).abs() * i as f64) as usize % i;
            entries.push((i, other, random(&mut seed)));
        }
    }
    for row in 0..m {
        entries.push((n + row, row % n, 2.0));
        for _ in 0..4 {
            let column = (random(&mut seed).abs() * n as f64) as usize % n;
            entries.push((n + row, column, random(&mut seed)));
        }
    }
    Given { n, m, entries }
}

/// A chain of bars, pinned to the ground and to each other; the last one is heavy.
pub(super) fn chain(count: usize, heavy: f64) -> Given {
    let (n, mut entries) = (3 * count, Vec::new());
    for body in 0..count {
        let mass = if body + 1 == count { heavy } else { 1.0 };
        for (k, value) in [mass, mass, mass / 12.0].into_iter().enumerate() {
            entries.push((3 * body + k, 3 * body + k, value));
        }
        let angle = 0.3 * body as f64;
        let (x, y) = (0.5 * angle.cos(), 0.5 * angle.sin());
        let row = n + 2 * body;
        entries.extend([(row, 3 * body, 1.0), (row, 3 * body + 2, y)]);
        entries.extend([(row + 1, 3 * body + 1, 1.0), (row + 1, 3 * body + 2, -x)]);
        if body > 0 {
            let angle = 0.3 * (body - 1) as f64;
            let (x, y) = (0.5 * angle.cos(), 0.5 * angle.sin());
            let before = 3 * (body - 1);
            entries.extend([(row, before, -1.0), (row, before + 2, y)]);
            entries.extend([(row + 1, before + 1, -1.0), (row + 1, before + 2, -x)]);
        }
    }
    Given { n, m: 2 * count, entries }
}

/// Adds a row: the sum of others times factors.
fn with_row(given: &Given, of: &[(usize, f64)]) -> Given {
    let mut made = given.clone();
    for &(row, column, value) in &given.entries {
        for (other, factor) in of {
            if row == given.n + other {
                made.entries.push((given.n + given.m, column, factor * value));
            }
        }
    }
    made.m += 1;
    made
}

pub(super) fn wave(count: usize) -> Vec<f64> {
    (0..count).map(|i| (1.7 * i as f64 + 0.3).sin()).collect()
}

fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
}

/// Solves, and returns the solution with the quality; the residual is checked against the sides.
fn check(given: &Given, rhs: &[f64], tolerance: f64) -> (Vec<f64>, Quality) {
    let mut saddle = given.saddle();
    saddle.factor().unwrap();
    let mut z = rhs.to_vec();
    let quality = saddle.solve(&mut z).unwrap();
    let mut product = vec![0.0; z.len()];
    saddle.multiply(&z, &mut product);
    let left = most(product.iter().zip(rhs).map(|(a, b)| a - b)) / most(rhs.iter().copied());
    assert!(left <= tolerance, "{left} {quality:?}");
    assert!(z.iter().all(|x| x.is_finite()));
    (z, quality)
}

pub(super) fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    let scale = most(wanted.iter().copied());
    for (at, (a, b)) in found.iter().zip(wanted).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{at}: {a} {b}");
    }
}

#[test]
fn solves_what_a_dense_solver_solves() {
    for (n, m, seed) in [(1, 1, 1), (6, 3, 2), (30, 12, 3), (90, 60, 4), (150, 149, 5)] {
        let given = any(n, m, seed);
        let rhs = wave(n + m);
        let (z, quality) = check(&given, &rhs, 1e-11);
        assert!(quality.residual < 1e-12, "{quality:?}");
        assert_close(&z, &dense_solve(given.dense(), rhs), 1e-8);
    }
}

#[test]
fn solves_dense_rows_by_supernodes() {
    let (n, m) = (200, 60);
    let mut given = any(n, 0, 8);
    let mut seed = 9;
    for row in 0..m {
        given.entries.extend((0..n).map(|column| (n + row, column, random(&mut seed))));
    }
    given.m = m;
    let rhs = wave(n + m);
    let (z, quality) = check(&given, &rhs, 1e-12);
    assert_eq!(quality.regularised, 0);
    assert_close(&z, &dense_solve(given.dense(), rhs.clone()), 1e-9);
    let twice = with_row(&given, &[(5, 1.0)]);
    let mut rhs = rhs;
    rhs.push(rhs[n + 5]);
    let (z, quality) = check(&twice, &rhs, 1e-12);
    assert_eq!(quality.regularised, 1);
    assert!((z[n + 5] - z[n + m]).abs() < 0.1 * z[n + 5].abs(), "{} {}", z[n + 5], z[n + m]);
}

#[test]
fn solves_chains_of_unlike_masses() {
    for count in [1, 7, 100, 1000] {
        for heavy in [1.0, 1e3, 1e-3] {
            let given = chain(count, heavy);
            let mut rhs = wave(5 * count);
            rhs[3 * count..].fill(0.0);
            let (_, quality) = check(&given, &rhs, 1e-10 * heavy.max(1.0));
            assert!(quality.residual < 1e-12 && quality.regularised == 0, "{count} {quality:?}");
        }
    }
    let given = chain(30, 1e3);
    let wanted = wave(150);
    let rhs = given.rhs_of(&wanted);
    assert_close(&check(&given, &rhs, 1e-12).0, &wanted, 1e-9);
}

#[test]
fn units_do_not_matter() {
    // Masses in millions, angles in small units, rows in others: K becomes D K D.
    let mut given = chain(20, 1e3);
    let mut seed = 5;
    let d: Vec<f64> = (0..100).map(|_| 10_f64.powf(9.0 * random(&mut seed))).collect();
    for (row, column, value) in &mut given.entries {
        *value *= d[*row] * d[*column];
    }
    let wanted: Vec<f64> = wave(100).iter().zip(&d).map(|(z, d)| z / d).collect();
    let mut z = given.rhs_of(&wanted);
    let mut saddle = given.saddle();
    saddle.factor().unwrap();
    let quality = saddle.solve(&mut z).unwrap();
    assert!(quality.residual < 1e-12 && quality.regularised == 0, "{quality:?}");
    for (z, wanted) in z.iter().zip(&wanted) {
        assert!((z - wanted).abs() <= 1e-8 * wanted.abs(), "{z} {wanted}");
    }
}

#[test]
fn rows_that_repeat_share_their_load() {
    let once = chain(12, 1e3);
    let wanted = wave(60);
    let (alone, _) = check(&once, &once.rhs_of(&wanted), 1e-12);
    let twice = with_row(&once, &[(7, 1.0)]);
    let mut rhs = once.rhs_of(&wanted);
    rhs.push(rhs[36 + 7]);
    let (z, quality) = check(&twice, &rhs, 1e-12);
    assert_eq!(quality.regularised, 1, "{quality:?}");
    assert_close(&z[..36], &alone[..36], 1e-9);
    assert!((z[43] + z[60] - alone[43]).abs() < 1e-9 * most(alone.iter().copied()));
    assert!((z[43] - z[60]).abs() < 1e-2 * z[43].abs(), "{} {}", z[43], z[60]);
    // One that others make up, and a row of zeros.
    let more = with_row(&with_row(&once, &[(3, 2.0), (4, -1.0), (11, 0.5)]), &[]);
    let mut rhs = once.rhs_of(&wanted);
    rhs.push(2.0 * rhs[39] - rhs[40] + 0.5 * rhs[47]);
    rhs.push(0.0);
    let (z, quality) = check(&more, &rhs, 1e-12);
    assert_eq!(quality.regularised, 2);
    assert_close(&z[..36], &alone[..36], 1e-9);
    assert!(z[61] == 0.0 && most(z[36..].iter().copied()) < 2.0);
}

#[test]
fn rows_that_nearly_repeat_are_solved() {
    for (by, tolerance) in [(1e-3, 1e-12), (1e-5, 1e-12), (1e-7, 1e-11), (1e-9, 1e-8)] {
        let once = chain(8, 1.0);
        let mut given = with_row(&once, &[(5, 1.0)]);
        given.entries.push((given.n + 16, 3, by));
        let mut wanted = wave(24);
        wanted.resize(41, 0.0);
        let rhs = given.rhs_of(&wanted);
        let (z, quality) = check(&given, &rhs, tolerance);
        assert_close(&z[..24], &wanted[..24], 1e-7_f64.max(tolerance));
        assert!(quality.refinements < 60, "{by} {quality:?}");
    }
}

#[test]
fn contradictions_are_reported() {
    let given = with_row(&chain(4, 1.0), &[(2, 1.0)]);
    let mut rhs = given.rhs_of(&wave(21));
    rhs[20] += 0.1;
    let mut saddle = given.saddle();
    saddle.factor().unwrap();
    let found = saddle.solve(&mut rhs);
    assert!(
        matches!(found, Err(SparseError::Residual { residual }) if residual > 1e-3),
        "{found:?}"
    );
    assert!(rhs.iter().all(|x| x.is_finite()));
    let text = found.unwrap_err().to_string();
    assert!(text.contains("not solved"), "{text}");
}

#[test]
fn what_gives_way_and_what_is_not_least_are_solved() {
    let mut given = chain(10, 1e3);
    for row in 0..20 {
        given.entries.push((30 + row, 30 + row, -1e-6 * row as f64));
    }
    // A spring that pushes: the energy is not least.
    given.entries.extend([(6, 6, -2.5), (9, 9, -1.5), (9, 6, 2.0)]);
    let rhs = wave(50);
    let (z, quality) = check(&given, &rhs, 1e-11);
    assert!(quality.regularised > 0, "{quality:?}");
    assert_close(&z, &dense_solve(given.dense(), rhs), 1e-8);
    // A freedom without mass that a row holds.
    let given = Given { n: 2, m: 1, entries: vec![(0, 0, 1.0), (2, 1, 3.0), (2, 0, 1.0)] };
    let (z, _) = check(&given, &[1.0, 6.0, 4.0], 1e-12);
    assert_close(&z, &[-1.0, 5.0 / 3.0, 2.0], 1e-12);
}

#[test]
fn loops_and_stars_are_solved() {
    // A ring, and a body in whose middle five others hang.
    for star in [false, true] {
        let (count, mut seed) = (6, 3);
        let mut entries: Vec<_> = (0..3 * count).map(|i| (i, i, 1.0)).collect();
        let pairs: Vec<_> =
            (0..count).map(|i| if star { (0, i) } else { (i, (i + 1) % count) }).collect();
        let mut m = 0;
        for (a, b) in pairs.into_iter().filter(|(a, b)| a != b) {
            for (body, sign) in [(a, 1.0), (b, -1.0)] {
                let lever = |seed: &mut u64| if star && body == 0 { 0.0 } else { random(seed) };
                for k in 0..2 {
                    entries.push((18 + m + k, 3 * body + k, sign));
                    entries.push((18 + m + k, 3 * body + 2, lever(&mut seed)));
                }
            }
            m += 2;
        }
        let given = Given { n: 18, m, entries };
        let rhs = wave(18 + m);
        let (z, quality) = check(&given, &rhs, 1e-11);
        assert_eq!(quality.regularised, 0);
        assert_close(&z, &dense_solve(given.dense(), rhs), 1e-9);
    }
}

#[test]
fn empty_parts_are_no_problem() {
    let mut nothing = Saddle::new(0, 0, &[]).unwrap();
    nothing.factor().unwrap();
    assert_eq!(nothing.solve(&mut []), Ok(Quality::default()));
    let only = any(9, 0, 3);
    assert_close(&check(&only, &wave(9), 1e-13).0, &dense_solve(only.dense(), wave(9)), 1e-12);
    let mut rows = Saddle::new(0, 2, &[(0, 0), (1, 1)]).unwrap();
    rows.values_mut().copy_from_slice(&[-2.0, 0.0]);
    rows.factor().unwrap();
    let mut rhs = [4.0, 0.0];
    rows.solve(&mut rhs).unwrap();
    assert_eq!(rhs, [-2.0, 0.0]);
    let mut none = General::new(0, &[]).unwrap();
    none.factor().unwrap();
    assert!(none.solve(&mut []).is_ok());
}

#[test]
fn what_is_not_finite_is_an_error() {
    let given = chain(3, 1.0);
    for bad in [f64::NAN, f64::INFINITY] {
        for at in 0..given.entries.len() {
            let mut saddle = given.saddle();
            let slot = saddle.slots()[at];
            saddle.values_mut()[slot] = bad;
            assert_eq!(saddle.factor(), Err(SparseError::NotFinite));
            assert_eq!(saddle.solve(&mut wave(15)), Err(SparseError::NotFactored));
        }
        let mut saddle = given.saddle();
        saddle.factor().unwrap();
        for at in 0..15 {
            let mut rhs = wave(15);
            rhs[at] = bad;
            assert_eq!(saddle.solve(&mut rhs), Err(SparseError::NotFinite));
        }
        assert!(saddle.solve(&mut wave(14)).is_err());
    }
    assert_eq!(
        Saddle::new(2, 1, &[(0, 1)]).err(),
        Some(SparseError::Outside { row: 0, column: 1 })
    );
    assert!(Saddle::new(2, 1, &[(3, 1)]).is_err());
}

#[test]
fn the_pattern_is_used_again_with_the_same_bits() {
    let (first, second) = (chain(9, 1.0), chain(9, 1e3));
    let mut saddle = first.saddle();
    let solve = |saddle: &mut Saddle| {
        saddle.factor().unwrap();
        let mut z = wave(45);
        saddle.solve(&mut z).unwrap();
        z.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let a = solve(&mut saddle);
    second.fill(&mut saddle);
    let b = solve(&mut saddle);
    assert_eq!(b, solve(&mut second.saddle()));
    assert_ne!(a, b);
    first.fill(&mut saddle);
    assert_eq!(a, solve(&mut saddle));
}

#[test]
fn slots_of_repeated_entries_are_one() {
    let saddle = Saddle::new(2, 1, &[(1, 0), (0, 0), (2, 1), (1, 0)]).unwrap();
    let slots = saddle.slots();
    assert_eq!(slots[0], slots[3]);
    assert!(slots[0] != slots[1] && slots[1] != slots[2] && slots[0] != slots[2]);
}

#[test]
fn what_nothing_holds_takes_no_force() {
    let mut free = Given { n: 1, m: 0, entries: vec![(0, 0, 0.0)] }.saddle();
    free.factor().unwrap();
    assert!(matches!(free.solve(&mut [1.0]), Err(SparseError::Residual { .. })));
    assert_eq!(free.solve(&mut [0.0]).unwrap().regularised, 1);
}
