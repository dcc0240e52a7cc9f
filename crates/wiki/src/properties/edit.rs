//! Changes of one field. All other bytes of the text stay as they are: comments, the order, and the spelling of other
//! fields.

use std::ops::Range;

use saphyr_parser::ScalarStyle;
use serde::Deserialize;

use super::value::{is_check, is_date, is_null, is_number, is_of_tags, is_page, tag_name};
use super::yaml::{Field, Node, Scalar, fields};
use super::{Properties, Property, PropertyFault, PropertyKind};
use crate::markdown::{front_matter_ranges, is_tag};

/// The maximum length of a name or value, in characters.
const MAX_CHARS: usize = 10_000;

/// The value that a property gets.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct PropertyValue {
    /// Every kind but `other`.
    pub kind: PropertyKind,
    /// The items of a list or of tags; exactly one value of the other kinds, or none of `empty`.
    pub values: Vec<String>,
}

/// A change of a property.
#[derive(Debug, Clone)]
pub(crate) enum PropertyChange {
    /// The property gets this value; a missing one is added below the others.
    Put(PropertyValue),
    Remove,
}

/// The reason why a property was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProperty {
    #[error("a name has 1 to {MAX_CHARS} characters, in one line")]
    Name,
    #[error("{value:?} is not of the kind {kind:?}")]
    Value { kind: PropertyKind, value: String },
    #[error("a property of the kind {0:?} has exactly one value")]
    Count(PropertyKind),
    #[error("the front matter of the page can't be read: {}", .0.reason)]
    Fault(PropertyFault),
    #[error("“{0}” is written in a way that can only be edited in the text")]
    NotEditable(String),
}

/// Returns the text with the change of a property.
pub(crate) fn edited(
    text: &str,
    name: &str,
    change: &PropertyChange,
) -> Result<String, InvalidProperty> {
    let expected = expected(text, name, change)?;
    let changed = match change {
        PropertyChange::Put(value) => put(text, name, value)?,
        PropertyChange::Remove => remove(text, name)?,
    };
    let found = Properties::read(&changed);
    let is_expected = found.fault.is_none() && has_values(&found.items, &expected);
    match is_expected {
        true => Ok(changed),
        false => Err(InvalidProperty::NotEditable(name.to_owned())),
    }
}

/// Checks that the tags of a new value are tags in texts, too. Those that the property has already may come from other
/// programs, and stay.
pub(crate) fn check_new_tags(
    text: &str,
    name: &str,
    value: &PropertyValue,
) -> Result<(), InvalidProperty> {
    if value.kind != PropertyKind::Tags && !is_of_tags(name) {
        return Ok(());
    }
    let before = Properties::read(text).items;
    let before = before.into_iter().find(|item| item.name == name);
    let before = before.map_or_else(Vec::new, |item| item.values);
    let mut names = value.values.iter().map(|value| tag_name(value));
    match names.find(|tag| !is_tag(tag) && !before.contains(tag)) {
        Some(value) => Err(InvalidProperty::Value {
            kind: PropertyKind::Tags,
            value,
        }),
        None => Ok(()),
    }
}

fn has_values(found: &[Property], expected: &[(String, Vec<String>)]) -> bool {
    let found = found.iter().map(|found| (&found.name, &found.values));
    found.eq(expected.iter().map(|(name, values)| (name, values)))
}

/// Returns the names and values that the text must have after the change.
fn expected(
    text: &str,
    name: &str,
    change: &PropertyChange,
) -> Result<Vec<(String, Vec<String>)>, InvalidProperty> {
    let length = name.chars().count();
    if name.trim() != name || !(1..=MAX_CHARS).contains(&length) || name.contains(char::is_control)
    {
        return Err(InvalidProperty::Name);
    }
    let Properties { items, fault } = Properties::read(text);
    if let Some(fault) = fault {
        return Err(InvalidProperty::Fault(fault));
    }
    let items = items.into_iter().map(|item| (item.name, item.values));
    let mut items: Vec<(String, Vec<String>)> = items.collect();
    match change {
        PropertyChange::Remove => items.retain(|item| item.0 != name),
        PropertyChange::Put(value) => {
            let values = checked(value)?;
            let values = match is_of_tags(name) {
                true => values.iter().map(|value| tag_name(value)).collect(),
                false => values,
            };
            match items.iter_mut().find(|item| item.0 == name) {
                Some(item) => item.1 = values,
                None => items.push((name.to_owned(), values)),
            }
        }
    }
    Ok(items)
}

/// Returns the values, if they are of their kind.
fn checked(value: &PropertyValue) -> Result<Vec<String>, InvalidProperty> {
    let PropertyValue { kind, values } = value;
    let fits: fn(&str) -> bool = match kind {
        PropertyKind::Text | PropertyKind::List => |_| true,
        PropertyKind::Number => is_number,
        PropertyKind::Date => is_date,
        PropertyKind::Check => is_check,
        PropertyKind::Tags => |tag| !tag_name(tag).is_empty(),
        PropertyKind::Page => is_page,
        PropertyKind::Empty => |_| false,
        PropertyKind::Other => |_| false,
    };
    let is_list = matches!(kind, PropertyKind::List | PropertyKind::Tags);
    if !is_list && *kind != PropertyKind::Empty && values.len() != 1 {
        return Err(InvalidProperty::Count(*kind));
    }
    let is_allowed = |value: &&String| !fits(value) || value.chars().count() > MAX_CHARS;
    match values.iter().find(is_allowed) {
        Some(value) => Err(InvalidProperty::Value {
            kind: *kind,
            value: value.chars().take(100).collect(),
        }),
        None => Ok(values.clone()),
    }
}

fn put(text: &str, name: &str, value: &PropertyValue) -> Result<String, InvalidProperty> {
    let Some((_, inner)) = front_matter_ranges(text) else {
        let end = line_break(text);
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        let field = new_field("", name, value, end);
        return Ok(replaced(
            text,
            start..start,
            &format!("---{end}{field}---{end}"),
        ));
    };
    let yaml = &text[inner.clone()];
    let fields = fields(yaml).map_err(InvalidProperty::Fault)?;
    let Some(field) = fields.iter().find(|field| field.name == name) else {
        let first = fields
            .first()
            .map_or("", |field| &yaml[field.lines.clone()]);
        let indent = &first[..first.len() - first.trim_start_matches(' ').len()];
        let field = new_field(indent, name, value, line_break(text));
        return Ok(replaced(text, inner.end..inner.end, &field));
    };
    let (range, written) = replacement(yaml, field, value)
        .ok_or_else(|| InvalidProperty::NotEditable(name.to_owned()))?;
    let range = inner.start + range.start..inner.start + range.end;
    Ok(replaced(text, range, &written))
}

fn remove(text: &str, name: &str) -> Result<String, InvalidProperty> {
    let Some((whole, inner)) = front_matter_ranges(text) else {
        return Ok(text.to_owned());
    };
    let fields = fields(&text[inner.clone()]).map_err(InvalidProperty::Fault)?;
    let Some(field) = fields.iter().find(|field| field.name == name) else {
        return Ok(text.to_owned());
    };
    let lines = inner.start + field.lines.start..inner.start + field.lines.end;
    // Two lines of dashes without anything between them would be rules.
    let range = if lines == inner { whole } else { lines };
    Ok(replaced(text, range, ""))
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    [&text[..range.start], by, &text[range.end..]].concat()
}

/// Returns the kind of line break that the text has first.
fn line_break(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        Some(_) | None => "\n",
    }
}

fn new_field(indent: &str, name: &str, value: &PropertyValue, end: &str) -> String {
    let name = scalar(name, false, false);
    match written(value) {
        value if value.is_empty() => format!("{indent}{name}:{end}"),
        value => format!("{indent}{name}: {value}{end}"),
    }
}

/// Returns the bytes of a field to replace, and what takes their place.
fn replacement(yaml: &str, field: &Field, value: &PropertyValue) -> Option<(Range<usize>, String)> {
    let colon = field.colon?;
    let is_list = matches!(value.kind, PropertyKind::List | PropertyKind::Tags);
    let behind_colon = |written: String| match written.is_empty() {
        true => (colon..field.end, String::new()),
        false => (colon..field.end, format!(" {written}")),
    };
    match &field.node {
        Node::Other => None,
        Node::Scalar(old) if !old.range.is_empty() && !is_list && !value.values.is_empty() => {
            let text = &value.values[0];
            let written = match (old.style, value.kind) {
                (_, PropertyKind::Number | PropertyKind::Check) => text.clone(),
                (style, _) => in_style(text, style).unwrap_or_else(|| written(value)),
            };
            Some((old.range.clone(), written))
        }
        Node::List {
            range,
            is_flow: true,
            items,
        } if is_list => {
            let items = written_items(yaml, items, value);
            Some((range.clone(), format!("[{}]", items.join(", "))))
        }
        Node::List {
            range,
            is_flow: false,
            items,
        } if is_list && !value.values.is_empty() => {
            Some(block_list(yaml, range.start, items, value))
        }
        Node::Scalar(_) | Node::List { .. } => Some(behind_colon(written(value))),
    }
}

/// Returns the items of a list; those that it had are spelled as before.
fn written_items(yaml: &str, old: &[Scalar], value: &PropertyValue) -> Vec<String> {
    let is_tags = value.kind == PropertyKind::Tags;
    let item = |text: &String| match old.iter().find(|old| is_same(old, text, is_tags)) {
        Some(old) => yaml[old.range.clone()].to_owned(),
        None => scalar(text, true, false),
    };
    value.values.iter().map(item).collect()
}

fn is_same(old: &Scalar, text: &str, is_tags: bool) -> bool {
    !old.range.is_empty()
        && (old.text == text || (is_tags && tag_name(&old.text) == tag_name(text)))
}

/// Returns the lines of a list with an item in each. The lines of items that stay are kept, with their comments.
fn block_list(
    yaml: &str,
    start: usize,
    old: &[Scalar],
    value: &PropertyValue,
) -> (Range<usize>, String) {
    let line_of = |at: usize| yaml[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let first = line_of(start);
    let starts: Vec<usize> = old.iter().map(|item| line_of(item.range.start)).collect();
    let last = old.last().map_or(start, |item| item.range.end);
    let rest = &yaml[last..];
    let end = last + rest.find(['\n', '\r']).unwrap_or(rest.len());
    let lines = |number: usize| {
        let until = starts.get(number + 1).copied().unwrap_or(end);
        yaml[starts[number]..until].trim_end_matches(['\n', '\r'])
    };
    let indent = &yaml[first..start];
    let indent = &indent[..indent.len() - indent.trim_start_matches(' ').len()];
    let is_tags = value.kind == PropertyKind::Tags;
    let item = |text: &String| match old.iter().position(|old| is_same(old, text, is_tags)) {
        Some(number) => lines(number).to_owned(),
        None => format!("{indent}- {}", scalar(text, false, false)),
    };
    let items: Vec<String> = value.values.iter().map(item).collect();
    (first..end, items.join(line_break(yaml)))
}

/// Returns a value as it is written behind its name.
fn written(value: &PropertyValue) -> String {
    match value.kind {
        PropertyKind::List | PropertyKind::Tags => {
            let items = value.values.iter().map(|item| scalar(item, true, false));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        PropertyKind::Number | PropertyKind::Check | PropertyKind::Date => value.values[0].clone(),
        PropertyKind::Text | PropertyKind::Page => scalar(&value.values[0], false, false),
        PropertyKind::Empty | PropertyKind::Other => String::new(),
    }
}

/// Returns a text in the quotes that it had; `None` if it had none, or can't have them.
fn in_style(text: &str, style: ScalarStyle) -> Option<String> {
    match style {
        ScalarStyle::DoubleQuoted => Some(scalar(text, false, true)),
        ScalarStyle::SingleQuoted => {
            (!text.contains(char::is_control)).then(|| format!("'{}'", text.replace('\'', "''")))
        }
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => None,
    }
}

/// Returns a text as YAML that means this text and nothing else.
fn scalar(text: &str, in_brackets: bool, quoted: bool) -> String {
    if !quoted && is_plain(text, in_brackets) {
        return text.to_owned();
    }
    let mut written = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            // Line breaks of YAML, and what can't be seen.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                written.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            c => written.push(c),
        }
    }
    written.push('"');
    written
}

/// Returns true if a text means itself without quotes. Words that older versions of YAML read as true or false are
/// quoted, too.
fn is_plain(text: &str, in_brackets: bool) -> bool {
    const INDICATORS: &[char] = &[
        '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@',
        '`', '=', '<', '.', '~',
    ];
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "yes" | "no" | "on" | "off" | "y" | "n" | "true" | "false" | "null"
    );
    let is_unsafe = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
            || (in_brackets && matches!(c, ',' | '[' | ']' | '{' | '}'))
    };
    !is_null(text)
        && !is_word
        && !text.starts_with(|c: char| {
            INDICATORS.contains(&c)
                || c == '+'
                || c.is_ascii_digit() && !is_date(text) && !is_wordy(text)
        })
        && text.trim() == text
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.contains(is_unsafe)
}

/// Returns true if a text that begins with a digit can't be a number of any kind.
fn is_wordy(text: &str) -> bool {
    text.contains([' ', '/']) || !text.is_ascii()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
