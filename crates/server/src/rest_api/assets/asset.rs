//! `/api/asset`: a file by its id, or a redirect to it by its page's path and its name (docs/spec/wiki.md, Files).

use std::sync::Arc;

use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_image::Variant;
use fumikura_wiki::{AssetId, FileName, PageId, PagePath, Wiki};
use jiff::Timestamp;
use serde::Deserialize;
use utoipa_axum::routes;

use super::contents;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::rest_api::past::{AT, moment};
use crate::services::Thumbnails;

#[derive(Deserialize)]
struct AssetQuery {
    id: Option<AssetId>,
    path: Option<String>,
    file: Option<String>,
    in_bin: Option<PageId>,
    at: Option<String>,
    size: Option<String>,
    mode: Option<String>,
    format: Option<String>,
}

impl AssetQuery {
    /// Returns the requested thumbnail, or `None` if the file itself is requested.
    fn thumbnail(&self) -> Result<Option<Variant>, ApiError> {
        let (mode, format) = (self.mode.as_deref(), self.format.as_deref());
        let variant = Variant::parse(self.size.as_deref(), mode, format)
            .map_err(|error| ApiError::new(ErrorCode::BadRequest, error))?;
        Ok(self.size.is_some().then_some(variant))
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(asset_contents))
}

/// Returns a file of a page.
///
/// The content type follows from the contents. Range requests are supported. With `size`, a thumbnail of a picture is
/// returned. With `path` and `file`, the answer redirects to the file: present paths are tried first, then former paths
/// of pages. With `in_bin`, names are resolved as if that page, and the pages that were deleted with it, were not in
/// the trash. With `at`, names are resolved as at a moment; a file that was renamed or permanently deleted since is not
/// found.
#[utoipa::path(get, path = "/api/asset", tag = "assets",
    params(
        ("id" = Option<String>, Query, description = "The file's id; it may be a deleted one"),
        ("path" = Option<String>, Query, description = "The page's path, with `file` instead of `id`"),
        ("file" = Option<String>, Query, description = "The file's name"),
        ("in_bin" = Option<String>, Query, description = "With `path` and `file`: resolve them as in the text of \
            this page, which is in the trash"),
        ("at" = Option<String>, Query, description = AT),
        ("size" = Option<String>, Query, description = "`WxH`, each 1 to 4096: a thumbnail"),
        ("mode" = Option<String>, Query, description = "`crop`, `shrink` or `stretch`"),
        ("format" = Option<String>, Query, description = "`jpg`, `png` or `webp`"),
    ), responses(
        (status = 200, description = "The file", content_type = "*/*", headers(
            ("ETag" = String, description = "`\"SHA-256\"`"),
            ("X-Asset-Deleted" = Option<String>, description = "`true` if it is deleted"))),
        (status = 206, description = "The range in `Range`", content_type = "*/*"),
        (status = 302, description = "A redirect to the file by its id"),
        (status = 304, description = "It matches `If-None-Match`"),
        (status = 400, description = "`bad_request`, `invalid_time`", body = ErrorBody),
        (status = 404, description = "`asset_not_found`, `page_not_found`, `asset_file_missing`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`: it has no thumbnail", body = ErrorBody),
        (status = 416, description = "The range is outside the file"),
        (status = 422, description = "`picture_undecodable`, `invalid_file_name`, `invalid_path`", body = ErrorBody),
    ))]
async fn asset_contents(
    Part(wiki): Part<Wiki>,
    Part(thumbnails): Part<Thumbnails>,
    Part(clock): Part<dyn Clock>,
    ApiQuery(query): ApiQuery<AssetQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let variant = query.thumbnail()?;
    let at = moment(query.at.as_deref(), &*clock)?;
    match (query.id, query.path, query.file) {
        (Some(id), None, None) => match variant {
            None => contents::whole(&wiki, id, &headers).await,
            Some(variant) => contents::thumbnail(&wiki, &thumbnails, id, variant, &headers).await,
        },
        (None, Some(path), Some(file)) => {
            redirect_to_asset(&wiki, (path, file), (query.in_bin, at), variant).await
        }
        (_, _, _) => Err(ApiError::new(
            ErrorCode::BadRequest,
            "a file is named by id, or by path and file",
        )),
    }
}

/// Redirects to the file by its id. The answer is not cached, because a name may refer to another file at any time.
async fn redirect_to_asset(
    wiki: &Arc<Wiki>,
    (path, file): (String, String),
    (in_bin, at): (Option<PageId>, Option<Timestamp>),
    variant: Option<Variant>,
) -> Result<Response, ApiError> {
    let find = move |wiki: &Wiki| {
        let (path, file) = (PagePath::new(&path)?, FileName::existing(&file)?);
        Ok(match (in_bin, at) {
            (_, Some(at)) => wiki.past(at).find_file(&path, &file)?,
            (Some(page), None) => wiki.assets().find_in_trash(page, &path, &file)?,
            (None, None) => wiki.assets().find(&path, &file)?,
        })
    };
    let id = blocking(wiki, find).await?;
    let thumbnail = variant.map(
        |Variant {
             size, mode, format, ..
         }| format!("&size={size}&mode={mode}&format={format}"),
    );
    let to = format!("/api/asset?id={id}{}", thumbnail.unwrap_or_default());
    let headers = [
        (
            LOCATION,
            HeaderValue::try_from(to).expect("BUG: a ULID is a header"),
        ),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((StatusCode::FOUND, headers).into_response())
}
