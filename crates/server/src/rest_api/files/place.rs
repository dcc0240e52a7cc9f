//! Locations of files and folders, as requests name them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_fs::{RootId, Source};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};

/// A file or folder below a root.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::rest_api) struct FilePlace {
    /// The root's id.
    #[schema(value_type = String)]
    root: RootId,
    /// The path, relative to the root.
    #[serde(default)]
    path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    path_bytes: Option<String>,
}

impl FilePlace {
    pub(in crate::rest_api) fn source(&self, app: &App) -> Result<Source, ApiError> {
        let path = bytes(self.path.as_deref(), self.path_bytes.as_deref())?;
        Ok(app.pictures.roots().source(self.root, &path)?)
    }
}

pub(in crate::rest_api) fn sources(
    app: &App,
    items: &[FilePlace],
) -> Result<Vec<Source>, ApiError> {
    if items.is_empty() {
        return Err(ApiError::new(ErrorCode::BadRequest, "no file is named"));
    }
    items.iter().map(|item| item.source(app)).collect()
}

/// Returns the bytes of a name or path in JSON. The base64 form takes precedence.
pub(crate) fn bytes(text: Option<&str>, base64: Option<&str>) -> Result<Vec<u8>, ApiError> {
    match (text, base64) {
        (_, Some(base64)) => STANDARD.decode(base64).map_err(|error| {
            let message = format!("the bytes of a name are base64: {error}");
            ApiError::new(ErrorCode::BadRequest, message)
        }),
        (Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, None) => Err(ApiError::new(ErrorCode::BadRequest, "a name is missing")),
    }
}
