//! What came of it, as it is answered, and told to the pages that show the folders.

use fumikura_thumbs::{Changed, Done};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::events::Event;
use crate::jobs::Progress;
use crate::rest_api::name_in_json;

/// What came of something that was done with files.
#[derive(Serialize, ToSchema)]
pub(super) struct FilesDone {
    /// By which it can be undone; absent if nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    /// With how many it was done.
    done: usize,
    /// How many were left alone: there was nothing to do, it was wished so, or it was cancelled before.
    skipped: usize,
    /// Those with which it failed; they are as they were.
    failed: Vec<FileFailed>,
}

/// A file with which something could not be done.
#[derive(Serialize, ToSchema)]
pub(super) struct FileFailed {
    name: String,
    /// The name's bytes in base64, where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    error: ErrorBody,
}

impl FileFailed {
    pub(super) fn new(name: &[u8], error: ApiError) -> Self {
        let (name, name_bytes) = name_in_json(name);
        Self {
            name,
            name_bytes,
            error: error.into_body(),
        }
    }
}

impl FilesDone {
    /// Tells the pages first.
    pub(super) fn telling(app: &App, done: Done) -> Self {
        for (root, path) in done.folders {
            app.events.publish(Event::from(Changed { root, path }));
        }
        let failed = done
            .failed
            .into_iter()
            .map(|(name, error)| FileFailed::new(&name, error.into()));
        Self {
            operation: done.id.map(|id| id.to_string()),
            done: done.done,
            skipped: done.skipped,
            failed: failed.collect(),
        }
    }
}

/// A job's progress as the files want to be asked.
pub(super) fn going_on(progress: &Progress) -> impl FnMut(u64, u64) -> bool {
    |done, total| progress.advance(done, total).is_ok()
}
