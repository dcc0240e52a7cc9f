//! A level of the tree: the children of a path, and the parent of a page.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use serde::Serialize;

use crate::id::PageId;
use crate::locks::all_locks;
use crate::model::lock::LockInfo;
use crate::model::page::PageIndex;
use crate::pages;
use crate::pages::{PageError, current_path};
use crate::parts::Tree;
use crate::path::PagePath;
use crate::repository::page_at;
use crate::store::{Direction, PAGE_INDEX, PAGE_PATH, Read, StorageError};
use crate::tree::subtree;

/// A part of one level of the page tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = ChildList))]
pub struct Children {
    /// The children by name, ascending.
    pub items: Vec<Child>,
    /// True if more children follow.
    pub has_more: bool,
}

/// A segment directly below a path: a page, or a segment that only appears in the paths of other pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Child {
    /// The last segment of its path.
    pub name: String,
    /// Its path.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// The page's id; null for a segment without a page.
    #[cfg_attr(feature = "wire", schema(value_type = Option<String>))]
    pub page_id: Option<PageId>,
    /// The first heading of the page, if it has one.
    pub title: Option<String>,
    /// The number of pages below it, on all levels, itself excluded.
    pub pages: u64,
}

/// A page that is an ancestor of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    pub page_id: PageId,
    pub path: PagePath,
}

#[derive(Default)]
struct ChildCount {
    page_id: Option<PageId>,
    pages: u64,
}

impl Tree<'_> {
    /// The entries directly beneath `path`, from the name after `after` on, at most `limit`. Drafts
    /// are left out.
    ///
    /// # Errors
    /// If the database fails.
    pub fn children(
        &self,
        path: &PagePath,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Children, StorageError> {
        self.store.read(|txn| {
            let names = child_names(txn, path)?;
            list(path, names, (after, limit), |page| pages::title(txn, page))
        })
    }

    /// The nearest ancestor page of a page or draft; `None` for the root page.
    ///
    /// # Errors
    /// [`PageError::Deleted`] for a page that no longer has a path.
    pub fn parent(&self, page_id: PageId) -> Result<Option<Parent>, PageError> {
        self.store.read(|txn| {
            let path = current_path(txn, page_id, self.lock_time.moment())?;
            let mut above = path.parent();
            while let Some(path) = above {
                if let Some(page_id) = page_at(txn, &path)? {
                    return Ok(Some(Parent { page_id, path }));
                }
                above = path.parent();
            }
            Ok(None)
        })
    }
}

/// The entries directly beneath `path` of the pages beneath it, from the name after `after` on, at most `limit`.
pub(crate) fn child_list<'p>(
    path: &PagePath,
    pages: impl Iterator<Item = (&'p str, PageId)>,
    part: (Option<&str>, usize),
    title: impl Fn(PageId) -> Result<Option<String>, StorageError>,
) -> Result<Children, StorageError> {
    let mut names = BTreeMap::new();
    for (at, page) in pages {
        count(&mut names, &at[start_of_names(path)..], page);
    }
    list(path, names, part, title)
}

/// A part of the names directly beneath `path`.
fn list(
    path: &PagePath,
    mut names: BTreeMap<String, ChildCount>,
    (after, limit): (Option<&str>, usize),
    title: impl Fn(PageId) -> Result<Option<String>, StorageError>,
) -> Result<Children, StorageError> {
    if let Some(after) = after {
        names = names.split_off(after);
        names.remove(after);
    }
    let has_more = names.len() > limit;
    let stem = path.as_str().trim_end_matches('/');
    let items = names.into_iter().take(limit).map(|(name, count)| {
        let path =
            PagePath::new(&format!("{stem}/{name}")).map_err(|error| StorageError::Damaged {
                table: "page_path",
                reason: error.to_string(),
            })?;
        Ok(Child {
            name,
            path,
            page_id: count.page_id,
            title: count.page_id.map(&title).transpose()?.flatten(),
            pages: count.pages,
        })
    });
    Ok(Children {
        items: items.collect::<Result<_, StorageError>>()?,
        has_more,
    })
}

/// The position of the names directly beneath `path` in the paths beneath it.
fn start_of_names(path: &PagePath) -> usize {
    path.as_str().trim_end_matches('/').len() + 1
}

/// Counts a page by its path relative to the parent.
fn count(names: &mut BTreeMap<String, ChildCount>, relative: &str, page: PageId) {
    let (name, deeper) = match relative.split_once('/') {
        Some((name, _)) => (name, true),
        None => (relative, false),
    };
    if !names.contains_key(name) {
        names.insert(name.to_owned(), ChildCount::default());
    }
    if let Some(count) = names.get_mut(name) {
        if deeper {
            count.pages += 1;
        } else {
            count.page_id = Some(page);
        }
    }
}

/// The names directly beneath `path`. Keys are not grouped by name ("/a-b" sorts between "/a" and
/// "/a/x"), so all of them are scanned, which the counts require anyway.
fn child_names(
    txn: &impl Read,
    path: &PagePath,
) -> Result<BTreeMap<String, ChildCount>, StorageError> {
    let drafts = drafts(txn)?;
    let range = subtree::descendants(path);
    let start = start_of_names(path);
    let mut names: BTreeMap<String, ChildCount> = BTreeMap::new();
    txn.scan::<_, [u8; 16], &str>(
        PAGE_PATH,
        range.as_bounds(),
        Direction::Ascending,
        |key, id| {
            let id = PageId::from_bytes(id);
            if drafts.contains(&id) {
                return ControlFlow::Continue(());
            }
            count(&mut names, &key[start..], id);
            ControlFlow::Continue(())
        },
    )?;
    Ok(names)
}

/// All drafts. Each has a lock, and there are never many locks.
fn drafts(txn: &impl Read) -> Result<HashSet<PageId>, StorageError> {
    let mut drafts = HashSet::new();
    for LockInfo { page, .. } in all_locks(txn)? {
        if let Some(PageIndex::Draft(_)) = txn.get(PAGE_INDEX, &page.to_bytes())? {
            drafts.insert(page);
        }
    }
    Ok(drafts)
}
