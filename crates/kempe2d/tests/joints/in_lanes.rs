//! Programs, and types of the user, that go in the lanes of the built-in joints.

use kempe2d::equation::Program;
use kempe2d::{
    BodyDef, BodyId, Constraint, Counts, Direct, Event, JointDef, JointId, JointKind, Pose, Real,
    Registry, Settings, TextJoint, UserJoint, Vec2, World,
};

const DT: f64 = 1.0 / 60.0;

/// Two points together; the angle too, if there is one.
#[derive(Clone, Debug)]
struct Point<const PLAIN: bool> {
    a: Vec2,
    b: Vec2,
    angle: Option<f64>,
}

impl<const PLAIN: bool> Constraint for Point<PLAIN> {
    fn name(&self) -> &str {
        "point"
    }

    fn counts(&self) -> Counts {
        Counts::held(if self.angle.is_some() { 3 } else { 2 })
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].point(self.b) - bodies[0].point(self.a);
        out[0] = gap.x;
        out[1] = gap.y;
        if let Some(angle) = self.angle {
            out[2] = bodies[1].rotation - bodies[0].rotation - S::constant(angle);
        }
    }

    fn is_plain(&self) -> bool {
        PLAIN
    }

    fn parameters(&self) -> Vec<f64> {
        let Self { a, b, angle } = self;
        vec![a.x, a.y, b.x, b.y, angle.unwrap_or(f64::MAX)]
    }
}

/// A distance, by the leg of a triangle, which has none of less than 0.5 m.
#[derive(Clone, Debug)]
struct Rod<const PLAIN: bool> {
    length: f64,
}

impl<const PLAIN: bool> Constraint for Rod<PLAIN> {
    fn name(&self) -> &str {
        "rod"
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].position - bodies[0].position;
        out[0] = (gap.dot(gap) - S::constant(0.25)).sqrt() - S::constant(self.length);
    }

    fn is_plain(&self) -> bool {
        PLAIN
    }
}

const PIVOT: &str = "body a, b  vector anchor_a, anchor_b
    constraint (b.position + relative b anchor_b) - (a.position + relative a anchor_a)";
const WELD: &str = "body a, b  vector anchor_a, anchor_b  scalar angle
    constraint { (b.position + relative b anchor_b) - (a.position + relative a anchor_a)
                 b.rotation - a.rotation - angle }";

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Built,
    Text,
    User,
    Plain,
}

/// How joint `k` of a grid is made.
fn joint(how: How, ends: [BodyId; 2], anchors: [Vec2; 2], weld: bool) -> JointDef {
    let [a, b] = anchors;
    let angle = weld.then_some(0.0);
    match (how, weld) {
        (How::Built, false) => JointDef::revolute(ends[0], ends[1], anchors),
        (How::Built, true) => JointDef::weld(ends[0], ends[1], anchors, 0.0),
        (How::User, _) => UserJoint::new(Point::<false> { a, b, angle }).joint(&ends),
        (How::Plain, _) => UserJoint::new(Point::<true> { a, b, angle }).joint(&ends),
        (How::Text, _) => {
            let program = Program::parse(if weld { WELD } else { PIVOT }).unwrap();
            let mut text = TextJoint::new(&program);
            text.set("anchor_a", [a.x, a.y]).unwrap();
            text.set("anchor_b", [b.x, b.y]).unwrap();
            if weld {
                text.set("angle", 0.0).unwrap();
            }
            text.joint(&[("a", ends[0]), ("b", ends[1])]).unwrap()
        }
    }
}

/// A grid of bodies hanging from its corner, its joints solved one by one.
fn grid(how: How, at: Vec2, threads: u32) -> (World, Vec<JointId>) {
    let settings = Settings { direct: Direct::Never, sleep: false, threads, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let count = 12;
    let mut bodies = Vec::new();
    for k in 0..count * count {
        let position = at + Vec2::new(f64::from(k % count), -f64::from(k / count));
        let def = if k == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
        bodies.push(world.add_body(&BodyDef { position, ..def }).unwrap());
    }
    let mut joints = Vec::new();
    let half = [Vec2::new(0.5, 0.0), Vec2::new(0.0, -0.5)];
    for k in 0..bodies.len() {
        for (side, way) in half.into_iter().enumerate() {
            let next = if side == 0 { k + 1 } else { k + count as usize };
            let edge = side == 0 && (k + 1) % count as usize == 0;
            if edge || next >= bodies.len() {
                continue;
            }
            let def = joint(how, [bodies[k], bodies[next]], [way, -way], k % 5 == 1);
            joints.push(world.add_joint(&def).unwrap());
        }
    }
    (world, joints)
}

fn apart(a: &World, b: &World) -> f64 {
    a.bodies().zip(b.bodies()).fold(0.0, |most, ((_, a), (_, b))| {
        let turned = (a.rotation() - b.rotation()).abs();
        most.max((a.position() - b.position()).length()).max(turned)
    })
}

#[test]
fn they_move_as_built_in_ones() {
    for at in [Vec2::ZERO, Vec2::new(1e7, -1e7)] {
        let run = |how: How, steps: u32| {
            let (mut world, _) = grid(how, at, 1);
            for _ in 0..steps {
                world.step(DT).unwrap();
            }
            world
        };
        for (steps, close) in [(1, 1e-6), (60, 1e-4)] {
            let built = run(How::Built, steps);
            for how in [How::Text, How::User, How::Plain] {
                let off = apart(&built, &run(how, steps));
                assert!(off < close, "{how:?} at {at:?} after {steps}: {off}");
            }
        }
    }
}

#[test]
fn threads_and_snapshots_change_nothing() {
    let registry = Registry::new().joint("point", |numbers| {
        let angle = (numbers[4] != f64::MAX).then_some(numbers[4]);
        let [a, b] = [Vec2::new(numbers[0], numbers[1]), Vec2::new(numbers[2], numbers[3])];
        Some(Point::<true> { a, b, angle })
    });
    for how in [How::Text, How::Plain] {
        let [mut one, mut two] = [1, 2].map(|threads| grid(how, Vec2::ZERO, threads).0);
        for _ in 0..20 {
            one.step(DT).unwrap();
            two.step(DT).unwrap();
        }
        assert_eq!(one.state_hash(), two.state_hash(), "{how:?}");
        let mut anew = World::from_snapshot(&one.snapshot(), &registry).unwrap();
        for _ in 0..20 {
            one.step(DT).unwrap();
            anew.step(DT).unwrap();
        }
        assert_eq!(one.state_hash(), anew.state_hash(), "{how:?}");
    }
}

#[test]
fn parameters_that_change_are_seen() {
    let (mut world, joints) = grid(How::Text, Vec2::ZERO, 1);
    world.step(DT).unwrap();
    let last = *joints.last().unwrap();
    world
        .edit_joint(last, |def| {
            if let JointKind::Text(text) = &mut def.kind {
                text.set("anchor_a", [0.7, 0.0]).unwrap();
            }
        })
        .unwrap();
    for _ in 0..200 {
        world.step(DT).unwrap();
    }
    let (built, text) = (world.joint_separation(last).unwrap().0, world.joint(last).unwrap());
    assert!(built < 0.1, "{built}");
    let ends = text.bodies().to_vec();
    let far = (world[ends[0]].world_point(Vec2::new(0.7, 0.0))
        - world[ends[1]].world_point(Vec2::new(-0.5, 0.0)))
    .length();
    assert!(far < 0.1, "{far}");
}

#[test]
fn what_has_no_value_is_left_out_alone() {
    for plain in [false, true] {
        let settings = Settings { direct: Direct::Never, sleep: false, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let ground = world.ground().unwrap();
        let rod = |length: f64, ends: [BodyId; 2]| match plain {
            true => UserJoint::new(Rod::<true> { length }).joint(&ends),
            false => UserJoint::new(Rod::<false> { length }).joint(&ends),
        };
        let mut add = |position: Vec2| {
            let body = world.add_body(&BodyDef { position, ..BodyDef::dynamic() }).unwrap();
            let joint = world.add_joint(&rod(0.75_f64.sqrt(), [ground, body])).unwrap();
            (body, joint)
        };
        let (whole, _) = add(Vec2::new(1.0, 0.0));
        let (lost, broken) = add(Vec2::ZERO);
        let report = world.step(DT).unwrap();
        assert_eq!(report.events, vec![Event::LeftOut(broken)], "{plain}");
        for _ in 0..30 {
            world.step(DT).unwrap();
        }
        assert!((world[whole].position().length() - 1.0).abs() < 0.05, "{plain}");
        assert!(world[lost].position().is_finite());
    }
}
