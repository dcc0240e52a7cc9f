//! The links to pages in the values of properties.

use std::ops::Range;

use saphyr_parser::ScalarStyle;

use super::yaml;
use crate::markdown::{Destination, Form, Quotes, Unescape, front_matter_ranges, wiki_link};

/// Returns the destinations of `[[/path]]` in the values of a text's properties, in the order of the text.
pub(crate) fn links(text: &str) -> Vec<Destination> {
    let Some((_, inner)) = front_matter_ranges(text) else {
        return Vec::new();
    };
    let yaml = &text[inner.clone()];
    if !yaml.contains("[[") {
        return Vec::new();
    }
    let mut unescape = Unescape::default();
    let mut links = Vec::new();
    for (place, style) in yaml::texts(yaml) {
        let written = &yaml[place.clone()];
        let quotes = match style {
            ScalarStyle::Plain => Quotes::None,
            ScalarStyle::SingleQuoted => Quotes::Single,
            ScalarStyle::DoubleQuoted => Quotes::Double,
            ScalarStyle::Literal | ScalarStyle::Folded => Quotes::Block,
        };
        let mut at = 0;
        while let Some(start) = written[at..].find("[[").map(|found| at + found) {
            let found = wiki_link(written, start);
            at = found.as_ref().map_or(start + 1, |(_, end)| *end);
            links.extend(found.and_then(|(target, _)| {
                let range = inner.start + place.start + target.start;
                let range = range..range + target.len();
                destination(text, range, quotes, &mut unescape)
            }));
        }
    }
    links
}

/// Reads a destination; `None` if it has an escape of YAML for anything but a character.
fn destination(
    text: &str,
    range: Range<usize>,
    quotes: Quotes,
    unescape: &mut Unescape,
) -> Option<Destination> {
    let characters = characters(&text[range.clone()], quotes)?;
    let meant: String = characters.iter().map(|(_, character)| character).collect();
    if meant.contains(['\n', '\r']) {
        return None;
    }
    let form = Form::Property(quotes);
    let value = unescape.read(&meant, form);
    let before = meant[..value.tail].chars().count();
    let tail = characters
        .get(before)
        .map_or(range.end, |(at, _)| range.start + at);
    Some(Destination {
        range,
        tail,
        form,
        value: value.text,
    })
}

/// Returns the characters that a part of a text of YAML means, each with its place.
fn characters(written: &str, quotes: Quotes) -> Option<Vec<(usize, char)>> {
    let mut characters = Vec::with_capacity(written.len());
    let mut rest = written.char_indices();
    while let Some((at, character)) = rest.next() {
        let meant = match (quotes, character) {
            (Quotes::Single, '\'') => rest.next().map(|(_, quote)| quote)?,
            (Quotes::Double, '\\') => match rest.next()?.1 {
                plain @ ('"' | '\\' | '/' | ' ') => plain,
                'x' => code(&mut rest, 2)?,
                'u' => code(&mut rest, 4)?,
                'U' => code(&mut rest, 8)?,
                _ => return None,
            },
            _ => character,
        };
        characters.push((at, meant));
    }
    Some(characters)
}

/// Reads the code of a character.
fn code(rest: &mut std::str::CharIndices<'_>, digits: usize) -> Option<char> {
    let written = rest.as_str().get(..digits)?;
    let code = u32::from_str_radix(written, 16).ok()?;
    rest.nth(digits - 1);
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the links of properties: a text marks each with `«»`, and what follows its path with `¦`.
    #[track_caller]
    fn check(yaml: &str, values: &[&str]) {
        let text: String = format!("---\n{yaml}\n---\n").replace(['«', '»', '¦'], "");
        let found = links(&text);
        let mut marked = text.clone();
        for link in found.iter().rev() {
            marked.insert(link.range.end, '»');
            if link.tail < link.range.end {
                marked.insert(link.tail, '¦');
            }
            marked.insert(link.range.start, '«');
        }
        assert_eq!(marked, format!("---\n{yaml}\n---\n"));
        let found: Vec<&str> = found.iter().map(|link| link.value.as_str()).collect();
        assert_eq!(found, values);
    }

    #[test]
    fn values_of_every_style_have_links() {
        check("a: \"[[«/b»]]\"", &["/b"]);
        check("a: '[[ «/b c» |d]] [[«/e»]]' # [[/f]]", &["/b c", "/e"]);
        check("a: see [[«/b»]] # [[/c]]", &["/b"]);
        check("a: |- # [[/b]]\n  [[«/c»]]\n  x\n# [[/d]]\ne: f", &["/c"]);
        check("a: >\r\n  x [[«/c»]]\r\n", &["/c"]);
        check(
            "a: [\"[[«/b»]]\", '[[«/c»]]']\nd:\n  - \"[[«/e»]]\"",
            &["/b", "/c", "/e"],
        );
        check("京都: &x\n  - 京: '[[«/旅»]]'\nb: *x", &["/旅"]);
        check("a: \"[[«page:X¦#b»]] [[«/c¦?d»]]\"", &["page:X#b", "/c?d"]);
        check("a: '[[[«/b¦^c»]]'", &["/b#^c"]);
    }

    #[test]
    fn escapes_are_resolved() {
        check("a: '[[«/it''s¦#b»]]'", &["/it's#b"]);
        check(r#"a: "[[«/\"b\"\u65c5\\¦\x23c»]]""#, &["/\"b\"旅\\#c"]);
        check(
            r#"a: "[[/b\n]] [[/c\
 d]]""#,
            &[],
        );
    }

    #[test]
    fn names_brackets_and_faults_have_none() {
        check("\"[[/a]]\": b\n? '[[/c]]'\n: '[[«/d»]]'", &["/d"]);
        check("a: [[/b]]\nc: '[[d]] [[]] [/e]'", &[]);
        check("a: '[[/b]]", &[]);
        check("[[/a]]", &[]);
    }
}
