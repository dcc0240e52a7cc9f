//! Link targets of a page (docs/spec/wiki.md, Links).

use serde::{Deserialize, Serialize};

use crate::id::PageId;
use crate::path::PagePath;

/// The distinct targets of the links in a page's latest revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageLinks {
    pub(crate) targets: Vec<LinkTarget>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum LinkTarget {
    /// A page at any path: the stored text has its id.
    Page(PageId),
    /// A path that had no page when the text was saved: the stored text has the path.
    Path {
        /// The path, absolute, as resolved from the current path of the linking page.
        path: PagePath,
        /// The first page that has come to this path since then. From then on the link leads to that page at
        /// any path.
        bound: Option<PageId>,
    },
}

impl LinkTarget {
    /// The page that the link leads to, if it leads to one.
    #[must_use]
    pub(crate) fn page(&self) -> Option<PageId> {
        match self {
            Self::Page(id) => Some(*id),
            Self::Path { bound, .. } => *bound,
        }
    }

    /// The path at which the link waits for a page.
    #[must_use]
    pub(crate) fn waiting(&self) -> Option<&PagePath> {
        match self {
            Self::Path { path, bound: None } => Some(path),
            Self::Path { bound: Some(_), .. } | Self::Page(_) => None,
        }
    }
}
