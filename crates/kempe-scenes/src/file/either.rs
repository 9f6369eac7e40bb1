//! What is written in one of two ways: plainly, or as a whole.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// How the reader of scenes is asked for an [`Either`].
pub(super) const EITHER: &str = "$kempe::Either";

/// A number or a word, or else a map or a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Either<P, W> {
    /// A number or a word.
    Plain(P),
    /// A map or a list.
    Whole(W),
}

impl<P: Serialize, W: Serialize> Serialize for Either<P, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(plain) => plain.serialize(serializer),
            Self::Whole(whole) => whole.serialize(serializer),
        }
    }
}

struct Read<P, W>(PhantomData<(P, W)>);

impl<'de, P: Deserialize<'de>, W: Deserialize<'de>> Visitor<'de> for Read<P, W> {
    type Value = Either<P, W>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a word, a map or a list")
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        P::deserialize(value.into_deserializer()).map(Either::Plain)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
        P::deserialize(StrDeserializer::new(value)).map(Either::Plain)
    }

    /// Of the reader of scenes, whatever is plain.
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        P::deserialize(inner).map(Either::Plain)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        W::deserialize(SeqAccessDeserializer::new(seq)).map(Either::Whole)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        W::deserialize(MapAccessDeserializer::new(map)).map(Either::Whole)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }
}

impl<'de, P: Deserialize<'de>, W: Deserialize<'de>> Deserialize<'de> for Either<P, W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(EITHER, Read(PhantomData))
    }
}

impl<P: JsonSchema, W: JsonSchema> JsonSchema for Either<P, W> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}_or_{}", P::schema_name(), W::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (plain, whole) = (generator.subschema_for::<P>(), generator.subschema_for::<W>());
        json_schema!({ "anyOf": [plain, whole] })
    }
}
