//! The fields of front matter, and where each is in the text.

use std::collections::HashSet;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use super::PropertyFault;

/// The maximum size of front matter, in bytes. It is read whenever its page is.
const MAX_SIZE: usize = 64 << 10;

/// A field.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// The complete lines of the field, without comments below it.
    pub(super) lines: Range<usize>,
    /// The end of the colon after the name; `None` if the field does not begin its line, or has an unusual name.
    pub(super) colon: Option<usize>,
    pub(super) node: Node,
    /// The end of the value.
    pub(super) end: usize,
}

/// The value of a field.
#[derive(Debug)]
pub(super) enum Node {
    Scalar(Scalar),
    /// A list of scalars.
    List {
        range: Range<usize>,
        /// True for `[a, b]`.
        is_flow: bool,
        items: Vec<Scalar>,
    },
    Other,
}

#[derive(Debug)]
pub(super) struct Scalar {
    pub(super) text: String,
    /// Its place, with its quotes.
    pub(super) range: Range<usize>,
    pub(super) style: ScalarStyle,
}

/// Returns the fields of front matter, in the order of the text.
pub(super) fn fields(yaml: &str) -> Result<Vec<Field>, PropertyFault> {
    if yaml.len() > MAX_SIZE {
        let reason = format!("it is longer than {} KiB", MAX_SIZE >> 10);
        return Err(PropertyFault {
            line: Some(1),
            reason,
        });
    }
    let mut reader = Reader::new(yaml);
    let fields = reader.document()?;
    let mut names = HashSet::new();
    for field in &fields {
        if !names.insert(&field.name) {
            let before = &yaml[..field.lines.start];
            let line = before
                .matches('\n')
                .count()
                .max(before.matches('\r').count());
            let reason = format!("“{}” occurs twice", field.name);
            return Err(fault_at(line + 1, reason));
        }
    }
    Ok(fields)
}

/// Returns the places of the texts in the values of all fields, at any depth, with their quotes; none if the front
/// matter can't be read.
pub(super) fn texts(yaml: &str) -> Vec<(Range<usize>, ScalarStyle)> {
    if yaml.len() > MAX_SIZE {
        return Vec::new();
    }
    let mut reader = Reader::new(yaml);
    let mut texts = Vec::new();
    // The open lists and fields; for fields, whether a name is next.
    let mut open: Vec<Option<bool>> = Vec::new();
    while let Ok((event, range)) = reader.next() {
        let kind = match event {
            Event::StreamEnd => return texts,
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            Event::Scalar(_, style, ..) => {
                if matches!(open.last(), Some(None | Some(false))) {
                    texts.push((without_rest(yaml, range, style), style));
                }
                None
            }
            Event::SequenceStart(..) => Some(None),
            Event::MappingStart(..) => Some(Some(true)),
            Event::Alias(_) => None,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            }
        };
        if let Some(Some(is_name)) = open.last_mut() {
            *is_name = !*is_name;
        }
        open.extend(kind);
    }
    Vec::new()
}

/// Returns the place of a scalar without the blanks and comments that the parser counts as part of a quoted one.
fn without_rest(yaml: &str, range: Range<usize>, style: ScalarStyle) -> Range<usize> {
    let mut rest = yaml[range.clone()].char_indices().skip(1).peekable();
    let quote = match style {
        ScalarStyle::SingleQuoted => '\'',
        ScalarStyle::DoubleQuoted => '"',
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => return range,
    };
    while let Some((at, character)) = rest.next() {
        let next_is_quote = rest.peek().is_some_and(|(_, next)| *next == quote);
        match character {
            '\\' if quote == '"' => {
                rest.next();
            }
            '\'' if quote == character && next_is_quote => {
                rest.next();
            }
            _ if character == quote => return range.start..range.start + at + 1,
            _ => {}
        }
    }
    range
}

/// A fault in a line of the front matter, from 1. The first line of the page consists of dashes.
fn fault_at(line: usize, reason: String) -> PropertyFault {
    PropertyFault {
        line: u32::try_from(line + 1).ok(),
        reason,
    }
}

fn no_fields() -> PropertyFault {
    PropertyFault {
        line: None,
        reason: "it has no named fields".to_owned(),
    }
}

struct Reader<'y> {
    yaml: &'y str,
    /// The positions of the characters, by which the parser counts.
    offsets: Vec<usize>,
    parser: Parser<'y, StrInput<'y>>,
    /// The line of the last event, from 1.
    line: usize,
}

type Read<T> = Result<T, PropertyFault>;

impl<'y> Reader<'y> {
    fn new(yaml: &'y str) -> Self {
        let starts = yaml.char_indices().map(|(at, _)| at);
        Self {
            offsets: starts.chain([yaml.len()]).collect(),
            yaml,
            parser: Parser::new_from_str(yaml),
            line: 1,
        }
    }

    fn next(&mut self) -> Read<(Event<'y>, Range<usize>)> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let offset = |at: usize| self.offsets.get(at).copied().unwrap_or(self.yaml.len());
                let (start, end) = (offset(span.start.index()), offset(span.end.index()));
                self.line = span.start.line();
                Ok((event, start..end.max(start)))
            }
            Some(Err(error)) => Err(fault_at(error.marker().line(), error.info().to_owned())),
            None => Ok((Event::StreamEnd, self.yaml.len()..self.yaml.len())),
        }
    }

    fn document(&mut self) -> Read<Vec<Field>> {
        loop {
            let (event, range) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd => return Ok(Vec::new()),
                Event::Scalar(text, ScalarStyle::Plain, 0, None)
                    if matches!(&*text, "" | "~" | "null") =>
                {
                    self.end_of_document()?;
                    return Ok(Vec::new());
                }
                Event::MappingStart(..) => {
                    let is_flow = self.yaml[range].starts_with('{');
                    let fields = self.mapping(is_flow)?;
                    self.end_of_document()?;
                    return Ok(fields);
                }
                Event::Nothing
                | Event::DocumentEnd
                | Event::Alias(_)
                | Event::Scalar(..)
                | Event::SequenceStart(..)
                | Event::SequenceEnd
                | Event::MappingEnd => {
                    // An error further on is the better reason.
                    while !matches!(self.next()?.0, Event::StreamEnd) {}
                    return Err(no_fields());
                }
            }
        }
    }

    fn end_of_document(&mut self) -> Read<()> {
        loop {
            let event = self.next()?.0;
            if matches!(event, Event::StreamEnd) {
                return Ok(());
            }
            if !matches!(event, Event::DocumentEnd) {
                let reason = "a second document begins here".to_owned();
                return Err(fault_at(self.line, reason));
            }
        }
    }

    fn mapping(&mut self, is_flow: bool) -> Read<Vec<Field>> {
        let mut fields = Vec::new();
        loop {
            let (event, range) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok(fields);
            }
            let (key, key_end) = self.node(event, range.clone())?;
            let (event, value) = self.next()?;
            let (node, end) = self.node(event, value)?;
            let name = match &key {
                Node::Scalar(scalar) => scalar.text.clone(),
                Node::List { .. } | Node::Other => {
                    self.yaml[range.start..key_end].trim().to_owned()
                }
            };
            let is_name = matches!(key, Node::Scalar(_)) && !is_flow;
            let colon = self.colon(range.start, key_end).filter(|_| is_name);
            let end = end.max(colon.unwrap_or(key_end));
            let end = range.start + self.yaml[range.start..end].trim_end().len();
            fields.push(Field {
                name,
                lines: self.line_start(range.start)..self.line_end(end),
                colon,
                node,
                end,
            });
        }
    }

    /// Returns a value with its end, beginning with its first event.
    fn node(&mut self, event: Event<'y>, range: Range<usize>) -> Read<(Node, usize)> {
        let range = match &event {
            Event::Scalar(_, style, ..) => without_rest(self.yaml, range, *style),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::Alias(_)
            | Event::SequenceStart(..)
            | Event::SequenceEnd
            | Event::MappingStart(..)
            | Event::MappingEnd => range,
        };
        let range = range.start..range.start + self.yaml[range.clone()].trim_end().len();
        let end = range.end;
        match event {
            Event::Scalar(text, style, 0, None)
                if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) =>
            {
                let text = text.into_owned();
                Ok((Node::Scalar(Scalar { text, range, style }), end))
            }
            Event::SequenceStart(anchor, ref tag) => {
                let is_plain = anchor == 0 && tag.is_none();
                let (items, end) = self.sequence(&range)?;
                let is_flow = self.yaml[range.start..].starts_with('[') && !range.is_empty();
                let range = range.start..end;
                Ok(match items.filter(|_| is_plain) {
                    Some(items) => (
                        Node::List {
                            range,
                            is_flow,
                            items,
                        },
                        end,
                    ),
                    None => (Node::Other, end),
                })
            }
            Event::MappingStart(..) => {
                let end = self.rest_of_collection(end)?;
                Ok((Node::Other, end))
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::Alias(_)
            | Event::Scalar(..)
            | Event::SequenceEnd
            | Event::MappingEnd => Ok((Node::Other, end)),
        }
    }

    /// Reads a list, and returns its items if all are scalars.
    fn sequence(&mut self, start: &Range<usize>) -> Read<(Option<Vec<Scalar>>, usize)> {
        let (mut items, mut end) = (Some(Vec::new()), start.end);
        loop {
            let (event, range) = self.next()?;
            if matches!(event, Event::SequenceEnd) {
                return Ok((items, self.collection_end(&range, end)));
            }
            // Deeper levels are skipped without recursion.
            let is_nested = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
            let (node, node_end) = match is_nested {
                true => (Node::Other, self.rest_of_collection(range.end)?),
                false => self.node(event, range)?,
            };
            end = end.max(node_end);
            match node {
                Node::Scalar(scalar) => {
                    if let Some(items) = &mut items {
                        items.push(scalar);
                    }
                }
                Node::List { .. } | Node::Other => items = None,
            }
        }
    }

    /// Skips the rest of a list or of fields. Returns its end.
    fn rest_of_collection(&mut self, mut end: usize) -> Read<usize> {
        let mut depth = 1_usize;
        while depth > 0 {
            let (event, range) = self.next()?;
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => {
                    depth -= 1;
                    end = self.collection_end(&range, end);
                }
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Alias(_)
                | Event::Scalar(..) => end = end.max(range.end),
            }
        }
        Ok(end)
    }

    /// The end of a collection; the event of a list or of fields without brackets is further down.
    fn collection_end(&self, event: &Range<usize>, contents: usize) -> usize {
        match self.yaml[event.start..].starts_with([']', '}']) && !event.is_empty() {
            true => event.start + 1,
            false => contents,
        }
    }

    /// Returns the end of the colon after the name of a field that begins its line.
    fn colon(&self, start: usize, end: usize) -> Option<usize> {
        let before = &self.yaml[self.line_start(start)..start];
        let rest = &self.yaml[end..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let has_colon = rest[blanks..].starts_with(':') && before.chars().all(|c| c == ' ');
        has_colon.then_some(end + blanks + 1)
    }

    fn line_start(&self, at: usize) -> usize {
        self.yaml[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = &self.yaml[at..];
        match rest.find(['\n', '\r']) {
            Some(length) if rest[length..].starts_with("\r\n") => at + length + 2,
            Some(length) => at + length + 1,
            None => self.yaml.len(),
        }
    }
}
