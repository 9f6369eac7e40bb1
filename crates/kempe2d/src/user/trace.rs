//! What a constraint does, recorded by numbers that remember how they were made: whether joints differ in
//! nothing but their constants, how they depend on angles, and the equations as a program.

use super::{Constraint, Counts, Jacobian, Pose, ROWS};
use kempe_scalar::{Real, Vec2};
use std::cell::RefCell;
use std::fmt::Write;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Longer recordings are given up.
const LONGEST: usize = 2000;

/// How a number was made, of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// x, y, θ, cos θ or sin θ of a body.
    Body(usize, u8),
    /// A constant, by its place among them: what it is may differ from joint to joint.
    Constant(usize),
    /// 0, or 1, which is so for all.
    Exact(bool),
    Time,
    One(&'static str, u32),
    Two(&'static str, u32, u32),
    /// (a > b) ? c : d
    Choose(u32, u32, u32, u32),
}

#[derive(Default)]
struct Recorder {
    nodes: Vec<Node>,
    constants: Vec<f64>,
}

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// A number that remembers how it was made.
#[derive(Clone, Copy, Debug)]
struct Trace(u32);

impl Trace {
    fn new(node: Node) -> Self {
        RECORDER.with_borrow_mut(|recorder| {
            // What is too long is thrown away as a whole.
            if recorder.nodes.len() <= LONGEST {
                recorder.nodes.push(node);
            }
            Self(recorder.nodes.len() as u32 - 1)
        })
    }

    fn one(self, name: &'static str) -> Self {
        Self::new(Node::One(name, self.0))
    }

    fn two(self, name: &'static str, other: Self) -> Self {
        Self::new(Node::Two(name, self.0, other.0))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $sign:literal),*) => {$(
        impl $trait for Trace {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.two($sign, other)
            }
        }
    )*};
}

operator!(Add add "+", Sub sub "-", Mul mul "*", Div div "/");

impl Neg for Trace {
    type Output = Self;
    fn neg(self) -> Self {
        self.one("-")
    }
}

impl Real for Trace {
    fn constant(value: f64) -> Self {
        let at = RECORDER.with_borrow_mut(|recorder| {
            recorder.constants.push(value);
            recorder.constants.len() - 1
        });
        Self::new(Node::Constant(at))
    }

    fn zero() -> Self {
        Self::new(Node::Exact(false))
    }

    fn one() -> Self {
        Self::new(Node::Exact(true))
    }

    fn sqrt(self) -> Self {
        self.one("sqrt")
    }

    fn abs(self) -> Self {
        self.one("abs")
    }

    fn sign(self) -> Self {
        self.one("sign")
    }

    fn min(self, other: Self) -> Self {
        self.two("min", other)
    }

    fn max(self, other: Self) -> Self {
        self.two("max", other)
    }

    fn choose(self, other: Self, yes: Self, no: Self) -> Self {
        Self::new(Node::Choose(self.0, other.0, yes.0, no.0))
    }

    fn sin_cos(self) -> (Self, Self) {
        (self.one("sin"), self.one("cos"))
    }

    fn asin(self) -> Self {
        self.one("asin")
    }

    fn acos(self) -> Self {
        self.one("acos")
    }

    fn atan2(self, x: Self) -> Self {
        self.two("atan2", x)
    }

    fn exp(self) -> Self {
        self.one("exp")
    }

    fn ln(self) -> Self {
        self.one("ln")
    }

    fn powf(self, exponent: Self) -> Self {
        self.two("^", exponent)
    }
}

/// The equations of a constraint, recorded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recording {
    nodes: Vec<Node>,
    /// The held equations, then the axes.
    outputs: Vec<u32>,
    hold: usize,
    /// J by row, then by body, if it is given; behind the equations.
    given: Vec<[u32; 3]>,
    /// The numbers that may differ between constraints of one type, in their order.
    pub constants: Vec<f64>,
}

impl Recording {
    /// Records the equations of a constraint over two bodies.
    pub(super) fn new<T: Constraint>(constraint: &T) -> Option<Self> {
        let Counts { bodies: 2, hold, velocity: 0, axes } = constraint.counts() else {
            return None;
        };
        RECORDER.with_borrow_mut(|recorder| *recorder = Recorder::default());
        let number = |body: usize, what: u8| Trace::new(Node::Body(body, what));
        let pose = |body: usize| Pose {
            position: Vec2::new(number(body, 0), number(body, 1)),
            rotation: number(body, 2),
            cos: number(body, 3),
            sin: number(body, 4),
        };
        let poses = [pose(0), pose(1)];
        let time = Trace::new(Node::Time);
        let mut out = vec![time; hold + axes];
        constraint.equations(&poses, time, &mut out);
        let lengths = RECORDER.with_borrow(|all| (all.nodes.len(), all.constants.len()));
        let mut entries = vec![[Trace::zero(); 3]; 2 * (hold + axes)];
        let mut jacobian = Jacobian::new(&mut entries, 2, [hold, 0]);
        let gives = constraint.jacobian(&poses, time, &mut jacobian);
        let Recorder { mut nodes, mut constants } = RECORDER.take();
        let outputs: Vec<u32> = out.iter().map(|number| number.0).collect();
        let whole = nodes.len() <= LONGEST && constants.iter().all(|number| number.is_finite());
        let mut given = Vec::new();
        if gives {
            given.extend(entries.iter().map(|entry| entry.map(|number| number.0)));
        } else {
            nodes.truncate(lengths.0);
            constants.truncate(lengths.1);
        }
        whole.then_some(Self { nodes, outputs, hold, given, constants })
    }

    /// Whether the constraint gives its Jacobian.
    pub(crate) fn gives(&self) -> bool {
        !self.given.is_empty()
    }

    /// How many rows there are, and how many of them are held.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.outputs.len(), self.hold]
    }

    /// Whether another one differs in nothing but its constants.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (&self.nodes, &self.outputs, self.hold, &self.given)
            == (&other.nodes, &other.outputs, other.hold, &other.given)
    }

    /// By row k_A and k_B, where it is k_A θ_A + k_B θ_B and something in which no angle is but by its
    /// cosine and sine. None if a row is something else, or the clock is in it, or an angle in J.
    pub(crate) fn turns(&self) -> Option<[[f64; 2]; ROWS]> {
        let mut kinds: Vec<Turning> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |at: u32| kinds[at as usize];
            kinds.push(match *node {
                Node::Body(0, 2) => Turning::By([1.0, 0.0]),
                Node::Body(_, 2) => Turning::By([0.0, 1.0]),
                Node::Body(..) => Turning::Not,
                Node::Constant(at) => Turning::Fixed(self.constants[at]),
                Node::Exact(one) => Turning::Fixed(f64::from(u8::from(one))),
                Node::Time => Turning::Other,
                Node::One("-", a) => of(a).times(-1.0),
                Node::One(_, a) => of(a).hidden(),
                Node::Two("+", a, b) => of(a).plus(of(b)),
                Node::Two("-", a, b) => of(a).plus(of(b).times(-1.0)),
                Node::Two("*", a, b) => match (of(a), of(b)) {
                    (Turning::Fixed(by), other) | (other, Turning::Fixed(by)) => other.times(by),
                    (a, b) => a.hidden().plus(b.hidden()),
                },
                Node::Two("/", a, b) => match (of(a), of(b)) {
                    (other, Turning::Fixed(by)) => other.times(1.0 / by),
                    (a, b) => a.hidden().plus(b.hidden()),
                },
                Node::Two(_, a, b) => of(a).hidden().plus(of(b).hidden()),
                Node::Choose(a, b, c, d) => {
                    let all = [a, b, c, d].map(|at| of(at).hidden());
                    all.into_iter().fold(Turning::Not, Turning::plus)
                }
            });
        }
        let still = |at: &u32| matches!(kinds[*at as usize], Turning::Fixed(_) | Turning::Not);
        let mut turns = [[0.0; 2]; ROWS];
        if self.outputs.len() > ROWS || !self.given.iter().flatten().all(still) {
            return None;
        }
        for (turns, output) in turns.iter_mut().zip(&self.outputs) {
            match kinds[*output as usize] {
                Turning::By(by) if by.iter().all(|by| by.is_finite()) => *turns = by,
                Turning::Fixed(_) | Turning::Not => {}
                Turning::By(_) | Turning::Other => return None,
            }
        }
        Some(turns)
    }

    /// The recording in the language of joints; its parameters are the constants.
    pub(crate) fn to_text(&self) -> String {
        let mut text = "body a, b\n".to_owned();
        // Writing into a string does not fail.
        for constant in 0..self.constants.len() {
            let _ = writeln!(text, "scalar c{constant}");
        }
        let needed = self.needed();
        for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let _ = write!(text, "let t{at} = ");
            let _ = match *node {
                Node::Body(body, what) => {
                    let name = ["a", "b"][body];
                    let of = [".position.x", ".position.y", ".rotation"];
                    match of.get(usize::from(what)) {
                        Some(part) => writeln!(text, "{name}{part}"),
                        None => {
                            let function = if what == 3 { "cos" } else { "sin" };
                            writeln!(text, "{function}({name}.rotation)")
                        }
                    }
                }
                Node::Constant(at) => writeln!(text, "c{at}"),
                Node::Exact(one) => writeln!(text, "{}", u8::from(one)),
                Node::Time => writeln!(text, "time"),
                Node::One("-", a) => writeln!(text, "-t{a}"),
                Node::One(function, a) => writeln!(text, "{function}(t{a})"),
                Node::Two(function @ ("min" | "max" | "atan2"), a, b) => {
                    writeln!(text, "{function}(t{a}, t{b})")
                }
                Node::Two(sign, a, b) => writeln!(text, "t{a} {sign} t{b}"),
                Node::Choose(a, b, c, d) => writeln!(text, "choose(t{a} - t{b}, t{c}, t{d})"),
            };
        }
        let rows: Vec<String> = self.outputs.iter().map(|output| format!("t{output}")).collect();
        let (held, axes) = rows.split_at(self.hold);
        if !held.is_empty() {
            let _ = writeln!(text, "constraint {{ {} }}", held.join("\n"));
        }
        for (k, axis) in axes.iter().enumerate() {
            let _ = writeln!(text, "axis q{k} = {axis}");
        }
        text
    }

    /// Which nodes the outputs are made of.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut open: Vec<u32> = self.outputs.clone();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut needed[at as usize], true) {
                continue;
            }
            match self.nodes[at as usize] {
                Node::Body(..) | Node::Constant(_) | Node::Exact(_) | Node::Time => {}
                Node::One(_, a) => open.push(a),
                Node::Two(_, a, b) => open.extend([a, b]),
                Node::Choose(a, b, c, d) => open.extend([a, b, c, d]),
            }
        }
        needed
    }
}

/// How a number depends on the angles of the bodies, other than by their cosines and sines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turning {
    /// It is a constant.
    Fixed(f64),
    Not,
    /// By these times θ_A and θ_B.
    By([f64; 2]),
    /// In another way.
    Other,
}

impl Turning {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Other, _) | (_, Self::Other) => Self::Other,
            (Self::Fixed(a), Self::Fixed(b)) => Self::Fixed(a + b),
            (Self::By(a), Self::By(b)) => Self::By([a[0] + b[0], a[1] + b[1]]),
            (Self::By(a), _) | (_, Self::By(a)) => Self::By(a),
            (Self::Not, _) | (_, Self::Not) => Self::Not,
        }
    }

    fn times(self, by: f64) -> Self {
        match self {
            Self::Fixed(number) => Self::Fixed(number * by),
            Self::By(turns) => Self::By(turns.map(|turn| turn * by)),
            Self::Not | Self::Other => self,
        }
    }

    /// What becomes of it in a function.
    fn hidden(self) -> Self {
        match self {
            Self::Fixed(_) | Self::Not => Self::Not,
            Self::By(_) | Self::Other => Self::Other,
        }
    }
}
