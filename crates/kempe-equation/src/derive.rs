//! Derivatives along motions of the bodies.
//!
//! There is one operator: d/ds of an expression while the bodies, the parameters and the clock
//! move in a stated way. Everything else follows from it:
//!
//! | motion | gives |
//! |---|---|
//! | every body with its own velocity, the clock running | V = dC/dt = J v + ∂C/∂t |
//! | the same once more, velocities held | (dJ/dt) v + d(∂C/∂t)/dt |
//! | only the clock and driven parameters | the velocity bias ∂C/∂t |
//! | one body along one of its freedoms, at unit speed | a column of J |
//! | the same, of Jᵀλ | a column of ∂(Jᵀλ)/∂x |
//! | one velocity growing at unit rate, poses held | a column of A, where V = A v + b |
//!
//! No coordinate is ever differentiated by: J is what multiplies (v, ω). In the plane that is the
//! same, in space (quaternions) it is not.

use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::types::Type;

/// Degrees of freedom of a body: x, y and the angle.
pub(crate) const FREEDOMS: usize = 3;

/// What moves, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// Every body with its velocity, the clock and the driven parameters too.
    All,
    /// The clock and the driven parameters.
    Clock,
    /// One body along one freedom, at unit speed.
    Body { slot: usize, freedom: usize },
    /// One component of one velocity, at unit rate.
    Velocity { slot: usize, freedom: usize },
}

/// The rates of the parameters, where they have one.
pub(crate) type Rates<'a> = &'a [Option<NodeId>];

/// The derivatives of `roots` along `motion`.
pub(crate) fn along(
    graph: &mut Graph,
    roots: &[NodeId],
    motion: Motion,
    rates: Rates<'_>,
) -> Vec<NodeId> {
    let order = graph.order(roots);
    // A rate is itself an expression; it is the derivative of a parameter, not looked into here.
    let mut known = vec![Graph::ZERO; graph.len()];
    for id in order {
        known[id.0 as usize] = derivative(graph, id, &known, motion, rates);
    }
    roots.iter().map(|root| known[root.0 as usize]).collect()
}

/// The derivative of one node, those of its children being known.
fn derivative(
    graph: &mut Graph,
    id: NodeId,
    known: &[NodeId],
    motion: Motion,
    rates: Rates<'_>,
) -> NodeId {
    let d = |a: NodeId| known[a.0 as usize];
    let kind = graph.kind(id);
    let node = graph.node(id);
    if let Node::Leaf(leaf) = node {
        return leaf_derivative(graph, leaf, motion, rates);
    }
    if node.children().all(|child| Graph::is_zero(d(child))) {
        return Graph::zero(kind);
    }
    match node {
        Node::Number(_) | Node::Leaf(_) | Node::Sign(_) => Graph::zero(kind),
        Node::Add(a, b) => graph.add(d(a), d(b)),
        Node::Sub(a, b) => graph.sub(d(a), d(b)),
        Node::Neg(a) => graph.neg(d(a)),
        Node::Mul(a, b) => product(graph, Graph::mul, (a, d(a)), (b, d(b))),
        Node::Dot(a, b) => product(graph, Graph::dot, (a, d(a)), (b, d(b))),
        Node::Cross(a, b) => product(graph, Graph::cross, (a, d(a)), (b, d(b))),
        Node::Outer(a, b) => product(graph, Graph::outer, (a, d(a)), (b, d(b))),
        // d(a/b) = (da − (a/b) db) / b
        Node::Div(a, b) => {
            let part = graph.mul(d(b), id);
            let top = graph.sub(d(a), part);
            graph.div(top, b)
        }
        Node::Power(a, b) => power(graph, id, (a, d(a)), (b, d(b))),
        Node::Perp(a) => graph.perp(d(a)),
        Node::Transpose(a) => graph.transpose(d(a)),
        Node::Component(a, index) => graph.component(d(a), index),
        Node::Entry(a, index) => graph.entry(d(a), index),
        Node::Vector(x, y) => graph.vector(d(x), d(y)),
        Node::Matrix(entries) => graph.matrix(entries.map(d)),
        // d|u| = û · du
        Node::Norm(a) => {
            let direction = graph.unit(a);
            graph.dot(direction, d(a))
        }
        // dû = (û × du) ⊥û / |u|: a direction can only turn
        Node::Unit(a) => {
            let turn = graph.cross(id, d(a));
            let square = graph.dot(a, a);
            let inverse = graph.inverse_sqrt(square);
            let rate = graph.mul(turn, inverse);
            let across = graph.perp(id);
            graph.mul(rate, across)
        }
        // d(R(θ)u) = dθ ⊥(R(θ)u) + R(θ)du
        Node::Rotate(angle, u) => {
            let across = graph.perp(id);
            let turning = graph.mul(d(angle), across);
            let carried = graph.rotate(angle, d(u));
            graph.add(turning, carried)
        }
        Node::Sqrt(a) => {
            let inverse = graph.inverse_sqrt(a);
            let half = graph.number(0.5);
            let slope = graph.mul(half, inverse);
            graph.mul(slope, d(a))
        }
        // d a^(−1/2) = −½ a^(−3/2) da
        Node::InverseSqrt(a) => {
            let square = graph.mul(id, id);
            let cube = graph.mul(square, id);
            let factor = graph.number(-0.5);
            let slope = graph.mul(factor, cube);
            graph.mul(slope, d(a))
        }
        Node::Inverse(a) => {
            let square = graph.mul(id, id);
            let slope = graph.neg(square);
            graph.mul(slope, d(a))
        }
        Node::Sin(a) => {
            let slope = graph.cos(a);
            graph.mul(slope, d(a))
        }
        Node::Cos(a) => {
            let slope = graph.sin(a);
            let change = graph.mul(slope, d(a));
            graph.neg(change)
        }
        Node::Asin(a) => {
            let slope = arc_slope(graph, a);
            graph.mul(slope, d(a))
        }
        Node::Acos(a) => {
            let slope = arc_slope(graph, a);
            let change = graph.mul(slope, d(a));
            graph.neg(change)
        }
        // d atan2(y, x) = (x dy − y dx) / (x² + y²)
        Node::Atan2(y, x) => {
            let (a, b) = (graph.mul(x, d(y)), graph.mul(y, d(x)));
            let turn = graph.sub(a, b);
            let (xx, yy) = (graph.mul(x, x), graph.mul(y, y));
            let square = graph.add(xx, yy);
            let inverse = graph.inverse(square);
            graph.mul(inverse, turn)
        }
        Node::Exp(a) => graph.mul(id, d(a)),
        Node::Ln(a) => graph.div(d(a), a),
        Node::Abs(a) => {
            let slope = graph.sign(a);
            graph.mul(slope, d(a))
        }
        Node::Min(a, b) => graph.select(b, a, d(a), d(b)),
        Node::Max(a, b) => graph.select(a, b, d(a), d(b)),
        Node::Select([a, b, yes, no]) => graph.select(a, b, d(yes), d(no)),
    }
}

/// da·b + a·db for any bilinear product.
fn product(
    graph: &mut Graph,
    multiply: fn(&mut Graph, NodeId, NodeId) -> NodeId,
    (a, da): (NodeId, NodeId),
    (b, db): (NodeId, NodeId),
) -> NodeId {
    let first = multiply(graph, da, b);
    let second = multiply(graph, a, db);
    graph.add(first, second)
}

/// d(a^b) = b a^(b−1) da + a^b ln a db
fn power(
    graph: &mut Graph,
    id: NodeId,
    (a, da): (NodeId, NodeId),
    (b, db): (NodeId, NodeId),
) -> NodeId {
    let lower = graph.sub(b, Graph::ONE);
    let reduced = graph.power(a, lower);
    let slope = graph.mul(b, reduced);
    let first = graph.mul(slope, da);
    if Graph::is_zero(db) {
        return first;
    }
    let ln = graph.ln(a);
    let growth = graph.mul(id, ln);
    let second = graph.mul(growth, db);
    graph.add(first, second)
}

/// 1/√(1 − a²), 0 at the ends.
fn arc_slope(graph: &mut Graph, a: NodeId) -> NodeId {
    let square = graph.mul(a, a);
    let rest = graph.sub(Graph::ONE, square);
    graph.inverse_sqrt(rest)
}

fn leaf_derivative(graph: &mut Graph, leaf: Leaf, motion: Motion, rates: Rates<'_>) -> NodeId {
    let clock = matches!(motion, Motion::All | Motion::Clock);
    let moved = |graph: &mut Graph, which: u8, slot: usize, freedom: usize| {
        if usize::from(which) != slot {
            return Graph::zero(leaf.kind());
        }
        match (leaf.kind(), freedom) {
            (Type::Vector, 0) => graph.vector(Graph::ONE, Graph::ZERO),
            (Type::Vector, 1) => graph.vector(Graph::ZERO, Graph::ONE),
            (Type::Scalar, 2) => Graph::ONE,
            _ => Graph::zero(leaf.kind()),
        }
    };
    match (leaf, motion) {
        (Leaf::Position(body), Motion::All) => graph.leaf(Leaf::Velocity(body)),
        (Leaf::Rotation(body), Motion::All) => graph.leaf(Leaf::AngularVelocity(body)),
        (Leaf::Position(body) | Leaf::Rotation(body), Motion::Body { slot, freedom }) => {
            moved(graph, body, slot, freedom)
        }
        (
            Leaf::Velocity(body) | Leaf::AngularVelocity(body),
            Motion::Velocity { slot, freedom },
        ) => moved(graph, body, slot, freedom),
        (Leaf::Parameter(index, kind), _) if clock => {
            rates.get(usize::from(index)).copied().flatten().unwrap_or(Graph::zero(kind))
        }
        (Leaf::Time, _) if clock => Graph::ONE,
        _ => Graph::zero(leaf.kind()),
    }
}
