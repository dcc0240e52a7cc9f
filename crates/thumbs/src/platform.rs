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

use cap_std::fs::{OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;

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
