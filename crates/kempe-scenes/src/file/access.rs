//! Lists and maps of the tree, one thing after the other, as serde asks for them.

use super::context::Context;
use super::decode::{Asked, Failure};
use super::notation::{Key, Node};
use serde::de::{self, IntoDeserializer};

/// The items of a list.
pub(super) struct Items<'n, 't> {
    pub list: std::slice::Iter<'n, Node<'t>>,
    pub context: &'n Context<'t>,
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

/// The fields of a map.
pub(super) struct Entries<'n, 't> {
    pub list: std::slice::Iter<'n, (Key<'t>, Node<'t>)>,
    pub fields: Option<&'static [&'static str]>,
    pub value: Option<&'n Node<'t>>,
    pub context: &'n Context<'t>,
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
pub(super) struct Pair<'n> {
    pub value: Option<f64>,
    pub source: Option<&'n str>,
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
