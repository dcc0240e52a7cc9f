//! Locks and the pages that they hold, kept in step. Every change to either goes through here.

use crate::assets;
use crate::id::{LockToken, PageId, UserId};
use crate::locks::{LockError, Moment};
use crate::model::change::Change;
use crate::model::lock::LockInfo;
use crate::model::page::{DraftInfo, PageIndex};
use crate::store::{LOCK, PAGE_INDEX, PAGE_PATH, Read, StorageError, USER, WriteTxn};
use crate::wiki::Wiki;

/// Proof that, in this transaction, the caller's token holds the page.
pub(crate) struct LockedPage {
    pub(crate) lock: LockInfo,
    pub(crate) page: PageIndex,
}

/// The token that holds what the page id stands for.
pub(crate) fn holder_of(page: &PageIndex) -> Option<LockToken> {
    match page {
        PageIndex::Page(info) => info.lock_token,
        PageIndex::Draft(draft) => Some(draft.lock_token),
    }
}

/// The lock that holds the page now. One that ran out and was not swept yet holds nothing.
pub(crate) fn lock_that_counts(
    txn: &impl Read,
    page: &PageIndex,
    moment: Moment,
) -> Result<Option<LockInfo>, StorageError> {
    let Some(token) = holder_of(page) else {
        return Ok(None);
    };
    Ok(txn
        .get(LOCK, &token.to_bytes())?
        .filter(|lock: &LockInfo| moment.counts(lock)))
}

/// What the page id stands for. A draft whose lock ran out is as good as gone, whether the sweeper has
/// come or not.
pub(crate) fn living(
    txn: &impl Read,
    page_id: PageId,
    moment: Moment,
) -> Result<Option<PageIndex>, StorageError> {
    let Some(page) = txn.get(PAGE_INDEX, &page_id.to_bytes())? else {
        return Ok(None);
    };
    let gone = match &page {
        PageIndex::Page(_) => false,
        PageIndex::Draft(_) => lock_that_counts(txn, &page, moment)?.is_none(),
    };
    Ok((!gone).then_some(page))
}

impl LockedPage {
    /// Looks whether `token` holds the page now.
    pub(crate) fn verify(
        txn: &WriteTxn,
        page_id: PageId,
        token: LockToken,
        moment: Moment,
    ) -> Result<Self, LockError> {
        let page = living(txn, page_id, moment)?.ok_or(LockError::PageNotFound)?;
        let lock = lock_that_counts(txn, &page, moment)?
            .filter(|lock| lock.token == token)
            .ok_or(LockError::Invalid)?;
        Ok(Self { lock, page })
    }
}

/// Gives `user` a new lock on the page, in place of the one that it had. The caller puts the page's
/// own row.
pub(crate) fn grant(
    wiki: &Wiki,
    txn: &WriteTxn,
    page: PageId,
    user: UserId,
) -> Result<LockInfo, StorageError> {
    let token = LockToken::generate(wiki.clock.now(), &*wiki.entropy);
    // The time counts from the token's own moment (to the millisecond), so that the two agree.
    let lock = LockInfo {
        token,
        page,
        user,
        expire: token.timestamp() + wiki.lock_ttl,
    };
    txn.put(LOCK, &token.to_bytes(), &lock)?;
    txn.tell(Change::Locked {
        page_id: page,
        user_name: name_of(txn, user)?,
        expire: lock.expire,
    });
    Ok(lock)
}

/// Ends the lock: its row goes, the page is free, and a draft goes with it (docs/spec/wiki.md, Locks).
pub(crate) fn release(
    txn: &WriteTxn,
    lock: &LockInfo,
    page: PageIndex,
) -> Result<(), StorageError> {
    match page {
        PageIndex::Page(mut info) => {
            free(txn, lock.page, lock.token)?;
            info.lock_token = None;
            txn.put(PAGE_INDEX, &lock.page.to_bytes(), &PageIndex::Page(info))
        }
        PageIndex::Draft(draft) => remove_draft(txn, &draft),
    }
}

/// Frees a page: its lock's row goes. The caller puts the page's own row.
pub(crate) fn free(txn: &WriteTxn, page: PageId, token: LockToken) -> Result<(), StorageError> {
    txn.tell(Change::Unlocked { page_id: page });
    drop_row(txn, token)
}

/// Takes a lock's row away that holds nothing, or in whose place another one came.
pub(super) fn drop_row(txn: &WriteTxn, token: LockToken) -> Result<(), StorageError> {
    txn.remove(LOCK, &token.to_bytes())
}

/// Takes a draft away, with its path, its lock and its files (docs/spec/wiki.md, Files).
pub(crate) fn remove_draft(txn: &WriteTxn, draft: &DraftInfo) -> Result<(), StorageError> {
    free(txn, draft.page_id, draft.lock_token)?;
    assets::remove_of_draft(txn, draft.page_id)?;
    txn.remove(PAGE_PATH, draft.path.as_str())?;
    txn.remove(PAGE_INDEX, &draft.page_id.to_bytes())
}

/// The name to show for a lock's holder.
pub(crate) fn name_of(txn: &impl Read, user: UserId) -> Result<String, StorageError> {
    let known = txn.get(USER, &user.to_bytes())?;
    // People are never removed; if a row were, the lock is still shown, by the id.
    Ok(known.map_or_else(|| user.to_string(), |user| user.name.to_string()))
}

/// The refusal that names the holder.
pub(crate) fn held(
    txn: &impl Read,
    lock: &LockInfo,
    moment: Moment,
) -> Result<LockError, StorageError> {
    Ok(LockError::Held {
        user_name: name_of(txn, lock.user)?,
        expire: moment.end(lock),
    })
}
