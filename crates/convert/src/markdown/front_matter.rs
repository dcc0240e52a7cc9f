//! The front matter of a note: YAML, or TOML, which becomes YAML.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use saphyr_parser::{Event, Parser};

const CREATED: [&str; 8] = [
    "created",
    "date",
    "created_at",
    "creation date",
    "date created",
    "datecreated",
    "created-at",
    "createdat",
];
const CHANGED: [&str; 10] = [
    "updated",
    "modified",
    "lastmod",
    "last_modified_at",
    "updated_at",
    "date modified",
    "last modified",
    "updated-at",
    "changed",
    "datemodified",
];

/// The fields of a note.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    yaml: String,
    /// The top-level fields with their scalars, in the order of the text.
    fields: Vec<(String, Vec<String>)>,
    fault: Option<String>,
}

impl FrontMatter {
    /// Splits a text into front matter and body.
    pub(super) fn split(text: &str) -> (Self, &str) {
        for (fence, is_toml) in [("---", false), ("+++", true)] {
            if let Some((inner, body)) = fenced(text, fence) {
                let front = if is_toml {
                    Self::of_toml(inner)
                } else {
                    Self::of_yaml(inner.to_owned())
                };
                return (front, body);
            }
        }
        (Self::default(), text)
    }

    fn of_yaml(yaml: String) -> Self {
        match fields(&yaml) {
            Ok(fields) => Self {
                yaml,
                fields,
                fault: None,
            },
            Err(fault) => Self {
                yaml,
                fields: Vec::new(),
                fault: Some(fault),
            },
        }
    }

    fn of_toml(toml: &str) -> Self {
        match toml.parse::<toml_edit::DocumentMut>() {
            Ok(document) => {
                let mut yaml = String::new();
                for (name, item) in document.iter() {
                    if let Some(value) = toml_value(item) {
                        yaml.push_str(&format!("{}: {value}\n", quoted(name)));
                    }
                }
                Self::of_yaml(yaml)
            }
            Err(error) => Self {
                yaml: String::new(),
                fields: Vec::new(),
                fault: Some(error.message().to_owned()),
            },
        }
    }

    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Returns the YAML, whose lines all end; empty if there is none.
    pub(super) fn yaml(&self) -> String {
        match self.yaml.as_str() {
            "" => String::new(),
            yaml if yaml.ends_with('\n') => yaml.to_owned(),
            yaml => format!("{yaml}\n"),
        }
    }

    /// Adds a field with text.
    pub(super) fn add(&mut self, name: &str, values: &[String]) {
        let mut yaml = self.yaml();
        yaml.push_str(&match values {
            [value] if name != "tags" => format!("{}: {}\n", quoted(name), quoted(value)),
            values => {
                let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
                format!("{}: [{}]\n", quoted(name), values.join(", "))
            }
        });
        self.yaml = yaml;
        self.fields.push((name.to_owned(), values.to_vec()));
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }

    /// Returns the first text of a field.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let field = self
            .fields
            .iter()
            .find(|(field, _)| field.eq_ignore_ascii_case(name));
        field?
            .1
            .first()
            .map(String::as_str)
            .filter(|text| !text.trim().is_empty())
    }

    pub(super) fn aliases(&self) -> Vec<String> {
        let is_alias = |name: &str| matches!(name.to_lowercase().as_str(), "aliases" | "alias");
        let fields = self.fields.iter().filter(|(name, _)| is_alias(name));
        let values = fields.flat_map(|(_, values)| match values.as_slice() {
            [one] => one
                .split(',')
                .map(|alias| alias.trim().to_owned())
                .collect(),
            many => many.to_vec(),
        });
        values.filter(|alias| !alias.is_empty()).collect()
    }

    pub(super) fn created(&self) -> Option<Timestamp> {
        self.time(&CREATED)
    }

    pub(super) fn changed(&self) -> Option<Timestamp> {
        self.time(&CHANGED)
    }

    fn time(&self, names: &[&str]) -> Option<Timestamp> {
        names.iter().find_map(|name| time(self.text(name)?))
    }
}

/// Returns the front matter between fences at the start of a text, and the rest.
fn fenced<'t>(text: &'t str, fence: &str) -> Option<(&'t str, &'t str)> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != fence {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == fence {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// Reads the scalars of the top-level fields.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the other events of the parser have no fields"
)]
fn fields(yaml: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut fields: Vec<(String, Vec<String>)> = Vec::new();
    let (mut depth, mut name) = (0_usize, None);
    let mut is_mapping = false;
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                is_mapping |= depth == 0 && matches!(event, Event::MappingStart(..));
                depth += 1;
                // A nested value has no text of its own.
                if depth == 2
                    && let Some(name) = name.take()
                {
                    fields.push((name, Vec::new()));
                }
            }
            Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
            Event::Scalar(text, ..) if depth == 1 => match name.take() {
                None => name = Some(text.into_owned()),
                Some(name) => fields.push((name, vec![text.into_owned()])),
            },
            Event::Scalar(text, ..) if depth == 2 => {
                if let Some((_, values)) = fields.last_mut() {
                    values.push(text.into_owned());
                }
            }
            Event::Alias(_) if depth == 1 => drop(name.take()),
            _ => {}
        }
    }
    if !is_mapping && !yaml.trim().is_empty() {
        return Err("it has no named fields".to_owned());
    }
    Ok(fields)
}

/// Parses a time: RFC 3339, a date with or without a time (in UTC), or milliseconds.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() >= 12 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Timestamp::from_millisecond(text.parse().ok()?).ok();
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let utc = |at: DateTime| at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
    if let Ok(at) = text.parse::<DateTime>() {
        return utc(at);
    }
    for format in [
        "%Y-%m-%d %H:%M:%S %z",
        "%Y-%m-%dT%H:%M:%S%z",
        "%Y-%m-%d %H:%M %z",
    ] {
        if let Ok(at) = Timestamp::strptime(format, text) {
            return Some(at);
        }
    }
    for format in ["%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M"] {
        if let Ok(at) = DateTime::strptime(format, text) {
            return utc(at);
        }
    }
    let day = text
        .parse::<Date>()
        .or_else(|_| Date::strptime("%Y/%m/%d", text))
        .ok()?;
    utc(day.at(0, 0, 0, 0))
}

fn toml_value(item: &toml_edit::Item) -> Option<String> {
    if let Some(value) = item.as_value() {
        return Some(toml_scalar(value));
    }
    let table = item.as_table()?;
    let fields = table
        .iter()
        .filter_map(|(name, item)| Some(format!("{}: {}", quoted(name), toml_value(item)?)));
    let fields: Vec<String> = fields.collect();
    Some(format!("{{{}}}", fields.join(", ")))
}

fn toml_scalar(value: &toml_edit::Value) -> String {
    match value {
        toml_edit::Value::String(text) => quoted(text.value()),
        toml_edit::Value::Integer(number) => number.value().to_string(),
        toml_edit::Value::Float(number) => number.value().to_string(),
        toml_edit::Value::Boolean(is) => is.value().to_string(),
        toml_edit::Value::Datetime(at) => at.value().to_string(),
        toml_edit::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(toml_scalar).collect();
            format!("[{}]", items.join(", "))
        }
        toml_edit::Value::InlineTable(table) => {
            let fields = table
                .iter()
                .map(|(name, value)| format!("{}: {}", quoted(name), toml_scalar(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Writes a scalar of YAML, plain if it can be.
pub(super) fn quoted(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_-/ ".contains(c);
    let is_plain = text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(is_word)
        && !text.ends_with(' ')
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if is_plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
