//! Detection of SVG drawings by the first element of a text.

use std::io::Read;
use std::ops::ControlFlow;

use flate2::read::MultiGzDecoder;

use super::SNIFFED;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns true if the first element of the text that begins with `head` is `svg`, with or without a prefix. The text is
/// in a superset of ASCII, or in UTF-16.
pub(crate) fn is_svg(head: &[u8]) -> bool {
    match head {
        [0xFF, 0xFE, rest @ ..] => is_svg_in_ascii(&narrow_utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => is_svg_in_ascii(&narrow_utf16(rest, u16::from_be_bytes)),
        [b'<', 0, ..] => is_svg_in_ascii(&narrow_utf16(head, u16::from_le_bytes)),
        [0, b'<', ..] => is_svg_in_ascii(&narrow_utf16(head, u16::from_be_bytes)),
        _ => is_svg_in_ascii(head),
    }
}

/// Returns the same for a text compressed with gzip. Only the examined part is decompressed.
pub(crate) fn is_packed_svg(head: &[u8]) -> bool {
    let mut text = Vec::new();
    let mut unpacked = MultiGzDecoder::new(head).take(SNIFFED as u64);
    // The head may end within the compressed text. That is an error, but the text before it counts.
    let _cut = unpacked.read_to_end(&mut text);
    is_svg(&text)
}

/// Narrows UTF-16 to bytes, with a placeholder for each unit that is not ASCII.
fn narrow_utf16(text: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    const OTHER: u8 = 0x80;
    let (units, _) = text.as_chunks();
    let bytes = units.iter().map(|&bytes| u8::try_from(unit(bytes)).ok());
    bytes
        .map(|byte| byte.filter(u8::is_ascii).unwrap_or(OTHER))
        .collect()
}

fn is_svg_in_ascii(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        match skip_prologue(rest) {
            ControlFlow::Continue(Some(after)) => rest = after,
            ControlFlow::Continue(None) => return false,
            ControlFlow::Break(()) => return begins_with_svg(rest),
        }
    }
}

/// Returns the text behind one piece of the prologue: a declaration, an instruction, a comment or the type of
/// the document. `None` if its end is missing; a break if there is no such piece.
fn skip_prologue(text: &[u8]) -> ControlFlow<(), Option<&[u8]>> {
    ControlFlow::Continue(if text.starts_with(b"<!--") {
        text_after(text, b"-->")
    } else if text.starts_with(b"<?") {
        text_after(text, b"?>")
    } else if text.starts_with(b"<!DOCTYPE") {
        skip_document_type(text)
    } else {
        return ControlFlow::Break(());
    })
}

fn text_after<'a>(text: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(end.len()).position(|window| window == end)?;
    text.get(at + end.len()..)
}

/// Skips the document type. Editors declare names for their own parts in its brackets, which contain elements
/// as well.
fn skip_document_type(text: &[u8]) -> Option<&[u8]> {
    let first = text.iter().position(|&byte| matches!(byte, b'[' | b'>'))?;
    if text[first] == b'[' {
        text_after(&text[first..], b"]").and_then(|rest| text_after(rest, b">"))
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
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

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
    fn utf_16_is_read() {
        let text = "<?xml version='1.0' encoding='UTF-16'?><!-- é漢 --><svg>";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (mark, text) in [([0xFF, 0xFE], &little), ([0xFE, 0xFF], &big)] {
            assert!(is_svg(text));
            assert!(is_svg(&[&mark[..], text].concat()));
        }
    }

    #[test]
    fn packed_svg_is_recognized_by_its_start() {
        let packed = |text: &str| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        let noise: String = (0..20_000_u32)
            .map(|number| (number * 7919 % 9973).to_string())
            .collect();
        let long = packed(&format!("<svg><!-- {noise}"));
        assert!(is_packed_svg(&packed("<svg/>")));
        assert!(is_packed_svg(&long[..SNIFFED]));
        assert!(!is_packed_svg(&packed("a text")));
        assert!(!is_packed_svg(&[0x1F, 0x8B]));
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
