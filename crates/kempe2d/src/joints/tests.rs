//! Every row of every joint against dual numbers: what the joint says its coordinate does is what it
//! does along every motion of the bodies.

use super::{Angle, Distance, Equation, Generic, Pair, Prismatic, Revolute, Slot, Tendon, Weld};
use crate::user::{Pose, Rows};
use kempe_scalar::{Dual, Real, Vec2};

type D = Dual<f64, 6>;

/// A pose whose freedoms move along directions `first` to `first + 2`.
fn moving(x: f64, y: f64, angle: f64, first: usize) -> (Vec2<D>, D) {
    let position = Vec2::new(D::variable(x, first), D::variable(y, first + 1));
    (position, D::variable(angle, first + 2))
}

fn check<E: Equation>(name: &str, parameters: &[f64], ratio: f64) {
    let mut seed = 5_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 22) - 2.0
    };
    for _ in 0..200 {
        let (xa, angle_a) = moving(random(), random(), random(), 0);
        let (xb, angle_b) = moving(random(), random(), random(), 3);
        let turn = |angle: D| {
            let (sin, cos) = angle.sin_cos();
            [cos, sin]
        };
        let pair = Pair {
            turn_a: turn(angle_a),
            turn_b: turn(angle_b),
            offset: xb - xa,
            angle: D::constant(ratio) * angle_b - angle_a,
        };
        let p: Vec<D> = parameters.iter().map(|value| D::constant(*value)).collect();
        for (index, row) in E::rows(&p, &pair).iter().enumerate().take(E::HOLD + E::AXES) {
            let n = [row.n.x.value, row.n.y.value];
            let said = [-n[0], -n[1], -row.a.value, n[0], n[1], row.b.value];
            for (column, (said, does)) in said.iter().zip(row.value.slopes).enumerate() {
                assert!(
                    (said - does).abs() < 1e-12,
                    "{name}, row {index}, {column}: {said} {does}"
                );
            }
        }
    }
}

#[test]
fn what_a_cable_says_of_its_derivatives_is_so() {
    let anchors = [[0.3, -0.7], [1.1, 0.4], [-0.2, 0.1], [0.5, 0.9]].map(Vec2::from);
    let tendon = Tendon { anchors: &anchors, ratios: &[1.0, 0.0, 1.7], directions: &[] };
    let mut seed = 9_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 22) - 2.0
    };
    for _ in 0..200 {
        let poses: Vec<Pose> =
            (0..4).map(|_| Pose::new(Vec2::new(random(), random()), random())).collect();
        let mut said = Rows::default();
        tendon.rows(&poses, &mut said);
        assert!((said.value[0] - tendon.length(&poses)).abs() < 1e-12);
        for body in 0..4 {
            let moving: Vec<Pose<D>> = poses
                .iter()
                .enumerate()
                .map(|(k, pose)| {
                    let Pose { position: Vec2 { x, y }, rotation, .. } = *pose;
                    let (position, angle) = match k == body {
                        true => moving(x, y, rotation, 0),
                        false => (Vec2::constant(Vec2::new(x, y)), D::constant(rotation)),
                    };
                    Pose::new(position, angle)
                })
                .collect();
            let does = tendon.length(&moving);
            for (said, does) in said.jacobian[0][body].iter().zip(does.slopes) {
                assert!((said - does).abs() < 1e-12, "{said} {does}");
            }
        }
    }
}

#[test]
fn every_row_is_the_derivative_of_its_coordinate() {
    let anchors = [0.3, -0.7, 1.1, 0.4];
    let rail = [0.6, 0.8];
    let with_rail = [&anchors[..], &rail].concat();
    check::<Weld>("weld", &anchors, 1.0);
    check::<Revolute>("revolute", &anchors, 1.0);
    check::<Prismatic>("prismatic", &with_rail, 1.0);
    check::<Slot>("slot", &with_rail, 1.0);
    check::<Generic>("generic", &with_rail, 1.0);
    check::<Distance>("distance", &with_rail, 1.0);
    check::<Angle>("angle", &[-2.5], -2.5);
}
