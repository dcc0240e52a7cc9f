//! Pages: drafts, reading, lists and saving.

mod create;
mod error;
mod list;
mod properties;
mod read;
mod save;
mod title;
mod title_cjk;
mod version;

pub use error::{CreateError, PageError, ResolveError, SaveError};
pub use list::{ListedPage, Listing, ListingQuery};
pub use properties::{PropertyError, PropertyRequest};
pub use read::{PageMeta, PageText, ResolvedPage, RevisionInfo};
pub use save::{SaveOutcome, SaveRequest};
pub use version::{Precondition, VersionTag, text_digest};

pub(crate) use create::{first_revision, put_new};
pub(crate) use read::{MAX_LINKED_PAGES, current_path, present_page, saved_page, source_row};
pub(crate) use save::{Revise, RevisionOutcome, add_text, revise};
pub(crate) use title::{
    Title, is_template, line_text, resolve_nested_row, resolve_row, title, title_row,
};
pub(crate) use title_cjk::{is_japanese, needs_joint};
