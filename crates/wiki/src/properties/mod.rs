//! Properties: the named fields in the front matter of a page (docs/spec/markdown.md, Properties).
//!
//! - `yaml` reads the fields and where each is in the text.
//! - `value` gives them kinds.
//! - `links` finds the links to pages in the values.
//! - `edit` changes one field, and only the bytes of its lines.

mod edit;
mod links;
mod value;
mod yaml;

use serde::{Deserialize, Serialize};

use crate::markdown::front_matter_ranges;

pub use edit::{InvalidProperty, PropertyValue};
pub(crate) use edit::{PropertyChange, check_new_tags, edited};
pub(crate) use links::links;

/// The kind of a property, by its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub enum PropertyKind {
    Text,
    /// A decimal number.
    Number,
    /// A day, as `2026-11-20`.
    Date,
    /// `true` or `false`.
    Check,
    List,
    /// The list of the page's tags, without `#`.
    Tags,
    /// A link to a page, as `[[/path]]`.
    Page,
    /// A name without a value.
    Empty,
    /// Anything else that YAML has, as it is written. It can be removed, but is edited in the text.
    Other,
}

/// A field of the front matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    /// The items of a list or of tags; else the only value, or none if it is empty.
    pub values: Vec<String>,
}

/// The reason why front matter has no properties. The text is unchanged by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct PropertyFault {
    /// The line of the page, from 1; none if the front matter is YAML without named fields.
    pub line: Option<u32>,
    /// The fault there, in English.
    pub reason: String,
}

/// The properties of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Properties {
    /// In the order of the text.
    pub items: Vec<Property>,
    /// Present if the front matter can't be read; there are no items then.
    pub fault: Option<PropertyFault>,
}

impl Properties {
    /// Reads the properties of a text.
    pub(crate) fn read(text: &str) -> Self {
        let Some((_, inner)) = front_matter_ranges(text) else {
            return Self::default();
        };
        let yaml = &text[inner];
        match yaml::fields(yaml) {
            Ok(fields) => Self {
                items: fields
                    .iter()
                    .map(|field| value::property(yaml, field))
                    .collect(),
                fault: None,
            },
            Err(fault) => Self {
                items: Vec::new(),
                fault: Some(fault),
            },
        }
    }
}
