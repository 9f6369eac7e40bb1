//! What can be wrong with a program, as plain data.
//!
//! The core knows spans, kinds and sentences only; drawing them over the source is the work of
//! [`crate::render`], behind a feature.

use std::fmt;

/// A range of bytes in the source of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// What sort of mistake a [`Diagnostic`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A character or a number that the language does not know.
    Lexical,
    /// A token that cannot stand where it stands.
    Syntax,
    /// A `let` without its `in`.
    MissingIn,
    /// A name that was not declared.
    UnknownName,
    /// A name, or a statement that may stand once, given twice.
    Duplicate,
    /// A keyword or the name of a built-in, used as a name.
    Reserved,
    /// Something called that is not a built-in function, or with too few or too many arguments.
    Call,
    /// An operator applied to types that it does not take.
    Type,
    /// Bounds whose rows do not match the rows they bound.
    Shape,
    /// A velocity inside a position constraint, or a velocity constraint that is not affine in
    /// the velocities.
    Velocity,
    /// An expression that depends on more than it may: a default on parameters, a rate on bodies.
    Dependency,
    /// A program that states nothing.
    Empty,
    /// A program beyond one of the limits in [`crate::limits`].
    TooLarge,
}

/// One mistake: where it is, what was expected and found, and how it might be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What sort of mistake it is.
    pub kind: ErrorKind,
    /// Where it is.
    pub span: Span,
    /// The whole story in one sentence.
    pub message: String,
    /// A few words that fit under the marked text.
    pub label: String,
    /// Other places that matter, such as a first declaration.
    pub related: Vec<(Span, String)>,
    /// A suggestion, where there is one.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(kind: ErrorKind, span: Span, message: impl Into<String>) -> Self {
        Self {
            kind,
            span,
            message: message.into(),
            label: String::from("here"),
            related: Vec::new(),
            help: None,
        }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// Every mistake in a program, in the order of the source.
///
/// `Display` prints one `line:column: message` per mistake; [`crate::render`] draws them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    source: String,
    list: Vec<Diagnostic>,
    left_out: usize,
}

impl Errors {
    pub(crate) fn new(source: &str, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|each| each.span);
        list.dedup();
        let left_out = list.len().saturating_sub(crate::limits::MAX_DIAGNOSTICS);
        list.truncate(crate::limits::MAX_DIAGNOSTICS);
        Self { source: source.to_owned(), list, left_out }
    }

    /// The mistakes.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.list
    }

    /// How many more there were than [`crate::limits::MAX_DIAGNOSTICS`].
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The program they are in.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The line and column, both from 1 and the column in characters, of a byte of the source.
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let mut end = byte.min(self.source.len());
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.source[..end];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, each) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let (line, column) = self.line_column(each.span.start);
            write!(f, "{line}:{column}: {}", each.message)?;
            if let Some(help) = &each.help {
                write!(f, " ({help})")?;
            }
        }
        if self.left_out > 0 {
            write!(f, "\nand {} more", self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// The candidate nearest to a misspelt `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The distance grows with the product of the lengths, so a name of thousands of letters is
    // not worth a guess.
    if name.len() > 64 {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(same) = candidates.iter().find(|each| each.to_lowercase() == name.to_lowercase()) {
        return Some(same);
    }
    let allowed = match name.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 64)
        .map(|candidate| {
            let lower = (name.to_lowercase(), candidate.to_lowercase());
            (strsim::damerau_levenshtein(&lower.0, &lower.1), candidate)
        })
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "did you mean `…`?", if a candidate is near.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|found| format!("did you mean `{found}`?"))
}
