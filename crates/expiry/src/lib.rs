//! Expiry of cached thumbnails and folder indexes (docs/spec/ttl.md): the index of the cache, its policies, and its
//! runs.
//!
//! Everything here is synchronous. The caller schedules [`Expiry::run_if_due`] and [`Expiry::clean_up_some`].

mod artifact_file;
mod check;
mod cleanup;
mod error;
mod expiry;
mod failed_pictures;
mod policies;
mod rebuild;
mod results;
mod run;
mod state;

pub use artifact_file::ArtifactFile;
pub use check::CacheFaults;
pub use cleanup::MAX_PER_PASS;
pub use error::ExpiryError;
pub use expiry::{Expiry, ExpiryConfig, ExpiryEvent, WikiThumbnails};
pub use policies::{Policies, StoredPolicies};
pub use results::{Run, Trigger};
pub use run::Preview;
pub use state::{Collection, ExpiryState};
