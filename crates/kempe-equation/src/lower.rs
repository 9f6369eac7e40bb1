//! Vectors and matrices to scalars.
//!
//! The result is a graph of scalar nodes alone, with the components of the leaves at its ends:
//! what a tape computes. Here too the guards at zero length become choices:
//! û = u/|u| unless |u|² < 10⁻³⁰, and there the remembered direction. They are written so that NaN
//! takes the first way and is seen.

use crate::graph::{Graph, Leaf, Node, NodeId, TINY};
use crate::types::Type;

/// The scalar components of nodes, and the vectors whose directions are remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowering {
    parts: Vec<Option<[NodeId; 4]>>,
    /// The vector of each memory, as (x, y).
    pub memories: Vec<[NodeId; 2]>,
}

impl Lowering {
    /// The components of `roots`: one node for a scalar, two for a vector, four for a matrix.
    pub(crate) fn lower(&mut self, graph: &mut Graph, roots: &[NodeId]) -> Vec<[NodeId; 4]> {
        for id in graph.order(roots) {
            let index = id.0 as usize;
            if self.parts.len() <= index {
                self.parts.resize(index + 1, None);
            }
            if self.parts[index].is_none() {
                let parts = self.node(graph, id);
                self.parts[index] = Some(parts);
            }
        }
        roots.iter().map(|root| self.parts(*root)).collect()
    }

    /// One scalar.
    pub(crate) fn scalar(&mut self, graph: &mut Graph, root: NodeId) -> NodeId {
        self.lower(graph, &[root])[0][0]
    }

    fn parts(&self, id: NodeId) -> [NodeId; 4] {
        self.parts.get(id.0 as usize).copied().flatten().unwrap_or([Graph::ZERO; 4])
    }

    fn node(&mut self, graph: &mut Graph, id: NodeId) -> [NodeId; 4] {
        let kind = graph.kind(id);
        let count = kind.components();
        let p = |a: NodeId| self.parts(a);
        let s = |a: NodeId| self.parts(a)[0];
        let one = |a: NodeId| [a, Graph::ZERO, Graph::ZERO, Graph::ZERO];
        match graph.node(id) {
            Node::Number(_) => one(id),
            Node::Leaf(leaf) => leaf_parts(graph, leaf, id),
            Node::Add(a, b) => each(count, |k| graph.add(p(a)[k], p(b)[k])),
            Node::Sub(a, b) => each(count, |k| graph.sub(p(a)[k], p(b)[k])),
            Node::Neg(a) => each(count, |k| graph.neg(p(a)[k])),
            Node::Mul(a, b) => multiply(graph, (graph.kind(a), p(a)), (kind, p(b))),
            Node::Div(a, b) => each(count, |k| graph.div(p(a)[k], s(b))),
            Node::Power(a, b) => one(power(graph, s(a), s(b))),
            Node::Dot(a, b) => one(sum_of_products(graph, p(a), p(b))),
            Node::Cross(a, b) => {
                let ([ax, ay, ..], [bx, by, ..]) = (p(a), p(b));
                let (first, second) = (graph.mul(ax, by), graph.mul(ay, bx));
                one(graph.sub(first, second))
            }
            Node::Outer(a, b) => each(count, |k| graph.mul(p(a)[k / 2], p(b)[k % 2])),
            Node::Perp(a) => {
                let [x, y, ..] = p(a);
                [graph.neg(y), x, Graph::ZERO, Graph::ZERO]
            }
            Node::Norm(a) => {
                let square = sum_of_products(graph, p(a), p(a));
                one(graph.sqrt(square))
            }
            Node::Unit(a) => {
                let u = p(a);
                self.unit(graph, [u[0], u[1]])
            }
            Node::Rotate(angle, u) => rotate(graph, s(angle), p(u)),
            Node::Vector(x, y) => [s(x), s(y), Graph::ZERO, Graph::ZERO],
            Node::Matrix(entries) => entries.map(s),
            Node::Component(a, index) | Node::Entry(a, index) => one(p(a)[usize::from(index)]),
            Node::Transpose(a) => {
                let [xx, xy, yx, yy] = p(a);
                [xx, yx, xy, yy]
            }
            Node::Sqrt(a) => one(graph.sqrt(s(a))),
            Node::InverseSqrt(a) => one(guarded(graph, s(a), true)),
            Node::Inverse(a) => one(guarded(graph, s(a), false)),
            Node::Sin(a) => one(sin(graph, s(a))),
            Node::Cos(a) => one(cos(graph, s(a))),
            Node::Asin(a) => one(graph.asin(s(a))),
            Node::Acos(a) => one(graph.acos(s(a))),
            Node::Atan2(y, x) => {
                let (y, x) = (s(y), s(x));
                one(self.atan2(graph, y, x))
            }
            Node::Exp(a) => one(graph.exp(s(a))),
            Node::Ln(a) => one(graph.ln(s(a))),
            Node::Abs(a) => one(graph.abs(s(a))),
            Node::Sign(a) => one(graph.sign(s(a))),
            Node::Min(a, b) => one(graph.min(s(a), s(b))),
            Node::Max(a, b) => one(graph.max(s(a), s(b))),
            Node::Select([a, b, yes, no]) => {
                each(count, |k| graph.select(s(a), s(b), p(yes)[k], p(no)[k]))
            }
        }
    }

    /// Which memory the vector (x, y) has.
    fn site(&mut self, vector: [NodeId; 2]) -> usize {
        let known = self.memories.iter().position(|each| *each == vector);
        known.unwrap_or_else(|| {
            self.memories.push(vector);
            self.memories.len() - 1
        })
    }

    fn unit(&mut self, graph: &mut Graph, vector: [NodeId; 2]) -> [NodeId; 4] {
        let site = self.site(vector);
        let [x, y] = direction(graph, vector, site);
        [x, y, Graph::ZERO, Graph::ZERO]
    }

    /// At the origin, the angle of the remembered direction.
    fn atan2(&mut self, graph: &mut Graph, y: NodeId, x: NodeId) -> NodeId {
        let tiny = graph.number(TINY);
        let square = sum_of_products(graph, [x, y, x, y], [x, y, x, y]);
        let [last_x, last_y] = memory(graph, self.site([x, y]));
        let x = graph.select(tiny, square, last_x, x);
        let y = graph.select(tiny, square, last_y, y);
        graph.atan2(y, x)
    }
}

/// The remembered direction of a site.
fn memory(graph: &mut Graph, site: usize) -> [NodeId; 2] {
    let leaf = graph.leaf(Leaf::Memory(site as u16));
    [graph.component(leaf, 0), graph.component(leaf, 1)]
}

/// The direction of a vector, or the remembered one.
pub(crate) fn direction(graph: &mut Graph, [x, y]: [NodeId; 2], site: usize) -> [NodeId; 2] {
    let tiny = graph.number(TINY);
    let square = sum_of_products(graph, [x, y, x, y], [x, y, x, y]);
    // No guard on the inverse: where it would be infinite the other side is chosen.
    let length = graph.sqrt(square);
    let inverse = graph.div(Graph::ONE, length);
    let last = memory(graph, site);
    let mut part = |u: NodeId, last: NodeId| {
        let scaled = graph.mul(u, inverse);
        graph.select(tiny, square, last, scaled)
    };
    [part(x, last[0]), part(y, last[1])]
}

fn each(count: usize, mut part: impl FnMut(usize) -> NodeId) -> [NodeId; 4] {
    std::array::from_fn(|k| if k < count { part(k) } else { Graph::ZERO })
}

fn leaf_parts(graph: &mut Graph, leaf: Leaf, id: NodeId) -> [NodeId; 4] {
    match leaf.kind() {
        Type::Scalar => [id, Graph::ZERO, Graph::ZERO, Graph::ZERO],
        Type::Vector => each(2, |k| graph.component(id, k as u8)),
        Type::Matrix => each(4, |k| graph.entry(id, k as u8)),
    }
}

fn multiply(
    graph: &mut Graph,
    (left, a): (Type, [NodeId; 4]),
    (right, b): (Type, [NodeId; 4]),
) -> [NodeId; 4] {
    match (left, right) {
        (Type::Matrix, Type::Matrix) => each(4, |k| {
            let (row, column) = (k & 2, k & 1);
            sum_of_products(
                graph,
                [a[row], a[row + 1], Graph::ZERO, Graph::ZERO],
                [b[column], b[column + 2], Graph::ZERO, Graph::ZERO],
            )
        }),
        (Type::Matrix, _) => each(2, |k| {
            sum_of_products(graph, [a[2 * k], a[2 * k + 1], Graph::ZERO, Graph::ZERO], b)
        }),
        _ => each(right.components(), |k| graph.mul(a[0], b[k])),
    }
}

/// a₀b₀ + a₁b₁
fn sum_of_products(graph: &mut Graph, a: [NodeId; 4], b: [NodeId; 4]) -> NodeId {
    let (first, second) = (graph.mul(a[0], b[0]), graph.mul(a[1], b[1]));
    graph.add(first, second)
}

fn sin(graph: &mut Graph, angle: NodeId) -> NodeId {
    match graph.node(angle) {
        Node::Leaf(Leaf::Rotation(slot)) => graph.leaf(Leaf::Sine(slot)),
        _ => graph.sin(angle),
    }
}

fn cos(graph: &mut Graph, angle: NodeId) -> NodeId {
    match graph.node(angle) {
        Node::Leaf(Leaf::Rotation(slot)) => graph.leaf(Leaf::Cosine(slot)),
        _ => graph.cos(angle),
    }
}

fn rotate(graph: &mut Graph, angle: NodeId, [x, y, ..]: [NodeId; 4]) -> [NodeId; 4] {
    // cos(−θ) and −sin(−θ): the sign must come off before the body's own sine is recognised.
    let (angle, minus) = match graph.node(angle) {
        Node::Neg(inner) => (inner, true),
        _ => (angle, false),
    };
    let (cos, mut sin) = (cos(graph, angle), sin(graph, angle));
    if minus {
        sin = graph.neg(sin);
    }
    let (cx, sy) = (graph.mul(cos, x), graph.mul(sin, y));
    let (sx, cy) = (graph.mul(sin, x), graph.mul(cos, y));
    [graph.sub(cx, sy), graph.add(sx, cy), Graph::ZERO, Graph::ZERO]
}

/// 1/√a or 1/a, 0 where a < TINY.
fn guarded(graph: &mut Graph, a: NodeId, root: bool) -> NodeId {
    let bottom = if root { graph.sqrt(a) } else { a };
    let inverse = graph.div(Graph::ONE, bottom);
    let tiny = graph.number(TINY);
    graph.select(tiny, a, Graph::ZERO, inverse)
}

/// A power with a small whole exponent is a product; any other is left to a function.
fn power(graph: &mut Graph, base: NodeId, exponent: NodeId) -> NodeId {
    let whole = graph.as_number(exponent).filter(|n| n.fract() == 0.0 && n.abs() <= 16.0);
    let Some(n) = whole else {
        return graph.power(base, exponent);
    };
    let mut result = Graph::ONE;
    let mut square = base;
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
