//! From what a program states to the tapes that compute it.

use crate::check::{Model, Rows};
use crate::delta;
use crate::derive::{FREEDOMS, Motion, along};
use crate::graph::{Graph, Leaf, NodeId};
use crate::lower::Lowering;
use crate::sight::{self, Sight};
use crate::tape::{Cells, Output, Tape};
use std::sync::Arc;

/// Which of [`crate::limits`] a program or its derivatives exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooLarge {
    Nodes,
    Tape,
}

/// What a row constrains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// C(x, t), a row of `constraint`.
    Position,
    /// A(x, t) v + b(x, t), a row of `velocity constraint`.
    Velocity,
    /// q(x, t), an `axis`.
    Axis,
}

/// A program compiled for a certain sharing of bodies.
///
/// Names that are bound to one body share a *slot*; each slot has three columns in J, for v_x, v_y
/// and ω of its body. The rows are those of the constraint, then those of the velocity constraint,
/// then the axes.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(crate) slots: usize,
    pub(crate) kinds: Vec<RowKind>,
    /// By row: whether it cannot be negative, whatever the state.
    pub(crate) lengths: Vec<bool>,
    pub(crate) checks: usize,
    pub(crate) equations: Arc<Tape>,
    pub(crate) second: Arc<Tape>,
    pub(crate) context: Arc<Tape>,
    pub(crate) start: Arc<Tape>,
    pub(crate) step: Arc<Tape>,
    pub(crate) sight: Option<Arc<Sight>>,
    pub(crate) memories: usize,
    pub(crate) parameter_components: usize,
}

impl Compiled {
    /// How many different bodies take part.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// What each row is.
    pub fn rows(&self) -> &[RowKind] {
        &self.kinds
    }

    /// Whether a row is a length, or another expression that is never negative as it is written: a norm, an
    /// absolute value, a root, a square, sums of them and multiples by numbers that are not negative. A
    /// bound at 0 or below is then none.
    pub fn is_length(&self, row: usize) -> bool {
        self.lengths.get(row).copied().unwrap_or(false)
    }

    /// How many directions are remembered for lengths that become zero.
    pub fn memories(&self) -> usize {
        self.memories
    }

    /// Whether nothing but its rows, and directions that are remembered, has to be looked at in a
    /// step: no conditions, no bounds or rates of parameters that change, nothing but equations
    /// `C = 0` and free axes.
    pub fn is_plain(&self) -> bool {
        let still = |output: &Output| !matches!(output, Output::Cell(_) | Output::Negated(_));
        let before_memories = self.rate_output(self.parameter_components);
        let context = Cells::precise(&self.context);
        let plain = |(row, kind): (usize, &RowKind)| {
            let bound = self.bound(&context, row);
            let still = bound.lower_rate == 0.0 && bound.upper_rate == 0.0;
            still
                && match kind {
                    RowKind::Position => bound.lower == 0.0 && bound.upper == 0.0,
                    RowKind::Axis => {
                        bound.lower == f64::NEG_INFINITY && bound.upper == f64::INFINITY
                    }
                    RowKind::Velocity => false,
                }
        };
        self.checks == 0
            && self.context.outputs().iter().take(before_memories).all(still)
            && self.kinds.iter().enumerate().all(plain)
            && (0..self.parameter_components)
                .all(|component| context.output(self.rate_output(component)) == 0.0)
    }

    /// C, J and ∂C/∂t of every row. The outputs of a row stand together, see
    /// [`value`](Self::value), [`bias`](Self::bias) and [`jacobian`](Self::jacobian).
    pub fn equations(&self) -> &Arc<Tape> {
        &self.equations
    }

    /// For the reference solver: first (dJ/dt) v + d(∂C/∂t)/dt of every row, then ∂(Jᵀλ)/∂x by
    /// rows, of all freedoms of all slots.
    pub fn second(&self) -> &Arc<Tape> {
        &self.second
    }

    /// What is computed in f64 at the start of a step: the value of every row, then the numbers
    /// that [`step`](Self::step) takes as [`Input::Base`](crate::Input::Base), rounded to f32, then x
    /// and y of the vectors whose directions are remembered.
    pub fn start(&self) -> &Arc<Tape> {
        &self.start
    }

    /// How many numbers [`step`](Self::step) takes as [`Input::Base`](crate::Input::Base).
    pub fn bases(&self) -> usize {
        self.start.outputs().len() - self.kinds.len() - 2 * self.memories
    }

    /// What is computed in f32 within a step: as [`equations`](Self::equations), with the change
    /// of C since the start of the step in place of C. It takes the changes of the poses, so
    /// nothing is lost far from the origin or after many turns.
    ///
    /// Its [`Input::Cosine`](crate::Input::Cosine) and [`Input::Sine`](crate::Input::Sine) are of
    /// the present angle, as exact as f32 holds them: made from the angle in f64, or turned on from
    /// the start of the step, never from an angle in f32. An angle of `atan2` goes on past ±π within
    /// the step.
    pub fn step(&self) -> &Arc<Tape> {
        &self.step
    }

    /// The equations as the second body is seen from the first, of programs of two bodies whose rows
    /// depend on where they are by that alone, and on angles by their cosines and sines, or by a multiple
    /// of them beside the rest.
    pub fn sight(&self) -> Option<&Arc<Sight>> {
        self.sight.as_ref()
    }

    fn stride(&self) -> usize {
        2 + FREEDOMS * self.slots
    }

    /// The output of [`equations`](Self::equations) that is C (or q) of a row; 0 for a velocity row.
    pub fn value(&self, row: usize) -> usize {
        row * self.stride()
    }

    /// The output that is ∂C/∂t of a row, or b of a velocity row.
    pub fn bias(&self, row: usize) -> usize {
        row * self.stride() + 1
    }

    /// The output that is J of a row, for a freedom (0 v_x, 1 v_y, 2 ω) of the body in a slot.
    pub fn jacobian(&self, row: usize, slot: usize, freedom: usize) -> usize {
        row * self.stride() + 2 + FREEDOMS * slot + freedom
    }

    /// The output of [`second`](Self::second) that is the acceleration bias of a row.
    pub fn acceleration_bias(&self, row: usize) -> usize {
        row
    }

    /// The output of [`second`](Self::second) that is ∂(Jᵀλ)ᵢ/∂xⱼ, i and j counting the freedoms
    /// of slot 0, then of slot 1, and so on.
    pub fn curvature(&self, i: usize, j: usize) -> usize {
        self.kinds.len() + i * FREEDOMS * self.slots + j
    }
}

/// A scalar or vector of rows and its derivatives, before it is lowered.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub kind: RowKind,
    pub value: NodeId,
    /// V: dC/dt along the motion of everything.
    pub rate: NodeId,
    pub bias: NodeId,
    pub acceleration_bias: NodeId,
    /// By column of J.
    pub columns: Vec<NodeId>,
}

/// The rows of a program with their derivatives.
pub(crate) fn pieces(model: &mut Model) -> Vec<Piece> {
    let rates = model.rates();
    let slots = model.slot_count();
    let axes: Vec<NodeId> = model.axes.iter().map(|axis| axis.value).collect();
    let mut pieces = Vec::new();
    let graph = &mut model.graph;
    pieces.extend(position_pieces(graph, RowKind::Position, &model.position.values, slots, &rates));
    pieces.extend(velocity_pieces(graph, &model.velocity.values, slots, &rates));
    pieces.extend(position_pieces(graph, RowKind::Axis, &axes, slots, &rates));
    pieces
}

fn position_pieces(
    graph: &mut Graph,
    kind: RowKind,
    values: &[NodeId],
    slots: usize,
    rates: &[Option<NodeId>],
) -> Vec<Piece> {
    let velocity = along(graph, values, Motion::All, rates);
    let acceleration = along(graph, &velocity, Motion::All, rates);
    let bias = along(graph, values, Motion::Clock, rates);
    let columns =
        columns(slots, |slot, freedom| along(graph, values, Motion::Body { slot, freedom }, rates));
    assemble(kind, values, &velocity, &bias, &acceleration, &columns)
}

fn velocity_pieces(
    graph: &mut Graph,
    values: &[NodeId],
    slots: usize,
    rates: &[Option<NodeId>],
) -> Vec<Piece> {
    let acceleration = along(graph, values, Motion::All, rates);
    let columns = columns(slots, |slot, freedom| {
        along(graph, values, Motion::Velocity { slot, freedom }, rates)
    });
    // b = V − A v, exactly: the terms in v cancel by construction if v is put to zero.
    let bias = without_velocities(graph, values);
    assemble(RowKind::Velocity, values, values, &bias, &acceleration, &columns)
}

/// By column, the derivatives of all values.
fn columns(slots: usize, mut column: impl FnMut(usize, usize) -> Vec<NodeId>) -> Vec<Vec<NodeId>> {
    let each = (0..slots).flat_map(|slot| (0..FREEDOMS).map(move |freedom| (slot, freedom)));
    each.map(|(slot, freedom)| column(slot, freedom)).collect()
}

fn assemble(
    kind: RowKind,
    values: &[NodeId],
    rate: &[NodeId],
    bias: &[NodeId],
    acceleration: &[NodeId],
    columns: &[Vec<NodeId>],
) -> Vec<Piece> {
    (0..values.len())
        .map(|k| Piece {
            kind,
            value: values[k],
            rate: rate[k],
            bias: bias[k],
            acceleration_bias: acceleration[k],
            columns: columns.iter().map(|column| column[k]).collect(),
        })
        .collect()
}

/// The expressions with every velocity replaced by zero.
fn without_velocities(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    graph.replace(roots, |graph, leaf| {
        if leaf.is_velocity() { Graph::zero(leaf.kind()) } else { graph.leaf(leaf) }
    })
}

/// Compiles a program.
pub(crate) fn compile(model: &Model) -> Result<Compiled, TooLarge> {
    let mut model = model.clone();
    let pieces = pieces(&mut model);
    let slots = model.slot_count();
    let rates = model.rates();
    let mut lowering = Lowering::default();
    let graph = &mut model.graph;

    let mut kinds = Vec::new();
    let mut lengths = Vec::new();
    let mut outputs = Vec::new();
    let never_negative = graph.never_negative();
    for piece in &pieces {
        let value = match piece.kind {
            RowKind::Velocity => Graph::zero(graph.kind(piece.value)),
            RowKind::Position | RowKind::Axis => piece.value,
        };
        let mut nodes = vec![value, piece.bias];
        nodes.extend(&piece.columns);
        let parts = lowering.lower(graph, &nodes);
        for row in 0..graph.kind(piece.value).components() {
            kinds.push(piece.kind);
            let length = never_negative.get(piece.value.0 as usize).copied().unwrap_or(false);
            lengths.push(length && piece.kind != RowKind::Velocity);
            outputs.extend(parts.iter().map(|part| part[row]));
        }
    }
    let equations = Tape::new(graph, &outputs).ok_or(TooLarge::Tape)?;

    let second = second(graph, &mut lowering, &pieces, slots, &rates);
    let second = Tape::new(graph, &second).ok_or(TooLarge::Tape)?;

    let driven: Vec<bool> = model.parameters.iter().map(|each| each.rate.is_some()).collect();
    let stride = 2 + FREEDOMS * slots;
    let values: Vec<NodeId> = outputs.iter().step_by(stride).copied().collect();
    let delta = delta::transform(graph, &outputs, stride, &driven);
    let mut step = Tape::new(graph, &delta.outputs).ok_or(TooLarge::Tape)?;
    let bases = delta.bases_of(&mut step);
    let vectors = lowering.memories.iter().flatten().copied();
    let start: Vec<NodeId> = values.into_iter().chain(bases).chain(vectors).collect();
    let start = Tape::new(graph, &start).ok_or(TooLarge::Tape)?;

    let plain = slots == 2 && !kinds.contains(&RowKind::Velocity);
    let sight = plain.then(|| sight::sight(graph, &outputs, stride, &lowering.memories, &driven));
    let sight = sight.flatten().map(Arc::new);

    let context = context(&mut model, &mut lowering);
    let context = Tape::new(&model.graph, &context).ok_or(TooLarge::Tape)?;
    if model.graph.overflowed() {
        return Err(TooLarge::Nodes);
    }
    Ok(Compiled {
        slots,
        kinds,
        lengths,
        checks: model.checks.len(),
        equations: Arc::new(equations),
        second: Arc::new(second),
        context: Arc::new(context),
        start: Arc::new(start),
        step: Arc::new(step),
        sight,
        memories: lowering.memories.len(),
        parameter_components: model.parameters.iter().map(|p| p.kind.components()).sum(),
    })
}

/// (dJ/dt) v + d(∂C/∂t)/dt of every row, then ∂(Jᵀλ)/∂x.
fn second(
    graph: &mut Graph,
    lowering: &mut Lowering,
    pieces: &[Piece],
    slots: usize,
    rates: &[Option<NodeId>],
) -> Vec<NodeId> {
    let freedoms = FREEDOMS * slots;
    let mut outputs = Vec::new();
    let mut symmetric = vec![Graph::ZERO; freedoms];
    let mut skew = vec![Graph::ZERO; freedoms];
    let mut row = 0;
    for piece in pieces {
        let count = graph.kind(piece.value).components();
        let parts = lowering.lower(graph, &[piece.acceleration_bias])[0];
        outputs.extend(&parts[..count]);
        let multipliers: Vec<NodeId> =
            (row..row + count).map(|k| graph.leaf(Leaf::Multiplier(k as u16))).collect();
        row += count;
        // The rows of a velocity constraint are no gradients: their part has no symmetry.
        let sum = if piece.kind == RowKind::Velocity { &mut skew } else { &mut symmetric };
        for (total, column) in sum.iter_mut().zip(&piece.columns) {
            let term = match multipliers[..] {
                [x, y] => {
                    let lambda = graph.vector(x, y);
                    graph.dot(lambda, *column)
                }
                _ => graph.mul(multipliers[0], *column),
            };
            *total = graph.add(*total, term);
        }
    }
    let mut curvature = vec![Graph::ZERO; freedoms * freedoms];
    for j in 0..freedoms {
        let motion = Motion::Body { slot: j / FREEDOMS, freedom: j % FREEDOMS };
        for (i, term) in along(graph, &symmetric[..=j], motion, rates).into_iter().enumerate() {
            for entry in [i * freedoms + j, j * freedoms + i] {
                curvature[entry] = term;
            }
        }
    }
    for j in 0..freedoms {
        let motion = Motion::Body { slot: j / FREEDOMS, freedom: j % FREEDOMS };
        for (i, term) in along(graph, &skew, motion, rates).into_iter().enumerate() {
            let entry = &mut curvature[i * freedoms + j];
            *entry = graph.add(*entry, term);
        }
    }
    outputs.extend(lowering.lower(graph, &curvature).into_iter().map(|part| part[0]));
    outputs
}

/// What does not belong to a row.
impl Compiled {
    /// In f64: the checks, the bounds of the rows and their rates, the rates of the parameters, and
    /// the vectors whose directions are remembered. See the functions below.
    pub fn context(&self) -> &Arc<Tape> {
        &self.context
    }

    /// The outputs of [`context`](Self::context) that are the value, the lower and the upper bound
    /// of a `limit` that is checked.
    pub fn check_outputs(&self, check: usize) -> [usize; 3] {
        [3 * check, 3 * check + 1, 3 * check + 2]
    }

    /// The outputs that are the lower bound of a row, its upper bound, and their rates.
    pub fn bound_outputs(&self, row: usize) -> [usize; 4] {
        let first = 3 * self.checks + 4 * row;
        [first, first + 1, first + 2, first + 3]
    }

    /// The output that is the rate of a parameter, counting components over all parameters.
    pub fn rate_output(&self, component: usize) -> usize {
        3 * self.checks + 4 * self.kinds.len() + component
    }

    /// The outputs that are x and y of the vector whose direction a memory keeps.
    pub fn memory_outputs(&self, site: usize) -> [usize; 2] {
        let first = self.rate_output(self.parameter_components) + 2 * site;
        [first, first + 1]
    }

    /// The direction of a vector that is long enough to have one.
    pub fn direction([x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let length = (x * x + y * y).sqrt();
        let has_one = length * length > crate::graph::TINY && length.is_finite();
        has_one.then(|| [x / length, y / length])
    }

    /// Takes the directions of the vectors over that have one, as [`direction`](Self::direction) finds
    /// them; four lists of one length.
    pub fn keep_directions([x, y]: [&[f64]; 2], [kept_x, kept_y]: [&mut [f64]; 2]) {
        // Without a branch, so that several go at once.
        for ((x, y), (kept_x, kept_y)) in x.iter().zip(y).zip(kept_x.iter_mut().zip(kept_y)) {
            let length = (x * x + y * y).sqrt();
            let has_one = (length * length > crate::graph::TINY) & (length < f64::INFINITY);
            let [along_x, along_y] = [x / length, y / length];
            *kept_x = if has_one { along_x } else { *kept_x };
            *kept_y = if has_one { along_y } else { *kept_y };
        }
    }
}

/// What does not belong to a row: the checks (value, lower, upper), the bounds of the rows and
/// their rates, the rates of the parameters, and the vectors whose directions are remembered.
fn context(model: &mut Model, lowering: &mut Lowering) -> Vec<NodeId> {
    let rates = model.rates();
    let mut outputs = Vec::new();
    for check in &model.checks {
        for node in [check.value, check.lower, check.upper] {
            outputs.push(lowering.scalar(&mut model.graph, node));
        }
    }
    let graph = &mut model.graph;
    let mut bounds = Vec::new();
    for Rows { values, bounds: given } in [&model.position, &model.velocity] {
        let rows: usize = values.iter().map(|value| graph.kind(*value).components()).sum();
        let mut ends = |nodes: &[NodeId]| -> Vec<NodeId> {
            let parts = lowering.lower(graph, nodes);
            let counted = nodes.iter().zip(parts);
            counted.flat_map(|(n, p)| p.into_iter().take(graph.kind(*n).components())).collect()
        };
        match given {
            Some((lower, upper)) => bounds.extend(ends(lower).into_iter().zip(ends(upper))),
            None => bounds.extend(std::iter::repeat_n((Graph::ZERO, Graph::ZERO), rows)),
        }
    }
    let (low, high) = (graph.number(f64::NEG_INFINITY), graph.number(f64::INFINITY));
    for axis in &model.axes {
        let (lower, upper) = axis.bounds.unwrap_or((low, high));
        bounds.push((lowering.scalar(graph, lower), lowering.scalar(graph, upper)));
    }
    for (lower, upper) in bounds {
        let change = along(graph, &[lower, upper], Motion::Clock, &rates);
        let change = [lowering.scalar(graph, change[0]), lowering.scalar(graph, change[1])];
        outputs.extend([lower, upper, change[0], change[1]]);
    }
    for parameter in &model.parameters {
        let count = parameter.kind.components();
        let rate = parameter.rate.unwrap_or(Graph::zero(parameter.kind));
        outputs.extend(&lowering.lower(graph, &[rate])[0][..count]);
    }
    outputs.extend(lowering.memories.iter().flatten());
    outputs
}
