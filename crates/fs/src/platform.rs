//! Functions that depend on the operating system: names as bytes, opening without blocking, private folders.
//!
//! Written and tested for Unix. Another system needs its own version of these functions.

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
use fumikura_base::dir_handle;
pub use fumikura_base::dir_handle::temporary_name;
use rustix::fs::{
    AtFlags, FileType, OFlags, StatxFlags, Timespec, Timestamps, UTIME_OMIT, futimens,
};

use crate::{Ctime, Mtime, NodeKind, Stat};
pub(crate) use mounts::file_system_at;
pub use mounts::mounts_beneath;

/// Returns the bytes of a name or a path, exactly as the file system stores them.
pub fn bytes_of(text: &OsStr) -> &[u8] {
    text.as_bytes()
}

/// Returns the path with these bytes.
pub fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Returns options for reading that never wait for the other end of a FIFO, and never acquire a terminal.
pub fn nonblocking_read_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

/// True if two handles are on one file. Only meaningful while both are open.
pub fn is_same_file(a: &File, b: &File) -> io::Result<bool> {
    let (a, b) = (a.metadata()?, b.metadata()?);
    Ok((a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// Returns the status of an entry of a folder. Symbolic links are not followed. `None` if it does not exist
/// or can't be read.
pub fn stat_of_entry(folder: &Dir, name: &[u8]) -> Option<Stat> {
    let status = stat_with_identity(folder, name).ok().flatten();
    status.map(|(stat, _)| stat)
}

/// Returns the time at which an entry of a folder was created. Symbolic links are not followed. `None` if the file system
/// does not record it, or the entry does not exist or can't be read.
pub fn birth_time(folder: &Dir, name: &[u8]) -> Option<Ctime> {
    let wanted = StatxFlags::BTIME;
    let found = rustix::fs::statx(folder, name, AtFlags::SYMLINK_NOFOLLOW, wanted).ok()?;
    let is_recorded = StatxFlags::from_bits_retain(found.stx_mask).contains(wanted);
    is_recorded.then_some(Ctime {
        seconds: found.stx_btime.tv_sec,
        nanoseconds: found.stx_btime.tv_nsec,
    })
}

/// Returns the status and the identity of an entry of a folder. Symbolic links are not followed. `None` if it
/// does not exist.
pub fn stat_with_identity(folder: &Dir, name: &[u8]) -> io::Result<Option<(Stat, Identity)>> {
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
            // An invalid value counts as 0, as in every stat here.
            nanoseconds: u32::try_from(found.st_mtime_nsec).unwrap_or(0),
        },
        ctime: Ctime {
            seconds: found.st_ctime,
            nanoseconds: u32::try_from(found.st_ctime_nsec).unwrap_or(0),
        },
    };
    Ok(Some((stat, identity)))
}

/// Renames a file in its folder unless the new name is taken, also by a symbolic link to nothing. Returns
/// true if it was renamed.
pub fn rename_unless_taken(folder: &Dir, from: &Path, to: &Path) -> io::Result<bool> {
    dir_handle::rename_unless_taken(folder, from.as_os_str(), folder, to.as_os_str())
}

/// Returns a handle on a folder that can be synced. A handle that only resolves paths can't.
pub fn folder_to_sync(folder: &Dir) -> io::Result<File> {
    use rustix::fs::{Mode, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(folder, ".", flags, Mode::empty())?.into())
}

/// Makes the names in a folder durable if its file system supports it. Network file systems, and those of
/// other systems, may not.
pub fn sync_folder(folder: &File) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fsync(folder) {
        Ok(()) | Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the mode of a file, as in `chmod`.
pub fn mode_of(file: &File) -> io::Result<u32> {
    Ok(file.metadata()?.mode() & 0o7777)
}

/// Returns options for writing a new file. Its mode is set by the process's umask.
pub fn new_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o666);
    options
}

/// Sets a mode from [`mode_of`]. A mode that is already right is not set, since a file system may have no modes.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    if mode_of(file)? == mode {
        return Ok(());
    }
    file.set_permissions(Permissions::from_mode(mode))
}

/// The identity of an open file or folder, independent of its name. After the file is deleted, another file may
/// get the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    node: u64,
}

impl Identity {
    /// Returns the identity of an open file or folder.
    ///
    /// # Errors
    /// If its status can't be read.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(Self::of_metadata(&file.metadata()?))
    }

    /// Returns the identity of the file or folder at a path. Symbolic links are followed.
    ///
    /// # Errors
    /// If its status can't be read.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self::of_metadata(&path.metadata()?))
    }

    fn of_metadata(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            node: metadata.ino(),
        }
    }

    /// Returns the number of its file system.
    pub const fn device(self) -> u64 {
        self.device
    }

    /// True if both are on the same file system.
    pub fn is_on_disk_of(self, other: Self) -> bool {
        self.device == other.device
    }

    /// Returns the identity as numbers, for storage.
    pub fn numbers(self) -> [u64; 2] {
        [self.device, self.node]
    }

    /// Creates an identity from its [`numbers`](Self::numbers).
    #[must_use]
    pub const fn from_numbers(device: u64, node: u64) -> Self {
        Self { device, node }
    }
}

/// Returns the number of bytes that this user may still write to the disk of an open folder.
///
/// # Errors
/// Errors of the file system.
pub fn free_space(folder: &impl AsFd) -> io::Result<u64> {
    let disk = rustix::fs::fstatvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// True if a folder is on a file system that other machines, or programs outside the kernel, may change
/// without notice to this one.
pub fn is_remote(folder: &impl AsFd) -> io::Result<bool> {
    Ok(is_remote_kind(&rustix::fs::fstatfs(folder)?))
}

/// True if a path crosses such a file system, on which every access may block. The file system of `/` does not
/// count: nothing works without it anyway.
pub fn crosses_remote_mount(place: &Path) -> io::Result<bool> {
    let device = |path: &Path| path.metadata().map(|metadata| metadata.dev());
    let top = device(Path::new("/"))?;
    for folder in place.ancestors().skip(1) {
        if device(folder)? != top && is_remote_kind(&rustix::fs::statfs(folder)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_remote_kind(system: &rustix::fs::StatFs) -> bool {
    // The numbers of `statfs(2)`. FUSE is not always remote, but there is no way to detect that.
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

/// Returns the time at which a file was last used (docs/spec/thumbnails.md, Fingerprint).
pub fn last_used(metadata: &Metadata) -> io::Result<SystemTime> {
    metadata.accessed()
}

/// Adds the time of last use to the times to set.
pub fn used_at(times: FileTimes, time: SystemTime) -> FileTimes {
    times.set_accessed(time)
}

/// Stores, in a thumbnail's file, the status time of the picture that it was made from. It is stored as the
/// file's modification time, which is unused on systems that record the time of last use.
pub fn store_source_ctime(thumbnail: &File, source: Ctime) -> io::Result<()> {
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

/// True if a thumbnail's file was made from the picture with this status time.
pub fn has_source_ctime(thumbnail: &Metadata, source: Ctime) -> bool {
    let noted = Ctime {
        seconds: thumbnail.mtime(),
        nanoseconds: u32::try_from(thumbnail.mtime_nsec()).unwrap_or(0),
    };
    if matches_stored_time(noted, source) {
        return true;
    }
    // Files of earlier versions store no status time. Their modification time is the moment they were written,
    // so it is not before their creation, and their picture has not changed since. A stored status time is
    // earlier than the creation.
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
        noted >= made && took <= MAX_WRITE_SECONDS && noted >= source
    })
}

/// The longest time, in seconds, between the creation of a thumbnail's file and its last write, if no status
/// time is stored.
const MAX_WRITE_SECONDS: i64 = 60;

/// True if a stored time matches the original one, on a file system that may store times less exactly.
fn matches_stored_time(noted: Ctime, written: Ctime) -> bool {
    const UNITS: [u32; 4] = [1, 100, 1_000, 1_000_000_000];
    let whole = |unit| written.nanoseconds - written.nanoseconds % unit;
    noted.seconds == written.seconds && UNITS.iter().any(|&unit| noted.nanoseconds == whole(unit))
}

/// Creates a folder that only the owner may enter, with its parents. It may already exist.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
