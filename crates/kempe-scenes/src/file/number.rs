//! Numbers of a scene: as they are, or as expressions.

use super::either::Either;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// How the reader of scenes is asked for a [`Number`].
pub(super) const NUMBER: &str = "$kempe::Number";
/// How the reader of scenes is asked for a [`Formula`] in `time`.
pub(super) const TARGET: &str = "$kempe::Target";
/// How the reader of scenes is asked for a [`Formula`] in `q`, `speed` and `time`.
pub(super) const LAW: &str = "$kempe::Law";
/// How the reader of scenes is asked for a [`Formula`] in `q` and `time`.
pub(super) const CURVE: &str = "$kempe::Curve";

/// A number, or an expression of the scene's parameters together with its value.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// As it is.
    Value(f64),
    /// What an expression gave.
    Expression(Box<Evaluated>),
}

/// An expression and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// As it is written.
    pub source: String,
    /// What it is, with the parameters of the scene.
    pub value: f64,
}

impl Number {
    /// The value.
    pub fn value(&self) -> f64 {
        match self {
            Self::Value(value) => *value,
            Self::Expression(evaluated) => evaluated.value,
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Expression(evaluated) => serializer.serialize_str(&evaluated.source),
            Self::Value(value) if value.is_finite() => serializer.serialize_f64(*value),
            // JSON has no word for it, so that it is an expression.
            Self::Value(value) => serializer.serialize_str(&value.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NUMBER, Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
        Ok(Number::Value(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
        Ok(Number::Value(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
        Ok(Number::Value(value as f64))
    }

    /// Of a reader that knows no parameters.
    fn visit_str<E: serde::de::Error>(self, source: &str) -> Result<Number, E> {
        let value = super::evaluate::constant(source).map_err(E::custom)?;
        Ok(Number::Expression(Box::new(Evaluated { source: source.to_owned(), value })))
    }

    /// Of the reader of scenes: the value, then the text.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Number, A::Error> {
        match (seq.next_element::<f64>()?, seq.next_element::<String>()?) {
            (Some(value), Some(source)) => {
                Ok(Number::Expression(Box::new(Evaluated { source, value })))
            }
            _ => Err(A::Error::custom("a number is not a list")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Number, D::Error> {
        inner.deserialize_any(self)
    }
}

/// A schema that is a number or an expression.
fn number_schema(about: &str) -> Schema {
    json_schema!({ "description": about, "type": ["number", "string"] })
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        number_schema("A number, or an expression of the scene's parameters.")
    }
}

/// A point or a direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Point(pub [Number; 2]);

impl Point {
    /// Its numbers.
    pub fn value(&self) -> kempe2d::Vec2 {
        kempe2d::Vec2::new(self.0[0].value(), self.0[1].value())
    }
}

impl From<kempe2d::Vec2> for Point {
    fn from(point: kempe2d::Vec2) -> Self {
        Self([point.x.into(), point.y.into()])
    }
}

/// An expression that is evaluated as the world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// As it is written.
    pub source: String,
    /// The same with the values of the parameters that it names.
    pub complete: String,
}

impl Formula {
    /// One that names no parameters.
    pub fn new(source: &str) -> Self {
        Self { source: source.to_owned(), complete: source.to_owned() }
    }
}

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

/// What a motor or a force follows: a number, or an expression in `time`.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The same at all times.
    Constant(Number),
    /// An expression in `time`.
    Moving(Box<Formula>),
}

impl From<f64> for Target {
    fn from(value: f64) -> Self {
        Self::Constant(value.into())
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(number) => number.serialize(serializer),
            Self::Moving(formula) => formula.serialize(serializer),
        }
    }
}

/// The reader of scenes gives the text with and without the values of parameters, or, where `time` is
/// not named, a number as [`Number`] has it.
struct ReadFormula;

impl<'de> Visitor<'de> for ReadFormula {
    type Value = Target;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or an expression")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Target, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Target, E> {
        Ok((value as f64).into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Target, E> {
        Ok((value as f64).into())
    }

    fn visit_str<E>(self, source: &str) -> Result<Target, E> {
        Ok(Target::Moving(Box::new(Formula::new(source))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Target, A::Error> {
        Read.visit_seq(seq).map(Target::Constant)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Target, A::Error> {
        let pair = map.next_entry::<String, String>()?;
        let (source, complete) =
            pair.ok_or_else(|| A::Error::custom("an expression is missing"))?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Target::Moving(Box::new(Formula { source, complete })))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Target, D::Error> {
        inner.deserialize_any(self)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(TARGET, ReadFormula)
    }
}

impl JsonSchema for Target {
    fn schema_name() -> Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        number_schema("A number, or an expression in `time` and the scene's parameters.")
    }
}

macro_rules! formula {
    ($(#[$about:meta])* $name:ident, $asked:ident, $schema:literal) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(pub Formula);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = deserializer.deserialize_newtype_struct($asked, ReadFormula)?;
                Ok(Self(match read {
                    Target::Moving(formula) => *formula,
                    Target::Constant(number) => Formula::new(&number.value().to_string()),
                }))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                number_schema($schema)
            }
        }
    };
}

formula! {
    /// A force that is an expression in `q`, `speed` and `time`.
    Law, LAW, "An expression in `q`, `speed`, `time` and the scene's parameters."
}
formula! {
    /// How a coordinate counts in a coupling: an expression in `q` and `time`.
    Curve, CURVE, "An expression in `q`, `time` and the scene's parameters."
}

/// A parameter of a joint program: a number, or a list (of lists) of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A scalar.
    Scalar(Number),
    /// A vector, or the rows of a matrix.
    List(Vec<Values>),
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(number) => number.serialize(serializer),
            Self::List(list) => list.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let either = Either::<Number, Vec<Self>>::deserialize(deserializer)?;
        Ok(match either {
            Either::Plain(number) => Self::Scalar(number),
            Either::Whole(list) => Self::List(list),
        })
    }
}

impl JsonSchema for Values {
    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let own = generator.subschema_for::<Self>();
        json_schema!({
            "description": "A number, a vector [x, y] or a matrix [[a, b], [c, d]]; numbers may be expressions.",
            "anyOf": [{ "type": ["number", "string"] }, { "type": "array", "items": own }]
        })
    }
}
