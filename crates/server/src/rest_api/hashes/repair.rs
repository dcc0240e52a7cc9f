//! `/api/hashes/accept`, `accept-move`, `restore`: the ways to resolve a mismatch between a file and its record.

use axum::Json;
use axum::extract::Extension;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::guard::{Authority, Caller};
use crate::operations::{
    self, AcceptedMove, HashAccept, HashAcceptMove, HashItem, HashRestore, RestoredFile,
};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(hash_accept))
        .routes(routes!(hash_accept_move))
        .routes(routes!(hash_restore))
}

/// Accepts the present contents of a file.
///
/// Their hash becomes the recorded one, and the old hash is added to the history.
#[utoipa::path(post, path = "/api/hashes/accept", tag = "hashes", request_body = HashAccept, responses(
    (status = 200, body = HashItem),
    (status = 403, description = "`outside_roots`: the client is a browser, and the file is in no open folder",
        body = ErrorBody),
    (status = 404, description = "`record_not_found`, `not_found`", body = ErrorBody),
    (status = 409, description = "`foreign_folder`, `hashes_busy`", body = ErrorBody),
))]
async fn hash_accept(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    authority: Authority,
    ApiJson(request): ApiJson<HashAccept>,
) -> Result<Json<HashItem>, ApiError> {
    Ok(Json(
        operations::hash_accept(&hashes, request, caller, authority).await?,
    ))
}

/// Accepts that a file, or a folder with its recorded files, moved.
///
/// The records get the new paths and keep their histories. Every file is read first; nothing is changed unless all old
/// places are empty and all new ones have the recorded contents.
#[utoipa::path(post, path = "/api/hashes/accept-move", tag = "hashes", request_body = HashAcceptMove, responses(
    (status = 200, body = AcceptedMove),
    (status = 403, description = "`outside_roots`: the client is a browser, and the file is in no open folder",
        body = ErrorBody),
    (status = 404, description = "`record_not_found`, `not_found`", body = ErrorBody),
    (status = 409, description = "`changed_since`, `hashes_busy`", body = ErrorBody),
))]
async fn hash_accept_move(
    Part(hashes): Part<Hashes>,
    authority: Authority,
    ApiJson(request): ApiJson<HashAcceptMove>,
) -> Result<Json<AcceptedMove>, ApiError> {
    Ok(Json(
        operations::hash_accept_move(&hashes, request, authority).await?,
    ))
}

/// Restores the recorded contents of a file.
///
/// Only a record that a run of this program made from the file's contents is used. A missing file is created only with
/// `create`, and never for a browser, which can't restore files with names that begin with a dot either. The contents
/// come from another recorded file, a file of the wiki, or a folder with copies. The damaged file keeps its bytes
/// under another name in the same folder.
#[utoipa::path(post, path = "/api/hashes/restore", tag = "hashes", request_body = HashRestore, responses(
    (status = 200, body = RestoredFile),
    (status = 403, description = "The client is a browser, and the file is in no open folder (`outside_roots`), or \
        missing or hidden (`creation_refused`)", body = ErrorBody),
    (status = 404, description = "`record_not_found`, `no_good_copy`", body = ErrorBody),
    (status = 409, description = "`intact`: the file matches its record; `record_imported`: the record was not made \
        from the file's contents; `file_missing`: it would be created; `hashes_busy`", body = ErrorBody),
))]
async fn hash_restore(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    authority: Authority,
    ApiJson(request): ApiJson<HashRestore>,
) -> Result<Json<RestoredFile>, ApiError> {
    Ok(Json(
        operations::hash_restore(&hashes, request, caller, authority).await?,
    ))
}
