//! The part of a page that an embed shows: all of it, a heading with what is below it, or a block.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::blocks::block_id_of;
use super::headings::Anchors;

/// Returns the part that a fragment names, without its `#`; `None` if the page has no such part.
pub(super) fn part<'e>(events: Vec<Event<'e>>, fragment: &str) -> Option<Vec<Event<'e>>> {
    if fragment.is_empty() {
        return Some(events);
    }
    match fragment.strip_prefix('^') {
        Some(id) => block(&events, id),
        None => section(&events, fragment),
    }
}

/// Returns the text of the heading that starts at `at`.
pub(super) fn heading_text(events: &[Event], at: usize) -> String {
    let mut text = String::new();
    for event in events[at..].iter().take_while(|event| !ends_heading(event)) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => text.push_str(part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(_)
            | Event::End(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    text
}

fn ends_heading(event: &Event) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

pub(super) fn level(event: &Event) -> Option<HeadingLevel> {
    match event {
        Event::Start(Tag::Heading { level, .. }) => Some(*level),
        _ => None,
    }
}

fn section<'e>(events: &[Event<'e>], anchor: &str) -> Option<Vec<Event<'e>>> {
    let mut anchors = Anchors::default();
    let start = (0..events.len()).find(|at| {
        level(&events[*at]).is_some() && anchors.take(&heading_text(events, *at)) == anchor
    })?;
    let own = level(&events[start])?;
    let after = &events[start + 1..];
    // Headings in quotations and lists are not the structure of the page, so a section ends with its container, too.
    let mut depth = 0_usize;
    let mut end = after.len();
    for (at, event) in after.iter().enumerate() {
        let ends = level(event).is_some_and(|level| level <= own);
        if depth == 0 && ends && at > 0 {
            end = at;
            break;
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(TagEnd::Heading(_)) if depth == 0 => {}
            Event::End(_) if depth == 0 => {
                end = at;
                break;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    Some(events[start..=start + end].to_vec())
}

/// Returns the paragraph or item with this id, or the block before a paragraph that is only the id.
fn block<'e>(events: &[Event<'e>], id: &str) -> Option<Vec<Event<'e>>> {
    let mark = events
        .iter()
        .position(|event| block_id_of(event).is_some_and(|found| found == id))?;
    let start = open_before(events, mark)?;
    let is_alone = start + 1 == mark;
    let start = if is_alone {
        open_of(events, start.checked_sub(1)?)?
    } else if start > 0 && matches!(events[start - 1], Event::Start(Tag::Item)) {
        start - 1
    } else {
        start
    };
    let end = close_of(events, start)?;
    Some(events[start..=end].to_vec())
}

/// Returns the start of the block that contains `at`.
fn open_before(events: &[Event], at: usize) -> Option<usize> {
    let is_block = |event: &Event| {
        matches!(
            event,
            Event::Start(Tag::Paragraph | Tag::Item | Tag::Heading { .. })
        )
    };
    (0..at).rev().find(|at| is_block(&events[*at]))
}

/// Returns the start of the element that ends at `end`.
fn open_of(events: &[Event], end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=end).rev() {
        match &events[at] {
            Event::End(_) => depth += 1,
            Event::Start(_) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

pub(super) fn close_of(events: &[Event], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, event) in events.iter().enumerate().skip(start) {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
