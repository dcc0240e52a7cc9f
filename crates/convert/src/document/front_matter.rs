//! The front matter of a converted note.

use std::fmt::Write;

/// Properties of a note, in the order of the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrontMatter {
    fields: Vec<(String, Value)>,
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    /// A number, a date or a check box, which YAML reads without quotes.
    Plain(String),
    List(Vec<String>),
}

impl FrontMatter {
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.add(name, Value::Text(value.to_owned()));
        }
    }

    pub(crate) fn plain(&mut self, name: &str, value: impl ToString) {
        self.add(name, Value::Plain(value.to_string()));
    }

    /// Adds a value as a number, a day or a check box, if it is written as one.
    pub(crate) fn scalar(&mut self, name: &str, value: &str) {
        let value = value.trim();
        let is_date = value.len() == 10 && value.parse::<jiff::civil::Date>().is_ok();
        if is_number(value) || is_date || matches!(value, "true" | "false") {
            self.plain(name, value);
        } else {
            self.text(name, value);
        }
    }

    /// Adds a list, without empty and repeated entries.
    pub(crate) fn list(&mut self, name: &str, entries: impl IntoIterator<Item = String>) {
        let mut list: Vec<String> = Vec::new();
        for entry in entries {
            let entry = entry.trim();
            if !entry.is_empty() && !list.iter().any(|other| other == entry) {
                list.push(entry.to_owned());
            }
        }
        if !list.is_empty() {
            self.add(name, Value::List(list));
        }
    }

    /// Adds a field whose name is not taken: front matter with two fields of one name is not read.
    fn add(&mut self, name: &str, value: Value) {
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() {
            "property".to_owned()
        } else {
            name
        };
        let mut unique = name.clone();
        let mut number = 2;
        while self.fields.iter().any(|(taken, _)| *taken == unique) {
            unique = format!("{name} {number}");
            number += 1;
        }
        self.fields.push((unique, value));
    }

    /// Returns the lines from `---` to `---`, or nothing without a field.
    pub(crate) fn write(&self) -> String {
        if self.fields.is_empty() {
            return String::new();
        }
        let mut out = "---\n".to_owned();
        for (name, value) in &self.fields {
            let name = if is_plain(name) {
                name.clone()
            } else {
                quote(name)
            };
            let written = match value {
                Value::Text(text) if is_plain(text) => writeln!(out, "{name}: {text}"),
                Value::Text(text) => writeln!(out, "{name}: {}", quote(text)),
                Value::Plain(text) => writeln!(out, "{name}: {text}"),
                Value::List(entries) => {
                    out.push_str(&name);
                    out.push_str(":\n");
                    for entry in entries {
                        out.push_str("  - ");
                        out.push_str(&if is_plain(entry) {
                            entry.clone()
                        } else {
                            quote(entry)
                        });
                        out.push('\n');
                    }
                    Ok(())
                }
            };
            written.expect("BUG: writing to a string failed");
        }
        out.push_str("---\n\n");
        out
    }
}

/// Returns true for a plain decimal number.
pub(crate) fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| {
        !part.is_empty() && part.len() < 16 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    is_digits(whole) && is_digits(fraction) && (whole.len() == 1 || !whole.starts_with('0'))
}

/// Returns true if YAML reads a text as itself: letters first, and nothing that is syntax or another type.
fn is_plain(text: &str) -> bool {
    let words = [
        "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf",
    ];
    text.starts_with(char::is_alphabetic)
        && !text.ends_with(' ')
        && text
            .chars()
            .all(|char| char.is_alphanumeric() || " _-./".contains(char))
        && !words.contains(&text.to_ascii_lowercase().as_str())
}

/// Returns a text in double quotes. JSON is a part of YAML.
fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("BUG: a text is always JSON")
}
