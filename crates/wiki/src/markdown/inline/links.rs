//! Links, pictures and footnotes in the text of a block.

use std::ops::Range;

use super::{Inline, InlineLink, Mode};
use crate::markdown::destination::Form;
use crate::markdown::limits::{MAX_FOOTNOTES, MAX_LABEL_NESTING};
use crate::markdown::link_parts::{Title, destination, normalized_label, title};
use crate::markdown::source::{is_space, is_white_space};

/// The destination of a link or picture.
enum InlineTarget {
    Inline(Range<usize>, Form),
    /// A definition, or none.
    Reference,
}

/// A link or picture that was found.
struct ParsedLink {
    label: Range<usize>,
    target: InlineTarget,
    end: usize,
}

/// Returns the target of the link `[[target]]` or `[[target|text]]` whose brackets are at `at`, and its end.
pub(crate) fn wiki_link(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let start = at + "[[".len();
    let is_special = |byte: &u8| matches!(byte, b'[' | b']' | b'\n');
    let end = start + text.as_bytes()[start..].iter().position(is_special)?;
    if !text.as_bytes()[end..].starts_with(b"]]") {
        return None;
    }
    let inner = &text[start..end];
    // In a table the bar has to be written `\|`. It has the same meaning elsewhere.
    let target = inner.split_once('|').map_or(inner, |(target, _)| {
        target.strip_suffix('\\').unwrap_or(target)
    });
    let blanks = target.len() - target.trim_start_matches(is_white_space).len();
    let target = target.trim_matches(is_white_space);
    let names_id = target
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("page:"));
    let from = start + blanks;
    (target.starts_with('/') || names_id).then_some((from..from + target.len(), end + "]]".len()))
}

impl Inline<'_, '_> {
    /// `[[/path]]` and `[[/path|text]]`.
    pub(super) fn page_link(&mut self, mode: Mode) -> bool {
        if !self.bytes[self.at..].starts_with(b"[[") {
            return false;
        }
        let Some((target, end)) = wiki_link(self.text, self.at) else {
            return false;
        };
        // The first of the brackets at the end may follow the text of this level.
        if end - "]]".len() > self.max {
            return false;
        }
        if mode == Mode::Read {
            self.add(target, Form::Wiki);
            self.pending = 0;
        }
        self.at = end;
        true
    }

    /// The end of the label that `[` at `start` opens. A label that contains a link has no end, unless
    /// it may hold links.
    fn label_end(&mut self, start: usize, may_hold_links: bool) -> Option<usize> {
        if start >= self.labels_end {
            return None;
        }
        let old = std::mem::replace(&mut self.at, start + 1);
        let mut depth = 1;
        let mut end = None;
        while self.at < self.max {
            let (before, mark) = (self.at, self.bytes[self.at]);
            if mark == b']' {
                depth -= 1;
                if depth == 0 {
                    end = Some(before);
                    break;
                }
            }
            self.skip_token();
            if mark == b'[' {
                if self.at == before + 1 {
                    depth += 1;
                } else if !may_hold_links {
                    break;
                }
                if depth > MAX_LABEL_NESTING {
                    break;
                }
            }
        }
        self.at = old;
        end
    }

    pub(super) fn link(&mut self, mode: Mode) -> bool {
        let start = self.at;
        let Some(label_end) = self.label_end(start, false) else {
            return false;
        };
        let label = start + 1..label_end;
        let Some(found) = self.link_after_label(label) else {
            return false;
        };
        if mode == Mode::Read {
            self.read_link(&found);
        }
        self.at = found.end;
        true
    }

    fn read_link(&mut self, found: &ParsedLink) {
        self.add_target(&found.target);
        let max = std::mem::replace(&mut self.max, found.label.end);
        self.at = found.label.start;
        self.pending = 0;
        self.level += 1;
        self.open_links += 1;
        self.tokenize();
        self.open_links -= 1;
        self.level -= 1;
        self.max = max;
    }

    /// Reads the part of a link after its label.
    fn link_after_label(&mut self, label: Range<usize>) -> Option<ParsedLink> {
        let mut at = label.end + 1;
        if at < self.max && self.bytes[at] == b'(' {
            let start = self.skip_blanks(at + 1);
            if start >= self.max {
                return None;
            }
            let (target, after) = self.destination_and_title(start);
            if after < self.max && self.bytes[after] == b')' {
                return Some(ParsedLink {
                    label,
                    target,
                    end: after + 1,
                });
            }
            // It may still be a reference. The page looks for its label from here on.
            at = after + 1;
        }
        self.reference(label, at)
    }

    /// A destination, and a title after a blank.
    fn destination_and_title(&self, start: usize) -> (InlineTarget, usize) {
        let Some(found) = destination(self.bytes, start, self.max) else {
            return (InlineTarget::Reference, start);
        };
        let end = self.end_of_title(found.end);
        (InlineTarget::Inline(found.range, found.form), end)
    }

    fn end_of_title(&self, after_destination: usize) -> usize {
        let at = self.skip_blanks(after_destination);
        match title(self.bytes, at, self.max) {
            Title::Closed { end, .. } if at < self.max && at != after_destination => {
                self.skip_blanks(end)
            }
            Title::Closed { .. } | Title::Open { .. } | Title::None => at,
        }
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..self.max).unwrap_or_default();
        at + rest
            .iter()
            .take_while(|byte| is_space(**byte) || **byte == b'\n')
            .count()
    }

    /// `[text][label]`, `[label][]` and `[label]`.
    fn reference(&mut self, text: Range<usize>, at: usize) -> Option<ParsedLink> {
        if self.page.definitions.is_empty() {
            return None;
        }
        let (mut label, mut end) = (text.clone(), text.end + 1);
        if at < self.max
            && self.bytes[at] == b'['
            && let Some(label_end) = self.label_end(at, true)
        {
            end = label_end + 1;
            if label_end > at + 1 {
                label = at + 1..label_end;
            }
        }
        let label = normalized_label(&self.text[label]);
        let is_defined = self.page.definitions.contains_key(&label);
        is_defined.then_some(ParsedLink {
            label: text,
            target: InlineTarget::Reference,
            end,
        })
    }

    pub(super) fn picture(&mut self, mode: Mode) -> bool {
        if self.bytes.get(self.at + 1) != Some(&b'[') {
            return false;
        }
        let Some(label_end) = self.label_end(self.at + 1, true) else {
            return false;
        };
        let label = self.at + 2..label_end;
        let Some(found) = self.picture_after_label(label) else {
            return false;
        };
        if mode == Mode::Read {
            self.add_target(&found.target);
            self.tokenize_separately(found.label, true);
            self.pending = 0;
        }
        self.at = found.end;
        true
    }

    /// Reads the part of a picture after its alternative text.
    fn picture_after_label(&mut self, label: Range<usize>) -> Option<ParsedLink> {
        let at = label.end + 1;
        if at >= self.max || self.bytes[at] != b'(' {
            return self.reference(label, at);
        }
        let start = self.skip_blanks(at + 1);
        if start >= self.max {
            return None;
        }
        let (target, after) = match destination(self.bytes, start, self.max) {
            Some(found) => (InlineTarget::Inline(found.range, found.form), found.end),
            None => (InlineTarget::Reference, start),
        };
        let after = self.end_of_title(after);
        let closes = after < self.max && self.bytes[after] == b')';
        closes.then_some(ParsedLink {
            label,
            target,
            end: after + 1,
        })
    }

    /// Reads a part of the text as a text of its own.
    fn tokenize_separately(&mut self, part: Range<usize>, is_in_picture: bool) {
        let offset = self.offset + part.start;
        let text = &self.text[part];
        Inline::new(
            text,
            offset,
            is_in_picture,
            self.page,
            self.footnotes_used,
            self.found,
        )
        .tokenize();
    }

    /// `^[text]`.
    pub(super) fn inline_footnote(&mut self, mode: Mode) -> bool {
        if self.at + 2 >= self.max
            || self.bytes[self.at + 1] != b'['
            || self.footnotes_used.count >= MAX_FOOTNOTES
        {
            return false;
        }
        let Some(label_end) = self.label_end(self.at + 1, true) else {
            return false;
        };
        if mode == Mode::Read {
            self.footnotes_used.count += 1;
            // The page renders footnotes at its end, also those in a picture.
            self.tokenize_separately(self.at + 2..label_end, false);
            self.pending = 0;
        }
        self.at = label_end + 1;
        true
    }

    /// `[^label]`.
    pub(super) fn footnote_reference(&mut self, mode: Mode) -> bool {
        let start = self.at + 2;
        if self.at + 3 > self.max || self.bytes[self.at + 1] != b'^' {
            return false;
        }
        let ends = |byte: &u8| matches!(byte, b' ' | b'\n' | b']');
        let Some(length) = self.bytes[start..self.max].iter().position(ends) else {
            return false;
        };
        let end = start + length;
        let label = &self.text[start..end];
        if length == 0 || self.bytes[end] != b']' || !self.page.footnotes.contains(label) {
            return false;
        }
        if mode == Mode::Read {
            let range = self.offset + start..self.offset + end;
            self.found.footnotes.push(range);
        }
        let is_new = !self.footnotes_used.labels.contains(label);
        if is_new && self.footnotes_used.count >= MAX_FOOTNOTES {
            // Footnotes beyond the limit are text.
            self.pending += if mode == Mode::Read {
                end + 1 - self.at
            } else {
                0
            };
        } else if mode == Mode::Read {
            if is_new {
                self.footnotes_used.labels.insert(label.to_owned());
                self.footnotes_used.count += 1;
            }
            self.pending = 0;
        }
        self.at = end + 1;
        true
    }

    fn add_target(&mut self, target: &InlineTarget) {
        if let InlineTarget::Inline(range, form) = target {
            self.add(range.clone(), *form);
        }
    }

    pub(super) fn add(&mut self, range: Range<usize>, form: Form) {
        if self.is_in_picture {
            return;
        }
        self.found.links.push(InlineLink {
            range: self.offset + range.start..self.offset + range.end,
            form,
        });
    }
}
