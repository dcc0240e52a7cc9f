//! What depends on the operating system: names as bytes, opening without waiting, private folders.
//!
//! Written and tested for Unix. Another system gets its own version of these few functions.

mod mounts;

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, FileTimes, Metadata, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::{AtFlags, FileType, OFlags, Timespec, Timestamps, UTIME_OMIT, futimens};

use crate::stat::{Ctime, Mtime, NodeKind, Stat};
pub(crate) use mounts::mounted_beneath;

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

/// What stands under a name of a folder, a symbolic link not followed. None if nothing does, or nobody can tell.
pub(crate) fn stat_of_entry(folder: &Dir, name: &[u8]) -> Option<Stat> {
    let looked = look_at_entry(folder, name).ok().flatten();
    looked.map(|(stat, _)| stat)
}

/// What stands under a name of a folder, a symbolic link not followed, and which file it is. None if nothing does.
pub(crate) fn look_at_entry(folder: &Dir, name: &[u8]) -> io::Result<Option<(Stat, Identity)>> {
    debug_assert!(!name.contains(&b'/'), "a name holds no slash");
    let found = match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let identity = Identity {
        device: found.st_dev,
        node: found.st_ino,
    };
    let stat = Stat {
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
        ctime: Ctime {
            seconds: found.st_ctime,
            nanoseconds: u32::try_from(found.st_ctime_nsec).unwrap_or(0),
        },
    };
    Ok(Some((stat, identity)))
}

/// Gives a file another name in its folder unless that is taken, also by a symbolic link to nothing; whether it did.
pub(crate) fn rename_unless_taken(folder: &Dir, from: &Path, to: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(true),
            Err(Errno::EXIST) => return Ok(false),
            // Of the file systems, those of networks can't.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    rename_after_a_look(folder, from, to)
}

/// Where a file can have two names (NFS), it has both for a moment; elsewhere (FAT by old kernels, FUSE) that moment lies
/// between the look and the deed.
fn rename_after_a_look(folder: &Dir, from: &Path, to: &Path) -> io::Result<bool> {
    use rustix::fs::{linkat, unlinkat};
    use rustix::io::Errno;
    match linkat(folder, from, folder, to, AtFlags::empty()) {
        Ok(()) => {
            // By now another program may have put a file of its own in the new place, which must stay: so does this
            // one's first name.
            if let Err(error) = unlinkat(folder, from, AtFlags::empty()) {
                tracing::warn!(name = %from.display(), %error, "a file has two names now");
            }
            return Ok(true);
        }
        Err(Errno::EXIST) => return Ok(false),
        // There are no second names, or it may not have one.
        Err(_) => {}
    }
    if look_at_entry(folder, bytes_of(to.as_os_str()))?.is_some() {
        return Ok(false);
    }
    folder.rename(from, folder, to).map(|()| true)
}

/// A handle on a folder by which its names can be made durable: those that only lead somewhere can't.
pub(crate) fn folder_to_sync(folder: &Dir) -> io::Result<File> {
    use rustix::fs::{Mode, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(folder, ".", flags, Mode::empty())?.into())
}

/// Makes the names in a folder durable, where its file system knows how: those of networks, and of other systems, may
/// not.
pub(crate) fn sync_folder(folder: &File) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fsync(folder) {
        Ok(()) | Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// How others may use a file, as `chmod` has it.
pub(crate) fn mode_of(file: &File) -> io::Result<u32> {
    Ok(file.metadata()?.mode() & 0o7777)
}

/// Writing a file that is made by it, as the process's umask has it.
pub(crate) fn write_new() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o666);
    options
}

/// Sets what [`mode_of`] gives. Where it is that already, nothing is asked of a file system that may have no modes.
pub(crate) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    if mode_of(file)? == mode {
        return Ok(());
    }
    file.set_permissions(Permissions::from_mode(mode))
}

/// Which file or folder a handle is on, whatever it is called. Another one may have the same number later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

    /// The number of the file system that it is on.
    pub(crate) const fn device(self) -> u64 {
        self.device
    }

    /// Whether the other one is on the same file system.
    pub(crate) fn is_on_disk_of(self, other: Self) -> bool {
        self.device == other.device
    }

    /// The same as numbers, to be kept.
    pub(crate) fn numbers(self) -> [u64; 2] {
        [self.device, self.node]
    }

    #[cfg(test)]
    pub(crate) const fn of_test(device: u64, node: u64) -> Self {
        Self { device, node }
    }
}

/// Whether a folder lies on a file system that other machines, or programs outside the kernel, may change
/// without this one's being told.
#[cfg(target_os = "linux")]
pub(crate) fn is_remote(folder: &impl AsFd) -> io::Result<bool> {
    Ok(is_far(&rustix::fs::fstatfs(folder)?))
}

/// Whether the way to a place leads through such a file system, which may let everybody wait who goes there. That of
/// `/` does not count: without it nothing goes on anyway.
#[cfg(target_os = "linux")]
pub(crate) fn leads_far(place: &Path) -> io::Result<bool> {
    let device = |path: &Path| path.metadata().map(|metadata| metadata.dev());
    let top = device(Path::new("/"))?;
    for folder in place.ancestors().skip(1) {
        if device(folder)? != top && is_far(&rustix::fs::statfs(folder)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(target_os = "linux")]
fn is_far(system: &rustix::fs::StatFs) -> bool {
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
    let kind = system.f_type as u32;
    REMOTE.contains(&kind)
}

/// As on Linux, as far as is known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_remote(_folder: &impl AsFd) -> io::Result<bool> {
    Ok(false)
}

/// As on Linux, as far as is known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn leads_far(_place: &Path) -> io::Result<bool> {
    Ok(false)
}

/// When a file was last used, as far as the system keeps that: Linux does, unless the file system is
/// told not to; elsewhere it is when it was last changed (docs/spec/thumbnails.md, Fingerprint).
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

/// Notes in a thumbnail's file of which status of the picture it was made: as the time of its own last change, which is
/// free for that where the system keeps when a file was last used.
pub(crate) fn note_source(thumbnail: &File, source: Ctime) -> io::Result<()> {
    if !KEEPS_USE {
        return Ok(());
    }
    let times = Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: Timespec {
            tv_sec: source.seconds,
            tv_nsec: source.nanoseconds.into(),
        },
    };
    Ok(futimens(thumbnail, &times)?)
}

/// Whether a thumbnail's file was made of the picture in this status.
pub(crate) fn is_of_source(thumbnail: &Metadata, source: Ctime) -> bool {
    if !KEEPS_USE {
        return true;
    }
    let noted = Ctime {
        seconds: thumbnail.mtime(),
        nanoseconds: u32::try_from(thumbnail.mtime_nsec()).unwrap_or(0),
    };
    if is_as_kept(noted, source) {
        return true;
    }
    // Nothing is noted in what earlier versions made, which was last changed when it was made, and not before its file
    // was: it is of a picture whose status has not changed since. What is noted lies before that.
    let made = thumbnail.created().and_then(|made| {
        let since = made.duration_since(SystemTime::UNIX_EPOCH);
        since.map_err(io::Error::other)
    });
    made.is_ok_and(|made| {
        let made = Ctime {
            seconds: i64::try_from(made.as_secs()).unwrap_or(i64::MAX),
            nanoseconds: made.subsec_nanos(),
        };
        let took = noted.seconds.saturating_sub(made.seconds);
        noted >= made && took <= LONGEST_WRITING && noted >= source
    })
}

/// How many seconds lay at most between the birth of a thumbnail's file and its last change, where nothing is noted.
const LONGEST_WRITING: i64 = 60;

/// Whether a time reads so where it was written to a file system that keeps times less exactly.
fn is_as_kept(noted: Ctime, written: Ctime) -> bool {
    const UNITS: [u32; 4] = [1, 100, 1_000, 1_000_000_000];
    let whole = |unit| written.nanoseconds - written.nanoseconds % unit;
    noted.seconds == written.seconds && UNITS.iter().any(|&unit| noted.nanoseconds == whole(unit))
}

/// Makes a folder, with those above it, that only the owner may enter. It may be there already.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use cap_std::ambient_authority;

    /// Both ways of renaming, of which the file system of the tests takes the first.
    #[track_caller]
    fn check(to: &str, expected: Option<bool>) {
        for rename in [rename_unless_taken, rename_after_a_look] {
            let outer = tempfile::tempdir().unwrap();
            let path = |name: &str| outer.path().join(name);
            fs::write(path("new"), b"new").unwrap();
            fs::write(path("taken"), b"theirs").unwrap();
            std::os::unix::fs::symlink("nothing", path("link")).unwrap();
            let folder = Dir::open_ambient_dir(outer.path(), ambient_authority()).unwrap();
            let renamed = rename(&folder, Path::new("new"), Path::new(to));
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
    fn a_name_that_is_taken_is_never_given_and_what_is_unknown_is_no_free_name() {
        check("free", Some(true));
        check("taken", Some(false));
        check("link", Some(false));
        check(&"n".repeat(300), None);
    }
}
