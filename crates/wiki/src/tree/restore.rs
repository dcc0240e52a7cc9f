//! Restoring pages from the bin: one, or one with those that were deleted along with it
//! (docs/spec/wiki.md, Deleting and restoring).

use crate::assets::{self, NameInTheWay};
use crate::id::{LockToken, PageId};
use crate::links::{self, LinkWarning, Moved};
use crate::locks::{Moment, UnlockedPages, living, remove_draft};
use crate::model::change::PageChange;
use crate::model::history::Deletion;
use crate::model::page::{DraftInfo, PageIndex, PageInfo, PagePathState, PageSource, RenameInfo};
use crate::path::PagePath;
use crate::search;
use crate::store::{
    DELETED_PAGE_PATH, DELETION, PAGE_INDEX, PAGE_PATH, PAGE_SOURCE, Read, StorageError, WriteTxn,
};
use crate::tree::place::{self, Place};
use crate::tree::{ChangedPage, PageWarning, RestoreError, bin, former, untold};
use crate::wiki::Wiki;

/// A page to be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreRequest {
    /// The page.
    pub page_id: PageId,
    /// Where it is to stand.
    pub to: PagePath,
    /// Whether those come with it that lay beneath it and were deleted along with it.
    pub recursive: bool,
    /// The right to change what is locked. Nobody holds a deleted page, so any token is a wrong one.
    pub token: Option<LockToken>,
}

/// What a restoring did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The pages that came back, the one that was asked for first.
    pub pages: Vec<ChangedPage>,
    /// Links that mean something else from the paths to which the pages came.
    pub warnings: Vec<PageWarning>,
}

/// Everything that is to happen, found possible.
struct Plan {
    returns: Vec<Return>,
    /// From where to where all that lies beneath comes back, if it does.
    subtree: Option<(PagePath, PagePath)>,
    /// Drafts in the way that have ended, to be taken away.
    dead: Vec<DraftInfo>,
}

struct Return {
    /// As it is before.
    info: PageInfo,
    deletion: Deletion,
    to: PagePath,
}

impl Wiki {
    /// Restores a deleted page, with the files that were deleted with it. There is no new revision.
    /// The next
    /// revision of a page that came to another path tells of that.
    ///
    /// # Errors
    /// [`RestoreError`], whatever page it is about: then all are still in the bin.
    pub fn restore(&self, request: &RestoreRequest) -> Result<Restored, RestoreError> {
        self.store.write(|txn| {
            let plan = plan(txn, request, self.moment())?;
            apply(txn, plan)
        })
    }
}

fn plan(txn: &WriteTxn, request: &RestoreRequest, moment: Moment) -> Result<Plan, RestoreError> {
    let page = living(txn, request.page_id, moment)?.ok_or(RestoreError::NotFound)?;
    let PageIndex::Page(info) = page else {
        return Err(RestoreError::Draft);
    };
    let PagePathState::LastDeleted(from) = info.path_state.clone() else {
        return Err(RestoreError::NotDeleted);
    };
    let all = if request.recursive {
        bin::with_those_beneath(txn, info)?
    } else {
        let deletion = bin::deletion(txn, &info)?;
        vec![(info, deletion)]
    };
    let rows = all.iter().map(|(info, _)| PageIndex::Page(info.clone()));
    UnlockedPages::verify(txn, rows.collect(), request.token, moment)?;
    let mut plan = Plan {
        returns: Vec::with_capacity(all.len()),
        subtree: request
            .recursive
            .then(|| (from.clone(), request.to.clone())),
        dead: Vec::new(),
    };
    for (info, deletion) in all {
        let path = info.path_state.path();
        let to = path
            .moved(&from, &request.to)
            .map_err(|reason| RestoreError::InvalidPath {
                path: path.clone(),
                reason,
            })?;
        match place::look(txn, &to, moment, |_| false)? {
            Place::Free => {}
            Place::Dead(draft) => plan.dead.push(draft),
            Place::Taken(taken) => return Err(taken.into()),
        }
        plan.returns.push(Return { info, deletion, to });
    }
    Ok(plan)
}

fn apply(txn: &WriteTxn, plan: Plan) -> Result<Restored, RestoreError> {
    for draft in &plan.dead {
        remove_draft(txn, draft)?;
    }
    let mut warnings = Vec::new();
    for Return { info, to, .. } in &plan.returns {
        if to == info.path_state.path() {
            continue;
        }
        let mut found = respell(txn, info, to)?;
        if let Some((from, to)) = &plan.subtree {
            found.retain(|warning| !links::is_of_file_moving_along(warning, from, to));
        }
        warnings.extend(found.into_iter().map(|warning| PageWarning {
            page: to.clone(),
            warning,
        }));
    }
    let mut pages = Vec::with_capacity(plan.returns.len());
    for Return {
        mut info,
        deletion,
        to,
    } in plan.returns
    {
        let id = info.page_id.to_bytes();
        let from = info.path_state.path().clone();
        txn.remove_id(DELETED_PAGE_PATH, from.as_str(), &id)?;
        txn.remove(DELETION, &id)?;
        if from != to {
            // It left its path when it was deleted: who came to that path and left it since, left
            // it later.
            former::leave(txn, info.page_id, from, deletion.deleted_at)?;
        }
        assets::restore_with_page(txn, info.page_id).map_err(|error| match error {
            NameInTheWay::Taken(name) => RestoreError::FileNameTaken(name),
            NameInTheWay::Storage(error) => error.into(),
        })?;
        pages.push(ChangedPage {
            page_id: info.page_id,
            path: to.clone(),
            revision: info.latest,
        });
        txn.put(PAGE_PATH, to.as_str(), &id)?;
        info.path_state = PagePathState::Current(to);
        txn.put(PAGE_INDEX, &id, &PageIndex::Page(info))?;
    }
    for page in &pages {
        links::arrive(txn, &page.path, page.page_id)?;
        txn.tell(page.told(PageChange::Restored));
    }
    Ok(Restored { pages, warnings })
}

/// Keeps what the page's links mean from another path than it had. There is no revision to tell of
/// that, so the newest text is put down in another spelling, in which each link that leads to a page
/// names it by its id; the next revision tells where the page went. Says which links mean something
/// else from there.
fn respell(
    txn: &WriteTxn,
    info: &PageInfo,
    to: &PagePath,
) -> Result<Vec<LinkWarning>, StorageError> {
    let Moved {
        text,
        link_refs,
        warnings,
    } = links::move_page(txn, info, to)?;
    let moved = RenameInfo {
        from: Some(info.path_state.path().clone()),
        to: to.clone(),
        link_refs,
    };
    untold::note(txn, info.page_id, moved)?;
    let key = (&info.page_id.to_bytes(), info.latest);
    let newest: Option<PageSource> = txn.get(PAGE_SOURCE, key)?;
    let PageSource { head, source } = newest.ok_or_else(|| StorageError::Damaged {
        table: "page_source",
        reason: format!("revision {} of {} is missing", info.latest, info.page_id),
    })?;
    if source != text {
        search::record_title(txn, info.page_id, &text)?;
        let source = text;
        txn.put(PAGE_SOURCE, key, &PageSource { head, source })?;
    }
    Ok(warnings)
}
