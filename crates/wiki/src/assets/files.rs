//! The asset folder, which stores the contents of each file (docs/spec/wiki.md, Files).

use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::disk;
use fumikura_base::durable::{self, Access, DurableFolders};
use tempfile::{NamedTempFile, PathPersistError, TempPath};

use crate::id::AssetId;
use crate::temp_names::TempNames;

/// Files that are still being written.
const TEMP_NAMES: TempNames = TempNames(".asset-");

/// The asset folder. It and its subfolders are created when they are needed.
#[derive(Debug, Clone)]
pub(crate) struct AssetFiles {
    folder: PathBuf,
    durable_folders: Arc<DurableFolders>,
}

/// A file in the asset folder whose name is one of ours.
pub(crate) enum StoredFile {
    /// The complete contents of a file.
    Whole(AssetId, PathBuf),
    /// The remains of a file that was being written during a crash.
    Unfinished(PathBuf),
}

impl AssetFiles {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            durable_folders: Arc::default(),
        }
    }

    /// The number of free bytes.
    pub(crate) fn free_space(&self) -> io::Result<u64> {
        disk::free_space(&self.folder)
    }

    /// The folder itself, and the file's path relative to it.
    pub(crate) fn place(&self, id: AssetId) -> (&Path, PathBuf) {
        let id = id.to_string();
        let relative = Path::new(&id[..2]).join(&id[2..5]).join(&id);
        (&self.folder, relative)
    }

    /// Opens a file's contents.
    pub(crate) fn open(&self, id: AssetId) -> io::Result<File> {
        File::open(self.path(id))
    }

    /// Creates an unfinished file. It is removed on drop unless it is kept.
    pub(crate) fn begin(&self) -> io::Result<NamedTempFile> {
        self.durable_folders.create(&self.folder, Access::Private)?;
        TEMP_NAMES.builder().tempfile_in(&self.folder)
    }

    /// Moves a complete, synced file to its place, durably.
    pub(crate) fn keep(&self, unfinished: TempPath, id: AssetId) -> io::Result<()> {
        let inner = self.make_folder(id)?;
        unfinished
            .persist(self.path(id))
            .map_err(|error| error.error)?;
        durable::sync_folder(&inner).inspect_err(|_| self.unlink(id))
    }

    /// Does the same, but never replaces another file: if one is there, the unfinished file is returned.
    pub(crate) fn keep_new(
        &self,
        unfinished: TempPath,
        id: AssetId,
    ) -> io::Result<Result<(), TempPath>> {
        let inner = self.make_folder(id)?;
        match unfinished.persist_noclobber(self.path(id)) {
            Ok(()) => {
                durable::sync_folder(&inner).inspect_err(|_| self.unlink(id))?;
                Ok(Ok(()))
            }
            Err(PathPersistError { error, path }) if error.kind() == ErrorKind::AlreadyExists => {
                Ok(Err(path))
            }
            Err(PathPersistError { error, path: _ }) => Err(error),
        }
    }

    /// Creates the folder for a file.
    fn make_folder(&self, id: AssetId) -> io::Result<PathBuf> {
        let path = self.path(id);
        let inner = path.parent().expect("BUG: a file's place is in a folder");
        let outer = inner.parent().expect("BUG: and that folder is in another");
        for folder in [&*self.folder, outer, inner] {
            self.durable_folders.create(folder, Access::Private)?;
        }
        Ok(inner.to_owned())
    }

    /// Unlinks a file that has no row. A file that can't be unlinked is swept at the next start.
    pub(crate) fn unlink(&self, id: AssetId) {
        match fs::remove_file(self.path(id)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%id, "a file without a row can't be unlinked: {error}"),
        }
    }

    /// Visits every file in the folder whose name is one of ours. Other files are skipped, and links are
    /// not followed.
    pub(crate) fn walk(&self, mut visit: impl FnMut(StoredFile)) -> io::Result<()> {
        for entry in entries(&self.folder)? {
            if entry.file_type()?.is_file() && TEMP_NAMES.has(&entry.file_name()) {
                visit(StoredFile::Unfinished(entry.path()));
            }
        }
        for outer in folders(&self.folder, 2)? {
            for inner in folders(&outer, 3)? {
                for entry in entries(&inner)? {
                    let path = entry.path();
                    let id = entry
                        .file_name()
                        .to_str()
                        .and_then(|name| name.parse().ok());
                    // The file of an id is in the folders of that id.
                    let id = id.filter(|id| self.path(*id) == path);
                    match id {
                        Some(id) if entry.file_type()?.is_file() => {
                            visit(StoredFile::Whole(id, path))
                        }
                        Some(_) | None => {}
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn path(&self, id: AssetId) -> PathBuf {
        let (folder, relative) = self.place(id);
        folder.join(relative)
    }
}

/// The entries of a folder; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The subfolders of a folder whose names have the given number of letters of ids.
fn folders(folder: &Path, letters: usize) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in entries(folder)? {
        if entry.file_name().len() == letters && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_file_is_recognized_and_removed_on_drop() {
        let outer = tempfile::tempdir().unwrap();
        let files = AssetFiles::new(outer.path().join("asset"));
        let unfinished = files.begin().unwrap();
        let mut is_unfinished = Vec::new();
        files
            .walk(|file| is_unfinished.push(matches!(file, StoredFile::Unfinished(_))))
            .unwrap();
        assert_eq!(is_unfinished, [true]);
        drop(unfinished);
        files.walk(|_| panic!("something is left")).unwrap();
    }

    #[test]
    fn existing_file_is_never_replaced() {
        let outer = tempfile::tempdir().unwrap();
        let files = AssetFiles::new(outer.path().join("asset"));
        let id = AssetId::from_bytes([1; 16]);
        let written = |text: &str| {
            let unfinished = files.begin().unwrap();
            fs::write(unfinished.path(), text).unwrap();
            unfinished.into_temp_path()
        };
        assert!(files.keep_new(written("first"), id).unwrap().is_ok());
        let rest = files.keep_new(written("second"), id).unwrap();
        assert_eq!(fs::read_to_string(rest.unwrap_err()).unwrap(), "second");
        assert_eq!(fs::read_to_string(files.path(id)).unwrap(), "first");
    }
}
