//! The folder of a mirror. A mark in it distinguishes it from an empty mount point, and from folders of others.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use serde::{Deserialize, Serialize};

use super::error::MirrorError;
use crate::store::{MirrorRecords, StorageError, remove_if_present};

/// The folder inside the mirror that has the mark, and files that are being replaced.
pub(super) const WORK: &str = ".fumikura-mirror";
/// The mark.
const MARK: &str = "mirror.json";
/// Keeps git from tracking the folder of the mark.
const IGNORE: &str = ".gitignore";
/// The record of the place in the data folder.
const RECORD: &str = "mirror.json";
const VERSION: u64 = 1;

/// The place of the mirror, as the data folder records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MirrorPlace {
    version: u64,
    /// The folder, an absolute path without links.
    pub folder: PathBuf,
    /// The id in its mark.
    id: String,
    /// False while the mirror is switched off.
    pub is_on: bool,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    version: u64,
    id: String,
}

impl MirrorPlace {
    /// Reads the record in the data folder.
    ///
    /// # Errors
    /// [`MirrorError::Storage`].
    pub fn read(data: &Path) -> Result<Option<Self>, MirrorError> {
        match own_file::read(&data.join(RECORD), own_file::SETTINGS) {
            Ok(json) => {
                let place = serde_json::from_slice(&json).map_err(io::Error::from);
                Ok(Some(place.map_err(StorageError::from)?))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StorageError::from(error).into()),
        }
    }

    /// Makes an existing folder the place of the mirror, and switches the mirror on. `folder` is a path without links.
    /// A folder with the mark of a mirror may have files, any other one only hidden ones, such as those of git. `id`
    /// marks it unless it has a mark.
    ///
    /// # Errors
    /// [`MirrorError`].
    pub fn choose(data: &Path, folder: &Path, id: &str) -> Result<Self, MirrorError> {
        let failed = |source| MirrorError::at(folder, source);
        if folder.to_str().is_none() {
            let message = "the name of the folder is not text";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, message)));
        }
        let root = DirHandle::open_resolved(folder).map_err(failed)?;
        let id = match mark_in(&root).map_err(failed)? {
            Some(marked) => marked,
            None => {
                let entries = root.entries().map_err(failed)?;
                let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
                if entries.iter().any(|entry| !is_hidden(&entry.name)) {
                    return Err(MirrorError::NotEmpty(folder.to_owned()));
                }
                mark(&root, id).map_err(failed)?;
                id.to_owned()
            }
        };
        let earlier = Self::read(data).unwrap_or_else(|error| {
            tracing::warn!("the place of the mirror is chosen anew: {error}");
            None
        });
        let is_same = |earlier: &Self| earlier.folder == folder && earlier.id == id;
        if !earlier.as_ref().is_some_and(is_same) {
            MirrorRecords::remove(data)?;
        }
        let place = Self {
            version: VERSION,
            folder: folder.to_owned(),
            id,
            is_on: true,
        };
        place.write(data)?;
        Ok(place)
    }

    /// Switches the mirror on or off. Its files stay.
    ///
    /// # Errors
    /// [`MirrorError::NotSet`], [`MirrorError::Storage`].
    pub fn switch(data: &Path, is_on: bool) -> Result<Self, MirrorError> {
        let place = Self::read(data)?.ok_or(MirrorError::NotSet)?;
        let place = Self { is_on, ..place };
        place.write(data)?;
        Ok(place)
    }

    /// Ends the mirror. Its files stay.
    ///
    /// # Errors
    /// [`MirrorError::Storage`].
    pub fn forget(data: &Path) -> Result<(), MirrorError> {
        remove_if_present(&data.join(RECORD)).map_err(StorageError::from)?;
        Ok(MirrorRecords::remove(data)?)
    }

    fn write(&self, data: &Path) -> Result<(), MirrorError> {
        let json = serde_json::to_vec(self).map_err(io::Error::from);
        let json = json.map_err(StorageError::from)?;
        let written = durable::write_file(&data.join(RECORD), &json, Access::Private);
        Ok(written.map_err(StorageError::from)?)
    }

    /// Opens the folder, if it has the mark.
    pub(super) fn open(&self) -> Result<DirHandle, MirrorError> {
        let missing = || MirrorError::NotConnected(self.folder.clone());
        let root = match DirHandle::open_resolved(&self.folder) {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(MirrorError::at(&self.folder, error));
            }
            Err(_elsewhere) => return Err(missing()),
        };
        let marked = mark_in(&root).map_err(|error| MirrorError::at(&self.folder, error))?;
        match marked {
            Some(id) if id == self.id => Ok(root),
            Some(_) | None => Err(missing()),
        }
    }
}

/// Returns the id of the mark in a folder.
fn mark_in(root: &DirHandle) -> io::Result<Option<String>> {
    let file = match root.file(&Path::new(WORK).join(MARK)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut json = Vec::new();
    file.take(own_file::VALUE).read_to_end(&mut json)?;
    let mark: Mark = serde_json::from_slice(&json)?;
    Ok(Some(mark.id))
}

/// Marks a folder, durably.
fn mark(root: &DirHandle, id: &str) -> io::Result<()> {
    let work = root.create_folder(WORK.as_ref(), 0o700)?;
    let mark = Mark {
        version: VERSION,
        id: id.to_owned(),
    };
    let json = serde_json::to_vec(&mark)?;
    for (name, contents) in [(IGNORE, b"*\n".as_slice()), (MARK, &json)] {
        let mut file = work.temporary_file("mark-", 0o600)?;
        io::Write::write_all(&mut file, contents)?;
        file.file().sync_all()?;
        file.close().replace(&work, name.as_ref())?;
    }
    work.sync()?;
    root.sync()
}
