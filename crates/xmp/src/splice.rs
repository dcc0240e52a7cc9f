//! Changes parts of a text, keeps everything between them, and lays out inserted text.

use std::ops::Range;

use roxmltree::{Attribute, Node};

use super::bounds::tag_end;

/// Changes that are collected and then applied at once. They may touch but not overlap.
pub(super) struct Splices<'a> {
    text: &'a str,
    all: Vec<(Range<usize>, String)>,
}

impl<'a> Splices<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            all: Vec::new(),
        }
    }

    pub(super) fn replace(&mut self, range: Range<usize>, new: String) {
        if self.text[range.clone()] != new {
            self.all.push((range, new));
        }
    }

    /// Sets the value of an attribute.
    pub(super) fn set(&mut self, attribute: &Attribute<'_, '_>, value: &str) {
        let mut range = attribute.range();
        range.end -= 1;
        let quote = &self.text[range.end..=range.end];
        let start = self.text[range.clone()].find(quote);
        range.start += start.expect("BUG: a value is quoted at both ends") + 1;
        // XML reads white space in an attribute as blanks, unless it is written as a reference.
        let references = [
            ('"', "&quot;"),
            ('\'', "&apos;"),
            ('\n', "&#10;"),
            ('\t', "&#9;"),
        ];
        let value = references
            .iter()
            .fold(escaped(value), |value, (character, reference)| {
                value.replace(*character, reference)
            });
        self.replace(range, value);
    }

    /// Removes a range, with the white space before it.
    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.all
            .push((self.space_before(range.start)..range.end, String::new()));
    }

    /// Returns the start of the white space before a position.
    pub(super) fn space_before(&self, at: usize) -> usize {
        self.text[..at].trim_end_matches(is_space).len()
    }

    /// Returns the range between an element's tags; `None` if it has only one.
    pub(super) fn inside(&self, element: Node<'_, '_>) -> Option<Range<usize>> {
        let range = element.range();
        let source = &self.text[range.clone()];
        let start = tag_end(source).expect("BUG: a parsed element has a tag");
        // An element with content has an end tag.
        let end = source.rfind("</").filter(|&end| end >= start)?;
        Some(range.start + start..range.start + end)
    }

    /// Appends `children` to those of an element.
    pub(super) fn append(&mut self, element: Node<'_, '_>, children: &[String]) {
        let layout = Layout::in_element(self.text, element);
        let new: String = children
            .iter()
            .map(|child| format!("{}{child}", layout.line(0)))
            .collect();
        match (element.last_element_child(), self.inside(element)) {
            (Some(last), _) => self.replace(last.range().end..last.range().end, new),
            (None, Some(inside)) => {
                // Comments and the last line break are kept.
                let at = self.space_before(inside.end);
                let end = if at == inside.end {
                    layout.outer_line()
                } else {
                    String::new()
                };
                self.replace(at..at, new + &end);
            }
            (None, None) => self.fill(element, new + &layout.outer_line()),
        }
    }

    /// Replaces the content between an element's tags.
    pub(super) fn fill(&mut self, element: Node<'_, '_>, new: String) {
        if let Some(inside) = self.inside(element) {
            return self.replace(inside, new);
        }
        let end = element.range().end;
        let name = name_of(self.text, element);
        self.replace(end - "/>".len()..end, format!(">{new}</{name}>"));
    }

    pub(super) fn finish(mut self) -> String {
        // An insertion before a range precedes the replacement of the range.
        self.all.sort_by_key(|(range, _)| (range.start, range.end));
        let mut made = String::with_capacity(self.text.len() + 1024);
        let mut at = 0;
        for (range, new) in &self.all {
            made.push_str(&self.text[at..range.start]);
            made.push_str(new);
            at = range.end;
        }
        made + &self.text[at..]
    }
}

/// Returns the name of an element as written in the file, with its prefix.
fn name_of<'a>(text: &'a str, element: Node<'_, '_>) -> &'a str {
    let source = &text[element.range().start + 1..];
    let end = source.find(|c| is_space(c) || matches!(c, '/' | '>'));
    &source[..end.unwrap_or(source.len())]
}

/// The layout of an element's children: each on a line of its own, or all on one.
pub(super) struct Layout {
    /// The line break; empty if the file has no lines.
    line_break: &'static str,
    outer: String,
    indent: String,
}

impl Layout {
    pub(super) fn in_element(text: &str, element: Node<'_, '_>) -> Self {
        let outer = indent_at(text, element.range().start);
        let child = element.first_element_child();
        let own = child.map(|child| indent_at(text, child.range().start));
        let (outer, indent) = match (outer, own) {
            (outer, Some(Some(own))) => (outer.unwrap_or_default(), own.to_owned()),
            (Some(outer), None) => (outer, format!("{outer} ")),
            (_, Some(None)) | (None, None) => return Self::single_line(),
        };
        Self {
            line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
            outer: outer.to_owned(),
            indent,
        }
    }

    fn single_line() -> Self {
        Self {
            line_break: "",
            outer: String::new(),
            indent: String::new(),
        }
    }

    /// Returns the beginning of the line of a child, or of an element `depth` levels deeper.
    pub(super) fn line(&self, depth: usize) -> String {
        if self.line_break.is_empty() {
            return String::new();
        }
        let step = self.indent.strip_prefix(&self.outer).unwrap_or_default();
        let step = if step.is_empty() { " " } else { step };
        format!("{}{}{}", self.line_break, self.indent, step.repeat(depth))
    }

    /// Returns the layout of the children of a child.
    pub(super) fn child_layout(&self) -> Self {
        let line = self.line(1);
        Self {
            line_break: self.line_break,
            outer: self.indent.clone(),
            indent: line.trim_start_matches(['\r', '\n']).to_owned(),
        }
    }

    /// Returns the beginning of the line of the closing tag.
    fn outer_line(&self) -> String {
        format!("{}{}", self.line_break, self.outer)
    }
}

/// Returns the white space before the first text of a line; `None` if other text precedes the position.
fn indent_at(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let indent = &text[line..at];
    indent.chars().all(is_space).then_some(indent)
}

/// Returns true for white space as defined by XML.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// Escapes a text between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
