//! The text between the blocks: highlighted text, bare addresses, and lines that end between Japanese characters.

use std::borrow::Cow;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd, TextMergeStream};

use crate::markdown::{address_length, script_contents};
use crate::pages::{is_japanese, needs_joint};

const MARK: &str = "==";
/// Inserted beside a mark of emphasis that may both begin and end it (`crate::pages`, `title_cjk`).
const JOINT: char = '\u{fdd0}';

/// Inserts placeholders beside marks that CommonMark would not read next to Japanese brackets, as in
/// `**「京都」**の旅`. They are removed from the events.
pub(super) fn with_joints(source: &str) -> Cow<'_, str> {
    if !source.contains(['*', '~']) {
        return Cow::Borrowed(source);
    }
    let mut joined = String::with_capacity(source.len() + 16);
    let mut rest = source;
    while let Some(start) = rest.find(['*', '~', '\\']) {
        joined.push_str(&rest[..start]);
        rest = &rest[start..];
        let mark = rest.chars().next().unwrap_or_default();
        let length = match mark {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            mark => rest.len() - rest.trim_start_matches(mark).len(),
        };
        let (token, after) = rest.split_at(length);
        let before = &source[..source.len() - rest.len()];
        let is_mark = mark == '*' || token == "~~";
        let joint = (is_mark && needs_joint(before, after)).then_some(JOINT);
        joined.extend(joint);
        joined.push_str(token);
        joined.extend(joint);
        rest = after;
    }
    joined.push_str(rest);
    Cow::Owned(joined)
}

/// Removes the placeholders.
pub(super) fn without_joints(event: Event<'_>) -> Event<'_> {
    let plain = |text: CowStr| match text.contains(JOINT) {
        true => CowStr::from(text.replace(JOINT, "")),
        false => text.into_static(),
    };
    match event {
        Event::Text(text) => Event::Text(plain(text)),
        Event::Code(text) => Event::Code(plain(text)),
        Event::InlineMath(text) => Event::InlineMath(plain(text)),
        Event::DisplayMath(text) => Event::DisplayMath(plain(text)),
        Event::Html(text) => Event::Html(plain(text)),
        Event::InlineHtml(text) => Event::InlineHtml(plain(text)),
        Event::FootnoteReference(text) => Event::FootnoteReference(plain(text)),
        Event::Start(Tag::FootnoteDefinition(text)) => {
            Event::Start(Tag::FootnoteDefinition(plain(text)))
        }
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: plain(dest_url),
            title: plain(title),
            id,
        }),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Image {
            link_type,
            dest_url: plain(dest_url),
            title: plain(title),
            id,
        }),
        event => event.into_static(),
    }
}

/// Makes the subscripts and superscripts of the dialect. Those that the parser has found follow other rules: Japanese
/// texts have ranges (`3~5月と7~9月`) and faces (`(^o^)`).
pub(super) fn scripts(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let written = events.into_iter().map(|event| match event {
        Event::Start(Tag::Subscript) | Event::End(TagEnd::Subscript) => Event::Text("~".into()),
        Event::Start(Tag::Superscript) | Event::End(TagEnd::Superscript) => Event::Text("^".into()),
        event => event,
    });
    let mut out: Vec<Event> = Vec::new();
    let mut in_code = false;
    for event in TextMergeStream::new(written) {
        match &event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code && text.contains(['~', '^']) => {
                with_scripts(text, &mut out);
                continue;
            }
            _ => {}
        }
        out.push(event);
    }
    out
}

fn with_scripts(text: &str, out: &mut Vec<Event>) {
    let (mut written, mut at) = (0, 0);
    while let Some(mark) = text[at..].find(['~', '^']).map(|found| at + found) {
        at = mark + 1;
        let Some(contents) = script_contents(text, mark, text.len()) else {
            continue;
        };
        let (start, end) = match text.as_bytes()[mark] {
            b'~' => (Tag::Subscript, TagEnd::Subscript),
            _ => (Tag::Superscript, TagEnd::Superscript),
        };
        out.push(Event::Text(text[written..mark].to_owned().into()));
        out.push(Event::Start(start));
        out.push(Event::Text(contents.to_owned().into()));
        out.push(Event::End(end));
        (written, at) = (at + contents.len() + 1, at + contents.len() + 1);
    }
    if written < text.len() {
        out.push(Event::Text(text[written..].to_owned().into()));
    }
}

/// Removes breaks between two Japanese characters, where browsers would show a blank.
pub(super) fn join_japanese_lines<'e>(events: Vec<Event<'e>>) -> Vec<Event<'e>> {
    let is_joined = |at: usize| {
        let before = events[..at].iter().rev().find_map(last_character);
        let after = events[at + 1..].iter().find_map(first_character);
        matches!((before, after), (Some(Some(before)), Some(Some(after))) if is_japanese(before) && is_japanese(after))
    };
    let removed: Vec<usize> = (0..events.len())
        .filter(|at| events[*at] == Event::SoftBreak && is_joined(*at))
        .collect();
    let mut removed = removed.into_iter().peekable();
    let kept = events.into_iter().enumerate().filter(|(at, _)| {
        let is_removed = removed.peek() == Some(at);
        if is_removed {
            removed.next();
        }
        !is_removed
    });
    kept.map(|(_, event)| event).collect()
}

/// The last character of an event with text, `Some(None)` for one that ends the search.
fn last_character(event: &Event) -> Option<Option<char>> {
    edge(event, |text| text.chars().next_back())
}

fn first_character(event: &Event) -> Option<Option<char>> {
    edge(event, |text| text.chars().next())
}

fn edge(event: &Event, pick: impl Fn(&str) -> Option<char>) -> Option<Option<char>> {
    match event {
        Event::Text(text) if text.is_empty() => None,
        Event::Text(text) | Event::Code(text) => Some(pick(text)),
        Event::Start(_) | Event::End(_) => None,
        Event::InlineMath(_)
        | Event::DisplayMath(_)
        | Event::Html(_)
        | Event::InlineHtml(_)
        | Event::FootnoteReference(_)
        | Event::SoftBreak
        | Event::HardBreak
        | Event::Rule
        | Event::TaskListMarker(_) => Some(None),
    }
}

/// Replaces pairs of `==` within one element by `<mark>`.
pub(super) fn marks<'e>(events: Vec<Event<'e>>) -> Vec<Event<'e>> {
    let mut out: Vec<Event> = Vec::with_capacity(events.len());
    // The open mark of each element: where its text ends in `out`.
    let mut open: Vec<Option<usize>> = vec![None];
    let mut code = false;
    for event in events {
        match event {
            Event::Start(tag) => {
                code |= matches!(tag, Tag::CodeBlock(_));
                open.push(None);
                out.push(Event::Start(tag));
            }
            Event::End(tag) => {
                code &= !matches!(tag, TagEnd::CodeBlock);
                open.pop();
                out.push(Event::End(tag));
            }
            Event::Text(text) if !code && text.contains(MARK) => {
                for part in split(&text) {
                    let slot = open.last_mut();
                    match (part, slot) {
                        (Part::Text(text), _) => out.push(Event::Text(text.to_owned().into())),
                        (Part::Mark { closes: true, .. }, Some(slot)) if slot.is_some() => {
                            if let Some(start) = slot.take() {
                                out[start] = Event::InlineHtml("<mark>".into());
                            }
                            out.push(Event::InlineHtml("</mark>".into()));
                        }
                        (Part::Mark { opens, .. }, slot) => {
                            if opens && let Some(slot) = slot {
                                *slot = Some(out.len());
                            }
                            out.push(Event::Text(CowStr::from(MARK)));
                        }
                    }
                }
            }
            event => out.push(event),
        }
    }
    out
}

enum Part<'t> {
    Text(&'t str),
    Mark { opens: bool, closes: bool },
}

fn split(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(MARK) {
        let start = at + found;
        let length = text[start..]
            .bytes()
            .take_while(|byte| *byte == b'=')
            .count();
        let end = start + length;
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        if length == MARK.len() {
            if start > at {
                parts.push(Part::Text(&text[at..start]));
            }
            // At the edge of a text another element follows.
            parts.push(Part::Mark {
                opens: after.is_none_or(|after| !after.is_whitespace()),
                closes: before.is_none_or(|before| !before.is_whitespace()),
            });
        } else {
            parts.push(Part::Text(&text[at..end]));
        }
        at = end;
    }
    if at < text.len() {
        parts.push(Part::Text(&text[at..]));
    }
    parts
}

/// Makes links of bare web addresses, unless the text is in a link, a picture or code.
pub(super) fn bare_addresses<'e>(events: Vec<Event<'e>>) -> Vec<Event<'e>> {
    let mut out = Vec::with_capacity(events.len());
    let mut closed = 0_usize;
    let is_closed = |tag: &Tag| {
        matches!(
            tag,
            Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)
        )
    };
    let is_end = |tag: &TagEnd| matches!(tag, TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock);
    for event in events {
        match &event {
            Event::Start(tag) if is_closed(tag) => closed += 1,
            Event::End(tag) if is_end(tag) => closed = closed.saturating_sub(1),
            Event::Text(text) if closed == 0 && text.contains("://") => {
                linked(text, &mut out);
                continue;
            }
            _ => {}
        }
        out.push(event);
    }
    out
}

fn linked(text: &str, out: &mut Vec<Event>) {
    let (mut written, mut at) = (0, 0);
    while let Some(colon) = text[at..].find("://").map(|found| at + found) {
        at = colon + 3;
        let before = &text.as_bytes()[..colon];
        let letters = before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let start = colon - letters.count();
        let scheme = &text[start..colon];
        let is_web = ["http", "https"]
            .iter()
            .any(|web| scheme.eq_ignore_ascii_case(web));
        let is_first = is_web && start >= written;
        let length = is_first
            .then(|| address_length(&text.as_bytes()[at..]))
            .flatten();
        let Some(length) = length else {
            continue;
        };
        let end = at + length;
        let address = text[start..end].to_owned();
        if start > written {
            out.push(Event::Text(text[written..start].to_owned().into()));
        }
        out.push(Event::Start(Tag::Link {
            link_type: LinkType::Autolink,
            dest_url: address.clone().into(),
            title: CowStr::from(""),
            id: CowStr::from(""),
        }));
        out.push(Event::Text(address.into()));
        out.push(Event::End(TagEnd::Link));
        (written, at) = (end, end);
    }
    if written < text.len() {
        out.push(Event::Text(text[written..].to_owned().into()));
    }
}
