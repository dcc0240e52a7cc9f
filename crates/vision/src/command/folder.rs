//! The private folder of a command. It is held open from its creation to its end, so that a link or another folder
//! that the command puts in its place changes nothing.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use tempfile::TempDir;

/// The maximum number of entries in the folder and its subfolders.
const MAX_ENTRIES: u64 = 10_000;
/// The maximum depth of subfolders.
const MAX_DEPTH: usize = 32;

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A new folder that other users cannot read, and that is deleted with all its contents on drop.
pub(super) struct CommandFolder {
    place: TempDir,
    handle: OwnedFd,
}

/// The file that a command wrote.
pub(super) enum Written {
    /// There is no file of this name.
    Nothing,
    /// The file is larger than the limit.
    TooLarge,
    Contents(Vec<u8>),
}

impl CommandFolder {
    pub(super) fn create() -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("fumikura-ocr-");
        builder.permissions(PermissionsExt::from_mode(0o700));
        let place = builder.tempdir()?;
        let handle = openat(CWD, place.path(), FOLDER, Mode::empty())?;
        Ok(Self { place, handle })
    }

    pub(super) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Writes a new file.
    pub(super) fn write(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        File::from(file).write_all(contents)
    }

    /// Reads a regular file of at most `limit` bytes. No link is followed, and nothing is waited for.
    pub(super) fn read(&self, name: &str, limit: u64) -> io::Result<Written> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(&self.handle, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(Written::Nothing),
            Err(Errno::LOOP) => return Err(not_a_file()),
            Err(error) => return Err(error.into()),
        };
        if !file.metadata()?.is_file() {
            return Err(not_a_file());
        }
        let mut contents = Vec::new();
        file.take(limit + 1).read_to_end(&mut contents)?;
        Ok(match contents.len() as u64 > limit {
            true => Written::TooLarge,
            false => Written::Contents(contents),
        })
    }

    /// Returns true if the folder holds more than `limit` bytes, or too many entries.
    pub(super) fn exceeds(&self, limit: u64) -> io::Result<bool> {
        let mut usage = Usage::default();
        usage.add(self.handle.as_fd(), MAX_DEPTH)?;
        Ok(usage.bytes > limit || usage.entries > MAX_ENTRIES)
    }
}

fn not_a_file() -> io::Error {
    io::Error::other("the command’s answer is no regular file")
}

/// The contents of a folder and its subfolders.
#[derive(Default)]
struct Usage {
    bytes: u64,
    entries: u64,
}

impl Usage {
    fn add(&mut self, folder: BorrowedFd<'_>, depth: usize) -> io::Result<()> {
        for entry in Dir::read_from(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if [c".", c".."].contains(&name) {
                continue;
            }
            self.entries += if depth == 0 { MAX_ENTRIES + 1 } else { 1 };
            if self.entries > MAX_ENTRIES {
                return Ok(());
            }
            // An entry may be deleted or replaced meanwhile.
            let stat = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat?,
            };
            self.bytes += u64::try_from(stat.st_size).unwrap_or(0);
            if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
                continue;
            }
            match openat(folder, name, FOLDER, Mode::empty()) {
                Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => {}
                subfolder => self.add(subfolder?.as_fd(), depth - 1)?,
            }
        }
        Ok(())
    }
}
