//! `/api/users/me/folders`: the folders of pictures that the acting user visited last.

use axum::Json;
use axum::http::StatusCode;
use fumikura_fs::{AccessError, RelPath, RootId};
use fumikura_pictures::Pictures;
use fumikura_wiki::{FolderRootId, VisitedFolder, Wiki};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::pictures::ByteQuery;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;

/// A recently visited folder.
#[derive(Serialize, ToSchema)]
#[schema(as = VisitedFolder)]
struct VisitedFolderDto {
    /// The root's id.
    root: String,
    /// The path, relative to the root.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The time of the last visit, to the minute.
    at: Timestamp,
}

impl From<VisitedFolder> for VisitedFolderDto {
    fn from(folder: VisitedFolder) -> Self {
        let (path, path_bytes) = name_in_json(&folder.path);
        Self {
            root: folder.root.to_string(),
            path,
            path_bytes,
            at: folder.at,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(
        visited_folder_list,
        visited_folder_add,
        visited_folder_remove
    ))
}

/// Lists the folders that the user visited last.
///
/// The list holds at most 50 folders, the latest first, without those whose roots are closed. The folders are not
/// accessed, because a disk may be unavailable: a listed folder may no longer exist.
#[utoipa::path(get, path = "/api/users/me/folders", tag = "users", responses(
    (status = 200, body = Vec<VisitedFolderDto>),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn visited_folder_list(
    Part(wiki): Part<Wiki>,
    Part(pictures): Part<Pictures>,
    Part(acting): Part<ActingUser>,
) -> Result<Json<Vec<VisitedFolderDto>>, ApiError> {
    let visited = blocking(&wiki, move |wiki| {
        let visited = wiki.visits().recent_folders(acting.get()?.id)?.into_iter();
        let roots = pictures.roots();
        let is_open = |folder: &VisitedFolder| roots.get(root_of(folder.root)).is_some();
        Ok(visited.filter(is_open).collect::<Vec<_>>())
    });
    let visited = visited.await?.into_iter();
    Ok(Json(visited.map(VisitedFolderDto::from).collect()))
}

/// Records a visit to a folder.
#[utoipa::path(post, path = "/api/users/me/folders", tag = "users",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
    ), responses(
        (status = 204),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `no_user`", body = ErrorBody),
    ))]
async fn visited_folder_add(
    Part(wiki): Part<Wiki>,
    Part(pictures): Part<Pictures>,
    Part(acting): Part<ActingUser>,
    query: ByteQuery,
) -> Result<StatusCode, ApiError> {
    let root = query.root()?;
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let noted = blocking(&wiki, move |wiki| {
        let folder = pictures.roots().source(root, &path)?;
        let person = acting.get()?.id;
        let path = folder.path().as_bytes();
        Ok(wiki
            .visits()
            .visit_folder(person, id_of(folder.root()), path)?)
    });
    noted.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a folder from the list; the folder itself is unchanged.
#[utoipa::path(delete, path = "/api/users/me/folders", tag = "users",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
    ), responses(
        (status = 204, description = "Succeeds also if it was not on the list"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`no_user`", body = ErrorBody),
    ))]
async fn visited_folder_remove(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    query: ByteQuery,
) -> Result<StatusCode, ApiError> {
    let root = query.root()?;
    let path = query.bytes("path").unwrap_or_default();
    // A folder whose root is no longer open can be removed too.
    let path = RelPath::parse(&path).map_err(AccessError::from)?;
    let forgotten = blocking(&wiki, move |wiki| {
        let person = acting.get()?.id;
        Ok(wiki
            .visits()
            .forget_folder(person, id_of(root), path.as_bytes())?)
    });
    forgotten.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the wiki's id of a root. The wiki knows roots by their ids only.
fn id_of(root: RootId) -> FolderRootId {
    FolderRootId::from_bytes(root.to_bytes())
}

fn root_of(id: FolderRootId) -> RootId {
    RootId::from_bytes(id.to_bytes())
}
