//! Patterns of HTML: the tags that may occur in a line, and the blocks.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// White space, as matched by `\s` in the page's own patterns.
const SPACE: &str = r"[\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}]";

/// Names of elements that start a block of HTML.
const BLOCK_NAMES: &str = "address|article|aside|base|basefont|blockquote|body|caption|center|col|\
    colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|\
    h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|\
    optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";

/// A tag that opens or closes an element, at the start of the text.
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{}", tag())));

/// A kind of block of HTML.
pub(super) struct HtmlBlockKind {
    start: Regex,
    /// The pattern that ends it; `None` if a blank line does.
    end: Option<Regex>,
    /// True if it may start within a paragraph.
    pub(super) interrupts_paragraph: bool,
}

static KINDS: LazyLock<[HtmlBlockKind; 7]> = LazyLock::new(|| {
    let kind = |start: &str, end: Option<&str>, interrupts_paragraph| HtmlBlockKind {
        start: pattern(start),
        end: end.map(pattern),
        interrupts_paragraph,
    };
    [
        kind(
            &format!("^<(?i-u:script|pre|style|textarea)(?:{SPACE}|>|$)"),
            Some("</(?i-u:script|pre|style|textarea)>"),
            true,
        ),
        kind("^<!--", Some("-->"), true),
        kind(r"^<\?", Some(r"\?>"), true),
        kind("^<![A-Za-z]", Some(">"), true),
        kind(r"^<!\[CDATA\[", Some(r"\]\]>"), true),
        kind(
            &format!("^</?(?i-u:{BLOCK_NAMES})(?:{SPACE}|/?>|$)"),
            None,
            true,
        ),
        kind(&format!("^(?:{}){SPACE}*$", tag()), None, false),
    ]
});

fn tag() -> String {
    let name = "[A-Za-z][A-Za-z0-9-]*";
    let value = r#"(?:[^"'=<>`\x01-\x20]+|'[^']*'|"[^"]*")"#;
    let attribute = format!("{SPACE}+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:{SPACE}*={SPACE}*{value})?");
    format!("(?:<{name}(?:{attribute})*{SPACE}*/?>|</{name}{SPACE}*>)")
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: the pattern is written above")
}

/// The length of the tag that `text` starts with.
pub(super) fn tag_length(text: &[u8]) -> Option<usize> {
    TAG.find(text).map(|tag| tag.end())
}

/// The kind of block that starts with `line`.
pub(super) fn block_kind(line: &[u8]) -> Option<&'static HtmlBlockKind> {
    KINDS.iter().find(|kind| kind.start.is_match(line))
}

impl HtmlBlockKind {
    /// True if the block ends with `line`, or before it if it is blank.
    pub(super) fn ends_with(&self, line: &[u8]) -> bool {
        self.end
            .as_ref()
            .map_or(line.is_empty(), |end| end.is_match(line))
    }

    pub(super) fn ends_on_blank_line(&self) -> bool {
        self.end.is_none()
    }
}

/// True if a tag opens a link.
pub(super) fn opens_link(tag: &[u8]) -> bool {
    starts_with_ignoring_case(tag, b"<a") && starts_with_space_or(&tag[2..], b'>')
}

/// True if a tag closes a link.
pub(super) fn closes_link(tag: &[u8]) -> bool {
    starts_with_ignoring_case(tag, b"</a") && starts_with_space_or(&tag[3..], b'>')
}

fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// A name ends with white space or `>`.
fn starts_with_space_or(text: &[u8], mark: u8) -> bool {
    text.first().is_some_and(|byte| {
        *byte == mark || byte.is_ascii_whitespace() || *byte == 0x0B || !byte.is_ascii()
    })
}
