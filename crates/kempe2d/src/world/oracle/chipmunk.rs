//! Chipmunk2D's constraints, as corrected.

use super::*;

/// J = (−b − rᵥ · n) mₙ n, |b| at most the largest bias.
#[test]
fn chipmunks_pin_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let rest = random.between(0.5, 2.5);
        let link = scene.link(anchors);
        let free = scene.rate * (link.gap.length() - rest);
        for max_bias in [f64::INFINITY, random.between(0.1, 1.0)] {
            let Softness::ErrorBias { remaining, .. } = scene.softness else { return };
            scene.softness = Softness::ErrorBias { remaining, max_bias };
            let bias = free.clamp(-max_bias, max_bias);
            let impulse = (-bias - link.velocity.dot(link.n)) / link.along(link.n);
            let def = distance(&scene, anchors).with_axis(Axis::held(rest));
            scene.check(def, &[impulse], |scene| scene.push(link.n * impulse, link.arms));
        }
    });
}

/// Past an end as the pin joint, with an impulse that only pushes back; between them nothing.
#[test]
fn chipmunks_slide_joint() {
    let mut pushed = [0, 0, 0];
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let (length, past) = (link.gap.length(), random.between(0.05, 0.4));
        let ends = [[0.0, length - past], [length + past, 9.0], [length - 0.5, length + 0.5]];
        for (case, [min, max]) in ends.into_iter().enumerate() {
            let speed = link.velocity.dot(link.n);
            let free = |end: f64| (-scene.rate * (length - end) - speed) / link.along(link.n);
            let impulse = match case {
                0 => free(max).min(0.0),
                1 => free(min).max(0.0),
                _ => 0.0,
            };
            pushed[case] += usize::from(impulse != 0.0);
            let def = distance(&scene, anchors).with_axis(limited(min, max, scene.softness));
            scene.check(def, &[impulse], |scene| scene.push(link.n * impulse, link.arms));
        }
    });
    assert!(pushed[0] > 10 && pushed[1] > 10, "both ends were met: {pushed:?}");
}

/// J = K⁻¹ (−b − rᵥ), the same from a program and from Rust.
#[test]
fn chipmunks_and_napes_pivot_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let impulse = link.pivot(link.gap * scene.rate);
        let [a, b] = [scene.ids[0], scene.ids[1]];
        let vectors = [("anchor_a", anchors[0]), ("anchor_b", anchors[1])];
        for def in [
            JointDef::revolute(a, b, anchors),
            text("pivot", &[], &vectors, &[("a", a), ("b", b)]),
            UserJoint::new(Pivot { anchors }).joint(&[a, b]),
        ] {
            let def = def.with_softness(scene.softness);
            let expected = [impulse.x, impulse.y];
            scene.check(def, &expected, |scene| scene.push(impulse, link.arms));
        }
    });
}

/// The impulse of a pivot as a vector is at most the largest force times Δt.
#[test]
fn chipmunks_largest_force() {
    let mut shortened = 0;
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let free = link.pivot(link.gap * scene.rate);
        let max_force = random.between(20.0, 200.0);
        let shorter = (max_force * H / free.length()).min(1.0);
        shortened += usize::from(shorter < 1.0);
        let impulse = free * shorter;
        let [a, b] = [scene.ids[0], scene.ids[1]];
        for def in
            [JointDef::revolute(a, b, anchors), UserJoint::new(Pivot { anchors }).joint(&[a, b])]
        {
            let def = JointDef { max_force, ..def.with_softness(scene.softness) };
            let expected = [impulse.x, impulse.y];
            scene.check(def, &expected, |scene| scene.push(impulse, link.arms));
        }
    });
    assert!((20..SCENES as usize).contains(&shortened));
}

/// |b| of a point is at most the largest bias.
#[test]
fn chipmunks_largest_bias_of_a_pivot_joint() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let link = scene.link(anchors);
        let max_bias = random.between(0.1, 1.0);
        let Softness::ErrorBias { remaining, .. } = scene.softness else { return };
        let impulse = link.pivot(link.gap * scene.rate.min(max_bias / link.gap.length()));
        let def = JointDef::revolute(scene.ids[0], scene.ids[1], anchors);
        let def = def.with_softness(Softness::ErrorBias { remaining, max_bias });
        let expected = [impulse.x, impulse.y];
        scene.check(def, &expected, |scene| scene.push(impulse, link.arms));
    });
}

/// Inside the groove the pivot's impulse along the normal alone, one row: J = (−b − rᵥ) · n / nᵀKn,
/// with r₁ to the point of the groove that the pivot is at.
#[test]
fn chipmunks_groove_joint() {
    each(2, |random, mut scene| {
        let (from, tangent) = (random.vector(1.0), random.direction());
        let (length, at) = (random.between(1.0, 3.0), random.between(0.3, 0.7));
        let (anchor, aside) = (random.vector(1.0), random.between(-0.3, 0.3));
        let t = scene.solids[0].turned(tangent);
        let n = t.perp();
        let on_groove = from + tangent * (length * at);
        scene.set_point(anchor, scene.solids[0].point(on_groove) + n * aside);
        let link = scene.link([on_groove, anchor]);
        let k = link.matrix();
        let k = n.x * (k[0][0] * n.x + k[0][1] * n.y) + n.y * (k[1][0] * n.x + k[1][1] * n.y);
        let impulse = (-(link.gap * scene.rate) - link.velocity).dot(n) / k;
        let ends = [from, from + tangent * length];
        let def = JointDef::groove(scene.ids[0], scene.ids[1], ends, anchor);
        let def = def.with_softness(scene.softness);
        scene.check(def, &[impulse, 0.0, 0.0], |scene| scene.push(n * impulse, link.arms));
    });
}

/// At an end of the groove it is a pivot, whose impulse does not pull along the groove. The stop and
/// the line are solved in turn: after many passes they are what both give together.
#[test]
fn chipmunks_groove_joint_at_its_ends() {
    let mut held = 0;
    each(2, |random, mut scene| {
        let (from, tangent) = (random.vector(1.0), random.direction());
        let to = from + tangent * random.between(1.0, 3.0);
        let anchor = random.vector(1.0);
        let t = scene.solids[0].turned(tangent);
        let n = t.perp();
        let upper = random.between(-1.0, 1.0) > 0.0;
        let end = if upper { to } else { from };
        scene.set_point(anchor, scene.solids[0].point(end));
        let link = scene.link([end, anchor]);
        let both = link.pivot(Vec2::ZERO);
        let inward = both.dot(t) * if upper { -1.0 } else { 1.0 };
        let alone = n * (-link.velocity.dot(n) / link.along(n));
        let impulse = if inward < 0.0 { alone } else { both };
        held += usize::from(inward > 0.0);
        let def = JointDef::groove(scene.ids[0], scene.ids[1], [from, to], anchor);
        let id = scene.add(def.with_softness(scene.softness));
        scene.solve(100);
        let found = scene.impulses(id);
        let found = n * found[0] + t * found[1];
        // Every pass adds a rounding, and the rows are coupled.
        let turn = |solid: &Solid, arm: Vec2| solid.i * arm.cross(n) * arm.cross(t);
        let across = turn(&link.a, link.arms[0]) + turn(&link.b, link.arms[1]);
        let coupled = across.powi(2) / (link.along(n) * link.along(t));
        let size = impulse.length().max(1.0) / (1.0 - coupled);
        let far = (found - impulse).length();
        assert!(far < (1e-5 + 100.0 * 1e-7) * size, "{found:?} is not {impulse:?}");
    });
    assert!((15..45).contains(&held), "{held}");
}

/// The mean difference of the forces in scenes with steps of each length.
fn in_small_steps(mut force: impl FnMut(&mut Random, Scene) -> f64) {
    let errors = [200.0, 400.0, 800.0, 1600.0].map(|rate| {
        let mut sum = 0.0;
        each(2, |random, mut scene| {
            scene.h = 1.0 / rate;
            sum += force(random, scene).abs() * rate;
        });
        sum
    });
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.8..2.2).contains(&ratio), "{errors:?}");
    }
}

/// F = −k (|p₂ − p₁| − d) − c · rᵥ · n as impulses of Δt: there explicit, with the damper's
/// exponential, here implicit. The difference of the forces falls as Δt.
#[test]
fn chipmunks_damped_spring_in_small_steps() {
    for by_law in [false, true] {
        in_small_steps(|random, mut scene| {
            let (h, anchors) = (scene.h, [random.vector(1.0), random.vector(1.0)]);
            let rest = random.between(0.5, 2.0);
            let (k, c) = (random.between(20.0, 80.0), random.between(1.0, 5.0));
            let link = scene.link(anchors);
            let (speed, inverse) = (link.velocity.dot(link.n), link.along(link.n));
            let damped = speed * (1.0 - (-c * h * inverse).exp()) / inverse;
            let impulse = -k * (link.gap.length() - rest) * h - damped;
            let law = ForceLaw::text(&format!("-{k} * (q - {rest}) - {c} * speed")).unwrap();
            let axis = match by_law {
                true => Axis { law: Some(law), ..Axis::default() },
                false => Axis::sprung(rest, Softness::Stiffness { stiffness: k, damping: c }),
            };
            let id = scene.add(distance(&scene, anchors).with_axis(axis));
            scene.solve(1);
            scene.impulses(id)[0] - impulse
        });
    }
}

/// J = k ((φ₁ − φ₂) − θ) Δt − (ω₂ − ω₁) (1 − e^(−cΔt/Iₙ)) Iₙ, θ the rest of φ₁ − φ₂.
#[test]
fn chipmunks_rotary_spring_in_small_steps() {
    in_small_steps(|random, mut scene| {
        let theta = random.between(-2.0, 2.0);
        let (k, c) = (random.between(5.0, 20.0), random.between(0.3, 1.0));
        let [a, b] = [scene.solids[0], scene.solids[1]];
        let (h, inverse) = (scene.h, a.i + b.i);
        let damped = (b.w - a.w) * (1.0 - (-c * h * inverse).exp()) / inverse;
        let impulse = k * ((a.angle - b.angle) - theta) * h - damped;
        let softness = Softness::Stiffness { stiffness: k, damping: c };
        let id = scene.add(angle(&scene, 1.0).with_axis(Axis::sprung(-theta, softness)));
        scene.solve(1);
        scene.impulses(id)[0] - impulse
    });
}

/// J = (−b + ω₁ − ω₂) / (1/I₁ + 1/I₂) past an end, b = k/Δt ((φ₂ − φ₁) − end), never pulling.
#[test]
fn chipmunks_rotary_limit_joint() {
    let mut pushed = [0, 0, 0];
    each(2, |random, mut scene| {
        let [min, max] = [random.between(-9.0, -7.0), random.between(7.0, 9.0)];
        let past = random.between(0.05, 0.4);
        for (case, q) in [max + past, min - past, 0.5 * (min + max)].into_iter().enumerate() {
            scene.set_angle(1.0, q);
            let [a, b] = [scene.solids[0], scene.solids[1]];
            let free = |end: f64| (-scene.rate * (q - end) + a.w - b.w) / (a.i + b.i);
            let impulse = match case {
                0 => free(max).min(0.0),
                1 => free(min).max(0.0),
                _ => 0.0,
            };
            pushed[case] += usize::from(impulse != 0.0);
            let def = angle(&scene, 1.0).with_axis(limited(min, max, scene.softness));
            scene.check(def, &[impulse], |scene| scene.turn(impulse, [1.0, 1.0]));
        }
    });
    assert!(pushed[0] > 10 && pushed[1] > 10, "{pushed:?}");
}

/// Behind the tooth b = −k/Δt (θ − (φ₂ − φ₁)), J ρ ≥ 0; θ is the last tooth that was passed. A
/// ratchet is rigid, and alone: it takes 0.7 of the error in a step.
#[test]
fn chipmunks_ratchet_joint() {
    let mut pushed = 0;
    each(2, |random, mut scene| {
        let step = random.between(0.2, 1.0) * if pushed % 2 == 0 { 1.0 } else { -1.0 };
        let phase = random.between(-1.0, 1.0);
        let id = scene.add(JointDef::ratchet(scene.ids[0], scene.ids[1], phase, step));
        let tooth = phase + step * random.between(-5.0, 5.0).floor();
        // In the middle between two teeth: nothing, however it turns.
        scene.set_angle(1.0, tooth + 0.5 * step);
        scene.solve(1);
        close(&scene.impulses(id), &[0.0]);
        // Pushed back behind the tooth it passed.
        let behind = random.between(0.05, 0.3) * step;
        scene.set_angle(1.0, tooth - behind);
        let [a, b] = [scene.solids[0], scene.solids[1]];
        let bias = -0.7 / H * behind;
        let impulse = (-bias + a.w - b.w) / (a.i + b.i);
        let impulse = if step > 0.0 { impulse.max(0.0) } else { impulse.min(0.0) };
        pushed += usize::from(impulse != 0.0);
        scene.solve(1);
        close(&scene.impulses(id), &[impulse]);
        scene.turn(impulse, [1.0, 1.0]);
        scene.same_velocities();
    });
    assert!(pushed > 15, "{pushed}");
}

/// J = (−b + ω₁ − β ω₂) / (1/(β I₁) + β/I₂), ω₁ −= J/(β I₁), ω₂ += J/I₂: their J is our β λ.
#[test]
fn chipmunks_gear_joint() {
    each(2, |random, mut scene| {
        let ratio = random.between(0.3, 3.0) * random.between(-1.0, 1.0).signum();
        let phase = random.between(-2.0, 2.0);
        let [a, b] = [scene.solids[0], scene.solids[1]];
        let bias = scene.rate * (b.angle * ratio - a.angle - phase);
        let j = (-bias - b.w * ratio + a.w) / (a.i / ratio + ratio * b.i);
        let def = angle(&scene, ratio).with_axis(Axis::held(phase));
        scene.check(def, &[j / ratio], |scene| scene.turn(j, [1.0 / ratio, 1.0]));
    });
}

/// J = (ω₁ − ω₂ − ωᵣ) / (1/I₁ + 1/I₂), their rate ωᵣ of the first body against the second; at most
/// the largest torque times Δt. With a ratio it is Nape's: ρ ω₂ − ω₁ = φ.
#[test]
fn chipmunks_simple_motor_and_napes_motor_joint() {
    each(2, |random, mut scene| {
        let [a, b] = [scene.solids[0], scene.solids[1]];
        let [first, second] = [scene.ids[0], scene.ids[1]];
        let (rate, torque) = (random.between(-4.0, 4.0), random.between(10.0, 300.0));
        let j = (a.w - b.w - rate) / (a.i + b.i);
        let j = j.clamp(-torque * H, torque * H);
        let def = JointDef::angular_motor(first, second, -rate, torque);
        scene.check(def, &[j], |scene| scene.turn(j, [1.0, 1.0]));

        let ratio = random.between(-3.0, 3.0);
        let lambda = -(ratio * b.w - a.w - rate) / (a.i + ratio * ratio * b.i);
        let scalars = [("ratio", ratio), ("rate", rate)];
        for def in [
            angle(&scene, ratio).with_axis(Axis::driven(Motor::at(rate))),
            text("motor", &scalars, &[], &[("a", first), ("b", second)]),
        ] {
            scene.check(def, &[lambda], |scene| scene.turn(lambda, [1.0, ratio]));
        }
    });
}
