//! A path and all paths beneath it, as keys of the tables by path.

use std::ops::{Bound, ControlFlow};

use crate::id::PageId;
use crate::model::page::PageIndex;
use crate::path::PagePath;
use crate::store::{Direction, PAGE_INDEX, PAGE_PATH, Read, StorageError};

/// Keys from a bound, inclusive or exclusive, to another, always exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyRange {
    pub(crate) low: Bound<String>,
    pub(crate) high: String,
}

impl KeyRange {
    pub(crate) fn as_bounds(&self) -> (Bound<&str>, Bound<&str>) {
        (
            self.low.as_ref().map(String::as_str),
            Bound::Excluded(&self.high),
        )
    }
}

/// The keys of `path` and of the paths beneath it, ascending: "/a" itself, then all from "/a/" up
/// to "/a0", as "0" is the character after the slash. Other keys sort between the two ranges
/// ("/a-b").
pub(crate) fn ranges(path: &PagePath) -> [KeyRange; 2] {
    let own = path.as_str();
    let itself = KeyRange {
        low: Bound::Included(own.to_owned()),
        high: format!("{own}\0"),
    };
    [itself, descendants(path)]
}

/// The keys of the paths beneath `path`, without itself.
pub(crate) fn descendants(path: &PagePath) -> KeyRange {
    let stem = path.as_str().trim_end_matches('/');
    KeyRange {
        low: Bound::Excluded(format!("{stem}/")),
        high: format!("{stem}0"),
    }
}

/// The pages and drafts at `path` and beneath it, by path.
pub(crate) fn rows(txn: &impl Read, path: &PagePath) -> Result<Vec<PageIndex>, StorageError> {
    let mut ids = Vec::new();
    for range in ranges(path) {
        txn.scan::<_, [u8; 16], &str>(
            PAGE_PATH,
            range.as_bounds(),
            Direction::Ascending,
            |_, id| {
                ids.push(id);
                ControlFlow::Continue(())
            },
        )?;
    }
    let row = |id| {
        txn.get(PAGE_INDEX, &id)?
            .ok_or_else(|| StorageError::Damaged {
                table: "page_path",
                reason: format!("{} is not there", PageId::from_bytes(id)),
            })
    };
    ids.into_iter().map(row).collect()
}
