//! Upgrades an older database to the current schema. The new tables are derived from the existing
//! ones.

use serde::{Deserialize, Serialize};

use crate::autosave;
use crate::links;
use crate::model::link::PageLinks;
use crate::model::page::{PageSource, SourceHead};
use crate::pages;
use crate::repository;
use crate::sessions;
use crate::store::{PAGE_LINKS, PAGE_SOURCE, StorageError, WriteTxn};

/// Fills everything that is new since schema `from`, in the transaction that raises the version.
/// The tables already exist.
pub(crate) fn upgrade(txn: &WriteTxn, from: u32) -> Result<(), StorageError> {
    // First, because the other steps read texts in their current form.
    if from < 3 {
        let compressed = |UncompressedSource { head, source }| PageSource { head, source };
        txn.rewrite(PAGE_SOURCE.read_as(), PAGE_SOURCE, compressed)?;
    }
    if from < 2 {
        autosave::upgrade_rows(txn)?;
        for page in repository::all_saved(txn)? {
            let newest: PageSource = pages::newest(txn, &page)?;
            let targets = links::targets_of(txn, page.path_state.path(), &newest.source)?;
            let links = PageLinks { targets };
            repository::put(txn, PAGE_LINKS, page.page_id, Some(&links))?;
        }
    }
    if from < 3 {
        // Since schema 3, links and titles are parsed as the page shows them: formulas contain no
        // links, and emphasis may be beside Japanese punctuation.
        for page in repository::all_saved(txn)? {
            let newest: PageSource = pages::newest(txn, &page)?;
            let (text, targets) = links::upgrade_links(txn, &page, &newest.source)?;
            pages::respell(txn, page.page_id, newest, text, targets)?;
        }
    }
    if from < 4 {
        sessions::upgrade_rows(txn)?;
    }
    Ok(())
}

/// The row of a revision up to schema 2.
#[derive(Serialize, Deserialize)]
struct UncompressedSource {
    head: SourceHead,
    source: String,
}
