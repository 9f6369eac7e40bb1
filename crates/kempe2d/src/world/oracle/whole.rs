//! The fixed joint for Box2D, and every joint over a whole step.

use super::*;

/// The fixed joint for Box2D: C = (p₂ − p₁ − R(θ₁) d, θ₂ − θ₁ − θ₀) of the centres of mass, with
/// d = d_p − CM₁ + R(θ₀) CM₂ where d_p is between the origins, and J = [−E −A E 0; 0 −1 0 1].
#[test]
fn the_fixed_joint_for_box2d() {
    each(2, |random, mut scene| {
        let (between, theta) = (random.vector(2.0), random.between(-3.0, 3.0));
        let [a, b] = [scene.solids[0], scene.solids[1]];
        let moved = b.center.turned(theta.cos(), theta.sin());
        let d = between - a.center + moved;
        // A = (−sin, −cos; cos, −sin) d
        let (sin, cos) = a.angle.sin_cos();
        let turn = Vec2::new(-sin * d.x - cos * d.y, cos * d.x - sin * d.y);
        let c = b.x - a.x - a.turned(d);
        let v = b.v - a.v - turn * a.w;
        let masses = a.m + b.m;
        let k = vec![
            vec![masses + turn.x * turn.x * a.i, turn.x * turn.y * a.i, turn.x * a.i],
            vec![turn.x * turn.y * a.i, masses + turn.y * turn.y * a.i, turn.y * a.i],
            vec![turn.x * a.i, turn.y * a.i, a.i + b.i],
        ];
        let right = [
            -(v.x + scene.rate * c.x),
            -(v.y + scene.rate * c.y),
            -(b.w - a.w + scene.rate * (b.angle - a.angle - theta)),
        ];
        let impulse = solved(&k, &right);
        // The centre of mass of the second body at that point of the first.
        let anchors = [between + moved, b.center];
        let def = JointDef::weld(scene.ids[0], scene.ids[1], anchors, theta);
        let force = Vec2::new(impulse[0], impulse[1]);
        scene.check(def.with_softness(scene.softness), &impulse, |scene| {
            scene.solids[0].v -= force * a.m;
            scene.solids[0].w -= a.i * (turn.dot(force) + impulse[2]);
            scene.solids[1].v += force * b.m;
            scene.solids[1].w += b.i * impulse[2];
        });
    });
}

/// Where the angle is right, it is as well to hold the origins: the same motion, and no mass is in
/// the joint's numbers.
#[test]
fn the_fixed_joint_for_box2d_at_the_origins() {
    each(2, |random, mut scene| {
        let (between, theta) = (random.vector(2.0), random.between(-3.0, 3.0));
        scene.set_angle(1.0, theta);
        let centers = [scene.solids[0].center, scene.solids[1].center];
        let moved = centers[1].turned(theta.cos(), theta.sin());
        let before = scene.solids.clone();
        let ids = [scene.ids[0], scene.ids[1]];
        let mut velocities = Vec::new();
        for anchors in [[between + moved, centers[1]], [between, Vec2::ZERO]] {
            let def = JointDef::weld(ids[0], ids[1], anchors, theta);
            let id = scene.add(def.with_softness(scene.softness));
            scene.solve(1);
            for (solid, id) in scene.solids.iter_mut().zip(ids) {
                let hot = scene.world.solver.hot.body(id.index());
                solid.v = Vec2::new(hot[0].into(), hot[1].into());
                solid.w = hot[2].into();
            }
            velocities.push(scene.solids.clone());
            scene.solids.clone_from(&before);
            let error = scene.world.joint_error(id).unwrap();
            let body = scene.world[ids[1]].mass_properties();
            let heavier = MassProperties { center: random.vector(0.5), mass: 9.0, ..body };
            if anchors[1] == Vec2::ZERO {
                scene.world.set_mass_properties(ids[1], heavier).unwrap();
                let now = scene.world.joint_error(id).unwrap();
                assert!(error.iter().zip(&now).all(|(a, b)| (a - b).abs() < 1e-12));
            }
            scene.world.remove_joint(id).unwrap();
        }
        for (one, other) in velocities[0].iter().zip(&velocities[1]) {
            close(&[one.v.x, one.v.y, one.w], &[other.v.x, other.v.y, other.w]);
        }
    });
}

/// A whole step of one sub-step in f64: forces, a solve with bias, positions, and a solve without
/// bias at the new pose. J is taken from C by differences.
fn stepped(solids: &mut [Solid], rate: f64, equations: &dyn Fn(&[Solid]) -> Vec<f64>) -> Vec<f64> {
    let mut impulses = Vec::new();
    for rate in [rate, 0.0] {
        let c = equations(solids);
        let mut jacobian = vec![vec![0.0; 3 * solids.len()]; c.len()];
        for at in 0..3 * solids.len() {
            let moved = |by: f64| {
                let mut solids = solids.to_vec();
                let solid = &mut solids[at / 3];
                match at % 3 {
                    0 => solid.x.x += by,
                    1 => solid.x.y += by,
                    _ => solid.angle += by,
                }
                equations(&solids)
            };
            for (row, (up, down)) in moved(1e-5).into_iter().zip(moved(-1e-5)).enumerate() {
                jacobian[row][at] = (up - down) / 2e-5;
            }
        }
        let masses: Vec<f64> = solids.iter().flat_map(|each| [each.m, each.m, each.i]).collect();
        let speeds: Vec<f64> =
            solids.iter().flat_map(|each| [each.v.x, each.v.y, each.w]).collect();
        let right: Vec<f64> = jacobian
            .iter()
            .zip(&c)
            .map(|(row, c)| -row.iter().zip(&speeds).map(|(j, v)| j * v).sum::<f64>() - rate * c)
            .collect();
        let k: Vec<Vec<f64>> = jacobian
            .iter()
            .map(|row| {
                let with = |other: &Vec<f64>| {
                    (0..masses.len()).map(|at| row[at] * other[at] * masses[at]).sum()
                };
                jacobian.iter().map(with).collect()
            })
            .collect();
        let lambda = solved(&k, &right);
        for (row, lambda) in jacobian.iter().zip(&lambda) {
            for (solid, part) in solids.iter_mut().zip(row.chunks(3)) {
                solid.v += Vec2::new(part[0], part[1]) * (lambda * solid.m);
                solid.w += solid.i * part[2] * lambda;
            }
        }
        if rate > 0.0 {
            for solid in solids.iter_mut() {
                solid.x += solid.v * H;
                solid.angle += solid.w * H;
            }
        }
        impulses.push(lambda);
    }
    (0..impulses[0].len()).map(|row| impulses[0][row] + impulses[1][row]).collect()
}

/// Every kind of joint over a whole step, from its equations alone.
#[test]
fn every_joint_over_a_whole_step() {
    type Equations = Box<dyn Fn(&[Solid]) -> Vec<f64>>;
    each(4, |random, scene| {
        let [p, q, r, s] = std::array::from_fn(|_| random.vector(1.0));
        let (rail, turn, ratio) = (random.direction(), random.between(-1.0, 1.0), 1.7);
        let ids: Vec<BodyId> = scene.ids.clone();
        let gap = move |x: &[Solid]| x[1].point(q) - x[0].point(p);
        let angle = move |x: &[Solid]| x[1].angle - x[0].angle - turn;
        let across = move |x: &[Solid]| x[0].turned(rail).cross(gap(x));
        let sum = move |x: &[Solid]| {
            gap(x).length() + ratio * (x[3].point(s) - x[2].point(r)).length() - 3.0
        };
        let [a, b] = [ids[0], ids[1]];
        let anchors = [p, q];
        let all: [(JointDef, Equations); 7] = [
            (
                JointDef::weld(a, b, anchors, turn),
                Box::new(move |x| vec![gap(x).x, gap(x).y, angle(x)]),
            ),
            (JointDef::revolute(a, b, anchors), Box::new(move |x| vec![gap(x).x, gap(x).y])),
            (
                JointDef::new(
                    JointKind::Prismatic { anchor_a: p, anchor_b: q, rail, angle: turn },
                    a,
                    b,
                ),
                Box::new(move |x| vec![across(x), angle(x)]),
            ),
            (JointDef::slot(a, b, anchors, rail), Box::new(move |x| vec![across(x)])),
            (JointDef::rod(a, b, anchors, 1.5), Box::new(move |x| vec![gap(x).length() - 1.5])),
            (
                JointDef::gear(a, b, ratio, 0.3),
                Box::new(move |x| vec![ratio * x[1].angle - x[0].angle - 0.3]),
            ),
            (
                JointDef::stiff_pulley([a, b, ids[2], ids[3]], [p, q, r, s], ratio, 3.0),
                Box::new(move |x| vec![sum(x)]),
            ),
        ];
        for (def, equations) in all {
            let mut world = scene.world.clone();
            let mut solids = scene.solids.clone();
            let name = def.kind.name().to_owned();
            let id = world.add_joint(&def.with_softness(scene.softness)).unwrap();
            world.step(H).unwrap();
            let expected = stepped(&mut solids, scene.rate, &*equations);
            let found = world.joint_impulses(id).unwrap();
            let size = expected.iter().fold(1.0_f64, |size, each| size.max(each.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                // Twice the roundings of one solve.
                let far = (found - expected).abs();
                assert!(far < 2e-5 * size, "{name}: {found} is not {expected}");
            }
            for (id, solid) in ids.iter().zip(&solids) {
                let body = &world[*id];
                let far = (body.center() - solid.x).length() + (body.velocity() - solid.v).length();
                let turned = (body.rotation() - solid.angle).abs();
                let spun = (body.angular_velocity() - solid.w).abs();
                assert!(far + turned + spun < 2e-5 * size, "{name}: {far} {turned} {spun}");
            }
        }
    });
}

/// A joint that starts a step with the impulses of the last one starts with its forces: a step that
/// is longer has longer impulses.
#[test]
fn impulses_go_on_as_forces_when_the_step_changes() {
    each(2, |random, mut scene| {
        let anchors = [random.vector(1.0), random.vector(1.0)];
        let spring = Axis::sprung(1.0, Softness::Hertz { hertz: 3.0, damping_ratio: 0.5 });
        let [a, b] = [scene.ids[0], scene.ids[1]];
        for def in [
            JointDef::revolute(a, b, anchors).with_axis(spring.clone()),
            UserJoint::new(Pivot { anchors }).joint(&[a, b]),
        ] {
            let id = scene.world.add_joint(&def).unwrap();
            scene.world.step(H).unwrap();
            let before = scene.impulses(id);
            assert!(before.iter().all(|impulse| *impulse != 0.0));
            let world = &mut scene.world;
            let clock = [2.5 * H, world.time];
            world.solver.prepare(&world.bodies, &mut world.joints, clock);
            let longer: Vec<f64> = before.iter().map(|impulse| 2.5 * impulse).collect();
            close(&scene.impulses(id), &longer);
            scene.world.remove_joint(id).unwrap();
        }
    });
}
