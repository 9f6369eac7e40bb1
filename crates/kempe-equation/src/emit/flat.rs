//! What Rust has no word for: matrices become their entries, whole powers products, and choices
//! between vectors choices between numbers. Vectors stay.

use crate::graph::{Graph, Leaf, Node, NodeId, TINY};
use crate::types::Type;

/// By node, itself rewritten; of a matrix the entries, by rows.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    known: Vec<Option<[NodeId; 4]>>,
}

impl Flat {
    /// Rewrites everything that `roots` are computed from.
    pub(super) fn new(graph: &mut Graph, roots: &[NodeId]) -> Self {
        let mut flat = Self { known: vec![None; graph.len()] };
        for id in graph.order(roots) {
            let parts = if graph.kind(id) == Type::Matrix {
                flat.matrix(graph, id)
            } else {
                [flat.node(graph, id), Graph::ZERO, Graph::ZERO, Graph::ZERO]
            };
            flat.known[id.0 as usize] = Some(parts);
        }
        flat
    }

    /// A scalar or a vector.
    pub(super) fn one(&self, id: NodeId) -> NodeId {
        self.entries(id)[0]
    }

    /// The entries of a matrix.
    pub(super) fn entries(&self, id: NodeId) -> [NodeId; 4] {
        self.known.get(id.0 as usize).copied().flatten().unwrap_or([Graph::ZERO; 4])
    }

    /// Whether a node was among those that were rewritten.
    pub(super) fn has(&self, id: NodeId) -> bool {
        self.known.get(id.0 as usize).is_some_and(Option::is_some)
    }

    fn matrix(&self, graph: &mut Graph, id: NodeId) -> [NodeId; 4] {
        let (p, s) = (|a: NodeId| self.entries(a), |a: NodeId| self.one(a));
        let each = |part: &mut dyn FnMut(usize) -> NodeId| std::array::from_fn(part);
        match graph.node(id) {
            Node::Leaf(Leaf::Parameter(..)) => each(&mut |k| graph.entry(id, k as u8)),
            Node::Add(a, b) => each(&mut |k| graph.add(p(a)[k], p(b)[k])),
            Node::Sub(a, b) => each(&mut |k| graph.sub(p(a)[k], p(b)[k])),
            Node::Neg(a) => each(&mut |k| graph.neg(p(a)[k])),
            Node::Mul(a, b) if graph.kind(a) == Type::Matrix => each(&mut |k| {
                let (row, column) = (k & 2, k & 1);
                let first = graph.mul(p(a)[row], p(b)[column]);
                let second = graph.mul(p(a)[row + 1], p(b)[column + 2]);
                graph.add(first, second)
            }),
            Node::Mul(a, b) => each(&mut |k| graph.mul(s(a), p(b)[k])),
            Node::Div(a, b) => each(&mut |k| graph.div(p(a)[k], s(b))),
            Node::Outer(a, b) => each(&mut |k| {
                let (row, column) = ((k / 2) as u8, (k % 2) as u8);
                let (u, v) = (graph.component(s(a), row), graph.component(s(b), column));
                graph.mul(u, v)
            }),
            Node::Matrix(entries) => entries.map(s),
            Node::Transpose(a) => {
                let [xx, xy, yx, yy] = p(a);
                [xx, yx, xy, yy]
            }
            Node::Select([a, b, yes, no]) => {
                each(&mut |k| graph.select(s(a), s(b), p(yes)[k], p(no)[k]))
            }
            // Nothing else is a matrix.
            _ => [Graph::ZERO; 4],
        }
    }

    fn node(&self, graph: &mut Graph, id: NodeId) -> NodeId {
        let (p, s) = (|a: NodeId| self.entries(a), |a: NodeId| self.one(a));
        match graph.node(id) {
            Node::Mul(a, b) if graph.kind(a) == Type::Matrix => {
                let (x, y) = (graph.component(s(b), 0), graph.component(s(b), 1));
                let mut row = |k: usize| {
                    let (first, second) = (graph.mul(p(a)[k], x), graph.mul(p(a)[k + 1], y));
                    graph.add(first, second)
                };
                let (x, y) = (row(0), row(2));
                graph.vector(x, y)
            }
            Node::Entry(a, index) => p(a)[usize::from(index & 3)],
            Node::Power(a, b) => power(graph, s(a), s(b)),
            Node::Select([a, b, yes, no]) if graph.kind(id) == Type::Vector => {
                let mut part = |index: u8| {
                    let yes = graph.component(s(yes), index);
                    let no = graph.component(s(no), index);
                    graph.select(s(a), s(b), yes, no)
                };
                let (x, y) = (part(0), part(1));
                graph.vector(x, y)
            }
            node @ (Node::InverseSqrt(a) | Node::Inverse(a)) => {
                let root = matches!(node, Node::InverseSqrt(_));
                let bottom = if root { graph.sqrt(s(a)) } else { s(a) };
                let (tiny, inverse) = (graph.number(TINY), graph.div(Graph::ONE, bottom));
                graph.select(tiny, s(a), Graph::ZERO, inverse)
            }
            node => graph.rebuild(node, s, id),
        }
    }
}

/// A power with a small whole exponent is a product, as on the tapes.
fn power(graph: &mut Graph, base: NodeId, exponent: NodeId) -> NodeId {
    let whole = graph.as_number(exponent).filter(|n| n.fract() == 0.0 && n.abs() <= 16.0);
    let Some(n) = whole else {
        return graph.power(base, exponent);
    };
    let (mut result, mut square) = (Graph::ONE, base);
    let mut left = n.abs() as u32;
    while left > 0 {
        if left & 1 == 1 {
            result = graph.mul(result, square);
        }
        left >>= 1;
        if left > 0 {
            square = graph.mul(square, square);
        }
    }
    if n < 0.0 { graph.div(Graph::ONE, result) } else { result }
}
