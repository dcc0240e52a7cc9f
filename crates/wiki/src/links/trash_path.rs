//! Names of pages in the trash whose paths now belong to other pages: `/plan@trash`, or with the time of the deletion,
//! `/plan@trash-2026-11-28`, if several pages in the trash were at the path.
//!
//! Such a name is read back as the same page, whatever happens to either page in the meantime: the page in the trash is
//! restored or erased, or the page at its path is moved or deleted too.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::id::PageId;
use crate::model::page::PagePathState;
use crate::path::PagePath;
use crate::repository::{page_at, path_state};
use crate::store::{
    DELETED_PAGE_PATH, DELETION, FORMER_PATHS, LEFT_PATH, Read, ReadSets, StorageError,
};

const MARK: &str = "@trash";
/// The lengths of a time's start that tell deletions apart: none of it, its date, its minute, all of it.
const PRECISIONS: [usize; 4] = [0, 10, 16, usize::MAX];

/// A path as the name of a page in the trash.
pub(crate) struct TrashPath<'t> {
    pub(crate) last: PagePath,
    /// The start of the time of its deletion, in UTC.
    deleted_at: &'t str,
}

impl<'t> TrashPath<'t> {
    /// Parses a path; `None` if it is not of this form.
    pub(crate) fn parse(path: &'t PagePath) -> Option<Self> {
        let (written, rest) = path.as_str().rsplit_once(MARK)?;
        let deleted_at = match rest.strip_prefix('-') {
            Some(start) if is_start_of_time(start) => start,
            None if rest.is_empty() => "",
            Some(_) | None => return None,
        };
        let last = PagePath::new(written).ok()?;
        (last.as_str() == written).then_some(Self { last, deleted_at })
    }

    fn matches(&self, time: Timestamp) -> bool {
        time.to_string().starts_with(self.deleted_at)
    }

    /// Returns the page in the trash that it names, among those for which `is_candidate` is true. Of several, it is the
    /// one that was deleted first: the others were deleted after the name was written.
    pub(crate) fn page(
        &self,
        txn: &(impl Read + ReadSets),
        is_candidate: impl Fn(PageId) -> bool,
    ) -> Result<Option<PageId>, StorageError> {
        let named = |(time, page): &(Timestamp, PageId)| self.matches(*time) && is_candidate(*page);
        let first = deletions_at(txn, &self.last)?.into_iter().find(named);
        Ok(first.map(|(_, page)| page))
    }

    /// Returns the page that it named before the page was restored to another path, among `linked`.
    pub(super) fn restored_page(
        &self,
        txn: &(impl Read + ReadSets),
        linked: &BTreeSet<PageId>,
    ) -> Result<Option<PageId>, StorageError> {
        let mut first = None;
        for id in txn.ids(LEFT_PATH, self.last.as_str())? {
            let page = PageId::from_bytes(id);
            if !linked.contains(&page) || path_state(txn, page)?.is_none() {
                continue;
            }
            let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default();
            let left = former.paths.iter().find(|left| left.path == self.last);
            if let Some(left) = left.filter(|left| self.matches(left.left_at))
                && first.is_none_or(|first| (left.left_at, page) < first)
            {
                first = Some((left.left_at, page));
            }
        }
        Ok(first.map(|(_, page)| page))
    }
}

/// Returns the name of a page in the trash that was at `last`; `None` if no name distinguishes it. `is_taken` is true for
/// a path with another meaning.
pub(super) fn trash_path(
    txn: &(impl Read + ReadSets),
    page: PageId,
    last: &PagePath,
    is_taken: impl Fn(&PagePath) -> bool,
) -> Result<Option<PagePath>, StorageError> {
    let deletions = deletions_at(txn, last)?;
    let Some((own, _)) = deletions.iter().find(|(_, other)| *other == page) else {
        return Ok(None);
    };
    let own = own.to_string();
    for precision in PRECISIONS {
        let start = own.get(..precision).unwrap_or(&own);
        let is_same = |(time, _): &&(Timestamp, PageId)| time.to_string().starts_with(start);
        if deletions.iter().filter(is_same).count() > 1 {
            continue;
        }
        let dash = if start.is_empty() { "" } else { "-" };
        let Ok(path) = PagePath::new(&format!("{last}{MARK}{dash}{start}")) else {
            continue;
        };
        let is_free = page_at(txn, &path)?.is_none()
            && txn.ids(LEFT_PATH, path.as_str())?.is_empty()
            && txn.ids(DELETED_PAGE_PATH, path.as_str())?.is_empty();
        if is_free && !is_taken(&path) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Returns a page's path for people: its current path, or the last path of a deleted page, marked if another page has it.
pub(super) fn readable_path(
    txn: &(impl Read + ReadSets),
    page: PageId,
) -> Result<Option<PagePath>, StorageError> {
    match path_state(txn, page)? {
        Some(PagePathState::LastDeleted(last)) if page_at(txn, &last)?.is_some() => {
            trash_path(txn, page, &last, |_| false)
        }
        Some(PagePathState::Current(path) | PagePathState::LastDeleted(path)) => Ok(Some(path)),
        None => Ok(None),
    }
}

/// Returns the pages in the trash that were at a path, the one that was deleted first at the start.
fn deletions_at(
    txn: &(impl Read + ReadSets),
    path: &PagePath,
) -> Result<Vec<(Timestamp, PageId)>, StorageError> {
    let mut deletions = Vec::new();
    for id in txn.ids(DELETED_PAGE_PATH, path.as_str())? {
        let deletion = txn.get(DELETION, &id)?;
        deletions.extend(deletion.map(|deletion| (deletion.deleted_at, PageId::from_bytes(id))));
    }
    deletions.sort_unstable();
    Ok(deletions)
}

fn is_start_of_time(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b"-T:.Z".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}
