//! Finds pages by their names: titles and paths.

mod cjk;
mod fold;
mod index;
mod matching;
mod pages;
mod query;
mod title;

pub use pages::SearchablePage;
pub use query::{FoundPage, MAX_QUERY_CHARS, MatchSpan, SearchError};

pub(crate) use index::Index;
pub(crate) use title::{title, title_row};
