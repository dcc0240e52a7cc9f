//! Rollback to an old text, as a new revision.

use jiff::Timestamp;

use crate::id::{LockToken, PageId, UserId};
use crate::latest_text::newest;
use crate::links::{self, LinkWarning};
use crate::locks::UnlockedPage;
use crate::model::page::{PageSource, SourceHead};
use crate::model::user::User;
use crate::pages::{VersionTag, add_text, present_page, source_row};
use crate::parts::Revisions;
use crate::path::PagePath;
use crate::revisions::HistoryError;
use crate::store::{Read, USER, WriteTxn};
use crate::tree::path_at;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollbackOutcome {
    /// The latest version now.
    pub version: VersionTag,
    pub path: PagePath,
    /// True if the text differs from before.
    pub changed: bool,
    /// Links that mean something else than they did in the old revision.
    pub warnings: Vec<LinkWarning>,
}

impl Revisions<'_> {
    /// Makes the text of revision `to` the latest again, as a new revision. The page's path and a lock on the
    /// page stay. A text that is the latest already makes no revision.
    ///
    /// Links by ids keep their targets; those to erased pages lead to their last paths. Paths that were stored
    /// as paths are read as a save reads them, from the path that the page had then: often a page has been
    /// created there in the meantime.
    ///
    /// # Errors
    /// Returns [`HistoryError`] if the page is deleted or locked, or the revision does not exist.
    pub fn rollback(
        &self,
        page_id: PageId,
        to: u64,
        user: UserId,
        token: Option<LockToken>,
    ) -> Result<RollbackOutcome, HistoryError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn
                .get(USER, &user.to_bytes())?
                .ok_or(HistoryError::NoUser)?;
            let info = present_page(txn, page_id, self.lock_time.moment())?;
            let page = UnlockedPage::verify(txn, info, token, self.lock_time.moment())?;
            roll_back(txn, page, to, (&user, now))
        })
    }
}

/// Makes the text of revision `to` the latest again, in a transaction.
pub(crate) fn roll_back(
    txn: &WriteTxn,
    page: UnlockedPage,
    to: u64,
    by: (&User, Timestamp),
) -> Result<RollbackOutcome, HistoryError> {
    let UnlockedPage { info } = page;
    let path = info.path_state.path().clone();
    let old: PageSource = source_row(txn, &info, to)?;
    let newest: PageSource = newest(txn, &info)?;
    let then = path_at(txn, &info, to)?;
    let returned = links::rebind_links(txn, info.page_id, &then, &path, &old.source)?;
    if to == info.latest || links::has_same_meaning(&path, &newest.source, &returned) {
        return Ok(RollbackOutcome {
            version: version(&newest.head),
            path,
            changed: false,
            warnings: Vec::new(),
        });
    }
    let revision = add_text(txn, info, &newest.head, by, &returned)?;
    Ok(RollbackOutcome {
        version: VersionTag {
            revision,
            amends: 0,
        },
        path,
        changed: true,
        warnings: returned.warnings,
    })
}

fn version(head: &SourceHead) -> VersionTag {
    VersionTag {
        revision: head.revision,
        amends: head.amends,
    }
}
