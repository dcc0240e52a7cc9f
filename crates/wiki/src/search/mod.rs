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
pub(crate) use title::{
    record as record_title, record_after as record_title_after, title, title_row,
};
