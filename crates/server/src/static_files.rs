//! The addresses `/static/*`: the client's files, embedded in the program and compressed by the build.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::etag::is_known;
use crate::rest_api::extract::ApiPath;

#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
// Every browser takes them compressed. Six million bytes of the program would hardly ever be read.
#[exclude = "*.js"]
#[exclude = "*.css"]
struct StaticFiles;

/// The only encoding: every browser accepts it without TLS, too, and a second one would nearly double the page's size in the
/// program.
const ENCODING: &str = "gzip";
/// The file extension that the build gives to encoded files.
const EXTENSION: &str = ".gz";

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/static/{*name}", axum::routing::get(get))
}

async fn get(ApiPath(name): ApiPath<String>, headers: HeaderMap) -> Response {
    let is_hidden = name.ends_with(EXTENSION);
    let find = || encoded(&name, &headers).or_else(|| Some((None, plain(&name)?)));
    let Some((encoding, file)) = (!is_hidden).then(find).flatten() else {
        return ApiError::new(ErrorCode::NotFound, format!("no such file: {name}")).into_response();
    };
    let mut digest = hex::encode(&file.metadata.sha256_hash()[..16]);
    if encoding.is_none() {
        digest.push('p');
    }
    let tag = HeaderValue::try_from(format!("\"{digest}\""))
        .expect("BUG: hexadecimal digits are a header");
    let mut response = if is_known(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        body(file.data).into_response()
    };
    let out = response.headers_mut();
    out.insert(ETAG, tag);
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    out.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(&name)));
    out.insert(CACHE_CONTROL, HeaderValue::from_static(caching(&name)));
    if let Some(encoding) = encoding {
        out.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns the encoded file, if the browser accepts it and the build made one.
fn encoded(name: &str, headers: &HeaderMap) -> Option<(Option<&'static str>, EmbeddedFile)> {
    let accepted = headers.get(ACCEPT_ENCODING)?.to_str().ok()?;
    let is_accepted = accepted.split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        parts.next() == Some(ENCODING) && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
    });
    let file = is_accepted.then(|| StaticFiles::get(&format!("{name}{EXTENSION}")));
    Some((Some(ENCODING), file.flatten()?))
}

/// Returns a file without an encoding. The metadata of code is that of its compressed file.
fn plain(name: &str) -> Option<EmbeddedFile> {
    StaticFiles::get(name).or_else(|| {
        let packed = StaticFiles::get(&format!("{name}{EXTENSION}"))?;
        let mut bytes = Vec::new();
        let mut unpacked = GzDecoder::new(&*packed.data);
        unpacked
            .read_to_end(&mut bytes)
            .expect("BUG: the build wrote this file");
        Some(EmbeddedFile {
            data: bytes.into(),
            metadata: packed.metadata,
        })
    })
}

/// Returns a file of the client's build that is not code, if it exists.
pub(crate) fn read(name: &str) -> Option<Cow<'static, [u8]>> {
    StaticFiles::get(name).map(|file| file.data)
}

fn body(data: Cow<'static, [u8]>) -> axum::body::Body {
    match data {
        Cow::Borrowed(bytes) => axum::body::Body::from(bytes),
        Cow::Owned(bytes) => axum::body::Body::from(bytes),
    }
}

/// Returns the cache policy of a file. Files whose names contain a hash of their contents never change.
fn caching(name: &str) -> &'static str {
    if name.starts_with("chunks/") || name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json" | "map") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
