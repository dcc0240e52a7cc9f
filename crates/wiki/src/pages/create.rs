//! Beginning a page: a draft and its lock in one step (wiki.md §17.2.1), and its first revision.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::links::{self, StoredText};
use crate::locks::{HeldLock, grant, release, status};
use crate::model::page::{
    DraftInfo, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo, SourceHead,
};
use crate::model::user::User;
use crate::pages::CreateError;
use crate::path::PagePath;
use crate::store::{LOCK, PAGE_INDEX, PAGE_PATH, PAGE_SOURCE, Read, StorageError, WriteTxn};
use crate::wiki::Wiki;

impl Wiki {
    /// Takes a path for a page to be written, and its lock with it.
    ///
    /// # Errors
    /// When a page, or someone else's draft, has the path.
    pub fn create_draft(
        &self,
        path: &PagePath,
        user: UserId,
    ) -> Result<(PageId, HeldLock), CreateError> {
        self.store.write(|txn| {
            if let Some(id) = txn.get(PAGE_PATH, path.as_str())? {
                self.clear_dead_draft(txn, PageId::from_bytes(id), path)?;
            }
            let page_id = PageId::generate(self.clock.now(), &*self.entropy);
            let lock = grant(self, txn, page_id, user)?;
            let draft = DraftInfo {
                page_id,
                path: path.clone(),
                lock_token: lock.token,
            };
            txn.put(PAGE_PATH, path.as_str(), &page_id.to_bytes())?;
            txn.put(PAGE_INDEX, &page_id.to_bytes(), &PageIndex::Draft(draft))?;
            Ok((page_id, lock.into()))
        })
    }

    /// Takes away the draft in the way if its lock has run out and the sweeper has yet to come;
    /// refuses otherwise.
    fn clear_dead_draft(
        &self,
        txn: &WriteTxn,
        id: PageId,
        path: &PagePath,
    ) -> Result<(), CreateError> {
        let taken = || CreateError::PathTaken(path.clone());
        let page = txn.get(PAGE_INDEX, &id.to_bytes())?.ok_or_else(taken)?;
        let PageIndex::Draft(draft) = &page else {
            return Err(taken());
        };
        if let Some(held) = status(txn, &page, self.moment())? {
            return Err(CreateError::Draft {
                path: path.clone(),
                page_id: id,
                user: held.user,
                user_name: held.user_name,
                expire: held.expire,
            });
        }
        let lock = txn
            .get(LOCK, &draft.lock_token.to_bytes())?
            .ok_or_else(taken)?;
        Ok(release(txn, &lock, page)?)
    }
}

/// Makes the page's first revision, and binds the links that waited for it. The path's row is there
/// already.
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
    let info = PageInfo {
        page_id,
        path_state: PagePathState::Current(path.clone()),
        latest: 1,
        gc_min: 1,
        lock_token: None,
        rename_revisions: vec![1],
    };
    // First, so that the page can link to itself.
    txn.put(PAGE_INDEX, &page_id.to_bytes(), &PageIndex::Page(info))?;
    let stored = links::stored(txn, page_id, &path, &source)?;
    let source = PageSource {
        head,
        source: stored.text.clone(),
    };
    txn.put(PAGE_SOURCE, (&page_id.to_bytes(), 1), &source)?;
    links::record(txn, page_id, stored.targets.clone())?;
    links::arrive(txn, &path, page_id)?;
    Ok(stored)
}
