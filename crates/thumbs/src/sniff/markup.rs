//! Whether a text is a drawing in SVG: its first element says so.

use std::ops::ControlFlow;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether the first element of the text that begins with `head` is `svg`, with or without a prefix.
/// Encodings that are no superset of ASCII are not read.
pub(super) fn is_svg(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        match past_prologue(rest) {
            ControlFlow::Continue(Some(behind)) => rest = behind,
            ControlFlow::Continue(None) => return false,
            ControlFlow::Break(()) => return begins_with_svg(rest),
        }
    }
}

/// What is behind one piece of the prologue: a declaration, an instruction, a comment or the type of
/// the document. `None` if it has no end in sight; a break if there is no such piece.
fn past_prologue(text: &[u8]) -> ControlFlow<(), Option<&[u8]>> {
    ControlFlow::Continue(if text.starts_with(b"<!--") {
        behind(text, b"-->")
    } else if text.starts_with(b"<?") {
        behind(text, b"?>")
    } else if text.starts_with(b"<!DOCTYPE") {
        past_document_type(text)
    } else {
        return ControlFlow::Break(());
    })
}

fn behind<'a>(text: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(end.len()).position(|window| window == end)?;
    text.get(at + end.len()..)
}

/// Editors declare names for their own parts in brackets, in which there are elements as well.
fn past_document_type(text: &[u8]) -> Option<&[u8]> {
    let first = text.iter().position(|&byte| matches!(byte, b'[' | b'>'))?;
    if text[first] == b'[' {
        behind(&text[first..], b"]").and_then(|rest| behind(rest, b">"))
    } else {
        text.get(first + 1..)
    }
}

fn begins_with_svg(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"<") else {
        return false;
    };
    let length = name
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    let Some(name) = length.map(|length| &name[..length]) else {
        return false;
    };
    match name.split_last_chunk::<4>() {
        Some((prefix, b":svg")) => {
            !prefix.is_empty() && prefix.iter().all(|byte| byte.is_ascii_alphanumeric())
        }
        Some(_) | None => name == b"svg",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_svg(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn the_first_element_decides() {
        check("<svg xmlns='http://www.w3.org/2000/svg'/>", true);
        check("<svg/>", true);
        check("\u{feff}\n  <svg>", true);
        check(
            "<?xml version='1.0'?>\n<!-- <html> -->\n<svg\twidth='1'>",
            true,
        );
        check(
            "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd'><svg>",
            true,
        );
        check("<!DOCTYPE svg [ <!ENTITY a 'b'> ]><svg>", true);
        check("<ns0:svg xmlns:ns0='http://www.w3.org/2000/svg'>", true);
    }

    #[test]
    fn other_texts_are_no_drawings() {
        check("", false);
        check("a <svg>", false);
        check("<svg", false);
        check("<svgs>", false);
        check("<:svg>", false);
        check("<html><svg/></html>", false);
        check("<!doctype html><svg/>", false);
        check("<!-- <svg/>", false);
        check("<!DOCTYPE svg [ <svg/>", false);
    }
}
