//! Saving: the check, the new revision, the release of the lock (unless it is kept) and the end of the tab's
//! autosave entry, all in one transaction.

use jiff::Timestamp;

use crate::autosave;
use crate::id::{LockToken, PageId, UserId};
use crate::latest_text::{latest_for_update, newest, put_latest};
use crate::links::{self, LinkWarning, StoredText};
use crate::locks::{Moment, UnlockedPage, active_lock, existing_page, status, unlock};
use crate::model::change::{Change, PageChange};
use crate::model::lock::LockInfo;
use crate::model::page::{
    DraftInfo, MAX_SOURCE_BYTES, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo,
    SourceHead,
};
use crate::model::user::User;
use crate::pages::{Precondition, SaveError, VersionTag, first_revision, text_digest};
use crate::parts::Pages;
use crate::path::PagePath;
use crate::repository::put_index;
use crate::store::{PAGE_INDEX, Read, StorageError, USER, WriteTxn};
use crate::tree::unrecorded_moves;

/// A request to save a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveRequest {
    /// The page or draft.
    pub page_id: PageId,
    /// The saving user.
    pub user: UserId,
    /// The Markdown source.
    pub source: String,
    /// The lock token, required if the page is locked.
    pub token: Option<LockToken>,
    /// The versions on which the text may be based. Required if the page is not locked, and checked even if it
    /// is.
    pub if_match: Option<Precondition>,
    /// True to overwrite the latest revision instead of adding one.
    pub amend: bool,
    /// True to keep the lock of `token`, unchanged and until its own end.
    pub keep_lock: bool,
    /// The tab of the autosave entry for this text.
    pub tab: Option<String>,
    /// The digest ([`text_digest`]) of the text that the author had read. If the page is still shown like that, a
    /// path means the page at it, and not a page that was there when the author may have read an older text.
    pub read: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveOutcome {
    /// The latest version now.
    pub version: VersionTag,
    pub path: PagePath,
    /// True if the text differs from before.
    pub changed: bool,
    /// True if this save created the page.
    pub created: bool,
    /// True if this save ended a lock.
    pub unlocked: bool,
    /// The text as it is shown now.
    pub source: String,
    /// Links that a reader might misunderstand.
    pub warnings: Vec<LinkWarning>,
}

impl Pages<'_> {
    /// Saves a text. The autosave entry of the request's tab is removed with it.
    ///
    /// A text equal to the latest revision makes no revision and succeeds, even if the lock is gone: the
    /// response to a first attempt may have been lost.
    ///
    /// # Errors
    /// Returns [`SaveError`]; the page, the lock and the autosave entry are then unchanged.
    pub fn save(&self, request: SaveRequest) -> Result<SaveOutcome, SaveError> {
        if request.source.len() > MAX_SOURCE_BYTES {
            return Err(SaveError::TooLarge(request.source.len()));
        }
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn
                .get(USER, &request.user.to_bytes())?
                .ok_or(SaveError::NotFound)?;
            let moment = self.lock_time.moment();
            let page = existing_page(txn, request.page_id, moment)?.ok_or(SaveError::NotFound)?;
            let lock = lock_of_request(txn, &request, &page, moment)?;
            let (page_id, tab, amend) = (request.page_id, request.tab.clone(), request.amend);
            let saved = match page {
                PageIndex::Draft(draft) => {
                    lock.ok_or(SaveError::LockInvalid)?;
                    save_draft(txn, draft, &user, now, request)?
                }
                PageIndex::Page(info) => save_page(txn, info, lock, &user, now, request)?,
            };
            if let Some(tab) = tab {
                let is_new_revision = saved.created || (saved.changed && !amend);
                let revision = (saved.version.revision, is_new_revision);
                let tab = (page_id, user.id, tab.as_str());
                autosave::end_entry_of_tab(txn, self.next_scan, tab, revision, now)?;
            }
            Ok(saved)
        })
    }
}

/// Returns the lock by which the request may change the page, or `None` if the page is not locked or the token
/// is not that of its lock: then the text decides.
fn lock_of_request(
    txn: &WriteTxn,
    request: &SaveRequest,
    page: &PageIndex,
    moment: Moment,
) -> Result<Option<LockInfo>, SaveError> {
    let Some(token) = request.token else {
        return match status(txn, page, moment)? {
            Some(held) => Err(SaveError::LockRequired {
                user_name: held.user_name,
                expire: held.expire,
            }),
            None => Ok(None),
        };
    };
    Ok(active_lock(txn, page, moment)?.filter(|lock| lock.token == token))
}

fn save_draft(
    txn: &WriteTxn,
    draft: DraftInfo,
    user: &User,
    now: Timestamp,
    request: SaveRequest,
) -> Result<SaveOutcome, SaveError> {
    let DraftInfo {
        page_id,
        path,
        lock_token,
    } = draft;
    if !request.keep_lock {
        unlock(txn, page_id, lock_token)?;
    }
    let stored = first_revision(txn, page_id, path.clone(), user, now, request.source)?;
    if request.keep_lock {
        keep_lock(txn, page_id, lock_token)?;
    }
    let version = VersionTag {
        revision: 1,
        amends: 0,
    };
    Ok(SaveOutcome {
        version,
        source: links::display_new_text(txn, page_id, &path, &stored)?,
        path,
        changed: true,
        created: true,
        unlocked: !request.keep_lock,
        warnings: stored.warnings,
    })
}

/// Transfers the draft's lock to the page that the draft has become.
fn keep_lock(txn: &WriteTxn, page_id: PageId, token: LockToken) -> Result<(), StorageError> {
    let row = txn.get(PAGE_INDEX, &page_id.to_bytes())?;
    let Some(PageIndex::Page(mut info)) = row else {
        return Err(StorageError::Damaged {
            table: "page_index",
            reason: format!("{page_id} was saved and is no page"),
        });
    };
    info.lock_token = Some(token);
    put_index(txn, &PageIndex::Page(info))
}

fn save_page(
    txn: &WriteTxn,
    mut info: PageInfo,
    lock: Option<LockInfo>,
    user: &User,
    now: Timestamp,
    request: SaveRequest,
) -> Result<SaveOutcome, SaveError> {
    let PagePathState::Current(path) = info.path_state.clone() else {
        return Err(SaveError::Deleted);
    };
    let newest: PageSource = newest(txn, &info)?;
    let version = VersionTag {
        revision: newest.head.revision,
        amends: newest.head.amends,
    };
    let page_id = info.page_id;
    let read = match &request.read {
        Some(read) => {
            let shown = links::display_text(txn, page_id, &path, &newest.source, true)?;
            Some(shown).filter(|shown| *read == text_digest(shown))
        }
        None => None,
    };
    let stored = links::storage_text(txn, page_id, &path, &request.source, read.as_deref())?;
    let unchanged = links::has_same_meaning(&path, &newest.source, &stored);
    check_permission(&request, lock.is_some(), unchanged, version)?;

    let head = if unchanged {
        None
    } else {
        let unrecorded = unrecorded_moves::take(txn, info.page_id)?;
        Some(next_head(newest.head, &request, user, now, unrecorded)?)
    };
    let version = head.as_ref().map_or(version, |head| VersionTag {
        revision: head.revision,
        amends: head.amends,
    });
    if let Some(head) = head {
        put_revision(txn, &mut info, head, &stored)?;
    }
    let unlocked = lock.is_some() && !request.keep_lock;
    if let Some(lock) = lock
        && !request.keep_lock
    {
        unlock(txn, info.page_id, lock.token)?;
        info.lock_token = None;
    }
    let source = links::display_stored_text(txn, &path, &stored, !unchanged)?;
    put_index(txn, &PageIndex::Page(info))?;
    Ok(SaveOutcome {
        version,
        source,
        path,
        changed: !unchanged,
        created: false,
        unlocked,
        warnings: stored.warnings,
    })
}

fn check_permission(
    request: &SaveRequest,
    locked_by_token: bool,
    unchanged: bool,
    version: VersionTag,
) -> Result<(), SaveError> {
    if unchanged {
        return Ok(());
    }
    match (&request.token, &request.if_match) {
        (Some(_), _) if !locked_by_token => Err(SaveError::LockInvalid),
        (_, Some(based_on)) if !based_on.allows(version) => {
            Err(SaveError::PreconditionFailed(version))
        }
        (None, None) => Err(SaveError::PreconditionRequired),
        (_, _) => Ok(()),
    }
}

/// Returns the metadata of the revision that follows the latest one or, for an amendment, replaces it. It
/// records a move that no revision has recorded yet.
fn next_head(
    newest: SourceHead,
    request: &SaveRequest,
    user: &User,
    now: Timestamp,
    unrecorded: Option<RenameInfo>,
) -> Result<SourceHead, SaveError> {
    if request.amend {
        if newest.author != user.id {
            return Err(SaveError::NotAuthor(newest.user_name));
        }
        return Ok(SourceHead {
            created_at: now,
            user_name: user.name.to_string(),
            amends: newest.amends + 1,
            rename: with_unrecorded(newest.rename, unrecorded),
            ..newest
        });
    }
    Ok(next_revision(&newest, user, now, unrecorded))
}

/// Returns the metadata of the revision after the latest one.
fn next_revision(
    newest: &SourceHead,
    user: &User,
    now: Timestamp,
    unrecorded: Option<RenameInfo>,
) -> SourceHead {
    SourceHead {
        revision: newest.revision + 1,
        created_at: now,
        author: user.id,
        user_name: user.name.to_string(),
        rename: unrecorded,
        amends: 0,
    }
}

/// Puts the latest revision, and the rows derived from its text. The caller puts the page's own row.
fn put_revision(
    txn: &WriteTxn,
    info: &mut PageInfo,
    head: SourceHead,
    stored: &StoredText,
) -> Result<(), StorageError> {
    if head.revision > info.latest {
        links::freeze_links(txn, info)?;
    } else {
        // Its row is overwritten.
        latest_for_update(txn, info)?;
    }
    info.latest = head.revision;
    if head.rename.is_some() && info.rename_revisions.last() != Some(&head.revision) {
        info.rename_revisions.push(head.revision);
    }
    let source = stored.text.clone();
    let targets = stored.targets.clone();
    put_latest(txn, info.page_id, &PageSource { head, source }, targets)?;
    txn.report(Change::Page {
        page_id: info.page_id,
        path: info.path_state.path().clone(),
        revision: info.latest,
        kind: PageChange::Saved,
    });
    Ok(())
}

/// Makes a text the latest revision of a page. Returns its number.
pub(crate) fn add_text(
    txn: &WriteTxn,
    mut info: PageInfo,
    newest: &SourceHead,
    (user, now): (&User, Timestamp),
    stored: &StoredText,
) -> Result<u64, StorageError> {
    let unrecorded = unrecorded_moves::take(txn, info.page_id)?;
    let head = next_revision(newest, user, now, unrecorded);
    let revision = head.revision;
    put_revision(txn, &mut info, head, stored)?;
    put_index(txn, &PageIndex::Page(info))?;
    Ok(revision)
}

/// Replaces the latest revision of a page by a text of another author. Returns its number.
fn overwrite_text(
    txn: &WriteTxn,
    mut info: PageInfo,
    newest: SourceHead,
    (user, now): (&User, Timestamp),
    stored: &StoredText,
) -> Result<u64, StorageError> {
    let head = SourceHead {
        created_at: now,
        author: user.id,
        user_name: user.name.to_string(),
        amends: newest.amends + 1,
        ..newest
    };
    let revision = head.revision;
    put_revision(txn, &mut info, head, stored)?;
    put_index(txn, &PageIndex::Page(info))?;
    Ok(revision)
}

/// The outcome of a change of a page's text.
pub(crate) struct RevisionOutcome {
    /// The latest revision now.
    pub(crate) revision: u64,
    /// True if the text differs from before.
    pub(crate) changed: bool,
    pub(crate) warnings: Vec<LinkWarning>,
}

/// The way in which a page gets another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Revise {
    /// As a new revision.
    Add,
    /// In place of the latest revision, of which nothing stays.
    Overwrite,
}

/// Gives an existing page another text. A text with the same meaning as the latest revision changes nothing. A lock
/// stays.
pub(crate) fn revise(
    txn: &WriteTxn,
    page: UnlockedPage,
    (user, now): (&User, Timestamp),
    source: &str,
    way: Revise,
) -> Result<RevisionOutcome, StorageError> {
    let info = page.info;
    let newest: PageSource = newest(txn, &info)?;
    let path = info.path_state.path();
    let stored = links::storage_text(txn, info.page_id, path, source, None)?;
    let changed = !links::has_same_meaning(path, &newest.source, &stored);
    let revision = match way {
        _ if !changed => info.latest,
        Revise::Add => add_text(txn, info, &newest.head, (user, now), &stored)?,
        Revise::Overwrite => overwrite_text(txn, info, newest.head, (user, now), &stored)?,
    };
    Ok(RevisionOutcome {
        revision,
        changed,
        warnings: stored.warnings,
    })
}

/// Returns the rename of an amended revision with an unrecorded move: it starts from the earlier rename's old
/// path or, if that has none, from the move's, and leads to the move's new path.
fn with_unrecorded(
    rename: Option<RenameInfo>,
    unrecorded: Option<RenameInfo>,
) -> Option<RenameInfo> {
    match (rename, unrecorded) {
        (Some(rename), Some(unrecorded)) => Some(RenameInfo {
            from: rename.from.or(unrecorded.from),
            to: unrecorded.to,
            link_refs: rename.link_refs,
        }),
        (rename, unrecorded) => rename.or(unrecorded),
    }
}
