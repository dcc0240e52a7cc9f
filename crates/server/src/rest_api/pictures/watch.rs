//! `/api/folders/watch`: a page looks at a folder, and wants to hear of whatever happens in it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_thumbs::{Lease, Watching};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};

/// A folder that is watched for a while.
#[derive(Serialize, ToSchema)]
struct FolderWatch {
    watching: FolderWatching,
    /// Whether it has been watched since before: if not, look at it again.
    renewed: bool,
    /// For how long from now on.
    seconds: u64,
}

/// How a folder is watched.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FolderWatching {
    /// The file system tells of every change at once.
    Events,
    /// It is looked at every few seconds, as nobody tells: it lies on another machine, say.
    Polling,
    /// It is not there, or can't be read; that it is there again will be told.
    Waiting,
}

impl From<Lease> for FolderWatch {
    fn from(lease: Lease) -> Self {
        Self {
            watching: match lease.watching {
                Watching::Events => FolderWatching::Events,
                Watching::Polling => FolderWatching::Polling,
                Watching::Waiting => FolderWatching::Waiting,
            },
            renewed: lease.is_renewed,
            seconds: Lease::TIME.as_secs(),
        }
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(put))
}

/// Watches a folder for a while, or goes on: `folder.changed` tells of what happens in it.
#[utoipa::path(put, path = "/api/folders/watch", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
        ("beneath" = Option<bool>, Query, description = "Also all folders beneath it, at most 20,000: what happens in them is \
            told of the folder. Of 8 folders at most"),
    ), responses(
        (status = 200, body = FolderWatch),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`", body = ErrorBody),
    ))]
async fn put(State(app): State<Arc<App>>, query: ByteQuery) -> Result<Json<FolderWatch>, ApiError> {
    let root = query.root()?;
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let reach = query.reach()?;
    let lease = blocking(&app, move |app| {
        let folder = app.thumbs.source(root, &path)?;
        app.thumbs.keep_reading(&folder);
        Ok(app.watcher.watch(&folder, reach))
    });
    Ok(Json(lease.await?.into()))
}
