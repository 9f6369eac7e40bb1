//! A program that was read, checked and compiled.

use crate::check::{Model, check, too_large};
use crate::compile::{Compiled, RowKind, compile};
use crate::error::{Errors, Span};
use crate::parser::parse;
use crate::syntax::Syntax;
use crate::types::{Type, Value};
use std::sync::Arc;

/// What a program says about one of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Its value until another is set, if it has one.
    pub default: Option<Value>,
    /// Whether it has a rate (`->`), by which a joint advances it.
    pub driven: bool,
}

/// A joint program: the text, what it states, and the tapes that compute it.
///
/// ```
/// use kempe_equation::Program;
///
/// let rod = Program::parse(
///     "body a, b
///      scalar length = 2
///      constraint |b.position - a.position| - length",
/// )?;
/// assert_eq!(rod.bodies(), ["a", "b"]);
/// assert_eq!(rod.row_count(), 1);
/// # Ok::<(), kempe_equation::Errors>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    source: String,
    pub(crate) syntax: Arc<Syntax>,
    pub(crate) model: Arc<Model>,
    parameters: Vec<Parameter>,
    compiled: Arc<Compiled>,
}

impl Program {
    /// Reads, checks and compiles a program.
    ///
    /// # Errors
    /// Every mistake in it, with its place.
    pub fn parse(source: &str) -> Result<Self, Errors> {
        let (syntax, mut errors) = parse(source);
        let complete = errors.is_empty();
        let (model, more) = check(&syntax, None);
        // What is missing because it could not be read is not worth a second error.
        errors.extend(more.into_iter().filter(|e| complete || e.kind != crate::ErrorKind::Empty));
        if !errors.is_empty() {
            return Err(Errors::new(source, errors));
        }
        let compiled =
            compile(&model).map_err(|what| Errors::new(source, vec![too_large(what)]))?;
        let parameters = model.parameters.iter().map(|each| Parameter {
            name: each.name.clone(),
            kind: each.kind,
            default: each.default,
            driven: each.rate.is_some(),
        });
        Ok(Self {
            source: source.to_owned(),
            parameters: parameters.collect(),
            syntax: Arc::new(syntax),
            model: Arc::new(model),
            compiled: Arc::new(compiled),
        })
    }

    /// The text that was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A part of the text.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// The names of the bodies, in the order of declaration.
    pub fn bodies(&self) -> &[String] {
        &self.model.bodies
    }

    /// The parameters, in the order of declaration.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The names of the axes, in the order of declaration.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.model.axes.iter().map(|axis| axis.name.as_str())
    }

    /// How many rows are held: those of the constraint and of the velocity constraint.
    pub fn row_count(&self) -> usize {
        self.compiled.rows().iter().filter(|kind| **kind != RowKind::Axis).count()
    }

    /// The program compiled for bodies that are all different.
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// The program compiled for bodies of which some are the same: `slots[k]` is the number of the
    /// body that name k is bound to, counted from 0 without gaps in the order of first use. The
    /// columns of names that share a body are merged.
    ///
    /// Returns `None` if `slots` is not such a numbering of all the bodies.
    pub fn compiled_for(&self, slots: &[usize]) -> Option<Arc<Compiled>> {
        let mut next = 0;
        for slot in slots {
            if *slot > next {
                return None;
            }
            next = next.max(slot + 1);
        }
        if slots.len() != self.bodies().len() {
            return None;
        }
        if next == slots.len() {
            return Some(Arc::clone(&self.compiled));
        }
        let narrow: Vec<u8> = slots.iter().map(|slot| *slot as u8).collect();
        let (model, _) = check(&self.syntax, Some(&narrow));
        compile(&model).ok().map(Arc::new)
    }
}
