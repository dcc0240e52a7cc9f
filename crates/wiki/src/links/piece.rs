//! Finding the bytes of a destination that the parser has told of, and making sure of them.

use std::ops::Range;

use super::bounds;
use super::scan::{Form, Written};
use super::unescape::Unescape;

/// The destination of `[text](destination "title")` or of such a picture: `place` goes from the end of the
/// text to the end of the whole.
pub(super) fn behind_text(
    text: &str,
    place: Range<usize>,
    destination: &str,
    in_table: bool,
    unescape: &mut Unescape,
) -> Option<Written> {
    let gap = text.get(place.clone())?;
    // The text may end with the end of a line, whose next one may begin with the marks of a quotation.
    let bracket = gap.find(|c: char| !matches!(c, ' ' | '\t' | '\r' | '\n' | '>'))?;
    if !gap[bracket..].starts_with("](") {
        return None;
    }
    let from = place.start + bracket + 2;
    find(text, from..place.end, destination, in_table, unescape)
}

/// The destination of `[label]: destination "title"`.
pub(super) fn of_definition(
    text: &str,
    span: Range<usize>,
    destination: &str,
    unescape: &mut Unescape,
) -> Option<Written> {
    let bytes = text.as_bytes();
    if bytes.get(span.start) != Some(&b'[') {
        return None;
    }
    let mut at = span.start + 1;
    while *bytes.get(at)? != b']' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    if bytes.get(at + 1) != Some(&b':') {
        return None;
    }
    find(text, at + 2..span.end, destination, false, unescape)
}

/// The first destination in `place`, if it says what it should.
fn find(
    text: &str,
    place: Range<usize>,
    destination: &str,
    in_table: bool,
    unescape: &mut Unescape,
) -> Option<Written> {
    let part = text.get(place.clone())?;
    let blank = part.len() - part.trim_start_matches([' ', '\t', '\r', '\n']).len();
    // On a new line the marks of quotations come first, unless they are the destination's own.
    let quoted = if part[..blank].contains(['\r', '\n']) {
        part.len() - part.trim_start_matches([' ', '\t', '\r', '\n', '>']).len()
    } else {
        blank
    };
    let mut starts = vec![blank];
    if quoted != blank {
        starts.push(quoted);
    }
    starts.into_iter().find_map(|start| {
        let (form, range) = outline(part, start)?;
        let said = unescape.read(&part[range.clone()], in_table);
        (said.destination == destination).then(|| Written {
            tail: place.start + range.start + said.tail,
            range: place.start + range.start..place.start + range.end,
            form,
            destination: said.destination,
        })
    })
}

/// Where the destination that begins at `start` ends. Behind `>` only a blank may follow, or the end.
fn outline(part: &str, start: usize) -> Option<(Form, Range<usize>)> {
    let bytes = part.as_bytes();
    if bytes.get(start) != Some(&b'<') {
        return Some((Form::Plain, start..bounds::plain_end(bytes, start)?));
    }
    let end = bounds::angle_end(bytes, start)?;
    let follows = bytes.get(end);
    let stands_apart = matches!(follows, None | Some(b' ' | b'\t' | b'\r' | b'\n' | b')'));
    stands_apart.then_some((Form::Angle, start + 1..end - 1))
}
