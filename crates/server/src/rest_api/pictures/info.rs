//! `/api/image/info`: the metadata of a picture.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_fs::SourceFile;
use fumikura_image::{Camera, ExifField, Exposure, GpsPosition, PictureInfo};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};

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
    camera: CameraDto,
    exposure: ExposureDto,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceDto>,
    /// The name of the embedded colour profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    /// All EXIF metadata of the file, in its order.
    notes: Vec<NoteDto>,
}

/// The camera that took the picture.
#[derive(Serialize, ToSchema)]
#[schema(as = Camera)]
struct CameraDto {
    #[serde(skip_serializing_if = "Option::is_none")]
    make: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lens: Option<String>,
}

/// The exposure of the picture.
#[derive(Serialize, ToSchema)]
#[schema(as = Exposure)]
struct ExposureDto {
    /// The exposure time in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// The f-number.
    #[serde(skip_serializing_if = "Option::is_none")]
    aperture: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iso: Option<u32>,
    /// The focal length in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    focal_length: Option<f64>,
    /// The equivalent focal length for 35 mm film, in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    focal_length_35mm: Option<u32>,
    /// The exposure bias in EV.
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
    /// True if the flash fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    flash: Option<bool>,
}

/// The place at which the picture was taken, in WGS 84.
#[derive(Serialize, ToSchema)]
#[schema(as = PlaceTaken)]
struct PlaceDto {
    /// The latitude in degrees; south is negative.
    latitude: f64,
    /// The longitude in degrees; west is negative.
    longitude: f64,
    /// The altitude in metres above sea level.
    #[serde(skip_serializing_if = "Option::is_none")]
    altitude: Option<f64>,
}

/// An EXIF field of the picture.
#[derive(Serialize, ToSchema)]
#[schema(as = PictureNote)]
struct NoteDto {
    /// The EXIF name of the field.
    name: String,
    /// The value as text, with its unit.
    value: String,
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
            camera: info.camera.into(),
            exposure: info.exposure.into(),
            place: info.place.map(PlaceDto::from),
            profile: info.profile,
            notes: info.notes.into_iter().map(NoteDto::from).collect(),
        }
    }
}

impl From<Camera> for CameraDto {
    fn from(Camera { make, model, lens }: Camera) -> Self {
        Self { make, model, lens }
    }
}

impl From<Exposure> for ExposureDto {
    fn from(exposure: Exposure) -> Self {
        Self {
            time: exposure.time,
            aperture: exposure.aperture,
            iso: exposure.iso,
            focal_length: exposure.focal_length,
            focal_length_35mm: exposure.focal_length_35mm,
            bias: exposure.bias,
            flash: exposure.flash,
        }
    }
}

impl From<GpsPosition> for PlaceDto {
    fn from(place: GpsPosition) -> Self {
        Self {
            latitude: place.latitude,
            longitude: place.longitude,
            altitude: place.altitude,
        }
    }
}

impl From<ExifField> for NoteDto {
    fn from(ExifField { name, value }: ExifField) -> Self {
        Self { name, value }
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// Returns the metadata of a picture: that of its file, and its EXIF fields.
#[utoipa::path(get, path = "/api/image/info", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes")), responses(
        (status = 200, body = PictureInfoDto),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    query: ByteQuery,
) -> Result<Json<PictureInfoDto>, ApiError> {
    let info = blocking(&app, move |app| {
        Ok(app.pictures.info(&query.source_in_root(app)?)?)
    });
    Ok(Json(info.await?.into()))
}
