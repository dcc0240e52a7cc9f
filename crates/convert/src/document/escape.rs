//! Escapes of plain text. Only what would be read as markup is escaped, because people edit the text afterwards.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that end or confuse a destination in parentheses. `%` stays, because destinations are encoded already.
const DESTINATION: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'(')
    .add(b')')
    .add(b'\\')
    .add(b'`')
    .add(b'|');

/// Encodes what a destination in parentheses can't contain.
pub(super) fn encode_destination(target: &str) -> String {
    utf8_percent_encode(target.trim(), DESTINATION).to_string()
}

/// The place of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// In a cell of a table, `|` ends the cell.
    pub(super) table: bool,
    /// In the text of a link, brackets end the link.
    pub(super) link: bool,
}

/// The characters that are markup only in pairs, and occur at least twice in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paired {
    pub(super) dollar: usize,
    pub(super) tilde: usize,
    pub(super) caret: usize,
    pub(super) equals: usize,
}

impl Paired {
    pub(super) fn count(&mut self, text: &str) {
        self.dollar += text.matches('$').count();
        self.tilde += text.matches('~').count();
        self.caret += text.matches('^').count();
        self.equals += text.matches("==").count();
    }
}

/// Appends a text so that it is displayed as it is.
pub(super) fn escape(out: &mut String, text: &str, place: Place, paired: &Paired) {
    // Characters that aren't displayed would separate an escape from its character.
    let is_invisible = |char: char| char.is_control() && char != '\t';
    let cleaned: Cow<'_, str> = match text.contains(is_invisible) {
        true => text.replace(is_invisible, "").into(),
        false => text.into(),
    };
    let mut rest: &str = &cleaned;
    while let Some(char) = rest.chars().next() {
        // Web addresses are recognized before everything else, and an escape would become part of them.
        if char == 'h'
            && (rest.starts_with("https://") || rest.starts_with("http://"))
            && !place.link
        {
            let end = rest.find(|char: char| char.is_whitespace() || "<>\"`|\\".contains(char));
            let (address, after) = rest.split_at(end.unwrap_or(rest.len()));
            out.push_str(address);
            rest = after;
            continue;
        }
        let after = &rest[char.len_utf8()..];
        if char.is_ascii_punctuation() && is_markup(char, out, after, place, paired) {
            out.push('\\');
        }
        out.push(char);
        rest = after;
    }
}

fn is_markup(char: char, before: &str, after: &str, place: Place, paired: &Paired) -> bool {
    let next = after.chars().next();
    let previous = before.chars().next_back();
    // At either end of a piece, a mark or another piece may follow.
    let is_blank = |char: Option<char>| char.is_some_and(char::is_whitespace);
    let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    match char {
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation() || next.is_whitespace()),
        '`' => true,
        '*' => !(is_blank(previous) && is_blank(next)),
        '_' => !(is_word(previous) && is_word(next) || is_blank(previous) && is_blank(next)),
        '[' => place.link || !is_plain_bracket(near(after)),
        ']' => place.link,
        '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
        '&' => {
            next.is_none()
                || near(after)
                    .split_once(';')
                    .is_some_and(|(name, _)| is_entity(name))
        }
        '~' => paired.tilde > 1,
        '^' => paired.caret > 1 || next == Some('[') || previous.is_none_or(char::is_whitespace),
        '=' => paired.equals > 1 && next == Some('='),
        '$' => paired.dollar > 1,
        '|' => place.table,
        _ => false,
    }
}

/// Returns the start of a text. Looking further at each character would take quadratic time.
fn near(text: &str) -> &str {
    let mut end = text.len().min(200);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns true if a bracket before this text is no part of a link.
fn is_plain_bracket(after: &str) -> bool {
    let starts = !after.starts_with(['[', '^', '!']);
    let inner = after.split_once(']');
    starts
        && inner.is_some_and(|(inner, rest)| {
            !inner.contains('[') && !rest.is_empty() && !rest.starts_with(['(', ':', '['])
        })
}

fn is_entity(name: &str) -> bool {
    name.len() < 33
        && name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '#')
}

/// Returns true if an item that starts with this line would be a task.
fn is_task_box(line: &str) -> bool {
    let mut chars = line.chars().skip(2);
    chars.next() == Some(']') && chars.next().is_none_or(char::is_whitespace)
}

/// Escapes what would start a block at the start of a line of a paragraph.
pub(super) fn escape_line_start(line: &str) -> String {
    let escaped_at = |at: usize| format!("{}\\{}", &line[..at], &line[at..]);
    let is_end = |at: usize| {
        line[at..]
            .chars()
            .next()
            .is_none_or(|char| char == ' ' || char == '\t')
    };
    let Some(first) = line.chars().next() else {
        return String::new();
    };
    let ruled = |allowed: &str| line.chars().all(|char| allowed.contains(char));
    match first {
        '#' => {
            let hashes = line.len() - line.trim_start_matches('#').len();
            if hashes <= 6 && is_end(hashes) {
                return escaped_at(0);
            }
        }
        '>' => return escaped_at(0),
        '[' if is_task_box(line) => return escaped_at(0),
        '-' | '+' | '*' | ':' if is_end(1) => return escaped_at(0),
        '0'..='9' => {
            let digits = line.len()
                - line
                    .trim_start_matches(|char: char| char.is_ascii_digit())
                    .len();
            let is_marker = line[digits..].starts_with(['.', ')']) && is_end(digits + 1);
            if digits <= 9 && is_marker {
                return escaped_at(digits);
            }
        }
        '~' if line.starts_with("~~~") => return escaped_at(0),
        _ => {}
    }
    // Thematic breaks, underlines of headings, and delimiters of tables.
    if "-=_*|:".contains(first) && (ruled("-|: ") || ruled("= ") || ruled("_ ") || ruled("* ")) {
        return escaped_at(0);
    }
    line.to_owned()
}
