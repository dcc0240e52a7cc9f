//! Renames one page, or a page with all its subpages, in one transaction (docs/spec/wiki.md, Renames).

use std::collections::HashSet;
use std::convert::Infallible;

use jiff::Timestamp;

use crate::id::{LockToken, PageId, UserId};
use crate::latest_text::{latest_for_update, put_latest};
use crate::links::{self, LinkWarning, MovedText};
use crate::locks::{Moment, UnlockedPages, existing_page, remove_draft};
use crate::model::change::PageChange;
use crate::model::page::{
    DraftInfo, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo, SourceHead,
};
use crate::model::user::User;
use crate::parts::Tree;
use crate::path::PagePath;
use crate::repository::put_index;
use crate::store::{PAGE_SOURCE, Read, StorageError, USER, WriteTxn};
use crate::tree::path_status::{self, PathStatus};
use crate::tree::{ChangedPage, PathTaken, RenameError, path_history, subtree, unrecorded_moves};

/// A page to be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameRequest {
    pub page_id: PageId,
    /// Its new path.
    pub to: PagePath,
    /// True if its subpages are renamed with it.
    pub recursive: bool,
    /// The user who renames it.
    pub user: UserId,
    /// The token that permits changes to locked pages. The lock stays.
    pub token: Option<LockToken>,
}

/// The result of a rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameOutcome {
    /// The page's latest revision, which records the rename.
    pub revision: u64,
    /// All renamed pages, each with a revision of its own.
    pub pages: Vec<ChangedPage>,
    /// Links that have another target from the new paths.
    pub warnings: Vec<PageWarning>,
}

/// A link of a page whose target has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageWarning {
    /// The current path of the page with the link.
    pub page: PagePath,
    pub warning: LinkWarning,
}

/// The changes to make, after all checks.
struct RenamePlan {
    moves: Vec<Move>,
    /// The old and the new path of the subtree, if the rename is recursive.
    subtree: Option<(PagePath, PagePath)>,
    /// The caller's own draft and its new path.
    draft: Option<(DraftInfo, PagePath)>,
    /// Drafts with an expired lock, to be removed.
    expired_drafts: Vec<DraftInfo>,
}

struct Move {
    /// The page before the move.
    info: PageInfo,
    to: PagePath,
}

impl Tree<'_> {
    /// Renames a page. Each renamed page gets a revision that records it. The pages that link to it
    /// do not change.
    ///
    /// # Errors
    /// [`RenameError`], for any of the pages: then none of them is renamed.
    pub fn rename(&self, request: &RenameRequest) -> Result<RenameOutcome, RenameError> {
        self.store.write(|txn| self.rename_in(txn, request))
    }

    /// Returns the result that [`Self::rename`] would have, or its error. Nothing changes: the rename
    /// runs in a transaction that is then aborted, so the result is exact.
    ///
    /// # Errors
    /// The errors of [`Self::rename`].
    pub fn preview_rename(&self, request: &RenameRequest) -> Result<RenameOutcome, RenameError> {
        let aborted = self.store.write(|txn| {
            let outcome = self.rename_in(txn, request);
            Err::<Infallible, _>(RenamePreview(outcome))
        });
        match aborted {
            Err(RenamePreview(outcome)) => outcome,
        }
    }

    fn rename_in(
        &self,
        txn: &WriteTxn,
        request: &RenameRequest,
    ) -> Result<RenameOutcome, RenameError> {
        let now = self.clock.now();
        let author = txn
            .get(USER, &request.user.to_bytes())?
            .ok_or(RenameError::NoUser)?;
        let plan = plan(txn, request, self.lock_time.moment())?;
        Ok(apply(txn, plan, request.page_id, &author, now)?)
    }
}

/// The result of a transaction that is aborted.
struct RenamePreview(Result<RenameOutcome, RenameError>);

impl From<StorageError> for RenamePreview {
    fn from(error: StorageError) -> Self {
        Self(Err(error.into()))
    }
}

fn plan(
    txn: &WriteTxn,
    request: &RenameRequest,
    moment: Moment,
) -> Result<RenamePlan, RenameError> {
    let page = existing_page(txn, request.page_id, moment)?.ok_or(RenameError::NotFound)?;
    let PageIndex::Page(info) = page else {
        return Err(RenameError::Draft);
    };
    let PagePathState::Current(from) = info.path_state.clone() else {
        return Err(RenameError::Deleted);
    };
    let to = request.to.clone();
    if from.is_root() {
        return Err(RenameError::RootProtected);
    }
    if to == from {
        return Err(PathTaken::Page(to).into());
    }
    if request.recursive && to.is_within(&from) {
        return Err(RenameError::IntoItself { from, to });
    }
    let all = if request.recursive {
        subtree::rows(txn, &from)?
    } else {
        vec![PageIndex::Page(info)]
    };
    let unlocked = UnlockedPages::verify(txn, all, request.token, moment)?;
    let mut plan = plan_moves(txn, unlocked, &from, &to, moment)?;
    plan.subtree = request.recursive.then_some((from, to));
    Ok(plan)
}

/// Computes the new path of each page, and checks that it is free once all pages have left.
fn plan_moves(
    txn: &WriteTxn,
    unlocked: UnlockedPages,
    from: &PagePath,
    to: &PagePath,
    moment: Moment,
) -> Result<RenamePlan, RenameError> {
    let UnlockedPages {
        pages,
        draft,
        mut expired_drafts,
        lock: _,
    } = unlocked;
    let mut leaving: HashSet<PageId> = pages.iter().map(|info| info.page_id).collect();
    leaving.extend(
        draft
            .iter()
            .chain(&expired_drafts)
            .map(|draft| draft.page_id),
    );
    let mut new_path = |path: &PagePath| -> Result<PagePath, RenameError> {
        let to = path
            .moved(from, to)
            .map_err(|reason| RenameError::InvalidPath {
                path: path.clone(),
                reason,
            })?;
        match path_status::read(txn, &to, moment, |id| leaving.contains(&id))? {
            PathStatus::Free => {}
            PathStatus::ExpiredDraft(draft) => expired_drafts.push(draft),
            PathStatus::Taken(taken) => return Err(taken.into()),
        }
        Ok(to)
    };
    let mut moves = Vec::with_capacity(pages.len());
    for info in pages {
        let to = new_path(info.path_state.path())?;
        moves.push(Move { info, to });
    }
    let draft = match draft {
        Some(draft) => Some((new_path(&draft.path)?, draft)),
        None => None,
    };
    Ok(RenamePlan {
        moves,
        subtree: None,
        draft: draft.map(|(to, draft)| (draft, to)),
        expired_drafts,
    })
}

fn apply(
    txn: &WriteTxn,
    plan: RenamePlan,
    page_id: PageId,
    author: &User,
    now: Timestamp,
) -> Result<RenameOutcome, StorageError> {
    for draft in &plan.expired_drafts {
        remove_draft(txn, draft)?;
    }
    // Link targets are resolved while all pages are still at their old paths.
    let mut warnings = Vec::new();
    for page in &plan.moves {
        let mut found = add_revision(txn, page, author, now)?;
        if let Some((from, to)) = &plan.subtree {
            found.retain(|warning| !links::stays_same_file(warning, from, to));
        }
        warnings.extend(found.into_iter().map(|warning| PageWarning {
            page: page.to.clone(),
            warning,
        }));
    }
    if let Some((draft, to)) = plan.draft {
        move_draft(txn, draft, to)?;
    }
    let mut pages = Vec::with_capacity(plan.moves.len());
    for Move { mut info, to } in plan.moves {
        path_history::add(txn, info.page_id, info.path_state.path().clone(), now)?;
        info.path_state = PagePathState::Current(to.clone());
        info.latest += 1;
        info.rename_revisions.push(info.latest);
        pages.push(ChangedPage {
            page_id: info.page_id,
            path: to,
            revision: info.latest,
        });
        put_index(txn, &PageIndex::Page(info))?;
    }
    for page in &pages {
        links::bind_waiting_links(txn, &page.path, page.page_id)?;
        txn.report(page.change(PageChange::Renamed));
    }
    let own = pages.iter().find(|page| page.page_id == page_id);
    let revision = own.expect("BUG: the page itself is renamed").revision;
    Ok(RenameOutcome {
        revision,
        pages,
        warnings,
    })
}

fn move_draft(txn: &WriteTxn, mut draft: DraftInfo, to: PagePath) -> Result<(), StorageError> {
    draft.path = to;
    let moved = ChangedPage {
        page_id: draft.page_id,
        path: draft.path.clone(),
        revision: 0,
    };
    txn.report(moved.change(PageChange::Renamed));
    put_index(txn, &PageIndex::Draft(draft))
}

/// Writes the revision that records the rename. Returns the links of the page that have another
/// target from the new path.
fn add_revision(
    txn: &WriteTxn,
    page: &Move,
    author: &User,
    now: Timestamp,
) -> Result<Vec<LinkWarning>, StorageError> {
    let Move { info, to } = page;
    let newest = latest_for_update(txn, info)?;
    let MovedText {
        text,
        targets,
        link_refs,
        warnings,
    } = links::move_page(txn, info, &newest.source, to)?;
    if text != newest.source {
        // Freezes the links of the previous revision: its bound paths have become ids.
        let source = text.clone();
        let key = (&info.page_id.to_bytes(), info.latest);
        txn.put(PAGE_SOURCE, key, &PageSource { source, ..newest })?;
    }
    // The path at which the previous revision was made, regardless of restores since.
    let unrecorded = unrecorded_moves::take(txn, info.page_id)?.and_then(|moved| moved.from);
    let rename = RenameInfo {
        from: Some(unrecorded.unwrap_or_else(|| info.path_state.path().clone())),
        to: to.clone(),
        link_refs,
    };
    let revision = info.latest + 1;
    let head = SourceHead {
        revision,
        created_at: now,
        author: author.id,
        user_name: author.name.to_string(),
        rename: Some(rename),
        amends: 0,
    };
    let source = PageSource { head, source: text };
    put_latest(txn, info.page_id, &source, targets)?;
    Ok(warnings)
}
