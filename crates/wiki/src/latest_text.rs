//! The latest text of a page, and the rows derived from it.

use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageInfo, PageSource};
use crate::pages;
use crate::repository;
use crate::store::{PAGE_LINKS, PAGE_SOURCE, PAGE_TITLE, Read, Record, StorageError, WriteTxn};

/// Returns the row of a page's latest revision, whole or only its leading fields.
pub(crate) fn newest<R: Record>(txn: &impl Read, info: &PageInfo) -> Result<R, StorageError> {
    revision_row(txn, info, info.latest)
}

/// Returns the row of a page's latest revision, which is about to be overwritten. A row with fields of a later
/// version is refused, because they would be lost.
pub(crate) fn latest_for_update(
    txn: &impl Read,
    info: &PageInfo,
) -> Result<PageSource, StorageError> {
    let key = (&info.page_id.to_bytes(), info.latest);
    txn.get(PAGE_SOURCE, key)?
        .ok_or_else(|| missing(info, info.latest))
}

/// Returns the row of a revision that the page has, whole or only its leading fields.
pub(crate) fn revision_row<R: Record>(
    txn: &impl Read,
    info: &PageInfo,
    revision: u64,
) -> Result<R, StorageError> {
    let key = (&info.page_id.to_bytes(), revision);
    txn.get(PAGE_SOURCE.read_as(), key)?
        .ok_or_else(|| missing(info, revision))
}

fn missing(info: &PageInfo, revision: u64) -> StorageError {
    StorageError::Damaged {
        table: "page_source",
        reason: format!("revision {revision} of {} is missing", info.page_id),
    }
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
    txn.record_text(page.to_bytes());
    put_derived(txn, page, &latest.source, targets)
}

/// Replaces the text of the latest revision by another spelling of it.
pub(crate) fn replace_latest_text(
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
    let title = pages::title_row(text);
    repository::put(txn, PAGE_TITLE, page, title.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TestWiki;
    use crate::pages::{Precondition, SaveError, SaveRequest};

    /// A row with a field of a later version.
    struct FutureSource(PageSource);

    impl Record for FutureSource {
        fn encode(&self) -> Result<Vec<u8>, String> {
            let mut row = self.0.encode()?;
            row.push(1);
            Ok(row)
        }

        fn decode_leading(row: &[u8]) -> Result<(Self, &[u8]), String> {
            let (source, rest) = PageSource::decode_leading(row)?;
            Ok((Self(source), rest))
        }
    }

    #[test]
    fn text_with_later_fields_is_never_overwritten() {
        let test = TestWiki::new();
        test.page("/to", "");
        let page_id = test.page("/a", "[to](to)");
        let wiki = &test.wiki;
        let extended = wiki.store.write(|txn| {
            let key = (&page_id.to_bytes(), 1);
            let row = txn.get(PAGE_SOURCE, key)?.unwrap();
            txn.put(PAGE_SOURCE.read_as(), key, &FutureSource(row))
        });
        extended.unwrap();

        assert!(wiki.pages().raw_source(page_id, None).is_ok());
        let amending = SaveRequest {
            page_id,
            user: test.user,
            source: "other".to_owned(),
            token: None,
            if_match: Some(Precondition::Any),
            amend: true,
            keep_lock: false,
            tab: None,
            read: None,
        };
        let amended = wiki.pages().save(amending.clone());
        assert!(matches!(amended, Err(SaveError::Storage(_))), "{amended:?}");
        // Another revision leaves the row as it is.
        let added = SaveRequest {
            amend: false,
            ..amending
        };
        assert_eq!(wiki.pages().save(added).unwrap().version.revision, 2);
        let whole = wiki.store.read(|txn| {
            let row: Option<FutureSource> =
                txn.get(PAGE_SOURCE.read_as(), (&page_id.to_bytes(), 1))?;
            let is_whole = txn.get(PAGE_SOURCE, (&page_id.to_bytes(), 1)).is_ok();
            Ok::<_, StorageError>((row.is_some(), is_whole))
        });
        assert_eq!(whole.unwrap(), (true, false));
    }
}
