//! The typing rules of the operators.
//!
//! S scalar, V vector, M matrix, B block of rows:
//!
//! | | takes | gives |
//! |---|---|---|
//! | `+` `-` | two of one type; two blocks of one shape | the same |
//! | `*` | S with anything, on either side; M with V or M | the product |
//! | `/` | anything by S | the same |
//! | `dot` | V V, S S | S |
//! | `cross` | V V | S = u_x v_y − u_y v_x |
//! | `cross` | S V, V S | V = s ⊥v, −s ⊥v |
//! | `outer` | V V | M = u vᵀ |
//! | `outer` | S S, V S | the product |

use super::{Checker, Item};
use crate::error::{Diagnostic, ErrorKind, Span};
use crate::graph::{Graph, NodeId};
use crate::syntax::{Binary, ExprId};
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        (left, left_span): (Item, Span),
        (right, right_span): (Item, Span),
    ) -> Item {
        if matches!(left, Item::Broken) || matches!(right, Item::Broken) {
            return Item::Broken;
        }
        let graph = &mut self.model.graph;
        let result = match (&left, &right) {
            (Item::Value(a), Item::Value(b)) => values(graph, operator, *a, *b).map(Item::Value),
            (Item::Block(a), Item::Block(b)) => blocks(graph, operator, a, b),
            (Item::Block(a), Item::Value(b)) if graph.kind(*b) == Type::Scalar => {
                let scale = match operator {
                    Binary::Multiply | Binary::Outer => Graph::mul,
                    Binary::Divide => Graph::div,
                    _ => return self.mismatch(operator, (&left, left_span), (&right, right_span)),
                };
                Some(Item::Block(a.iter().map(|row| scale(graph, *row, *b)).collect()))
            }
            (Item::Value(a), Item::Block(b))
                if graph.kind(*a) == Type::Scalar && operator == Binary::Multiply =>
            {
                Some(Item::Block(b.iter().map(|row| graph.mul(*a, *row)).collect()))
            }
            _ => None,
        };
        match result {
            Some(item) => item,
            None => self.mismatch(operator, (&left, left_span), (&right, right_span)),
        }
    }

    fn mismatch(
        &mut self,
        operator: Binary,
        (left, left_span): (&Item, Span),
        (right, right_span): (&Item, Span),
    ) -> Item {
        let takes = match operator {
            Binary::Add | Binary::Subtract => "two values of one type and shape",
            Binary::Multiply => "a scalar and anything, or a matrix and a vector or matrix",
            Binary::Divide => "anything and a scalar",
            Binary::Dot => "two vectors",
            Binary::Cross => "two vectors, or a vector and a scalar",
            Binary::Outer => "two vectors",
        };
        let symbol = operator.symbol();
        let (found_left, found_right) = (self.describe(left), self.describe(right));
        let is = |checker: &Self, item: &Item, kind: Type| matches!(item, Item::Value(node) if checker.model.graph.kind(*node) == kind);
        let both_vectors = is(self, left, Type::Vector) && is(self, right, Type::Vector);
        let help = match (operator, left, right) {
            (_, Item::Body(_), _) | (_, _, Item::Body(_)) => {
                Some("a body is not a value; use its `.position` or `.rotation`")
            }
            (Binary::Add | Binary::Subtract, Item::Block(_), Item::Block(_)) => {
                Some("their scalars and vectors must stand in the same order")
            }
            (Binary::Multiply, ..) if both_vectors => {
                Some("vectors are multiplied with `dot`, `cross` or `outer`")
            }
            (Binary::Multiply, ..)
                if is(self, left, Type::Vector) && is(self, right, Type::Matrix) =>
            {
                Some("a matrix stands before the vector; `transpose m * v` is vᵀm")
            }
            _ => None,
        };
        let error = Diagnostic::new(
            ErrorKind::Type,
            left_span.to(right_span),
            format!("`{symbol}` takes {takes}, found {found_left} and {found_right}"),
        )
        .label(format!("`{symbol}` of {found_left} and {found_right}"))
        .related(left_span, found_left)
        .related(right_span, found_right)
        .help_if(help.map(str::to_owned));
        self.errors.push(error);
        Item::Broken
    }

    pub(super) fn describe(&self, item: &Item) -> String {
        match item {
            Item::Value(node) => self.model.graph.kind(*node).to_string(),
            Item::Block(rows) => {
                let count: usize =
                    rows.iter().map(|row| self.model.graph.kind(*row).components()).sum();
                format!("a block of {count} rows")
            }
            Item::Body(_) => "a body".to_owned(),
            Item::Broken => "something broken".to_owned(),
        }
    }

    pub(super) fn type_error(&mut self, span: Span, message: String, found: &str) {
        let error =
            Diagnostic::new(ErrorKind::Type, span, message).label(format!("this is {found}"));
        self.errors.push(error);
    }

    /// The node of an item that must be of type `kind`.
    pub(super) fn typed(
        &mut self,
        item: Item,
        at: ExprId,
        kind: Type,
        what: &str,
    ) -> Option<NodeId> {
        match item {
            Item::Value(node) if self.model.graph.kind(node) == kind => Some(node),
            Item::Broken => None,
            item => {
                let found = self.describe(&item);
                let message = format!("{what} must be {kind}, found {found}");
                let help = match (&item, kind) {
                    (Item::Value(node), Type::Scalar)
                        if self.model.graph.kind(*node) == Type::Vector
                            && what == "an element of a vector" =>
                    {
                        Some("rows are put together in a block: `{ v, s }`")
                    }
                    (Item::Value(node), Type::Vector)
                        if self.model.graph.kind(*node) == Type::Scalar =>
                    {
                        Some("a vector is written `[x, y]`")
                    }
                    (Item::Value(node), Type::Scalar)
                        if self.model.graph.kind(*node) == Type::Vector =>
                    {
                        Some("its length is `|v|`, its components are `v.x` and `v.y`")
                    }
                    (Item::Body(_), _) => Some("use its `.position` or `.rotation`"),
                    _ => None,
                };
                let error = Diagnostic::new(ErrorKind::Type, self.syntax.span(at), message)
                    .label(format!("this is {found}"))
                    .help_if(help.map(str::to_owned));
                self.errors.push(error);
                None
            }
        }
    }

    /// The rows of an item: a scalar, a vector, or a block of them.
    pub(super) fn rows(&mut self, item: Item, at: ExprId, what: &str) -> Option<Vec<NodeId>> {
        match item {
            Item::Value(node) if self.model.graph.kind(node) != Type::Matrix => Some(vec![node]),
            Item::Block(rows) => Some(rows),
            Item::Broken => None,
            item => {
                let found = self.describe(&item);
                let message =
                    format!("{what} must be a scalar, a vector or a block of them, found {found}");
                self.type_error(self.syntax.span(at), message, &found);
                None
            }
        }
    }
}

fn values(graph: &mut Graph, operator: Binary, a: NodeId, b: NodeId) -> Option<NodeId> {
    use Type::{Matrix, Scalar, Vector};
    let kinds = (graph.kind(a), graph.kind(b));
    Some(match (operator, kinds) {
        (Binary::Add, (left, right)) if left == right => graph.add(a, b),
        (Binary::Subtract, (left, right)) if left == right => graph.sub(a, b),
        (Binary::Multiply, (Scalar, _) | (_, Scalar) | (Matrix, _)) => graph.mul(a, b),
        (Binary::Divide, (_, Scalar)) => graph.div(a, b),
        (Binary::Dot, (Vector, Vector)) => graph.dot(a, b),
        (Binary::Dot | Binary::Outer, (Scalar, Scalar)) => graph.mul(a, b),
        (Binary::Cross, (Vector, Vector)) => graph.cross(a, b),
        (Binary::Cross, (Scalar, Vector)) => {
            let turned = graph.perp(b);
            graph.mul(a, turned)
        }
        (Binary::Cross, (Vector, Scalar)) => {
            let turned = graph.perp(a);
            let product = graph.mul(b, turned);
            graph.neg(product)
        }
        (Binary::Outer, (Vector, Vector)) => graph.outer(a, b),
        (Binary::Outer, (Vector, Scalar)) => graph.mul(a, b),
        _ => return None,
    })
}

fn blocks(graph: &mut Graph, operator: Binary, a: &[NodeId], b: &[NodeId]) -> Option<Item> {
    let combine = match operator {
        Binary::Add => Graph::add,
        Binary::Subtract => Graph::sub,
        _ => return None,
    };
    let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| graph.kind(*a) == graph.kind(*b));
    same.then(|| Item::Block(a.iter().zip(b).map(|(a, b)| combine(graph, *a, *b)).collect()))
}
