//! Where a page's links lead (docs/spec/wiki.md, Links).

use serde::{Deserialize, Serialize};

use crate::id::PageId;
use crate::path::PagePath;

/// The distinct targets of the links in a page's newest revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageLinks {
    pub(crate) targets: Vec<LinkTarget>,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum LinkTarget {
    /// To a page, wherever it stands: the stored text has its id.
    Page(PageId),
    /// To a path at which no page stood when the text was saved: the stored text has the path.
    Path {
        /// The path, absolute, as the page that has the link stands now.
        path: PagePath,
        /// The page that came to stand there first since then. From then on the link is to that
        /// page, wherever it goes.
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
}
