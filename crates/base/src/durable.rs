//! Files that are whole or absent: written to a temporary file, synced, renamed, and their folder synced.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rustix::fs::OFlags;
use tempfile::NamedTempFile;

use crate::dir_handle::DirHandle;

/// The permissions of a created file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only the owner: files 0600, folders 0700.
    Private,
    /// The permissions given by the process's umask.
    Default,
}

/// Writes `bytes` to `path`, replacing an existing file. After a crash at any moment the file contains either
/// all of the old or all of the new. When this returns, the new contents are durable.
///
/// # Errors
/// Errors of the file system; the old file is then untouched.
pub fn write_file(path: &Path, mut bytes: &[u8], access: Access) -> io::Result<()> {
    write_from(path, &mut bytes, access)
}

/// Writes everything read from `contents`, like [`write_file`].
///
/// # Errors
/// Errors of the file system, and of `contents`; the old file is then untouched.
pub fn write_from(path: &Path, contents: &mut dyn Read, access: Access) -> io::Result<()> {
    write_with(path, access, |file| {
        io::copy(contents, file).map(|_length| ())
    })
}

/// Writes everything that `fill` writes, like [`write_file`].
///
/// # Errors
/// Errors of the file system, and of `fill`; the old file is then untouched.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    access: Access,
    fill: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let mut file = temporary_file(path, access)?;
    let filled = fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path))?;
    Ok(filled)
}

/// Creates a file under a temporary name in the folder of `path`. Its errors don't mention that name, which means
/// nothing to a user.
pub(crate) fn temporary_file(path: &Path, access: Access) -> io::Result<NamedTempFile> {
    let mode = match access {
        Access::Private => 0o600,
        Access::Default => 0o666,
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    builder.make_in(folder_of(path), |path| {
        let mut options = File::options();
        options.read(true).write(true).create_new(true).mode(mode);
        options.open(path)
    })
}

/// A file that is being written, and replaces none: it gets its name by [`NewFile::commit`], and is deleted if
/// it is dropped before.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl NewFile {
    /// Creates the file under a temporary name in the folder of `path`.
    ///
    /// # Errors
    /// Errors of the file system; `AlreadyExists` if `path` exists.
    pub fn create(path: &Path, access: Access) -> io::Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Self {
            path: path.to_owned(),
            file: temporary_file(path, access)?,
        })
    }

    /// Returns the file, for a writer that needs more than [`Write`].
    #[must_use]
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its name. When this returns, it is durable.
    ///
    /// # Errors
    /// Errors of the file system; `AlreadyExists` if `path` exists by now. The file is then deleted.
    pub fn commit(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let persisted = self.file.persist_noclobber(&self.path);
        persisted.map_err(|error| error.error)?;
        sync_folder(folder_of(&self.path))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Creates the folder, with its parents, unless it exists. All that it creates have these permissions from the
/// beginning.
///
/// # Errors
/// Errors of the file system.
pub fn create_folder(path: &Path, access: Access) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|folder| !folder.is_dir())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    if access == Access::Private {
        builder.mode(0o700);
    }
    builder.create(path)?;
    missing
        .into_iter()
        .try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// Folders that are known to survive a loss of power. Each is created through this value before a file is put
/// into it. A folder that exists is not necessarily durable: another process may have just created it, and it
/// is durable only once its parent folder has been synced.
#[derive(Debug)]
pub struct DurableFolders {
    synced: Mutex<BTreeSet<PathBuf>>,
    sync: fn(&Path) -> io::Result<()>,
}

impl Default for DurableFolders {
    fn default() -> Self {
        Self {
            synced: Mutex::default(),
            sync: sync_folder,
        }
    }
}

impl DurableFolders {
    /// Creates the folder unless it exists. When this returns, it is durable within its parent folder.
    /// Folders further out exist, but may not be durable.
    ///
    /// # Errors
    /// Errors of the file system; the next call tries again.
    pub fn create(&self, path: &Path, access: Access) -> io::Result<()> {
        let synced = || self.synced.lock();
        // A folder that was deleted since is created again.
        if synced().contains(path) && path.is_dir() {
            return Ok(());
        }
        create_folder(path, access)?;
        (self.sync)(folder_of(path))?;
        synced().insert(path.to_owned());
        Ok(())
    }
}

impl DurableFolders {
    /// Creates a private folder in an open one unless it exists, and opens it. When this returns, it is durable within
    /// its parent folder. `path` is its whole path.
    ///
    /// # Errors
    /// Errors of the file system, and those of a link in its place; the next call tries again.
    pub fn create_in(&self, parent: &DirHandle, path: &Path) -> io::Result<DirHandle> {
        let name = path.file_name().unwrap_or_default();
        if self.synced.lock().contains(path) {
            match parent.folder(Path::new(name)) {
                // It was deleted since.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return opened,
            }
        }
        let created = parent.create_folder(name, 0o700)?;
        parent.sync()?;
        self.synced.lock().insert(path.to_owned());
        Ok(created)
    }
}

/// Makes the names in a folder durable.
///
/// # Errors
/// Errors of the file system.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    open_folder(path)?.sync_all()
}

/// Opens a folder. A pipe or a device in its place is not opened.
///
/// # Errors
/// Errors of the file system, such as `NotADirectory`.
pub fn open_folder(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    options.custom_flags(OFlags::DIRECTORY.bits().cast_signed());
    options.open(path)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn private_write_replaces_file_leaving_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.json");
        write_file(&path, b"old", Access::Default).unwrap();
        write_file(&path, b"new", Access::Private).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn folder_created_by_another_process_is_synced_once() {
        use std::cell::RefCell;
        thread_local! {
            static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
            static FAILS: RefCell<bool> = const { RefCell::new(false) };
        }
        let folders = DurableFolders {
            synced: Mutex::default(),
            sync: |path| {
                if FAILS.take() {
                    return Err(io::ErrorKind::StorageFull.into());
                }
                SYNCED.with_borrow_mut(|synced| synced.push(path.to_owned()));
                Ok(())
            },
        };
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("01");
        let synced = || SYNCED.take();
        // The other process has created it, and has not synced yet.
        fs::create_dir(&path).unwrap();
        FAILS.set(true);
        assert!(folders.create(&path, Access::Private).is_err());
        folders.create(&path, Access::Private).unwrap();
        assert_eq!(synced(), [outer.path()]);
        folders.create(&path, Access::Private).unwrap();
        assert_eq!(synced(), [] as [PathBuf; 0]);
        fs::remove_dir(&path).unwrap();
        folders.create(&path, Access::Private).unwrap();
        assert!(path.is_dir());
        assert_eq!(synced(), [outer.path()]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("not empty")).unwrap();
        assert!(write_file(&path, b"new", Access::Private).is_err());
        assert!(path.join("not empty").is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn new_file_is_complete_or_absent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let mut file = NewFile::create(&path, Access::Default).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(names(), 0);

        let mut file = NewFile::create(&path, Access::Default).unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(), 1);
    }

    #[test]
    fn error_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/a.zip");
        let error = NewFile::create(&path, Access::Default).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".tmp"), "{error}");
    }

    #[test]
    fn new_file_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let kind = |outcome: io::Result<()>| outcome.unwrap_err().kind();
        let late = NewFile::create(&path, Access::Default).unwrap();
        fs::write(&path, "other").unwrap();
        assert_eq!(kind(late.commit()), io::ErrorKind::AlreadyExists);
        let early = NewFile::create(&path, Access::Default);
        assert_eq!(kind(early.map(drop)), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
