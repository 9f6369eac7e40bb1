//! Nape's constructors: one step of each constraint by its equations, stiff and soft.

use super::one_step::{
    H, Row, SHORT, along, arm, check, close, gap, moving, put, speed_and_mass, turning, wanted,
};
use kempe2d::compat::nape::{self, Options};
use kempe2d::{BodyId, Vec2, World};

const ANCHORS: [Vec2; 2] = [Vec2::new(0.3, -0.4), Vec2::new(-0.5, 0.2)];
const NEAR: f64 = 1e-4;
/// How far past a stop is, so that it acts.
const PAST: f64 = 1e-4;

/// Both rows of a line: n × (v₂ − v₁) + ω₂ d₂ − ω₁ d₁ and n · (v₂ − v₁) − ω₂ c₂ + ω₁ c₁, with
/// d₁ = n · (d + r₁), d₂ = n · r₂, c₁ = n × (d + r₁), c₂ = n × r₂.
fn line(world: &World, [a, b]: [BodyId; 2], anchors: [Vec2; 2], n: Vec2) -> [Row; 2] {
    let d = gap(world, [a, b], anchors);
    let [r1, r2] = [arm(world, a, anchors[0]), arm(world, b, anchors[1])];
    let [d1, d2, c1, c2] = [n.dot(d + r1), n.dot(r2), n.cross(d + r1), n.cross(r2)];
    let t = Vec2::new(-n.y, n.x);
    [
        vec![(a, [-t.x, -t.y, -d1]), (b, [t.x, t.y, d2])],
        vec![(a, [-n.x, -n.y, c1]), (b, [n.x, n.y, -c2])],
    ]
}

/// A world with the anchors of the first two bodies together.
fn together() -> (World, [BodyId; 2], [Row; 2]) {
    let (mut world, [a, b, ..]) = moving(1.0);
    let point = world[a].world_point(ANCHORS[0]);
    put(&mut world, b, ANCHORS[1], point);
    let rows = [Vec2::X, Vec2::Y].map(|n| along(&world, [a, b], ANCHORS, n));
    (world, [a, b], rows)
}

#[test]
fn pivot_joint_holds_a_point() {
    let (mut world, [a, b], rows) = together();
    let lambda = wanted(&world, &rows, &[0.0, 0.0]);
    assert!(lambda.iter().all(|each| each.abs() > 0.1), "{lambda:?}");
    let def = nape::pivot_joint(a, b, ANCHORS[0], ANCHORS[1]);
    check(&mut world, &def, &rows, &lambda, SHORT, NEAR);
}

/// θ₂ − θ₁ = phase: with the phase of the other sign it would turn.
#[test]
fn weld_joint_holds_a_point_and_the_angle() {
    let (mut world, [a, b], [x, y]) = together();
    let phase = world[b].rotation() - world[a].rotation();
    let rows = [x, y, turning([a, b], 1.0)];
    let lambda = wanted(&world, &rows, &[0.0; 3]);
    assert!(lambda.iter().all(|each| each.abs() > 0.1), "{lambda:?}");
    let def = nape::weld_joint(a, b, ANCHORS[0], ANCHORS[1], phase);
    let id = check(&mut world, &def, &rows, &lambda, SHORT, NEAR);
    for _ in 0..120 {
        world.step(H).unwrap();
        let (open, turned) = world.joint_separation(id).unwrap();
        close(open, 0.0, 1e-4);
        close(turned, 0.0, 1e-4);
        close(world[b].rotation() - world[a].rotation(), phase, 1e-4);
    }
}

/// λ ≤ 0 with w = 1 at the longest and w = −1 at the shortest; any with both the same.
#[test]
fn distance_joint_pushes_back_from_its_ends() {
    let mut pushed = 0;
    for sense in [1.0, -1.0] {
        let (world, [a, b, ..]) = moving(sense);
        let gap = gap(&world, [a, b], ANCHORS);
        let length = gap.length();
        let rows = [along(&world, [a, b], ANCHORS, gap * (1.0 / length))];
        let free = wanted(&world, &rows, &[0.0])[0];
        for (min, max, lambda) in [
            (0.1, length - PAST, free.min(0.0)),
            (length + PAST, 9.0, free.max(0.0)),
            (length, length, free),
            (length - 0.5, length + 0.5, 0.0),
        ] {
            pushed += usize::from(lambda.abs() > 0.2);
            let def = nape::distance_joint(a, b, ANCHORS[0], ANCHORS[1], min, max);
            check(&mut world.clone(), &def, &rows, &[lambda], SHORT, NEAR);
        }
    }
    assert_eq!(pushed, 4);
}

/// n × d = 0 alone inside, with n · d at an end if that pushes back; at equal ends both, both ways.
#[test]
fn line_joint_holds_across_and_at_its_ends() {
    let direction = Vec2::new(1.2, 0.9);
    let mut both = 0;
    for sense in [1.0, -1.0] {
        let (mut world, [a, b, ..]) = moving(sense);
        let n = world[a].turned(direction * (1.0 / direction.length()));
        let point = world[a].world_point(ANCHORS[0]) + n * 0.8;
        put(&mut world, b, ANCHORS[1], point);
        let rows = line(&world, [a, b], ANCHORS, n);
        let held = wanted(&world, &rows, &[0.0, 0.0]);
        let inside = [wanted(&world, &rows[..1], &[0.0])[0], 0.0];
        // The travel is 0.8 along the direction: with the direction turned round it would be −0.8.
        for (min, max, stops) in [
            (-0.2, 0.8 - PAST, held[1] < 0.0),
            (0.8 + PAST, 2.0, held[1] > 0.0),
            (0.8, 0.8, true),
            (-0.2, 1.2, false),
            (f64::NEG_INFINITY, f64::INFINITY, false),
        ] {
            both += usize::from(stops);
            let lambda = if stops { [held[0], held[1]] } else { inside };
            let def = nape::line_joint(a, b, ANCHORS[0], ANCHORS[1], direction, min, max);
            check(&mut world.clone(), &def, &rows, &lambda, SHORT, 10.0 * NEAR);
        }
    }
    assert_eq!(both, 4);
}

/// K = 1/i₁ + ρ²/i₂, impulses −wλ and wρλ.
#[test]
fn angle_joint_weighs_the_second_angle() {
    let mut pushed = 0;
    for (sense, ratio) in [(1.0, 0.4), (-1.0, 0.4), (1.0, -2.5), (-1.0, -2.5)] {
        let (world, [a, b, ..]) = moving(sense);
        let rows = [turning([a, b], ratio)];
        let free = wanted(&world, &rows, &[0.0])[0];
        let q = ratio * world[b].rotation() - world[a].rotation();
        for (min, max, lambda) in [
            (-20.0, q - PAST, free.min(0.0)),
            (q + PAST, 20.0, free.max(0.0)),
            (q, q, free),
            (q - 1.0, q + 1.0, 0.0),
        ] {
            pushed += usize::from(lambda.abs() > 0.05);
            let def = nape::angle_joint(a, b, min, max, ratio);
            check(&mut world.clone(), &def, &rows, &[lambda], SHORT, NEAR);
        }
    }
    assert_eq!(pushed, 8);
}

/// V = ρ ω₂ − ω₁ − rate.
#[test]
fn motor_joint_turns_the_second_against_the_first() {
    for (rate, ratio) in [(1.7, 1.0), (-2.0, 3.0), (1.1, -0.5)] {
        let (mut world, [a, b, ..]) = moving(1.0);
        let rows = [turning([a, b], ratio)];
        let lambda = wanted(&world, &rows, &[rate]);
        let def = nape::motor_joint(a, b, rate, ratio);
        check(&mut world, &def, &rows, &lambda, SHORT, NEAR);
        close(ratio * world[b].angular_velocity() - world[a].angular_velocity(), rate, NEAR);
    }
}

/// J = [−n₁₂, −c₁, n₁₂, c₂, −n₃₄, −c₃, n₃₄, c₄] with n₃₄ times ρ; bodies that come twice have the
/// sum of both.
#[test]
fn pulley_joint_over_four_three_and_two_bodies() {
    let anchors = [ANCHORS[0], ANCHORS[1], Vec2::new(0.2, 0.6), Vec2::new(-0.1, -0.7)];
    let ratio = 1.6;
    let mut pulled = 0;
    for roles in [
        [0, 1, 2, 3],
        [0, 1, 2, 0],
        [0, 1, 0, 2],
        [0, 1, 1, 2],
        [0, 1, 2, 1],
        [0, 1, 0, 1],
        [0, 1, 1, 0],
    ] {
        for sense in [1.0, -1.0] {
            let (world, ids) = moving(sense);
            let bodies = roles.map(|role| ids[role]);
            let pairs = [[0, 1], [2, 3]].map(|[i, j]| {
                let pair = [bodies[i], bodies[j]];
                let ends = [anchors[i], anchors[j]];
                (pair, ends, gap(&world, pair, ends))
            });
            let length = pairs[0].2.length() + ratio * pairs[1].2.length();
            let mut row = Row::new();
            for ((pair, ends, gap), weight) in pairs.into_iter().zip([1.0, ratio]) {
                row.extend(along(&world, pair, ends, gap * (weight / gap.length())));
            }
            let rows = [row];
            let free = wanted(&world, &rows, &[0.0])[0];
            for (min, max, lambda) in [
                (0.0, length - PAST, free.min(0.0)),
                (length + PAST, 99.0, free.max(0.0)),
                (length, length, free),
                (length - 1.0, length + 1.0, 0.0),
            ] {
                pulled += usize::from(lambda.abs() > 0.02);
                let def = nape::pulley_joint(bodies, anchors, min, max, ratio);
                check(&mut world.clone(), &def, &rows, &[lambda], SHORT, 10.0 * NEAR);
            }
        }
    }
    assert!(pulled >= 24, "{pulled}");
}

/// γ₀ = 1 / (h ω (2ζ + ω h)), bias = C ω / (2ζ + ω h), λ = −(V + bias) / (K (1 + γ₀)), of what is
/// held and of a range that is left.
#[test]
fn soft_joints_are_springs_by_frequency_and_damping() {
    for (frequency, damping) in [(10.0, 1.0), (2.0, 0.1), (5.0, 3.0)] {
        let soft = Options { stiff: false, frequency, damping, ..Options::default() };
        let omega = std::f64::consts::TAU * frequency;
        let gamma = 1.0 / (H * omega * (2.0 * damping + omega * H));
        let (world, [a, b, ..]) = moving(1.0);
        let gap = gap(&world, [a, b], ANCHORS);
        let length = gap.length();
        let angle = world[b].rotation() - world[a].rotation();
        let (near, far) = (0.3, 9.0);
        let rows = [along(&world, [a, b], ANCHORS, gap * (1.0 / length)), turning([a, b], 1.0)];
        let distance = |min, max| nape::distance_joint(a, b, ANCHORS[0], ANCHORS[1], min, max);
        let turn = |min, max| nape::angle_joint(a, b, min, max, 1.0);
        for (def, row, c) in [
            (distance(length - near, length - near), &rows[0], near),
            (distance(length - far, length - near), &rows[0], near),
            (distance(length + near, length + far), &rows[0], -near),
            (turn(angle - near, angle - near), &rows[1], near),
            (turn(angle + near, angle + far), &rows[1], -near),
        ] {
            let (v, k) = speed_and_mass(&world, row);
            let bias = c * omega / (2.0 * damping + omega * H);
            let mut lambda = -(v + bias) / (k * (1.0 + gamma));
            let axis = &def.axes[0].limit.unwrap();
            if axis.lower != axis.upper {
                lambda = if c > 0.0 { lambda.min(0.0) } else { lambda.max(0.0) };
            }
            let rows = std::slice::from_ref(row);
            check(&mut world.clone(), &soft.apply(def), rows, &[lambda], H, 10.0 * NEAR);
        }
    }
}
