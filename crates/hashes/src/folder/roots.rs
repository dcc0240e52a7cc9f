//! The folders that were recorded as a whole. A verification of everything finds new files in them, and notices
//! if one is absent.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use serde::{Deserialize, Serialize};

use super::HashFolder;
use crate::path::FilePath;

const FILE: &str = "folders.json";

#[derive(Serialize, Deserialize)]
struct StoredRoot {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
}

impl HashFolder {
    /// Returns the folders that were recorded whole. There are none in a foreign hash folder.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if the list is damaged.
    pub fn roots(&self) -> io::Result<Vec<FilePath>> {
        let bytes = match own_file::read(&self.own(FILE), own_file::SETTINGS) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let stored: Vec<StoredRoot> = serde_json::from_slice(&bytes)?;
        stored.into_iter().map(StoredRoot::path).collect()
    }

    /// Remembers folders that were recorded whole. Must be called under the folder's lock.
    ///
    /// # Errors
    /// The same as of [`HashFolder::roots`].
    pub fn add_roots(&self, folders: &[FilePath]) -> io::Result<()> {
        if !self.is_own() {
            return Ok(());
        }
        let mut roots = self.roots()?;
        let previous_len = roots.len();
        for folder in folders {
            if !roots.contains(folder) {
                roots.push(folder.clone());
            }
        }
        if roots.len() == previous_len {
            Ok(())
        } else {
            self.save_roots(&roots)
        }
    }

    /// Forgets a folder. Its records stay.
    ///
    /// # Errors
    /// The same as of [`HashFolder::roots`].
    pub fn remove_root(&self, folder: &FilePath) -> io::Result<()> {
        let mut roots = self.roots()?;
        roots.retain(|root| root != folder);
        self.save_roots(&roots)
    }

    fn save_roots(&self, roots: &[FilePath]) -> io::Result<()> {
        let stored: Vec<_> = roots.iter().map(StoredRoot::new).collect();
        let bytes = serde_json::to_vec_pretty(&stored)?;
        durable::write_file(&self.own(FILE), &bytes, Access::Private)
    }
}

impl StoredRoot {
    fn new(path: &FilePath) -> Self {
        Self {
            path: path.to_text().into_owned(),
            path_b64: path
                .as_str()
                .is_none()
                .then(|| STANDARD.encode(path.as_bytes())),
        }
    }

    fn path(self) -> io::Result<FilePath> {
        let bytes = match self.path_b64 {
            Some(encoded) => STANDARD.decode(encoded).map_err(io::Error::other)?,
            None => self.path.into_bytes(),
        };
        FilePath::new(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}
