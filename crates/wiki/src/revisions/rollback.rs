//! Rollback to an old text, as a new revision.

use crate::id::{LockToken, PageId, UserId};
use crate::links::{self, LinkWarning, StoredText};
use crate::locks::UnlockedPage;
use crate::model::change::{Change, PageChange};
use crate::model::page::{PageIndex, PageInfo, PageSource, SourceHead};
use crate::pages::{VersionTag, present_page, source_row};
use crate::path::PagePath;
use crate::repository::put_index;
use crate::revisions::PastError;
use crate::search;
use crate::store::{PAGE_SOURCE, Read, StorageError, USER, WriteTxn};
use crate::tree::{path_at, unrecorded_moves};
use crate::wiki::Wiki;

/// The outcome of a rollback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolledBack {
    /// The latest version now.
    pub version: VersionTag,
    /// The path of the page.
    pub path: PagePath,
    /// True if the text differs from before.
    pub changed: bool,
    /// Links that mean something else than they did in the old revision.
    pub warnings: Vec<LinkWarning>,
}

impl Wiki {
    /// Makes the text of revision `to` the latest again, as a new revision. The page's path and a lock on the
    /// page stay. A text that is the latest already makes no revision.
    ///
    /// Links by ids keep their targets; those to erased pages lead to their last paths. Paths that were stored
    /// as paths are read as a save reads them, from the path that the page had then: often a page has been
    /// created there in the meantime.
    ///
    /// # Errors
    /// Returns [`PastError`] if the page is deleted or locked, or the revision does not exist.
    pub fn rollback(
        &self,
        page_id: PageId,
        to: u64,
        user: UserId,
        token: Option<LockToken>,
    ) -> Result<RolledBack, PastError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn.get(USER, &user.to_bytes())?.ok_or(PastError::Nobody)?;
            let info = present_page(txn, page_id, self.moment())?;
            let UnlockedPage { mut info } = UnlockedPage::verify(txn, info, token, self.moment())?;
            let path = info.path_state.path().clone();
            let old: PageSource = source_row(txn, &info, to)?;
            let newest: PageSource = source_row(txn, &info, info.latest)?;
            let then = path_at(txn, &info, to)?;
            let returned = links::rebind_links(txn, page_id, &then, &path, &old.source)?;
            if to == info.latest || links::says_the_same(&path, &newest.source, &returned) {
                return Ok(RolledBack {
                    version: version(&newest.head),
                    path,
                    changed: false,
                    warnings: Vec::new(),
                });
            }
            links::freeze_links(txn, &info)?;
            info.latest += 1;
            let rename = unrecorded_moves::take(txn, page_id)?;
            info.rename_revisions
                .extend(rename.as_ref().map(|_| info.latest));
            let head = SourceHead {
                revision: info.latest,
                created_at: now,
                author: user.id,
                user_name: user.name.to_string(),
                rename,
                amends: 0,
            };
            let version = version(&head);
            put(txn, info, head, &returned)?;
            Ok(RolledBack {
                version,
                path,
                changed: true,
                warnings: returned.warnings,
            })
        })
    }
}

fn version(head: &SourceHead) -> VersionTag {
    VersionTag {
        revision: head.revision,
        amends: head.amends,
    }
}

/// Writes the new revision, and the rows derived from the page's latest text.
fn put(
    txn: &WriteTxn,
    info: PageInfo,
    head: SourceHead,
    returned: &StoredText,
) -> Result<(), StorageError> {
    let (page_id, path) = (info.page_id, info.path_state.path().clone());
    let row = PageSource {
        head,
        source: returned.text.clone(),
    };
    txn.put(PAGE_SOURCE, (&page_id.to_bytes(), row.head.revision), &row)?;
    txn.tell(Change::Page {
        page_id,
        path,
        revision: row.head.revision,
        kind: PageChange::Saved,
    });
    put_index(txn, &PageIndex::Page(info))?;
    links::record(txn, page_id, returned.targets.clone())?;
    search::record_title(txn, page_id, &row.source)
}
