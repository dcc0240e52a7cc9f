//! The asset folder, which stores the contents of each file (docs/spec/wiki.md, Files).

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use fumikura_base::dir_handle::{self, DirHandle};
use fumikura_base::disk;
use fumikura_base::durable::{Access, DurableFolders};
use tempfile::{NamedTempFile, TempPath};

use crate::id::AssetId;
use crate::store::FileStat;
use crate::temp_names::TempNames;

/// Files that are still being written.
const TEMP_NAMES: TempNames = TempNames(".asset-");

/// The asset folder. It and its subfolders are created when they are needed. Below it, no link is followed.
#[derive(Debug, Clone)]
pub(crate) struct AssetFiles {
    folder: PathBuf,
    durable_folders: Arc<DurableFolders>,
}

/// A file in the asset folder whose name is one of ours.
pub(crate) enum StoredFile<'a> {
    /// The complete contents of a file.
    Whole(AssetId, FoundFile<'a>),
    /// The remains of a file that was being written during a crash.
    Unfinished(FoundFile<'a>),
}

/// A file and the handle of its folder.
pub(crate) struct FoundFile<'a> {
    folder: &'a DirHandle,
    name: &'a OsStr,
    path: PathBuf,
}

impl FoundFile<'_> {
    /// Its path, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The time of its last change.
    pub(crate) fn modified(&self) -> io::Result<SystemTime> {
        let stat = self.folder.stat(Path::new(self.name))?;
        Ok(dir_handle::modified(&stat))
    }

    pub(crate) fn unlink(&self) -> io::Result<()> {
        self.folder.remove_file(self.name)
    }
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
        let (folder, relative) = self.place(id);
        DirHandle::open(folder)?.file(&relative)
    }

    /// Creates an unfinished file. It is removed on drop unless it is kept.
    pub(crate) fn begin(&self) -> io::Result<NamedTempFile> {
        self.durable_folders.create(&self.folder, Access::Private)?;
        TEMP_NAMES.builder().tempfile_in(&self.folder)
    }

    /// Moves a complete, synced file to its place, durably.
    pub(crate) fn keep(&self, unfinished: TempPath, id: AssetId) -> io::Result<()> {
        let folders = self.make_folders(id)?;
        let (from, to) = (name_of(&unfinished), file_name(id));
        folders.top.rename(&from, &folders.inner, &to)?;
        self.finish(unfinished, &folders.inner, id)
    }

    /// Does the same, but never replaces another file: if one is there, the unfinished file is returned.
    pub(crate) fn keep_new(
        &self,
        unfinished: TempPath,
        id: AssetId,
    ) -> io::Result<Result<(), TempPath>> {
        let folders = self.make_folders(id)?;
        let (from, to) = (name_of(&unfinished), file_name(id));
        let is_placed = folders
            .top
            .rename_unless_taken(&from, &folders.inner, &to)?;
        if is_placed {
            self.finish(unfinished, &folders.inner, id).map(Ok)
        } else {
            Ok(Err(unfinished))
        }
    }

    /// Makes the new name of a file durable.
    fn finish(&self, unfinished: TempPath, folder: &DirHandle, id: AssetId) -> io::Result<()> {
        // It has been moved, so there is nothing to remove.
        let _moved = unfinished.keep();
        folder.sync().inspect_err(|_| self.unlink(id))
    }

    /// Creates the folders for a file.
    fn make_folders(&self, id: AssetId) -> io::Result<FileFolders> {
        let path = self.path(id);
        let inner = path.parent().expect("BUG: a file's place is in a folder");
        let outer = inner.parent().expect("BUG: and that folder is in another");
        let folders = &self.durable_folders;
        folders.create(&self.folder, Access::Private)?;
        let top = DirHandle::open(&self.folder)?;
        let outer = folders.create_in(&top, outer)?;
        let inner = folders.create_in(&outer, inner)?;
        Ok(FileFolders { top, inner })
    }

    /// Unlinks a file that has no row. A file that can't be unlinked is swept at the next start.
    pub(crate) fn unlink(&self, id: AssetId) {
        let (folder, relative) = self.place(id);
        let folder = relative
            .parent()
            .map(|inner| DirHandle::open(folder)?.folder(inner));
        let unlinked = folder.map(|folder| folder?.remove_file(&file_name(id)));
        match unlinked {
            None | Some(Ok(())) => {}
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Some(Err(error)) => {
                tracing::warn!(%id, "a file without a row can't be unlinked: {error}");
            }
        }
    }

    /// Visits every file in the folder whose name is one of ours. Other files are skipped, and links are
    /// not followed.
    pub(crate) fn walk(&self, mut visit: impl FnMut(StoredFile<'_>)) -> io::Result<()> {
        let Some(top) = existing(DirHandle::open(&self.folder))? else {
            return Ok(());
        };
        for entry in top.entries()? {
            if entry.is_file() && TEMP_NAMES.has(&entry.name) {
                visit(StoredFile::Unfinished(FoundFile {
                    folder: &top,
                    path: self.folder.join(&entry.name),
                    name: &entry.name,
                }));
            }
        }
        for (outer, outer_name) in folders(&top, 2)? {
            for (inner, inner_name) in folders(&outer, 3)? {
                let path = self.folder.join(&outer_name).join(inner_name);
                self.walk_folder(&inner, &path, &mut visit)?;
            }
        }
        Ok(())
    }

    fn walk_folder(
        &self,
        folder: &DirHandle,
        path: &Path,
        visit: &mut impl FnMut(StoredFile<'_>),
    ) -> io::Result<()> {
        for entry in folder.entries()?.iter().filter(|entry| entry.is_file()) {
            let path = path.join(&entry.name);
            let id = entry.name.to_str().and_then(|name| name.parse().ok());
            // The file of an id is in the folders of that id.
            if let Some(id) = id.filter(|id| self.path(*id) == path) {
                let name = &entry.name;
                visit(StoredFile::Whole(id, FoundFile { folder, name, path }));
            }
        }
        Ok(())
    }

    pub(super) fn path(&self, id: AssetId) -> PathBuf {
        let (folder, relative) = self.place(id);
        folder.join(relative)
    }
}

/// Files that are put into an asset folder that nothing uses yet. Their names become durable by the folder, and the last
/// ones by [`BulkFiles::finish`].
pub(crate) struct BulkFiles<'f> {
    files: &'f AssetFiles,
    /// The folder of the last file, whose names are not durable yet.
    last: Option<(PathBuf, FileFolders)>,
}

impl<'f> BulkFiles<'f> {
    pub(crate) fn new(files: &'f AssetFiles) -> Self {
        Self { files, last: None }
    }

    /// Links a file of another asset folder, and returns the status that it had before. Returns `None` if there is no such
    /// file, or the file system has no links.
    pub(crate) fn link(&mut self, from: &AssetFiles, id: AssetId) -> io::Result<Option<FileStat>> {
        let (folder, relative) = from.place(id);
        let inner = DirHandle::open(folder)
            .and_then(|folder| folder.folder(relative.parent().unwrap_or(Path::new(""))));
        let Some(inner) = existing(inner)? else {
            return Ok(None);
        };
        let name = file_name(id);
        let stat = match inner.file(Path::new(&name)) {
            Ok(file) => FileStat::of(&file)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let folders = self.folders(id)?;
        match inner.link(&name, &folders.inner, &name) {
            Ok(()) => Ok(Some(stat)),
            Err(error) => {
                tracing::debug!("a file of an earlier backup can't be linked: {error}");
                Ok(None)
            }
        }
    }

    /// Copies a file of another asset folder. Returns false if it does not exist.
    pub(crate) fn copy(&mut self, from: &AssetFiles, id: AssetId) -> io::Result<bool> {
        let mut source = match from.open(id) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let mut unfinished = self.files.begin()?;
        io::copy(&mut source, unfinished.as_file_mut())?;
        unfinished.as_file().sync_all()?;
        let unfinished = unfinished.into_temp_path();
        let folders = self.folders(id)?;
        let name = name_of(&unfinished);
        folders.top.rename(&name, &folders.inner, &file_name(id))?;
        // It has been moved, so there is nothing to remove.
        let _moved = unfinished.keep();
        Ok(true)
    }

    /// Makes the names of all files durable.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.last {
            Some((_, folders)) => folders.inner.sync(),
            None => Ok(()),
        }
    }

    /// Returns the folders for a file. Files come in the order of their ids, so that each folder is synced once.
    fn folders(&mut self, id: AssetId) -> io::Result<&FileFolders> {
        let mut path = self.files.path(id);
        path.pop();
        match self.last.take() {
            Some((last, folders)) if last == path => Ok(&self.last.insert((last, folders)).1),
            last => {
                if let Some((_, folders)) = last {
                    folders.inner.sync()?;
                }
                let folders = self.files.make_folders(id)?;
                Ok(&self.last.insert((path, folders)).1)
            }
        }
    }
}

/// The asset folder, and the one of a file.
struct FileFolders {
    top: DirHandle,
    inner: DirHandle,
}

fn file_name(id: AssetId) -> OsString {
    id.to_string().into()
}

/// The name of an unfinished file, which is in the asset folder.
fn name_of(unfinished: &Path) -> OsString {
    unfinished.file_name().unwrap_or_default().to_owned()
}

/// Returns `None` for a folder that does not exist.
fn existing(opened: io::Result<DirHandle>) -> io::Result<Option<DirHandle>> {
    match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// The subfolders of a folder whose names have the given number of letters of ids.
fn folders(folder: &DirHandle, letters: usize) -> io::Result<Vec<(DirHandle, OsString)>> {
    let mut found = Vec::new();
    for entry in folder.entries()? {
        if entry.name.len() == letters
            && entry.is_folder()
            && let Some(inner) = existing(folder.folder(Path::new(&entry.name)))?
        {
            found.push((inner, entry.name));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

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

    #[test]
    fn folder_swapped_for_a_link_is_left_alone() {
        let outer = tempfile::tempdir().unwrap();
        let files = AssetFiles::new(outer.path().join("asset"));
        let id = AssetId::from_bytes([1; 16]);
        let unfinished = || files.begin().unwrap().into_temp_path();
        files.keep(unfinished(), id).unwrap();
        let inner = files.path(id).parent().unwrap().to_owned();
        let (elsewhere, away) = (outer.path().join("elsewhere"), outer.path().join("away"));
        fs::create_dir(&elsewhere).unwrap();
        let theirs = elsewhere.join(id.to_string());
        fs::write(&theirs, "theirs").unwrap();
        let swap = || {
            fs::rename(&inner, &away).unwrap();
            symlink(&elsewhere, &inner).unwrap();
        };
        // The folder is swapped when the file was found.
        let mut unlinked = 0;
        files
            .walk(|file| {
                if let StoredFile::Whole(_, file) = file {
                    swap();
                    file.unlink().unwrap();
                    unlinked += 1;
                }
            })
            .unwrap();
        assert_eq!((unlinked, fs::read_dir(&away).unwrap().count()), (1, 0));
        files.unlink(id);
        assert!(files.open(id).is_err() && files.keep(unfinished(), id).is_err());
        assert!(
            files
                .keep_new(unfinished(), AssetId::from_bytes([1; 16]))
                .is_err()
        );
        let mut found = 0;
        files.walk(|_| found += 1).unwrap();
        assert_eq!((found, fs::read(&theirs).unwrap()), (0, b"theirs".to_vec()));
    }
}
