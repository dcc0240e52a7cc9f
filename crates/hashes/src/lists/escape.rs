//! The escapes of `sha256sum`, which RHash also uses since version 1.4.4: a line that begins with a backslash
//! has `\\`, `\n` and `\r` in its name.

use std::borrow::Cow;

/// Returns true if a name is written with escapes.
pub(super) fn is_needed(name: &[u8]) -> bool {
    name.iter()
        .any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))
}

/// Writes a name with escapes.
pub(super) fn escape(name: &[u8]) -> Cow<'_, [u8]> {
    if !is_needed(name) {
        return Cow::Borrowed(name);
    }
    let mut escaped = Vec::with_capacity(name.len() + 8);
    for byte in name {
        match byte {
            b'\\' => escaped.extend_from_slice(b"\\\\"),
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            byte => escaped.push(*byte),
        }
    }
    Cow::Owned(escaped)
}

/// Reverses [`escape`]. Returns `None` if a backslash does not begin an escape.
pub(super) fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.iter();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => *byte,
        });
    }
    Some(bytes)
}
