//! Chipmunk's constructors: one step of each constraint by its equations, options, bad arguments.

use super::one_step::{
    H, Row, SHORT, along, body, check, close, gap, moving, put, refused, run, turning, wanted,
    world,
};
use kempe2d::compat::chipmunk::{self, ERROR_BIAS, Options};
use kempe2d::{BodyDef, BodyId, Error, ForceLaw, JointDef, Softness, Vec2, World};

const ANCHORS: [Vec2; 2] = [Vec2::new(0.3, -0.4), Vec2::new(-0.5, 0.2)];
const NEAR: f64 = 1e-4;
/// How far past a stop is, so that it acts.
const PAST: f64 = 1e-4;

fn unit(v: Vec2) -> Vec2 {
    v * (1.0 / v.length())
}

/// J = −rᵥ · n mₙ n; b is 0 at the length that it is made with.
#[test]
fn pin_joint_is_a_rod() {
    for sense in [1.0, -1.0] {
        let (mut world, [a, b, ..]) = moving(sense);
        let n = unit(gap(&world, [a, b], ANCHORS));
        let rows = [along(&world, [a, b], ANCHORS, n)];
        let lambda = wanted(&world, &rows, &[0.0]);
        assert!(lambda[0].abs() > 0.2, "{lambda:?}");
        let def = chipmunk::pin_joint(&world, a, b, ANCHORS[0], ANCHORS[1]).unwrap();
        check(&mut world, &def, &rows, &lambda, SHORT, NEAR);
    }
}

/// The same at an end and only back, J · n ≤ 0 at max and ≥ 0 at min; between them nothing.
#[test]
fn slide_joint_is_a_range() {
    let mut pushed = [0, 0];
    for sense in [1.0, -1.0] {
        let (world, [a, b, ..]) = moving(sense);
        let gap = gap(&world, [a, b], ANCHORS);
        let rows = [along(&world, [a, b], ANCHORS, unit(gap))];
        let free = wanted(&world, &rows, &[0.0])[0];
        let length = gap.length();
        for (min, max, lambda) in [
            (0.0, length - PAST, free.min(0.0)),
            (length + PAST, 9.0, free.max(0.0)),
            (length - 0.5, length + 0.5, 0.0),
        ] {
            pushed[0] += usize::from(lambda < -0.2);
            pushed[1] += usize::from(lambda > 0.2);
            let def = chipmunk::slide_joint(a, b, ANCHORS[0], ANCHORS[1], min, max);
            check(&mut world.clone(), &def, &rows, &[lambda], SHORT, NEAR);
        }
    }
    assert_eq!(pushed, [1, 1]);
}

/// J = −K⁻¹ rᵥ
#[test]
fn pivot_joints_are_points() {
    let (mut world, [a, b, ..]) = moving(1.0);
    let pivot = world[a].world_point(ANCHORS[0]);
    put(&mut world, b, ANCHORS[1], pivot);
    let rows = [Vec2::X, Vec2::Y].map(|n| along(&world, [a, b], ANCHORS, n));
    let lambda = wanted(&world, &rows, &[0.0, 0.0]);
    assert!(lambda.iter().all(|each| each.abs() > 0.1), "{lambda:?}");
    let at = chipmunk::pivot_joint(&world, a, b, pivot).unwrap();
    for def in [at, chipmunk::pivot_joint2(a, b, ANCHORS[0], ANCHORS[1])] {
        check(&mut world.clone(), &def, &rows, &lambda, SHORT, NEAR);
    }
}

/// Across the groove J = −rᵥ · n / nᵀKn, with r₁ to where the pin is; at an end with its tangent
/// too, if that pushes into the groove.
#[test]
fn groove_joint_holds_across_and_at_its_ends() {
    let (from, to) = (Vec2::new(-0.6, -0.3), Vec2::new(0.9, 0.5));
    let mut both = 0;
    for sense in [1.0, -1.0] {
        for share in [-PAST, 0.4, 1.0 + PAST] {
            let (mut world, [a, b, ..]) = moving(sense);
            let pin = from + (to - from) * share;
            let point = world[a].world_point(pin);
            put(&mut world, b, ANCHORS[1], point);
            let t = world[a].turned(unit(to - from));
            let anchors = [pin, ANCHORS[1]];
            let rows = [t.perp(), t].map(|n| along(&world, [a, b], anchors, n));
            let mut lambda = wanted(&world, &rows, &[0.0, 0.0]);
            let into = if share < 0.0 { lambda[1] > 0.0 } else { lambda[1] < 0.0 };
            if share == 0.4 || !into {
                lambda = vec![wanted(&world, &rows[..1], &[0.0])[0], 0.0];
            } else {
                both += 1;
            }
            let def = chipmunk::groove_joint(a, b, from, to, ANCHORS[1]);
            check(&mut world, &def, &rows, &lambda, SHORT, 10.0 * NEAR);
        }
    }
    assert_eq!(both, 2);
}

/// Forces of the last step on both bodies.
fn forces(world: &mut World, def: &JointDef) -> Vec<(Vec2, f64)> {
    let id = world.add_joint(def).unwrap();
    world.step(SHORT).unwrap();
    let each = world.joint_forces(id).unwrap();
    each.iter().map(|each| (each.force, each.torque)).collect()
}

/// F = (d − |p₂ − p₁|) k − c rᵥ · n on the second body along n, with the arms' torques.
#[test]
fn damped_spring_pulls_what_is_too_long() {
    let (k, c) = (70.0, 3.0);
    for rest in [0.5, 4.0] {
        let (world, [a, b, ..]) = moving(1.0);
        let gap = gap(&world, [a, b], ANCHORS);
        let row = along(&world, [a, b], ANCHORS, unit(gap));
        let speed = super::one_step::speed_and_mass(&world, &row).0;
        let force = (rest - gap.length()) * k - c * speed;
        let law = ForceLaw::text(&format!("({rest} - q) * {k}")).unwrap();
        for def in [
            chipmunk::damped_spring(a, b, ANCHORS[0], ANCHORS[1], rest, k, c),
            chipmunk::damped_spring_with(a, b, ANCHORS[0], ANCHORS[1], c, law),
        ] {
            let found = forces(&mut world.clone(), &def);
            for ((found, torque), (_, part)) in found.into_iter().zip(&row) {
                let tolerance = 2e-3 * force.abs();
                close(found.x, part[0] * force, tolerance);
                close(found.y, part[1] * force, tolerance);
                close(torque, part[2] * force, tolerance);
            }
        }
    }
}

/// On the second body k ((θ₁ − θ₂) − θ) − c (ω₂ − ω₁), and the opposite on the first.
#[test]
fn damped_rotary_spring_rests_at_the_first_against_the_second() {
    let (k, c) = (20.0, 2.0);
    for rest in [0.7, -2.0] {
        let (world, [a, b, ..]) = moving(1.0);
        let (one, two) = (&world[a], &world[b]);
        let torque = k * ((one.rotation() - two.rotation()) - rest)
            - c * (two.angular_velocity() - one.angular_velocity());
        // Their function of the relative angle, which is −q.
        let law = ForceLaw::text(&format!("(-q - {rest}) * {k}")).unwrap();
        for def in [
            chipmunk::damped_rotary_spring(a, b, rest, k, c),
            chipmunk::damped_rotary_spring_with(a, b, c, law),
        ] {
            let found = forces(&mut world.clone(), &def);
            close(found[1].1, torque, 2e-3 * torque.abs());
            close(found[0].1, -torque, 2e-3 * torque.abs());
        }
    }
}

/// J = (ω₁ − ω₂) / (1/I₁ + 1/I₂) at an end, ≤ 0 at max and ≥ 0 at min.
#[test]
fn rotary_limit_joint_pushes_back_only() {
    let mut pushed = [0, 0];
    for sense in [1.0, -1.0] {
        let (world, [a, b, ..]) = moving(sense);
        let rows = [turning([a, b], 1.0)];
        let free = wanted(&world, &rows, &[0.0])[0];
        let q = world[b].rotation() - world[a].rotation();
        for (min, max, lambda) in [
            (-9.0, q - PAST, free.min(0.0)),
            (q + PAST, 9.0, free.max(0.0)),
            (q - 0.5, q + 0.5, 0.0),
        ] {
            pushed[0] += usize::from(lambda < -0.1);
            pushed[1] += usize::from(lambda > 0.1);
            let def = chipmunk::rotary_limit_joint(a, b, min, max);
            check(&mut world.clone(), &def, &rows, &[lambda], SHORT, NEAR);
        }
    }
    assert_eq!(pushed, [1, 1]);
}

/// J ρ ≥ 0 at a tooth; nothing between two.
#[test]
fn ratchet_joint_lets_one_way() {
    let mut pushed = 0;
    for (sense, ratchet) in [(1.0, 0.4), (1.0, -0.4), (-1.0, 0.4), (-1.0, -0.4)] {
        let (world, [a, b, ..]) = moving(sense);
        let rows = [turning([a, b], 1.0)];
        let free = wanted(&world, &rows, &[0.0])[0];
        let q = world[b].rotation() - world[a].rotation();
        // A hair past a tooth, and in the middle.
        let tooth = q - 1e-7 * ratchet + 3.0 * ratchet;
        let lambda = if free * ratchet > 0.0 { free } else { 0.0 };
        pushed += usize::from(lambda != 0.0);
        for (phase, lambda) in [(tooth, lambda), (tooth + 0.5 * ratchet, 0.0)] {
            let def = chipmunk::ratchet_joint(a, b, phase, ratchet);
            check(&mut world.clone(), &def, &rows, &[lambda], SHORT, NEAR);
        }
    }
    assert_eq!(pushed, 2);
}

/// J = (ω₁ − β ω₂) / (1/(β I₁) + β/I₂), ω₁ −= J/(β I₁), ω₂ += J/I₂.
#[test]
fn gear_joint_multiplies_the_second_angle() {
    for ratio in [0.6, -2.5] {
        let (mut world, [a, b, ..]) = moving(1.0);
        let (one, two) = (&world[a], &world[b]);
        let phase = two.rotation() * ratio - one.rotation();
        let [i1, i2] = [one, two].map(|body| 1.0 / body.mass_properties().inertia);
        let (w1, w2) = (one.angular_velocity(), two.angular_velocity());
        let j = (w1 - ratio * w2) / (i1 / ratio + ratio * i2);
        assert!(j.abs() > 0.1);
        let rows: [Row; 1] = [vec![(a, [0.0, 0.0, -1.0 / ratio]), (b, [0.0, 0.0, 1.0])]];
        let def = chipmunk::gear_joint(a, b, phase, ratio);
        check(&mut world, &def, &rows, &[j], SHORT, NEAR);
    }
}

/// ω₁ − ω₂ = rate after J = (ω₁ − ω₂ − rate) / (1/I₁ + 1/I₂), at most the largest force times Δt.
#[test]
fn simple_motor_turns_the_first_against_the_second() {
    let rate = 1.7;
    let (world, [a, b, ..]) = moving(1.0);
    let rows = [turning([a, b], 1.0)];
    let lambda = wanted(&world, &rows, &[-rate]);
    let def = chipmunk::simple_motor(a, b, rate);
    let mut free = world.clone();
    check(&mut free, &def, &rows, &lambda, SHORT, NEAR);
    close(free[a].angular_velocity() - free[b].angular_velocity(), rate, NEAR);
    let def = Options { max_force: 3000.0, ..Options::default() }.apply(def);
    let most = 3000.0 * SHORT;
    assert!(lambda[0].abs() > 2.0 * most);
    check(&mut world.clone(), &def, &rows, &[most * lambda[0].signum()], SHORT, NEAR);
}

#[test]
fn defaults_are_theirs() {
    let Options { max_force, error_bias, max_bias, collide_bodies } = Options::default();
    assert_eq!((max_force, max_bias, collide_bodies), (f64::INFINITY, f64::INFINITY, true));
    assert_eq!(error_bias, None);
    close(ERROR_BIAS, (1.0 - 0.1_f64).powi(60), 1e-17);
    let (_, [a, b, ..]) = moving(1.0);
    let def = chipmunk::gear_joint(a, b, 0.0, 2.0);
    assert!(def.collide_connected && def.enabled);
    assert_eq!((def.max_force, def.max_torque), (f64::INFINITY, f64::INFINITY));
    assert_eq!((def.softness, def.breaking), (Softness::Rigid, None));
    let apart = Options { collide_bodies: false, ..Options::default() };
    assert!(!apart.apply(def).collide_connected);
}

/// C(t) = C₀ · errorBias^t, of what is held and of limits; and no faster than `maxBias`.
#[test]
fn error_bias_is_what_is_left_after_a_second() {
    let rod = |a, b| JointDef::rod(a, b, [Vec2::ZERO; 2], 1.0);
    let range = |a, b| chipmunk::slide_joint(a, b, Vec2::ZERO, Vec2::ZERO, 0.5, 1.0);
    for make in [&rod as &dyn Fn(BodyId, BodyId) -> JointDef, &range] {
        for (options, left) in [
            (Options { error_bias: Some(0.2), ..Options::default() }, 0.4 * 0.2_f64.sqrt()),
            (
                Options { error_bias: Some(ERROR_BIAS), ..Options::default() },
                0.4 * 0.9_f64.powi(30),
            ),
            (Options { max_bias: 0.3, ..Options::default() }, 0.4 - 0.3 * 0.5),
        ] {
            let mut world = world(0.0, 4);
            let ground = world.ground().unwrap();
            let bob = world.add_body(&body(2.0, 1.0, Vec2::new(1.4, 0.0))).unwrap();
            world.add_joint(&options.apply(make(ground, bob))).unwrap();
            run(&mut world, 0.5);
            close(world[bob].position().x - 1.0, left, 1e-4);
        }
    }
}

/// A pivot that may not carry the weight lets it fall at g − F/m; a gear's largest force is the
/// torque on its second body.
#[test]
fn max_force_bounds_what_is_held() {
    let mut falling = world(10.0, 4);
    let ground = falling.ground().unwrap();
    let bob = falling.add_body(&body(2.0, 1.0, Vec2::ZERO)).unwrap();
    let def = chipmunk::pivot_joint(&falling, ground, bob, Vec2::ZERO).unwrap();
    let options = Options { max_force: 5.0, ..Options::default() };
    falling.add_joint(&options.apply(def)).unwrap();
    run(&mut falling, 0.5);
    close(falling[bob].velocity().y, -(10.0 - 5.0 / 2.0) * 0.5, 1e-3);

    for ratio in [2.5, -0.4] {
        let mut geared = world(0.0, 4);
        let ground = geared.ground().unwrap();
        let wheel = geared.add_body(&body(1.0, 2.0, Vec2::ZERO)).unwrap();
        let def = options.apply(chipmunk::gear_joint(ground, wheel, 0.0, ratio));
        geared.add_joint(&def).unwrap();
        for _ in 0..30 {
            geared.apply_torque(wheel, 8.0).unwrap();
            geared.step(H).unwrap();
        }
        close(geared[wheel].angular_velocity(), (8.0 - 5.0) / 2.0 * 0.5, 1e-3);
    }
}

#[test]
fn bad_arguments_are_refused() {
    let mut world = World::default();
    let a = world.ground().unwrap();
    let b = world.add_body(&BodyDef::dynamic()).unwrap();
    let (zero, bad) = (Vec2::ZERO, Vec2::new(f64::NAN, 0.0));
    let nan = f64::NAN;
    let law = || ForceLaw::text("-q").unwrap();
    for (def, names) in [
        (chipmunk::pin_joint(&world, a, b, bad, zero).unwrap(), "anchor_a.x"),
        (chipmunk::pin_joint(&world, a, b, zero, bad).unwrap(), "anchor_b.x"),
        (chipmunk::slide_joint(a, b, bad, zero, 0.0, 1.0), "anchor_a.x"),
        (chipmunk::slide_joint(a, b, zero, zero, 2.0, 1.0), "limit.lower"),
        (chipmunk::slide_joint(a, b, zero, zero, 0.0, nan), "limit.lower"),
        (chipmunk::pivot_joint2(a, b, zero, bad), "anchor_b.x"),
        (chipmunk::groove_joint(a, b, zero, zero, zero), "rail"),
        (chipmunk::groove_joint(a, b, bad, zero, zero), "anchor_a.x"),
        (chipmunk::groove_joint(a, b, zero, bad, zero), "rail"),
        (chipmunk::damped_spring(a, b, zero, zero, nan, 1.0, 1.0), "spring.rest"),
        (chipmunk::damped_spring(a, b, zero, zero, 1.0, -1.0, 1.0), "stiffness"),
        (chipmunk::damped_spring(a, b, zero, zero, 1.0, 1.0, -1.0), "damping"),
        (chipmunk::damped_spring_with(a, b, zero, zero, nan, law()), "damping"),
        (chipmunk::damped_rotary_spring(a, b, nan, 1.0, 1.0), "spring.rest"),
        (chipmunk::damped_rotary_spring_with(a, b, -1.0, law()), "damping"),
        (chipmunk::rotary_limit_joint(a, b, 1.0, -1.0), "limit.lower"),
        (chipmunk::ratchet_joint(a, b, nan, 1.0), "ratchet.phase"),
        (chipmunk::ratchet_joint(a, b, 0.0, 0.0), "ratchet.step"),
        (chipmunk::gear_joint(a, b, nan, 1.0), "limit.lower"),
        (chipmunk::gear_joint(a, b, 0.0, nan), "ratio"),
        (chipmunk::simple_motor(a, b, nan), "motor.speed"),
    ] {
        refused(&mut world, &def, names);
    }
    let usual = Options::default();
    for (options, names) in [
        (Options { max_force: -1.0, ..usual }, "max_force"),
        (Options { max_force: nan, ..usual }, "max_force"),
        (Options { error_bias: Some(1.5), ..usual }, "remaining"),
        (Options { max_bias: -1.0, ..usual }, "max_bias"),
        (Options { max_bias: nan, ..usual }, "max_bias"),
    ] {
        refused(&mut world, &options.apply(chipmunk::pivot_joint2(a, b, zero, zero)), names);
    }
    let same = chipmunk::pivot_joint2(b, b, zero, zero);
    assert_eq!(world.add_joint(&same), Err(Error::SameBody));
    let point = chipmunk::pivot_joint(&world, a, b, bad);
    assert!(matches!(point, Err(Error::Number { field: "point.x", .. })), "{point:?}");
    world.remove_body(b).unwrap();
    for made in
        [chipmunk::pivot_joint(&world, a, b, zero), chipmunk::pin_joint(&world, a, b, zero, zero)]
    {
        assert!(matches!(made, Err(Error::Handle { what: "body", .. })), "{made:?}");
    }
}
