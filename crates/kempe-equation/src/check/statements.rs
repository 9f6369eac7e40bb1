//! What a program states: the last pass, over constraints and limits.

use super::{CheckModel, Checker};
use crate::error::{Diagnostic, ErrorKind, Span};
use crate::graph::{Leaf, NodeId};
use crate::limits::MAX_ROWS;
use crate::lower::Lowering;
use crate::syntax::{Declaration, Expr, ExprId};
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn statements(&mut self) {
        let syntax = self.syntax;
        let mut stated: [Option<Span>; 2] = [None, None];
        for declaration in &syntax.declarations {
            self.trace.clear();
            self.elements.clear();
            if let Declaration::Constraint { velocity, keyword, what } = declaration {
                self.constraint(*velocity, *keyword, *what, &mut stated[usize::from(*velocity)]);
            }
        }
        let mut limited: [Option<Span>; 2] = [None, None];
        for declaration in &syntax.declarations {
            self.trace.clear();
            self.elements.clear();
            match declaration {
                Declaration::LimitConstraint { velocity, keyword, lower, upper } => {
                    let which = usize::from(*velocity);
                    let name = ["limit constraint", "limit velocity constraint"][which];
                    let once = self.once(&mut limited[which], *keyword, name);
                    if once {
                        self.bounds(*velocity, *keyword, [*lower, *upper], stated[which]);
                    }
                }
                Declaration::Limit { what, lower, upper } => self.limit(*what, *lower, *upper),
                _ => {}
            }
        }
        let nothing = stated == [None, None] && self.model.axes.is_empty();
        let broken_axis = syntax.declarations.iter().any(|d| matches!(d, Declaration::Axis { .. }));
        if nothing && !broken_axis {
            self.errors.push(
                Diagnostic::new(
                    ErrorKind::Empty,
                    Span::new(0, 0),
                    "the program states nothing: it has no `constraint` and no `axis`",
                )
                .label("a joint needs at least one"),
            );
        }
    }

    fn once(&mut self, first: &mut Option<Span>, keyword: Span, what: &str) -> bool {
        if let Some(first) = first {
            let error = Diagnostic::new(
                ErrorKind::Duplicate,
                keyword,
                format!("a second `{what}` in one program"),
            )
            .label("stated again")
            .related(*first, "first stated here")
            .help("put all rows into one block: `{ first, second }`");
            self.errors.push(error);
            return false;
        }
        *first = Some(keyword);
        true
    }

    fn constraint(
        &mut self,
        velocity: bool,
        keyword: Span,
        what: ExprId,
        first: &mut Option<Span>,
    ) {
        let name = if velocity { "velocity constraint" } else { "constraint" };
        if !self.once(first, keyword, name) {
            return;
        }
        let item = self.expression(what);
        let Some(values) = self.rows(item, what, "a constraint") else {
            return;
        };
        if self.row_count(&values) > MAX_ROWS {
            let message = format!("a constraint has at most {MAX_ROWS} rows");
            return self.errors.push(Diagnostic::new(ErrorKind::TooLarge, keyword, message));
        }
        for value in &values {
            if velocity {
                self.require_affine(*value, what);
            } else {
                self.reject_velocities(*value, "a position constraint");
            }
        }
        let rows = if velocity { &mut self.model.velocity } else { &mut self.model.position };
        rows.values = values;
    }

    fn bounds(&mut self, velocity: bool, keyword: Span, ends: [ExprId; 2], stated: Option<Span>) {
        let items = ends.map(|end| {
            let item = self.expression(end);
            self.rows(item, end, "a bound")
        });
        let [Some(lower), Some(upper)] = items else {
            return;
        };
        let rows = if velocity { &self.model.velocity } else { &self.model.position };
        if stated.is_none() {
            let error = Diagnostic::new(
                ErrorKind::Shape,
                keyword,
                "there is no constraint that these bounds could belong to",
            )
            .help("state it with `constraint`");
            return self.errors.push(error);
        }
        if rows.values.is_empty() {
            return; // The constraint was broken, and reported.
        }
        let wanted = self.row_count(&rows.values);
        for (end, nodes) in ends.into_iter().zip([&lower, &upper]) {
            let found = self.row_count(nodes);
            if found != wanted {
                let error = Diagnostic::new(
                    ErrorKind::Shape,
                    self.syntax.span(end),
                    format!("the constraint has {wanted} rows, this bound has {found}"),
                )
                .label(format!("expected {wanted} rows"))
                .help("bounds are given row by row: `limit constraint { lo1, lo2 } { hi1, hi2 }`");
                self.errors.push(error);
                return;
            }
        }
        for (end, nodes) in ends.into_iter().zip([&lower, &upper]) {
            for node in nodes {
                self.require_bound(*node, end);
            }
        }
        let numbers = [&lower, &upper].map(|nodes| self.numbers(nodes));
        for (low, high) in numbers[0].iter().zip(&numbers[1]) {
            if let (Some(low), Some(high)) = (low, high)
                && low > high
            {
                let span = self.syntax.span(ends[0]).to(self.syntax.span(ends[1]));
                return self.errors.push(crossed(span, *low, *high));
            }
        }
        let rows = if velocity { &mut self.model.velocity } else { &mut self.model.position };
        rows.bounds = Some((lower, upper));
    }

    /// The components of rows, those that are constant as numbers.
    fn numbers(&mut self, nodes: &[NodeId]) -> Vec<Option<f64>> {
        let parts = Lowering::default().lower(&mut self.model.graph, nodes);
        let graph = &self.model.graph;
        let each = nodes.iter().zip(parts);
        each.flat_map(|(node, parts)| parts.into_iter().take(graph.kind(*node).components()))
            .map(|part| graph.as_number(part))
            .collect()
    }

    fn row_count(&self, nodes: &[NodeId]) -> usize {
        nodes.iter().map(|node| self.model.graph.kind(*node).components()).sum()
    }

    /// A bound may move with time, but not with the bodies: then it would be part of the row.
    fn require_bound(&mut self, node: NodeId, at: ExprId) {
        if self.model.graph.depends(node, Leaf::is_body) {
            let error = Diagnostic::new(
                ErrorKind::Dependency,
                self.syntax.span(at),
                "a bound depends on a body",
            )
            .label("may hold parameters and `time` only")
            .help("subtract it from the constraint instead");
            self.errors.push(error);
        }
    }

    fn limit(&mut self, what: ExprId, lower: ExprId, upper: ExprId) {
        let axis = match self.syntax.expr(what) {
            Expr::Name(name) => self.model.axes.iter().position(|axis| axis.name == *name),
            _ => None,
        };
        let items = [what, lower, upper].map(|each| (self.expression(each), each));
        let nodes = items.map(|(item, at)| self.typed(item, at, Type::Scalar, "a limit"));
        let [Some(value), Some(low), Some(high)] = nodes else {
            return;
        };
        let span = self.syntax.span(what).to(self.syntax.span(upper));
        if let (Some(low), Some(high)) =
            (self.model.graph.as_number(low), self.model.graph.as_number(high))
            && low > high
            && !self.shared
        {
            // The check stays in its place: others are found by their number.
            self.errors.push(crossed(span, low, high));
        }
        let Some(axis) = axis else {
            for node in [value, low, high] {
                self.reject_velocities(node, "a limit");
            }
            return self.model.checks.push(CheckModel { span, value, lower: low, upper: high });
        };
        self.require_bound(low, lower);
        self.require_bound(high, upper);
        if self.model.axes[axis].bounds.is_some() {
            let name = &self.model.axes[axis].name;
            let message = format!("the axis `{name}` is limited twice");
            return self
                .errors
                .push(Diagnostic::new(ErrorKind::Duplicate, span, message).label("limited again"));
        }
        self.model.axes[axis].bounds = Some((low, high));
    }
}

fn crossed(span: Span, low: f64, high: f64) -> Diagnostic {
    let message = format!("the lower bound {low} is above the upper bound {high}");
    Diagnostic::new(ErrorKind::Shape, span, message).label("nothing lies between")
}
