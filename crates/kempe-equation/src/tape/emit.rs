//! From a graph of scalars to a tape: order, fused operations, cells.

use super::{Code, Input, Operation, Output, Tape};
use crate::graph::{Graph, Node, NodeId, TINY};
use crate::limits::MAX_TAPE;
use std::collections::HashMap;

/// A value that has not been given a cell yet, by node.
const NO_CELL: u16 = u16::MAX;

struct Emitter<'g> {
    graph: &'g Graph,
    /// How often each node is read, outputs included; a node whose last reader is emitted gives
    /// its cell back.
    uses: Vec<u32>,
    cell: Vec<u16>,
    free: Vec<u16>,
    next: u16,
    operations: Vec<Operation>,
    /// Nodes that are part of a fused operation and never stand in a cell.
    fused: Vec<bool>,
    /// By the node of a length, the direction that is computed with it.
    directions: HashMap<NodeId, Direction>,
}

/// û = u/|u| with its guard: two nodes of a direction and what they are made of.
#[derive(Clone, Copy)]
struct Direction {
    parts: [NodeId; 2],
    reads: [NodeId; 4],
}

/// Which nodes a tape operation reads.
struct Fused {
    code: Code,
    reads: [Option<NodeId>; 4],
}

pub(super) fn tape(graph: &Graph, outputs: &[NodeId]) -> Option<Tape> {
    let order = graph.order(outputs);
    if order.len() > MAX_TAPE {
        return None;
    }
    let (values, constants, uses) = survey(graph, &order, outputs);
    let mut emitter = Emitter {
        graph,
        uses,
        cell: vec![NO_CELL; graph.len()],
        free: Vec::new(),
        next: 0,
        operations: Vec::new(),
        fused: vec![false; graph.len()],
        directions: HashMap::new(),
    };
    let inputs: Vec<Input> = values.iter().map(|(input, _)| *input).collect();
    for node in values.iter().map(|(_, node)| *node).chain(constants.iter().copied()) {
        emitter.cell[node.0 as usize] = emitter.next;
        emitter.next += 1;
    }
    emitter.choose_directions(&order);
    emitter.choose_fused(&order);
    emitter.emit(&order);
    let constants = constants.iter().map(|id| graph.as_number(*id).unwrap_or(0.0)).collect();
    Some(Tape {
        inputs,
        constants,
        outputs: outputs.iter().map(|id| emitter.output(*id)).collect(),
        operations: emitter.operations,
        cells: usize::from(emitter.next),
    })
}

type Survey = (Vec<(Input, NodeId)>, Vec<NodeId>, Vec<u32>);

/// The inputs in their order, the constants that are read, and how often each node is read.
fn survey(graph: &Graph, order: &[NodeId], outputs: &[NodeId]) -> Survey {
    let mut inputs = Vec::new();
    let mut uses = vec![0; graph.len()];
    for id in outputs {
        // An output keeps its cell to the end.
        let inner = match graph.node(*id) {
            Node::Number(_) => continue,
            Node::Neg(inner) => inner,
            _ => *id,
        };
        uses[inner.0 as usize] = u32::MAX / 2;
    }
    // From the outputs down: a sign in front of an output is no operation, so what is behind it
    // must not count as read by one.
    for id in order.iter().rev() {
        let node = graph.node(*id);
        if let Some(input) = input_of(graph, node) {
            inputs.push((input, *id));
        } else if uses[id.0 as usize] > 0 {
            for child in node.children() {
                uses[child.0 as usize] += 1;
            }
        }
    }
    inputs.retain(|(_, id)| uses[id.0 as usize] > 0);
    inputs.sort_unstable();
    let is_constant = |id: &&NodeId| matches!(graph.node(**id), Node::Number(_));
    let mut constants: Vec<NodeId> = order.iter().filter(is_constant).copied().collect();
    constants.retain(|id| uses[id.0 as usize] > 0);
    (inputs, constants, uses)
}

fn input_of(graph: &Graph, node: Node) -> Option<Input> {
    match node {
        Node::Leaf(leaf) => Input::of(leaf, 0),
        Node::Component(a, index) | Node::Entry(a, index) => match graph.node(a) {
            Node::Leaf(leaf) => Input::of(leaf, index),
            _ => None,
        },
        _ => None,
    }
}

impl Emitter<'_> {
    /// Marks the products and sums that are read once, by an operation that can absorb them.
    fn choose_fused(&mut self, order: &[NodeId]) {
        for id in order {
            let absorbed = match self.graph.node(*id) {
                Node::Add(a, b) => {
                    let (a_mul, b_mul) = (self.lone_product(a), self.lone_product(b));
                    [a_mul.then_some(a), b_mul.then_some(b)]
                }
                Node::Sub(a, b) => {
                    let (a_mul, b_mul) = (self.lone_product(a), self.lone_product(b));
                    if !a_mul && !b_mul && self.lone_sum(a) {
                        [Some(a), self.lone_sum(b).then_some(b)]
                    } else {
                        [a_mul.then_some(a), b_mul.then_some(b)]
                    }
                }
                _ => [None, None],
            };
            for part in absorbed.into_iter().flatten() {
                self.fused[part.0 as usize] = true;
            }
        }
    }

    fn lone_product(&self, id: NodeId) -> bool {
        matches!(self.graph.node(id), Node::Mul(..)) && self.uses[id.0 as usize] == 1
    }

    /// A sum that is read once and is not itself a fused one.
    fn lone_sum(&self, id: NodeId) -> bool {
        let Node::Add(a, b) = self.graph.node(id) else {
            return false;
        };
        let whole = !self.fused[a.0 as usize] && !self.fused[b.0 as usize];
        self.uses[id.0 as usize] == 1 && whole
    }

    fn emit(&mut self, order: &[NodeId]) {
        for id in order {
            let index = id.0 as usize;
            let done = self.cell[index] != NO_CELL || self.fused[index] || self.uses[index] == 0;
            if done || matches!(self.graph.node(*id), Node::Leaf(_) | Node::Number(_)) {
                continue;
            }
            self.emit_node(*id);
        }
    }

    fn emit_node(&mut self, id: NodeId) {
        if let Node::Sin(a) | Node::Cos(a) = self.graph.node(id) {
            let [sin, cos] = [Node::Sin(a), Node::Cos(a)].map(|node| self.wanted(node));
            return self.push(Code::SinCos, [Some(a), None, None, None], [sin, cos, None]);
        }
        if let Some(direction) = self.directions.get(&id).copied() {
            let [x, y] = direction.parts.map(Some);
            let length = (self.uses[id.0 as usize] > 1).then_some(id);
            self.push(Code::Direction, direction.reads.map(Some), [x, y, length]);
            // Its other reader, the division, is part of the operation.
            self.release_part(id);
            return;
        }
        let Some(Fused { code, reads }) = self.operation(id) else { return };
        if let (Code::MulSubMul, Some((reads, partner))) = (code, self.turned(reads)) {
            return self.push(Code::Rotate, reads, [Some(id), Some(partner), None]);
        }
        self.push(code, reads, [Some(id), None, None]);
    }

    /// Appends an operation that reads and makes these nodes.
    fn push(&mut self, code: Code, reads: [Option<NodeId>; 4], makes: [Option<NodeId>; 3]) {
        let [a, b, c, d] = reads.map(|read| read.map_or(0, |id| self.cell[id.0 as usize]));
        // Each result of a rotation, and sin and cos, would have read the operands by itself. The
        // parts of a direction are settled already.
        let times = match code {
            Code::Rotate | Code::SinCos => makes.iter().flatten().count(),
            _ => 1,
        };
        for read in reads.into_iter().flatten() {
            for _ in 0..times {
                self.release(read);
            }
        }
        // All cells that the code writes, wanted or not.
        let count = match code {
            Code::Direction => 3,
            Code::Rotate | Code::SinCos => 2,
            _ => 1,
        };
        let mut targets = [0; 3];
        for target in &mut targets[..count] {
            *target = self.take();
        }
        for (made, target) in makes.into_iter().zip(targets).take(count) {
            match made {
                Some(id) => self.cell[id.0 as usize] = target,
                None => self.free.push(target),
            }
        }
        let [target, second, third] = targets;
        self.operations.push(Operation { code, target, second, third, a, b, c, d });
    }

    /// The node with this content, if somebody reads it.
    fn wanted(&self, node: Node) -> Option<NodeId> {
        self.graph.find(node).filter(|id| self.uses[id.0 as usize] > 0)
    }

    /// For a·b − c·d, the node of c·b + a·d (or, a and b exchanged, of c·a + b·d) that can be
    /// computed with it, and the operands in that order.
    fn turned(&self, reads: [Option<NodeId>; 4]) -> Option<([Option<NodeId>; 4], NodeId)> {
        let [Some(a), Some(b), Some(c), Some(d)] = reads else { return None };
        let product = |a: NodeId, b: NodeId| self.graph.find(Node::Mul(a.min(b), a.max(b)));
        [[a, b, c, d], [b, a, c, d]].into_iter().find_map(|[a, b, c, d]| {
            let (first, second) = (product(c, b)?, product(a, d)?);
            let sum = self.wanted(Node::Add(first.min(second), first.max(second)))?;
            let both = self.fused[first.0 as usize] && self.fused[second.0 as usize];
            let free = self.cell[sum.0 as usize] == NO_CELL && !self.fused[sum.0 as usize];
            (both && free).then_some(([a, b, c, d].map(Some), sum))
        })
    }

    /// Finds the directions whose parts nobody else reads.
    fn choose_directions(&mut self, order: &[NodeId]) {
        let mut halves: HashMap<NodeId, Vec<(NodeId, NodeId, NodeId, NodeId)>> = HashMap::new();
        for id in order {
            let Node::Select([tiny, square, last, scaled]) = self.graph.node(*id) else { continue };
            let (true, Node::Mul(p, q)) =
                (self.graph.as_number(tiny) == Some(TINY), self.graph.node(scaled))
            else {
                continue;
            };
            let Some(length) = self.graph.find(Node::Sqrt(square)) else { continue };
            let Some(inverse) = self.graph.find(Node::Div(Graph::ONE, length)) else { continue };
            let u = if p == inverse { q } else { p };
            if (p == inverse || q == inverse) && self.uses[scaled.0 as usize] == 1 {
                halves.entry(length).or_default().push((*id, scaled, u, last));
            }
        }
        for id in order {
            if let Some(direction) = halves.get(id).and_then(|halves| self.direction(*id, halves)) {
                self.directions.insert(*id, direction);
            }
        }
    }

    fn direction(
        &mut self,
        length: NodeId,
        halves: &[(NodeId, NodeId, NodeId, NodeId)],
    ) -> Option<Direction> {
        let &[(first, scaled_x, x, last_x), (second, scaled_y, y, last_y)] = halves else {
            return None;
        };
        let Node::Sqrt(square) = self.graph.node(length) else { return None };
        let Node::Add(p, q) = self.graph.node(square) else { return None };
        let squares = [x, y].map(|u| self.graph.find(Node::Mul(u, u)));
        let [Some(xx), Some(yy)] = squares else { return None };
        let inverse = self.graph.find(Node::Div(Graph::ONE, length))?;
        let uses = |id: NodeId| self.uses[id.0 as usize];
        let ours = (p, q) == (xx.min(yy), xx.max(yy))
            && uses(square) == 3
            && uses(inverse) == 2
            && uses(xx) == 1
            && uses(yy) == 1;
        // The remembered direction must be there when the length is.
        let ready = [last_x, last_y].iter().all(|id| self.cell[id.0 as usize] != NO_CELL);
        if !(ours && ready) {
            return None;
        }
        for part in [square, inverse, xx, yy, scaled_x, scaled_y] {
            self.fused[part.0 as usize] = true;
        }
        // Each of x and y was read by its square, twice, and by the product; now once.
        for u in [x, y] {
            self.uses[u.0 as usize] -= 2;
        }
        Some(Direction { parts: [first, second], reads: [x, y, last_x, last_y] })
    }

    fn operation(&self, id: NodeId) -> Option<Fused> {
        let one = |code, a| Fused { code, reads: [Some(a), None, None, None] };
        let two = |code, a, b| Fused { code, reads: [Some(a), Some(b), None, None] };
        Some(match self.graph.node(id) {
            Node::Add(a, b) => match (self.absorbed(a), self.absorbed(b)) {
                (Some([p, q]), Some([r, s])) => four(Code::MulAddMul, [p, q, r, s]),
                (Some([p, q]), None) => three(Code::MulAdd, p, q, b),
                (None, Some([p, q])) => three(Code::MulAdd, p, q, a),
                (None, None) => two(Code::Add, a, b),
            },
            Node::Sub(a, b) => match (self.absorbed(a), self.absorbed(b)) {
                (Some([p, q]), Some([r, s])) => match self.graph.node(a) {
                    Node::Add(..) => four(Code::AddSubAdd, [p, q, r, s]),
                    _ => four(Code::MulSubMul, [p, q, r, s]),
                },
                (Some([p, q]), None) => match self.graph.node(a) {
                    Node::Add(..) => three(Code::AddSub, p, q, b),
                    _ => three(Code::MulSub, p, q, b),
                },
                (None, Some([p, q])) => three(Code::SubMul, p, q, a),
                (None, None) => two(Code::Sub, a, b),
            },
            Node::Neg(a) => one(Code::Neg, a),
            Node::Mul(a, b) => two(Code::Mul, a, b),
            Node::Div(a, b) => two(Code::Div, a, b),
            Node::Power(a, b) => two(Code::Power, a, b),
            Node::Atan2(a, b) => two(Code::Atan2, a, b),
            Node::Min(a, b) => two(Code::Min, a, b),
            Node::Max(a, b) => two(Code::Max, a, b),
            Node::Sqrt(a) => one(Code::Sqrt, a),
            Node::Asin(a) => one(Code::Asin, a),
            Node::Acos(a) => one(Code::Acos, a),
            Node::Exp(a) => one(Code::Exp, a),
            Node::Ln(a) => one(Code::Ln, a),
            Node::Abs(a) => one(Code::Abs, a),
            Node::Sign(a) => one(Code::Sign, a),
            Node::Select(all) => four(Code::Select, all),
            // Everything else was lowered, or is an input.
            _ => return None,
        })
    }

    /// The operands of a node that is part of its reader.
    fn absorbed(&self, id: NodeId) -> Option<[NodeId; 2]> {
        match self.graph.node(id) {
            Node::Mul(a, b) | Node::Add(a, b) if self.fused[id.0 as usize] => Some([a, b]),
            _ => None,
        }
    }

    /// A reader of `id` that was never emitted is done.
    fn release_part(&mut self, id: NodeId) {
        let index = id.0 as usize;
        self.uses[index] -= 1;
    }

    /// One reader of `id` is done.
    fn release(&mut self, id: NodeId) {
        let index = id.0 as usize;
        self.uses[index] -= 1;
        let kept = matches!(self.graph.node(id), Node::Number(_))
            || input_of(self.graph, self.graph.node(id)).is_some();
        if self.uses[index] == 0 && !kept {
            self.free.push(self.cell[index]);
        }
    }

    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    fn output(&self, id: NodeId) -> Output {
        let cell = |id: NodeId| usize::from(self.cell[id.0 as usize]);
        match self.graph.node(id) {
            Node::Number(bits) => match f64::from_bits(bits) {
                0.0 => Output::Zero,
                1.0 => Output::One,
                -1.0 => Output::MinusOne,
                value => Output::Constant(value),
            },
            // Even if it stands in a cell too: that one may be gone, the inner one is kept.
            Node::Neg(inner) => Output::Negated(cell(inner)),
            _ => Output::Cell(cell(id)),
        }
    }
}

fn three(code: Code, a: NodeId, b: NodeId, c: NodeId) -> Fused {
    Fused { code, reads: [Some(a), Some(b), Some(c), None] }
}

fn four(code: Code, all: [NodeId; 4]) -> Fused {
    Fused { code, reads: all.map(Some) }
}
