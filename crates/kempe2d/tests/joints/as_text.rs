//! The wider joints as their equations say them: built in, from text, and as a user's type in Rust.

use kempe2d::equation::Program;
use kempe2d::{Axis, Constraint, Counts, Direct, JointDef, JointKind, Limit, Motor, Path, Pose};
use kempe2d::{BodyDef, BodyId, Event, Mass, MassProperties, Real, Settings, Softness, Spring};
use kempe2d::{TextJoint, UserJoint, Vec2, World};

const ANCHORS: [Vec2; 3] =
    [Vec2 { x: 0.6, y: -0.2 }, Vec2 { x: -0.5, y: 0.3 }, Vec2 { x: 0.1, y: 0.2 }];
const RAIL: Vec2 = Vec2 { x: 0.8, y: 0.6 };
const RATIO: f64 = 1.7;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    /// All three axes with something else on them.
    Generic,
    /// Two axes held, so that the third acts through them.
    Slider,
    /// Three points, of which the second has twice the weight behind it.
    Tendon,
    /// Two gears on a carrier that turns.
    Gears,
    /// A rack and a pinion on a base that moves.
    Rack,
    /// A point on a straight path.
    Path,
}

const CASES: [Case; 6] =
    [Case::Generic, Case::Slider, Case::Tendon, Case::Gears, Case::Rack, Case::Path];

const FRAME: &str = "body a, b  vector anchor_a, anchor_b, rail
    let along = relative a unit rail
    let del = b.position + relative b anchor_b - a.position - relative a anchor_a\n";

impl Case {
    /// What a program says, after its frame.
    fn source(self) -> String {
        match self {
            Self::Generic | Self::Slider => format!(
                "{FRAME} axis x = along dot del  axis y = along cross del
                 axis turn = b.rotation - a.rotation - 0.1"
            ),
            Self::Tendon => "body a, b, c  vector anchor_a, anchor_b, anchor_c  scalar ratio
                let p = a.position + relative a anchor_a
                let q = b.position + relative b anchor_b
                let r = c.position + relative c anchor_c
                axis length = |q - p| + ratio * |r - q|"
                .to_owned(),
            Self::Gears => "body a, b, c  scalar ratio
                axis mesh = b.rotation - a.rotation + ratio * (c.rotation - a.rotation)"
                .to_owned(),
            Self::Rack => "body a, b, c  vector anchor_a, anchor_b, rail  scalar ratio
                let along = relative a unit rail
                let del = b.position + relative b anchor_b - a.position - relative a anchor_a
                axis mesh = along dot del - ratio * (c.rotation - a.rotation)"
                .to_owned(),
            Self::Path => format!(
                "{FRAME} constraint along cross del  axis x = along dot del
                 axis turn = b.rotation - a.rotation"
            ),
        }
    }

    /// What acts on its axes; lengths and sums as they stand at first.
    fn axes(self, stands: f64) -> Vec<Axis> {
        let softness = Softness::Stiffness { stiffness: 40.0, damping: 1.5 };
        let spring = |rest: f64| Some(Spring::new(rest, softness));
        match self {
            Self::Generic => vec![
                Axis { spring: spring(0.3), ..Axis::default() },
                Axis { limit: Some(Limit::new(-0.1, 0.2)), friction: Some(0.5), ..Axis::default() },
                Axis::driven(Motor::at(0.4)),
            ],
            Self::Slider => vec![
                Axis { spring: spring(0.3), friction: Some(0.2), ..Axis::default() },
                Axis::held(0.0),
                Axis::held(0.0),
            ],
            Self::Tendon => vec![Axis::limited(f64::NEG_INFINITY, stands)],
            Self::Gears | Self::Rack => vec![Axis::held(stands)],
            Self::Path => {
                vec![Axis { spring: spring(0.5), ..Axis::default() }, Axis::limited(-1.0, 0.1)]
            }
        }
    }
}

/// The same equations, as a user writes them.
#[derive(Clone, Debug)]
struct Written(Case);

impl Constraint for Written {
    fn name(&self) -> &str {
        "written"
    }

    fn counts(&self) -> Counts {
        let (bodies, hold, axes) = match self.0 {
            Case::Generic | Case::Slider => (2, 0, 3),
            Case::Tendon | Case::Gears | Case::Rack => (3, 0, 1),
            Case::Path => (2, 1, 2),
        };
        Counts { bodies, hold, velocity: 0, axes }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let ratio = S::constant(RATIO);
        let point = |k: usize| bodies[k].point(ANCHORS[k]);
        let turn = |k: usize| bodies[k].rotation - bodies[0].rotation;
        let (along, gap) = (bodies[0].direction(RAIL), point(1) - point(0));
        match self.0 {
            Case::Generic | Case::Slider => {
                let angle = turn(1) - S::constant(0.1);
                out.copy_from_slice(&[along.dot(gap), along.cross(gap), angle]);
            }
            Case::Tendon => out[0] = gap.length() + ratio * (point(2) - point(1)).length(),
            Case::Gears => out[0] = turn(1) + ratio * turn(2),
            Case::Rack => out[0] = along.dot(gap) - ratio * turn(2),
            Case::Path => out.copy_from_slice(&[along.cross(gap), along.dot(gap), turn(1)]),
        }
    }
}

/// A base that moves and two bodies on it, in the same place for all three.
fn scene(case: Case, direct: Direct) -> (World, [BodyId; 3]) {
    let gravity = Vec2::new(0.5, -2.0);
    // In lanes a spring of a stiffness is of second order where the mass that it moves is known in every
    // pose, which it is not for equations of the user.
    let springs = kempe2d::Springs::ImplicitEuler;
    let settings = Settings { gravity, sleep: false, direct, springs, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    // B's anchor is on A's: nothing has to be put right at first.
    let angles = [0.3, 0.4, -0.2];
    let pin = Vec2::from_angle(angles[0]);
    let meet = ANCHORS[0].turned(pin.x, pin.y);
    let arm = Vec2::from_angle(angles[1]);
    let places = [Vec2::ZERO, meet - ANCHORS[1].turned(arm.x, arm.y), Vec2::new(1.0, -1.2)];
    let apart = if case == Case::Tendon { Vec2::new(0.9, 0.4) } else { Vec2::ZERO };
    let bodies = std::array::from_fn(|k| {
        let mass = MassProperties {
            mass: [4.0, 0.7, 1.3][k],
            center: Vec2::new(0.1 * k as f64, -0.05),
            inertia: [1.5, 0.2, 0.4][k],
        };
        let def = BodyDef {
            position: places[k] + if k == 1 { apart } else { Vec2::ZERO },
            rotation: angles[k],
            velocity: Vec2::new(0.2, 0.1),
            mass: Mass::Given(mass),
            // Free bodies on a rope are soon chaotic.
            ..if case == Case::Tendon && k != 1 { BodyDef::fixed() } else { BodyDef::dynamic() }
        };
        world.add_body(&def).unwrap()
    });
    let ground = world.ground().unwrap();
    let base = world.revolute_at(ground, bodies[0], Vec2::new(-0.5, 0.8)).unwrap();
    world.add_joint(&base).unwrap();
    (world, bodies)
}

fn from_text(case: Case, bodies: &[BodyId; 3]) -> JointDef {
    let program = Program::parse(&case.source()).unwrap();
    let mut text = TextJoint::new(&program);
    for parameter in program.parameters() {
        match parameter.name.as_str() {
            "anchor_a" => text.set("anchor_a", <[f64; 2]>::from(ANCHORS[0])),
            "anchor_b" => text.set("anchor_b", <[f64; 2]>::from(ANCHORS[1])),
            "anchor_c" => text.set("anchor_c", <[f64; 2]>::from(ANCHORS[2])),
            "rail" => text.set("rail", <[f64; 2]>::from(RAIL)),
            _ => text.set("ratio", RATIO),
        }
        .unwrap();
    }
    let names = ["a", "b", "c"].into_iter().zip(*bodies).take(program.bodies().len());
    text.joint(&names.collect::<Vec<_>>()).unwrap()
}

fn built_in(case: Case, world: &mut World, bodies: [BodyId; 3], pins: [JointDef; 2]) -> JointDef {
    let [a, b, _] = bodies;
    let [anchor_a, anchor_b, _] = ANCHORS;
    let mut added = || [0, 1].map(|k| world.add_joint(&pins[k]).unwrap());
    match case {
        Case::Generic | Case::Slider => {
            JointDef::new(JointKind::Generic { anchor_a, anchor_b, rail: RAIL, angle: 0.1 }, a, b)
        }
        Case::Tendon => {
            let points: Vec<_> = bodies.into_iter().zip(ANCHORS).collect();
            JointDef::tendon(&points, 1.0).with_ratios(&[1.0, RATIO])
        }
        Case::Gears => {
            let [first, second] = added();
            JointDef::gears(first, second, 1.0, RATIO)
        }
        Case::Rack => {
            let [rail, pin] = added();
            JointDef::rack_and_pinion(rail, pin, RATIO)
        }
        Case::Path => {
            let path = Path::polyline(&[anchor_a, anchor_a + RAIL * 3.0], false).unwrap();
            JointDef::endless_path(a, b, &path, anchor_b)
        }
    }
}

/// What carries the wheels and the rack.
fn pins(case: Case, [a, b, c]: [BodyId; 3], world: &World) -> [JointDef; 2] {
    let at = |id: BodyId| world[id].position();
    let wheel = |id: BodyId| world.revolute_at(a, id, at(id)).unwrap();
    // Angles count from 0, so that text can say them.
    let from_zero = |mut def: JointDef| {
        if let JointKind::Revolute { angle, .. } = &mut def.kind {
            *angle = 0.0;
        }
        def
    };
    let kind = JointKind::Prismatic {
        anchor_a: ANCHORS[0],
        anchor_b: ANCHORS[1],
        rail: RAIL,
        angle: world[b].rotation() - world[a].rotation(),
    };
    match case {
        Case::Rack => [JointDef::new(kind, a, b), from_zero(wheel(c))],
        _ => [from_zero(wheel(b)), from_zero(wheel(c))],
    }
}

/// Where everything is, 0 built in, 1 from text, 2 from a user.
fn run(case: Case, which: usize, direct: Direct, steps: usize) -> Vec<f64> {
    let (mut world, bodies) = scene(case, direct);
    let pins = pins(case, bodies, &world);
    let coupled = matches!(case, Case::Gears | Case::Rack);
    if which > 0 && coupled {
        for pin in &pins {
            world.add_joint(pin).unwrap();
        }
    }
    let count = Written(case).counts().bodies;
    let mut def = match which {
        0 => built_in(case, &mut world, bodies, pins),
        1 => from_text(case, &bodies),
        _ => UserJoint::new(Written(case)).joint(&bodies[..count]),
    };
    def.axes = Vec::new();
    let joint = world.add_joint(&def).unwrap();
    let stands = world.joint_coordinate(joint, 0).unwrap();
    world.edit_joint(joint, |def| def.axes = case.axes(stands)).unwrap();
    for _ in 0..steps {
        let report = world.step(1.0 / 60.0).unwrap();
        let amiss = |event: &Event| matches!(event, Event::LeftOut(_) | Event::NotFinite(_));
        assert!(!report.events.iter().any(amiss), "{case:?}: {:?}", report.events);
    }
    // It does something.
    let impulses = world.joint_impulses(joint).unwrap();
    assert!(impulses.iter().any(|impulse| impulse.abs() > 1e-3), "{case:?}: {impulses:?}");
    let each = bodies.iter().flat_map(|id| {
        let body = &world[*id];
        [body.position().x, body.position().y, body.rotation()]
    });
    each.chain([world.joint_coordinate(joint, 0).unwrap()]).collect()
}

#[test]
fn built_in_text_and_user_move_alike() {
    for direct in [Direct::Always, Direct::Never] {
        for case in CASES {
            for (steps, tolerance) in [(1, 1e-6), (120, 1e-4)] {
                let built = run(case, 0, direct, steps);
                for which in 1..3 {
                    let other = run(case, which, direct, steps);
                    let off = built.iter().zip(&other).map(|(a, b)| (a - b).abs());
                    let off = off.fold(0.0, f64::max);
                    let what = ["built in", "from text", "from a user"][which];
                    // Joint by joint, laws of joints that meet do not converge in a step, and it shows in
                    // which order they were solved.
                    let tolerance = match direct {
                        Direct::Never => 20.0 * tolerance,
                        _ => tolerance,
                    };
                    assert!(
                        off <= 3.0 * tolerance,
                        "{direct:?} {case:?} {what}, {steps} steps: {off:e}\n{built:?}\n{other:?}"
                    );
                }
            }
        }
    }
}
