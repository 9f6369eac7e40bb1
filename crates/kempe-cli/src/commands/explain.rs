//! `kempe explain`.
//!
//! | file | has |
//! |---|---|
//! | `kind` | what a kind of joint is, in words |
//! | `programs` | the same as a joint program, a file for each kind that has one |
//! | `near` | names that may have been meant |

mod kind;
mod near;
mod programs;

use crate::arguments::Explain;
use crate::failure::Failure;
use crate::speak;
use kempe_equation::{Program, gallery, render};
use kempe_scenes::file::Notation;
use std::path::Path;

/// A point of one body on a segment of another: two rows, one of them with limits.
const DEFAULT: &str = "line";
/// Longer files are no joint programs, bytes.
const MOST_BYTES: u64 = 16 << 20;

pub(crate) fn run(arguments: &Explain) -> Result<(), Failure> {
    let name = arguments.joint.as_deref().unwrap_or(DEFAULT);
    let path = Path::new(name);
    if Notation::of(path).is_some() {
        let hint = "it is called like a scene; `kempe check` is for those, and joint programs end in \
                    .kempe";
        return Err(Failure::of_file(path, &hint));
    }
    let ending = path.extension().is_some_and(|ending| ending == "kempe");
    if ending || path.is_file() {
        return speak::print(&program(name, &read(path)?)?);
    }
    if let Some(kind) = kind::find(name) {
        return speak::print(&kind::describe(kind)?);
    }
    match gallery::find(name) {
        Some(example) => speak::print(&program(&format!("{name}.kempe"), example.source)?),
        None => Err(Failure::Bad(near::unknown(name))),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    let size = std::fs::metadata(path).map_err(|error| Failure::of_file(path, &error))?.len();
    if size > MOST_BYTES {
        return Err(Failure::of_file(path, &format!("{size} bytes are no joint program")));
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::of_file(path, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::of_file(path, &"it is not a text (UTF-8)"))
}

/// What a program states.
fn program(file: &str, source: &str) -> Result<String, Failure> {
    let program = parse(file, source)?;
    let source = program.source().trim_end();
    let [text, numbers, again] =
        [program.explain_text(), program.sample_text(), program.explain_source()];
    Ok(format!("{file}\n\n{source}\n\n{text}\n{numbers}\nin the language\n\n{again}"))
}

fn parse(file: &str, source: &str) -> Result<Program, Failure> {
    Program::parse(source).map_err(|errors| {
        let colors = if speak::in_colors() { render::Colors::On } else { render::Colors::Off };
        Failure::Bad(render::errors(&errors, file, colors))
    })
}
