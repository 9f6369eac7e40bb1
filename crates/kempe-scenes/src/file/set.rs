//! Numbers of a scene that are set from outside: a parameter by its name, or any by the way to it.

use super::context::Context;
use super::notation::{Key, Node, Value};
use super::problem::{Problem, did_you_mean};
use std::borrow::Cow;

/// Sets numbers in the tree of a scene.
pub(super) fn set(root: &mut Node<'_>, overrides: &[(String, f64)], context: &Context<'_>) {
    for (path, value) in overrides {
        let parts: Vec<&str> = match path.contains('.') {
            true => path.split('.').collect(),
            false => vec!["parameters", path],
        };
        set_one(root, path, &parts, *value, context);
    }
}

fn set_one(root: &mut Node<'_>, path: &str, parts: &[&str], value: f64, context: &Context<'_>) {
    let mut node = root;
    let mut parts = parts.iter().enumerate().peekable();
    while let Some((depth, part)) = parts.next() {
        let last = parts.peek().is_none();
        let here = node.clone_shallow();
        let unknown = |known: Vec<String>| {
            let message = format!("`{path}` cannot be set: there is no `{part}` here");
            tell_unknown(context, &here, message, part, known.iter().map(String::as_str));
        };
        node = match &mut node.value {
            Value::Map(entries) => {
                let place = entries.iter().position(|(key, _)| key.name == **part);
                match place {
                    Some(place) => &mut entries[place].1,
                    // A number that the scene leaves out; a parameter that it does not name is none.
                    None if last && depth > 0 && path.contains('.') && parts_allow(path) => {
                        let key = Key { span: here.span, name: Cow::Owned((*part).to_owned()) };
                        entries.push((key, Node { span: here.span, value: Value::Null }));
                        let place = entries.len() - 1;
                        &mut entries[place].1
                    }
                    None => {
                        let known = entries.iter().map(|(key, _)| key.name.to_string());
                        return unknown(known.collect());
                    }
                }
            }
            Value::List(list) => {
                let name = |node: &Node<'_>| match node.get("name").map(|node| &node.value) {
                    Some(Value::Text(name)) => Some(name.to_string()),
                    _ => None,
                };
                let named = list.iter().position(|node| name(node).as_deref() == Some(part));
                let index = named.or_else(|| part.parse().ok()).filter(|index| *index < list.len());
                match index {
                    Some(index) => &mut list[index],
                    None => {
                        let known = list.iter().take(10_000).filter_map(name);
                        return unknown(known.collect());
                    }
                }
            }
            _ => return unknown(Vec::new()),
        };
    }
    match node.value {
        Value::Number(_) | Value::Text(_) | Value::Null => node.value = Value::Number(value),
        _ => {
            let message = format!("`{path}` cannot be set: there is {}", node.describe());
            tell_unknown(context, node, message, "", std::iter::empty());
        }
    }
}

/// Parameters are only those that the scene has.
fn parts_allow(path: &str) -> bool {
    !path.starts_with("parameters.")
}

impl<'a> Node<'a> {
    /// The same place, without what is there.
    fn clone_shallow(&self) -> Node<'a> {
        Node { span: self.span, value: Value::Null }
    }
}

/// Tells that nothing has a name, with what is near.
fn tell_unknown<'a>(
    context: &Context<'_>,
    node: &Node<'_>,
    message: String,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) {
    let problem = Problem::at(node.span.range(), message);
    context.tell(problem.hint(did_you_mean(name, known)));
}
