//! A program that was read, checked and compiled.

use crate::check::{Model, check, too_large};
use crate::compile::{Compiled, RowKind, compile};
use crate::error::{Errors, Span};
use crate::parser::parse;
use crate::syntax::Syntax;
use crate::types::{Type, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The program compiled for bodies of which some are the same, by their slots.
    shared: Arc<Mutex<HashMap<Vec<usize>, Arc<Compiled>>>>,
}

/// Why a program cannot be compiled for certain slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotsError {
    /// There is not one slot for each body, or they are not numbered from 0 without gaps in the
    /// order of first use.
    Numbering,
    /// The program is larger than [`crate::limits`] allow once bodies are merged.
    TooLarge,
}

impl fmt::Display for SlotsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Numbering => "the slots do not number the bodies from 0 without gaps",
            Self::TooLarge => "the program is too large once bodies are merged",
        })
    }
}

impl std::error::Error for SlotsError {}

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
            shared: Arc::default(),
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
    /// columns of names that share a body are merged. Equal slots give the same tapes, so that
    /// joints can be put together by them.
    ///
    /// # Errors
    /// If `slots` is not such a numbering of all the bodies.
    pub fn compiled_for(&self, slots: &[usize]) -> Result<Arc<Compiled>, SlotsError> {
        let mut next = 0;
        for slot in slots {
            if *slot > next {
                return Err(SlotsError::Numbering);
            }
            next = next.max(slot + 1);
        }
        if slots.len() != self.bodies().len() {
            return Err(SlotsError::Numbering);
        }
        if next == slots.len() {
            return Ok(Arc::clone(&self.compiled));
        }
        // Whoever panicked while holding the lock left whole entries behind.
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = shared.get(slots) {
            return Ok(Arc::clone(compiled));
        }
        let narrow: Vec<u8> = slots.iter().map(|slot| *slot as u8).collect();
        let (model, _) = check(&self.syntax, Some(&narrow));
        let compiled = Arc::new(compile(&model).map_err(|_| SlotsError::TooLarge)?);
        shared.insert(slots.to_vec(), Arc::clone(&compiled));
        Ok(compiled)
    }
}
