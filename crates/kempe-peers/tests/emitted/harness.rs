//! The same joint from text and from Rust: their rows, and their motion.

use super::program;
use kempe2d::equation::{BodyState, Bound, Instance, RowKind, Value};
use kempe2d::{
    BodyDef, BodyId, Constraint, Counts, Dual, JointDef, Limit, Pose, Real, Registry, Shape,
    TextJoint, Vec2, World,
};

/// What the files have beside [`Constraint`].
pub(crate) trait Emitted: Constraint {
    fn made(numbers: &[f64]) -> Option<Self>;
    fn over(self, bodies: &[BodyId]) -> JointDef;
}

/// Numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A joint of both kinds, and the scene that it moves in.
pub(crate) struct Case {
    pub name: &'static str,
    /// Parameters that are not at their defaults.
    pub values: Vec<(&'static str, Value)>,
    pub bodies: Vec<BodyDef>,
    /// Which of the bodies each body of the program is.
    pub roles: Vec<usize>,
}

impl Case {
    fn text(&self) -> TextJoint {
        let mut text = TextJoint::new(&program(self.name));
        for (name, value) in &self.values {
            text.set(name, *value).unwrap();
        }
        text
    }

    pub(crate) fn instance(&self) -> Instance {
        let program = program(self.name);
        let mut instance = Instance::new(&program);
        for (name, value) in &self.values {
            instance.set(name, *value).unwrap();
        }
        for (index, body) in program.bodies().iter().enumerate() {
            instance.set_body(body, index).unwrap();
        }
        instance
    }

    /// The same joint in Rust, with no state yet.
    pub(crate) fn joint<T: Emitted>(&self) -> T {
        let text = self.text();
        let mut numbers = Vec::new();
        for parameter in text.program().parameters() {
            let value = text.get(&parameter.name).unwrap().unwrap();
            numbers.extend_from_slice(&value.components()[..parameter.kind.components()]);
        }
        for _ in 0..8 {
            if let Some(joint) = T::made(&numbers) {
                return joint;
            }
            numbers.extend([0.0; 2]);
        }
        panic!("{}: these are not its parameters", self.name)
    }

    /// A world with the bodies, and which of them each body of the program is.
    pub(crate) fn world(&self) -> (World, Vec<BodyId>) {
        let mut world = World::default();
        let ids: Vec<BodyId> = self.bodies.iter().map(|d| world.add_body(d).unwrap()).collect();
        let roles = self.roles.iter().map(|role| ids[*role]).collect();
        (world, roles)
    }
}

type D = Dual<f64, 4>;

/// C, ∂C/∂t and J of each row, as a world finds them: held rows, velocity rows, axes.
pub(crate) fn rows<T: Constraint>(
    joint: &T,
    states: &[BodyState],
    time: f64,
) -> Vec<(f64, f64, Vec<f64>)> {
    let Counts { bodies, hold, velocity, axes } = joint.counts();
    assert_eq!(bodies, states.len());
    let poses = |moving: Option<usize>| -> Vec<Pose<D>> {
        let pose = |(k, state): (usize, &BodyState)| {
            let number = |value: f64, direction: usize| match moving {
                Some(body) if body == k => D::variable(value, direction),
                _ => D::fixed(value),
            };
            let [x, y] = state.position;
            Pose::new(Vec2::new(number(x, 0), number(y, 1)), number(state.rotation, 2))
        };
        states.iter().enumerate().map(pose).collect()
    };
    let mut out = vec![D::zero(); hold + axes];
    joint.equations(&poses(None), D::variable(time, 3), &mut out);
    let mut rows: Vec<(f64, f64, Vec<f64>)> =
        out.iter().map(|value| (value.value, value.slopes[3], Vec::new())).collect();
    for body in 0..bodies {
        joint.equations(&poses(Some(body)), D::fixed(time), &mut out);
        for (row, value) in rows.iter_mut().zip(&out) {
            row.2.extend(&value.slopes[..3]);
        }
    }
    let mut between = vec![(0.0, 0.0, Vec::new()); velocity];
    let mut out = vec![D::zero(); velocity];
    for body in 0..bodies {
        let mut velocities = vec![[D::zero(); 3]; bodies];
        velocities[body] = [0, 1, 2].map(|direction| D::variable(0.0, direction));
        joint.velocity_equations(&poses(None), &velocities, D::fixed(time), &mut out);
        for (row, value) in between.iter_mut().zip(&out) {
            row.1 = value.value;
            row.2.extend(&value.slopes[..3]);
        }
    }
    rows.splice(hold..hold, between);
    rows
}

/// Which row of the text a row in Rust is, and what is taken off its value and its bias.
struct Source {
    row: usize,
    value: f64,
    bias: f64,
}

/// The rows of the text in the order of those in Rust.
fn order(kinds: &[RowKind], bounds: &[Bound]) -> Vec<Source> {
    let mut sources = Vec::new();
    for (wanted, equation) in [
        (RowKind::Position, true),
        (RowKind::Velocity, true),
        (RowKind::Axis, false),
        (RowKind::Position, false),
    ] {
        for (row, (kind, bound)) in kinds.iter().zip(bounds).enumerate() {
            if *kind == wanted && (wanted == RowKind::Axis || bound.is_equation() == equation) {
                let (value, bias) = match (wanted, equation) {
                    (RowKind::Position, true) => (bound.lower, bound.lower_rate),
                    (RowKind::Velocity, _) => (0.0, bound.lower),
                    _ => (0.0, 0.0),
                };
                sources.push(Source { row, value, bias });
            }
        }
    }
    sources
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{what}: {a} is not {b}");
}

/// The rows are the same at random poses, and so are the limits.
pub(crate) fn same_rows<T: Emitted>(case: &Case) {
    let mut random = Random(0x5eed);
    let mut instance = case.instance();
    for trial in 0..50 {
        let mut joint: T = case.joint();
        let mut states = vec![BodyState::default(); case.roles.len()];
        for state in &mut states {
            state.position = [3.0 * random.next(), 3.0 * random.next()];
            state.rotation = 4.0 * random.next();
            state.velocity = [random.next(), random.next()];
            state.angular_velocity = random.next();
        }
        let time = 2.0 + random.next();
        instance.advance(&states, time, 0.0).unwrap();
        let poses: Vec<Pose> =
            states.iter().map(|state| Pose::new(state.position.into(), state.rotation)).collect();
        joint.prepare(&poses, time);
        let expected = instance.evaluate(&states, time).unwrap();
        let order = order(instance.compiled().rows(), &expected.bounds);
        let rows = rows(&joint, &states, time);
        assert_eq!(rows.len(), order.len());
        for ((value, bias, jacobian), source) in rows.iter().zip(&order) {
            let what = format!("{} trial {trial} row {}", case.name, source.row);
            close(*value, expected.value[source.row] - source.value, &format!("{what} value"));
            close(*bias, expected.bias[source.row] - source.bias, &format!("{what} bias"));
            for (j, expected) in jacobian.iter().zip(&expected.jacobian[source.row]) {
                close(*j, *expected, &format!("{what} J"));
            }
        }
        let Counts { hold, velocity, .. } = joint.counts();
        let (_, bodies) = case.world();
        let axes = joint.over(&bodies).axes;
        for (axis, source) in order[hold + velocity..].iter().enumerate() {
            let limit = axes.get(axis).and_then(|axis| axis.limit);
            let limit = limit.unwrap_or(Limit::new(f64::NEG_INFINITY, f64::INFINITY));
            let bound = expected.bounds[source.row];
            assert_eq!([limit.lower, limit.upper], [bound.lower, bound.upper], "{}", case.name);
        }
    }
}

/// The motion is the same, and goes on the same from a snapshot.
pub(crate) fn same_motion<T: Emitted>(case: &Case) {
    let (mut first, ids) = case.world();
    let text = case.text();
    let names = text.program().bodies().to_vec();
    let bound: Vec<(&str, BodyId)> =
        names.iter().map(String::as_str).zip(ids.iter().copied()).collect();
    first.add_joint(&text.joint(&bound).unwrap()).unwrap();
    let (mut second, ids) = case.world();
    let joint: T = case.joint();
    let name = joint.name().to_owned();
    second.add_joint(&joint.over(&ids)).unwrap();
    let registry = Registry::new().joint(&name, T::made);
    let mut third = World::default();
    let mut farthest: f64 = 0.0;
    for step in 0..120 {
        first.step(1.0 / 60.0).unwrap();
        second.step(1.0 / 60.0).unwrap();
        if step == 50 {
            third.restore(&second.snapshot(), &registry).unwrap();
        } else if step > 50 {
            third.step(1.0 / 60.0).unwrap();
            assert_eq!(second.state_hash(), third.state_hash(), "{name} after {step} steps");
        }
        for (((_, a), (_, b)), start) in first.bodies().zip(second.bodies()).zip(&case.bodies) {
            let apart = (a.position() - b.position()).length();
            let turned = (a.rotation() - b.rotation()).abs();
            assert!(apart < 1e-4, "{name}: {apart} m apart after {step} steps");
            assert!(turned < 1e-4, "{name}: turned by {turned} after {step} steps");
            farthest = farthest.max((a.position() - start.position).length());
            farthest = farthest.max((a.rotation() - start.rotation).abs());
        }
    }
    assert!(farthest > 0.05, "{name}: nothing moves");
}

pub(crate) fn fixed() -> BodyDef {
    BodyDef::fixed()
}

pub(crate) fn block(x: f64, y: f64) -> BodyDef {
    let shapes = vec![(Shape::rectangle(0.5, 0.3), 2.0)];
    BodyDef { position: Vec2::new(x, y), shapes, ..BodyDef::dynamic() }
}

pub(crate) fn scalar(value: f64) -> Value {
    Value::Scalar(value)
}

pub(crate) fn vector(x: f64, y: f64) -> Value {
    Value::Vector([x, y])
}

/// A case over bodies that are all different.
pub(crate) fn case(
    name: &'static str,
    values: Vec<(&'static str, Value)>,
    bodies: Vec<BodyDef>,
) -> Case {
    let roles = (0..bodies.len()).collect();
    Case { name, values, bodies, roles }
}
