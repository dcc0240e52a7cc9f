//! Files to record or verify, named by a request: beneath a root.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_fs::{AccessError, RootId};
use fumikura_hashes::FilePath;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::names::bytes;
use crate::services::Hashes;

/// A file or folder beneath a root; the root itself without a path.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct RecordedPlace {
    /// The root's id.
    #[schema(value_type = Option<String>)]
    pub root: Option<RootId>,
    /// The path, relative to the root.
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    pub path_bytes: Option<String>,
}

impl RecordedPlace {
    /// Creates a place from the bytes of its path.
    pub(crate) fn in_root(root: RootId, path: Option<&[u8]>) -> Self {
        Self {
            root: Some(root),
            path: None,
            path_bytes: path.map(|path| STANDARD.encode(path)),
        }
    }

    /// Returns the place's absolute path with symbolic links resolved; `None` if no place is named. A missing
    /// file has the path that it had. A link that leads out of the root is refused, and the path has no links: what
    /// replaces one of its folders later is not followed.
    pub(super) fn resolve(&self, hashes: &Hashes) -> Result<Option<FilePath>, ApiError> {
        let Some(root) = self.root else {
            if self.path.is_some() || self.path_bytes.is_some() {
                let message = "a path is relative to a root, which is missing";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
            return Ok(None);
        };
        let relative = match (&self.path, &self.path_bytes) {
            (None, None) => Vec::new(),
            (path, path_bytes) => bytes(path.as_deref(), path_bytes.as_deref())?,
        };
        let source = hashes.pictures.roots().source(root, &relative)?;
        match source.stat() {
            Ok(_) | Err(AccessError::NotFound | AccessError::FolderUnavailable { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let path = resolved(Path::new(OsStr::from_bytes(&source.absolute())))?;
        // A link may have been changed since the check above.
        if !path.starts_with(resolved(source.root_ref().path())?) {
            return Err(AccessError::OutsideRoots.into());
        }
        Ok(Some(FilePath::try_from(&*path)?))
    }

    pub(super) fn resolve_named(&self, hashes: &Hashes) -> Result<FilePath, ApiError> {
        self.resolve(hashes)?.ok_or_else(|| {
            ApiError::new(ErrorCode::BadRequest, "root is missing: the id of a root")
        })
    }
}

/// Resolves the symbolic links of a path, as far as it exists.
fn resolved(path: &Path) -> Result<std::path::PathBuf, ApiError> {
    match path.canonicalize() {
        Ok(resolved) => Ok(resolved),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match (path.parent(), path.file_name()) {
                (Some(parent), Some(name)) => Ok(resolved(parent)?.join(name)),
                _ => Ok(path.to_owned()),
            }
        }
        Err(error) => Err(super::state::unusable(error)),
    }
}
