//! Markup that a browser would run or draw, and document formats that are written as text.

/// The elements, beside `html` itself, by which a sniffing browser recognizes a text as HTML
/// (WHATWG MIME Sniffing, 7.1).
const IN_HTML: [&[u8]; 14] = [
    b"head", b"script", b"iframe", b"h1", b"div", b"font", b"table", b"a", b"style", b"title",
    b"b", b"body", b"br", b"p",
];

/// The media type of a text that is not plain. `head` is its beginning, in any encoding that is a
/// superset of ASCII.
pub(super) fn of_text(head: &[u8]) -> Option<&'static str> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let text = text.trim_ascii_start();
    match text {
        [b'%', b'P', b'D', b'F', b'-', ..] => return Some("application/pdf"),
        [b'%', b'!', b'P', b'S', ..] => return Some("application/postscript"),
        [b'{', b'\\', b'r', b't', b'f', ..] => return Some("application/rtf"),
        _ => {}
    }
    let mut rest = text;
    let mut xml = false;
    loop {
        rest = rest.trim_ascii_start();
        if starts_with(rest, b"<?xml") {
            xml = true;
        }
        if starts_with(rest, b"<?") {
            rest = text_after(rest, b"?>");
        } else if starts_with(rest, b"<!--") {
            rest = text_after(rest, b"-->");
        } else if starts_with(rest, b"<!doctype") {
            return Some(match name(rest[9..].trim_ascii_start()) {
                Name::Svg => "image/svg+xml",
                Name::Html if xml => "application/xhtml+xml",
                Name::Html => "text/html",
                Name::InHtml | Name::Other => "application/xml",
            });
        } else {
            break;
        }
    }
    let element = rest.strip_prefix(b"<").map_or(Name::Other, name);
    match element {
        Name::Svg => Some("image/svg+xml"),
        Name::Html if xml => Some("application/xhtml+xml"),
        Name::InHtml | Name::Other if xml => Some("application/xml"),
        Name::Html | Name::InHtml => Some("text/html"),
        Name::Other => None,
    }
}

enum Name {
    Svg,
    Html,
    InHtml,
    Other,
}

/// Reads the name of an element, without its namespace prefix.
fn name(text: &[u8]) -> Name {
    let end = text
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'['));
    let name = &text[..end.unwrap_or(text.len())];
    let local = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let is = |other: &[u8]| local.eq_ignore_ascii_case(other);
    if is(b"svg") {
        Name::Svg
    } else if is(b"html") {
        Name::Html
    } else if IN_HTML.into_iter().any(is) {
        Name::InHtml
    } else {
        Name::Other
    }
}

fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len())
        .is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// The text after the first `mark`; empty if there is none.
fn text_after<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let at = text.windows(mark.len()).position(|part| part == mark);
    at.map_or(&[], |at| &text[at + mark.len()..])
}
