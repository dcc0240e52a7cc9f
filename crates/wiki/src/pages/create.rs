//! Creation of a page: a draft and its lock in one step (docs/spec/wiki.md, Editing), and its first revision.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::latest_text::put_latest;
use crate::links::{self, StoredText};
use crate::locks::{HeldLock, grant, remove_draft};
use crate::model::change::{Change, PageChange};
use crate::model::page::{
    DraftInfo, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo, SourceHead,
};
use crate::model::user::User;
use crate::pages::CreateError;
use crate::parts::Pages;
use crate::path::PagePath;
use crate::repository::put_index;
use crate::store::{StorageError, WriteTxn};
use crate::tree::path_status::{self, PathStatus};

impl Pages<'_> {
    /// Reserves a path for a new page, and locks it.
    ///
    /// # Errors
    /// Returns an error if a page or a locked draft has the path.
    pub fn create_draft(
        &self,
        path: &PagePath,
        user: UserId,
    ) -> Result<(PageId, HeldLock), CreateError> {
        self.store.write(|txn| {
            match path_status::read(txn, path, self.lock_time.moment(), |_| false)? {
                PathStatus::Free => {}
                PathStatus::ExpiredDraft(draft) => remove_draft(txn, &draft)?,
                PathStatus::Taken(taken) => return Err(taken.into()),
            }
            let page_id = PageId::generate(self.clock.now(), self.entropy);
            let lock = grant(txn, self.lock_time.new_lock(page_id, user, self.entropy))?;
            let draft = DraftInfo {
                page_id,
                path: path.clone(),
                lock_token: lock.token,
            };
            put_index(txn, &PageIndex::Draft(draft))?;
            Ok((page_id, lock.into()))
        })
    }
}

/// Creates the page's first revision, and binds the links that waited for it.
pub(crate) fn first_revision(
    txn: &WriteTxn,
    page_id: PageId,
    path: PagePath,
    author: &User,
    now: Timestamp,
    source: String,
) -> Result<StoredText, StorageError> {
    let rename = RenameInfo {
        from: None,
        to: path.clone(),
        link_refs: BTreeMap::new(),
    };
    let head = SourceHead {
        revision: 1,
        created_at: now,
        author: author.id,
        user_name: author.name.to_string(),
        rename: Some(rename),
        amends: 0,
    };
    // The page's row comes first, so that the page can link to itself.
    put_new(txn, page_id, &path)?;
    let stored = links::storage_text(txn, page_id, &path, &source, None)?;
    let source = PageSource {
        head,
        source: stored.text.clone(),
    };
    put_latest(txn, page_id, &source, stored.targets.clone())?;
    links::bind_waiting_links(txn, &path, page_id)?;
    txn.report(Change::Page {
        page_id,
        path,
        revision: 1,
        kind: PageChange::Created,
    });
    Ok(stored)
}

/// Puts the row of a page before its first revision: others can link to it from now on.
pub(crate) fn put_new(
    txn: &WriteTxn,
    page_id: PageId,
    path: &PagePath,
) -> Result<(), StorageError> {
    let info = PageInfo {
        page_id,
        path_state: PagePathState::Current(path.clone()),
        latest: 1,
        gc_min: 1,
        lock_token: None,
        rename_revisions: vec![1],
    };
    put_index(txn, &PageIndex::Page(info))
}
