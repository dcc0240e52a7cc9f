//! The value of a destination: its backslash escapes and entities resolved.

use std::borrow::Cow;
use std::collections::HashMap;

use pulldown_cmark::{Event, Parser};

use super::destination::Form;

/// The longest name of an entity, in bytes.
const LONGEST_NAME: usize = 32;

/// Resolves escapes and entities. Caches the entities that were looked up.
#[derive(Debug, Default)]
pub(crate) struct Unescape {
    /// `None` for text that has the form of an entity but is not one.
    named: HashMap<String, Option<String>>,
}

/// The value of a destination.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) text: String,
    /// The start of its query or fragment in the source text; at its end if it has none.
    pub(crate) tail: usize,
}

impl Unescape {
    /// Reads a destination. Between double or autolink brackets there are no escapes.
    pub(crate) fn read(&mut self, written: &str, form: Form) -> Value {
        let whole = |tail| Value {
            text: written.to_owned(),
            tail,
        };
        let tail = written.find(['?', '#']);
        match (form, block_id(written)) {
            (Form::Wiki | Form::Property(_), Some(tail)) => {
                return Value {
                    text: with_hash(written, tail),
                    tail,
                };
            }
            (Form::Wiki | Form::Property(_) | Form::Autolink, _) => {
                return whole(tail.unwrap_or(written.len()));
            }
            (Form::Plain | Form::Angle, _) => {}
        }
        let mut text = String::with_capacity(written.len());
        let (mut at, mut tail) = (0, None);
        while let Some(character) = written[at..].chars().next() {
            let (from, begin) = (text.len(), at);
            let next = written.as_bytes().get(at + 1);
            if character == '\\' && next.is_some_and(u8::is_ascii_punctuation) {
                text.push_str(&written[at + 1..at + 2]);
                at += 2;
            } else if character == '&'
                && let Some((length, value)) = self.entity(&written[at..])
            {
                text.push_str(&value);
                at += length;
            } else {
                text.push(if character == '\0' {
                    '\u{FFFD}'
                } else {
                    character
                });
                at += character.len_utf8();
            }
            if tail.is_none() && text[from..].contains(['?', '#']) {
                tail = Some(begin);
            }
        }
        Value {
            text,
            tail: tail.unwrap_or(written.len()),
        }
    }

    /// The entity at the start of `text`: its length and its value.
    fn entity(&mut self, text: &str) -> Option<(usize, String)> {
        let bytes = text.as_bytes();
        let length = bytes
            .iter()
            .take(LONGEST_NAME + 2)
            .position(|byte| *byte == b';')?
            + 1;
        let name = text.get(1..length - 1)?;
        if name.len() < 2 || !name.as_bytes()[1..].iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let value = match name.as_bytes()[0] {
            b'#' => character_of(&name[1..])?.to_string(),
            first if first.is_ascii_alphabetic() => self.named(&text[..length])?,
            _ => return None,
        };
        Some((length, value))
    }

    fn named(&mut self, written: &str) -> Option<String> {
        if !self.named.contains_key(written) {
            self.named.insert(written.to_owned(), look_up(written));
        }
        self.named[written].clone()
    }
}

/// Returns the meaning of what is between double brackets: `/page^id` is short for `/page#^id`.
pub(crate) fn wiki_target(written: &str) -> Cow<'_, str> {
    block_id(written).map_or(written.into(), |at| with_hash(written, at).into())
}

/// Returns the place of the `^` of a block id at the end of a target without a query or fragment.
pub(super) fn block_id(written: &str) -> Option<usize> {
    let (path, id) = written.rsplit_once('^')?;
    let is_id = id.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
        && id.bytes().any(|c| c.is_ascii_alphabetic());
    (is_id && !path.contains(['?', '#'])).then_some(path.len())
}

fn with_hash(written: &str, at: usize) -> String {
    format!("{}#{}", &written[..at], &written[at..])
}

/// The character of a numeric entity, if it is allowed in a text.
fn character_of(number: &str) -> Option<char> {
    let digits = number.strip_prefix(['x', 'X']);
    let length = digits.unwrap_or(number).len();
    if !(1..=8).contains(&length) {
        return None;
    }
    let code = match digits {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    let is_control = matches!(code, 0..=8 | 11 | 14..=31 | 127..=159);
    let is_no_character = matches!(code, 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE;
    (!is_control && !is_no_character)
        .then(|| char::from_u32(code))
        .flatten()
}

/// The value of a named entity, by the parser's table.
fn look_up(written: &str) -> Option<String> {
    let texts = Parser::new(written).filter_map(|event| {
        if let Event::Text(text) = event {
            Some(text.into_string())
        } else {
            None
        }
    });
    let text: String = texts.collect();
    (text != written).then_some(text)
}
