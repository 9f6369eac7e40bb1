//! A double pendulum of two points on rods of no mass, by a scheme of fourth order and by a coarse
//! one.

use kempe_picture::{
    Compare, Event, JointFrame, Panel, Replay, ReplayBody, ReplayJoint, Scale, Series, Trace,
};
use kempe2d::{Shape, Vec2};

const G: f64 = 9.81;
const LENGTHS: [f64; 2] = [1.0, 0.8];
const MASSES: [f64; 2] = [1.0, 0.6];

/// Angles from straight down, and their speeds.
type State = [f64; 4];

const START: State = [2.1, 2.5, 0.0, 0.0];

/// Speeds and accelerations of the angles.
fn rate([a, b, u, v]: State) -> State {
    let ([l, m], [p, q]) = (LENGTHS, MASSES);
    let (sin, cos) = (a - b).sin_cos();
    // (p + q) l a″ + q m cos b″ = −q m sin v² − (p + q) g sin a
    // l cos a″ + m b″ = l sin u² − g sin b
    let first = -q * m * sin * v * v - (p + q) * G * a.sin();
    let second = l * sin * u * u - G * b.sin();
    let det = (p + q) * l * m - q * m * cos * l * cos;
    [u, v, (first * m - q * m * cos * second) / det, ((p + q) * l * second - l * cos * first) / det]
}

fn add(state: State, rate: State, dt: f64) -> State {
    std::array::from_fn(|i| state[i] + dt * rate[i])
}

fn fourth(state: State, dt: f64) -> State {
    let k1 = rate(state);
    let k2 = rate(add(state, k1, 0.5 * dt));
    let k3 = rate(add(state, k2, 0.5 * dt));
    let k4 = rate(add(state, k3, dt));
    let mean = std::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
    add(state, mean, dt)
}

/// Speeds first, then angles with the new speeds.
fn first(state: State, dt: f64) -> State {
    let [_, _, du, dv] = rate(state);
    let (u, v) = (state[2] + dt * du, state[3] + dt * dv);
    [state[0] + dt * u, state[1] + dt * v, u, v]
}

fn ends([a, b, ..]: State) -> [Vec2; 2] {
    let elbow = Vec2::new(a.sin(), -a.cos()) * LENGTHS[0];
    [elbow, elbow + Vec2::new(b.sin(), -b.cos()) * LENGTHS[1]]
}

fn energy(state: State) -> f64 {
    let [a, b, u, v] = state;
    let speeds = [
        Vec2::new(a.cos(), a.sin()) * (LENGTHS[0] * u),
        Vec2::new(a.cos(), a.sin()) * (LENGTHS[0] * u)
            + Vec2::new(b.cos(), b.sin()) * (LENGTHS[1] * v),
    ];
    let ends = ends(state);
    let one = |i: usize| MASSES[i] * (0.5 * speeds[i].length_squared() + G * ends[i].y);
    one(0) + one(1)
}

/// What the pins do: mass times acceleration less weight, of all that hangs on them.
fn forces(state: State) -> [Vec2; 2] {
    let dt = 1e-4;
    let at = |dt: f64| ends(fourth(state, dt));
    let (before, now, after) = (at(-dt), at(0.0), at(dt));
    let one = |i: usize| {
        let acceleration = (before[i] + after[i] - now[i] * 2.0) * (1.0 / (dt * dt));
        (acceleration + Vec2::new(0.0, G)) * MASSES[i]
    };
    [one(0) + one(1), one(1)]
}

/// The ground, two rods with a weight at the end of each.
fn poses(state: State) -> Vec<[f64; 3]> {
    let [elbow, _] = ends(state);
    vec![[0.0; 3], [0.0, 0.0, state[0]], [elbow.x, elbow.y, state[1]]]
}

pub fn replay() -> Replay {
    let (mut exact, mut coarse) = (START, START);
    let mut replay = Replay {
        title: "A double pendulum".to_owned(),
        about: "Two weights on rods, let go from high up. The ghost is a coarse scheme that runs \
                beside it."
            .to_owned(),
        ..Replay::default()
    };
    let rod = |length: f64, radius: f64| {
        let end = Vec2::new(0.0, -length);
        let bar = Shape::Capsule { start: Vec2::ZERO, end, radius: 0.035 };
        vec![bar, Shape::Circle { center: end, radius }]
    };
    let body = |name: &str, fixed, shapes| ReplayBody { name: name.to_owned(), fixed, shapes };
    replay.bodies = vec![
        body("ceiling", true, vec![Shape::rectangle(0.35, 0.05)]),
        body("upper arm", false, rod(LENGTHS[0], 0.13)),
        body("lower arm", false, rod(LENGTHS[1], 0.1)),
    ];
    let joint = |name: &str, a, b| ReplayJoint {
        name: name.to_owned(),
        kind: "revolute".to_owned(),
        bodies: [Some(a), Some(b)],
        ..ReplayJoint::default()
    };
    replay.joints = vec![joint("shoulder", 0, 1), joint("elbow", 1, 2)];
    let tip = Vec2::new(0.0, -LENGTHS[1]);
    replay.traces = vec![Trace { name: "tip".to_owned(), body: 2, point: tip }];
    let names = ["upper arm", "lower arm"];
    let mut angles = names.map(|name| Series::new(name, Vec::new()));
    let mut tensions = ["shoulder", "elbow"].map(|name| Series::new(name, Vec::new()));
    let mut drifts = ["this run", "coarse"].map(|name| Series::new(name, Vec::new()));
    let (mut ghosts, steps, dt) = (Vec::new(), 5, 1.0 / 600.0);
    let start = energy(START);
    for frame in 0..=1200 {
        let time = f64::from(frame) * f64::from(steps) * dt;
        let [elbow, _] = ends(exact);
        let pins = forces(exact);
        replay.times.push(time);
        replay.poses.push(poses(exact));
        ghosts.push(poses(coarse));
        let pin =
            |at: Vec2, force: Vec2| JointFrame { a: at, b: at, force, ..JointFrame::default() };
        replay.joint_frames.push(vec![pin(Vec2::ZERO, pins[0]), pin(elbow, pins[1])]);
        for i in 0..2 {
            angles[i].points.push([time, exact[i]]);
            tensions[i].points.push([time, pins[i].length()]);
            drifts[i].points.push([time, (energy([exact, coarse][i]) - start).abs()]);
        }
        for _ in 0..steps {
            let next = fourth(exact, dt);
            if (exact[2] < 0.0) != (next[2] < 0.0) && exact != START {
                let text = format!("upper arm turns back at {:.2} rad", exact[0]);
                replay.events.push(Event { time, text });
            }
            exact = next;
            coarse = first(coarse, dt);
        }
    }
    replay.compare = Some(Compare { name: "coarse".to_owned(), poses: ghosts });
    replay.panels = vec![
        Panel::new("angle (rad)", angles.into()),
        Panel::new("force of a pin (N)", tensions.into()),
        Panel { scale: Scale::Log, ..Panel::new("drift of energy (J)", drifts.into()) },
    ];
    replay
}

/// Where the ends of the arms were.
pub fn paths(replay: &Replay) -> Vec<Series> {
    let elbow = |poses: &Vec<[f64; 3]>| [poses[2][0], poses[2][1]];
    let tip = |poses: &Vec<[f64; 3]>| {
        let [x, y, angle] = poses[2];
        [x + LENGTHS[1] * angle.sin(), y - LENGTHS[1] * angle.cos()]
    };
    let path =
        |point: &dyn Fn(&Vec<[f64; 3]>) -> [f64; 2]| replay.poses.iter().map(point).collect();
    vec![Series::new("elbow", path(&elbow)), Series::new("tip", path(&tip))]
}

/// Errors after a second, by the length of a step.
pub fn convergence() -> Vec<Series> {
    let run = |step: fn(State, f64) -> State, count: u32| {
        (0..count).fold(START, |state, _| step(state, 1.0 / f64::from(count)))[0]
    };
    let exact = run(fourth, 20_000);
    let errors = |name: &str, step: fn(State, f64) -> State| {
        let counts = [50, 100, 200, 400, 800, 1600];
        let point = |count: u32| [1.0 / f64::from(count), (run(step, count) - exact).abs()];
        Series { marks: true, ..Series::new(name, counts.map(point).to_vec()) }
    };
    vec![errors("first order", first), errors("fourth order", fourth)]
}
