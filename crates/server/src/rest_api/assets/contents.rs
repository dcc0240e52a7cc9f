//! Answers with a file's contents. Browsers may display uploaded files, but run nothing in them.

use std::sync::Arc;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_fs::{AccessError, Source, SourceFile};
use fumikura_image::Variant;
use fumikura_thumbs::{BytesResponse, Priority};
use fumikura_wiki::{Asset, AssetContents, AssetError, AssetId, AssetState, FileName, Wiki};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorCode};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;
use crate::rest_api::file_answer::answer;
use crate::rest_api::pictures::thumb::ThumbRequest;
use crate::services::Thumbnails;

const ASSET_DELETED: HeaderName = HeaderName::from_static("x-asset-deleted");
/// An id's contents never change.
const CACHING: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");
/// The characters that are percent-encoded: all but those that RFC 8187 permits as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Answers with the file itself.
pub(super) async fn whole(
    wiki: &Arc<Wiki>,
    id: AssetId,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let open = move |wiki: &Wiki| Ok(wiki.assets().open(id)?);
    let AssetContents { file, asset } = blocking(wiki, open).await?;
    let tag = tag(&hex::encode(asset.sha256));
    let mut response = answer(file, asset.size, tag, headers).await?;
    let out = response.headers_mut();
    let kind = HeaderValue::try_from(&asset.mime).expect("BUG: a media type is a header");
    out.insert(CONTENT_TYPE, kind);
    out.insert(CONTENT_DISPOSITION, disposition(&asset));
    foreign(out, &asset);
    Ok(response)
}

/// Answers with a thumbnail of a picture.
pub(super) async fn thumbnail(
    wiki: &Arc<Wiki>,
    thumbnails: &Arc<Thumbnails>,
    id: AssetId,
    variant: Variant,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let (wiki, headers) = (Arc::clone(wiki), headers.clone());
    let ask = move |thumbnails: &Thumbnails| {
        let (asset, source_file) = picture(&wiki, id)?;
        let tag = tag(&format!("{}-{variant}", hex::encode(asset.sha256)));
        if is_known(&headers, &tag) {
            thumbnails
                .expiry
                .thumbnail_read(&source_file, source_file.version(), variant, None);
            return Ok((asset, tag, None));
        }
        let thumb = ThumbRequest {
            source_file,
            variant,
            priority: Priority::Visible,
        };
        let requested = thumb.request(&thumbnails.pictures);
        if let BytesResponse::Ready(bytes) = &requested {
            let version = thumb.source_file.version();
            thumbnails.expiry.thumbnail_read(
                &thumb.source_file,
                version,
                variant,
                Some(bytes.len() as u64),
            );
        }
        Ok((asset, tag, Some((thumb, requested))))
    };
    let (asset, tag, thumb) = blocking(thumbnails, ask).await?;
    let mut response = match thumb {
        None => StatusCode::NOT_MODIFIED.into_response(),
        Some((thumb, requested)) => thumb
            .bytes(&thumbnails.pictures, requested)
            .await?
            .1
            .into_response(),
    };
    let out = response.headers_mut();
    let kind = HeaderValue::from_static(variant.format.mime());
    out.insert(CONTENT_TYPE, kind);
    out.insert(ETAG, tag);
    foreign(out, &asset);
    Ok(response)
}

/// Returns a page's file that is a picture, in its present state.
pub(crate) fn picture(wiki: &Wiki, id: AssetId) -> Result<(Asset, SourceFile), ApiError> {
    let asset = wiki.assets().get(id)?;
    if !asset.mime.starts_with("image/") {
        return Err(ApiError::new(
            ErrorCode::NotAPicture,
            "this file is not a picture",
        ));
    }
    let (folder, relative) = wiki.assets().place(id);
    match Source::own(folder, &relative)?.find() {
        Ok(source_file) => Ok((asset, source_file)),
        Err(AccessError::NotFound | AccessError::FolderUnavailable { .. }) => {
            Err(AssetError::FileMissing.into())
        }
        Err(error) => Err(error.into()),
    }
}

fn foreign(out: &mut HeaderMap, asset: &Asset) {
    out.insert(CACHE_CONTROL, CACHING);
    let policy = HeaderValue::from_static(FOREIGN_POLICY);
    out.insert(CONTENT_SECURITY_POLICY, policy);
    if asset.state != AssetState::Live {
        out.insert(ASSET_DELETED, HeaderValue::from_static("true"));
    }
}

fn tag(version: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{version}\"")).expect("BUG: digits are a header")
}

/// Files that a browser displays without running anything are displayed. All others are offered as downloads.
fn disposition(asset: &Asset) -> HeaderValue {
    let kind = asset.mime.split(';').next().unwrap_or_default();
    let media = ["image/", "audio/", "video/"];
    let is_inline = kind == "text/plain"
        || kind != "image/svg+xml" && media.iter().any(|media| kind.starts_with(media));
    let kind = if is_inline { "inline" } else { "attachment" };
    let names = names(&asset.file_name);
    HeaderValue::try_from(format!("{kind}; {names}")).expect("BUG: the name is encoded")
}

/// Returns the name for current browsers, and its readable characters for others (RFC 6266, 8187).
fn names(name: &FileName) -> String {
    let plain: String = name
        .as_str()
        .chars()
        .map(|c| match c {
            '"' | '\\' | '%' => '_',
            ' '..='~' => c,
            _ => '_',
        })
        .collect();
    let encoded = utf8_percent_encode(name.as_str(), ENCODED);
    format!("filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        assert_eq!(names(&FileName::new(name).unwrap()), expected);
    }

    #[test]
    fn file_name_has_ascii_and_utf8_forms() {
        check("a.png", "filename=\"a.png\"; filename*=UTF-8''a.png");
        check(
            "京 \"都\".png",
            "filename=\"_ ___.png\"; filename*=UTF-8''%E4%BA%AC%20%22%E9%83%BD%22.png",
        );
        check(
            "50%.txt",
            "filename=\"50_.txt\"; filename*=UTF-8''50%25.txt",
        );
    }
}
