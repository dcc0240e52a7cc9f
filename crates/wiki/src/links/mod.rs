//! Links between pages (docs/spec/wiki.md, Links): people read and write paths, the store keeps ids.
//!
//! - `scan` finds the destinations of a text's links as the page renders them ([`crate::markdown`]);
//!   `destination` interprets one, `spelling` writes one.
//! - `stored` turns what was written into what is kept, `shown` turns it back, `same`
//!   tells whether two texts say the same.
//! - `rows` keeps the tables of links as the newest texts have them; `moved` is what a new path does,
//!   `settled` what a text takes along into the past, `returned` what becomes of an old one.
//! - `erased` is what becomes of links to a page that is erased.
//! - `reread` brings texts of earlier programs up to date.
//! - `label` is what a link shows that has no text of its own.
//! - `overview` lists wanted pages and pages without links to them.
//! - `query` answers where a page's links lead, and what links to it.
//!
//! Only the destination of a link that leads to a page is ever changed. Whatever can't be found again in
//! the text with certainty stays as it was written.

#[cfg(test)]
mod agreement_tests;
mod bounds;
mod destination;
mod erased;
mod label;
#[cfg(test)]
mod laws_tests;
mod moved;
mod overview;
mod query;
mod reread;
mod resolve;
mod returned;
mod rewrite;
mod rows;
mod same;
mod scan;
mod settled;
mod shown;
mod spelling;
mod stored;

pub(crate) use crate::markdown::front_matter;
pub(crate) use bounds::readable;
pub(crate) use erased::erase;
pub(crate) use label::label;
pub(crate) use moved::{Moved, is_of_file_moving_along, move_page};
pub use overview::{OrphanPage, WantedPage};
pub use query::{Backlink, PageLink};
pub(crate) use reread::reread;
pub(crate) use resolve::present_path;
pub(crate) use returned::returned;
pub(crate) use rows::{arrive, forget, named_in, put_from_upgrade, record_text};
pub(crate) use same::says_the_same;
pub(crate) use scan::options;
pub(crate) use settled::settle;
pub(crate) use shown::{shown, shown_again, shown_as_it_is_kept};
pub(crate) use stored::{StoredText, stored};

/// A link that means something else than a reader may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkWarning {
    /// The destination as it is written.
    pub link: String,
    /// What it meant before, or by the path alone: a path, `page:ULID` for a page that is deleted, or
    /// nothing where it led nowhere.
    pub before: String,
    /// What it means now, in the same way.
    pub after: String,
}
