//! The same equations as changes since the start of a step.
//!
//! Far from the origin, or after many turns, f32 cannot hold a position or an angle; but it can
//! hold how much either changed within a step, and every value at the start of the step is known
//! in f64. So each node u becomes a pair: its change Δu, computed in f32 by a rule that does not
//! cancel (Δ(ab) = a Δb + Δa (b − Δb), Δ√a = Δa / (√a + √a₀), …), and its present value. Where a
//! sum could cancel, the value is its start, rounded from f64, plus the change; elsewhere it is
//! computed afresh from the values below it. C is then C₀ + ΔC with C₀ in f64, and J comes from
//! the values.

use crate::graph::{Graph, Leaf, Node, NodeId, TINY};
use crate::tape::{Input, Tape};
use crate::types::Type;
use std::collections::HashMap;

/// How a value depends on absolute coordinates: a + x·X + y·Y where X and Y are common to all
/// bodies, so that differences of positions are known to be small again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Size {
    x: f64,
    y: f64,
    /// Depends on something large in a way that is not followed: an angle, the clock, a product
    /// of positions.
    large: bool,
}

impl Size {
    fn is_large(self) -> bool {
        self.large || self.x != 0.0 || self.y != 0.0
    }

    fn plus(self, other: Self, sign: f64) -> Self {
        Self {
            x: self.x + sign * other.x,
            y: self.y + sign * other.y,
            large: self.large || other.large,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    value: NodeId,
    change: NodeId,
    size: Size,
    /// Finite whenever its inputs are: no division or root below it.
    total: bool,
    /// Never below zero: such terms add up without cancelling.
    positive: bool,
}

impl Pair {
    /// A value that does not change within the step.
    fn still(value: NodeId, positive: bool) -> Self {
        Self { value, change: Graph::ZERO, size: Size::default(), total: true, positive }
    }
}

/// The transformed outputs and what they need from the start of the step.
pub(crate) struct Delta {
    pub outputs: Vec<NodeId>,
    bases: Vec<NodeId>,
}

impl Delta {
    /// The nodes of the numbers that `step` reads as bases, which are numbered anew in its inputs.
    pub(crate) fn bases_of(&self, step: &mut Tape) -> Vec<NodeId> {
        let mut used = Vec::new();
        step.rename_inputs(|input| match input {
            Input::Base(index) => {
                used.push(self.bases[index]);
                Input::Base(used.len() - 1)
            }
            other => other,
        });
        used
    }
}

struct Transform<'g> {
    graph: &'g mut Graph,
    driven: &'g [bool],
    bases: Vec<NodeId>,
    numbers: HashMap<NodeId, u16>,
    pairs: Vec<Option<Pair>>,
}

/// Transforms `outputs`, of which every `stride`-th is a value whose change is wanted and the
/// others are wanted as values.
pub(crate) fn transform(
    graph: &mut Graph,
    outputs: &[NodeId],
    stride: usize,
    driven: &[bool],
) -> Delta {
    let order = graph.order(outputs);
    let pairs = vec![None; graph.len()];
    let mut transform =
        Transform { graph, driven, bases: Vec::new(), numbers: HashMap::new(), pairs };
    for id in order {
        let pair = transform.node(id);
        transform.pairs[id.0 as usize] = Some(pair);
    }
    let outputs = outputs.iter().enumerate().map(|(index, id)| {
        let pair = transform.pair(*id);
        if index % stride == 0 { pair.change } else { pair.value }
    });
    Delta { outputs: outputs.collect(), bases: transform.bases }
}

impl Transform<'_> {
    fn pair(&self, id: NodeId) -> Pair {
        self.pairs.get(id.0 as usize).copied().flatten().unwrap_or(Pair::still(id, false))
    }

    /// The number that a node has at the start of the step.
    fn base(&mut self, id: NodeId) -> NodeId {
        if self.graph.as_number(id).is_some() {
            return id;
        }
        let next = self.bases.len() as u16;
        let index = *self.numbers.entry(id).or_insert(next);
        if index == next {
            self.bases.push(id);
        }
        self.graph.leaf(Leaf::Base(index))
    }

    fn node(&mut self, id: NodeId) -> Pair {
        let node = self.graph.node(id);
        if let Some((leaf, index)) = self.leaf(node) {
            return self.input(id, leaf, index);
        }
        let still = node.children().all(|child| self.pair(child).change == Graph::ZERO);
        if still {
            let value = self.base(id);
            let positive = self.graph.as_number(id).is_some_and(|number| number >= 0.0);
            return Pair::still(value, positive);
        }
        let size = self.size(node);
        let divides = match node {
            Node::Div(_, b) => !self.graph.as_number(b).is_some_and(|n| n != 0.0 && n.is_finite()),
            _ => false,
        };
        let positive = match node {
            Node::Mul(a, b) => a == b || self.pair(a).positive && self.pair(b).positive,
            Node::Add(a, b) | Node::Min(a, b) => self.pair(a).positive && self.pair(b).positive,
            Node::Max(a, b) => self.pair(a).positive || self.pair(b).positive,
            Node::Sqrt(_) | Node::Abs(_) | Node::Exp(_) => true,
            _ => false,
        };
        let total = node.children().all(|child| self.pair(child).total)
            && !divides
            && !matches!(
                node,
                Node::Sqrt(_)
                    | Node::Ln(_)
                    | Node::Power(..)
                    | Node::Exp(_)
                    | Node::Asin(_)
                    | Node::Acos(_)
            );
        let (value, change) = self.rule(id, node, size.is_large());
        Pair { value, change, size, total, positive }
    }

    fn leaf(&self, node: Node) -> Option<(Leaf, u8)> {
        match node {
            Node::Leaf(leaf) => Some((leaf, 0)),
            Node::Component(a, index) | Node::Entry(a, index) => match self.graph.node(a) {
                Node::Leaf(leaf) => Some((leaf, index)),
                _ => None,
            },
            _ => None,
        }
    }

    fn input(&mut self, id: NodeId, leaf: Leaf, index: u8) -> Pair {
        let mut size = Size { large: true, ..Size::default() };
        let change = match leaf {
            Leaf::Position(slot) => {
                size = Size { x: f64::from(1 - index), y: f64::from(index), large: false };
                let moved = self.graph.leaf(Leaf::DeltaPosition(slot));
                self.graph.component(moved, index)
            }
            Leaf::Rotation(slot) => self.graph.leaf(Leaf::DeltaRotation(slot)),
            Leaf::Time => self.graph.leaf(Leaf::DeltaTime),
            Leaf::Parameter(which, kind) if self.driven.get(usize::from(which)) == Some(&true) => {
                let moved = self.graph.leaf(Leaf::DeltaParameter(which, kind));
                match kind {
                    Type::Scalar => moved,
                    Type::Vector => self.graph.component(moved, index),
                    Type::Matrix => self.graph.entry(moved, index),
                }
            }
            Leaf::Cosine(_) | Leaf::Sine(_) => {
                let base = self.base(id);
                let change = self.graph.sub(id, base);
                let size = Size::default();
                return Pair { value: id, change, size, total: true, positive: false };
            }
            _ => return Pair::still(self.base(id), false),
        };
        let base = self.base(id);
        let value = self.graph.add(base, change);
        Pair { value, change, size, total: true, positive: false }
    }

    fn size(&self, node: Node) -> Size {
        let any = |nodes: &[NodeId]| {
            let large = nodes.iter().any(|child| self.pair(*child).size.is_large());
            Size { large, ..Size::default() }
        };
        let size = |a: NodeId| self.pair(a).size;
        match node {
            Node::Add(a, b) => size(a).plus(size(b), 1.0),
            Node::Sub(a, b) => size(a).plus(size(b), -1.0),
            Node::Neg(a) => Size::default().plus(size(a), -1.0),
            Node::Mul(a, b) => match self.graph.as_number(a) {
                Some(factor) => Size::default().plus(size(b), factor),
                None => any(&[a, b]),
            },
            Node::Div(a, b) => match self.graph.as_number(b) {
                Some(divisor) if divisor != 0.0 => Size::default().plus(size(a), 1.0 / divisor),
                _ => any(&[a, b]),
            },
            Node::Select([_, _, yes, no]) => any(&[yes, no]),
            // These are small whatever goes in.
            Node::Sin(_) | Node::Cos(_) | Node::Asin(_) | Node::Acos(_) | Node::Sign(_) => {
                Size::default()
            }
            node => any(&node.children().collect::<Vec<_>>()),
        }
    }

    /// (the present value, the change) of a node some of whose children change.
    fn rule(&mut self, id: NodeId, node: Node, large: bool) -> (NodeId, NodeId) {
        let v = |transform: &Self, a: NodeId| transform.pair(a).value;
        let d = |transform: &Self, a: NodeId| transform.pair(a).change;
        match node {
            Node::Add(a, b) => {
                let change = self.graph.add(d(self, a), d(self, b));
                (self.sum(id, large, Graph::add, a, b, change), change)
            }
            Node::Sub(a, b) => {
                let change = self.graph.sub(d(self, a), d(self, b));
                (self.sum(id, large, Graph::sub, a, b, change), change)
            }
            Node::Neg(a) => {
                let pair = self.pair(a);
                (self.graph.neg(pair.value), self.graph.neg(pair.change))
            }
            Node::Mul(a, b) => self.product(self.pair(a), self.pair(b)),
            Node::Div(a, b) => self.quotient(id, self.pair(a), self.pair(b)),
            Node::Sqrt(a) => {
                // A start plus a change can miss zero by a rounding; a sum that adds up cannot.
                let inside = match self.pair(a).positive {
                    true => v(self, a),
                    false => self.graph.max(v(self, a), Graph::ZERO),
                };
                let value = self.graph.sqrt(inside);
                let base = self.base(id);
                let sum = self.graph.add(value, base);
                let quotient = self.graph.div(d(self, a), sum);
                let tiny = self.graph.number(TINY);
                // This way round, NaN stays NaN.
                (value, self.graph.select(tiny, sum, Graph::ZERO, quotient))
            }
            Node::Sin(a) => self.wave(a, d(self, a), true),
            Node::Cos(a) => self.wave(a, d(self, a), false),
            Node::Exp(a) => {
                // Growing from the start keeps the digits of a large argument; afresh is right
                // where the start was lost to underflow.
                let base = self.base(id);
                let growth = self.graph.exp(d(self, a));
                let grown = self.graph.mul(base, growth);
                let afresh = self.graph.exp(v(self, a));
                let moved = self.graph.abs(d(self, a));
                let value = self.graph.select(Graph::ONE, moved, grown, afresh);
                (value, self.graph.sub(value, base))
            }
            Node::Atan2(y, x) => self.turn(id, self.pair(y), self.pair(x), [y, x]),
            Node::Abs(a) => self.magnitude(id, a),
            Node::Min(a, b) => self.extreme(a, b, true),
            Node::Max(a, b) => self.extreme(a, b, false),
            Node::Select([a, b, yes, no]) => {
                let both = self.pair(yes).total && self.pair(no).total;
                let [a, b] = self.compared(a, b);
                if large && both {
                    let yes_change = self.against(id, yes);
                    let no_change = self.against(id, no);
                    let change = self.graph.select(a, b, yes_change, no_change);
                    let base = self.base(id);
                    return (self.graph.add(base, change), change);
                }
                let value = self.graph.select(a, b, v(self, yes), v(self, no));
                self.difference(id, value)
            }
            node => {
                let known: HashMap<NodeId, NodeId> =
                    node.children().map(|child| (child, v(self, child))).collect();
                let child = |child: NodeId| known.get(&child).copied().unwrap_or(child);
                let value = self.graph.rebuild(node, child, id);
                self.difference(id, value)
            }
        }
    }

    /// A value computed afresh, and how far it is from its start.
    fn difference(&mut self, id: NodeId, value: NodeId) -> (NodeId, NodeId) {
        let base = self.base(id);
        (value, self.graph.sub(value, base))
    }

    fn sum(
        &mut self,
        id: NodeId,
        large: bool,
        combine: fn(&mut Graph, NodeId, NodeId) -> NodeId,
        a: NodeId,
        b: NodeId,
        change: NodeId,
    ) -> NodeId {
        let children_large = [a, b].iter().any(|each| self.pair(*each).size.is_large());
        let adds_up = matches!(self.graph.node(id), Node::Add(..))
            && self.pair(a).positive
            && self.pair(b).positive;
        if (large || children_large) && !adds_up {
            let base = self.base(id);
            return self.graph.add(base, change);
        }
        combine(self.graph, self.pair(a).value, self.pair(b).value)
    }

    /// Δ(ab) = a Δb + Δa (b − Δb)
    fn product(&mut self, a: Pair, b: Pair) -> (NodeId, NodeId) {
        let graph = &mut *self.graph;
        let value = graph.mul(a.value, b.value);
        let first = graph.mul(a.value, b.change);
        let before = graph.sub(b.value, b.change);
        let second = graph.mul(a.change, before);
        (value, graph.add(first, second))
    }

    /// Δ(a/b) = (Δa − (a₀/b₀) Δb) / b
    fn quotient(&mut self, id: NodeId, a: Pair, b: Pair) -> (NodeId, NodeId) {
        let value = self.graph.div(a.value, b.value);
        let base = if b.change == Graph::ZERO { Graph::ZERO } else { self.base(id) };
        let part = self.graph.mul(base, b.change);
        let top = self.graph.sub(a.change, part);
        (value, self.graph.div(top, b.value))
    }

    /// With h = sin(Δ/2), k = cos(Δ/2): Δsin = 2h (cos₀ k − sin₀ h), Δcos = −2h (sin₀ k + cos₀ h)
    fn wave(&mut self, angle: NodeId, change: NodeId, sine: bool) -> (NodeId, NodeId) {
        let (sin, cos) = (self.graph.sin(angle), self.graph.cos(angle));
        let (sin, cos) = (self.base(sin), self.base(cos));
        let graph = &mut *self.graph;
        let (half, two) = (graph.number(0.5), graph.number(2.0));
        let middle = graph.mul(half, change);
        let (h, k) = (graph.sin(middle), graph.cos(middle));
        let twice = graph.mul(two, h);
        let change = if sine {
            let (a, b) = (graph.mul(cos, k), graph.mul(sin, h));
            let inner = graph.sub(a, b);
            graph.mul(twice, inner)
        } else {
            let (a, b) = (graph.mul(sin, k), graph.mul(cos, h));
            let inner = graph.add(a, b);
            let change = graph.mul(twice, inner);
            graph.neg(change)
        };
        let base = if sine { sin } else { cos };
        (graph.add(base, change), change)
    }

    /// The angle between the start and now. It goes on past ±π within the step.
    fn turn(&mut self, id: NodeId, y: Pair, x: Pair, nodes: [NodeId; 2]) -> (NodeId, NodeId) {
        let (y0, x0) = (self.base(nodes[0]), self.base(nodes[1]));
        let graph = &mut *self.graph;
        let (a, b) = (graph.mul(x0, y.change), graph.mul(y0, x.change));
        let across = graph.sub(a, b);
        let (a, b) = (graph.mul(x0, x.value), graph.mul(y0, y.value));
        let forward = graph.add(a, b);
        let turned = graph.atan2(across, forward);
        let afresh = graph.atan2(y.value, x.value);
        let (xx, yy) = (graph.mul(x0, x0), graph.mul(y0, y0));
        let square = graph.add(xx, yy);
        let tiny = graph.number(TINY);
        let base = self.base(id);
        // From the origin there is no direction to turn from.
        let appeared = self.graph.sub(afresh, base);
        let change = self.graph.select(tiny, square, appeared, turned);
        (self.graph.add(base, change), change)
    }

    /// ±Δa while the sign stays, the difference where it changes.
    fn magnitude(&mut self, id: NodeId, a: NodeId) -> (NodeId, NodeId) {
        let pair = self.pair(a);
        let start = self.base(a);
        let base = self.base(id);
        let graph = &mut *self.graph;
        let value = graph.abs(pair.value);
        let same = graph.mul(pair.value, start);
        let sign = graph.sign(pair.value);
        let along = graph.mul(sign, pair.change);
        let through = graph.sub(value, base);
        (value, graph.select(same, Graph::ZERO, along, through))
    }

    /// The change of the smaller (or larger) of a and b: that of the side which it is on now, and
    /// what lies between them if it was on the other. a − b is exact at the start.
    fn extreme(&mut self, a: NodeId, b: NodeId, smaller: bool) -> (NodeId, NodeId) {
        let (pair_a, pair_b) = (self.pair(a), self.pair(b));
        let apart = self.graph.sub(a, b);
        let before = self.base(apart);
        let graph = &mut *self.graph;
        let moved = graph.sub(pair_a.change, pair_b.change);
        let now = graph.add(before, moved);
        let pick = if smaller { Graph::max } else { Graph::min };
        let from_b = pick(graph, before, Graph::ZERO);
        let back = graph.neg(before);
        let from_a = pick(graph, back, Graph::ZERO);
        let change_a = graph.add(pair_a.change, from_b);
        let change_b = graph.add(pair_b.change, from_a);
        let (left, right) = if smaller { (Graph::ZERO, now) } else { (now, Graph::ZERO) };
        let change = graph.select(left, right, change_a, change_b);
        (graph.select(left, right, pair_a.value, pair_b.value), change)
    }

    /// What to compare in place of a > b: themselves, or their difference with zero where they are
    /// too large to tell apart.
    fn compared(&mut self, a: NodeId, b: NodeId) -> [NodeId; 2] {
        let (first, second) = (self.pair(a), self.pair(b));
        // A sum that adds up is exact enough next to nothing, if not next to its like.
        let nothing = |id: NodeId| self.graph.as_number(id).is_some_and(|n| n.abs() <= TINY);
        let guards = nothing(a) && second.positive || nothing(b) && first.positive;
        if guards || !first.size.is_large() && !second.size.is_large() {
            return [first.value, second.value];
        }
        let apart = self.graph.sub(a, b);
        let before = self.base(apart);
        let moved = self.graph.sub(first.change, second.change);
        [self.graph.add(before, moved), Graph::ZERO]
    }

    /// The change of `id` if it is now `branch`: Δbranch + (branch₀ − id₀).
    fn against(&mut self, id: NodeId, branch: NodeId) -> NodeId {
        let apart = self.graph.sub(branch, id);
        let apart = self.base(apart);
        let change = self.pair(branch).change;
        self.graph.add(change, apart)
    }
}
