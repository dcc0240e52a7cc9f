//! Access to files by their paths. No link is followed: the path of a recorded file has none, and one that appears
//! later leads elsewhere. Folders that a person chose are resolved before.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fumikura_base::dir_handle::DirHandle;
use rustix::fs::{FileType, Stat};

use crate::contents::ReadError;
use crate::path::FilePath;

/// Returns true if an error means that nothing exists at a path.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Returns the kind of an entry, which is not followed if it is a link.
pub(crate) fn kind_of(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

impl FilePath {
    /// Returns the status of the entry at this path, which is not followed if it is a link.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        DirHandle::top()?.stat(self.below_top())
    }

    /// Opens the folder at this path.
    pub(crate) fn open_folder(&self) -> io::Result<DirHandle> {
        DirHandle::top()?.folder(self.below_top())
    }

    /// Opens the regular file at this path.
    pub(crate) fn open_file(&self) -> Result<File, ReadError> {
        let top = DirHandle::top()?;
        Ok(top.file(self.below_top())?)
    }

    /// Returns true if a folder is at this path.
    pub(crate) fn is_folder(&self) -> bool {
        self.stat()
            .is_ok_and(|stat| kind_of(&stat) == FileType::Directory)
    }

    fn below_top(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.as_bytes()[1..]))
    }
}
