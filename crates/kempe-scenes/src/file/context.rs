//! What is known while a scene is decoded, and what was wrong so far.

use super::evaluate::{self, Mistake, Parameters};
use super::notation::{Key, Node, Value};
use super::problem::{MOST_PROBLEMS, Problem, did_you_mean};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Bytes of different expressions that a scene may have; a short one counts as [`SHORT`].
const MOST_EXPRESSIONS: usize = 10_000_000;
const SHORT: usize = 100;

/// What is known while a scene is decoded.
pub(super) struct Context<'t> {
    pub text: &'t str,
    pub parameters: Parameters,
    pub problems: RefCell<Vec<Problem>>,
    pub left_out: Cell<usize>,
    known: RefCell<HashMap<String, f64>>,
    expressions: Cell<usize>,
}

impl<'t> Context<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            parameters: Parameters::default(),
            problems: RefCell::default(),
            left_out: Cell::new(0),
            known: RefCell::default(),
            expressions: Cell::new(0),
        }
    }

    pub(super) fn tell(&self, problem: Problem) {
        let mut problems = self.problems.borrow_mut();
        if problems.len() < MOST_PROBLEMS {
            problems.push(problem);
        } else {
            self.left_out.set(self.left_out.get() + 1);
        }
    }

    /// Where the inside of a text stands, if it stands in the file as it is.
    pub(super) fn inside(&self, node: &Node<'_>) -> Option<usize> {
        let Value::Text(Cow::Borrowed(text)) = &node.value else { return None };
        let offset = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (self.text.get(offset..offset + text.len()) == Some(*text)).then_some(offset)
    }

    /// Tells of mistakes in a text of the scene.
    pub(super) fn tell_inside(&self, node: &Node<'_>, mistakes: Vec<Mistake>) {
        for Mistake { span, message, hint } in mistakes {
            let place = match self.inside(node) {
                Some(offset) => offset + span.start..offset + span.end,
                None => node.span.range(),
            };
            self.tell(Problem::at(place, message).hint(hint));
        }
    }

    /// The value of an expression; 0 where it has none.
    pub(super) fn number(&self, node: &Node<'_>, source: &str) -> f64 {
        if let Some(value) = self.known.borrow().get(source) {
            return *value;
        }
        if !self.may_evaluate(node, source) {
            return 0.0;
        }
        let value = match evaluate::evaluate(source, &self.parameters) {
            Ok(value) => value,
            Err(mistakes) => {
                self.tell_inside(node, mistakes);
                return 0.0;
            }
        };
        self.known.borrow_mut().insert(source.to_owned(), value);
        value
    }

    /// Whether there is time for another expression.
    pub(super) fn may_evaluate(&self, node: &Node<'_>, source: &str) -> bool {
        let before = self.expressions.get();
        let after = before.saturating_add(source.len().max(SHORT));
        self.expressions.set(after);
        if before <= MOST_EXPRESSIONS && after > MOST_EXPRESSIONS {
            let message = format!("a scene has at most {} expressions", MOST_EXPRESSIONS / SHORT);
            self.tell(Problem::at(node.span.range(), message));
        }
        after <= MOST_EXPRESSIONS
    }

    /// Whether another problem would only be counted.
    pub(super) fn is_full(&self) -> bool {
        self.problems.borrow().len() >= MOST_PROBLEMS
    }

    /// Tells of a name that is not known.
    pub(super) fn tell_unknown<'a>(
        &self,
        key: &Key<'_>,
        known: impl Iterator<Item = &'a str> + Clone,
    ) {
        if self.is_full() {
            self.left_out.set(self.left_out.get() + 1);
            return;
        }
        let (message, hint) = unknown(&key.name, "field", known);
        self.tell(Problem::at(key.span.range(), message).hint(hint));
    }
}

/// What to say of a name that is not known.
pub(super) fn unknown<'a>(
    name: &str,
    what: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> (String, Option<String>) {
    let hint = did_you_mean(name, known.clone()).or_else(|| {
        let list: Vec<&str> = known.collect();
        (!list.is_empty() && list.len() <= 16).then(|| format!("there are {}", list.join(", ")))
    });
    (format!("there is no {what} `{name}` here"), hint)
}
