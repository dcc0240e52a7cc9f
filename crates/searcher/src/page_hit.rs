//! A matching page.

use fumikura_search::{PageFacts, Snippet};

/// A matching page.
#[derive(Debug)]
pub struct PageHit {
    /// The facts of the page.
    pub facts: PageFacts,
    /// The matching revision, if it is an earlier one.
    pub revision: Option<u64>,
    /// The title, if it has one.
    pub title: Option<Snippet>,
    /// The path; for a page in the trash, the last one.
    pub path: Snippet,
    /// The former path by which the page was found.
    pub moved_from: Option<String>,
    /// The matching parts of the text.
    pub snippets: Vec<Snippet>,
    /// The place of the first mention of a title, if such places are sought.
    pub mention: Option<MentionPlace>,
}

/// The place of a mention in the source of a page.
#[derive(Debug)]
pub struct MentionPlace {
    /// The start, in UTF-16 code units.
    pub start: usize,
    pub words: String,
    /// True in a table, where a bar ends the cell.
    pub in_table: bool,
}
