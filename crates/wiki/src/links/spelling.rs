//! The spelling of a page as a destination.

use std::borrow::Cow;

use percent_encoding::percent_encode_byte;

use super::scan::{Form, Quotes};
use crate::id::PageId;
use crate::markdown::is_white_space;
use crate::path::PagePath;

/// Returns a page as the store writes it.
pub(super) fn id(page: PageId) -> String {
    format!("page:{page}")
}

/// Returns a page's path as it is shown: as readable as its position allows.
pub(super) fn path(path: &PagePath, form: Form) -> String {
    text(path.as_str(), form)
}

/// Returns a path, or the name of a file, as it is shown.
pub(super) fn text(path: &str, form: Form) -> String {
    // A blank at the end would be read as a blank before `]]` or `|`.
    let blanks = path.trim_end_matches(is_white_space).len();
    let mut spelled = String::with_capacity(path.len());
    for (at, character) in path.char_indices() {
        if at >= blanks || is_misread(character, form) {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                spelled.push_str(percent_encode_byte(byte));
            }
        } else {
            spelled.push(character);
        }
    }
    match form {
        Form::Property(quotes) => in_quotes(&spelled, quotes),
        Form::Plain | Form::Angle | Form::Wiki | Form::Autolink => spelled,
    }
}

/// Returns a text as it is written in the quotes of a property.
pub(super) fn in_quotes(text: &str, quotes: Quotes) -> String {
    match quotes {
        Quotes::Single => text.replace('\'', "''"),
        Quotes::Double => text.replace('\\', "\\\\").replace('"', "\\\""),
        // A colon before a blank would end a name, and a number sign after one would begin a comment.
        Quotes::None => text.replace(": ", "%3A ").replace(" #", "%20#"),
        Quotes::Block => text.to_owned(),
    }
}

/// True if a character of a path would not be read literally.
fn is_misread(character: char, form: Form) -> bool {
    match character {
        // The start of a tail or of an encoding; Markdown marks that bind tighter than a link, or, like `$`,
        // from before it; the end of a table cell.
        '%' | '?' | '#' | '\\' | '`' | '<' | '>' | '[' | ']' | '|' | '$' => true,
        // An entity.
        '&' => !matches!(form, Form::Wiki | Form::Property(_)),
        // The start of a block id.
        '^' => form != Form::Angle,
        // The end of a destination, the start of a title, or a character with a meaning in Markdown dialects
        // with more rules.
        ' ' | '(' | ')' | '{' | '}' | '"' | '\'' | '*' | '!' | '~' => form == Form::Plain,
        // Line breaks of YAML, and what can't be seen.
        '\u{2028}' | '\u{2029}' | '\u{feff}' => matches!(form, Form::Property(_)),
        other => other.is_control(),
    }
}

/// Returns what follows a destination's path in a form that is valid after another path: without `<>` its
/// parentheses must be balanced.
pub(super) fn tail(written: &str, form: Form) -> Cow<'_, str> {
    if form != Form::Plain || is_balanced(written) {
        return written.into();
    }
    let mut text = String::with_capacity(written.len() + 4);
    let mut escaped = false;
    for character in written.chars() {
        if matches!(character, '(' | ')') && !escaped {
            text.push('\\');
        }
        escaped = character == '\\' && !escaped;
        text.push(character);
    }
    text.into()
}

fn is_balanced(text: &str) -> bool {
    let (mut depth, mut escaped) = (0_usize, false);
    for character in text.chars() {
        match character {
            '(' if !escaped => depth += 1,
            ')' if !escaped && depth == 0 => return false,
            ')' if !escaped => depth -= 1,
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    depth == 0
}
