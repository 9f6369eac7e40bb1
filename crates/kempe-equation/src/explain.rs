//! A program explained: its C, V, J and K, in mathematics or in the language.

mod sample;

use crate::check::Model;
use crate::compile::{Piece, RowKind, pieces};
use crate::derive::FREEDOMS;
use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::print::{Listing, Style, list, symbol};
use crate::program::Program;
use crate::types::Type;
use std::fmt::Write;

pub use sample::sample;

/// One entry of J: the block of a scalar or vector of rows for one freedom of one body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JacobianEntry {
    /// The body.
    pub body: String,
    /// ∂/∂v: a row vector for a scalar of the constraint, a matrix for a vector of it.
    pub linear: String,
    /// ∂/∂ω: a scalar or a vector.
    pub angular: String,
}

/// A scalar or vector of rows, or an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// "C" or "V", numbered if there are several, or the name of the axis.
    pub name: String,
    /// What it belongs to.
    pub kind: RowKind,
    /// C or q; for a velocity constraint, its V.
    pub value: String,
    /// V = dC/dt.
    pub rate: String,
    /// ∂C/∂t, or b of a velocity constraint.
    pub bias: String,
    /// J, by body.
    pub jacobian: Vec<JacobianEntry>,
}

/// A program's mathematics as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Parts that are named, each before it is used.
    pub definitions: Vec<(String, String)>,
    /// The constraint, the velocity constraint and the axes.
    pub pieces: Vec<Explained>,
    /// The upper triangle of K = J M⁻¹ Jᵀ of the held rows, or of the axes if none is held:
    /// (row, column, expression), from 1.
    pub inverse_mass: Vec<(usize, usize, String)>,
    /// Bounds of the constraints and axes: (what, lower, upper).
    pub bounds: Vec<(String, String, String)>,
    /// What is checked on use: (value, lower, upper).
    pub checks: Vec<(String, String, String)>,
    /// Rates of the driven parameters: (name, rate).
    pub rates: Vec<(String, String)>,
}

impl Program {
    /// The mathematics of the program, with every body a different one.
    pub fn explain(&self, style: Style) -> Explanation {
        let mut model = Model::clone(&self.model);
        let pieces = pieces(&mut model);
        let jacobians: Vec<Vec<[NodeId; 2]>> =
            pieces.iter().map(|piece| jacobian(&mut model.graph, piece)).collect();
        let mut masses = inverse_mass(&mut model, &pieces);
        // K of many rows can be larger than a graph may be; then it is left out.
        if model.graph.overflowed() {
            masses.clear();
        }

        let mut roots = Vec::new();
        for (piece, jacobian) in pieces.iter().zip(&jacobians) {
            roots.extend([piece.value, piece.rate, piece.bias]);
            roots.extend(jacobian.iter().flatten());
        }
        roots.extend(masses.iter().map(|each| each.2));
        let bounds = bounds(&model);
        for (_, lower, upper) in &bounds {
            roots.extend(lower.iter().chain(upper));
        }
        roots.extend(model.checks.iter().flat_map(|c| [c.value, c.lower, c.upper]));
        roots.extend(model.parameters.iter().filter_map(|each| each.rate));
        let Listing { definitions, expressions } = list(&model, &roots, style);

        let mut texts = expressions.into_iter();
        let mut next = || texts.next().unwrap_or_default();
        let mut axes = model.axes.iter();
        let count = |kind| pieces.iter().filter(|piece| piece.kind == kind).count();
        let mut numbers = [0; 2];
        let mut numbered = |letter: &str, which: usize, kind: RowKind| {
            numbers[which] += 1;
            if count(kind) == 1 { letter.to_owned() } else { format!("{letter}{}", numbers[which]) }
        };
        let explained = pieces.iter().zip(&jacobians).map(|(piece, jacobian)| Explained {
            name: match piece.kind {
                RowKind::Position => numbered("C", 0, piece.kind),
                RowKind::Velocity => numbered("V", 1, piece.kind),
                RowKind::Axis => axes.next().map_or_else(String::new, |axis| axis.name.clone()),
            },
            kind: piece.kind,
            value: next(),
            rate: next(),
            bias: next(),
            jacobian: (0..jacobian.len())
                .map(|slot| JacobianEntry {
                    body: self.bodies().get(slot).cloned().unwrap_or_default(),
                    linear: next(),
                    angular: next(),
                })
                .collect(),
        });
        let pieces = explained.collect();
        let inverse_mass = masses.iter().map(|(i, j, _)| (i + 1, j + 1, next())).collect();
        let mut list = |count: usize| -> String {
            let texts: Vec<String> = (0..count).map(|_| next()).collect();
            if count == 1 { texts.concat() } else { format!("{{ {} }}", texts.join(", ")) }
        };
        let bounds = bounds.into_iter();
        let bounds = bounds.map(|(what, low, high)| (what, list(low.len()), list(high.len())));
        let bounds = bounds.collect();
        let checks = model.checks.iter().map(|_| (list(1), list(1), list(1))).collect();
        let driven = model.parameters.iter().filter(|each| each.rate.is_some());
        let rates = driven.map(|each| (each.name.clone(), list(1))).collect();
        Explanation { definitions, pieces, inverse_mass, bounds, checks, rates }
    }

    /// The explanation for a reader: what is declared, then C, V, J and K.
    pub fn explain_text(&self) -> String {
        let explanation = self.explain(Style::Mathematics);
        let mut text = self.header();
        if !explanation.definitions.is_empty() {
            text += "\nwhere\n";
            for (name, value) in &explanation.definitions {
                let _ = writeln!(text, "  {name} = {value}");
            }
        }
        let of = |kind: RowKind| explanation.pieces.iter().filter(move |each| each.kind == kind);
        section(&mut text, "C, the constraint", of(RowKind::Position).map(|e| e.value.clone()));
        let rates = of(RowKind::Position).chain(of(RowKind::Velocity)).map(|e| e.rate.clone());
        section(&mut text, "V, the velocity constraint", rates);
        let axes = of(RowKind::Axis).flat_map(|e| {
            [format!("{} = {}", e.name, e.value), format!("d{}/dt = {}", e.name, e.rate)]
        });
        section(&mut text, "axes", axes);
        let lines = explanation.pieces.iter().flat_map(|piece| {
            piece.jacobian.iter().map(move |entry| {
                let [v, w] = ["v", "ω"].map(|letter| symbol(&self.model, letter, &entry.body));
                let (name, linear, angular) = (&piece.name, &entry.linear, &entry.angular);
                format!("∂{name}/∂{v} = {linear}    ∂{name}/∂{w} = {angular}")
            })
        });
        section(&mut text, "J, the Jacobian (V = J v + bias)", lines);
        let biases = explanation.pieces.iter().filter(|piece| piece.bias != "0");
        let lines = biases.map(|piece| match piece.kind {
            RowKind::Velocity => format!("{} at rest = {}", piece.name, piece.bias),
            _ => format!("∂{}/∂t = {}", piece.name, piece.bias),
        });
        section(&mut text, "the bias", lines);
        let lines = explanation.inverse_mass.iter().map(|(i, j, k)| format!("K{i}{j} = {k}"));
        section(&mut text, "K = J M⁻¹ Jᵀ, the inverse effective mass", lines);
        let between =
            |(what, low, high): &(String, String, String)| format!("{low} ≤ {what} ≤ {high}");
        section(
            &mut text,
            "bounds (0 and 0 unless stated)",
            explanation.bounds.iter().map(between),
        );
        section(&mut text, "checked on use", explanation.checks.iter().map(between));
        let lines = explanation.rates.iter().map(|(name, rate)| format!("d{name}/dt = {rate}"));
        section(&mut text, "driven parameters", lines);
        text
    }

    /// C, V, J and K as declarations of the language, which can be pasted into a program that
    /// declares the bodies and parameters of this one. K needs the inverse masses as parameters
    /// `NAME_inverseMass` and `NAME_inverseInertia`.
    pub fn explain_source(&self) -> String {
        let explanation = self.explain(Style::Source);
        let declared = self.syntax.declared_names();
        let free = |mut name: String| {
            while declared.contains(&name) {
                name.push('_');
            }
            name
        };
        let mut text = String::new();
        for (name, value) in &explanation.definitions {
            let _ = writeln!(text, "let {name} = {value}");
        }
        let of = |kind: RowKind| explanation.pieces.iter().filter(move |each| each.kind == kind);
        let block = |texts: Vec<&str>| match texts[..] {
            [one] => one.to_owned(),
            _ => format!("{{ {} }}", texts.join(", ")),
        };
        let position: Vec<&str> = of(RowKind::Position).map(|e| e.value.as_str()).collect();
        if !position.is_empty() {
            let _ = writeln!(text, "constraint {}", block(position));
        }
        let rates = of(RowKind::Position).chain(of(RowKind::Velocity));
        // What does not move is no velocity constraint.
        let still = |rate: &&str| !["0", "[0, 0]"].contains(rate);
        let rates: Vec<&str> = rates.map(|e| e.rate.as_str()).filter(still).collect();
        if !rates.is_empty() {
            let _ = writeln!(text, "velocity constraint {}", block(rates));
        }
        for axis in of(RowKind::Axis) {
            let _ = writeln!(text, "axis {} = {}", axis.name, axis.value);
        }
        for (index, piece) in explanation.pieces.iter().enumerate() {
            for entry in &piece.jacobian {
                let name = format!("J{}_{}", index + 1, entry.body);
                let [v, w] = ["velocity", "angularVel"].map(|end| free(format!("{name}_{end}")));
                let _ = writeln!(text, "let {v} = {}", entry.linear);
                let _ = writeln!(text, "let {w} = {}", entry.angular);
            }
        }
        for (i, j, value) in &explanation.inverse_mass {
            let _ = writeln!(text, "let {} = {value}", free(format!("K{i}_{j}")));
        }
        text
    }

    fn header(&self) -> String {
        let mut text = format!("bodies      {}\n", self.bodies().join(", "));
        for (index, parameter) in self.parameters().iter().enumerate() {
            let title = if index == 0 { "parameters" } else { "" };
            let _ = write!(text, "{title:<12}{} {}", parameter.kind.keyword(), parameter.name);
            if let Some(default) = parameter.default {
                let _ = write!(text, " = {default}");
            }
            text += if parameter.driven { ", driven\n" } else { "\n" };
        }
        let axes: Vec<&str> = self.axes().collect();
        let _ = writeln!(text, "rows        {}", self.row_count());
        if !axes.is_empty() {
            let _ = writeln!(text, "axes        {}", axes.join(", "));
        }
        text
    }
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
}

/// [∂/∂v, ∂/∂ω] of a piece, by body.
fn jacobian(graph: &mut Graph, piece: &Piece) -> Vec<[NodeId; 2]> {
    let vector = graph.kind(piece.value) == Type::Vector;
    let each = piece.columns.chunks_exact(FREEDOMS).map(|columns| {
        let (x, y) = (columns[0], columns[1]);
        let linear = if vector {
            let entries = [(x, 0), (y, 0), (x, 1), (y, 1)];
            let entries = entries.map(|(column, index)| graph.component(column, index));
            graph.matrix(entries)
        } else {
            graph.vector(x, y)
        };
        [linear, columns[2]]
    });
    each.collect()
}

/// What the program bounds: (what, lower rows, upper rows).
fn bounds(model: &Model) -> Vec<(String, Vec<NodeId>, Vec<NodeId>)> {
    let mut list = Vec::new();
    for (name, rows) in [("C", &model.position), ("V", &model.velocity)] {
        if let Some((lower, upper)) = &rows.bounds {
            list.push((name.to_owned(), lower.clone(), upper.clone()));
        }
    }
    for axis in &model.axes {
        if let Some((lower, upper)) = axis.bounds {
            list.push((axis.name.clone(), vec![lower], vec![upper]));
        }
    }
    list
}

/// The upper triangle of K of the held rows, or of the axes if none is held.
fn inverse_mass(model: &mut Model, pieces: &[Piece]) -> Vec<(usize, usize, NodeId)> {
    let graph = &mut model.graph;
    // By row: the part for v, as a vector, and the part for ω, of each body.
    let mut rows: Vec<Vec<(NodeId, NodeId)>> = Vec::new();
    let held = pieces.iter().any(|piece| piece.kind != RowKind::Axis);
    for piece in pieces.iter().filter(|piece| (piece.kind != RowKind::Axis) == held) {
        for index in 0..graph.kind(piece.value).components() {
            let mut part = |column: NodeId| match graph.kind(column) {
                Type::Vector => graph.component(column, index as u8),
                _ => column,
            };
            let parts: Vec<NodeId> = piece.columns.iter().map(|column| part(*column)).collect();
            let row = parts.chunks_exact(FREEDOMS);
            rows.push(row.map(|of| (graph.vector(of[0], of[1]), of[2])).collect());
        }
    }
    let mut entries = Vec::new();
    for (i, first) in rows.iter().enumerate() {
        for (j, second) in rows.iter().enumerate().skip(i) {
            let mut sum = Graph::ZERO;
            for (slot, (a, b)) in first.iter().zip(second).enumerate() {
                let mass = graph.leaf(Leaf::InverseMass(slot as u8));
                let inertia = graph.leaf(Leaf::InverseInertia(slot as u8));
                let linear = dot_of_directions(graph, a.0, b.0);
                let angular = graph.mul(a.1, b.1);
                let (linear, angular) = (graph.mul(mass, linear), graph.mul(inertia, angular));
                sum = graph.add(sum, linear);
                sum = graph.add(sum, angular);
            }
            entries.push((i, j, sum));
        }
    }
    entries
}

/// a · b, where û · û = 1. (At zero length it may be 0; this is for reading, not for solving.)
fn dot_of_directions(graph: &mut Graph, a: NodeId, b: NodeId) -> NodeId {
    let bare = |graph: &Graph, id: NodeId| match graph.node(id) {
        Node::Neg(inner) => inner,
        _ => id,
    };
    let mut inner = bare(graph, a);
    let same = inner == bare(graph, b) && a == b;
    // A direction stays one however it is turned.
    while let Node::Rotate(_, turned) | Node::Perp(turned) = graph.node(inner) {
        inner = turned;
    }
    if same && matches!(graph.node(inner), Node::Unit(_)) {
        return Graph::ONE;
    }
    graph.dot(a, b)
}
