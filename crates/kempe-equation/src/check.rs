//! From syntax to meaning: names, types, and the graph of what the program states.

mod affine;
mod expression;
mod operators;
mod statements;

use crate::compile::TooLarge;
use crate::error::{Diagnostic, ErrorKind, Span, did_you_mean};
use crate::graph::{Graph, Leaf, NodeId};
use crate::limits::{MAX_BODIES, MAX_DIAGNOSTICS, MAX_PARAMETERS, MAX_ROWS};
use crate::lower::Lowering;
use crate::syntax::{CONSTANTS, Declaration, ExprId, Name, ParameterSyntax, Syntax};
use crate::types::{Type, Value};
use std::collections::{HashMap, HashSet};

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A scalar, vector or matrix.
    Value(NodeId),
    /// Scalars and vectors, one below the other.
    Block(Vec<NodeId>),
    Body(u8),
    /// Something about which an error was reported already.
    Broken,
}

/// A parameter of a program.
#[derive(Clone, Debug)]
pub(crate) struct ParameterModel {
    pub name: String,
    pub kind: Type,
    pub default: Option<Value>,
    pub rate: Option<NodeId>,
}

/// A set of rows, each a scalar or a vector, and bounds of the same shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub values: Vec<NodeId>,
    pub bounds: Option<(Vec<NodeId>, Vec<NodeId>)>,
}

/// A named coordinate.
#[derive(Clone, Debug)]
pub(crate) struct AxisModel {
    pub name: String,
    pub value: NodeId,
    pub bounds: Option<(NodeId, NodeId)>,
}

/// `limit value lower upper`: something that must hold.
#[derive(Clone, Debug)]
pub(crate) struct CheckModel {
    pub span: Span,
    pub value: NodeId,
    pub lower: NodeId,
    pub upper: NodeId,
}

/// What a program states.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub graph: Graph,
    /// The names of the bodies, and the slot of each: names of one body share it.
    pub bodies: Vec<String>,
    pub slots: Vec<u8>,
    pub parameters: Vec<ParameterModel>,
    pub position: Rows,
    pub velocity: Rows,
    pub axes: Vec<AxisModel>,
    pub checks: Vec<CheckModel>,
    /// Names that were given to parts by `let`, for printing.
    pub names: Vec<(NodeId, String)>,
}

impl Model {
    pub(crate) fn slot_count(&self) -> usize {
        self.slots.iter().map(|slot| usize::from(*slot) + 1).max().unwrap_or(0)
    }

    pub(crate) fn rates(&self) -> Vec<Option<NodeId>> {
        self.parameters.iter().map(|each| each.rate).collect()
    }
}

pub(crate) struct Checker<'s> {
    syntax: &'s Syntax,
    model: Model,
    /// Everything declared, and where.
    declared: HashMap<String, (Item, Span)>,
    /// Every name that a printed part must not have: those declared anywhere, and those given.
    reserved: HashSet<String>,
    /// How often a part of this name was given another spelling.
    spelt: HashMap<String, u32>,
    /// Names of `let … in`, innermost last.
    scopes: Vec<(String, Item)>,
    /// The nodes of the expressions of the present declaration, to find a culprit by its span.
    trace: Vec<(Span, NodeId)>,
    /// Where the elements of its blocks were written.
    elements: Vec<(Span, NodeId)>,
    /// Which nodes hold a velocity, as far as that was asked.
    velocities: Vec<bool>,
    errors: Vec<Diagnostic>,
    /// Whether the program is checked again for bodies under several names: errors are over.
    shared: bool,
}

/// Gives meaning to a program whose bodies are in `slots` (each its own, if none are given).
pub(crate) fn check(syntax: &Syntax, slots: Option<&[u8]>) -> (Model, Vec<Diagnostic>) {
    let mut checker = Checker {
        syntax,
        model: Model {
            graph: Graph::new(),
            bodies: Vec::new(),
            slots: Vec::new(),
            parameters: Vec::new(),
            position: Rows::default(),
            velocity: Rows::default(),
            axes: Vec::new(),
            checks: Vec::new(),
            names: Vec::new(),
        },
        declared: HashMap::new(),
        reserved: syntax.declared_names(),
        spelt: HashMap::new(),
        scopes: Vec::new(),
        trace: Vec::new(),
        elements: Vec::new(),
        velocities: Vec::new(),
        errors: Vec::new(),
        shared: slots.is_some(),
    };
    checker.declare(slots);
    checker.shared();
    checker.rates();
    checker.statements();
    checker.too_large();
    (checker.model, checker.errors)
}

impl Checker<'_> {
    /// First pass: bodies and parameters, which may be used before they are declared.
    fn declare(&mut self, slots: Option<&[u8]>) {
        let mut numbers = 0;
        for declaration in &self.syntax.declarations {
            match declaration {
                Declaration::Bodies(names) => {
                    for name in names {
                        self.body(name, slots);
                    }
                }
                Declaration::Parameters(_, parameters) => {
                    for parameter in parameters {
                        numbers += parameter.kind.components();
                        if numbers > MAX_PARAMETERS {
                            let error = Diagnostic::new(
                                ErrorKind::TooLarge,
                                parameter.name.span,
                                format!("the parameters hold more than {MAX_PARAMETERS} numbers"),
                            );
                            return self.errors.push(error);
                        }
                        self.parameter(parameter);
                    }
                }
                _ => {}
            }
        }
    }

    fn body(&mut self, name: &Name, slots: Option<&[u8]>) {
        let index = self.model.bodies.len();
        if index >= MAX_BODIES {
            let error = Diagnostic::new(
                ErrorKind::TooLarge,
                name.span,
                format!("a program has at most {MAX_BODIES} bodies"),
            );
            return self.errors.push(error);
        }
        let slot = slots.and_then(|slots| slots.get(index)).map_or(index as u8, |slot| *slot);
        if self.define(name, Item::Body(slot)) {
            self.model.bodies.push(name.text.clone());
            self.model.slots.push(slot);
        }
    }

    fn parameter(&mut self, syntax: &ParameterSyntax) {
        let index = self.model.parameters.len() as u16;
        let leaf = self.model.graph.leaf(Leaf::Parameter(index, syntax.kind));
        if !self.define(&syntax.name, Item::Value(leaf)) {
            return;
        }
        let default = syntax.default.and_then(|default| self.default(syntax, default));
        self.model.parameters.push(ParameterModel {
            name: syntax.name.text.clone(),
            kind: syntax.kind,
            default,
            rate: None,
        });
    }

    /// The value of a default, which must be constant.
    fn default(&mut self, syntax: &ParameterSyntax, default: ExprId) -> Option<Value> {
        // Other parameters are not visible yet, or not all of them; say why rather than
        // "unknown name".
        let before = self.errors.len();
        let item = self.expression(default);
        let node = self.typed(item, default, syntax.kind, "the default");
        let span = self.syntax.span(default);
        let constant = node.and_then(|node| self.constant(node));
        let unknown = self.errors[before..].iter().any(|e| e.kind == ErrorKind::UnknownName);
        if constant.is_none() && (node.is_some() || unknown) {
            self.errors.truncate(before);
            self.errors.push(
                Diagnostic::new(
                    ErrorKind::Dependency,
                    span,
                    format!("the default of `{}` is not constant", syntax.name.text),
                )
                .label("may hold numbers, `pi`, `inf`, `eps` and functions of them only")
                .help("use `let` to name an expression in parameters"),
            );
        }
        let value = constant.map(|numbers| Value::from_components(syntax.kind, numbers))?;
        if value.components().iter().any(|number| number.is_nan()) {
            let message = format!("the default of `{}` is not a number", syntax.name.text);
            self.errors.push(Diagnostic::new(ErrorKind::Type, span, message).label("not a number"));
            return None;
        }
        Some(value)
    }

    fn constant(&mut self, node: NodeId) -> Option<[f64; 4]> {
        let parts = Lowering::default().lower(&mut self.model.graph, &[node]);
        let mut numbers = [0.0; 4];
        for (number, part) in numbers.iter_mut().zip(parts[0]) {
            *number = self.model.graph.as_number(part)?;
        }
        Some(numbers)
    }

    /// Third pass: how parameters change, which may refer to all of them and to shared names.
    fn rates(&mut self) {
        let syntax = self.syntax;
        for declaration in &syntax.declarations {
            let Declaration::Parameters(_, parameters) = declaration else {
                continue;
            };
            for parameter in parameters {
                let Some(rate) = parameter.rate else { continue };
                let item = self.expression(rate);
                let node = self.typed(item, rate, parameter.kind, "the rate");
                let name = &parameter.name.text;
                let Some(node) = node else { continue };
                if self.model.graph.depends(node, Leaf::is_body) {
                    let error = Diagnostic::new(
                        ErrorKind::Dependency,
                        syntax.span(rate),
                        format!("the rate of `{name}` depends on a body"),
                    )
                    .label("may hold parameters and `time` only");
                    self.errors.push(error);
                }
                if let Some(model) = self.model.parameters.iter_mut().find(|p| p.name == *name) {
                    model.rate = Some(node);
                }
            }
        }
    }

    /// Second pass: shared names and axes, in their order.
    fn shared(&mut self) {
        let syntax = self.syntax;
        for declaration in &syntax.declarations {
            self.trace.clear();
            self.elements.clear();
            match declaration {
                Declaration::Let { name, what } => {
                    let item = self.expression(*what);
                    // It is in the list of reserved names by itself.
                    self.reserved.remove(&name.text);
                    self.remember(&name.text, &item);
                    self.reserved.insert(name.text.clone());
                    self.define(name, item);
                }
                Declaration::Axis { name, what } => self.axis(name, *what),
                _ => {}
            }
        }
    }

    fn axis(&mut self, name: &Name, what: ExprId) {
        let item = self.expression(what);
        let value = self.typed(item, what, Type::Scalar, "an axis");
        if let Some(value) = value {
            self.reject_velocities(value, "an axis");
            if self.model.axes.len() >= MAX_ROWS {
                let message = format!("a program has at most {MAX_ROWS} axes");
                return self.errors.push(Diagnostic::new(ErrorKind::TooLarge, name.span, message));
            }
        }
        let item = value.map_or(Item::Broken, Item::Value);
        if self.define(name, item)
            && let Some(value) = value
        {
            let name = name.text.clone();
            self.model.axes.push(AxisModel { name, value, bounds: None });
        }
    }

    /// Declares a name, unless it was declared before.
    fn define(&mut self, name: &Name, item: Item) -> bool {
        if let Some((_, first)) = self.declared.get(&name.text) {
            let error = Diagnostic::new(
                ErrorKind::Duplicate,
                name.span,
                format!("`{}` is declared twice", name.text),
            )
            .label("declared again")
            .related(*first, "first declared here");
            self.errors.push(error);
            return false;
        }
        self.declared.insert(name.text.clone(), (item, name.span));
        true
    }

    /// Keeps the name of a part for printing. Equal names of different parts are told apart.
    fn remember(&mut self, name: &str, item: &Item) {
        let Item::Value(node) = item else { return };
        let small = self.model.graph.node(*node).children().next().is_none();
        if small || self.model.names.iter().any(|each| each.0 == *node) {
            return;
        }
        // A thousand names are enough for a reader.
        if self.model.names.len() >= 1000 {
            return;
        }
        let mut number = self.spelt.get(name).copied().unwrap_or(0);
        let spelling = loop {
            number += 1;
            let spelling = if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
            if !self.reserved.contains(&spelling) {
                break spelling;
            }
        };
        self.spelt.insert(name.to_owned(), number);
        self.reserved.insert(spelling.clone());
        self.model.names.push((*node, spelling));
    }

    /// Shared names are known from their declaration on.
    fn declared_below(&self, name: &str) -> Option<String> {
        if name.to_lowercase().starts_with("deg") {
            return Some("angles are in radians: `20 * pi / 180`".to_owned());
        }
        let below = self.syntax.declarations.iter().any(|declaration| match declaration {
            Declaration::Let { name: other, .. } | Declaration::Axis { name: other, .. } => {
                other.text == name
            }
            _ => false,
        });
        below.then(|| "it is declared further down; move that up".to_owned())
    }

    fn suggestion(&self, name: &str) -> Option<String> {
        if self.errors.len() >= MAX_DIAGNOSTICS {
            return None;
        }
        let declared = self.declared.keys().map(String::as_str);
        let scoped = self.scopes.iter().rev().take(200).map(|each| each.0.as_str());
        let mut candidates: Vec<&str> = declared.chain(scoped).chain(CONSTANTS).collect();
        // The order of a hash map must not decide between equally near names.
        candidates.sort_unstable();
        did_you_mean(name, candidates)
    }

    fn too_large(&mut self) {
        if self.model.graph.overflowed() {
            self.errors.push(too_large(TooLarge::Nodes));
        }
    }
}

/// The error for a program that is too large to compile.
pub(crate) fn too_large(what: TooLarge) -> Diagnostic {
    let message = match what {
        TooLarge::Nodes => {
            let limit = crate::limits::MAX_NODES;
            format!("the program and its derivatives have more than {limit} different parts")
        }
        TooLarge::Tape => {
            let limit = crate::limits::MAX_TAPE;
            format!("the program and its derivatives take more than {limit} operations")
        }
    };
    Diagnostic::new(ErrorKind::TooLarge, Span::new(0, 0), message).label("too large")
}
