//! Exports of Notion: Markdown and CSV, or HTML. The names of pages and databases end with an id of 32 digits.

mod database;
mod html;
mod index;
mod markdown;
mod properties;

use std::collections::HashMap;

use crate::ReadError;
use crate::reading::{Collector, Converted, encoding_loss, is_hidden, text_of};
use crate::source::{SkipReason, Source, Watch};
use crate::spool::Spool;
use crate::tree::{Entry, Tree};
use database::Database;
use index::{Index, split_id};

/// Returns true if the entries have the names of an export.
pub(crate) fn is_export(tree: &Tree) -> bool {
    let is_page = |entry: &&Entry| {
        let stem = entry.name().rsplit_once('.').map_or("", |(stem, _)| stem);
        matches!(entry.ending().as_str(), "md" | "html" | "csv") && split_id(stem).1.is_some()
    };
    // A page that was copied into another folder doesn't make an export of it.
    let pages = tree.entries().iter().filter(is_page).count();
    let is_text = |entry: &&Entry| matches!(entry.ending().as_str(), "md" | "html");
    pages > 0 && pages * 2 >= tree.entries().iter().filter(is_text).count()
}

/// Reads an export.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    let index = Index::new(tree)?;
    let columns = columns(tree, &index)?;
    for entry in tree.entries() {
        collector.step()?;
        let owner = index.owner_of(&entry.path);
        let Some(role) = index.role_of(&entry.path) else {
            if is_hidden(entry) {
                collector.skip(&entry.path, SkipReason::Hidden);
            } else {
                collector.file(entry, owner);
            }
            continue;
        };
        if let Some(reason) = role.skipped() {
            collector.skip(&entry.path, reason);
            continue;
        }
        let decoded = match text_of(tree, entry)? {
            Ok(decoded) => decoded,
            Err(reason) => {
                collector.skip(&entry.path, reason);
                continue;
            }
        };
        let mut note = match role {
            index::Role::Markdown => markdown::convert(&columns, &index, entry, &decoded.text),
            index::Role::Html => html::convert(&index, entry, &decoded.text),
            index::Role::Database => match Database::parse(&decoded.text) {
                Some(database) => database.convert(&index, entry),
                None => {
                    collector.file(entry, owner);
                    continue;
                }
            },
            index::Role::Site | index::Role::Copy => Converted::default(),
        };
        note.losses.extend(encoding_loss(&decoded));
        // The archive has the time of the export.
        note.dates.changed = note.dates.changed.or(tree.dates(entry)?.changed);
        collector.note(&entry.path, index.place_of(&entry.path), note)?;
    }
    Ok(collector.source)
}

/// Returns the columns of the databases by their origins.
fn columns(tree: &Tree, index: &Index) -> Result<HashMap<String, Vec<String>>, ReadError> {
    let mut columns = HashMap::new();
    for entry in tree.entries() {
        if index.role_of(&entry.path) == Some(index::Role::Database)
            && let Ok(decoded) = text_of(tree, entry)?
            && let Some(database) = Database::parse(&decoded.text)
        {
            columns.insert(entry.path.clone(), database.columns);
        }
    }
    Ok(columns)
}

#[cfg(test)]
mod tests;
