//! What each node is in Rust.

use super::code::{LONGEST, Scope, Writer, bare};
use crate::graph::{Leaf, Node, NodeId};
use crate::types::Type;
use std::f64::consts;

/// How tightly the outermost operation of a text binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Term,
    Sign,
    Atom,
}

pub(super) type Text = (String, Binding);

impl Writer<'_> {
    /// Whether a node is written in f64.
    fn is_plain(&self, id: NodeId) -> bool {
        let moving = self.sheet.moving.get(id.0 as usize).copied().unwrap_or(true);
        self.scope != Scope::Generic || !moving
    }

    /// The text of a part, in parentheses if it binds less tightly than `least`; as a constant if
    /// what it is a part of is not `plain`.
    pub(super) fn part(&self, id: NodeId, least: Binding, plain: bool) -> String {
        let Some((text, binding)) = self.texts.get(&id) else { return String::new() };
        if self.scope == Scope::Generic && !plain && self.is_plain(id) {
            return match (self.sheet.graph.kind(id), self.sheet.graph.as_number(id)) {
                (_, Some(0.0)) => "S::zero()".to_owned(),
                (_, Some(1.0)) => "S::one()".to_owned(),
                (Type::Vector, _) => format!("Vec2::constant({text})"),
                _ => format!("S::constant({text})"),
            };
        }
        if *binding >= least { text.clone() } else { format!("({text})") }
    }

    fn infix(&self, id: NodeId, binding: Binding, [a, b]: [NodeId; 2], symbol: &str) -> Text {
        let tighter = if binding == Binding::Sum { Binding::Term } else { Binding::Sign };
        let plain = self.is_plain(id);
        let (a, b) = (self.part(a, binding, plain), self.part(b, tighter, plain));
        (format!("{a} {symbol} {b}"), binding)
    }

    /// As [`infix`](Self::infix) where a and b can be exchanged: a chain goes first, and the place
    /// of a body.
    fn commutative(&self, id: NodeId, binding: Binding, [a, b]: [NodeId; 2], symbol: &str) -> Text {
        let chain = |id: NodeId| self.texts.get(&id).is_some_and(|text| text.1 == binding);
        let position = matches!(self.sheet.graph.node(b), Node::Leaf(Leaf::Position(_)));
        let pair = if (chain(b) || position) && !chain(a) { [b, a] } else { [a, b] };
        self.infix(id, binding, pair, symbol)
    }

    /// A method of what every number has.
    fn method(&self, id: NodeId, name: &str, arguments: &[NodeId]) -> Text {
        let plain = self.is_plain(id);
        let rest = arguments[1..].iter();
        let rest: Vec<String> = rest.map(|each| self.part(*each, Binding::Sum, plain)).collect();
        let receiver = self.part(arguments[0], Binding::Atom, plain);
        (format!("{receiver}.{name}({})", rest.join(", ")), Binding::Atom)
    }

    /// A function of [`Real`](kempe_scalar::Real). f64 has most of them by itself too, but not
    /// with the same bits everywhere, so there it is called by its full name.
    fn function(&self, id: NodeId, name: &str, arguments: &[NodeId]) -> Text {
        if !self.is_plain(id) {
            return self.method(id, name, arguments);
        }
        let list: Vec<String> =
            arguments.iter().map(|each| self.part(*each, Binding::Sum, true)).collect();
        (format!("Real::{name}({})", list.join(", ")), Binding::Atom)
    }

    pub(super) fn node(&mut self, id: NodeId) -> Text {
        let plain = self.is_plain(id);
        match self.sheet.graph.node(id) {
            Node::Number(bits) => number(f64::from_bits(bits)),
            Node::Leaf(leaf) => (self.leaf(leaf), Binding::Atom),
            Node::Add(a, b) => self.sum(id, [a, b]),
            Node::Sub(a, b) => self.infix(id, Binding::Sum, [a, b], "-"),
            Node::Neg(a) => (format!("-{}", self.part(a, Binding::Sign, plain)), Binding::Sign),
            Node::Mul(a, b) if self.sheet.graph.kind(b) == Type::Vector => {
                self.infix(id, Binding::Term, [b, a], "*")
            }
            Node::Mul(a, b) => self.commutative(id, Binding::Term, [a, b], "*"),
            Node::Div(a, b) if self.sheet.graph.kind(a) == Type::Vector => {
                let (a, b) =
                    (self.part(a, Binding::Term, plain), self.part(b, Binding::Sign, plain));
                let one = if plain { "1.0" } else { "S::one()" };
                (format!("{a} * ({one} / {b})"), Binding::Term)
            }
            Node::Div(a, b) => self.infix(id, Binding::Term, [a, b], "/"),
            Node::Power(a, b) => self.function(id, "powf", &[a, b]),
            Node::Dot(a, b) => self.method(id, "dot", &[a, b]),
            Node::Cross(a, b) => self.method(id, "cross", &[a, b]),
            Node::Perp(a) => self.method(id, "perp", &[a]),
            Node::Norm(a) => match self.sheet.memories.get(&id) {
                Some(_) => self.guarded(id, "guarded_length", &[a]),
                None => self.method(id, "length", &[a]),
            },
            Node::Unit(a) => self.guarded(id, "guarded_unit", &[a]),
            Node::Atan2(y, x) => match self.sheet.memories.get(&id) {
                Some(_) => self.guarded(id, "guarded_angle", &[y, x]),
                None => self.function(id, "atan2", &[y, x]),
            },
            Node::Rotate(angle, v) => self.rotate(id, angle, v),
            Node::Vector(x, y) => self.vector(id, [x, y]),
            Node::Component(a, index) => {
                let name = if index == 0 { "x" } else { "y" };
                (format!("{}.{name}", self.part(a, Binding::Atom, plain)), Binding::Atom)
            }
            Node::Entry(a, index) => {
                let of = self.part(a, Binding::Atom, plain);
                (format!("{of}[{}][{}]", index / 2, index % 2), Binding::Atom)
            }
            Node::Sin(a) => self.turn(id, a, 0),
            Node::Cos(a) => self.turn(id, a, 1),
            Node::Sqrt(a) => self.method(id, "sqrt", &[a]),
            Node::Abs(a) => self.method(id, "abs", &[a]),
            Node::Asin(a) => self.function(id, "asin", &[a]),
            Node::Acos(a) => self.function(id, "acos", &[a]),
            Node::Exp(a) => self.function(id, "exp", &[a]),
            Node::Ln(a) => self.function(id, "ln", &[a]),
            Node::Sign(a) => self.function(id, "sign", &[a]),
            Node::Min(a, b) => self.function(id, "min", &[a, b]),
            Node::Max(a, b) => self.function(id, "max", &[a, b]),
            Node::Select(all) => self.function(id, "choose", &all),
            // Everything else was made flat.
            Node::Outer(..)
            | Node::Matrix(_)
            | Node::Transpose(_)
            | Node::InverseSqrt(_)
            | Node::Inverse(_) => (String::new(), Binding::Atom),
        }
    }

    /// A sum; x + R(θ) p of one body is a point of it.
    fn sum(&self, id: NodeId, [a, b]: [NodeId; 2]) -> Text {
        let graph = self.sheet.graph;
        for (position, arm) in [(a, b), (b, a)] {
            if let (Node::Leaf(Leaf::Position(slot)), Node::Rotate(angle, local)) =
                (graph.node(position), graph.node(arm))
                && graph.node(angle) == Node::Leaf(Leaf::Rotation(slot))
                && self.is_plain(local)
                && !self.named.contains(&arm)
            {
                let (body, local) = (self.body(slot), self.part(local, Binding::Sum, true));
                return (format!("{body}.point({local})"), Binding::Atom);
            }
        }
        self.commutative(id, Binding::Sum, [a, b], "+")
    }

    fn vector(&self, id: NodeId, [x, y]: [NodeId; 2]) -> Text {
        let plain = self.is_plain(id);
        let number = |id: NodeId| self.sheet.graph.as_number(id);
        let constant = match (number(x), number(y)) {
            (Some(0.0), Some(0.0)) => "Vec2::ZERO",
            (Some(1.0), Some(0.0)) => "Vec2::X",
            (Some(0.0), Some(1.0)) => "Vec2::Y",
            _ => {
                let (x, y) = (self.part(x, Binding::Sum, plain), self.part(y, Binding::Sum, plain));
                return (format!("Vec2::new({x}, {y})"), Binding::Atom);
            }
        };
        (constant.to_owned(), Binding::Atom)
    }

    /// A function that goes on with a remembered direction.
    fn guarded(&self, id: NodeId, name: &str, arguments: &[NodeId]) -> Text {
        let plain = self.is_plain(id);
        let list: Vec<String> =
            arguments.iter().map(|each| self.part(*each, Binding::Sum, plain)).collect();
        let last = match self.sheet.memories.get(&id) {
            Some(memory) => format!("self.remembered[{memory}]"),
            None => "Vec2::ZERO".to_owned(),
        };
        (format!("{name}({}, {last})", list.join(", ")), Binding::Atom)
    }

    /// What the sine and the cosine of an angle are called.
    fn turn_names(&mut self, angle: NodeId) -> [String; 2] {
        if let Node::Leaf(Leaf::Rotation(slot)) = self.sheet.graph.node(angle) {
            let body = self.body(slot);
            return [format!("{body}.sin"), format!("{body}.cos")];
        }
        if let Some(names) = self.turns.get(&angle) {
            return names.clone();
        }
        if self.texts.get(&angle).is_some_and(|text| text.0.len() > LONGEST - 20) {
            self.name(angle, None);
        }
        let names = [self.names.take("sin"), self.names.take("cos")];
        let pair = if self.is_plain(angle) {
            format!("Real::sin_cos({})", self.part(angle, Binding::Sum, true))
        } else {
            format!("{}.sin_cos()", self.part(angle, Binding::Atom, false))
        };
        self.lines.push(format!("let ({}, {}) = {pair};", names[0], names[1]));
        self.turns.insert(angle, names.clone());
        names
    }

    /// The sine (0) or the cosine (1) of an angle.
    fn turn(&mut self, id: NodeId, angle: NodeId, which: usize) -> Text {
        let own = matches!(self.sheet.graph.node(angle), Node::Leaf(Leaf::Rotation(_)));
        if own || self.wanted.contains(&angle) {
            let [sin, cos] = self.turn_names(angle);
            return (if which == 0 { sin } else { cos }, Binding::Atom);
        }
        let (pair, binding) = self.function(id, "sin_cos", &[angle]);
        (format!("{pair}.{which}"), binding)
    }

    fn rotate(&mut self, id: NodeId, angle: NodeId, v: NodeId) -> Text {
        let plain = self.is_plain(id);
        let inner = bare(self.sheet.graph, angle);
        if let (Node::Leaf(Leaf::Rotation(slot)), true) =
            (self.sheet.graph.node(angle), self.is_plain(v))
        {
            let (body, v) = (self.body(slot), self.part(v, Binding::Sum, true));
            return (format!("{body}.direction({v})"), Binding::Atom);
        }
        let mut names = self.turn_names(inner);
        if !plain && self.is_plain(inner) {
            names = names.map(|name| format!("S::constant({name})"));
        }
        let [sin, cos] = names;
        let turned = if inner == angle { "turned" } else { "turned_back" };
        let v = self.part(v, Binding::Atom, plain);
        (format!("{v}.{turned}({cos}, {sin})"), Binding::Atom)
    }

    fn body(&self, slot: u8) -> &str {
        self.sheet.bodies.get(usize::from(slot)).map_or("", String::as_str)
    }

    fn leaf(&self, leaf: Leaf) -> String {
        let velocity = |slot: u8, which: usize| {
            let names = self.sheet.velocities.get(usize::from(slot));
            names.map_or_else(String::new, |names| names[which].clone())
        };
        match leaf {
            Leaf::Position(slot) => format!("{}.position", self.body(slot)),
            Leaf::Rotation(slot) => format!("{}.rotation", self.body(slot)),
            Leaf::Velocity(slot) => velocity(slot, 0),
            Leaf::AngularVelocity(slot) => velocity(slot, 1),
            Leaf::Parameter(index, _) => {
                let index = usize::from(index);
                match (self.scope, self.sheet.driven.get(index)) {
                    (Scope::Generic, Some(Some(name))) => name.clone(),
                    _ => {
                        let field = self.sheet.fields.get(index);
                        field.map_or_else(String::new, |field| format!("self.{field}"))
                    }
                }
            }
            Leaf::Time => match self.scope {
                Scope::Generic => "time".to_owned(),
                Scope::Plain { time } => time.to_owned(),
            },
            // The rest come with the tapes.
            _ => String::new(),
        }
    }
}

const CONSTANTS: &[(f64, &str)] = &[
    (consts::PI, "PI"),
    (consts::TAU, "TAU"),
    (consts::FRAC_PI_2, "FRAC_PI_2"),
    (consts::FRAC_PI_3, "FRAC_PI_3"),
    (consts::FRAC_PI_4, "FRAC_PI_4"),
    (consts::FRAC_PI_6, "FRAC_PI_6"),
    (consts::FRAC_PI_8, "FRAC_PI_8"),
    (consts::FRAC_1_PI, "FRAC_1_PI"),
    (consts::FRAC_2_PI, "FRAC_2_PI"),
    (consts::SQRT_2, "SQRT_2"),
    (consts::FRAC_1_SQRT_2, "FRAC_1_SQRT_2"),
    (consts::E, "E"),
    (consts::LN_2, "LN_2"),
    (consts::LN_10, "LN_10"),
];

/// A literal that is read back as the same number.
pub(super) fn literal(value: f64) -> String {
    number(value).0
}

fn number(value: f64) -> Text {
    if value.is_nan() {
        return ("f64::NAN".to_owned(), Binding::Atom);
    }
    let magnitude = value.abs();
    let text = match CONSTANTS.iter().find(|(constant, _)| *constant == magnitude) {
        Some((_, name)) => format!("std::f64::consts::{name}"),
        None if magnitude.is_infinite() => "f64::INFINITY".to_owned(),
        None => format!("{magnitude:?}"),
    };
    match value {
        f64::NEG_INFINITY => ("f64::NEG_INFINITY".to_owned(), Binding::Atom),
        _ if value < 0.0 => (format!("-{text}"), Binding::Sign),
        _ => (text, Binding::Atom),
    }
}
