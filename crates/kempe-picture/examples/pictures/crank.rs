//! A crank that drives a piston against a spring, with a cable and what else joints look like.

use kempe_picture::{Event, JointFrame, Panel, Replay, ReplayBody, ReplayJoint, Series, Trace};
use kempe2d::{Shape, Vec2};

const CRANK: f64 = 0.5;
const ROD: f64 = 1.4;
const SPEED: f64 = 3.0;

fn at(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

pub fn replay() -> Replay {
    let body = |name: &str, fixed, shapes| ReplayBody { name: name.to_owned(), fixed, shapes };
    let bar = |length: f64, radius| {
        vec![Shape::Capsule { start: Vec2::ZERO, end: at(length, 0.0), radius }]
    };
    let frame = [[-0.6, -0.75], [3.0, -0.75], [3.0, -0.6], [-0.6, -0.6]].map(|[x, y]| at(x, y));
    let wall = [[2.85, -0.6], [3.0, -0.6], [3.0, 0.5], [2.85, 0.5]].map(|[x, y]| at(x, y));
    let mut flywheel = vec![Shape::circle(0.3)];
    flywheel.extend(bar(CRANK, 0.07));
    let bodies = vec![
        body("frame", true, [frame, wall].map(|c| Shape::Polygon { corners: c.into() }).into()),
        body("crank", false, flywheel),
        body("rod", false, bar(ROD, 0.05)),
        body("piston", false, vec![Shape::rectangle(0.22, 0.2)]),
        body("bob", false, vec![Shape::circle(0.12)]),
        body("pulley", true, vec![]),
    ];
    let joint = |name: &str, kind: &str, a, b| ReplayJoint {
        name: name.to_owned(),
        kind: kind.to_owned(),
        bodies: [Some(a), Some(b)],
        ..ReplayJoint::default()
    };
    let joints = vec![
        joint("main bearing", "revolute", 0, 1),
        joint("crank pin", "revolute", 1, 2),
        joint("wrist pin", "revolute", 2, 3),
        ReplayJoint { rail: Some(at(1.0, 0.0)), ..joint("cylinder", "prismatic", 0, 3) },
        joint("return spring", "spring", 3, 0),
        ReplayJoint {
            line: vec![(3, at(0.0, 0.2)), (5, Vec2::ZERO), (4, Vec2::ZERO)],
            ..joint("cable", "pulley", 3, 4)
        },
        joint("bracket", "weld", 0, 5),
        joint("sensor", "a law of one's own", 0, 4),
    ];
    let mut replay = Replay {
        title: "A crank and a piston".to_owned(),
        about: "A crank turns evenly; the piston pushes a spring and pulls a bob over a pulley, \
                until the cable breaks."
            .to_owned(),
        bodies,
        joints,
        traces: vec![Trace { name: "rod's middle".to_owned(), body: 2, point: at(0.5 * ROD, 0.0) }],
        ..Replay::default()
    };
    let pulley = at(2.2, 1.1);
    let cable = 1.75;
    let mut places = Vec::new();
    let mut pushes = Vec::new();
    let mut breaks: Option<(f64, f64)> = None;
    for index in 0..240 {
        let time = f64::from(index) / 60.0;
        let angle = SPEED * time;
        let pin = at(angle.cos(), angle.sin()) * CRANK;
        let tilt = (-pin.y / ROD).asin();
        let piston = at(pin.x + ROD * tilt.cos(), 0.0);
        let eye = piston + at(0.0, 0.2);
        let (height, broken) = match breaks {
            Some((start, height)) => (height - 0.5 * 9.81 * (time - start).powi(2), true),
            None => (pulley.y - (cable - (pulley - eye).length()), false),
        };
        if breaks.is_none() && time > 3.4 {
            breaks = Some((time, height));
            replay.events.push(Event { time, text: "the cable breaks".to_owned() });
        }
        let bob = at(pulley.x, height);
        let push = 60.0 * (piston.x - 1.4);
        let along = at(tilt.cos(), tilt.sin()) * (push / tilt.cos());
        replay.times.push(time);
        replay.poses.push(vec![
            [0.0; 3],
            [0.0, 0.0, angle],
            [pin.x, pin.y, tilt],
            [piston.x, 0.0, 0.0],
            [bob.x, bob.y, 0.0],
            [pulley.x, pulley.y, 0.0],
        ]);
        let side = piston + at(0.22, 0.0);
        let none = JointFrame::default();
        let on = |point: Vec2, force: Vec2| JointFrame { a: point, b: point, force, ..none };
        let torque = -(pin.x * along.y - pin.y * along.x);
        replay.joint_frames.push(vec![
            JointFrame { torque, ..on(Vec2::ZERO, along) },
            on(pin, along),
            on(piston, along),
            JointFrame { a: at(1.0, 0.0), b: piston, force: at(0.0, -along.y), ..none },
            JointFrame { a: side, b: at(2.85, 0.0), ..none },
            JointFrame { a: eye, b: bob, broken, ..none },
            on(pulley, Vec2::ZERO),
            JointFrame { a: at(2.2, -0.6), b: bob, ..none },
        ]);
        places.push([time, piston.x]);
        pushes.push([time, push]);
    }
    let turns = (1..4).map(|turn| (f64::from(turn) * std::f64::consts::PI / SPEED, turn % 2 == 0));
    let text = |outer| if outer { "outer dead centre" } else { "inner dead centre" };
    replay.events.extend(turns.map(|(time, outer)| Event { time, text: text(outer).to_owned() }));
    replay.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    replay.panels = vec![
        Panel::new("place of the piston (m)", vec![Series::new("piston", places)]),
        Panel::new("force of the spring (N)", vec![Series::new("spring", pushes)]),
    ];
    replay
}
