//! Reads whole files to hash them.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;

use fumikura_base::dir_handle;
use ring::digest::{Context, SHA256};
use rustix::fs::Advice;
use rustix::io::ReadWriteFlags;

use crate::access::is_absent;
use crate::checksum::{Algorithm, Checksum, Hasher};
use crate::digest::Digest;
use crate::path::FilePath;
use crate::stat::FileStat;

/// The bytes read at once. Larger pieces leave the processor's cache.
const PIECE: usize = 256 * 1024;
/// The part of an uncached file, in bytes, that stays in the page cache behind the reader.
const WINDOW: u64 = 8 * 1024 * 1024;

/// The bits of a mode that are rights to read, write and execute.
pub(crate) const RIGHTS: u32 = 0o777;

/// A file's contents and its status while they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// The hash of all bytes.
    pub digest: Digest,
    /// The status, equal before and after.
    pub stat: FileStat,
    /// The rights to read, write and execute it, as in `chmod`.
    pub mode: u32,
}

/// The reason why a file was not hashed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file does not exist.
    #[error("the file does not exist")]
    Missing,
    /// A folder, link, pipe, socket or device.
    #[error("it is not a regular file")]
    NotRegular,
    /// The file was written to meanwhile.
    #[error("the file was changed while it was read")]
    ChangedMeanwhile,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The system failed.
    #[error("the file can't be read: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        // An entry of another kind is refused as invalid input.
        if dir_handle::is_link(&error) || error.kind() == io::ErrorKind::InvalidInput {
            Self::NotRegular
        } else if is_absent(&error) {
            Self::Missing
        } else {
            Self::Io(error)
        }
    }
}

/// Hashes a file. `may_continue` is called after each piece, with its length.
///
/// # Errors
/// [`ReadError`].
pub fn read(path: &FilePath, may_continue: &dyn Fn(u64) -> bool) -> Result<Contents, ReadError> {
    read_file(&path.open_file()?, may_continue)
}

/// Hashes an open file from its current position, like [`read`].
///
/// # Errors
/// [`ReadError`].
pub fn read_file(file: &File, may_continue: &dyn Fn(u64) -> bool) -> Result<Contents, ReadError> {
    let mut context = Context::new(&SHA256);
    let stat = read_pieces(file, &mut |piece| context.update(piece), may_continue)?;
    let mut digest = [0; 32];
    digest.copy_from_slice(context.finish().as_ref());
    Ok(Contents {
        digest: Digest(digest),
        stat,
        mode: file.metadata()?.mode() & RIGHTS,
    })
}

/// Hashes a file by several algorithms at once, like [`read`].
pub(crate) fn read_checksums(
    path: &FilePath,
    algorithms: &[Algorithm],
    may_continue: &dyn Fn(u64) -> bool,
) -> Result<(Vec<Checksum>, FileStat), ReadError> {
    let hashers = algorithms.iter().map(|algorithm| Hasher::new(*algorithm));
    let mut hashers: Vec<_> = hashers.collect();
    let mut take = |piece: &[u8]| {
        for hasher in &mut hashers {
            hasher.update(piece);
        }
    };
    let stat = read_pieces(&path.open_file()?, &mut take, may_continue)?;
    Ok((hashers.into_iter().map(Hasher::finish).collect(), stat))
}

/// Reads a file in pieces. Cached pages stay in the page cache; others leave it again.
fn read_pieces(
    file: &File,
    take: &mut dyn FnMut(&[u8]),
    may_continue: &dyn Fn(u64) -> bool,
) -> Result<FileStat, ReadError> {
    let before = FileStat::from(&file.metadata()?);
    let is_small = before.size <= PIECE as u64;
    // Small files are not worth the system calls.
    let stays_cached = is_small || is_cached(file, before.size);
    if !is_small {
        advise(file, None, Advice::Sequential);
    }
    PIECES.with_borrow_mut(|piece| {
        piece.resize(PIECE, 0);
        read_size(file, before.size, stays_cached, piece, take, may_continue)
    })?;
    if !stays_cached {
        advise(file, None, Advice::DontNeed);
    }
    let stat = FileStat::from(&file.metadata()?);
    if stat == before {
        Ok(stat)
    } else {
        Err(ReadError::ChangedMeanwhile)
    }
}

thread_local! {
    /// A buffer per thread.
    static PIECES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reads exactly `size` bytes. If there are more, the caller notices the change.
fn read_size(
    mut file: &File,
    size: u64,
    stays_cached: bool,
    piece: &mut [u8],
    take: &mut dyn FnMut(&[u8]),
    may_continue: &dyn Fn(u64) -> bool,
) -> Result<(), ReadError> {
    let mut length = 0;
    while length < size {
        let count = match file.read(piece) {
            Ok(0) => return Err(ReadError::ChangedMeanwhile),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        take(&piece[..count]);
        let count = count as u64;
        length += count;
        if !stays_cached && length / WINDOW != (length - count) / WINDOW {
            advise(file, Some(length), Advice::DontNeed);
        }
        if !may_continue(count) {
            return Err(ReadError::Cancelled);
        }
    }
    if length > size {
        return Err(ReadError::ChangedMeanwhile);
    }
    Ok(())
}

/// Returns true if the last byte can be read without the disk.
fn is_cached(file: &File, size: u64) -> bool {
    let mut byte = [0];
    let mut buffers = [io::IoSliceMut::new(&mut byte)];
    rustix::io::preadv2(file, &mut buffers, size - 1, ReadWriteFlags::NOWAIT).is_ok()
}

/// Advises the system on the first `length` bytes, or on all. Ignored advice has no cost.
fn advise(file: &File, length: Option<u64>, advice: Advice) {
    let length = length.and_then(std::num::NonZeroU64::new);
    let _not_taken = rustix::fs::fadvise(file, 0, length, advice);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    const fn always(_: u64) -> bool {
        true
    }

    fn at(folder: &tempfile::TempDir, name: &str) -> FilePath {
        let folder = folder.path().canonicalize().unwrap();
        FilePath::try_from(&*folder.join(name)).unwrap()
    }

    #[test]
    fn hash_covers_all_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = at(&folder, "a");
        for (contents, digest) in [
            (
                Vec::new(),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                b"abc".to_vec(),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                vec![b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            fs::write(path.as_path(), &contents).unwrap();
            let read = read(&path, &always).unwrap();
            assert_eq!(read.digest.to_hex(), digest);
            assert_eq!(read.stat.size, contents.len() as u64);
        }
    }

    #[test]
    fn file_growing_while_read_is_not_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let path = at(&folder, "a");
        fs::write(path.as_path(), vec![0; PIECE * 3]).unwrap();
        let grow = |_| {
            let mut options = File::options();
            let mut file = options.append(true).open(path.as_path()).unwrap();
            io::Write::write_all(&mut file, b"x").is_ok()
        };
        assert!(matches!(
            read(&path, &grow),
            Err(ReadError::ChangedMeanwhile)
        ));
        assert!(matches!(read(&path, &|_| false), Err(ReadError::Cancelled)));
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "a").unwrap();
        symlink(path("file"), path("link")).unwrap();
        symlink(".", path("through")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, path("fifo"), rustix::fs::Mode::RUSR).unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        for name in ["link", "through/file", "fifo", "socket", "folder"] {
            let error = read(&at(&folder, name), &always).unwrap_err();
            assert!(matches!(error, ReadError::NotRegular), "{name}: {error}");
        }
        assert!(matches!(
            read(&at(&folder, "none"), &always),
            Err(ReadError::Missing)
        ));
        assert!(matches!(
            read(&at(&folder, "file/below"), &always),
            Err(ReadError::Missing)
        ));
    }
}
