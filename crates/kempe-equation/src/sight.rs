//! The same equations as B is seen from A.
//!
//! What two bodies have to do with each other does not depend on where in the world they are. So A can
//! stand at the origin and B at its offset, which f32 holds wherever both are; and where angles are in
//! an equation by their cosines and sines, or as k_A θ_A + k_B θ_B beside the rest of it, they count
//! from the start of the step. Each row is then
//!
//! C = C'(offset, turns, parameters) + k_A θ_A + k_B θ_B + c
//!
//! with θ at the start of the step. C' is computed in f32; k_A, k_B and c, which follow from the
//! parameters alone, in f64 and once. A [`Sight`] needs fewer operations than the change since the
//! start of the step ([`crate::delta`]), and nothing in f64 in a step; but not all equations have one.

use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::lower;
use crate::tape::Tape;
use std::sync::Arc;

/// The equations of two bodies as B is seen from A, if they have such a form: see
/// [`Compiled::sight`](crate::Compiled::sight).
#[derive(Clone, Debug)]
pub struct Sight {
    step: Arc<Tape>,
    fixed: Arc<Tape>,
    rows: usize,
}

impl Sight {
    /// What is computed in f32 within a step. It takes the offset from A to B, the cosines and sines of
    /// the present angles, how much they changed since the start of the step, parameters and memories.
    pub fn step(&self) -> &Arc<Tape> {
        &self.step
    }

    /// What follows from the parameters alone.
    pub fn fixed(&self) -> &Arc<Tape> {
        &self.fixed
    }

    /// The outputs of [`step`](Self::step) that are a row: J for v_x and v_y of B, which are minus those
    /// of A, for ω of A and of B, and C'.
    pub fn row(&self, row: usize) -> [usize; 5] {
        std::array::from_fn(|k| 5 * row + k)
    }

    /// The outputs of [`step`](Self::step) that are x and y of a vector whose direction is remembered,
    /// and x and y of its direction, or of the one that is remembered where it has none.
    pub fn memory(&self, site: usize) -> [usize; 4] {
        std::array::from_fn(|k| 5 * self.rows + 4 * site + k)
    }

    /// The outputs of [`fixed`](Self::fixed) that are k_A, k_B and c of a row.
    pub fn fixed_outputs(&self, row: usize) -> [usize; 3] {
        std::array::from_fn(|k| 3 * row + k)
    }
}

/// A value as C' + c, and what X, Y, θ_A and θ_B are in it times: X and Y are where A is.
#[derive(Clone, Copy)]
struct Seen {
    rest: NodeId,
    fixed: NodeId,
    along: [NodeId; 4],
    /// Whether it follows from the parameters alone.
    still: bool,
}

const NOTHING: [NodeId; 4] = [Graph::ZERO; 4];

impl Seen {
    /// A number without anything absolute in it.
    fn near(rest: NodeId) -> Self {
        Self { rest, fixed: Graph::ZERO, along: NOTHING, still: false }
    }

    fn still(id: NodeId) -> Self {
        Self { rest: Graph::ZERO, fixed: id, along: NOTHING, still: true }
    }

    /// The whole of it, if nothing absolute is in it.
    fn whole(&self, graph: &mut Graph) -> Option<NodeId> {
        (self.along == NOTHING).then(|| graph.add(self.rest, self.fixed))
    }

    fn both(self, other: Self, mut combine: impl FnMut(NodeId, NodeId) -> NodeId) -> Self {
        Self {
            rest: combine(self.rest, other.rest),
            fixed: combine(self.fixed, other.fixed),
            along: std::array::from_fn(|k| combine(self.along[k], other.along[k])),
            still: false,
        }
    }

    fn each(self, change: impl FnMut(NodeId) -> NodeId) -> Self {
        let mut change = change;
        Self {
            rest: change(self.rest),
            fixed: change(self.fixed),
            along: self.along.map(&mut change),
            still: false,
        }
    }
}

/// The sight of rows, which have `stride` outputs each: C, ∂C/∂t, and J by body and freedom.
pub(crate) fn sight(
    graph: &mut Graph,
    outputs: &[NodeId],
    stride: usize,
    memories: &[[NodeId; 2]],
    driven: &[bool],
) -> Option<Sight> {
    let mut wanted = Vec::new();
    for row in outputs.chunks_exact(stride) {
        let &[value, bias, _, _, turn_a, x, y, turn_b] = row else { return None };
        if bias != Graph::ZERO {
            return None;
        }
        wanted.extend([x, y, turn_a, turn_b, value]);
    }
    wanted.extend(memories.iter().flatten());
    let mut seen: Vec<Option<Seen>> = vec![None; graph.len()];
    for id in graph.order(&wanted) {
        // A vector or matrix is looked at by its components.
        if !is_whole_leaf(graph, id) {
            seen[id.0 as usize] = Some(look(graph, id, &seen, driven)?);
        }
    }
    let of = |id: NodeId| seen.get(id.0 as usize).copied().flatten();
    let rows = outputs.len() / stride;
    let (mut step, mut fixed) = (Vec::new(), Vec::new());
    for row in wanted[..5 * rows].chunks_exact(5) {
        for part in &row[..4] {
            step.push(of(*part)?.whole(graph)?);
        }
        let value = of(row[4])?;
        let [x, y, turn_a, turn_b] = value.along;
        if [x, y] != [Graph::ZERO; 2] {
            return None;
        }
        step.push(value.rest);
        fixed.extend([turn_a, turn_b, value.fixed]);
    }
    for (site, [x, y]) in memories.iter().enumerate() {
        let vector = [of(*x)?.whole(graph)?, of(*y)?.whole(graph)?];
        step.extend(vector);
        step.extend(lower::direction(graph, vector, site));
    }
    let [step, fixed] = [step, fixed].map(|outputs| Tape::new(graph, &outputs).map(Arc::new));
    Some(Sight { step: step?, fixed: fixed?, rows })
}

/// Whether a node is a leaf of several components.
fn is_whole_leaf(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.node(id), Node::Leaf(leaf) if leaf.kind().components() > 1)
}

fn look(graph: &mut Graph, id: NodeId, seen: &[Option<Seen>], driven: &[bool]) -> Option<Seen> {
    let node = graph.node(id);
    let of = |id: NodeId| seen[id.0 as usize];
    match node {
        Node::Number(_) => return Some(Seen::still(id)),
        Node::Leaf(leaf) => return self::leaf(graph, id, leaf, 0, driven),
        Node::Component(a, index) | Node::Entry(a, index) => {
            if let Node::Leaf(leaf) = graph.node(a) {
                return self::leaf(graph, id, leaf, index, driven);
            }
        }
        _ => {}
    }
    if node.children().all(|child| of(child).is_some_and(|seen| seen.still)) {
        return Some(Seen::still(id));
    }
    match node {
        Node::Add(a, b) => Some(of(a)?.both(of(b)?, |a, b| graph.add(a, b))),
        Node::Sub(a, b) => Some(of(a)?.both(of(b)?, |a, b| graph.sub(a, b))),
        Node::Neg(a) => Some(of(a)?.each(|a| graph.neg(a))),
        Node::Mul(a, b) if of(a)?.still => Some(of(b)?.each(|b| graph.mul(a, b))),
        Node::Mul(a, b) if of(b)?.still => Some(of(a)?.each(|a| graph.mul(a, b))),
        Node::Div(a, b) if of(b)?.still => Some(of(a)?.each(|a| graph.div(a, b))),
        // Whatever else is done with something absolute cannot be taken apart.
        node => {
            let children: Vec<NodeId> = node.children().collect();
            let mut wholes = Vec::with_capacity(children.len());
            for child in &children {
                wholes.push(of(*child)?.whole(graph)?);
            }
            let whole = |child: NodeId| {
                let at = children.iter().position(|each| *each == child);
                at.map_or(child, |at| wholes[at])
            };
            Some(Seen::near(graph.rebuild(node, whole, id)))
        }
    }
}

/// What a component of a leaf is seen as.
fn leaf(graph: &mut Graph, id: NodeId, leaf: Leaf, index: u8, driven: &[bool]) -> Option<Seen> {
    let along = |k: usize| {
        let mut along = NOTHING;
        along[k] = Graph::ONE;
        along
    };
    match leaf {
        Leaf::Position(slot) => {
            let rest = match slot {
                0 => Graph::ZERO,
                _ => {
                    let offset = graph.leaf(Leaf::Offset);
                    graph.component(offset, index)
                }
            };
            Some(Seen { along: along(usize::from(index)), ..Seen::near(rest) })
        }
        Leaf::Rotation(slot) => {
            let turned = graph.leaf(Leaf::DeltaRotation(slot));
            Some(Seen { along: along(2 + usize::from(slot)), ..Seen::near(turned) })
        }
        Leaf::Cosine(_) | Leaf::Sine(_) | Leaf::Memory(_) => Some(Seen::near(id)),
        Leaf::Parameter(which, _) if driven.get(usize::from(which)) != Some(&true) => {
            Some(Seen::still(id))
        }
        _ => None,
    }
}
