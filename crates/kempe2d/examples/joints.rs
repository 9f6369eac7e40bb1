//! Every kind of joint: what it holds and leaves, how it is made, and what it is called elsewhere.
//!
//! ```text
//! cargo run --release -p kempe2d --example joints
//! cargo run --release -p kempe2d --example joints -- revolute
//! ```

use kempe2d::KindInfo;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

const WIDTH: usize = 100;
/// Where the text beside a heading begins.
const INDENT: usize = 14;

fn main() -> ExitCode {
    let text = match std::env::args().nth(1) {
        None => {
            let all: Vec<String> = KindInfo::all().iter().map(describe).collect();
            format!("{LEGEND}\n{}", all.join("\n"))
        }
        Some(name) => match find(&name) {
            Ok(kind) => describe(kind),
            Err(message) => {
                eprintln!("error: {message}");
                return ExitCode::from(2);
            }
        },
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read it has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

const LEGEND: &str = "\
What a joint of each kind holds, C = 0, and leaves, q: an axis, which can have a limit, a motor, a
spring, a force law, friction or a ratchet.

Of bodies A and B: x is where a body is, θ its angle, r an anchor turned with it, and
d = x_B + r_B − x_A − r_A goes from A's anchor to B's. t is a direction of A, ⊥t the one across it,
φ where an angle counts from, ρ a ratio.
";

/// By its name, or that of a constructor.
fn find(name: &str) -> Result<&'static KindInfo, String> {
    let wanted = name.to_lowercase();
    let all = KindInfo::all();
    let called = |kind: &&KindInfo| names(kind).any(|each| each == wanted);
    if let Some(kind) = all.iter().find(called) {
        return Ok(kind);
    }
    let begins = |text: &str| text.to_lowercase().starts_with(&wanted);
    for kind in all {
        if let Some(near) = names(kind).find(|each| begins(each)) {
            return Err(format!("there is no joint `{name}`; is it `{near}`?"));
        }
        // Not where it takes two of them.
        let alone = kind.elsewhere.iter().filter(|(_, others)| !others.ends_with("together"));
        for (engine, others) in alone {
            if let Some(other) = others.split(", ").find(|each| begins(each)) {
                let here = kind.name;
                return Err(format!("there is no joint `{name}`; {engine}'s {other} is `{here}`"));
            }
        }
    }
    let shared = |each: &str| each.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
    let near = all.iter().flat_map(names).max_by_key(|each| shared(each));
    match near.filter(|each| shared(each) >= 3) {
        Some(near) => Err(format!("there is no joint `{name}`; is it `{near}`?")),
        None => {
            let names: Vec<&str> = all.iter().map(|kind| kind.name).collect();
            Err(format!("there is no joint `{name}`; there are {}", names.join(", ")))
        }
    }
}

/// A kind's own name, and those of its constructors.
fn names(kind: &KindInfo) -> impl Iterator<Item = &'static str> {
    let made = kind.constructors.iter().filter_map(|path| path.strip_prefix("JointDef::"));
    std::iter::once(kind.name).chain(made)
}

fn describe(kind: &KindInfo) -> String {
    let rows = match kind.rows {
        Some(rows) => rows.to_string(),
        None => "as it says".to_owned(),
    };
    let axes = match (kind.rows, kind.axes) {
        (None, _) => vec!["as it says".to_owned()],
        (Some(_), []) => vec!["none".to_owned()],
        (Some(_), axes) => axes.iter().map(|axis| (*axis).to_owned()).collect(),
    };
    let widest = kind.elsewhere.iter().map(|(engine, _)| engine.len()).max().unwrap_or(0);
    let elsewhere: Vec<String> = kind
        .elsewhere
        .iter()
        .map(|(engine, names)| format!("{engine:<widest$}  {names}"))
        .collect();
    let mut text = String::new();
    // Writing to a text does not fail.
    let _ = writeln!(text, "{}\n  {}", kind.name.to_uppercase(), kind.summary);
    put(&mut text, "equations", kind.equations, 0);
    put(&mut text, "bodies", &[kind.bodies], 0);
    put(&mut text, "held rows", &[rows], 0);
    put(&mut text, "axes", &axes, 0);
    put(&mut text, "made by", &[kind.constructors.join(", ")], 0);
    put(&mut text, "elsewhere", &elsewhere, widest + 2);
    text
}

/// A heading with lines beside it, broken between words; what goes on is further in.
fn put(text: &mut String, heading: &str, lines: &[impl AsRef<str>], further: usize) {
    let mut beside = heading;
    for line in lines {
        let _ = write!(text, "  {beside:<width$}", width = INDENT - 2);
        beside = "";
        let (mut column, mut first) = (INDENT, true);
        // Blanks at the start of a part belong to a column.
        for word in line.as_ref().split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if !first && column + length > WIDTH {
                text.truncate(text.trim_end().len());
                let _ = write!(text, "\n{:indent$}", "", indent = INDENT + further);
                column = INDENT + further;
            }
            text.push_str(word);
            column += word.chars().count();
            first = false;
        }
        text.push('\n');
    }
}
