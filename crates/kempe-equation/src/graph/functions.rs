//! Making nodes: lengths, directions and functions.

use super::{Graph, Node, NodeId, TINY};
use crate::types::Type;
use kempe_scalar::precise;

impl Graph {
    fn applied(
        &mut self,
        a: NodeId,
        fold: impl FnOnce(f64) -> f64,
        node: fn(NodeId) -> Node,
    ) -> NodeId {
        match self.as_number(a) {
            Some(value) => self.number(fold(value)),
            None => self.scalar(node(a)),
        }
    }

    /// The length of a vector. Turning it does not change that.
    pub(crate) fn norm(&mut self, a: NodeId) -> NodeId {
        let mut a = a;
        while let Node::Neg(inner) | Node::Rotate(_, inner) | Node::Perp(inner) = self.node(a) {
            a = inner;
        }
        match self.node(a) {
            Node::Vector(x, y) if Self::is_zero(x) => self.abs(y),
            Node::Vector(x, y) if Self::is_zero(y) => self.abs(x),
            Node::Vector(x, y) => match (self.as_number(x), self.as_number(y)) {
                (Some(x), Some(y)) => self.number((x * x + y * y).sqrt()),
                _ => self.scalar(Node::Norm(a)),
            },
            _ => self.scalar(Node::Norm(a)),
        }
    }

    /// The direction of a vector. It turns with it.
    pub(crate) fn unit(&mut self, a: NodeId) -> NodeId {
        let mut turns = Vec::new();
        let mut inner = a;
        while let node @ (Node::Neg(next) | Node::Rotate(_, next) | Node::Perp(next)) =
            self.node(inner)
        {
            turns.push(node);
            inner = next;
        }
        let mut direction = match self.node(inner) {
            Node::Unit(_) => inner,
            Node::Vector(x, y) => match (self.as_number(x), self.as_number(y)) {
                (Some(x), Some(y)) if x * x + y * y > TINY => {
                    let length = (x * x + y * y).sqrt();
                    let (x, y) = (self.number(x / length), self.number(y / length));
                    self.vector(x, y)
                }
                (Some(_), Some(_)) => Self::zero(Type::Vector),
                _ => self.push(Node::Unit(inner), Type::Vector),
            },
            _ => self.push(Node::Unit(inner), Type::Vector),
        };
        for turn in turns.into_iter().rev() {
            direction = match turn {
                Node::Rotate(angle, _) => self.rotate(angle, direction),
                Node::Perp(_) => self.perp(direction),
                _ => self.neg(direction),
            };
        }
        direction
    }

    pub(crate) fn sqrt(&mut self, a: NodeId) -> NodeId {
        self.applied(a, f64::sqrt, Node::Sqrt)
    }

    /// 1/√a, 0 at zero.
    pub(crate) fn inverse_sqrt(&mut self, a: NodeId) -> NodeId {
        let fold = |a: f64| if a > TINY { 1.0 / a.sqrt() } else { 0.0 };
        self.applied(a, fold, Node::InverseSqrt)
    }

    /// 1/a, 0 at zero.
    pub(crate) fn inverse(&mut self, a: NodeId) -> NodeId {
        self.applied(a, |a| if a > TINY { 1.0 / a } else { 0.0 }, Node::Inverse)
    }

    pub(crate) fn sin(&mut self, a: NodeId) -> NodeId {
        let (minus, a) = self.strip(a);
        let value = self.applied(a, |a| precise::sin_cos(a).0, Node::Sin);
        self.signed(minus, value)
    }

    pub(crate) fn cos(&mut self, a: NodeId) -> NodeId {
        let (_, a) = self.strip(a);
        self.applied(a, |a| precise::sin_cos(a).1, Node::Cos)
    }

    pub(crate) fn tan(&mut self, a: NodeId) -> NodeId {
        let (sin, cos) = (self.sin(a), self.cos(a));
        self.div(sin, cos)
    }

    pub(crate) fn asin(&mut self, a: NodeId) -> NodeId {
        let (minus, a) = self.strip(a);
        let value = self.applied(a, precise::asin, Node::Asin);
        self.signed(minus, value)
    }

    pub(crate) fn acos(&mut self, a: NodeId) -> NodeId {
        self.applied(a, precise::acos, Node::Acos)
    }

    pub(crate) fn atan2(&mut self, y: NodeId, x: NodeId) -> NodeId {
        match (self.as_number(y), self.as_number(x)) {
            (Some(y), Some(x)) => self.number(precise::atan2(y, x)),
            _ => self.scalar(Node::Atan2(y, x)),
        }
    }

    pub(crate) fn exp(&mut self, a: NodeId) -> NodeId {
        self.applied(a, precise::exp, Node::Exp)
    }

    pub(crate) fn ln(&mut self, a: NodeId) -> NodeId {
        self.applied(a, precise::ln, Node::Ln)
    }

    pub(crate) fn abs(&mut self, a: NodeId) -> NodeId {
        let (_, a) = self.strip(a);
        match self.node(a) {
            Node::Abs(_) | Node::Norm(_) | Node::Sqrt(_) => a,
            _ => self.applied(a, f64::abs, Node::Abs),
        }
    }

    pub(crate) fn sign(&mut self, a: NodeId) -> NodeId {
        let (minus, a) = self.strip(a);
        let value = match self.node(a) {
            Node::Sign(_) => a,
            _ => self.applied(a, precise::sign, Node::Sign),
        };
        self.signed(minus, value)
    }

    pub(crate) fn min(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.as_number(a), self.as_number(b)) {
            _ if a == b => a,
            (Some(a), Some(b)) => self.number(if a < b { a } else { b }),
            _ => self.scalar(Node::Min(a.min(b), a.max(b))),
        }
    }

    pub(crate) fn max(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.as_number(a), self.as_number(b)) {
            _ if a == b => a,
            (Some(a), Some(b)) => self.number(if a > b { a } else { b }),
            _ => self.scalar(Node::Max(a.min(b), a.max(b))),
        }
    }

    /// a > b ? yes : no, of any type.
    pub(crate) fn select(&mut self, a: NodeId, b: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        if yes == no {
            return yes;
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(a), Some(b)) if a > b => yes,
            (Some(_), Some(_)) => no,
            _ => {
                let kind = self.kind(yes);
                self.push(Node::Select([a, b, yes, no]), kind)
            }
        }
    }

    pub(crate) fn power(&mut self, base: NodeId, exponent: NodeId) -> NodeId {
        match (self.as_number(base), self.as_number(exponent)) {
            (Some(base), Some(exponent)) => self.number(precise::pow(base, exponent)),
            (_, Some(0.0)) => Self::ONE,
            (_, Some(1.0)) => base,
            (_, Some(0.5)) => self.sqrt(base),
            _ => self.scalar(Node::Power(base, exponent)),
        }
    }
}
