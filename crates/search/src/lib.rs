//! Full-text search of pages: queries, a scan of one text, and an index of many.
//!
//! [`Index`] finds the pages that match a [`Query`]. [`Document`] evaluates a query on one text; this is how
//! texts that are not indexed yet are searched, and how tests check the index. docs/SEARCH.md states the rules.

mod authorship;
mod catalogue;
mod document;
mod facts;
mod index;
mod query;
mod sequence;
mod snippet;
mod suggest;
mod text;
mod units;

pub use fumikura_base::budget::{Budget, BudgetSpent};

pub use catalogue::{Catalogue, CatalogueItem, ItemSnippets, PictureFacts};
pub use document::Document;
pub use facts::{Directory, PageFacts, PageKey};
pub use index::{Index, IndexError, IndexHit, Writer};
pub use query::{MAX_QUERY_CHARS, Query, QueryError, names_tag, rename_tag};
pub use snippet::{Snippet, highlights};
pub use suggest::{NearWord, required_words};
pub use text::{Mention, PageText, extract, mention};
