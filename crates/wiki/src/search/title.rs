//! The title of a page: its first heading of the first level, as the reader sees it.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::id::PageId;
use crate::links::{front_matter, options, readable};
use crate::store::{PAGE_TITLE, Read, StorageError, WriteTxn};

/// The longest title, in bytes. The rest of a longer heading is left out.
const MAX_BYTES: usize = 512;

/// Notes the title of a page's newest text, given as people read it.
pub(crate) fn record(txn: &WriteTxn, page: PageId, text: &str) -> Result<(), StorageError> {
    let (id, title) = (page.to_bytes(), title_of(text));
    match title {
        // A text changes more often than its title does.
        title if title == txn.get(PAGE_TITLE, &id)? => Ok(()),
        Some(title) => txn.put(PAGE_TITLE, &id, &title),
        None => txn.remove(PAGE_TITLE, &id),
    }
}

/// The text of the first heading of level 1, without markup; none if there is none or it says
/// nothing.
pub(crate) fn title_of(text: &str) -> Option<String> {
    // No heading does without one of these.
    if !text.contains(['#', '=']) {
        return None;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = readable(&text[front_matter(text)..])?;
    let mut events = Parser::new_ext(&text, options());
    let heading = |event: &Event<'_>| {
        matches!(
            event,
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            })
        )
    };
    events.find(heading)?;
    let title = plain_text(events.take_while(|event| !is_end(event)));
    let mut title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = (0..=MAX_BYTES.min(title.len()))
        .rev()
        .find(|at| title.is_char_boundary(*at));
    title.truncate(cut.unwrap_or(0));
    (!title.is_empty()).then_some(title)
}

fn is_end(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn plain_text<'t>(events: impl Iterator<Item = Event<'t>>) -> String {
    let mut said = String::new();
    // The parser gives the brackets of `[[…]]` one by one: a run of text is read when it is whole.
    let mut run = String::new();
    for event in events {
        match event {
            Event::Text(text) => run.push_str(&text),
            Event::Code(text) => {
                end_run(&mut run, &mut said);
                said.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => {
                end_run(&mut run, &mut said);
                said.push(' ');
            }
            Event::Start(_)
            | Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => end_run(&mut run, &mut said),
        }
    }
    end_run(&mut run, &mut said);
    said
}

/// Says a run of text, with `[[/path]]` and `[[/path|text]]` by what they show.
fn end_run(run: &mut String, said: &mut String) {
    let mut rest = run.as_str();
    while let Some((before, link, after)) = next_link(rest) {
        said.push_str(before);
        said.push_str(link);
        rest = after;
    }
    said.push_str(rest);
    run.clear();
}

fn next_link(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("[[") {
        let open = from + found;
        let inner = &text[open + 2..];
        let close = inner.find("]]")?;
        if let Some(shown) = shown(&inner[..close]) {
            return Some((&text[..open], shown, &inner[close + 2..]));
        }
        from = open + 1;
    }
    None
}

/// What a link between double brackets shows; none if it is no link.
fn shown(inner: &str) -> Option<&str> {
    if inner.contains(['[', ']']) {
        return None;
    }
    let (target, text) = inner.split_once('|').unwrap_or((inner, ""));
    let (target, text) = (target.trim(), text.trim());
    let to_a_page = target.starts_with('/')
        || target
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("page:"));
    let name = target.rsplit('/').find(|name| !name.is_empty());
    to_a_page.then(|| {
        if text.is_empty() {
            name.unwrap_or("/")
        } else {
            text
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(title_of(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn the_first_heading_of_the_first_level_is_the_title() {
        check("# 京都の旅\n\ntext", Some("京都の旅"));
        check("text\n\n## two\n\n# one #\n\n# three", Some("one"));
        check("Title\nof two lines\n===", Some("Title of two lines"));
        check("---\ntitle: x\n# y\n---\n# z", Some("z"));
        check("\u{feff}# bom", Some("bom"));
        check("#\tcrlf\r\n", Some("crlf"));
        check("> # quoted", Some("quoted"));
    }

    #[test]
    fn markup_is_left_out() {
        check(
            "# *a* `b*` ~~c~~ [d](/e) ![f](g) <b>h</b>",
            Some("a b* c d f h"),
        );
        check("# a  \\* &amp; \\\nb", Some("a * & \\"));
        check(
            "# [[/旅/京都]] と [[page:01JD3Q6T0V5M4N8W2Z7RXKCEHB|奈良]]",
            Some("京都 と 奈良"),
        );
        check(
            "# `[[/x]]` [[no]] [[/a]b]] [[/]]",
            Some("[[/x]] [[no]] [[/a]b]] /"),
        );
        check("# 脚注[^1]\n\n[^1]: x", Some("脚注"));
    }

    #[test]
    fn without_such_a_heading_there_is_no_title() {
        check("", None);
        check("text", None);
        check("## two", None);
        check("#tag", None);
        check("#", None);
        check("# <!-- -->", None);
        check("```\n# code\n```", None);
        check("---\n# x\n---\n", None);
        check("<pre>\n# html\n</pre>", None);
    }

    #[test]
    fn a_long_title_is_cut_between_characters() {
        let title = title_of(&format!("# {}", "あ".repeat(1000))).unwrap();
        assert_eq!(title, "あ".repeat(MAX_BYTES / 3));
    }
}
