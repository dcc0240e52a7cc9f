//! `/api/files/rename`: renames entries of a folder.

use axum::Json;
use fumikura_fs::RootId;
use fumikura_pictures::Pictures;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::FilesDone;
use super::place::picture_files;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::EventHub;
use crate::names::bytes;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;

/// New names for entries of a folder.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RenameFiles {
    /// The root's id.
    #[schema(value_type = String)]
    root: RootId,
    /// The folder, relative to the root.
    #[serde(default)]
    path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    path_bytes: Option<String>,
    names: Vec<NewName>,
    /// True if the other files of a picture go with the file that is shown: a raw file with its JPEG, and the parts of a
    /// Live Photo.
    #[serde(default)]
    joined: bool,
}

/// A new name for an entry.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewName {
    #[serde(default)]
    from: Option<String>,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    from_bytes: Option<String>,
    to: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_rename))
}

/// Renames entries of a folder, all or none.
///
/// Entries may swap names. Sidecars are renamed with their pictures.
#[utoipa::path(post, path = "/api/files/rename", tag = "pictures", request_body = RenameFiles, responses(
    (status = 200, body = FilesDone),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, with the `names`", body = ErrorBody),
    (status = 422, description = "`invalid_file_name`, `not_a_folder`, `folder_protected`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn file_rename(
    Part(pictures): Part<Pictures>,
    Part(events): Part<EventHub>,
    ApiJson(rename): ApiJson<RenameFiles>,
) -> Result<Json<FilesDone>, ApiError> {
    let done = blocking(&pictures, move |pictures| {
        if rename.names.is_empty() {
            return Err(ApiError::new(ErrorCode::BadRequest, "no file is named"));
        }
        let path = bytes(
            rename.path.as_deref().or(Some("")),
            rename.path_bytes.as_deref(),
        )?;
        let folder = pictures.roots().source(rename.root, &path)?;
        let names = rename.names.into_iter().map(|name| {
            let from = bytes(name.from.as_deref(), name.from_bytes.as_deref())?;
            let is_name = !from.contains(&b'/') && !from.contains(&0);
            if !is_name || matches!(&from[..], b"" | b"." | b"..") {
                let message = "an entry is named by its name in the folder";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
            Ok((from, name.to))
        });
        let names = names.collect::<Result<Vec<_>, _>>()?;
        let done = pictures
            .files()
            .rename(&folder, &names, picture_files(rename.joined))?;
        Ok(FilesDone::publish(&events, done))
    });
    Ok(Json(done.await?))
}
