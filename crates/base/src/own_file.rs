//! The program's own files: regular files alone, opened without following a link at the end of their path and
//! without waiting, read up to a limit, and created for their owner alone.
//!
//! Anything may be in the place of such a file: a folder is restored from an archive, copied from another machine, or
//! on another user's disk. A pipe, a device or an endless file there must neither stop the program nor fill its
//! memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::durable::{self, Access};

/// The largest file of one value, such as a key, a mark or an address, in bytes.
pub const VALUE: u64 = 64 << 10;
/// The largest file of settings, and of lists that people make, in bytes.
pub const SETTINGS: u64 = 16 << 20;
/// The largest file of one derived item, such as a thumbnail or the index of a folder, in bytes.
pub const ITEM: u64 = 256 << 20;
/// The largest derived index of everything, in bytes.
pub const INDEX: u64 = 2 << 30;

/// The reason why a file is not one of the program's own, inside an [`io::Error`] of the kind `InvalidData`.
#[derive(Debug, thiserror::Error)]
pub enum NotOwnFile {
    /// A folder, link, pipe, socket or device.
    #[error("{0} is not a regular file")]
    NotRegular(String),
    /// It has more bytes than files of its kind.
    #[error("{0} is larger than {1} bytes")]
    TooLarge(String, u64),
}

impl From<NotOwnFile> for io::Error {
    fn from(error: NotOwnFile) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// [`NotOwnFile`], and errors of the file system.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_all(path, open(path, limit)?, limit)
}

/// Reads a file of text of at most `limit` bytes.
///
/// # Errors
/// The same as of [`read`], and `InvalidData` if it is not UTF-8.
pub fn read_to_string(path: &Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// Reads a file of text that a user keeps for the program. It may be a link.
///
/// # Errors
/// The same as of [`read_to_string`].
pub fn read_users(path: &Path, limit: u64) -> io::Result<String> {
    let file = open_users(path)?;
    check_length(path, &file, limit)?;
    text(read_all(path, file, limit)?)
}

/// Opens a file of at most `limit` bytes.
///
/// # Errors
/// [`NotOwnFile`], and errors of the file system.
pub fn open(path: &Path, limit: u64) -> io::Result<File> {
    let file = open_with(path, File::options().read(true))?;
    check_length(path, &file, limit)?;
    Ok(file)
}

/// Opens a file in another way than for reading. A file that this creates is private.
///
/// # Errors
/// [`NotOwnFile`], and errors of the file system.
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    open_regular(path, options, OFlags::NOFOLLOW)
}

/// Opens a file that a user has chosen to be read. Links are followed.
///
/// # Errors
/// [`NotOwnFile::NotRegular`], and errors of the file system.
pub fn open_users(path: &Path) -> io::Result<File> {
    open_regular(path, File::options().read(true), OFlags::empty())
}

/// Creates a private file, which must not exist.
///
/// # Errors
/// `AlreadyExists`, and errors of the file system.
pub fn create_new(path: &Path) -> io::Result<File> {
    open_with(path, File::options().write(true).create_new(true))
}

/// Replaces a file by a private one with these contents. It is complete after a crash of the program, but, unlike that
/// of [`durable::write_file`], not after a loss of power.
///
/// # Errors
/// Errors of the file system; the old file is then untouched.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = durable::temporary_file(path, Access::Private)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn open_regular(path: &Path, options: &mut OpenOptions, links: OFlags) -> io::Result<File> {
    // Opening a terminal must not make it the one that controls the program.
    let flags = links | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = options
        .mode(0o600)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let not_regular = || NotOwnFile::NotRegular(path.display().to_string()).into();
    let file = opened.map_err(|error| match is_special(&error) {
        true => not_regular(),
        false => error,
    })?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// Returns true for the errors of opening a link, a folder for writing, and a socket, a pipe without a reader or a
/// device without a driver.
fn is_special(error: &io::Error) -> bool {
    let special = [Errno::LOOP, Errno::ISDIR, Errno::NXIO, Errno::NODEV];
    Errno::from_io_error(error).is_some_and(|errno| special.contains(&errno))
}

fn check_length(path: &Path, file: &File, limit: u64) -> io::Result<()> {
    match file.metadata()?.len() > limit {
        true => Err(too_large(path, limit)),
        false => Ok(()),
    }
}

fn read_all(path: &Path, file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Another process may be writing to it.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(too_large(path, limit)),
        false => Ok(bytes),
    }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn too_large(path: &Path, limit: u64) -> io::Error {
    NotOwnFile::TooLarge(path.display().to_string(), limit).into()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::process::Command;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    /// Creates everything that is not a regular file, and that opening or reading could wait for.
    fn obstacles(folder: &Path) -> Vec<PathBuf> {
        let at = |name: &str| folder.join(name);
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        fs::create_dir(at("folder")).unwrap();
        drop(UnixListener::bind(at("socket")).unwrap());
        fs::write(at("target"), "text").unwrap();
        symlink(at("target"), at("link")).unwrap();
        symlink(at("none"), at("dangling")).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        let names = ["pipe", "folder", "socket", "link", "dangling", "endless"];
        names.iter().map(|name| at(name)).collect()
    }

    #[track_caller]
    fn check_not_regular(opened: io::Result<impl Sized>, path: &Path) {
        let error = opened.err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        let expected = format!("{} is not a regular file", path.display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn special_files_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        for path in obstacles(folder.path()) {
            check_not_regular(read(&path, VALUE), &path);
            for options in [
                File::options().write(true),
                File::options().append(true).create(true),
                File::options().read(true).write(true).create(true),
            ] {
                check_not_regular(open_with(&path, options), &path);
            }
            let taken = create_new(&path).unwrap_err();
            assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        }
        assert!(!folder.path().join("none").exists());
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"text");
    }

    #[test]
    fn special_files_are_replaced_by_regular_ones() {
        let folder = tempfile::tempdir().unwrap();
        for path in obstacles(folder.path()) {
            if path.ends_with("folder") {
                assert!(replace(&path, b"new").is_err());
                continue;
            }
            replace(&path, b"new").unwrap();
            assert_eq!(read(&path, VALUE).unwrap(), b"new");
        }
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"text");
    }

    #[test]
    fn users_link_leads_to_a_regular_file() {
        let folder = tempfile::tempdir().unwrap();
        for path in obstacles(folder.path()) {
            let read = read_users(&path, VALUE);
            if path.ends_with("link") {
                assert_eq!(read.unwrap(), "text");
            } else if path.ends_with("dangling") {
                assert_eq!(read.unwrap_err().kind(), io::ErrorKind::NotFound);
            } else {
                check_not_regular(read, &path);
            }
        }
    }

    #[test]
    fn file_above_its_limit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, [b'a'; 10]).unwrap();
        assert_eq!(read(&path, 10).unwrap().len(), 10);
        let error = read(&path, 9).unwrap_err();
        assert!(error.to_string().ends_with("is larger than 9 bytes"));
        assert!(open(&path, 9).is_err() && read_users(&path, 9).is_err());
        // A file that takes no space on the disk.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read(&path, INDEX).is_err());
    }

    /// Set in the process with another umask: a process has one for all of its threads.
    const UMASK_FOLDER: &str = "FUMIKURA_TEST_UMASK_FOLDER";

    #[test]
    fn files_and_folders_are_private_under_umask_000() {
        let Some(folder) = std::env::var_os(UMASK_FOLDER).map(PathBuf::from) else {
            let folder = tempfile::tempdir().unwrap();
            let name = "own_file::tests::files_and_folders_are_private_under_umask_000";
            let status = Command::new("sh")
                .args(["-c", "umask 000; exec \"$0\" --exact \"$1\""])
                .arg(std::env::current_exe().unwrap())
                .arg(name)
                .env(UMASK_FOLDER, folder.path())
                .status();
            assert!(status.unwrap().success());
            assert!(folder.path().join("a/b/new").exists());
            return;
        };
        let [a, b] = ["a", "a/b"].map(|name| folder.join(name));
        durable::create_folder(&b, Access::Private).unwrap();
        let files = ["new", "log", "replaced", "durable"].map(|name| b.join(name));
        create_new(&files[0]).unwrap();
        open_with(&files[1], File::options().append(true).create(true)).unwrap();
        replace(&files[2], b"").unwrap();
        durable::write_file(&files[3], b"", Access::Private).unwrap();
        let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!([a, b].each_ref().map(mode), [0o700; 2]);
        assert_eq!(files.each_ref().map(mode), [0o600; 4]);
    }
}
