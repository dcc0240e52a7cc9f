//! Traces the stored formats of types for tests, with a serde deserializer that records what each type asks for:
//! the fields and variants of records in their order, and the form of each.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// The most runs for one type: a run traces one variant of each enum.
const MAX_RUNS: usize = 100;

/// A field of a record or a variant of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The name of a field or of a variant in JSON, or the number and the name of another variant.
    pub(super) name: String,
    pub(super) form: String,
}

/// The formats of records and enums.
#[derive(Default)]
pub(super) struct Formats {
    structs: BTreeMap<&'static str, Vec<Part>>,
    enums: BTreeMap<&'static str, Vec<Variant>>,
}

struct Variant {
    name: String,
    /// The form of its contents; `None` until it is traced.
    form: Option<String>,
}

impl Formats {
    /// Adds the format of a type that is stored in postcard, and those of the types within it.
    pub(super) fn trace<T: DeserializeOwned>(&mut self) {
        self.trace_as::<T>(false);
    }

    /// Adds the format of a type that is stored as JSON, and those of the types within it.
    pub(super) fn trace_json<T: DeserializeOwned>(&mut self) {
        self.trace_as::<T>(true);
    }

    fn trace_as<T: DeserializeOwned>(&mut self, is_json: bool) {
        let mut file_names = BTreeSet::new();
        for _ in 0..MAX_RUNS {
            let mut tracer = Tracer {
                formats: self,
                is_json,
                file_names: &file_names,
                texts: 0,
                form: String::new(),
            };
            let traced = T::deserialize(&mut tracer);
            let last_text = tracer.texts;
            match traced {
                Ok(_) if self.is_complete() => return,
                Ok(_) => {}
                // A path was refused as a file name, or the reverse.
                Err(_) if file_names.remove(&last_text) => {}
                Err(_) => {
                    file_names.insert(last_text);
                }
            }
        }
        panic!("the format can't be traced");
    }

    fn is_complete(&self) -> bool {
        let mut variants = self.enums.values().flatten();
        variants.all(|variant| variant.form.is_some())
    }

    /// Returns the parts of each record and enum.
    pub(super) fn parts(self) -> BTreeMap<String, Vec<Part>> {
        let structs = self.structs.into_iter();
        let structs = structs.map(|(name, parts)| (name.to_owned(), parts));
        let part = |variant: Variant| Part {
            name: variant.name,
            form: variant.form.expect("BUG: every variant is traced"),
        };
        let enums = self.enums.into_iter();
        let enums = enums
            .map(|(name, variants)| (name.to_owned(), variants.into_iter().map(part).collect()));
        structs.chain(enums).collect()
    }
}

struct Tracer<'t> {
    formats: &'t mut Formats,
    is_json: bool,
    /// The texts that are read as a file name, by their numbers. The others are read as a path.
    file_names: &'t BTreeSet<usize>,
    /// The number of texts that were read.
    texts: usize,
    /// The form of what was read last.
    form: String,
}

impl Tracer<'_> {
    fn read(&mut self, form: &str) {
        form.clone_into(&mut self.form);
    }

    fn text(&mut self) -> &'static str {
        self.read("text");
        self.texts += 1;
        if self.file_names.contains(&self.texts) {
            "a"
        } else {
            "/a"
        }
    }

    /// Reads a number of elements. Returns the value and the forms of the elements.
    fn elements<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        visitor: V,
    ) -> Result<(V::Value, Vec<String>), Error> {
        let mut elements = Elements {
            tracer: self,
            left: count,
            forms: Vec::new(),
        };
        let value = visitor.visit_seq(&mut elements)?;
        Ok((value, elements.forms))
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $form:literal)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.read($form);
            visitor.$visit(1)
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Tracer<'_> {
    type Error = Error;

    numbers! {
        deserialize_u8 visit_u8 "u8"
        deserialize_u32 visit_u32 "u32"
        deserialize_u64 visit_u64 "u64"
        deserialize_i64 visit_i64 "i64"
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read("bool");
        visitor.visit_bool(true)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.text();
        visitor.visit_str(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read("bytes");
        visitor.visit_bytes(&[])
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_some(&mut *self)?;
        self.form = format!("optional {}", self.form);
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (value, forms) = self.elements(1, visitor)?;
        self.form = format!("list of {}", forms.concat());
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let (value, forms) = self.elements(len, visitor)?;
        self.form = if forms.iter().all(|form| form == "u8") {
            format!("{len} bytes")
        } else {
            forms.join(", ")
        };
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut entry = Entry {
            tracer: self,
            forms: Vec::new(),
        };
        let value = visitor.visit_map(&mut entry)?;
        let form = format!("map from {}", entry.forms.join(" to "));
        self.form = form;
        Ok(value)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, forms) = self.elements(fields.len(), visitor)?;
        let parts = fields.iter().zip(forms).map(|(field, form)| Part {
            name: format!("`{field}`"),
            form,
        });
        self.formats.structs.insert(name, parts.collect());
        self.form = format!("`{name}`");
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = |(number, name): (usize, &&str)| Variant {
            name: if self.is_json {
                format!("`{name}`")
            } else {
                format!("`{number}` {name}")
            },
            form: None,
        };
        let traced = self.formats.enums.entry(name);
        let traced = traced.or_insert_with(|| variants.iter().enumerate().map(variant).collect());
        let next = traced.iter().position(|variant| variant.form.is_none());
        let number = next.unwrap_or(0);
        let value = visitor.visit_enum(Choice {
            tracer: &mut *self,
            number,
        })?;
        let form = std::mem::replace(&mut self.form, format!("`{name}`"));
        let traced = self.formats.enums.get_mut(name);
        traced.expect("BUG: it was inserted")[number].form = Some(form);
        Ok(value)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        panic!("docs/STORAGE.md has no word for this form");
    }

    fn is_human_readable(&self) -> bool {
        self.is_json
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u16 u128 f32 f64 char unit unit_struct tuple_struct identifier ignored_any
    }
}

/// The elements of a sequence or the fields of a record.
struct Elements<'a, 't> {
    tracer: &'a mut Tracer<'t>,
    left: usize,
    forms: Vec<String>,
}

impl<'de> SeqAccess<'de> for &mut Elements<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let value = seed.deserialize(&mut *self.tracer)?;
        self.forms.push(std::mem::take(&mut self.tracer.form));
        Ok(Some(value))
    }
}

/// The only entry of a map.
struct Entry<'a, 't> {
    tracer: &'a mut Tracer<'t>,
    forms: Vec<String>,
}

impl<'de> MapAccess<'de> for &mut Entry<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if !self.forms.is_empty() {
            return Ok(None);
        }
        self.next_value_seed(seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = seed.deserialize(&mut *self.tracer)?;
        self.forms.push(std::mem::take(&mut self.tracer.form));
        Ok(value)
    }
}

/// A variant of an enum.
struct Choice<'a, 't> {
    tracer: &'a mut Tracer<'t>,
    number: usize,
}

impl<'de> EnumAccess<'de> for Choice<'_, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let number = u32::try_from(self.number).map_err(Error::custom)?;
        let value = seed.deserialize(number.into_deserializer())?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.tracer.read("nothing");
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.tracer)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let (value, forms) = self.tracer.elements(len, visitor)?;
        self.tracer.form = forms.join(", ");
        Ok(value)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, forms) = self.tracer.elements(fields.len(), visitor)?;
        let fields = fields.iter().zip(forms);
        let fields: Vec<String> = fields
            .map(|(name, form)| format!("`{name}` {form}"))
            .collect();
        self.tracer.form = fields.join(", ");
        Ok(value)
    }
}
