//! Databases: a table of all rows, with links to the pages of the rows.

use super::index::Index;
use crate::document::{Block, Inline, write};
use crate::link;
use crate::reading::{Converted, external};
use crate::tree::Entry;

/// The most columns that a table is written with.
const MAX_COLUMNS: usize = 200;

pub(super) struct Database {
    pub(super) columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Database {
    /// Parses a table; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes());
        let columns: Vec<String> = reader.headers().ok()?.iter().map(str::to_owned).collect();
        if columns.is_empty() || columns.len() > MAX_COLUMNS {
            return None;
        }
        let rows: Result<Vec<_>, _> = reader
            .records()
            .map(|record| record.map(|record| record.iter().map(str::to_owned).collect()))
            .collect();
        Some(Self {
            columns,
            rows: rows.ok()?,
        })
    }

    pub(super) fn convert(&self, index: &Index, entry: &Entry) -> Converted {
        let pages = index.rows_of(&entry.path);
        let mut rows = vec![
            self.columns
                .iter()
                .map(|column| vec![Inline::text(column)])
                .collect::<Vec<_>>(),
        ];
        for row in &self.rows {
            let cells = row.iter().take(self.columns.len()).enumerate();
            rows.push(
                cells
                    .map(|(column, value)| self.cell(index, entry, &pages, column, value))
                    .collect(),
            );
        }
        let title = Block::Heading(1, vec![Inline::text(index.title_of(&entry.path))]);
        let table = Block::Table {
            align: Vec::new(),
            rows,
        };
        Converted {
            text: write(&[title, table]),
            ..Converted::default()
        }
    }

    fn cell(
        &self,
        index: &Index,
        entry: &Entry,
        pages: &std::collections::HashMap<&str, &str>,
        column: usize,
        value: &str,
    ) -> Vec<Inline> {
        let value = value.trim();
        if column == 0
            && let Some(origin) = pages.get(value)
        {
            return vec![Inline::Link {
                target: link::to(origin, None),
                title: String::new(),
                content: vec![Inline::text(value)],
            }];
        }
        let mut content = Vec::new();
        for (number, line) in value.lines().enumerate() {
            if number > 0 {
                content.push(Inline::Break);
            }
            content.extend(related(index, &entry.path, line));
        }
        content
    }
}

/// Reads references to other pages: `Name (path), Name (path)`.
pub(super) fn related(index: &Index, from: &str, value: &str) -> Vec<Inline> {
    let mut content = Vec::new();
    let mut rest = value;
    while let Some((before, address, after)) = next_reference(rest) {
        let decoded = percent_encoding::percent_decode_str(address)
            .decode_utf8_lossy()
            .into_owned();
        let target = index
            .target(from, &decoded, address)
            .or_else(|| external(address));
        let Some(target) = target else { break };
        let name = before.trim_start_matches(", ");
        if name.len() < before.len() {
            content.push(Inline::text(", "));
        }
        content.push(Inline::Link {
            target,
            title: String::new(),
            content: vec![Inline::text(name.trim())],
        });
        rest = after;
    }
    if !rest.is_empty() {
        content.push(Inline::text(rest));
    }
    content
}

/// Splits `name (address)rest`, if the address is one of a page.
fn next_reference(value: &str) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    while let Some(found) = value[at..].find(" (") {
        let start = at + found;
        let inner = &value[start + 2..];
        let end = inner.find(')')?;
        let address = &inner[..end];
        if address.ends_with(".md")
            || address.ends_with(".html")
            || address.ends_with(".csv")
            || address.starts_with("https://")
        {
            return Some((&value[..start], address, &inner[end + 1..]));
        }
        at = start + 2;
    }
    None
}
