//! `/api/roots`: the open folders.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use axum::Json;
use axum::extract::Extension;
use axum::http::StatusCode;
use fumikura_fs::{Root, RootId, RootStatus};
use fumikura_pictures::Pictures;
use fumikura_watch::Watcher;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::events::{Event, EventHub};
use crate::grants::Grants;
use crate::guard::Caller;
use crate::names::{self, name_in_json};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};
use crate::rest_api::imports::named_path;

/// An open folder.
#[derive(Serialize, ToSchema)]
#[schema(as = Root)]
struct RootDto {
    /// The root's id, a ULID.
    id: String,
    /// The folder's own name.
    name: String,
    /// The absolute path of the folder.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// True if the folder is accessible now.
    available: bool,
}

impl RootDto {
    fn new(root: &Root, available: bool) -> Self {
        let (path, path_bytes) = name_in_json(root.path_bytes());
        Self {
            id: root.id().to_string(),
            name: name_in_json(root.name()).0,
            path,
            path_bytes,
            available,
        }
    }
}

/// A folder to open: by a grant that a dialog issued, by its path below a folder of `--allow`, or by any path that the
/// user of the command line chose.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NewRoot {
    /// The id that a dialog, or a drop on the window, issued. Valid for one use, by that window's session.
    Grant(String),
    /// A folder below one that `--allow` names.
    Path(String),
    /// Any folder; needs the Bearer token.
    ChosenPath(String),
    /// The bytes of `chosen_path` in base64, if they are not UTF-8; needs the Bearer token.
    ChosenPathBytes(String),
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(root_list, root_add))
        .routes(routes!(root_remove))
}

/// Lists the open folders.
#[utoipa::path(get, path = "/api/roots", tag = "pictures", responses((status = 200, body = Vec<RootDto>)))]
async fn root_list(Part(pictures): Part<Pictures>) -> Result<Json<Vec<RootDto>>, ApiError> {
    let dto = |listed: &RootStatus| RootDto::new(&listed.root, listed.available);
    let roots = blocking(&pictures, move |pictures| {
        Ok(pictures.roots().list().iter().map(dto).collect())
    })
    .await?;
    Ok(Json(roots))
}

/// Opens a folder.
///
/// A folder that is already open is returned as it is.
#[utoipa::path(post, path = "/api/roots", tag = "pictures", request_body = NewRoot, responses(
    (status = 201, body = RootDto),
    (status = 400, description = "`bad_request`: the path is not absolute", body = ErrorBody),
    (status = 403, description = "`grant_invalid`, `bearer_required`, or `outside_roots`: it is not below an `--allow`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`", body = ErrorBody),
))]
async fn root_add(
    Part(pictures): Part<Pictures>,
    Part(grants): Part<Grants>,
    Part(events): Part<EventHub>,
    Extension(caller): Extension<Caller>,
    ApiJson(new): ApiJson<NewRoot>,
) -> Result<(StatusCode, Json<RootDto>), ApiError> {
    let root = blocking(&pictures, move |pictures| {
        let roots = pictures.roots();
        let root = match new {
            NewRoot::Path(path) => roots.add_beneath_allowed(path.as_bytes())?,
            NewRoot::ChosenPath(path) => roots.add(&named_path(path.into(), caller)?)?,
            NewRoot::ChosenPathBytes(bytes) => {
                let bytes = names::bytes(None, Some(&bytes))?;
                roots.add(&named_path(OsString::from_vec(bytes).into(), caller)?)?
            }
            NewRoot::Grant(grant) => roots.add(&grants.take_by(&grant, caller)?)?,
        };
        events.publish(Event::roots_changed(root.id()));
        Ok(RootDto::new(&root, true))
    })
    .await?;
    Ok((StatusCode::CREATED, Json(root)))
}

/// Closes a folder.
///
/// Its contents are unchanged.
#[utoipa::path(delete, path = "/api/roots/{root}", tag = "pictures", params(("root" = String, Path)), responses(
    (status = 204, description = "It is closed"),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn root_remove(
    Part(pictures): Part<Pictures>,
    Part(watcher): Part<Watcher>,
    Part(events): Part<EventHub>,
    ApiPath(id): ApiPath<RootId>,
) -> Result<StatusCode, ApiError> {
    blocking(&pictures, move |pictures| {
        pictures.roots().remove(id)?;
        pictures.forget(id);
        watcher.forget(id);
        events.publish(Event::roots_changed(id));
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
