//! Lists of pages by path, in both directions from a cursor.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};

use crate::id::PageId;
use crate::latest_text::newest;
use crate::model::page::{PageIndex, SourceHead};
use crate::pages;
use crate::pages::RevisionInfo;
use crate::parts::Pages;
use crate::path::PagePath;
use crate::store::{
    DELETED_PAGE_PATH, Direction, LOCK, PAGE_INDEX, PAGE_PATH, Read, ReadSets, ReadTxn,
    StorageError,
};
use crate::tree::subtree::{self, KeyRange};

/// A query for a list of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingQuery {
    /// This page and those beneath it.
    pub prefix: PagePath,
    /// The path from which to continue; pages at it are excluded.
    pub cursor: Option<PagePath>,
    /// True to list towards the beginning instead of the end.
    pub backwards: bool,
    /// The maximum number of pages. The pages of one path are never split and may exceed it.
    pub limit: usize,
    /// True to list deleted pages too, at their last paths.
    pub with_deleted: bool,
}

/// A part of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Pages by path and, if some share one, by id, ascending in either direction. Drafts are excluded.
    pub items: Vec<ListedPage>,
    /// True if there are more in the same direction.
    pub has_more: bool,
    /// The cursor from which to continue in the same direction.
    pub anchor: Option<PagePath>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPage {
    pub page_id: PageId,
    /// Its path, or its last path if it is deleted.
    pub path: PagePath,
    /// True if it is deleted.
    pub deleted: bool,
    pub title: Option<String>,
    /// Its latest revision.
    pub last_update: RevisionInfo,
}

impl Pages<'_> {
    /// Lists pages by path. Pages that share a path (a current one and deleted ones) stay together, even if
    /// they alone exceed the limit: the cursor is a path, and must not skip any.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn list(&self, query: &ListingQuery) -> Result<Listing, StorageError> {
        self.store.read(|txn| {
            let mut items: Vec<ListedPage> = Vec::new();
            let mut has_more = false;
            for (path, ids) in candidates(txn, query)? {
                let mut pages_here = Vec::with_capacity(ids.len());
                for id in ids {
                    pages_here.extend(list_item(txn, &path, id)?);
                }
                if pages_here.is_empty() {
                    continue;
                }
                if !items.is_empty() && items.len() + pages_here.len() > query.limit {
                    has_more = true;
                    break;
                }
                if query.backwards {
                    pages_here.reverse();
                }
                items.append(&mut pages_here);
            }
            let anchor = items.last().map(|page: &ListedPage| page.path.clone());
            if query.backwards {
                items.reverse();
            }
            Ok(Listing {
                items,
                has_more,
                anchor,
            })
        })
    }
}

/// Returns the paths that the query reaches, in its direction, each with its pages and drafts. Returns a few
/// more than the limit, because some may be drafts, of which there are never many.
fn candidates(
    txn: &ReadTxn,
    query: &ListingQuery,
) -> Result<Vec<(PagePath, Vec<PageId>)>, StorageError> {
    let drafts = usize::try_from(txn.count(LOCK)?).unwrap_or(usize::MAX);
    let max_paths = query.limit.saturating_add(drafts).saturating_add(1);
    let direction = if query.backwards {
        Direction::Descending
    } else {
        Direction::Ascending
    };
    let mut found: BTreeMap<PagePath, Vec<PageId>> = BTreeMap::new();
    for range in ranges(query) {
        let mut paths = PathCollector::new(&mut found, max_paths);
        txn.scan::<_, [u8; 16], &str>(PAGE_PATH, range.as_bounds(), direction, |path, id| {
            paths.take("page_path", path, &[id])
        })?;
        paths.finish()?;
        if query.with_deleted {
            let mut paths = PathCollector::new(&mut found, max_paths);
            txn.scan_ids_in::<_, &str>(
                DELETED_PAGE_PATH,
                range.as_bounds(),
                direction,
                |path, ids| paths.take("deleted_page_path", path, &ids),
            )?;
            paths.finish()?;
        }
        if found.len() >= max_paths {
            break;
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    for (_, ids) in &mut found {
        ids.sort_unstable();
    }
    if query.backwards {
        found.reverse();
    }
    // Beyond these, the scan of one of the two tables may have ended before the other.
    found.truncate(max_paths);
    Ok(found)
}

/// The rows of a scan, collected by path.
struct PathCollector<'a> {
    found: &'a mut BTreeMap<PagePath, Vec<PageId>>,
    left: usize,
    unreadable: Option<StorageError>,
}

impl<'a> PathCollector<'a> {
    fn new(found: &'a mut BTreeMap<PagePath, Vec<PageId>>, left: usize) -> Self {
        Self {
            found,
            left,
            unreadable: None,
        }
    }

    fn take(&mut self, table: &'static str, path: &str, ids: &[[u8; 16]]) -> ControlFlow<()> {
        match PagePath::new(path) {
            Ok(path) => {
                let ids = ids.iter().copied().map(PageId::from_bytes);
                self.found.entry(path).or_default().extend(ids);
            }
            Err(error) => {
                let reason = error.to_string();
                self.unreadable = Some(StorageError::Damaged { table, reason });
                return ControlFlow::Break(());
            }
        }
        self.left -= 1;
        if self.left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn finish(self) -> Result<(), StorageError> {
        self.unreadable.map_or(Ok(()), Err)
    }
}

/// Returns the query's subtree beyond its cursor, in the query's direction.
fn ranges(query: &ListingQuery) -> Vec<KeyRange> {
    let mut ranges: Vec<KeyRange> = subtree::ranges(&query.prefix)
        .into_iter()
        .filter_map(|range| match &query.cursor {
            Some(cursor) => after_cursor(range, cursor.as_str(), query.backwards),
            None => Some(range),
        })
        .collect();
    if query.backwards {
        ranges.reverse();
    }
    ranges
}

/// Returns the part of the range beyond the cursor, or `None` if it is empty.
fn after_cursor(range: KeyRange, cursor: &str, backwards: bool) -> Option<KeyRange> {
    let (Bound::Included(low) | Bound::Excluded(low)) = &range.low else {
        return Some(range);
    };
    if backwards {
        let high = if cursor < range.high.as_str() {
            cursor.to_owned()
        } else {
            range.high
        };
        return (*low < high).then_some(KeyRange {
            high,
            low: range.low,
        });
    }
    if cursor < low.as_str() {
        return Some(range);
    }
    (cursor < range.high.as_str()).then(|| KeyRange {
        low: Bound::Excluded(cursor.to_owned()),
        high: range.high,
    })
}

fn list_item(
    txn: &ReadTxn,
    path: &PagePath,
    id: PageId,
) -> Result<Option<ListedPage>, StorageError> {
    let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &id.to_bytes())? else {
        return Ok(None);
    };
    let head: SourceHead = newest(txn, &info)?;
    Ok(Some(ListedPage {
        page_id: id,
        path: path.clone(),
        deleted: info.path_state.is_deleted(),
        title: pages::title(txn, id)?,
        last_update: head.into(),
    }))
}
