//! Addresses of the web that stand in a text as they are, as `ui/src/markdown/rules/bare-addresses.ts`
//! reads them. What looks like a link within one is a part of the address.

use std::ops::Range;

/// The addresses that begin in `part` of the text and do not lie in one another.
pub(super) fn find(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut from = part.start;
    std::iter::from_fn(move || {
        while let Some(colon) = text.get(from..part.end)?.find("://").map(|at| from + at) {
            from = colon + 3;
            if let Some(start) = start(&text[part.start..colon]) {
                let start = part.start + start;
                let end = from + length(&text.as_bytes()[from..]);
                if end > from {
                    from = end.min(part.end);
                    return Some(start..end);
                }
            }
        }
        None
    })
}

/// Where the scheme begins that ends the text, if it is one that we know.
fn start(before: &str) -> Option<usize> {
    let bytes = before.as_bytes();
    let of_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    // Longer ones are none of ours.
    let length = bytes.iter().rev().take(6).take_while(of_scheme).count();
    let scheme = &bytes[bytes.len() - length..];
    let known = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    known.then_some(bytes.len() - length)
}

/// How much of what follows `://` belongs to the address.
fn length(bytes: &[u8]) -> usize {
    if !bytes
        .first()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'[')
    {
        return 0;
    }
    let of_address =
        |byte: &&u8| matches!(byte, 0x21 | 0x23..=0x3b | 0x3d | 0x3f..=0x5f | 0x61..=0x7e);
    let all = bytes.iter().take_while(of_address).count();
    let trailing = |byte: &&u8| b"!'\"()*,.:;?]~_".contains(byte);
    let mut kept = all - bytes[..all].iter().rev().take_while(trailing).count();
    // A parenthesis at the end belongs to the address when the address has opened it.
    let count = |mark| bytes[..kept].iter().filter(|byte| **byte == mark).count();
    let mut open = count(b'(').saturating_sub(count(b')'));
    while open > 0 && kept < all && bytes[kept] == b')' {
        (kept, open) = (kept + 1, open - 1);
    }
    kept
}
