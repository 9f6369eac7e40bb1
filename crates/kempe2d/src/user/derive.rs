//! The derivatives of a constraint, from its equations alone.

use super::{Constraint, Counts, Jacobian, Pose, Rows};
use kempe_scalar::{Dual, Vec2};
use smallvec::{SmallVec, smallvec};

type D = Dual<f64, 4>;

/// The poses, with those of body `moving` moving along the first three directions.
fn moving_poses(bodies: &[Pose], moving: Option<usize>) -> SmallVec<[Pose<D>; 4]> {
    let pose = |(k, pose): (usize, &Pose)| {
        let number = |value: f64, direction: usize| {
            if moving == Some(k) { D::variable(value, direction) } else { D::fixed(value) }
        };
        let mut cos = D::fixed(pose.cos);
        let mut sin = D::fixed(pose.sin);
        if moving == Some(k) {
            cos.slopes[2] = -pose.sin;
            sin.slopes[2] = pose.cos;
        }
        Pose {
            position: Vec2::new(number(pose.position.x, 0), number(pose.position.y, 1)),
            rotation: number(pose.rotation, 2),
            cos,
            sin,
        }
    };
    bodies.iter().enumerate().map(pose).collect()
}

/// The rows of a constraint, by dual numbers where it does not give its own Jacobian.
pub(super) fn evaluate<T: Constraint>(constraint: &T, bodies: &[Pose], time: f64, out: &mut Rows) {
    let Counts { hold, velocity, axes, .. } = constraint.counts();
    let rows = hold + velocity + axes;
    out.reset(rows, bodies.len());
    // Where equation `k` stands among the rows: velocity equations come between.
    let place = |k: usize| if k < hold { k } else { k + velocity };
    let mut values: SmallVec<[D; 8]> = smallvec![D::fixed(0.0); hold + axes];
    // The derivative by time comes along the fourth direction.
    constraint.equations(&moving_poses(bodies, None), D::variable(time, 3), &mut values);
    for (k, value) in values.iter().enumerate() {
        out.value[place(k)] = value.value;
        out.bias[place(k)] = value.slopes[3];
    }
    let count = bodies.len();
    let mut entries: SmallVec<[[f64; 3]; 8]> = smallvec![[0.0; 3]; rows * count];
    let mut given = Jacobian::new(&mut entries, count, [hold, velocity]);
    if constraint.jacobian(bodies, time, &mut given) {
        for (row, entries) in out.jacobian.iter_mut().zip(entries.chunks_exact(count)) {
            row.copy_from_slice(entries);
        }
    } else {
        for body in 0..count {
            constraint.equations(&moving_poses(bodies, Some(body)), D::fixed(time), &mut values);
            for (k, value) in values.iter().enumerate() {
                let [x, y, turn, _] = value.slopes;
                out.jacobian[place(k)][body] = [x, y, turn];
            }
        }
    }
    if velocity > 0 {
        let poses = moving_poses(bodies, None);
        let mut values = vec![D::fixed(0.0); velocity];
        for body in 0..bodies.len() {
            let along = |k: usize| -> [D; 3] {
                std::array::from_fn(|d| if k == body { D::variable(0.0, d) } else { D::fixed(0.0) })
            };
            let velocities: Vec<[D; 3]> = (0..bodies.len()).map(along).collect();
            constraint.velocity_equations(&poses, &velocities, D::fixed(time), &mut values);
            for (k, value) in values.iter().enumerate() {
                let [x, y, turn, _] = value.slopes;
                out.jacobian[hold + k][body] = [x, y, turn];
                out.bias[hold + k] = value.value;
            }
        }
    }
    constraint.velocity_bias(bodies, time, &mut out.bias);
}

/// Where two bodies may be.
const PLACES: [[[f64; 3]; 2]; 3] = [
    [[0.3, -0.2, 0.4], [1.7, 0.9, -0.7]],
    [[-0.8, 0.1, 2.1], [0.6, -1.3, 0.2]],
    [[2.9, 3.1, -1.2], [-1.1, 4.7, 1.9]],
];

/// The largest difference, beside the larger of two numbers or 1, of numbers that are the same.
const CLOSE: f64 = 1e-6;

/// Whether the Jacobian that a constraint over two bodies gives is that of its equations, where these
/// have one.
pub(super) fn agrees<T: Constraint>(constraint: &T) -> bool {
    let Counts { bodies: 2, hold, velocity: 0, axes } = constraint.counts() else { return false };
    let same = |a: f64, b: f64| {
        let apart = (a - b).abs() > CLOSE * a.abs().max(b.abs()).max(1.0);
        !apart || !a.is_finite() || !b.is_finite()
    };
    PLACES.into_iter().all(|place| {
        let poses = place.map(|[x, y, angle]| Pose::new(Vec2::new(x, y), angle));
        let mut entries: SmallVec<[[f64; 3]; 8]> = smallvec![[0.0; 3]; 2 * (hold + axes)];
        let mut given = Jacobian::new(&mut entries, 2, [hold, 0]);
        if !constraint.jacobian(&poses, 0.0, &mut given) {
            return false;
        }
        (0..2).all(|body| {
            let mut values: SmallVec<[D; 8]> = smallvec![D::fixed(0.0); hold + axes];
            constraint.equations(&moving_poses(&poses, Some(body)), D::fixed(0.0), &mut values);
            let pairs = values.iter().zip(entries.iter().skip(body).step_by(2));
            let mut all = pairs.flat_map(|(value, given)| value.slopes.into_iter().zip(*given));
            all.all(|(found, given)| same(found, given))
        })
    })
}

#[cfg(feature = "reference")]
type Second = Dual<Dual<f64, 3>, 3>;

/// The poses, with body `i` moving along the outer directions and body `j` along the inner ones.
#[cfg(feature = "reference")]
pub(crate) fn pair_poses(bodies: &[Pose], i: usize, j: usize) -> SmallVec<[Pose<Second>; 4]> {
    let number = |value: f64, k: usize, direction: usize| {
        let inner = if k == j { Dual::variable(value, direction) } else { Dual::fixed(value) };
        if k == i { Second::variable(inner, direction) } else { Second::fixed(inner) }
    };
    let pose = |(k, pose): (usize, &Pose)| {
        let position = Vec2::new(number(pose.position.x, k, 0), number(pose.position.y, k, 1));
        Pose::new(position, number(pose.rotation, k, 2))
    };
    bodies.iter().enumerate().map(pose).collect()
}

/// ∂(Jᵀλ)/∂x of a constraint, by duals of duals.
#[cfg(feature = "reference")]
pub(super) fn curvature<T: Constraint>(
    constraint: &T,
    bodies: &[Pose],
    time: f64,
    lambda: &[f64],
    out: &mut crate::reference::Curvature,
) {
    let Counts { hold, velocity, axes, .. } = constraint.counts();
    let place = |k: usize| if k < hold { k } else { k + velocity };
    let still = Second::fixed(Dual::fixed(0.0));
    let now = Second::fixed(Dual::fixed(time));
    let mut values = vec![still; hold + axes];
    let mut rates = vec![still; velocity];
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            constraint.equations(&pair_poses(bodies, i, j), now, &mut values);
            if velocity > 0 {
                // A of body i, as body j moves.
                let along = |k: usize| -> [Second; 3] {
                    std::array::from_fn(|d| {
                        let zero = Dual::fixed(0.0);
                        if k == i { Second::variable(zero, d) } else { Second::fixed(zero) }
                    })
                };
                let velocities: Vec<[Second; 3]> = (0..bodies.len()).map(along).collect();
                let poses = pair_poses(bodies, usize::MAX, j);
                constraint.velocity_equations(&poses, &velocities, now, &mut rates);
            }
            let held = values.iter().enumerate().map(|(k, value)| (place(k), value));
            let all = held.chain(rates.iter().enumerate().map(|(k, rate)| (hold + k, rate)));
            for (row, value) in all.filter(|(row, _)| lambda.get(*row).is_some_and(|l| *l != 0.0)) {
                for (a, outer) in value.slopes.iter().enumerate() {
                    for (b, inner) in outer.slopes.iter().enumerate() {
                        out.add(3 * i + a, 3 * j + b, lambda[row] * inner);
                    }
                }
            }
        }
    }
}
