//! Replaces the destinations in a text that is Markdown already.

use std::ops::Range;

use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::html::{Dom, Element};

/// A destination in a text.
pub(crate) struct Destination<'t> {
    /// The address, without percent-encoding.
    pub(crate) address: String,
    /// The address as it is written.
    pub(crate) written: &'t str,
    pub(crate) is_picture: bool,
}

impl<'t> Destination<'t> {
    fn new(written: &'t str, is_picture: bool) -> Self {
        Self {
            address: percent_decode_str(written).decode_utf8_lossy().into_owned(),
            written,
            is_picture,
        }
    }
}

/// Returns the new destination of a link or picture; `None` leaves it as it is.
pub(crate) type Meaning<'m> = dyn FnMut(&Destination<'_>) -> Option<String> + 'm;

/// Replaces the destinations of a text's links and pictures. A picture in HTML becomes one of Markdown, if its
/// destination is replaced. The end of a line becomes a break, because the programs that use this display it as one.
pub(crate) fn relink(text: &str, meaning: &mut Meaning<'_>) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let parser = Parser::new_ext(text, options);
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    for (_, definition) in parser.reference_definitions().iter() {
        if let Some((range, written)) = destination_after(text, &definition.span, "]:")
            && let Some(target) = meaning(&Destination::new(written, false))
        {
            changes.push((range, target));
        }
    }
    for (event, range) in parser.into_offset_iter() {
        let inline = LinkType::Inline;
        if matches!(event, Event::Start(Tag::Link { link_type, .. }) if link_type == inline) {
            change(text, &range, false, meaning, &mut changes);
        } else if matches!(event, Event::Start(Tag::Image { link_type, .. }) if link_type == inline)
        {
            change(text, &range, true, meaning, &mut changes);
        } else if matches!(event, Event::InlineHtml(_) | Event::Html(_)) {
            html(text, range, meaning, &mut changes);
        } else if event == Event::SoftBreak && !ends_title(text, range.start) {
            changes.push((range.start..range.start, "\\".to_owned()));
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, replacement) in changes {
        if range.start < copied {
            continue;
        }
        out.push_str(&text[copied..range.start]);
        out.push_str(&replacement);
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// Returns true if the line that ends here is the title of a callout.
fn ends_title(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.trim_start_matches(['>', ' ']).starts_with("[!")
}

fn change(
    text: &str,
    range: &Range<usize>,
    is_picture: bool,
    meaning: &mut Meaning<'_>,
    changes: &mut Vec<(Range<usize>, String)>,
) {
    if let Some((range, written)) = destination_after(text, range, "](")
        && let Some(target) = meaning(&Destination::new(written, is_picture))
    {
        changes.push((range, target));
    }
}

/// Finds the destination behind the last `mark` in a range, with its angle brackets.
fn destination_after<'t>(
    text: &'t str,
    range: &Range<usize>,
    mark: &str,
) -> Option<(Range<usize>, &'t str)> {
    let whole = &text[range.clone()];
    let after = whole.rfind(mark)? + mark.len();
    let blanks = whole[after..].len() - whole[after..].trim_start().len();
    let start = after + blanks;
    let rest = &whole[start..];
    if let Some(inner) = rest.strip_prefix('<') {
        let end = inner.find('>')?;
        return Some((
            range.start + start..range.start + start + end + 2,
            &inner[..end],
        ));
    }
    let mut depth = 0_usize;
    let end = rest.find(|char: char| match char {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth == 0 => true,
        ')' => {
            depth -= 1;
            false
        }
        char => char.is_whitespace(),
    });
    let end = end.unwrap_or(rest.len());
    Some((range.start + start..range.start + start + end, &rest[..end]))
}

/// Replaces the pictures and the addresses of links in a piece of HTML.
fn html(
    text: &str,
    range: Range<usize>,
    meaning: &mut Meaning<'_>,
    changes: &mut Vec<(Range<usize>, String)>,
) {
    let piece = &text[range.clone()];
    let mut at = 0;
    while let Some(found) = piece[at..].find('<') {
        let start = at + found;
        let Some(length) = piece[start..].find('>') else {
            return;
        };
        let tag = &piece[start..=start + length];
        at = start + length + 1;
        let is_picture = tag
            .get(..5)
            .is_some_and(|name| name.eq_ignore_ascii_case("<img "));
        let is_link = tag
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case("<a "));
        if !is_picture && !is_link {
            continue;
        }
        let dom = Dom::parse(tag, false);
        let Some(element) = dom.children(0).first().and_then(|id| dom.element(*id)) else {
            continue;
        };
        let written = element.attribute(if is_picture { "src" } else { "href" });
        let Some(target) = meaning(&Destination::new(written, is_picture)) else {
            continue;
        };
        let replacement = if is_picture {
            picture(element, &target)
        } else {
            tag.replace(written, &target)
        };
        changes.push((
            range.start + start..range.start + start + tag.len(),
            replacement,
        ));
    }
}

fn picture(element: &Element, target: &str) -> String {
    let side = |name: &str| {
        element
            .attribute(name)
            .trim_end_matches("px")
            .parse::<u16>()
            .ok()
            .filter(|side| (1..=9999).contains(side))
    };
    let size = match (side("width"), side("height")) {
        (Some(width), Some(height)) => format!("|{width}x{height}"),
        (Some(width), None) => format!("|{width}"),
        (None, _) => String::new(),
    };
    let alt = element
        .attribute("alt")
        .replace(['[', ']', '|', '\\', '\n'], " ");
    format!("![{}{size}]({target})", alt.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut meaning = |destination: &Destination<'_>| {
            let name = destination.address.strip_prefix(":/")?;
            Some(format!(
                "new:{name}{}",
                if destination.is_picture { "!" } else { "" }
            ))
        };
        assert_eq!(relink(text, &mut meaning), expected);
    }

    #[test]
    fn destinations_are_replaced() {
        check(
            "[a](:/b%20c) ![d](:/e \"t\")",
            "[a](new:b c) ![d](new:e! \"t\")",
        );
        check("[![x](:/p)](:/q)", "[![x](new:p!)](new:q)");
        check("[a](<:/b c>) [d](https://e)", "[a](new:b c) [d](https://e)");
        check("[a][r]\n\n[r]: :/b", "[a][r]\n\n[r]: new:b");
        check("[a](:/b(c)) d", "[a](new:b(c)) d");
    }

    #[test]
    fn line_breaks_are_kept() {
        let text = "a\nb\n\n- c\n  d\n\n> [!note] e\n> f\n> g\n\n```\nh\ni\n```";
        let expected = "a\\\nb\n\n- c\\\n  d\n\n> [!note] e\n> f\\\n> g\n\n```\nh\ni\n```";
        assert_eq!(relink(text, &mut |_| None), expected);
    }

    #[test]
    fn code_stays() {
        check(
            "`[a](:/b)`\n\n    [a](:/b)\n\n```\n[a](:/b)\n```\n",
            "`[a](:/b)`\n\n    [a](:/b)\n\n```\n[a](:/b)\n```\n",
        );
    }

    #[test]
    fn pictures_in_html_become_markdown() {
        check(
            "x <img src=\":/p\" alt=\"a\" width=\"30\"/> y",
            "x ![a|30](new:p!) y",
        );
        check("<a href=\":/p\">a</a>", "<a href=\"new:p\">a</a>");
    }
}
