//! Restores pages from the trash: one, or one with the subpages that were deleted along with it
//! (docs/spec/wiki.md, Deleting and restoring).

use crate::assets::{self, NameConflict};
use crate::id::{LockToken, PageId};
use crate::latest_text;
use crate::links::{self, LinkWarning, MovedText};
use crate::locks::{Moment, UnlockedPages, existing_page, remove_draft};
use crate::model::change::PageChange;
use crate::model::history::Deletion;
use crate::model::page::{DraftInfo, PageIndex, PageInfo, PagePathState, RenameInfo};
use crate::parts::Tree;
use crate::path::PagePath;
use crate::repository;
use crate::store::{DELETION, StorageError, WriteTxn};
use crate::tree::path_status::{self, PathStatus};
use crate::tree::{ChangedPage, PageWarning, RestoreError, path_history, trash, unrecorded_moves};

/// A page to be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreRequest {
    pub page_id: PageId,
    /// Its new path.
    pub to: PagePath,
    /// True if the subpages that were deleted along with it are restored too.
    pub recursive: bool,
    /// The token that permits changes to locked pages. A deleted page has no lock, so any token is wrong.
    pub token: Option<LockToken>,
}

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreOutcome {
    /// The restored pages, the requested one first.
    pub pages: Vec<ChangedPage>,
    /// Links that have another target from the paths of the restored pages.
    pub warnings: Vec<PageWarning>,
}

/// The changes to make, after all checks.
struct RestorePlan {
    restores: Vec<PageRestore>,
    /// The old and the new path of the subtree, if the restore is recursive.
    subtree: Option<(PagePath, PagePath)>,
    /// Drafts at the new paths with an expired lock, to be removed.
    expired_drafts: Vec<DraftInfo>,
}

struct PageRestore {
    /// The page before it is restored.
    info: PageInfo,
    deletion: Deletion,
    to: PagePath,
}

impl Tree<'_> {
    /// Restores a deleted page, with the files that were deleted with it. There is no new revision.
    /// If the page is restored to another path, its next revision records that.
    ///
    /// [`RestoreError`], for any of the pages: then all of them are still in the trash.
    pub fn restore(&self, request: &RestoreRequest) -> Result<RestoreOutcome, RestoreError> {
        self.store
            .write(|txn| restore_in(txn, request, self.lock_time.moment()))
    }
}

/// Restores a deleted page in a transaction.
pub(crate) fn restore_in(
    txn: &WriteTxn,
    request: &RestoreRequest,
    moment: Moment,
) -> Result<RestoreOutcome, RestoreError> {
    let plan = plan(txn, request, moment)?;
    apply(txn, plan)
}

fn plan(
    txn: &WriteTxn,
    request: &RestoreRequest,
    moment: Moment,
) -> Result<RestorePlan, RestoreError> {
    let page = existing_page(txn, request.page_id, moment)?.ok_or(RestoreError::NotFound)?;
    let PageIndex::Page(info) = page else {
        return Err(RestoreError::Draft);
    };
    let PagePathState::LastDeleted(from) = info.path_state.clone() else {
        return Err(RestoreError::NotDeleted);
    };
    let all = if request.recursive {
        trash::with_subpages(txn, info)?
    } else {
        let deletion = trash::deletion(txn, &info)?;
        vec![(info, deletion)]
    };
    let rows = all.iter().map(|(info, _)| PageIndex::Page(info.clone()));
    UnlockedPages::verify(txn, rows.collect(), request.token, moment)?;
    let mut plan = RestorePlan {
        restores: Vec::with_capacity(all.len()),
        subtree: request
            .recursive
            .then(|| (from.clone(), request.to.clone())),
        expired_drafts: Vec::new(),
    };
    for (info, deletion) in all {
        let path = info.path_state.path();
        let to = path
            .moved(&from, &request.to)
            .map_err(|reason| RestoreError::InvalidPath {
                path: path.clone(),
                reason,
            })?;
        match path_status::read(txn, &to, moment, |_| false)? {
            PathStatus::Free => {}
            PathStatus::ExpiredDraft(draft) => plan.expired_drafts.push(draft),
            PathStatus::Taken(taken) => return Err(taken.into()),
        }
        plan.restores.push(PageRestore { info, deletion, to });
    }
    Ok(plan)
}

fn apply(txn: &WriteTxn, plan: RestorePlan) -> Result<RestoreOutcome, RestoreError> {
    for draft in &plan.expired_drafts {
        remove_draft(txn, draft)?;
    }
    let mut warnings = Vec::new();
    for PageRestore { info, to, .. } in &plan.restores {
        if to == info.path_state.path() {
            continue;
        }
        let mut found = preserve_link_targets(txn, info, to)?;
        if let Some((from, to)) = &plan.subtree {
            found.retain(|warning| !links::stays_same_file(warning, from, to));
        }
        warnings.extend(found.into_iter().map(|warning| PageWarning {
            page: to.clone(),
            warning,
        }));
    }
    let mut pages = Vec::with_capacity(plan.restores.len());
    for PageRestore {
        mut info,
        deletion,
        to,
    } in plan.restores
    {
        let from = info.path_state.path().clone();
        repository::put(txn, DELETION, info.page_id, None)?;
        if from != to {
            // It left its path when it was deleted: pages that used that path since have left it
            // later.
            path_history::add(txn, info.page_id, from, deletion.deleted_at)?;
        }
        assets::restore_with_page(txn, info.page_id).map_err(|error| match error {
            NameConflict::Taken(name) => RestoreError::FileNameTaken(name),
            NameConflict::Storage(error) => error.into(),
        })?;
        pages.push(ChangedPage {
            page_id: info.page_id,
            path: to.clone(),
            revision: info.latest,
        });
        info.path_state = PagePathState::Current(to);
        repository::put_index(txn, &PageIndex::Page(info))?;
    }
    for page in &pages {
        links::bind_waiting_links(txn, &page.path, page.page_id)?;
        txn.report(page.change(PageChange::Restored));
    }
    Ok(RestoreOutcome { pages, warnings })
}

/// Preserves the targets of the page's links for another path. No revision records the move, so the
/// latest text is respelled: each link to a page names it by its id. The next revision records the
/// move. Returns the links that have another target from the new path.
fn preserve_link_targets(
    txn: &WriteTxn,
    info: &PageInfo,
    to: &PagePath,
) -> Result<Vec<LinkWarning>, StorageError> {
    let newest = latest_text::latest_for_update(txn, info)?;
    let MovedText {
        text,
        targets,
        link_refs,
        warnings,
    } = links::move_page(txn, info, &newest.source, to)?;
    let moved = RenameInfo {
        from: Some(info.path_state.path().clone()),
        to: to.clone(),
        link_refs,
    };
    unrecorded_moves::record(txn, info.page_id, moved)?;
    latest_text::replace_latest_text(txn, info.page_id, newest, text, targets)?;
    Ok(warnings)
}
