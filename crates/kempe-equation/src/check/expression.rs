//! The meaning of an expression.

use super::{Checker, Item};
use crate::error::{Diagnostic, ErrorKind, Span, did_you_mean};
use crate::graph::{Leaf, NodeId};
use crate::limits::MAX_ROWS;
use crate::syntax::{EPS, Expr, ExprId, Function, Name, Prefix};
use crate::types::Type;

/// What bodies have.
const BODY_FIELDS: [&str; 5] =
    ["position", "rotation", "velocity", "angularVel", "angularVelocity"];

impl Checker<'_> {
    pub(super) fn expression(&mut self, id: ExprId) -> Item {
        let syntax = self.syntax;
        let span = syntax.span(id);
        let item = match syntax.expr(id) {
            Expr::Number(value) => Item::Value(self.model.graph.number(*value)),
            Expr::Name(name) => self.name(name, span),
            Expr::Broken => Item::Broken,
            Expr::Field(of, field) => {
                let of = self.expression(*of);
                self.field(of, field)
            }
            Expr::Chain(first, rest) => {
                let mut left = self.expression(*first);
                let mut whole = syntax.span(*first);
                for (operator, right) in rest {
                    let right_item = self.expression(*right);
                    let right_span = syntax.span(*right);
                    left = self.binary(*operator, (left, whole), (right_item, right_span));
                    whole = whole.to(right_span);
                    self.note(whole, &left);
                }
                left
            }
            Expr::Power(base, exponent) => {
                let base_item = self.expression(*base);
                let exponent_item = self.expression(*exponent);
                let base = self.typed(base_item, *base, Type::Scalar, "the base of `^`");
                let exponent =
                    self.typed(exponent_item, *exponent, Type::Scalar, "the exponent of `^`");
                match (base, exponent) {
                    (Some(base), Some(exponent)) => {
                        Item::Value(self.model.graph.power(base, exponent))
                    }
                    _ => Item::Broken,
                }
            }
            Expr::Prefix(prefix, value) => {
                let item = self.expression(*value);
                self.prefix(*prefix, item, span)
            }
            Expr::Relative(angle, vector) => self.relative(*angle, *vector),
            Expr::Bars(value) => {
                let item = self.expression(*value);
                self.bars(item, syntax.span(*value))
            }
            Expr::Vector(elements) => self.vector(elements, span),
            Expr::Matrix(rows) => self.matrix(rows, span),
            Expr::Block(elements) => self.block(elements, span),
            Expr::Call(function, arguments) => self.call(*function, arguments, span),
            Expr::Let(bindings, body) => {
                let outer = self.scopes.len();
                for (name, value) in bindings {
                    let item = self.expression(*value);
                    self.remember(&name.text, &item);
                    self.scopes.push((name.text.clone(), item));
                }
                let item = self.expression(*body);
                self.scopes.truncate(outer);
                item
            }
        };
        self.note(span, &item);
        item
    }

    /// Keeps where a value was written.
    fn note(&mut self, span: Span, item: &Item) {
        match item {
            Item::Value(node) => self.trace.push((span, *node)),
            Item::Block(rows) => self.trace.extend(rows.iter().map(|row| (span, *row))),
            Item::Body(_) | Item::Broken => {}
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Item {
        let scoped = self.scopes.iter().rev().find(|each| each.0 == name).map(|each| &each.1);
        if let Some(item) = scoped.or(self.declared.get(name).map(|each| &each.0)) {
            return item.clone();
        }
        let graph = &mut self.model.graph;
        match name {
            "pi" => Item::Value(graph.number(std::f64::consts::PI)),
            "inf" => Item::Value(graph.number(f64::INFINITY)),
            "eps" => Item::Value(graph.number(EPS)),
            "time" => Item::Value(graph.leaf(Leaf::Time)),
            _ => {
                let help = self.suggestion(name).or_else(|| self.declared_below(name));
                let error = Diagnostic::new(
                    ErrorKind::UnknownName,
                    span,
                    format!("nothing is called `{name}`"),
                )
                .label("not declared")
                .help_if(help);
                self.errors.push(error);
                Item::Broken
            }
        }
    }

    fn field(&mut self, of: Item, field: &Name) -> Item {
        let graph = &mut self.model.graph;
        let (what, fields): (&str, &[&str]) = match of {
            Item::Body(slot) => {
                let leaf = match field.text.as_str() {
                    "position" => Some(Leaf::Position(slot)),
                    "rotation" => Some(Leaf::Rotation(slot)),
                    "velocity" => Some(Leaf::Velocity(slot)),
                    "angularVel" | "angularVelocity" => Some(Leaf::AngularVelocity(slot)),
                    _ => None,
                };
                if let Some(leaf) = leaf {
                    return Item::Value(graph.leaf(leaf));
                }
                ("a body", &BODY_FIELDS)
            }
            Item::Value(node) => match (graph.kind(node), field.text.as_str()) {
                (Type::Vector, "x") => return Item::Value(graph.component(node, 0)),
                (Type::Vector, "y") => return Item::Value(graph.component(node, 1)),
                (Type::Matrix, "xx") => return Item::Value(graph.entry(node, 0)),
                (Type::Matrix, "xy") => return Item::Value(graph.entry(node, 1)),
                (Type::Matrix, "yx") => return Item::Value(graph.entry(node, 2)),
                (Type::Matrix, "yy") => return Item::Value(graph.entry(node, 3)),
                (Type::Scalar, _) => ("a scalar", &[]),
                (Type::Vector, _) => ("a vector", &["x", "y"]),
                (Type::Matrix, _) => ("a matrix", &["xx", "xy", "yx", "yy"]),
            },
            Item::Block(_) => ("a block", &[]),
            Item::Broken => return Item::Broken,
        };
        let help = did_you_mean(&field.text, fields.iter().copied())
            .or_else(|| (!fields.is_empty()).then(|| format!("{what} has {}", quoted(fields))));
        let error = Diagnostic::new(
            ErrorKind::UnknownName,
            field.span,
            format!("{what} has no `{}`", field.text),
        )
        .label(format!("not a part of {what}"))
        .help_if(help);
        self.errors.push(error);
        Item::Broken
    }

    fn relative(&mut self, angle: ExprId, vector: ExprId) -> Item {
        let angle_item = self.expression(angle);
        let vector_item = self.expression(vector);
        let angle = match angle_item {
            // `relative body v` turns by the body's rotation.
            Item::Body(slot) => Some(self.model.graph.leaf(Leaf::Rotation(slot))),
            item => self.typed(item, angle, Type::Scalar, "the angle of `relative`"),
        };
        let vector = self.typed(vector_item, vector, Type::Vector, "what `relative` turns");
        match (angle, vector) {
            (Some(angle), Some(vector)) => Item::Value(self.model.graph.rotate(angle, vector)),
            _ => Item::Broken,
        }
    }

    fn prefix(&mut self, prefix: Prefix, item: Item, span: Span) -> Item {
        let graph = &mut self.model.graph;
        match (prefix, item) {
            (_, Item::Broken) => Item::Broken,
            (Prefix::Plus, item @ (Item::Value(_) | Item::Block(_))) => item,
            (Prefix::Minus, Item::Value(node)) => Item::Value(graph.neg(node)),
            (Prefix::Minus, Item::Block(rows)) => {
                Item::Block(rows.into_iter().map(|row| graph.neg(row)).collect())
            }
            (Prefix::Unit, Item::Value(node)) if graph.kind(node) == Type::Scalar => {
                Item::Value(graph.sign(node))
            }
            (Prefix::Unit, Item::Value(node)) if graph.kind(node) == Type::Vector => {
                Item::Value(graph.unit(node))
            }
            (Prefix::Perp, Item::Value(node)) if graph.kind(node) == Type::Vector => {
                Item::Value(graph.perp(node))
            }
            (Prefix::Transpose, Item::Value(node)) if graph.kind(node) == Type::Matrix => {
                Item::Value(graph.transpose(node))
            }
            (prefix, item) => {
                let (word, takes) = match prefix {
                    Prefix::Minus => ("-", "a scalar, vector, matrix or block"),
                    Prefix::Plus => ("+", "a scalar, vector, matrix or block"),
                    Prefix::Unit => ("unit", "a vector or a scalar"),
                    Prefix::Perp => ("perp", "a vector"),
                    Prefix::Transpose => ("transpose", "a matrix"),
                };
                let found = self.describe(&item);
                self.type_error(span, format!("`{word}` takes {takes}, found {found}"), &found);
                Item::Broken
            }
        }
    }

    fn bars(&mut self, item: Item, span: Span) -> Item {
        let graph = &mut self.model.graph;
        match item {
            Item::Value(node) if graph.kind(node) == Type::Scalar => Item::Value(graph.abs(node)),
            Item::Value(node) if graph.kind(node) == Type::Vector => Item::Value(graph.norm(node)),
            Item::Broken => Item::Broken,
            item => {
                let found = self.describe(&item);
                let message = format!("bars take a scalar or a vector, found {found}");
                self.type_error(span, message, &found);
                Item::Broken
            }
        }
    }

    fn vector(&mut self, elements: &[ExprId], span: Span) -> Item {
        let parts = self.scalars(elements, "an element of a vector");
        let four = if elements.len() == 4 { "a matrix is written `[a b; c d]`" } else { "" };
        match (elements.len(), parts.as_deref()) {
            (2, Some([x, y])) => Item::Value(self.model.graph.vector(*x, *y)),
            (2, _) => Item::Broken,
            (count, _) => {
                let error = Diagnostic::new(
                    ErrorKind::Shape,
                    span,
                    format!("a vector has 2 elements, this one has {count}"),
                )
                .label("expected 2 elements")
                .help(match four {
                    "" => "`[x y]` or `[x, y]`; a quarter turn is `perp v`",
                    help => help,
                });
                self.errors.push(error);
                Item::Broken
            }
        }
    }

    fn matrix(&mut self, rows: &[Vec<ExprId>], span: Span) -> Item {
        let elements: Vec<ExprId> = rows.iter().flatten().copied().collect();
        let parts = self.scalars(&elements, "an element of a matrix");
        if rows.len() != 2 || rows.iter().any(|row| row.len() != 2) {
            let error =
                Diagnostic::new(ErrorKind::Shape, span, "a matrix has 2 rows of 2 elements")
                    .label("not two by two")
                    .help("`[a b; c d]`");
            self.errors.push(error);
            return Item::Broken;
        }
        match parts.as_deref() {
            Some([a, b, c, d]) => Item::Value(self.model.graph.matrix([*a, *b, *c, *d])),
            _ => Item::Broken,
        }
    }

    fn scalars(&mut self, elements: &[ExprId], what: &str) -> Option<Vec<NodeId>> {
        let nodes: Vec<Option<NodeId>> = elements
            .iter()
            .map(|element| {
                let item = self.expression(*element);
                self.typed(item, *element, Type::Scalar, what)
            })
            .collect();
        nodes.into_iter().collect()
    }

    fn block(&mut self, elements: &[ExprId], span: Span) -> Item {
        let mut rows = Vec::new();
        let mut broken = false;
        for element in elements {
            let item = self.expression(*element);
            match self.rows(item, *element, "an element of a block") {
                Some(more) => {
                    let span = self.syntax.span(*element);
                    self.elements.extend(more.iter().map(|row| (span, *row)));
                    rows.extend(more);
                }
                None => broken = true,
            }
        }
        if broken {
            return Item::Broken;
        }
        if rows.is_empty() || rows.len() > MAX_ROWS {
            let (kind, message) = if rows.is_empty() {
                (ErrorKind::Shape, "a block without rows".to_owned())
            } else {
                (ErrorKind::TooLarge, format!("a block has at most {MAX_ROWS} rows"))
            };
            self.errors.push(Diagnostic::new(kind, span, message));
            return Item::Broken;
        }
        Item::Block(rows)
    }

    fn call(&mut self, function: Function, arguments: &[ExprId], span: Span) -> Item {
        if function == Function::Choose {
            return self.choose(arguments, span);
        }
        let what = format!("an argument of `{}`", function.name());
        let Some(nodes) = self.scalars(arguments, &what) else {
            return Item::Broken;
        };
        let graph = &mut self.model.graph;
        let node = match (function, nodes[..].first().copied(), &nodes[..]) {
            (Function::Sin, Some(a), _) => graph.sin(a),
            (Function::Cos, Some(a), _) => graph.cos(a),
            (Function::Tan, Some(a), _) => graph.tan(a),
            (Function::Asin, Some(a), _) => graph.asin(a),
            (Function::Acos, Some(a), _) => graph.acos(a),
            (Function::Sqrt, Some(a), _) => graph.sqrt(a),
            (Function::Exp, Some(a), _) => graph.exp(a),
            (Function::Ln, Some(a), _) => graph.ln(a),
            (Function::Abs, Some(a), _) => graph.abs(a),
            (Function::Sign, Some(a), _) => graph.sign(a),
            (Function::Atan2, _, [y, x]) => graph.atan2(*y, *x),
            (Function::Min, _, [a, b]) => graph.min(*a, *b),
            (Function::Max, _, [a, b]) => graph.max(*a, *b),
            (Function::Clamp, _, [a, low, high]) => {
                let raised = graph.max(*a, *low);
                graph.min(raised, *high)
            }
            _ => return Item::Broken,
        };
        Item::Value(node)
    }

    /// choose(c, a, b): a where c > 0, b elsewhere.
    fn choose(&mut self, arguments: &[ExprId], span: Span) -> Item {
        let items: Vec<Item> = arguments.iter().map(|each| self.expression(*each)).collect();
        let [condition, yes, no] = &items[..] else {
            return Item::Broken;
        };
        let condition =
            self.typed(condition.clone(), arguments[0], Type::Scalar, "the first argument");
        match (condition, yes, no) {
            (Some(condition), Item::Value(a), Item::Value(b))
                if self.model.graph.kind(*a) == self.model.graph.kind(*b) =>
            {
                let zero = self.model.graph.number(0.0);
                Item::Value(self.model.graph.select(condition, zero, *a, *b))
            }
            (None, ..) | (_, Item::Broken, _) | (_, _, Item::Broken) => Item::Broken,
            _ => {
                let found = format!("{} and {}", self.describe(yes), self.describe(no));
                let message =
                    format!("`choose` takes two scalars, vectors or matrices, found {found}");
                self.type_error(span, message, &found);
                Item::Broken
            }
        }
    }
}

fn quoted(words: &[&str]) -> String {
    let all: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    all.join(", ")
}
