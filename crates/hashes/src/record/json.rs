//! JSON objects whose fields keep their order and their text.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The number of fields that a record may have; those of other programs have about ten.
const MAX_FIELDS: usize = 1000;

/// An object's fields in their order. A duplicate name is an error: two programs could read two different records.
pub(super) struct Fields(pub(super) Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Removes and returns a field.
    pub(super) fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let at = self.0.iter().position(|(field, _)| field == name)?;
        Some(self.0.remove(at).1)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields: Vec<(String, Box<RawValue>)> = Vec::new();
        let mut names = HashSet::new();
        while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if fields.len() == MAX_FIELDS {
                let text = format!("it has more than {MAX_FIELDS} fields");
                return Err(de::Error::custom(text));
            }
            if !names.insert(name.clone()) {
                return Err(de::Error::custom(format!("the field “{name}” comes twice")));
            }
            fields.push((name, value));
        }
        Ok(Fields(fields))
    }
}
