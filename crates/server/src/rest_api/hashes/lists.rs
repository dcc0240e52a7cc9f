//! `/api/hashes/import`, `check`, `export`: hash lists of other programs.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Extension};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use fumikura_hashes::ExportFormat;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;
use std::borrow::Cow;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::jobs::{self, StartedJob};
use crate::operations::{self, HashExport, HashImport, RecordedPlace};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::body_refusal;
use crate::rest_api::pictures::ByteQuery;
use crate::services::Hashes;

/// The largest list, in bytes: some 500,000 files.
const LIST_LIMIT: usize = 64 * 1024 * 1024;
/// The number of files that the export format cannot represent.
const LEFT_OUT: HeaderName = HeaderName::from_static("x-left-out");

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(hash_import))
        .routes(routes!(hash_check))
        .layer(DefaultBodyLimit::max(LIST_LIMIT))
        .routes(routes!(hash_export))
}

/// Creates a record for each file in a list that has none.
///
/// The body is the list: `SHA256SUMS` (GNU or BSD), hashdeep or RHash. Relative names are resolved against the folder;
/// files outside it are skipped. No file is read.
#[utoipa::path(post, path = "/api/hashes/import", tag = "hashes", params(
    ("root" = String, Query, description = "The root's id"),
    ("path" = Option<String>, Query, description = "The folder, relative to the root"),
), request_body(description = "The list", content_type = "application/octet-stream"), responses(
    (status = 200, body = HashImport),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 409, description = "`hashes_busy`", body = ErrorBody),
    (status = 413, description = "`too_large`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: it is not a list of this kind", body = ErrorBody),
))]
async fn hash_import(
    Part(hashes): Part<Hashes>,
    query: ByteQuery,
    list: Result<Bytes, BytesRejection>,
) -> Result<Json<HashImport>, ApiError> {
    let list = list.map_err(|rejection| body_refusal(&rejection, "a list has at most 64 MiB"))?;
    let place = RecordedPlace::in_root(query.root()?, query.bytes("path").as_deref());
    Ok(Json(
        operations::hash_import(&hashes, place, list.into()).await?,
    ))
}

/// Starts a job that compares files with the hashes in a list.
///
/// The body is the list, with CRC32 (SFV), MD5, SHA-1, SHA-2, BLAKE2b or BLAKE3. Relative names are resolved against the
/// folder. No record is made.
#[utoipa::path(post, path = "/api/hashes/check", tag = "hashes", params(
    ("root" = String, Query, description = "The root's id"),
    ("path" = Option<String>, Query, description = "The folder, relative to the root"),
), request_body(description = "The list", content_type = "application/octet-stream"), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 413, description = "`too_large`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: it is not a list of hashes", body = ErrorBody),
))]
async fn hash_check(
    Part(hashes): Part<Hashes>,
    query: ByteQuery,
    list: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let list = list.map_err(|rejection| body_refusal(&rejection, "a list has at most 64 MiB"))?;
    let place = RecordedPlace::in_root(query.root()?, query.bytes("path").as_deref());
    let job = operations::hash_check(&hashes, place, list.into()).await?;
    Ok(jobs::accepted(job.id))
}

/// Exports the records of a hash folder, or the report of a job (`json`, `csv`, `text`), as a file.
#[utoipa::path(get, path = "/api/hashes/export", tag = "hashes", params(
    ("format" = inline(ExportFormat), Query, description = "The form"),
    ("dir" = Option<String>, Query, description = "The hash folder: `own`, or a grant"),
    ("root" = Option<String>, Query, description = "Only records of files below this root, with names relative to \
        the folder"),
    ("path" = Option<String>, Query, description = "The folder, relative to the root"),
    ("job" = Option<String>, Query, description = "A job whose report is exported instead"),
), responses(
    (status = 200, description = "The file", content_type = "text/plain", headers(
        ("Content-Disposition" = String, description = "A name for its file"),
        ("X-Left-Out" = String, description = "The number of files that the format cannot represent"),
    )),
    (status = 404, description = "`job_not_found`, `root_not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `unsafe_folder`", body = ErrorBody),
))]
async fn hash_export(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let text = |name| query.text(name).map(|text| text.map(Cow::into_owned));
    let format = text("format")?.unwrap_or_default();
    let place = match query.bytes("root") {
        Some(_) => RecordedPlace::in_root(query.root()?, query.bytes("path").as_deref()),
        None => RecordedPlace::default(),
    };
    let wanted = HashExport {
        dir: text("dir")?,
        place,
        job: text("job")?,
        format: read_format(&format)?,
    };
    let exported = operations::hash_export(&hashes, wanted, caller).await?;
    let name = format!("attachment; filename=\"{}\"", exported.name);
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(exported.media_type)),
        (
            CONTENT_DISPOSITION,
            HeaderValue::try_from(name).expect("BUG: the names are ASCII"),
        ),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (LEFT_OUT, HeaderValue::from(exported.left_out)),
    ];
    Ok((headers, exported.contents).into_response())
}

fn read_format(text: &str) -> Result<ExportFormat, ApiError> {
    let read = ExportFormat::deserialize(IntoDeserializer::<ValueError>::into_deserializer(text));
    read.map_err(|_| {
        let message = "format is sha256sums, hashdeep, rhash, json, csv or text";
        ApiError::new(ErrorCode::BadRequest, message)
    })
}
