//! The tags that a query names, and their renaming.

use std::ops::Range;

use fumikura_folding::fold;

use super::parse::{TagPart, tag_parts};

/// Returns true if a query names a tag, or one below it. The levels of a tag are separated by `/`.
#[must_use]
pub fn names_tag(query: &str, tag: &str) -> bool {
    let parts = tag_parts(query);
    parts.iter().any(|part| below(part.value, tag).is_some())
}

/// Returns a query in which a tag, and those below it, are replaced by another tag; `None` if it names none of them, or
/// can't name the other one.
#[must_use]
pub fn rename_tag(query: &str, from: &str, to: &str) -> Option<String> {
    let mut renamed = String::with_capacity(query.len());
    let mut done = 0;
    for part in tag_parts(query) {
        let Some(below) = below(part.value, from) else {
            continue;
        };
        let tag = match part.value.get(below).filter(|rest| !rest.is_empty()) {
            Some(rest) => format!("{to}/{rest}"),
            None => to.to_owned(),
        };
        renamed.push_str(&query[done..part.place.start]);
        renamed.push_str(&written(&tag, &part)?);
        done = part.place.end;
    }
    renamed.push_str(&query[done..]);
    (done > 0).then_some(renamed)
}

/// Returns the part of a value that is below a tag; `None` if the value is another tag.
fn below(value: &str, tag: &str) -> Option<Range<usize>> {
    let is_slash = |c: char| matches!(c, '/' | '／');
    let start = value.trim_start_matches(['#', '＃']);
    let start = start.trim_start_matches(is_slash);
    let end = value.trim_end_matches(is_slash).len();
    let mut at = value.len() - start.len();
    for level in tag.split('/') {
        let rest = value.get(at..end).filter(|rest| !rest.is_empty())?;
        let length = rest.find(is_slash).unwrap_or(rest.len());
        if fold(&rest[..length]) != fold(level) {
            return None;
        }
        let slash = rest[length..].chars().next().map_or(0, char::len_utf8);
        at += length + slash;
    }
    Some(at..end.max(at))
}

/// Returns a tag as a value, in quotes if it needs them; `None` if it contains them.
fn written(tag: &str, part: &TagPart<'_>) -> Option<String> {
    if tag.contains(['"', '＂', '”', '」', '』', '｣']) {
        return None;
    }
    let needs_quotes =
        tag.contains(char::is_whitespace) || tag.starts_with(['“', '„', '「', '『', '｢']);
    Some(match needs_quotes && !part.quoted {
        true => format!("\"{tag}\""),
        false => tag.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: Option<&str>) {
        let renamed = rename_tag(query, "Places/Norway", "Lands/New Norway");
        assert_eq!(renamed.as_deref(), expected, "{query:?}");
        let names = names_tag(query, "Places/Norway");
        assert_eq!(names, expected.is_some(), "{query:?}");
    }

    #[test]
    fn tags_of_a_query_are_renamed() {
        check("tag:places/norway", Some("tag:\"Lands/New Norway\""));
        check(
            "sea -tag:\"Places/Norway/Oslo\" OR Ｔａｇ：＃places／norway type:raw",
            Some("sea -tag:\"Lands/New Norway/Oslo\" OR Ｔａｇ：\"Lands/New Norway\" type:raw"),
        );
        check("tag:「places/norway/」", Some("tag:「Lands/New Norway」"));
        check("tag:Norway tag:places tag:places/norwayish", None);
        check("Places/Norway title:Places/Norway", None);
        check("", None);
    }

    #[test]
    fn tags_with_quotes_are_not_written() {
        assert_eq!(rename_tag("tag:a", "a", "12\" vinyl"), None);
        assert_eq!(rename_tag("tag:a", "a", "b").as_deref(), Some("tag:b"));
    }
}
