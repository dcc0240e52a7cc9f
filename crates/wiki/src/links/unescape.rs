//! What a destination says once its backslashes and entities are resolved, as the parser does it.

use std::collections::HashMap;

use pulldown_cmark::{Event, Parser};

/// The longest name of an entity, in bytes.
const LONGEST_NAME: usize = 32;

/// Resolves escapes, and remembers the entities that it had to ask for.
#[derive(Debug, Default)]
pub(super) struct Unescape {
    /// None for what looks like an entity and is none.
    named: HashMap<String, Option<String>>,
}

/// What a destination says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) destination: String,
    /// Where its query or fragment begins in what is written; its end if it has none.
    pub(super) tail: usize,
}

impl Unescape {
    /// Reads a destination. In a table `\|` is a bar, whatever stands before it.
    pub(super) fn read(&mut self, written: &str, in_table: bool) -> Said {
        let bytes = written.as_bytes();
        let mut said = Said {
            destination: String::with_capacity(written.len()),
            tail: written.len(),
        };
        let (mut at, mut tail) = (0, None);
        while at < bytes.len() {
            let begin = at;
            let from = said.destination.len();
            match &bytes[at..] {
                [b'\\', b'\\', b'|', ..] if in_table => {
                    said.destination.push('|');
                    at += 3;
                }
                [b'\\', mark, ..] if mark.is_ascii_punctuation() => {
                    said.destination.push(char::from(*mark));
                    at += 2;
                }
                [b'\r', ..] => at += 1,
                [b'&', ..] => match self.entity(&written[at..]) {
                    Some((length, value)) => {
                        said.destination.push_str(&value);
                        at += length;
                    }
                    None => {
                        said.destination.push('&');
                        at += 1;
                    }
                },
                _ => {
                    let character = written[at..].chars().next().expect("BUG: at is inside");
                    said.destination.push(character);
                    at += character.len_utf8();
                }
            }
            if tail.is_none() && said.destination[from..].contains(['?', '#']) {
                tail = Some(begin);
            }
        }
        said.tail = tail.unwrap_or(written.len());
        said
    }

    /// The entity at the beginning of `text`: its length and what it stands for.
    fn entity(&mut self, text: &str) -> Option<(usize, String)> {
        let length = text
            .bytes()
            .take(LONGEST_NAME + 2)
            .position(|byte| byte == b';')?
            + 1;
        let written = &text[..length];
        if !self.named.contains_key(written) {
            self.named.insert(written.to_owned(), ask(written));
        }
        self.named[written].clone().map(|value| (length, value))
    }
}

/// What the parser takes an entity for.
fn ask(written: &str) -> Option<String> {
    let name = &written[1..written.len() - 1];
    if name.is_empty()
        || !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
    {
        return None;
    }
    let said: String = Parser::new(written)
        .filter_map(|event| {
            if let Event::Text(text) = event {
                Some(text.into_string())
            } else {
                None
            }
        })
        .collect();
    (said != written).then_some(said)
}
