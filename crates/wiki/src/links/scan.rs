//! A scan for the destinations of all links in a text.

use crate::markdown::destinations;
pub(crate) use crate::markdown::{Destination, Form, Quotes};
use crate::properties;

/// Returns the destinations of the text's links, in the order of the text: those in its properties, then those that
/// are rendered.
pub(crate) fn scan(text: &str) -> Vec<Destination> {
    if openings(text).next().is_none() {
        return Vec::new();
    }
    let mut all = properties::links(text);
    all.append(&mut destinations(text));
    all
}

/// The positions of `](`, `]:`, `[[` and `<`. Every link has one of these.
pub(super) fn openings(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'[', b']', b'<', bytes).filter(move |at| {
        let next = bytes.get(at + 1);
        match bytes[*at] {
            b'[' => next == Some(&b'['),
            b']' => matches!(next, Some(b'(' | b':')),
            _ => true,
        }
    })
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
