//! Handles on folders: everything below one is opened, created, renamed and deleted without following links.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, ResolveFlags, Stat, fcntl_getfl, fstat,
    fsync, linkat, mkdirat, open, openat, openat2, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::entropy::{SystemEntropy, random_bytes};

/// A handle on a folder. What is done through it stays in this folder, also when another process replaces the
/// folder, or one below it, by a link or another folder. A link in a path is an error ([`is_link`]).
#[derive(Debug)]
pub struct DirHandle(OwnedFd);

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    pub name: OsString,
    /// The kind. Links are not followed.
    pub kind: FileType,
}

impl DirEntry {
    /// Returns true for a regular file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.kind == FileType::RegularFile
    }

    /// Returns true for a symbolic link.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.kind == FileType::Symlink
    }

    /// Returns true for a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.kind == FileType::Directory
    }
}

/// Returns true if an error means that a path leads through a link, or is one.
#[must_use]
pub fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

impl DirHandle {
    /// Opens a folder that a person or the configuration chose. Links in its path are followed.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(open(path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder by its absolute path. No link is followed.
    ///
    /// # Errors
    /// Errors of the file system, and those of [`is_link`].
    pub fn open_resolved(path: &Path) -> io::Result<Self> {
        Self::top()?.folder(below_top(path)?)
    }

    /// Opens the folder `/`, below which everything is.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn top() -> io::Result<Self> {
        Self::open(Path::new("/"))
    }

    /// Returns a path that leads to this folder as long as the handle exists, whatever happens to the folder's own path:
    /// for libraries that need a path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    /// Opens the folder at a relative path; itself at an empty one.
    ///
    /// # Errors
    /// Errors of the file system, and those of [`is_link`].
    pub fn folder(&self, path: &Path) -> io::Result<Self> {
        match self.open_below(path, OFlags::RDONLY | OFlags::DIRECTORY) {
            // It may be entered, but not listed.
            Err(Errno::ACCESS) => Ok(Self(self.open_below(path, FOLDER)?)),
            outcome => Ok(Self(outcome?)),
        }
    }

    /// Opens a folder of this one, which is created with this mode unless it exists.
    ///
    /// # Errors
    /// Errors of the file system, and those of [`is_link`].
    pub fn create_folder(&self, name: &OsStr, mode: u32) -> io::Result<Self> {
        match mkdirat(&self.0, single(name)?, Mode::from_raw_mode(mode)) {
            Ok(()) | Err(Errno::EXIST) => self.folder(Path::new(name)),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a regular file for reading, without waiting for the other end of a pipe.
    ///
    /// # Errors
    /// Errors of the file system, those of [`is_link`], and [`io::ErrorKind::InvalidInput`] for an entry of another
    /// kind.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = match self.open_below(path, flags) {
            Ok(file) => File::from(file),
            // A socket, or a device without a driver.
            Err(Errno::NXIO) => return Err(not_regular()),
            Err(error) => return Err(error.into()),
        };
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(not_regular())
        }
    }

    /// Returns the status of the entry at a relative path, which is not followed if it is a link.
    ///
    /// # Errors
    /// Errors of the file system, and those of [`is_link`] for a link before the last component.
    pub fn stat(&self, path: &Path) -> io::Result<Stat> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(fstat(self.open_below(path, FOLDER)?)?);
        };
        if parent.as_os_str().is_empty() {
            return Ok(statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?);
        }
        let parent = self.open_below(parent, FOLDER)?;
        Ok(statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Returns the folder's entries without `.` and `..`.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn entries(&self) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        let mut listed = Dir::new(self.readable()?)?;
        listed.rewind();
        for entry in listed {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let name = OsString::from_vec(name.to_vec());
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                // The file system does not list kinds.
                match statat(&self.0, &name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => kind = FileType::from_raw_mode(stat.st_mode),
                    // It was deleted meanwhile.
                    Err(Errno::NOENT) => continue,
                    Err(error) => return Err(error.into()),
                }
            }
            entries.push(DirEntry { name, kind });
        }
        Ok(entries)
    }

    /// Creates a file with this mode under a random name with this prefix ([`is_temporary`]) that nothing else has. It
    /// is deleted on drop unless it gets a name.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn temporary_file(&self, prefix: &str, mode: u32) -> io::Result<TemporaryFile<'_>> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = temporary_name(prefix);
            // The mode is set by the handle, whatever the umask is.
            match openat(&self.0, &name, flags, Mode::RUSR | Mode::WUSR) {
                Ok(file) => {
                    let name = TemporaryName {
                        folder: self,
                        name: Some(name),
                    };
                    let temporary = TemporaryFile {
                        file: File::from(file),
                        name,
                    };
                    temporary.set_mode(mode)?;
                    return Ok(temporary);
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Renames an entry, replacing one that has the new name.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn rename(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, single(from)?, &folder.0, single(to)?)?)
    }

    /// Renames an entry unless the new name is taken, also by a link to nothing. Returns true if it was renamed.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn rename_unless_taken(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<bool> {
        rename_unless_taken(&self.0, single(from)?, &folder.0, single(to)?)
    }

    /// Gives a file another name, which must not exist. A link is not followed.
    ///
    /// # Errors
    /// Errors of the file system, also if it has no hard links.
    pub fn link(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<()> {
        let (from, to) = (single(from)?, single(to)?);
        Ok(linkat(&self.0, from, &folder.0, to, AtFlags::empty())?)
    }

    /// Exchanges two entries in one step, of any kind. Returns false if the file system can't.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn exchange(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<bool> {
        let (from, to) = (single(from)?, single(to)?);
        match renameat_with(&self.0, from, &folder.0, to, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes a file or a link.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, single(name)?, AtFlags::empty())?)
    }

    /// Deletes an empty folder.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, single(name)?, AtFlags::REMOVEDIR)?)
    }

    /// Deletes a folder with its contents. Links in it are deleted, not followed.
    ///
    /// # Errors
    /// Errors of the file system. What was deleted before the error stays deleted.
    pub fn remove_tree(&self, name: &OsStr) -> io::Result<()> {
        let folder = self.folder(Path::new(name))?;
        for entry in folder.entries()? {
            if entry.is_folder() {
                folder.remove_tree(&entry.name)?;
            } else {
                folder.remove_file(&entry.name)?;
            }
        }
        self.remove_folder(name)
    }

    /// Makes the names in the folder durable, if its file system supports it.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn sync(&self) -> io::Result<()> {
        match fsync(self.readable()?) {
            // Network file systems, and those of other systems, may not support it.
            Ok(()) | Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns a handle on the same folder that the system also permits to read, sync or lock.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn readable(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match openat(&self.0, ".", flags, Mode::empty()) {
            // It may be listed, but not entered.
            Err(Errno::ACCESS) if !fcntl_getfl(&self.0)?.contains(OFlags::PATH) => {
                Ok(self.0.try_clone()?.into())
            }
            outcome => Ok(outcome?.into()),
        }
    }

    fn open_below(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        let flags = flags | OFlags::CLOEXEC;
        match openat2(&self.0, path, flags, Mode::empty(), resolve) {
            // An old kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => open_stepwise(self.0.as_fd(), path, flags),
            outcome => outcome,
        }
    }
}

impl AsFd for DirHandle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A handle that only resolves names needs no permission to list the folder.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a path component by component, on systems without `openat2`.
fn open_stepwise(folder: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut current = openat(folder, ".", FOLDER, Mode::empty())?;
    let mut components = path.components().peekable();
    while let Some(component) = components.next() {
        let name = match component {
            Component::Normal(name) => name,
            Component::CurDir => OsStr::new("."),
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(Errno::XDEV);
            }
        };
        let flags = match components.peek() {
            Some(_) => FOLDER,
            None => flags,
        };
        current = match openat(&current, name, flags | OFlags::NOFOLLOW, Mode::empty()) {
            Err(Errno::NOTDIR) if is_link_at(&current, name) => return Err(Errno::LOOP),
            outcome => outcome?,
        };
    }
    Ok(current)
}

fn is_link_at(folder: &OwnedFd, name: &OsStr) -> bool {
    let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
}

/// Renames an entry of a folder unless the new name is taken, also by a link to nothing. Returns true if it was
/// renamed.
///
/// # Errors
/// Errors of the file system.
pub fn rename_unless_taken(
    from_folder: impl AsFd,
    from: &OsStr,
    to_folder: impl AsFd,
    to: &OsStr,
) -> io::Result<bool> {
    let (from_folder, to_folder) = (from_folder.as_fd(), to_folder.as_fd());
    match renameat_with(from_folder, from, to_folder, to, RenameFlags::NOREPLACE) {
        Ok(()) => return Ok(true),
        Err(Errno::EXIST) => return Ok(false),
        // Network file systems don't support this flag.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        Err(error) => return Err(error.into()),
    }
    rename_after_check(from_folder, from, to_folder, to)
}

/// Renames an entry unless the new name is taken, on file systems without an atomic rename of that kind. With hard
/// links (NFS), the file has both names for a moment. Without them (FAT by old kernels, FUSE), there is a moment
/// between the check and the rename.
fn rename_after_check(
    from_folder: BorrowedFd<'_>,
    from: &OsStr,
    to_folder: BorrowedFd<'_>,
    to: &OsStr,
) -> io::Result<bool> {
    match linkat(from_folder, from, to_folder, to, AtFlags::empty()) {
        // Another program may already have put its own file at the new name, which must stay. So the old name stays
        // if it can't be deleted, and the file has two names.
        Ok(()) => {
            unlinkat(from_folder, from, AtFlags::empty())?;
            return Ok(true);
        }
        Err(Errno::EXIST) => return Ok(false),
        // There are no hard links, or this file may not have one.
        Err(_) => {}
    }
    match statat(to_folder, to, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => return Ok(false),
        Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    renameat(from_folder, from, to_folder, to)?;
    Ok(true)
}

/// A file under a random name.
#[derive(Debug)]
pub struct TemporaryFile<'a> {
    file: File,
    name: TemporaryName<'a>,
}

/// The random name of a file. The file is deleted on drop unless it gets another name.
#[derive(Debug)]
pub struct TemporaryName<'a> {
    folder: &'a DirHandle,
    /// `None` once it has another name.
    name: Option<OsString>,
}

impl<'a> TemporaryFile<'a> {
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Closes the file, which keeps its name.
    #[must_use]
    pub fn close(self) -> TemporaryName<'a> {
        self.name
    }

    /// Returns the open file and its name.
    #[must_use]
    pub fn into_parts(self) -> (File, TemporaryName<'a>) {
        (self.file, self.name)
    }

    /// Sets the file's mode, whatever the umask is.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn set_mode(&self, mode: u32) -> io::Result<()> {
        // A file system without modes is not asked for the one that it gives.
        if self.file.metadata()?.permissions().mode() & 0o7777 == mode {
            return Ok(());
        }
        self.file.set_permissions(Permissions::from_mode(mode))
    }
}

impl TemporaryName<'_> {
    /// Gives the file its name, replacing a file that has it. The file and its folder are not synced.
    ///
    /// # Errors
    /// Errors of the file system. The file is then deleted.
    pub fn replace(mut self, folder: &DirHandle, name: &OsStr) -> io::Result<()> {
        if let Some(own) = &self.name {
            self.folder.rename(own, folder, name)?;
        }
        self.name = None;
        Ok(())
    }

    /// Gives the file its name unless it is taken. Returns true if it was free; otherwise the file is deleted. The
    /// file and its folder are not synced.
    ///
    /// # Errors
    /// Errors of the file system. The file is then deleted.
    pub fn place(mut self, folder: &DirHandle, name: &OsStr) -> io::Result<bool> {
        let is_placed = match &self.name {
            Some(own) => self.folder.rename_unless_taken(own, folder, name)?,
            None => false,
        };
        if is_placed {
            self.name = None;
        }
        Ok(is_placed)
    }
}

impl Read for TemporaryFile<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Write for TemporaryFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for TemporaryName<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // It may have been deleted by another program.
            let _gone = self.folder.remove_file(name);
        }
    }
}

/// The number of random letters and digits in a temporary name: 60 bits.
const RANDOM_LETTERS: usize = 12;
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Returns a random name for a file that is being written. It has to be created exclusively.
#[must_use]
pub fn temporary_name(prefix: &str) -> OsString {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let random: [u8; RANDOM_LETTERS] = random_bytes(&SystemEntropy);
    let letters = random.map(|byte| LETTERS[usize::from(byte % 32)]);
    let name = [prefix.as_bytes(), &letters, TEMPORARY_SUFFIX.as_bytes()];
    OsString::from_vec(name.concat())
}

/// Returns true if a name is a temporary one with this prefix.
#[must_use]
pub fn is_temporary(name: &OsStr, prefix: &str) -> bool {
    let random = name
        .to_str()
        .and_then(|name| name.strip_prefix(prefix)?.strip_suffix(TEMPORARY_SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM_LETTERS && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Returns true for the status of a regular file.
#[must_use]
pub fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// Returns the size in bytes.
#[must_use]
pub fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

/// Returns the time of the last change of the contents.
#[must_use]
pub fn modified(stat: &Stat) -> SystemTime {
    time(stat.st_mtime, stat.st_mtime_nsec.into())
}

/// Returns the time of the last access.
#[must_use]
pub fn accessed(stat: &Stat) -> SystemTime {
    time(stat.st_atime, stat.st_atime_nsec.into())
}

fn time(seconds: i64, nanoseconds: i128) -> SystemTime {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    // The kernel reports less than a second.
    let part = Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(0));
    let time = match seconds < 0 {
        true => SystemTime::UNIX_EPOCH.checked_sub(whole),
        false => SystemTime::UNIX_EPOCH.checked_add(whole),
    };
    time.and_then(|time| time.checked_add(part))
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Returns a path below `/`.
fn below_top(path: &Path) -> io::Result<&Path> {
    path.strip_prefix("/")
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "the path is not absolute"))
}

/// Checks that a name is one of an entry of the folder itself.
fn single(name: &OsStr) -> io::Result<&OsStr> {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.contains(&b'/') || matches!(bytes, b"." | b"..") {
        let text = "this is not the name of an entry";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(name)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder `in` with a file and a folder, and links in it to a folder `out` with a secret.
    fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let [inside, outside] = ["in", "out"].map(|name| outer.path().join(name));
        fs::create_dir_all(inside.join("sub")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(inside.join("sub/a"), "a").unwrap();
        fs::write(outside.join("secret"), "secret").unwrap();
        symlink(&outside, inside.join("absolute")).unwrap();
        symlink("../out", inside.join("relative")).unwrap();
        symlink("sub/a", inside.join("file")).unwrap();
        (outer, inside, outside)
    }

    #[test]
    fn links_are_never_followed() {
        let (_outer, inside, _outside) = folders();
        let folder = DirHandle::open(&inside).unwrap();
        type Opener = fn(&DirHandle, &Path, OFlags) -> Result<OwnedFd, Errno>;
        let openers: [Opener; 2] = [DirHandle::open_below, |folder, path, flags| {
            open_stepwise(folder.as_fd(), path, flags)
        }];
        for open in openers {
            let refused = |path: &str, flags| {
                let error = open(&folder, Path::new(path), flags).map(drop);
                io::Error::from(error.unwrap_err())
            };
            for path in ["absolute/secret", "relative/secret", "file"] {
                assert!(is_link(&refused(path, OFlags::RDONLY)), "{path}");
            }
            assert!(is_link(&refused("relative", FOLDER)));
            refused("../out/secret", OFlags::RDONLY);
            refused("/etc/passwd", OFlags::RDONLY);
            open(&folder, Path::new("sub/a"), OFlags::RDONLY).unwrap();
        }
        let kind = |path: &str| {
            let stat = folder.stat(Path::new(path));
            stat.map(|stat| FileType::from_raw_mode(stat.st_mode))
        };
        assert_eq!(kind("file").unwrap(), FileType::Symlink);
        assert_eq!(kind("sub/a").unwrap(), FileType::RegularFile);
        assert_eq!(kind("").unwrap(), FileType::Directory);
        assert!(is_link(&kind("relative/secret").unwrap_err()));
        assert!(folder.file(Path::new("sub")).is_err());
    }

    #[test]
    fn resolved_path_may_not_contain_links() {
        let (_outer, inside, _outside) = folders();
        let inside = inside.canonicalize().unwrap();
        DirHandle::open_resolved(&inside.join("sub")).unwrap();
        let through = DirHandle::open_resolved(&inside.join("relative")).unwrap_err();
        assert!(is_link(&through));
        assert!(DirHandle::open_resolved(Path::new("sub")).is_err());
    }

    #[test]
    fn folder_swapped_for_a_link_stays_the_same() {
        let (_outer, inside, outside) = folders();
        let folder = DirHandle::open(&inside).unwrap();
        let sub = folder.folder(Path::new("sub")).unwrap();
        let mut temporary = sub.temporary_file(".", 0o600).unwrap();
        fs::rename(inside.join("sub"), inside.join("moved")).unwrap();
        symlink(&outside, inside.join("sub")).unwrap();
        temporary.write_all(b"new").unwrap();
        assert!(temporary.close().place(&sub, OsStr::new("b")).unwrap());
        sub.rename(OsStr::new("b"), &sub, OsStr::new("secret"))
            .unwrap();
        sub.remove_file(OsStr::new("a")).unwrap();
        assert_eq!(fs::read(inside.join("moved/secret")).unwrap(), b"new");
        assert_eq!(fs::read(outside.join("secret")).unwrap(), b"secret");
        assert!(is_link(
            &folder.create_folder(OsStr::new("sub"), 0o700).unwrap_err()
        ));
    }

    #[test]
    fn deleted_tree_leaves_the_targets_of_links() {
        let (outer, inside, outside) = folders();
        let folder = DirHandle::open(outer.path()).unwrap();
        folder.remove_tree(OsStr::new("in")).unwrap();
        assert!(!inside.exists());
        assert_eq!(fs::read(outside.join("secret")).unwrap(), b"secret");
    }

    #[test]
    fn temporary_file_has_a_random_name_and_its_mode() {
        let (_outer, inside, _outside) = folders();
        let folder = DirHandle::open(&inside).unwrap();
        let names = || folder.entries().unwrap().len();
        let before = names();
        let [one, two] = [0o600, 0o640].map(|mode| folder.temporary_file(".test-", mode).unwrap());
        assert_ne!(one.name.name, two.name.name);
        assert!(is_temporary(one.name.name.as_deref().unwrap(), ".test-"));
        for name in [
            ".test-a1B2c3D4e5F.tmp",
            ".test-a1B2c3D4e5-6.tmp",
            ".b-a1B2c3D4e5F6.tmp",
        ] {
            assert!(!is_temporary(OsStr::new(name), ".test-"), "{name}");
        }
        let mode = |file: &TemporaryFile<'_>| {
            let metadata = file.file().metadata().unwrap();
            metadata.permissions().mode() & 0o7777
        };
        assert_eq!((mode(&one), mode(&two)), (0o600, 0o640));
        drop(one);
        assert!(!two.close().place(&folder, OsStr::new("relative")).unwrap());
        assert_eq!(names(), before);
    }

    #[test]
    fn names_with_slashes_are_refused() {
        let (_outer, inside, outside) = folders();
        let folder = DirHandle::open(&inside).unwrap();
        for name in ["relative/secret", "../out/secret", "..", "."] {
            let error = folder.remove_file(OsStr::new(name)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        assert!(outside.join("secret").exists());
    }

    /// Checks both ways of renaming. The file system of the tests supports the first one.
    #[track_caller]
    fn check_rename(to: &str, expected: Option<bool>) {
        type Rename = fn(BorrowedFd<'_>, &OsStr, BorrowedFd<'_>, &OsStr) -> io::Result<bool>;
        let ways: [Rename; 2] = [
            |folder, from, to_folder, to| rename_unless_taken(folder, from, to_folder, to),
            rename_after_check,
        ];
        for rename in ways {
            let outer = tempfile::tempdir().unwrap();
            let path = |name: &str| outer.path().join(name);
            fs::write(path("new"), b"new").unwrap();
            fs::write(path("taken"), b"theirs").unwrap();
            symlink("nothing", path("link")).unwrap();
            let folder = DirHandle::open(outer.path()).unwrap();
            let handle = folder.as_fd();
            let renamed = rename(handle, OsStr::new("new"), handle, OsStr::new(to));
            assert_eq!(renamed.ok(), expected, "{to}");
            assert_eq!(path("new").exists(), expected != Some(true));
            assert_eq!(fs::read(path("taken")).unwrap(), b"theirs");
            assert_eq!(fs::read_link(path("link")).unwrap(), Path::new("nothing"));
            if expected == Some(true) {
                assert_eq!(fs::read(path(to)).unwrap(), b"new");
            }
        }
    }

    #[test]
    fn rename_refuses_taken_and_invalid_names() {
        check_rename("free", Some(true));
        check_rename("taken", Some(false));
        check_rename("link", Some(false));
        check_rename(&"n".repeat(300), None);
    }
}
