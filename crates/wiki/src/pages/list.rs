//! Lists of pages by path, in both directions from a cursor.

use std::ops::{Bound, ControlFlow};

use crate::id::PageId;
use crate::model::page::{PageIndex, SourceHead};
use crate::pages::RevisionInfo;
use crate::path::PagePath;
use crate::store::{
    Direction, LOCK, PAGE_INDEX, PAGE_PATH, PAGE_SOURCE, Read, ReadTxn, StorageError,
};
use crate::wiki::Wiki;

/// Which pages to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingQuery {
    /// This page and those beneath it.
    pub prefix: PagePath,
    /// Where to go on from; the page at the cursor is left out.
    pub cursor: Option<PagePath>,
    /// Towards the end, or back towards the beginning.
    pub backwards: bool,
    /// How many at most.
    pub limit: usize,
}

/// A part of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Pages by path, ascending, whichever way was gone. Drafts are not among them.
    pub items: Vec<ListedPage>,
    /// Whether there are more in the same direction.
    pub has_more: bool,
    /// The cursor from which to go on in the same direction.
    pub anchor: Option<PagePath>,
}

/// A page in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPage {
    /// The page.
    pub page_id: PageId,
    /// Where it stands.
    pub path: PagePath,
    /// Its newest revision.
    pub last_update: RevisionInfo,
}

impl Wiki {
    /// Lists pages by path.
    ///
    /// # Errors
    /// When the database fails.
    pub fn list_pages(&self, query: &ListingQuery) -> Result<Listing, StorageError> {
        self.store.read(|txn| {
            let mut items = Vec::new();
            let mut has_more = false;
            for (path, id) in paths(txn, query)? {
                let Some(page) = listed(txn, path, id)? else {
                    continue;
                };
                if items.len() == query.limit {
                    has_more = true;
                    break;
                }
                items.push(page);
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

/// The paths that the query reaches, in its direction. A few more than its limit, as some may be
/// drafts, of which there are never many.
fn paths(txn: &ReadTxn, query: &ListingQuery) -> Result<Vec<(PagePath, PageId)>, StorageError> {
    let drafts = usize::try_from(txn.count(LOCK)?).unwrap_or(usize::MAX);
    let enough = query.limit.saturating_add(drafts).saturating_add(1);
    let direction = if query.backwards {
        Direction::Descending
    } else {
        Direction::Ascending
    };
    let mut found: Vec<(PagePath, PageId)> = Vec::new();
    let mut unreadable = None;
    for range in subtree(query) {
        txn.scan::<_, [u8; 16], &str>(PAGE_PATH, range.as_bounds(), direction, |path, id| {
            match PagePath::new(path) {
                Ok(path) => found.push((path, PageId::from_bytes(id))),
                Err(error) => unreadable = Some(error),
            }
            if found.len() >= enough {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
    }
    match unreadable {
        Some(error) => Err(StorageError::Damaged {
            table: "page_path",
            reason: error.to_string(),
        }),
        None => Ok(found),
    }
}

/// Keys from one, included or not, up to another, never included.
struct KeyRange {
    low: Bound<String>,
    high: String,
}

impl KeyRange {
    fn as_bounds(&self) -> (Bound<&str>, Bound<&str>) {
        (
            self.low.as_ref().map(String::as_str),
            Bound::Excluded(&self.high),
        )
    }
}

/// The query's subtree beyond its cursor, in the query's direction: "/a" itself, then all from
/// "/a/" up to "/a0", as "0" is the character after the slash. Between the two lie others ("/a-b").
fn subtree(query: &ListingQuery) -> Vec<KeyRange> {
    let own = query.prefix.as_str();
    let stem = own.trim_end_matches('/');
    let ranges = [
        KeyRange {
            low: Bound::Included(own.to_owned()),
            high: format!("{own}\0"),
        },
        KeyRange {
            low: Bound::Excluded(format!("{stem}/")),
            high: format!("{stem}0"),
        },
    ];
    let mut ranges: Vec<KeyRange> = ranges
        .into_iter()
        .filter_map(|range| match &query.cursor {
            Some(cursor) => beyond(range, cursor.as_str(), query.backwards),
            None => Some(range),
        })
        .collect();
    if query.backwards {
        ranges.reverse();
    }
    ranges
}

/// The part of the range beyond the cursor; none if nothing is left.
fn beyond(range: KeyRange, cursor: &str, backwards: bool) -> Option<KeyRange> {
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

fn listed(txn: &ReadTxn, path: PagePath, id: PageId) -> Result<Option<ListedPage>, StorageError> {
    let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &id.to_bytes())? else {
        return Ok(None);
    };
    let head = txn.get(
        PAGE_SOURCE.read_as::<SourceHead>(),
        (&id.to_bytes(), info.latest),
    )?;
    let head = head.ok_or_else(|| StorageError::Damaged {
        table: "page_source",
        reason: format!("revision {} of {id} is missing", info.latest),
    })?;
    Ok(Some(ListedPage {
        page_id: id,
        path,
        last_update: head.into(),
    }))
}
