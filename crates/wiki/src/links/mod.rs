//! Links between pages (docs/spec/wiki.md, Links): people read and write paths, the store keeps ids.
//!
//! - `scan` finds the destinations of a text's links as the page renders them ([`crate::markdown`]);
//!   `destination` interprets one, `spelling` writes one.
//! - `storage` converts written text to stored text, `display` converts it back, `comparison` compares the
//!   meaning of two texts. `elsewhere` writes a text for a place where pages have other names.
//! - `bind` binds the links that wait for a page; `page_rename` handles the links of a page that is renamed,
//!   `freeze` freezes links before a revision is superseded, `rebind` rebinds the links of an old text.
//! - `relocate` preserves the links of a text that moves to another page.
//! - `file_rename` writes the new name of a page's file into its text.
//! - `page_erasure` handles links to a page that is erased.
//! - `trash_path` names pages in the trash whose paths belong to other pages.
//! - `label` returns the label of a link without text of its own.
//! - `overview` lists wanted pages and pages without links to them.
//! - `query` returns the links of a page, and the pages that link to it.
//!
//! Only the destination of a link that leads to a page ever changes. A link that cannot be found again in the
//! text with certainty stays as written.

#[cfg(test)]
mod agreement_tests;
mod bind;
mod comparison;
mod destination;
mod display;
mod elsewhere;
mod file_rename;
mod freeze;
mod label;
mod overview;
mod page_erasure;
mod page_rename;
mod query;
mod rebind;
mod relocate;
mod resolve;
mod rewrite;
#[cfg(test)]
mod round_trip_tests;

mod scan;
mod spelling;
mod storage;
mod trash_path;
mod warning;

pub(crate) use bind::{bind_waiting_links, targets_in};
pub(crate) use comparison::has_same_meaning;
pub(crate) use destination::{Meaning, meaning};
pub(crate) use display::{
    Bindings, bindings, display_new_text, display_past_text, display_properties,
    display_stored_text, display_text, erased_path,
};
pub(crate) use elsewhere::{LinkEnd, text_elsewhere};
pub(crate) use file_rename::with_file_renamed;
pub(crate) use freeze::freeze_links;
pub(crate) use label::{LabelText, label};
pub use overview::{OrphanPage, WantedPage};
pub(crate) use page_erasure::erase;
pub(crate) use page_rename::{MovedText, move_page, stays_same_file};
pub use query::{Backlink, PageLink};
pub(crate) use query::{linked_pages, page_targets};
pub(crate) use rebind::{rebind_links, text_of_copy};
pub(crate) use relocate::{absolute_text, independent_text, redirected_text, with_page_replaced};
pub(crate) use scan::scan;
pub(crate) use storage::{StoredText, put_property_links, storage_text};
pub(crate) use trash_path::TrashPath;
pub use warning::LinkWarning;
