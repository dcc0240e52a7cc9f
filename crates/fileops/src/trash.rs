//! The desktop's trash, after freedesktop.org's Trash specification 1.0: each file system has its own, or uses that
//! of the home folder. Entries are only renamed into the trash, never copied and deleted.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use fumikura_fs::{AccessError, RelPath, Root, Source, clean_absolute, path::extension, platform};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::error::FileError;
use super::folder::{ChangedFolders, EntryRef, Folder};
use super::system;

/// The maximum length of an extension, in bytes. A longer suffix is not an extension.
const MAX_EXTENSION_LENGTH: usize = 16;

/// Returns the home folder's trash, from the environment (XDG Base Directory specification).
#[must_use]
pub fn home() -> Option<PathBuf> {
    // Relative paths are to be ignored.
    let set = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("Trash"))
}

/// The trash, which receives deleted files.
pub(super) struct Trash {
    home: Option<PathBuf>,
}

/// The subfolders of a trash folder.
struct TrashFolders {
    files: Folder,
    info: Folder,
}

/// Open trash folders by path, each opened once.
#[derive(Default)]
pub(super) struct OpenTrashes(HashMap<Vec<u8>, Rc<TrashFolders>>);

impl OpenTrashes {
    fn open(&mut self, trash_path: &[u8]) -> Result<Rc<TrashFolders>, FileError> {
        if let Some(cached) = self.0.get(trash_path) {
            return Ok(Rc::clone(cached));
        }
        let folder = |name| {
            let path = clean_absolute(&[trash_path, b"/", name].concat());
            let path = path.map_err(|_| FileError::io(name, io::ErrorKind::InvalidFilename))?;
            // It belongs to no root of the user.
            let root = Arc::new(Root::own(path));
            Folder::open(&Source::new(root, RelPath::default()))
        };
        let folders = Rc::new(TrashFolders {
            files: folder(b"files")?,
            info: folder(b"info")?,
        });
        self.0.insert(trash_path.to_vec(), Rc::clone(&folders));
        Ok(folders)
    }
}

/// The trash that serves a folder.
pub(super) struct FolderTrash {
    folders: Rc<TrashFolders>,
    /// The path of the trash folder.
    path: Vec<u8>,
    /// The folder's path as recorded: relative to the top of the file system, or absolute in the home folder's trash.
    path_prefix: Vec<u8>,
}

impl Trash {
    pub(super) fn new(home: Option<PathBuf>) -> Self {
        Self { home }
    }

    /// Returns the trash on the file system of a folder.
    pub(super) fn of(
        &self,
        folder: &Folder,
        opened: &mut OpenTrashes,
    ) -> Result<FolderTrash, FileError> {
        let no_trash = |reason| FileError::NoTrash {
            name: folder.path.as_bytes().to_vec(),
            reason,
        };
        let found = self.find(folder);
        let (path, path_prefix) = found.map_err(|error| no_trash(error.to_string()))?;
        let folders = opened.open(&path);
        Ok(FolderTrash {
            folders: folders.map_err(|error| no_trash(error.to_string()))?,
            path,
            path_prefix,
        })
    }

    /// Returns the trash folder, and the prefix of the recorded paths.
    fn find(&self, folder: &Folder) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let absolute = folder.source().absolute();
        let real = platform::path_of(&absolute).canonicalize()?;
        let device = device_of(&real)?;
        if let Some(home) = &self.home {
            // An unusable home trash does not affect other disks.
            let found = ensure_folder(home).and_then(|()| device_of(home));
            match found {
                Ok(found) if found == device => {
                    let path_prefix = platform::bytes_of(real.as_os_str()).to_vec();
                    return Ok((ensure_trash(home)?, path_prefix));
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the home folder's trash can't be used"),
            }
        }
        let mut top = real.as_path();
        while let Some(above) = top.parent()
            && device_of(above)? == device
        {
            top = above;
        }
        let path_prefix = real.strip_prefix(top).unwrap_or(&real);
        let path_prefix = platform::bytes_of(path_prefix.as_os_str()).to_vec();
        let user = rustix::process::getuid().as_raw();
        let shared = top.join(".Trash");
        let mut own = top.join(format!(".Trash-{user}"));
        if is_shared_trash(&shared) && ensure_folder(&shared.join(user.to_string())).is_ok() {
            own = shared.join(user.to_string());
        }
        ensure_folder(&own)?;
        let found = fs::symlink_metadata(&own)?;
        if !found.is_dir() || found.uid() != user || found.dev() != device {
            return Err(io::Error::other(
                "this disk's Trash belongs to another user",
            ));
        }
        Ok((ensure_trash(&own)?, path_prefix))
    }
}

/// Returns true for an administrator's trash, in which each user has a folder: no symbolic link, and with the sticky
/// bit.
fn is_shared_trash(path: &Path) -> bool {
    const STICKY: u32 = 0o1000;
    fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_dir() && found.permissions().mode() & STICKY != 0)
}

fn device_of(path: &Path) -> io::Result<u64> {
    Ok(fs::metadata(path)?.dev())
}

fn ensure_folder(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(_) => Ok(()),
        Err(_) => DirBuilder::new().recursive(true).mode(0o700).create(folder),
    }
}

/// Creates the trash folder with its subfolders, and returns its path.
fn ensure_trash(trash_path: &Path) -> io::Result<Vec<u8>> {
    ensure_folder(&trash_path.join("files"))?;
    ensure_folder(&trash_path.join("info"))?;
    Ok(platform::bytes_of(trash_path.as_os_str()).to_vec())
}

/// Returns the name of an entry in the trash. It is derived from the id `by`, so that no other entry has it.
pub(super) fn name_for(by: &str, number: usize, name: &[u8]) -> Vec<u8> {
    let extension = extension(name);
    let mut trash_name = format!("{by}-{number}").into_bytes();
    if !extension.is_empty() && extension.len() <= MAX_EXTENSION_LENGTH {
        trash_name.push(b'.');
        trash_name.extend_from_slice(extension);
    }
    trash_name
}

impl FolderTrash {
    /// The path of the trash folder.
    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Moves a file or folder into the trash under a name of its own. Its note is on the disk before.
    pub(super) fn put(
        &self,
        entry: EntryRef<'_>,
        trash_name: &[u8],
        at: Timestamp,
    ) -> Result<(), FileError> {
        let no_trash = |error: io::Error| FileError::NoTrash {
            name: entry.name.to_vec(),
            reason: error.to_string(),
        };
        let info = info_name(trash_name);
        self.write_info(&info, entry.name, at).map_err(no_trash)?;
        let to = self.folders.files.entry(trash_name);
        system::rename(entry.slot(), to.slot()).map_err(|error| {
            self.delete_info(&info);
            no_trash(error)
        })
    }

    /// Moves an entry back out of the trash. Returns true on success.
    pub(super) fn restore(&self, trash_name: &[u8], entry: EntryRef<'_>) -> bool {
        let from = self.folders.files.entry(trash_name);
        let back = system::rename(from.slot(), entry.slot());
        if back.is_ok() {
            self.delete_info(&info_name(trash_name));
        }
        back.is_ok()
    }

    fn write_info(&self, info: &[u8], name: &[u8], at: Timestamp) -> io::Result<()> {
        let at = at
            .to_zoned(TimeZone::system())
            .strftime("%Y-%m-%dT%H:%M:%S");
        let mut path = self.path_prefix.clone();
        if !path.is_empty() && !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        let path = percent_encode(&path);
        let mut file = system::create(&self.folders.info.dir, info)?;
        let written = write!(file, "[Trash Info]\nPath={path}\nDeletionDate={at}\n")
            .and_then(|()| file.sync_all());
        written.inspect_err(|_| self.delete_info(info))
    }

    fn delete_info(&self, info: &[u8]) {
        if let Err(error) = system::unlink(&self.folders.info.dir, info)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the trash keeps the info file of a missing entry");
        }
    }

    /// Marks the trash folders for a sync, so that the change survives a loss of power.
    pub(super) fn touch(&self, changed_folders: &mut ChangedFolders) {
        changed_folders.add(&self.folders.files);
        changed_folders.add(&self.folders.info);
    }
}

pub(super) struct TrashEntry {
    folders: Rc<TrashFolders>,
    name: Vec<u8>,
}

impl TrashEntry {
    /// Finds an entry. `None` if the trash folder does not exist, or has no entry of that name.
    pub(super) fn find(
        opened: &mut OpenTrashes,
        trash_path: &[u8],
        name: &[u8],
    ) -> Result<Option<Self>, FileError> {
        let folders = match opened.open(trash_path) {
            Ok(folders) => folders,
            Err(FileError::Access {
                error: AccessError::FolderUnavailable { source, .. },
                ..
            }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = folders.files.stat(name)?.is_some();
        Ok(found.then(|| Self {
            folders,
            name: name.to_vec(),
        }))
    }

    /// Returns the folder of the entry, and its name there.
    pub(super) fn entry(&self) -> EntryRef<'_> {
        self.folders.files.entry(&self.name)
    }

    /// Deletes the note of an entry that has left the trash.
    pub(super) fn delete_info(&self, changed_folders: &mut ChangedFolders) {
        if let Err(error) = system::unlink(&self.folders.info.dir, &info_name(&self.name)) {
            tracing::warn!(%error, "the trash keeps the info file of a restored entry");
        }
        changed_folders.add(&self.folders.files);
        changed_folders.add(&self.folders.info);
    }
}

fn info_name(trash_name: &[u8]) -> Vec<u8> {
    [trash_name, b".trashinfo"].concat()
}

/// Encodes a path as in a URI: reserved and invalid bytes become percent escapes.
fn percent_encode(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for &byte in path {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("BUG: a string takes all");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trash_paths_are_escaped_and_names_numbered() {
        assert_eq!(
            percent_encode("/a b/夏#%.jpg".as_bytes()),
            "/a%20b/%E5%A4%8F%23%25.jpg"
        );
        assert_eq!(percent_encode(b"\xff\n"), "%FF%0A");
        assert_eq!(name_for("X", 3, b"a/b.jpg"), b"X-3.jpg");
        assert_eq!(name_for("X", 3, b"name"), b"X-3");
        assert_eq!(name_for("X", 3, b"a.aaaaaaaaaaaaaaaaa"), b"X-3");
    }
}
