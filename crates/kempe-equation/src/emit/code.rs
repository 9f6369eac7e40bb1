//! Nodes to expressions of Rust, with a `let` for what is shared, named or long.
//!
//! What depends on parameters alone is computed in f64 and enters the equations by `S::constant`.
//! No line is longer than [`WIDTH`], so that rustfmt has nothing to break.

use super::expression::{Binding, Text};
use super::names::Names;
use crate::graph::{Graph, Leaf, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// How long a line may be.
pub(super) const WIDTH: usize = 100;
/// How long an expression may be that has no name yet.
pub(super) const LONGEST: usize = 76;
/// How long it may be if it is used more than once.
const SHARED: usize = 14;

/// What all functions of a text have in common.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    pub graph: &'a Graph,
    /// The names of the fields, by parameter.
    pub fields: Vec<String>,
    /// The name of each body, and of its velocities, by slot.
    pub bodies: Vec<String>,
    pub velocities: Vec<[String; 2]>,
    /// By parameter, what it is called where it moves.
    pub driven: Vec<Option<String>>,
    /// By axis, what its limit is called.
    pub limits: Vec<String>,
    /// Names that parts were given.
    pub given: HashMap<NodeId, String>,
    /// By the node of a length, a direction or an angle, which memory it has.
    pub memories: HashMap<NodeId, usize>,
    /// By node, whether it depends on more than parameters that stay.
    pub moving: Vec<bool>,
    /// The names that are taken in every function.
    pub names: Names,
}

/// What a function computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Numbers of any kind `S`, driven parameters as they are at `time`.
    Generic,
    /// f64, driven parameters as they are in the fields, at this time.
    Plain { time: &'static str },
}

/// Statements, and the expressions that they lead to.
#[derive(Debug)]
pub(super) struct Code {
    pub lines: Vec<String>,
    pub expressions: Vec<String>,
}

/// Writes one function.
pub(super) struct Writer<'s> {
    pub(super) sheet: &'s Sheet<'s>,
    pub(super) scope: Scope,
    pub(super) names: Names,
    counter: u32,
    pub(super) texts: HashMap<NodeId, Text>,
    pub(super) named: HashSet<NodeId>,
    /// By angle, what its sine and cosine are called.
    pub(super) turns: HashMap<NodeId, [String; 2]>,
    /// The angles of which both are needed.
    pub(super) wanted: HashSet<NodeId>,
    pub(super) lines: Vec<String>,
}

/// The leaves that expressions are made of.
pub(super) fn leaves(graph: &Graph, roots: &[NodeId]) -> Vec<Leaf> {
    let leaf = |id: NodeId| match graph.node(id) {
        Node::Leaf(leaf) => Some(leaf),
        _ => None,
    };
    graph.order(roots).into_iter().filter_map(leaf).collect()
}

/// Writes scalar and vector nodes that are flat, see [`super::flat`].
pub(super) fn write(sheet: &Sheet<'_>, roots: &[NodeId], scope: Scope) -> Code {
    let mut writer = Writer {
        sheet,
        scope,
        names: sheet.names.clone(),
        counter: 0,
        texts: HashMap::new(),
        named: HashSet::new(),
        turns: HashMap::new(),
        wanted: HashSet::new(),
        lines: Vec::new(),
    };
    let order = sheet.graph.order(roots);
    writer.want_turns(&order);
    writer.define(&order, roots);
    let expressions = roots.iter().map(|root| writer.part(*root, Binding::Sum, false)).collect();
    Code { lines: writer.lines, expressions }
}

impl Writer<'_> {
    /// Finds the angles of which both sine and cosine are needed.
    fn want_turns(&mut self, order: &[NodeId]) {
        let graph = self.sheet.graph;
        for id in order {
            match graph.node(*id) {
                Node::Rotate(angle, _) => {
                    self.wanted.insert(bare(graph, angle));
                }
                Node::Sin(angle)
                    if graph
                        .find(Node::Cos(angle))
                        .is_some_and(|cos| order.binary_search(&cos).is_ok()) =>
                {
                    self.wanted.insert(angle);
                }
                _ => {}
            }
        }
    }

    /// Writes every node once, children first, and names those that deserve it.
    fn define(&mut self, order: &[NodeId], roots: &[NodeId]) {
        let graph = self.sheet.graph;
        let mut uses: HashMap<NodeId, usize> = HashMap::new();
        for child in order.iter().flat_map(|id| reads(graph, *id)) {
            *uses.entry(child).or_default() += 1;
        }
        let inside: HashSet<NodeId> = uses.keys().copied().collect();
        for root in roots {
            *uses.entry(*root).or_default() += 1;
        }
        for id in order {
            let given = self.sheet.given.get(id);
            let longest = given.map_or(LONGEST, |name| {
                WIDTH.saturating_sub("        let  = ;".len() + name.len()).min(LONGEST)
            });
            let mut text = self.node(*id);
            while text.0.len() > longest
                && let Some(child) = self.longest_child(*id)
            {
                self.name(child, None);
                text = self.node(*id);
            }
            let length = text.0.len();
            let whole = is_compound(&text.0);
            self.texts.insert(*id, text);
            let used = uses.get(id).copied().unwrap_or(0);
            match given {
                Some(name) if whole && (inside.contains(id) || used > 1) => {
                    self.name(*id, Some(name));
                }
                _ if whole && used > 1 && length > SHARED => self.name(*id, None),
                _ => {}
            }
        }
    }

    /// The part of a node that is longest and has no name.
    fn longest_child(&self, id: NodeId) -> Option<NodeId> {
        let length = |child: &NodeId| self.texts.get(child).map_or(0, |text| text.0.len());
        let worth = |child: &NodeId| {
            self.texts.get(child).is_some_and(|text| is_compound(&text.0) && text.0.len() > 8)
        };
        // An angle stands in a line of its own anyway.
        let angle = match self.sheet.graph.node(id) {
            Node::Rotate(angle, _) => Some(bare(self.sheet.graph, angle)),
            _ => None,
        };
        let children = reads(self.sheet.graph, id).filter(|child| Some(*child) != angle);
        let children = children.filter(worth);
        // The first of equals.
        children.fold(None, |best, child| match best {
            Some(best) if length(&best) >= length(&child) => Some(best),
            _ => Some(child),
        })
    }

    /// Gives a part a name from here on.
    pub(super) fn name(&mut self, id: NodeId, given: Option<&str>) {
        let name = match given {
            Some(name) => self.names.take(name),
            None => self.names.fresh(&mut self.counter),
        };
        if let Some((text, _)) = self.texts.insert(id, (name.clone(), Binding::Atom)) {
            self.lines.push(format!("let {name} = {text};"));
        }
        self.named.insert(id);
    }
}

/// Whether a text is more than a path.
fn is_compound(text: &str) -> bool {
    text.contains(['(', ' '])
}

/// The nodes that the text of a node speaks of: a turn by −θ speaks of θ.
fn reads(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    let turn = matches!(graph.node(id), Node::Rotate(..));
    let first = graph.node(id).children().next();
    graph.node(id).children().map(move |child| match first {
        Some(angle) if turn && child == angle => bare(graph, angle),
        _ => child,
    })
}

/// An angle without its sign.
pub(super) fn bare(graph: &Graph, angle: NodeId) -> NodeId {
    match graph.node(angle) {
        Node::Neg(inner) => inner,
        _ => angle,
    }
}
