//! Blocks of the dialect: callouts, and ids at the end of blocks.

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::part::close_of;

/// The kinds of callouts with their titles in English and Japanese, and their other names, as in
/// `ui/src/markdown/callout-kinds.ts`.
const KINDS: [(&str, &str, &str, &[&str]); 15] = [
    ("note", "Note", "メモ", &[]),
    ("abstract", "Summary", "要約", &["summary", "tldr"]),
    ("info", "Info", "情報", &[]),
    ("todo", "To do", "やること", &[]),
    ("tip", "Tip", "ヒント", &["hint"]),
    ("important", "Important", "重要", &[]),
    ("success", "Success", "成功", &["check", "done"]),
    ("question", "Question", "質問", &["help", "faq"]),
    ("warning", "Warning", "警告", &["attention"]),
    ("caution", "Caution", "注意", &[]),
    ("failure", "Failure", "失敗", &["fail", "missing"]),
    ("danger", "Danger", "危険", &["error"]),
    ("bug", "Bug", "不具合", &[]),
    ("example", "Example", "例", &[]),
    ("quote", "Quote", "引用", &["cite"]),
];
/// The start of the mark that names a block; the end follows.
const BLOCK_MARK: &str = "<span id=\"^";

/// Returns the block id that an event marks.
pub(super) fn block_id_of<'e>(event: &'e Event) -> Option<&'e str> {
    match event {
        Event::InlineHtml(html) => html.strip_prefix(BLOCK_MARK)?.strip_suffix("\"></span>"),
        _ => None,
    }
}

/// Replaces ` ^id` at the end of paragraphs and items by a mark. Other spans of this form can't occur: raw HTML keeps
/// no attributes.
pub(super) fn block_ids<'e>(events: Vec<Event<'e>>) -> Vec<Event<'e>> {
    let mut out: Vec<Event> = Vec::with_capacity(events.len());
    for event in events {
        let ends = matches!(event, Event::End(TagEnd::Paragraph | TagEnd::Item))
            || matches!(event, Event::Start(Tag::List(_)));
        if ends && let Some(Event::Text(text)) = out.last() {
            let is_line = matches!(
                out.len().checked_sub(2).and_then(|at| out.get(at)),
                Some(Event::Start(_) | Event::SoftBreak | Event::HardBreak)
            );
            if let Some((rest, id)) = split_id(text, is_line) {
                let mark = Event::InlineHtml(format!("{BLOCK_MARK}{id}\"></span>").into());
                let rest = rest.to_owned();
                out.pop();
                if rest.is_empty()
                    && matches!(out.last(), Some(Event::SoftBreak | Event::HardBreak))
                {
                    out.pop();
                }
                if !rest.is_empty() {
                    out.push(Event::Text(rest.into()));
                }
                out.push(mark);
            }
        }
        out.push(event);
    }
    out
}

/// Splits a text before its block id. An id that is all of the text must be a line of its own.
fn split_id(text: &str, is_line: bool) -> Option<(&str, &str)> {
    let (rest, id) = text.rsplit_once('^')?;
    let is_id = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && id.bytes().any(|byte| byte.is_ascii_alphabetic());
    let words = rest.trim_end_matches([' ', '\t', '\u{3000}']);
    let is_apart = words.len() < rest.len() || (rest.is_empty() && is_line);
    (is_id && is_apart).then_some((words, id))
}

/// Replaces quotations whose first line is `[!kind] title` by boxes with a title.
pub(super) fn callouts<'e>(events: Vec<Event<'e>>, is_japanese: bool) -> Vec<Event<'e>> {
    let mut out = Vec::with_capacity(events.len());
    let mut rest = events.as_slice();
    while let Some((event, after)) = rest.split_first() {
        let box_of = matches!(event, Event::Start(Tag::BlockQuote(_)))
            .then(|| Callout::read(rest, is_japanese))
            .flatten();
        match box_of {
            Some((callout, length)) => {
                let body = callouts(callout.body.clone(), is_japanese);
                callout.write(body, &mut out);
                rest = &rest[length..];
            }
            None => {
                out.push(event.clone());
                rest = after;
            }
        }
    }
    out
}

struct Callout<'e> {
    kind: &'static str,
    /// Folded or unfolded; `None` if it does not fold.
    is_open: Option<bool>,
    title: Vec<Event<'e>>,
    body: Vec<Event<'e>>,
}

impl<'e> Callout<'e> {
    /// Reads the quotation at the start of `events`. Returns it and the number of its events.
    fn read(events: &[Event<'e>], is_japanese: bool) -> Option<(Self, usize)> {
        let [_, Event::Start(Tag::Paragraph), Event::Text(first), ..] = events else {
            return None;
        };
        let (name, fold, text) = mark(first)?;
        let end = close_of(events, 0)?;
        let paragraph = close_of(events, 1)?;
        let line = (3..paragraph)
            .find(|at| matches!(events[*at], Event::SoftBreak | Event::HardBreak))
            .unwrap_or(paragraph);
        let known = KINDS
            .iter()
            .find(|(kind, .., others)| *kind == name || others.contains(&name.as_str()));
        let mut title = events[3..line].to_vec();
        if !text.trim().is_empty() {
            title.insert(0, Event::Text(CowStr::from(text.to_owned())));
        }
        if title.is_empty() {
            let words = match known {
                Some((_, english, japanese, _)) => {
                    (*if is_japanese { japanese } else { english }).to_owned()
                }
                None => capitalized(&name),
            };
            title.push(Event::Text(words.into()));
        }
        let mut body = Vec::new();
        if line < paragraph {
            body.push(Event::Start(Tag::Paragraph));
            body.extend_from_slice(&events[line + 1..=paragraph]);
        }
        body.extend_from_slice(&events[paragraph + 1..end]);
        let callout = Self {
            kind: known.map_or("note", |(kind, ..)| kind),
            is_open: fold,
            title,
            body,
        };
        Some((callout, end + 1))
    }

    fn write(self, body: Vec<Event<'e>>, out: &mut Vec<Event<'e>>) {
        let (start, end) = match self.is_open {
            None => ("<div", "</div>\n"),
            Some(_) => ("<details", "</details>\n"),
        };
        let (title, title_end) = match self.is_open {
            None => ("<p class=\"callout-title\">", "</p>\n"),
            Some(_) => ("<summary class=\"callout-title\">", "</summary>\n"),
        };
        let open = if self.is_open == Some(true) {
            " open"
        } else {
            ""
        };
        let head = format!(
            "{start} class=\"callout callout-{}\"{open}>\n{title}",
            self.kind
        );
        out.push(Event::Html(head.into()));
        out.extend(self.title);
        out.push(Event::Html(title_end.into()));
        out.extend(body);
        out.push(Event::Html(end.into()));
    }
}

/// Parses `[!kind]`, `[!kind]-` or `[!kind]+`. Returns the kind, whether it is unfolded, and the rest.
fn mark(text: &str) -> Option<(String, Option<bool>, &str)> {
    let (name, rest) = text.strip_prefix("[!")?.split_once(']')?;
    // The part after `|` is metadata for themes.
    let name = name.split('|').next().unwrap_or_default().trim();
    let (fold, rest) = match rest.as_bytes().first() {
        Some(b'-') => (Some(false), &rest[1..]),
        Some(b'+') => (Some(true), &rest[1..]),
        _ => (None, rest),
    };
    let is_apart = rest.is_empty() || rest.starts_with([' ', '\t', '\u{3000}']);
    (!name.is_empty() && !name.contains('[') && is_apart)
        .then(|| (name.to_lowercase(), fold, rest.trim_start()))
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
