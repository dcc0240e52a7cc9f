//! Checks the root page, deletions and the path history.

use std::collections::BTreeSet;

use crate::check::pages::CheckedPages;
use crate::check::report::Faults;
use crate::check::users::Users;
use crate::id::PageId;
use crate::model::history::FormerPaths;
use crate::model::page::PagePathState;
use crate::path::PagePath;

pub(super) fn check(pages: &CheckedPages, users: &Users, faults: &Faults) {
    root(pages, users, faults);
    for (id, record) in pages.records() {
        let page = PageId::from_bytes(*id);
        let info = pages.saved_page(id);
        let is_deleted = info.is_some_and(|info| info.path_state.is_deleted());
        faults.expect(is_deleted == record.deletion.is_some(), "deletion", || {
            format!("{page} is deleted without a deletion row, or has one without being deleted")
        });
        if let Some(former) = &record.former_paths {
            former_paths(page, former, info.is_some(), faults);
        }
    }
}

/// Checks that there is a root page if there are users (docs/spec/wiki.md, Deleting and restoring).
fn root(pages: &CheckedPages, users: &Users, faults: &Faults) {
    let root = PagePathState::Current(PagePath::root());
    let has_root = pages.saved().any(|(_, page)| page.path_state == root);
    faults.expect(has_root || users.is_empty(), "page_path", || {
        "there are users, but no page is at /".to_owned()
    });
}

fn former_paths(page: PageId, former: &FormerPaths, is_saved: bool, faults: &Faults) {
    let count = former.paths.len();
    // An erased page keeps its last path.
    faults.expect(is_saved || count == 1, "former_paths", || {
        format!("{page} has former paths but is not a page")
    });
    let paths: BTreeSet<_> = former.paths.iter().map(|left| &left.path).collect();
    faults.expect(count > 0 && paths.len() == count, "former_paths", || {
        format!("the path history of {page} is empty or lists a path twice")
    });
}
