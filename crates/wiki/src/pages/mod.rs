//! Pages: drafts, reading, lists and saving.

mod create;
mod error;
mod latest_text;
mod list;
mod read;
mod save;
mod version;

pub use error::{CreateError, PageError, ResolveError, SaveError};
pub use list::{ListedPage, Listing, ListingQuery};
pub use read::{PageMeta, PageText, ResolvedPage, RevisionInfo};
pub use save::{SaveOutcome, SaveRequest};
pub use version::{Precondition, VersionTag, text_digest};

pub(crate) use create::{first_revision, put_new};
pub(crate) use latest_text::{newest, newest_whole, put_latest, respell, revision_row};
pub(crate) use read::{current_path, present_page, saved_page, source_row};
pub(crate) use save::{Revise, RevisionOutcome, add_text, revise};

/// The maximum length of a page's source in bytes.
pub const MAX_SOURCE_BYTES: usize = 10 * 1024 * 1024;
