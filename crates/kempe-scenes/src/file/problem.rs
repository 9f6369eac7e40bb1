//! What is wrong with a scene, and where.

use ariadne::{Config, IndexType, Label, Report, ReportKind, Source as Drawn};
use std::fmt;
use std::ops::Range;

/// Problems beyond this many are counted, not kept.
pub const MOST_PROBLEMS: usize = 100;
/// Over longer texts nothing is drawn, bytes.
const MOST_DRAWN: usize = 4 << 20;
/// Over longer lines neither.
const LONGEST_LINE: usize = 2000;
/// As many names are compared with one that is not known.
const MOST_COMPARED: usize = 2000;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// How it is called.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// In which of the sources.
    pub source: usize,
    /// Where, in bytes; none if it is about the file as a whole.
    pub span: Option<Range<usize>>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// A suggestion, where there is one.
    pub hint: Option<String>,
    /// Another place that matters, such as a first one of the same name.
    pub related: Option<(Range<usize>, String)>,
}

impl Problem {
    /// One of the scene's own file.
    pub(super) fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { source: 0, span: Some(span), message, hint: None, related: None }
    }

    /// The same with a suggestion.
    pub(super) fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// Everything that is wrong with a scene, in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    sources: Vec<Source>,
    problems: Vec<Problem>,
    left_out: usize,
}

impl LoadError {
    pub(super) fn new(sources: Vec<Source>, mut problems: Vec<Problem>, left_out: usize) -> Self {
        let place = |problem: &Problem| {
            (problem.source, problem.span.as_ref().map_or(0, |span| span.start))
        };
        problems.sort_by_key(place);
        problems.dedup();
        let more = problems.len().saturating_sub(MOST_PROBLEMS);
        problems.truncate(MOST_PROBLEMS);
        Self { sources, problems, left_out: left_out + more }
    }

    /// One about a file as a whole.
    pub(super) fn whole(name: &str, message: String) -> Self {
        let source = Source { name: name.to_owned(), text: String::new() };
        let problem = Problem { source: 0, span: None, message, hint: None, related: None };
        Self::new(vec![source], vec![problem], 0)
    }

    /// The mistakes.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The files that they are in.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// How many more there were than [`MOST_PROBLEMS`].
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The line and column of a mistake, both from 1 and the column in characters.
    pub fn line_column(&self, problem: &Problem) -> Option<(usize, usize)> {
        let text = &self.sources.get(problem.source)?.text;
        Some(line_column(text, problem.span.as_ref()?.start))
    }

    /// Draws every mistake over the text that it is in.
    pub fn render(&self, colors: bool) -> String {
        let drawn: Vec<Option<Drawn<&str>>> = self
            .sources
            .iter()
            .map(|source| (source.text.len() <= MOST_DRAWN).then(|| Drawn::from(&*source.text)))
            .collect();
        let mut text = String::new();
        let short = |source: &Source, span: &Range<usize>| {
            let lines = lines(&source.text, span);
            source.text[lines].split('\n').all(|line| line.len() <= LONGEST_LINE)
        };
        for problem in &self.problems {
            let (source, drawn) = (self.sources.get(problem.source), drawn.get(problem.source));
            text += &match (source, drawn, &problem.span) {
                (Some(source), Some(Some(drawn)), Some(span)) if short(source, span) => {
                    let picture = draw(problem, span, (source, drawn), colors);
                    picture.unwrap_or_else(|| self.plain(problem))
                }
                _ => self.plain(problem),
            };
        }
        if self.left_out > 0 {
            text += &format!("and {} more errors\n", self.left_out);
        }
        text
    }

    /// A mistake without a picture: with the line that it is in, where that is short.
    fn plain(&self, problem: &Problem) -> String {
        let mut text = format!("Error: {}\n", problem.message);
        if let Some(source) = self.sources.get(problem.source) {
            text += &format!("  --> {}", source.name);
            if let (Some(span), Some((line, column))) = (&problem.span, self.line_column(problem)) {
                text += &format!(":{line}:{column}\n");
                let line = source.text[lines(&source.text, span)].lines().next().unwrap_or("");
                if line.len() <= 200 {
                    let mark = " ".repeat(column - 1);
                    text += &format!("   |  {line}\n   |  {mark}^");
                }
            }
            text.push('\n');
        }
        if let Some(hint) = &problem.hint {
            text += &format!("   Help: {hint}\n");
        }
        text
    }
}

impl fmt::Display for LoadError {
    /// A line for each mistake: `file:line:column: message (hint)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            if let Some(source) = self.sources.get(problem.source) {
                write!(f, "{}:", source.name)?;
            }
            if let Some((line, column)) = self.line_column(problem) {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " {}", problem.message)?;
            if let Some(hint) = &problem.hint {
                write!(f, " ({hint})")?;
            }
        }
        if self.left_out > 0 {
            write!(f, "\nand {} more", self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// The last place at or before a byte where a character begins.
fn boundary(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte)
}

fn line_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..boundary(text, byte)];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let lines = before.bytes().filter(|byte| *byte == b'\n').count();
    (lines + 1, before[start..].chars().count() + 1)
}

/// The whole lines that a place is in.
fn lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let first = boundary(text, span.start);
    let last = boundary(text, span.end).max(first);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    start..text[last..].find('\n').map_or(text.len(), |at| last + at)
}

/// Draws a mistake over the text that it is in; none if it cannot be drawn.
fn draw(
    problem: &Problem,
    span: &Range<usize>,
    (source, drawn): (&Source, &Drawn<&str>),
    colors: bool,
) -> Option<String> {
    let text = &source.text;
    let range = |span: &Range<usize>| {
        let end = boundary(text, span.end.min(text.len()));
        (source.name.clone(), boundary(text, span.start).min(end)..end)
    };
    let config = Config::default().with_color(colors).with_index_type(IndexType::Byte);
    let mut labels = vec![(span, "here")];
    labels.extend(problem.related.iter().map(|(span, text)| (span, text.as_str())));
    labels.sort_by_key(|(span, _)| span.start);
    let labels = labels.into_iter();
    let mut report = Report::build(ReportKind::Error, range(span))
        .with_config(config)
        .with_message(&problem.message)
        .with_labels(labels.map(|(span, text)| Label::new(range(span)).with_message(text)));
    if let Some(hint) = &problem.hint {
        report = report.with_help(hint);
    }
    let mut bytes = Vec::new();
    report.finish().write((source.name.clone(), drawn), &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The candidate nearest to a name, if one is near enough to be meant.
pub(super) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    let allowed = lower.chars().count().div_ceil(3).min(3);
    let near = candidates.into_iter().take(MOST_COMPARED).filter(|each| each.len() <= 64);
    let near = near.filter_map(|each| {
        let wrong = strsim::damerau_levenshtein(&lower, &each.to_lowercase());
        (wrong <= allowed && wrong < each.chars().count()).then_some((wrong, each))
    });
    near.min_by_key(|(wrong, _)| *wrong).map(|(_, found)| format!("did you mean `{found}`?"))
}
