//! Finds pages by their names: titles and paths.

mod index;
mod matching;
mod pages;
mod query;

pub use pages::{SearchablePage, SearchableText};
pub use query::{MAX_QUERY_CHARS, MatchSpan, SearchError, SearchHit};

pub(crate) use index::Index;
