//! `/api/image/info`: the metadata of a picture.

use axum::Json;
use fumikura_fs::SourceFile;
use fumikura_image::{Camera, ExifField, Exposure, GpsPosition, PictureInfo};
use fumikura_pictures::Pictures;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

/// The metadata of a picture. Unknown values are absent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureInfo)]
struct PictureInfoDto {
    /// The thumbnail's id, which changes with the picture.
    id: String,
    /// The media type, detected from the contents.
    mime: String,
    /// The size in bytes.
    size: u64,
    mtime: Timestamp,
    /// True if the file ends before the picture does: a truncated JPEG. Other formats are not checked.
    is_incomplete: bool,
    /// The width in pixels, as the picture is displayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// EXIF's orientation, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation: Option<u8>,
    /// The time at which the picture was taken, by the camera's own clock: `2026-11-20T12:34:56`.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    camera: Camera,
    exposure: Exposure,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<GpsPosition>,
    /// The name of the embedded colour profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    /// All EXIF metadata of the file, in its order.
    notes: Vec<ExifField>,
}

impl From<(SourceFile, PictureInfo)> for PictureInfoDto {
    fn from((source_file, info): (SourceFile, PictureInfo)) -> Self {
        let stat = source_file.stat();
        Self {
            id: source_file.id().to_string(),
            mime: info.kind.mime().to_owned(),
            size: stat.size,
            mtime: stat.mtime.timestamp(),
            is_incomplete: info.is_incomplete,
            width: info.head.map(|head| head.width),
            height: info.head.map(|head| head.height),
            orientation: info.head.map(|head| head.orientation),
            taken: info.taken.map(|taken| taken.to_string()),
            camera: info.camera,
            exposure: info.exposure,
            place: info.place,
            profile: info.profile,
            notes: info.notes,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture_info))
}

/// Returns the metadata of a picture: that of its file, and its EXIF fields.
#[utoipa::path(get, path = "/api/image/info", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes")), responses(
        (status = 200, body = PictureInfoDto),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
    ))]
async fn picture_info(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<PictureInfoDto>, ApiError> {
    let info = blocking(&pictures, move |pictures| {
        Ok(pictures.info(&query.source_in_root(pictures)?)?)
    });
    Ok(Json(info.await?.into()))
}
