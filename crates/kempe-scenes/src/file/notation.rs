//! Reading RON and JSON into one tree that knows where everything stands.
//!
//! The crates that read these notations forget places and stop at the first mistake; here a scene's
//! mistakes are told all at once, with their places, and large files are read without copying their
//! text. RON's structs, named or not, are maps, its tuples are lists, its bare words are strings, and
//! `Some(x)` is x; JSON may have comments.

use super::problem::{MOST_PROBLEMS, Problem};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// No file is larger, bytes.
pub const MOST_BYTES: u64 = 512 << 20;
/// Nothing is nested deeper.
pub const MOST_DEPTH: usize = 64;
/// There are no more values in a file.
pub const MOST_VALUES: usize = 50_000_000;

/// How a scene is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Rusty Object Notation, `.ron`.
    Ron,
    /// `.json`.
    Json,
}

impl Notation {
    /// By the ending of a file's name.
    pub fn of(path: &std::path::Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        match ending.to_ascii_lowercase().as_str() {
            "ron" => Some(Self::Ron),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// A place in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node<'a> {
    pub span: Span,
    pub value: Value<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Number(f64),
    /// Borrowed where it stands in the text as it is.
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Map(Vec<(Key<'a>, Node<'a>)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key<'a> {
    pub span: Span,
    pub name: Cow<'a, str>,
}

impl<'a> Node<'a> {
    /// The value behind a key.
    pub(super) fn get(&self, name: &str) -> Option<&Node<'a>> {
        match &self.value {
            Value::Map(entries) => {
                entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
            }
            _ => None,
        }
    }

    /// What it is, in words.
    pub(super) fn describe(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(entries) if entries.is_empty() => "an empty map",
            Value::Map(_) => "a map",
        }
    }
}

/// What was read, and what was wrong but could be passed over.
pub(super) struct Read<'a> {
    pub root: Option<Node<'a>>,
    pub problems: Vec<Problem>,
}

/// Reads a text.
pub(super) fn read(text: &str, notation: Notation) -> Read<'_> {
    if text.len() as u64 > MOST_BYTES {
        let message = format!("the scene is larger than {} MB", MOST_BYTES >> 20);
        let problem = Problem { span: None, ..Problem::at(0..0, message) };
        return Read { root: None, problems: vec![problem] };
    }
    let ron = notation == Notation::Ron;
    let mut reader = Reader { text, at: 0, ron, depth: 0, values: 0, problems: Vec::new() };
    let root = match reader.whole() {
        Ok(node) => Some(node),
        Err(problem) => {
            reader.problems.push(problem);
            None
        }
    };
    Read { root, problems: reader.problems }
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) ron: bool,
    depth: usize,
    values: usize,
    problems: Vec<Problem>,
}

pub(super) type Step<T> = Result<T, Problem>;

impl<'a> Reader<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        // `at` is always where a character begins.
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn span(&self, start: usize) -> Span {
        // The text is shorter than 4 GB.
        Span { start: start as u32, end: self.at as u32 }
    }

    fn whole(&mut self) -> Step<Node<'a>> {
        if self.rest().starts_with('\u{feff}') {
            self.at += 3;
        }
        self.blank()?;
        while self.ron && self.rest().starts_with("#![") {
            let end = self.rest().find(']');
            self.at = end.map_or(self.text.len(), |end| self.at + end + 1);
            self.blank()?;
        }
        let root = self.value()?;
        self.blank()?;
        match self.peek() {
            None => Ok(root),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    /// Skips white space and comments.
    fn blank(&mut self) -> Step<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Step<()> {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
            return Ok(());
        }
        if !rest.starts_with("/*") {
            return Err(self.unexpected("a value"));
        }
        let (bytes, mut depth) = (rest.as_bytes(), 0_usize);
        let mut k = 0;
        while k + 1 < bytes.len() {
            match &bytes[k..k + 2] {
                b"/*" => (depth, k) = (depth + 1, k + 2),
                b"*/" => {
                    (depth, k) = (depth - 1, k + 2);
                    if depth == 0 {
                        self.at += k;
                        return Ok(());
                    }
                }
                _ => k += 1,
            }
        }
        self.at = self.text.len();
        Err(Problem::at(start..start + 2, "the comment does not end"))
    }

    /// The problem that something else stands here.
    pub(super) fn unexpected(&self, wanted: &str) -> Problem {
        match self.rest().chars().next() {
            None => {
                Problem::at(self.at..self.at, format!("the file ends where {wanted} should be"))
            }
            Some(found) => {
                let span = self.at..self.at + found.len_utf8();
                Problem::at(
                    span,
                    format!("there is `{}` instead of {wanted}", found.escape_debug()),
                )
            }
        }
    }

    fn value(&mut self) -> Step<Node<'a>> {
        self.values += 1;
        let start = self.at;
        if self.values > MOST_VALUES {
            let message = format!("there are more than {MOST_VALUES} values");
            return Err(Problem::at(start..start + 1, message));
        }
        let value = match self.peek() {
            Some(b'{') => self.nested(|reader| reader.map(b'}'))?,
            Some(b'[') => self.nested(|reader| reader.list(b']'))?,
            Some(b'(') if self.ron => self.nested(Self::parenthesis)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => Value::Number(self.number()?),
            Some(b'r') if self.ron && self.at_raw_string() => Value::Text(self.raw_string()?),
            _ => return self.word(),
        };
        Ok(Node { span: self.span(start), value })
    }

    /// Reads one more level.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Step<Value<'a>>) -> Step<Value<'a>> {
        if self.depth == MOST_DEPTH {
            let message = format!("this is nested more than {MOST_DEPTH} deep");
            return Err(Problem::at(self.at..self.at + 1, message));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// A bare word: a constant, a struct by its name, or a text.
    fn word(&mut self) -> Step<Node<'a>> {
        let start = self.at;
        let word = self.identifier().ok_or_else(|| self.unexpected("a value"))?;
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "None" if self.ron => Value::Null,
            "inf" if self.ron => Value::Number(f64::INFINITY),
            "NaN" if self.ron => {
                return Err(Problem::at(start..self.at, "a scene has no numbers that are none"));
            }
            _ if !self.ron => {
                let problem = Problem::at(start..self.at, format!("`{word}` is no value of JSON"));
                return Err(problem.hint(Some(format!("write \"{word}\""))));
            }
            _ => {
                let end = self.at;
                self.blank()?;
                if self.peek() != Some(b'(') {
                    self.at = end;
                    Value::Text(Cow::Borrowed(word))
                } else if word == "Some" {
                    return self.some();
                } else {
                    self.nested(Self::parenthesis)?
                }
            }
        };
        Ok(Node { span: self.span(start), value })
    }

    /// What stands in `Some(…)`.
    fn some(&mut self) -> Step<Node<'a>> {
        let mut inner = None;
        self.nested(|reader| {
            reader.at += 1;
            reader.blank()?;
            inner = Some(reader.value()?);
            reader.blank()?;
            if reader.peek() == Some(b',') {
                reader.at += 1;
                reader.blank()?;
            }
            if reader.peek() != Some(b')') {
                return Err(reader.unexpected("`)`"));
            }
            reader.at += 1;
            Ok(Value::Null)
        })?;
        inner.ok_or_else(|| self.unexpected("a value"))
    }

    pub(super) fn identifier(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        if !(first.is_alphabetic() || first == '_') {
            return None;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end)
    }

    /// `(a: 1)` is a map, `(1, 2)` a list, `()` an empty map.
    fn parenthesis(&mut self) -> Step<Value<'a>> {
        let open = self.at;
        self.at += 1;
        self.blank()?;
        let named = self.peek() == Some(b')') || {
            let found = self.identifier().is_some();
            self.blank()?;
            // `=` is told of where a name is read.
            found && matches!(self.peek(), Some(b':' | b'='))
        };
        self.at = open;
        if named { self.map(b')') } else { self.list(b')') }
    }

    fn list(&mut self, close: u8) -> Step<Value<'a>> {
        // Most are points.
        let mut list = Vec::with_capacity(2);
        self.items(close, |reader| {
            list.push(reader.value()?);
            Ok(())
        })?;
        Ok(Value::List(list))
    }

    fn map(&mut self, close: u8) -> Step<Value<'a>> {
        let mut entries: Vec<(Key<'a>, Node<'a>)> = Vec::new();
        self.items(close, |reader| {
            let start = reader.at;
            let name = match reader.peek() {
                Some(b'"') => reader.string()?,
                _ if !reader.ron => return Err(reader.unexpected("a name in quotes")),
                _ => Cow::Borrowed(reader.identifier().ok_or_else(|| reader.unexpected("a name"))?),
            };
            let key = Key { span: reader.span(start), name };
            reader.blank()?;
            if reader.peek() != Some(b':') {
                return Err(reader.unexpected("`:`"));
            }
            reader.at += 1;
            reader.blank()?;
            let node = reader.value()?;
            entries.push((key, node));
            Ok(())
        })?;
        self.unite(&mut entries);
        Ok(Value::Map(entries))
    }

    /// What stands between brackets, with commas between.
    fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Step<()>) -> Step<()> {
        let open = self.at;
        self.at += 1;
        self.blank()?;
        let (mut comma, mut first) = (None, true);
        while self.peek() != Some(close) {
            if self.peek().is_none() {
                let problem = Problem::at(open..open + 1, "this is not closed");
                return Err(problem.hint(Some(format!("`{}` is missing", close as char))));
            }
            if !first && comma.is_none() {
                if matches!(self.peek(), Some(b')' | b']' | b'}' | b':')) {
                    return Err(self.unexpected(&format!("`,` or `{}`", close as char)));
                }
                // What follows can be read all the same.
                let problem = self.unexpected(&format!("`,` or `{}`", close as char));
                self.problems.push(problem.hint(Some("is a comma missing?".to_owned())));
                if self.problems.len() > MOST_PROBLEMS {
                    return Err(self.unexpected("`,`"));
                }
            }
            first = false;
            item(self)?;
            self.blank()?;
            comma = None;
            if self.peek() == Some(b',') {
                comma = Some(self.at);
                self.at += 1;
                self.blank()?;
            }
        }
        if let (false, Some(at)) = (self.ron, comma) {
            self.problems.push(Problem::at(at..at + 1, "JSON has no comma at the end of a list"));
        }
        self.at += 1;
        Ok(())
    }

    /// Tells of names that stand twice, and keeps the first of each.
    fn unite(&mut self, entries: &mut Vec<(Key<'a>, Node<'a>)>) {
        let problems = &mut self.problems;
        let mut twice = |key: &Key<'a>, first: Span| {
            if problems.len() > MOST_PROBLEMS {
                return;
            }
            let mut problem =
                Problem::at(key.span.range(), format!("`{}` is given twice", key.name));
            problem.related = Some((first.range(), "first here".to_owned()));
            problems.push(problem);
        };
        if entries.len() <= 16 {
            for k in (1..entries.len()).rev() {
                let (before, rest) = entries.split_at(k);
                let key = &rest[0].0;
                if let Some((first, _)) = before.iter().find(|(each, _)| each.name == key.name) {
                    twice(key, first.span);
                    entries.remove(k);
                }
            }
            return;
        }
        let mut seen: HashMap<Cow<'a, str>, Span> = HashMap::new();
        entries.retain(|(key, _)| match seen.get(&key.name) {
            Some(first) => {
                twice(key, *first);
                false
            }
            None => {
                seen.insert(key.name.clone(), key.span);
                true
            }
        });
    }
}
