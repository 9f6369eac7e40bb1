//! Expressions as a graph in which equal parts are one node.
//!
//! Every node is made by a function of [`build`](self) that simplifies as it goes: constants are
//! folded, zeros and ones vanish, signs move outwards (negation is exact, so this never changes a
//! rounding), and a node that exists already is found again. Common subexpressions are therefore
//! shared without a pass of their own, and a node's children always have smaller ids than it has,
//! so every walk over the graph is a loop.

mod build;
mod functions;

use crate::limits::MAX_NODES;
use crate::types::Type;
use std::collections::HashMap;

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// A quantity that comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Leaf {
    /// Of the body in a slot.
    Position(u8),
    /// Of the body in a slot, unwrapped.
    Rotation(u8),
    Velocity(u8),
    AngularVelocity(u8),
    /// cos and sin of the rotation, which the state of a body holds ready.
    Cosine(u8),
    Sine(u8),
    InverseMass(u8),
    InverseInertia(u8),
    Parameter(u16, Type),
    Time,
    /// The direction that a vector had when it last had one.
    Memory(u16),
    /// λ of a row.
    Multiplier(u16),
    /// The change of a position since the start of the step, and so on.
    DeltaPosition(u8),
    DeltaRotation(u8),
    DeltaParameter(u16, Type),
    DeltaTime,
    /// A value from the start of the step.
    Base(u16),
    /// From the first body to the second.
    Offset,
}

impl Leaf {
    pub(crate) fn kind(self) -> Type {
        match self {
            Self::Position(_)
            | Self::Velocity(_)
            | Self::Memory(_)
            | Self::DeltaPosition(_)
            | Self::Offset => Type::Vector,
            Self::Parameter(_, kind) | Self::DeltaParameter(_, kind) => kind,
            _ => Type::Scalar,
        }
    }

    pub(crate) fn is_velocity(self) -> bool {
        matches!(self, Self::Velocity(_) | Self::AngularVelocity(_))
    }

    pub(crate) fn is_body(self) -> bool {
        use Leaf::{AngularVelocity, Position, Rotation, Velocity};
        matches!(self, Position(_) | Rotation(_) | Velocity(_) | AngularVelocity(_))
    }
}

/// An operation on earlier nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// The bits of an f64.
    Number(u64),
    Leaf(Leaf),
    Add(NodeId, NodeId),
    Sub(NodeId, NodeId),
    Neg(NodeId),
    /// Scalar times anything, matrix times vector, matrix times matrix.
    Mul(NodeId, NodeId),
    /// Anything by a scalar.
    Div(NodeId, NodeId),
    Power(NodeId, NodeId),
    Dot(NodeId, NodeId),
    Cross(NodeId, NodeId),
    Outer(NodeId, NodeId),
    Perp(NodeId),
    Unit(NodeId),
    Norm(NodeId),
    /// A vector turned by an angle.
    Rotate(NodeId, NodeId),
    Vector(NodeId, NodeId),
    /// By rows.
    Matrix([NodeId; 4]),
    Component(NodeId, u8),
    /// Of a matrix, 2·row + column.
    Entry(NodeId, u8),
    Transpose(NodeId),
    Sqrt(NodeId),
    /// 1/√x, and 0 where x is below [`TINY`].
    InverseSqrt(NodeId),
    /// 1/x, and 0 where x is below [`TINY`].
    Inverse(NodeId),
    Sin(NodeId),
    Cos(NodeId),
    Asin(NodeId),
    Acos(NodeId),
    /// y, x
    Atan2(NodeId, NodeId),
    Exp(NodeId),
    Ln(NodeId),
    Abs(NodeId),
    Sign(NodeId),
    Min(NodeId, NodeId),
    Max(NodeId, NodeId),
    /// a > b ? c : d
    Select([NodeId; 4]),
}

/// The square of a length below which it counts as zero: 10⁻¹⁵ m, which squares to a normal
/// number in f32 too.
pub(crate) const TINY: f64 = 1e-30;

impl Node {
    /// The nodes that this one is computed from.
    pub(crate) fn children(self) -> impl Iterator<Item = NodeId> {
        use Node::*;
        let list = match self {
            Number(_) | Leaf(_) => [None; 4],
            Neg(a)
            | Perp(a)
            | Unit(a)
            | Norm(a)
            | Component(a, _)
            | Entry(a, _)
            | Transpose(a)
            | Sqrt(a)
            | InverseSqrt(a)
            | Inverse(a)
            | Sin(a)
            | Cos(a)
            | Asin(a)
            | Acos(a)
            | Exp(a)
            | Ln(a)
            | Abs(a)
            | Sign(a) => [Some(a), None, None, None],
            Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Div(a, b)
            | Power(a, b)
            | Dot(a, b)
            | Cross(a, b)
            | Outer(a, b)
            | Rotate(a, b)
            | Vector(a, b)
            | Atan2(a, b)
            | Min(a, b)
            | Max(a, b) => [Some(a), Some(b), None, None],
            Matrix(all) | Select(all) => all.map(Some),
        };
        list.into_iter().flatten()
    }
}

/// The expressions of one program.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    kinds: Vec<Type>,
    known: HashMap<Node, NodeId>,
    overflowed: bool,
}

impl Graph {
    pub(crate) const ZERO: NodeId = NodeId(0);
    pub(crate) const ONE: NodeId = NodeId(1);
    const ZERO_VECTOR: NodeId = NodeId(2);
    const ZERO_MATRIX: NodeId = NodeId(3);

    pub(crate) fn new() -> Self {
        let mut graph =
            Self { nodes: Vec::new(), kinds: Vec::new(), known: HashMap::new(), overflowed: false };
        let zero = graph.push(Node::Number(0.0_f64.to_bits()), Type::Scalar);
        graph.push(Node::Number(1.0_f64.to_bits()), Type::Scalar);
        graph.push(Node::Vector(zero, zero), Type::Vector);
        graph.push(Node::Matrix([zero; 4]), Type::Matrix);
        graph
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Type {
        self.kinds[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node with this content, if there is one.
    pub(crate) fn find(&self, node: Node) -> Option<NodeId> {
        self.known.get(&node).copied()
    }

    /// Whether more nodes were asked for than [`MAX_NODES`]. The graph is then of no use.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The zero of a type.
    pub(crate) fn zero(kind: Type) -> NodeId {
        match kind {
            Type::Scalar => Self::ZERO,
            Type::Vector => Self::ZERO_VECTOR,
            Type::Matrix => Self::ZERO_MATRIX,
        }
    }

    pub(crate) fn is_zero(id: NodeId) -> bool {
        matches!(id, Self::ZERO | Self::ZERO_VECTOR | Self::ZERO_MATRIX)
    }

    /// The node with this content: the one that exists, or a new one.
    fn push(&mut self, node: Node, kind: Type) -> NodeId {
        if let Some(found) = self.known.get(&node) {
            return *found;
        }
        if self.nodes.len() >= MAX_NODES {
            self.overflowed = true;
            return Self::zero(kind);
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.kinds.push(kind);
        self.known.insert(node, id);
        id
    }

    /// By node: whether it is a scalar that cannot be negative, as far as its structure shows.
    pub(crate) fn never_negative(&self) -> Vec<bool> {
        let mut never: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |id: NodeId| never[id.0 as usize];
            let holds = match *node {
                Node::Number(bits) => f64::from_bits(bits) >= 0.0,
                Node::Norm(_) | Node::Abs(_) | Node::Sqrt(_) | Node::Exp(_) => true,
                Node::Dot(a, b) => a == b,
                Node::Mul(a, b) => self.kind(a) == Type::Scalar && (a == b || of(a) && of(b)),
                Node::Add(a, b) | Node::Div(a, b) | Node::Min(a, b) => of(a) && of(b),
                Node::Max(a, b) => of(a) || of(b),
                _ => false,
            };
            never.push(holds);
        }
        never
    }

    /// The nodes that `roots` are computed from, themselves included, children first.
    pub(crate) fn order(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = roots.to_vec();
        let mut order = Vec::new();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            order.push(id);
            stack.extend(self.node(id).children());
        }
        order.sort_unstable();
        order
    }

    /// Whether `root` depends on a leaf for which `test` holds.
    pub(crate) fn depends(&self, root: NodeId, test: impl Fn(Leaf) -> bool) -> bool {
        self.order(&[root])
            .into_iter()
            .any(|id| matches!(self.node(id), Node::Leaf(leaf) if test(leaf)))
    }

    /// Brings `bits`, one for each of the first nodes, up to date: whether a node depends on a leaf
    /// for which `test` holds.
    pub(crate) fn mark(&self, bits: &mut Vec<bool>, test: impl Fn(Leaf) -> bool) {
        for id in bits.len()..self.nodes.len() {
            let node = self.nodes[id];
            let bit = match node {
                Node::Leaf(leaf) => test(leaf),
                _ => node.children().any(|child| bits[child.0 as usize]),
            };
            bits.push(bit);
        }
    }

    /// `roots` with every leaf replaced. What is built anew is simplified anew.
    pub(crate) fn replace(
        &mut self,
        roots: &[NodeId],
        mut with: impl FnMut(&mut Self, Leaf) -> NodeId,
    ) -> Vec<NodeId> {
        let mut known = vec![Self::ZERO; self.len()];
        for id in self.order(roots) {
            known[id.0 as usize] = match self.node(id) {
                Node::Leaf(leaf) => with(self, leaf),
                node => self.rebuild(node, |child| known[child.0 as usize], id),
            };
        }
        roots.iter().map(|root| known[root.0 as usize]).collect()
    }
}
