//! `/api/pages/{page_id}/assets`: a page's files (docs/spec/wiki.md, Files).

use std::pin::pin;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, BodyDataStream};
use axum::http::header::{EXPECT, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_wiki::{Asset, AssetWriter, FileName, PageId, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::operations::AssetEntry;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::assets::{checked_limit, entries};
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::past::{AT, moment};
use crate::rest_api::upload::{PIECE, declared_length, drain, next, wait_until_stopping};
use crate::stopping::Stopping;

/// A file that was added.
#[derive(Serialize, ToSchema)]
struct CreatedAsset {
    /// The file's id, a ULID.
    id: String,
    /// The name of the file; present if `free_name` was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_name: Option<String>,
}

#[derive(Deserialize)]
struct BringQuery {
    #[serde(default)]
    free_name: bool,
}

#[derive(Deserialize)]
struct ListQuery {
    #[serde(default)]
    with_deleted: bool,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
    at: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(asset_list))
        .routes(routes!(asset_upload))
}

/// Lists the page's files by name.
///
/// With `at`, the files of a moment: without those that were renamed or permanently deleted since, and with their
/// present state.
#[utoipa::path(get, path = "/api/pages/{page_id}/assets", tag = "assets",
    params(
        ("page_id" = String, Path),
        ("with_deleted" = Option<bool>, Query, description = "Include deleted files"),
        ("offset" = Option<usize>, Query, description = "The number of items to skip"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000, description = "All by default"),
        ("at" = Option<String>, Query, description = AT),
    ),
    responses(
        (status = 200, body = Vec<AssetEntry>),
        (status = 400, description = "`invalid_time`", body = ErrorBody),
        (status = 404, description = "`page_not_found`", body = ErrorBody),
    ))]
async fn asset_list(
    Part(wiki): Part<Wiki>,
    Part(clock): Part<dyn Clock>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> Result<Json<Vec<AssetEntry>>, ApiError> {
    let at = moment(query.at.as_deref(), &*clock)?;
    let limit = checked_limit(query.limit)?;
    let list = move |wiki: &Wiki| {
        let assets = match at {
            Some(at) => wiki.past(at).files(page_id)?,
            None => wiki.assets().of_page(page_id, query.with_deleted)?,
        };
        Ok(entries(assets, query.offset, limit))
    };
    Ok(Json(blocking(&wiki, list).await?))
}

/// Adds a file to a page or a draft.
///
/// The body is the file itself; its type is derived from its contents. A draft's files are deleted with it if it is
/// never saved.
#[utoipa::path(post, path = "/api/pages/{page_id}/assets/{file_name}", tag = "assets",
    params(
        ("page_id" = String, Path),
        ("file_name" = String, Path, description = "1 to 255 bytes, without `/` and characters that cannot be seen"),
        ("free_name" = Option<bool>, Query, description = "Use a similar free name (`a-2.png`) if this one is taken"),
    ),
    request_body(description = "The file itself", content_type = "application/octet-stream"), responses(
        (status = 201, body = CreatedAsset, headers(("Location" = String, description = "The file itself"))),
        (status = 404, description = "`page_not_found`", body = ErrorBody),
        (status = 409, description = "`file_name_taken`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 422, description = "`invalid_file_name`", body = ErrorBody),
        (status = 507, description = "`disk_full`", body = ErrorBody),
    ))]
async fn asset_upload(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    Part(stopping): Part<Stopping>,
    ApiPath((page_id, name)): ApiPath<(PageId, String)>,
    ApiQuery(BringQuery { free_name }): ApiQuery<BringQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let mut body = body.into_data_stream();
    let refused = match begin(&wiki, page_id, &name, free_name, &headers).await {
        Ok(writer) => match receive((&wiki, acting), &stopping, writer, &mut body).await {
            Ok(asset) => return Ok(created(&asset, free_name)),
            Err(error) => error,
        },
        // A client that sent `Expect` has not sent the body yet.
        Err(error) if headers.contains_key(EXPECT) => return Err(error),
        Err(error) => error,
    };
    drain(body);
    Err(refused)
}

fn created(asset: &Asset, with_name: bool) -> Response {
    let id = asset.id.to_string();
    let location =
        HeaderValue::try_from(format!("/api/asset?id={id}")).expect("BUG: a ULID is a header");
    let file_name = with_name.then(|| asset.file_name.to_string());
    let created = Json(CreatedAsset { id, file_name });
    (StatusCode::CREATED, [(LOCATION, location)], created).into_response()
}

/// Performs all checks that are possible before the body is read.
async fn begin(
    wiki: &Arc<Wiki>,
    page_id: PageId,
    name: &str,
    free_name: bool,
    headers: &HeaderMap,
) -> Result<AssetWriter, ApiError> {
    let name = FileName::new(name)?;
    let length = declared_length(headers);
    let begin = move |wiki: &Wiki| {
        Ok(match free_name {
            true => wiki.assets().begin_like(page_id, name, length)?,
            false => wiki.assets().begin(page_id, name, length)?,
        })
    };
    blocking(wiki, begin).await
}

/// Writes the body as it arrives. If the writer is dropped early, on an error or a disconnect, it deletes its file.
async fn receive(
    (wiki, acting): (&Arc<Wiki>, Arc<ActingUser>),
    stopping: &Stopping,
    mut writer: AssetWriter,
    body: &mut BodyDataStream,
) -> Result<Asset, ApiError> {
    let mut piece = Vec::with_capacity(PIECE);
    let mut ending = pin!(wait_until_stopping(stopping));
    while let Some(bytes) = next(body, ending.as_mut()).await? {
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE {
            (writer, piece) = write(wiki, writer, piece).await?;
        }
    }
    (writer, _) = write(wiki, writer, piece).await?;
    let finish = move |wiki: &Wiki| {
        let user = acting.get()?.id;
        Ok(wiki.assets().finish(writer, user)?)
    };
    blocking(wiki, finish).await
}

/// Writes a chunk and returns its buffer for the next one.
async fn write(
    wiki: &Arc<Wiki>,
    mut writer: AssetWriter,
    mut piece: Vec<u8>,
) -> Result<(AssetWriter, Vec<u8>), ApiError> {
    blocking(wiki, move |_| {
        writer.write(&piece)?;
        piece.clear();
        Ok((writer, piece))
    })
    .await
}
