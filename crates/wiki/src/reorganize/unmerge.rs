//! Undoes a merge.

use jiff::Timestamp;

use crate::assets;
use crate::id::{PageId, UserId};
use crate::locks::{Moment, UnlockedPage};
use crate::model::page::{PageInfo, PagePathState};
use crate::model::user::User;
use crate::pages::{PageError, present_page, saved_page};
use crate::parts::Reorganize;
use crate::reorganize::{MergedFile, MergedLinks, ReorganizeError};
use crate::repository::saved;
use crate::revisions::roll_back;
use crate::store::{Read, USER, WriteTxn};
use crate::tree::{RestoreRequest, path_history, restore_in};

/// A merge to be undone, as its outcome described it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmergeRequest {
    /// The page that was merged, which is in the trash.
    pub page_id: PageId,
    /// The page that received its text.
    pub into: PageId,
    /// The revision that has both texts.
    pub revision: u64,
    pub files: Vec<MergedFile>,
    pub pages: Vec<MergedLinks>,
    pub user: UserId,
}

impl Reorganize<'_> {
    /// Undoes a merge: restores the page with its files, and returns the texts to their earlier revisions, as new
    /// ones. A linking page that was written since keeps its text.
    ///
    /// # Errors
    /// [`ReorganizeError::Changed`] if the page that received the text was written since.
    pub fn unmerge(&self, request: &UnmergeRequest) -> Result<(), ReorganizeError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let moment = self.lock_time.moment();
            let user = txn
                .get(USER, &request.user.to_bytes())?
                .ok_or(ReorganizeError::NoUser)?;
            let target = present_page(txn, request.into, moment)?;
            if target.latest != request.revision {
                let path = target.path_state.path().clone();
                return Err(ReorganizeError::Changed(path));
            }
            let source = saved_page(txn, request.page_id, moment)?;
            let path = source.path_state.path().clone();
            let restored = RestoreRequest {
                page_id: request.page_id,
                to: path.clone(),
                recursive: false,
                token: None,
            };
            restore_in(txn, &restored, moment)?;
            path_history::remove(txn, request.into, &path)?;
            for file in &request.files {
                assets::return_file(txn, file.id, (request.into, request.page_id), &file.name)?;
            }
            let undo = Undo {
                by: (&user, now),
                moment,
            };
            undo.roll_back(txn, target, request.revision)?;
            for page in &request.pages {
                let info = saved(txn, page.page_id)?.filter(|info| info.latest == page.revision);
                if let Some(info) = info
                    && matches!(info.path_state, PagePathState::Current(_))
                {
                    undo.roll_back(txn, info, page.revision)?;
                }
            }
            Ok(())
        })
    }
}

struct Undo<'u> {
    by: (&'u User, Timestamp),
    moment: Moment,
}

impl Undo<'_> {
    /// Returns a page to the text before a revision.
    fn roll_back(
        &self,
        txn: &WriteTxn,
        info: PageInfo,
        revision: u64,
    ) -> Result<(), ReorganizeError> {
        let before = revision
            .checked_sub(1)
            .ok_or(PageError::NoSuchRevision(revision))?;
        let page = UnlockedPage::verify(txn, info, None, self.moment)?;
        roll_back(txn, page, before, self.by)?;
        Ok(())
    }
}
