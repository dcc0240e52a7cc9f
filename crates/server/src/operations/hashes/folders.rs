//! Hash folders as operations name them, and the callers who may hold grants for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_hashes::{HashFolder, Index};

use crate::error::{ApiError, ErrorCode};
use crate::guard::Caller;
use crate::services::Hashes;

/// The value of `dir` for the program's own hash folder.
pub(crate) const OWN: &str = "own";
/// The value of `dir` for the wiki's files.
pub(super) const WIKI: &str = "wiki";

impl Hashes {
    /// Returns the hash folder that `dir` names, for reading: the program's own, or one granted by a dialog.
    pub(super) fn hash_folder(
        &self,
        dir: Option<&str>,
        caller: Caller,
    ) -> Result<HashFolder, ApiError> {
        match dir {
            None | Some(OWN) => self.own_hash_folder(),
            Some(WIKI) => {
                let message = "the files of the wiki have no records; they can only be listed";
                Err(ApiError::new(ErrorCode::BadRequest, message))
            }
            Some(id) => Ok(HashFolder::open(&self.granted_hash_folder(id, caller)?)?),
        }
    }

    /// Returns the records of the program's own hash folder.
    pub(crate) fn own_hash_index(&self) -> Result<Arc<Index>, ApiError> {
        self.folders.index(&self.own_hash_folder()?)
    }

    pub(crate) fn own_hash_folder(&self) -> Result<HashFolder, ApiError> {
        Ok(HashFolder::create(&self.folders.own)?)
    }

    /// Returns the folder of a grant. The first use consumes the grant; its id names the folder from then on.
    fn granted_hash_folder(&self, id: &str, caller: Caller) -> Result<PathBuf, ApiError> {
        if let Some(path) = self.folders.opened(id) {
            return Ok(path);
        }
        let path = self.grants.take_by(id, caller).map_err(|_| {
            let message = "this hash folder is not open; choose it again";
            ApiError::new(ErrorCode::GrantInvalid, message)
        })?;
        self.folders.open(id.to_owned(), path.clone());
        Ok(path)
    }
}

/// Returns the id of a folder: `own`, or the id of the request.
pub(super) fn id_of(dir: Option<&str>) -> String {
    dir.unwrap_or(OWN).to_owned()
}

pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
