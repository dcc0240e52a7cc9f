//! `[[/path]]` and `[[/path|text]]`, as `ui/src/markdown/rules/wiki-links.ts` reads them.

use std::ops::Range;

use memchr::memmem;

use super::bounds::is_escaped;
use super::scan::{Form, Written};

/// Something of this shape. It is a link unless it stands in code or the like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WikiLink {
    /// With the brackets.
    pub(super) whole: Range<usize>,
}

/// All that have the shape of a link to a page, ascending: two brackets, no bracket and no end of line
/// in between, and first a path or an id.
pub(super) fn candidates(text: &str) -> Vec<WikiLink> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let opening = memmem::Finder::new(b"[[");
    let mut from = 0;
    while let Some(open) = opening.find(&bytes[from..]).map(|at| from + at) {
        let inner = open + 2;
        let end = bytes[inner..]
            .iter()
            .position(|byte| matches!(byte, b'[' | b']' | b'\n' | b'\r'))
            .map_or(bytes.len(), |length| inner + length);
        from = end.max(open + 1);
        if bytes.get(end) == Some(&b'[') {
            // Of three brackets the last two may be the ones.
            from = if end == inner { open + 1 } else { end };
        } else if bytes[end..].starts_with(b"]]")
            && leads_to_a_page(&text[inner..end])
            && !is_escaped(bytes, open)
        {
            found.push(WikiLink {
                whole: open..end + 2,
            });
            from = end + 2;
        }
    }
    found
}

impl WikiLink {
    /// Its destination.
    pub(super) fn written(&self, text: &str) -> Written {
        let inner = &text[self.whole.start + 2..self.whole.end - 2];
        // In a table the bar has to be written `\|`; it means the same elsewhere.
        let target = inner.split_once('|').map_or(inner, |(target, _)| {
            target.strip_suffix('\\').unwrap_or(target)
        });
        let trimmed = trim(target);
        let blanks = target.len() - target.trim_start_matches(is_blank).len();
        let start = self.whole.start + 2 + blanks;
        let range = start..start + trimmed.len();
        let tail = trimmed.find(['?', '#']).map_or(range.end, |at| start + at);
        Written {
            destination: trimmed.to_owned(),
            form: Form::Wiki,
            range,
            tail,
        }
    }
}

fn leads_to_a_page(inner: &str) -> bool {
    let target = trim(inner.split('|').next().unwrap_or(inner));
    target.starts_with('/')
        || target
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("page:"))
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// What JavaScript's `trim` takes away.
pub(super) fn is_blank(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{FEFF}'
}
