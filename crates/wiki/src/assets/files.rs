//! The asset folder: where the contents of each file lie (wiki.md §15.2).

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use fumikura_base::durable::{self, Access};

use crate::id::AssetId;

/// The asset folder. It and what is in it is made when it is needed.
#[derive(Debug, Clone)]
pub(crate) struct AssetFiles {
    folder: PathBuf,
}

impl AssetFiles {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Unlinks a file whose row is gone. One that stays behind goes at the next start.
    pub(crate) fn unlink(&self, id: AssetId) {
        match fs::remove_file(self.place(id)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%id, "a file without a row can't be unlinked: {error}"),
        }
    }

    /// `{asset}/{XX}/{YYY}/{id}`: the first two characters of the id, and the next three.
    fn place(&self, id: AssetId) -> PathBuf {
        self.folder_of(id).join(id.to_string())
    }

    fn folder_of(&self, id: AssetId) -> PathBuf {
        let id = id.to_string();
        self.folder.join(&id[..2]).join(&id[2..5])
    }
}
