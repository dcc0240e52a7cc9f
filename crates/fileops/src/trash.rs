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
use super::place::{EntryRef, Folder, Touched};
use super::system;

/// The maximum length of an extension, in bytes. A longer suffix is no extension.
const LONGEST_EXTENSION: usize = 16;

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
struct Inside {
    files: Folder,
    info: Folder,
}

/// Open trash folders by path, each opened once.
#[derive(Default)]
pub(super) struct OpenTrashes(HashMap<Vec<u8>, Rc<Inside>>);

impl OpenTrashes {
    fn open(&mut self, bin: &[u8]) -> Result<Rc<Inside>, FileError> {
        if let Some(known) = self.0.get(bin) {
            return Ok(Rc::clone(known));
        }
        let folder = |name| {
            let path = clean_absolute(&[bin, b"/", name].concat());
            let path = path.ok_or_else(|| FileError::io(name, io::ErrorKind::InvalidInput))?;
            // It belongs to no root of the user.
            let root = Arc::new(Root::own(path));
            Folder::open(&Source::new(root, RelPath::default()))
        };
        let inside = Rc::new(Inside {
            files: folder(b"files")?,
            info: folder(b"info")?,
        });
        self.0.insert(bin.to_vec(), Rc::clone(&inside));
        Ok(inside)
    }
}

/// The trash that serves a folder.
pub(super) struct TrashOf {
    inside: Rc<Inside>,
    /// The path of the trash folder.
    path: Vec<u8>,
    /// The folder's path as recorded: relative to the top of the file system, or absolute in the home folder's trash.
    noted: Vec<u8>,
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
    ) -> Result<TrashOf, FileError> {
        let no_bin = |reason| FileError::NoBin {
            name: folder.path.as_bytes().to_vec(),
            reason,
        };
        let found = self.find(folder);
        let (path, noted) = found.map_err(|error| no_bin(error.to_string()))?;
        let inside = opened.open(&path);
        Ok(TrashOf {
            inside: inside.map_err(|error| no_bin(error.to_string()))?,
            path,
            noted,
        })
    }

    /// Returns the trash folder, and the prefix of the recorded paths.
    fn find(&self, folder: &Folder) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let absolute = folder.itself().absolute();
        let real = platform::path_of(&absolute).canonicalize()?;
        let device = device_of(&real)?;
        if let Some(home) = &self.home {
            // An unusable home trash does not affect other disks.
            let found = make(home).and_then(|()| device_of(home));
            match found {
                Ok(found) if found == device => {
                    let noted = platform::bytes_of(real.as_os_str()).to_vec();
                    return Ok((made(home)?, noted));
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the home folder's bin can't be used"),
            }
        }
        let mut top = real.as_path();
        while let Some(above) = top.parent()
            && device_of(above)? == device
        {
            top = above;
        }
        let noted = real.strip_prefix(top).unwrap_or(&real);
        let noted = platform::bytes_of(noted.as_os_str()).to_vec();
        let user = rustix::process::getuid().as_raw();
        let shared = top.join(".Trash");
        let mut own = top.join(format!(".Trash-{user}"));
        if is_shared_bin(&shared) && make(&shared.join(user.to_string())).is_ok() {
            own = shared.join(user.to_string());
        }
        make(&own)?;
        let found = fs::symlink_metadata(&own)?;
        if !found.is_dir() || found.uid() != user || found.dev() != device {
            return Err(io::Error::other(
                "this disk's Trash belongs to another user",
            ));
        }
        Ok((made(&own)?, noted))
    }
}

/// Returns true for an administrator's trash, in which each user has a folder: no symbolic link, and with the sticky
/// bit.
fn is_shared_bin(path: &Path) -> bool {
    const STICKY: u32 = 0o1000;
    fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_dir() && found.permissions().mode() & STICKY != 0)
}

fn device_of(path: &Path) -> io::Result<u64> {
    Ok(fs::metadata(path)?.dev())
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(_) => Ok(()),
        Err(_) => DirBuilder::new().recursive(true).mode(0o700).create(folder),
    }
}

/// Creates the trash folder with its subfolders, and returns its path.
fn made(bin: &Path) -> io::Result<Vec<u8>> {
    make(&bin.join("files"))?;
    make(&bin.join("info"))?;
    Ok(platform::bytes_of(bin.as_os_str()).to_vec())
}

/// Returns the name of an entry in the trash. It is derived from the id `by`, so that no other entry has it.
pub(super) fn name_for(by: &str, number: usize, name: &[u8]) -> Vec<u8> {
    let extension = extension(name);
    let mut binned = format!("{by}-{number}").into_bytes();
    if !extension.is_empty() && extension.len() <= LONGEST_EXTENSION {
        binned.push(b'.');
        binned.extend_from_slice(extension);
    }
    binned
}

impl TrashOf {
    /// The path of the trash folder.
    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Moves a file or folder into the trash under a name of its own. Its note is on the disk before.
    pub(super) fn put(
        &self,
        entry: EntryRef<'_>,
        binned: &[u8],
        at: Timestamp,
    ) -> Result<(), FileError> {
        let no_bin = |error: io::Error| FileError::NoBin {
            name: entry.name.to_vec(),
            reason: error.to_string(),
        };
        let note = note_of(binned);
        self.write_note(&note, entry.name, at).map_err(no_bin)?;
        let to = self.inside.files.entry(binned);
        system::rename(entry.slot(), to.slot()).map_err(|error| {
            self.forget(&note);
            no_bin(error)
        })
    }

    /// Moves an entry back out of the trash. Returns true on success.
    pub(super) fn give_back(&self, binned: &[u8], entry: EntryRef<'_>) -> bool {
        let from = self.inside.files.entry(binned);
        let back = system::rename(from.slot(), entry.slot());
        if back.is_ok() {
            self.forget(&note_of(binned));
        }
        back.is_ok()
    }

    fn write_note(&self, note: &[u8], name: &[u8], at: Timestamp) -> io::Result<()> {
        let at = at
            .to_zoned(TimeZone::system())
            .strftime("%Y-%m-%dT%H:%M:%S");
        let mut path = self.noted.clone();
        if !path.is_empty() && !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        let path = encoded(&path);
        let mut file = system::create(&self.inside.info.dir, note)?;
        let written = write!(file, "[Trash Info]\nPath={path}\nDeletionDate={at}\n")
            .and_then(|()| file.sync_all());
        written.inspect_err(|_| self.forget(note))
    }

    fn forget(&self, note: &[u8]) {
        if let Err(error) = system::unlink(&self.inside.info.dir, note)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the bin keeps a note about what is not there");
        }
    }

    /// Marks the trash folders for a sync, so that the change survives a loss of power.
    pub(super) fn touch(&self, touched: &mut Touched) {
        touched.add(&self.inside.files);
        touched.add(&self.inside.info);
    }
}

/// An entry in the trash.
pub(super) struct Trashed {
    inside: Rc<Inside>,
    name: Vec<u8>,
}

impl Trashed {
    /// Finds an entry. `None` if the trash folder does not exist, or has no entry of that name.
    pub(super) fn find(
        opened: &mut OpenTrashes,
        bin: &[u8],
        name: &[u8],
    ) -> Result<Option<Self>, FileError> {
        let inside = match opened.open(bin) {
            Ok(inside) => inside,
            Err(FileError::Access {
                error: AccessError::FolderUnavailable { source, .. },
                ..
            }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = inside.files.look(name)?.is_some();
        Ok(found.then(|| Self {
            inside,
            name: name.to_vec(),
        }))
    }

    /// Returns the folder of the entry, and its name there.
    pub(super) fn entry(&self) -> EntryRef<'_> {
        self.inside.files.entry(&self.name)
    }

    /// Deletes the note of an entry that has left the trash.
    pub(super) fn forget(&self, touched: &mut Touched) {
        if let Err(error) = system::unlink(&self.inside.info.dir, &note_of(&self.name)) {
            tracing::warn!(%error, "the bin keeps a note about what has left it");
        }
        touched.add(&self.inside.files);
        touched.add(&self.inside.info);
    }
}

fn note_of(binned: &[u8]) -> Vec<u8> {
    [binned, b".trashinfo"].concat()
}

/// Encodes a path as in a URI: reserved and invalid bytes become percent escapes.
fn encoded(path: &[u8]) -> String {
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
            encoded("/a b/夏#%.jpg".as_bytes()),
            "/a%20b/%E5%A4%8F%23%25.jpg"
        );
        assert_eq!(encoded(b"\xff\n"), "%FF%0A");
        assert_eq!(name_for("X", 3, b"a/b.jpg"), b"X-3.jpg");
        assert_eq!(name_for("X", 3, b"name"), b"X-3");
        assert_eq!(name_for("X", 3, b"a.aaaaaaaaaaaaaaaaa"), b"X-3");
    }
}
