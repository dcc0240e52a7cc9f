//! The kinds of values.

use jiff::civil::Date;
use saphyr_parser::ScalarStyle;

use super::yaml::{Field, Node, Scalar};
use super::{Property, PropertyKind};

/// Returns a field as a property.
pub(super) fn property(yaml: &str, field: &Field) -> Property {
    let (kind, values) = match &field.node {
        node if is_of_tags(&field.name) && !matches!(node, Node::Other) => tags(node),
        Node::Scalar(scalar) => {
            let kind = kind_of(scalar);
            let is_empty = kind == PropertyKind::Empty;
            let value = (!is_empty).then(|| scalar.text.clone());
            (kind, value.into_iter().collect())
        }
        Node::List { items, .. } => {
            let values = items.iter().map(|item| item.text.clone());
            (PropertyKind::List, values.collect())
        }
        Node::Other => {
            let start = field.colon.unwrap_or(field.lines.start);
            let written = yaml[start..field.end].trim().to_owned();
            (PropertyKind::Other, vec![written])
        }
    };
    Property {
        name: field.name.clone(),
        kind,
        values,
    }
}

/// Returns true for the names of the fields that hold tags.
pub(super) fn is_of_tags(name: &str) -> bool {
    matches!(name, "tags" | "tag" | "keywords")
}

fn tags(node: &Node) -> (PropertyKind, Vec<String>) {
    let names: Vec<String> = match node {
        Node::Scalar(scalar) if kind_of(scalar) == PropertyKind::Empty => Vec::new(),
        Node::Scalar(scalar) => scalar.text.split([',', '、']).map(tag_name).collect(),
        Node::List { items, .. } => items.iter().map(|item| tag_name(&item.text)).collect(),
        Node::Other => Vec::new(),
    };
    let names = names.into_iter().filter(|name| !name.is_empty());
    (PropertyKind::Tags, names.collect())
}

/// Returns a tag in a field without what surrounds its name.
pub(crate) fn tag_name(written: &str) -> String {
    let name = written.trim().trim_start_matches('#');
    name.trim_matches('/').to_owned()
}

fn kind_of(scalar: &Scalar) -> PropertyKind {
    let text = scalar.text.as_str();
    if scalar.style == ScalarStyle::Plain && is_null(text) {
        PropertyKind::Empty
    } else if scalar.style == ScalarStyle::Plain && is_check(text) {
        PropertyKind::Check
    } else if scalar.style == ScalarStyle::Plain && is_number(text) {
        PropertyKind::Number
    } else if is_date(text) {
        PropertyKind::Date
    } else if is_page(text) {
        PropertyKind::Page
    } else {
        PropertyKind::Text
    }
}

pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

pub(super) fn is_check(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

/// Returns true for a decimal number of YAML's core schema.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Returns true for a day of the calendar, as `2026-11-20`.
pub(super) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.as_bytes()[4] == b'-' && text.parse::<Date>().is_ok()
}

/// Returns true for a link to a page.
pub(super) fn is_page(text: &str) -> bool {
    let inner = text
        .strip_prefix("[[")
        .and_then(|rest| rest.strip_suffix("]]"));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(['[', ']', '\n']))
}
