//! Query strings with file names: percent-encoded bytes, which need not be UTF-8.

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_fs::{FolderScope, RootId, Source, SourceFile};
use fumikura_image::Variant;
use fumikura_pictures::Pictures;
use fumikura_thumbs::Priority;
use percent_encoding::percent_decode_str;

use crate::error::{ApiError, ErrorCode};

/// A query as it was sent, with values as raw bytes.
pub(crate) struct ByteQuery(Box<str>);

impl<S: Send + Sync> FromRequestParts<S> for ByteQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

impl ByteQuery {
    pub(crate) fn parse(query: &str) -> Self {
        Self(query.into())
    }

    /// Returns the bytes of a parameter, if it is present.
    pub(crate) fn bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let pair = self.0.split('&').find(|pair| names(pair, name))?;
        let (_, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some(decode_query_part(value))
    }

    /// Returns the text of a parameter, if it is present.
    pub(in crate::rest_api) fn text(&self, name: &str) -> Result<Option<Cow<'_, str>>, ApiError> {
        let text = self.bytes(name).map(|bytes| match bytes {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(error) => Err(error.utf8_error()),
            },
        });
        text.transpose()
            .map_err(|_| ApiError::new(ErrorCode::BadRequest, format!("{name} is not UTF-8")))
    }

    /// Returns a parameter, parsed as `T`, or `None` if it is absent.
    pub(super) fn read<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ApiError> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let value = text
            .parse()
            .map_err(|error| ApiError::new(ErrorCode::BadRequest, format!("{name}: {error}")))?;
        Ok(Some(value))
    }

    /// Returns the root, which is required.
    pub(in crate::rest_api) fn root(&self) -> Result<RootId, ApiError> {
        self.read("root")?.ok_or_else(|| {
            ApiError::new(ErrorCode::BadRequest, "root is missing: the id of a root")
        })
    }

    /// Returns the scope of the request: a folder, or the folders below it too.
    pub(in crate::rest_api) fn scope(&self) -> Result<FolderScope, ApiError> {
        Ok(match self.read("beneath")? {
            Some(true) => FolderScope::Recursive,
            Some(false) | None => FolderScope::Direct,
        })
    }

    /// Returns true if the files of one picture are to count as one.
    pub(in crate::rest_api) fn joined(&self) -> Result<bool, ApiError> {
        Ok(self.read("joined")?.unwrap_or(false))
    }

    /// Returns the thumbnail that `size`, `mode`, `format`, `turn` and `crop` describe.
    pub(super) fn variant(&self) -> Result<Variant, ApiError> {
        let [size, mode, format, turn, crop] =
            ["size", "mode", "format", "turn", "crop"].map(|name| self.text(name));
        let (size, mode, format, turn, crop) = (size?, mode?, format?, turn?, crop?);
        Variant::parse(size.as_deref(), mode.as_deref(), format.as_deref())
            .and_then(|variant| variant.turned(turn.as_deref()))
            .and_then(|variant| variant.cropped(crop.as_deref()))
            .map_err(|error| ApiError::new(ErrorCode::BadRequest, error))
    }

    /// Returns the priority of the thumbnail, if it is given.
    pub(super) fn priority(&self) -> Result<Option<Priority>, ApiError> {
        self.read("priority")
    }

    /// Returns the file that `source`, or `root` and `path`, name.
    pub(super) fn source(&self, pictures: &Pictures) -> Result<Source, ApiError> {
        match (self.bytes("source"), self.bytes("path")) {
            (Some(source), None) => Ok(pictures.roots().source_at(&source)?),
            (None, Some(path)) => Ok(pictures.roots().source(self.root()?, &path)?),
            (Some(_), Some(_)) | (None, None) => Err(ApiError::new(
                ErrorCode::BadRequest,
                "a picture is named by source, or by root and path",
            )),
        }
    }

    /// Returns the file that `root` and `path` name.
    pub(in crate::rest_api) fn source_in_root(
        &self,
        pictures: &Pictures,
    ) -> Result<Source, ApiError> {
        let missing = || {
            ApiError::new(
                ErrorCode::BadRequest,
                "path is missing: relative to the root",
            )
        };
        let path = self.bytes("path").ok_or_else(missing)?;
        Ok(pictures.roots().source(self.root()?, &path)?)
    }

    /// Returns the file in its present state.
    pub(super) fn source_file(&self, pictures: &Pictures) -> Result<SourceFile, ApiError> {
        Ok(self.source(pictures)?.find()?)
    }
}

/// Reads all parameters of a picture query, for the fuzz targets. Values that are understood must round-trip.
pub fn read_query(query: &str) {
    let query = ByteQuery::parse(query);
    if let Ok(variant) = query.variant() {
        let (size, mode, format) = (variant.size, variant.mode, variant.format);
        let [size, mode, format] = [size.to_string(), mode.to_string(), format.to_string()];
        let again = Variant::parse(Some(&size), Some(&mode), Some(&format));
        let turn = variant.turn.to_string();
        let crop = variant.crop.map(|crop| crop.to_string());
        let again = again.and_then(|again| again.turned(Some(&turn)));
        let again = again.and_then(|again| again.cropped(crop.as_deref()));
        assert_eq!(again, Ok(variant));
    }
    if let Ok(root) = query.root() {
        assert_eq!(root.to_string().parse().ok(), Some(root));
    }
    for name in ["path", "source"] {
        let bytes = query.bytes(name).unwrap_or_default();
        if let Ok(path) = fumikura_fs::RelPath::parse(&bytes) {
            assert_eq!(fumikura_fs::RelPath::parse(path.as_bytes()), Ok(path));
        }
        if let Ok(path) = fumikura_fs::clean_absolute(&bytes) {
            assert_eq!(fumikura_fs::clean_absolute(&path), Ok(path.clone()));
        }
    }
    // A word has no other form, so there is nothing to compare.
    let _ = query.priority();
}

/// Returns true if a `name=value` pair of a query, as it was sent, is the parameter `name`.
pub(super) fn names(pair: &str, name: &str) -> bool {
    let key = pair.split('=').next().unwrap_or_default();
    // Names are rarely encoded.
    key == name || key.contains(['%', '+']) && *decode_query_part(key) == *name.as_bytes()
}

/// Decodes a part of a query: `%` and two digits for any byte, `+` for a space.
fn decode_query_part(part: &str) -> Cow<'_, [u8]> {
    if part.contains('+') {
        let spaced = part.replace('+', " ");
        return Cow::Owned(percent_decode_str(&spaced).collect());
    }
    percent_decode_str(part).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bytes() {
        let query = ByteQuery::parse("path=a%2Fb%FF+c%0A&root=&x");
        assert_eq!(query.bytes("path").as_deref(), Some(&b"a/b\xff c\n"[..]));
        assert_eq!(query.bytes("x").as_deref(), Some(&b""[..]));
        assert_eq!(query.bytes("y"), None);
        assert!(query.text("path").is_err());
        assert!(names("%76=x", "v") && !names("vv=x", "v"));
        assert!(names("a+b", "a b") && !names("a%2Bb", "a b"));
        let text = |name| query.text(name).unwrap();
        assert_eq!((text("x").as_deref(), text("z")), (Some(""), None));
        let first = ByteQuery::parse("&a=1&a=%32");
        assert_eq!(first.text("a").unwrap().as_deref(), Some("1"));
    }
}
