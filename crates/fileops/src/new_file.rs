//! New files in a folder: complete and on the disk, or not there at all.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use fumikura_fs::{AccessError, Source, platform};
use fumikura_image::{companion_stem, still_stem};
use fumikura_xmp::{EXTENSIONS, stem};

use super::folder::Folder;
use super::name::MAX_LENGTH;
use super::{FileError, Files, name, system};

/// The prefix of the name of a file that is being written.
const PREFIX: &str = ".fumikura-";
/// The number of names that are tried.
const MAX_NAMES: usize = 10_000;

/// A folder for new files.
pub struct NewFiles<'a> {
    files: &'a Files,
    folder: Dir,
    /// The stems of files that would be joined with a new JPEG of their name.
    companions: HashSet<Vec<u8>>,
}

impl Files {
    /// Opens a folder for new files.
    ///
    /// # Errors
    /// [`FileError`] if the folder can't be read, or its names can't be changed.
    pub fn new_files(&self, folder: &Source) -> Result<NewFiles<'_>, FileError> {
        let failed = |error: io::Error| FileError::io(folder.path().as_bytes(), error);
        let folder = Folder::open(folder)?.dir;
        system::check_changeable(&folder).map_err(failed)?;
        let mut companions = HashSet::new();
        for entry in folder.entries().map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let stem = companion_stem(platform::bytes_of(&name));
            companions.extend(stem.map(|stem| stem.into_owned()));
        }
        Ok(NewFiles {
            files: self,
            folder,
            companions,
        })
    }
}

impl NewFiles<'_> {
    /// Checks that a file may get a name: that it is valid and, unless `numbered`, free.
    ///
    /// # Errors
    /// [`FileError::InvalidName`]; [`FileError::Taken`].
    pub fn check(&self, wanted: &str, numbered: bool) -> Result<(), FileError> {
        name::check(wanted).map_err(|error| FileError::InvalidName {
            name: wanted.to_owned(),
            error,
        })?;
        if !numbered && self.is_taken(wanted.as_bytes())? {
            return Err(FileError::Taken(vec![wanted.as_bytes().to_vec()]));
        }
        Ok(())
    }

    /// Writes a new file, and returns its name. If the name is taken, another one is made of it (`a (2).jpg`) if
    /// `numbered`. When this returns, the file is durable.
    ///
    /// # Errors
    /// [`FileError`]; there is no part of the file then.
    pub fn create(
        &self,
        wanted: &str,
        contents: &[u8],
        numbered: bool,
    ) -> Result<Vec<u8>, FileError> {
        self.check(wanted, numbered)?;
        let wanted = wanted.as_bytes();
        let failed = |error: io::Error| FileError::io(wanted, error);
        let mut file = NewFile::begin(&self.folder).map_err(failed)?;
        file.write_all(contents).map_err(failed)?;
        self.place(file, wanted, numbered)
    }

    /// Begins a new file that is written piece by piece.
    ///
    /// # Errors
    /// [`FileError`] if none can be created.
    pub fn begin(&self) -> Result<NewFile<'_>, FileError> {
        NewFile::begin(&self.folder).map_err(|error| FileError::io(PREFIX.as_bytes(), error))
    }

    /// Gives a file its name, as [`Self::create`] does.
    ///
    /// # Errors
    /// [`FileError`]; there is no part of the file then.
    pub fn finish(
        &self,
        file: NewFile<'_>,
        wanted: &str,
        numbered: bool,
    ) -> Result<Vec<u8>, FileError> {
        self.check(wanted, numbered)?;
        self.place(file, wanted.as_bytes(), numbered)
    }

    fn place(
        &self,
        file: NewFile<'_>,
        wanted: &[u8],
        numbered: bool,
    ) -> Result<Vec<u8>, FileError> {
        let failed = |error: io::Error| FileError::io(wanted, error);
        file.file.sync_all().map_err(failed)?;
        let others = name::alternatives(wanted).take(if numbered { MAX_NAMES } else { 0 });
        let _names = self.files.lock_names();
        for name in std::iter::once(wanted.to_vec()).chain(others) {
            if !self.is_taken(&name)? && file.take(&name).map_err(failed)? {
                return Ok(name);
            }
        }
        Err(FileError::Taken(vec![wanted.to_vec()]))
    }

    /// True if there is an entry of this name, or one that would describe the new file or be joined with it: a sidecar,
    /// or a raw file.
    fn is_taken(&self, name: &[u8]) -> Result<bool, FileError> {
        if still_stem(name).is_some_and(|stem| self.companions.contains(&*stem)) {
            return Ok(true);
        }
        let bases = [Some(name), stem(name)].into_iter().flatten();
        let sidecars = bases.flat_map(|base| {
            let extensions = EXTENSIONS.iter();
            extensions.map(move |extension| [base, b".", extension.as_bytes()].concat())
        });
        for name in std::iter::once(name.to_vec()).chain(sidecars) {
            if name.len() > MAX_LENGTH {
                continue;
            }
            let found = platform::stat_with_identity(&self.folder, &name);
            let found =
                found.map_err(|error| FileError::access(&name, AccessError::from(error)))?;
            if found.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A file under a temporary name. It is deleted on drop unless it has got a name.
pub struct NewFile<'a> {
    folder: &'a Dir,
    file: File,
    /// A handle for the sync of the folder, opened before the first change.
    to_sync: File,
    temporary: PathBuf,
    is_placed: Cell<bool>,
}

impl<'a> NewFile<'a> {
    fn begin(folder: &'a Dir) -> io::Result<Self> {
        let to_sync = platform::folder_to_sync(folder)?;
        let temporary = PathBuf::from(platform::temporary_name(PREFIX));
        let file = folder.open_with(&temporary, &platform::new_file_options())?;
        Ok(Self {
            folder,
            file: file.into_std(),
            to_sync,
            temporary,
            is_placed: Cell::new(false),
        })
    }

    /// Takes a free name. Returns false if it is taken.
    fn take(&self, name: &[u8]) -> io::Result<bool> {
        let to: &Path = platform::path_of(name);
        let is_placed = platform::rename_unless_taken(self.folder, &self.temporary, to)?;
        self.is_placed.set(is_placed);
        if is_placed {
            platform::sync_folder(&self.to_sync)?;
        }
        Ok(is_placed)
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if self.is_placed.get() {
            return;
        }
        if let Err(error) = self.folder.remove_file(&self.temporary) {
            tracing::warn!(name = %self.temporary.display(), %error, "an unfinished file can't be deleted");
        }
    }
}
