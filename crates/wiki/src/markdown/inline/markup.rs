//! Bare addresses in the text, subscripts and superscripts, and HTML.

use super::{Inline, Mode};
use crate::markdown::destination::Form;
use crate::markdown::html;

/// The maximum number of characters before `://` that may be a scheme.
const LONGEST_SCHEME: usize = 10;
/// The maximum length of a bare address, without its scheme.
const LONGEST_ADDRESS: usize = 10_000;
/// The maximum length of a subscript or superscript, in UTF-16 code units.
const MAX_SCRIPT: usize = 100;
/// The first character of Japanese, Chinese and Korean; all after it are excluded from scripts.
const EAST_ASIAN: char = '\u{2e80}';

impl Inline<'_, '_> {
    /// A bare web address in the text. A link within it is a part of it.
    pub(super) fn bare_address(&mut self, mode: Mode) -> bool {
        let colon = self.at;
        if self.open_links > 0 || colon + 3 > self.max || !self.bytes[colon..].starts_with(b"://") {
            return false;
        }
        let longest = LONGEST_SCHEME.min(self.pending);
        let of_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let before = self.bytes[..colon].iter().rev().take(longest);
        let length = before.take_while(of_scheme).count();
        let scheme = &self.bytes[colon - length..colon];
        if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
            return false;
        }
        let rest = &self.bytes[colon + 1..];
        let rest = &rest[..rest.len().min(LONGEST_ADDRESS)];
        let Some(length) = address_length(&rest[2..]) else {
            return false;
        };
        self.end_pending(mode);
        self.at = colon + 3 + length;
        true
    }

    /// `~text~` and `^text^`, neither of which can contain a link.
    pub(super) fn script(&mut self, mode: Mode) -> bool {
        let Some(contents) = script_contents(self.text, self.at, self.max) else {
            return false;
        };
        self.end_pending(mode);
        self.at += contents.len() + 2;
        true
    }

    pub(super) fn autolink(&mut self, mode: Mode) -> bool {
        let start = self.at + 1;
        let ends = |byte: &u8| matches!(byte, b'<' | b'>');
        let rest = self.bytes.get(start..self.max).unwrap_or_default();
        let Some(length) = rest.iter().position(ends) else {
            return false;
        };
        let end = start + length;
        if self.bytes[end] != b'>' {
            return false;
        }
        let address = &self.bytes[start..end];
        let is_autolink = is_autolink(address);
        if !is_autolink && !is_mail_address(address) {
            return false;
        }
        if is_autolink && mode == Mode::Read {
            self.add(start..end, Form::Autolink);
        }
        self.end_pending(mode);
        self.at = end + 1;
        true
    }

    pub(super) fn html(&mut self, mode: Mode) -> bool {
        let start = self.at;
        if start + 2 >= self.max {
            return false;
        }
        let end = match self.bytes[start + 1] {
            b'!' | b'?' => self.end_of_special_html(start),
            byte if byte == b'/' || byte.is_ascii_alphabetic() => {
                html::tag_length(&self.bytes[start..]).map(|length| start + length)
            }
            _ => None,
        };
        let Some(end) = end else {
            return false;
        };
        if mode == Mode::Read {
            let tag = &self.bytes[start..end];
            self.open_links += isize::from(html::opens_link(tag));
            self.open_links -= isize::from(html::closes_link(tag));
            self.pending = 0;
        }
        self.at = end;
        true
    }

    /// The end of a comment, a CDATA section, a processing instruction or a declaration.
    fn end_of_special_html(&mut self, start: usize) -> Option<usize> {
        let rest = &self.bytes[start..];
        let (length, terminator): (_, &[u8]) = if rest.starts_with(b"<!--") {
            if rest[4..].starts_with(b">") {
                return Some(start + 5);
            }
            if rest[4..].starts_with(b"->") {
                return Some(start + 6);
            }
            (4, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            (9, b"]]>")
        } else if rest[1] == b'?' {
            (2, b"?>")
        } else if rest.get(2).is_some_and(u8::is_ascii_alphabetic) {
            (3, b">")
        } else {
            return None;
        };
        // Without its closing mark it is text, and does not stop the search for others.
        let last: &[u8] = if rest[1] == b'!' && !matches!(length, 4 | 9) {
            b">"
        } else {
            terminator
        };
        if self.has_endless_html || memchr::memmem::find(rest, last).is_none() {
            return None;
        }
        let found = memchr::memmem::find(&rest[length..], terminator);
        self.has_endless_html = found.is_none();
        found.map(|at| start + length + at + terminator.len())
    }
}

/// The contents of the subscript or superscript that begins at `at` and ends by `max`.
///
/// The page has the same rule (`ui/src/markdown/rules/scripts.ts`).
pub(crate) fn script_contents(text: &str, at: usize, max: usize) -> Option<&str> {
    let mark = *text.as_bytes().get(at)?;
    let rest = text.get(at + 1..)?;
    let is_end = |byte: &u8| matches!(byte, b'~' | b'^' | b' ' | b'\n');
    let end = rest.bytes().position(|byte| is_end(&byte))?;
    let contents = &rest[..end];
    let after = rest.as_bytes().get(end + 1);
    if rest.as_bytes()[end] != mark || after == Some(&mark) || at + end + 2 > max {
        return None;
    }
    let before = text[..at].chars().next_back();
    let may_follow = if mark == b'~' {
        let starts_with_digit = contents.starts_with(|c: char| c.is_ascii_digit());
        !(starts_with_digit && before.is_some_and(|c| c.is_ascii_digit()))
    } else {
        !matches!(before, Some('(' | '（'))
    };
    (may_follow && is_script(contents)).then_some(contents)
}

fn is_script(contents: &str) -> bool {
    let is_edge = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '−' | '=');
    let is_prime = |c: char| matches!(c, '\'' | '′');
    let is_inner = |c: char| is_edge(c) || is_prime(c) || matches!(c, '(' | ')' | '.' | ',' | '/');
    contents.encode_utf16().count() <= MAX_SCRIPT
        && contents.chars().all(|c| is_inner(c) && c < EAST_ASIAN)
        && contents.starts_with(|c| is_edge(c) || c == '(')
        && contents.ends_with(|c| is_edge(c) || is_prime(c) || (c == ')'))
        && contents.contains(char::is_alphanumeric)
}

/// The length of the web address that follows `://`; `None` if it is not an address.
pub(crate) fn address_length(bytes: &[u8]) -> Option<usize> {
    let first = bytes.first()?;
    if !first.is_ascii_alphanumeric() && *first != b'[' {
        return None;
    }
    let of_address =
        |byte: &&u8| matches!(byte, 0x21 | 0x23..=0x3b | 0x3d | 0x3f..=0x5f | 0x61..=0x7e);
    let all = bytes.iter().take_while(of_address).count();
    let trailing = |byte: &&u8| b"!'\"()*,.:;?]~_".contains(byte);
    let mut length = all - bytes[..all].iter().rev().take_while(trailing).count();
    // A closing parenthesis at the end belongs to the address if the address opened it.
    let count = |mark| bytes[..length].iter().filter(|byte| **byte == mark).count();
    let mut open = count(b'(').saturating_sub(count(b')'));
    while open > 0 && length < all && bytes[length] == b')' {
        (length, open) = (length + 1, open - 1);
    }
    (length > 0).then_some(length)
}

/// True for a scheme of 2 to 32 characters, a colon, and a rest without ASCII white space.
fn is_autolink(address: &[u8]) -> bool {
    let Some(colon) = address.iter().position(|byte| *byte == b':') else {
        return false;
    };
    let (scheme, rest) = address.split_at(colon);
    let of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    (2..=32).contains(&scheme.len())
        && scheme[0].is_ascii_alphabetic()
        && scheme.iter().all(of_scheme)
        && rest.iter().all(|byte| !matches!(byte, 1..=b' '))
}

fn is_mail_address(address: &[u8]) -> bool {
    let Some(at) = address.iter().position(|byte| *byte == b'@') else {
        return false;
    };
    let of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let is_part = |part: &[u8]| {
        (1..=63).contains(&part.len())
            && part[0].is_ascii_alphanumeric()
            && part[part.len() - 1].is_ascii_alphanumeric()
            && part
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    at > 0
        && address[..at].iter().all(of_name)
        && address[at + 1..].split(|byte| *byte == b'.').all(is_part)
}
