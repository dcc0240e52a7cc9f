//! The meaning of a destination, as `ui/src/markdown/links/destination.ts` reads it.

use percent_encoding::percent_decode_str;

use crate::id::PageId;
use crate::path::PagePath;

/// The meaning of a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A page by its id, at any path.
    Page(PageId),
    Path(PagePath),
    /// A file that belongs to a page: the page's path and the file's name (docs/spec/wiki.md, Files).
    Asset(PagePath, String),
    /// Nothing in this wiki: another address, a fragment of the page itself, or no address at all.
    Other,
}

/// Returns the meaning of a destination on the page at `base`.
pub(crate) fn meaning(destination: &str, base: &PagePath) -> Meaning {
    let path = before_tail(destination);
    match scheme(destination).as_deref() {
        Some("page") => page_id(after_colon(path)).map_or(Meaning::Other, Meaning::Page),
        Some("asset") => asset(after_colon(path), base).unwrap_or(Meaning::Other),
        Some(_) => Meaning::Other,
        None if path.is_empty() || path.starts_with("//") => Meaning::Other,
        None => page_path(&decode(path), base).map_or(Meaning::Other, Meaning::Path),
    }
}

/// True if the meaning depends on the path of the page.
pub(crate) fn is_relative(destination: &str) -> bool {
    let path = before_tail(destination);
    let path = match scheme(destination).as_deref() {
        Some("asset") => after_colon(path),
        Some(_) => return false,
        None => path,
    };
    !path.starts_with('/') && !decode(path).starts_with('/')
}

/// True if the destination names a file of a page.
pub(crate) fn is_asset(destination: &str) -> bool {
    scheme(destination).as_deref() == Some("asset")
}

/// Returns the query and fragment that follow the path.
pub(super) fn tail(destination: &str) -> &str {
    &destination[before_tail(destination).len()..]
}

fn before_tail(destination: &str) -> &str {
    destination
        .find(['?', '#'])
        .map_or(destination, |at| &destination[..at])
}

fn after_colon(path: &str) -> &str {
    path.split_once(':').map_or("", |(_, rest)| rest)
}

/// Returns the scheme in lower case. Skips the characters that browsers skip.
fn scheme(destination: &str) -> Option<String> {
    let mut name = String::new();
    for character in destination.chars().filter(|c| !is_skipped(*c)) {
        match character {
            ':' if !name.is_empty() => return Some(name),
            'a'..='z' | 'A'..='Z' => name.push(character.to_ascii_lowercase()),
            '0'..='9' | '+' | '.' | '-' if !name.is_empty() => name.push(character),
            _ => return None,
        }
    }
    None
}

fn is_skipped(character: char) -> bool {
    matches!(character,
        '\0'..='\u{20}' | '\u{7F}'..='\u{A0}' | '\u{AD}' | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202F}' | '\u{2060}' | '\u{FEFF}')
}

/// Parses an id in either case.
fn page_id(text: &str) -> Option<PageId> {
    text.to_ascii_uppercase().parse().ok()
}

/// Resolves an absolute path, or a relative one as addresses are resolved: `c` on the page `/a/b` is `/a/c`.
fn page_path(written: &str, base: &PagePath) -> Option<PagePath> {
    if written.starts_with('/') {
        return PagePath::new(written).ok();
    }
    let base = base.as_str();
    let folder = base.rfind('/').map_or("/", |at| &base[..=at]);
    PagePath::new(&format!("{folder}{written}")).ok()
}

/// Resolves an asset. A page is the folder of its own files: `asset:name` is a file of the page,
/// `asset:../page/name` one of a sibling page.
fn asset(written: &str, base: &PagePath) -> Option<Meaning> {
    let written = decode(written);
    if written.ends_with('/') {
        return None;
    }
    let full = if written.starts_with('/') {
        PagePath::new(&written)
    } else {
        PagePath::new(&format!("{base}/{written}"))
    };
    let full = full.ok()?;
    let (page, file) = full.as_str().rsplit_once('/')?;
    let page = PagePath::new(if page.is_empty() { "/" } else { page }).ok()?;
    (!file.is_empty()).then(|| Meaning::Asset(page, file.to_owned()))
}

/// Percent-decodes a text. Returns it as written if it is not valid UTF-8 or not a valid encoding.
pub(super) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let whole = bytes.iter().enumerate().all(|(at, byte)| {
        let digits = bytes.get(at + 1..at + 3);
        *byte != b'%' || digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    });
    if !whole {
        return text.to_owned();
    }
    percent_decode_str(text)
        .decode_utf8()
        .map_or_else(|_| text.to_owned(), |decoded| decoded.into_owned())
}
