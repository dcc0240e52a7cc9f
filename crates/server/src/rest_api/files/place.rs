//! Locations of files and folders, as requests name them.

use fumikura_fileops::PictureFiles;
use fumikura_fs::{RootId, Source};
use fumikura_pictures::Pictures;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::names::bytes;

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
    pub(in crate::rest_api) fn source(&self, pictures: &Pictures) -> Result<Source, ApiError> {
        let path = bytes(self.path.as_deref(), self.path_bytes.as_deref())?;
        Ok(pictures.roots().source(self.root, &path)?)
    }
}

/// Returns the treatment of the other files of pictures for the field `joined` of a request.
pub(in crate::rest_api) fn picture_files(joined: bool) -> PictureFiles {
    match joined {
        true => PictureFiles::Together,
        false => PictureFiles::Apart,
    }
}

pub(in crate::rest_api) fn sources(
    pictures: &Pictures,
    items: &[FilePlace],
) -> Result<Vec<Source>, ApiError> {
    if items.is_empty() {
        return Err(ApiError::new(ErrorCode::BadRequest, "no file is named"));
    }
    items.iter().map(|item| item.source(pictures)).collect()
}
