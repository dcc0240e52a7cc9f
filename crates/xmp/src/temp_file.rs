//! A temporary file, which replaces another file when it is complete and on the disk; durable deletion.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use cap_std::fs::{Dir, Metadata};

use fumikura_fs::{Stat, platform};

/// The prefix of the name of a file that is being written.
const PREFIX: &str = ".fumikura-";

/// A temporary file in a folder. It is deleted on drop.
pub(super) struct TempFile<'a> {
    folder: &'a Dir,
    /// A handle for the sync of the folder, opened before the first change.
    to_sync: File,
    name: OsString,
    file: File,
    is_placed: bool,
}

impl<'a> TempFile<'a> {
    /// Writes a file with these bytes, which is on the disk when this returns. `mode` is as in `chmod`; the default
    /// mode is used without it.
    pub(super) fn write(folder: &'a Dir, bytes: &[u8], mode: Option<u32>) -> io::Result<Self> {
        let to_sync = platform::folder_to_sync(folder)?;
        let (file, name) = create(folder)?;
        let mut temp_file = Self {
            folder,
            to_sync,
            name,
            file,
            is_placed: false,
        };
        temp_file.file.write_all(bytes)?;
        if let Some(mode) = mode {
            platform::set_mode(&temp_file.file, mode)?;
        }
        temp_file.file.sync_all()?;
        Ok(temp_file)
    }

    /// Replaces the file of this name. Returns the state of the new file.
    pub(super) fn replace(mut self, name: &[u8]) -> io::Result<Stat> {
        let to = platform::path_of(name);
        self.folder.rename(&self.name, self.folder, to)?;
        self.is_placed = true;
        self.sync_and_stat()
    }

    /// Takes a free name. Returns the state of the file; `None` if the name was taken.
    pub(super) fn take(mut self, name: &[u8]) -> io::Result<Option<Stat>> {
        let (from, to) = (Path::new(&self.name), platform::path_of(name));
        self.is_placed = platform::rename_unless_taken(self.folder, from, to)?;
        self.is_placed.then(|| self.sync_and_stat()).transpose()
    }

    /// Makes the name durable. Returns the state afterwards, since a rename changes the status of the file.
    fn sync_and_stat(&self) -> io::Result<Stat> {
        platform::sync_folder(&self.to_sync)?;
        Ok(Stat::from(&Metadata::from_file(&self.file)?))
    }
}

impl Drop for TempFile<'_> {
    fn drop(&mut self) {
        if self.is_placed {
            return;
        }
        if let Err(error) = self.folder.remove_file(&self.name) {
            tracing::warn!(name = %self.name.display(), %error, "an unfinished sidecar can't be deleted");
        }
    }
}

/// Deletes a file. Its name is gone from the disk when this returns.
pub(super) fn delete(folder: &Dir, name: &[u8]) -> io::Result<()> {
    let to_sync = platform::folder_to_sync(folder)?;
    folder.remove_file(platform::path_of(name))?;
    platform::sync_folder(&to_sync)
}

/// Creates a file with a hidden name that does not look like a sidecar's, and that no other program can foresee.
fn create(folder: &Dir) -> io::Result<(File, OsString)> {
    let name = platform::temporary_name(PREFIX);
    let file = folder.open_with(&name, &platform::new_file_options())?;
    Ok((file.into_std(), name))
}
