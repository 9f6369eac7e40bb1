//! The equations of a constraint as a program: recorded once, by numbers that remember how they were
//! made, and then run in lanes as a joint from text is.

use super::{Constraint, Counts, Pose};
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
        let Recorder { nodes, constants } = RECORDER.take();
        let outputs: Vec<u32> = out.iter().map(|number| number.0).collect();
        let whole = nodes.len() <= LONGEST && constants.iter().all(|number| number.is_finite());
        whole.then_some(Self { nodes, outputs, hold, constants })
    }

    /// Whether another one differs in nothing but its constants.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (&self.nodes, &self.outputs, self.hold) == (&other.nodes, &other.outputs, other.hold)
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
                Node::Body(..) | Node::Constant(_) | Node::Time => {}
                Node::One(_, a) => open.push(a),
                Node::Two(_, a, b) => open.extend([a, b]),
                Node::Choose(a, b, c, d) => open.extend([a, b, c, d]),
            }
        }
        needed
    }
}
