//! `/api/folders/watch`: subscribes a view to the changes in a folder.

use axum::Json;
use fumikura_pictures::Pictures;
use fumikura_watch::{Lease, WatchMode, Watcher};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

/// The state of a folder watch.
#[derive(Serialize, ToSchema)]
struct FolderWatch {
    watching: FolderWatching,
    /// True if the folder was watched without a gap; if not, list it again.
    renewed: bool,
    /// The duration of the watch from now on, in seconds.
    seconds: u64,
}

/// The method by which a folder is watched.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FolderWatching {
    /// The file system reports every change at once.
    Events,
    /// The folder is polled every few seconds, because the system reports no changes, for example on a network drive.
    Polling,
    /// The folder is missing or cannot be read. An event reports its return.
    Waiting,
}

impl From<Lease> for FolderWatch {
    fn from(lease: Lease) -> Self {
        Self {
            watching: match lease.mode {
                WatchMode::Events => FolderWatching::Events,
                WatchMode::Polling => FolderWatching::Polling,
                WatchMode::Waiting => FolderWatching::Waiting,
            },
            renewed: lease.is_renewed,
            seconds: Lease::TIME.as_secs(),
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(folder_watch))
}

/// Starts or renews the watch of a folder.
///
/// The event `folder.changed` reports changes in the folder.
#[utoipa::path(put, path = "/api/folders/watch", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
        ("beneath" = Option<bool>, Query, description = "Include all folders below it, at most 20,000; their changes \
            are reported for the folder. At most 8 folders are watched like this"),
    ), responses(
        (status = 200, body = FolderWatch),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`", body = ErrorBody),
    ))]
async fn folder_watch(
    Part(pictures): Part<Pictures>,
    Part(watcher): Part<Watcher>,
    query: ByteQuery,
) -> Result<Json<FolderWatch>, ApiError> {
    let root = query.root()?;
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let scope = query.scope()?;
    let lease = blocking(&pictures, move |pictures| {
        let folder = pictures.roots().source(root, &path)?;
        pictures.keep_reading(&folder);
        Ok(watcher.watch(&folder, scope))
    });
    Ok(Json(lease.await?.into()))
}
