//! `/api/folders/counts`: the numbers of pictures in folders and below them.

use axum::Json;
use fumikura_pictures::Pictures;
use fumikura_searcher::{FolderCounts, Search};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::EventHub;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::rest_api::files::place::{FilePlace, sources};

/// The number of folders in a request.
const MAX_FOLDERS: usize = 200;

/// Folders whose pictures are counted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CountedFolders {
    /// At most 200 folders.
    items: Vec<FilePlace>,
}

/// The numbers of pictures in folders.
#[derive(Serialize, ToSchema)]
struct FolderPictureCounts {
    /// The number of pictures in each folder and below it, in the order of the request. Joined files count as one. Null
    /// while its root is being listed.
    counts: Vec<Option<usize>>,
    /// True if numbers are missing, or may have changed since.
    partial: bool,
}

impl From<FolderCounts> for FolderPictureCounts {
    fn from(found: FolderCounts) -> Self {
        Self {
            counts: found.counts,
            partial: found.is_partial,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(folder_counts))
}

/// Returns the numbers of pictures in folders and below them.
///
/// They are those of the last listing for a search; the folders are listed again in the background if one has changed
/// since.
#[utoipa::path(post, path = "/api/folders/counts", tag = "pictures", request_body = CountedFolders, responses(
    (status = 200, body = FolderPictureCounts),
    (status = 400, description = "`bad_request`: no folder, or more than 200", body = ErrorBody),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn folder_counts(
    Part(search): Part<Search>,
    Part(pictures): Part<Pictures>,
    Part(events): Part<EventHub>,
    ApiJson(CountedFolders { items }): ApiJson<CountedFolders>,
) -> Result<Json<FolderPictureCounts>, ApiError> {
    if items.len() > MAX_FOLDERS {
        let message = format!("at most {MAX_FOLDERS} folders can be counted at once");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let changed = events.last_folder_change();
    let counts = blocking(&search, move |search| {
        let folders = sources(&pictures, &items)?;
        Ok(search.folder_counts(&pictures, &folders, changed))
    });
    Ok(Json(counts.await?.into()))
}
