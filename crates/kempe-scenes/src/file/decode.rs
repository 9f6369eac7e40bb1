//! From the tree of a scene to its model: what serde asks for, with the places of what is wrong.
//!
//! A mistake is told and passed over where something can stand in for it, so that all of them come
//! out at once.

use super::access::{Entries, Items, Pair};
use super::context::{Context, unknown};
use super::either::EITHER;
use super::evaluate;
use super::notation::{Node, Span, Value};
use super::number::{CURVE, LAW, NUMBER, TARGET};
use super::problem::{Problem, did_you_mean};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use std::fmt;

/// Why something could not be decoded: nothing, if it was told already.
#[derive(Debug)]
pub(super) struct Failure(Option<Box<Reason>>);

#[derive(Debug)]
struct Reason {
    span: Option<Span>,
    message: String,
    hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: String, hint: Option<String>) -> Self {
        Self(Some(Box::new(Reason { span: None, message, hint })))
    }

    pub(super) fn at(mut self, span: Span) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.span.get_or_insert(span);
        }
        self
    }

    /// Tells it, unless that was done.
    pub(super) fn tell(self, context: &Context<'_>, span: Span) {
        if let Some(inner) = self.0 {
            let place = inner.span.unwrap_or(span).range();
            context.tell(Problem::at(place, inner.message).hint(inner.hint));
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("it was told", |inner| &inner.message))
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
