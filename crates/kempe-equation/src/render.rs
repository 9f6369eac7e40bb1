//! Errors drawn over the source, as rustc draws them. Needs the feature `render`.

use crate::error::{Diagnostic, Errors, Span};
use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};

/// Whether to colour the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// For a terminal.
    On,
    /// For a file or a test.
    Off,
}

/// Draws every error; `file` is how the source is called in the picture.
///
/// ```
/// use kempe_equation::{Program, render};
///
/// let errors = Program::parse("body a, b\nconstraint b.positoin - a.position").unwrap_err();
/// let picture = render::errors(&errors, "rod.kempe", render::Colors::Off);
/// assert!(picture.contains("rod.kempe:2:14"));
/// assert!(picture.contains("did you mean `position`?"));
/// ```
pub fn errors(errors: &Errors, file: &str, colors: Colors) -> String {
    let mut text = String::new();
    for each in errors.diagnostics() {
        text += &one(each, errors.source(), file, colors);
    }
    if errors.left_out() > 0 {
        text += &format!("and {} more errors\n", errors.left_out());
    }
    text
}

fn one(error: &Diagnostic, source: &str, file: &str, colors: Colors) -> String {
    let range = |span: Span| {
        // Spans lie inside the source by construction; a picture is no place to insist on it.
        let end = span.end.min(source.len());
        (file.to_owned(), span.start.min(end)..end)
    };
    let config =
        Config::default().with_color(colors == Colors::On).with_index_type(IndexType::Byte);
    // In the order of the lines: otherwise each gets a heading, with the place of the first.
    let mut labels = vec![(error.span, &error.label)];
    labels.extend(error.related.iter().map(|(span, label)| (*span, label)));
    labels.sort_by_key(|label| label.0);
    let mut report = Report::build(ReportKind::Error, range(error.span))
        .with_config(config)
        .with_message(&error.message)
        .with_labels(
            labels.into_iter().map(|(span, text)| Label::new(range(span)).with_message(text)),
        );
    if let Some(help) = &error.help {
        report = report.with_help(help);
    }
    let mut bytes = Vec::new();
    let drawn = report.finish().write((file.to_owned(), Source::from(source)), &mut bytes);
    match drawn {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        // Writing to memory does not fail.
        Err(_) => format!("{}\n", error.message),
    }
}
