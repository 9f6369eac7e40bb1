//! Which expressions hold velocities, and how.

use super::Checker;
use crate::error::{Diagnostic, ErrorKind, Span};
use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::syntax::ExprId;

/// How an expression depends on the velocities: 0 not at all, 1 affinely, 2 in another way.
///
/// The coefficients may depend on poses in any way. The answer is read off the structure:
/// `sign(ω)` has a vanishing derivative, and is not affine all the same.
fn degrees(graph: &Graph, root: NodeId) -> Vec<u8> {
    let mut degree = vec![0_u8; graph.len()];
    for id in graph.order(&[root]) {
        let d = |a: NodeId| degree[a.0 as usize];
        let largest = graph.node(id).children().map(d).max().unwrap_or(0);
        degree[id.0 as usize] = match graph.node(id) {
            Node::Leaf(leaf) => u8::from(leaf.is_velocity()),
            Node::Add(..)
            | Node::Sub(..)
            | Node::Neg(_)
            | Node::Perp(_)
            | Node::Transpose(_)
            | Node::Component(..)
            | Node::Entry(..)
            | Node::Vector(..)
            | Node::Matrix(_) => largest,
            Node::Mul(a, b) | Node::Dot(a, b) | Node::Cross(a, b) | Node::Outer(a, b) => {
                (d(a) + d(b)).min(2)
            }
            Node::Div(a, b) if d(b) == 0 => d(a),
            Node::Rotate(angle, u) if d(angle) == 0 => d(u),
            Node::Select([a, b, ..]) if d(a) == 0 && d(b) == 0 => largest,
            _ if largest == 0 => 0,
            _ => 2,
        };
    }
    degree
}

impl Checker<'_> {
    /// Whether a node holds a velocity.
    fn has_velocity(&mut self, node: NodeId) -> bool {
        self.model.graph.mark(&mut self.velocities, Leaf::is_velocity);
        self.velocities[node.0 as usize]
    }

    /// Reports the velocities in an expression that must not have any.
    pub(super) fn reject_velocities(&mut self, root: NodeId, what: &str) {
        if !self.has_velocity(root) {
            return;
        }
        // The smallest expressions that hold one: those that hold no smaller one.
        let holds = |(_, node): &&(Span, NodeId)| self.velocities[node.0 as usize];
        let mut culprits: Vec<_> = self.trace.iter().filter(holds).map(|each| each.0).collect();
        culprits.sort_unstable();
        culprits.dedup();
        culprits.truncate(crate::limits::MAX_DIAGNOSTICS * 8);
        let all = culprits.clone();
        culprits.retain(|span| {
            !all.iter()
                .any(|other| other != span && span.start <= other.start && other.end <= span.end)
        });
        culprits.dedup();
        for span in culprits {
            self.errors.push(
                Diagnostic::new(ErrorKind::Velocity, span, format!("{what} depends on a velocity"))
                    .label("a velocity")
                    .help("a relation between velocities is written `velocity constraint …`"),
            );
        }
    }

    /// Reports the parts of a velocity constraint that are not affine in the velocities.
    pub(super) fn require_affine(&mut self, root: NodeId, whole: ExprId) {
        let degree = degrees(&self.model.graph, root);
        let of = |node: NodeId| degree.get(node.0 as usize).copied().unwrap_or(0);
        // A row from which the velocity cancels rests; one that never had any is a mistake.
        let element = self.elements.iter().find(|each| each.1 == root).map(|each| each.0);
        let element = element.unwrap_or(self.syntax.span(whole));
        self.has_velocity(root);
        let inside = |span: Span| element.start <= span.start && span.end <= element.end;
        let written =
            self.trace.iter().any(|(span, node)| self.velocities[node.0 as usize] && inside(*span));
        match of(root) {
            1 => {}
            0 if written => {}
            0 => self.errors.push(
                Diagnostic::new(
                    ErrorKind::Velocity,
                    element,
                    "a row of the velocity constraint holds no velocity",
                )
                .label("nothing here moves")
                .help("a relation between positions is written `constraint …`"),
            ),
            _ => {
                let culprit = self
                    .trace
                    .iter()
                    .filter(|(_, node)| of(*node) == 2)
                    .map(|(span, _)| *span)
                    .min_by_key(|span| span.end - span.start)
                    .unwrap_or(self.syntax.span(whole));
                self.errors.push(
                    Diagnostic::new(
                        ErrorKind::Velocity,
                        culprit,
                        "a velocity constraint must be affine in the velocities",
                    )
                    .label("not affine in the velocities")
                    .help(
                        "velocities may be added, and multiplied by what depends on poses, \
                         parameters and `time` only",
                    ),
                );
            }
        }
    }
}
