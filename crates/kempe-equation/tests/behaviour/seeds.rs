//! The three programs that Nape's manual prints give what those joints give: C, V, J, K and the
//! impulses Jᵀλ in the closed forms of the manual, its misprints corrected.

use super::{Random, close, joint, rows_close, state};
use kempe_equation::{BodyState, Evaluation, gallery};

type Vector = [f64; 2];

fn rotated(state: &BodyState, v: Vector) -> Vector {
    let (s, c) = state.rotation.sin_cos();
    [c * v[0] - s * v[1], s * v[0] + c * v[1]]
}

fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// ω × r
fn turning(w: f64, r: Vector) -> Vector {
    [-w * r[1], w * r[0]]
}

struct Case {
    bodies: [BodyState; 2],
    anchors: [Vector; 2],
    r1: Vector,
    r2: Vector,
    /// (x₂ + r₂) − (x₁ + r₁) and its rate.
    d: Vector,
    rate: Vector,
}

fn cases() -> impl Iterator<Item = Case> {
    (0..200).map(|seed| {
        let bodies = [state(2 * seed + 1), state(2 * seed + 2)];
        let mut random = Random(1_000 + seed);
        let anchors = [[random.number(), random.number()], [random.number(), random.number()]];
        let [b1, b2] = &bodies;
        let (r1, r2) = (rotated(b1, anchors[0]), rotated(b2, anchors[1]));
        let d = minus(plus(b2.position, r2), plus(b1.position, r1));
        let speed = |b: &BodyState, r| plus(b.velocity, turning(b.angular_velocity, r));
        let rate = minus(speed(b2, r2), speed(b1, r1));
        Case { bodies, anchors, r1, r2, d, rate }
    })
}

fn evaluated(
    name: &str,
    case: &Case,
    own: &[(&str, f64)],
    direction: Option<Vector>,
) -> Evaluation {
    let mut joint = joint(gallery::find(name).unwrap().source);
    joint.set_vector("anchor1", case.anchors[0]).unwrap();
    joint.set_vector("anchor2", case.anchors[1]).unwrap();
    if let Some(direction) = direction {
        joint.set_vector("direction", direction).unwrap();
    }
    for (name, value) in own {
        joint.set_scalar(name, *value).unwrap();
    }
    joint.evaluate(&case.bodies, 0.0).unwrap()
}

/// K from the rows of the manual, entry by entry.
fn inverse_masses(case: &Case) -> [f64; 4] {
    let [b1, b2] = &case.bodies;
    [b1.inverse_mass, b1.inverse_inertia, b2.inverse_mass, b2.inverse_inertia]
}

#[test]
fn weld() {
    for case in cases() {
        let phase = 0.3;
        let values = evaluated("weld", &case, &[("phase", phase)], None);
        let [b1, b2] = &case.bodies;
        let angle = b2.rotation - b1.rotation - phase;
        rows_close(&values.value, &[case.d[0], case.d[1], angle], 1e-12);
        let turn = b2.angular_velocity - b1.angular_velocity;
        rows_close(&values.velocity, &[case.rate[0], case.rate[1], turn], 1e-12);
        let ([x1, y1], [x2, y2]) = (case.r1, case.r2);
        let expected = [
            [-1.0, 0.0, y1, 1.0, 0.0, -y2],
            [0.0, -1.0, -x1, 0.0, 1.0, x2],
            [0.0, 0.0, -1.0, 0.0, 0.0, 1.0],
        ];
        for (row, expected) in values.jacobian.iter().zip(expected) {
            rows_close(row, &expected, 1e-12);
        }
        let [m1, i1, m2, i2] = inverse_masses(&case);
        let k = &values.inverse_mass;
        close(k[0][0], m1 + m2 + y1 * y1 * i1 + y2 * y2 * i2, 1e-12);
        close(k[0][1], -x1 * y1 * i1 - x2 * y2 * i2, 1e-12);
        close(k[0][2], -y1 * i1 - y2 * i2, 1e-12);
        close(k[1][1], m1 + m2 + x1 * x1 * i1 + x2 * x2 * i2, 1e-12);
        close(k[1][2], x1 * i1 + x2 * i2, 1e-12);
        close(k[2][2], i1 + i2, 1e-12);
    }
}

#[test]
fn distance() {
    for case in cases() {
        let values = evaluated("distance", &case, &[("jointMin", 0.5), ("jointMax", 1.5)], None);
        let length = dot(case.d, case.d).sqrt();
        let n = case.d.map(|x| x / length);
        close(values.value[0], length, 1e-12);
        close(values.velocity[0], dot(n, case.rate), 1e-10);
        let (c1, c2) = (cross(case.r1, n), cross(case.r2, n));
        rows_close(&values.jacobian[0], &[-n[0], -n[1], -c1, n[0], n[1], c2], 1e-10);
        let [m1, i1, m2, i2] = inverse_masses(&case);
        close(values.inverse_mass[0][0], m1 + m2 + c1 * c1 * i1 + c2 * c2 * i2, 1e-10);
        let bound = values.bounds[0];
        assert_eq!((bound.lower, bound.upper), (0.5, 1.5));
        let violation = if length < 0.5 { length - 0.5 } else { (length - 1.5).max(0.0) };
        close(bound.violation(length), violation, 1e-12);
    }
}

#[test]
fn line() {
    for (index, case) in cases().enumerate() {
        let mut random = Random(7_000 + index as u64);
        let direction = [random.number(), random.number()];
        let own = [("jointMin", -0.5), ("jointMax", 0.75)];
        let values = evaluated("line", &case, &own, Some(direction));
        let length = dot(direction, direction).sqrt();
        let n = rotated(&case.bodies[0], direction.map(|x| x / length));
        rows_close(&values.value, &[dot(n, case.d), cross(n, case.d)], 1e-10);
        // d₁ = n·(d + r₁), c₁ = n×(d + r₁), d₂ = n·r₂, c₂ = n×r₂
        let reach = plus(case.d, case.r1);
        let (d1, c1) = (dot(n, reach), cross(n, reach));
        let (d2, c2) = (dot(n, case.r2), cross(n, case.r2));
        rows_close(&values.jacobian[0], &[-n[0], -n[1], c1, n[0], n[1], -c2], 1e-10);
        rows_close(&values.jacobian[1], &[n[1], -n[0], -d1, -n[1], n[0], d2], 1e-10);
        let [b1, b2] = &case.bodies;
        let relative = minus(b2.velocity, b1.velocity);
        let (w1, w2) = (b1.angular_velocity, b2.angular_velocity);
        let along = dot(n, relative) - w2 * c2 + w1 * c1;
        let across = cross(n, relative) + w2 * d2 - w1 * d1;
        rows_close(&values.velocity, &[along, across], 1e-10);
        let [m1, i1, m2, i2] = inverse_masses(&case);
        let k = &values.inverse_mass;
        close(k[1][1], m1 + m2 + d1 * d1 * i1 + d2 * d2 * i2, 1e-10);
        close(k[0][1], -(d1 * c1 * i1 + d2 * c2 * i2), 1e-10);
        close(k[0][0], m1 + m2 + c1 * c1 * i1 + c2 * c2 * i2, 1e-10);
        assert_eq!((values.bounds[0].lower, values.bounds[0].upper), (-0.5, 0.75));
        assert!(values.bounds[1].is_equation() && values.bounds[1].lower == 0.0);
        // The impulse on body 2 for λ: γ = n λ_along + ⊥n λ_across.
        let lambda = [0.7, -0.4];
        let impulse: Vec<f64> = (3..6)
            .map(|j| lambda[0] * values.jacobian[0][j] + lambda[1] * values.jacobian[1][j])
            .collect();
        let expected = [
            n[0] * lambda[0] - n[1] * lambda[1],
            n[1] * lambda[0] + n[0] * lambda[1],
            d2 * lambda[1] - c2 * lambda[0],
        ];
        rows_close(&impulse, &expected, 1e-10);
    }
}
