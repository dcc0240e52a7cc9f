//! Parses lists in any form.

use super::hashdeep::{Columns, HEADER, MAGIC};
use super::{List, ListEntry, ListFormat, SkipReason, SkippedLine, UnknownList};
use super::{encoding, line};
use crate::reported::Reported;

/// The number of lines that are tried before a file is rejected.
const MAX_TRIED_LINES: u64 = 1000;

/// Reads a list and recognizes its form by its contents.
///
/// # Errors
/// [`UnknownList`] if no line has a known form.
pub fn parse(bytes: &[u8]) -> Result<List, UnknownList> {
    let bytes = &*encoding::decode(bytes);
    let lines = Lines::new(bytes);
    if bytes.starts_with(MAGIC) {
        return parse_hashdeep(lines);
    }
    let mut entries = Vec::new();
    let mut skipped = Reported::default();
    let mut format = None;
    let mut has_rhash_comments = false;
    let mut is_known = false;
    for (number, text) in lines {
        match text.first() {
            None | Some(b'#') => continue,
            Some(b';') => {
                has_rhash_comments = true;
                continue;
            }
            Some(_) if text.trim_ascii().is_empty() => continue,
            Some(_) => {}
        }
        match line::read(text) {
            Ok(parts) => {
                format = format.or(Some(parts.format));
                entries.push(ListEntry {
                    path: parts.path,
                    checksum: parts.hash.checksum,
                    alternative: parts.hash.alternative,
                    size: None,
                    line: number,
                });
            }
            Err(reason) => {
                is_known |= reason != SkipReason::Unknown;
                skipped.push(SkippedLine {
                    line: number,
                    reason,
                });
                if !is_known && entries.is_empty() && skipped.count() >= MAX_TRIED_LINES {
                    return Err(UnknownList::Form);
                }
            }
        }
    }
    if entries.is_empty() && !is_known {
        return Err(match skipped.is_empty() {
            true => UnknownList::Empty,
            false => UnknownList::Form,
        });
    }
    let format = match format {
        Some(ListFormat::Bsd) => ListFormat::Bsd,
        _ if has_rhash_comments => ListFormat::Rhash,
        Some(format) => format,
        None => ListFormat::Sha256sum,
    };
    Ok(List {
        format,
        entries,
        skipped,
    })
}

fn parse_hashdeep(lines: Lines<'_>) -> Result<List, UnknownList> {
    let mut entries = Vec::new();
    let mut skipped = Reported::default();
    let mut columns = None;
    for (number, text) in lines {
        if text.is_empty() || text.starts_with(b"#") || text.starts_with(MAGIC) {
            continue;
        }
        if text.starts_with(HEADER) {
            // Concatenated lists have a header each.
            columns = Some(Columns::read(text).ok_or(UnknownList::Header)?);
            continue;
        }
        match columns.ok_or(UnknownList::Header)?.split(text) {
            Ok(cells) => entries.push(ListEntry {
                path: cells.name.to_vec(),
                checksum: cells.checksum,
                alternative: None,
                size: cells.size,
                line: number,
            }),
            Err(reason) => skipped.push(SkippedLine {
                line: number,
                reason,
            }),
        }
    }
    if columns.is_none() {
        return Err(UnknownList::Header);
    }
    Ok(List {
        format: ListFormat::Hashdeep,
        entries,
        skipped,
    })
}

/// The numbered lines of a list, without line ends.
struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: usize,
    is_crlf: bool,
}

impl<'a> Lines<'a> {
    /// A CR belongs to the line end only if each line has one: a name may end with it.
    fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let mut lines = bytes.split(|byte| *byte == b'\n');
        Self {
            rest: Some(bytes),
            number: 0,
            is_crlf: lines.all(|line| line.is_empty() || line.ends_with(b"\r")),
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let line = match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                self.rest = Some(&rest[end + 1..]);
                &rest[..end]
            }
            None => {
                self.rest = None;
                rest
            }
        };
        self.number += 1;
        let line = match line.strip_suffix(b"\r") {
            Some(line) if self.is_crlf => line,
            _ => line,
        };
        Some((self.number, line))
    }
}
