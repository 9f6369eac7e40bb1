//! Nape's constraints, as corrected.

use super::*;

/// K = [[a, b, −r₁y/i₁ − r₂y/i₂], [b, c, r₁x/i₁ + r₂x/i₂], [·, ·, 1/i₁ + 1/i₂]]
#[test]
fn napes_weld_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let phase = random.between(-3.0, 3.0);
        let link = scene.link(anchors);
        let Link { a, b, arms: [r1, r2], gap, velocity, .. } = link;
        let mut k = link.matrix();
        let [x, y] = [-r1.y * a.i - r2.y * b.i, r1.x * a.i + r2.x * b.i];
        k[0].push(x);
        k[1].push(y);
        k.push(vec![x, y, a.i + b.i]);
        let c = [gap.x, gap.y, b.angle - a.angle - phase];
        let v = [velocity.x, velocity.y, b.w - a.w];
        let right: Vec<f64> = (0..3).map(|k| -(v[k] + scene.rate * c[k])).collect();
        let impulse = solved(&k, &right);
        let [first, second] = [scene.ids[0], scene.ids[1]];
        let vectors = [("anchor1", anchors[0]), ("anchor2", anchors[1])];
        let names = [("body1", first), ("body2", second)];
        for def in [
            JointDef::weld(first, second, anchors, phase),
            text("weld", &[("phase", phase)], &vectors, &names),
        ] {
            scene.check(def.with_softness(scene.softness), &impulse, |scene| {
                scene.push(Vec2::new(impulse[0], impulse[1]), link.arms);
                scene.turn(impulse[2], [1.0, 1.0]);
            });
        }
    });
}

/// C = w (ρ θ₂ − θ₁ − end), K = w² (1/i₁ + ρ²/i₂), λ ≤ 0; the impulse along the coordinate is w λ.
#[test]
fn napes_angle_joint() {
    each(2, |random, mut scene| {
        let ratio = random.between(0.5, 2.5);
        let [min, max] = [random.between(-4.0, -3.0), random.between(3.0, 4.0)];
        for (w, q, c) in [(-1.0, min - 0.3, 0.3), (0.0, 0.0, 0.0), (1.0, max + 0.3, 0.3)] {
            scene.set_angle(ratio, q);
            let [a, b] = [scene.solids[0], scene.solids[1]];
            let v = w * (ratio * b.w - a.w);
            let k = w * w * (a.i + ratio * ratio * b.i);
            let lambda = if w == 0.0 { 0.0 } else { (-(v + scene.rate * c) / k).min(0.0) };
            let [first, second] = [scene.ids[0], scene.ids[1]];
            let scalars = [("ratio", ratio), ("lowest", min), ("highest", max)];
            let axis = limited(min, max, scene.softness);
            for def in [
                angle(&scene, ratio).with_axis(axis.clone()),
                text("angle", &scalars, &[], &[("a", first), ("b", second)]),
                UserJoint::new(Turn { ratio }).joint(&[first, second]).with_axis(axis),
            ] {
                let def = def.with_softness(scene.softness);
                scene.check(def, &[w * lambda], |scene| scene.turn(w * lambda, [1.0, ratio]));
            }
        }
    });
}

/// C = w (|d| − end), n = w d/|d|, K = 1/m₁ + 1/m₂ + (r₁ × n)²/i₁ + (r₂ × n)²/i₂, λ ≤ 0.
#[test]
fn napes_distance_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let length = link.gap.length();
        for (w, min, max, c) in [
            (-1.0, length + 0.2, length + 0.4, 0.2),
            (1.0, 0.3 * length, 0.8 * length, 0.2 * length),
        ] {
            let n = link.n * w;
            let v = n.dot(link.velocity);
            let lambda = (-(v + scene.rate * c) / link.along(n)).min(0.0);
            let [first, second] = [scene.ids[0], scene.ids[1]];
            let scalars = [("jointMin", min), ("jointMax", max)];
            let vectors = [("anchor1", anchors[0]), ("anchor2", anchors[1])];
            let names = [("body1", first), ("body2", second)];
            for def in [
                distance(&scene, anchors).with_axis(limited(min, max, scene.softness)),
                text("distance", &scalars, &vectors, &names).with_softness(scene.softness),
            ] {
                scene.check(def, &[w * lambda], |scene| scene.push(n * lambda, link.arms));
            }
        }
    });
}

/// Nape's line joint at a pose: C, V, K of both rows with w = 1, and n.
///
/// d₁ = n · (d + r₁), d₂ = n · r₂, c₁ = n × (d + r₁), c₂ = n × r₂
struct Line {
    c: [f64; 2],
    v: [f64; 2],
    k: Vec<Vec<f64>>,
    n: Vec2,
    turns: [[f64; 2]; 2],
}

fn line(scene: &Scene, anchors: [Vec2; 2], direction: Vec2) -> Line {
    let Link { a, b, arms: [r1, r2], gap: d, .. } = scene.link(anchors);
    let n = a.turned(direction);
    let [d1, d2] = [n.dot(d + r1), n.dot(r2)];
    let [c1, c2] = [n.cross(d + r1), n.cross(r2)];
    let across = -(d1 * c1 * a.i + d2 * c2 * b.i);
    Line {
        c: [n.cross(d), n.dot(d)],
        v: [n.cross(b.v - a.v) + b.w * d2 - a.w * d1, n.dot(b.v - a.v) - b.w * c2 + a.w * c1],
        k: vec![
            vec![a.m + b.m + d1 * d1 * a.i + d2 * d2 * b.i, across],
            vec![across, a.m + b.m + c1 * c1 * a.i + c2 * c2 * b.i],
        ],
        n,
        turns: [[-d1, d2], [c1, -c2]],
    }
}

impl Line {
    /// γ = (w nₓ λ_y − n_y λₓ, nₓ λₓ + w n_y λ_y), torques w c₁ λ_y − d₁ λₓ and d₂ λₓ − w c₂ λ_y.
    fn push(&self, scene: &mut Scene, [across, along]: [f64; 2]) {
        let force = self.n.perp() * across + self.n * along;
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let solid = &mut scene.solids[k];
            solid.v += force * (sign * solid.m);
            solid.w += solid.i * (self.turns[0][k] * across + self.turns[1][k] * along);
        }
    }
}

/// With the travel held both rows are one block, as in Nape; inside the range the first is alone.
#[test]
fn napes_line_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let (direction, aside) = (random.direction(), random.between(-0.4, 0.4));
        let line = line(&scene, anchors, direction);
        let right = [line.v[0] + scene.rate * line.c[0], line.v[1] + scene.rate * aside];
        let both = solved(&line.k, &right.map(|each| -each));
        let alone = [-right[0] / line.k[0][0], 0.0];
        let at = line.c[1] - aside;
        let [first, second] = [scene.ids[0], scene.ids[1]];
        for (expected, min, max) in
            [([both[0], both[1]], at, at), (alone, line.c[1] - 1.0, line.c[1] + 1.0)]
        {
            let rail = direction * 3.0;
            let vectors = [("anchor1", anchors[0]), ("anchor2", anchors[1]), ("direction", rail)];
            let scalars = [("jointMin", min), ("jointMax", max)];
            let names = [("body1", first), ("body2", second)];
            let [across, along] = expected;
            for (def, expected) in [
                (JointDef::slot(first, second, anchors, rail).with_limit(min, max), expected),
                // The program names the travel first.
                (text("line", &scalars, &vectors, &names), [along, across]),
            ] {
                let def = def.with_softness(scene.softness);
                scene.check(def, &expected, |scene| line.push(scene, [across, along]));
            }
        }
    });
}

/// Past an end the row along the line pushes back only. The stop comes first, then the line; many
/// passes give both at once.
#[test]
fn napes_line_joint_past_its_ends() {
    let mut held = 0;
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let (direction, past) = (random.direction(), random.between(0.1, 0.4));
        let line = line(&scene, anchors, direction);
        for (w, min, max) in [(1.0, -20.0, line.c[1] - past), (-1.0, line.c[1] + past, 20.0)] {
            let right =
                [-(line.v[0] + scene.rate * line.c[0]), -(line.v[1] + scene.rate * w * past)];
            let def = JointDef::slot(scene.ids[0], scene.ids[1], anchors, direction);
            let def = def.with_axis(limited(min, max, scene.softness));
            let def = def.with_softness(scene.softness);
            // The stop moves what the line lets it move.
            let left = line.k[1][1] - line.k[0][1].powi(2) / line.k[0][0];
            let along = w * (w * right[1] / left).min(0.0);
            let across = (right[0] - line.k[0][1] * along) / line.k[0][0];
            let once = [across, along];
            scene.check(def.clone(), &once, |scene| line.push(scene, once));

            let both = solved(&line.k, &right);
            let pushes = w * both[1] < 0.0;
            held += usize::from(pushes);
            let both = if pushes { [both[0], both[1]] } else { [right[0] / line.k[0][0], 0.0] };
            let id = scene.add(def);
            scene.solve(200);
            let found = scene.impulses(id);
            // Every pass adds a rounding, and the rows are coupled.
            let coupled = line.k[0][1].powi(2) / (line.k[0][0] * line.k[1][1]);
            let size = both[0].abs().max(both[1].abs()).max(1.0) / (1.0 - coupled);
            let far = (found[0] - both[0]).abs().max((found[1] - both[1]).abs());
            assert!(far < (1e-5 + 200.0 * 1e-7) * size, "{found:?} is not {both:?}");
            scene.world.remove_joint(id).unwrap();
        }
    });
    assert!((30..100).contains(&held), "{held}");
}

/// K of Nape's pulley, with the cross terms of bodies that stand twice.
///
/// n₁₂ = w d₁₂/|d₁₂|, n₃₄ = w ρ d₃₄/|d₃₄|, cₖ = rₖ × n
fn pulley_mass(solids: &[Solid; 4], roles: [usize; 4], n: [Vec2; 2], c: [f64; 4]) -> f64 {
    let [n12, n34] = n;
    let mut k = 0.0;
    for (role, solid) in solids.iter().enumerate() {
        let n = n[role / 2];
        k += n.dot(n) * solid.m + c[role] * c[role] * solid.i;
    }
    for (one, other, sign) in [(0, 3, -2.0), (0, 2, 2.0), (1, 2, -2.0), (1, 3, 2.0)] {
        if roles[one] == roles[other] {
            let Solid { m, i, .. } = solids[one];
            k += sign * (n12.dot(n34) * m + c[one] * c[other] * i);
        }
    }
    k
}

/// With four bodies, and with 1 = 4, 1 = 3, 2 = 3, 2 = 4, and two of these at once.
#[test]
fn napes_pulley_joint() {
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
        each(4, |random, mut scene| {
            let anchors: [Vec2; 4] = std::array::from_fn(|_| random.vector(1.0));
            let ratio = random.between(0.4, 2.5);
            let solids: [Solid; 4] = roles.map(|role| scene.solids[role]);
            let arms: [Vec2; 4] = std::array::from_fn(|k| solids[k].arm(anchors[k]));
            let gap = |k: usize| solids[k + 1].x + arms[k + 1] - solids[k].x - arms[k];
            let lengths = [gap(0).length(), gap(2).length()];
            let sum = lengths[0] + ratio * lengths[1];
            // Too long, too short, and held.
            for (w, min, max) in
                [(1.0, 0.0, sum - 0.3), (-1.0, sum + 0.3, 90.0), (1.0, sum - 0.3, sum - 0.3)]
            {
                let n = [gap(0) * (w / lengths[0]), gap(2) * (w * ratio / lengths[1])];
                let c: [f64; 4] = std::array::from_fn(|k| arms[k].cross(n[k / 2]));
                let velocity = |k: usize| solids[k].velocity_at(arms[k]);
                let v = n[0].dot(velocity(1) - velocity(0)) + n[1].dot(velocity(3) - velocity(2));
                let lambda = -(v + scene.rate * 0.3) / pulley_mass(&solids, roles, n, c);
                let lambda = if min == max { lambda } else { lambda.min(0.0) };
                pulled += usize::from(lambda != 0.0);
                let ids = roles.map(|role| scene.ids[role]);
                let axis = match min == max {
                    true => Axis::held(max),
                    false => limited(min, max, scene.softness),
                };
                let built = JointDef::over(JointKind::Pulley { anchors, ratio }, ids.to_vec());
                let scalars = [("ratio", ratio), ("shortest", min), ("longest", max)];
                let names = ["anchor_a", "anchor_b", "anchor_c", "anchor_d"];
                let vectors: Vec<(&str, Vec2)> = names.into_iter().zip(anchors).collect();
                let bodies: Vec<(&str, BodyId)> =
                    ["a", "b", "c", "d"].into_iter().zip(ids).collect();
                for def in [built.with_axis(axis), text("pulley", &scalars, &vectors, &bodies)] {
                    let def = def.with_softness(scene.softness);
                    scene.check(def, &[w * lambda], |scene| {
                        for (role, arm) in arms.iter().enumerate() {
                            let sign = if role % 2 == 0 { -1.0 } else { 1.0 };
                            let solid = &mut scene.solids[roles[role]];
                            solid.push(n[role / 2] * (sign * lambda), *arm);
                        }
                    });
                }
            }
        });
    }
    assert!(pulled > 700, "{pulled}");
}

/// γ₀ = 1 / (h ω (2ζ + ω h)), bias = C ω / (2ζ + ω h), λ = −(V + bias) / (K (1 + γ₀)), at most the
/// largest force times h. A servo at a fixed target is the same.
#[test]
fn napes_soft_constraint_is_our_spring() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let (hertz, ratio) = (random.between(1.0, 12.0), random.between(0.0, 2.0));
        let (rest, most) = (random.between(0.5, 2.0), random.between(50.0, 1000.0));
        let omega = std::f64::consts::TAU * hertz;
        let gamma = 1.0 / (H * omega * (2.0 * ratio + omega * H));
        let bias = (link.gap.length() - rest) * omega / (2.0 * ratio + omega * H);
        let speed = link.velocity.dot(link.n);
        let lambda = -(speed + bias) / (link.along(link.n) * (1.0 + gamma));
        let lambda = lambda.clamp(-most * H, most * H);
        let softness = Softness::Hertz { hertz, damping_ratio: ratio };
        let force = ForceRange::symmetric(most);
        let spring = Axis { spring: Some(Spring { rest, softness, force }), ..Axis::default() };
        let motor = Motor::Position { target: rest.into(), softness, force };
        for axis in [spring, Axis::driven(motor)] {
            let def = distance(&scene, anchors).with_axis(axis);
            scene.check(def, &[lambda], |scene| scene.push(link.n * lambda, link.arms));
        }
    });
}
