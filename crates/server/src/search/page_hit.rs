//! A matching page.

use fumikura_search::{PageFacts, Snippet};

/// A matching page.
#[derive(Debug)]
pub(crate) struct PageHit {
    pub(crate) facts: PageFacts,
    /// The matching revision, if it is an earlier one.
    pub(crate) revision: Option<u64>,
    pub(crate) title: Option<Snippet>,
    pub(crate) path: Snippet,
    /// The former path by which the page was found.
    pub(crate) moved_from: Option<String>,
    pub(crate) snippets: Vec<Snippet>,
}
