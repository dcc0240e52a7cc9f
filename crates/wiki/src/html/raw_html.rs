//! Raw HTML of a text: its plain tags stay, without attributes.

use pulldown_cmark::Event;

/// The tags that stay.
const PLAIN_TAGS: [&str; 28] = [
    "b", "br", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "hr", "i",
    "ins", "kbd", "mark", "p", "q", "rp", "rt", "ruby", "s", "small", "strong", "sub", "summary",
    "sup",
];
/// Elements whose contents are no text.
const CODE_TAGS: [&str; 2] = ["script", "style"];

/// Cleans the raw HTML of a text. What is added to it later stays as it is.
pub(super) fn cleaned<'e>(events: impl Iterator<Item = Event<'e>>) -> Vec<Event<'e>> {
    let mut out = Vec::new();
    // A block comes in lines, and a script may have several.
    let mut block = String::new();
    for event in events {
        match event {
            Event::Html(raw) => block.push_str(&raw),
            Event::InlineHtml(raw) => out.push(Event::InlineHtml(plain(&raw).into())),
            event => {
                let html = plain(&std::mem::take(&mut block));
                if !html.trim().is_empty() {
                    out.push(Event::Html(html.into()));
                }
                out.push(event);
            }
        }
    }
    out
}

/// Keeps the text and the plain tags.
fn plain(raw: &str) -> String {
    let mut plain = String::new();
    let mut rest = raw;
    let mut hidden: Option<&str> = None;
    while let Some(start) = rest.find('<') {
        if hidden.is_none() {
            plain.push_str(&rest[..start]);
        }
        let Some(length) = tag_length(&rest[start..]) else {
            return plain;
        };
        let tag = &rest[start + 1..start + length - 1];
        rest = &rest[start + length..];
        let is_end = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let name = name.to_ascii_lowercase();
        if let Some(code) = CODE_TAGS.into_iter().find(|code| *code == name) {
            hidden = (!is_end).then_some(code);
        } else if hidden.is_none() && PLAIN_TAGS.contains(&name.as_str()) {
            let slash = if is_end { "/" } else { "" };
            // Nothing is closed on paper.
            let open = if name == "details" && !is_end {
                " open"
            } else {
                ""
            };
            plain.push_str(&format!("<{slash}{name}{open}>"));
        }
    }
    if hidden.is_none() {
        plain.push_str(rest);
    }
    plain
}

/// Returns the length of a tag, a comment or a declaration at the start of a text; `None` without its end.
fn tag_length(text: &str) -> Option<usize> {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if text.starts_with(start) {
            return text.find(end).map(|at| at + end.len());
        }
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at + 1),
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_tags_stay() {
        assert_eq!(
            plain("<b onclick=x>a</b><img src=x><script>alert(1)</script>"),
            "<b>a</b>"
        );
        assert_eq!(
            plain("<details>\n<summary>a</summary>"),
            "<details open>\n<summary>a</summary>"
        );
        assert_eq!(plain("<iframe src=x"), "");
        assert_eq!(
            plain("a<!-- <b>x</b> -> y -->b<a title=\"c > d\">e</a>"),
            "abe"
        );
    }
}
