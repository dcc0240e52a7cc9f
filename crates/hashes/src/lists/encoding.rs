//! The encoding of lists: bytes as other programs write them, or UTF-16 as Windows PowerShell redirects it.

use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the list without its byte order mark; UTF-16 as UTF-8. Half characters in it are replaced.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        // A list begins with ASCII, which UTF-16 writes with zero bytes.
        [first, 0, second, 0, ..] if first.is_ascii_graphic() && second.is_ascii_graphic() => {
            utf16(bytes, u16::from_le_bytes)
        }
        [0, first, 0, second, ..] if first.is_ascii_graphic() && second.is_ascii_graphic() => {
            utf16(bytes, u16::from_be_bytes)
        }
        _ => Cow::Borrowed(bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'_, [u8]> {
    let units = bytes.as_chunks().0.iter().map(|pair| unit(*pair));
    let text: String = char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Cow::Owned(text.into_bytes())
}
