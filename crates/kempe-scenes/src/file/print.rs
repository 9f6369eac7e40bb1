//! The model as text, in either notation.
//!
//! What serde writes as JSON is read into the tree of [`notation`](super::notation) and laid out from
//! there: short things on one line, words without quotes, and programs as they are in RON.

use super::model::Model;
use super::notation::{self, Node, Notation, Value};
use std::fmt::Write;

/// Lines are not longer than this, where they can be broken.
const WIDTH: usize = 100;
/// Fields whose texts are words of the format.
const WORDS: [&str; 5] = ["kind", "what", "solver", "direct", "then"];

/// The model in a notation.
pub(super) fn write(model: &Model, notation: Notation) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(model)?;
    let read = notation::read(&json, Notation::Json);
    let mut printer = Printer { json: &json, ron: notation == Notation::Ron, text: String::new() };
    if let Some(root) = &read.root {
        printer.node(root, 0, "", true);
    }
    printer.text.push('\n');
    Ok(printer.text)
}

struct Printer<'a> {
    json: &'a str,
    ron: bool,
    text: String,
}

/// Whether a name needs no quotes in RON.
fn is_word(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let reserved = ["true", "false", "null", "None", "Some", "inf", "NaN", "r"].contains(&name);
    first && !reserved && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Printer<'_> {
    fn node(&mut self, node: &Node<'_>, indent: usize, field: &str, broken: bool) {
        let start = self.text.len();
        let column = start - self.text.rfind('\n').map_or(0, |at| at + 1);
        if !broken && self.line(node, field, start + WIDTH.saturating_sub(column + 1)) {
            return;
        }
        self.text.truncate(start);
        match &node.value {
            Value::List(list) if !list.is_empty() => {
                self.text.push('[');
                for (place, each) in list.iter().enumerate() {
                    self.next_line(place > 0, indent + 1);
                    self.node(each, indent + 1, "", false);
                }
                self.last_line(indent);
                self.text.push(']');
            }
            Value::Map(entries) if !entries.is_empty() => {
                let bare = self.ron && entries.iter().all(|(key, _)| is_word(&key.name));
                self.text.push(if bare { '(' } else { '{' });
                let there = entries.iter().filter(|(_, node)| node.value != Value::Null);
                for (place, (key, each)) in there.enumerate() {
                    self.next_line(place > 0, indent + 1);
                    self.name(&key.name, bare);
                    self.node(each, indent + 1, &key.name, false);
                }
                self.last_line(indent);
                self.text.push(if bare { ')' } else { '}' });
            }
            _ => {
                self.line(node, field, usize::MAX);
            }
        }
    }

    fn next_line(&mut self, comma: bool, indent: usize) {
        if comma {
            self.text.push(',');
        }
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("    ", indent));
    }

    fn last_line(&mut self, indent: usize) {
        self.next_line(self.ron, indent);
    }

    fn name(&mut self, name: &str, bare: bool) {
        if bare {
            self.text += name;
        } else {
            self.quoted(name);
        }
        self.text += ": ";
    }

    fn quoted(&mut self, text: &str) {
        // JSON's quotes are RON's too, but for characters that need more than two bytes.
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => out += "\\\"",
                '\\' => out += "\\\\",
                '\n' => out += "\\n",
                '\r' => out += "\\r",
                '\t' => out += "\\t",
                c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                    let code = c as u32;
                    let written = match self.ron {
                        true => write!(out, "\\u{{{code:x}}}"),
                        false => write!(out, "\\u{code:04x}"),
                    };
                    // Writing to a string does not fail.
                    let _ = written;
                }
                c => out.push(c),
            }
        }
        out.push('"');
        self.text += &out;
    }

    /// A text in RON: a word, a program as it is, or in quotes.
    fn string(&mut self, text: &str, field: &str) {
        if self.ron && WORDS.contains(&field) && is_word(text) {
            self.text += text;
        } else if self.ron && text.contains(['\n', '"', '\\']) && !text.contains('\r') {
            let mut marks = 1;
            while text.contains(&format!("\"{}", "#".repeat(marks))) {
                marks += 1;
            }
            let marks = "#".repeat(marks);
            self.text += &format!("r{marks}\"{text}\"{marks}");
        } else {
            self.quoted(text);
        }
    }

    /// Writes a node on one line; false if it would go past `end`.
    fn line(&mut self, node: &Node<'_>, field: &str, end: usize) -> bool {
        match &node.value {
            Value::Null => self.text += if self.ron { "None" } else { "null" },
            Value::Bool(value) => self.text += if *value { "true" } else { "false" },
            Value::Number(_) => {
                let number = self.json.get(node.span.range()).unwrap_or("0");
                self.text += number.strip_suffix(".0").unwrap_or(number);
            }
            Value::Text(text) => self.string(text, field),
            Value::List(list) => {
                let scalars =
                    list.iter().all(|each| !matches!(each.value, Value::List(_) | Value::Map(_)));
                let round = self.ron && scalars && (2..=4).contains(&list.len());
                self.text.push(if round { '(' } else { '[' });
                for (place, each) in list.iter().enumerate() {
                    if place > 0 {
                        self.text += ", ";
                    }
                    if !self.line(each, "", end) {
                        return false;
                    }
                }
                self.text.push(if round { ')' } else { ']' });
            }
            Value::Map(entries) => {
                let bare = self.ron && entries.iter().all(|(key, _)| is_word(&key.name));
                self.text.push(if bare { '(' } else { '{' });
                let there = entries.iter().filter(|(_, node)| node.value != Value::Null);
                for (place, (key, each)) in there.enumerate() {
                    if place > 0 {
                        self.text += ", ";
                    }
                    self.name(&key.name, bare);
                    if !self.line(each, &key.name, end) {
                        return false;
                    }
                }
                self.text.push(if bare { ')' } else { '}' });
            }
        }
        self.text.len() <= end
    }
}
