//! The text as a whole, and the type with its fields.

use super::Plan;
use super::code::{Sheet, WIDTH};
use super::expression::literal;
use super::helpers::called_by;
use super::names::is_camel_case;
use crate::program::{Parameter, Program};
use crate::types::{Type, Value};
use std::fmt::Write;

/// What the text takes from `kempe2d`, if it speaks of it.
const IMPORTS: &[&str] =
    &["BodyId", "Constraint", "Counts", "JointDef", "Limit", "Pose", "Real", "UserJoint", "Vec2"];

/// A text that is being written.
pub(super) struct File<'a> {
    pub program: &'a Program,
    pub type_name: &'a str,
    pub plan: &'a Plan,
    pub sheet: &'a Sheet<'a>,
    pub text: String,
}

pub(super) fn write(program: &Program, type_name: &str, plan: &Plan, sheet: &Sheet<'_>) -> String {
    let mut file = File { program, type_name, plan, sheet, text: String::new() };
    file.structure();
    file.default();
    file.own_functions();
    file.constraint();
    for helper in called_by(&file.text) {
        file.text.push('\n');
        file.text += helper;
    }
    let code = file.text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: Vec<&str> = code.collect();
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let used = |name: &&&str| code.iter().any(|line| line.split(word).any(|each| each == **name));
    let imports: Vec<&str> = IMPORTS.iter().filter(used).copied().collect();
    let imports = match imports[..] {
        [one] => one.to_owned(),
        _ => format!("{{{}}}", imports.join(", ")),
    };
    format!(
        "// Written by `Program::to_rust` of kempe-equation.\n\nuse kempe2d::{imports};\n\n{}",
        file.text
    )
}

/// `open item, item close` on one line if it fits, else an item a line, as rustfmt has it.
pub(super) fn list(indent: usize, open: &str, items: &[String], close: &str, gap: &str) -> String {
    let pad = " ".repeat(indent);
    let line = format!("{gap}{}{gap}{close}", items.join(", "));
    let fits = |indent: usize, start: &str| indent + start.len() + line.chars().count() <= WIDTH;
    if fits(indent, open) {
        return format!("{pad}{open}{line}\n");
    }
    if let Some((left, right)) = open.split_once(" = ")
        && fits(indent + 4, right)
    {
        return format!("{pad}{left} =\n{pad}    {right}{line}\n");
    }
    let items: String = items.iter().map(|item| format!("{pad}    {item},\n")).collect();
    format!("{pad}{open}\n{items}{pad}{close}\n")
}

/// The same as an item of another list, with a comma behind it.
pub(super) fn inner(indent: usize, open: &str, items: &[String], close: &str) -> String {
    let list = list(indent, open, items, &format!("{close},"), "");
    list.trim().trim_end_matches(',').to_owned()
}

fn rust_type(kind: Type) -> &'static str {
    match kind {
        Type::Scalar => "f64",
        Type::Vector => "Vec2",
        Type::Matrix => "[[f64; 2]; 2]",
    }
}

/// "`a`, `b`"
pub(super) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl File<'_> {
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&Parameter, &String)> {
        self.program.parameters().iter().zip(&self.sheet.fields)
    }

    pub(super) fn driven(&self) -> bool {
        !self.plan.rates.is_empty()
    }

    /// How many directions are remembered.
    pub(super) fn memories(&self) -> usize {
        self.plan.memories.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sheet.fields.is_empty() && self.memories() == 0
    }

    fn structure(&mut self) {
        let mut fence = "```".to_owned();
        while self.program.source().contains(&fence) {
            fence.push('`');
        }
        let _ = write!(
            self.text,
            "/// A joint that was written as a program:\n///\n/// {fence}kempe\n"
        );
        for line in self.program.source().lines() {
            let line: String = line.chars().map(harmless).collect();
            let line = format!("/// {}", line.replace('\t', "    "));
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
        let bodies = quoted(self.program.bodies());
        let _ = writeln!(self.text, "/// {fence}\n///\n/// Its bodies, in this order: {bodies}.");
        if !self.plan.axes.is_empty() {
            self.text += "///\n/// Its axes:\n";
        }
        for (k, axis) in self.plan.axes.iter().enumerate() {
            let limit = if axis.limit.is_some() { ", limited by `joint`" } else { "" };
            let _ = writeln!(self.text, "/// - {k}, {}{limit}", axis.what);
        }
        if !is_camel_case(self.type_name) {
            self.text += "#[allow(non_camel_case_types)]\n";
        }
        let default = if self.derives_default() { ", Default" } else { "" };
        let _ = writeln!(self.text, "#[derive(Clone, Debug, PartialEq{default})]");
        if self.is_empty() {
            let _ = write!(self.text, "pub struct {};\n\n", self.type_name);
            return;
        }
        let mut text = format!("pub struct {} {{\n", self.type_name);
        for (parameter, field) in self.parameters() {
            let kind = parameter.kind.keyword();
            let _ = write!(text, "    /// `{kind} {}`", parameter.name);
            if let Some(default) = parameter.default {
                let _ = write!(text, ", `{default}` by default");
            }
            text += if parameter.driven { "; it moves by itself.\n" } else { ".\n" };
            let _ = writeln!(text, "    pub {field}: {},", rust_type(parameter.kind));
        }
        if self.memories() > 0 {
            text += "    /// Directions for where a length is zero: the last there were, (0, 0) at first.\n";
            let _ = writeln!(text, "    pub remembered: [Vec2; {}],", self.memories());
        }
        if self.driven() {
            text +=
                "    /// The time that the driven parameters are of; none until the first step.\n";
            text += "    pub since: Option<f64>,\n";
        }
        self.text += &text;
        self.text += "}\n\n";
    }

    /// Whether every field starts at zero.
    fn derives_default(&self) -> bool {
        let zero = |value: Value| value.components() == [0.0; 4];
        self.memories() <= MAX_ARRAY
            && self.parameters().all(|each| each.0.default.is_some_and(zero))
    }

    fn default(&mut self) {
        if self.derives_default() || self.parameters().any(|each| each.0.default.is_none()) {
            return;
        }
        let mut fields = Vec::new();
        for (parameter, field) in self.parameters() {
            let Some(default) = parameter.default else { continue };
            fields.push(match default {
                Value::Matrix(rows) => {
                    let rows = rows.map(|[x, y]| format!("[{}, {}]", literal(x), literal(y)));
                    inner(12, &format!("{field}: ["), &rows, "]")
                }
                Value::Vector([x, y]) => {
                    format!("{field}: Vec2::new({}, {})", literal(x), literal(y))
                }
                Value::Scalar(number) => format!("{field}: {}", literal(number)),
            });
        }
        if self.memories() > 0 {
            fields.push(format!("remembered: [Vec2::ZERO; {}]", self.memories()));
        }
        if self.driven() {
            fields.push("since: None".to_owned());
        }
        let body = list(8, "Self {", &fields, "}", " ");
        let _ = write!(
            self.text,
            "impl Default for {} {{\n    fn default() -> Self {{\n{body}    }}\n}}\n\n",
            self.type_name
        );
    }
}

/// Adds statements, each on a line of its own, or two if it is too long.
pub(super) fn push_lines(text: &mut String, lines: &[String]) {
    for line in lines {
        let (left, right) = line.split_once(" = ").unwrap_or((line, ""));
        let fits = 8 + line.len() <= WIDTH;
        if fits || right.is_empty() || 12 + right.len() > WIDTH {
            let _ = writeln!(text, "        {line}");
        } else {
            let _ = write!(text, "        {left} =\n            {right}\n");
        }
    }
}

/// A character as it may stand in a comment: Rust takes none that change the line or its direction.
fn harmless(c: char) -> char {
    match c {
        '\t' => c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// Arrays of up to this length have a default.
const MAX_ARRAY: usize = 32;
