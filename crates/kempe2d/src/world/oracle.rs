//! One biased solve against the equations that other engines print, with their misprints corrected:
//! Chipmunk2D's constraints, Nape's joints, and the fixed joint that was made for Box2D.
//!
//! All of them ask that J v + b = 0 with b = k/Δt · C, k = 1 − remaining^Δt: λ = −K⁻¹ (J v + b).
//! Here that is computed in f64 and by hand, with the K of the source, and compared with the
//! impulses in the lanes after the first solve of a step that starts from no impulse.

use super::World;
use crate::solver::{Pass, Piece};
use crate::{
    Axis, BodyDef, BodyId, Constraint, Counts, ForceLaw, ForceRange, JointDef, JointId, JointKind,
    Limit, Mass, MassProperties, Motor, Pose, Real, Settings, Softness, Spring, TextJoint,
    UserJoint, Vec2, equation,
};

const H: f64 = 1.0 / 60.0;
const GRAVITY: Vec2 = Vec2::new(0.4, -9.81);
const SCENES: u64 = 60;

struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 40) as f64 / f64::from(1 << 24)
    }

    fn vector(&mut self, size: f64) -> Vec2 {
        Vec2::new(self.between(-size, size), self.between(-size, size))
    }

    fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.between(-3.0, 3.0))
    }
}

/// A body as equations see it: about its centre of mass, forces already in its velocity.
#[derive(Clone, Copy, Debug)]
struct Solid {
    /// 1/m and 1/I, 0 for one that nothing moves.
    m: f64,
    i: f64,
    /// The centre of mass, in the body's axes.
    center: Vec2,
    x: Vec2,
    angle: f64,
    v: Vec2,
    w: f64,
}

impl Solid {
    fn turned(&self, local: Vec2) -> Vec2 {
        local.turned(self.angle.cos(), self.angle.sin())
    }

    /// r, from the centre of mass to an anchor that is given from the origin.
    fn arm(&self, anchor: Vec2) -> Vec2 {
        self.turned(anchor - self.center)
    }

    /// p = x + r
    fn point(&self, anchor: Vec2) -> Vec2 {
        self.x + self.arm(anchor)
    }

    fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.v + arm.perp() * self.w
    }

    /// v += J/m, ω += r × J / I
    fn push(&mut self, impulse: Vec2, arm: Vec2) {
        self.v += impulse * self.m;
        self.w += self.i * arm.cross(impulse);
    }
}

/// Bodies of any pose, mass and velocity, in a world and as the equations see them.
struct Scene {
    world: World,
    ids: Vec<BodyId>,
    solids: Vec<Solid>,
    softness: Softness,
    /// k/Δt
    rate: f64,
    h: f64,
}

fn scene(random: &mut Random, bodies: usize, immovable: bool) -> Scene {
    let settings = Settings { gravity: GRAVITY, substeps: 1, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let (mut ids, mut solids) = (Vec::new(), Vec::new());
    for k in 0..bodies {
        let (mass, inertia) = (random.between(0.5, 4.0), random.between(0.3, 3.0));
        let properties = MassProperties { mass, center: random.vector(0.4), inertia };
        let (position, rotation) = (random.vector(2.0), random.between(-9.0, 9.0));
        let (velocity, angular_velocity) = (random.vector(2.0), random.between(-3.0, 3.0));
        let still = immovable && k == 0;
        let kind = if still { BodyDef::fixed() } else { BodyDef::dynamic() };
        let mass = Mass::Given(properties);
        let def = BodyDef { position, rotation, velocity, angular_velocity, mass, ..kind };
        ids.push(world.add_body(&def).unwrap());
        let moves = f64::from(u8::from(!still));
        let mut solid = Solid {
            m: moves / properties.mass,
            i: moves / inertia,
            center: properties.center,
            x: Vec2::ZERO,
            angle: rotation,
            v: (velocity + GRAVITY * H) * moves,
            w: angular_velocity * moves,
        };
        solid.x = position + solid.turned(properties.center);
        solids.push(solid);
    }
    let remaining = random.between(0.001, 0.9);
    let softness = Softness::ErrorBias { remaining, max_bias: f64::INFINITY };
    Scene { world, ids, solids, softness, rate: (1.0 - remaining.powf(H)) / H, h: H }
}

/// Runs a test in many scenes; in some of them the first body is one that nothing moves.
fn each(bodies: usize, mut test: impl FnMut(&mut Random, Scene)) {
    let mut random = Random(2026);
    for k in 0..SCENES {
        let scene = scene(&mut random, bodies, k % 5 == 4);
        test(&mut random, scene);
    }
}

impl Scene {
    fn add(&mut self, def: JointDef) -> JointId {
        self.world.add_joint(&JointDef { warm_start: false, ..def }).unwrap()
    }

    /// The stages of a step up to the first solve with bias, and that solve so many times.
    fn solve(&mut self, passes: usize) {
        let world = &mut self.world;
        world.prepare_joints();
        let clock = [self.h, world.time];
        world.solver.prepare(&world.bodies, &mut world.joints, clock);
        for (id, body) in world.bodies.iter() {
            let place = [body.center.x, body.center.y, body.rotation];
            world.solver.poses[id.index()] = place;
        }
        world.solver.start(&world.joints);
        for (id, solid) in self.ids.iter().zip(&self.solids) {
            let (sin, cos) = solid.angle.sin_cos();
            let state = [solid.v.x, solid.v.y, solid.w, 0.0, 0.0, 0.0, cos, sin];
            let hot = world.solver.hot.body_mut(id.index());
            hot.copy_from_slice(&state.map(|number| number as f32));
        }
        world.solver.evaluate(world.isa, &world.joints, 0.0);
        world.solver.drive_forces(&world.joints, self.h);
        for _ in 0..passes {
            world.solver.pass(world.isa, &world.joints, Pass::Solve);
        }
    }

    /// The impulses in the lanes, by row: what is held, then the axes.
    fn impulses(&self, id: JointId) -> Vec<f64> {
        let kind = &self.world.joint(id).unwrap().def.kind;
        let mut found = vec![0.0; kind.hold_count() + kind.axis_count()];
        for place in &self.world.solver.places[id.index()] {
            let impulse = |k: usize| f64::from(self.world.solver.impulse(place.at, k));
            match &place.piece {
                Piece::Law(_, row) => found[usize::from(*row)] += impulse(0) - impulse(1),
                Piece::Hold(rows) => {
                    for (k, row) in rows.iter().enumerate() {
                        found[usize::from(*row)] += impulse(k);
                    }
                }
            }
        }
        found
    }

    /// One solve of a joint alone: these are the impulses of its first rows, and what `apply` does
    /// to the velocities is done. Everything is then as it was.
    #[track_caller]
    fn check(&mut self, def: JointDef, expected: &[f64], apply: impl FnOnce(&mut Self)) {
        let id = self.add(def);
        self.solve(1);
        close(&self.impulses(id)[..expected.len()], expected);
        let before = self.solids.clone();
        apply(self);
        self.same_velocities();
        self.solids = before;
        self.world.remove_joint(id).unwrap();
    }

    /// The first two bodies and the line between two points of theirs.
    fn link(&self, anchors: [Vec2; 2]) -> Link {
        let [a, b] = [self.solids[0], self.solids[1]];
        let arms = [a.arm(anchors[0]), b.arm(anchors[1])];
        let gap = b.point(anchors[1]) - a.point(anchors[0]);
        let velocity = b.velocity_at(arms[1]) - a.velocity_at(arms[0]);
        let n = gap * (1.0 / gap.length());
        Link { a, b, arms, gap, velocity, n }
    }

    /// The velocities in the lanes are those of the solids.
    #[track_caller]
    fn same_velocities(&self) {
        for (id, solid) in self.ids.iter().zip(&self.solids) {
            let hot = self.world.solver.hot.body(id.index());
            let found: Vec<f64> = hot[..3].iter().map(|speed| f64::from(*speed)).collect();
            close(&found, &[solid.v.x, solid.v.y, solid.w]);
        }
    }

    /// v₁ −= J/m₁, ω₁ −= r₁ × J / I₁, and the opposite for the second body.
    fn push(&mut self, impulse: Vec2, [r1, r2]: [Vec2; 2]) {
        self.solids[0].push(-impulse, r1);
        self.solids[1].push(impulse, r2);
    }

    /// ω₁ −= a J / I₁, ω₂ += b J / I₂
    fn turn(&mut self, impulse: f64, [a, b]: [f64; 2]) {
        self.solids[0].w -= a * impulse * self.solids[0].i;
        self.solids[1].w += b * impulse * self.solids[1].i;
    }

    /// Turns the second body until ratio · φ₂ − φ₁ has a value.
    fn set_angle(&mut self, ratio: f64, value: f64) {
        let angle = (value + self.solids[0].angle) / ratio;
        self.world.set_rotation(self.ids[1], angle).unwrap();
        let body = &self.world[self.ids[1]];
        self.solids[1].x = body.center();
        self.solids[1].angle = angle;
    }

    /// Moves the second body until its anchor is at a point of the world.
    fn set_point(&mut self, anchor: Vec2, point: Vec2) {
        let arm = self.solids[1].turned(anchor);
        self.world.set_position(self.ids[1], point - arm).unwrap();
        self.solids[1].x = self.world[self.ids[1]].center();
    }
}

/// Two bodies, two points of theirs, and what is between them.
#[derive(Clone, Copy)]
struct Link {
    a: Solid,
    b: Solid,
    /// r₁, r₂
    arms: [Vec2; 2],
    /// p₂ − p₁
    gap: Vec2,
    /// rᵥ, how fast it grows.
    velocity: Vec2,
    n: Vec2,
}

impl Link {
    /// 1/mₙ = 1/m₁ + (r₁ × n)²/I₁ + 1/m₂ + (r₂ × n)²/I₂
    fn along(&self, n: Vec2) -> f64 {
        let Self { a, b, arms: [r1, r2], .. } = self;
        a.m + a.i * r1.cross(n).powi(2) + b.m + b.i * r2.cross(n).powi(2)
    }

    /// K of two points that are held together.
    fn matrix(&self) -> Vec<Vec<f64>> {
        let Self { a, b, arms: [r1, r2], .. } = self;
        let masses = a.m + b.m;
        let across = -r1.x * r1.y * a.i - r2.x * r2.y * b.i;
        vec![
            vec![masses + r1.y * r1.y * a.i + r2.y * r2.y * b.i, across],
            vec![across, masses + r1.x * r1.x * a.i + r2.x * r2.x * b.i],
        ]
    }

    /// K⁻¹ (−b − rᵥ)
    fn pivot(&self, bias: Vec2) -> Vec2 {
        let right = -bias - self.velocity;
        let found = solved(&self.matrix(), &[right.x, right.y]);
        Vec2::new(found[0], found[1])
    }
}

/// As close as f32 comes: 1e-5 of the largest number, or of 1.
#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0_f64, |size, each| size.max(each.abs()));
    let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-5 * size);
    assert!(!far, "{found:?} is not {expected:?}");
}

/// K⁻¹ y by elimination with pivots.
fn solved(k: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let mut rows: Vec<Vec<f64>> = k.to_vec();
    for (row, y) in rows.iter_mut().zip(y) {
        row.push(*y);
    }
    for at in 0..n {
        let best = (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()));
        rows.swap(at, best.unwrap());
        for row in (0..n).filter(|row| *row != at) {
            let factor = rows[row][at] / rows[at][at];
            let pivot = rows[at].clone();
            for (number, from) in rows[row].iter_mut().zip(&pivot) {
                *number -= factor * from;
            }
        }
    }
    (0..n).map(|row| rows[row][n] / rows[row][row]).collect()
}

fn distance(scene: &Scene, anchors: [Vec2; 2]) -> JointDef {
    let [anchor_a, anchor_b] = anchors;
    JointDef::new(JointKind::Distance { anchor_a, anchor_b }, scene.ids[0], scene.ids[1])
        .with_softness(scene.softness)
}

fn angle(scene: &Scene, ratio: f64) -> JointDef {
    JointDef::new(JointKind::Angle { ratio, angle: 0.0 }, scene.ids[0], scene.ids[1])
        .with_softness(scene.softness)
}

fn limited(lower: f64, upper: f64, softness: Softness) -> Axis {
    let limit = Some(Limit { softness, ..Limit::new(lower, upper) });
    Axis { limit, ..Axis::default() }
}

/// A joint of a program of the gallery.
fn text(
    name: &str,
    scalars: &[(&str, f64)],
    vectors: &[(&str, Vec2)],
    bodies: &[(&str, BodyId)],
) -> JointDef {
    let source = equation::gallery::find(name).unwrap().source;
    let mut joint = TextJoint::new(&equation::Program::parse(source).unwrap());
    for (name, value) in scalars {
        joint.set(name, *value).unwrap();
    }
    for (name, value) in vectors {
        joint.set(name, <[f64; 2]>::from(*value)).unwrap();
    }
    joint.joint(bodies).unwrap()
}

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

/// Chipmunk's and Nape's pivot, in Rust.
#[derive(Clone, Debug)]
struct Pivot {
    anchors: [Vec2; 2],
}

impl Constraint for Pivot {
    fn name(&self) -> &str {
        "pivot"
    }

    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].point(self.anchors[1]) - bodies[0].point(self.anchors[0]);
        [out[0], out[1]] = [gap.x, gap.y];
    }
}

/// Nape's angle, in Rust.
#[derive(Clone, Debug)]
struct Turn {
    ratio: f64,
}

impl Constraint for Turn {
    fn name(&self) -> &str {
        "turn"
    }

    fn counts(&self) -> Counts {
        Counts::left(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = S::constant(self.ratio) * bodies[1].rotation - bodies[0].rotation;
    }
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
