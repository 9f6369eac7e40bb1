//! A joint from text, a user joint in Rust and the built-in one give the same motion, also far from
//! the origin and after many turns.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use kempe2d::equation::{Program, gallery};
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Event, JointDef, JointKind, Mass, MassProperties,
    Pose, Real, Shape, TextJoint, UserJoint, Vec2, World,
};

const ANCHORS: [Vec2; 2] = [Vec2 { x: 0.6, y: -0.2 }, Vec2 { x: -0.5, y: 0.3 }];

/// The equations of each joint once more, as a user would write them.
#[derive(Clone, Debug)]
enum Written {
    Weld { angle: f64 },
    Pivot,
    Distance,
    Line,
    Angle { ratio: f64 },
    Pulley { anchors: [Vec2; 4], ratio: f64 },
}

impl Constraint for Written {
    fn name(&self) -> &str {
        "written"
    }

    fn counts(&self) -> Counts {
        match self {
            Self::Weld { .. } => Counts::held(3),
            Self::Pivot => Counts { axes: 1, ..Counts::held(2) },
            Self::Distance | Self::Angle { .. } => Counts::left(1),
            Self::Line => Counts { axes: 1, ..Counts::held(1) },
            Self::Pulley { .. } => Counts { bodies: 4, ..Counts::left(1) },
        }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].point(ANCHORS[1]) - bodies[0].point(ANCHORS[0]);
        let angle = bodies[1].rotation - bodies[0].rotation;
        match self {
            Self::Weld { angle: phase } => {
                out.copy_from_slice(&[gap.x, gap.y, angle - S::constant(*phase)]);
            }
            Self::Pivot => out.copy_from_slice(&[gap.x, gap.y, angle]),
            Self::Distance => out[0] = gap.length(),
            Self::Line => {
                let along = bodies[0].direction(Vec2::new(0.8, 0.6));
                out.copy_from_slice(&[along.cross(gap), along.dot(gap)]);
            }
            Self::Angle { ratio } => {
                out[0] = S::constant(*ratio) * bodies[1].rotation - bodies[0].rotation;
            }
            Self::Pulley { anchors, ratio } => {
                let point = |k: usize| bodies[k].point(anchors[k]);
                let lengths = [(point(1) - point(0)).length(), (point(3) - point(2)).length()];
                out[0] = lengths[0] + S::constant(*ratio) * lengths[1];
            }
        }
    }
}

/// A world with four bodies that move, of which the first two are heavy and light, with centres of
/// mass away from their origins; somewhere, and after some turns.
/// Weights hang on a pulley whose wheels nothing moves: four free bodies on a rope are soon chaotic.
fn world(name: &str, at: Vec2, turns: f64) -> (World, Vec<BodyId>) {
    let mut world = World::default();
    let turned = std::f64::consts::TAU * turns;
    let pulley = name.starts_with("pulley");
    let places = if pulley {
        [[0.0, 3.0, 0.3], [0.4, 1.0, -0.4], [2.0, 3.0, 1.0], [2.3, 1.4, -0.2]]
    } else {
        [[0.0, 0.0, 0.3], [1.5, 0.2, -0.4], [0.2, 2.0, 1.0], [1.9, 2.3, -0.2]]
    };
    let mut bodies = Vec::new();
    for (k, [x, y, angle]) in places.into_iter().enumerate() {
        let mass = MassProperties {
            mass: [2.0, 0.7, 1.3, 3.0][k],
            center: Vec2::new(0.1 * k as f64, -0.05),
            inertia: [0.5, 0.2, 0.4, 0.9][k],
        };
        let def = BodyDef {
            position: at + Vec2::new(x, y),
            rotation: angle + turned,
            velocity: Vec2::new(0.5 - 0.4 * k as f64, 0.3 * k as f64),
            angular_velocity: 1.5 - 0.9 * k as f64,
            shapes: vec![(Shape::circle(0.2), 1.0)],
            mass: Mass::Given(mass),
            gravity_scale: if k == 0 { 0.1 } else { 1.0 },
            ..if pulley && k % 2 == 0 { BodyDef::fixed() } else { BodyDef::dynamic() }
        };
        bodies.push(world.add_body(&def).unwrap());
    }
    (world, bodies)
}

fn text(name: &str) -> TextJoint {
    TextJoint::new(&Program::parse(gallery::find(name).unwrap().source).unwrap())
}

fn vector(v: Vec2) -> [f64; 2] {
    v.into()
}

/// The same joint three times: built in, from text, from a user. Lengths and angles as they stand.
fn joints(name: &str, turns: f64, ids: &[BodyId]) -> [JointDef; 3] {
    let (a, b) = (ids[0], ids[1]);
    let anchored = |text: TextJoint, first: &str, second: &str| {
        text.with(first, vector(ANCHORS[0])).unwrap().with(second, vector(ANCHORS[1])).unwrap()
    };
    let user = |written: Written, bodies: &[BodyId]| UserJoint::new(written).joint(bodies);
    let two = [("body1", a), ("body2", b)];
    match name {
        "weld" => [
            JointDef::weld(a, b, ANCHORS, -0.7),
            anchored(text("weld"), "anchor1", "anchor2")
                .with("phase", -0.7)
                .unwrap()
                .joint(&two)
                .unwrap(),
            user(Written::Weld { angle: -0.7 }, &[a, b]),
        ],
        "pivot" => [
            JointDef::revolute(a, b, ANCHORS),
            anchored(text("pivot"), "anchor_a", "anchor_b").joint(&[("a", a), ("b", b)]).unwrap(),
            user(Written::Pivot, &[a, b]),
        ],
        "distance" => [
            JointDef::range(a, b, ANCHORS, 0.2, 0.9),
            anchored(text("distance"), "anchor1", "anchor2")
                .with("jointMin", 0.2)
                .unwrap()
                .with("jointMax", 0.9)
                .unwrap()
                .joint(&two)
                .unwrap(),
            user(Written::Distance, &[a, b]).with_limit(0.2, 0.9),
        ],
        "line" => [
            JointDef::slot(a, b, ANCHORS, Vec2::new(0.8, 0.6)).with_limit(-0.1, 0.3),
            anchored(text("line"), "anchor1", "anchor2")
                .with("direction", [0.8, 0.6])
                .unwrap()
                .with("jointMin", -0.1)
                .unwrap()
                .with("jointMax", 0.3)
                .unwrap()
                .joint(&two)
                .unwrap(),
            user(Written::Line, &[a, b]).with_limit(-0.1, 0.3),
        ],
        "angle" => [
            JointDef::angle_range(a, b, 1.0, -0.75, -0.5),
            text("angle")
                .with("lowest", -0.75)
                .unwrap()
                .with("highest", -0.5)
                .unwrap()
                .joint(&[("a", a), ("b", b)])
                .unwrap(),
            user(Written::Angle { ratio: 1.0 }, &[a, b]).with_limit(-0.75, -0.5),
        ],
        "gear" => {
            let phase = -2.5 * (-0.4 + std::f64::consts::TAU * turns)
                - (0.3 + std::f64::consts::TAU * turns);
            let program = "body a, b  scalar ratio, phase
                constraint ratio * b.rotation - a.rotation - phase";
            let gear = TextJoint::new(&Program::parse(program).unwrap());
            [
                JointDef::gear(a, b, -2.5, phase),
                gear.with("ratio", -2.5)
                    .unwrap()
                    .with("phase", phase)
                    .unwrap()
                    .joint(&[("a", a), ("b", b)])
                    .unwrap(),
                user(Written::Angle { ratio: -2.5 }, &[a, b]).with_axis(Axis::held(phase)),
            ]
        }
        _ => {
            // Over bodies 0, 1, 2, 3, or with the third body the first one again.
            let ids = if name == "pulley" { ids.to_vec() } else { vec![a, b, a, ids[3]] };
            let anchors = [ANCHORS[0], ANCHORS[1], Vec2::new(0.1, 0.4), Vec2::new(-0.3, 0.0)];
            let longest = if name == "pulley" { 4.6 } else { 6.5 };
            let mut from_text = text("pulley");
            for (name, anchor) in
                ["anchor_a", "anchor_b", "anchor_c", "anchor_d"].iter().zip(anchors)
            {
                from_text.set(name, vector(anchor)).unwrap();
            }
            from_text.set("ratio", 1.5).unwrap();
            from_text.set("longest", longest).unwrap();
            let names = [("a", ids[0]), ("b", ids[1]), ("c", ids[2]), ("d", ids[3])];
            [
                JointDef::over(JointKind::Pulley { anchors, ratio: 1.5 }, ids.clone())
                    .with_limit(0.0, longest),
                from_text.joint(&names).unwrap(),
                user(Written::Pulley { anchors, ratio: 1.5 }, &ids).with_limit(0.0, longest),
            ]
        }
    }
}

const NAMES: [&str; 8] =
    ["weld", "pivot", "distance", "line", "angle", "gear", "pulley", "pulley that shares a body"];

/// Positions relative to where the scene is, and angles without the turns.
fn run(name: &str, which: usize, at: Vec2, turns: f64, steps: usize) -> Vec<[f64; 3]> {
    let (mut world, ids) = world(name, at, turns);
    world.add_joint(&joints(name, turns, &ids)[which]).unwrap();
    for _ in 0..steps {
        let report = world.step(1.0 / 60.0).unwrap();
        let amiss = |event: &Event| matches!(event, Event::LeftOut(_) | Event::NotFinite(_));
        assert!(!report.events.iter().any(amiss), "{name}: {:?}", report.events);
    }
    ids.iter()
        .map(|id| {
            let position = world[*id].position() - at;
            [position.x, position.y, world[*id].rotation() - std::f64::consts::TAU * turns]
        })
        .collect()
}

fn difference(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The scene is about 3 m wide.
const SIZE: f64 = 3.0;

fn compare(at: Vec2, turns: f64) {
    for name in NAMES {
        for (steps, tolerance) in [(1, 1e-6), (120, 1e-4)] {
            let built = run(name, 0, at, turns, steps);
            let home = run(name, 0, Vec2::ZERO, 0.0, steps);
            for which in 1..3 {
                let other = run(name, which, at, turns, steps);
                let off = difference(&built, &other);
                let what = ["built in", "from text", "from a user"][which];
                assert!(off <= tolerance * SIZE, "{name} {what}, {steps} steps: {off:e}");
            }
            if name == "gear" {
                continue;
            }
            // The same motion as at home: angles and places are rounded in f64 alone.
            let off = difference(&built, &home);
            assert!(off <= 10.0 * tolerance * SIZE, "{name} from home, {steps} steps: {off:e}");
        }
    }
}

#[test]
fn at_home() {
    compare(Vec2::ZERO, 0.0);
}

#[test]
fn ten_thousand_kilometres_away() {
    compare(Vec2::new(1e7, -1e7), 0.0);
}

#[test]
fn after_ten_thousand_turns() {
    compare(Vec2::ZERO, 1e4);
}
