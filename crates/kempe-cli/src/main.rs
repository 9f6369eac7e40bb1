//! The `kempe` command.
//!
//! Without arguments it simulates an embedded mechanism and tells what happened. `kempe run SCENE`
//! does the same for another of the named scenes, `kempe scenes` lists them, and `kempe explain`
//! shows what a joint program states: its constraint, velocity constraint, Jacobian and inverse
//! effective mass.

use kempe_equation::{Program, gallery, render};
use kempe2d::Svg;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

const USAGE: &str =
    "usage: kempe                          simulate Peaucellier's straight-line linkage
       kempe run SCENE [SECONDS]      simulate a named scene
       kempe draw SCENE [SECONDS]     print it as SVG after so many seconds
       kempe scenes                   list the named scenes
       kempe explain [FILE]           explain the joint program in FILE, or the embedded one
";

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(|each| each.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => run(MECHANISM, None),
        ["run", name] => run(name, None),
        ["run", name, seconds] => run(name, Some(seconds)),
        ["draw", name] => draw(name, None),
        ["draw", name, seconds] => draw(name, Some(seconds)),
        ["scenes"] => scenes(),
        ["explain"] => explain(&format!("{DEFAULT}.kempe"), default_source()),
        ["-h" | "--help"] | ["explain", "-h" | "--help"] => print(USAGE),
        ["-V" | "--version"] => print(concat!("kempe ", env!("CARGO_PKG_VERSION"), "\n")),
        ["explain", file] => match std::fs::read_to_string(&arguments[1]) {
            Ok(source) => explain(file, &source),
            Err(error) => fail(&format!("{file}: {error}\n")),
        },
        _ => fail(USAGE),
    }
}

/// Seven bars whose point draws a straight line.
const MECHANISM: &str = "peaucellier";

/// How long a scene runs unless it is said, s.
const SECONDS: f64 = 10.0;

/// How long a scene is to run.
fn duration(word: Option<&str>) -> Result<f64, String> {
    let Some(word) = word else { return Ok(SECONDS) };
    let seconds: Option<f64> = word.parse().ok();
    seconds
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
        .ok_or_else(|| format!("SECONDS is `{word}`; it must be a number from 0 to 86400\n"))
}

fn run(name: &str, seconds: Option<&str>) -> ExitCode {
    let result = duration(seconds).and_then(|seconds| {
        let mut scene = kempe_scenes::scene(name).map_err(|error| format!("{error}\n"))?;
        kempe_scenes::summary(&mut scene, seconds, 1.0 / 60.0).map_err(|error| format!("{error}\n"))
    });
    match result {
        Ok(summary) => print(&summary.to_string()),
        Err(error) => fail(&error),
    }
}

fn draw(name: &str, seconds: Option<&str>) -> ExitCode {
    let result = duration(seconds).and_then(|seconds| {
        let mut scene = kempe_scenes::scene(name).map_err(|error| format!("{error}\n"))?;
        scene.run(seconds, 1.0 / 60.0).map_err(|error| format!("{error}\n"))?;
        let mut svg = Svg::new();
        scene.world.draw(&mut svg);
        Ok(svg.finish(800))
    });
    match result {
        Ok(svg) => print(&svg),
        Err(error) => fail(&error),
    }
}

fn scenes() -> ExitCode {
    let names: Vec<_> = kempe_scenes::names().collect();
    let widest = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    print(
        &names.iter().map(|(name, about)| format!("{name:widest$}  {about}\n")).collect::<String>(),
    )
}

/// A point of one body on a segment of another: two rows, one of them with limits.
const DEFAULT: &str = "line";

fn default_source() -> &'static str {
    gallery::find(DEFAULT).map_or("", |example| example.source)
}

fn explain(file: &str, source: &str) -> ExitCode {
    match Program::parse(source) {
        Ok(program) => print(&format!(
            "{file}\n\n{}\n\n{}\n{}\nin the language\n\n{}",
            program.source().trim_end(),
            program.explain_text(),
            program.sample_text(),
            program.explain_source()
        )),
        Err(errors) => {
            let terminal = std::io::stderr().is_terminal();
            let colors = if terminal { render::Colors::On } else { render::Colors::Off };
            fail(&render::errors(&errors, file, colors))
        }
    }
}

fn print(text: &str) -> ExitCode {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that closes the pipe early has what it wanted.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(&format!("{error}\n")),
        _ => ExitCode::SUCCESS,
    }
}

fn fail(text: &str) -> ExitCode {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(2)
}
