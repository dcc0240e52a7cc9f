//! What depends on the operating system: names as bytes, opening without waiting, private folders.
//!
//! Written and tested for Unix. Another system gets its own version of these few functions.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, FileTimes, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::{AtFlags, FileType, OFlags};

use crate::stat::{Mtime, NodeKind, Stat};

/// The bytes of a name or a path, exactly as the file system has them.
pub(crate) fn bytes_of(text: &OsStr) -> &[u8] {
    text.as_bytes()
}

/// The path that these bytes write.
pub(crate) fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Reading that never waits for the other end of a FIFO, and never takes over a terminal.
pub(crate) fn read_without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

/// Whether two handles are on one file. Only of use while both are open.
pub(crate) fn is_same_file(a: &File, b: &File) -> io::Result<bool> {
    let (a, b) = (a.metadata()?, b.metadata()?);
    Ok((a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// What stands under a name of a folder, a symbolic link not followed. None if nothing does.
pub(crate) fn stat_of_entry(folder: &Dir, name: &[u8]) -> Option<Stat> {
    debug_assert!(!name.contains(&b'/'), "a name holds no slash");
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some(Stat {
        kind: match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => NodeKind::File,
            FileType::Directory => NodeKind::Folder,
            FileType::Fifo => NodeKind::Fifo,
            FileType::Socket => NodeKind::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => NodeKind::Device,
            FileType::Symlink | FileType::Unknown => NodeKind::Unknown,
        },
        size: u64::try_from(found.st_size).unwrap_or(0),
        mtime: Mtime {
            seconds: found.st_mtime,
            // As in every stat here: nonsense counts as 0.
            nanoseconds: u32::try_from(found.st_mtime_nsec).unwrap_or(0),
        },
    })
}

/// Which file or folder a handle is on, whatever it is called. Another one may have the same number later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    node: u64,
}

impl Identity {
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            device: metadata.dev(),
            node: metadata.ino(),
        })
    }

    #[cfg(test)]
    pub(crate) const fn of_test(node: u64) -> Self {
        Self { device: 0, node }
    }
}

/// Whether a folder lies on a file system that other machines, or programs outside the kernel, may change
/// without this one's being told.
#[cfg(target_os = "linux")]
pub(crate) fn is_remote(folder: &File) -> io::Result<bool> {
    // `statfs(2)` has the numbers. FUSE is not always far away, but nobody can tell.
    const REMOTE: [u32; 11] = [
        0x6969,      // NFS
        0x517B,      // SMB
        0xFE53_4D42, // SMB 2 and 3
        0xFF53_4D42, // CIFS
        0x6573_5546, // FUSE
        0x0102_1997, // 9P
        0x5346_414F, // AFS
        0x7375_7245, // Coda
        0x00C3_6400, // Ceph
        0x0BD0_0BD0, // Lustre
        0x786F_4256, // VirtualBox's shared folders
    ];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number has 32 bits, of whatever width and sign its type is here"
    )]
    let kind = rustix::fs::fstatfs(folder)?.f_type as u32;
    Ok(REMOTE.contains(&kind))
}

/// As on Linux, as far as is known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_remote(_folder: &File) -> io::Result<bool> {
    Ok(false)
}

/// When a file was last used, as far as the system keeps that: Linux does, unless the file system is
/// told not to; elsewhere it is when it was last changed (thumbnail-server.md §3.1).
pub(crate) fn last_used(metadata: &Metadata) -> io::Result<SystemTime> {
    if KEEPS_USE {
        metadata.accessed()
    } else {
        metadata.modified()
    }
}

/// The same as a time to set.
pub(crate) fn used_at(times: FileTimes, time: SystemTime) -> FileTimes {
    if KEEPS_USE {
        times.set_accessed(time)
    } else {
        times.set_modified(time)
    }
}

const KEEPS_USE: bool = cfg!(target_os = "linux");

/// Makes a folder, with those above it, that only the owner may enter. It may be there already.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
