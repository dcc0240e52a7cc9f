//! `/thumb`: the bytes of a thumbnail, with headers by which a browser caches it as long as it is valid.

use std::io;
use std::str::FromStr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use fumikura_fs::{InvalidPictureVersion, PictureVersion, SourceFile, ThumbId};
use fumikura_image::Variant;
use fumikura_pictures::Pictures;
use fumikura_thumbs::{BytesResponse, Priority};
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::{blocking, brief};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;
use crate::inline_work::InlineWork;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::Thumbnails;

/// The number of attempts for a thumbnail that vanishes between being made and being read.
const TRIES: usize = 3;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(thumb_show))
}

/// Returns a thumbnail.
///
/// With the present version in `v`, the answer may be cached for a year. A stale version redirects to the present one.
#[utoipa::path(get, path = "/thumb", tag = "pictures",
    params(
        ("root" = Option<String>, Query), ("path" = Option<String>, Query, description = "Percent-encoded bytes"),
        ("source" = Option<String>, Query, description = "An absolute path, instead of `root` and `path`"),
        ("size" = Option<String>, Query, description = "`WxH`, each 1 to 4096; `85x85`"),
        ("mode" = Option<String>, Query, description = "`crop`, `shrink` or `stretch`"),
        ("format" = Option<String>, Query, description = "`jpg`, `png` or `webp`"),
        ("turn" = Option<u8>, Query, minimum = 1, maximum = 8, description = "A turn of the picture, which is upright \
            before: the EXIF orientation with the same effect. The `turn` of a listing shows the picture as its sidecar \
            says"),
        ("crop" = Option<String>, Query, description = "The part of the picture to show, before its turn, as \
            `x,y,width,height,angle`: the numbers of a listing's `crop`"),
        ("v" = Option<String>, Query, description = "The picture's `version`, or its `id`"),
        ("priority" = Option<String>, Query, description = "`visible` (the default), `next` or `background`"),
    ), responses(
        (status = 200, description = "The thumbnail", content_type = "image/*"),
        (status = 302, description = "A redirect to the current version"),
        (status = 304, description = "It matches `If-None-Match`"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 422, description = "`picture_undecodable`, `no_video_decoder`", body = ErrorBody),
        (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    ))]
async fn thumb_show(
    Part(thumbnails): Part<Thumbnails>,
    request: Request,
) -> Result<Response, ApiError> {
    // Taken apart by hand, because every extractor would copy the request.
    let (
        Parts {
            method,
            uri,
            headers,
            ..
        },
        _,
    ) = request.into_parts();
    let query = ByteQuery::parse(uri.query().unwrap_or_default());
    let variant = query.variant()?;
    let version: Option<RequestedVersion> = query.read("v")?;
    let priority = query.priority()?.unwrap_or(Priority::Visible);
    // A thumbnail with background priority is made for later, so this does not count as a read.
    let is_read = method == Method::GET && priority != Priority::Background;
    let ask = move |thumbnails: &Thumbnails| {
        let source_file = query.source_file(&thumbnails.pictures)?;
        let present = source_file.version();
        if version.is_some_and(|requested| !requested.is(present)) {
            return Ok(CheckOutcome::Stale(present));
        }
        let tag = tag(present, variant);
        if is_known(&headers, &tag) {
            if is_read {
                thumbnails
                    .expiry
                    .thumbnail_read(&source_file, present, variant, None);
            }
            return Ok(CheckOutcome::NotModified(tag));
        }
        let thumb = ThumbRequest {
            source_file,
            variant,
            priority,
        };
        Ok(match thumb.request(&thumbnails.pictures) {
            BytesResponse::Ready(bytes) => {
                if is_read {
                    let ThumbRequest { source_file, .. } = &thumb;
                    thumbnails.expiry.thumbnail_read(
                        source_file,
                        present,
                        variant,
                        Some(bytes.len() as u64),
                    );
                }
                CheckOutcome::InMemory(tag, bytes)
            }
            requested @ BytesResponse::Pending(_) => CheckOutcome::Requested(thumb, requested),
        })
    };
    let (mut response, tag) = match brief(&thumbnails, ask).await? {
        CheckOutcome::Stale(present) => return Ok(to_present(&uri, present)),
        CheckOutcome::NotModified(tag) => (StatusCode::NOT_MODIFIED.into_response(), tag),
        CheckOutcome::InMemory(tag, bytes) => (Bytes::from_owner(bytes).into_response(), tag),
        CheckOutcome::Requested(thumb, requested) => {
            let (made, bytes) = thumb.bytes(&thumbnails.pictures, requested).await?;
            // The file changed while its thumbnail was made: the bytes are those of another state.
            if version.is_some_and(|requested| !requested.is(made)) {
                return Ok(to_present(&uri, made));
            }
            (bytes.into_response(), tag(made, variant))
        }
    };
    let caching = if version.is_some() {
        "private, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let out = response.headers_mut();
    let kind = HeaderValue::from_static(variant.format.mime());
    out.insert(CONTENT_TYPE, kind);
    out.insert(ETAG, tag);
    out.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    let policy = HeaderValue::from_static(FOREIGN_POLICY);
    out.insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The state of a picture, as `v` names it.
#[derive(Debug, Clone, Copy)]
enum RequestedVersion {
    /// The full version.
    Version(PictureVersion),
    /// The id alone.
    Id(ThumbId),
}

impl RequestedVersion {
    fn is(self, version: PictureVersion) -> bool {
        match self {
            Self::Version(requested) => requested == version,
            Self::Id(id) => id == version.id,
        }
    }
}

impl FromStr for RequestedVersion {
    type Err = InvalidPictureVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = text.parse().map(Self::Id);
        id.or_else(|_| text.parse().map(Self::Version))
    }
}

/// The result of a check of the picture's file.
enum CheckOutcome {
    /// The request names an earlier state of the picture.
    Stale(PictureVersion),
    /// The client has the thumbnail.
    NotModified(HeaderValue),
    /// The thumbnail is in memory.
    InMemory(HeaderValue, Arc<[u8]>),
    /// The thumbnail was requested.
    Requested(ThumbRequest, BytesResponse),
}

/// Returns the entity tag of a thumbnail.
pub(super) fn tag(version: PictureVersion, variant: Variant) -> HeaderValue {
    let crop = variant
        .crop
        .map_or_else(String::new, |crop| format!("-{crop}"));
    let tag = format!("\"{version}-{variant}{crop}\"");
    HeaderValue::try_from(tag).expect("BUG: digits and a variant are a header")
}

impl AsRef<InlineWork> for Thumbnails {
    fn as_ref(&self) -> &InlineWork {
        &self.inline_work
    }
}

/// A thumbnail for which a client waits.
#[derive(Clone)]
pub(crate) struct ThumbRequest {
    pub(crate) source_file: SourceFile,
    pub(crate) variant: Variant,
    pub(crate) priority: Priority,
}

impl ThumbRequest {
    /// Requests the thumbnail.
    pub(crate) fn request(&self, pictures: &Pictures) -> BytesResponse {
        pictures
            .thumbs()
            .request_bytes(&self.source_file, self.variant, self.priority)
    }

    /// Waits for the thumbnail and returns the version of the picture that it was made from, and its bytes.
    pub(crate) async fn bytes(
        self,
        pictures: &Arc<Pictures>,
        mut requested: BytesResponse,
    ) -> Result<(PictureVersion, Bytes), ApiError> {
        for _ in 0..TRIES {
            let ticket = match requested {
                BytesResponse::Ready(bytes) => {
                    return Ok((self.source_file.version(), Bytes::from_owner(bytes)));
                }
                BytesResponse::Pending(ticket) => ticket,
            };
            let thumbnail = ticket.await?;
            let made = Arc::clone(&thumbnail);
            let loaded = blocking(pictures, move |pictures| {
                pictures.thumbs().load(&made).map_err(unreadable)
            });
            if let Some(bytes) = loaded.await? {
                return Ok((thumbnail.version, Bytes::from_owner(bytes)));
            }
            // The thumbnail was removed before it was read.
            let again = self.clone();
            requested = blocking(pictures, move |pictures| Ok(again.request(pictures))).await?;
        }
        Err(unreadable(io::ErrorKind::NotFound.into()))
    }
}

fn unreadable(error: io::Error) -> ApiError {
    let message = "The thumbnail could not be read";
    ApiError::internal(ErrorCode::StorageFailed, message, &error)
}

/// Redirects to the same address with the present version.
fn to_present(uri: &Uri, version: PictureVersion) -> Response {
    let query = uri.query().unwrap_or_default();
    let others: Vec<&str> = query
        .split('&')
        .filter(|pair| !super::query::names(pair, "v"))
        .collect();
    let to = format!("{}?{}&v={version}", uri.path(), others.join("&"));
    match HeaderValue::try_from(to) {
        Ok(to) => (
            StatusCode::FOUND,
            [
                (LOCATION, to),
                (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            ],
        )
            .into_response(),
        Err(_) => ApiError::new(
            ErrorCode::BadRequest,
            "the address of the redirect is invalid",
        )
        .into_response(),
    }
}
