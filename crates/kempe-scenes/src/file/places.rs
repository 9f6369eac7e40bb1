//! Where in a file the faults of its model are.

use super::build::{Fault, Step};
use super::context::Context;
use super::load::Decoded;
use super::notation::{Node, Value};
use super::problem::{MOST_PROBLEMS, Problem, Source};
use std::collections::HashSet;
use std::ops::Range;

/// Faults whose places are looked for.
const MOST_FAULTS: usize = 10 * MOST_PROBLEMS;

/// The node at the end of a way, or as far as it goes.
fn find<'n, 't>(root: &'n Node<'t>, path: &[Step], decoded: &Decoded) -> &'n Node<'t> {
    let mut node = root;
    for (depth, step) in path.iter().enumerate() {
        let next = match (step, &node.value) {
            (Step::Field(name), Value::Map(_)) => node.get(name).or_else(|| nested(node, name, 3)),
            (Step::Item(index), Value::List(list)) => {
                let index = match (depth, path.first()) {
                    (1, Some(Step::Field(field))) => decoded
                        .places
                        .get(field.as_str())
                        .and_then(|places| places.get(*index))
                        .unwrap_or(index),
                    _ => index,
                };
                list.get(*index)
            }
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}

/// A field further inside.
fn nested<'n, 't>(node: &'n Node<'t>, name: &str, depth: usize) -> Option<&'n Node<'t>> {
    let inner: Vec<&Node<'t>> = match &node.value {
        Value::Map(entries) => entries.iter().map(|(_, node)| node).collect(),
        Value::List(list) if list.len() <= 16 => list.iter().collect(),
        _ => return None,
    };
    let own = inner.iter().find_map(|node| node.get(name));
    own.or_else(|| match depth {
        0 => None,
        _ => inner.into_iter().find_map(|node| nested(node, name, depth - 1)),
    })
}

/// Tells of faults at their places in the file, or in files beside it.
pub(super) fn tell(
    faults: Vec<Fault>,
    root: &Node<'_>,
    decoded: &Decoded,
    context: &Context<'_>,
    extra: &mut Vec<Source>,
) {
    // What could not be decoded is missed by others; they are not to blame.
    let lost = |list: &'static str| -> HashSet<String> {
        let Some(Value::List(nodes)) = root.get(list).map(|node| &node.value) else {
            return HashSet::new();
        };
        let places = decoded.places.get(list);
        let kept: HashSet<usize> = places.into_iter().flatten().copied().collect();
        let lost = nodes.iter().enumerate().filter(|(index, _)| !kept.contains(index));
        let names = lost.filter_map(|(_, node)| match &node.get("name")?.value {
            Value::Text(name) => Some(format!("`{name}`")),
            _ => None,
        });
        names.collect()
    };
    let lost = [
        ("no body is called ", lost("bodies")),
        ("no joint is called ", lost("joints")),
        ("no probe is called ", lost("probes")),
    ];
    let broken = |fault: &Fault| {
        lost.iter().any(|(start, names)| {
            fault.message.strip_prefix(start).is_some_and(|name| names.contains(name))
        })
    };
    context.left_out.set(context.left_out.get() + faults.len().saturating_sub(MOST_FAULTS));
    // What stands in for a number that could not be read is not to blame either.
    let told: Vec<Range<usize>> =
        context.problems.borrow().iter().filter_map(|problem| problem.span.clone()).collect();
    for fault in faults.into_iter().take(MOST_FAULTS) {
        let node = find(root, &fault.path, decoded);
        let span = node.span.range();
        let stands_in = told.iter().any(|told| told.start < span.end && span.start < told.end);
        if broken(&fault) || stands_in {
            continue;
        }
        let mut problem = Problem::at(node.span.range(), fault.message).hint(fault.hint);
        if let Some((name, text)) = fault.file {
            let known = extra.iter().position(|source| source.name == name);
            let place = known.unwrap_or_else(|| {
                extra.push(Source { name, text });
                extra.len() - 1
            });
            (problem.source, problem.span) = (place + 1, fault.within);
        } else if let (Some(within), Some(offset)) = (fault.within, context.inside(node)) {
            problem.span = Some(offset + within.start..offset + within.end);
        }
        problem.related =
            fault.related.map(|(path, text)| (find(root, &path, decoded).span.range(), text));
        context.tell(problem);
    }
}
