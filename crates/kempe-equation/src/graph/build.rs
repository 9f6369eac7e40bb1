//! Making nodes: sums, products and vectors.

use super::{Graph, Leaf, Node, NodeId};
use crate::types::Type;

impl Graph {
    pub(crate) fn number(&mut self, value: f64) -> NodeId {
        // −0 is 0: it prints badly, and nothing here tells them apart.
        let value = if value == 0.0 { 0.0 } else { value };
        self.push(Node::Number(value.to_bits()), Type::Scalar)
    }

    pub(crate) fn leaf(&mut self, leaf: Leaf) -> NodeId {
        self.push(Node::Leaf(leaf), leaf.kind())
    }

    /// The value of a number node.
    pub(crate) fn as_number(&self, id: NodeId) -> Option<f64> {
        match self.node(id) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// (whether there is a sign in front, what is behind it)
    pub(super) fn strip(&self, id: NodeId) -> (bool, NodeId) {
        match self.node(id) {
            Node::Neg(inner) => (true, inner),
            _ => (false, id),
        }
    }

    pub(super) fn signed(&mut self, negative: bool, id: NodeId) -> NodeId {
        if negative { self.neg(id) } else { id }
    }

    pub(super) fn scalar(&mut self, node: Node) -> NodeId {
        self.push(node, Type::Scalar)
    }

    fn folded(&mut self, a: NodeId, b: NodeId, fold: fn(f64, f64) -> f64) -> Option<NodeId> {
        let (a, b) = (self.as_number(a)?, self.as_number(b)?);
        Some(self.number(fold(a, b)))
    }

    /// Both as constant vectors, entry by entry.
    fn folded_vectors(
        &mut self,
        a: NodeId,
        b: NodeId,
        fold: fn(&mut Self, NodeId, NodeId) -> NodeId,
    ) -> Option<NodeId> {
        let (Node::Vector(ax, ay), Node::Vector(bx, by)) = (self.node(a), self.node(b)) else {
            return None;
        };
        let x = fold(self, ax, bx);
        let y = fold(self, ay, by);
        Some(self.vector(x, y))
    }

    pub(crate) fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if Self::is_zero(a) {
            return b;
        }
        if Self::is_zero(b) {
            return a;
        }
        if let Some(folded) = self.folded(a, b, |a, b| a + b) {
            return folded;
        }
        if let Some(folded) = self.folded_vectors(a, b, Self::add) {
            return folded;
        }
        match (self.strip(a), self.strip(b)) {
            ((true, a), (true, b)) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            ((false, a), (true, b)) => self.sub(a, b),
            ((true, a), (false, b)) => self.sub(b, a),
            ((false, a), (false, b)) if a == b => {
                let two = self.number(2.0);
                self.mul(two, a)
            }
            _ => {
                let kind = self.kind(a);
                self.push(Node::Add(a.min(b), a.max(b)), kind)
            }
        }
    }

    pub(crate) fn sub(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if Self::is_zero(b) {
            return a;
        }
        if Self::is_zero(a) {
            return self.neg(b);
        }
        let kind = self.kind(a);
        if a == b {
            return Self::zero(kind);
        }
        if let Some(folded) = self.folded(a, b, |a, b| a - b) {
            return folded;
        }
        if let Some(folded) = self.folded_vectors(a, b, Self::sub) {
            return folded;
        }
        match (self.strip(a), self.strip(b)) {
            ((true, a), (true, b)) => self.sub(b, a),
            ((false, a), (true, b)) => self.add(a, b),
            ((true, a), (false, b)) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            _ => self.push(Node::Sub(a, b), kind),
        }
    }

    pub(crate) fn neg(&mut self, a: NodeId) -> NodeId {
        if Self::is_zero(a) {
            return a;
        }
        match self.node(a) {
            Node::Number(bits) => self.number(-f64::from_bits(bits)),
            Node::Neg(inner) => inner,
            _ => {
                let kind = self.kind(a);
                self.push(Node::Neg(a), kind)
            }
        }
    }

    fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.node(id), Node::Number(_))
    }

    /// Any product that `*` stands for. The types must fit.
    pub(crate) fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let kind = match (self.kind(a), self.kind(b)) {
            // The scalar comes first.
            (Type::Vector | Type::Matrix, Type::Scalar) => return self.mul(b, a),
            (Type::Scalar, kind) | (_, kind) => kind,
        };
        if Self::is_zero(a) || Self::is_zero(b) {
            return Self::zero(kind);
        }
        if a == Self::ONE {
            return b;
        }
        if b == Self::ONE {
            return a;
        }
        if let Some(folded) = self.folded(a, b, |a, b| a * b) {
            return folded;
        }
        let ((minus_a, a), (minus_b, b)) = (self.strip(a), self.strip(b));
        if minus_a || minus_b {
            let product = self.mul(a, b);
            return self.signed(minus_a != minus_b, product);
        }
        let both_scalar = self.kind(a) == Type::Scalar && kind == Type::Scalar;
        let (a, b) = if both_scalar && (self.is_constant(b) || (a > b && !self.is_constant(a))) {
            (b, a)
        } else {
            (a, b)
        };
        if self.as_number(a) == Some(-1.0) {
            return self.neg(b);
        }
        if let (Some(outer), Node::Mul(inner, rest)) = (self.as_number(a), self.node(b))
            && let Some(inner) = self.as_number(inner)
            && (outer * inner).is_normal()
        {
            let factor = self.number(outer * inner);
            return self.mul(factor, rest);
        }
        // s (t v) is (s t) v: a chain of factors stays flat, however long it is.
        if let (true, Node::Mul(t, v)) =
            (self.kind(a) == Type::Scalar && kind != Type::Scalar, self.node(b))
            && self.kind(t) == Type::Scalar
        {
            let factor = self.mul(a, t);
            return self.mul(factor, v);
        }
        if let (true, Node::Vector(x, y)) = (self.is_constant(a), self.node(b)) {
            let (x, y) = (self.mul(a, x), self.mul(a, y));
            return self.vector(x, y);
        }
        self.push(Node::Mul(a, b), kind)
    }

    /// Anything divided by a scalar.
    pub(crate) fn div(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let kind = self.kind(a);
        if let Some(divisor) = self.as_number(b) {
            if divisor == 1.0 {
                return a;
            }
            if let Some(folded) = self.folded(a, b, |a, b| a / b) {
                return folded;
            }
            if divisor == 0.0 {
                return self.push(Node::Div(a, b), kind);
            }
        }
        if Self::is_zero(a) {
            return Self::zero(kind);
        }
        let ((minus_a, a), (minus_b, b)) = (self.strip(a), self.strip(b));
        let quotient = self.push(Node::Div(a, b), kind);
        self.signed(minus_a != minus_b, quotient)
    }

    /// Two vectors without their signs and without turns that both have, which change neither their
    /// dot nor their cross product; and whether a sign is left.
    fn turned_back(&self, mut a: NodeId, mut b: NodeId) -> (bool, NodeId, NodeId) {
        let mut minus = false;
        loop {
            let ((minus_a, bare_a), (minus_b, bare_b)) = (self.strip(a), self.strip(b));
            minus ^= minus_a != minus_b;
            (a, b) = (bare_a, bare_b);
            match (self.node(a), self.node(b)) {
                (Node::Rotate(p, u), Node::Rotate(q, v)) if p == q => (a, b) = (u, v),
                _ => return (minus, a, b),
            }
        }
    }

    pub(crate) fn dot(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if Self::is_zero(a) || Self::is_zero(b) {
            return Self::ZERO;
        }
        let (minus, a, b) = self.turned_back(a, b);
        let product = match (self.node(a), self.node(b)) {
            (Node::Perp(u), Node::Perp(v)) => self.dot(u, v),
            // ⊥u · v = u × v
            (Node::Perp(u), _) => self.cross(u, b),
            (_, Node::Perp(v)) => self.cross(v, a),
            (Node::Vector(x, y), _) | (_, Node::Vector(x, y))
                if self.is_constant(x) || self.is_constant(y) =>
            {
                let other = if matches!(self.node(a), Node::Vector(p, q) if (p, q) == (x, y)) {
                    b
                } else {
                    a
                };
                let (ox, oy) = (self.component(other, 0), self.component(other, 1));
                let (px, py) = (self.mul(x, ox), self.mul(y, oy));
                self.add(px, py)
            }
            _ => self.scalar(Node::Dot(a.min(b), a.max(b))),
        };
        self.signed(minus, product)
    }

    /// u × v = u_x v_y − u_y v_x of two vectors.
    pub(crate) fn cross(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if Self::is_zero(a) || Self::is_zero(b) || a == b {
            return Self::ZERO;
        }
        let (minus, a, b) = self.turned_back(a, b);
        if a == b {
            return Self::ZERO;
        }
        let product = match (self.node(a), self.node(b)) {
            // a × ⊥b = a · b, ⊥a × b = −a · b
            (_, Node::Perp(v)) => self.dot(a, v),
            (Node::Perp(u), _) => {
                let dot = self.dot(u, b);
                self.neg(dot)
            }
            (Node::Vector(..), _) => {
                let turned = self.perp(a);
                self.dot(turned, b)
            }
            (_, Node::Vector(..)) => {
                let turned = self.perp(b);
                let dot = self.dot(a, turned);
                self.neg(dot)
            }
            _ => self.scalar(Node::Cross(a, b)),
        };
        self.signed(minus, product)
    }

    pub(crate) fn outer(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if Self::is_zero(a) || Self::is_zero(b) {
            return Self::zero(Type::Matrix);
        }
        let ((minus_a, a), (minus_b, b)) = (self.strip(a), self.strip(b));
        let product = self.push(Node::Outer(a, b), Type::Matrix);
        self.signed(minus_a != minus_b, product)
    }

    /// (−y, x): a quarter turn counter-clockwise.
    pub(crate) fn perp(&mut self, a: NodeId) -> NodeId {
        if Self::is_zero(a) {
            return a;
        }
        match self.node(a) {
            Node::Neg(inner) => {
                let turned = self.perp(inner);
                self.neg(turned)
            }
            Node::Perp(inner) => self.neg(inner),
            Node::Vector(x, y) => {
                let minus_y = self.neg(y);
                self.vector(minus_y, x)
            }
            Node::Mul(s, v) if self.kind(s) == Type::Scalar => {
                let turned = self.perp(v);
                self.mul(s, turned)
            }
            _ => self.push(Node::Perp(a), Type::Vector),
        }
    }

    pub(crate) fn rotate(&mut self, angle: NodeId, vector: NodeId) -> NodeId {
        if Self::is_zero(vector) || Self::is_zero(angle) {
            return vector;
        }
        if let (true, vector) = self.strip(vector) {
            let turned = self.rotate(angle, vector);
            return self.neg(turned);
        }
        self.push(Node::Rotate(angle, vector), Type::Vector)
    }

    pub(crate) fn vector(&mut self, x: NodeId, y: NodeId) -> NodeId {
        if let (Node::Component(a, 0), Node::Component(b, 1)) = (self.node(x), self.node(y))
            && a == b
        {
            return a;
        }
        let ((minus_x, bare_x), (minus_y, bare_y)) = (self.strip(x), self.strip(y));
        // (−a_y, a_x) and (a_y, −a_x) are ±⊥a.
        if let (Node::Component(a, 1), Node::Component(b, 0)) =
            (self.node(bare_x), self.node(bare_y))
            && a == b
            && minus_x != minus_y
        {
            let turned = self.perp(a);
            return self.signed(minus_y, turned);
        }
        // One sign in front of two: also of constants, so that (−1, 0) and (1, 0) share a node.
        let negative = |number: Option<f64>| number.is_some_and(|n| n < 0.0);
        let (number_x, number_y) = (self.as_number(x), self.as_number(y));
        let mostly = match (number_x, number_y) {
            (Some(0.0), other) => negative(other) || minus_y,
            (Some(_), _) => negative(number_x) && (number_y.is_some() || minus_y),
            (None, Some(0.0)) => minus_x,
            _ => minus_x && (minus_y || negative(number_y)),
        };
        if mostly {
            let (x, y) = (self.neg(x), self.neg(y));
            let positive = self.vector(x, y);
            return self.neg(positive);
        }
        self.push(Node::Vector(x, y), Type::Vector)
    }

    /// By rows.
    pub(crate) fn matrix(&mut self, entries: [NodeId; 4]) -> NodeId {
        self.push(Node::Matrix(entries), Type::Matrix)
    }

    pub(crate) fn component(&mut self, a: NodeId, index: u8) -> NodeId {
        match self.node(a) {
            Node::Vector(x, y) => [x, y][usize::from(index & 1)],
            Node::Neg(inner) => {
                let part = self.component(inner, index);
                self.neg(part)
            }
            Node::Perp(inner) if index == 0 => {
                let part = self.component(inner, 1);
                self.neg(part)
            }
            Node::Perp(inner) => self.component(inner, 0),
            Node::Mul(s, v)
                if self.kind(s) == Type::Scalar && matches!(self.node(v), Node::Vector(..)) =>
            {
                let part = self.component(v, index);
                self.mul(s, part)
            }
            _ => self.scalar(Node::Component(a, index)),
        }
    }

    /// Of a matrix, 2·row + column.
    pub(crate) fn entry(&mut self, a: NodeId, index: u8) -> NodeId {
        match self.node(a) {
            Node::Matrix(entries) => entries[usize::from(index & 3)],
            Node::Neg(inner) => {
                let part = self.entry(inner, index);
                self.neg(part)
            }
            _ => self.scalar(Node::Entry(a, index)),
        }
    }

    pub(crate) fn transpose(&mut self, a: NodeId) -> NodeId {
        match self.node(a) {
            Node::Transpose(inner) => inner,
            Node::Matrix([a, b, c, d]) => self.matrix([a, c, b, d]),
            Node::Neg(inner) => {
                let turned = self.transpose(inner);
                self.neg(turned)
            }
            _ => self.push(Node::Transpose(a), Type::Matrix),
        }
    }

    /// The node with other children.
    pub(crate) fn rebuild(
        &mut self,
        node: Node,
        n: impl Fn(NodeId) -> NodeId,
        unchanged: NodeId,
    ) -> NodeId {
        match node {
            Node::Number(_) | Node::Leaf(_) => unchanged,
            Node::Add(a, b) => self.add(n(a), n(b)),
            Node::Sub(a, b) => self.sub(n(a), n(b)),
            Node::Neg(a) => self.neg(n(a)),
            Node::Mul(a, b) => self.mul(n(a), n(b)),
            Node::Div(a, b) => self.div(n(a), n(b)),
            Node::Power(a, b) => self.power(n(a), n(b)),
            Node::Dot(a, b) => self.dot(n(a), n(b)),
            Node::Cross(a, b) => self.cross(n(a), n(b)),
            Node::Outer(a, b) => self.outer(n(a), n(b)),
            Node::Perp(a) => self.perp(n(a)),
            Node::Unit(a) => self.unit(n(a)),
            Node::Norm(a) => self.norm(n(a)),
            Node::Rotate(a, b) => self.rotate(n(a), n(b)),
            Node::Vector(a, b) => self.vector(n(a), n(b)),
            Node::Matrix(entries) => self.matrix(entries.map(n)),
            Node::Component(a, index) => self.component(n(a), index),
            Node::Entry(a, index) => self.entry(n(a), index),
            Node::Transpose(a) => self.transpose(n(a)),
            Node::Sqrt(a) => self.sqrt(n(a)),
            Node::InverseSqrt(a) => self.inverse_sqrt(n(a)),
            Node::Inverse(a) => self.inverse(n(a)),
            Node::Sin(a) => self.sin(n(a)),
            Node::Cos(a) => self.cos(n(a)),
            Node::Asin(a) => self.asin(n(a)),
            Node::Acos(a) => self.acos(n(a)),
            Node::Atan2(a, b) => self.atan2(n(a), n(b)),
            Node::Exp(a) => self.exp(n(a)),
            Node::Ln(a) => self.ln(n(a)),
            Node::Abs(a) => self.abs(n(a)),
            Node::Sign(a) => self.sign(n(a)),
            Node::Min(a, b) => self.min(n(a), n(b)),
            Node::Max(a, b) => self.max(n(a), n(b)),
            Node::Select([a, b, yes, no]) => self.select(n(a), n(b), n(yes), n(no)),
        }
    }
}
