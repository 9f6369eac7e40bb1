//! From the tree of a scene to its model: what serde asks for, with the places of what is wrong.
//!
//! A mistake is told and passed over where something can stand in for it, so that all of them come
//! out at once.

use super::either::EITHER;
use super::evaluate::{self, Mistake, Parameters};
use super::notation::{Key, Node, Span, Value};
use super::number::{CURVE, LAW, NUMBER, TARGET};
use super::problem::{MOST_PROBLEMS, Problem, did_you_mean};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;

/// Bytes of different expressions that a scene may have; a short one counts as [`SHORT`].
const MOST_EXPRESSIONS: usize = 10_000_000;
const SHORT: usize = 100;

/// What is known while a scene is decoded.
pub(super) struct Context<'t> {
    pub text: &'t str,
    pub parameters: Parameters,
    pub problems: RefCell<Vec<Problem>>,
    pub left_out: Cell<usize>,
    known: RefCell<HashMap<String, f64>>,
    expressions: Cell<usize>,
}

impl<'t> Context<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            parameters: Parameters::default(),
            problems: RefCell::default(),
            left_out: Cell::new(0),
            known: RefCell::default(),
            expressions: Cell::new(0),
        }
    }

    pub(super) fn tell(&self, problem: Problem) {
        let mut problems = self.problems.borrow_mut();
        if problems.len() < MOST_PROBLEMS {
            problems.push(problem);
        } else {
            self.left_out.set(self.left_out.get() + 1);
        }
    }

    /// Where the inside of a text stands, if it stands in the file as it is.
    pub(super) fn inside(&self, node: &Node<'_>) -> Option<usize> {
        let Value::Text(Cow::Borrowed(text)) = &node.value else { return None };
        let offset = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (self.text.get(offset..offset + text.len()) == Some(*text)).then_some(offset)
    }

    /// Tells of mistakes in a text of the scene.
    pub(super) fn tell_inside(&self, node: &Node<'_>, mistakes: Vec<Mistake>) {
        for Mistake { span, message, hint } in mistakes {
            let place = match self.inside(node) {
                Some(offset) => offset + span.start..offset + span.end,
                None => node.span.range(),
            };
            self.tell(Problem::at(place, message).hint(hint));
        }
    }

    /// The value of an expression; 0 where it has none.
    fn number(&self, node: &Node<'_>, source: &str) -> f64 {
        if let Some(value) = self.known.borrow().get(source) {
            return *value;
        }
        if !self.may_evaluate(node, source) {
            return 0.0;
        }
        let value = match evaluate::evaluate(source, &self.parameters) {
            Ok(value) => value,
            Err(mistakes) => {
                self.tell_inside(node, mistakes);
                return 0.0;
            }
        };
        self.known.borrow_mut().insert(source.to_owned(), value);
        value
    }

    /// Whether there is time for another expression.
    fn may_evaluate(&self, node: &Node<'_>, source: &str) -> bool {
        let before = self.expressions.get();
        let after = before.saturating_add(source.len().max(SHORT));
        self.expressions.set(after);
        if before <= MOST_EXPRESSIONS && after > MOST_EXPRESSIONS {
            let message = format!("a scene has at most {} expressions", MOST_EXPRESSIONS / SHORT);
            self.tell(Problem::at(node.span.range(), message));
        }
        after <= MOST_EXPRESSIONS
    }

    /// Whether another problem would only be counted.
    pub(super) fn is_full(&self) -> bool {
        self.problems.borrow().len() >= MOST_PROBLEMS
    }

    /// Tells of a name that is not known.
    pub(super) fn tell_unknown<'a>(
        &self,
        key: &Key<'_>,
        known: impl Iterator<Item = &'a str> + Clone,
    ) {
        if self.is_full() {
            self.left_out.set(self.left_out.get() + 1);
            return;
        }
        let (message, hint) = unknown(&key.name, "field", known);
        self.tell(Problem::at(key.span.range(), message).hint(hint));
    }
}

/// Why something could not be decoded: nothing, if it was told already.
#[derive(Debug)]
pub(super) struct Failure(Option<Box<(Option<Span>, String, Option<String>)>>);

impl Failure {
    fn new(message: String, hint: Option<String>) -> Self {
        Self(Some(Box::new((None, message, hint))))
    }

    fn at(mut self, span: Span) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.0.get_or_insert(span);
        }
        self
    }

    /// Tells it, unless that was done.
    pub(super) fn tell(self, context: &Context<'_>, span: Span) {
        if let Some(inner) = self.0 {
            let (place, message, hint) = *inner;
            context.tell(Problem::at(place.unwrap_or(span).range(), message).hint(hint));
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("it was told", |inner| &inner.1))
    }
}

impl std::error::Error for Failure {}

impl de::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string(), None)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format!("`{field}` is missing"), None)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let (message, hint) = unknown(field, "field", expected.iter().copied());
        Self::new(message, hint)
    }
}

/// What to say of a name that is not known.
fn unknown<'a>(
    name: &str,
    what: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> (String, Option<String>) {
    let hint = did_you_mean(name, known.clone()).or_else(|| {
        let list: Vec<&str> = known.collect();
        (!list.is_empty() && list.len() <= 16).then(|| format!("there are {}", list.join(", ")))
    });
    (format!("there is no {what} `{name}` here"), hint)
}

/// A node that serde asks.
#[derive(Clone, Copy)]
pub(super) struct Asked<'n, 't> {
    pub node: &'n Node<'t>,
    pub context: &'n Context<'t>,
}

impl<'n, 't> Asked<'n, 't> {
    fn wrong(&self, wanted: &str) {
        let message = format!("there is {} instead of {wanted}", self.node.describe());
        self.context.tell(Problem::at(self.node.span.range(), message));
    }

    /// The problem that something else stands here, when nothing can stand in for it.
    fn refuse<T>(&self, wanted: &str) -> Result<T, Failure> {
        self.wrong(wanted);
        Err(Failure(None))
    }

    fn seq<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::List(list) => {
                visitor.visit_seq(Items { list: list.iter(), context: self.context })
            }
            Value::Map(entries) if entries.is_empty() => {
                visitor.visit_seq(Items { list: [].iter(), context: self.context })
            }
            _ => return self.refuse("a list"),
        }
        .map_err(|failure| failure.at(self.node.span))
    }

    fn map<'de, V: Visitor<'de>>(
        &self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let Value::Map(entries) = &self.node.value else { return self.refuse("a map") };
        if let Some(fields) = fields {
            for (key, _) in entries.iter().filter(|(key, _)| !fields.contains(&&*key.name)) {
                self.context.tell_unknown(key, fields.iter().copied());
            }
        }
        let entries = Entries { list: entries.iter(), fields, value: None, context: self.context };
        visitor.visit_map(entries).map_err(|failure| failure.at(self.node.span))
    }

    /// A whole number from 0 to `most`.
    fn whole(&self, most: u64) -> u64 {
        let text = self.context.text.get(self.node.span.range());
        let value = match self.node.value {
            // Those beyond 2^53 are read from the text.
            Value::Number(value) => match text.and_then(|text| text.parse::<u64>().ok()) {
                Some(whole) if whole as f64 == value => Some(whole),
                _ => {
                    (value.fract() == 0.0 && (0.0..=9e15).contains(&value)).then_some(value as u64)
                }
            },
            _ => None,
        };
        match value {
            Some(value) if value <= most => value,
            _ => {
                let message = match most {
                    u64::MAX => "this must be a whole number, not negative".to_owned(),
                    _ => format!("this must be a whole number from 0 to {most}"),
                };
                self.context.tell(Problem::at(self.node.span.range(), message));
                0
            }
        }
    }

    /// A number, or a text that is an expression of it.
    fn number<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(source) => {
                let value = self.context.number(self.node, source);
                visitor.visit_seq(Pair { value: Some(value), source: Some(source) })
            }
            _ => {
                self.wrong("a number");
                visitor.visit_f64(0.0)
            }
        }
        .map_err(|failure| failure.at(self.node.span))
    }

    /// A number, or an expression of these variables and `time`.
    fn formula<'de, V: Visitor<'de>>(
        &self,
        variables: &[&str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let Value::Text(source) = &self.node.value else { return self.number(visitor) };
        let still = !evaluate::words(source).any(|word| word == "time");
        if variables.is_empty() && still {
            return self.number(visitor);
        }
        let parameters = &self.context.parameters;
        if self.context.may_evaluate(self.node, source)
            && let Err(mistakes) = evaluate::check(source, parameters, variables)
        {
            self.context.tell_inside(self.node, mistakes);
        }
        let complete = parameters.complete(source, variables);
        let pair = std::iter::once((&**source, complete));
        visitor.visit_map(de::value::MapDeserializer::new(pair))
    }
}

macro_rules! whole {
    ($($method:ident $visit:ident $type:ty)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            let value = self.whole(<$type>::MAX as u64);
            visitor.$visit(value as $type).map_err(|failure: Failure| failure.at(self.node.span))
        }
    )*};
}

impl<'de> Deserializer<'de> for Asked<'_, '_> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(_) => self.seq(visitor),
            Value::Map(_) => self.map(None, visitor),
        }
        .map_err(|failure| failure.at(self.node.span))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.node.value {
            Value::Bool(value) => visitor.visit_bool(value),
            _ => {
                self.wrong("true or false");
                visitor.visit_bool(false)
            }
        }
    }

    whole! {
        deserialize_u8 visit_u8 u8 deserialize_u16 visit_u16 u16 deserialize_u32 visit_u32 u32
        deserialize_u64 visit_u64 u64 deserialize_i8 visit_i8 i8 deserialize_i16 visit_i16 i16
        deserialize_i32 visit_i32 i32 deserialize_i64 visit_i64 i64
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Text(source) => visitor.visit_f64(self.context.number(self.node, source)),
            _ => self.number(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Text(text) => visitor.visit_str(text),
            _ => {
                self.wrong("a text");
                visitor.visit_str("")
            }
        }
        .map_err(|failure: Failure| failure.at(self.node.span))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match name {
            NUMBER => self.number(visitor),
            TARGET => self.formula(&[], visitor),
            LAW => self.formula(&["q", "speed"], visitor),
            CURVE => self.formula(&["q"], visitor),
            EITHER => match self.node.value {
                Value::List(_) | Value::Map(_) => self.deserialize_any(visitor),
                _ => visitor.visit_some(self),
            },
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::List(list) if list.len() == length => return self.seq(visitor),
            Value::List(list) => {
                let message = format!("{length} numbers belong here; there are {}", list.len());
                self.context.tell(Problem::at(self.node.span.range(), message));
            }
            _ => self.wrong(&format!("a list of {length}")),
        }
        let zero = Node { span: self.node.span, value: Value::Number(0.0) };
        let zeros = vec![zero; length];
        visitor.visit_seq(Items { list: zeros.iter(), context: self.context })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.map(None, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.map(Some(fields), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let Value::Text(word) = &self.node.value else { return self.refuse("a word") };
        let known = variants.iter().find(|each| **each == *word);
        let variant = known.or(variants.first()).copied().unwrap_or("");
        if known.is_none() {
            let hint = did_you_mean(word, variants.iter().copied())
                .unwrap_or_else(|| format!("there are {}", variants.join(", ")));
            let problem =
                Problem::at(self.node.span.range(), format!("`{word}` is not known here"));
            self.context.tell(problem.hint(Some(hint)));
        }
        visitor.visit_enum(variant.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple_struct
    }
}

struct Items<'n, 't> {
    list: std::slice::Iter<'n, Node<'t>>,
    context: &'n Context<'t>,
}

impl<'de> de::SeqAccess<'de> for Items<'_, '_> {
    type Error = Failure;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        let Some(node) = self.list.next() else { return Ok(None) };
        seed.deserialize(Asked { node, context: self.context }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len())
    }
}

struct Entries<'n, 't> {
    list: std::slice::Iter<'n, (Key<'t>, Node<'t>)>,
    fields: Option<&'static [&'static str]>,
    value: Option<&'n Node<'t>>,
    context: &'n Context<'t>,
}

impl<'de> de::MapAccess<'de> for Entries<'_, '_> {
    type Error = Failure;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failure> {
        let fields = self.fields;
        // Those that are not known were told of.
        let known = |key: &Key<'_>| fields.is_none_or(|fields| fields.contains(&&*key.name));
        let Some((key, node)) = self.list.find(|(key, _)| known(key)) else { return Ok(None) };
        self.value = Some(node);
        let name: de::value::StrDeserializer<'_, Failure> = (*key.name).into_deserializer();
        seed.deserialize(name).map(Some).map_err(|failure| failure.at(key.span))
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Failure> {
        match self.value.take() {
            Some(node) => {
                let asked = Asked { node, context: self.context };
                seed.deserialize(asked).map_err(|failure| failure.at(node.span))
            }
            None => Err(Failure::new("a value is missing".to_owned(), None)),
        }
    }
}

/// A number and the expression that it comes from.
struct Pair<'n> {
    value: Option<f64>,
    source: Option<&'n str>,
}

impl<'de> de::SeqAccess<'de> for Pair<'_> {
    type Error = Failure;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if let Some(value) = self.value.take() {
            let value: de::value::F64Deserializer<Failure> = value.into_deserializer();
            return seed.deserialize(value).map(Some);
        }
        match self.source.take() {
            Some(source) => {
                let source: de::value::StrDeserializer<'_, Failure> = source.into_deserializer();
                seed.deserialize(source).map(Some)
            }
            None => Ok(None),
        }
    }
}
