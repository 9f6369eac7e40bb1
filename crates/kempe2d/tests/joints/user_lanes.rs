//! Types of the user that are evaluated in lanes by their own equations.

use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Direct, Event, ForceRange, Jacobian, JointDef,
    Motor, Pose, Real, Settings, Softness, UserJoint, Vec2, World,
};
use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const DT: f64 = 1.0 / 60.0;

/// How a type gives its Jacobian.
const FOUND: u8 = 0;
const GIVEN: u8 = 1;
const WRONG: u8 = 2;

/// Two points together, and the angle held or left.
#[derive(Clone, Debug)]
struct Turn<const HOW: u8, const HELD: bool> {
    a: Vec2,
    b: Vec2,
    phase: f64,
}

impl<const HOW: u8, const HELD: bool> Constraint for Turn<HOW, HELD> {
    fn name(&self) -> &str {
        "turn"
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        let (hold, axes) = if HELD { (3, 0) } else { (2, 1) };
        Counts { axes, ..Counts::held(hold) }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].point(self.b) - bodies[0].point(self.a);
        out[0] = gap.x;
        out[1] = gap.y;
        out[2] = bodies[1].rotation - bodies[0].rotation - S::constant(self.phase);
    }

    fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
        let (a, b) = (bodies[0].direction(self.a), bodies[1].direction(self.b));
        let (zero, one) = (S::zero(), if HOW == WRONG { S::constant(0.5) } else { S::one() });
        out.set(0, 0, Vec2::new(-one, zero), a.y);
        out.set(1, 0, Vec2::new(zero, -one), -a.x);
        out.set(2, 0, Vec2::new(zero, zero), -one);
        out.set(0, 1, Vec2::new(one, zero), -b.y);
        out.set(1, 1, Vec2::new(zero, one), b.x);
        out.set(2, 1, Vec2::new(zero, zero), one);
        HOW != FOUND
    }
}

#[derive(Clone, Copy, Debug)]
enum How {
    Built,
    User(u8),
}

/// A chain of links that differ, each of them hanging from the one before by a pivot with a motor or a
/// spring, or by a weld.
fn chain(how: How, turns: f64) -> World {
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let mut last = world.ground().unwrap();
    let (mut at, mut hung) = (Vec2::ZERO, Vec2::ZERO);
    for k in 0..40 {
        let half = 0.1 + 0.01 * f64::from(k % 7);
        at += Vec2::new(half, 0.0);
        let def = BodyDef { position: at, rotation: TAU * turns, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        at += Vec2::new(half, 0.0);
        let from = if k == 0 { -TAU * turns } else { 0.0 };
        // The first one counts from the ground, which has not turned.
        let phase = if turns > 0.0 { -from } else { 0.01 * f64::from(k % 3) };
        let (a, b, ends) = (hung, Vec2::new(-half, 0.0), [last, body]);
        let def = joint(how, k % 4 == 1, ends, [a, b], phase);
        let axis = match k % 4 {
            2 => Axis::driven(Motor::Velocity {
                speed: 0.3.into(),
                force: ForceRange::symmetric(5.0),
            }),
            3 => Axis::sprung(0.1, Softness::Hertz { hertz: 2.0, damping_ratio: 0.3 }),
            _ => Axis::default(),
        };
        let axes = if k % 4 == 1 { Vec::new() } else { vec![axis] };
        world.add_joint(&JointDef { axes, ..def }).unwrap();
        (last, hung) = (body, Vec2::new(half, 0.0));
    }
    world
}

fn joint(how: How, weld: bool, ends: [BodyId; 2], [a, b]: [Vec2; 2], phase: f64) -> JointDef {
    let user = |how: u8| match (how, weld) {
        (FOUND, true) => UserJoint::new(Turn::<FOUND, true> { a, b, phase }),
        (FOUND, false) => UserJoint::new(Turn::<FOUND, false> { a, b, phase }),
        (GIVEN, true) => UserJoint::new(Turn::<GIVEN, true> { a, b, phase }),
        (GIVEN, false) => UserJoint::new(Turn::<GIVEN, false> { a, b, phase }),
        (_, true) => UserJoint::new(Turn::<WRONG, true> { a, b, phase }),
        (_, false) => UserJoint::new(Turn::<WRONG, false> { a, b, phase }),
    };
    match how {
        How::Built if weld => JointDef::weld(ends[0], ends[1], [a, b], phase),
        How::Built => {
            let mut def = JointDef::revolute(ends[0], ends[1], [a, b]);
            if let kempe2d::JointKind::Revolute { angle, .. } = &mut def.kind {
                *angle = phase;
            }
            def
        }
        How::User(how) => user(how).joint(&ends),
    }
}

fn apart(a: &World, b: &World) -> f64 {
    a.bodies().zip(b.bodies()).fold(0.0, |most, ((_, a), (_, b))| {
        let turned = (a.rotation() - b.rotation()).abs();
        most.max((a.position() - b.position()).length()).max(turned)
    })
}

fn stepped(mut world: World, steps: u32) -> World {
    for _ in 0..steps {
        world.step(DT).unwrap();
    }
    world
}

#[test]
fn joints_that_differ_move_as_built_in_ones_however_j_comes_about() {
    for turns in [0.0, 1e4] {
        for (steps, close) in [(1, 2e-6), (30, 2e-4)] {
            let built = stepped(chain(How::Built, turns), steps);
            // A Jacobian that is not that of the equations is not used in lanes.
            for how in [FOUND, GIVEN, WRONG] {
                let off = apart(&built, &stepped(chain(How::User(how), turns), steps));
                assert!(off < close, "{how} after {turns} turns and {steps} steps: {off}");
            }
        }
    }
}

/// Equations in which angles are not as in built-in joints.
#[derive(Clone, Debug)]
struct Bent<const PLAIN: bool> {
    most: f64,
}

impl<const PLAIN: bool> Constraint for Bent<PLAIN> {
    fn name(&self) -> &str {
        "bent"
    }

    fn is_plain(&self) -> bool {
        PLAIN
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let [a, b] = [bodies[0].rotation, bodies[1].rotation];
        out[0] = (b - a) * (b - a) + (b - a) - S::constant(self.most);
    }
}

fn bent(plain: bool) -> World {
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let mut last = world.ground().unwrap();
    for k in 0..10 {
        // 1 + 1 = 2 above the one before it.
        let rotation = f64::from(k + 1);
        let spin = 0.1 * f64::from(k);
        let def = BodyDef { rotation, angular_velocity: spin, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        let joint = match plain {
            true => UserJoint::new(Bent::<true> { most: 2.0 }),
            false => UserJoint::new(Bent::<false> { most: 2.0 }),
        };
        world.add_joint(&joint.joint(&[last, body])).unwrap();
        last = body;
    }
    world
}

#[test]
fn angles_that_are_not_just_added_stay_right() {
    let (plain, general) = (stepped(bent(true), 30), stepped(bent(false), 30));
    assert!(apart(&plain, &general) < 1e-4, "{}", apart(&plain, &general));
    let turns: Vec<f64> = plain.bodies().map(|(_, body)| body.rotation()).collect();
    assert!(turns.windows(2).skip(1).all(|two| (two[1] - two[0] - 1.0).abs() < 0.05), "{turns:?}");
}

/// A distance that gives its Jacobian, which it has not got where it is 0.
#[derive(Clone, Debug)]
struct Rod {
    length: f64,
}

impl Constraint for Rod {
    fn name(&self) -> &str {
        "rod"
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].position - bodies[0].position;
        out[0] = gap.length() - S::constant(self.length);
    }

    fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
        let gap = bodies[1].position - bodies[0].position;
        let along = gap * (S::one() / gap.length());
        out.set(0, 0, -along, S::zero());
        out.set(0, 1, along, S::zero());
        true
    }
}

#[test]
fn a_length_without_direction_is_left_out_and_comes_back() {
    let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let mut add = |position: Vec2| {
        let def = BodyDef { position, gravity_scale: 0.0, ..BodyDef::dynamic() };
        let body = world.add_body(&def).unwrap();
        (
            body,
            world.add_joint(&UserJoint::new(Rod { length: 1.0 }).joint(&[ground, body])).unwrap(),
        )
    };
    let (near, lost) = add(Vec2::ZERO);
    let (far, _) = add(Vec2::new(1.2, 0.0));
    assert_eq!(world.step(DT).unwrap().events, vec![Event::LeftOut(lost)]);
    world.set_position(near, Vec2::new(0.0, 0.9)).unwrap();
    for _ in 0..120 {
        assert!(!world.step(DT).unwrap().events.contains(&Event::LeftOut(lost)));
    }
    for body in [near, far] {
        let length = world[body].position().length();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
    }
}

/// Asks for more constants each time, or for fewer.
#[derive(Clone, Debug)]
struct Fickle {
    calls: Arc<AtomicUsize>,
}

impl Constraint for Fickle {
    fn name(&self) -> &str {
        "fickle"
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        // Alike while they are recorded.
        let count = if call < 20 { 3 } else { call % 50 };
        let mut sum = bodies[1].position.x - bodies[0].position.x;
        for k in 0..count {
            sum = sum + S::constant(k as f64);
        }
        out[0] = sum;
    }
}

#[test]
fn what_asks_for_other_constants_than_it_did_reads_nothing_else() {
    let mut world = World::new(Settings { direct: Direct::Never, ..Settings::default() }).unwrap();
    let ground = world.ground().unwrap();
    let body = world.add_body(&BodyDef::dynamic()).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let joint = UserJoint::new(Fickle { calls: Arc::clone(&calls) }).joint(&[ground, body]);
    world.add_joint(&joint).unwrap();
    let world = stepped(world, 60);
    assert!(calls.load(Ordering::Relaxed) > 100);
    assert!(world[body].position().is_finite());
}
