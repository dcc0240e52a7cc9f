//! Full-text search of the wiki's pages and files, of pictures and of hash records: the facts of pages, the index of
//! their texts, and the texts that are not indexed yet. docs/SEARCH.md describes the updates.
//!
//! Everything here is synchronous. [`start`] runs the thread that updates the index after saves.

mod answer;
#[cfg(test)]
mod budget_tests;
mod check;
mod earlier_revisions;
mod files;
mod folders;
mod found_pictures;
mod indexing;
mod overview;
mod page_hit;
mod picture_overview;
mod pictures;
mod query;
mod records;
mod request;
mod searcher;
mod state;
mod suggestion;
mod texts;

pub use answer::Sources;
pub use check::IndexFault;
pub use folders::{FolderCounts, FoundFolder};
pub use found_pictures::FoundPicture;
pub use indexing::start;
pub use page_hit::{MentionPlace, PageHit};
pub use picture_overview::{PictureOverview, PicturePlace, RootCount, YearPictures};
pub use request::{
    Hit, HitItem, Kind, Partial, PartialReason, SearchRequest, SearchResults, TypedQuery,
};
pub use searcher::Search;
