//! Checks that the indexes of pages have exactly the rows that the pages' records imply.

use std::collections::BTreeSet;

use crate::check::CheckError;
use crate::check::pages::CheckedPages;
use crate::check::reader::TableReader;
use crate::id::PageId;
use crate::store::{BACKLINK, DELETED_PAGE_PATH, LEFT_PATH, PAGE_PATH, WAITING_LINK};

/// Rows of an index: keys, as text, and ids of pages.
type Rows = BTreeSet<(String, [u8; 16])>;

pub(super) fn check(reader: &TableReader<'_>, pages: &CheckedPages) -> Result<(), CheckError> {
    let agree = |table, rows: &Rows, words: fn(bool, &str, PageId) -> String| {
        let expected = expected(pages, table);
        for (key, id) in rows.symmetric_difference(&expected) {
            let is_stray = rows.contains(&(key.clone(), *id));
            reader
                .faults
                .add(table, words(is_stray, key, PageId::from_bytes(*id)));
        }
    };
    let mut rows = Rows::new();
    reader.rows(PAGE_PATH, |path, id| {
        rows.insert((path.to_owned(), id));
    })?;
    agree(PAGE_PATH.name, &rows, of_path);
    for (sets, words) in [
        (DELETED_PAGE_PATH, of_path as fn(bool, &str, PageId) -> _),
        (LEFT_PATH, of_path),
        (WAITING_LINK, |_, path, page| {
            format!("the index and the records disagree on whether {page} waits for {path}")
        }),
    ] {
        let mut rows = Rows::new();
        reader.ids(sets, |path, ids| {
            rows.extend(ids.into_iter().map(|id| (path.to_owned(), id)));
        })?;
        agree(sets.name, &rows, words);
    }
    let mut rows = Rows::new();
    reader.ids(BACKLINK, |page, ids| {
        let page = PageId::from_bytes(*page).to_string();
        rows.extend(ids.into_iter().map(|id| (page.clone(), id)));
    })?;
    agree(BACKLINK.name, &rows, |_, target, page| {
        format!("the index and the records disagree on whether {page} links to {target}")
    });
    Ok(())
}

/// Returns the rows of a table that the records imply.
fn expected(pages: &CheckedPages, table: &str) -> Rows {
    let mut rows = Rows::new();
    for (id, record) in pages.records() {
        let own = record.index_rows().into_iter();
        let own = own.filter(|row| row.table() == table);
        rows.extend(own.map(|row| (row.key(), *id)));
    }
    rows
}

fn of_path(is_stray: bool, path: &str, page: PageId) -> String {
    if is_stray {
        format!("{path} leads to {page}, whose record lacks that path")
    } else {
        format!("{path} of {page} is missing from the index")
    }
}
