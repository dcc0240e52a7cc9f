//! A folder of records: opening and creating it, and the names in it.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use fumikura_base::durable::{self, Access};
use fumikura_base::exposure::{self, Exposure};

use crate::name::{self, MAX_NAME};
use crate::path::{FilePath, InvalidPath};

/// The folder within a hash folder for this program's own files. Its presence marks the hash folder as one
/// that this program created.
pub(crate) const OWN: &str = ".fumikura";

/// A folder of records.
#[derive(Debug, Clone)]
pub struct HashFolder {
    path: PathBuf,
    own_path: FilePath,
    is_own: bool,
    limit: usize,
}

/// The reason why a hash folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder does not exist.
    #[error("the hash folder {} does not exist", .0.display())]
    Missing(PathBuf),
    /// The path is not a folder.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// Another user could write records.
    #[error("the hash folder is not protected: {0}")]
    Exposed(#[from] Exposure),
    /// The folder's own path has no clean form.
    #[error("the hash folder: {0}")]
    Path(#[from] InvalidPath),
    /// The folder belongs to another program.
    #[error("{} contains another program's records; writing there requires confirmation", .0.display())]
    Foreign(PathBuf),
    /// The system failed.
    #[error("the hash folder {} can't be used: {source}", .folder.display())]
    Io {
        folder: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

impl HashFolder {
    /// Opens a folder to read it.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Io {
            folder: folder.to_owned(),
            source,
        };
        let path = match folder.canonicalize() {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenError::Missing(folder.to_owned()));
            }
            Err(error) => return Err(failed(error)),
        };
        if !path.is_dir() {
            return Err(OpenError::NotAFolder(path));
        }
        exposure::check(&path)?;
        let longest = rustix::fs::statvfs(&path).map_err(|error| failed(error.into()))?;
        let limit = usize::try_from(longest.f_namemax)
            .unwrap_or(MAX_NAME)
            .min(MAX_NAME);
        let own_path = FilePath::try_from(&*path)?;
        Ok(Self {
            // A link would lead to files of others.
            is_own: own_path.join(OWN.as_bytes()).is_folder(),
            own_path,
            limit,
            path,
        })
    }

    /// Opens a folder to write records, and creates it if it does not exist. An empty folder becomes this
    /// program's own.
    ///
    /// # Errors
    /// [`OpenError`], such as [`OpenError::Foreign`] if it contains another program's records.
    pub fn create(folder: &Path) -> Result<Self, OpenError> {
        exposure::check(folder)?;
        let failed = |source| OpenError::Io {
            folder: folder.to_owned(),
            source,
        };
        durable::create_folder(folder, Access::Private).map_err(failed)?;
        let mut opened = Self::open(folder)?;
        if !opened.is_own {
            let is_empty = fs::read_dir(&opened.path).map_err(failed)?.next().is_none();
            if !is_empty {
                return Err(OpenError::Foreign(opened.path));
            }
            durable::create_folder(&opened.path.join(OWN), Access::Private).map_err(failed)?;
            opened.is_own = true;
        }
        Ok(opened)
    }

    /// Returns the folder's path, with links resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if this program created it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// Returns the length of the longest encoded name on its file system, at most 250.
    #[must_use]
    pub fn name_limit(&self) -> usize {
        self.limit
    }

    /// Returns true if a path is in this folder, and so must not be recorded.
    #[must_use]
    pub fn holds(&self, path: &FilePath) -> bool {
        path.is_within(&self.own_path)
    }

    /// Returns the name of a new record of the path.
    #[must_use]
    pub fn name_for(&self, path: &FilePath) -> Vec<u8> {
        name::record_name(path, self.limit).0
    }

    /// Returns the path of the file with a record's name.
    #[must_use]
    pub fn file(&self, name: &[u8]) -> PathBuf {
        self.path.join(std::ffi::OsStr::from_bytes(name))
    }

    /// Opens the folder. Its path has no links, and no other user can change one of its folders.
    pub(crate) fn handle(&self) -> io::Result<DirHandle> {
        self.own_path.open_folder()
    }

    /// Opens the folder of this program's own files in it.
    pub(crate) fn own_handle(&self) -> io::Result<DirHandle> {
        self.own_path.join(OWN.as_bytes()).open_folder()
    }

    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.path.join(OWN).join(name)
    }
}
