//! Removal of old revisions: all before one at once, so that there are no gaps (docs/spec/wiki.md, Removing old
//! revisions).

use crate::id::{LockToken, PageId};
use crate::locks::UnlockedPage;
use crate::model::change::{Change, PageChange};
use crate::model::page::PageIndex;
use crate::pages::present_page;
use crate::parts::Revisions;
use crate::repository::put_index;
use crate::revisions::HistoryError;
use crate::store::{PAGE_SOURCE, WriteTxn};

impl Revisions<'_> {
    /// Removes all revisions before `keep_from` for good. A lock on the page stays.
    ///
    /// # Errors
    /// Returns [`HistoryError::NothingLeft`] if the page has no such revision yet. If the older ones are gone
    /// already, nothing happens.
    pub fn compact(
        &self,
        page_id: PageId,
        keep_from: u64,
        token: Option<LockToken>,
    ) -> Result<(), HistoryError> {
        self.store.write(|txn: &WriteTxn| {
            let info = present_page(txn, page_id, self.lock_time.moment())?;
            let UnlockedPage { mut info } =
                UnlockedPage::verify(txn, info, token, self.lock_time.moment())?;
            if keep_from > info.latest {
                return Err(HistoryError::NothingLeft {
                    keep_from,
                    latest: info.latest,
                });
            }
            if keep_from <= info.gc_min {
                return Ok(());
            }
            for revision in info.gc_min..keep_from {
                txn.remove(PAGE_SOURCE, (&page_id.to_bytes(), revision))?;
            }
            info.gc_min = keep_from;
            info.rename_revisions.retain(|rename| *rename >= keep_from);
            txn.report(Change::Page {
                page_id,
                path: info.path_state.path().clone(),
                revision: info.latest,
                kind: PageChange::Compacted,
            });
            Ok(put_index(txn, &PageIndex::Page(info))?)
        })
    }
}
