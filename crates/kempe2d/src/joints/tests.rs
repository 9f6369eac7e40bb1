//! Every row of every joint against dual numbers: what the joint says its coordinate does is what it
//! does along every motion of the bodies.

use super::{Angle, Distance, Equation, Generic, Pair, Prismatic, Pulley, Revolute, Slot, Weld};
use crate::user::{Constraint, Counts, Pose, Rows, evaluate};
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

/// A pulley whose derivatives are found rather than given.
#[derive(Clone, Debug)]
struct Found(Pulley);

impl Constraint for Found {
    fn name(&self) -> &str {
        "found"
    }

    fn counts(&self) -> Counts {
        self.0.counts()
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], time: S, out: &mut [S]) {
        self.0.equations(bodies, time, out);
    }
}

#[test]
fn what_a_pulley_says_of_its_derivatives_is_so() {
    let anchors = [[0.3, -0.7], [1.1, 0.4], [-0.2, 0.1], [0.5, 0.9]].map(Vec2::from);
    let pulley = Pulley { anchors, ratio: 1.7, remembered: [Vec2::X; 2] };
    let mut seed = 9_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 22) - 2.0
    };
    for _ in 0..200 {
        let poses: Vec<Pose> =
            (0..4).map(|_| Pose::new(Vec2::new(random(), random()), random())).collect();
        let (mut said, mut found) = (Rows::default(), Rows::default());
        evaluate(&pulley, &poses, 0.0, &mut said);
        evaluate(&Found(pulley.clone()), &poses, 0.0, &mut found);
        assert_eq!(said.value, found.value);
        for (said, does) in
            said.jacobian[0].iter().flatten().zip(found.jacobian[0].iter().flatten())
        {
            assert!((said - does).abs() < 1e-12, "{said} {does}");
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
