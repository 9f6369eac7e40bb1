//! One biased solve against the equations that other engines print, with their misprints corrected:
//! Chipmunk2D's constraints, Nape's joints, and the fixed joint that was made for Box2D.
//!
//! All of them ask that J v + b = 0 with b = k/Δt · C, k = 1 − remaining^Δt: λ = −K⁻¹ (J v + b).
//! Here that is computed in f64 and by hand, with the K of the source, and compared with the
//! impulses in the lanes after the first solve of a step that starts from no impulse.

mod chipmunk;
mod nape;
mod whole;

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
    let settings = Settings {
        gravity: GRAVITY,
        substeps: 1,
        direct: crate::Direct::Never,
        springs: crate::Springs::ImplicitEuler,
        ..Settings::default()
    };
    let mut world = World::new(settings).unwrap();
    // Its stages are called one by one here.
    world.solver.direct = settings.direct;
    world.solver.springs = settings.springs;
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
        // Scenes have a softness whether their joint has a use for it or not.
        let def = JointDef { warm_start: false, ..def }.without_unused();
        self.world.add_joint(&def).unwrap()
    }

    /// The stages of a step up to the first solve with bias, and that solve so many times.
    fn solve(&mut self, passes: usize) {
        let world = &mut self.world;
        world.prepare_joints();
        let clock = [self.h, world.time];
        world.solver.prepare(&world.bodies, &mut world.joints, clock);
        world.place_bodies(self.h);
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
            let impulse = |k: usize| f64::from(self.world.solver.impulse(place.at(), k));
            match &self.world.solver.piece(place.at()) {
                Piece::Law(law, row) if law.is_pair() => {
                    for k in 0..2 {
                        found[usize::from(*row) + k] += impulse(k);
                    }
                }
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
