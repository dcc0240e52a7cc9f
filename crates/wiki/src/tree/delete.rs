//! Deletes pages: into the trash, or permanently (docs/spec/wiki.md, Deleting and restoring).

use jiff::Timestamp;

use crate::assets;
use crate::id::{DeletionId, LockToken, PageId, UserId};
use crate::links;
use crate::locks::{Moment, UnlockedPages, remove_draft, status, unlock};
use crate::model::change::PageChange;
use crate::model::history::{Deletion, FormerPath, FormerPaths};
use crate::model::page::{DraftInfo, PageIndex, PageInfo, PagePathState};
use crate::parts::Tree;
use crate::path::PagePath;
use crate::repository::{self, PageRecord};
use crate::store::{DELETION, PAGE_INDEX, PAGE_SOURCE, Read, StorageError, USER, WriteTxn};
use crate::tree::{ChangedPage, DeleteError, subtree, trash};

/// A page to be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteRequest {
    /// The page, or a draft that the token holds.
    pub page_id: PageId,
    /// True if its subpages are deleted too.
    pub recursive: bool,
    /// The user who deletes it.
    pub user: UserId,
    /// The token that permits changes to locked pages. The lock ends.
    pub token: Option<LockToken>,
}

/// The result of a deletion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeleteOutcome {
    /// The deleted pages, at their former paths.
    pub pages: Vec<ChangedPage>,
    /// The pages and drafts whose locks ended. A draft is permanently removed with its lock.
    pub unlocked: Vec<PageId>,
}

/// The pages and drafts to delete, after all checks.
struct DeletePlan {
    pages: Vec<PageInfo>,
    drafts: Vec<DraftInfo>,
}

impl Tree<'_> {
    /// Moves a page to the trash. Its path becomes free. Its revisions, files and links stay, and it
    /// can be restored.
    ///
    /// [`DeleteError`], for any of the pages: then none of them is deleted.
    pub fn delete(&self, request: &DeleteRequest) -> Result<DeleteOutcome, DeleteError> {
        self.store.write(|txn| {
            let user = txn
                .get(USER, &request.user.to_bytes())?
                .ok_or(DeleteError::NoUser)?;
            let page = page(txn, request.page_id)?;
            if is_deleted(&page) {
                return Err(DeleteError::Deleted);
            }
            let plan = plan(txn, page, request, self.lock_time.moment())?;
            let now = self.clock.now();
            let deletion = Deletion {
                deleted_at: now,
                user_name: user.name.to_string(),
                group: DeletionId::generate(now, self.entropy),
            };
            Ok(apply(txn, plan, |txn, info| {
                move_to_trash(txn, info, &deletion)
            })?)
        })
    }

    /// Permanently deletes a page, in the trash or not. Its revisions are removed, and links to it become dead.
    /// Its files are orphaned (docs/spec/wiki.md, Files). For a page in the trash, a recursive request includes
    /// the subpages that were deleted along with it.
    ///
    /// Unsaved text stays: it belongs to its author, not to the page.
    ///
    /// # Errors
    /// [`DeleteError`], for any of the pages: then none of them is deleted.
    pub fn erase(&self, request: &DeleteRequest) -> Result<DeleteOutcome, DeleteError> {
        self.store.write(|txn| {
            let page = page(txn, request.page_id)?;
            let plan = plan(txn, page, request, self.lock_time.moment())?;
            let now = self.clock.now();
            Ok(apply(txn, plan, |txn, info| erase_page(txn, info, now))?)
        })
    }
}

fn page(txn: &WriteTxn, id: PageId) -> Result<PageIndex, DeleteError> {
    txn.get(PAGE_INDEX, &id.to_bytes())?
        .ok_or(DeleteError::NotFound)
}

fn is_deleted(page: &PageIndex) -> bool {
    match page {
        PageIndex::Page(info) => info.path_state.is_deleted(),
        PageIndex::Draft(_) => false,
    }
}

fn plan(
    txn: &WriteTxn,
    page: PageIndex,
    request: &DeleteRequest,
    moment: Moment,
) -> Result<DeletePlan, DeleteError> {
    let path = match &page {
        PageIndex::Page(info) => info.path_state.path().clone(),
        // A draft whose lock has expired counts as removed.
        PageIndex::Draft(draft) => match status(txn, &page, moment)? {
            Some(_) => draft.path.clone(),
            None => return Err(DeleteError::NotFound),
        },
    };
    if path.is_root() {
        return Err(DeleteError::RootProtected);
    }
    let all = match page {
        page if !request.recursive => vec![page],
        PageIndex::Page(info) if info.path_state.is_deleted() => trash::with_subpages(txn, info)?
            .into_iter()
            .map(|(info, _)| PageIndex::Page(info))
            .collect(),
        PageIndex::Page(_) | PageIndex::Draft(_) => subtree::rows(txn, &path)?,
    };
    let UnlockedPages {
        pages,
        draft,
        expired_drafts: mut drafts,
        lock: _,
    } = UnlockedPages::verify(txn, all, request.token, moment)?;
    drafts.extend(draft);
    Ok(DeletePlan { pages, drafts })
}

/// Deletes everything in the plan, each page by `remove`.
fn apply(
    txn: &WriteTxn,
    plan: DeletePlan,
    remove: impl Fn(&WriteTxn, PageInfo) -> Result<(), StorageError>,
) -> Result<DeleteOutcome, StorageError> {
    let mut deleted = DeleteOutcome::default();
    for draft in &plan.drafts {
        remove_draft(txn, draft)?;
        deleted.unlocked.push(draft.page_id);
    }
    for mut info in plan.pages {
        // Expired locks are freed too, as no sweep will find them here.
        if let Some(token) = info.lock_token.take() {
            unlock(txn, info.page_id, token)?;
            deleted.unlocked.push(info.page_id);
        }
        let page = ChangedPage {
            page_id: info.page_id,
            path: info.path_state.path().clone(),
            revision: info.latest,
        };
        txn.report(page.change(PageChange::Deleted));
        deleted.pages.push(page);
        remove(txn, info)?;
    }
    Ok(deleted)
}

/// Moves a page, whose lock was checked, to the trash.
pub(crate) fn trash_page(
    txn: &WriteTxn,
    info: PageInfo,
    deletion: &Deletion,
) -> Result<(), StorageError> {
    let plan = DeletePlan {
        pages: vec![info],
        drafts: Vec::new(),
    };
    apply(txn, plan, |txn, info| move_to_trash(txn, info, deletion))?;
    Ok(())
}

fn move_to_trash(
    txn: &WriteTxn,
    mut info: PageInfo,
    deletion: &Deletion,
) -> Result<(), StorageError> {
    repository::put(txn, DELETION, info.page_id, Some(deletion))?;
    assets::delete_with_page(txn, info.page_id, deletion.deleted_at)?;
    info.path_state = PagePathState::LastDeleted(info.path_state.path().clone());
    repository::put_index(txn, &PageIndex::Page(info))
}

fn erase_page(txn: &WriteTxn, info: PageInfo, now: Timestamp) -> Result<(), StorageError> {
    let path: &PagePath = info.path_state.path();
    assets::orphan(txn, info.page_id, path, now)?;
    // Links to the page become links to its last path.
    let last = FormerPath {
        path: path.clone(),
        left_at: now,
    };
    let erased = PageRecord {
        former_paths: Some(FormerPaths { paths: vec![last] }),
        ..PageRecord::default()
    };
    erased.put(txn, info.page_id)?;
    for revision in info.gc_min..=info.latest {
        txn.remove(PAGE_SOURCE, (&info.page_id.to_bytes(), revision))?;
    }
    links::erase(txn, info.page_id, path)
}

#[cfg(test)]
#[path = "delete_tests.rs"]
mod tests;
