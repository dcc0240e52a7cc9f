//! Hash folders as operations name them, and the callers who may hold grants for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_hashes::{HashFolder, Index};

use crate::app::App;
use crate::auth::Client;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Caller;

/// The value of `dir` for the program's own hash folder.
pub(crate) const OWN: &str = "own";
/// The value of `dir` for the wiki's files.
pub(super) const WIKI: &str = "wiki";
/// The caller of an operation, who may hold grants.
#[derive(Debug, Clone)]
pub(crate) struct GrantHolder(Holder);

#[derive(Debug, Clone)]
enum Holder {
    Window(Client),
    Request(Caller),
}

impl From<Client> for GrantHolder {
    fn from(window: Client) -> Self {
        Self(Holder::Window(window))
    }
}

impl From<Caller> for GrantHolder {
    fn from(caller: Caller) -> Self {
        Self(Holder::Request(caller))
    }
}

impl App {
    /// Returns the hash folder that `dir` names, for reading: the program's own, or one granted by a dialog.
    pub(super) fn hash_folder(
        &self,
        dir: Option<&str>,
        holder: &GrantHolder,
    ) -> Result<HashFolder, ApiError> {
        match dir {
            None | Some(OWN) => self.own_hash_folder(),
            Some(WIKI) => {
                let message = "the files of the wiki have no records; they can only be listed";
                Err(ApiError::new(ErrorCode::BadRequest, message))
            }
            Some(id) => Ok(HashFolder::open(&self.granted_hash_folder(id, holder)?)?),
        }
    }

    /// Returns the records of the program's own hash folder.
    pub(crate) fn own_hash_index(&self) -> Result<Arc<Index>, ApiError> {
        self.hashes.index(&self.own_hash_folder()?)
    }

    pub(crate) fn own_hash_folder(&self) -> Result<HashFolder, ApiError> {
        Ok(HashFolder::create(&self.hashes.own)?)
    }

    /// Returns the folder of a grant. The first use consumes the grant; its id names the folder from then on.
    fn granted_hash_folder(&self, id: &str, holder: &GrantHolder) -> Result<PathBuf, ApiError> {
        if let Some(path) = self.hashes.opened(id) {
            return Ok(path);
        }
        let path = self.take_grant(id, holder).ok_or_else(|| {
            let message = "this hash folder is not open; choose it again";
            ApiError::new(ErrorCode::GrantInvalid, message)
        })?;
        self.hashes.open(id.to_owned(), path.clone());
        Ok(path)
    }

    pub(super) fn take_grant(&self, id: &str, holder: &GrantHolder) -> Option<PathBuf> {
        match &holder.0 {
            Holder::Window(client) => self.grants.take_by(id, client),
            Holder::Request(Caller::Session(session)) => self.grants.take(id, *session),
            Holder::Request(Caller::Bearer | Caller::Anyone) => None,
        }
    }
}

/// Returns the id of a folder: `own`, or the id of the request.
pub(super) fn id_of(dir: Option<&str>) -> String {
    dir.unwrap_or(OWN).to_owned()
}

pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
