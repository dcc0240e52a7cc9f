//! Targets of links between notes, until the paths of the pages are known.
//!
//! A converter writes the target of a link or an embedded file by [`to`] or [`to_new`]: in parentheses
//! `[text](TARGET)`, `![alt|300](TARGET)`, or in brackets `[[TARGET|text]]`, `![[TARGET]]`. [`mend`] replaces each by
//! what it means in the wiki.

use std::borrow::Cow;
use std::fmt::Write as _;

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode, utf8_percent_encode,
};

/// Starts the target of a link to an item of the source.
const TO: &str = "fumikura-import:";
/// Starts the target of a link to a note that the source has not.
const TO_NEW: &str = "fumikura-import-new:";

const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// Returns the target of a link to the note or file with this origin, and to a heading or `^block` in it.
#[must_use]
pub fn to(origin: &str, fragment: Option<&str>) -> String {
    target(TO, origin, fragment)
}

/// Returns the target of a link to a note that is not there yet, by the place that it would have.
#[must_use]
pub fn to_new(place: &[String], fragment: Option<&str>) -> String {
    target(TO_NEW, &place.join("/"), fragment)
}

fn target(scheme: &str, of: &str, fragment: Option<&str>) -> String {
    let mut target = format!("{scheme}{}", utf8_percent_encode(of, ENCODED));
    if let Some(fragment) = fragment {
        let fragment = utf8_percent_encode(fragment, ENCODED);
        write!(target, "#{fragment}").expect("BUG: a string can be written to");
    }
    target
}

/// The item that a target names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target<'t> {
    /// The origin of a note or file.
    To(Cow<'t, str>),
    /// The place of a note that the source has not, joined by `/`.
    New(Cow<'t, str>),
}

/// The meaning of a target in the wiki.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A page's path.
    Page(String),
    /// A file, as `asset:NAME` or `asset:/path/NAME`.
    File(String),
}

/// Returns the targets of a text.
pub fn targets(text: &str) -> impl Iterator<Item = Target<'_>> {
    found(text).map(|found| found.target)
}

struct Found<'t> {
    /// The bytes of the target in the text.
    start: usize,
    end: usize,
    target: Target<'t>,
    fragment: Option<Cow<'t, str>>,
}

/// Finds targets from left to right.
fn found(text: &str) -> impl Iterator<Item = Found<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find("fumikura-import")?;
        let rest = &text[start..];
        let Some((is_new, scheme)) = [(false, TO), (true, TO_NEW)]
            .into_iter()
            .find(|(_, scheme)| rest.starts_with(scheme))
        else {
            at = start + 1;
            return Some(None);
        };
        let of = encoded(&rest[scheme.len()..]);
        let mut end = start + scheme.len() + of.len();
        let mut fragment = None;
        if let Some(after) = text[end..].strip_prefix('#') {
            let encoded = encoded(after);
            end += 1 + encoded.len();
            fragment = Some(decoded(encoded));
        }
        at = end;
        let target = if is_new {
            Target::New(decoded(of))
        } else {
            Target::To(decoded(of))
        };
        Some(Some(Found {
            start,
            end,
            target,
            fragment,
        }))
    })
    .flatten()
}

fn encoded(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._%".contains(c);
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    &text[..end]
}

fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// Replaces the targets of a text by their meanings. A target without a meaning stays.
#[must_use]
pub fn mend(text: &str, meaning: &mut dyn FnMut(&Target<'_>) -> Option<Meaning>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for found in found(text) {
        let Some(means) = meaning(&found.target) else {
            continue;
        };
        out.push_str(&text[copied..found.start]);
        copied = found.end;
        let (path, is_file) = match means {
            Meaning::Page(path) => (path, false),
            Meaning::File(path) => (path, true),
        };
        let fragment = found.fragment.as_deref().filter(|_| !is_file);
        if out.ends_with("[[") {
            // `^` in a path starts a block id.
            out.push_str(&in_brackets(&path).replace('^', "%5E"));
            if let Some(fragment) = fragment {
                out.push('#');
                out.push_str(&in_brackets(fragment));
            }
            continue;
        }
        let destination = destination(&path, fragment);
        // In `<…>`, a target is written like any other.
        out.push_str(if out.ends_with('<') {
            destination.trim_start_matches('<').trim_end_matches('>')
        } else {
            &destination
        });
    }
    out.push_str(&text[copied..]);
    out
}

/// Writes a path or heading as `[[…]]` names it, also in a quoted value of YAML.
fn in_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c.is_ascii_control() || "%?#\\`<>[]|$\"".contains(c) {
            let misread = &text.as_bytes()[at..=at];
            out.extend(percent_encode(misread, NON_ALPHANUMERIC));
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes the destination of a link of Markdown.
fn destination(path: &str, fragment: Option<&str>) -> String {
    let mut whole = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '%' => whole.push_str("%25"),
            '#' => whole.push_str("%23"),
            '?' => whole.push_str("%3F"),
            c => whole.push(c),
        }
    }
    if let Some(fragment) = fragment {
        whole.push('#');
        whole.push_str(fragment);
    }
    let is_simple = !whole.contains(|c: char| c.is_whitespace() || "()<>\\\"'*_`[]".contains(c));
    if is_simple {
        return whole;
    }
    let mut out = String::from("<");
    for c in whole.chars() {
        if matches!(c, '<' | '>' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('>');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mended = mend(text, &mut |target| match target {
            Target::To(origin) if origin.ends_with(".md") => Some(Meaning::Page(format!(
                "/in/{}",
                origin.trim_end_matches(".md")
            ))),
            Target::To(origin) if origin.ends_with(".png") => {
                Some(Meaning::File(format!("asset:{origin}")))
            }
            Target::To(_) => None,
            Target::New(place) => Some(Meaning::Page(format!("/in/{place}"))),
        });
        assert_eq!(mended, expected);
    }

    #[test]
    fn targets_are_replaced_where_they_are() {
        let note = to("a/京 都.md", Some("見出し 1"));
        check(&format!("[x]({note})."), "[x](</in/a/京 都#見出し 1>).");
        check(&format!("[x](<{note}>)"), "[x](</in/a/京 都#見出し 1>)");
        check(&format!("[[{note}|x]]"), "[[/in/a/京 都#見出し 1|x]]");
        check(&format!("![[{note}]]"), "![[/in/a/京 都#見出し 1]]");
        let plain = to("a.md", None);
        check(&format!("[x]({plain} \"t\")"), "[x](/in/a \"t\")");
        let picture = to("p 1.png", None);
        check(&format!("![|300]({picture})"), "![|300](<asset:p 1.png>)");
        let new = to_new(&["b".to_owned(), "c".to_owned()], None);
        check(&format!("[[{new}]]"), "[[/in/b/c]]");
    }

    #[test]
    fn paths_in_brackets_are_encoded() {
        let note = to("京 [1].md", Some("a|b"));
        check(&format!("[[{note}|x]]"), "[[/in/京 %5B1%5D#a%7Cb|x]]");
        check(&format!("![[{note}]]"), "![[/in/京 %5B1%5D#a%7Cb]]");
        let quoted = to("\"a\".md", None);
        check(&format!("k: \"[[{quoted}]]\""), "k: \"[[/in/%22a%22]]\"");
    }

    #[test]
    fn other_text_stays() {
        let text = "fumikura-import fumikura-import:unknown [[x";
        check(text, text);
        check("", "");
    }
}
