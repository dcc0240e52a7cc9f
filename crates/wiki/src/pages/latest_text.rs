//! The latest text of a page, and the rows derived from it.

use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageInfo, PageSource};
use crate::repository;
use crate::search;
use crate::store::{PAGE_LINKS, PAGE_SOURCE, PAGE_TITLE, Read, Record, StorageError, WriteTxn};

/// Returns the row of a page's latest revision, whole or only its leading fields.
pub(crate) fn newest<R: Record>(txn: &impl Read, info: &PageInfo) -> Result<R, StorageError> {
    revision_row(txn, info, info.latest)
}

/// Returns the row of a revision that the page has, whole or only its leading fields.
pub(crate) fn revision_row<R: Record>(
    txn: &impl Read,
    info: &PageInfo,
    revision: u64,
) -> Result<R, StorageError> {
    let key = (&info.page_id.to_bytes(), revision);
    txn.get(PAGE_SOURCE.read_as(), key)?
        .ok_or_else(|| StorageError::Damaged {
            table: "page_source",
            reason: format!("revision {revision} of {} is missing", info.page_id),
        })
}

/// Puts the latest revision of a page, with the rows derived from its text. `targets` are those of its links.
pub(crate) fn put_latest(
    txn: &WriteTxn,
    page: PageId,
    latest: &PageSource,
    targets: Vec<LinkTarget>,
) -> Result<(), StorageError> {
    let key = (&page.to_bytes(), latest.head.revision);
    txn.put(PAGE_SOURCE, key, latest)?;
    put_derived(txn, page, &latest.source, targets)
}

/// Replaces the text of the latest revision by another spelling of it.
pub(crate) fn respell(
    txn: &WriteTxn,
    page: PageId,
    latest: PageSource,
    text: String,
    targets: Vec<LinkTarget>,
) -> Result<(), StorageError> {
    if latest.source == text {
        return put_derived(txn, page, &text, targets);
    }
    let source = text;
    put_latest(txn, page, &PageSource { source, ..latest }, targets)
}

/// Puts the rows derived from the latest text of a page.
fn put_derived(
    txn: &WriteTxn,
    page: PageId,
    text: &str,
    targets: Vec<LinkTarget>,
) -> Result<(), StorageError> {
    repository::put(txn, PAGE_LINKS, page, Some(&PageLinks { targets }))?;
    let title = search::title_row(text);
    repository::put(txn, PAGE_TITLE, page, title.as_ref())
}
