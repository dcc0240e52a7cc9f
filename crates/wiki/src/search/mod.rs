//! Finds pages by their names: titles and paths.

mod cjk;
mod index;
mod matching;
mod pages;
mod query;
mod title;

pub use pages::SearchablePage;
pub use query::{MAX_QUERY_CHARS, MatchSpan, SearchError, SearchHit};

pub(crate) use index::Index;
pub(crate) use title::{title, title_row};
