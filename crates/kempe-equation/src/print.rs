//! Graphs to text: in readable mathematics, or in the language itself.
//!
//! A graph shares its parts, a text does not: written out, a derivative can be exponentially
//! longer than its graph. So parts keep the names that a `let` gave them, and a part that is used
//! more than once and is not short gets a name of its own.

use crate::check::Model;
use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::types::Type;
use std::collections::{HashMap, HashSet};

/// How expressions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Readable mathematics: `x₁ + R(θ₁) a`, `‖d‖`, `ω × r`.
    Mathematics,
    /// The language, which can be pasted back into a program.
    Source,
}

/// Expressions, and the parts that they share, each named before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// (name, expression)
    pub definitions: Vec<(String, String)>,
    /// The expressions that were asked for.
    pub expressions: Vec<String>,
}

/// How tightly the outermost operation of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Outer,
    Product,
    Term,
    Sign,
    Power,
    Tight,
    Atom,
}

type Text = (String, Binding);

struct Printer<'m> {
    model: &'m Model,
    graph: &'m Graph,
    style: Style,
    names: HashMap<NodeId, String>,
    texts: HashMap<NodeId, Text>,
}

/// Writes `roots`, nodes of the graph of `model`.
pub(crate) fn list(model: &Model, roots: &[NodeId], style: Style) -> Listing {
    let graph = &model.graph;
    let mut printer = Printer { model, graph, style, names: HashMap::new(), texts: HashMap::new() };
    let order = graph.order(roots);
    let definitions = printer.define(&order);
    let expressions = roots.iter().map(|root| printer.whole(*root)).collect();
    Listing { definitions, expressions }
}

/// Whether all bodies are called `body1`, `body2` and so on.
fn numbered(model: &Model) -> bool {
    let number = |name: &String| name.strip_prefix("body").map(str::parse::<u32>);
    model.bodies.iter().all(|name| matches!(number(name), Some(Ok(_))))
}

/// v₁ for `body1`, v_crank for `crank`.
pub(crate) fn symbol(model: &Model, letter: &str, body: &str) -> String {
    match body.strip_prefix("body") {
        Some(number) if numbered(model) => format!("{letter}{}", subscript(number)),
        _ => {
            let short = format!("{letter}_{body}");
            if is_name(model, &short) { format!("{letter}({body})") } else { short }
        }
    }
}

/// Whether the program calls something by this name.
fn is_name(model: &Model, name: &str) -> bool {
    model.names.iter().any(|each| each.1 == name)
        || model.bodies.iter().any(|each| each == name)
        || model.parameters.iter().any(|each| each.name == name)
        || model.axes.iter().any(|each| each.name == name)
}

impl Printer<'_> {
    /// Writes every node once, children first, and names those that deserve it.
    fn define(&mut self, order: &[NodeId]) -> Vec<(String, String)> {
        let mut uses: HashMap<NodeId, usize> = HashMap::new();
        for id in order {
            for child in self.graph.node(*id).children() {
                *uses.entry(child).or_default() += 1;
            }
        }
        let given: HashMap<NodeId, &str> =
            self.model.names.iter().map(|(node, name)| (*node, name.as_str())).collect();
        let mut taken: HashSet<String> =
            self.model.names.iter().map(|each| each.1.clone()).collect();
        taken.extend(self.model.bodies.iter().cloned());
        taken.extend(self.model.parameters.iter().map(|each| each.name.clone()));
        taken.extend(self.model.axes.iter().map(|each| each.name.clone()));
        let mut fresh = (1..).map(|n| format!("t{n}")).filter(|name| !taken.contains(name));

        let mut definitions = Vec::new();
        for id in order {
            let text = self.node(*id);
            let used = uses.get(id).copied().unwrap_or(0);
            // A text that is long by itself is cut too, or a sum of thousands of terms would be
            // written out thousands of times on its way up.
            let length = text.0.chars().count();
            let whole = self.graph.node(*id).children().next().is_some();
            let shared = whole && (used > 1 && length > 24 || used > 0 && length > 400);
            let name = match given.get(id) {
                Some(name) if used > 0 => Some((*name).to_owned()),
                _ if shared => fresh.next(),
                _ => None,
            };
            match name {
                Some(name) => {
                    definitions.push((name.clone(), text.0));
                    self.names.insert(*id, name.clone());
                    self.texts.insert(*id, (name, Binding::Atom));
                }
                None => {
                    self.texts.insert(*id, text);
                }
            }
        }
        definitions
    }

    fn whole(&self, id: NodeId) -> String {
        self.texts.get(&id).map_or_else(String::new, |text| text.0.clone())
    }

    /// The text of a part, in parentheses if it binds less tightly than `least`.
    fn part(&self, id: NodeId, least: Binding) -> String {
        match self.texts.get(&id) {
            Some((text, binding)) if *binding >= least => text.clone(),
            Some((text, _)) => format!("({text})"),
            None => String::new(),
        }
    }

    /// As [`infix`](Self::infix) where a and b can be exchanged: a chain goes first, so that it
    /// needs no parentheses.
    fn commutative(&self, binding: Binding, a: NodeId, symbol: &str, b: NodeId) -> Text {
        let chain = |id: NodeId| self.texts.get(&id).is_some_and(|text| text.1 == binding);
        if chain(b) && !chain(a) {
            return self.infix(binding, b, symbol, a);
        }
        self.infix(binding, a, symbol, b)
    }

    fn infix(&self, binding: Binding, a: NodeId, symbol: &str, b: NodeId) -> Text {
        // All chains are read from the left, so only the right side needs more.
        let tighter = match binding {
            Binding::Sum => Binding::Outer,
            Binding::Outer => Binding::Product,
            Binding::Product => Binding::Term,
            _ => Binding::Sign,
        };
        (format!("{} {symbol} {}", self.part(a, binding), self.part(b, tighter)), binding)
    }

    fn prefix(&self, word: &str, a: NodeId) -> Text {
        (format!("{word}{}", self.part(a, Binding::Tight)), Binding::Tight)
    }

    fn call(&self, name: &str, arguments: &[NodeId]) -> Text {
        let list: Vec<String> =
            arguments.iter().map(|each| self.part(*each, Binding::Sum)).collect();
        (format!("{name}({})", list.join(", ")), Binding::Atom)
    }

    fn node(&self, id: NodeId) -> Text {
        let math = self.style == Style::Mathematics;
        let pick = |a: &'static str, b: &'static str| if math { a } else { b };
        match self.graph.node(id) {
            Node::Number(bits) => number(f64::from_bits(bits), math),
            Node::Leaf(leaf) => (self.leaf(leaf), Binding::Atom),
            Node::Add(a, b) => self.commutative(Binding::Sum, a, "+", b),
            Node::Sub(a, b) => self.infix(Binding::Sum, a, pick("−", "-"), b),
            Node::Neg(a) => {
                (format!("{}{}", pick("−", "-"), self.part(a, Binding::Power)), Binding::Sign)
            }
            Node::Mul(a, b) => self.product(a, b),
            Node::Div(a, b) => self.infix(Binding::Term, a, "/", b),
            Node::Power(a, b) => self.power(a, b),
            Node::Dot(a, b) => self.infix(Binding::Product, a, pick("·", "dot"), b),
            Node::Cross(a, b) => self.infix(Binding::Product, a, pick("×", "cross"), b),
            Node::Outer(a, b) => self.infix(Binding::Outer, a, pick("⊗", "outer"), b),
            Node::Perp(a) => self.prefix(pick("⊥", "perp "), a),
            Node::Unit(a) => self.prefix("unit ", a),
            Node::Transpose(a) => self.prefix("transpose ", a),
            Node::Norm(a) => {
                let bar = pick("‖", "|");
                (format!("{bar}{}{bar}", self.part(a, Binding::Sum)), Binding::Atom)
            }
            Node::Rotate(angle, v) if math => {
                let text = format!("R({}) {}", self.whole(angle), self.part(v, Binding::Tight));
                (text, Binding::Tight)
            }
            Node::Rotate(angle, v) => {
                let (angle, v) = (self.part(angle, Binding::Atom), self.part(v, Binding::Tight));
                (format!("relative {angle} {v}"), Binding::Tight)
            }
            Node::Vector(x, y) => {
                let (x, y) = (self.part(x, Binding::Sum), self.part(y, Binding::Sum));
                (format!("[{x}, {y}]"), Binding::Atom)
            }
            Node::Matrix(entries) => {
                let [a, b, c, d] = entries.map(|each| self.part(each, Binding::Sum));
                (format!("[{a}, {b}; {c}, {d}]"), Binding::Atom)
            }
            Node::Component(a, index) => {
                let name = if index == 0 { "x" } else { "y" };
                (format!("{}.{name}", self.part(a, Binding::Atom)), Binding::Atom)
            }
            Node::Entry(a, index) => {
                let name = ["xx", "xy", "yx", "yy"][usize::from(index & 3)];
                (format!("{}.{name}", self.part(a, Binding::Atom)), Binding::Atom)
            }
            Node::Sqrt(a) => self.call(pick("√", "sqrt"), &[a]),
            Node::InverseSqrt(_) | Node::Inverse(_) => {
                (format!("1 / {}", self.divisor(id).unwrap_or_default()), Binding::Term)
            }
            Node::Sin(a) => self.call("sin", &[a]),
            Node::Cos(a) => self.call("cos", &[a]),
            Node::Asin(a) => self.call("asin", &[a]),
            Node::Acos(a) => self.call("acos", &[a]),
            Node::Atan2(y, x) => self.call("atan2", &[y, x]),
            Node::Exp(a) => self.call("exp", &[a]),
            Node::Ln(a) => self.call("ln", &[a]),
            Node::Abs(a) => self.call("abs", &[a]),
            Node::Sign(a) => self.call("sign", &[a]),
            Node::Min(a, b) => self.call("min", &[a, b]),
            Node::Max(a, b) => self.call("max", &[a, b]),
            Node::Select([a, b, yes, no]) => {
                let condition = if Graph::is_zero(b) {
                    self.part(a, Binding::Sum)
                } else {
                    format!("{} - {}", self.part(a, Binding::Sum), self.part(b, Binding::Outer))
                };
                let (yes, no) = (self.part(yes, Binding::Sum), self.part(no, Binding::Sum));
                (format!("choose({condition}, {yes}, {no})"), Binding::Atom)
            }
        }
    }

    fn product(&self, a: NodeId, b: NodeId) -> Text {
        let math = self.style == Style::Mathematics;
        if a == b && self.graph.kind(a) == Type::Scalar {
            let base = self.part(a, Binding::Tight);
            return (if math { format!("{base}²") } else { format!("{base}^2") }, Binding::Power);
        }
        // x · (1/s) is x / s.
        for (x, inverse) in [(a, b), (b, a)] {
            if let (false, Some(divisor)) =
                (self.names.contains_key(&inverse), self.divisor(inverse))
            {
                return (format!("{} / {divisor}", self.part(x, Binding::Term)), Binding::Term);
            }
        }
        // s ⊥v is s × v.
        let scalar = self.graph.kind(a) == Type::Scalar;
        if let (Node::Perp(v), true, false) =
            (self.graph.node(b), scalar, self.names.contains_key(&b))
        {
            let symbol = if math { "×" } else { "cross" };
            return self.infix(Binding::Product, a, symbol, v);
        }
        let symbol = "*";
        if self.graph.kind(a) == Type::Scalar && self.graph.kind(b) == Type::Scalar {
            return self.commutative(Binding::Term, a, symbol, b);
        }
        self.infix(Binding::Term, a, symbol, b)
    }

    /// What 1/√x or 1/x divides by.
    fn divisor(&self, id: NodeId) -> Option<String> {
        let math = self.style == Style::Mathematics;
        match self.graph.node(id) {
            Node::Inverse(a) => Some(self.part(a, Binding::Sign)),
            Node::InverseSqrt(square) => match self.graph.node(square) {
                Node::Dot(u, v) if u == v => {
                    let bar = if math { "‖" } else { "|" };
                    Some(format!("{bar}{}{bar}", self.part(u, Binding::Sum)))
                }
                _ => Some(self.call(if math { "√" } else { "sqrt" }, &[square]).0),
            },
            _ => None,
        }
    }

    fn power(&self, base: NodeId, exponent: NodeId) -> Text {
        let text = self.part(base, Binding::Tight);
        let whole = self.graph.as_number(exponent).filter(|n| n.fract() == 0.0 && n.abs() < 100.0);
        match (self.style, whole) {
            (Style::Mathematics, Some(n)) => {
                (format!("{text}{}", superscript(&format!("{n}"))), Binding::Power)
            }
            _ => (format!("{text}^{}", self.part(exponent, Binding::Tight)), Binding::Power),
        }
    }

    fn body(&self, slot: u8) -> &str {
        let at = self.model.slots.iter().position(|each| *each == slot);
        at.map_or("?", |at| self.model.bodies[at].as_str())
    }

    fn leaf(&self, leaf: Leaf) -> String {
        let math = self.style == Style::Mathematics;
        let of = |slot: u8, letter: &str, field: &str| {
            let body = self.body(slot);
            if math { symbol(self.model, letter, body) } else { format!("{body}{field}") }
        };
        match leaf {
            Leaf::Position(slot) => of(slot, "x", ".position"),
            Leaf::Rotation(slot) => of(slot, "θ", ".rotation"),
            Leaf::Velocity(slot) => of(slot, "v", ".velocity"),
            Leaf::AngularVelocity(slot) => of(slot, "ω", ".angularVel"),
            Leaf::InverseMass(slot) => of(slot, "m⁻¹", "_inverseMass"),
            Leaf::InverseInertia(slot) => of(slot, "I⁻¹", "_inverseInertia"),
            Leaf::Parameter(index, _) => self
                .model
                .parameters
                .get(usize::from(index))
                .map_or_else(String::new, |each| each.name.clone()),
            Leaf::Time if math && !is_name(self.model, "t") => "t".to_owned(),
            Leaf::Time => "time".to_owned(),
            Leaf::Multiplier(row) => format!("lambda{}", row + 1),
            // The rest come with the tapes, and are never printed.
            other => format!("{other:?}"),
        }
    }
}

fn number(value: f64, math: bool) -> Text {
    let magnitude = value.abs();
    let text = if magnitude == std::f64::consts::PI {
        (if math { "π" } else { "pi" }).to_owned()
    } else if magnitude.is_infinite() {
        (if math { "∞" } else { "inf" }).to_owned()
    } else if magnitude.is_nan() {
        // inf - inf, folded: NaN in the language as well.
        return ("(inf - inf)".to_owned(), Binding::Atom);
    } else if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        format!("{magnitude:e}")
    } else {
        format!("{magnitude}")
    };
    if value < 0.0 {
        let sign = if math { "−" } else { "-" };
        return (format!("{sign}{text}"), Binding::Sign);
    }
    (text, Binding::Atom)
}

fn subscript(digits: &str) -> String {
    digits
        .chars()
        .map(|c| c.to_digit(10).and_then(|d| char::from_u32(0x2080 + d)).unwrap_or(c))
        .collect()
}

fn superscript(number: &str) -> String {
    number
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' => '⁰',
            c => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
        })
        .collect()
}
