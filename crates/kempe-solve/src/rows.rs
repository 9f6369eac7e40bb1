//! Rows over any number of bodies with any number of freedoms.
//!
//! A row is J of one equation, by body; a body's inverse mass is an operator on its velocities.
//! Whether a body has three freedoms or six, and whether its inertia turns with it, is the
//! caller's: here are only λ = −(J M⁻¹ Jᵀ)⁻¹ (J v̄ + b) and v = v̄ + M⁻¹ Jᵀ λ.

use crate::block::Block;

/// M⁻¹ of a body, on the velocities of its `F` freedoms.
pub trait InverseMass<const F: usize> {
    /// M⁻¹ times an impulse.
    fn apply(&self, impulse: &[f64; F]) -> [f64; F];
}

/// A diagonal inverse mass, as in the plane.
impl<const F: usize> InverseMass<F> for [f64; F] {
    fn apply(&self, impulse: &[f64; F]) -> [f64; F] {
        std::array::from_fn(|k| self[k] * impulse[k])
    }
}

/// One equation: its coefficients for each of its bodies, which are different ones, and its bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<const F: usize> {
    /// (body, coefficients of its velocities)
    pub parts: Vec<(usize, [f64; F])>,
    /// b: the row asks that J v + b = 0.
    pub bias: f64,
}

/// The rows of one joint, solved together.
#[derive(Clone, Debug)]
pub struct RowSystem<const F: usize, const N: usize> {
    rows: Vec<Row<F>>,
    block: Block<N>,
}

fn dot<const F: usize>(a: &[f64; F], b: &[f64; F]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl<const F: usize, const N: usize> RowSystem<F, N> {
    /// The system of these rows (the first `N` of them) between bodies of these inverse masses.
    /// Parts for the same body in one row are merged.
    pub fn new<M: InverseMass<F>>(mut rows: Vec<Row<F>>, masses: &[M]) -> Self {
        rows.truncate(N);
        for row in &mut rows {
            merge(&mut row.parts);
            row.parts.retain(|part| part.0 < masses.len());
        }
        let mut matrix = [[0.0; N]; N];
        for (i, first) in rows.iter().enumerate() {
            for (j, second) in rows.iter().enumerate().take(i + 1) {
                for (body, coefficients) in &first.parts {
                    let moved = masses[*body].apply(coefficients);
                    let same = second.parts.iter().filter(|part| part.0 == *body);
                    matrix[i][j] += same.map(|part| dot(&moved, &part.1)).sum::<f64>();
                }
            }
        }
        Self { block: Block::new(&matrix, rows.len()), rows }
    }

    /// How many rows are independent.
    pub fn rank(&self) -> usize {
        self.block.rank()
    }

    /// λ = −(J M⁻¹ Jᵀ)⁻¹ (J v + b).
    pub fn multipliers(&self, velocities: &[[f64; F]]) -> [f64; N] {
        let mut lambda = [0.0; N];
        for (value, row) in lambda.iter_mut().zip(&self.rows) {
            let speed = row.parts.iter().map(|(body, j)| dot(j, &velocities[*body])).sum::<f64>();
            *value = -(speed + row.bias);
        }
        self.block.solve(&mut lambda);
        lambda
    }

    /// v += M⁻¹ Jᵀ λ.
    pub fn apply<M: InverseMass<F>>(
        &self,
        lambda: &[f64; N],
        masses: &[M],
        velocities: &mut [[f64; F]],
    ) {
        for (row, lambda) in self.rows.iter().zip(lambda) {
            for (body, coefficients) in &row.parts {
                let change = masses[*body].apply(&coefficients.map(|each| each * lambda));
                for (velocity, change) in velocities[*body].iter_mut().zip(change) {
                    *velocity += change;
                }
            }
        }
    }
}

fn merge<const F: usize>(parts: &mut Vec<(usize, [f64; F])>) {
    let mut merged: Vec<(usize, [f64; F])> = Vec::with_capacity(parts.len());
    for (body, coefficients) in parts.drain(..) {
        match merged.iter_mut().find(|part| part.0 == body) {
            Some(part) => part.1 = std::array::from_fn(|k| part.1[k] + coefficients[k]),
            None => merged.push((body, coefficients)),
        }
    }
    *parts = merged;
}

#[cfg(test)]
mod tests {
    use super::*;

    type Vector = [f64; 3];
    type Matrix = [Vector; 3];

    fn times(m: &Matrix, v: &Vector) -> Vector {
        m.map(|row| dot(&row, v))
    }

    fn cross(a: Vector, b: Vector) -> Vector {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    /// A body in space: 1/m, and the inverse of its inertia tensor in world axes.
    struct Spatial {
        inverse_mass: f64,
        inverse_inertia: Matrix,
    }

    impl InverseMass<6> for Spatial {
        fn apply(&self, impulse: &[f64; 6]) -> [f64; 6] {
            let [a, b, c, d, e, f] = *impulse;
            let turn = times(&self.inverse_inertia, &[d, e, f]);
            let m = self.inverse_mass;
            [m * a, m * b, m * c, turn[0], turn[1], turn[2]]
        }
    }

    fn rotation(axis: Vector, angle: f64) -> Matrix {
        let (s, c) = angle.sin_cos();
        let [x, y, z] = axis;
        let t = 1.0 - c;
        [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ]
    }

    /// R diag(d) Rᵀ
    fn turned(r: &Matrix, d: Vector) -> Matrix {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| r[i][k] * d[k] * r[j][k]).sum())
        })
    }

    /// A hinge in space: five rows over twelve velocities, with inertia tensors that have turned.
    fn hinge() -> (Vec<Row<6>>, [Spatial; 2]) {
        let (r1, r2) = ([0.4, -0.2, 0.7], [-0.3, 0.5, 0.1]);
        let (b, c): (Vector, Vector) = ([0.6, 0.8, 0.0], [0.0, 0.0, 1.0]);
        let unit = |k: usize| -> Vector { std::array::from_fn(|j| f64::from(u8::from(j == k))) };
        let row = |linear: Vector, turn1: Vector, turn2: Vector, bias: f64| Row {
            parts: vec![
                (0, [-linear[0], -linear[1], -linear[2], -turn1[0], -turn1[1], -turn1[2]]),
                (1, [linear[0], linear[1], linear[2], turn2[0], turn2[1], turn2[2]]),
            ],
            bias,
        };
        // The anchors' velocities agree: e · (v + ω × r) = e · v + (r × e) · ω.
        let mut rows: Vec<Row<6>> = (0..3)
            .map(|k| row(unit(k), cross(r1, unit(k)), cross(r2, unit(k)), 0.1 * k as f64))
            .collect();
        // No turning across the axis.
        rows.push(row([0.0; 3], b, b, -0.2));
        rows.push(row([0.0; 3], c, c, 0.3));
        let axis = [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
        let masses = [
            Spatial {
                inverse_mass: 0.5,
                inverse_inertia: turned(&rotation(axis, 0.9), [1.0, 0.25, 2.0]),
            },
            Spatial {
                inverse_mass: 1.5,
                inverse_inertia: turned(&rotation(axis, -2.1), [0.3, 3.0, 0.8]),
            },
        ];
        (rows, masses)
    }

    /// λ = −(J M⁻¹ Jᵀ)⁻¹ (J v̄ + b), for the hinge in space: the block solver knows no dimension.
    #[test]
    fn the_impulse_of_a_hinge_in_space() {
        let (rows, masses) = hinge();
        let system: RowSystem<6, 5> = RowSystem::new(rows.clone(), &masses);
        assert_eq!(system.rank(), 5);
        let mut velocities = [[0.3, -1.0, 0.5, 2.0, 0.1, -0.7], [-0.4, 0.9, 1.1, -1.3, 0.6, 0.2]];
        let before = velocities;
        let lambda = system.multipliers(&velocities);

        // The same by the formula, written out densely over twelve velocities.
        let dense: Vec<[f64; 12]> = rows
            .iter()
            .map(|row| {
                let mut line = [0.0; 12];
                for (body, j) in &row.parts {
                    line[6 * body..6 * body + 6].copy_from_slice(j);
                }
                line
            })
            .collect();
        let through_mass = |line: &[f64; 12]| -> [f64; 12] {
            let mut out = [0.0; 12];
            for (body, mass) in masses.iter().enumerate() {
                let part: [f64; 6] = std::array::from_fn(|k| line[6 * body + k]);
                out[6 * body..6 * body + 6].copy_from_slice(&mass.apply(&part));
            }
            out
        };
        let flat: [f64; 12] = std::array::from_fn(|k| before[k / 6][k % 6]);
        for (row, line) in rows.iter().zip(&dense) {
            // (J M⁻¹ Jᵀ λ)_i = −(J v̄ + b)_i
            let left: f64 = dense
                .iter()
                .zip(&lambda)
                .map(|(other, lambda)| dot(line, &through_mass(other)) * lambda)
                .sum();
            let right = -(dot(line, &flat) + row.bias);
            assert!((left - right).abs() < 1e-14 * (1.0 + right.abs()), "{left} {right}");
        }

        system.apply(&lambda, &masses, &mut velocities);
        for row in &rows {
            let speed: f64 = row.parts.iter().map(|(body, j)| dot(j, &velocities[*body])).sum();
            assert!((speed + row.bias).abs() < 1e-14, "the constraint holds afterwards");
        }
        // Equal and opposite: the hinge changes no linear momentum.
        for (k, (after, before)) in velocities[0].iter().zip(before[0]).take(3).enumerate() {
            let first = (after - before) / masses[0].inverse_mass;
            let second = (velocities[1][k] - [-0.4, 0.9, 1.1][k]) / masses[1].inverse_mass;
            assert!((first + second).abs() < 1e-14);
        }
    }

    /// A body that stands twice in a row has its coefficients added before K is formed.
    #[test]
    fn a_body_that_appears_twice_is_merged() {
        let masses = [[2.0, 2.0, 1.0], [1.0, 1.0, 3.0]];
        let twice = Row { parts: vec![(0, [1.0, 0.0, 0.5]), (0, [0.0, 2.0, 0.5])], bias: 0.0 };
        let once = Row { parts: vec![(0, [1.0, 2.0, 1.0])], bias: 0.0 };
        let velocities = [[1.0, 2.0, 3.0], [0.0; 3]];
        let a: RowSystem<3, 1> = RowSystem::new(vec![twice], &masses);
        let b: RowSystem<3, 1> = RowSystem::new(vec![once], &masses);
        assert_eq!(a.multipliers(&velocities), b.multipliers(&velocities));
    }

    #[test]
    fn two_equal_rows_do_nothing_silly() {
        let masses = [[1.0, 1.0, 1.0]];
        let row = || Row { parts: vec![(0, [1.0, 0.0, 0.0])], bias: 0.0 };
        let system: RowSystem<3, 2> = RowSystem::new(vec![row(), row()], &masses);
        let mut velocities = [[3.0, 1.0, 0.0]];
        let lambda = system.multipliers(&velocities);
        system.apply(&lambda, &masses, &mut velocities);
        assert_eq!(velocities, [[0.0, 1.0, 0.0]]);
    }
}
